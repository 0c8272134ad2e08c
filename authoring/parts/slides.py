"""A pptx from Markdown: `# ` a title slide, `## ` a slide with bullets, tables and notes."""

from pathlib import Path

import msgspec
import pptx
from pptx.presentation import Presentation
from pptx.slide import Slide
from pptx.text.text import _Paragraph
from pptx.util import Emu, Inches, Pt

from authoring.parts.markdown import Grid, Heading, Item, Note, Paragraph, Span, parse, plain
from authoring.parts.pack import WHEN, pack

TITLE_SLIDE, TITLE_AND_TEXT, TITLE_ONLY = 0, 1, 5


class Cover(msgspec.Struct, frozen=True):
    title: str = ""
    author: str = ""


def write_pptx(path: Path, text: str, cover: Cover | None = None) -> None:
    """`> ` adds to the notes of the slide it stands on. A slide that holds a table holds no
    bullets beside it: words go above, as its first line below the title, or into the notes."""
    about = cover or Cover()
    deck = pptx.Presentation()
    _widen(deck)
    slide: list[Heading | Paragraph | Item | Grid | Note] = []
    for block in parse(text):
        if isinstance(block, Heading) and block.level <= 2 and slide:
            _slide(deck, slide)
            slide = []
        if isinstance(block, Heading | Paragraph | Item | Grid | Note):
            slide.append(block)
    _slide(deck, slide)
    properties = deck.core_properties
    properties.title, properties.author = about.title, about.author
    properties.created = properties.modified = WHEN
    path.parent.mkdir(parents=True, exist_ok=True)
    deck.save(str(path))
    pack(path)


def _widen(deck: Presentation) -> None:
    """From the template's 4:3 to 16:9, its layouts' places with it."""
    old, new = deck.slide_width or Inches(10), Inches(13.333)
    deck.slide_width = new
    masters = [deck.slide_master, *deck.slide_layouts]
    for shape in [shape for master in masters for shape in master.shapes]:
        shape.left = Emu(shape.left * new // old)
        shape.width = Emu(shape.width * new // old)


def _slide(deck: Presentation, blocks: list[Heading | Paragraph | Item | Grid | Note]) -> None:
    head = blocks[0]
    assert isinstance(head, Heading), "a slide begins with # or ##"
    grids = [block for block in blocks if isinstance(block, Grid)]
    layout = TITLE_SLIDE if head.level == 1 else TITLE_ONLY if grids else TITLE_AND_TEXT
    slide = deck.slides.add_slide(deck.slide_layouts[layout])
    assert slide.shapes.title is not None
    slide.shapes.title.text = plain(head.spans)
    words = [block for block in blocks[1:] if isinstance(block, Paragraph | Item | Heading)]
    if grids:
        _sentences(slide, words)
        _grid(slide, grids[0], Inches(1.7 + 0.4 * len(words)))
    elif words:
        _bullets(slide, words)
    notes = [plain(block.spans) for block in blocks if isinstance(block, Note)]
    if notes:
        frame = slide.notes_slide.notes_text_frame
        assert frame is not None
        frame.text = "\n".join(notes)


def _bullets(slide: Slide, words: list[Paragraph | Item | Heading]) -> None:
    frame = slide.placeholders[1].text_frame
    for number, block in enumerate(words):
        line = frame.paragraphs[0] if number == 0 else frame.add_paragraph()
        line.level = block.depth - 1 if isinstance(block, Item) else 0
        _runs(line, block.spans)


def _sentences(slide: Slide, words: list[Paragraph | Item | Heading]) -> None:
    if not words:
        return
    place = (Inches(0.7), Inches(1.5), Inches(12), Inches(0.4 * len(words)))
    frame = slide.shapes.add_textbox(*place).text_frame
    frame.word_wrap = True
    for number, block in enumerate(words):
        line = frame.paragraphs[0] if number == 0 else frame.add_paragraph()
        _runs(line, block.spans)


def _runs(line: _Paragraph, spans: tuple[Span, ...]) -> None:
    for span in spans:
        run = line.add_run()
        run.text = span.text
        run.font.bold, run.font.italic = span.bold or None, span.italic or None


def _grid(slide: Slide, grid: Grid, top: Emu | int) -> None:
    rows, columns = len(grid.rows), max(len(row) for row in grid.rows)
    place = (Inches(0.7), Emu(top), Inches(12), Inches(0.35 * rows))
    table = slide.shapes.add_table(rows, columns, *place).table
    for r, row in enumerate(grid.rows):
        for c, spans in enumerate(row):
            line = table.cell(r, c).text_frame.paragraphs[0]
            _runs(line, spans)
            line.font.size = Pt(12)
