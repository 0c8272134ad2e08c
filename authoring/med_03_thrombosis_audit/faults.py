"""faults.yaml: wrong answers, as edits of the reference."""

from collections.abc import Iterable
from datetime import date, datetime
from pathlib import Path
from typing import Any

from authoring.med_03_thrombosis_audit.book import NAME, plain
from authoring.med_03_thrombosis_audit.census import (
    HOURS,
    NO_LONGER,
    RECODED,
    REPORTED,
    How,
    bed_days,
    export,
    series,
)
from authoring.med_03_thrombosis_audit.papers import said
from authoring.med_03_thrombosis_audit.rules import Case, Coded, coded
from authoring.med_03_thrombosis_audit.slips import SLIPS, Slip
from authoring.med_03_thrombosis_audit.world import TEXTS, World
from authoring.parts.faults import save_faults, worded_faults

Edit = dict[str, Any]
ITEMS = {
    **{"rows": "R05", "grave": "R06", "n1": "R07", "n2": "R08", "n7": "R09", "joined": "R10"},
    **{"disguised": "R11", "mails": "R12", "stays": "R13", "times": "R14", "ward": "R15"},
    **{"severity": "R16", "v3": "R17", "v4": "R18", "days": "R19", "rates": "R20"},
    **{"chart": "R21", "signal": "R22", "codes": "R24", "due": "R25", "sums": "R26"},
}
"""Items by the names that slips call them by."""


def _set(at: str, to: object) -> Edit:
    value = plain(to) if isinstance(to, date | datetime) else to
    return {"set_cell": {"file": NAME, "at": at, "to": value}}


def recalculate() -> Edit:
    return {"recalculate": {"file": NAME}}


def _typed(case: Case) -> dict[str, object]:
    """What is typed in a line of Cases, by its column."""
    return {
        "A": case.no,
        "B": case.event,
        "C": case.stay.no,
        "D": case.stay.arrived,
        "E": case.stay.left,
        "F": case.basis,
        "J": case.ward,
        "K": case.severity,
        "L": case.failure,
    }


class Places:
    """Where cases and reports stand in the reference, and what a slip changes there."""

    def __init__(self, told: World) -> None:
        self.told = told
        self.right = coded(told)
        self.rows = {one.key: row for row, one in enumerate(self.right.cases, 2)}
        self.reports = {one.key: row for row, one in enumerate(told.reports, 2)}
        self.number = {one.key: one.no for one in told.reports}

    def slip(self, one: Slip) -> list[Edit]:
        code = coded(self.told, one.rules)
        edits = [*self._cases(code), *self._reports(code), *self._grave(code), *self._days(one.how)]
        points, _ = series(
            code.cases,
            bed_days(self.told.seed, one.how),
            shift=one.shift,
            trend=one.trend,
            skip=one.skip,
        )
        right, _ = series(self.right.cases, bed_days(self.told.seed))
        for row, (wrong, true) in enumerate(zip(points, right, strict=True), 2):
            if wrong.signal != true.signal:
                edits.append(_set(f"'Run chart'!F{row}", wrong.signal))
        return [*edits, recalculate()]

    def _cases(self, code: Coded) -> Iterable[Edit]:
        keys = {one.key for one in code.cases}
        gone = [row for key, row in self.rows.items() if key not in keys]
        if gone:
            for row in gone:
                yield from (_set(f"Cases!{column}{row}", None) for column in "ABCDEFJKLNP")
        known = {one.key: one for one in self.right.cases}
        free = len(self.rows) + 2
        for one in code.cases:
            old: dict[str, object] = _typed(known[one.key]) if one.key in known else {}
            at = self.rows.get(one.key, free)
            free += one.key not in self.rows
            for column, value in _typed(one).items():
                if old.get(column) != value:
                    yield _set(f"Cases!{column}{at}", value)

    def _reports(self, code: Coded) -> Iterable[Edit]:
        for key, row in self.reports.items():
            for column, mine, right in (
                ("B", code.belongs.get(key), self.right.belongs.get(key)),
                ("C", code.left.get(key), self.right.left.get(key)),
            ):
                if mine != right:
                    told = self.number.get(mine, mine) if mine else None
                    yield _set(f"Reading!{column}{row}", told)

    def _grave(self, code: Coded) -> Iterable[Edit]:
        """Lines of Escalation: those that go are emptied, those that come stand below."""
        right = [one.key for one in self.right.cases if one.escalated]
        mine = {one.key: one for one in code.cases if one.escalated}
        for row, key in enumerate(right, 2):
            if key not in mine:
                yield {"drop_rows": {"file": NAME, "sheet": "Escalation", "rows": [row]}}
        new = [one for key, one in mine.items() if key not in right]
        for row, one in enumerate(new, len(right) + 2):
            yield _set(f"Escalation!A{row}", one.no)
            yield _set(f"Escalation!D{row}", "open")

    def _days(self, how: How) -> Iterable[Edit]:
        area = {"file": NAME, "sheet": "Census", "regex": True}
        if not how.leaving:
            find = r"IF\(C\d+<=DATE\(2025,3,1\),F\d+,0\)"
            yield {"formula_replace": area | {"find": find, "with": "0"}}
        if how.nights != How().nights:
            yield _set("Settings!B4", how.nights)
        for row, one in enumerate(export(self.told.seed), 2):
            if not how.elm and one.ward == "Elm" and one.month >= NO_LONGER:
                yield _set(f"Census!G{row}", "Larch")
            if not how.hours and (one.ward, one.month) == HOURS:
                yield {"set_formula": {"file": NAME, "at": f"Census!H{row}", "to": f"E{row}+0"}}
            if not how.corrections and one.status == "C":
                yield _set(f"Census!E{row}", 0)


def written(told: World) -> dict[str, dict[str, Any]]:
    """Each slip as it stands in the file."""
    places = Places(told)
    found: dict[str, dict[str, Any]] = {}
    for name, one in SLIPS.items():
        fails = sorted(ITEMS[item] for item in one.fails)
        told_of = {"kind": "slip", "says": one.says, "fails": fails, "spares": ["R01", "R02"]}
        found[name] = told_of | {"edits": places.slip(one)}
    pairs = zip(REPORTED, RECODED, strict=True)
    before = [_set(f"'Run chart'!B{row}", n) for row, (n, m) in enumerate(pairs, 2) if n != m]
    found["as_reported_at_the_time"] = {
        "kind": "slip",
        "says": "The earlier months stand as reported by version 3.",
        "fails": ["R21"],
        "spares": ["R05", "R15", "R16"],
        "edits": [*before, recalculate()],
    }
    return found


def write_faults(told: World, path: Path) -> None:
    save_faults(written(told) | worded_faults(TEXTS / "faults.yaml", said(told)), path)
