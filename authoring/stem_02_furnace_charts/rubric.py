"""The rubric: what each item says and what it checks come from one value."""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from authoring.parts.expected import write_expected
from authoring.parts.items import SaidItems
from authoring.stem_02_furnace_charts.book import LABELS, NAME, SHEETS, counted, figures
from authoring.stem_02_furnace_charts.inputs import strip_of
from authoring.stem_02_furnace_charts.note import HEADS, NOTE, words
from authoring.stem_02_furnace_charts.rules import MOVED, Result
from authoring.stem_02_furnace_charts.story import DEGREES, DELAY, DIP, RATE, SOAK, Story
from bythebook.deliverables.rubric import Dimension, Failure, Level, ReadAs

FIELDS: tuple[tuple[str, ReadAs, str], ...] = (
    ("load", "text", "Load"),
    ("strip", "text", "Strip"),
    ("speed", "number", "Speed"),
    ("dip", "number", "Dip"),
    ("dip_low", "number", "Dip low"),
    ("delay", "number", "Delay"),
    ("correction", "number", "Correction"),
    ("rate", "number", "Rate"),
    ("clock", "text", "Clock"),
    ("soak", "number", "Soak"),
    ("required", "number", "Required"),
    ("peak", "number", "Peak"),
    ("findings", "text", "Findings"),
    ("decision", "text", "Decision"),
)
SUMS = tuple(f"sum_{n}" for n in range(1, len(LABELS) + 1))
READ: Failure = "domain expertise"
VERIFY: Failure = "self-verification"
FOLLOW: Failure = "instruction following"
Wants = Iterable[dict[str, Any]]


class Items(SaidItems):
    def __init__(self) -> None:
        super().__init__(FIELDS)
        for name, label in zip(SUMS, LABELS, strict=True):
            self.sheet.field(name, label, read_as="number")


def number(value: float, places: int = 1) -> Decimal:
    return Decimal(f"{value:.{places}f}")


def cells(sheet: str, wants: Wants) -> dict[str, Any]:
    return {"cell": {"file": NAME, "sheet": sheet, "all": list(wants)}}


def want(one: Result, column: str, equals: object, **more: object) -> dict[str, Any]:
    return {"find": {"load": one.load.no}, "column": column, "equals": equals, **more}


def named(one: Result, file: str) -> dict[str, Any]:
    """The strip's file, with or without its ending."""
    spelt = [file, file.removesuffix(".png")]
    return {"find": {"load": one.load.no}, "column": "strip", "any_of": spelt}


def write_rubric(told: Story, folder: Path) -> None:
    items = Items()
    _frame(told, items)
    _paper(told, items)
    _read(told, items)
    _decided(told, items)
    _sums(told, items)
    _judged(told, items)
    items.sheet.write(folder / "rubric.yaml")
    rows = [{"load": one.load.no} for one in told.results]
    write_expected(folder / "expected" / "loads.csv", rows, ("load",))


def _frame(told: Story, items: Items) -> None:
    check: dict[str, Any] = {"files": {"want": {NAME: "xlsx", NOTE: "docx"}}}
    says = f"{NAME} and {NOTE} are handed over, and both open."
    items.add("structure", "core", says, failure="output format", check=check)
    says = f"The five sheets of {NAME} stand first, one after another: {', '.join(SHEETS)}."
    check = {"sheets": {"file": NAME, "order": SHEETS}}
    items.add("structure", "important", says, check=check)
    says = f"Review has one line for each of the {len(told.results)} loads, no other."
    rows = {"file": NAME, "sheet": "Review", "key": ["load"], "are": "expected/loads.csv"}
    items.add("structure", "important", says, check={"rows": rows})
    says = f"The note has the headings {', '.join(HEADS)}, in this order."
    check = {"outline": {"file": NOTE, "has": HEADS, "in_order": True}}
    items.add("structure", "important", says, check=check)
    says = "The note has two pages at most."
    check = {"pages": {"file": NOTE, "at_most": 2}}
    items.add("presentation", "auxiliary", says, check=check)
    says = "Review has frozen headings and a filter."
    check = {"view": {"file": NAME, "sheets": ["Review"], "has": ["freeze", "filter"]}}
    items.add("presentation", "auxiliary", says, check=check)


