"""`Workings`: the rules in named cells, tables, and what sources say that was not followed."""

from decimal import Decimal

from authoring.med_01_bleed_after_stent.plan import Plan
from authoring.med_01_bleed_after_stent.rules import GABAPENTIN, METFORMIN, POINTS, grams, valid
from authoring.med_01_bleed_after_stent.sheet import Book, Sheet, Value
from authoring.med_01_bleed_after_stent.world import DAY, PRINTED_DAY

Rule = tuple[str, str, Value, str, str]
NAME = "Workings"


def put_workings(told: Plan, book: Book) -> None:
    sheet = book.sheet(NAME, (46, 13, 40, 3, 34, 13, 46, 3, 13, 13))
    sheet.sheet.write("A1", "Rules of AT-12 version 4 and values they are applied to", book.title)
    sheet.heads(2, ("Rule", "Value", "Source"))
    rules = _rules(told)
    for row, (name, label, value, formula, source) in enumerate(rules, 3):
        look = "date" if name in ("First_home", "Supply_end") else "dose"
        sheet.cell(f"A{row}", label, "text")
        sheet.cell(f"B{row}", value, look, formula)
        sheet.cell(f"C{row}", source, "wrap")
        book.name(name, f"{NAME}!$B${row}")
    _points_and_stents(told, book, sheet)
    _not_followed(told, sheet)
    _tables(told, book, sheet)


def _rules(told: Plan) -> list[Rule]:
    found, drawn = told.basis, told.world
    bloods = valid(drawn, "Haemoglobin")
    before = [row for row in bloods if row.day < drawn.admitted][-1]
    lowest = min(grams(row) for row in bloods if row.day >= drawn.admitted)
    line = told.line("paracetamol").last
    assert line is not None
    mail = f"Table 3, corrected by the pharmacist's mail (printed: Day {PRINTED_DAY})"
    months = "IF(OR(COUNT(Stent_lengths)>=3,Stent_total>60),9,6)"
    return [
        ("OAC_day", "First day of the anticoagulant, after Day 0", found.restart, "", mail),
        (
            "P2Y12_day",
            "P2Y12 inhibitor, after Day 0",
            3,
            "IF(Stent_age<=30,1,IF(Stent_age<=90,3,5))",
            "3.2",
        ),
        ("Dual_months", "P2Y12 inhibitor, months after the last stent", 9, months, "Table 2, 3.4"),
        ("Home_lag", "First day at home, days after discharge", 1, "", "1.5"),
        ("First_home", "First day at home", found.home, "Discharge+Home_lag", "1.5"),
        ("Oral_PPI_day", "Pantoprazole by mouth, after Day 0", 3, "", "5.1"),
        ("PPI_day", "Pantoprazole twice daily at least to Day", 14, "", "5.1"),
        ("Eradication_days", "Eradication, days", 14, "", "5.2"),
        ("Calcium_gap", "Calcium, days after the last tetracycline", 1, "", "6.3"),
        ("ACE_day", "ACE inhibitor, after Day 0", 7, "", "6.2"),
        ("MRA_day", "Aldosterone antagonist, after Day 0", 14, "", "6.2"),
        ("Paracetamol_days", "Paracetamol, days", 14, "", "6.1"),
        ("Supply_days", "First supply, days", 28, "", "9.3"),
        (
            "Supply_end",
            "Last day of the first supply",
            found.home + 27 * DAY,
            "First_home+Supply_days-1",
            "9.3",
        ),
        ("Reduced_age", "Apixaban: age from", 80, "", "4.5"),
        ("Reduced_kg", "Apixaban: weight up to (kg)", 60, "", "4.5"),
        ("Reduced_umol", "Apixaban: creatinine from (µmol/L)", 133, "", "4.5"),
        (
            "Obese_from",
            "Actual to ideal weight, from which it is adjusted",
            Decimal("1.2"),
            "",
            "2.2",
        ),
        ("Obese_share", "Share of the excess that counts", Decimal("0.4"), "", "2.2"),
        (
            "Tetracycline_mg",
            "Tetracycline capsules in stock (mg)",
            250,
            "",
            "Mail: 500 mg out of stock",
        ),
        ("Inches", "Height measured (in)", 12 * drawn.feet + drawn.inches, "", "Nursing chart"),
        (
            "Hb_before",
            "Last haemoglobin before admission (g/dL)",
            before.value,
            "",
            "Laboratory, external",
        ),
        ("Hb_lowest", "Lowest haemoglobin of the stay (g/L)", lowest, "", "Laboratory, final"),
        ("Hb_last", "Last haemoglobin (g/L)", found.haemoglobin, "", "Laboratory, final"),
    ]


