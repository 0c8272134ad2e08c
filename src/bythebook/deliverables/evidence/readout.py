"""What stands in a file, as lines for a careful reader: each begins with its place's locator.

Payroll!E2 | =C2+D2 | stored 10147.5 | recalculated 10147.5 | format #,##0.00 | shown 10,147.50
para=4 [heading 1] Summary
table=2/r3 | Ops | 1,204
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from bythebook.deliverables.evidence.formulas import address, column_letters
from bythebook.deliverables.evidence.locators import Named, OnSheet, encoded, quoted, written
from bythebook.deliverables.evidence.model import (
    Cell,
    Chart,
    Comment,
    Content,
    Deck,
    Document,
    Page,
    Paragraph,
    Pdf,
    Picture,
    Scalar,
    Shape,
    Sheet,
    Slide,
    Table,
    Text,
    Workbook,
)

Values = Mapping[str, Mapping[str, Scalar]]
"""Sheet, then address, to a recalculated value."""
MOST_POINTS = 60
"""Values of a series that are written out."""
CLOSE = 1e-9
"""Recalculated values that differ by less, relatively, are the same."""


def nothing() -> Values:
    """For readers that do not ask what recalculation gives."""
    return {}


def value_text(value: Scalar) -> str:
    """As a spreadsheet shows a value without a format."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return format(value, ".15g")
    return str(value)


def inline(text: str) -> str:
    """A text of several lines below its first."""
    return text.replace("\n", "\n    ")


def counted(count: int, thing: str) -> str:
    """`1 chart`, `3 text boxes`."""
    many = "es" if thing.endswith("x") else "s"
    return f"{count} {thing}{'' if count == 1 else many}"


def joined(cells: Iterable[str]) -> str:
    return " | ".join(inline(cell) for cell in cells)


# --- workbooks -----------------------------------------------------------------------------------


def differs(stored: Scalar, fresh: Scalar) -> bool:
    """Whether a stored value is another than the one recalculated."""
    numbers = (int, float)
    if isinstance(stored, numbers) and isinstance(fresh, numbers):
        return abs(stored - fresh) > CLOSE * max(1.0, abs(stored), abs(fresh))
    return value_text(stored) != value_text(fresh)


class CellLines:
    """Cells of one sheet as lines."""

    def __init__(self, sheet: Sheet, recalculated: Callable[[], Values] = nothing) -> None:
        self._name, self._recalculated = sheet.name, recalculated
        self._rows, self._columns = frozenset(sheet.hidden_rows), frozenset(sheet.hidden_columns)

    def line(self, cell: Cell) -> str:
        value = value_text(cell.value)
        parts = [f"{quoted(self._name)}!{address(cell.row, cell.column)}"]
        if cell.formula:
            parts += self._computed(cell, value)
        else:
            parts.append(inline(value))
            if cell.type == "text" and _numeric(value):
                parts.append("a number stored as text")
        if cell.format not in ("General", "@"):
            parts.append(f"format {cell.format}")
        if cell.shown not in ("", value):
            parts.append(f"shown {inline(cell.shown)}")
        if cell.row in self._rows or cell.column in self._columns:
            parts.append("hidden")
        return " | ".join(parts)

    def _computed(self, cell: Cell, value: str) -> Iterator[str]:
        yield f"={cell.formula}"
        yield f"stored {value}" if cell.type != "none" else "stored: none"
        fresh = self._recalculated().get(self._name, {})
        place = address(cell.row, cell.column)
        if place in fresh:
            stored = cell.type != "none"
            stale = " (differs)" if stored and differs(cell.value, fresh[place]) else ""
            yield f"recalculated {value_text(fresh[place])}{stale}"


def _numeric(text: str) -> bool:
    try:
        float(text.replace(",", ""))
    except ValueError:
        return False
    return True


def extent(sheet: Sheet) -> str:
    """The rectangle of filled cells."""
    if not sheet.cells:
        return "empty"
    rows, columns = [c.row for c in sheet.cells], [c.column for c in sheet.cells]
    return f"{address(min(rows), min(columns))}:{address(max(rows), max(columns))}"


