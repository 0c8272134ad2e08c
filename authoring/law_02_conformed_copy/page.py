"""The lease as it is printed: each word has its place, so that a pen can find it."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec
from PIL import ImageFont

from authoring.parts.picture import FINE
from authoring.parts.scan import FONTS

PLAIN, STRONG = FONTS / "PTSerif-Regular.ttf", FONTS / "PTSerif-Bold.ttf"
LEFT, RIGHT, INDENT = 37.0, 173.0, 51.0
TOP, FOOT = 24.0, 275.0
LEADING = 7.0
POINTS = 11.0
TAG = re.compile(r"\[([A-Z]?[\d.]+):([^\]]*)\]")
COLUMNS = (LEFT, 51.0, 92.0)
ROW = 23.0
"""Least height of a row of the particulars; of a table of figures 14."""


class Piece(msgspec.Struct, frozen=True):
    """A word or a part of one. Lengths in mm; `y` is that of the base line."""

    text: str
    x: float
    y: float
    wide: float
    tag: str = ""
    bold: bool = False
    points: float = POINTS


class Leaf(msgspec.Struct, frozen=True):
    """One page: words, and ruled lines from (x, y) to (x, y)."""

    pieces: tuple[Piece, ...]
    rules: tuple[tuple[float, float, float, float], ...] = ()
    signed: tuple[tuple[str, float, float], ...] = ()
    """Whose signature stands where."""


class Stretch(msgspec.Struct, frozen=True):
    """Of a tagged text what stands on one line."""

    first: float
    last: float
    y: float


@lru_cache
def face(bold: bool, points: float) -> ImageFont.FreeTypeFont:
    size = round(points * FINE / 72)
    basic = ImageFont.Layout.BASIC
    return ImageFont.truetype(STRONG if bold else PLAIN, size, layout_engine=basic)


def length(text: str, bold: bool = False, points: float = POINTS) -> float:
    return face(bold, points).getlength(text) * 25.4 / FINE


def stretches(leaf: Leaf, tag: str) -> tuple[Stretch, ...]:
    """Where a tagged text stands, line by line; an insertion has no width."""
    found: dict[float, list[Piece]] = {}
    for piece in leaf.pieces:
        if piece.tag == tag:
            found.setdefault(piece.y, []).append(piece)
    return tuple(
        Stretch(line[0].x, line[-1].x + line[-1].wide, y) for y, line in sorted(found.items())
    )


def untagged(text: str) -> str:
    return TAG.sub(r"\2", text)


def tags(text: str) -> tuple[str, ...]:
    return tuple(found[1] for found in TAG.finditer(text))


def _words(text: str) -> Iterator[list[tuple[str, str]]]:
    """Words, each as its parts: text and tag."""
    word: list[tuple[str, str]] = []
    at = 0
    runs: list[tuple[str, str]] = []
    for found in TAG.finditer(text):
        runs += [(text[at : found.start()], ""), (found[2], found[1])]
        at = found.end()
    for run, tag in [*runs, (text[at:], "")]:
        first, *others = run.split(" ")
        if first or tag:
            word.append((first, tag))
        for other in others:
            if word:
                yield word
            word = [(other, tag)] if other else []
    if word:
        yield word


class Setter:
    """Sets one page, from its top down."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.rules: list[tuple[float, float, float, float]] = []
        self.signed: list[tuple[str, float, float]] = []
        self.y = TOP

    def put(
        self, text: str, x: float, y: float, bold: bool = False, points: float = POINTS
    ) -> None:
        wide = length(text, bold, points)
        self.pieces.append(Piece(text, x, y, wide, "", bold, points))

    def flow(self, text: str, left: float, right: float, y: float) -> float:
        """Words in lines between two edges; gives the base line of the last."""
        x = left
        for word in _words(text):
            wide = sum(length(part) for part, _ in word)
            if x > left and x + wide > right:
                x, y = left, y + LEADING
            for part, tag in word:
                self.pieces.append(Piece(part, x, y, length(part), tag))
                x += length(part)
            x += length(" ")
        return y

    def line(self, line: str) -> None:
        kind, _, rest = line.partition(" ")
        match kind:
            case "=" | "~":
                self._middle(rest, kind == "=")
            case "#" | "##":
                self._heading(rest, kind == "#")
            case "|":
                self._row([cell.strip() for cell in line.strip("| ").split(" | ")])
            case "!":
                self._sign(*rest.split(" | "))
            case _:
                self.y += LEADING + 2.0
                self.put(kind, LEFT, self.y)
                self.y = self.flow(rest, INDENT, RIGHT, self.y)

    def _middle(self, text: str, strong: bool) -> None:
        points = 15 if strong else POINTS
        self.y += 20 if strong else 12
        self.put(text, 105 - length(text, strong, points) / 2, self.y, strong, points)

    def _heading(self, text: str, top: bool) -> None:
        self.y += LEADING + 3
        if top:
            self._middle_at(text)
        else:
            self.put(text, LEFT, self.y, bold=True)

    def _middle_at(self, text: str) -> None:
        self.put(text, 105 - length(text, True, 13) / 2, self.y, True, 13)

    def _row(self, cells: Sequence[str]) -> None:
        figures = not cells[0].startswith("P")
        top = self.y + (5 if not self.rules else 0)
        columns = (INDENT, 80.0, 120.0) if figures else COLUMNS
        last = top
        for cell, left, right in zip(cells, columns, (*columns[1:], RIGHT), strict=True):
            last = max(last, self.flow(cell, left, right - 2, top + 9))
        self.y = max(last + 7, top + (16 if figures else ROW))
        self.rules += [(LEFT - 3, y, RIGHT + 1, y) for y in (top, self.y)]

    def _sign(self, text: str, who: str) -> None:
        self.y += LEADING + 8
        last = self.flow(text, LEFT, 105, self.y)
        self.rules.append((112, last + 4, RIGHT, last + 4))
        self.signed.append((who, 120, last - 3))
        self.y = last + 12

    def leaf(self) -> Leaf:
        return Leaf(tuple(self.pieces), tuple(self.rules), tuple(self.signed))


def typeset(text: str) -> tuple[Leaf, ...]:
    """The pages of a lease; `---` ends one."""
    leaves = []
    for number, page in enumerate(text.strip().split("\n---\n"), 1):
        setter = Setter()
        for line in page.splitlines():
            setter.line(line)
        assert setter.y < FOOT, (number, setter.y)
        if number > 1:
            setter.put(f"{number}", 105 - length(str(number)) / 2, 288.0)
        leaves.append(setter.leaf())
    return tuple(leaves)
