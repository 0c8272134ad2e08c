"""The rubric: texts from `texts/items.yaml`, checks from the same values."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from authoring.med_01_bleed_after_stent.book import NAME, SHEETS
from authoring.med_01_bleed_after_stent.letters import LETTER, SHEET
from authoring.med_01_bleed_after_stent.plan import Plan
from authoring.med_01_bleed_after_stent.rules import add_months
from authoring.med_01_bleed_after_stent.sheet import serial
from authoring.med_01_bleed_after_stent.words import PHONE, TEXTS, facts, upcoming, words
from authoring.med_01_bleed_after_stent.world import DAY
from authoring.parts.items import WordedItems
from bythebook.deliverables.rubric import Failure

HEADINGS = (
    *("Summary", "Course in hospital", "Antithrombotic plan", "Other medicines"),
    *("Renal function and doses", "Monitoring and appointments", "If bleeding comes back"),
    "Sources and open points",
)
GONE = ("rivaroxaban", "clopidogrel", "aspirin", "naproxen", "esomeprazole", "ferrous sulfate")
"""Taken from boxes with trade names that must not be used any more."""
CARRIED = (
    *("pantoprazole", "bismuth", "tetracycline", "metronidazole", "paracetamol"),
    *("metformin", "gabapentin", "ramipril", "spironolactone"),
)
"""Whatever else a letter says of other medicines, it names these."""
FIELDS: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    ("line", ("Line", "Line no.", "No."), "number", ""),
    ("drug", ("Drug", "Medicine", "Generic name"), "text", ""),
    ("home_dose", ("Daily dose", "Daily dose at home"), "number", "mg"),
    ("decision", ("Decision",), "text", ""),
    ("step", ("Step", "Period"), "number", ""),
    ("dose", ("Dose", "Dose each time", "Single dose"), "number", "mg"),
    ("times", ("Times per day", "Times a day"), "number", ""),
    ("first_day", ("First day", "Start"), "date", ""),
    ("last_day", ("Last day", "End"), "date", ""),
    ("last_word", ("Last day", "End"), "text", ""),
    ("tablets", ("Tablets to dispense", "Tablets"), "number", ""),
    ("code", ("Code",), "text", ""),
    ("due", ("Due", "Due date"), "date", ""),
    ("appointment", ("Appointment", "Appointment date"), "date", ""),
    ("number", ("No.", "Number", "Table 6 no."), "number", ""),
    ("first_together", ("First day together",), "date", ""),
    ("last_together", ("Last day together",), "date", ""),
    ("together_word", ("Last day together",), "text", ""),
    ("day_zero", ("Day 0",), "date", ""),
    ("creatinine", ("Creatinine used", "Creatinine"), "number", "µmol/L"),
    ("actual", ("Actual weight",), "number", "kg"),
    ("height", ("Height",), "number", "cm"),
    ("ideal", ("Ideal weight",), "number", "kg"),
    ("dosing", ("Dosing weight",), "number", "kg"),
    ("age", ("Age",), "number", "years"),
    ("clearance", ("Creatinine clearance",), "number", "mL/min"),
    ("score", ("CHA2DS2-VASc",), "number", ""),
    ("fall", ("Haemoglobin fall",), "number", "g/L"),
    ("iron", ("Iron in all",), "number", "mg"),
    ("last_stent", ("Date of last stent",), "date", ""),
    ("stent_age", ("Stent age on Day 0",), "number", "days"),
    ("length", ("Total stent length",), "number", "mm"),
    ("months", ("Months between renal checks",), "number", ""),
)
DOMAIN: Failure = "domain expertise"
VERIFY: Failure = "self-verification"
FORMAT: Failure = "output format"


class Items(WordedItems):
    """Adds items by the key of their text."""

    def __init__(self, told: Plan) -> None:
        super().__init__(TEXTS / "items.yaml", facts(told) | _more(told))
        for name, names, read_as, unit in FIELDS:
            self.sheet.field(name, *names, read_as=read_as, unit=unit)  # type: ignore[arg-type] # a literal


def write_rubric(told: Plan, path: Path) -> None:
    items = Items(told)
    _files(items)
    _basis(items, told)
    _home(items)
    _schedule(items, told)
    _monitoring(items, told)
    _live(items, told)
    _judged(items, told)
    items.sheet.write(path)


def _more(told: Plan) -> dict[str, str]:
    """Facts that only the rubric says."""
    lines = [line for line in told.world.home if line.decision]
    boxes = ", ".join(f"{told.world.brands[generic]} ({generic})" for generic in GONE)
    return {
        "home_lines": str(len(lines)),
        "decisions": ", ".join(f"{line.line} {line.decision}" for line in lines),
        "periods": str(len(told.lines)),
        "apixaban_tablets": str(told.line("apixaban").tablets),
        "tetracycline_tablets": str(told.line("tetracycline").tablets),
        "endless": str(len([line for line in told.lines if line.last is None])),
        "M03_due": words(told.check("M03").due),
        "pairs": ", ".join(str(pair.number) for pair in told.pairs),
        "other_creatinine": str(other_creatinine(told)),
        "boxes": boxes,
        "coming": "; ".join(f"{c.code} {words(c.appointment)}" for c in upcoming(told)),
    }


def _files(items: Items) -> None:
    wants = {NAME: "xlsx", LETTER: "docx", SHEET: "pdf"}
    items.add("files", "structure", "core", FORMAT, check={"files": {"want": wants}})
    outline = {"file": LETTER, "has": list(HEADINGS), "in_order": True}
    items.add("outline", "structure", "important", check={"outline": outline})


def _labels(told: Plan, tolerances: Mapping[str, str], live: tuple[str, ...]) -> dict[str, Any]:
    wants: list[dict[str, Any]] = []
    for name, tol in tolerances.items():
        want: dict[str, Any] = {"label": name, "equals": getattr(told.basis, name)}
        if tol:
            want["tol"] = Decimal(tol)
        if name in live:
            want["formula"] = True
        wants.append(want)
    return {"label": {"sheet": SHEETS[0], "all": wants}}


def _basis(items: Items, told: Plan) -> None:
    weights = dict.fromkeys(("height", "actual", "ideal", "dosing"), "0.1")
    kidneys = weights | {"creatinine": "0.5", "age": "", "clearance": "0.15"}
    live = ("ideal", "dosing", "age", "clearance")
    check = _labels(told, kidneys, live)
    items.add("kidneys", "calculation", "core", DOMAIN, check=check)
    days = dict.fromkeys(("day_zero", "last_stent", "stent_age", "length"), "")
    check = _labels(told, days, ("stent_age",))
    items.add("days", "integration", "core", VERIFY, check=check)
    scores = {"score": "", "fall": "1", "iron": "", "months": ""}
    check = _labels(told, scores, ("months",))
    items.add("scores", "domain", "important", DOMAIN, check=check)


def _home(items: Items) -> None:
    where = {"sheet": SHEETS[1], "key": ["line", "drug"]}
    items.add("home", "integration", "core", check={"rows": where | {"are": "expected/home.csv"}})
    decision = where | {"column": "decision", "table": "expected/home.csv#decision"}
    items.add("decisions", "domain", "core", DOMAIN, check={"column": decision})
    dose = where | {"column": "home_dose", "table": "expected/home.csv#home_dose"}
    check = {"column": dose | {"tol": Decimal("0.0005")}}
    items.add("home_doses", "calculation", "important", check=check)


def _schedule(items: Items, told: Plan) -> None:
    where = {"sheet": SHEETS[2], "key": ["drug", "step"]}
    table = "expected/schedule.csv"
    items.add("schedule", "domain", "core", DOMAIN, check={"rows": where | {"are": table}})

    def column(name: str, **more: Any) -> dict[str, Any]:
        return {"column": where | {"column": name, "table": f"{table}#{name}"} | more}

    items.add("doses", "domain", "core", DOMAIN, check=column("dose", tol=Decimal("0.0005")))
    items.add("times", "domain", "important", check=column("times"))
    items.add("first_days", "calculation", "core", check=column("first_day", formula=True))
    items.add("last_days", "calculation", "core", check=column("last_day", formula=True))
    items.add("tablets", "calculation", "important", check=column("tablets", formula=True))
    cells = [
        {"find": {"drug": line.drug, "step": line.step}, "equals": "open"}
        for line in told.lines
        if line.last is None
    ]
    check = {"cell": {"sheet": SHEETS[2], "column": "last_word", "all": cells}}
    items.add("open", "structure", "important", check=check)


def _monitoring(items: Items, told: Plan) -> None:
    where = {"sheet": SHEETS[3], "key": ["code"]}
    table = "expected/monitoring.csv"
    due = where | {"column": "due", "table": f"{table}#due", "formula": True}
    items.add("due", "calculation", "core", check={"column": due})
    moved = where | {"column": "appointment", "table": f"{table}#appointment"}
    items.add("appointments", "calculation", "important", VERIFY, check={"column": moved})
    live = {"sheet": SHEETS[4], "key": ["number"], "are": "expected/interactions.csv"}
    items.add("interactions", "domain", "core", DOMAIN, check={"rows": live})
    check = {"cell": {"sheet": SHEETS[4], "all": _together(told)}}
    items.add("together", "integration", "important", VERIFY, check=check)


def _together(told: Plan) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = []
    for pair in told.pairs:
        find = {"number": pair.number}
        cells.append({"find": find, "column": "first_together", "equals": pair.first})
        last: dict[str, Any] = {"column": "together_word", "equals": "open"}
        if pair.last:
            last = {"column": "last_together", "equals": pair.last}
        cells.append({"find": find, **last})
    return cells


def _live(items: Items, told: Plan) -> None:
    tomorrow = {"Basis!B4": serial(told.basis.day_zero + DAY)}
    later = {"whatif": {"set": tomorrow, "then": _later(told)}}
    items.add("later", "engineering", "important", VERIFY, check=later)
    creatinine = {"Basis!B5": other_creatinine(told)}
    better = {"whatif": {"set": creatinine, "then": _better(told)}}
    items.add("better", "engineering", "important", VERIFY, check=better)
    found = told.basis
    names = {
        "Day_Zero": {"equals": found.day_zero},
        "CrCl": {"equals": found.clearance, "tol": Decimal("0.15")},
        "Iron_mg": {"equals": found.iron},
    }
    items.add("names", "engineering", "auxiliary", FORMAT, check={"names": {"are": names}})
    cell = {"sheet": SHEETS[0], "label": "clearance"}
    figure = {"file": LETTER, "near": "Creatinine clearance", "digits": 3}
    agree = {"cell": cell, "figure": figure}
    items.add("agree", "integration", "auxiliary", VERIFY, check={"agree": agree})
    pages = [{"file": LETTER, "at_most": 3}, {"file": SHEET, "at_most": 1, "size": "A4"}]
    items.add("page", "presentation", "important", FORMAT, check={"pages": {"all": pages}})


def other_creatinine(told: Plan) -> int:
    """A value at which the clearance is about 53."""
    return int(told.basis.clearance * told.basis.creatinine / 53)


def _later(told: Plan) -> list[dict[str, Any]]:
    def cell(drug: str, day: date) -> dict[str, Any]:
        find = {"drug": drug, "step": 1}
        return {"sheet": SHEETS[2], "find": find, "column": "first_day", "equals": day + DAY}

    moved = [cell(drug, told.line(drug).first) for drug in ("clopidogrel", "apixaban", "ramipril")]
    due = told.check("M08").due + DAY
    return [*moved, {"sheet": SHEETS[3], "find": {"code": "M08"}, "column": "due", "equals": due}]


def _better(told: Plan) -> list[dict[str, Any]]:
    where = {"sheet": SHEETS[2], "column": "dose"}
    doses = [
        where | {"find": {"drug": drug, "step": 1}, "equals": dose}
        for drug, dose in (("metformin", 1000), ("gabapentin", 600))
    ]
    due = add_months(told.basis.discharge, 5)
    return [*doses, {"sheet": SHEETS[3], "find": {"code": "R1"}, "column": "due", "equals": due}]


def _judged(items: Items, told: Plan) -> None:
    drugs = ["aspirin", "clopidogrel", "rivaroxaban", "apixaban"]
    screen: dict[str, Any] = {"text": {"file": LETTER, "all": drugs}}
    items.add("plan", "domain", "core", DOMAIN, screen=screen)
    items.add("guards", "domain", "core", DOMAIN)
    items.add("sources", "integration", "important", VERIFY)
    boxes = [told.world.brands[generic] for generic in GONE]
    screen = {"text": {"file": SHEET, "all": boxes}}
    items.add("boxes", "presentation", "important", screen=screen)
    screen = {"text": {"file": SHEET, "all": [PHONE, "bismuth"]}}
    items.add("stool", "domain", "important", DOMAIN, screen=screen)
    screen = {"text": {"file": LETTER, "all": list(CARRIED)}}
    items.add("others", "integration", "important", screen=screen)
