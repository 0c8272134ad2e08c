"""A small dialect of Markdown that documents, slides and pages are written in.

    # Heading     levels 1 to 6          - bullet      two spaces in front: one deeper
    1. item       numbered               | a | b |     table; its first row is the heading
    > text        a note (slides: the speaker's)       ---     page break
    **bold** *italic* {+inserted+} {-deleted-}         in any text; the last two: tracked changes

A paragraph goes on until an empty line; a backslash keeps the character after it.
"""

import re
from collections.abc import Iterator

import msgspec


class Span(msgspec.Struct, frozen=True):
    text: str
    bold: bool = False
    italic: bool = False
    change: str = ""
    """`inserted` or `deleted`."""


class Heading(msgspec.Struct, frozen=True):
    level: int
    spans: tuple[Span, ...]


class Paragraph(msgspec.Struct, frozen=True):
    spans: tuple[Span, ...]


class Item(msgspec.Struct, frozen=True):
    """One item of a list; depth from 1."""

    spans: tuple[Span, ...]
    numbered: bool
    depth: int
    number: int = 0
    """As typed; a pdf shows it, a docx counts for itself."""


class Grid(msgspec.Struct, frozen=True):
    """A table; the first row is its heading."""

    rows: tuple[tuple[tuple[Span, ...], ...], ...]


class Note(msgspec.Struct, frozen=True):
    spans: tuple[Span, ...]


class PageBreak(msgspec.Struct, frozen=True):
    pass


Block = Heading | Paragraph | Item | Grid | Note | PageBreak

LINE = re.compile(
    r"(?P<heading>#{1,6}) (?P<title>.*)|(?P<pad> *)(?P<mark>-|\d+\.) (?P<item>.*)"
    r"|\|(?P<row>.*)\||> ?(?P<note>.*)|(?P<rule>---)|(?P<plain>.+)"
)
SPAN = re.compile(
    r"\*\*(?P<bold>.+?)\*\*|\*(?P<italic>.+?)\*|\{\+(?P<inserted>.+?)\+\}|\{-(?P<deleted>.+?)-\}"
)
ESCAPE = re.compile(r"\\(.)")


def spans(text: str) -> tuple[Span, ...]:
    """A text's runs, in order."""
    kept = ESCAPE.sub(lambda found: chr(0xE000 + ord(found[1])), text)
    return tuple(_spans(kept))


def _spans(text: str) -> Iterator[Span]:
    at = 0
    for found in SPAN.finditer(text):
        if found.start() > at:
            yield Span(_kept(text[at : found.start()]))
        name = str(found.lastgroup)
        change = name if name in ("inserted", "deleted") else ""
        inner = _kept(found[name])
        yield Span(inner, bold=name == "bold", italic=name == "italic", change=change)
        at = found.end()
    if text[at:]:
        yield Span(_kept(text[at:]))


def _kept(text: str) -> str:
    return "".join(chr(ord(c) - 0xE000) if 0xE000 <= ord(c) < 0xE080 else c for c in text)


def plain(runs: tuple[Span, ...]) -> str:
    return "".join(run.text for run in runs)


def parse(text: str) -> tuple[Block, ...]:
    """The blocks of a text, in order."""
    blocks: list[Block] = []
    for group in re.split(r"\n\s*\n", text.strip("\n")):
        blocks += _group(group.splitlines())
    return tuple(blocks)


def _group(lines: list[str]) -> Iterator[Block]:
    """Lines that stand together. Lines of a table or paragraph are joined; a line of words after
    an item or note goes on with it."""
    at = 0
    while at < len(lines):
        kind, first = _kind(lines[at]), at
        at += 1
        follows = "row" if kind == "row" else "plain"
        while at < len(lines) and kind != "heading" and _kind(lines[at]) == follows:
            at += 1
        yield _block(kind, lines[first:at])


def _kind(line: str) -> str:
    found = LINE.fullmatch(line.rstrip())
    named = found.groupdict() if found else {}
    order = ("heading", "mark", "row", "note", "rule", "plain")
    return next((name for name in order if named.get(name) is not None), "plain")


def _block(kind: str, lines: list[str]) -> Block:
    if kind == "row":
        rows = [line for line in lines if not re.fullmatch(r"\|[\s|:-]+\|", line.strip())]
        return Grid(tuple(_cells(line) for line in rows))
    text = " ".join(line.strip() for line in lines) if kind != "mark" else ""
    match kind:
        case "heading":
            level = len(text) - len(text.lstrip("#"))
            return Heading(level, spans(text[level:].strip()))
        case "mark":
            return _item(lines)
        case "note":
            return Note(spans(text.removeprefix(">").strip()))
        case "rule":
            return PageBreak()
    return Paragraph(spans(text))


def _item(lines: list[str]) -> Item:
    found = LINE.fullmatch(lines[0].rstrip())
    assert found is not None
    text = " ".join([found["item"], *(line.strip() for line in lines[1:])])
    mark, depth = found["mark"], len(found["pad"]) // 2 + 1
    return Item(spans(text), mark != "-", depth, 0 if mark == "-" else int(mark[:-1]))


def _cells(line: str) -> tuple[tuple[Span, ...], ...]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return tuple(spans(cell.strip()) for cell in re.split(r"(?<!\\)\|", inner))