def _paper(told: Story, items: Items) -> None:
    """What hangs on papers: speeds and names on the strip, corrections, shortest soak."""
    files, found = strip_of(told.world), told.results
    wants = [
        cell
        for one in found
        for cell in (
            named(one, files[one.load.no]),
            want(one, "speed", one.load.speed),
        )
    ]
    wrong = [f"{one.load.no} {one.load.speed}" for one in found if one.load.noted != one.load.speed]
    says = (
        "Each load has its strip and the speed that the clock marks give, also where another one "
        f"is noted: {', '.join(wrong)} mm/h."
    )
    items.add("integration", "important", says, failure=READ, check=cells("Readings", wants))
    tol = Decimal("0.6")
    shown = ", ".join(f"{one.load.no} {one.correction}" for one in found)
    says = f"The correction is that of load pen and thermocouple at the set temperature: {shown}."
    wants = [want(one, "correction", one.correction, tol=tol, formula=True) for one in found]
    check = cells("Review", wants)
    items.add("calculation", "important", says, failure=READ, check=check)
    shown = ", ".join(f"{one.load.no} {one.required}" for one in found)
    says = f"The shortest soak is that of the day of charge: {shown}."
    check = cells("Review", [want(one, "required", one.required, formula=True) for one in found])
    items.add("domain", "important", says, failure=READ, check=check)


def _of(told: Story, *recorders: str) -> list[Result]:
    return [one for one in told.results if one.load.recorder in recorders]


def _group(
    items: Items,
    some: Sequence[Result],
    column: str,
    what: str,
    value: Callable[[Result], float],
    off: Callable[[Result], float],
) -> None:
    """One item on a reading of several loads. Core, except rates and delays."""
    level: Level = "core" if column in ("soak", "peak") else "important"
    names = ", ".join(sorted({one.load.recorder for one in some}))
    places = 0 if column == "delay" else 1
    shown = ", ".join(f"{one.load.no} {value(one):.{places}f}" for one in some)
    says = f"{what} of the {len(some)} loads on {names} is read off the strips: {shown}."
    sheet = "Readings" if column == "delay" else "Review"
    live: dict[str, object] = {} if column == "delay" else {"formula": True}
    wants = [
        want(one, column, number(value(one), places), tol=number(off(one)), **live) for one in some
    ]
    dimension: Dimension = "calculation" if column in ("soak", "rate") else "domain"
    items.add(dimension, level, says, failure=READ, check=cells(sheet, wants))


def _read(told: Story, items: Items) -> None:
    each = [_of(told, f"REC-{n}") for n in (1, 2, 3)]
    for some in (_of(told, "REC-1", "REC-2"), each[2]):
        _group(
            items,
            some,
            "rate",
            "The heating rate",
            lambda o: o.rate,
            lambda o: o.rate * RATE[o.load.speed],
        )
    for some in each:
        _group(
            items, some, "soak", "The soak that counts", lambda o: o.soak,
            lambda o: SOAK[o.load.speed],
        )  # fmt: skip
    for some in each:
        _group(items, some, "peak", "The corrected peak", lambda o: o.peak, lambda _: DEGREES)
    for some in (_of(told, "REC-1", "REC-2"), each[2]):
        fast = told.world.recorder(some[0].load).fast
        _group(
            items, some, "delay", "The quench delay, s,", lambda o: o.read.delay,
            lambda _, fast=fast: DELAY[fast],  # type: ignore[misc] # bound at once
        )  # fmt: skip
    _dips(told, items)


def _dips(told: Story, items: Items) -> None:
    some = [one for one in told.results if one.read.dip]
    shown = ", ".join(
        f"{one.load.no} {one.read.dip:.1f} min down to {one.read.dip_low:.0f}" for one in some
    )
    wants = [
        cell
        for one in some
        for cell in (
            want(one, "dip", number(one.read.dip), tol=number(DIP)),
            want(one, "dip_low", number(one.read.dip_low or 0), tol=number(DEGREES)),
        )
    ]
    flat = [want(one, "dip", 0) for one in told.results if not one.read.dip]
    says = f"Three load pens dip below the band, and no other does: {shown} as written."
    check = cells("Readings", [*wants, *flat])
    items.add("domain", "important", says, failure=READ, check=check)
    shown = ", ".join(f"{one.load.no} {one.clock}" for one in some)
    says = f"What a dip does to the clock follows the rule in force: {shown}; the others none."
    check = cells("Review", [want(one, "clock", one.clock, formula=True) for one in told.results])
    items.add("domain", "important", says, failure=READ, check=check)


