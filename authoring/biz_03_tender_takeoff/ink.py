"""Pen on paper: lines, arcs and letters in millimetres, and what a scanner makes of the sheet."""

import io
import itertools
import math
from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from authoring.parts.dice import Dice
from authoring.parts.scan import BOLD, REGULAR

DPI, FINE = 150, 2
"""A sheet is drawn FINE times as fine as it is scanned."""
PX = DPI * FINE / 25.4
"""Pixels to the millimetre while drawing."""
WIDTH, HEIGHT = 420.0, 297.0
PAPER = 250
INK, THIN = 45, 120

Point = tuple[float, float]
Path = Sequence[Point]
DASHES: dict[str, tuple[float, ...]] = {
    "solid": (),
    "dashed": (0.65, 0.5),
    "run": (3.2, 0.9),
    "chain": (5.0, 1.0, 0.8, 1.0),
    "wire": (1.6, 1.1),
}


def arc(middle: Point, radius: float, first: float, last: float, steps: int = 24) -> list[Point]:
    """From one angle to another, in degrees."""
    turns = [math.radians(first + (last - first) * n / steps) for n in range(steps + 1)]
    return [(middle[0] + radius * math.cos(t), middle[1] + radius * math.sin(t)) for t in turns]


def box(left: float, top: float, right: float, bottom: float) -> list[Point]:
    return [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]


def length(path: Path) -> float:
    return sum(math.dist(a, b) for a, b in itertools.pairwise(path))


def pieces(path: Path, dashes: Sequence[float]) -> list[list[Point]]:
    """The strokes of a broken line: on, off, on, off .."""
    if not dashes:
        return [list(path)]
    found: list[list[Point]] = []
    turn, left, down = 0, dashes[0], True
    now: list[Point] = [path[0]]
    for start, end in itertools.pairwise(path):
        at, rest = start, math.dist(start, end)
        while rest > left:
            share = left / rest
            at = (at[0] + (end[0] - at[0]) * share, at[1] + (end[1] - at[1]) * share)
            rest -= left
            now.append(at)
            if down:
                found.append(now)
            turn, down, now = turn + 1, not down, [at]
            left = dashes[turn % len(dashes)]
        left -= rest
        now.append(end)
    return [*found, now] if down else found


class Sheet:
    """One sheet of A3, landscape; millimetres from its upper left corner."""

    def __init__(self) -> None:
        size = (round(WIDTH * PX), round(HEIGHT * PX))
        self.image = Image.new("L", size, PAPER)
        self.draw = ImageDraw.Draw(self.image)

    def line(self, path: Path, width: float = 0.3, dashes: str = "solid", ink: int = INK) -> None:
        for stroke in pieces(path, DASHES[dashes]):
            drawn = [(x * PX, y * PX) for x, y in stroke]
            self.draw.line(drawn, fill=ink, width=max(1, round(width * PX)), joint="curve")

    def fill(self, path: Path, ink: int = INK) -> None:
        self.draw.polygon([(x * PX, y * PX) for x, y in path], fill=ink)

    def text(
        self,
        at: Point,
        words: str,
        size: float = 2.2,
        anchor: str = "ls",
        **how: int,
    ) -> None:
        """`size` is the height of a capital letter; `anchor` as Pillow has it; `bold`, `ink`."""
        font = letters(size, bool(how.get("bold")))
        place = (at[0] * PX, at[1] * PX)
        self.draw.text(place, words, font=font, fill=how.get("ink", INK), anchor=anchor)

    def hand(self, at: Point, words: str, dice: Dice, size: float = 3.0, tilt: float = 4) -> None:
        """Written with a pen: each letter leans and sits a little otherwise."""
        across = 0.0
        for letter in words:
            big = size * (1 + (dice.below(21) - 10) / 100)
            font = letters(big, bold=False)
            wide = font.getlength(letter)
            tile = Image.new("L", (round(wide) + 24, round(big * PX * 2.2)), 0)
            mark = ImageDraw.Draw(tile)
            mark.text((12, tile.height * 0.7), letter, font=font, fill=255, anchor="ls")
            lean = (1, 0.28, -0.28 * tile.height * 0.7, 0, 1, 0)
            tile = tile.transform(tile.size, Image.Transform.AFFINE, lean, Image.Resampling.BICUBIC)
            tile = tile.rotate(tilt + dice.below(9) - 4, Image.Resampling.BICUBIC)
            x = at[0] * PX + across
            y = at[1] * PX - across * math.tan(math.radians(tilt)) - tile.height * 0.7
            self.image.paste(85, (round(x), round(y + dice.below(7) - 3)), tile)
            across += wide * 0.92

    def stamp(self, at: Point, lines: Sequence[str], turn: float, ink: int = 120) -> None:
        font = letters(3.0, bold=True)
        wide = round(max(font.getlength(line) for line in lines)) + 60
        seal = Image.new("L", (wide, 62 * len(lines) + 40), 0)
        mark = ImageDraw.Draw(seal)
        mark.rectangle((3, 3, seal.width - 4, seal.height - 4), outline=255, width=6)
        for n, line in enumerate(lines):
            mark.text((seal.width / 2, 50 + 62 * n), line, font=font, fill=255, anchor="mm")
        seal = seal.rotate(turn, Image.Resampling.BICUBIC, expand=True)
        self.image.paste(ink, (round(at[0] * PX), round(at[1] * PX)), seal)


