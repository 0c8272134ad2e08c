"""The rubric: what the workbook, the letter and the sheet must hold."""

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from authoring.med_01_bleed_after_stent.book import NAME, SHEETS
from authoring.med_01_bleed_after_stent.letters import LETTER, SHEET
from authoring.med_01_bleed_after_stent.plan import Plan, add_months
from authoring.med_01_bleed_after_stent.rubric_judged import add_judged
from authoring.med_01_bleed_after_stent.sheet import serial
from authoring.med_01_bleed_after_stent.world import DAY
from authoring.parts.items import RubricSheet
from authoring.parts.numbers import money

HEADINGS = (
    *("Summary", "Course in hospital", "Antithrombotic plan", "Other medicines"),
    *("Renal function and doses", "Monitoring and appointments", "If bleeding comes back"),
    "Sources and open points",
)
_FIELDS: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    ("line", ("Line", "Line no.", "No."), "number", ""),
    ("drug", ("Drug", "Medicine", "Generic name"), "text", ""),
    ("home_dose", ("Daily dose", "Daily dose at home"), "number", "mg"),
    ("decision", ("Decision",), "text", ""),
    ("step", ("Step", "Period"), "number", ""),
    ("dose", ("Dose", "Dose each time", "Single dose"), "number", "mg"),
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
    ("discharge", ("Discharge date",), "date", ""),
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


def write_rubric(told: Plan, path: Path) -> None:
    rubric = RubricSheet()
    for name, names, read_as, unit in _FIELDS:
        rubric.field(name, *names, read_as=read_as, unit=unit)  # type: ignore[arg-type] # a literal
    _files(rubric)
    _basis(rubric, told)
    _home(rubric, told)
    _schedule(rubric, told)
    _monitoring(rubric, told)
    _live(rubric, told)
    add_judged(rubric, told)
    rubric.write(path)


def _files(rubric: RubricSheet) -> None:
    rubric.item(
        *("structure", "core"),
        f"Three files were handed over, each of its own type: {NAME}, {LETTER} and {SHEET}.",
        failure="output format",
        check={"files": {"want": {NAME: "xlsx", LETTER: "docx", SHEET: "pdf"}}},
    )
    rubric.item(
        *("structure", "important"),
        f"The workbook begins with the sheets {', '.join(SHEETS)}, in this order, none of them empty.",
        check={"sheets": {"order": list(SHEETS)}},
    )
    rubric.item(
        *("structure", "important"),
        f"The letter has the eight headings asked for, in their order, from {HEADINGS[0]} to {HEADINGS[-1]}.",
        check={"outline": {"has": list(HEADINGS), "in_order": True}},
    )


def _labels(told: Plan, tolerances: dict[str, str], live: tuple[str, ...]) -> dict[str, Any]:
    wants: list[dict[str, Any]] = []
    for name, tol in tolerances.items():
        want: dict[str, Any] = {"label": name, "equals": getattr(told.basis, name)}
        if tol:
            want["tol"] = Decimal(tol)
        if name in live:
            want["formula"] = True
        wants.append(want)
    return {"label": {"sheet": SHEETS[0], "all": wants}}


def _basis(rubric: RubricSheet, told: Plan) -> None:
    found = told.basis
    rubric.item(
        *("calculation", "core"),
        f"Kidney function goes by the adjusted weight: height {found.height} cm, actual weight {found.actual} kg, "
        f"ideal {found.ideal} kg, dosing weight {found.dosing} kg, creatinine {found.creatinine} µmol/L, age "
        f"{found.age}, clearance {found.clearance} mL/min (weights within 0.1 kg, clearance within 0.15), as live "
        "formulas from ideal weight on.",
        failure="domain expertise",
        check=_labels(
            told,
            {
                **{"height": "0.1", "actual": "0.1", "ideal": "0.1", "dosing": "0.1"},
                **{"creatinine": "0.5", "age": "", "clearance": "0.15"},
            },
            ("ideal", "dosing", "age", "clearance"),
        ),
    )
    rubric.item(
        *("integration", "core"),
        f"The days that everything hangs on are right: Day 0 {found.day_zero}, last stent {found.last_stent} "
        f"(second procedure), {found.stent_age} days old on Day 0; {found.length} mm of stents in all.",
        failure="self-verification",
        check=_labels(
            told,
            {"day_zero": "", "last_stent": "", "stent_age": "", "length": ""},
            ("stent_age",),
        ),
    )
    rubric.item(
        *("domain", "important"),
        f"CHA2DS2-VASc is {found.score}, haemoglobin fell by {found.fall:.0f} g/L, iron in all is "
        f"{money(found.iron, 0)} mg and kidney function is checked every {found.months} months.",
        failure="domain expertise",
        check=_labels(told, {"score": "", "fall": "1", "iron": "", "months": ""}, ("months",)),
    )