def _decided(told: Story, items: Items) -> None:
    for name, kinds in (
        ("Released", ("release",)),
        ("To be reprocessed", ("reprocess",)),
        ("Held or scrap", ("hold", "scrap")),
    ):
        some = [one for one in told.results if one.decision in kinds]
        shown = ", ".join(f"{one.load.no} {one.decision}" for one in some)
        says = f"{name}, {len(some)} loads: {shown}."
        check = cells("Review", [want(one, "decision", one.decision, formula=True) for one in some])
        items.add("integration", "core", says, failure=READ, check=check)
    some = [one for one in told.results if one.findings]
    shown = ", ".join(f"{one.load.no} {', '.join(one.findings)}" for one in some)
    says = f"The findings are {shown}, and none on the others."
    wants = [
        want(one, "findings", ", ".join(one.findings) or "none", formula=True)
        for one in told.results
    ]
    items.add("domain", "important", says, failure=READ, check=cells("Review", wants))


def _sums(told: Story, items: Items) -> None:
    counts = figures(told)
    shown = ", ".join(f"{label} {value}" for label, value in counts.items())
    labels = [
        {"label": field, "equals": value}
        for field, value in zip(SUMS, counts.values(), strict=True)
    ]
    says = f"Summary gives, as live formulas: {shown}."
    check: dict[str, Any] = {"label": {"file": NAME, "sheet": "Summary", "formula": True}}
    check["label"]["all"] = labels
    items.add("calculation", "core", says, failure=VERIFY, check=check)
    _live(told, items)
    cell = {"file": NAME, "sheet": "Summary", "label": SUMS[5]}
    figure = {"file": NOTE, "near": ["pieces"], "digits": 3}
    says = "The number of released pieces in the note is that of Summary."
    check = {"agree": {"cell": cell, "figure": figure}}
    items.add("integration", "important", says, failure=VERIFY, check=check)


def _live(told: Story, items: Items) -> None:
    """Only decisions that the moved limits change, and what Summary then counts."""
    then = told.moved
    pairs = zip(told.results, then, strict=True)
    changed = [new for old, new in pairs if new.decision != old.decision]
    wants = [{"sheet": "Review", **want(one, "decision", one.decision)} for one in changed]
    sums = list(counted(then).values())
    wants += [{"sheet": "Summary", "label": SUMS[n], "equals": sums[n]} for n in (1, 2, 4, 5)]
    cells_ = (MOVED.over, MOVED.far_over, MOVED.dip_minutes, *MOVED.delays)
    shown = ", ".join(f"{one.load.no} {one.decision}" for one in changed)
    says = (
        f"With {', '.join(map(str, cells_))} in B2 to B6 of Limits the decisions follow: {shown}; "
        f"{sums[5]} pieces are released."
    )
    moves = {f"Limits!B{row}": value for row, value in enumerate(cells_, 2)}
    check = {"whatif": {"file": NAME, "set": moves, "then": wants}}
    items.add("engineering", "important", says, failure=VERIFY, check=check)


def _judged(told: Story, items: Items) -> None:
    known = words(told)
    says = (
        "Under Loads that do not go the note has a table with each load that is not released, its "
        "finding with value and limit, and its decision, and no load that is released."
    )
    truth = (
        f"Rows of the reference:\n{known['short_rows']}\n"
        "Right or wrong, loads, values and decisions must be those of the sheet Review of the same "
        "submission (values rounded as the writer likes); whether they are read rightly is asked "
        f"elsewhere. That {known['rerun']} is held since it repeats {known['earlier']} need not be "
        "said; a finding without its value or without its limit fails."
    )
    items.add("presentation", "important", says, failure=FOLLOW, truth=truth)
    says = (
        "Under What the heat treater must do the note says for each load that does not go what is "
        "to be done with it, and that the overdue thermocouple is not to be used on."
    )
    truth = (
        "By 6.3. Reprocess: normalise, then the whole cycle, under a new load number "
        f"({known['reprocess']}). Hold: the parts are kept until Materials Engineering decides "
        f"({known['hold']}); the checks may be named: microstructure {known['micro']}, magnetic "
        f"particles {known['rate_load']} and, after a comparison of the thermocouple, "
        f"{known['tc_load']}, hardness {known['rerun']}. Scrap: cut up in the presence of the "
        f"inspector ({known['scrap']}). {known['tc']} was due on {known['due']}: out of use, "
        "calibrated or compared. Needed: what normalising, new load number and inspector are for "
        "which decision, and the thermocouple by its name. Loads may be named by their decision. "
        f"That speeds were noted wrongly ({known['misnoted']}) may be said or not."
    )
    items.add("domain", "important", says, failure=READ, truth=truth)
