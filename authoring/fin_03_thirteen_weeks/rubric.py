"""The rubric: what each item says and what it checks come from one value."""

from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

from authoring.fin_03_thirteen_weeks import cash
from authoring.fin_03_thirteen_weeks.book import NAME, SHEETS
from authoring.fin_03_thirteen_weeks.book_covenants import DATES, HEADROOM, headroom
from authoring.fin_03_thirteen_weeks.expected import GROUPS, lines
from authoring.fin_03_thirteen_weeks.letters import CERTIFICATE, NOTE, counted, euro, said, shown
from authoring.fin_03_thirteen_weeks.story import DOWN, Told, tell
from authoring.fin_03_thirteen_weeks.supposed import TOL, supposed
from authoring.fin_03_thirteen_weeks.world import TEXTS
from authoring.parts.items import WordedItems
from authoring.parts.numbers import money
from bythebook.deliverables.rubric import Failure, Level, ReadAs

D = Decimal
HALF = D("0.005")
FIELDS: tuple[tuple[str, ReadAs, tuple[str, ...]], ...] = (
    ("item", "text", ("Item",)),
    ("code", "text", ("Code",)),
    ("expected_on", "date", ("Expected on",)),
    ("expected", "number", ("Expected",)),
    ("paid_on", "date", ("Paid on",)),
    ("paid", "number", ("Paid",)),
    ("flow_no", "text", ("Flow",)),
    ("due", "date", ("Due",)),
    ("made_on", "date", ("Made on",)),
    ("amount", "number", ("Amount",)),
    ("week", "number", ("Week",)),
    ("opening", "number", ("Opening",)),
    ("flow", "number", ("Flow",)),
    ("interest", "number", ("Interest",)),
    ("move", "number", ("Loan",)),
    ("closing", "number", ("Closing",)),
    ("drawn", "number", ("Loans drawn",)),
    ("outside", "number", ("Own balance",)),
    ("liquidity", "number", ("Liquidity",)),
    ("letter", "text", ("Letter",)),
    ("counted", "number", ("Counted",)),
    ("line", "text", ("Line",)),
    ("september", "number", (DATES[0],)),
    ("december", "number", (DATES[1],)),
)
DOMAIN: Failure = "domain expertise"
VERIFY: Failure = "self-verification"
FORMAT: Failure = "output format"
HEADS = ("1 Statement", "2 Definitions", "3 Calculation", "4 Exceptional Items", "5 Default")
LEVELS: dict[str, Level] = {"promise": "core", "objection": "core", "contract": "core"}
Cells = list[dict[str, Any]]


def write_rubric(told: Told, path: Path) -> None:
    facts = said(told) | _more(told) | supposed(told).facts
    items = WordedItems(TEXTS / "items.yaml", facts)
    for name, read_as, names in FIELDS:
        items.sheet.field(name, *names, read_as=read_as)
    _frame(items)
    _receivables(told, items)
    _payables(told, items)
    _weeks(told, items)
    _covenants(told, items)
    for key, one in supposed(told).what_ifs.items():
        items.add(key, "engineering", "important", VERIFY, check={"whatif": one})
    _documents(told, items)
    _judged(told, items)
    items.sheet.write(path)


def _frame(items: WordedItems) -> None:
    files = {"files": {"want": {NAME: "xlsx", CERTIFICATE: "docx", NOTE: "docx"}}}
    items.add("files", "structure", "core", FORMAT, check=files)
    items.add("sheets", "structure", "important", check={"sheets": {"order": SHEETS}})
    rows = {"rows": {"sheet": "Flows", "key": ["flow_no", "due"], "are": "expected/flows.csv"}}
    items.add("flow_lines", "structure", "core", DOMAIN, check=rows)
    heads = [[head, head[2:]] for head in HEADS]
    check: dict[str, Any] = {"outline": {"file": CERTIFICATE, "has": heads, "in_order": True}}
    items.add("certificate_outline", "structure", "important", check=check)
    limits = [{"file": CERTIFICATE, "at_most": 2}, {"file": NOTE, "at_most": 1}]
    items.add("pages", "structure", "auxiliary", check={"pages": {"all": limits}})
    check = {"view": {"sheets": ["Receivables"], "has": ["freeze", "filter"]}}
    items.add("view", "presentation", "auxiliary", FORMAT, check=check)


