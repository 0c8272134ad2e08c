"""What is drawn: plans, drawings, symbols and runs, in metres."""

from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property

import msgspec

from authoring.biz_03_tender_takeoff.health_centre import (
    FIRST,
    GROUND,
    HALL,
    MATCH,
    Room,
)
from authoring.biz_03_tender_takeoff.ink import Point, length
from authoring.parts.dice import Dice

Box = tuple[float, float, float, float]


class Plan(msgspec.Struct, frozen=True):
    """One floor of one discipline; a drawing shows a part of it."""

    name: str
    rooms: tuple[Room, ...]
    metre: float
    """Millimetres of paper to the metre, before a sheet is printed smaller."""

    @property
    def right(self) -> float:
        return max(room.right for room in self.rooms)


class Drawing(msgspec.Struct, frozen=True):
    no: str
    title: str
    plan: str
    left: float
    right: float
    own: tuple[float, float]
    """From here to here it is this drawing's: up to the match line."""


class Symbol(msgspec.Struct, frozen=True):
    room: str
    kind: str
    status: str
    at: Point
    turn: int


class Run(msgspec.Struct, frozen=True):
    no: str
    what: str
    board: str
    floor: int
    path: tuple[Point, ...]
    height: Decimal

    @property
    def plan(self) -> float:
        """Metres along the plan."""
        return length(self.path)


class Tag(msgspec.Struct, frozen=True):
    """Words in a room: its label, or that it is typical."""

    room: Room
    at: Point
    lines: tuple[str, ...]


class Laid(msgspec.Struct, frozen=True):
    """A plan with all that stands on it."""

    plan: Plan
    symbols: tuple[Symbol, ...]
    tags: tuple[Tag, ...]


LOOSE = "G08"
"""A room that the revision takes out of its type, on the power plan only."""
CLOUDED = ("G08", "G10", "G18", "G20")
DRAWINGS = (
    Drawing("E-101", "Ground floor west, power and data", "power-0", 0, 28, (0, MATCH)),
    Drawing("E-102", "Ground floor east, power and data", "power-0", 22, 50, (MATCH, 50)),
    Drawing("E-103", "First floor, power and data", "power-1", 0, 30, (0, 30)),
    Drawing("E-201", "Ground floor west, lighting", "light-0", 0, 28, (0, MATCH)),
    Drawing("E-202", "Ground floor east, lighting", "light-0", 22, 50, (MATCH, 50)),
    Drawing("E-203", "First floor, lighting", "light-1", 0, 30, (0, 30)),
    Drawing("E-301", "Ground and first floor, fire alarm", "fire", 0, 50, (0, 50)),
)
HEIGHTS = ("0.45", "1.10", "1.20", "1.80", "2.40")
RUNS = (
    ("C01", "Records carousel", "DB-G", 0, (1.4, 10.45), 9.3, 4.7),
    ("C02", "Steriliser", "DB-G", 0, (1.6, 10.45), 17.0, 2.2),
    ("C03", "Interview room cooler", "DB-G", 0, (1.8, 10.45), 19.2, 15.1),
    ("C04", "Washer disinfector", "DB-G", 0, (2.0, 10.45), 23.6, 3.4),
    ("C05", "Minor ops pendant", "DB-G", 0, (2.2, 10.45), 35.2, 6.5),
    ("C06", "X-ray generator", "DB-G", 0, (2.4, 10.45), 36.4, 16.4),
    ("C07", "Dental chair", "DB-P", 0, (44.6, 7.95), 39.6, 16.2),
    ("C08", "Recovery bed head", "DB-P", 0, (44.4, 7.95), 40.3, 4.9),
    ("C09", "Phlebotomy fridge", "DB-P", 0, (44.2, 7.95), 30.7, 13.9),
    ("C10", "Server cabinet", "DB-F", 1, (26.9, 10.45), 26.2, 3.2),
    ("C11", "Staff room boiler", "DB-F", 1, (26.7, 10.45), 18.7, 2.6),
    ("C12", "Seminar projector", "DB-F", 1, (26.5, 10.45), 5.2, 14.4),
    ("C13", "Manager's cooler", "DB-F", 1, (26.3, 10.45), 18.3, 14.7),
)
EASTWARD = ("C02", "C03", "C05", "C08", "C09", "C10", "C12", "C13")
"""Whose last piece goes to the right."""
BOARDS = {"DB-G": (0, 1.1, 10.45, 2.7, 11.0), "DB-P": (0, 43.9, 7.4, 45.2, 7.95)}
BOARDS["DB-F"] = (1, 26.0, 10.45, 27.2, 11.0)


