"""The rubric's items on the workbook: what each says and what it checks come from one value."""

from decimal import Decimal
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from authoring.fin_01_three_levels.book import NAME, SHEETS
from authoring.fin_01_three_levels.memo import MEMO, said
from authoring.fin_01_three_levels.rubric_memo import memo_items
from authoring.fin_01_three_levels.rules import Rules
from authoring.fin_01_three_levels.story import Story, tell
from authoring.parts.items import RubricSheet
from authoring.parts.numbers import money, percent
from bythebook.deliverables.rubric import Failure, ReadAs

D = Decimal
EURO, HAIR, TENTH = D(1), D("0.0005"), D("0.005")
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
    ("deal", "number", ("No.", "Deal")),
    ("counts", "text", ("Counts", "Used", "Included")),
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
    ("decided", "text", ("Decision",)),
    ("largest", "number", ("Maximum senior loan",)),
    ("reduced_irr", "percent", ("Base IRR at that loan",)),
)
DOMAIN: Failure = "domain expertise"
VERIFY: Failure = "self-verification"
RATIOS = ("moic", "median", "test_value", "deal")


def write_rubric(told: Story, path: Path) -> None:
    sheet = RubricSheet()
    for name, read_as, names in FIELDS:
        unit = "EUR" if read_as == "number" and name not in RATIOS else ""
        sheet.field(name, *names, read_as=read_as, unit=unit)
    _files(sheet)
    _earnings(told, sheet)
    _balance(told, sheet)
    _price(told, sheet)
    _returns(told, sheet)
    _decision(told, sheet)
    _workbook(told, sheet)
    memo_items(told, sheet)
    sheet.write(path)


def _column(place: str, key: tuple[str, ...], column: str, table: str, **how: Any) -> dict[str, Any]:
    where = {"sheet": place, "key": key, "column": column}
    return {"column": where | {"table": f"expected/{table}.csv#{column}"} | how}


def _files(sheet: RubricSheet) -> None:
    sheet.item(
        "structure",
        "core",
        f"Model and memo are handed over as {NAME} and {MEMO}; both open.",
        failure="output format",
        check={"files": {"want": {NAME: "xlsx", MEMO: "docx"}}},
    )
    sheet.item(
        "structure",
        "important",
        f"The model's ten sheets follow each other as asked: {', '.join(SHEETS)}.",
        check={"sheets": {"order": SHEETS}},
    )


def _earnings(told: Story, sheet: RubricSheet) -> None:
    text = said(told)
    sheet.item(
        "integration",
        "core",
        f"Group revenue is right in each of the twelve months to September 2024 ({money(told.price.revenue, 0)} together): lines that the ledger "
        "export repeats count once, the subsidiary's thousands of PLN are translated at each month's average rate.",
        failure=VERIFY,
        check=_column(SHEETS[1], ("month",), "revenue", "ltm", tol=EURO, formula=True),
    )
    sheet.item(
        "calculation",
        "core",
        f"Reported EBITDA is right in each month of the LTM ({text['reported']} together), cut from two financial years that end at other dates.",
        check=_column(SHEETS[1], ("month",), "reported_ebitda", "ltm", tol=EURO, formula=True),
    )
    sheet.item(
        "integration",
        "important",
        f"Lease payments of both companies are right in each month ({text['lease_payments']} together).",
        check=_column(SHEETS[1], ("month",), "lease_payments", "ltm", tol=EURO, formula=True),
    )
    sheet.item(
        "domain",
        "core",
        "Every adjustment counts with the right amount: the settlement once, the burst pipe net of the insurer's refund, ERP and depot as posted in "
        f"the LTM, severance at April's rate, and the two incomes that came once (B1 {text['b1']}, B2 {text['b2']}) deducted.",
        failure=DOMAIN,
        check=_column(SHEETS[2], ("adjustment",), "amount", "adjustments", tol=EURO),
    )
    sheet.item(
        "domain",
        "important",
        "Each of the thirteen adjustments carries the word that IP-04 has for it: "
        + ", ".join(f"{one.no} {one.decision}" for one in told.adjustments)
        + ".",
        check=_column(SHEETS[2], ("adjustment",), "decision", "adjustments"),
    )
    wanted = {"NormalisedEBITDA": told.price.normalised, "CovenantEBITDA": told.price.covenant_ebitda}
    sheet.item(
        "calculation",
        "core",
        f"NormalisedEBITDA names {text['normalised']} and CovenantEBITDA {text['covenant']}, which is lower by the lease payments, as live formulas.",
        failure=DOMAIN,
        check={"names": {"are": {n: _live(v, D(2)) for n, v in wanted.items()}}},
    )


