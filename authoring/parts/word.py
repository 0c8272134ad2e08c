"""A docx from Markdown: real styles, lists and tables, tracked changes, header and footer."""

from collections.abc import Iterable
from pathlib import Path

import docx
import msgspec
from docx.document import Document
from docx.enum.text import WD_BREAK
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt
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


class Letter(msgspec.Struct, frozen=True):
    """What stands around a document's text."""

    title: str = ""
    author: str = ""
    header: str = ""
    footer: str = ""
    font: str = "Calibri"
    points: float = 10.5


def write_docx(path: Path, text: str, letter: Letter | None = None) -> None:
    """One document of the whole text. `# ` is style Heading 1, and so on; a note stands as a
    paragraph in style Intense Quote."""
    around = letter or Letter()
    document = docx.Document()
    normal = document.styles["Normal"].font
    normal.name, normal.size = around.font, Pt(around.points)
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
                _table(document, block)
            case Note():
                _runs(document.add_paragraph(style="Intense Quote"), block.spans, around.author)
            case PageBreak():
                document.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
    _around(document, around)
    path.parent.mkdir(parents=True, exist_ok=True)
    document.save(str(path))
    pack(path)


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


def _table(document: Document, grid: Grid) -> None:
    columns = max(len(row) for row in grid.rows)
    table = document.add_table(rows=0, cols=columns, style="Light Grid Accent 1")
    for row in grid.rows:
        for cell, spans in zip(table.add_row().cells, row, strict=False):
            _runs(cell.paragraphs[0], spans, "")
    document.add_paragraph()
