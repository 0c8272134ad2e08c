"""The grammar of locators: how checks, judges and people name a place in a file.

    LOCATOR := FILE | FILE#PLACE
    FILE    := a name relative to the handed-over folder; `input:NAME` for an input
    PLACE   := SHEET!A1 | SHEET!A1:C9 | sheet=NAME | name=NAME | chart=SHEET/2 | cf=SHEET/1
             | comment=SHEET!A1                                                        workbooks
             | para=4 | para=4-6 | table=2 | table=2/r3 | table=2/r3c1 | note=1 | header=1
             | footer=1 | box=1 | comment=2 | change=3 | chart=1                       documents
             | slide=2 | slide=2/shape=4 | slide=2/notes | slide=2/chart=1 | comment=1     decks
             | page=3 | page=3/table=1 | page=3/table=1/r2c1            pdf, and pages as drawn
             | line=12 | line=12-20 | row=7 | image                     plain files and pictures

Counts start at 1. In names `#`, `%` and line ends are written `%23`, `%25`, `%0A`, `%0D`. A sheet's
name may stand in single quotes, doubled inside; it must where it looks like another place.
"""

import re
from collections.abc import Callable
from typing import Literal

import msgspec

from bythebook.deliverables.evidence.formulas import COLUMNS, ROWS, address, column_number
from bythebook.errors import ContentError, suggestion

INPUT = "input:"
MOST_CELLS = 200
"""Of a range that is cited."""
MOST_SPAN = 200
"""Paragraphs or lines that are cited as one place."""
MOST_TEXT = 2000


class Cells(msgspec.Struct, frozen=True):
    """One cell, or a rectangle of them; both ends belong to it."""

    sheet: str
    top: int
    left: int
    bottom: int
    right: int


class Named(msgspec.Struct, frozen=True):
    """A sheet as such, or a defined name."""

    kind: Literal["sheet", "name"]
    name: str


class OnSheet(msgspec.Struct, frozen=True):
    """The n-th chart or conditional format of a sheet. A document's chart has no sheet."""

    kind: Literal["chart", "cf"]
    sheet: str
    number: int


class CellComment(msgspec.Struct, frozen=True):
    sheet: str
    row: int
    column: int


SpanKind = Literal["para", "line", "row", "note", "header", "footer", "box", "comment", "change"]


class Span(msgspec.Struct, frozen=True):
    """The n-th of a kind, or several one after the other."""

    kind: SpanKind
    first: int
    last: int


class Grid(msgspec.Struct, frozen=True):
    """A table of a document, or of a page; a row of it, or a cell of it."""

    table: int
    row: int = 0
    """0: all of it."""
    column: int = 0
    page: int = 0


class OnPage(msgspec.Struct, frozen=True):
    number: int


class OnSlide(msgspec.Struct, frozen=True):
    number: int
    part: Literal["", "shape", "notes", "chart"] = ""
    count: int = 0


class Whole(msgspec.Struct, frozen=True):
    """A picture."""


Place = Cells | Named | OnSheet | CellComment | Span | Grid | OnPage | OnSlide | Whole


class Locator(msgspec.Struct, frozen=True):
    file: str
    place: Place | None = None
    of_input: bool = False

    def __str__(self) -> str:
        """As it is written; parsing that gives the same locator again."""
        name = encoded(self.file)
        # A file may be named as inputs are: its colon is encoded then.
        if not self.of_input and name.startswith(INPUT):
            name = name.replace(":", "%3A", 1)
        name = f"{INPUT}{name}" if self.of_input else name
        return name if self.place is None else f"{name}#{written(self.place)}"


# --- writing -------------------------------------------------------------------------------------

ENCODED = str.maketrans({"%": "%25", "#": "%23", "\n": "%0A", "\r": "%0D", "\t": "%09"})
CODE = re.compile(r"%([0-9A-Fa-f]{2})")
BARE = re.compile(r"[\w&.-]+(?: [\w&.-]+)*")
"""Sheet names that need no quotes."""


BLANKS = " \t\r\n"
"""They may stand around a locator."""


def encoded(name: str) -> str:
    text = name.translate(ENCODED)
    inner = text.strip(" ")
    before = len(text) - len(text.lstrip(" "))
    return "%20" * before + inner + "%20" * (len(text) - len(inner) - before)


