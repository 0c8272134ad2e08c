"""What stands on every drawing: frame, title block, revisions, parts list, balloons, dimensions."""

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from authoring.stem_01_drawing_bom.pen import HEIGHT, WIDTH, Pen, Point

GENERAL_MM = (
    "Dimensions without tolerance: over 0 to 6 ±0.1, over 6 to 30 ±0.2,",
    "over 30 to 120 ±0.3, over 120 to 400 ±0.5, over 400 to 1000 ±0.8",
)
GENERAL_IN = (
    "UNLESS OTHERWISE SPECIFIED DIMENSIONS ARE IN INCHES",
    "TOLERANCES: .XX ±.010   .XXX ±.005   ANGLES ±1/2°",
)


class Title(msgspec.Struct, frozen=True, kw_only=True):
    """A title block."""

    company: str
    name: str
    number: str
    rev: str
    day: str
    drawn: str
    material: str = "see parts list"
    mass: str = "-"
    scale: str = "NTS"
    """Not to scale: the views are sketches, the figures count."""
    general: tuple[str, str] = GENERAL_MM
    changes: tuple[tuple[str, str, str], ...] = ()
    """Revision, day, what changed."""
    notes: tuple[str, ...] = ()
    stamp: str = ""


def frame(pen: Pen, title: Title) -> None:
    pen.box((8, 8), (WIDTH - 8, HEIGHT - 8), 0.6)
    _block(pen, title)
    _changes(pen, title.changes)
    for number, note in enumerate(title.notes):
        pen.text((13, 40 - 4.6 * number), note, 7)
    if title.notes:
        pen.text((13, 45), "Notes", 7.5, True)
    if title.stamp:
        pen.box((96, 186), (204, 198), 0.8)
        pen.text((99, 190), title.stamp, 11, True)


def _block(pen: Pen, title: Title) -> None:
    left, right = 172.0, WIDTH - 8
    pen.box((left, 8), (right, 48), 0.5)
    for height in (16, 24, 32, 40):
        pen.line((left, height), (right, height))
    pen.line((228, 8), (228, 32))
    pen.line((262, 8), (262, 24))
    pen.text((left + 2, 43), title.general[0], 5.4)
    pen.text((left + 2, 40.8), title.general[1], 5.4)
    pen.text((left + 2, 34.5), title.company, 8, True)
    pen.text((left + 2, 26.5), f"Material  {title.material}", 7)
    pen.text((230, 26.5), f"Mass  {title.mass}", 7)
    pen.text((left + 2, 18.5), title.name, 9, True)
    pen.text((230, 18.5), f"Date  {title.day}", 6.5)
    pen.text((264, 18.5), f"Scale  {title.scale}", 6.5)
    pen.text((left + 2, 10.5), f"Drawn  {title.drawn}", 6.5)
    pen.text((230, 10.5), title.number, 9, True)
    pen.text((264, 10.5), f"Rev  {title.rev}", 9, True)


def _changes(pen: Pen, changes: Sequence[tuple[str, str, str]]) -> None:
    top, left = HEIGHT - 8.0, 208.0
    pen.box((left, top - 5 * (len(changes) + 1)), (WIDTH - 8, top))
    pen.text((left + 1.5, top - 3.6), "Rev   Date             Change", 6, True)
    for number, (rev, day, what) in enumerate(changes, 1):
        height = top - 5 * number
        pen.line((left, height), (WIDTH - 8, height), 0.15)
        pen.text((left + 1.5, height - 3.6), rev, 6)
        pen.text((left + 8, height - 3.6), day, 6)
        pen.text((left + 24, height - 3.6), what, 5.6)


COLUMNS = (172.0, 180.0, 196.0, 220.0, 258.0, 281.0, 289.0)
HEADS = ("Item", "Qty", "Part number", "Description", "Material", "Key")


def parts_list(pen: Pen, rows: Sequence[Sequence[str]]) -> None:
    """Above the title block, item 1 at the bottom as is usual."""
    top = 48 + 5.4 * (len(rows) + 1)
    pen.box((COLUMNS[0], 48), (COLUMNS[-1], top), 0.4)
    for column in COLUMNS[1:-1]:
        pen.line((column, 48), (column, top), 0.15)
    for number, row in enumerate((*rows, HEADS)):
        height = 48 + 5.4 * number
        pen.line((COLUMNS[0], height), (COLUMNS[-1], height), 0.15)
        for column, cell in zip(COLUMNS[:-1], row, strict=True):
            pen.text((column + 1, height + 1.7), cell, 5.6, row is HEADS)


def balloon(pen: Pen, item: int, at: Point, to: Point) -> None:
    """A circle with the item's number, a leader to the part."""
    pen.circle(at, 4, 0.35)
    pen.text((at[0] - (1.3 if item < 10 else 2.4), at[1] - 1.2), str(item), 8)
    pen.line((at[0], at[1] - 4 if to[1] < at[1] else at[1] + 4), to, 0.2)
    pen.circle(to, 0.5, 0.4)


def across(pen: Pen, a: Point, length: float, text: str, drop: float) -> None:
    """A horizontal dimension below (drop < 0) or above a feature that begins at `a`."""
    level = a[1] + drop
    b = (a[0] + length, a[1])
    pen.line(a, (a[0], level), 0.15)
    pen.line(b, (b[0], level), 0.15)
    pen.line((a[0], level), (b[0], level), 0.2)
    for end, side in ((a[0], 1), (b[0], -1)):
        pen.line((end, level), (end + 2 * side, level + 0.7), 0.2)
        pen.line((end, level), (end + 2 * side, level - 0.7), 0.2)
    pen.text((a[0] + length / 2 - 0.95 * len(text), level + 1.2), text, 7.5)


def leader(pen: Pen, at: Point, to: Point, text: str) -> None:
    """A text with a line from its left end to a feature."""
    pen.line(at, to, 0.2)
    pen.circle(to, 0.5, 0.4)
    pen.text((at[0] + 1, at[1] + 0.6), text, 7.5)


def bubble(pen: Pen, code: str, at: Point) -> None:
    """The number of a characteristic, in a flat hexagon."""
    x, y = at
    ring = ((-6, 0), (-4, 2.8), (4, 2.8), (6, 0), (4, -2.8), (-4, -2.8), (-6, 0))
    for (ax, ay), (bx, by) in pairwise(ring):
        pen.line((x + ax, y + ay), (x + bx, y + by), 0.3)
    pen.text((x - 3, y - 1.1), code, 7.5, True)
