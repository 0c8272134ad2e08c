"""Symbols and labels put on a plan by dice, so that none hides another."""

from collections.abc import Iterable
from itertools import pairwise

from authoring.biz_03_tender_takeoff.health_centre import DEEP, HALL, MATCH, OVERLAP, Room
from authoring.biz_03_tender_takeoff.ink import Point
from authoring.biz_03_tender_takeoff.symbols import (
    EXISTING,
    NEW,
    ON_WALL,
    OTHERS,
    OUT,
    SHAPES,
    SIZE,
)
from authoring.biz_03_tender_takeoff.world import (
    BOARDS,
    CLOUDED,
    Box,
    Laid,
    Plan,
    Run,
    Symbol,
    Tag,
    cloud,
    words,
)
from authoring.parts.dice import Dice

OUTSIDE = ("Plant", "Kitchen", "Lobby", "Store", "Server")
"""Where weatherproof outlets stand."""


class Ground:
    """Free and taken places of one plan."""

    def __init__(self, plan: Plan, runs: Iterable[Run], dice: Dice) -> None:
        self.plan, self.dice = plan, dice
        self.taken: list[Box] = []
        self.symbols: list[Symbol] = []
        self.tags: list[Tag] = []
        for room in plan.rooms:
            if not room.hall:
                self._door(room)
        for room in plan.rooms if plan.name == "power-0" else ():
            if room.no in CLOUDED:
                self._cloud(room)
        if plan.metre == 10 and plan.right == 50:
            for edge in (MATCH - OVERLAP, MATCH, MATCH + OVERLAP):
                self.taken.append((edge - 0.35, 0, edge + 0.35, DEEP))
        for run in runs:
            self._along(run)
        self._boards()

    def _boards(self) -> None:
        for floor, left, top, right, bottom in BOARDS.values():
            if self.plan.name == f"power-{floor}":
                self.taken.append((left - 0.2, top - 0.2, right + 0.2, bottom + 0.2))

    def _door(self, room: Room) -> None:
        wall = HALL[0] if room.upper else HALL[1]
        ends = (wall - 1.0, wall + 0.6) if room.upper else (wall - 0.6, wall + 1.0)
        self.taken.append((room.door - 0.1, ends[0], room.door + 1.0, ends[1]))

    def _cloud(self, room: Room) -> None:
        left, top, right, bottom = cloud(room)
        for x in (left, right):
            self.taken.append((x - 0.14, top, x + 0.14, bottom))
        for y in (top, bottom):
            self.taken.append((left, y - 0.14, right, y + 0.14))
        self.taken.append((right - 0.75, top, right, top + 0.8))

    def _along(self, run: Run) -> None:
        for a, b in pairwise(run.path):
            low = (min(a[0], b[0]) - 0.12, min(a[1], b[1]) - 0.12)
            self.taken.append((*low, max(a[0], b[0]) + 0.12, max(a[1], b[1]) + 0.12))
        x, y = run.path[-1]
        self.taken.append((x - 1.2, y - 0.75, x + 1.2, y + 0.45))

    def free(self, wanted: Box) -> bool:
        a, b, c, d = wanted
        return all(
            a >= right or c <= left or b >= low or d <= top for left, top, right, low in self.taken
        )

    def label(self, room: Room) -> None:
        lines = words(room)
        big = 10 / self.plan.metre
        half = 1.0 if big == 1 else 1.3
        if room.hall:
            self._hall_labels(room, big)
            return
        deep = 0.18 * len(lines) * big + 0.05
        for _ in range(600):
            x = self.dice.whole(*_hundredths(room.left + half + 0.1, room.right - half - 0.1)) / 100
            low, high = room.top + deep + 0.3, room.bottom - deep - 0.3
            y = self.dice.whole(*_hundredths(low, high)) / 100
            at = (x - half, y - deep, x + half, y + deep)
            if self.free(at):
                self.taken.append(at)
                self.tags.append(Tag(room, (x, y), lines))
                return
        raise AssertionError(f"no place for the label of {room.no}")

    def _hall_labels(self, room: Room, big: float) -> None:
        """One for each half, beside the lanes of the runs."""
        y = 8.36 if big == 1 else 9.2
        for low, high in ((3.0, 19.0), (30.0, 46.0))[: 2 if room.right > 30 else 1]:
            x = self.dice.whole(*_hundredths(low, high)) / 100
            self.taken.append((x - 1.3 * big, y - 0.2 * big, x + 1.3 * big, y + 0.2 * big))
            self.tags.append(Tag(room, (x, y), (f"{room.no} {room.name}",)))

    def put(self, room: Room, kind: str, status: str, at: Point | None = None) -> bool:
        """Somewhere in the room, or at the point, unless that is taken."""
        for _ in range(1 if at else 300):
            place, turn = (at, 0) if at else self._somewhere(room, kind)
            wanted = self.box(kind, place, turn, status)
            if wanted and self.free(wanted):
                self.taken.append(wanted)
                self.symbols.append(Symbol(room.no, kind, status, place, turn))
                return True
        return False

    def _somewhere(self, room: Room, kind: str) -> tuple[Point, int]:
        wide, deep = room.right - room.left, room.bottom - room.top
        share = self.dice.below(1000) / 1000
        if kind not in ON_WALL:
            x = room.left + wide * (0.15 + 0.7 * share)
            return (round(x, 2), round(room.top + deep * self.dice.whole(25, 75) / 100, 2)), 0
        wall = self.dice.below(2) * 2 if room.hall else self.dice.below(4)
        if wall in (0, 2):
            x = room.left + 0.3 + (wide - 0.6) * share
            return (round(x, 2), room.top if wall == 0 else room.bottom), 90 * wall
        y = room.top + 0.3 + (deep - 0.6) * share
        return (room.right if wall == 1 else room.left, round(y, 2)), 90 * wall

    def box(self, kind: str, at: Point, turn: int, status: str) -> Box:
        left, top, right, bottom = SHAPES[kind].extent
        if status == OUT:
            x, y = (left + right) / 2, (top + bottom) / 2
            left, right = min(left, x - 3.4), max(right, x + 3.4)
            top, bottom = min(top, y - 3.4), max(bottom, y + 3.4)
        if status == OTHERS:
            left, top, right, bottom = left - 0.9, top - 0.7, right + 0.9, bottom + 0.9
        corners = {
            0: (left, top, right, bottom),
            90: (-bottom, left, -top, right),
            180: (-right, -bottom, -left, -top),
            270: (top, -right, bottom, -left),
        }[turn]
        size, gap = self.plan.metre / SIZE, 0.8
        a, b, c, d = corners
        return (
            at[0] + (a - gap) / size,
            at[1] + (b - gap) / size,
            at[0] + (c + gap) / size,
            at[1] + (d + gap) / size,
        )

    def laid(self) -> Laid:
        return Laid(self.plan, tuple(self.symbols), tuple(self.tags))


