"""What a document says, piece by piece: paragraphs, bullets, rows of tables, lines, headings.

Deleted and hidden text is not there; inserted text is. Each piece knows its place, the heading it
stands under, and the paragraph or table it is part of.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

import msgspec

from bythebook.deliverables.checks.places import encoded, within
from bythebook.deliverables.evidence.model import (
    Content,
    Deck,
    Document,
    Paragraph,
    Pdf,
    Slide,
    Table,
    Text,
)

_MARKS = re.compile(r"\{\+|\+\}|\[\^\w{1,9}\]|\[c\d{1,9}\]|\[(?:picture|chart|box) \d{1,9}\]")
_GONE = (("{-", "-}"), ("{~", "~}"))
_EMPHASIS = re.compile(r"\*\*|__|`")
_MARK = re.compile(r"^\s*(?:[-*+\u2022\u00b7\u2013]|\d+[.)])\s+")
_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_RULE = re.compile(r"^[\s|:+=-]+$")
_END = re.compile(r"(?<=[.;!?\u3002\uff1b])[\"')\]\u201d\u2019]*\s+|\n+|(?<=\u3002)")
_ABBREVIATED = re.compile(
    r"(?:\b(?:ltd|inc|no|nos|approx|mr|mrs|ms|dr|prof|vs|st|co|corp|cf|art|abs|nr|bzw|mio|tsd|mrd"
    r"|etc|fig|ca|resp|incl|excl|est|dept|e\.g|i\.e|z\.b|d\.h)|\b[a-z])\.[\"')\]]*$",
    re.I,
)

PieceKind = Literal["heading", "paragraph", "bullet", "row", "line", "note", "margin"]


class Piece(msgspec.Struct, frozen=True):
    text: str
    place: str
    kind: PieceKind
    group: str
    """Pieces of one paragraph, table, slide or page share it."""
    under: tuple[str, ...] = ()
    """The headings above it, and a table's caption."""

    @property
    def segments(self) -> tuple[str, ...]:
        """Its sentences; a row, bullet or line is one."""
        whole = self.kind in ("row", "line", "heading")
        return (self.text,) if whole else sentences(self.text)


def pieces(name: str, content: Content) -> tuple[Piece, ...]:
    """Everything that a document says, in order. A workbook or picture says nothing here."""
    match content:
        case Document():
            found = _document(name, content)
        case Deck():
            found = _deck(name, content)
        case Pdf():
            found = _pdf(name, content)
        case Text():
            found = _text(name, content)
        case _:
            return ()
    return tuple(piece for piece in found if piece.text.strip())


def shown(text: str) -> str:
    """A paragraph as a reader sees it with all changes accepted."""
    for opens, closes in _GONE:
        text = _without(text, opens, closes)
    return _EMPHASIS.sub("", _MARKS.sub("", text))


def _without(text: str, opens: str, closes: str) -> str:
    """A text without what stands between two marks, however many are left open."""
    kept: list[str] = []
    start = 0
    while (first := text.find(opens, start)) >= 0 and (last := text.find(closes, first)) >= 0:
        kept.append(text[start:first])
        start = last + len(closes)
    return "".join([*kept, text[start:]])


@lru_cache(maxsize=20_000)
def sentences(text: str) -> tuple[str, ...]:
    """A text cut after `.`, `;`, `!`, `?`; not after an abbreviation, not before a small letter."""
    found: list[str] = []
    start = 0
    for cut in _END.finditer(text):
        before = text[max(start, cut.start() - 12) : cut.end()].rstrip()
        small = text[cut.end() : cut.end() + 1].islower()
        runs_on = before.endswith(".") and (small or _ABBREVIATED.search(before))
        if not runs_on:
            found.append(text[start : cut.start()])
            start = cut.end()
    found.append(text[start:])
    return tuple(part for part in found if part.strip())


# --- kinds of documents -------------------------------------------------------------------------


class _Path:
    """The headings above the place that is being read."""

    def __init__(self) -> None:
        self._above: dict[int, str] = {}

    def enter(self, level: int, text: str) -> None:
        self._above = {n: t for n, t in self._above.items() if n < level} | {level: text}

    @property
    def now(self) -> tuple[str, ...]:
        return tuple(self._above.values())


