"""A sheet of paper drawn in millimetres, with print, pens and hands, and then scanned: turned,
bowed as by a book's spine, with grain and the traces of a lossy format. Grey, small, no text.

All inks are multiplied, so that what is drawn over each other stays visible as on paper.
"""

import hashlib
import io
import math
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy
import numpy.typing
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from authoring.parts.dice import Dice
from authoring.parts.pack import save_png
from authoring.parts.scan import BOLD, FONTS, REGULAR

Grey = numpy.typing.NDArray[numpy.float32]
Point = tuple[float, float]
HANDS = {"script": FONTS / "Caveat.ttf", "round": FONTS / "IndieFlower.ttf"}
FINE = 400
"""Dots per inch while drawing."""
LEVELS = 16


class Scanned(msgspec.Struct, frozen=True):
    """How a sheet comes off the scanner. Lengths in mm."""

    dpi: int = 200
    askew: float = 0.0
    """Degrees."""
    bow: float = 1.2
    """How far lines across the sheet sag in the middle."""
    spine: float = 0.8
    """How far the sheet's left edge is pulled in."""
    wave: float = 0.3
    grain: float = 9.0
    """Steps of grey, of 255."""
    quality: int = 45
    """Of the lossy format that the scanner kept it in."""


class Picture:
    """Places are (x, y) from the top left corner."""

    def __init__(self, width: float, height: float, *seed: object) -> None:
        self.width, self.height, self.seed = width, height, seed
        size = (_dots(width), _dots(height))
        self._layers = {name: Image.new("L", size, 255) for name in ("print", "pencil", "pen")}
        self._inks = {name: ImageDraw.Draw(layer) for name, layer in self._layers.items()}
        self._dice = Dice("strokes", *seed)

    def line(self, points: Sequence[Point], width: float, grey: int, ink: str = "print") -> None:
        """Joined straight lines."""
        dots = [(x * FINE / 25.4, y * FINE / 25.4) for x, y in points]
        self._inks[ink].line(dots, fill=grey, width=max(1, _dots(width)), joint="curve")

    def stroke(self, first: Point, last: Point, width: float, grey: int) -> None:
        """A pencil along a ruler or a short way by hand: its pressure comes and goes."""
        length = math.dist(first, last)
        steps = max(2, round(length / 2.5))
        tone = grey
        for n in range(steps):
            a, b = (
                (
                    first[0] + (last[0] - first[0]) * t / steps,
                    first[1] + (last[1] - first[1]) * t / steps,
                )
                for t in (n, n + 1)
            )
            tone = max(grey - 18, min(grey + 22, tone + self._dice.whole(-9, 9)))
            self.line((a, b), width, tone, "pencil")

    def dashes(self, first: Point, last: Point, width: float, grey: int) -> None:
        # An odd number, so that a dash stands at either end.
        steps = 2 * round(math.dist(first, last) / 3) + 1
        for n in range(0, steps, 2):
            a, b = (
                (
                    first[0] + (last[0] - first[0]) * t / steps,
                    first[1] + (last[1] - first[1]) * t / steps,
                )
                for t in (n, n + 1)
            )
            self.line((a, b), width, grey, "pencil")

    def ring(self, centre: Point, radius: float, grey: int) -> None:
        """A loop by hand, not quite closed."""
        start = self._dice.whole(0, 360)
        flat, shift = self._dice.whole(82, 118) / 100, self._dice.whole(-3, 3) / 10
        points = []
        for n in range(40):
            angle = math.radians(start + n * 9.4)
            away = radius * (1 + 0.004 * n)
            points.append(
                (
                    centre[0] + shift + away * math.cos(angle),
                    centre[1] + away * flat * math.sin(angle),
                )
            )
        self.line(points, 0.3, grey, "pencil")

    def type(self, at: Point, text: str, points: float, bold: bool = False, grey: int = 40) -> None:
        """Printed words; `at` is where their top left corner stands."""
        font = ImageFont.truetype(BOLD if bold else REGULAR, round(points * FINE / 72))
        self._inks["print"].text((_dots(at[0]), _dots(at[1])), text, font=font, fill=grey)

    def hand(
        self, at: Point, text: str, how: tuple[str, float], turn: float = 0, middle: bool = False
    ) -> None:
        """Words by hand: `how` names one of HANDS and the type's height in mm; `turn`: degrees,
        counterclockwise; `at`: the left end of the middle line, or the middle itself."""
        style, height = how
        font = ImageFont.truetype(HANDS[style], _dots(height))
        box = font.getbbox(text)
        pad = _dots(1)
        size = (round(box[2] - box[0]) + 2 * pad, round(box[3] - box[1]) + 2 * pad)
        slip = Image.new("L", size, 255)
        ImageDraw.Draw(slip).text((pad - box[0], pad - box[1]), text, font=font, fill=70)
        slip = slip.rotate(turn, Image.Resampling.BICUBIC, expand=True, fillcolor=255)
        left = _dots(at[0]) - (slip.width // 2 if middle else pad)
        top = _dots(at[1]) - slip.height // 2
        self._onto("pen", slip, (left, top))

    def stamp(self, at: Point, lines: Sequence[str], turn: float, grey: int = 120) -> None:
        font = ImageFont.truetype(BOLD, _dots(3))
        wide = max(round(font.getbbox(text)[2]) for text in lines) + _dots(3)
        slip = Image.new("L", (wide, _dots(4.5) * len(lines) + _dots(2)), 255)
        ink = ImageDraw.Draw(slip)
        ink.rectangle((2, 2, slip.width - 3, slip.height - 3), outline=grey, width=_dots(0.4))
        for n, text in enumerate(lines):
            ink.text((_dots(1.5), _dots(1 + 4.5 * n)), text, font=font, fill=grey)
        slip = slip.rotate(turn, Image.Resampling.BICUBIC, expand=True, fillcolor=255)
        self._onto("pen", slip, (_dots(at[0]), _dots(at[1])))

    def _onto(self, ink: str, slip: Image.Image, at: tuple[int, int]) -> None:
        layer = self._layers[ink]
        box = (*at, at[0] + slip.width, at[1] + slip.height)
        under = numpy.asarray(layer.crop(box))
        layer.paste(Image.fromarray(numpy.minimum(under, numpy.asarray(slip))), at)

    def scanned(self, how: Scanned) -> Image.Image:
        """The sheet as an image of few greys."""
        sheet = self._sheet()
        places = _places((self.width, self.height), how)
        grey = _taken(sheet, *places)
        grey *= _light(grey.shape)
        grey += how.grain * _grain(grey.shape, "scan", *self.seed)
        page = Image.fromarray(numpy.clip(grey, 0, 255).astype(numpy.uint8))
        kept = io.BytesIO()
        page.save(kept, "JPEG", quality=how.quality)
        return _few_greys(Image.open(kept))

    def _sheet(self) -> Grey:
        whole = numpy.full((_dots(self.height), _dots(self.width)), 243, numpy.float32)
        for name, layer in self._layers.items():
            drawn = ImageChops.invert(layer).getbbox()
            if drawn is None:
                continue
            left, top, right, bottom = _wider(drawn, layer.size)
            soft = layer.crop((left, top, right, bottom)).filter(ImageFilter.GaussianBlur(1.1))
            ink = 1 - numpy.asarray(soft, numpy.float32) / 255
            here = numpy.s_[top:bottom, left:right]
            if name == "pencil":
                grain = _grain(whole.shape, "pencil", *self.seed)[here]
                ink *= numpy.clip(0.95 + 0.2 * grain, 0.3, 1.1)
            whole[here] *= 1 - ink
        return whole


def _wider(box: tuple[int, int, int, int], size: tuple[int, int]) -> tuple[int, int, int, int]:
    """With the dots around it that a blurred line reaches."""
    left, top, right, bottom = box
    return max(left - 8, 0), max(top - 8, 0), min(right + 8, size[0]), min(bottom + 8, size[1])


def _dots(length: float) -> int:
    return round(length * FINE / 25.4)


def _grain(shape: tuple[int, ...], *seed: object) -> Grey:
    """About -2 to 2, smooth over three dots."""
    high, wide = shape
    data = hashlib.shake_256("/".join(map(str, seed)).encode()).digest(high * wide)
    soft = Image.frombytes("L", (wide, high), data).filter(ImageFilter.BoxBlur(1))
    return ((numpy.asarray(soft, numpy.float32) - 127.5) / 25).astype(numpy.float32)


def _places(size: tuple[float, float], how: Scanned) -> tuple[Grey, Grey]:
    """For each dot of the scan the place on the sheet, in dots of the drawing."""
    width, height = size
    wide, high = (round(side * how.dpi / 25.4) for side in size)
    across, down = numpy.meshgrid(
        (numpy.arange(wide, dtype=numpy.float32) + 0.5) * (25.4 / how.dpi) - width / 2,
        (numpy.arange(high, dtype=numpy.float32) + 0.5) * (25.4 / how.dpi) - height / 2,
    )
    cos, sin = math.cos(math.radians(how.askew)), math.sin(math.radians(how.askew))
    u = across * cos - down * sin
    v = across * sin + down * cos
    near = numpy.exp(-(u + width / 2) / 28)
    x = u + how.spine * near + how.wave * numpy.sin(2 * math.pi * v / height * 0.8 + 0.6)
    sag = (2 * u / width) ** 2
    y = v + how.bow * (sag - 0.35) + 0.5 * how.spine * near * (2 * v / height)
    scale = FINE / 25.4
    return (x + width / 2) * scale - 0.5, (y + height / 2) * scale - 0.5


def _taken(sheet: Grey, x: Grey, y: Grey) -> Grey:
    """The sheet's grey at these places, in between by straight lines; white beside it."""
    high, wide = sheet.shape
    inside = (x >= 0) & (x < wide - 1) & (y >= 0) & (y < high - 1)
    x, y = numpy.clip(x, 0, wide - 1.01), numpy.clip(y, 0, high - 1.01)
    left, top = x.astype(numpy.int32), y.astype(numpy.int32)
    a, b = x - left, y - top
    dots, at = sheet.ravel(), top * wide + left  # one index costs a third of two
    upper = dots.take(at) * (1 - a) + dots.take(at + 1) * a
    lower = dots.take(at + wide) * (1 - a) + dots.take(at + wide + 1) * a
    found = upper * (1 - b) + lower * b
    return numpy.where(inside, found, 215).astype(numpy.float32)


def _light(shape: tuple[int, ...]) -> Grey:
    """Darker towards the spine, on the left."""
    wide = shape[1]
    at = numpy.arange(wide, dtype=numpy.float32) / wide
    shade: Grey = (1 - 0.22 * numpy.exp(-at * 14) - 0.03 * at)[None, :].astype(numpy.float32)
    return shade


def _few_greys(page: Image.Image) -> Image.Image:
    step = 255 / (LEVELS - 1)
    values = numpy.rint(numpy.asarray(page, numpy.float32) / step).astype(numpy.uint8)
    few = Image.fromarray(values, "P")
    few.putpalette([round(n * step) for n in range(LEVELS) for _ in range(3)])
    return few


def write_picture(path: Path, page: Image.Image, dpi: int = 200) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    save_png(page, path, bits=4, optimize=True, dpi=(dpi, dpi))
