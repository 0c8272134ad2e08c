"""The rubric: what each item says and what it checks come from one value."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from authoring.biz_03_tender_takeoff import letter
from authoring.biz_03_tender_takeoff.book import (
    METRES,
    NAME,
    NET,
    PIECES,
    PRICE,
    QUALIFIED,
    SHEETS,
    totals,
)
from authoring.biz_03_tender_takeoff.groups import (
    PLACE,
    SPLIT,
    cells,
    field,
    floor,
    group,
    shown,
)
from authoring.biz_03_tender_takeoff.symbols import KINDS, REMOVED
from authoring.biz_03_tender_takeoff.takeoff import (
    CABLES,
    ITEMS,
    TOLERANCE,
    Quantities,
    Rules,
    Told,
    drop,
    installed,
    measured,
    priced,
    quantities,
    size,
    times,
)
from authoring.biz_03_tender_takeoff.world import Run
from authoring.parts.items import SaidItems
from authoring.parts.numbers import cents, money
from bythebook.deliverables.rubric import Failure, Level, ReadAs

FIELDS: tuple[tuple[str, ReadAs, tuple[str, ...]], ...] = (
    ("drawing", "text", ("Drawing",)),
    ("room", "text", ("Room",)),
    ("times", "number", ("Times",)),
    *((field(kind), "number", (kind,)) for kind in (*KINDS, REMOVED)),
    ("run", "text", ("Run",)),
    ("plan", "number", ("Plan length",)),
    ("height", "number", ("Height",)),
    ("allowance", "number", ("Allowance",)),
    ("installed", "number", ("Installed",)),
    ("size", "number", ("Size",)),
    ("item", "text", ("Item",)),
    ("quantity", "number", ("Quantity",)),
    ("rate", "number", ("Rate",)),
    ("client", "number", ("Client quantity",)),
    ("qualified", "text", ("Qualified",)),
    ("net", "number", (NET,)),
    ("preliminaries", "number", ("Preliminaries",)),
    ("overheads", "number", ("Overheads and profit",)),
    ("price", "number", (PRICE,)),
    ("lines", "number", (QUALIFIED,)),
    ("pieces", "number", (PIECES,)),
    ("metres", "number", (METRES,)),
)
DOMAIN: Failure = "domain expertise"
VERIFY: Failure = "self-verification"
HALF = Decimal("0.005")
PRICE_SHARE = Decimal("0.01")
"""What the tolerances of the lengths may come to in the price, and a single slip in a count."""


def write_rubric(told: Told, path: Path) -> None:
    items = SaidItems(FIELDS)
    _frame(items, told)
    _rooms(told, items)
    _runs(told, items)
    _bill(told, items)
    _price(told, items)
    _letter(told, items)
    items.sheet.write(path)


def _cells(sheet: str, wants: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {"cell": {"file": NAME, "sheet": sheet, "all": list(wants)}}


def _column(column: str, table: str, **more: Any) -> dict[str, Any]:
    where = {"file": NAME, "sheet": "Bill", "key": ["item"], "column": column}
    return {"column": where | {"table": f"expected/{table}.csv#{column}"} | more}


def _frame(items: SaidItems, told: Told) -> None:
    failure: Failure = "output format"
    says = f"{NAME} and {letter.NAME} are handed over, and both open."
    check: dict[str, Any] = {"files": {"want": {NAME: "xlsx", letter.NAME: "docx"}}}
    items.add("structure", "core", says, failure=failure, check=check)
    says = f"The five sheets of {NAME} stand first, one after another: {', '.join(SHEETS)}."
    check = {"sheets": {"file": NAME, "order": SHEETS}}
    items.add("structure", "important", says, check=check)
    says = f"The letter has the headings {', '.join(letter.HEADS)}, in this order."
    check = {"outline": {"file": letter.NAME, "has": letter.HEADS, "in_order": True}}
    items.add("structure", "important", says, check=check)
    says = (
        f"Counts has a line for each of the {len(told.counts)} parts of rooms that are drawn out "
        "on a drawing in force, and no other."
    )
    rows = {"file": NAME, "sheet": "Counts", "key": ["drawing", "room"]}
    check = {"rows": rows | {"are": "expected/rooms.csv"}}
    items.add("structure", "important", says, check=check)
    says = "The letter has two pages at most."
    items.add(
        "presentation", "auxiliary", says, check={"pages": {"file": letter.NAME, "at_most": 2}}
    )


def _rooms(told: Told, items: SaidItems) -> None:
    for drawing, part in SPLIT:
        keys = group(told, drawing, part)
        says = f"On {drawing}, {PLACE[part]}, the new pieces and those taken out are: "
        says += "; ".join(shown(told, key) for key in keys) + ". Nothing else is counted there."
        level: Level = "core" if drawing in ("E-101", "E-102", "E-103", "E-301") else "important"
        check = _cells("Counts", cells(told, keys))
        items.add("domain", level, says, failure=DOMAIN, check=check)
    many = {key: times(told.world, *key) for key in told.counts}
    typical = {key: number for key, number in many.items() if number > 1}
    wants = [
        {"find": {"drawing": d, "room": r}, "column": "times", "equals": many[d, r]}
        for d, r in (*typical, ("E-102", "G08"), ("E-301", "G04"), ("E-301", "F02"))
    ]
    told_of = ", ".join(f"{room} on {drawing} {n}" for (drawing, room), n in typical.items())
    says = (
        f"Typical rooms are multiplied by the rooms fitted as they are: {told_of}; G08, which its "
        "revision took out of the type on E-102, and the rooms of E-301 stand for themselves."
    )
    items.add("integration", "core", says, failure=DOMAIN, check=_cells("Counts", wants))


def around(value: Decimal) -> list[Decimal]:
    return [cents(value * (1 - TOLERANCE)), cents(value * (1 + TOLERANCE))]


def _wants(runs: Sequence[Run], column: str) -> list[dict[str, Any]]:
    known: dict[str, Callable[[Run], dict[str, Any]]] = {
        "plan": lambda run: {"between": around(measured(run))},
        "height": lambda run: {"equals": run.height},
        "allowance": lambda run: {"equals": drop(run), "tol": HALF, "formula": True},
        "size": lambda run: {"equals": size(run), "formula": True},
    }
    return [{"find": {"run": run.no}, "column": column} | known[column](run) for run in runs]


def _runs(told: Told, items: SaidItems) -> None:
    for no, name in ((0, "of the ground floor"), (1, "of the first floor, by its own bar,")):
        runs = floor(told, no)
        lengths = ", ".join(f"{run.no} {measured(run)}" for run in runs)
        says = f"Plan lengths {name} are within 2.5 %: {lengths}."
        check = _cells("Runs", _wants(runs, "plan"))
        items.add("calculation", "core", says, failure=DOMAIN, check=check)
    runs = list(told.world.runs)
    heights = ", ".join(f"{run.no} {run.height} ({drop(run)})" for run in runs)
    says = f"Heights as written at the ends, with the allowance: {heights}."
    check = _cells("Runs", [*_wants(runs, "height"), *_wants(runs, "allowance")])
    items.add("domain", "important", says, check=check)
    sizes = ", ".join(f"{run.no} {size(run)}" for run in runs)
    says = f"Each run has its size by the installed length: {sizes}."
    check = _cells("Runs", _wants(runs, "size"))
    items.add("domain", "important", says, check=check)


def _bill(told: Told, items: SaidItems) -> None:
    wanted = told.quantities
    pieces = (*KINDS, REMOVED)
    says = "The Bill's quantities of pieces, typical rooms multiplied, each within one piece: "
    says += ", ".join(f"{item} {wanted[item]}" for item in pieces) + "."
    one = {"column": "quantity", "formula": True, "tol": 1}
    wants = [{"find": {"item": item}, "equals": wanted[item]} | one for item in pieces]
    check = _cells("Bill", wants)
    items.add("integration", "important", says, failure=VERIFY, check=check)
    told_of = ", ".join(f"{item} {wanted[item]} m" for item in CABLES)
    says = f"The Bill's cable with 10 % of waste, within the tolerance of the lengths: {told_of}."
    wants = [
        {
            "find": {"item": item},
            "column": "quantity",
            "between": cable(wanted[item]),
            "formula": True,
        }
        for item in CABLES
    ]
    items.add("calculation", "important", says, check=_cells("Bill", wants))
    says = "Every line of the Bill is priced at its rate of list 32, in force on 16 November."
    check = _column("rate", "rates")
    items.add("domain", "important", says, failure=DOMAIN, check=check)
    said = ", ".join(told.qualified)
    says = f"Qualified are exactly the lines {said}, live, against the client's quantities."
    wants = [want for item in ITEMS for want in _qualified(told, item)]
    check = _cells("Bill", wants)
    items.add("integration", "important", says, failure=VERIFY, check=check)


def _qualified(told: Told, item: str) -> list[dict[str, Any]]:
    find = {"find": {"item": item}}
    said = "yes" if item in told.qualified else "no"
    return [
        find | {"column": "client", "equals": told.client[item]},
        find | {"column": "qualified", "equals": said, "formula": True},
    ]


def cable(metres: int) -> list[int]:
    more = int(metres * TOLERANCE) + 1
    return [metres - more, metres + more]


def near(value: Decimal) -> list[Decimal]:
    return [cents(value * (1 - PRICE_SHARE)), cents(value * (1 + PRICE_SHARE))]


def _price(told: Told, items: SaidItems) -> None:
    found, labels = totals(told), ("net", "preliminaries", "overheads", "price")
    wants: list[dict[str, Any]] = [
        {"label": name, "between": near(value)}
        for name, value in zip(labels, found.values(), strict=False)
    ]
    for name, label, off in (
        ("pieces", PIECES, 5),
        ("metres", METRES, 10),
        ("lines", QUALIFIED, 1),
    ):
        wants.append({"label": name, "equals": found[label], "tol": off})
    price = money(told.money.price)
    shown_as = ", ".join(f"{name} {money(value)}" for name, value in tuple(found.items())[:4])
    says = f"The Summary gives, live and within 1 %: {shown_as}; and within 5, 10 and 1: "
    says += ", ".join(f"{name} {found[name]}" for name in (PIECES, METRES, QUALIFIED)) + "."
    check: dict[str, Any] = {"label": {"file": NAME, "sheet": "Summary", "formula": True}}
    check["label"]["all"] = wants
    items.add("calculation", "core", says, failure=VERIFY, check=check)
    _live(told, items)
    says = f"The letter's tender price is the Summary's (GBP {price} in the reference)."
    cell = {"file": NAME, "sheet": "Summary", "label": "price"}
    figure = {"file": letter.NAME, "near": ["tender price"], "digits": 6}
    check = {"agree": {"cell": cell, "figure": figure}}
    items.add("integration", "important", says, failure=VERIFY, check=check)


OTHER = Rules(
    ceiling=Decimal("3.80"),
    board=Decimal("2.60"),
    waste=Decimal("0.20"),
    preliminaries=Decimal("0.08"),
    overheads=Decimal("0.20"),
    small=Decimal("5"),
    middle=Decimal("28"),
    qualify=Decimal("0.60"),
)
"""Every figure of Settings moved, so that one which stands in a formula shows."""


def _clear(told: Told, changed: Quantities) -> list[str]:
    """Lines of cable on which nobody's measuring is in doubt once Settings are moved."""
    for run in told.world.runs:
        if abs(installed(run, OTHER) - OTHER.middle) <= measured(run) * TOLERANCE + Decimal("0.1"):
            return []
    return [item for item in ("CAB40", "CAB60") if changed[item]]


