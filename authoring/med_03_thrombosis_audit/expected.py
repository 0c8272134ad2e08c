"""expected/*.csv, and which reports and cases each item of the rubric asks about."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from authoring.med_03_thrombosis_audit.rules import Case, Coded, coded
from authoring.med_03_thrombosis_audit.story import HALF, found
from authoring.med_03_thrombosis_audit.world import COUNTED, Report, World
from authoring.parts.expected import Value, write_expected

LEFT = {
    "left-n1": ("N1",),
    "left-n2-to-n6": ("N2", "N3", "N4", "N5", "N6"),
    "left-n7": ("N7",),
}
DISGUISED = (
    *("h02a", "h03a", "h03b", "h06a", "h07a", "h13a", "h19a", "h22a", "h23a", "h28a", "h33b"),
    *("h39a", "h41a", "h44a"),
)
"""Cases that come under another name, unasked for, with doubt, or as something old."""
BY_MAIL = ("h12a", "h31b", "h32a", "h38a")
"""What three mails decide."""
ELSEWHERE = ("h05a", "h09a", "h10a", "h29a", "h34a")
"""Whose index stay is not the one in which they are, or is near a limit."""
MISSED_ONCE = (*BY_MAIL, "h03a", "h06a", "h07a", "h13a", "h19a", "h23a", "h39a", "h41a", "h44a")
"""Have items of their own: who misses one of them pays for it there and in the sums, not in every
column."""


def left(told: World, code: Coded, name: str) -> list[Report]:
    return [one for one in told.reports if code.left.get(one.key) in LEFT[name]]


def joined(told: World, code: Coded) -> list[Report]:
    """Further reports of a case, but those that a mail joins."""
    return [
        one
        for one in told.reports
        if code.belongs.get(one.key, one.key) != one.key and one.key not in BY_MAIL
    ]


def plain(code: Coded) -> list[Case]:
    return [one for one in code.cases if one.key not in MISSED_ONCE]


def _write(folder: Path, name: str, rows: Iterable[Mapping[str, Value]], *keys: str) -> None:
    write_expected(folder / f"{name}.csv", list(rows), keys)


def write_tables(told: World, folder: Path) -> None:
    code, what = coded(told), found(told)
    number = {one.key: one.no for one in told.reports}
    for name in LEFT:
        out = ({"report": r.no, "left_out": code.left[r.key]} for r in left(told, code, name))
        _write(folder, name, out, "report")
    groups = {
        "joined": [one.key for one in joined(told, code)],
        "disguised": DISGUISED,
        "by-mail": BY_MAIL,
    }
    for name, keys in groups.items():
        own = ({"report": number[k], "case": number[code.belongs[k]]} for k in keys)
        _write(folder, name, own, "report")
    every: list[Mapping[str, Value]] = [{"case": one.no} for one in code.cases]
    _write(folder, "cases", every, "case")
    grave: list[Mapping[str, Value]] = [{"case": c.no} for c in code.cases if c.escalated]
    _write(folder, "escalated", grave, "case")
    _cases(folder, code)
    rates: list[Mapping[str, Value]] = [
        {"ward": ward, "month": f"{month:%Y-%m}", "bed_days": what.days[ward, month]}
        for ward in COUNTED
        for month in HALF
    ]
    _write(folder, "bed-days", rates, "ward", "month")
    points: list[Mapping[str, Value]] = [
        {"month": f"{p.month:%Y-%m}", "signal": p.signal, "rate": p.rate, "median": what.median}
        for p in what.points
    ]
    _write(folder, "run-chart", points, "month")


def _cases(folder: Path, code: Coded) -> None:
    wards: list[Mapping[str, Value]] = [{"case": c.no, "ward": c.ward} for c in plain(code)]
    _write(folder, "ward", wards, "case")
    grades: list[Mapping[str, Value]] = [
        {"case": c.no, "severity": c.severity} for c in plain(code)
    ]
    _write(folder, "severity", grades, "case")
    for standard in ("v3", "v4"):
        failed: list[Mapping[str, Value]] = [
            {"case": c.no, "failure": c.failure} for c in plain(code) if c.standard == standard
        ]
        _write(folder, f"failure-{standard}", failed, "case")
