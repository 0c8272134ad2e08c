"""The rubric: what each item says and what it checks come from one value."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from authoring.law_02_conformed_copy import expected as e
from authoring.law_02_conformed_copy import rules as r
from authoring.law_02_conformed_copy.book import NAME, SHEETS
from authoring.law_02_conformed_copy.papers import MEMO, MEMO_HEADS, TERMS, on, said
from authoring.law_02_conformed_copy.world import COPIES, World
from authoring.parts.items import SaidItems
from bythebook.deliverables.rubric import Failure, ReadAs

HALF = Decimal("0.005")
FIELDS: tuple[tuple[str, ReadAs, str], ...] = (
    ("clause", "text", "Clause"),
    ("page", "number", "Page"),
    ("landlord", "text", "Landlord's copy"),
    ("tenant", "text", "Tenant's copy"),
    ("initials_l", "text", "Initials on landlord's copy"),
    ("initials_t", "text", "Initials on tenant's copy"),
    ("time_l", "text", "Time on landlord's copy"),
    ("time_t", "text", "Time on tenant's copy"),
    ("stet", "text", "Stet"),
    ("effective", "text", "Effective"),
    ("reason", "text", "Reason"),
    ("stands", "text", "As it stands"),
    ("counterpart", "text", "Counterpart"),
    ("party", "text", "Party"),
    ("listed", "number", "Agreed List"),
    ("conformed", "number", "As conformed"),
    ("conformed_day", "date", "As conformed"),
    ("basis", "text", "Basis"),
    ("year", "number", "Rent Year"),
    ("first", "date", "From"),
    ("last", "date", "To"),
    ("rent", "number", "Rent"),
    ("payable", "number", "Payable"),
    ("cap", "number", "Cap"),
    ("event", "text", "Event"),
    ("day", "date", "Date"),
    ("changes_label", "number", "Changes"),
    ("effective_label", "number", "Effective changes"),
    ("fallen_label", "number", "Changes without effect"),
    ("rent_label", "number", "Rent payable over the Term"),
    ("deposit_label", "number", "Deposit"),
    ("break_label", "number", "Break payment"),
    ("limit_label", "number", "Limit of the guarantee"),
)
LABELS = tuple(name for name, _, _ in FIELDS if name.endswith("_label"))
DOMAIN: Failure = "domain expertise"
VERIFY: Failure = "self-verification"
Cell = dict[str, Any]


def write_rubric(told: World, path: Path) -> None:
    items = SaidItems(FIELDS)
    _frame(told, items)
    _looks(items)
    _words(told, items)
    _initials(told, items)
    _reasons(told, items)
    _terms(told, items)
    _figures(told, items)
    _papers(told, items)
    items.sheet.write(path)


def _cells(sheet: str, cells: Iterable[Cell]) -> dict[str, Any]:
    return {"cell": {"file": NAME, "sheet": sheet, "all": list(cells)}}


def _at(ref: str, column: str, **want: Any) -> Cell:
    return {"find": {"clause": ref}, "column": column, **want}


def _frame(told: World, items: SaidItems) -> None:
    want = {NAME: "xlsx", TERMS: "docx", MEMO: "docx"}
    says = f"{NAME}, {TERMS} and {MEMO} are handed over, and all three open."
    output: Failure = "output format"
    items.add("structure", "core", says, failure=output, check={"files": {"want": want}})
    says = f"The seven sheets of {NAME} stand first, one after another: {', '.join(SHEETS)}."
    items.add("structure", "auxiliary", says, check={"sheets": {"file": NAME, "order": SHEETS}})
    refs = ", ".join(change.ref for change in told.changes)
    says = (
        f"Amendments has one line for each of the {len(told.changes)} changes that stand on the "
        f"paper, and no other: {refs}."
    )
    check = {"file": NAME, "sheet": "Amendments", "key": ["clause"], "are": "expected/changes.csv"}
    items.add("structure", "core", says, failure=VERIFY, check={"rows": check})
    lines = "; ".join(" ".join(one) for one in r.cures(told))
    says = f"Cure has a line for each party whose initials are missing on a counterpart: {lines}."
    key = ["clause", "counterpart", "party"]
    check = {"file": NAME, "sheet": "Cure", "key": key, "are": "expected/cure.csv"}
    items.add("structure", "core", says, failure=DOMAIN, check={"rows": check})
    says = f"The memo has the headings {', '.join(MEMO_HEADS)}, in this order."
    outline: dict[str, Any] = {"file": MEMO, "has": MEMO_HEADS, "in_order": True}
    items.add("structure", "important", says, check={"outline": outline})


def _looks(items: SaidItems) -> None:
    says = "The memo has one page at most."
    check: dict[str, Any] = {"pages": {"file": MEMO, "at_most": 1}}
    items.add("presentation", "auxiliary", says, check=check)


def _copied(told: World, changes: Sequence[Any]) -> Iterator[Cell]:
    for change in changes:
        yield _at(change.ref, "page", equals=change.page)
        for copy in COPIES:
            text = r.copy_text(e.of_copy(change, copy))
            yield _at(change.ref, copy, any_of=e.variants(text))


def _words(told: World, items: SaidItems) -> None:
    alike, unlike = e.alike(told), e.unlike(told)
    said_ = "; ".join(f"{one.ref} {r.copy_text(one.landlord)}" for one in alike)
    says = f"The words written in, and the pages, are those on the paper: {said_}."
    check = _cells("Amendments", _copied(told, alike))
    items.add("integration", "important", says, failure=VERIFY, check=check)
    both = "; ".join(
        f"{one.ref} {r.copy_text(one.landlord)} | {r.copy_text(one.tenant)}" for one in unlike
    )
    says = f"Where the counterparts differ each is given as it is, landlord's | tenant's: {both}."
    check = _cells("Amendments", _copied(told, unlike))
    items.add("domain", "important", says, failure=VERIFY, check=check)
    times = list(_times(told))
    shown = "; ".join(f"{ref} {copy} {text}" for ref, copy, text in times)
    says = f"The times beside initials are read from each counterpart: {shown}."
    cells = (
        _at(ref, f"time_{copy[0]}", any_of=[text.replace(".", ":"), text])
        for ref, copy, text in times
    )
    check = _cells("Amendments", cells)
    items.add("integration", "important", says, failure=VERIFY, check=check)


def _times(told: World) -> Iterator[tuple[str, str, str]]:
    for change in told.changes:
        for copy in COPIES:
            written = e.of_copy(change, copy)
            if written and written.time:
                yield change.ref, copy, written.time


def _initials(told: World, items: SaidItems) -> None:
    for number, (pages, group) in enumerate(e.PAGES.items(), 1):
        for copy in COPIES:
            found = [
                f"{one.ref} {r.initials_text(e.of_copy(one, copy))}"
                for one in e.initials_group(told, group)
            ]
            says = (
                f"On pages {pages} of the {copy}'s counterpart everybody who initialled is told "
                f"by the hand: {'; '.join(found)}."
            )
            column = e.COLUMN[copy]
            where = {"file": NAME, "sheet": "Amendments", "key": ["clause"], "column": column}
            check = {"column": where | {"table": f"expected/{copy}-{number}.csv#{column}"}}
            items.add("domain", "important", says, failure=VERIFY, check=check)


WHY = {
    "E": "Changes that take effect",
    "I": "Without effect since a party's initials are missing, with code I,",
    "SDPL": (
        "Without effect since they stand on one counterpart only (S), in different words (D), in "
        "pencil (P) or from after 17.20 (L)"
    ),
}


def _reasons(told: World, items: SaidItems) -> None:
    codes = r.outcome(told).codes
    for group, why in WHY.items():
        found = {ref: code for ref, code in codes.items() if code in group}
        says = f"{why} are {', '.join(f'{ref} {code}' for ref, code in found.items())}."
        items.add(
            "domain", "core", says, failure=DOMAIN, check=_cells("Amendments", _decided(found))
        )
    stets = [change for change in told.changes if change.stet is not None]
    cells = [
        *(_at(one.ref, "stet", any_of=[" ".join(r.hands(one.stet or ()))]) for one in stets),
        *_decided({ref: code for ref, code in codes.items() if code == "X"}),
    ]
    says = (
        "The stet in 10.3 has all three initials and restores the words (X); that in 12.2 has HB "
        "alone and counts for nothing."
    )
    items.add("domain", "important", says, failure=DOMAIN, check=_cells("Amendments", cells))
    words = {ref: e.stood(told, ref) for ref in e.IN_WORDS}
    says = "What now stands there: " + "; ".join(f"{ref} {text}" for ref, text in words.items())
    cells = [
        _at(ref, "stands", any_of=[one.strip(" ,.") for one in e.variants(text)] + [text])
        for ref, text in words.items()
    ]
    items.add("integration", "important", f"{says}.", check=_cells("Amendments", cells))


def _decided(codes: dict[str, str]) -> Iterator[Cell]:
    for ref, code in codes.items():
        yield _at(ref, "reason", equals=code)
        yield _at(ref, "effective", equals="yes" if code == "E" else "no")


def _terms(told: World, items: SaidItems) -> None:
    of = r.outcome(told)
    units = {one.ref: one.unit for one in r.terms(told)}
    known = (
        ("that an effective change has altered", ("Amendment",)),
        ("that stand as printed or as the Agreed List has them", ("Printed", "Agreed List")),
    )
    for what, bases in known:
        refs = [ref for ref in units if of.basis[ref] in bases]
        shown = "; ".join(f"{ref} {of.conformed[ref]}" for ref in refs)
        says = f"The terms {what} are conformed by live formulas: {shown}."
        cells = [cell for ref in refs for cell in _conformed(ref, units[ref], of)]
        if "Agreed List" in bases:
            cells += _listed(told)
        check = _cells("Terms", cells)
        items.add("calculation", "core", says, failure=DOMAIN, check=check)


def _conformed(ref: str, unit: str, of: r.Outcome) -> Iterator[Cell]:
    text = of.conformed[ref]
    if unit == "date":
        yield _at(ref, "conformed_day", equals=date.fromisoformat(text), formula=True)
    else:
        yield _at(ref, "conformed", equals=Decimal(text), formula=True)
    yield _at(ref, "basis", equals=of.basis[ref], formula=True)


def _listed(told: World) -> Iterator[Cell]:
    for one in r.terms(told):
        if one.listed and one.unit != "date":
            yield _at(one.ref, "listed", equals=Decimal(one.listed))


def _figures(told: World, items: SaidItems) -> None:
    of = r.outcome(told)
    years = r.rents(of)
    cells: list[Cell] = [
        {"find": {"year": year.number}, "column": column, "equals": value, "formula": True}
        for year in years
        for column, value in (
            ("first", year.first),
            ("last", year.last),
            ("rent", year.rent),
            ("payable", year.payable),
            ("cap", year.cap),
        )
    ]
    shown = ", ".join(f"{year.rent:,}" for year in years)
    says = f"Rent has each Rent Year with its days, Rent ({shown}), what is payable and the cap."
    items.add("calculation", "core", says, failure=VERIFY, check=_cells("Rent", cells))
    days = r.key_dates(of)
    cells = [
        {"find": {"event": event}, "column": "day", "equals": day, "formula": True}
        for event, day in days.items()
    ]
    says = "Key dates gives: " + "; ".join(f"{event} {on(day)}" for event, day in days.items())
    items.add("calculation", "core", f"{says}.", failure=VERIFY, check=_cells("Key dates", cells))
    sums = r.sums(told, of)
    wants = [
        {"label": field, "equals": value, "tol": HALF}
        for field, value in zip(LABELS, sums.values(), strict=True)
    ]
    shown = "; ".join(f"{label} {value:,}" for label, value in sums.items())
    says = f"Summary gives, as live formulas: {shown}."
    label = {"file": NAME, "sheet": "Summary", "formula": True, "all": wants}
    items.add("calculation", "core", says, failure=VERIFY, check={"label": label})
    _live(told, items)


def _live(told: World, items: SaidItems) -> None:
    earlier = r.outcome(told, r.Rules(completion="16.42"))
    effective = r.sums(told, earlier)["Effective changes"]
    cap = r.rents(earlier)[1].cap
    then: list[Cell] = [
        {"sheet": "Summary", "label": "effective_label", "equals": effective},
        *(
            {"sheet": "Terms", **_at(ref, "conformed", equals=earlier.number(ref))}
            for ref in ("8.2", "13.1", "S3.5")
        ),
        {"sheet": "Amendments", **_at("P16", "effective", equals="no")},
        {"sheet": "Amendments", **_at("S3.5", "reason", equals="L")},
        {"sheet": "Rent", "find": {"year": 2}, "column": "cap", "equals": cap},
    ]
    says = (
        f"With 16:42 as the time of Completion {effective} changes take effect, P16 does not, 8.2 "
        f"is {earlier.conformed['8.2']} as printed, and the cap of the second year {cap:,}."
    )
    at = Decimal(16 * 60 + 42) / 1440
    changed = {"Settings!B2": round(at, 9)}
    check = {"whatif": {"file": NAME, "set": changed, "then": then}}
    items.add("engineering", "core", says, failure=VERIFY, check=check)


UNTABLED = ("P6", "6.3", "17.1")
"""A label that stands in many rows; figures that may also be given as ordinals (`3rd`)."""


def _papers(told: World, items: SaidItems) -> None:
    facts = said(told)
    of = r.outcome(told)
    wants = [
        {"is": Decimal(of.conformed[one.ref]), "near": one.label, "digits": 6}
        for one in r.terms(told)
        if one.unit not in ("date", "number", "per cent") and one.ref not in UNTABLED
    ]
    says = f"The table of {TERMS} gives the conformed figures of {len(wants)} terms."
    check: dict[str, Any] = {"figures": {"file": TERMS, "only": "tables", "all": wants}}
    items.add("presentation", "important", says, failure=VERIFY, check=check)
    cell = {"file": NAME, "sheet": "Summary", "label": "effective_label"}
    figure = {"file": MEMO, "near": ["take effect", "count"], "digits": 3}
    says = "The memo's number of changes that take effect is that of Summary."
    check = {"agree": {"cell": cell, "figure": figure}}
    items.add("integration", "important", says, failure=VERIFY, check=check)
    says = (
        "The memo says which changes fall and why, and under To be cured for each change whose "
        "initials are missing who has to initial which counterpart, by when, and that the others "
        "need a deed of variation."
    )
    why = "; ".join(f"{code.upper()} {facts[code]}" for code in ("x", "p", "s", "d", "i", "l"))
    truth = (
        f"What falls: {why}; in words or by code, two clauses may be left out and none be wrong. "
        f"By {facts['cure_by']}: {facts['cures']}. Changes with S, D, P or L, and 10.3, cannot be "
        "cured so. Clauses may be grouped; each of the seven must be there with party and "
        "counterpart, and with no other. The deed of variation is said of the others in any words."
    )
    items.add("domain", "important", says, failure=DOMAIN, truth=truth)
    says = (
        "Under What it means for the client the memo tells the Tenant's side: which missing "
        "initials are worth asking for, and the days and the payment of the break as they stand."
    )
    truth = (
        f"In the Tenant's favour are {facts['for_us']}; P12 (a later break) is not. Break "
        f"{facts['leave']}, notice served by {facts['serve']}, posted by {facts['post']}, payment "
        f"{facts['broken']}. Needed: at least four of the six as worth curing, none of the changes "
        "taken as effective that are not, Break Date, last day to serve, and payment. P12 may be "
        "left out or set apart; called a gain for the Tenant it is wrong."
    )
    items.add("domain", "important", says, failure=DOMAIN, truth=truth)
