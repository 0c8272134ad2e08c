"""What a pen does to a printed page: strikes, carets, words over the line, balloons, initials."""

from collections.abc import Sequence

import msgspec
from PIL import Image, ImageDraw, ImageFont

from authoring.law_02_conformed_copy.initials import WIDE, curve, initial
from authoring.law_02_conformed_copy.page import (
    RIGHT,
    Leaf,
    Stretch,
    face,
    stretches,
)
from authoring.law_02_conformed_copy.world import Change, Written
from authoring.parts.dice import Dice
from authoring.parts.picture import FINE, HANDS, Picture, Point

SIDES = {"left": (5.0, 35.0), "right": (176.0, 207.0)}
SCALE = FINE / 25.4


class Hand(msgspec.Struct, frozen=True):
    """Who writes on this counterpart."""

    style: str
    height: float
    grey: int


WRITERS = {"landlord": Hand("script", 5.8, 55), "tenant": Hand("round", 4.5, 62)}
PENCIL = 138


class Paper(Picture):
    """A page of the lease under a pen. `taken`: what the margins are used up with."""

    def __init__(self, leaf: Leaf, copy: str, dice: Dice, *seed: object) -> None:
        super().__init__(210, 297, *seed)
        self.leaf, self.copy, self.dice = leaf, copy, dice
        self.hand_ = WRITERS[copy]
        self.taken: dict[str, list[tuple[float, float]]] = {"left": [], "right": []}
        for piece in leaf.pieces:
            at = (piece.x * SCALE, piece.y * SCALE)
            font = face(piece.bold, piece.points)
            self._inks["print"].text(at, piece.text, font=font, fill=34, anchor="ls")
        for x, y, x2, y2 in leaf.rules:
            self.line([(x, y), (x2, y2)], 0.25, 90)

    def jitter(self, size: float) -> float:
        return size * self.dice.whole(-100, 100) / 100

    def free(self, first: Point, last: Point, ink: str = "pen", grey: int = 0) -> None:
        """A line by hand from here to there."""
        steps = max(2, round((last[0] - first[0]) / 9))
        points = []
        for n in range(steps + 1):
            t = n / steps
            x, y = (a + (b - a) * t for a, b in zip(first, last, strict=True))
            points.append((x, y + self.jitter(0.35)))
        width = 0.36 + abs(self.jitter(0.12))
        self.line(curve(points), width, grey or self.hand_.grey, ink)

    def write(self, at: Point, text: str, ink: str = "pen", grey: int = 0) -> float:
        """Words by hand, `at` the left end of their middle line; gives where they end."""
        font = ImageFont.truetype(HANDS[self.hand_.style], round(self.hand_.height * SCALE))
        x = at[0]
        for word in text.split(" "):
            slip = _slip(word, font, grey or self.hand_.grey).rotate(
                self.jitter(2.0), Image.Resampling.BICUBIC, expand=True, fillcolor=255
            )
            y = at[1] + self.jitter(0.3)
            self._onto(ink, slip, (round(x * SCALE), round(y * SCALE) - slip.height // 2))
            x += font.getlength(word + " ") / SCALE
        return x

    def long(self, text: str) -> float:
        font = ImageFont.truetype(HANDS[self.hand_.style], round(self.hand_.height * SCALE))
        return font.getlength(text) / SCALE

    def strike(self, lines: Sequence[Stretch], ink: str, grey: int) -> None:
        twice = self.dice.chance(40)
        for line in lines:
            for off in (-1.2, -0.4) if twice else (-0.9,):
                ends = (line.first - 0.4, line.y + off), (line.last + 0.2, line.y + off)
                self.free(*ends, ink, grey)

    def caret(self, x: float, y: float, ink: str, grey: int) -> None:
        points = [(x - 1.7, y + 2.4 + self.jitter(0.3)), (x, y - 0.6), (x + 1.5, y + 2.2)]
        self.line(points, 0.4, grey or self.hand_.grey, ink)

    def over(self, lines: Sequence[Stretch], change: Change, text: str) -> None:
        """Words in the space above, from where they belong; in a table there is more of it."""
        ink, grey = _ink(change)
        first = lines[0]
        x = min(first.first + 0.5, RIGHT - self.long(text))
        rise = 5.9 if change.ref[0] in "PR" else 5.0
        self.write((x, first.y - rise), text, ink, grey)

    def dots(self, lines: Sequence[Stretch]) -> None:
        for line in lines:
            x = line.first
            while x < line.last:
                y = line.y + 1.9 + self.jitter(0.15)
                self.line([(x, y), (x + 0.45, y)], 0.55, self.hand_.grey, "pen")
                x += 2.4 + self.jitter(0.3)

    def place(self, y: float, high: float, side: str = "") -> tuple[str, float]:
        """Room in a margin beside a line: which, and from where down."""
        sides = [side] if side else list(self.dice.shuffled(("left", "right")))
        tries = [
            (name, y - high / 2 - 1 + off) for off in (0, 4, -4, 8, -8, 12, -12) for name in sides
        ]
        for name, top in tries:
            if all(top + high < a or top > b for a, b in self.taken[name]):
                self.taken[name].append((top - 2, top + high + 2))
                return name, top
        raise AssertionError(("no room", self.copy, y, high))

    def cluster(self, marks: Sequence[str], time: str, y: float, side: str = "") -> None:
        """Initials in a margin beside line `y`, a time below them."""
        rows = self._rows(marks)
        high = 4.2 * len(rows) + (4.4 if time else 0)
        name, top = self.place(y - 1.5, high, side)
        low, _ = SIDES[name]
        for number, row in enumerate(rows):
            x = low + abs(self.jitter(7)) + (4 if len(row) == 1 else 0)
            for who in row:
                height = self.dice.whole(19, 24) / 10
                at = (x + self.jitter(0.4), top + 4.2 * number + 1 + self.jitter(0.5))
                initial(self, at, who, self.dice, height)
                x += height * WIDE * self.dice.whole(88, 112) / 100 + 0.3
        if time:
            self.write((low + 5 + self.jitter(3), top + high - 1.6), time)

    def _rows(self, marks: Sequence[str]) -> list[Sequence[str]]:
        if len(marks) > 3 or (len(marks) == 3 and self.dice.chance(45)):
            return [marks[:2], marks[2:]]
        return [marks] if marks else []

    def balloon(self, text: str, at: Stretch) -> None:
        """Words in the right margin, in a loop, with a line to a caret."""
        lines = self.wrapped(text, 27)
        step = 4.7
        name, top = self.place(at.y, step * len(lines) + 6, "right")
        for number, line in enumerate(lines):
            self.write((SIDES[name][0] + 1.5, top + 4.5 + step * number), line)
        foot = top + step * len(lines) + 4
        ring = [(175, top + 8), (178, top + 1), (192, top - 0.5), (206.5, top + 1.5)]
        ring += [(208, (top + foot) / 2), (206, foot), (190, foot + 1), (177, foot), (175, top + 8)]
        self.line(curve([(x, y + self.jitter(0.5)) for x, y in ring]), 0.35, self.hand_.grey, "pen")
        self.caret(at.first, at.y, "pen", 0)
        tail = [
            (at.first, at.y + 2),
            (at.first + 4, at.y + 3.6),
            (171, at.y + 2.9),
            (175, top + 10),
        ]
        self.line(curve(tail), 0.35, self.hand_.grey, "pen")

    def wrapped(self, text: str, wide: float) -> list[str]:
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            lines[-1:] = [longer] if self.long(longer) <= wide else [lines[-1], word]
        return lines

    def bracket(self, top: float, foot: float) -> None:
        """In the left margin, around several changes."""
        middle = (top + foot) / 2
        points = [(33.0, top), (35.3, top + 2), (35.0, middle - 2), (32.4, middle)]
        points = [(67.6 - x, y) for x, y in points]
        lower = [(x, 2 * middle - y) for x, y in points[::-1]]
        self.line(curve([(68.0 - x, y) for x, y in (*points, *lower[1:])]), 0.38, 56, "pen")


def _slip(word: str, font: ImageFont.FreeTypeFont, grey: int) -> Image.Image:
    box = font.getbbox(word)
    rise, fall = font.getmetrics()
    slip = Image.new("L", (round(box[2]) + 12, rise + fall + 8), 255)
    ImageDraw.Draw(slip).text((6, 4), word, font=font, fill=grey)
    return slip


def _ink(change: Change) -> tuple[str, int]:
    return ("pencil", PENCIL) if change.pencil else ("pen", 0)


def amend(paper: Paper, change: Change, written: Written) -> None:
    """One change, with its initials, onto its page."""
    ink, grey = _ink(change)
    lines = stretches(paper.leaf, change.ref)
    if change.printed:
        paper.strike(lines, ink, grey)
    if len(lines) > 2:
        paper.free((lines[0].first, lines[0].y - 4), (lines[-1].last, lines[-1].y + 2))
    balloon = len(written.to) > 40
    if balloon:
        paper.balloon(written.to, lines[0])
    elif written.to:
        if not change.printed:
            paper.caret(lines[0].first, lines[0].y, ink, grey)
        paper.over(lines, change, written.to)
    middle = (lines[0].y + lines[-1].y) / 2
    if change.stet is not None:
        paper.dots(lines)
        _stet(paper, change.stet, middle)
    if not change.joined:
        side = "left" if balloon or change.bracket or change.stet is not None else ""
        paper.cluster(written.marks, written.time, middle + (6 if change.bracket else 0), side)


def _stet(paper: Paper, marks: Sequence[str], y: float) -> None:
    rows = [marks[:2], marks[2:]] if len(marks) > 2 else [marks]
    high = 5.2 * len(rows) + 6
    name, top = paper.place(y, high, "right")
    low = SIDES[name][0]
    paper.write((low + 3, top + 2.5), "stet")
    for number, row in enumerate(rows):
        for n, who in enumerate(row):
            initial(paper, (low + 3 + 5.6 * n, top + 5.0 * number + 5.6), who, paper.dice, 2.3)
    ring = [(low, top + 6), (low + 6, top - 1.5), (low + 22, top), (low + 24, top + high * 0.6)]
    ring += [(low + 12, top + high + 2), (low + 1, top + high - 1), (low, top + 5)]
    paper.line(curve(ring), 0.32, paper.hand_.grey, "pen")
