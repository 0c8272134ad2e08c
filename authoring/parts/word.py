"""A docx from Markdown: real styles, lists and tables, tracked changes, header and footer."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import docx
import msgspec
from docx.document import Document
from docx.enum.text import WD_BREAK
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Emu, Pt
from docx.table import Table
from docx.text.paragraph import Paragraph as DocxParagraph
from docx.text.run import Run

from authoring.parts.markdown import (
    Grid,
    Heading,
    Item,
    Note,
    PageBreak,
    Paragraph,
    Span,
    parse,
)
from authoring.parts.pack import WHEN, pack

KEPT = 8
"""A fitted table of so many rows stays on one page."""


class Letter(msgspec.Struct, frozen=True):
    """What stands around a document's text."""

    title: str = ""
    author: str = ""
    header: str = ""
    footer: str = ""
    font: str = "Calibri"
    points: float = 10.5
    fitted: bool = False
    """A4 with margins of 2 cm; columns as wide as their words ask for, rows stay whole, headings
    come again on a new page."""


def write_docx(path: Path, text: str, letter: Letter | None = None) -> None:
    """One document of the whole text. `# ` is style Heading 1, and so on; a note stands as a
    paragraph in style Intense Quote."""
    around = letter or Letter()
    document = docx.Document()
    normal = document.styles["Normal"].font
    normal.name, normal.size = around.font, Pt(around.points)
    _page(document, around)
    for block in parse(text):
        match block:
            case Heading():
                _runs(document.add_heading(level=block.level), block.spans, around.author)
            case Paragraph():
                _runs(document.add_paragraph(), block.spans, around.author)
            case Item():
                style = "List Number" if block.numbered else "List Bullet"
                style += f" {block.depth}" if block.depth > 1 else ""
                _runs(document.add_paragraph(style=style), block.spans, around.author)
            case Grid():
                _table(document, block, around.fitted)
            case Note():
                _runs(document.add_paragraph(style="Intense Quote"), block.spans, around.author)
            case PageBreak():
                document.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
    _around(document, around)
    path.parent.mkdir(parents=True, exist_ok=True)
    document.save(str(path))
    pack(path)


def write_documents(
    sources: Mapping[str, Mapping[str, str]],
    texts: Path,
    names: Mapping[str, str],
    folder: Path,
    around: Letter,
    *,
    second: bool,
) -> None:
    """Those of a recipe: folder below `folder` to name to the file of `texts` it is written from.
    `names` fills its places, its name is its title; reference-2 is written where `second` is."""
    for place, written in sources.items():
        if place == "reference-2" and not second:
            continue
        for name, source in written.items():
            words = (texts / source).read_text("utf-8").format(**names)
            write_docx(folder / place / name, words, msgspec.structs.replace(around, title=name))


def _page(document: Document, around: Letter) -> None:
    if not around.fitted:
        return
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2)
    section.top_margin = section.bottom_margin = Cm(2)
    document.styles["Normal"].paragraph_format.space_after = Pt(4)
    for level in (1, 2):
        document.styles[f"Heading {level}"].paragraph_format.space_before = Pt(9)


def _around(document: Document, around: Letter) -> None:
    properties = document.core_properties
    properties.title, properties.author = around.title, around.author
    properties.created = properties.modified = WHEN
    properties.comments = ""
    section = document.sections[0]
    if around.header:
        section.header.paragraphs[0].text = around.header
    if around.footer:
        section.footer.paragraphs[0].text = around.footer


def _runs(paragraph: DocxParagraph, spans: Iterable[Span], author: str) -> None:
    for span in spans:
        run = paragraph.add_run(span.text)
        run.bold, run.italic = span.bold or None, span.italic or None
        if span.change:
            _track(run, span.change, author)


def _track(run: Run, change: str, author: str) -> None:
    element = run._r
    mark = OxmlElement("w:ins" if change == "inserted" else "w:del")
    mark.set(
        qn("w:id"), str(1 + sum(1 for _ in element.getroottree().iter(qn("w:ins"), qn("w:del"))))
    )
    mark.set(qn("w:author"), author or "Reviewer")
    mark.set(qn("w:date"), WHEN.strftime("%Y-%m-%dT%H:%M:%SZ"))
    element.addprevious(mark)
    mark.append(element)
    if change == "deleted":
        for text in element.findall(qn("w:t")):
            text.tag = qn("w:delText")


def _table(document: Document, grid: Grid, fitted: bool) -> None:
    columns = max(len(row) for row in grid.rows)
    table = document.add_table(rows=0, cols=columns, style="Light Grid Accent 1")
    for row in grid.rows:
        for cell, spans in zip(table.add_row().cells, row, strict=False):
            _runs(cell.paragraphs[0], spans, "")
    if fitted:
        _fit(table)
    document.add_paragraph()


def _fit(table: Table) -> None:
    """Shares of the width by the square root of the longest text, which wraps; words stay whole."""
    asked = []
    for texts in ([cell.text for cell in column.cells] for column in table.columns):
        word = max(len(word) for text in texts for word in text.split() or ("",))
        asked.append(max(1.8 * word, 4 * max(len(text) for text in texts) ** 0.5))
    wide = sum(column.width for column in table.columns)
    for column, share in zip(table.columns, asked, strict=True):
        column.width = Emu(int(wide * share / sum(asked)))
        for cell in column.cells:
            cell.width = column.width
            cell.paragraphs[0].paragraph_format.space_after = Pt(0)
    for number, row in enumerate(table.rows):
        properties = row._tr.get_or_add_trPr()
        properties.append(OxmlElement("w:cantSplit"))
        if number == 0:
            properties.append(OxmlElement("w:tblHeader"))
        if number + 1 < len(table.rows) <= KEPT:
            for cell in row.cells:
                cell.paragraphs[0].paragraph_format.keep_with_next = True
