"""What was handed over, file by file, short enough to be read whole."""

from collections.abc import Iterator
from itertools import islice
from typing import Protocol

from bythebook.deliverables.checks.answer import Evidence
from bythebook.deliverables.evidence.locators import OnSheet, encoded, written
from bythebook.deliverables.evidence.model import (
    Content,
    Deck,
    Document,
    FileEvidence,
    Index,
    Paragraph,
    Pdf,
    Picture,
    Slide,
    Table,
    Text,
    Workbook,
)
from bythebook.deliverables.evidence.readout import (
    chart_line,
    counted,
    paragraph_line,
    picture_line,
    sheet_line,
)

MOST = 60
"""Sheets, names, headings or slides that are listed."""
MOST_LINE = 300


class Handed(Evidence, Protocol):
    """The evidence of one folder with its index, such as `view.View`."""

    @property
    def index(self) -> Index: ...


def describe(view: Handed) -> str:
    """The outline of a folder: every file with its status, and what it is made of."""
    lines: list[str] = []
    for file in view.index.files:
        lines.append(_file_line(file))
        content = view.content(file.name)
        if content is not None:
            lines += [f"  {' '.join(line.split())}" for line in _lines(content)]
    lines += [f"{one.name}: not taken, {one.why}" for one in view.index.refused]
    if not lines:
        lines.append("There is no file.")
    return "\n".join(
        line if len(line) <= MOST_LINE else line[:MOST_LINE] + " ..." for line in lines
    )


def _file_line(file: FileEvidence) -> str:
    status = file.status if file.status == "ok" else file.status.upper()
    says = f": {file.says}" if file.says else ""
    return f"{encoded(file.name)} ({file.kind}, {status}, {file.size:,} bytes){says}"


def _lines(content: Content) -> Iterator[str]:
    match content:
        case Workbook():
            yield from _book(content)
        case Document():
            yield from _document(content)
        case Deck():
            yield from _deck(content)
        case Pdf():
            yield from _pdf(content)
        case Text():
            yield _text(content)
        case Picture():
            yield picture_line(content)


def _listed(lines: Iterator[str], count: int) -> Iterator[str]:
    """At most so many of them."""
    yield from islice(lines, MOST)
    if count > MOST:
        yield f"... and {count - MOST} more"


def _counted(**counts: int) -> str:
    """`3 tables, 1 picture`, without what is not there."""
    told = (counted(count, name.replace("_", " ")) for name, count in counts.items() if count)
    return ", ".join(told)


def _odd(macros: bool, links: tuple[str, ...], warnings: tuple[str, ...]) -> Iterator[str]:
    if macros:
        yield "It holds macros; they were not run."
    if links:
        more = f" and {len(links) - 5} more" if len(links) > 5 else ""
        yield f"It links outside: {', '.join(links[:5])}{more}"
    yield from _listed(iter(warnings), len(warnings))


def _book(book: Workbook) -> Iterator[str]:
    yield from _listed(map(sheet_line, book.sheets), len(book.sheets))
    charts = [
        chart_line(written(OnSheet("chart", sheet.name, count)), chart)
        for sheet in book.sheets
        for count, chart in enumerate(sheet.charts, 1)
    ]
    yield from _listed(iter(charts), len(charts))
    names = [f"name={encoded(k)} | {v}" for k, v in (book.names | book.local_names).items()]
    yield from _listed(iter(names), len(names))
    if book.date1904:
        yield "Its dates count from 1904."
    yield from _odd(book.macros, book.external_links, book.warnings)


def _document(document: Document) -> Iterator[str]:
    paragraphs = [one for one in document.blocks if isinstance(one, Paragraph)]
    told = _counted(
        paragraph=len(paragraphs),
        table=sum(isinstance(one, Table) for one in document.blocks),
        picture=document.pictures,
        chart=len(document.charts),
        note=len(document.notes),
        comment=len(document.comments),
        tracked_change=len(document.changes),
        text_box=len(document.text_boxes),
        header=len(document.headers),
        footer=len(document.footers),
    )
    yield told or "It is empty."
    headings = [paragraph_line(one) for one in paragraphs if one.level or one.style == "Title"]
    yield from _listed(iter(headings), len(headings))
    tables = [one for one in document.blocks if isinstance(one, Table)]
    yield from _listed(map(_table, tables), len(tables))
    yield from (chart_line(f"chart={n}", one) for n, one in enumerate(document.charts, 1))
    yield from _odd(document.macros, document.external_links, document.warnings)


def _table(table: Table) -> str:
    width = max(map(len, table.rows), default=0)
    first = " | ".join(" ".join(cell.split()) for cell in table.rows[0]) if table.rows else ""
    return f"table={table.number} | {len(table.rows)} rows, {width} columns: {first}"


def _deck(deck: Deck) -> Iterator[str]:
    hidden = sum(slide.hidden for slide in deck.slides)
    yield _counted(slide=len(deck.slides), hidden_slide=hidden, comment=len(deck.comments))
    yield from _listed(map(_slide, deck.slides), len(deck.slides))
    yield from _odd(deck.macros, deck.external_links, deck.warnings)


def _slide(slide: Slide) -> str:
    kinds = [shape.kind for shape in slide.shapes]
    made = _counted(**{kind: kinds.count(kind) for kind in dict.fromkeys(kinds)})
    notes = ", notes" if slide.notes else ""
    hidden = " | hidden" if slide.hidden else ""
    return f"slide={slide.number}{hidden} | {slide.title or '(no title)'} | {made}{notes}"


def _pdf(pdf: Pdf) -> Iterator[str]:
    tables = sum(len(page.tables) for page in pdf.pages)
    pictures = sum(page.pictures for page in pdf.pages)
    yield _counted(page=len(pdf.pages), ruled_table=tables, picture=pictures)
    bare = pdf.without_text
    if bare:
        more = f" and {len(bare) - MOST} more" if len(bare) > MOST else ""
        yield f"Without text, only a picture: page {', '.join(map(str, bare[:MOST]))}{more}"
    for page in pdf.pages[:3]:
        first = page.text.strip().split("\n")[0]
        if first:
            yield f"page={page.number} begins: {first}"
    yield from _odd(False, (), pdf.warnings)


def _text(text: Text) -> str:
    rows = f", {len(text.rows)} rows of {len(text.rows[0])} fields" if text.rows else ""
    problem = f"; {text.problem}" if text.problem else ""
    return f"{text.format}, {counted(len(text.lines), 'line')}, {text.encoding}{rows}{problem}"
