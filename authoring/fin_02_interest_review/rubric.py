"""The rubric: what each item says and what it checks come from one value."""

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from authoring.fin_02_interest_review import notices as n
from authoring.fin_02_interest_review.book import NAME, SHEETS
from authoring.fin_02_interest_review.expected import group, share
from authoring.fin_02_interest_review.inputs import TEXTS
from authoring.fin_02_interest_review.letters import LETTER, NOTE, own, reasons, said
from authoring.fin_02_interest_review.story import Story
from authoring.fin_02_interest_review.supposed import supposed
from authoring.parts.items import WordedItems
from authoring.parts.numbers import money, percent
from bythebook.deliverables.rubric import Failure, Level, ReadAs

D = Decimal
HALF, TINY = D("0.005"), D("0.0000005")
FIELDS: tuple[tuple[str, ReadAs, tuple[str, ...]], ...] = (
    ("quarter", "date", ("Quarter date",)),
    ("version", "text", ("Version",)),
    ("leverage", "number", ("Leverage",)),
    ("step", "number", ("Step",)),
    ("adjusts", "date", ("Adjustment Date",)),
    ("from_day", "date", ("From", "Valid from")),
    ("margin_a", "percent", ("Margin A", "Facility A")),
    ("margin_b", "percent", ("Margin B", "Facility B")),
    ("margin_rcf", "percent", ("Margin RCF", "RCF")),
    ("notice", "text", ("Notice", "No.")),
    ("days", "number", ("Days",)),
    ("base", "percent", ("Base rate",)),
    ("correct", "number", ("Correct amount", "Correct")),
    ("paid", "number", ("Paid",)),
    ("difference", "number", ("Difference",)),
    ("treatment", "text", ("Treatment",)),
    ("refund_interest", "number", ("Refund interest",)),
    ("claimed", "number", ("Claimed in EUR",)),
    ("accrual_item", "text", ("Item",)),
    ("accrued", "number", ("Accrued",)),
    ("accrued_eur", "number", ("Accrued in EUR",)),
    ("refunds_label", "number", ("Refunds",)),
    ("interest_label", "number", ("Interest on refunds",)),
    ("deductions_label", "number", ("Deductions",)),
    ("total_label", "number", ("Claim total",)),
    ("barred_label", "number", ("Overpaid but barred",)),
    ("accrued_label", "number", ("Accrued at 31 October 2025",)),
)
LABELS = tuple(name for name, _, _ in FIELDS if name.endswith("_label"))
DOMAIN: Failure = "domain expertise"
VERIFY: Failure = "self-verification"
FORMAT: Failure = "output format"


class Items(WordedItems):
    def __init__(self, told: Story) -> None:
        super().__init__(TEXTS / "items.yaml", said(told) | _more(told) | supposed(told).facts)


def write_rubric(told: Story, path: Path) -> None:
    items = Items(told)
    for name, read_as, names in FIELDS:
        items.sheet.field(name, *names, read_as=read_as)
    _frame(items)
    _rates(told, items)
    _amounts(items)
    _claim(told, items)
    _documents(told, items)
    _live(told, items)
    _judged(told, items)
    items.sheet.write(path)


def _frame(items: Items) -> None:
    files = {"files": {"want": {NAME: "xlsx", LETTER: "docx", NOTE: "docx"}}}
    items.add("files", "structure", "core", FORMAT, check=files)
    items.add("sheets", "structure", "important", check={"sheets": {"order": SHEETS}})
    rows = {"rows": {"sheet": "Margin", "key": ["from_day"], "are": "expected/margin.csv"}}
    items.add("margin_days", "structure", "core", DOMAIN, check=rows)
    heads = ("Claim", "Grounds", "Deductions", "Settlement")
    check: dict[str, Any] = {"outline": {"file": LETTER, "has": heads, "in_order": True}}
    items.add("letter_outline", "structure", "important", check=check)
    limits = [{"file": LETTER, "at_most": 2}, {"file": NOTE, "at_most": 1}]
    items.add("pages", "structure", "auxiliary", check={"pages": {"all": limits}})
    check = {"view": {"sheets": ["Recalculation"], "has": ["freeze"]}}
    items.add("frozen", "presentation", "auxiliary", FORMAT, check=check)


def _column(sheet: str, key: str, column: str, table: str, **how: Any) -> dict[str, Any]:
    told = {"sheet": sheet, "key": [key], "column": column}
    return {"column": told | {"table": f"expected/{table}.csv#{column}", "formula": True} | how}


def _cells(sheet: str, cells: list[dict[str, Any]], formula: bool = True) -> dict[str, Any]:
    return {"cell": {"sheet": sheet, "formula": formula, "all": cells}}


def _rates(told: Story, items: Items) -> None:
    cells: list[dict[str, Any]] = []
    for one in told.reads:
        find = {"quarter": one.certificate.quarter, "version": one.certificate.version}
        wants = {"leverage": one.leverage, "step": one.step, "adjusts": one.adjusts}
        cells += [{"find": find, "column": name, "equals": v} for name, v in wants.items()]
    items.add("certificates", "domain", "core", DOMAIN, check=_cells("Certificates", cells))
    levels: dict[str, Level] = {"margin_a": "core", "margin_b": "core", "margin_rcf": "important"}
    for name, level in levels.items():
        check = _column("Margin", "from_day", name, "margin", tol=TINY)
        items.add(name, "calculation", level, DOMAIN, check=check)
    for key, currency in (("euribor", "EUR"), ("sonia", "GBP")):
        cells = []
        for line in told.lines:
            if line.right.rate is None or line.notice.currency != currency:
                continue
            find = {"notice": line.notice.no}
            rate = {"column": "base", "equals": share(line.right.rate, 6), "tol": TINY}
            cells += [{"find": find, "formula": True} | rate]
            cells += [{"find": find, "column": "days", "equals": line.right.days}]
        check = _cells("Recalculation", cells, formula=False)
        items.add(key, "calculation", "core", DOMAIN, check=check)


