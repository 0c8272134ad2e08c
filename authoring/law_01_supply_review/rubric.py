"""The rubric: texts from `texts/items.yaml`, checks from the same values."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from string import Template
from typing import Any

from authoring.law_01_supply_review.book import NAME, SHEETS, basis
from authoring.law_01_supply_review.calendar import DAY, Calendar, add_months
from authoring.law_01_supply_review.law import AUTHORITIES, RELIED
from authoring.law_01_supply_review.memo import MEMO
from authoring.law_01_supply_review.rules import Advice, Cap, Rules, cap_of
from authoring.law_01_supply_review.sheet import serial
from authoring.law_01_supply_review.words import TEXTS, facts, words
from authoring.law_01_supply_review.world import ANSWER, INSPECTION, WARRANTY
from authoring.parts.items import WordedItems
from authoring.parts.numbers import money
from bythebook.deliverables.rubric import Failure, ReadAs

HEADINGS = (
    *("Answer", "Points for the call", "Definitions and references", "Liability cap"),
    *("Dates", "Authorities", "Open points"),
)
FIELDS: tuple[tuple[str, ReadAs, tuple[str, ...]], ...] = (
    ("position", "text", ("Position", "Pos.", "Playbook position", "No.")),
    ("clause", "text", ("Clause", "Sub-clause", "Clause no.")),
    ("change", "text", ("Change", "Changed", "Change since draft 3")),
    ("term", "number", ("Draft term", "Term", "Term in draft 4")),
    ("class", "text", ("Class", "Deviation")),
    ("grade", "text", ("Grade", "Risk grade")),
    ("approver", "text", ("Approver", "Approval", "Approved by")),
    ("agreed", "text", ("Agreed", "Agreed in mails")),
    ("authority", "text", ("Authority",)),
    ("redline", "text", ("Required redline", "Redline")),
    ("in_clause", "text", ("In clause", "Where")),
    ("printed", "text", ("Printed", "As printed")),
    ("should_be", "text", ("Should be", "Correct")),
    ("line", "text", ("Line", "Line no.")),
    ("kind", "text", ("Kind", "Type")),
    ("amount", "number", ("Amount", "Sum")),
    ("code", "text", ("Code",)),
    ("date", "date", ("Date", "Day", "Last day")),
    ("short", "text", ("Short form", "Authority")),
    ("status", "text", ("Status",)),
    ("applies", "text", ("Applies to", "Applies")),
    ("mandatory", "text", ("Mandatory",)),
    ("sent", "date", ("Draft sent",)),
    ("effective", "date", ("Effective Date",)),
    ("delivery", "date", ("First delivery",)),
    ("percentage", "percent", ("Cap percentage",)),
    ("fixed", "number", ("Fixed cap",)),
    ("goods", "number", ("Goods charges",)),
    ("services", "number", ("Services charges",)),
    ("all", "number", ("All charges",)),
    ("drafted", "number", ("Cap as drafted",)),
    ("draft_3", "number", ("Cap by draft 3 wording",)),
    ("lost", "number", ("Cap lost",)),
    ("share", "percent", ("Share of all charges",)),
    ("fallback", "number", ("Fallback cap",)),
    ("shortfall", "number", ("Shortfall",)),
)
MONEY = ("amount", "fixed", "goods", "services", "all", "drafted", "draft_3", "lost")
DOMAIN: Failure = "domain expertise"
VERIFY: Failure = "self-verification"
FORMAT: Failure = "output format"
DIME = Decimal("0.05")


class Items(WordedItems):
    """Adds items by the key of their text."""

    def __init__(self, told: Advice) -> None:
        super().__init__(TEXTS / "items.yaml", facts(told) | _more(told), _filled)
        for name, read_as, names in FIELDS:
            unit = "ACR" if name in (*MONEY, "fallback", "shortfall") else ""
            self.sheet.field(name, *names, read_as=read_as, unit=unit)


def _filled(text: str, facts: Mapping[str, Any]) -> str:
    """Braces stand in the texts as themselves; places are `$name`."""
    return Template(text).substitute(facts).strip()


def write_rubric(told: Advice, path: Path) -> None:
    items = Items(told)
    _structure(items)
    _clauses(items)
    _money(items, told)
    _days(items, told)
    _law(items)
    _live(items, told)
    _judged(items)
    items.sheet.write(path)


def other_delivery(told: Advice) -> date:
    """Nine days later, or the next weekday."""
    day = told.world.days.delivery + 9 * DAY
    return Calendar().on_or_after(day)


def lower_cap(told: Advice) -> int:
    """A round sum below the cap as drafted."""
    return int(told.cap.drafted / 2 / 25_000) * 25_000


def other_percent(told: Advice) -> int:
    """Fifteen points more."""
    return told.world.terms.cap_percent + 15


def _other_cap(told: Advice) -> Cap:
    """The cap with the lower sum and the other percentage, each of which decides one wording."""
    fixed, sums = Decimal(lower_cap(told)), (told.cap.goods, told.cap.services)
    then = cap_of(fixed, other_percent(told), sums, Rules())
    assert then.drafted == fixed < then.draft_3, "sum and percentage are seen apart"
    return then


def other_sent(told: Advice) -> date:
    """A week later."""
    return told.world.days.sent + 7 * DAY


def _answers(told: Advice) -> tuple[date, date]:
    """D1 of the other day of sending: late as before, or in the morning.

    Who keeps the hour in the cell loses it when the cell is overwritten with a day.
    """
    calendar, day = Calendar(), other_sent(told)
    late = calendar.after(calendar.after(day, 1), ANSWER)
    return late, calendar.after(day, ANSWER)


def _moved(told: Advice) -> tuple[date, date]:
    """D6 and D7 of the other delivery."""
    calendar, day = Calendar(), other_delivery(told)
    late = calendar.on_or_after(add_months(day, WARRANTY))
    return calendar.after(day, INSPECTION), late


def _more(told: Advice) -> dict[str, str]:
    inspected, late = _moved(told)
    fixed = Decimal(lower_cap(told))
    return {
        "lines": str(len(told.lines)),
        "lower_cap": money(fixed, 0),
        "lower_share": f"{fixed / told.cap.all * 100:.1f}",
        "other_percent": str(other_percent(told)),
        "other_draft_3": money(_other_cap(told).draft_3),
        "other_delivery": words(other_delivery(told)),
        "other_sent": words(other_sent(told)),
        "other_D1": words(_answers(told)[0]),
        "other_D6": words(inspected),
        "other_D7": words(late),
    }


def _structure(items: Items) -> None:
    wants = {NAME: "xlsx", MEMO: "docx"}
    items.add("files", "structure", "core", FORMAT, check={"files": {"want": wants}})
    items.add("sheets", "structure", "important", check={"sheets": {"order": SHEETS}})
    outline = {"file": MEMO, "has": HEADINGS, "in_order": True}
    items.add("outline", "structure", "important", check={"outline": outline})


def _column(column: str, **more: Any) -> dict[str, Any]:
    where = {"sheet": SHEETS[1], "key": ["position"], "column": column}
    return {"column": where | {"table": f"expected/clauses.csv#{column}"} | more}


def _clauses(items: Items) -> None:
    rows = {"sheet": SHEETS[1], "key": ["position"], "are": "expected/clauses.csv"}
    items.add("positions", "structure", "important", check={"rows": rows})
    items.add("clause", "integration", "important", check=_column("clause"))
    items.add("change", "integration", "core", VERIFY, check=_column("change"))
    items.add("term", "calculation", "core", check=_column("term"))
    items.add("class", "domain", "core", DOMAIN, check=_column("class"))
    items.add("grade", "domain", "core", DOMAIN, check=_column("grade", formula=True))
    items.add("approver", "domain", "important", check=_column("approver", formula=True))
    items.add("agreed", "integration", "important", DOMAIN, check=_column("agreed"))
    cells = [{"find": {"position": code}, **_any(names)} for code, names in RELIED.items()]
    check = {"cell": {"sheet": SHEETS[1], "column": "authority", "all": cells}}
    items.add("authority", "domain", "important", DOMAIN, check=check)
    keys = ["in_clause", "printed", "should_be"]
    rows = {"sheet": SHEETS[2], "key": keys, "are": "expected/references.csv"}
    items.add("references", "integration", "core", VERIFY, check={"rows": rows})


def _any(names: tuple[str | date, ...]) -> dict[str, Any]:
    return {"equals": names[0]} if len(names) == 1 else {"any_of": list(names)}


def _money(items: Items, told: Advice) -> None:
    where = {"sheet": SHEETS[3], "key": ["line", "kind"]}
    table = "expected/charges.csv"
    items.add("charges", "integration", "core", VERIFY, check={"rows": where | {"are": table}})
    column = where | {"column": "amount", "table": f"{table}#amount", "formula": True}
    items.add("amounts", "calculation", "core", check={"column": column})
    names = ("goods", "services", "all", "drafted", "draft_3", "lost", "fallback", "shortfall")
    figures = [{"label": n, "equals": getattr(told.cap, n), "tol": DIME} for n in names]
    share = {"label": "share", "equals": told.cap.share, "tol": Decimal("0.0005")}
    check = {"label": {"sheet": SHEETS[4], "all": [*figures, share], "formula": True}}
    items.add("cap", "calculation", "core", DOMAIN, check=check)


def _days(items: Items, told: Advice) -> None:
    days = {"sheet": SHEETS[5], "key": ["code"], "column": "date"}
    column = days | {"table": "expected/dates.csv#date"}
    items.add("dates", "calculation", "core", DOMAIN, check={"column": column})
    names = ("sent", "effective", "delivery", "percentage", "fixed")
    figures = [
        {"label": name, "equals": value}
        for name, (_, value, _) in zip(names, basis(told), strict=True)
    ]
    check = {"label": {"sheet": SHEETS[0], "all": figures}}
    items.add("basis", "integration", "important", check=check)


def _law(items: Items) -> None:
    where = {"sheet": SHEETS[6], "key": ["short"]}
    column = where | {"column": "status", "table": "expected/authorities.csv#status"}
    items.add("status", "domain", "core", DOMAIN, check={"column": column})
    cells = [
        {"find": {"short": one.short}, "column": column, "equals": value}
        for one in AUTHORITIES
        for column, value in (("applies", one.applies), ("mandatory", one.mandatory))
        if value
    ]
    check = {"cell": {"sheet": SHEETS[6], "all": cells}}
    items.add("reach", "domain", "important", DOMAIN, check=check)


def _live(items: Items, told: Advice) -> None:
    fixed, percent = lower_cap(told), other_percent(told)
    cap = told.cap
    then = _other_cap(told)
    found = [
        {"sheet": SHEETS[1], "find": {"position": "P14"}, "column": "term"}
        | {"equals": then.share * 100, "tol": DIME},
        {"sheet": SHEETS[4], "label": "draft_3", "equals": then.draft_3, "tol": DIME},
    ]
    changed: dict[str, Any] = {"Basis!B6": Decimal(percent) / 100, "Basis!B7": fixed}
    check = {"whatif": {"set": changed, "then": found}}
    items.add("whatif_cap", "engineering", "important", VERIFY, check=check)
    inspected, late = _moved(told)
    wanted = {"D1": _answers(told), "D6": (inspected,), "D7": (late,)}
    cells = [
        {"sheet": SHEETS[5], "find": {"code": code}, "column": "date"} | _any(days)
        for code, days in wanted.items()
    ]
    changed = {"Basis!B3": serial(other_sent(told)), "Basis!B5": serial(other_delivery(told))}
    check = {"whatif": {"set": changed, "then": cells}}
    items.add("whatif_dates", "engineering", "important", VERIFY, check=check)
    view = {"sheets": [SHEETS[1]], "has": ["freeze", "filter"]}
    items.add("view", "presentation", "auxiliary", FORMAT, check={"view": view})
    figures = [
        {"is": getattr(cap, name), "near": near, "digits": 4}
        for name, near in (
            ("drafted", "Cap as drafted"),
            ("draft_3", "Cap by draft 3 wording"),
            ("fallback", "Fallback cap"),
            ("shortfall", "Shortfall"),
        )
    ]
    check = {"figures": {"file": MEMO, "only": "tables", "all": figures}}
    items.add("figures", "presentation", "important", VERIFY, check=check)


def _judged(items: Items) -> None:
    board = {"text": {"file": MEMO, "all": ["board"]}}
    items.add("answer", "presentation", "core", DOMAIN, screen=board)
    items.add("definition", "integration", "important", DOMAIN)
    cases = {"text": {"file": MEMO, "all": ["Brannock", "Osterly"]}}
    items.add("authorities", "domain", "important", DOMAIN, screen=cases)
    merrin = {"text": {"file": MEMO, "all": ["Merrin"]}}
    items.add("nda", "domain", "important", DOMAIN, screen=merrin)
    items.add("redlines", "domain", "important", DOMAIN, screen=_column("redline"))
    pages = {"pages": {"file": MEMO, "at_most": 3}}
    items.add("open", "integration", "important", VERIFY, screen=pages)