def _moved(told: Told, changed: Quantities) -> tuple[list[dict[str, Any]], list[str]]:
    """What the cable of the Bill becomes, as checks and in words."""
    wants: list[dict[str, Any]] = []
    words = []
    for item in _clear(told, changed):
        wants.append(
            {
                "sheet": "Bill",
                "find": {"item": item},
                "column": "quantity",
                "between": cable(changed[item]),
            }
        )
        words.append(f"{item} about {changed[item]} m")
        off = abs(changed[item] / Decimal(told.client[item]) - 1)
        if abs(off - OTHER.qualify) > 4 * TOLERANCE:
            yes = "yes" if off > OTHER.qualify else "no"
            wants.append(
                {"sheet": "Bill", "find": {"item": item}, "column": "qualified", "equals": yes}
            )
            words[-1] += " and qualified" if yes == "yes" else " and not qualified"
    return wants, words


def _live(told: Told, items: SaidItems) -> None:
    changed = quantities(told.world, told.counts, OTHER)
    price = priced(changed, told.rates, OTHER).price
    first = next(run for run in told.world.runs if size(run) == min(CABLES.values()))
    whole = installed(first, OTHER)
    off = measured(first) * TOLERANCE + Decimal("0.1")
    place = {"sheet": "Runs", "find": {"run": first.no}}
    lines, words = _moved(told, changed)
    wants: list[dict[str, Any]] = [
        {**place, "column": "installed", "between": [cents(whole - off), cents(whole + off)]},
        {**place, "column": "size", "equals": size(first, OTHER)},
        *lines,
        {"sheet": "Summary", "label": "price", "between": near(price)},
    ]
    shown_as = ", ".join([f"{first.no} is about {whole} m of {size(first, OTHER)} mm2", *words])
    says = (
        "With a ceiling at 3.80 m, 2.60 m at the board, 20 % of waste, 8 % of preliminaries, 20 % "
        "of overheads, 2.5 mm2 up to 5 m, 4 mm2 up to 28 m and cable qualified above 60 %, "
        f"{shown_as}, and the tender price about {money(price)}."
    )
    moved = {
        f"Settings!B{row}": value for row, value in enumerate(msgspec.structs.astuple(OTHER), 2)
    }
    check = {"whatif": {"file": NAME, "set": moved, "then": wants}}
    items.add("engineering", "important", says, failure=VERIFY, check=check)