def decoded(text: str) -> str:
    """Codes beyond ASCII are nobody's: they stay as they stand."""
    return CODE.sub(lambda code: chr(n) if (n := int(code[1], 16)) < 128 else code[0], text)


def quoted(sheet: str) -> str:
    """A sheet's name as it is written before a cell."""
    name = encoded(sheet)
    return name if BARE.fullmatch(sheet) else "'" + name.replace("'", "''") + "'"


def cells_text(place: Cells) -> str:
    first = address(place.top, place.left)
    last = address(place.bottom, place.right)
    return first if first == last else f"{first}:{last}"


def written(place: Place) -> str:
    """A place as it stands after `#`."""
    match place:
        case Cells():
            return f"{quoted(place.sheet)}!{cells_text(place)}"
        case Named():
            name = quoted(place.name) if place.kind == "sheet" else encoded(place.name)
            return f"{place.kind}={name}"
        case OnSheet():
            sheet = f"{quoted(place.sheet)}/" if place.sheet else ""
            return f"{place.kind}={sheet}{place.number}"
        case CellComment():
            return f"comment={quoted(place.sheet)}!{address(place.row, place.column)}"
        case Span():
            more = f"-{place.last}" if place.last != place.first else ""
            return f"{place.kind}={place.first}{more}"
        case _:
            return _written_page(place)


def _written_page(place: Grid | OnPage | OnSlide | Whole) -> str:
    match place:
        case Grid():
            page = f"page={place.page}/" if place.page else ""
            row = f"/r{place.row}" if place.row else ""
            return f"{page}table={place.table}{row}{f'c{place.column}' if place.column else ''}"
        case OnPage():
            return f"page={place.number}"
        case OnSlide():
            count = f"={place.count}" if place.count else ""
            return f"slide={place.number}{f'/{place.part}' if place.part else ''}{count}"
        case Whole():
            return "image"


# --- reading -------------------------------------------------------------------------------------

COUNT = r"([1-9][0-9]{0,6})"
CELL = r"\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})"
CELLS = re.compile(rf"(?:'((?:[^']|'')+)'|([^'].*?))!{CELL}(?::{CELL})?", re.S)
KEYED = re.compile(r"([a-z]+)=(.*)", re.S)
SPAN = re.compile(rf"{COUNT}(?:-{COUNT})?")
SHEET_COUNT = re.compile(rf"(.+)/{COUNT}", re.S)
GRID = re.compile(rf"{COUNT}(?:/r{COUNT}(?:c{COUNT})?)?")
PAGE = re.compile(rf"{COUNT}(?:/table=(.+))?")
SLIDE = re.compile(rf"{COUNT}(?:/(notes)|/(shape|chart)={COUNT})?")


def parse(text: str, *, most_cells: int = MOST_CELLS) -> Locator:
    """Raises ContentError saying what is wrong and what is near."""
    if len(text) > MOST_TEXT:
        raise ContentError(f"it is over {MOST_TEXT} letters long", where=text[:200])
    name, sign, place = text.strip(BLANKS).partition("#")
    if not name or name == INPUT:
        raise ContentError("a locator begins with the name of a file", where=text[:200])
    return Locator(
        decoded(name.removeprefix(INPUT)),
        parse_place(place, most_cells=most_cells, where=text[:200]) if sign else None,
        of_input=name.startswith(INPUT),
    )


def parse_place(text: str, *, most_cells: int = MOST_CELLS, where: str = "") -> Place:
    """What stands after `#`. Raises ContentError."""
    where = where or text[:200]
    keyed = KEYED.fullmatch(text)
    if keyed is not None and keyed[1] in KINDS:
        place = KINDS[keyed[1]](keyed[1], keyed[2])
        if place is None:
            raise ContentError(f"{text[:80]!r} is no place", where=where, hint=SHAPES[keyed[1]])
        return _near(place, where)
    if text == "image":
        return Whole()
    cells = _cells(text)
    if cells is None:
        hint = suggestion(keyed[1] if keyed else text, [*KINDS, "image", "SHEET!A1"])
        raise ContentError(f"{text[:80]!r} is no place", where=where, hint=hint)
    count = (cells.bottom - cells.top + 1) * (cells.right - cells.left + 1)
    if count > most_cells:
        raise ContentError(f"{count} cells are too many: at most {most_cells}", where=where)
    return cells


