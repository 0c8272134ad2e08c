"""A page as a scanner leaves it: an image without a text layer, a little askew, with specks.

The font is shipped under authoring/fonts, so that a page does not depend on the machine.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from PIL import Image, ImageDraw, ImageFont

from authoring.parts.dice import Dice

FONTS = Path(__file__).resolve().parents[1] / "fonts"
REGULAR, BOLD = FONTS / "DejaVuSans.ttf", FONTS / "DejaVuSans-Bold.ttf"


class Scanner(msgspec.Struct, frozen=True):
    """How a page comes out."""

    dpi: int = 130
    points: float = 10.5
    """Size of the type."""
    askew: float = 0.6
    """Degrees, counterclockwise."""
    specks: int = 900
    margin: float = 0.9
    """Inches."""


def scan_page(
    lines: Sequence[str], dice: Dice, scanner: Scanner | None = None, stamp: str = ""
) -> Image.Image:
    """An A4 page in grey. Lines are printed as they come (wrap them before); a line that begins
    with `# ` is bold and larger, an empty one is half a line of space. `stamp` is printed in a
    frame below the text, turned a little."""
    how = scanner or Scanner()
    page = Image.new("L", (round(8.27 * how.dpi), round(11.69 * how.dpi)), 252)
    ink = ImageDraw.Draw(page)
    size = how.points * how.dpi / 72
    left = top = round(how.margin * how.dpi)
    for line in lines:
        heading = line.startswith("# ")
        font = _font(BOLD if heading else REGULAR, size * (1.25 if heading else 1))
        ink.text((left, top), line.removeprefix("# "), font=font, fill=28)
        top += round(size * (0.7 if not line else 1.9 if heading else 1.45))
    if stamp:
        _stamp(page, stamp, (left, top + round(size)), size)
    turned = page.rotate(how.askew, Image.Resampling.BICUBIC, fillcolor=252)
    _speckle(turned, dice, how.specks)
    return turned


def _font(path: Path, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, round(size), layout_engine=ImageFont.Layout.BASIC)


def _stamp(page: Image.Image, text: str, at: tuple[int, int], size: float) -> None:
    font = _font(BOLD, size * 1.2)
    width, height = (round(side) for side in font.getbbox(text)[2:])
    pad = round(size * 0.6)
    seal = Image.new("L", (width + 2 * pad, height + 2 * pad), 252)
    ink = ImageDraw.Draw(seal)
    ink.rectangle((1, 1, seal.width - 2, seal.height - 2), outline=110, width=3)
    ink.text((pad, pad), text, font=font, fill=110)
    page.paste(seal.rotate(3, Image.Resampling.BICUBIC, expand=True, fillcolor=252), at)


def _speckle(page: Image.Image, dice: Dice, specks: int) -> None:
    for _ in range(specks):
        x, y = dice.below(page.width), dice.below(page.height)
        page.putpixel((x, y), dice.whole(60, 200))


def write_image(path: Path, page: Image.Image) -> None:
    """As png or, by the suffix, jpg."""
    path.parent.mkdir(parents=True, exist_ok=True)
    page.save(path, dpi=(130, 130))
