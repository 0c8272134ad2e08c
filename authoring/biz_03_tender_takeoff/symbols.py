"""What stands for what: the symbols of the tender's legend, and what marks one as not new."""

import math
from collections.abc import Iterable

import msgspec

from authoring.biz_03_tender_takeoff.ink import Point, Sheet, arc, box

POWER = ("S1", "S2", "S2H", "S2W", "FCU", "D2", "D4")
LIGHTING = ("P", "PE", "DL", "DLE", "EX", "K1", "K2")
FIRE = ("SD", "SB", "HD", "MCP")
KINDS = (*POWER, *LIGHTING, *FIRE)
REMOVED = "RM"
"""The bill's line for what is taken out, of whatever kind."""
WHAT = {
    "S1": "Socket outlet, single",
    "S2": "Socket outlet, double",
    "S2H": "Socket outlet, double, at worktop height",
    "S2W": "Socket outlet, double, weatherproof",
    "FCU": "Fused connection unit",
    "D2": "Data outlet, two ports",
    "D4": "Data outlet, four ports",
    "P": "Luminaire, recessed panel",
    "PE": "Luminaire, recessed panel, with emergency pack",
    "DL": "Luminaire, downlight",
    "DLE": "Luminaire, downlight, with emergency pack",
    "EX": "Exit sign, self-contained",
    "K1": "Switch, one-way",
    "K2": "Switch, two-way",
    "SD": "Smoke detector",
    "SB": "Smoke detector with sounder base",
    "HD": "Heat detector",
    "MCP": "Manual call point",
}
ON_WALL = (*POWER, "EX", "K1", "K2", "MCP")
NEW, EXISTING, OUT, OTHERS = "new", "existing", "out", "others"


SIZE = 0.66
"""Of the symbols as drawn below, on paper."""
LETTERS = 1.25


class Shape(msgspec.Struct, frozen=True):
    """Strokes in millimetres round the point of the symbol; y points into the room."""

    lines: tuple[tuple[Point, ...], ...]
    fills: tuple[tuple[Point, ...], ...] = ()
    letters: tuple[tuple[Point, str], ...] = ()
    """Upright whichever way the symbol is turned; their places turn with it."""
    extent: tuple[float, float, float, float] = (-2.2, -2.2, 2.2, 2.2)


def strokes(lines: Iterable[Iterable[Point]]) -> tuple[tuple[Point, ...], ...]:
    return tuple(tuple(line) for line in lines)


def _socket(ticks: int, mark: str = "") -> Shape:
    lines: list[list[Point]] = [
        arc((0, 0.4), 1.7, 0, 180),
        [(-1.7, 0.4), (1.7, 0.4)],
        [(0, 2.1), (0, 4.7)],
    ]
    for y in (3.3,) if ticks == 1 else (2.95, 3.95):
        lines.append([(-1.05, y - 0.35), (1.05, y + 0.35)])
    right = 1.9 if not mark else 4.6
    letters = (((3.1, 2.9), mark),) if mark else ()
    return Shape(strokes(lines), letters=letters, extent=(-2.0, 0.0, right, 4.9))


def _data(bar: bool) -> Shape:
    lines: list[list[Point]] = [[(-1.9, 0.4), (1.9, 0.4), (0, 3.8), (-1.9, 0.4)]]
    if bar:
        lines.append([(-1.3, 4.5), (1.3, 4.5)])
    return Shape(strokes(lines), extent=(-2.0, 0.0, 2.0, 4.7))


def _panel(pack: bool) -> Shape:
    lines: list[list[Point]] = [
        box(-2.9, -2.9, 2.9, 2.9),
        [(-2.9, -2.9), (2.9, 2.9)],
        [(-2.9, 2.9), (2.9, -2.9)],
    ]
    fills = (tuple(arc((0, 0), 0.72, 0, 360)),) if pack else ()
    return Shape(strokes(lines), fills, extent=(-2.9, -2.9, 2.9, 2.9))


def _downlight(pack: bool) -> Shape:
    lines: list[list[Point]] = [
        arc((0, 0), 1.75, 0, 360, 32),
        [(-1.75, 0), (1.75, 0)],
        [(0, -1.75), (0, 1.75)],
    ]
    fills = (tuple(arc((0, 0), 0.68, 0, 360)),) if pack else ()
    return Shape(strokes(lines), fills, extent=(-1.8, -1.8, 1.8, 1.8))