def _cells(sheet: str, cells: Cells, formula: bool = True) -> dict[str, Any]:
    return {"cell": {"sheet": sheet, "formula": formula, "all": cells}}


def _column(sheet: str, keys: Iterable[str], column: str, table: str, **how: Any) -> dict[str, Any]:
    told = {"sheet": sheet, "key": [*keys], "column": column}
    return {"column": told | {"table": f"expected/{table}.csv#{column}"} | how}


def _receivables(told: Told, items: WordedItems) -> None:
    for name in GROUPS:
        cells: Cells = []
        for one in lines(told, name):
            find = {"item": one.item.no}
            cells.append({"find": find, "column": "code", "equals": one.code, "formula": True})
            if one.day:
                day = {"column": "expected_on", "equals": one.day, "formula": True}
                cells.append({"find": find, **day})
            amount = {"column": "expected", "equals": one.amount, "tol": HALF}
            cells.append({"find": find, **amount})
        level = LEVELS.get(name, "important")
        items.add(name, "domain", level, DOMAIN, check=_cells("Receivables", cells, formula=False))


def _payables(told: Told, items: WordedItems) -> None:
    cells: Cells = []
    for one in told.bills:
        find = {"item": one.payable.no}
        cells.append({"find": find, "column": "code", "equals": one.code, "formula": True})
        cells.append({"find": find, "column": "paid", "equals": one.amount, "tol": HALF})
        if one.day:
            day = {"column": "paid_on", "equals": one.day, "formula": True}
            cells.append({"find": find, **day})
    check = _cells("Payables", cells, formula=False)
    items.add("bills", "domain", "core", DOMAIN, check=check)
    keys = ("flow_no", "due")
    check = _column("Flows", keys, "made_on", "flows")
    items.add("flow_days", "calculation", "important", DOMAIN, check=check)
    check = _column("Flows", keys, "amount", "flows", tol=HALF)
    items.add("flow_amounts", "calculation", "core", VERIFY, check=check)


def _of_weeks(told: Told, *columns: str) -> Cells:
    return [
        {"find": {"week": w.number}, "column": c, "equals": getattr(w, c), "tol": TOL}
        for w in told.weeks
        for c in columns
    ]


def _weeks(told: Told, items: WordedItems) -> None:
    check = _cells("Weeks", _of_weeks(told, "flow", "outside"))
    items.add("flow_of_weeks", "calculation", "core", VERIFY, check=check)
    cells = _of_weeks(told, "move", "drawn")
    cells += [
        {"find": {"week": w.number}, "column": "interest", "equals": w.interest, "tol": TOL}
        for w in told.weeks
        if w.interest
    ]
    items.add("loans", "calculation", "core", DOMAIN, check=_cells("Weeks", cells))
    cells = [cell for cell in _of_weeks(told, "opening") if cell["find"]["week"] > 1]
    cells += _of_weeks(told, "closing", "liquidity")
    items.add("liquidity", "calculation", "important", VERIFY, check=_cells("Weeks", cells))


def _covenants(told: Told, items: WordedItems) -> None:
    cells: Cells = []
    for one in told.world.matters:
        find = {"item": one.no}
        cells.append({"find": find, "column": "letter", "equals": one.letter})
        cells.append({"find": find, "column": "counted", "equals": one.counted})
    check = _cells("Exceptionals", cells, formula=False)
    items.add("exceptionals", "domain", "core", DOMAIN, check=check)
    for key, (column, values, limit) in _columns(told).items():
        whole = {**values, HEADROOM: headroom(values, limit)}
        cells = [
            {"find": {"line": name}, "column": column, "equals": value, **_near(key, name)}
            for name, value in whole.items()
        ]
        level: Level = "core" if key == "september" else "important"
        items.add(
            key, "calculation", level, DOMAIN, check=_cells("Covenants", cells, formula=False)
        )


