"""The rubric: what each item says and what it checks come from one value."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from authoring.med_03_thrombosis_audit import expected as e
from authoring.med_03_thrombosis_audit.book import NAME, SHEETS
from authoring.med_03_thrombosis_audit.inputs import SENT
from authoring.med_03_thrombosis_audit.papers import (
    HEADS,
    NOTE,
    PAPER,
    codes_shown,
    wards_shown,
)
from authoring.med_03_thrombosis_audit.rubric_judged import judged
from authoring.med_03_thrombosis_audit.rules import Case, coded
from authoring.med_03_thrombosis_audit.story import (
    HALF,
    LABELS,
    Settings,
    due,
    found,
    state,
    totals,
)
from authoring.med_03_thrombosis_audit.world import COUNTED, World
from authoring.parts.items import SaidItems
from bythebook.deliverables.rubric import Failure, Level, ReadAs

HALF_CENT = Decimal("0.005")
FIELDS: tuple[tuple[str, ReadAs, str], ...] = (
    *(("report", "text", "Report"), ("case", "text", "Case"), ("left_out", "text", "Left out")),
    *(("stay", "text", "Stay"), ("event", "date", "Event"), ("arrived", "date", "Arrived")),
    *(("left", "date", "Left"), ("basis", "text", "Basis"), ("hours", "number", "Hours")),
    *(("days", "number", "Days"), ("counts", "text", "Counts"), ("ward", "text", "Ward")),
    *(("severity", "text", "Severity"), ("failure", "text", "Failure")),
    *(("preventable", "text", "Preventable"), ("month", "month", "Month")),
    *(("bed_days", "number", "Bed days"), ("cases", "number", "Cases")),
    *(("rate", "number", "Rate"), ("median", "number", "Median"), ("signal", "text", "Signal")),
    *(("shown", "text", "Cases"), ("shown_rate", "text", "Rate"), ("code", "text", "Code")),
    *(("number", "text", "Number"), ("due", "date", "Due"), ("sent", "date", "Sent")),
    ("state", "text", "State"),
    *((f"label_{n}", "number", label) for n, label in enumerate(LABELS, 1)),
)
DASHES = ["-", "\u2013", "\u2014"]
DOMAIN: Failure = "domain expertise"
VERIFY: Failure = "self-verification"
CHANGED = Settings(hours=60, days=60, nights=31, least=7)
PLACES = {
    "Settings!B2": CHANGED.hours,
    "Settings!B3": CHANGED.days,
    "Settings!B4": CHANGED.nights,
    "Settings!B5": CHANGED.least,
}


def write_rubric(told: World, path: Path) -> None:
    items = SaidItems(FIELDS)
    for group in (_frame, _read, _graded, _rates, _published, _sums):
        group(told, items)
    judged(told, items)
    items.sheet.write(path)


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)


def _column(sheet: str, keys: Sequence[str], column: str, table: str) -> dict[str, Any]:
    where = {"file": NAME, "sheet": sheet, "key": list(keys), "column": column}
    return {"column": where | {"table": f"expected/{table}.csv#{column}"}}


def _cells(sheet: str, cells: Iterable[dict[str, Any]]) -> dict[str, Any]:
    return {"cell": {"file": NAME, "sheet": sheet, "all": list(cells)}}


def _frame(told: World, items: SaidItems) -> None:
    failure: Failure = "output format"
    want = {NAME: "xlsx", PAPER: "docx", NOTE: "docx"}
    says = f"{NAME}, {PAPER} and {NOTE} are handed over, and all three open."
    items.add("structure", "core", says, failure=failure, check={"files": {"want": want}})
    says = f"The eight sheets stand first and in this order: {', '.join(SHEETS)}."
    check: dict[str, Any] = {"sheets": {"file": NAME, "order": SHEETS}}
    items.add("structure", "important", says, check=check)
    says = f"The committee's paper has the form's headings in its order: {', '.join(HEADS)}."
    check = {"outline": {"file": PAPER, "has": HEADS, "in_order": True}}
    items.add("structure", "important", says, check=check)
    says = "The committee's paper and the director's note have one page each."
    pages = [{"file": name, "at_most": 1} for name in (PAPER, NOTE)]
    items.add("presentation", "auxiliary", says, check={"pages": {"all": pages}})
    code = coded(told)
    rows = {"file": NAME, "key": ["case"]}
    says = f"Cases has a line for each of the {len(code.cases)} cases of the half-year, no other."
    check = {"rows": rows | {"sheet": "Cases", "are": "expected/cases.csv"}}
    items.add("structure", "core", says, failure=DOMAIN, check=check)
    grave = _listed(one.no for one in code.cases if one.escalated)
    says = f"Escalation has the S3 and S4 that are potentially preventable, no other: {grave}."
    check = {"rows": rows | {"sheet": "Escalation", "are": "expected/escalated.csv"}}
    items.add("structure", "important", says, failure=DOMAIN, check=check)


WHY_LEFT = {
    "left-n1": "show none, none certain enough, or only old ones, one by its second reading",
    "left-n2-to-n6": "show something else, are line-related, maternity's, the earlier review's or "
    "January's",
    "left-n7": "show a thrombosis that is not hospital-acquired",
}


def _read(told: World, items: SaidItems) -> None:
    code = coded(told)
    number = {one.key: one.no for one in told.reports}
    for name, why in WHY_LEFT.items():
        out = _listed(f"{r.no} {code.left[r.key]}" for r in e.left(told, code, name))
        says = f"Left out with the right code are the reports that {why}: {out}."
        check = _column("Reports", ["report"], "left_out", name)
        level: Level = "core" if name == "left-n7" else "important"
        items.add("domain", level, says, failure=DOMAIN, check=check)
    pairs = _listed(f"{r.no} to {number[code.belongs[r.key]]}" for r in e.joined(told, code))
    says = f"Further reports of a case are joined to its first, wherever the clot is: {pairs}."
    check = _column("Reports", ["report"], "case", "joined")
    items.add("integration", "core", says, check=check)
    numbers = _listed(sorted(number[key] for key in e.DISGUISED))
    says = (
        "Cases that come under a misleading name, unasked for, in doubt at first, upon old clot or "
        f"from the post-mortem are found: {numbers}."
    )
    check = _column("Reports", ["report"], "case", "disguised")
    items.add("domain", "core", says, failure=DOMAIN, check=check)
    names = {key: number[key] for key in e.BY_MAIL}
    says = (
        f"The mails are followed: {names['h38a']} by its second reading and {names['h32a']} by the "
        f"scanner's clock are cases, {names['h12a']} is one by the patient's other number, and "
        f"{names['h31b']} belongs to {number['h31a']}."
    )
    check = _column("Reports", ["report"], "case", "by-mail")
    items.add("integration", "core", says, check=check)


def _graded(told: World, items: SaidItems) -> None:
    code = coded(told)
    plain = e.plain(code)
    number = {one.key: one.no for one in code.cases}
    stays = [one for one in plain if one.basis == "b" or one.key in e.ELSEWHERE]
    cells = [
        {"find": {"case": one.no}, "column": column, "equals": value}
        for one in stays
        for column, value in (("stay", one.stay.no), ("basis", one.basis))
    ]
    near = [one for one in stays if one.key in e.ELSEWHERE]
    says = (
        "Basis and index stay are right, also where the complaint came before arrival, a day case "
        "lies between, or a limit is near: "
        + _listed(f"{one.no} {one.basis} {one.stay.no}" for one in near)
        + "."
    )
    items.add("domain", "important", says, failure=DOMAIN, check=_cells("Cases", cells))
    cells = [cell for one in code.cases for cell in _times(one, one in plain)]
    says = (
        "Event, Arrived, Left, Hours, Days, Counts and Preventable are right, the last four live. "
        f"In doubt at first, so of the first day: {number['h13a']}, {number['h44a']}; shown only "
        f"eight days later: {number['h33b']}; at death: {number['h22a']}."
    )
    items.add("calculation", "core", says, check=_cells("Cases", cells))
    says = (
        "The ward is that of most midnights, without intensive care, the first of two equal ones, "
        "Larch for Elm."
    )
    check = _column("Cases", ["case"], "ward", "ward")
    items.add("domain", "important", says, failure=DOMAIN, check=check)
    says = (
        "Severity is the gravest of seven days, with anatomy, RV/LV from 1.0 on and what the "
        "request says."
    )
    check = _column("Cases", ["case"], "severity", "severity")
    items.add("domain", "core", says, failure=DOMAIN, check=check)
    for standard, when in (("v3", "before"), ("v4", "from")):
        failed = [one for one in plain if one.standard == standard and one.failure != "F0"]
        says = (
            f"Of arrivals {when} 1 September 2025 Failure follows the standard of version "
            f"{standard[1]}; all but these are F0: "
            f"{_listed(f'{one.no} {one.failure}' for one in failed)}."
        )
        check = _column("Cases", ["case"], "failure", f"failure-{standard}")
        items.add("domain", "core", says, failure=DOMAIN, check=check)


def _times(one: Case, plain: bool) -> Iterable[dict[str, Any]]:
    find = {"find": {"case": one.no}}
    if one.key in ("h13a", "h44a", "h33b", "h22a"):
        yield find | {"column": "event", "equals": one.event.date()}
    if not plain:
        return
    if one.basis == "a":
        around = [one.hours - Decimal("0.06"), one.hours + Decimal("0.06")]
        near = [round(value, 3) for value in around]
        yield find | {"column": "hours", "between": near, "formula": True}
        yield find | {"column": "arrived", "equals": one.stay.arrived.date()}
    else:
        yield find | {"column": "days", "equals": one.days, "formula": True}
        yield find | {"column": "left", "equals": one.stay.left.date()}
    said = "yes" if one.preventable else "no"
    yield find | {"column": "counts", "equals": "yes", "formula": True}
    yield find | {"column": "preventable", "equals": said, "formula": True}


def _rates(told: World, items: SaidItems) -> None:
    what = found(told)
    says = (
        f"Bed days are put right as the data note and its correction want, {what.whole:,} in all: "
        "hours, corrections, Elm, and 29 nights in October."
    )
    check = _column("Rates", ["ward", "month"], "bed_days", "bed-days")
    items.add("calculation", "core", says, check=check)
    cells = [
        {"find": {"ward": ward, "month": f"{month:%Y-%m}"}, "formula": True} | want
        for ward in COUNTED
        for month in HALF
        for want in (
            {"column": "cases", "equals": what.count(ward, month)},
            {"column": "rate", "equals": what.rate(ward, month), "tol": HALF_CENT},
        )
    ]
    says = "Cases and rates of all 36 wards and months are right, live."
    items.add("calculation", "important", says, failure=VERIFY, check=_cells("Rates", cells))
    live = {"tol": HALF_CENT, "formula": True}
    cells = [
        {"find": {"month": f"{p.month:%Y-%m}"}} | want
        for p in what.points
        for want in (
            {"column": "cases", "equals": p.cases},
            {"column": "bed_days", "equals": p.days},
            {"column": "rate", "equals": p.rate} | live,
            {"column": "median", "equals": what.median} | live,
        )
    ]
    says = (
        "The run chart has the 24 rates, with the earlier months as recoded and their bed days put "
        f"right, and the median of 2024, {what.median}, all live."
    )
    items.add("calculation", "core", says, failure=VERIFY, check=_cells("Run chart", cells))
    says = (
        "Signal is shift and trend where the policy says so, none elsewhere, also on the median "
        "and where a point equals the one before."
    )
    check = _column("Run chart", ["month"], "signal", "run-chart")
    items.add("domain", "important", says, failure=DOMAIN, check=check)
    says = "A line chart shows rate and median over the 24 months."
    wanted = {"values": "expected/run-chart.csv#rate", "also": "expected/run-chart.csv#median"}
    chart = {"file": NAME, "sheet": "Run chart", "all": [wanted | {"type": "line"}]}
    items.add("presentation", "important", says, check={"charts": chart | {"formula": True}})


def _hidden(few: str) -> list[str]:
    return DASHES if few == "-" else [few, few.replace("<", "< ")]


def _published(told: World, items: SaidItems) -> None:
    what = found(told)
    cells: list[dict[str, Any]] = []
    for ward, cases, rate in wards_shown(what):
        at = {"find": {"ward": ward}, "formula": True}
        if cases.isdigit():
            cells.append(at | {"column": "cases", "equals": int(cases)})
            cells.append(at | {"column": "rate", "equals": Decimal(rate), "tol": HALF_CENT})
        else:
            cells.append(at | {"column": "shown", "any_of": _hidden(cases)})
            cells.append(at | {"column": "shown_rate", "any_of": DASHES})
    for code, number in codes_shown(what):
        options = [number] if number.isdigit() else _hidden(number)
        at = {"find": {"code": code}, "formula": True}
        cells.append(at | {"column": "number", "any_of": options})
    shown = _listed(f"{ward} {cases} ({rate})" for ward, cases, rate in wards_shown(what))
    numbers = _listed(f"{code} {number}" for code, number in codes_shown(what))
    says = f"Committee shows what may be published, live: {shown}; {numbers}."
    items.add("domain", "core", says, failure=DOMAIN, check=_cells("Committee", cells))
    grave = [one for one in coded(told).cases if one.escalated]
    cells = [
        {"find": {"case": one.no}, "column": column, "equals": value}
        for one in grave
        for column, value in (("due", due(one.event.date())), ("state", state(one)))
    ]
    days = _listed(f"{one.no} {due(one.event.date())} {state(one)}" for one in grave)
    says = f"The last day for each letter and its state are right: {days}."
    items.add("calculation", "important", says, check=_cells("Escalation", cells + _sent(told)))


def _sent(told: World) -> list[dict[str, Any]]:
    return [
        {"find": {"case": told.report(key).no}, "column": "sent", "equals": day}
        for key, day in SENT.items()
    ]


def _sums(told: World, items: SaidItems) -> None:
    figures = totals(told, found(told), coded(told))
    wants: list[dict[str, Any]] = [
        {"label": f"label_{n}", "equals": value, "tol": HALF_CENT}
        for n, value in enumerate(figures.values(), 1)
    ]
    shown = _listed(f"{name} {value}" for name, value in figures.items())
    says = f"Summary gives, from Cases on as live formulas: {shown}."
    live = [want | ({"formula": True} if n > 1 else {}) for n, want in enumerate(wants)]
    check: dict[str, Any] = {"label": {"file": NAME, "sheet": "Summary", "all": live}}
    items.add("calculation", "core", says, failure=VERIFY, check=check)
    _live(told, items)


def _live(told: World, items: SaidItems) -> None:
    after = found(told, CHANGED)
    figures = list(totals(told, after, coded(told)).values())
    wants: list[dict[str, Any]] = [
        {"sheet": "Summary", "label": f"label_{n + 1}", "equals": figures[n], "tol": HALF_CENT}
        for n in (2, 3, 4, 6, 7, 8, 9)
    ]
    gone = [one for one in coded(told).cases if one not in after.cases]
    wants += [
        {"sheet": "Cases", "find": {"case": one.no}, "column": "counts", "equals": "no"}
        for one in gone
        if one in e.plain(coded(told))
    ]
    for ward, cases, _ in wards_shown(after):
        field, options = ("shown", ["<7", "< 7", "<5", "< 5"])
        want: dict[str, Any] = {"column": field, "any_of": options}
        if cases.isdigit():
            want = {"column": "cases", "equals": int(cases)}
        wants.append({"sheet": "Committee", "find": {"ward": ward}} | want)
    for code, number in codes_shown(after):
        options = [number] if number.isdigit() else ["<7", "< 7", "<5", "< 5"]
        want = {"column": "number", "any_of": options}
        wants.append({"sheet": "Committee", "find": {"code": code}} | want)
    october = {"sheet": "Rates", "find": {"ward": "Larch", "month": f"{HALF[3]:%Y-%m}"}}
    wants.append(october | {"column": "bed_days", "equals": after.days["Larch", HALF[3]]})
    point = after.points[21]
    wants.append(
        {"sheet": "Run chart", "find": {"month": "2025-10"}, "column": "rate"}
        | {"equals": point.rate, "tol": HALF_CENT}
    )
    says = (
        "With 60 hours, 60 days, 31 nights and a smallest number of 7 everything follows: "
        f"{_listed(one.no for one in gone)} no longer count, {len(after.cases)} cases and "
        f"{after.whole:,} bed days remain, and Committee hides three wards."
    )
    check = {"whatif": {"file": NAME, "set": PLACES, "then": wants}}
    items.add("engineering", "important", says, failure=VERIFY, check=check)
