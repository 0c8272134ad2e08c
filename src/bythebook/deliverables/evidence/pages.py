"""How a file looks: its pages as PNG images.

An office file becomes a PDF in the engine first, on which it is drawn like any PDF. A sheet is one
page of the PDF, cut into parts of readable size; hidden sheets and slides are left out.
"""

from pathlib import Path

import msgspec

from bythebook.deliverables.evidence import child
from bythebook.deliverables.evidence.model import (
    Content,
    Deck,
    Kind,
    PageImages,
    Sheet,
    Workbook,
)
from bythebook.deliverables.evidence.office import PDF, SHEETS_PDF, Engine, Failure
from bythebook.deliverables.evidence.reading import Unreadable

NEWER = "_xlfn."
"""Formulas of later programs than the file format's first call functions that begin so."""
FAR = 50_000_000
"""Cells of the rectangle that holds all of a sheet. The engine draws the empty ones too."""


class Drawing(msgspec.Struct, frozen=True, kw_only=True):
    """What of a PDF is drawn."""

    labels: tuple[str, ...] = ()
    """Of its pages, in order; an empty one is left out. None given: all, by number."""
    sheets: bool = False
    """Whether pages are sheets, to be cut into parts."""
    says: str = ""


def drawn(
    path: Path, kind: Kind, content: Content | None, engine: Engine | None, into: Path
) -> PageImages:
    """Draw a file into a folder; images are named relative to it."""
    if kind == "image":
        return _drawn_by("rendering:picture", path, into)
    if kind == "pdf":
        return _drawn_by("rendering:pages_of", path, into, Drawing())
    if kind not in ("xlsx", "docx", "pptx"):
        return PageImages(status="unavailable", says="A text has no pages.")
    if engine is None:
        return PageImages(status="unavailable", says="There is no LibreOffice here to draw it.")
    if isinstance(content, Workbook) and (far := _far(content)):
        return PageImages(status="failed", says=far, engine=engine.version)
    with engine.converted((path,), SHEETS_PDF if kind == "xlsx" else PDF) as (made,):
        if isinstance(made, Failure):
            return PageImages(status=made.status, says=made.says, engine=engine.version)
        told = _drawn_by("rendering:pages_of", made, into, content)
    return msgspec.structs.replace(told, engine=engine.version)


def _drawn_by(
    call: str, path: Path, into: Path, what: Drawing | Content | None = None
) -> PageImages:
    drawing = what if isinstance(what, Drawing) else _plan(what)
    into.mkdir(parents=True, exist_ok=True)
    try:
        return child.run(
            call, path, into, msgspec.json.encode(drawing).decode(), returns=PageImages
        )
    except Unreadable as error:
        return PageImages(
            status="timeout" if error.status == "timeout" else "failed", says=error.says
        )


def _plan(content: Content | None) -> Drawing:
    if isinstance(content, Workbook):
        labels = tuple(
            f"sheet {sheet.name}" if sheet.state == "visible" else "" for sheet in content.sheets
        )
        hidden = sum(not label for label in labels)
        says = [f"{hidden} hidden sheets are left out."] if hidden else []
        if any(NEWER in cell.formula for sheet in content.sheets for cell in sheet.cells):
            says.append(
                "Newer functions may be drawn as #NAME?; the cells hold what was handed in."
            )
        return Drawing(labels=labels, sheets=True, says=" ".join(says))
    if isinstance(content, Deck):
        # The engine leaves hidden slides out by itself.
        labels = tuple(f"slide {slide.number}" for slide in content.slides if not slide.hidden)
        hidden = len(content.slides) - len(labels)
        return Drawing(labels=labels, says=f"{hidden} hidden slides are left out." * bool(hidden))
    return Drawing()


def _far(book: Workbook) -> str:
    for sheet in book.sheets:
        bottom, right = _extent(sheet)
        if bottom * right > FAR:
            return f"The cells of {sheet.name!r} lie too far apart to be drawn."
    return ""


def _extent(sheet: Sheet) -> tuple[int, int]:
    bottom = max((cell.row for cell in sheet.cells), default=0)
    return bottom, max((cell.column for cell in sheet.cells), default=0)
