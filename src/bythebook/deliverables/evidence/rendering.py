"""PDF and image files drawn as PNG. Runs in a child; `pages` asks for it."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pypdfium2
from PIL import Image

from bythebook.deliverables.evidence.model import PageImage, PageImages
from bythebook.deliverables.evidence.pages import Drawing
from bythebook.deliverables.evidence.reading import Unreadable

DPI = 110
MOST_PAGES = 60
MOST_PIXELS = 6_000_000
"""Of one image."""
PART = (1400.0, 1100.0)
"""Points, width and height, of a part of a sheet; a page is never cut."""
MOST_PARTS = 4
"""Of one sheet."""
SHRUNK = 14_000.0
"""Points. A PDF page cannot be longer than 14,400: what was drawn so long was made smaller."""


class _Part(msgspec.Struct, frozen=True):
    """A rectangle of a page, in points from its upper left corner."""

    page: int
    label: str
    left: float
    top: float
    width: float
    height: float


def pages_of(path: Path, into: str, told: str) -> PageImages:
    """Draw a PDF."""
    drawing = msgspec.json.decode(told, type=Drawing)
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        raise Unreadable("corrupt", f"It cannot be drawn: {error}") from None
    document.init_forms()
    says = [drawing.says] if drawing.says else []
    labels = drawing.labels
    if labels and len(labels) != len(document):
        says.append("Its pages are not as many as its sheets or slides: they go by number.")
        labels = ()
    images: list[PageImage] = []
    for part in _parts(document, labels, says, cut=drawing.sheets):
        if len(images) == MOST_PAGES:
            says.append(f"Only the first {MOST_PAGES} images are drawn.")
            break
        images.append(_draw(document, part, Path(into), len(images) + 1))
    return PageImages(status="ok", says=" ".join(says), images=tuple(images))


def _parts(
    document: pypdfium2.PdfDocument, labels: tuple[str, ...], says: list[str], *, cut: bool
) -> Iterator[_Part]:
    for number in range(len(document)):
        label = labels[number] if labels else f"page {number + 1}"
        width, height = document[number].get_size()
        # An empty sheet is a page of no height.
        if not label or width < 1 or height < 1:
            continue
        if not cut:
            yield _Part(number, label, 0, 0, width, height)
            continue
        if max(width, height) > SHRUNK:
            says.append(f"{label} is too long to be drawn in its size.")
        yield from _tiles(number, label, width, height, says)


def _tiles(
    number: int, label: str, width: float, height: float, says: list[str]
) -> Iterator[_Part]:
    across = max(1, -int(-width // PART[0]))
    down = max(1, -int(-height // PART[1]))
    count = across * down
    if count > MOST_PARTS:
        says.append(f"{label}: {MOST_PARTS} of {count} parts are drawn.")
    places = [(row, column) for row in range(down) for column in range(across)]
    for at, (row, column) in enumerate(places[:MOST_PARTS], 1):
        left, top = column * PART[0], row * PART[1]
        name = label if count == 1 else f"{label}, part {at} of {count}"
        yield _Part(number, name, left, top, min(PART[0], width - left), min(PART[1], height - top))


def _draw(document: pypdfium2.PdfDocument, part: _Part, into: Path, number: int) -> PageImage:
    page = document[part.page]
    width, height = page.get_size()
    scale = min(DPI / 72, (MOST_PIXELS / (part.width * part.height)) ** 0.5)
    right, bottom = width - part.left - part.width, height - part.top - part.height
    crop = (part.left, max(0.0, bottom), max(0.0, right), part.top)
    picture = page.render(scale=scale, crop=crop).to_pil()
    name = f"page_{number:04}.png"
    picture.save(into / name)
    return PageImage(name, part.label, picture.width, picture.height)


def picture(path: Path, into: str, told: str) -> PageImages:
    """An image file as one page, made smaller where it is too large."""
    with Image.open(path) as image:
        says = ""
        frames = getattr(image, "n_frames", 1)
        if frames > 1:
            says = f"The first of {frames} frames."
        pixels = image.width * image.height
        if pixels > 20 * MOST_PIXELS:
            raise Unreadable("too_big", f"It has {pixels:,} pixels.")
        shown = image.convert("RGB")
        if pixels > MOST_PIXELS:
            factor = (MOST_PIXELS / pixels) ** 0.5
            shown = shown.resize((int(shown.width * factor), int(shown.height * factor)))
        shown.save(Path(into) / "page_0001.png")
    size = PageImage("page_0001.png", "the image", shown.width, shown.height)
    return PageImages(status="ok", says=says, images=(size,))
