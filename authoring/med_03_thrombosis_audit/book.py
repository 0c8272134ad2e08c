"""The reference: hat-review.xlsx with live formulas; here Settings, Reports and Cases."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal

import msgspec
import xlsxwriter
from xlsxwriter.format import Format as Look
from xlsxwriter.worksheet import Worksheet as Sheet

from authoring.med_03_thrombosis_audit.reasons import reason
from authoring.med_03_thrombosis_audit.rules import Case, Coded
from authoring.med_03_thrombosis_audit.sheets import serial
from authoring.med_03_thrombosis_audit.story import Found
from authoring.med_03_thrombosis_audit.world import Report, World
from authoring.parts.tables import Value

NAME = "hat-review.xlsx"
SHEETS = (
    *("Settings", "Reports", "Cases", "Rates", "Run chart", "Committee", "Escalation"),
    "Summary",
)
LAST = 61
"""Row of Cases down to which formulas reach, so that a case may be added."""
SETTINGS = (
    ("Hours after arrival", 48),
    ("Days after leaving", 90),
    ("Nights that the export holds in October 2025", 29),
    ("Smallest number that is published", 5),
)
CASE_HEADS = (
    *("Case", "Event", "Stay", "Arrived", "Left", "Basis", "Hours", "Days", "Counts", "Ward"),
    *("Severity", "Failure", "Preventable", "Reason", "Of month", "Standard"),
)


class Pen(msgspec.Struct):
    """A workbook being written, and its looks."""

    book: xlsxwriter.Workbook
    told: World
    code: Coded
    what: Found
    looks: dict[str, Look]

    def sheet(self, name: str, heads: Sequence[str], widths: Sequence[float]) -> Sheet:
        sheet = self.book.add_worksheet(name)
        sheet.write_row(0, 0, heads, self.looks["head"])
        sheet.freeze_panes(1, 1)
        for column, width in enumerate(widths):
            sheet.set_column(column, column, width)
        return sheet

    def write(self, sheet: Sheet, at: str, value: Value, look: str = "text") -> None:
        """A constant; times as serial numbers."""
        style = self.looks[look]
        if value is None:
            return
        if isinstance(value, str):
            sheet.write_string(at, value, style)
        else:
            sheet.write_number(at, plain(value), style)

    def formula(self, sheet: Sheet, at: str, formula: str, value: Value, look: str = "") -> None:
        seen = value if isinstance(value, str) else plain(value)
        sheet.write_formula(at, f"={formula}", self.looks[look or "text"], seen)


def plain(value: Value) -> float:
    if isinstance(value, datetime):
        return serial(value)
    if isinstance(value, date):
        return (value - date(1899, 12, 30)).days
    assert isinstance(value, int | float | Decimal)
    return float(value)


def looks(book: xlsxwriter.Workbook) -> dict[str, Look]:
    formats = {
        "text": "General",
        "time": "yyyy-mm-dd hh:mm",
        "day": "yyyy-mm-dd",
        "month": "mmm yyyy",
        "one": "0.0",
        "rate": "0.00",
        "count": "#,##0",
    }
    made = {name: book.add_format({"num_format": code}) for name, code in formats.items()}
    return made | {"head": book.add_format({"bold": True, "bottom": 1, "text_wrap": True})}


def _settings(pen: Pen) -> None:
    sheet = pen.sheet("Settings", ("Setting", "Value"), (46, 10))
    for row, (label, value) in enumerate(SETTINGS, 2):
        pen.write(sheet, f"A{row}", label)
        pen.write(sheet, f"B{row}", value)


def _reports(pen: Pen) -> None:
    sheet = pen.sheet("Reports", ("Report", "Case", "Left out"), (10, 10, 10))
    for row, one in enumerate(pen.told.reports, 2):
        pen.write(sheet, f"A{row}", one.no)
        for column, value in zip("BC", _read(pen, one), strict=True):
            found = f"VLOOKUP($A{row},Reading!$A$2:$C$400,{'ABC'.index(column) + 1},FALSE)"
            pen.formula(sheet, f"{column}{row}", f'IF({found}="","",{found})', value or "")
    sheet.autofilter(0, 0, len(pen.told.reports), 2)


def _read(pen: Pen, one: Report) -> tuple[str | None, str | None]:
    """The number of the case of a report, and the code under which it is left out."""
    belongs = pen.code.belongs.get(one.key)
    case = next(r.no for r in pen.told.reports if r.key == belongs) if belongs else None
    return case, pen.code.left.get(one.key)


def _reading(pen: Pen) -> None:
    """What was found in each report: typed here once, and looked up by Reports."""
    heads = ("No.", "Counted in", "Code if out", "When", "What it says")
    sheet = pen.sheet("Reading", heads, (10, 10, 10, 18, 100))
    for row, one in enumerate(pen.told.reports, 2):
        case, left = _read(pen, one)
        typed: tuple[tuple[str, Value], ...] = (("A", one.no), ("B", case), ("C", left))
        typed += (("D", one.when), ("E", one.text))
        for letter, cell in typed:
            pen.write(sheet, f"{letter}{row}", cell, "time" if letter == "D" else "text")


def _case(pen: Pen, sheet: Sheet, row: int, case: Case | None) -> None:
    if case is not None:
        typed = (
            *(("A", case.no, "text"), ("B", case.event, "time"), ("C", case.stay.no, "text")),
            *(("D", case.stay.arrived, "time"), ("E", case.stay.left, "time")),
            *(("F", case.basis, "text"), ("J", case.ward, "text"), ("K", case.severity, "text")),
            *(("L", case.failure, "text"), ("N", reason(case.key), "text")),
            ("P", case.standard, "text"),
        )
        for letter, cell, seen in typed:
            pen.write(sheet, f"{letter}{row}", cell, seen)
    for column, formula, value, look in _formulas(row, case):
        pen.formula(sheet, f"{column}{row}", formula, value, look)


def _formulas(row: int, case: Case | None) -> tuple[tuple[str, str, Value, str], ...]:
    inside = f"(B{row}-D{row})*24>Settings!$B$2"
    after = f"H{row}<=Settings!$B$3"
    kinds = ",".join(f'L{row}="F{n}"' for n in (1, 2, 3, 4))
    told = (
        ("G", f'IF(F{row}="a",(B{row}-D{row})*24,"")', "one"),
        ("H", f'IF(F{row}="b",INT(B{row})-INT(E{row}),"")', "text"),
        ("I", f'IF(A{row}="","",IF(IF(F{row}="a",{inside},{after}),"yes","no"))', "text"),
        ("M", f'IF(A{row}="","",IF(OR({kinds}),"yes","no"))', "text"),
        ("O", f'IF(A{row}="","",DATE(YEAR(B{row}),MONTH(B{row}),1))', "month"),
    )
    values: tuple[Value, ...] = ("",) * 5
    if case is not None:
        a, b = case.basis == "a", case.basis == "b"
        said = "yes" if case.preventable else "no"
        values = (case.hours if a else "", case.days if b else "", "yes", said, case.month)
    return tuple((c, f, v, look) for (c, f, look), v in zip(told, values, strict=True))


def _cases(pen: Pen) -> None:
    widths = (8, 17, 8, 17, 17, 7, 8, 7, 8, 9, 9, 9, 12, 80, 11, 10)
    sheet = pen.sheet("Cases", CASE_HEADS, widths)
    for row in range(2, LAST + 1):
        known = pen.code.cases
        _case(pen, sheet, row, known[row - 2] if row - 2 < len(known) else None)


WRITERS = (_settings, _reports, _cases)
LAST_WRITERS = (_reading,)