def _switch(flags: int) -> Shape:
    lean = math.radians(58)
    along, aside = (math.cos(lean), math.sin(lean)), (math.sin(lean), -math.cos(lean))
    lines: list[list[Point]] = [[(0, 0.9), (4.0 * along[0], 0.9 + 4.0 * along[1])]]
    for far in (4.0, 3.0)[:flags]:
        foot = (far * along[0], 0.9 + far * along[1])
        lines.append([foot, (foot[0] + 1.45 * aside[0], foot[1] + 1.45 * aside[1])])
    fills = (tuple(arc((0, 0.9), 0.68, 0, 360)),)
    return Shape(strokes(lines), fills, extent=(-0.8, 0.0, 3.6, 4.5))


def _detector(letter: str, ring: bool = False) -> Shape:
    lines: list[list[Point]] = [arc((0, 0), 1.95, 0, 360, 32)]
    if ring:
        lines.append(arc((0, 0), 2.6, 0, 360, 32))
    wide = 2.7 if ring else 2.0
    extent = (-wide, -wide, wide, wide)
    return Shape(strokes(lines), letters=(((0, 0), letter),), extent=extent)


def _exit() -> Shape:
    lines: list[list[Point]] = [
        box(-3, 0.4, 3, 3),
        [(-2, 1.7), (2, 1.7)],
        [(1.1, 1.0), (2, 1.7), (1.1, 2.4)],
    ]
    return Shape(strokes(lines), extent=(-3, 0.4, 3, 3))


def _unit() -> Shape:
    lines: list[list[Point]] = [box(-1.6, 0.4, 1.6, 3.6), [(-1.6, 3.6), (1.6, 0.4)]]
    return Shape(strokes(lines), extent=(-1.6, 0.4, 1.6, 3.6))


def _call_point() -> Shape:
    fills = (tuple(arc((0, 2.1), 0.75, 0, 360)),)
    return Shape((tuple(box(-1.7, 0.4, 1.7, 3.8)),), fills, extent=(-1.7, 0.4, 1.7, 3.8))


SHAPES = {
    "S1": _socket(1),
    "S2": _socket(2),
    "S2H": _socket(2, "H"),
    "S2W": _socket(2, "WP"),
    "FCU": _unit(),
    "D2": _data(bar=False),
    "D4": _data(bar=True),
    "P": _panel(pack=False),
    "PE": _panel(pack=True),
    "DL": _downlight(pack=False),
    "DLE": _downlight(pack=True),
    "EX": _exit(),
    "K1": _switch(1),
    "K2": _switch(2),
    "SD": _detector("S"),
    "SB": _detector("S", ring=True),
    "HD": _detector("H"),
    "MCP": _call_point(),
}


def put(sheet: Sheet, kind: str, status: str, at: Point, turn: int) -> None:
    """`at` in millimetres; `turn` in degrees: 0 looks down the sheet, as from an upper wall."""
    shape = SHAPES[kind]

    def placed(point: Point) -> Point:
        c, s = SIZE * math.cos(math.radians(turn)), SIZE * math.sin(math.radians(turn))
        return at[0] + point[0] * c - point[1] * s, at[1] + point[0] * s + point[1] * c

    dashes = "dashed" if status == EXISTING else "solid"
    for line in shape.lines:
        sheet.line([placed(point) for point in line], 0.24, dashes)
    for area in shape.fills:
        sheet.fill([placed(point) for point in area])
    for place, words in shape.letters:
        sheet.text(placed(place), words, LETTERS, anchor="mm")
    left, top, right, bottom = shape.extent
    if status == OUT:
        middle, half = ((left + right) / 2, (top + bottom) / 2), 3.3
        for way in (-1, 1):
            ends = [(middle[0] - half, middle[1] - half * way)]
            ends += [(middle[0] + half, middle[1] + half * way)]
            sheet.line([placed(point) for point in ends], 0.3)
    if status == OTHERS:
        around = box(left - 0.9, top - 0.7, right + 0.9, bottom + 0.9)
        sheet.line([placed(point) for point in around], 0.22)
