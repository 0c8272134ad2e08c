"""faults.yaml: wrong answers, as edits of the reference. Slips are rules or marks not seen."""

import math
from collections import Counter
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from authoring.biz_03_tender_takeoff.book import COUNT_HEADS, NAME, letter_of
from authoring.biz_03_tender_takeoff.inputs import TEXTS
from authoring.biz_03_tender_takeoff.letter import said
from authoring.biz_03_tender_takeoff.pile import SMALLER
from authoring.biz_03_tender_takeoff.symbols import EXISTING, KINDS, NEW, OTHERS, REMOVED
from authoring.biz_03_tender_takeoff.takeoff import (
    ADDED,
    ITEMS,
    Counts,
    Told,
    counts,
    measured,
    times,
)
from authoring.biz_03_tender_takeoff.world import Drawing, Run
from authoring.parts.faults import save_faults, worded_faults
from authoring.parts.numbers import cents

Edit = dict[str, Any]
MARKS = {"S2H": "S2", "S2W": "S2", "D4": "D2", "PE": "P", "DLE": "DL", "K2": "K1", "SB": "SD"}
"""What a symbol is taken for by who does not see its small mark."""
OLD_RULES = {"B2": 2.7, "B3": 1.2}


def _set(at: str, to: object) -> Edit:
    return {"set_cell": {"file": NAME, "at": at, "to": to}}


def _recalculated(edits: list[Edit]) -> list[Edit]:
    return [*edits, {"recalculate": {"file": NAME}}]


def recount(told: Told, other: Counts, many: Callable[[str, str], int]) -> list[Edit]:
    """The sheet Counts as another count has it."""
    rows = {key: row for row, key in enumerate(told.counts, 2)}
    gone = [row for key, row in rows.items() if key not in other]
    edits: list[Edit] = []
    if gone:
        edits.append({"drop_rows": {"file": NAME, "sheet": "Counts", "rows": gone}})
    free = len(rows) + 2
    for key, found in other.items():
        row = rows.get(key, 0)
        if not row:
            row, free = free, free + 1
            edits += [_set(f"Counts!A{row}", key[0]), _set(f"Counts!B{row}", key[1])]
        right = told.counts.get(key)
        if right is None or many(*key) != times(told.world, *key):
            edits.append(_set(f"Counts!C{row}", many(*key)))
        for kind in (*KINDS, REMOVED):
            if right is None or right[kind] != found[kind]:
                column = letter_of(COUNT_HEADS.index(kind))
                edits.append(_set(f"Counts!{column}{row}", found[kind]))
    return _recalculated(edits)


def _taken_for(found: Counts, marks: Mapping[str, str]) -> Counts:
    other: Counts = {}
    for key, some in found.items():
        other[key] = Counter()
        for kind, number in some.items():
            other[key][marks.get(kind, kind)] += number
    return other


def _without_line(drawing: Drawing) -> Drawing:
    return msgspec.structs.replace(drawing, own=(drawing.left, drawing.right))


def _superseded(told: Told) -> Counts:
    old = msgspec.structs.replace(
        told.world, laid={**told.world.laid, "power-0": told.world.before}
    )
    found = counts(old)
    return {
        key: found[key] if key[0] == "E-102" else some
        for key, some in told.counts.items()
        if key in found
    }


def _pencilled(told: Told) -> Counts:
    other = {key: Counter(some) for key, some in told.counts.items()}
    other["E-101", "G12"]["S2"] += 2
    return other


def recounts(told: Told) -> dict[str, list[Edit]]:
    world = told.world

    def right(drawing: str, room: str) -> int:
        return times(world, drawing, room)

    def as_on_lighting(drawing: str, room: str) -> int:
        return (
            times(world, "E-201", room)
            if room == "G04" and drawing == "E-101"
            else right(drawing, room)
        )

    others = {
        "small_marks_not_seen": _taken_for(told.counts, MARKS),
        "doubles_read_as_singles": _taken_for(told.counts, {"S2": "S1"}),
        "existing_counted": counts(world, (NEW, EXISTING)),
        "by_others_counted": counts(world, (NEW, OTHERS)),
        "removed_not_counted": {
            key: Counter({kind: n for kind, n in some.items() if kind != REMOVED})
            for key, some in told.counts.items()
        },
        "beyond_the_line_counted": counts(world, within=_without_line),
        "pencil_note_of_g12_counted": _pencilled(told),
        "exit_sign_of_g11_left_out": counts(world, added=False),
    }
    edits = {name: recount(told, other, right) for name, other in others.items()}
    edits["typical_rooms_once"] = recount(told, told.counts, lambda _, __: 1)
    edits["one_type_for_all_services"] = recount(told, told.counts, as_on_lighting)

    edits["superseded_sheet_counted"] = recount(told, _superseded(told), as_on_lighting)
    return edits


def _lengths(told: Told, length: Callable[[Run], Decimal]) -> list[Edit]:
    edits = []
    for row, run in enumerate(told.world.runs, 2):
        if length(run) != measured(run):
            edits.append(_set(f"Runs!B{row}", float(length(run))))
    return _recalculated(edits)


def _by_title(run: Run) -> Decimal:
    return cents(measured(run) * Decimal(str(SMALLER))) if run.floor else measured(run)


def _straight(run: Run) -> Decimal:
    return cents(Decimal(str(round(math.dist(run.path[0], run.path[-1]), 4))))


def _rounded(run: Run) -> Decimal:
    """To whole metres of five: an estimate by eye."""
    return Decimal(5 * round(float(measured(run)) / 5)) or measured(run)


def _settings(cells: Mapping[str, float]) -> list[Edit]:
    return _recalculated([_set(f"Settings!{at}", value) for at, value in cells.items()])


def written(told: Told) -> dict[str, list[Edit]]:
    """The edits of each slip."""
    found = recounts(told)
    found["scaled_by_the_title"] = _lengths(told, _by_title)
    found["straight_across"] = _lengths(told, _straight)
    found["lengths_by_eye"] = _lengths(told, _rounded)
    found["allowance_of_issue_4"] = _settings(OLD_RULES)
    found["sizes_of_issue_4"] = _settings({"B7": 15, "B8": 30})
    found["waste_of_issue_4"] = _settings({"B4": 0.05})
    found["mark_ups_of_issue_4"] = _settings({"B5": 0.05, "B6": 0.10})
    old = [_set(f"Rates!B{row}", float(told.old_rates[item])) for row, item in enumerate(ITEMS, 2)]
    found["rates_of_list_31"] = _recalculated(old)
    found["every_cable_line_qualified"] = _settings({"B9": 0})
    return found


def write_faults(told: Told, path: Path) -> None:
    places = said(told) | {"ex_row": str(list(told.counts).index(ADDED[:2]) + 2)}
    lines = {name: value.replace("\n", " ") for name, value in places.items()}
    faults = worded_faults(TEXTS / "faults.yaml", lines)
    for name, edits in written(told).items():
        faults[name]["edits"] = edits
    save_faults(faults, path)
