"""The rubric's items on the workbook: what each says and what it checks come from one value."""

from decimal import Decimal
from pathlib import Path
from typing import Any

from authoring.fin_01_three_levels.book import NAME, SHEETS
from authoring.fin_01_three_levels.items import Items, supposed
from authoring.fin_01_three_levels.memo import MEMO
from authoring.fin_01_three_levels.rubric_memo import memo_items
from authoring.fin_01_three_levels.rules import STEP
from authoring.fin_01_three_levels.story import Story
from bythebook.deliverables.rubric import Failure, ReadAs

D = Decimal
EURO, HAIR, CENT = D(1), D("0.0005"), D("0.005")
FIELDS: tuple[tuple[str, ReadAs, tuple[str, ...]], ...] = (
    ("month", "month", ("Month", "Month end", "Period")),
    ("revenue", "number", ("Revenue", "Group revenue", "Sales")),
    ("reported_ebitda", "number", ("Reported EBITDA", "EBITDA, reported")),
    ("lease_payments", "number", ("Lease payments", "Leases paid")),
    ("adjustment", "text", ("No.", "Line", "Adjustment")),
    ("decision", "text", ("Decision", "Verdict")),
    ("amount", "number", ("Amount", "Amount that counts", "Accepted")),
    ("working_capital", "number", ("Trade working capital", "Working capital", "TWC")),
    ("debt_item", "text", ("Item", "Balance sheet item")),
    ("treatment", "text", ("Treatment", "Treated as")),
    ("in_net_debt", "number", ("In net debt", "Net debt")),
    ("value", "number", ("Enterprise value", "EV")),
    ("debt_total", "number", ("Net debt total", "Total net debt")),
    ("capital_adjustment", "number", ("Working capital adjustment",)),
    ("equity_label", "number", ("Equity price",)),
    ("loan", "number", ("Senior loan",)),
    ("later", "number", ("Deferred payment",)),
    ("median", "number", ("Median multiple", "Median EV/EBITDA")),
    ("premium", "percent", ("Premium", "Premium over the cross-check")),
    ("case", "text", ("Case", "Scenario")),
    ("irr", "percent", ("IRR", "Internal rate of return")),
    ("moic", "number", ("MOIC", "Multiple of money")),
    ("fund_equity", "number", ("Fund equity", "Equity of the fund")),
    ("tested", "date", ("Test date", "Date")),
    ("covenant_ebitda", "number", ("Covenant EBITDA",)),
    ("net_senior_debt", "number", ("Net senior debt",)),
    ("headroom", "percent", ("Headroom", "Covenant headroom")),
    ("test", "text", ("Test",)),
    ("test_value", "number", ("Value", "Actual")),
    ("result", "text", ("Result", "Outcome")),
    ("decided", "text", ("Recommended decision",)),
    ("largest", "number", ("Maximum senior loan",)),
    ("reduced_irr", "percent", ("Base IRR at that loan",)),
)
DOMAIN: Failure = "domain expertise"
VERIFY: Failure = "self-verification"
FORMAT: Failure = "output format"
RATIOS = ("moic", "median", "test_value")


def write_rubric(told: Story, path: Path) -> None:
    items = Items(told)
    for name, read_as, names in FIELDS:
        unit = "EUR" if read_as == "number" and name not in RATIOS else ""
        items.sheet.field(name, *names, read_as=read_as, unit=unit)
    _files(items)
    _earnings(told, items)
    _balance(items)
    _price(told, items)
    _returns(told, items)
    _decision(told, items)
    _what_if(told, items)
    _looks(items)
    memo_items(told, items)
    items.sheet.write(path)


def _column(place: str, key: str, column: str, **how: Any) -> dict[str, Any]:
    """A whole column of a sheet against the expected table of the sheet's name."""
    keys = ("case", "tested") if key == "case" else (key,)
    table = f"expected/{place.lower().replace(' ', '-')}.csv#{column}"
    return {"column": {"sheet": place, "key": keys, "column": column, "table": table} | how}


def _exact(value: Decimal, tol: Decimal, **more: Any) -> dict[str, Any]:
    return {"equals": value.quantize(D("0.000001")), "tol": tol} | more


def _files(items: Items) -> None:
    files = {"files": {"want": {NAME: "xlsx", MEMO: "docx"}}}
    items.add("files", "structure", "core", FORMAT, check=files)
    items.add("sheets", "structure", "important", check={"sheets": {"order": SHEETS}})


def _earnings(told: Story, items: Items) -> None:
    live: dict[str, Any] = {"tol": EURO, "formula": True}
    check = _column("LTM", "month", "revenue", **live)
    items.add("revenue", "integration", "core", VERIFY, check=check)
    check = _column("LTM", "month", "reported_ebitda", **live)
    items.add("reported", "calculation", "core", check=check)
    check = _column("LTM", "month", "lease_payments", **live)
    items.add("leases", "integration", "important", check=check)
    check = _column("Adjustments", "adjustment", "amount", tol=EURO)
    items.add("amounts", "domain", "core", DOMAIN, check=check)
    check = _column("Adjustments", "adjustment", "decision")
    items.add("words", "domain", "important", check=check)
    paid = told.price
    wanted = {
        "NormalisedEBITDA": _exact(paid.normalised, D(2), formula=True),
        "CovenantEBITDA": _exact(paid.covenant_ebitda, D(2), formula=True),
    }
    items.add("earnings", "calculation", "core", DOMAIN, check={"names": {"are": wanted}})