def _live(value: Decimal, tol: Decimal) -> dict[str, Any]:
    return {"equals": value.quantize(D("0.000001")), "tol": tol, "formula": True}


def _balance(told: Story, sheet: RubricSheet) -> None:
    text = said(told)
    sheet.item(
        "calculation",
        "core",
        f"Trade working capital is right at all twelve month ends, with the flow bench of {text['bench']} taken out of payables from July 2024 and "
        f"September translated at {text['rate']}.",
        failure=VERIFY,
        check=_column(SHEETS[3], ("month",), "working_capital", "working-capital", tol=EURO, formula=True),
    )
    sheet.item(
        "domain",
        "core",
        "All seventeen lines are treated as Schedule 2 says: leases, tax, the unpaid fixed assets and the bonuses are debt, the pledged deposit and deferred tax are "
        "neither, prepayments and VAT are working capital.",
        failure=DOMAIN,
        check=_column(SHEETS[4], ("debt_item",), "treatment", "net-debt"),
    )
    sheet.item(
        "calculation",
        "important",
        f"Each line stands in net debt with the right amount ({text['debt']} together), bonuses with social charges.",
        check=_column(SHEETS[4], ("debt_item",), "in_net_debt", "net-debt", tol=EURO),
    )


def _labels(place: str, wants: dict[str, tuple[Decimal, Decimal]]) -> dict[str, Any]:
    rows = [
        {"label": name, "equals": value.quantize(D("0.000001")), "tol": tol}
        for name, (value, tol) in wants.items()
    ]
    return {"label": {"sheet": place, "all": rows, "formula": True}}


def _price(told: Story, sheet: RubricSheet) -> None:
    text, paid = said(told), told.price
    labels = {
        "value": (paid.value, D(12)),
        "debt_total": (paid.debt, D(3)),
        "capital_adjustment": (paid.adjustment, D(2)),
        "equity_label": (paid.equity, D(15)),
        "loan": (paid.loan, D(6)),
        "later": (paid.later, D(2)),
    }
    sheet.item(
        "calculation",
        "core",
        f"Price leads, at the signed multiple of {text['multiple']}, from the enterprise value of {text['value']} to the equity price and on to a loan of {text['loan']} and the deferred payment, figure by figure.",
        check=_labels(SHEETS[5], labels),
    )
    named = {"WorkingCapitalPeg": _live(paid.peg, EURO), "EquityPrice": _live(paid.equity, D(15))}
    sheet.item(
        "engineering",
        "important",
        f"WorkingCapitalPeg is the name of a live cell with the average of the twelve month ends, {money(paid.peg, 0)}, EquityPrice of one with {text['equity']}.",
        check={"names": {"are": named}},
    )
    ratios = {"median": (told.median, TENTH), "premium": (told.premium, HAIR)}
    sheet.item(
        "domain",
        "important",
        f"The cross-check rests on the five deals that qualify: median {text['median']} times, premium {text['premium']}.",
        failure=DOMAIN,
        check=_labels(SHEETS[6], ratios),
    )


def _returns(told: Story, sheet: RubricSheet) -> None:
    cells: list[dict[str, Any]] = []
    for name, one in told.outcomes.items():
        for field, value, tol in (("irr", one.irr, HAIR), ("moic", one.moic, TENTH), ("fund_equity", one.equity, D(60))):
            cells.append({"find": {"case": name}, "column": field, "equals": value.quantize(D("0.000001")), "tol": tol})
    listed = "; ".join(f"{n} {percent(o.irr)} and {o.moic:.2f}x" for n, o in told.outcomes.items())
    sheet.item(
        "calculation",
        "core",
        f"IRR and MOIC are right in all three cases ({listed}): the fund pays in {money(told.outcomes['Base'].equity, 0)} at closing and the deferred payment in year 2.",
        check={"cell": {"sheet": SHEETS[7], "formula": True, "all": cells}},
    )
    key = ("case", "tested")
    sheet.item(
        "domain",
        "core",
        f"Headroom is right in all three cases at all five test dates (Base on 31 March 2027: {percent(told.least.headroom)}), under the covenants of clause 9.",
        failure=DOMAIN,
        check=_column(SHEETS[8], key, "headroom", "covenant", tol=HAIR, formula=True),
    )
    cells = [
        {"find": {"case": row.case, "tested": row.tested}, "column": field, "equals": value.quantize(D("0.01")), "tol": tol}
        for rows in told.years.values()
        for row in rows
        for field, value, tol in (("net_senior_debt", row.senior, D(60)), ("covenant_ebitda", row.ebitda, D(10)))
    ]
    sheet.item(
        "calculation",
        "important",
        "Net senior debt and Covenant EBITDA are right in all fifteen rows: interest as the bank confirmed it, the whole cash flow swept, leases left out of debt, lease payments out of EBITDA.",
        check={"cell": {"sheet": SHEETS[8], "formula": True, "all": cells}},
    )


