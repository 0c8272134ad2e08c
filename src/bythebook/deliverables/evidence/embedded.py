"""Pictures taken out of office files and PDFs, as files of their own."""

import posixpath
from io import BytesIO
from pathlib import Path

import msgspec
import pypdfium2
from pypdfium2 import raw

from bythebook.deliverables.evidence.package import Package
from bythebook.deliverables.evidence.reading import Unreadable

MEDIA = ("word/media/", "ppt/media/", "xl/media/")
SUFFIXES = (
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".bmp",
    ".tif",
    ".tiff",
    ".webp",
    ".svg",
    ".emf",
    ".wmf",
)
MOST = 200
"""Pictures of one file."""
MOST_BYTES = 100 * 2**20
"""Of all pictures of one file together."""
MOST_PIXELS = 40_000_000
MOST_PAGES = 300
MOST_OBJECTS = 20_000
"""Of one page, that are looked at."""
NESTED = 3


class Embedded(msgspec.Struct, frozen=True):
    """A picture that was taken out."""

    file: str
    """Its name in the folder of pictures."""
    source: str
    """Where it was: a part of the package, or `page 3`."""
    size: int
    """Bytes."""


class Taken(msgspec.Struct, frozen=True):
    pictures: tuple[Embedded, ...] = ()
    says: str = ""
    """Why some are missing."""


def take(path: Path, into: str) -> Taken:
    """Write the pictures of a file into a folder that is there. Raises Unreadable."""
    if path.suffix.lower() == ".pdf":
        return _from_pdf(path, Path(into))
    return _from_package(path, Path(into))


class _Shelf:
    """The folder, with what it may still hold."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.pictures: list[Embedded] = []
        self.says = ""
        self._left = MOST_BYTES

    @property
    def full(self) -> bool:
        return bool(self.says)

    def put(self, data: bytes, suffix: str, source: str) -> None:
        if len(self.pictures) >= MOST or len(data) > self._left:
            self.says = f"There are more pictures than {MOST}, or {MOST_BYTES >> 20} MiB of them."
            return
        self._left -= len(data)
        name = f"image_{len(self.pictures) + 1:04}{suffix}"
        (self._folder / name).write_bytes(data)
        self.pictures.append(Embedded(name, source, len(data)))

    def taken(self) -> Taken:
        return Taken(tuple(self.pictures), self.says)


def _from_package(path: Path, folder: Path) -> Taken:
    shelf = _Shelf(folder)
    with Package(path) as package:
        for name in sorted(package.names):
            suffix = posixpath.splitext(name)[1].lower()
            if shelf.full or not name.startswith(MEDIA) or suffix not in SUFFIXES:
                continue
            try:
                shelf.put(package.data(name), suffix, name)
            except Unreadable:
                # One broken picture says nothing of the others.
                continue
    return shelf.taken()


def _from_pdf(path: Path, folder: Path) -> Taken:
    shelf = _Shelf(folder)
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        raise Unreadable("corrupt", f"It does not open as a PDF: {error}.") from None
    with document:
        for index in range(min(len(document), MOST_PAGES)):
            if not shelf.full:
                _from_page(document, index, shelf)
    return shelf.taken()


def _from_page(document: pypdfium2.PdfDocument, index: int, shelf: _Shelf) -> None:
    try:
        page = document[index]
    except pypdfium2.PdfiumError:
        return
    try:
        for count, one in enumerate(page.get_objects(max_depth=NESTED)):
            if shelf.full or count >= MOST_OBJECTS:
                break
            if one.type == raw.FPDF_PAGEOBJ_IMAGE:
                _from_object(one, f"page {index + 1}", shelf)
    except pypdfium2.PdfiumError:
        return
    finally:
        page.close()


def _from_object(one: pypdfium2.PdfImage, source: str, shelf: _Shelf) -> None:
    width, height = one.get_px_size()
    if not 0 < width * height <= MOST_PIXELS:
        return
    try:
        bitmap = one.get_bitmap()
        shelf.put(_png(bitmap), ".png", source)
        bitmap.close()
    except (pypdfium2.PdfiumError, OSError, ValueError):
        # A picture of a kind that is not decoded; the page's image shows it.
        return


def _png(bitmap: pypdfium2.PdfBitmap) -> bytes:
    file = BytesIO()
    bitmap.to_pil().save(file, "PNG")
    return file.getvalue()