def _status(dice: Dice) -> str:
    roll = dice.below(100)
    return EXISTING if roll < 9 else OUT if roll < 16 else OTHERS if roll < 22 else NEW


def _power(ground: Ground, room: Room) -> None:
    dice = ground.dice
    kinds = ["S1"] * 4 + ["S2"] * 4 + ["S2H"] * 4 + ["FCU"] * 2 + ["D2"] * 3 + ["D4"] * 3
    kinds += ["S2W"] * (11 if room.name in OUTSIDE else 0)
    if room.hall:
        kinds = ["S1"] * 3 + ["S2"] * 3 + ["FCU", "D2"]
    wide = room.right - room.left
    number = round(wide * 0.28) if room.hall else round(2.6 + 0.7 * wide) + dice.below(2)
    for _ in range(number):
        ground.put(room, dice.pick(kinds), _status(dice))


def _light(ground: Ground, room: Room) -> None:
    dice = ground.dice
    wide = room.right - room.left
    if room.hall:
        places = [(1.3 + 2.6 * n, 9.2) for n in range(int(wide / 2.6))]
    else:
        across = max(1, round(wide / 2.5)) if wide != 4 else 2
        columns = [round(room.left + wide * (n + 0.5) / across, 2) for n in range(across)]
        if _cut(room):
            columns = [22.95, 24.1, 26.3]
        first = room.top + (1.8 if room.upper else 2.3)
        rows = 2 if dice.chance(65) else 3
        step = 3.6 if rows == 2 else 2.2
        places = [(x, round(first + step * row, 2)) for row in range(rows) for x in columns]
    plain = "DL" if room.hall or dice.chance(40) else "P"
    for at in places:
        kind = {"P": "DL", "DL": "P"}[plain] if dice.chance(16) else plain
        kind += "E" if dice.chance(34) else ""
        status = _status(dice)
        if status == OUT and kind[0] == "P":
            status = NEW
        ground.put(room, kind, status, at)
    for _ in range(round(wide / 7) if room.hall else 1 + dice.below(2)):
        ground.put(room, dice.pick(("K1", "K2")), _status(dice))
    if room.hall or dice.chance(45):
        for _ in range(round(wide / 10) if room.hall else 1):
            ground.put(room, "EX", _status(dice))


def _fire(ground: Ground, room: Room) -> None:
    dice = ground.dice
    number = round((room.right - room.left) / 6) if room.hall else 1 + dice.below(3)
    kinds = ["SD"] * 4 + ["SB"] * 3 + ["HD"] * 3
    for _ in range(number):
        ground.put(room, dice.pick(kinds), _status(dice))
    if dice.chance(30) or room.hall:
        for _ in range(round((room.right - room.left) / 12) if room.hall else 1):
            ground.put(room, "MCP", _status(dice))


def _hundredths(low: float, high: float) -> tuple[int, int]:
    return round(100 * low), round(100 * high)


FILL = {"power": _power, "light": _light, "fire": _fire}


def lay(plan: Plan, runs: Iterable[Run], dice: Dice) -> Laid:
    ground = Ground(plan, runs, dice)
    for room in plan.rooms:
        if plan.name.startswith("light") and not room.hall:
            _aside(ground, room)
        else:
            ground.label(room)
    for room in plan.rooms:
        if room.drawn:
            FILL[plan.name.partition("-")[0]](ground, room)
    return ground.laid()


def _cut(room: Room) -> bool:
    """By the match line."""
    return room.no[0] == "G" and room.left < MATCH < room.right


def _aside(ground: Ground, room: Room) -> None:
    """Between the rows of lights."""
    lines = words(room)
    x = (room.left + room.right) / 2
    if _cut(room):
        x = room.left + 2
    y = room.top + (3.6 if room.upper else 4.1)
    deep = 0.18 * len(lines) + 0.05
    ground.taken.append((x - 1.05, y - deep, x + 1.05, y + deep))
    ground.tags.append(Tag(room, (x, y), lines))