def _balance(items: Items) -> None:
    check = _column("Working capital", "month", "working_capital", tol=EURO, formula=True)
    items.add("working", "calculation", "core", VERIFY, check=check)
    check = _column("Net debt", "debt_item", "treatment")
    items.add("treatment", "domain", "core", DOMAIN, check=check)
    check = _column("Net debt", "debt_item", "in_net_debt", tol=EURO)
    items.add("debt", "calculation", "important", check=check)


def _labels(place: str, wants: dict[str, tuple[Decimal, Decimal]]) -> dict[str, Any]:
    rows = [{"label": name, **_exact(*want)} for name, want in wants.items()]
    return {"label": {"sheet": place, "all": rows, "formula": True}}


def _price(told: Story, items: Items) -> None:
    paid = told.price
    labels = {
        "value": (paid.value, D(12)),
        "debt_total": (paid.debt, D(3)),
        "capital_adjustment": (paid.adjustment, D(2)),
        "equity_label": (paid.equity, D(15)),
        "loan": (paid.loan, D(6)),
        "later": (paid.later, D(2)),
    }
    items.add("price", "calculation", "core", check=_labels("Price", labels))
    named = {
        "WorkingCapitalPeg": _exact(paid.peg, EURO, formula=True),
        "EquityPrice": _exact(paid.equity, D(15), formula=True),
    }
    items.add("names", "engineering", "important", check={"names": {"are": named}})
    ratios = {"median": (told.median, CENT), "premium": (told.premium, HAIR)}
    items.add("check", "domain", "important", DOMAIN, check=_labels("Cross-check", ratios))


def _returns(told: Story, items: Items) -> None:
    cells = [
        {"find": {"case": name}, "column": field, **_exact(value, tol)}
        for name, one in told.outcomes.items()
        for field, value, tol in (
            ("irr", one.irr, HAIR),
            ("moic", one.moic, CENT),
            ("fund_equity", one.equity, D(60)),
        )
    ]
    check = {"cell": {"sheet": "Returns", "formula": True, "all": cells}}
    items.add("returns", "calculation", "core", check=check)
    check = _column("Covenant", "case", "headroom", tol=HAIR, formula=True)
    items.add("headroom", "domain", "core", DOMAIN, check=check)
    cells = [
        {"find": {"case": row.case, "tested": row.tested}, "column": field, **_exact(value, tol)}
        for rows in told.years.values()
        for row in rows
        for field, value, tol in (
            ("net_senior_debt", row.senior, D(60)),
            ("covenant_ebitda", row.ebitda, D(10)),
        )
    ]
    check = {"cell": {"sheet": "Covenant", "formula": True, "all": cells}}
    items.add("senior", "calculation", "important", check=check)


def _decision(told: Story, items: Items) -> None:
    cells: list[dict[str, Any]] = []
    for test, value, _, met in told.tests:
        find, result = {"test": test}, "met" if met else "not met"
        tol = CENT if test == "T2" else HAIR
        cells.append({"find": find, "column": "test_value", **_exact(value, tol)})
        cells.append({"find": find, "column": "result", "equals": result})
    check = {"cell": {"sheet": "Decision", "all": cells}}
    items.add("tests", "domain", "important", check=check)
    wants = [
        {"label": "decided", "equals": told.decision},
        {"label": "largest", "equals": told.largest, "tol": 0, "formula": True},
        {"label": "reduced_irr", **_exact(told.reduced_outcome.irr, HAIR, formula=True)},
    ]
    label = {"label": {"sheet": "Decision", "all": wants}}
    items.add("decision", "domain", "core", DOMAIN, check=label)


def _what_if(told: Story, items: Items) -> None:
    """Price, returns, covenants and the maximum loan must follow. The loan's tolerance is one
    step: near an edge, a hair's breadth turns the rounding."""
    multiple, rate, other = supposed(told)
    assert abs(other.largest - told.largest) > 2 * STEP
    assert other.decision == told.decision
    last = other.years["Base"][-1]
    cells = (
        ("Returns", {"case": "Base"}, "irr", other.outcomes["Base"].irr, HAIR),
        ("Returns", {"case": "Low"}, "fund_equity", other.outcomes["Low"].equity, D(60)),
        ("Covenant", {"case": "Base", "tested": last.tested}, "headroom", last.headroom, HAIR),
    )
    then = [
        {"sheet": sheet, "find": find, "column": column, **_exact(value, tol)}
        for sheet, find, column, value, tol in cells
    ]
    then.append({"sheet": "Decision", "label": "largest", **_exact(other.largest, STEP)})
    what_if = {"set": {"Assumptions!B4": multiple, "Assumptions!B5": rate}, "then": then}
    items.add("live", "engineering", "important", VERIFY, check={"whatif": what_if})


def _looks(items: Items) -> None:
    charts = ({"values": "expected/base.csv#headroom", "tol": HAIR},)
    check: dict[str, Any] = {"charts": {"sheet": "Covenant", "all": charts}}
    items.add("chart", "presentation", "auxiliary", FORMAT, check=check)
    check = {"view": {"sheets": ["LTM", "Adjustments", "Covenant"], "has": ["freeze"]}}
    items.add("frozen", "presentation", "auxiliary", check=check)
