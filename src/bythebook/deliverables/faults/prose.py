"""Edits of documents, decks and plain texts."""

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

from lxml import etree

from bythebook.deliverables.evidence.package import OFFICE, A, P, W
from bythebook.deliverables.faults import edits as e
from bythebook.deliverables.faults.cells import Change
from bythebook.deliverables.faults.parts import OfficeFile, remove
from bythebook.errors import ContentError

Element = etree._Element
SPACE = "{http://www.w3.org/XML/1998/namespace}space"
FIGURE = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\w)|(?<![\w.,])\d+(?:\.\d+)?(?!\w)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")


class Prose:
    """What documents, decks and texts have in common: pieces of text that can be changed."""

    path: Path

    def pieces(self) -> Iterator["Piece"]:
        """Every paragraph, table row and line."""
        raise NotImplementedError

    def append(self, text: str) -> None:
        raise NotImplementedError

    def save(self) -> None:
        raise NotImplementedError


class Piece:
    """One paragraph, table row or line."""

    number: int = 0
    """As counted in the evidence; 0 where it is not counted."""
    level: int = 0
    """Of a heading."""

    @property
    def text(self) -> str:
        raise NotImplementedError

    def replace(self, changes: list[tuple[int, int, str]]) -> None:
        """Put texts in the place of others: start, end, text; from left to right."""
        raise NotImplementedError

    def drop(self) -> None:
        raise NotImplementedError


# --- office files -------------------------------------------------------------------------------


class XmlPiece(Piece):
    """Text in runs of an office file's XML."""

    def __init__(self, element: Element, tag: str, number: int = 0, level: int = 0) -> None:
        self.element, self.tag, self.number, self.level = element, tag, number, level

    @property
    def text(self) -> str:
        return "".join(one.text or "" for one in self.element.iter(self.tag))

    def replace(self, changes: list[tuple[int, int, str]]) -> None:
        for start, end, new in reversed(changes):
            at = 0
            for one in self.element.iter(self.tag):
                old = one.text or ""
                left, right = max(start - at, 0), min(end - at, len(old))
                if left < right or (start == end == at + left):
                    put = new if at <= start < at + len(old) or start == end else ""
                    one.text = old[:left] + put + old[right:]
                    one.set(SPACE, "preserve") if self.tag.startswith(W) else None
                at += len(old)

    def drop(self) -> None:
        remove(self.element)


class Document(OfficeFile, Prose):
    """A docx."""

    @property
    def body(self) -> Element:
        found = self.root(self.main()).find(f"{W}body")
        assert found is not None
        return found

    def pieces(self) -> Iterator[Piece]:
        number = 0
        for block in list(self.body):
            if block.tag == f"{W}p":
                piece = XmlPiece(block, f"{W}t", level=_level(block))
                number += bool(piece.text.strip())
                piece.number = number if piece.text.strip() else 0
                yield piece
            elif block.tag == f"{W}tbl":
                yield from (XmlPiece(row, f"{W}t") for row in list(block.iter(f"{W}tr")))

    def append(self, text: str) -> None:
        paragraph = etree.Element(f"{W}p")
        run = etree.SubElement(etree.SubElement(paragraph, f"{W}r"), f"{W}t")
        run.text = text
        last = self.body[-1]
        last.addprevious(paragraph) if last.tag == f"{W}sectPr" else self.body.append(paragraph)


def _level(paragraph: Element) -> int:
    """Of a heading, by the English ids that python-docx and Word give the built-in styles."""
    style = paragraph.find(f"{W}pPr/{W}pStyle")
    found = re.fullmatch(r"(?i)heading ?([1-9])", "" if style is None else style.get(f"{W}val", ""))
    return int(found[1]) if found else 0


class Deck(OfficeFile, Prose):
    """A pptx."""

    @property
    def entries(self) -> list[tuple[Element, str]]:
        """Slides in order: their entry in the deck, their part."""
        main = self.main()
        return [
            (one, self.target(main, str(one.get(f"{OFFICE}id"))))
            for one in self.root(main).iter(f"{P}sldId")
        ]

    def slide(self, number: int) -> tuple[Element, str]:
        entries = self.entries
        if not 1 <= number <= len(entries):
            raise ContentError(f"there is no slide {number}", where=self.path.name)
        return entries[number - 1]

    def pieces(self) -> Iterator[Piece]:
        for _, part in self.entries:
            for paragraph in list(self.root(part).iter(f"{A}p")):
                yield XmlPiece(paragraph, f"{A}t")

    def append(self, text: str) -> None:
        bodies = [one for _, part in self.entries for one in self.root(part).iter(f"{P}txBody")]
        if not bodies:
            raise ContentError("no slide holds text", where=self.path.name)
        run = etree.SubElement(etree.SubElement(bodies[-1], f"{A}p"), f"{A}r")
        etree.SubElement(run, f"{A}t").text = text


# --- plain texts --------------------------------------------------------------------------------


