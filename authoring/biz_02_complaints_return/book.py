"""The reference: register.xlsx with live formulas, and the form filled in."""

from datetime import date
from pathlib import Path

import xlsxwriter

from authoring.biz_02_complaints_return.inputs import lines
from authoring.biz_02_complaints_return.story import RATE, by_code, by_product, totals
from authoring.biz_02_complaints_return.world import CODES, HOLIDAYS, Complaint, World
from authoring.parts.pack import pack
from authoring.parts.tables import Table, Value, open_workbook, put, put_tables, write_workbook

NAME, FORM_NAME = "register.xlsx", "return.xlsx"
SHEETS = ("Settings", "Register", "Contacts", "Summary")
LAST_ROW = 300
"""Formulas reach down to it, so that a complaint may be added."""
SETTINGS = (
    "Business days for a summary resolution",
    "Days for closing in time",
    "Accounts at 30 June 2025",
)
HEADS: tuple[str, ...] = (
    "Complaint",
    "Product",
    "Cause",
    "Received",
    "Closed",
    "Outcome",
    "Redress",
    "Days",
)
HEADS += ("Summary resolution", "Reason", "Business days", "Further contacts")


Looks = dict[str, xlsxwriter.format.Format]


def settings(told: World) -> Table:
    rows: list[tuple[Value, ...]] = [*zip(SETTINGS, (3, 56, told.base), strict=True), (None, None)]
    rows += [("Holidays", HOLIDAYS[0]), *((None, day) for day in HOLIDAYS[1:])]
    formats = {"Value": "General"}
    return Table("Settings", ("Setting", "Value"), tuple(rows), formats, {"Setting": 44})


def reading(told: World) -> Table:
    """What was found in each contact: typed here once, and looked up by Register and Contacts."""
    known = {one.no: one for one in told.complaints}
    rows = []
    for one in told.contacts:
        own = known.get(one.no)
        coded: tuple[Value, ...] = (None,) * 6
        if own:
            coded = (own.product, own.cause, own.received, own.closed, own.outcome, own.redress)
        where = (told.belongs(one) or None, one.left or None)
        rows.append((one.no, *where, *coded, " / ".join(one.words), one.clause))
    header: tuple[str, ...] = (
        "No.",
        "Counted in",
        "Code if out",
        "Fuel",
        "Found cause",
        "First day",
        "Last day",
    )
    header += ("Finding", "Money", "Words that decide", "Clause")
    return Table("Reading", header, tuple(rows), widths={"Words that decide": 80})


def _look_up(row: int, column: int) -> str:
    return f"VLOOKUP($A{row},Reading!$A$2:$K${LAST_ROW},{column},FALSE)"


def _contacts(told: World, book: xlsxwriter.Workbook, looks: Looks) -> None:
    sheet = book.add_worksheet("Contacts")
    sheet.write_row(0, 0, ("Contact", "Complaint", "Left out"), looks["head"])
    for row, one in enumerate(told.contacts, 2):
        sheet.write_string(row - 1, 0, one.no)
        for column, value in ((2, told.belongs(one)), (3, one.left)):
            found = _look_up(row, column)
            formula = f'=IF({found}="","",{found})'
            sheet.write_formula(row - 1, column - 1, formula, looks["text"], value)
    sheet.set_column(0, 2, 14)


def write_register(told: World, folder: Path) -> None:
    path = folder / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    book = open_workbook(path, "Complaints register", "Customer Care")
    looks = {
        "day": book.add_format({"num_format": "yyyy-mm-dd", "align": "left"}),
        "money": book.add_format({"num_format": "#,##0.00"}),
        "head": book.add_format({"bold": True, "bottom": 2}),
        "text": book.add_format({}),
    }
    _settings(told, book, looks)
    _register(told, book, looks)
    _contacts(told, book, looks)
    _summary(told, book, looks)
    put_tables(book, (reading(told),))
    book.close()
    pack(path)


def _settings(told: World, book: xlsxwriter.Workbook, looks: Looks) -> None:
    sheet = book.add_worksheet("Settings")
    table = settings(told)
    sheet.write_row(0, 0, table.header, looks["head"])
    for number, row in enumerate(table.rows, 1):
        put(sheet, number, 0, row[0])
        put(sheet, number, 1, row[1], looks["day"] if number > 4 else looks["text"])
    sheet.set_column(0, 1, 40)
    book.define_name("Holidays", f"=Settings!$B$6:$B${5 + len(HOLIDAYS)}")


