"""What comes out when Inputs are overwritten: the rubric's what-ifs."""

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import msgspec
from msgspec.structs import replace

from authoring.med_02_chemotherapy_release.book import last_of
from authoring.med_02_chemotherapy_release.papers import mg
from authoring.med_02_chemotherapy_release.rules import FIRST_WINDOW, RIGHT, Rules
from authoring.med_02_chemotherapy_release.sheet import serial
from authoring.med_02_chemotherapy_release.story import Story, tell
from authoring.med_02_chemotherapy_release.world import World
from authoring.parts.invariants import invariant
from authoring.parts.numbers import money

D = Decimal
MOVED = datetime(2026, 3, 11, 8, 0)  # noqa: DTZ001 - local time
LATER = datetime(2026, 3, 11, 9, 30)  # noqa: DTZ001 - local time
LIGHTER, ENOUGH = D("73.5"), D("1.5")


class Supposed(msgspec.Struct, frozen=True):
    what_ifs: dict[str, dict[str, Any]]
    facts: dict[str, str]


def _started(drawn: World, at: datetime) -> World:
    moved = replace(drawn.patients["D05"], start=at)
    return replace(drawn, patients=drawn.patients | {"D05": moved})


def _then(sheet: str, column: str, value: object, **find: object) -> dict[str, Any]:
    told = {"sheet": sheet, "find": find, "column": column, "equals": value}
    return told if isinstance(value, str) else told | {"tol": D("0.005")}


def _cost(told: Story) -> dict[str, Any]:
    value = told.totals["Cost of vials"]
    return {"sheet": "Summary", "label": "cost_label", "equals": value, "tol": D("0.005")}


def _label(told: Story, label: str, name: str) -> dict[str, Any]:
    return {"sheet": "Summary", "label": name, "equals": told.totals[label]}


def _line(told: Story, key: str, drug: str) -> dict[str, Any]:
    one = told.dose(key, drug)
    return _then("Lines", "dose", one.dose, line=one.line.no)


def _batch(told: Story, day: date, drug: str) -> dict[str, Any]:
    one = next(o for o in told.found.batches if (o.day, o.drug) == (day, drug))
    return _then("Vials", "amount", one.amount, batch_day=day, drug=drug)


def _moved(told: Story) -> tuple[Story, dict[str, Any]]:
    """D05 on Wednesday at eight: a birthday, a clearance below 60, two batch days."""
    rules = Rules(off=D(14), whole=D("0.03"))
    new = tell(_started(told.world, MOVED), rules, told.ordered)
    invariant(new.dose("D05", "cisplatin").why == "organ", "a year older, D05 gets 75 %")
    then = [
        _then("Patients", "clearance", new.found.readings["D05"].clearance, patient="D05"),
        _line(new, "D05", "cisplatin"),
        _batch(new, date(2026, 3, 10), "cisplatin"),
        _batch(new, date(2026, 3, 11), "etoposide"),
        _line(new, "D03", "carboplatin"),
        _line(new, "D16", "cyclophosphamide"),
        _cost(new),
    ]
    typed = {"Inputs!B2": _day(MOVED), "Inputs!B3": 14, "Inputs!B8": D("0.03")}
    return new, {"set": typed, "then": then}


def _later(told: Story) -> tuple[Story, dict[str, Any]]:
    """D05 at half past nine: the sample is too old; D11 is enough; D18 is corrected."""
    count = last_of(told, "D11", "NEUT")
    drawn = _started(told.world, LATER)
    results = tuple(replace(o, value=ENOUGH) if o == count else o for o in drawn.results)
    new = tell(replace(drawn, results=results), Rules(until=FIRST_WINDOW), told.ordered)
    invariant(new.found.readings["D05"].code == "C2", "D05 waits for blood")
    invariant(new.released("D11"), "D11 goes")
    then = [
        _then("Patients", "code", "C2", patient="D05"),
        _label(new, "Treatments released", "released_label"),
        _label(new, "Lines changed", "changed_label"),
        _line(new, "D11", "paclitaxel"),
        _line(new, "D18", "carboplatin"),
        _batch(new, date(2026, 3, 11), "carboplatin"),
        _cost(new),
    ]
    typed = {"Inputs!B2": _day(LATER), "Inputs!B4": _day(FIRST_WINDOW), "Inputs!B6": ENOUGH}
    return new, {"set": typed, "then": then}


def _summed(told: Story) -> tuple[Story, dict[str, Any]]:
    """D08 is lighter by more than ten per cent; epirubicin counts for more."""
    weights = tuple(
        replace(o, kg=LIGHTER) if (o.patient, o.how) == ("D08", "scale") else o
        for o in told.world.weights
    )
    new = tell(replace(told.world, weights=weights), Rules(equal=D("0.67")), told.ordered)
    invariant(new.found.readings["D04"].code == "C6", "D04 is referred")
    then = [
        _then("Patients", "code", "C6", patient="D04"),
        _then("Patients", "surface", new.found.readings["D08"].surface, patient="D08"),
        _line(new, "D08", "cyclophosphamide"),
        _then("Cumulative", "after", new.found.sums["D08"].after, patient="D08"),
        _label(new, "Treatments referred", "referred_label"),
        _batch(new, date(2026, 3, 10), "rituximab"),
        _cost(new),
    ]
    return new, {"set": {"Inputs!B5": LIGHTER, "Inputs!B7": D("0.67")}, "then": then}


def _day(at: datetime) -> Decimal:
    """A serial number with more digits than a minute needs."""
    return D(repr(serial(at)))


def supposed(told: Story) -> Supposed:
    assert RIGHT.whole == D("0.05")
    moved, live_moved = _moved(told)
    later, live_later = _later(told)
    summed, live_sums = _summed(told)
    facts = {
        "moved_cis": mg(moved.dose("D05", "cisplatin").dose),
        "moved_carbo": mg(moved.dose("D03", "carboplatin").dose),
        "moved_cost": money(moved.totals["Cost of vials"]),
        "later_carbo": mg(later.dose("D18", "carboplatin").dose),
        "later_cost": money(later.totals["Cost of vials"]),
        "later_released": f"{later.totals['Treatments released']}",
        "summed_cost": money(summed.totals["Cost of vials"]),
        "summed_after": f"{summed.found.sums['D08'].after}",
    }
    what_ifs: Mapping[str, dict[str, Any]] = {
        "live_moved": live_moved,
        "live_later": live_later,
        "live_sums": live_sums,
    }
    return Supposed(dict(what_ifs), facts)
