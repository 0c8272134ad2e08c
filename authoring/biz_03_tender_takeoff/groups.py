"""Which rooms and runs each item of the rubric asks about, and expected/*.csv."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from authoring.biz_03_tender_takeoff.symbols import KINDS, REMOVED
from authoring.biz_03_tender_takeoff.takeoff import ITEMS, Key, Told, own
from authoring.biz_03_tender_takeoff.world import Run
from authoring.parts.expected import Value, write_expected

UPPER, LOWER, WHOLE = "upper", "lower", "whole"
SPLIT: tuple[tuple[str, str], ...] = (
    ("E-101", UPPER),
    ("E-101", LOWER),
    ("E-102", UPPER),
    ("E-102", LOWER),
    ("E-103", WHOLE),
    ("E-201", UPPER),
    ("E-201", LOWER),
    ("E-202", UPPER),
    ("E-202", LOWER),
    ("E-203", WHOLE),
    ("E-301", WHOLE),
)
PLACE = {
    UPPER: "the corridor and the rooms above it",
    LOWER: "the rooms below the corridor",
    WHOLE: "all rooms",
}


def group(told: Told, drawing: str, part: str) -> list[Key]:
    return [key for key in told.counts if key[0] == drawing and part in (WHOLE, _part(told, key))]


def _part(told: Told, key: Key) -> str:
    room = told.world.rooms[key]
    return UPPER if room.hall or room.upper else LOWER


def cells(told: Told, keys: Iterable[Key]) -> list[dict[str, object]]:
    """A want for each kind that the drawing may show, 0 too."""
    return [
        {
            "find": {"drawing": key[0], "room": key[1]},
            "column": field(kind),
            "equals": told.counts[key][kind],
        }
        for key in keys
        for kind in (*own(key[0]), REMOVED)
    ]


def field(kind: str) -> str:
    return f"n_{kind.lower()}"


def shown(told: Told, key: Key) -> str:
    """`G02: S1 1, S2 3, RM 1`."""
    some = told.counts[key]
    found = [f"{kind} {some[kind]}" for kind in (*KINDS, REMOVED) if some[kind]]
    return f"{key[1]}: {', '.join(found) or 'nothing'}"


def floor(told: Told, no: int) -> list[Run]:
    return [run for run in told.world.runs if run.floor == no]


def write_tables(told: Told, folder: Path) -> None:
    rooms: list[Mapping[str, Value]] = [{"drawing": d, "room": r} for d, r in told.counts]
    write_expected(folder / "rooms.csv", rooms, ("drawing", "room"))
    rates: list[Mapping[str, Value]] = [{"item": item, "rate": told.rates[item]} for item in ITEMS]
    write_expected(folder / "rates.csv", rates, ("item",))
