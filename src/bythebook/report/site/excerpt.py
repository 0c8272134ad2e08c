"""What stands around a place in a handed-over file: the evidence that a locator opens."""

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from bythebook.deliverables.evidence.formulas import address, column_letters
from bythebook.deliverables.evidence.locate import text_of
from bythebook.deliverables.evidence.locators import (
    CellComment,
    Cells,
    Grid,
    Locator,
    OnPage,
    Place,
    Span,
    parse,
    written,
)
from bythebook.deliverables.evidence.model import Cell, Content, Sheet, Workbook
from bythebook.deliverables.evidence.readout import nothing, value_text
from bythebook.deliverables.evidence.standing import standing
from bythebook.deliverables.evidence.view import View
from bythebook.errors import ContentError, TraceError

AROUND_ROWS, AROUND_COLUMNS = 2, 3
MOST_ROWS, MOST_COLUMNS = 12, 8
MOST_LINES, LONGEST = 14, 300
"""Lines of one excerpt, and letters of one line or cell."""
MOST_OUTLINE, MOST_TEXT = 5_000, 5_000
"""Letters of a folder's outline and of one document's text."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a sheet; the first of `rows` may be the sheet's headings from further up."""

    sheet: str
    columns: tuple[str, ...]
    """Letters."""
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    """Number of the row, and its cells as they are shown."""
    marked: tuple[int, int, int, int]
    """The place itself: first row, first column of `columns`, last row, last column."""
    formulas: dict[str, str]
    """Of the place's cells, by address."""


class Excerpt(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One place, as much of it as helps to see what is meant."""

    at: str
    """The locator."""
    file: str = ""
    place: str = ""
    """What stands after `#`."""
    of_input: bool = False
    table: Table | None = None
    lines: tuple[tuple[str, bool], ...] = ()
    """Text, and whether it is the place itself."""
    says: str = ""
    """Why there is nothing to show."""


def excerpt(at: str, view: View | None) -> Excerpt:
    """Nothing that stands in a locator or a file breaks this: what cannot be shown is said."""
    try:
        locator = parse(at)
    except ContentError as error:
        return Excerpt(at=at, says=error.what)
    place = written(locator.place) if locator.place is not None else ""
    found = Excerpt(at=at, file=locator.file, place=place, of_input=locator.of_input)
    if locator.of_input:
        return replace(found, says="A place in the task's inputs.")
    if view is None:
        return replace(found, says="What was read of the files is not in this run's folder.")
    try:
        return _shown(found, locator, view)
    except (ContentError, TraceError) as error:
        return replace(found, says=error.what)


def _shown(found: Excerpt, locator: Locator, view: View) -> Excerpt:
    content = view.content(locator.file)
    if content is None:
        file = view.files.get(locator.file)
        says = (file.says or file.status) if file is not None else "There is no such file."
        return replace(found, says=says)
    place = locator.place
    if place is None:
        return replace(found, lines=tuple(_start(view, locator.file)))
    if isinstance(place, Cells | CellComment) and isinstance(content, Workbook):
        return replace(found, table=_table(content, place))
    if isinstance(place, OnPage) and isinstance(content, Workbook):
        return replace(found, says="A page as it is drawn.")
    return replace(found, lines=tuple(_around(content, place)))


def _start(view: View, name: str) -> Iterator[tuple[str, bool]]:
    for line in text_of(view, name, limit=1200).splitlines()[:MOST_LINES]:
        yield _cut(line), False


def _around(content: Content, place: Place) -> Iterator[tuple[str, bool]]:
    """The place itself, and of what is counted one by one its neighbours."""
    before, after = _neighbours(place)
    for near, marked in ((before, False), (place, True), (after, False)):
        if near is None:
            continue
        try:
            lines = standing(content, near, nothing).lines
        except ContentError:
            if marked:
                raise
            continue
        for line in lines[:MOST_LINES]:
            yield _cut(line), marked


def _neighbours(place: Place) -> tuple[Place | None, Place | None]:
    if isinstance(place, Span) and place.kind in ("para", "line", "row"):
        before = Span(place.kind, place.first - 1, place.first - 1) if place.first > 1 else None
        return before, Span(place.kind, place.last + 1, place.last + 1)
    if isinstance(place, Grid) and place.row:
        head = Grid(place.table, 1, 0, place.page) if place.row > 1 else None
        return head, Grid(place.table, place.row, 0, place.page) if place.column else None
    return None, None


# --- sheets -------------------------------------------------------------------------------------


def _table(book: Workbook, place: Cells | CellComment) -> Table:
    """Raises `ContentError` where there is no such sheet."""
    area = place if isinstance(place, Cells) else _single(place)
    sheet = next((one for one in book.sheets if one.name == area.sheet), None)
    if sheet is None:
        raise ContentError(f"There is no sheet {area.sheet!r}.")
    last_row = max((cell.row for cell in sheet.cells), default=area.bottom)
    last_column = max((cell.column for cell in sheet.cells), default=area.right)
    top = max(1, area.top - AROUND_ROWS)
    bottom = max(area.top, min(area.bottom + AROUND_ROWS, top + MOST_ROWS - 1, last_row))
    left = max(1, area.left - AROUND_COLUMNS)
    right = max(area.left, min(area.right + AROUND_COLUMNS, left + MOST_COLUMNS - 1, last_column))
    heading = _heading_row(sheet)
    numbers = [*([heading] if heading < top else []), *range(top, bottom + 1)]
    columns = range(left, right + 1)
    cells = {(cell.row, cell.column): cell for cell in sheet.cells}
    return Table(
        sheet=sheet.name,
        columns=tuple(map(column_letters, columns)),
        rows=tuple(
            (row, tuple(_told(cells.get((row, column))) for column in columns)) for row in numbers
        ),
        marked=(area.top, area.left - left, area.bottom, area.right - left),
        formulas={
            address(cell.row, cell.column): _cut(f"={cell.formula}")
            for cell in sheet.cells
            if cell.formula and _within(cell, area) and cell.row <= bottom
        },
    )


def _single(place: CellComment) -> Cells:
    return Cells(place.sheet, place.row, place.column, place.row, place.column)


def _heading_row(sheet: Sheet) -> int:
    """The first row that holds anything."""
    return min((cell.row for cell in sheet.cells), default=1)


def _told(cell: Cell | None) -> str:
    return "" if cell is None else _cut(cell.shown or value_text(cell.value))


def _within(cell: Cell, area: Cells) -> bool:
    return area.top <= cell.row <= area.bottom and area.left <= cell.column <= area.right


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."