def _near(place: Place, where: str) -> Place:
    """Spans of at most so many."""
    if isinstance(place, Span) and not 0 <= place.last - place.first < MOST_SPAN:
        words = "it ends before it begins" if place.last < place.first else "it is too long"
        raise ContentError(words, where=where, hint=f"at most {MOST_SPAN} at once")
    return place


def _sheet(text: str) -> str:
    """A sheet's name, with or without quotes."""
    if len(text) > 2 and text[0] == text[-1] == "'":
        text = text[1:-1].replace("''", "'")
    return decoded(text)


def _cells(text: str) -> Cells | None:
    found = CELLS.fullmatch(text)
    if found is None:
        return None
    sheet = _sheet(f"'{found[1]}'" if found[1] is not None else found[2])
    left, top = column_number(found[3]), int(found[4])
    right, bottom = (column_number(found[5]), int(found[6])) if found[5] else (left, top)
    if max(left, right) > COLUMNS or max(top, bottom) > ROWS:
        return None
    return Cells(sheet, min(top, bottom), min(left, right), max(top, bottom), max(left, right))


def _named(kind: str, text: str) -> Place | None:
    if not text:
        return None
    return Named("sheet", _sheet(text)) if kind == "sheet" else Named("name", decoded(text))


def _on_sheet(kind: str, text: str) -> Place | None:
    which: Literal["chart", "cf"] = "chart" if kind == "chart" else "cf"
    found = SHEET_COUNT.fullmatch(text)
    if found is not None:
        return OnSheet(which, _sheet(found[1]), int(found[2]))
    single = SPAN.fullmatch(text)
    if which == "chart" and single is not None and single[2] is None:
        return OnSheet(which, "", int(single[1]))
    return None


def _comment(kind: str, text: str) -> Place | None:
    cell = _cells(text)
    if cell is None:
        return _span(kind, text)
    one = (cell.top, cell.left) == (cell.bottom, cell.right)
    return CellComment(cell.sheet, cell.top, cell.left) if one else None


def _span(kind: str, text: str) -> Place | None:
    found = SPAN.fullmatch(text)
    if found is None:
        return None
    which: SpanKind = next(one for one in SPANS if one == kind)
    return Span(which, int(found[1]), int(found[2] or found[1]))


def _grid(kind: str, text: str, page: int = 0) -> Place | None:
    found = GRID.fullmatch(text)
    if found is None:
        return None
    return Grid(int(found[1]), int(found[2] or 0), int(found[3] or 0), page)


def _page(kind: str, text: str) -> Place | None:
    found = PAGE.fullmatch(text)
    if found is None:
        return None
    return _grid(kind, found[2], int(found[1])) if found[2] else OnPage(int(found[1]))


def _slide(kind: str, text: str) -> Place | None:
    found = SLIDE.fullmatch(text)
    if found is None:
        return None
    part: Literal["", "shape", "notes", "chart"] = ""
    if found[2]:
        part = "notes"
    elif found[3]:
        part = "shape" if found[3] == "shape" else "chart"
    return OnSlide(int(found[1]), part, int(found[4] or 0))


SPANS: tuple[SpanKind, ...] = (
    "para", "line", "row", "note", "header", "footer", "box", "comment", "change",
)  # fmt: skip
Reading = Callable[[str, str], Place | None]
KINDS: dict[str, Reading] = {
    **{str(kind): _span for kind in SPANS},
    "sheet": _named,
    "name": _named,
    "chart": _on_sheet,
    "cf": _on_sheet,
    "comment": _comment,
    "table": _grid,
    "page": _page,
    "slide": _slide,
}
SHAPES = {
    **{str(kind): f"{kind}=4 or {kind}=4-6" for kind in SPANS},
    "sheet": "sheet=NAME",
    "name": "name=NAME",
    "chart": "chart=SHEET/1, in a document chart=1",
    "cf": "cf=SHEET/1",
    "comment": "comment=SHEET!A1, or comment=2 in documents and decks",
    "table": "table=2, table=2/r3 or table=2/r3c1",
    "page": "page=3 or page=3/table=1/r2c1",
    "slide": "slide=2, slide=2/shape=4, slide=2/notes or slide=2/chart=1",
}
"""How places of a kind are written."""