def _amounts(items: Items) -> None:
    tables: dict[str, tuple[str, Level]] = {
        "facility_a": ("facility-a", "core"),
        "facility_b": ("facility-b", "core"),
        "rcf_loans": ("rcf-loans", "core"),
        "commitment": ("commitment-fee", "core"),
        "utilisation": ("utilisation-fee", "important"),
    }
    for key, (table, level) in tables.items():
        check = _column("Recalculation", "notice", "correct", table, tol=HALF)
        items.add(key, "calculation", level, VERIFY, check=check)


def _claim(told: Story, items: Items) -> None:
    cells: list[dict[str, Any]] = []
    claims: list[dict[str, Any]] = []
    for line in told.lines:
        find = {"notice": line.notice.no}
        paid = {"paid": line.paid, "difference": line.difference}
        cells += [{"find": find, "column": c, "equals": v, "tol": HALF} for c, v in paid.items()]
        if line.claim.treatment == "refund":
            either = tuple(dict.fromkeys((line.claim.interest, line.claim.interest_eur)))
            want: dict[str, Any] = {"any_of": [*either]} if either[1:] else {"equals": either[0]}
            claims.append({"find": find, "column": "refund_interest", **want, "tol": HALF})
        claims.append({"find": find, "column": "claimed", "equals": line.claim.total, "tol": HALF})
    check = _cells("Recalculation", cells, formula=False)
    items.add("paid", "integration", "important", VERIFY, check=check)
    check = _column("Claim", "notice", "treatment", "treatment")
    items.add("treatment", "domain", "core", DOMAIN, check=check)
    items.add("interest", "calculation", "important", check=_cells("Claim", claims, formula=False))
    wants = [
        {"label": label, "equals": value, "tol": HALF}
        for label, value in zip(LABELS, told.totals.values(), strict=True)
    ]
    check = {"label": {"sheet": "Summary", "formula": True, "all": wants[:-1]}}
    items.add("summary", "integration", "core", VERIFY, check=check)
    cells = []
    for name, amounts in told.accruals.items():
        for column, amount in zip(("accrued", "accrued_eur"), amounts, strict=True):
            about = {"find": {"accrual_item": name}, "column": column}
            live = {"formula": True} if amount else {}
            cells.append({**about, "equals": amount, "tol": HALF, **live})
    check = _cells("Accrual", cells, formula=False)
    items.add("accrual", "calculation", "core", check=check)


def _documents(told: Story, items: Items) -> None:
    totals = tuple(told.totals.items())[:4]
    rows = [{"is": value, "digits": 6, "near": name} for name, value in totals]
    check: dict[str, Any] = {"figures": {"file": LETTER, "only": "tables", "all": rows}}
    items.add("letter_table", "integration", "core", VERIFY, check=check)
    cell = {"file": NAME, "sheet": "Summary", "label": "total_label"}
    figure = {"file": NOTE, "near": ["claim total", "in total", "total"], "digits": 5}
    check = {"agree": {"cell": cell, "figure": figure}}
    items.add("agreement", "integration", "important", VERIFY, check=check)


def _live(told: Story, items: Items) -> None:
    for key, one in supposed(told).what_ifs.items():
        items.add(key, "engineering", "important", VERIFY, check={"whatif": one})


def _judged(told: Story, items: Items) -> None:
    items.add("grounds", "domain", "important", DOMAIN)
    items.add("deductions", "domain", "important", DOMAIN)
    barred = {"is": told.totals["Overpaid but barred"], "digits": 3}
    screen = {"figures": {"file": NOTE, "all": [barred]}}
    items.add("house", "domain", "important", DOMAIN, screen=screen)


def _sum(told: Story, name: str) -> str:
    return money(sum((one.right.amount for one in told.lines if group(one) == name), D(0)))


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _more(told: Story) -> dict[str, str]:
    """Facts that only the rubric says."""
    why = reasons()
    truth = {
        name: "; ".join(
            f"{line.notice.no} {own(line)}"
            + (f" {why[line.notice.key]['short']}" if name == "refund" else "")
            for line in told.treated(name)
        )
        for name in ("refund", "deduct")
    }
    rates = {key: told.of(name).right.rate for key, name in (("a1", "A1"), ("r1", "RCF 1"))}
    fees = (line for line in told.lines if line.notice.kind == n.UTILISATION)
    return {
        "book": NAME,
        "letter": LETTER,
        "note": NOTE,
        "sheets": ", ".join(SHEETS),
        "margin_days": ", ".join(_day(line.first) for line in told.margins),
        "a_sum": _sum(told, "facility-a"),
        "b_sum": _sum(told, "facility-b"),
        "c_sum": _sum(told, "commitment-fee"),
        "u_list": ", ".join(f"{one.notice.no} {money(one.right.amount)}" for one in fees),
        "grounds_truth": f"{truth['refund']}.",
        "deduct_truth": f"{truth['deduct']}.",
        "a6": told.of("A6").notice.no,
        "c6": told.of("C6").notice.no,
        **{f"{key}_rate": percent((rate or D(0)) / 100, 3) for key, rate in rates.items()},
    }
