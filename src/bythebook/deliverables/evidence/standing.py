"""What stands at a place of a file, or why there is no such place."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import msgspec

from bythebook.deliverables.evidence.formulas import address, area_of
from bythebook.deliverables.evidence.locators import (
    CellComment,
    Cells,
    Grid,
    Named,
    OnPage,
    OnSheet,
    OnSlide,
    Place,
    Span,
    SpanKind,
    Whole,
    quoted,
    written,
)
from bythebook.deliverables.evidence.model import (
    Cell,
    Chart,
    Comment,
    Content,
    Deck,
    Document,
    Paragraph,
    Pdf,
    Picture,
    Shape,
    Sheet,
    Slide,
    Table,
    Text,
    Workbook,
)
from bythebook.deliverables.evidence.quoting import ways_to_read
from bythebook.deliverables.evidence.readout import (
    CellLines,
    Values,
    block_lines,
    chart_line,
    comment_line,
    inline,
    joined,
    nothing,
    page_lines,
    picture_line,
    sheet_line,
    sheet_lines,
    slide_lines,
    table_lines,
    value_text,
)
from bythebook.errors import ContentError, unknown

T = TypeVar("T")
DRAWN = {"picture", "chart"}
MOST_NAMED = 200
"""Cells of a defined name whose values are told."""


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """What stands at a place."""

    text: str = ""
    """In plain words; empty where there are none."""
    lines: tuple[str, ...] = ()
    """For a reader, with the places of its parts."""
    readings: tuple[str, ...] = ()
    """The ways in which the place may be quoted."""
    drawn: bool = False
    """A picture tells what words do not: only that it is there can be looked up."""
    pieces: bool = False
    """It has cells, so that a quotation may take some of them."""


def standing(content: Content, place: Place, recalculated: Callable[[], Values]) -> Standing:
    """Raises ContentError where there is no such place."""
    match content:
        case Workbook():
            found = _in_book(content, place, recalculated)
        case Document():
            found = _in_document(content, place)
        case Deck():
            found = _in_deck(content, place)
        case Pdf():
            found = _in_pdf(content, place)
        case Text():
            found = _in_text(content, place)
        case Picture():
            found = _in_picture(content, place)
    if found is None:
        kind = type(content).__name__.lower()
        raise ContentError(f"{written(place)} is no place in a {KINDS[kind]}")
    return found


KINDS = {
    "workbook": "workbook",
    "document": "document",
    "deck": "deck",
    "pdf": "pdf",
    "text": "plain file",
    "picture": "picture",
}


def nth(things: Sequence[T], number: int, what: str) -> T:
    if not 1 <= number <= len(things):
        has = f"there are {len(things)}" if things else "there are none"
        raise ContentError(f"no {what} {number}: {has}")
    return things[number - 1]


def _plain(text: str, *lines: str) -> Standing:
    """A text that may be quoted with its marks or without."""
    return Standing(text=text, lines=lines or (text,), readings=ways_to_read(text))


# --- workbooks -----------------------------------------------------------------------------------


def _in_book(book: Workbook, place: Place, recalculated: Callable[[], Values]) -> Standing | None:
    match place:
        case Cells():
            return cells_at(_sheet(book, place.sheet), place, recalculated)
        case Named(kind="sheet"):
            sheet = _sheet(book, place.name)
            line = sheet_line(sheet)
            lines = tuple(sheet_lines(sheet, recalculated))
            return Standing(text=line, lines=lines, readings=(line,), pieces=True)
        case Named():
            return _name(book, place.name)
        case OnSheet(kind="chart", sheet=str(name)) if name:
            return _chart(place, nth(_sheet(book, name).charts, place.number, "chart"))
        case OnSheet(kind="cf"):
            sheet = _sheet(book, place.sheet)
            one = nth(sheet.formats, place.number, "conditional format")
            return _plain(joined([one.range, one.type, *one.formulas]))
        case CellComment():
            return _cell_comment(_sheet(book, place.sheet), address(place.row, place.column))
    return None


def _sheet(book: Workbook, name: str) -> Sheet:
    for sheet in book.sheets:
        if sheet.name == name:
            return sheet
    raise unknown("sheet", name, [sheet.name for sheet in book.sheets])


def _inside(sheet: Sheet, area: Cells) -> list[Cell]:
    return [
        cell
        for cell in sheet.cells
        if area.top <= cell.row <= area.bottom and area.left <= cell.column <= area.right
    ]


def cells_at(sheet: Sheet, area: Cells, recalculated: Callable[[], Values] = nothing) -> Standing:
    """Cells may be quoted as shown, by their values, by their formulas, or as rows of these."""
    cells = _inside(sheet, area)
    lines = CellLines(sheet, recalculated)
    shown = [cell.shown or value_text(cell.value) for cell in cells]
    values = [value_text(cell.value) for cell in cells]
    formulas = [f"={cell.formula}" if cell.formula else "" for cell in cells]
    fresh: list[str] = []
    if any(formulas):
        anew = recalculated().get(sheet.name, {})
        fresh = [value_text(anew.get(address(cell.row, cell.column))) for cell in cells]
    readings = [" | ".join(filter(None, way)) for way in (shown, values, formulas, fresh)]
    return Standing(
        text="\n".join(_rows(cells, shown)),
        lines=tuple(map(lines.line, cells)),
        readings=tuple(dict.fromkeys([*readings, *map(lines.line, cells)])),
        pieces=True,
    )


def _rows(cells: Iterable[Cell], texts: Iterable[str]) -> Iterator[str]:
    """The texts of cells, a line for each row."""
    rows: dict[int, list[str]] = {}
    for cell, text in zip(cells, texts, strict=True):
        rows.setdefault(cell.row, []).append(text)
    return (" | ".join(row) for row in rows.values())


def _name(book: Workbook, name: str) -> Standing:
    names = book.names | book.local_names
    if name not in names:
        raise unknown("defined name", name, names)
    target = names[name]
    values = _named_values(book, target)
    text = f"{target} | {values}" if values else target
    return Standing(text=text, lines=(text,), readings=(text, f"={target}"), pieces=True)


def _named_values(book: Workbook, target: str) -> str:
    area = area_of(target)
    sheets = [sheet for sheet in book.sheets if area is not None and sheet.name == area.sheet]
    if area is None or not sheets:
        return ""
    cells = _inside(sheets[0], Cells(area.sheet, area.top, area.left, area.bottom, area.right))
    return " | ".join(cell.shown or value_text(cell.value) for cell in cells[:MOST_NAMED])


def _chart(place: Place, chart: Chart) -> Standing:
    line = chart_line(written(place), chart)
    return Standing(text=line, lines=(line,), readings=(line,), pieces=True)


def _cell_comment(sheet: Sheet, cell: str) -> Standing:
    texts = [comment.text for comment in sheet.comments if comment.at == cell]
    if not texts:
        raise ContentError(f"no comment at {quoted(sheet.name)}!{cell}")
    return _plain("\n".join(texts))


# --- documents -----------------------------------------------------------------------------------


def _in_document(document: Document, place: Place) -> Standing | None:
    match place:
        case Span(kind="para"):
            return _paragraphs(document, place)
        case Span():
            texts = _spanned(document, place.kind)
            return _span(place, texts) if texts is not None else None
        case Grid(page=0):
            tables = [one for one in document.blocks if isinstance(one, Table)]
            table = nth(tables, place.table, "table")
            return _grid(place, table.rows, tuple(block_lines(table)))
        case OnSheet(kind="chart", sheet=""):
            return _chart(place, nth(document.charts, place.number, "chart"))
    return None


def _paragraphs(document: Document, place: Span) -> Standing:
    every = [one for one in document.blocks if isinstance(one, Paragraph)]
    nth(every, place.last, "paragraph")
    found = every[place.first - 1 : place.last]
    text = "\n".join(one.text for one in found)
    labelled = "\n".join(f"{one.label} {one.text}" for one in found)
    lines = tuple(line for one in found for line in block_lines(one))
    readings = (*ways_to_read(text), *ways_to_read(labelled))
    drawn = bool(text) and not any(way.strip() for way in ways_to_read(text)[1:] or (text,))
    return Standing(text=text, lines=lines, readings=readings, drawn=drawn)


def _spanned(document: Document, kind: SpanKind) -> Sequence[str] | None:
    """The texts that are counted under a kind."""
    comments = [comment.text for comment in document.comments]
    texts: dict[SpanKind, Sequence[str]] = {
        "note": document.notes,
        "header": document.headers,
        "footer": document.footers,
        "box": document.text_boxes,
        "comment": comments,
        "change": [change.text for change in document.changes],
    }
    return texts.get(kind)


def _span(place: Span, texts: Sequence[str]) -> Standing:
    nth(texts, place.last, place.kind)
    found = texts[place.first - 1 : place.last]
    lines = [f"{place.kind}={n} | {inline(text)}" for n, text in enumerate(found, place.first)]
    return _plain("\n".join(found), *lines)


def _grid(place: Grid, rows: Sequence[tuple[str, ...]], lines: tuple[str, ...]) -> Standing:
    if place.row:
        row = nth(rows, place.row, "row")
        cells = (nth(row, place.column, "column"),) if place.column else row
        line = written(place) + f" | {joined(cells)}"
        return Standing(
            text=" | ".join(cells),
            lines=(line,),
            readings=ways_to_read(" | ".join(cells)),
            pieces=True,
        )
    text = "\n".join(" | ".join(row) for row in rows)
    return Standing(text=text, lines=lines, readings=ways_to_read(text), pieces=True)


# --- decks, pages, plain files -------------------------------------------------------------------


def _in_deck(deck: Deck, place: Place) -> Standing | None:
    match place:
        case Span(kind="comment"):
            comments: Sequence[Comment] = deck.comments
            nth(comments, place.last, "comment")
            lines = [comment_line(n, one) for n, one in enumerate(comments, 1)]
            texts = [one.text for one in comments]
            span = slice(place.first - 1, place.last)
            return _plain("\n".join(texts[span]), *lines[span])
        case OnSlide():
            return _on_slide(nth(deck.slides, place.number, "slide"), place)
    return None


def _on_slide(slide: Slide, place: OnSlide) -> Standing:
    if place.part == "notes":
        return _plain(slide.notes, f"{written(place)} | {inline(slide.notes)}")
    if place.part == "chart":
        charts = [one.chart for one in slide.shapes if one.chart is not None]
        return _chart(place, nth(charts, place.count, "chart"))
    shapes = slide.shapes
    if place.part == "shape":
        shapes = (nth(slide.shapes, place.count, "shape"),)
    rows = [row for shape in shapes for row in shape.rows]
    texts = [shape.text for shape in shapes if shape.text]
    charts = [shape.chart for shape in shapes if shape.chart is not None]
    told = [chart_line("chart", chart) for chart in charts]
    text = "\n".join([*texts, *(" | ".join(row) for row in rows), *told])
    only = msgspec.structs.replace(slide, shapes=shapes, notes="" if place.part else slide.notes)
    return Standing(
        text=text,
        lines=tuple(slide_lines(only)),
        readings=ways_to_read(f"{text}\n{only.notes}"),
        drawn=_is_drawn(shapes, text, alone=bool(place.part)),
        pieces=True,
    )


def _is_drawn(shapes: Sequence[Shape], text: str, *, alone: bool) -> bool:
    """Whether only a picture tells: an alternative text does not say what is on one."""
    kinds = {shape.kind for shape in shapes}
    return (alone and kinds == {"picture"}) or (not text.strip() and bool(kinds & DRAWN))


def _in_pdf(pdf: Pdf, place: Place) -> Standing | None:
    match place:
        case OnPage():
            page = nth(pdf.pages, place.number, "page")
            lines = tuple(page_lines(page))
            if not page.text.strip():
                return Standing(lines=lines, drawn=True)
            return Standing(text=page.text, lines=lines, readings=(page.text,), pieces=True)
        case Grid(page=int(number)) if number:
            tables = nth(pdf.pages, number, "page").tables
            rows = nth(tables, place.table, f"table on page {number}, table")
            lines = tuple(table_lines(f"page={number}/table={place.table}", rows))
            return _grid(place, rows, lines)
    return None


def _in_text(text: Text, place: Place) -> Standing | None:
    match place:
        case Span(kind="line"):
            return _span(place, text.lines)
        case Span(kind="row"):
            found = _span(place, [" | ".join(row) for row in text.rows])
            return msgspec.structs.replace(found, pieces=True)
    return None


def _in_picture(picture: Picture, place: Place) -> Standing | None:
    if isinstance(place, Whole):
        return Standing(lines=(picture_line(picture),), drawn=True)
    return None