def sheet_line(sheet: Sheet) -> str:
    """A sheet in one line: what it is, without its cells."""
    formulas = [cell for cell in sheet.cells if cell.formula]
    bare = sum(cell.type == "none" for cell in formulas)
    wrong = sum(cell.type == "error" for cell in sheet.cells)
    counts = [counted(len(sheet.cells), "cell"), counted(len(formulas), "formula")]
    counts += [f"{bare} of them without a stored value"] if bare else []
    counts += [counted(wrong, "error value")] if wrong else []
    parts = [written(Named("sheet", sheet.name)), sheet.state, extent(sheet), ", ".join(counts)]
    columns = tuple(column_letters(column) for column in sheet.hidden_columns)
    tables = tuple(f"{name} {area}" for name, area in sheet.tables.items())
    for label, several in (
        ("merged", sheet.merges),
        ("filter", sheet.filters),
        ("tables", tables),
        ("hidden rows", tuple(map(str, sheet.hidden_rows))),
        ("hidden columns", columns),
        ("pivots", sheet.pivots),
    ):
        if several:
            parts.append(f"{label} {_some(several)}")
    for label, single in (("freeze", sheet.freeze), ("print area", sheet.print_area)):
        if single:
            parts.append(f"{label} {single}")
    for label, count in (
        ("chart", len(sheet.charts)),
        ("picture", sheet.pictures),
        ("text box", len(sheet.boxes)),
        ("conditional format", len(sheet.formats)),
        ("validation", len(sheet.validations)),
        ("comment", len(sheet.comments)),
    ):
        if count:
            parts.append(counted(count, label))
    return " | ".join([*parts, sheet.cut] if sheet.cut else parts)


def _some(words: tuple[str, ...], most: int = 12) -> str:
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more


def sheet_lines(sheet: Sheet, recalculated: Callable[[], Values] = nothing) -> Iterator[str]:
    """The sheet, its cells row by row, and what lies on it."""
    yield sheet_line(sheet)
    yield from map(CellLines(sheet, recalculated).line, sheet.cells)
    for count, chart in enumerate(sheet.charts, 1):
        yield chart_line(written(OnSheet("chart", sheet.name, count)), chart)
    for count, one in enumerate(sheet.formats, 1):
        place = written(OnSheet("cf", sheet.name, count))
        yield joined([place, one.range, one.type, *one.formulas])
    for comment in sheet.comments:
        author = f" ({comment.author})" if comment.author else ""
        yield f"comment={quoted(sheet.name)}!{comment.at}{author} | {inline(comment.text)}"
    for box in sheet.boxes:
        shows = f" shows ={box.formula}" if box.formula else ""
        yield f"text box at {quoted(sheet.name)}!{box.at}{shows} | {inline(box.text)}"
    for rule in sheet.validations:
        yield f"validation on {quoted(sheet.name)} | {rule}"
    for place, target in sheet.links.items():
        yield f"link at {quoted(sheet.name)}!{place} | {target}"


def chart_line(place: str, chart: Chart) -> str:
    parts = [place, f"{chart.type} chart" + (f" at {chart.at}" if chart.at else "")]
    parts.append(f"title {chart.title!r}" if chart.title else "no title")
    for series in chart.series:
        by = f" by {series.categories_ref}: {_points(series.categories)}"
        parts.append(
            f"series {series.name!r} {series.values_ref}: {_points(series.values)}"
            f"{by if series.categories or series.categories_ref else ''}"
        )
    return " | ".join(parts)


def _points(values: tuple[Scalar, ...]) -> str:
    shown = ", ".join(value_text(value) or "(none)" for value in values[:MOST_POINTS]) or "(none)"
    return f"{shown}, ... ({len(values)} in all)" if len(values) > MOST_POINTS else shown


def workbook_lines(book: Workbook, recalculated: Callable[[], Values]) -> Iterator[str]:
    for name, target in [*book.names.items(), *book.local_names.items()]:
        yield f"name={encoded(name)} | {target}"
    for sheet in book.sheets:
        yield from sheet_lines(sheet, recalculated)


# --- documents -----------------------------------------------------------------------------------


def paragraph_line(one: Paragraph) -> str:
    kind = f"heading {one.level}" if one.level else one.list or one.style
    said = " ".join(filter(None, (one.label, inline(one.text))))
    page = " (page break)" if one.page_break else ""
    return f"para={one.number} [{kind}]{page} {said}"