class Line(Piece):
    def __init__(self, lines: list[str | None], place: int) -> None:
        self._lines, self._place = lines, place
        self.number = place + 1
        heading = HEADING.match(self.text)
        self.level = len(heading[1]) if heading else 0

    @property
    def text(self) -> str:
        return self._lines[self._place] or ""

    def replace(self, changes: list[tuple[int, int, str]]) -> None:
        for start, end, new in reversed(changes):
            self._lines[self._place] = self.text[:start] + new + self.text[end:]

    def drop(self) -> None:
        self._lines[self._place] = None


class Plain(Prose):
    """A text file: md, txt, csv."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines: list[str | None] = [*path.read_text("utf-8").split("\n")]

    def pieces(self) -> Iterator[Piece]:
        yield from (Line(self._lines, place) for place in range(len(self._lines)))

    def append(self, text: str) -> None:
        self._lines[-1:] = [*([self._lines[-1]] if self._lines[-1] else []), text, ""]

    def save(self) -> None:
        kept = [line for line in self._lines if line is not None]
        self.path.write_text("\n".join(kept), "utf-8")


def opened(path: Path) -> Prose:
    """A file that holds prose, by its suffix."""
    kinds: dict[str, type[Document] | type[Deck]] = {".docx": Document, ".pptx": Deck}
    return kinds[path.suffix](path) if path.suffix in kinds else Plain(path)


# --- the edits ----------------------------------------------------------------------------------


def _meant(prose: Prose, edit: e.Passage) -> Iterator[Piece]:
    for piece in list(prose.pieces()):
        if piece.number == edit.para if edit.para else edit.has in piece.text:
            yield piece


def drop_paragraph(prose: Prose, edit: e.DropParagraph) -> Iterator[Change]:
    for piece in _meant(prose, edit):
        before = piece.text
        piece.drop()
        yield f"paragraph {piece.number}" if piece.number else "row", before, None


def drop_section(prose: Prose, edit: e.DropSection) -> Iterator[Change]:
    """Up to the next heading of the same or a higher level."""
    level = 0
    for piece in list(prose.pieces()):
        if level and piece.level and piece.level <= level:
            return
        if not level and piece.level and _is_heading(piece.text, edit.heading):
            level = piece.level
        if level:
            before = piece.text
            piece.drop()
            yield f"paragraph {piece.number}" if piece.number else "row", before, None


def _is_heading(text: str, heading: str) -> bool:
    return text.lstrip("# ").strip().casefold() == heading.casefold()


def replace_text(prose: Prose, edit: e.ReplaceText) -> Iterator[Change]:
    for piece in list(prose.pieces()):
        before = piece.text
        places = [found.start() for found in re.finditer(re.escape(edit.find), before)]
        if places:
            piece.replace([(at, at + len(edit.find), edit.put) for at in places])
            yield f"paragraph {piece.number}" if piece.number else "row", before, piece.text


def scale_figure(prose: Prose, edit: e.ScaleFigure) -> Iterator[Change]:
    for piece in _meant(prose, edit):
        before = piece.text
        figures = [found for found in FIGURE.finditer(before) if _scales(found[0])]
        piece.replace([(f.start(), f.end(), _scaled(f[0], edit.by)) for f in figures])
        yield f"paragraph {piece.number}" if piece.number else "row", before, piece.text


def _scales(figure: str) -> bool:
    """Not what may be a year, a day or a small count."""
    number = Decimal(figure.replace(",", ""))
    return "." in figure or "," in figure or number >= 2100 or 1000 <= number < 1900


def _scaled(figure: str, by: Decimal | int) -> str:
    decimals = len(figure.partition(".")[2])
    number = Decimal(figure.replace(",", "")) * by
    return f"{number:{',' if ',' in figure else ''}.{decimals}f}"


def add_text(prose: Prose, edit: e.AddText) -> Iterator[Change]:
    prose.append(edit.text)
    yield "end", None, edit.text


_BEFORE_BREAK = tuple(f"{W}{name}" for name in ("pStyle", "keepNext", "keepLines"))
"""What stands before a page break among a paragraph's settings."""


def break_pages(document: Document, edit: e.BreakPages) -> Iterator[Change]:
    for piece in document.pieces():
        if not piece.level or not isinstance(piece, XmlPiece):
            continue
        settings = piece.element.find(f"{W}pPr")
        if settings is None or settings.find(f"{W}pageBreakBefore") is not None:
            continue
        place = sum(one.tag in _BEFORE_BREAK for one in settings)
        settings.insert(place, etree.Element(f"{W}pageBreakBefore"))
        yield f"paragraph {piece.number}", piece.text, f"{piece.text}, on a new page"


def drop_slide(deck: Deck, edit: e.DropSlide) -> Iterator[Change]:
    entry, _ = deck.slide(edit.slide)
    deck.unlink(deck.main(), str(entry.get(f"{OFFICE}id")))
    remove(entry)
    yield f"slide {edit.slide}", "a slide", None


def hide_slide(deck: Deck, edit: e.HideSlide) -> Iterator[Change]:
    _, part = deck.slide(edit.slide)
    before = deck.root(part).get("show", "1")
    deck.root(part).set("show", "0")
    yield f"slide {edit.slide}", f"show={before}", "show=0"
