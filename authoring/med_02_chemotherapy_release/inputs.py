"""The files an agent gets: protocols, minutes, mails, letters, orders, results, records."""

from datetime import datetime, timedelta
from pathlib import Path

from authoring.med_02_chemotherapy_release.story import Story
from authoring.med_02_chemotherapy_release.world import OF_DRUG, TEXTS, Given, Result, World
from authoring.parts.pdf import Sheetwork, write_pdf
from authoring.parts.tables import Table, Value, write_csv, write_workbook
from authoring.parts.word import Letter, write_docx

HOUSE = "Kestrel Hill Hospital"
AHEAD = timedelta(hours=1)
Row = tuple[Value, ...]
PAPERS = {
    "DU-07-version-5.pdf": ("protocol-5.md", "DU-07 version 5"),
    "DU-07-amendment-1-draft.pdf": ("amendment.md", "Amendment 1, draft"),
    "committee-minutes.pdf": ("minutes.md", "Drug Committee, minutes"),
    "letters-from-elsewhere.pdf": ("letters-from-elsewhere.md", "Letters"),
}
LETTERS = {
    "DU-07-version-4.docx": ("protocol-4.md", "DU-07 version 4"),
    "clinic-letters.docx": ("clinic-letters.md", "Clinic letters"),
}
MAILS = ("mail-from-laboratory.md", "mails-from-colleagues.md")


def facts(drawn: World) -> dict[str, str]:
    """What the texts say."""
    found = dict(drawn.staff)
    for key, one in drawn.patients.items():
        found[key.lower()] = one.person.name
        found[f"{key.lower()}_born"] = one.born.isoformat()
        theirs = [row for row in drawn.elsewhere if row.patient == key]
        if theirs:
            found[f"{key.lower()}_doses"] = ", ".join(f"{row.given:f}" for row in theirs)
            found[f"{key.lower()}_bsa"] = f"{theirs[0].bsa:.2f}"
    return found


def text(name: str, told: Story) -> str:
    return (TEXTS / name).read_text("utf-8").format(**facts(told.world))


def stamp(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M}"


def order_table(told: Story) -> Table:
    drawn = told.world
    header = ("Line", "Patient", "Start", "Regimen", "Drug", "Dose", "Per", "Ordered mg")
    rows: list[Row] = []
    for line in drawn.lines:
        patient, per = drawn.patients[line.patient], OF_DRUG[drawn.drugs[line.drug].per]
        dose = patient.ordered or line.per
        about = (line.no, patient.key, stamp(patient.start), patient.regimen, line.drug)
        rows.append((*about, dose, per, told.ordered[line.no]))
    return Table("Orders", header, tuple(rows), widths={"Start": 17, "Drug": 18})


def register_table(drawn: World) -> Table:
    header: tuple[str, ...] = ("Patient", "Name", "Sex", "Born", "Height cm", "Regimen", "G-CSF")
    header += ("Dosing weight kg", "Level %", "Last treatment", "History")
    rows: list[Row] = []
    for one in drawn.patients.values():
        sex, gcsf = "F" if one.female else "M", "yes" if one.gcsf else "no"
        head: Row = (one.key, one.person.formal, sex, one.born, one.listed_height, one.regimen)
        more: Row = (gcsf, one.dosing, one.listed_level, one.planned, one.history or None)
        rows.append((*head, *more))
    return Table("Register", header, tuple(rows), widths={"Name": 24, "History": 40})


def as_exported(one: Result, at: datetime) -> datetime:
    """The outside laboratory's hours are UTC."""
    return at - AHEAD if one.analyser == "LX" else at


def result_table(drawn: World) -> Table:
    header: tuple[str, ...] = ("Sample", "Patient", "Taken", "Measured", "Analyser", "Test")
    rows = tuple(
        (
            *(one.sample, one.patient),
            *(stamp(as_exported(one, at)) for at in (one.taken, one.measured)),
            one.analyser,
            *(one.test, one.value, one.unit, one.status, one.remark or None),
        )
        for one in sorted(drawn.results, key=lambda one: (one.measured, one.sample))
    )
    return Table("Results", (*header, "Result", "Unit", "Status", "Remark"), rows)


def weight_table(drawn: World) -> Table:
    header = ("Patient", "Weighed", "Weight kg", "How")
    rows = ((one.patient, stamp(one.at), one.kg, one.how) for one in drawn.weights)
    return Table("Weights", header, tuple(sorted(rows, key=lambda row: (row[1], row[0]))))


def given_table(drawn: World) -> Table:
    header: tuple[str, ...] = ("Infusion", "Patient", "Date", "Drug", "Prescribed mg", "Given mg")
    rows = tuple(_given(row) for row in drawn.given)
    return Table("Given", (*header, "BSA then", "Status", "Remark"), rows)


def _given(row: Given) -> Row:
    amounts = (row.prescribed, row.given, row.bsa)
    return (row.infusion, row.patient, row.day, row.drug, *amounts, row.status, row.remark or None)


def echo_table(drawn: World) -> Table:
    rows = tuple(sorted(drawn.echos, key=lambda row: (row[1], row[0])))
    return Table("Echo", ("Patient", "Date", "LVEF %"), rows)


def formulary_table(drawn: World) -> Table:
    header = ("Drug", "Vial mg", "Price EUR", "Vials", "Hours when prepared", "Step mg")
    rows: list[Row] = []
    for drug in drawn.drugs.values():
        shared = "shared" if drug.share else "own"
        for size, price in zip(drug.sizes, drug.prices, strict=True):
            rows.append((drug.name, size, price, shared, drug.hours, drug.step))
    return Table("Formulary", header, tuple(rows))


def write_inputs(told: Story, folder: Path) -> None:
    drawn = told.world
    write_workbook(folder / "orders.xlsx", (order_table(told),), "Orders", HOUSE)
    write_workbook(folder / "register.xlsx", (register_table(drawn),), "Register", HOUSE)
    tables = {
        "laboratory.csv": result_table(drawn),
        "weights.csv": weight_table(drawn),
        "administrations.csv": given_table(drawn),
        "echo.csv": echo_table(drawn),
        "formulary.csv": formulary_table(drawn),
    }
    for name, table in tables.items():
        write_csv(folder / name, table)
    for name, (source, title) in PAPERS.items():
        around = Sheetwork(title=title, author=HOUSE, footer=title, points=9)
        write_pdf(folder / name, [text(source, told)], around)
    for name, (source, title) in LETTERS.items():
        write_docx(
            folder / name, text(source, told), Letter(title=title, author=HOUSE, fitted=True)
        )
    for name in MAILS:
        (folder / name).write_text(text(name, told), "utf-8", newline="\n")