def _register(told: World, book: xlsxwriter.Workbook, looks: Looks) -> None:
    sheet = book.add_worksheet("Register")
    sheet.write_row(0, 0, HEADS, looks["head"])
    sheet.freeze_panes(1, 1)
    for number, one in enumerate(told.complaints, 2):
        _line(sheet, number, one, looks)
    for column, width in enumerate((11, 9, 8, 12, 12, 12, 10, 7, 12, 90, 10, 16)):
        sheet.set_column(column, column, width)


def _line(sheet: xlsxwriter.worksheet.Worksheet, row: int, one: Complaint, looks: Looks) -> None:
    put(sheet, row - 1, 0, one.no)
    found = (one.product, one.cause, one.received, one.closed or "", one.outcome, one.redress)
    for column, value in enumerate(found, 1):
        look = "day" if column in (3, 4) else "money" if column == 6 else "text"
        formula = _look_up(row, column + 3)
        formula = f'IF({formula}="","",{formula})' if column == 4 else formula
        seen = (value - date(1899, 12, 30)).days if isinstance(value, date) else value
        sheet.write_formula(row - 1, column, f"={formula}", looks[look], seen)
    shut = f'E{row}=""'
    days = "" if one.days is None else one.days
    business = "" if one.business is None else one.business
    said = "yes" if one.summary() else "no"
    sheet.write_formula(f"H{row}", f'=IF({shut},"",E{row}-D{row})', looks["text"], days)
    rule = f'=IF({shut},"no",IF(K{row}<=Settings!$B$2,"yes","no"))'
    sheet.write_formula(f"I{row}", rule, looks["text"], said)
    put(sheet, row - 1, 9, one.reason)
    count = f'=IF({shut},"",MAX(0,NETWORKDAYS(D{row}+1,E{row},Holidays)))'
    sheet.write_formula(f"K{row}", count, looks["text"], business)
    put(sheet, row - 1, 11, ", ".join(more.no for more in one.more))


def _area(column: str) -> str:
    return f"Register!${column}$2:${column}${LAST_ROW}"


def formulas() -> tuple[str, ...]:
    """Of the labels on Summary, in their order."""
    outcomes = ("open", "upheld", "partly", "not upheld")
    return (
        f"COUNTA({_area('A')})",
        f'COUNTIF({_area("I")},"yes")',
        f'COUNTIF({_area("H")},"<="&Settings!$B$3)',
        *(f'COUNTIF({_area("F")},"{name}")' for name in outcomes),
        f"SUM({_area('G')})",
        "ROUND(1000*B2/Settings!$B$4,2)",
    )


def _summary(told: World, book: xlsxwriter.Workbook, looks: Looks) -> None:
    sheet = book.add_worksheet("Summary")
    sheet.write_row(0, 0, ("Figure", "January to June 2025"), looks["head"])
    found = zip(totals(told).items(), formulas(), strict=True)
    for row, ((label, value), formula) in enumerate(found, 2):
        look = looks["money"] if label == RATE or label.startswith("Redress") else looks["text"]
        sheet.write_string(row - 1, 0, label)
        sheet.write_formula(f"B{row}", f"={formula}", look, float(value))
    heads = ("Code", "Complaints", "For the customer", "Paid")
    sheet.write_row(12, 0, heads, looks["head"])
    for row, (code, values) in enumerate(by_code(told).items(), 14):
        _code(sheet, row, code, values, looks)
    sheet.set_column(0, 3, 36)


def _code(
    sheet: xlsxwriter.worksheet.Worksheet,
    row: int,
    code: str,
    values: tuple[int, int, int],
    looks: Looks,
) -> None:
    sheet.write_string(row - 1, 0, code)
    cause = f"{_area('C')},$A{row}"
    right = "+".join(f'COUNTIFS({cause},{_area("F")},"{name}")' for name in ("upheld", "partly"))
    told = (f"COUNTIF({cause})", right, f"SUMIF({cause},{_area('G')})")
    for letter, formula, value in zip("BCD", told, values, strict=True):
        look = looks["money"] if letter == "D" else looks["text"]
        sheet.write_formula(f"{letter}{row}", f"={formula}", look, value)


def filled(told: World) -> tuple[Table, ...]:
    """The form: Return and Open."""
    figures = tuple(totals(told).values())
    codes = tuple(by_code(told)[code][0] for code in CODES)
    waiting = tuple(
        (told.accounts[one.first.account], one.received.isoformat(), one.first.words[0], one.cause)
        for one in told.complaints
        if one.outcome == "open"
    )
    header = ("Account", "Received", "About", "Cause")
    return (
        lines(figures, codes, tuple(by_product(told).values())),
        Table("Open", header, waiting, widths={"About": 60}),
    )


def write_form(told: World, folder: Path) -> None:
    write_workbook(folder / FORM_NAME, filled(told), "Return", "Customer Care")