def table_lines(place: str, rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for count, row in enumerate(rows, 1):
        yield f"{place}/r{count} | {joined(row)}"


def block_lines(block: Paragraph | Table) -> Iterator[str]:
    if isinstance(block, Paragraph):
        yield paragraph_line(block)
        return
    caption = f" | caption: {inline(block.caption)}" if block.caption else ""
    width = max(map(len, block.rows), default=0)
    yield f"table={block.number} | {len(block.rows)} rows, {width} columns{caption}"
    yield from table_lines(f"table={block.number}", block.rows)


def comment_line(count: int, one: Comment) -> str:
    author = f" by {one.author}" if one.author else ""
    return f"comment={count} | at {one.at or 'nothing'}{author} | {inline(one.text)}"


def document_lines(document: Document) -> Iterator[str]:
    for block in document.blocks:
        yield from block_lines(block)
    for kind, texts in (
        ("note", document.notes),
        ("header", document.headers),
        ("footer", document.footers),
        ("box", document.text_boxes),
    ):
        for count, text in enumerate(texts, 1):
            yield f"{kind}={count} | {inline(text)}"
    for count, comment in enumerate(document.comments, 1):
        yield comment_line(count, comment)
    for count, change in enumerate(document.changes, 1):
        place = f" in para={change.paragraph}" if change.paragraph else ""
        author = f" by {change.author}" if change.author else ""
        yield f"change={count} | {change.kind}{author}{place} | {inline(change.text)}"
    for count, chart in enumerate(document.charts, 1):
        yield chart_line(f"chart={count}", chart)


# --- decks, pages, plain files -------------------------------------------------------------------


def shape_lines(slide: Slide, shape: Shape) -> Iterator[str]:
    left, top, width, height = shape.box
    place = f"slide={slide.number}/shape={shape.number}"
    text = f" | {inline(shape.text)}" if shape.text else ""
    yield f"{place} | {shape.kind} at {left},{top}, {width} x {height}{text}"
    for row in shape.rows:
        yield f"    | {joined(row)}"
    if shape.chart is not None:
        yield chart_line("   ", shape.chart)


def slide_lines(slide: Slide) -> Iterator[str]:
    hidden = " | hidden" if slide.hidden else ""
    yield f"slide={slide.number}{hidden} | title: {slide.title or '(none)'}"
    for shape in slide.shapes:
        yield from shape_lines(slide, shape)
    if slide.notes:
        yield f"slide={slide.number}/notes | {inline(slide.notes)}"


def deck_lines(deck: Deck) -> Iterator[str]:
    yield from chain.from_iterable(map(slide_lines, deck.slides))
    for count, comment in enumerate(deck.comments, 1):
        yield comment_line(count, comment)


def page_lines(page: Page) -> Iterator[str]:
    width, height = page.size
    pictures = f", {counted(page.pictures, 'picture')}" if page.pictures else ""
    text = f"\n{page.text}" if page.text.strip() else " | no text: only its picture tells"
    yield f"page={page.number} | {width} x {height} pt{pictures}{text}"
    for count, rows in enumerate(page.tables, 1):
        yield from table_lines(f"page={page.number}/table={count}", rows)


def text_lines(text: Text) -> Iterator[str]:
    if text.problem:
        yield f"problem: {text.problem}"
    if text.rows:
        for count, row in enumerate(text.rows, 1):
            yield f"row={count} | {joined(row)}"
        return
    for count, line in enumerate(text.lines, 1):
        yield f"line={count} | {line}"


def picture_line(picture: Picture) -> str:
    frames = f", {picture.frames} frames" if picture.frames > 1 else ""
    blank = ", blank" if picture.blank else ""
    return f"image | {picture.format}, {picture.width} x {picture.height} pixels{frames}{blank}"


def content_lines(content: Content, recalculated: Callable[[], Values]) -> Iterator[str]:
    """All of a file, and what was seen in it and not read."""
    yield from _all_lines(content, recalculated)
    if not isinstance(content, Text | Picture):
        yield from (f"({warning})" for warning in content.warnings)


def _all_lines(content: Content, recalculated: Callable[[], Values]) -> Iterator[str]:
    match content:
        case Workbook():
            yield from workbook_lines(content, recalculated)
        case Document():
            yield from document_lines(content)
        case Deck():
            yield from deck_lines(content)
        case Pdf():
            yield from chain.from_iterable(map(page_lines, content.pages))
        case Text():
            yield from text_lines(content)
        case Picture():
            yield picture_line(content)