def _letter(told: Told, items: SaidItems) -> None:
    rows = "; ".join(
        f"{item} {told.client[item]}, {told.quantities[item]}, {letter.effect(told, item)}"
        for item in told.qualified
    )
    says = (
        "The table under Qualifications has a row for each line that the Bill qualifies, and no "
        "other, with both quantities and the effect on the price before mark-ups."
    )
    truth = (
        f"In the reference (bill, ours, effect in GBP): {rows}. The table must have the lines that "
        "the sheet Bill of the same answer says yes for, with its quantities, right or not; each "
        "effect is ours less the bill's times the rate, with its sign."
    )
    items.add("presentation", "important", says, failure=VERIFY, truth=truth)
    says = (
        "Exclusions and Basis say what is left out and by whom it is fitted, which issue of E-102 "
        "was measured, that E-103 was scaled by its own bar, and what became of both pencil notes."
    )
    truth = (
        "Five points. Boxed symbols are left out, fitted by the client's equipment contractor. "
        "E-102 is C03. E-103 is measured by its own bar; that each sheet was scaled by its bar "
        "says so too. The two doubles pencilled in G12 are out (answer 2); the exit sign in G11 "
        "is in (answer 3). Existing pieces, furniture and the walk-through note on E-203 need not "
        "be named; what is said of them must be true."
    )
    items.add("integration", "important", says, failure=DOMAIN, truth=truth)
