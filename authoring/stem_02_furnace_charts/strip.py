"""One load's strip: paper, grid, clock marks, two pens, the door's pen, and what people wrote."""

import math
from collections.abc import Sequence

import msgspec
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from authoring.parts.dice import Dice
from authoring.parts.scan import BOLD, REGULAR
from authoring.stem_02_furnace_charts.nouns import Colour, Load, Recorder
from authoring.stem_02_furnace_charts.paper import PX, multiply, scanned, stain
from authoring.stem_02_furnace_charts.strokes import write
from authoring.stem_02_furnace_charts.traces import Trace, places

LEFT, RIGHT, TOP, BOTTOM = 15.0, 10.0, 17.0, 16.0
TIME_LINE = 5
INKS: dict[str, Colour] = {
    "red": (188, 66, 58),
    "blue": (70, 86, 160),
    "green": (58, 122, 92),
    "violet": (112, 78, 150),
    "black": (66, 64, 70),
}
PAPERS: dict[str, Colour] = {
    "REC-1": (232, 150, 128),
    "REC-2": (136, 186, 156),
    "REC-3": (142, 160, 208),
}
"""Colour of the grid."""
TONE = (244, 239, 224)


class Sheet(msgspec.Struct):
    """A strip while it is drawn; places in mm from the grid's lower left corner."""

    page: Image.Image
    height: float

    def at(self, x: float, y: float) -> tuple[float, float]:
        return (LEFT + x) * PX, (TOP + self.height - y) * PX

    def line(
        self, ink: ImageDraw.ImageDraw, ends: Sequence[float], fill: Colour, width: int
    ) -> None:
        ink.line((self.at(*ends[:2]), self.at(*ends[2:])), fill=fill, width=width)

    def text(
        self, at: tuple[float, float], text: str, mm: float, fill: Colour, bold: bool = False
    ) -> None:
        face = str(BOLD if bold else REGULAR)
        font = ImageFont.truetype(face, round(mm * PX), layout_engine=ImageFont.Layout.BASIC)
        x, y = self.at(*at)
        ImageDraw.Draw(self.page).text((x, y - mm * PX), text, font=font, fill=fill)


def draw(load: Load, recorder: Recorder, drawn: Trace, dice: Dice) -> Image.Image:
    at = places(load, recorder, drawn)
    long = at[-1] + 7
    size = round((LEFT + long + RIGHT) * PX), round((TOP + recorder.span + BOTTOM) * PX)
    sheet = Sheet(Image.new("RGB", size, TONE), recorder.span)
    _paper(sheet, recorder, long, dice)
    _holes(sheet, long)
    _marks(sheet, load, drawn, recorder)
    pens = (
        (drawn.control, recorder.control_pen, 0.0),
        (drawn.load, recorder.load_pen, recorder.offset),
    )
    for curve, name, offset in pens:
        _trace(sheet, recorder, [x - offset for x in at], curve, INKS[name], dice)
    _door(sheet, load, recorder, drawn, at)
    _hand(sheet, load, recorder, long, dice)
    spot = dice.whole(2, 8) / 10 * size[0], dice.whole(2, 8) / 10 * size[1]
    sheet.page = stain(sheet.page, spot, dice.whole(14, 22) * PX) if dice.chance(40) else sheet.page
    return scanned(sheet.page, dice)


def _paper(sheet: Sheet, recorder: Recorder, long: float, dice: Dice) -> None:
    tint = PAPERS[recorder.name]
    ink = ImageDraw.Draw(sheet.page)
    fine = round((recorder.high - recorder.low) / recorder.step)
    gap = recorder.span / fine
    for n in range(fine + 1):
        heavy = n % recorder.heavy == 0
        half = recorder.heavy % 2 == 0 and n % recorder.heavy == recorder.heavy // 2
        width = 5 if heavy else 3 if half else 2
        sheet.line(ink, (-3, n * gap, long, n * gap), tint, width)
    phase = dice.whole(0, 19)
    for n in range(-1, int(long / TIME_LINE) + 1):
        x = n * TIME_LINE + phase % TIME_LINE
        if x <= long:
            sheet.line(ink, (x, 0, x, sheet.height), tint, 5 if (n + phase) % 4 == 0 else 2)
    for repeat in range(int(long / 170) + 1):
        for n in range(0, fine + 1, recorder.heavy):
            value = recorder.low + n * recorder.step
            shown = value if recorder.printed == "deg C" else round(100 * n / fine)
            across = phase % TIME_LINE + 170 * repeat + 1.2
            sheet.text((across, n * gap - 1.0), str(shown), 2.0, tint)


def _holes(sheet: Sheet, long: float) -> None:
    ink = ImageDraw.Draw(sheet.page)
    for n in range(int((long + LEFT + RIGHT) / 10)):
        for y in (sheet.height + TOP - 3.2, -BOTTOM + 3.2):
            x, middle = sheet.at(n * 10 - LEFT + 5, y)
            box = (x - 1.3 * PX, middle - 1.3 * PX, x + 1.3 * PX, middle + 1.3 * PX)
            ink.ellipse(box, fill=(206, 202, 196), outline=(180, 174, 166), width=2)


def _marks(sheet: Sheet, load: Load, drawn: Trace, recorder: Recorder) -> None:
    """The recorder prints a tick and the time every hour as long as the door is shut."""
    ink = ImageDraw.Draw(sheet.page)
    time, clock = load.before, load.clock
    while time < drawn.door - 1:
        x = time * load.speed / 60
        top = sheet.height
        sheet.line(ink, (x, top - 1.6, x, top + 1.8), INKS["violet"], 4)
        shown = f"{clock // 60 % 24:02d}:{clock % 60:02d}"
        sheet.text((x - 2.6, top + 2.2), shown, 2.1, INKS["violet"])
        time, clock = time + 60, clock + 60
    sheet.text((0, -6.0), f"{recorder.name}  {recorder.furnace}", 2.0, INKS["violet"])