def cloud(room: Room) -> Box:
    """Where the cloud runs: off the walls, where nothing else stands."""
    gap = 0.7
    return room.left + gap, room.top + gap, room.right - gap, room.bottom - gap


def lay_runs(dice: Dice) -> tuple[Run, ...]:
    lanes = {"DB-G": (0, 1, 2, 3, 4, 5), "DB-P": (2, 3, 4), "DB-F": (4, 3, 2, 1)}
    used = {board: iter(some) for board, some in lanes.items()}
    found = []
    for no, what, board, floor, start, x, y in RUNS:
        lane = round(HALL[0] + 0.76 + 0.2 * next(used[board]), 2)
        x, y = round(x + dice.whole(-3, 3) / 10, 1), round(y + dice.whole(-4, 4) / 10, 1)
        aside = round(x + (0.9 if no in EASTWARD else -0.9), 1)
        path = (start, (start[0], lane), (x, lane), (x, y), (aside, y))
        found.append(Run(no, what, board, floor, path, Decimal(dice.pick(HEIGHTS))))
    return tuple(found)


def _plans() -> dict[str, Plan]:
    loose = [
        msgspec.structs.replace(room, kind="", drawn=True) if room.no == LOOSE else room
        for room in GROUND
    ]
    every = [msgspec.structs.replace(room, kind="", drawn=True) for room in (*GROUND, *FIRST)]
    return {
        "power-0": Plan("power-0", tuple(loose), 10),
        "power-1": Plan("power-1", FIRST, 10),
        "light-0": Plan("light-0", GROUND, 10),
        "light-1": Plan("light-1", FIRST, 10),
        "fire-0": Plan("fire-0", tuple(r for r in every if r.no[0] == "G"), 5),
        "fire-1": Plan("fire-1", tuple(r for r in every if r.no[0] == "F"), 5),
    }


PLANS = _plans()


def words(room: Room) -> tuple[str, ...]:
    """The label of a room; every second one of a type is handed."""
    if not room.kind:
        return room.no, room.name
    if room.drawn:
        return room.no, room.name, f"TYPE {room.kind}"
    handed = " handed" if int(room.no[1:]) % 2 else ""
    return room.no, room.name, f"TYP {room.kind}{handed}"


class World(msgspec.Struct, frozen=True, dict=True):
    laid: dict[str, Laid]
    before: Laid
    """The power plan of the ground floor before it was revised."""
    runs: tuple[Run, ...]

    @cached_property
    def rooms(self) -> dict[tuple[str, str], Room]:
        return {(d.no, r.no): r for d in DRAWINGS for r in self.of(d)}

    def plans(self, drawing: Drawing) -> tuple[Laid, ...]:
        names = ("fire-0", "fire-1") if drawing.plan == "fire" else (drawing.plan,)
        return tuple(self.laid[name] for name in names)

    def of(self, drawing: Drawing) -> Iterator[Room]:
        """The rooms that are taken off from this drawing: drawn out, and not beyond the line."""
        low, high = drawing.own
        for laid in self.plans(drawing):
            for room in laid.plan.rooms:
                if room.drawn and room.left < high and room.right > low:
                    yield room

    def symbols(self, drawing: Drawing) -> Iterator[Symbol]:
        low, high = drawing.own
        for laid in self.plans(drawing):
            yield from (one for one in laid.symbols if low <= one.at[0] <= high)