def _home(rubric: RubricSheet, told: Plan) -> None:
    lines = [line for line in told.world.home if line.decision]
    where = {"sheet": SHEETS[1], "key": ["line", "drug"]}
    rubric.item(
        *("integration", "core"),
        f"Exactly the {len(lines)} lines that he was taking are listed, each under its generic name; the ended "
        "amiodarone is not.",
        check={"rows": where | {"are": "expected/home.csv"}},
    )
    stopped = ", ".join(f"{line.line} {line.decision}" for line in lines)
    rubric.item(
        *("domain", "core"),
        f"Each line gets the decision of the guideline: {stopped}.",
        failure="domain expertise",
        check={"column": where | {"column": "decision", "table": "expected/home.csv#decision"}},
    )
    rubric.item(
        *("calculation", "important"),
        "The daily dose at home is right in mg on every line, halves, grams and micrograms included.",
        check={
            "column": where
            | {"column": "home_dose", "table": "expected/home.csv#home_dose", "tol": Decimal("0.0005")}
        },
    )


def _schedule(rubric: RubricSheet, told: Plan) -> None:
    where = {"sheet": SHEETS[2], "key": ["drug", "step"]}
    table = "expected/schedule.csv"
    rubric.item(
        *("domain", "core"),
        f"The schedule has exactly the {len(told.lines)} dose periods: apixaban and pantoprazole in two, fifteen "
        "others (no aspirin, rivaroxaban, NSAID, esomeprazole, clarithromycin, penicillin, heparin or oral iron).",
        failure="domain expertise",
        check={"rows": where | {"are": table}},
    )
    rubric.item(
        *("domain", "core"),
        "Each single dose is right: apixaban 5 mg and then 2.5 mg, metformin 500 mg and gabapentin 300 mg by the "
        "clearance, all others as the guideline or the home list gives them.",
        failure="domain expertise",
        check={"column": where | {"column": "dose", "table": f"{table}#dose", "tol": Decimal("0.0005")}},
    )
    first, stop = told.line("apixaban"), told.clopidogrel_end
    rubric.item(
        *("calculation", "core"),
        f"Every first day is right and a live formula: clopidogrel {told.line('clopidogrel').first}, apixaban "
        f"{first.first} and, in the lower dose, {told.line('apixaban', 2).first}.",
        check={
            "column": where | {"column": "first_day", "table": f"{table}#first_day", "formula": True}
        },
    )
    rubric.item(
        *("calculation", "core"),
        f"Every last day is right and a live formula: clopidogrel {stop}, apixaban 5 mg {first.last}, antibiotics "
        f"{told.antibiotics_end}, pantoprazole twice daily {told.line('pantoprazole').last}.",
        check={"column": where | {"column": "last_day", "table": f"{table}#last_day", "formula": True}},
    )
    rubric.item(
        *("calculation", "important"),
        f"The tablets of the first 28 days at home are right and live, such as {first.tablets} of apixaban 5 mg and "
        f"{told.line('tetracycline').tablets} capsules of tetracycline.",
        check={"column": where | {"column": "tablets", "table": f"{table}#tablets", "formula": True}},
    )
    endless = [line for line in told.lines if line.last is None]
    cells = [
        {"find": {"drug": line.drug, "step": line.step}, "equals": "open"} for line in endless
    ]
    rubric.item(
        *("structure", "important"),
        f"The {len(endless)} periods without an end say open, apixaban 2.5 mg and pantoprazole once daily among them.",
        check={"cell": {"sheet": SHEETS[2], "column": "last_word", "all": cells}},
    )