def _decision(told: Story, sheet: RubricSheet) -> None:
    cells: list[dict[str, Any]] = []
    for test, value, _, met in told.tests:
        tol = TENTH if test == "T2" else HAIR
        cells.append({"find": {"test": test}, "column": "test_value", "equals": value.quantize(D("0.000001")), "tol": tol})
        cells.append({"find": {"test": test}, "column": "result", "equals": "met" if met else "not met"})
    sheet.item(
        "domain",
        "important",
        "The four tests of the policy have the right values and results: T1, T2 and T4 are met and T3 is not.",
        check={"cell": {"sheet": SHEETS[9], "all": cells}},
    )
    wants = [
        {"label": "decided", "equals": told.decision},
        {"label": "largest", "equals": told.largest, "tol": 0},
        {"label": "reduced_irr", "equals": told.reduced_outcome.irr.quantize(D("0.000001")), "tol": HAIR},
    ]
    sheet.item(
        "domain",
        "core",
        f"The decision is {told.decision}, with a maximum senior loan of {money(told.largest, 0)} (the second test date limits it, not the first), with which the Base case "
        f"earns {percent(told.reduced_outcome.irr)}.",
        failure=DOMAIN,
        check={"label": {"sheet": SHEETS[9], "all": wants}},
    )


def _workbook(told: Story, sheet: RubricSheet) -> None:
    _what_if(told, sheet)
    charts = ({"values": "expected/base.csv#headroom", "tol": HAIR},)
    sheet.item(
        "presentation",
        "auxiliary",
        "Covenant has a native chart of the Base case's headroom.",
        failure="output format",
        check={"charts": {"sheet": SHEETS[8], "all": charts}},
    )
    sheet.item(
        "engineering",
        "auxiliary",
        "Headings of LTM, Adjustments and Covenant are frozen.",
        check={"view": {"sheets": [SHEETS[1], SHEETS[2], SHEETS[8]], "has": ["freeze"]}},
    )


def _what_if(told: Story, sheet: RubricSheet) -> None:
    """Another multiple and another rate: price, returns and covenants must follow."""
    terms = told.world.terms
    multiple, rate = terms.multiple + D("0.40"), terms.interest + D("0.02")
    drawn = replace(told.world, terms=replace(terms, multiple=multiple, interest=rate))
    other = tell(drawn, Rules())
    irr, last = other.outcomes["Base"].irr, other.years["Base"][-1]
    equity = other.outcomes["Low"].equity
    assert other.largest != told.largest
    then = [
        {"sheet": SHEETS[7], "find": {"case": "Base"}, "column": "irr", "equals": irr.quantize(D("0.000001")), "tol": HAIR},
        {"sheet": SHEETS[7], "find": {"case": "Low"}, "column": "fund_equity", "equals": equity.quantize(D("0.01")), "tol": D(60)},
        {
            "sheet": SHEETS[8],
            "find": {"case": "Base", "tested": last.tested},
            "column": "headroom",
            "equals": last.headroom.quantize(D("0.000001")),
            "tol": HAIR,
        },
    ]
    sheet.item(
        "engineering",
        "important",
        f"The model is live: at {multiple:.2f} times in B4 and {percent(rate, 2)} in B5 of Assumptions the Base IRR becomes {percent(irr)}, the fund's equity "
        f"{money(equity, 0)} and the headroom of 31 March 2030 {percent(last.headroom)}.",
        failure=VERIFY,
        check={"whatif": {"set": {"Assumptions!B4": multiple, "Assumptions!B5": rate}, "then": then}},
    )
