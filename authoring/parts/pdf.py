"""A pdf from Markdown and scanned pages: text that can be copied, and pages that are images."""

import io
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import msgspec
from PIL import Image
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import cm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    NextPageTemplate,
    PageTemplate,
    Spacer,
    Table,
    TableStyle,
)
from reportlab.platypus import PageBreak as NewPage
from reportlab.platypus import Paragraph as Words

from authoring.parts.markdown import (
    Block,
    Grid,
    Heading,
    Item,
    Note,
    PageBreak,
    Paragraph,
    Span,
    parse,
)
from authoring.parts.scan import BOLD, REGULAR

TEXT, STRONG = "Paper", "Paper-Bold"


class Sheetwork(msgspec.Struct, frozen=True):
    """What stands around the pages."""

    title: str = ""
    author: str = ""
    header: str = ""
    footer: str = ""
    """Followed by the page's number."""
    points: float = 9.5
    wide: bool = False
    """Landscape."""


def write_pdf(
    path: Path, pages: Sequence[str | Image.Image], around: Sheetwork | None = None
) -> None:
    """Each text of `pages` begins a new page and may fill several; each image fills one."""
    how = around or Sheetwork()
    pdfmetrics.registerFont(TTFont(TEXT, str(REGULAR)))
    pdfmetrics.registerFont(TTFont(STRONG, str(BOLD)))
    pdfmetrics.registerFontFamily(TEXT, TEXT, STRONG, TEXT, STRONG)
    path.parent.mkdir(parents=True, exist_ok=True)
    size = landscape(A4) if how.wide else A4
    made = BaseDocTemplate(
        str(path), pagesize=size, invariant=1, title=how.title, author=how.author
    )
    frame = Frame(2 * cm, 2 * cm, size[0] - 4 * cm, size[1] - 4 * cm, id="text")

    def decorate(canvas: Canvas, document: BaseDocTemplate) -> None:
        canvas.setFont(TEXT, 8)
        canvas.drawString(2 * cm, size[1] - 1.3 * cm, how.header)
        number = f"{how.footer}   {document.page}" if how.footer else str(document.page)
        canvas.drawString(2 * cm, 1.2 * cm, number)

    templates = [PageTemplate("text", [frame], onPage=decorate), PageTemplate("scan", [frame])]
    made.addPageTemplates(templates if isinstance(pages[0], str) else templates[::-1])
    made.build(_story(pages, how, size))


def _story(
    pages: Sequence[str | Image.Image], how: Sheetwork, size: tuple[float, float]
) -> list[Flowable]:
    story: list[Flowable] = []
    for number, page in enumerate(pages):
        text = isinstance(page, str)
        story += [NextPageTemplate("text" if text else "scan"), *([NewPage()] if number else [])]
        width = size[0] - 4 * cm
        story += _flow(parse(page), how, width) if isinstance(page, str) else [Scan(page, size)]
    return story


class Scan(Flowable):
    """An image over the whole page."""

    def __init__(self, image: Image.Image, size: tuple[float, float]) -> None:
        super().__init__()
        self.image, self.size = image, size

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        return 1, 1

    def draw(self) -> None:
        self.canv.saveState()
        self.canv.resetTransforms()
        data = io.BytesIO()
        self.image.save(data, "PNG")
        data.seek(0)
        self.canv.drawImage(ImageReader(data), 0, 0, *self.size)
        self.canv.restoreState()


def _flow(blocks: Sequence[Block], how: Sheetwork, width: float) -> list[Flowable]:
    story: list[Flowable] = []
    for block in blocks:
        match block:
            case Heading():
                size = how.points + 2 + 2 * max(0, 3 - block.level)
                story.append(_words(block.spans, size, STRONG, before=6))
            case Paragraph() | Note():
                story.append(_words(block.spans, how.points, TEXT))
            case Item():
                mark = f"{block.number}." if block.numbered else "•"
                story.append(_words(block.spans, how.points, TEXT, mark=mark, depth=block.depth))
            case Grid():
                story += [_table(block, how, width), Spacer(1, 8)]
            case PageBreak():
                story.append(NewPage())
    return story


def _markup(spans: Sequence[Span]) -> str:
    return "".join(f"<b>{escape(s.text)}</b>" if s.bold else escape(s.text) for s in spans)


def _words(
    spans: Sequence[Span], size: float, font: str, before: float = 0, mark: str = "", depth: int = 0
) -> Words:
    style = ParagraphStyle(
        "words",
        fontName=font,
        fontSize=size,
        leading=size * 1.4,
        spaceBefore=before,
        spaceAfter=5,
        leftIndent=14 * depth,
        bulletIndent=14 * max(0, depth - 1),
        bulletFontName=TEXT,
        bulletFontSize=size,
    )
    return Words(_markup(spans), style, bulletText=mark or None)


def _table(grid: Grid, how: Sheetwork, width: float) -> Table:
    size = how.points - 1
    rows = [
        [_words(cell, size, STRONG if number == 0 else TEXT) for cell in row]
        for number, row in enumerate(grid.rows)
    ]
    table = Table(rows, colWidths=[width / len(rows[0])] * len(rows[0]), repeatRows=1)
    style = TableStyle()
    style.add("GRID", (0, 0), (-1, -1), 0.4, colors.grey)
    style.add("BACKGROUND", (0, 0), (-1, 0), colors.HexColor("#E8EEF4"))
    style.add("VALIGN", (0, 0), (-1, -1), "TOP")
    table.setStyle(style)
    return table
