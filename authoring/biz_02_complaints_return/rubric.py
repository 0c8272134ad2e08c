"""The rubric: what each item says and what it checks come from one value."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from authoring.biz_02_complaints_return import expected as e
from authoring.biz_02_complaints_return.book import FORM_NAME, NAME, SHEETS
from authoring.biz_02_complaints_return.note import HEADS, NOTE, said
from authoring.biz_02_complaints_return.story import (
    LABELS,
    RATE,
    by_code,
    by_product,
    hidden,
    totals,
)
from authoring.biz_02_complaints_return.world import Complaint, World
from authoring.parts.items import SaidItems
from bythebook.deliverables.rubric import Failure, Level, ReadAs

HALF = Decimal("0.005")
FIELDS: tuple[tuple[str, ReadAs, tuple[str, ...]], ...] = (
    ("complaint", "text", ("Complaint",)),
    ("contact", "text", ("Contact",)),
    ("left_out", "text", ("Left out",)),
    ("product", "text", ("Product",)),
    ("cause", "text", ("Cause",)),
    ("received", "date", ("Received",)),
    ("closed", "date", ("Closed",)),
    ("outcome", "text", ("Outcome",)),
    ("redress", "number", ("Redress",)),
    ("days", "number", ("Days",)),
    ("quick", "text", ("Summary resolution",)),
    ("code", "text", ("Code",)),
    ("count", "number", ("Complaints",)),
    ("right", "number", ("For the customer",)),
    ("paid", "number", ("Paid",)),
    ("line", "text", ("Line",)),
    ("figure", "number", ("Figure",)),
    ("received_label", "number", (LABELS[0],)),
    ("quick_label", "number", (LABELS[1],)),
    ("in_time_label", "number", (LABELS[2],)),
    ("open_label", "number", (LABELS[3],)),
    ("upheld_label", "number", (LABELS[4],)),
    ("partly_label", "number", (LABELS[5],)),
    ("not_label", "number", (LABELS[6],)),
    ("paid_label", "number", (LABELS[7],)),
    ("rate_label", "number", (RATE,)),
)
LABEL_FIELDS = tuple(name for name, _, _ in FIELDS if name.endswith("_label"))
DOMAIN: Failure = "domain expertise"
VERIFY: Failure = "self-verification"


def write_rubric(told: World, path: Path) -> None:
    items = SaidItems(FIELDS)
    _frame(told, items)
    _read(told, items)
    _causes(told, items)
    _findings(told, items)
    _sums(told, items)
    _judged(told, items)
    items.sheet.write(path)


def _listed(numbers: Iterable[str]) -> str:
    return ", ".join(numbers)


def _column(sheet: str, key: str, column: str, table: str) -> dict[str, Any]:
    where = {"file": NAME, "sheet": sheet, "key": [key], "column": column}
    return {"column": where | {"table": f"expected/{table}.csv#{column}"}}


def _frame(told: World, items: SaidItems) -> None:
    want = {NAME: "xlsx", FORM_NAME: "xlsx", NOTE: "docx"}
    says = f"{NAME}, {FORM_NAME} and {NOTE} are handed over, and all three open."
    failure: Failure = "output format"
    items.add("structure", "core", says, failure=failure, check={"files": {"want": want}})
    says = f"The four sheets of {NAME} stand first, one after another: {', '.join(SHEETS)}."
    check: dict[str, Any] = {"sheets": {"file": NAME, "order": SHEETS}}
    items.add("structure", "important", says, check=check)
    says = f"The note has the headings {', '.join(HEADS)}, in this order."
    check = {"outline": {"file": NOTE, "has": HEADS, "in_order": True}}
    items.add("structure", "important", says, check=check)
    says = "The note has one page at most."
    check = {"pages": {"file": NOTE, "at_most": 1}}
    items.add("presentation", "auxiliary", says, check=check)
    says = f"Register has one line for each of the {len(told.complaints)} complaints, no other."
    rows = {"file": NAME, "sheet": "Register", "key": ["complaint"]}
    check = {"rows": rows | {"are": "expected/register.csv"}}
    items.add("structure", "important", says, check=check)


WHY_LEFT = {
    "left-n1": "first enquiries, reports and requests, in whatever tone",
    "left-n2": "opinions, praise and suggestions without any cost or trouble",
    "left-n3-n4": "about other firms, or from somebody without standing",
    "left-n5-n6-n7": "withdrawn as mistaken, of large businesses, or of the last half-year",
}


def _read(told: World, items: SaidItems) -> None:
    for name, why in WHY_LEFT.items():
        codes = [f"{one.no} {one.left}" for one in e.left_group(told, name)]
        says = f"Left out with the right code are the contacts that are {why}: {_listed(codes)}."
        check = _column("Contacts", "contact", "left_out", name)
        items.add("domain", "important", says, failure=DOMAIN, check=check)
    numbers = _listed(one.no for one in hidden(told))
    says = f"Complaints in the guise of thanks, questions, goodbyes, or given up, count: {numbers}."
    check = _column("Contacts", "contact", "complaint", "in-disguise")
    items.add("domain", "core", says, failure=DOMAIN, check=check)
    pairs = _listed(f"{one.no} to {told.belongs(one)}" for one in e.joined(told))
    says = f"Contacts that take up a complaint again are joined to it: {pairs}."
    check = _column("Contacts", "contact", "complaint", "joined")
    items.add("integration", "core", says, check=check)
    numbers = _listed(one.no for one in e.again(told))
    says = (
        "Another matter, or the same after 28 days (42 from 1 April), of a customer who had "
        f"complained before is a new complaint: {numbers}."
    )
    check = _column("Contacts", "contact", "complaint", "again")
    items.add("integration", "important", says, check=check)


LEVELS: dict[str, Level] = {
    "cause-k01-k02": "core",
    "cause-k03": "core",
    "cause-k04-k05": "core",
    "cause-k06-k07": "important",
    "cause-k08": "important",
    "cause-k09-k10": "core",
}


def _causes(told: World, items: SaidItems) -> None:
    for name, level in LEVELS.items():
        found = e.cause_group(told, name)
        for_code = [
            f"{code}: {_listed(one.no for one in found if one.cause == code)}"
            for code in e.CAUSE_GROUPS[name]
        ]
        says = f"The cause is what went wrong first. {'; '.join(for_code)}."
        check = _column("Register", "complaint", "cause", name)
        items.add("domain", level, says, failure=DOMAIN, check=check)


def _findings(told: World, items: SaidItems) -> None:
    found = e.fuels(told)
    sides = [f"{fuel}: {_listed(one.no for one in found if one.product == fuel)}" for fuel in "EGB"]
    says = f"The product is the fuel of which the contact speaks. {'; '.join(sides)}."
    check = _column("Register", "complaint", "product", "product")
    items.add("domain", "important", says, check=check)
    days = [
        {"find": {"complaint": one.no}, **want} for one in e.endings(told) for want in _days(one)
    ]
    check = _cells("Register", days)
    items.add("calculation", "core", _dates_say(told), check=check)
    found = e.findings(told)
    names = ("upheld", "partly", "not upheld", "open")
    kinds = [f"{name}: {_listed(one.no for one in found if one.outcome == name)}" for name in names]
    says = (
        "The outcome follows the finding and not the money; upheld is also where no redress was "
        f"paid. {'; '.join(kinds)}."
    )
    check = _column("Register", "complaint", "outcome", "outcome")
    items.add("domain", "core", says, failure=DOMAIN, check=check)
    sums = _listed(f"{one.no} {one.redress}" for one in e.mixed(told))
    says = (
        "Redress is without refunds, standard payments, goodwill, offers not taken, and without "
        f"vouchers of cases from before 1 April: {sums}."
    )
    check = _column("Register", "complaint", "redress", "redress")
    items.add("calculation", "core", says, failure=DOMAIN, check=check)


def _cells(sheet: str, cells: Sequence[dict[str, Any]], file: str = NAME) -> dict[str, Any]:
    return {"cell": {"file": file, "sheet": sheet, "all": list(cells)}}


def _days(one: Complaint) -> Iterable[dict[str, Any]]:
    yield {"column": "received", "equals": one.received}
    if one.closed:
        yield {"column": "closed", "equals": one.closed}
        yield {"column": "days", "equals": one.days, "formula": True}
    yield {"column": "quick", "equals": "yes" if one.summary() else "no", "formula": True}


def _dates_say(told: World) -> str:
    days = _listed(f"{one.no} {one.closed}" for one in e.endings(told) if one.closed)
    return (
        "Closed is the day of the customer's word or of the final reply, the later one where the "
        f"customer came back: {days}. Handed over elsewhere, and so received earlier: "
        + _listed(f"{one.no} {one.received}" for one in e.endings(told) if _earlier(one))
        + "."
    )


def _earlier(one: Complaint) -> bool:
    return one.received != one.first.day


def _sums(told: World, items: SaidItems) -> None:
    figures = totals(told)
    wants = [
        {"label": field, "equals": value, "tol": HALF}
        for field, value in zip(LABEL_FIELDS, figures.values(), strict=True)
    ]
    shown = ", ".join(f"{name} {value}" for name, value in figures.items())
    says = f"Summary gives, as live formulas: {shown}."
    check: dict[str, Any] = {"label": {"file": NAME, "sheet": "Summary", "formula": True}}
    check["label"]["all"] = wants
    items.add("calculation", "core", says, failure=VERIFY, check=check)
    cells = [
        {"find": {"code": code}, "column": column, "equals": value, "formula": True}
        for code, values in by_code(told).items()
        for column, value in zip(("count", "right", "paid"), values, strict=True)
    ]
    says = "For each cause Summary has complaints, those for the customer, and what was paid."
    items.add("calculation", "important", says, failure=VERIFY, check=_cells("Summary", cells))
    _return(told, items)
    _live(told, items)


def _return(told: World, items: SaidItems) -> None:
    codes = [count for count, _, _ in by_code(told).values()]
    values = (*totals(told).values(), *codes, *by_product(told).values())
    cells = [
        {"find": {"line": f"L{n:02d}"}, "column": "figure", "equals": value, "tol": HALF}
        for n, value in enumerate(values, 1)
    ]
    says = (
        "All 22 lines of the form are filled in with the right figures, redress and rate included."
    )
    check = _cells("Return", cells, FORM_NAME)
    items.add("integration", "important", says, failure=VERIFY, check=check)
    cell = {"file": NAME, "sheet": "Summary", "label": "received_label"}
    place = {"file": FORM_NAME, "sheet": "Return", "find": {"line": "L01"}, "column": "figure"}
    says = "The number of complaints in the form is that of the register's Summary."
    check = {"agree": {"cell": cell, "with": place}}
    items.add("integration", "important", says, failure=VERIFY, check=check)
    figure = {"file": NOTE, "near": ["complaints"], "digits": 3}
    says = "The number of complaints in the note is that of the register's Summary."
    check = {"agree": {"cell": cell, "figure": figure}}
    items.add("integration", "important", says, failure=VERIFY, check=check)


def _live(told: World, items: SaidItems) -> None:
    after = totals(told, 1, 28, 50000)
    quick = [(told.of(key).no, "no") for key in ("k04e", "k01c")] + [(told.of("k08a").no, "yes")]
    wants: list[dict[str, Any]] = [
        {"sheet": "Register", "find": {"complaint": no}, "column": "quick", "equals": value}
        for no, value in quick
    ]
    near = (("in_time_label", LABELS[2], 3), ("rate_label", RATE, Decimal("0.08")))
    for field, name, off in near:
        around = [after[name] - off, after[name] + off]
        wants.append({"sheet": "Summary", "label": field, "between": around})
    says = (
        f"With one business day on Settings {quick[0][0]} and {quick[1][0]} are no summary "
        f"resolutions any more and {quick[2][0]} is; with 28 days and 50,000 accounts about "
        f"{after[LABELS[2]]} are closed in time, and about {after[RATE]} for each 1,000."
    )
    changed = {"Settings!B2": 1, "Settings!B3": 28, "Settings!B4": 50000}
    check = {"whatif": {"file": NAME, "set": changed, "then": wants}}
    items.add("engineering", "important", says, failure=VERIFY, check=check)


def _judged(told: World, items: SaidItems) -> None:
    facts = said(told)
    says = (
        "Under Left out the note tells how many contacts are left out for which reason, and how "
        "the two doubtful points were decided: the app's outage and reviews without an account."
    )
    truth = (
        f"{facts['left_sentence']} App: who only told or asked is N1 ({facts['app']}), who had a "
        f"cost has complained ({facts['app_cost']}). Review without account: N4 "
        f"({facts['review']}). Both points must be told; the numbers for each code may be in words "
        "or a table, and must be those of the sheet Contacts, right or not."
    )
    items.add("domain", "important", says, failure=DOMAIN, truth=truth)
    says = (
        "Under Against the last return the note compares this half-year with the last and says why "
        "it moved, with the amendment's part in it."
    )
    truth = (
        f"Last: 71 complaints, 1,815 redress. Now: {facts['n']} and {facts['paid']}. By cause the "
        f"largest moves are {facts['moves']}. The amendment of 14 March counts vouchers and goods "
        f"({facts['goods']} in {facts['n_goods']} complaints), codes two cases by the greater sum "
        "and joins contacts for 42 days. Needed: complaints then and now, at least two causes that "
        "moved with their figures, and one effect of the amendment. A reason that the log does not "
        "bear fails."
    )
    items.add("integration", "important", says, failure=DOMAIN, truth=truth)
