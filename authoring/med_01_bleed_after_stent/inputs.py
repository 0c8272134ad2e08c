"""The eleven files an agent gets."""

from datetime import date
from decimal import Decimal
from pathlib import Path

from authoring.med_01_bleed_after_stent.lab import RANGES
from authoring.med_01_bleed_after_stent.plan import Plan
from authoring.med_01_bleed_after_stent.shelf import STOCK, Product
from authoring.med_01_bleed_after_stent.words import fill
from authoring.med_01_bleed_after_stent.world import DAY, World
from authoring.parts.dice import Dice
from authoring.parts.pdf import Sheetwork, write_pdf
from authoring.parts.scan import scan_page
from authoring.parts.tables import Table, Value, write_csv, write_workbook
from authoring.parts.word import Letter, write_docx

NOTE = "admission-note.docx"
CATHETER = "catheter-reports.pdf"
ENDOSCOPY = "endoscopy-reports.pdf"
LABS = "laboratory.csv"
CHART = "nursing-chart.csv"
HOME = "home-medicines.xlsx"
FORMULARY = "formulary.csv"
CLINICS = "clinic-calendar.csv"
GUIDELINE = "AT-12-version-4.pdf"
OLD_GUIDELINE = "AT-12-version-3.docx"
MAIL = "mail-from-pharmacy.md"


def write_inputs(told: Plan, folder: Path) -> None:
    drawn = told.world
    around = Letter(title="Admission note", author=drawn.team.resident.name, header=drawn.hospital)
    write_docx(folder / NOTE, fill("admission", told), around)
    _catheter(told, folder / CATHETER)
    unit = Sheetwork(title="Endoscopy", author=drawn.team.endoscopist.name, header=drawn.hospital)
    write_pdf(folder / ENDOSCOPY, [fill("endoscopy", told)], unit)
    write_csv(folder / LABS, _labs(drawn))
    write_csv(folder / CHART, _chart(drawn))
    write_workbook(folder / HOME, _home(drawn), "Home medicines", drawn.team.pharmacist.name)
    write_csv(folder / FORMULARY, _formulary(drawn), delimiter=";")
    write_csv(folder / CLINICS, _clinics(drawn))
    committee = "Drugs and Therapeutics Committee"
    sheet = Sheetwork(title="AT-12", author=committee, header=drawn.hospital, points=8.6)
    write_pdf(folder / GUIDELINE, [fill("guideline-v4", told)], sheet)
    old = Letter(title="AT-12", author=committee, header=drawn.hospital, footer="Version 3")
    write_docx(folder / OLD_GUIDELINE, fill("guideline-v3", told), old)
    (folder / MAIL).write_text(fill("mail", told), "utf-8", newline="\n")


def _catheter(told: Plan, path: Path) -> None:
    """The second report is a scan."""
    drawn = told.world
    last = drawn.stents[-1]
    lines = (
        "# Catheter laboratory: report 2 of 2",
        "",
        f"{drawn.hospital}, Cardiology",
        f"Patient {drawn.patient.formal}, born {drawn.born.isoformat()}, record {drawn.record}",
        "",
        f"Date of the procedure:  {last.day.isoformat()}",
        f"Operator:  {drawn.team.operator.name}",
        "",
        "Second sitting as planned, same stay. Right radial access.",
        f"Vessel:  {last.vessel}, middle part, stenosis of about 80 %.",
        "",
        "Treatment:  one drug-eluting stent.",
        f"     Stent 3:  diameter {last.width} mm, length {last.length} mm.",
        "",
        "Good flow at the end. Vessels treated at the first sitting open.",
        "No complication. Contrast 90 mL.",
        "",
        "Recommendation unchanged, see report 1.",
        f"Discharge planned for {(last.day + 2 * DAY).isoformat()}.",
    )
    page = scan_page(lines, Dice("scan", drawn.seed), stamp="CATHETER LABORATORY - SIGNED")
    around = Sheetwork(title="Catheter reports", author=drawn.team.operator.name)
    write_pdf(path, [fill("catheter", told), page], around)


def _labs(drawn: World) -> Table:
    header = (
        *("Sample", "Collected", "Test", "Value", "Unit"),
        *("Reference range", "Status", "Remark"),
    )
    rows: list[tuple[Value, ...]] = [
        (
            row.sample,
            f"{row.day.isoformat()} {row.time}",
            row.test,
            str(row.value),
            row.unit,
            RANGES[row.test, row.unit],
            row.status,
            row.remark,
        )
        for row in drawn.labs
    ]
    title = (f"Laboratory export, record {drawn.record}",)
    return Table("labs", header, tuple(rows), title=title)


def _chart(drawn: World) -> Table:
    rows: list[tuple[Value, ...]] = [
        (one.day.isoformat(), one.time, one.item, one.value, one.unit, one.how)
        for one in drawn.measures
    ]
    return Table("chart", ("Date", "Time", "Item", "Value", "Unit", "How"), tuple(rows))


def _home(drawn: World) -> tuple[Table, ...]:
    header = (
        *("Line", "Product", "Strength", "Unit", "Morning", "Noon", "Evening", "Night"),
        *("Since", "Until", "Source", "Remark"),
    )
    rows: list[tuple[Value, ...]] = [
        (
            one.line,
            one.product,
            _number(one.strength),
            one.unit,
            *(_number(amount) for amount in one.amounts),
            one.since,
            one.until,
            one.source,
            one.note or None,
        )
        for one in drawn.home
    ]
    top = (f"Home medicines of {drawn.patient.formal}, record {drawn.record}", "Tablets per intake")
    medicines = Table("Medicines", header, tuple(rows), widths={"Product": 22}, title=top)
    notes: tuple[tuple[Value, ...], ...] = (
        (
            date(2009, 5, 18),
            "Allergy",
            "penicillin: hives and swelling of the lips after two tablets",
        ),
        (date(2013, 2, 4), "Allergy", "plaster (skin)"),
        (
            date(2019, 10, 9),
            "Letter",
            "neurology on the spell of August: migraine aura, no stroke and no TIA",
        ),
        (date(2023, 3, 27), "Note", "no allergy clinic visit on record"),
    )
    record = Table("Practice record", ("Date", "Kind", "Text"), notes, widths={"Text": 70})
    return medicines, record


def _number(text: str) -> Value:
    return int(text) if text.isdigit() else float(text) if _is_decimal(text) else text


def _is_decimal(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


def _formulary(drawn: World) -> Table:
    def name(product: Product) -> str:
        return drawn.brands[product.brand] if product.brand else product.generic

    header = ("Product", "Generic name", "Group", "Strength", "Unit", "Form", "Stocked")
    rows: list[tuple[Value, ...]] = [
        (
            name(one),
            one.generic,
            one.group,
            Decimal(one.strength),
            one.unit,
            one.form,
            "yes" if one.stocked else "no",
        )
        for one in sorted(STOCK, key=lambda one: (name(one).casefold(), Decimal(one.strength)))
    ]
    return Table("formulary", header, tuple(rows))


def _clinics(drawn: World) -> Table:
    rows: tuple[tuple[Value, ...], ...] = tuple((day.isoformat(), why) for day, why in drawn.closed)
    return Table("clinics", ("Closed on", "Why"), rows)