def _monitoring(rubric: RubricSheet, told: Plan) -> None:
    where = {"sheet": SHEETS[3], "key": ["code"]}
    table, test = "expected/monitoring.csv", told.check("M03")
    rubric.item(
        *("domain", "important"),
        f"The calendar has exactly the {len(told.checks)} checks that apply, M01 to M11 and R1 to R3.",
        check={"rows": where | {"are": table}},
    )
    rubric.item(
        *("calculation", "core"),
        f"Every due date is right and a live formula, such as {test.due} for the haemoglobin before the anticoagulant.",
        check={"column": where | {"column": "due", "table": f"{table}#due", "formula": True}},
    )
    rubric.item(
        *("calculation", "important"),
        f"Appointments move off closed days to the right side: that test to {test.appointment}, before its due date; "
        f"M07 to {told.check('M07').appointment}, after it.",
        failure="self-verification",
        check={"column": where | {"column": "appointment", "table": f"{table}#appointment"}},
    )
    where = {"sheet": SHEETS[4], "key": ["number"]}
    rubric.item(
        *("domain", "core"),
        "Exactly the live interactions are listed: numbers "
        f"{', '.join(str(pair.number) for pair in told.pairs)} of Table 6.",
        failure="domain expertise",
        check={"rows": where | {"are": "expected/interactions.csv"}},
    )
    rubric.item(
        *("integration", "important"),
        "First and last day together are right for every live interaction, open where it has no end.",
        failure="self-verification",
        check={"cell": {"sheet": SHEETS[4], "all": _together(told)}},
    )


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


def _live(rubric: RubricSheet, told: Plan) -> None:
    rubric.item(
        *("engineering", "important"),
        "With Day 0 one day later in Basis!B4 clopidogrel, apixaban, ramipril and the control gastroscopy move by a day.",
        failure="self-verification",
        check={"whatif": {"set": {"Basis!B4": serial(told.basis.day_zero + DAY)}, "then": _later(told)}},
    )
    creatinine = other_creatinine(told)
    rubric.item(
        *("engineering", "important"),
        f"With a creatinine of {creatinine} µmol/L in Basis!B5 metformin becomes 1,000 mg and gabapentin 600 mg, and "
        "R1 moves to five months.",
        failure="self-verification",
        check={"whatif": {"set": {"Basis!B5": creatinine}, "then": _better(told)}},
    )
    rubric.item(
        *("engineering", "auxiliary"),
        "Day_Zero, CrCl and Iron_mg are defined names of the cells with these values.",
        failure="output format",
        check={"names": {"are": _named(told)}},
    )
    rubric.item(
        *("presentation", "auxiliary"),
        "Schedule and Monitoring have frozen headings.",
        failure="output format",
        check={"view": {"sheets": [SHEETS[2], SHEETS[3]], "has": ["freeze"]}},
    )
    rubric.item(
        *("presentation", "important"),
        "The patient sheet is one A4 page.",
        failure="output format",
        check={"pages": {"file": SHEET, "at_most": 1, "size": "A4"}},
    )


def _named(told: Plan) -> dict[str, Any]:
    found = told.basis
    return {
        "Day_Zero": {"equals": found.day_zero},
        "CrCl": {"equals": found.clearance, "tol": Decimal("0.15")},
        "Iron_mg": {"equals": found.iron},
    }


def other_creatinine(told: Plan) -> int:
    """A value at which the clearance is about 53."""
    return int(told.basis.clearance * told.basis.creatinine / 53)


def _later(told: Plan) -> list[dict[str, Any]]:
    def cell(drug: str, day: date) -> dict[str, Any]:
        find = {"drug": drug, "step": 1}
        return {"sheet": SHEETS[2], "find": find, "column": "first_day", "equals": day + DAY}

    moved = [cell(drug, told.line(drug).first) for drug in ("clopidogrel", "apixaban", "ramipril")]
    due = told.check("M08").due + DAY
    find = {"code": "M08"}
    return [*moved, {"sheet": SHEETS[3], "find": find, "column": "due", "equals": due}]


def _better(told: Plan) -> list[dict[str, Any]]:
    doses = [
        {
            "sheet": SHEETS[2],
            "find": {"drug": drug, "step": 1},
            "column": "dose",
            "equals": dose,
        }
        for drug, dose in (("metformin", 1000), ("gabapentin", 600))
    ]
    due = add_months(told.basis.discharge, 5)
    return [*doses, {"sheet": SHEETS[3], "find": {"code": "R1"}, "column": "due", "equals": due}]