def _trace(
    sheet: Sheet,
    recorder: Recorder,
    at: Sequence[float],
    curve: Sequence[float],
    colour: Colour,
    dice: Dice,
) -> None:
    layer = Image.new("RGB", sheet.page.size, (255, 255, 255))
    ink = ImageDraw.Draw(layer)
    points = []
    for x, value in zip(at, curve, strict=True):
        y = (value - recorder.low) / recorder.scale
        if 0.2 <= y <= sheet.height and x >= -2:
            points.append(sheet.at(x, y))
    for n in range(0, len(points) - 1, 8):
        pale = dice.whole(0, 34)
        fill = (min(255, colour[0] + pale), min(255, colour[1] + pale), min(255, colour[2] + pale))
        ink.line(points[n : n + 10], fill=fill, width=dice.pick((4, 4, 5)), joint="curve")
    sheet.page = multiply(sheet.page, layer.filter(ImageFilter.GaussianBlur(0.8)))


def _door(sheet: Sheet, load: Load, recorder: Recorder, drawn: Trace, at: Sequence[float]) -> None:
    """The event pen: up at the opening of the door, up once more when the load is in the bath."""
    ink = ImageDraw.Draw(sheet.page)
    y, high = sheet.height - 6.5, 2.2
    door = drawn.door * load.speed / 60
    quench = door + recorder.fast * (drawn.quench - drawn.door)
    points = [(0.0, y), (door, y), (door, y + high), (quench, y + high)]
    points += [(quench, y + 2 * high), (at[-1], y + 2 * high)]
    ink.line([sheet.at(*point) for point in points], fill=INKS["black"], width=3)


NOTES = (
    ("LAMP TEST OK", "SHIFT B", "PEN 2 INKED"),
    ("DOOR SEAL ?", "LOOKS FINE", "FAN 2 LOUD"),
    ("SEE BOOK", "OIL 58 C", "SHIFT A"),
    ("CHECKED", "PAPER NEW", "GAS OK"),
)


def _hand(sheet: Sheet, load: Load, recorder: Recorder, long: float, dice: Dice) -> None:
    layer = Image.new("RGB", sheet.page.size, (255, 255, 255))
    ink = ImageDraw.Draw(layer)
    pen = INKS[dice.pick((recorder.load_pen, "blue", recorder.control_pen))]
    y = sheet.height
    first = f"{load.no}  {load.day.day}/{load.day.month}"
    write(ink, sheet.at(0.16 * long, 0.12 * y), first, 4.6 * PX, dice, pen)
    write(ink, sheet.at(0.18 * long, 0.05 * y), f"{load.noted} MM/H", 3.8 * PX, dice, pen)
    some = dice.sample(dice.pick(NOTES), 2)
    write(ink, sheet.at(0.5 * long, 0.30 * y), some[0], 3.4 * PX, dice, pen)
    write(ink, sheet.at(0.62 * long, -9.5), some[1], 2.8 * PX, dice, INKS["blue"])
    around = dice.whole(50, 80) / 100 * long, dice.whole(62, 72) / 100 * y
    if dice.chance(60):
        _ring(sheet, ink, around, dice, INKS[recorder.load_pen])
    if dice.chance(60):
        _stamp(sheet, layer, (dice.whole(45, 70) / 100 * long, 0.2 * y), dice)
    sheet.page = multiply(sheet.page, layer.filter(ImageFilter.GaussianBlur(0.9)))


def _ring(
    sheet: Sheet, ink: ImageDraw.ImageDraw, at: tuple[float, float], dice: Dice, fill: Colour
) -> None:
    """Somebody ringed a place that seemed worth it, with a pen of the recorder's colour."""
    wide, high = dice.whole(50, 90) / 10, dice.whole(30, 50) / 10
    points = []
    for n in range(46):
        turn, grow = n * 0.15, 1 + n / 300 + dice.whole(-8, 8) / 400
        x, y = at[0] + wide * grow * math.cos(turn), at[1] + high * grow * math.sin(turn)
        points.append(sheet.at(x, y))
    ink.line(points, fill=fill, width=4, joint="curve")


def _stamp(sheet: Sheet, layer: Image.Image, at: tuple[float, float], dice: Dice) -> None:
    text, colour = (
        dice.pick(("RECEIVED", "COPY TO QA", "FILED")),
        INKS[dice.pick(("red", "violet"))],
    )
    font = ImageFont.truetype(str(BOLD), round(4 * PX), layout_engine=ImageFont.Layout.BASIC)
    wide, high = (round(side + 1.8 * PX) for side in font.getbbox(text)[2:])
    seal = Image.new("RGB", (wide, high), (255, 255, 255))
    ink = ImageDraw.Draw(seal)
    soft: Colour = (min(255, colour[0] + 40), min(255, colour[1] + 40), min(255, colour[2] + 40))
    ink.rectangle((2, 2, wide - 3, high - 3), outline=soft, width=5)
    ink.text((0.9 * PX, 0.6 * PX), text, font=font, fill=soft)
    turned = seal.rotate(dice.whole(-9, 9), expand=True, fillcolor=(255, 255, 255))
    x, y = (round(side) for side in sheet.at(*at))
    below = layer.crop((x, y, x + turned.width, y + turned.height))
    layer.paste(multiply(below, turned), (x, y))