def _document(name: str, document: Document) -> Iterator[Piece]:
    path = _Path()
    for block in document.blocks:
        if isinstance(block, Table):
            yield from _rows(name, f"table={block.number}", block.rows, (*path.now, block.caption))
        else:
            yield _paragraph(name, block, path)
    for number, text in enumerate(document.notes, 1):
        place = within(name, f"note={number}")
        yield Piece(shown(text), place, "note", f"note {number}")
    for number, text in enumerate(document.text_boxes, 1):
        yield Piece(shown(text), encoded(name), "paragraph", f"box {number}")
    for text in (*document.headers, *document.footers):
        yield Piece(shown(text), encoded(name), "margin", "margin")


def _paragraph(name: str, paragraph: Paragraph, path: _Path) -> Piece:
    text, place = shown(paragraph.text), within(name, f"para={paragraph.number}")
    kind: PieceKind = "bullet" if paragraph.list else "paragraph"
    if paragraph.level or paragraph.style.casefold() == "title":
        kind = "heading"
        path.enter(paragraph.level, text)
    return Piece(text, place, kind, place, path.now)


def _rows(
    name: str, place: str, rows: tuple[tuple[str, ...], ...], under: tuple[str, ...]
) -> Iterator[Piece]:
    for number, row in enumerate(rows, 1):
        text = " | ".join(shown(cell) for cell in row)
        group = within(name, place)
        yield Piece(text, f"{group}/r{number}c1", "row", group, under)


def _deck(name: str, deck: Deck) -> Iterator[Piece]:
    for slide in deck.slides:
        if not slide.hidden:
            yield from _slide(name, slide)


def _slide(name: str, slide: Slide) -> Iterator[Piece]:
    group = within(name, f"slide={slide.number}")
    under = (slide.title,)
    if slide.title:
        yield Piece(slide.title, group, "heading", group)
    for shape in slide.shapes:
        place = f"{group}/shape={shape.number}"
        if shape.kind != "title":
            for line in shown(shape.text).splitlines():
                yield Piece(line, place, "bullet", group, under)
        for row in shape.rows:
            yield Piece(" | ".join(map(shown, row)), place, "row", place, under)
    yield Piece(slide.notes, f"{group}/notes", "note", f"{group}/notes", under)


def _pdf(name: str, pdf: Pdf) -> Iterator[Piece]:
    for page in pdf.pages:
        place = within(name, f"page={page.number}")
        for number, block in enumerate(re.split(r"\n\s*\n", page.text)):
            joined = " ".join(block.split())
            yield Piece(joined, place, "paragraph", f"{place} block {number}")
        for line in page.text.splitlines():
            yield Piece(line, place, "line", place)
        for number, table in enumerate(page.tables, 1):
            for row in table:
                at = f"{place}/table={number}"
                yield Piece(" | ".join(row), at, "row", at)


def _text(name: str, text: Text) -> Iterator[Piece]:
    if text.rows:
        for number, row in enumerate(text.rows, 1):
            yield Piece(" | ".join(row), within(name, f"row={number}"), "row", encoded(name))
        return
    path = _Path()
    block: list[str] = []
    for number, line in enumerate((*text.lines, ""), 1):
        kind = _line_kind(line)
        if block and (kind != "paragraph" or not line.strip()):
            place = within(name, f"line={number - len(block)}")
            yield Piece(shown(" ".join(block)), place, "paragraph", place, path.now)
            block = []
        if kind != "paragraph":
            yield _line(name, number, line, kind, path)
        elif line.strip():
            block.append(line.strip())


def _line_kind(line: str) -> PieceKind:
    if _HEADING.match(line):
        return "heading"
    if line.count("|") >= 2 and not _RULE.match(line):
        return "row"
    return "bullet" if _MARK.match(line) else "paragraph"


def _line(name: str, number: int, line: str, kind: PieceKind, path: _Path) -> Piece:
    place = within(name, f"line={number}")
    heading = _HEADING.match(line)
    if heading:
        text = shown(heading[2])
        path.enter(len(heading[1]), text)
        return Piece(text, place, "heading", place, path.now)
    text = shown(line.strip().strip("|") if kind == "row" else _MARK.sub("", line))
    return Piece(text, place, kind, "table" if kind == "row" else place, path.now)