def letters(size: float, bold: bool) -> ImageFont.FreeTypeFont:
    """Capitals of DejaVu Sans are 0.729 of its size."""
    pixels = round(size * PX / 0.729)
    face = BOLD if bold else REGULAR
    return ImageFont.truetype(face, pixels, layout_engine=ImageFont.Layout.BASIC)


def reduced(image: Image.Image, share: float) -> Image.Image:
    """As printed smaller, in the middle of a sheet of the same size."""
    small = image.resize(
        (round(image.width * share), round(image.height * share)), Image.Resampling.LANCZOS
    )
    page = Image.new("L", image.size, PAPER)
    page.paste(small, ((page.width - small.width) // 2, (page.height - small.height) // 2))
    return page


def scanned(image: Image.Image, dice: Dice, askew: float) -> Image.Image:
    """Askew, paper not quite white, ink not quite black, specks, a fold, a compressor's dirt."""
    turned = image.rotate(askew, Image.Resampling.BICUBIC, fillcolor=PAPER)
    size = (image.width // FINE, image.height // FINE)
    small = turned.resize(size, Image.Resampling.BOX).filter(ImageFilter.GaussianBlur(0.55))
    seen = np.asarray(small, dtype=np.float64)
    seen = seen - _tone(dice, seen.shape) + _grain(dice, seen.shape)
    grey = Image.fromarray(np.clip(seen, 0, 255).astype(np.uint8))
    _specks(grey, dice)
    packed = io.BytesIO()
    grey.save(packed, "JPEG", quality=58)
    packed.seek(0)
    levels = np.asarray(Image.open(packed), dtype=np.uint16)
    return Image.fromarray((((levels + 8) // 17).clip(0, 15) * 17).astype(np.uint8))


def _tone(dice: Dice, shape: tuple[int, ...]) -> np.ndarray:
    """Paper darker in broad clouds, along a fold and at an edge, and weak printing in stripes."""
    rough = np.array([[dice.below(10) for _ in range(9)] for _ in range(7)], dtype=np.uint8)
    big = Image.fromarray(rough * 20).resize((shape[1], shape[0]), Image.Resampling.BICUBIC)
    tone = np.asarray(big, dtype=np.float64) / 20
    fold = shape[1] // 2 + dice.whole(-40, 40)
    tone[:, fold : fold + 2] += 34
    tone[:, fold + 2 : fold + 6] += 10
    edge = np.linspace(22, 0, 60)
    tone[:, :60] += edge
    return tone


def _grain(dice: Dice, shape: tuple[int, ...]) -> np.ndarray:
    """About +-9 greys, a pixel each, some of it in clumps; a hash, so that no generator matters."""
    at = np.arange(shape[0] * shape[1], dtype=np.uint32) + np.uint32(dice.below(1 << 30))
    for shift, times in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        at = (at ^ (at >> np.uint32(shift))) * np.uint32(times)
    fine = ((at >> np.uint32(24)) % 19).astype(np.float64).reshape(shape) - 9
    clump = (fine + np.roll(fine, 1, 0) + np.roll(fine, 1, 1) + np.roll(fine, (1, 1), (0, 1))) / 2
    return fine * 0.35 + clump * 0.7


def _specks(image: Image.Image, dice: Dice) -> None:
    pen = ImageDraw.Draw(image)
    for _ in range(420):
        x, y = dice.below(image.width), dice.below(image.height)
        image.putpixel((x, y), dice.whole(70, 200))
    for _ in range(26):
        x, y, r = dice.below(image.width), dice.below(image.height), dice.whole(1, 2)
        pen.ellipse((x - r, y - r, x + r, y + r), fill=dice.whole(110, 190))
    for _ in range(9):
        x, y = dice.below(image.width), dice.below(image.height)
        pen.line((x, y, x + dice.whole(-30, 30), y + dice.whole(-30, 30)), fill=185)