def _points_and_stents(told: Plan, book: Book, sheet: Sheet) -> None:
    sheet.cell("E2", "Points of CHA2DS2-VASc", "text")
    points = [*POINTS.items(), ("heart failure", 0), ("stroke or TIA", 0), ("female sex", 0)]
    for row, (label, number) in enumerate(points, 3):
        sheet.cell(f"E{row}", label, "text")
        sheet.cell(f"F{row}", number, "whole")
    sheet.cell("G8", "neurology: migraine aura, no TIA (practice record)", "wrap")
    book.name("Score_points", f"{NAME}!$F$3:$F$9")
    sheet.cell("E11", "Stents (reports 1 and 2)", "text")
    for row, stent in enumerate(told.world.stents, 12):
        sheet.cell(f"E{row}", stent.day, "date")
        sheet.cell(f"F{row}", stent.length, "whole")
        sheet.cell(f"G{row}", stent.vessel, "text")
    book.name("Stent_days", f"{NAME}!$E$12:$E$14")
    book.name("Stent_lengths", f"{NAME}!$F$12:$F$14")


def _not_followed(told: Plan, sheet: Sheet) -> None:
    """F17 to F23: read, and not used."""
    drawn = told.world
    wrong = [row for row in drawn.labs if row.status == "cancelled"]
    low = min(row.value for row in wrong if row.test == "Haemoglobin")
    high = max(row.value for row in wrong if row.test == "Haemoglobin")
    told_of: list[tuple[str, Value, str]] = [
        ("Weight as told (kg)", drawn.reported_weight, "not measured"),
        ("Height as told (cm)", drawn.reported_height, "not measured"),
        ("Creatinine, last sample (mg/dL)", drawn.cancelled, "cancelled: label mix-up"),
        ("Haemoglobin, lowest sample (g/L)", low, "cancelled: above the infusion"),
        ("Haemoglobin, last sample (g/L)", high, "cancelled: label mix-up"),
        ("Gastroscopy 1", drawn.admitted, "bled again and treated again on Day 0"),
        ("Gastroscopy 3", drawn.control, "control look without treatment"),
    ]
    sheet.cell("E16", "Read and not used", "text")
    for row, (label, value, reason) in enumerate(told_of, 17):
        sheet.cell(f"E{row}", label, "text")
        sheet.cell(f"F{row}", value, "date" if row > 21 else "dose")
        sheet.cell(f"G{row}", reason, "wrap")


def _tables(told: Plan, book: Book, sheet: Sheet) -> None:
    sheet.cell("I2", "Metformin: clearance from, mg a day at most", "text")
    for name, table, top in (("Metformin", METFORMIN, 3), ("Gabapentin", GABAPENTIN, 9)):
        rows = [(0, 0), *sorted(table)]
        for row, (least, most) in enumerate(rows, top):
            sheet.cell(f"I{row}", least, "whole")
            sheet.cell(f"J{row}", most, "whole")
        book.name(f"{name}_most", f"{NAME}!$I${top}:$J${top + len(rows) - 1}")
    sheet.cell("I8", "Gabapentin: clearance from, mg a day at most", "text")
    sheet.cell("I16", "Clinics closed", "text")
    for row, (day, _) in enumerate(told.world.closed, 17):
        sheet.cell(f"I{row}", day, "date")
    book.name("Closed", f"{NAME}!$I$17:$I${16 + len(told.world.closed)}")