def _near(key: str, name: str) -> dict[str, Any]:
    """Tolerance; and a formula where the figure hangs on Settings."""
    tol = D("0.001") if name in ("Leverage", "Interest Cover") else D("0.02")
    fixed: tuple[str, ...] = ("Net Finance Charges",)
    if key == "september":
        fixed += ("Consolidated EBITDA", "Borrowings", "Cash", "Net Debt")
    return {"tol": tol} if name in fixed else {"tol": tol, "formula": True}


def _columns(told: Told) -> dict[str, tuple[str, dict[str, Decimal], Decimal]]:
    return {
        "september": ("september", told.quarter, cash.LIMITS[0]),
        "december": ("december", told.year_end, cash.LIMITS[1]),
    }


def _documents(told: Told, items: WordedItems) -> None:
    wants: Cells = []
    for name, value in told.quarter.items():
        ratio = name in ("Leverage", "Interest Cover")
        whole = {"is": value, "digits": 3} if ratio else {"is": euro(value), "digits": 7}
        wants.append({**whole, "near": name})
    check: dict[str, Any] = {"figures": {"file": CERTIFICATE, "only": "tables", "all": wants}}
    items.add("certificate_table", "integration", "core", VERIFY, check=check)
    rows = [{"is": abs(o.counted), "digits": 6, "near": o.no} for o in counted(told.world)]
    check = {"figures": {"file": CERTIFICATE, "only": "tables", "all": rows}}
    items.add("certificate_matters", "integration", "important", VERIFY, check=check)


def _judged(told: Told, items: WordedItems) -> None:
    words = (
        "the difference counts up to 10 per cent of Consolidated EBITDA",
        "several amounts of one matter being added",
        "if more than EUR 50,000 in the single case",
    )
    none = ["Downside"]
    screen: dict[str, Any] = {"text": {"file": CERTIFICATE, "all": [*words], "none": none}}
    items.add("certificate_words", "domain", "important", DOMAIN, screen=screen)
    down = tell(told.world, DOWN)
    wants = [{"is": one.low.liquidity, "digits": 3} for one in (told, down)]
    wants += [{"is": down.year_end["Leverage"], "digits": 3}]
    screen = {"figures": {"file": NOTE, "all": wants}}
    items.add("note_figures", "integration", "important", VERIFY, screen=screen)
    todo = said(told)
    names = [todo[name] for name in ("n11", "n12", "n13", "todo1", "todo2", "todo3")]
    screen = {"text": {"file": NOTE, "all": names}}
    items.add("note_contract", "domain", "important", DOMAIN, screen=screen)


def _listed(values: dict[str, Decimal]) -> str:
    return ", ".join(f"{name} {shown(name, value)}" for name, value in values.items())


def _more(told: Told) -> dict[str, str]:
    """Facts that only the rubric says."""
    found = {
        name: ", ".join(one.item.no for one in lines(told, name))
        for name in GROUPS
        if name != "contract"
    }
    some = [one for one in told.world.matters if one.letter != "none"]
    moves = [w for w in told.weeks if w.move]
    return found | {
        "book": NAME,
        "certificate": CERTIFICATE,
        "note": NOTE,
        "sheets": ", ".join(SHEETS),
        "n_flows": str(len(told.flows)),
        "n_promise": str(len(lines(told, "promise"))),
        "gone": ", ".join(
            f"{one.payable.no} {one.code}"
            for one in told.bills
            if one.code in ("P2", "P3", "P4", "P6")
        ),
        "flow1": money(told.weeks[0].flow),
        "flow12": money(told.weeks[11].flow),
        "loan_list": ", ".join(f"week {w.number} {money(w.move, 0)}" for w in moves),
        "interest_list": ", ".join(money(w.interest) for w in told.weeks if w.interest),
        "matter_list": ", ".join(
            f"{one.no} ({one.letter}) {money(one.counted, 0)}" for one in some
        ),
        "sep_matters": ", ".join(
            f"{one.no} {money(one.counted, 0)}" for one in counted(told.world)
        ),
        "sep_list": _listed(told.quarter),
        "dec_list": _listed(told.year_end),
    }
