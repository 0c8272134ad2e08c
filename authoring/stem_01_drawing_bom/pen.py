"""Two pens that draw one sheet: into a pdf with its text, or into an image as a scanner leaves it.

All places are in mm from the lower left corner of a sheet of A4 landscape, sizes of type in points.
"""

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from authoring.parts.dice import Dice
from authoring.parts.scan import BOLD, REGULAR

WIDTH, HEIGHT = 297.0, 210.0
DPI = 150
GREY = 40
Point = tuple[float, float]


class Pen(Protocol):
    def line(self, a: Point, b: Point, width: float = 0.25) -> None: ...
    def box(self, low: Point, high: Point, width: float = 0.25) -> None: ...
    def circle(self, middle: Point, radius: float, width: float = 0.25) -> None: ...
    def text(self, at: Point, text: str, size: float = 8, bold: bool = False) -> None: ...


Draw = Callable[[Pen], None]


class PdfPen:
    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas

    def line(self, a: Point, b: Point, width: float = 0.25) -> None:
        self.canvas.setLineWidth(width * mm)
        self.canvas.line(a[0] * mm, a[1] * mm, b[0] * mm, b[1] * mm)

    def box(self, low: Point, high: Point, width: float = 0.25) -> None:
        self.canvas.setLineWidth(width * mm)
        sides = (high[0] - low[0]) * mm, (high[1] - low[1]) * mm
        self.canvas.rect(low[0] * mm, low[1] * mm, *sides)

    def circle(self, middle: Point, radius: float, width: float = 0.25) -> None:
        self.canvas.setLineWidth(width * mm)
        self.canvas.circle(middle[0] * mm, middle[1] * mm, radius * mm)

    def text(self, at: Point, text: str, size: float = 8, bold: bool = False) -> None:
        self.canvas.setFont("Paper-Bold" if bold else "Paper", size)
        self.canvas.drawString(at[0] * mm, at[1] * mm, text)


class ImagePen:
    def __init__(self, page: Image.Image) -> None:
        self.ink = ImageDraw.Draw(page)

    def _at(self, point: Point) -> tuple[int, int]:
        return round(point[0] * DPI / 25.4), round((HEIGHT - point[1]) * DPI / 25.4)

    def _width(self, width: float) -> int:
        return max(1, round(width * DPI / 25.4))

    def line(self, a: Point, b: Point, width: float = 0.25) -> None:
        self.ink.line((self._at(a), self._at(b)), fill=GREY, width=self._width(width))

    def box(self, low: Point, high: Point, width: float = 0.25) -> None:
        left, bottom = self._at(low)
        right, top = self._at(high)
        self.ink.rectangle((left, top, right, bottom), outline=GREY, width=self._width(width))

    def circle(self, middle: Point, radius: float, width: float = 0.25) -> None:
        left, bottom = self._at((middle[0] - radius, middle[1] - radius))
        right, top = self._at((middle[0] + radius, middle[1] + radius))
        self.ink.ellipse((left, top, right, bottom), outline=GREY, width=self._width(width))

    def text(self, at: Point, text: str, size: float = 8, bold: bool = False) -> None:
        pixels = round(size * DPI / 72)
        face = str(BOLD if bold else REGULAR)
        font = ImageFont.truetype(face, pixels, layout_engine=ImageFont.Layout.BASIC)
        left, base = self._at(at)
        self.ink.text((left, base - round(pixels * 0.93)), text, font=font, fill=GREY)


def scanned(draw: Draw, dice: Dice, askew: float = 0.4) -> Image.Image:
    """A sheet as an image: grey, a little askew, with specks."""
    size = round(WIDTH * DPI / 25.4), round(HEIGHT * DPI / 25.4)
    page = Image.new("L", size, 250)
    draw(ImagePen(page))
    turned = page.rotate(askew, Image.Resampling.BICUBIC, fillcolor=250)
    for _ in range(700):
        at = dice.below(size[0]), dice.below(size[1])
        turned.putpixel(at, dice.whole(70, 200))
    return turned


def write_sheets(path: Path, sheets: Sequence[Draw | Image.Image], title: str, author: str) -> None:
    """A pdf with a page for each sheet: drawn, or an image of it."""
    pdfmetrics.registerFont(TTFont("Paper", str(REGULAR)))
    pdfmetrics.registerFont(TTFont("Paper-Bold", str(BOLD)))
    path.parent.mkdir(parents=True, exist_ok=True)
    canvas = Canvas(str(path), pagesize=(WIDTH * mm, HEIGHT * mm), invariant=1)
    canvas.setTitle(title)
    canvas.setAuthor(author)
    for sheet in sheets:
        if isinstance(sheet, Image.Image):
            data = io.BytesIO()
            sheet.save(data, "PNG")
            data.seek(0)
            canvas.drawImage(ImageReader(data), 0, 0, WIDTH * mm, HEIGHT * mm)
        else:
            sheet(PdfPen(canvas))
        canvas.showPage()
    canvas.save()
