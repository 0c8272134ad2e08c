"""The reference: takeoff.xlsx with live formulas, each with its value."""

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import xlsxwriter

from authoring.biz_03_tender_takeoff.health_centre import MATCH
from authoring.biz_03_tender_takeoff.ink import length
from authoring.biz_03_tender_takeoff.inputs import describe, unit
from authoring.biz_03_tender_takeoff.plans import clipped
from authoring.biz_03_tender_takeoff.symbols import KINDS, REMOVED
from authoring.biz_03_tender_takeoff.takeoff import (
    CABLES,
    ITEMS,
    LABELS,
    RULES,
    Told,
    differs,
    drop,
    installed,
    measured,
    size,
    times,
)
from authoring.parts.pack import pack
from authoring.parts.tables import Table, Value, open_workbook, put, put_tables

NAME = "takeoff.xlsx"
SHEETS = ("Settings", "Counts", "Runs", "Bill", "Summary")
COUNT_HEADS = ("Drawing", "Room", "Times", *KINDS, REMOVED)
RUN_HEADS = ("Run", "Plan length", "Height", "Allowance", "Installed", "Size")
BILL_HEADS = (
    *("Item", "Description", "Unit", "Quantity", "Rate", "Amount"),
    *("Client quantity", "Difference", "Qualified"),
)
NET, PRELIMINARIES, OVERHEADS, PRICE = (
    *("Net total", "Preliminaries", "Overheads and profit"),
    "Tender price",
)
QUALIFIED, PIECES, METRES = "Lines qualified", "Pieces fitted", "Metres of cable"
LAST = 150
"""Counts and runs may be added down to this row."""
Looks = dict[str, xlsxwriter.format.Format]


def settings() -> tuple[tuple[str, Decimal], ...]:
    values = (getattr(RULES, name) for name in RULES.__struct_fields__)
    return tuple(zip(LABELS, values, strict=True))


def letter_of(column: int) -> str:
    return chr(ord("A") + column)


def totals(told: Told) -> dict[str, Decimal]:
    money, wanted = told.money, told.quantities
    return {
        NET: money.net,
        PRELIMINARIES: money.preliminaries,
        OVERHEADS: money.overheads,
        PRICE: money.price,
        QUALIFIED: Decimal(len(told.qualified)),
        PIECES: Decimal(sum(wanted[kind] for kind in KINDS)),
        METRES: Decimal(sum(wanted[item] for item in CABLES)),
    }


def write_book(told: Told, folder: Path) -> None:
    path = folder / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    book = open_workbook(path, "Take-off", "Estimating")
    looks = {
        "head": book.add_format({"bold": True, "bottom": 2}),
        "money": book.add_format({"num_format": "#,##0.00"}),
        "share": book.add_format({"num_format": "0.0%"}),
        "metres": book.add_format({"num_format": "0.00"}),
        "plain": book.add_format({}),
    }
    _settings(book, looks)
    _counts(told, book, looks)
    _runs(told, book, looks)
    _bill(told, book, looks)
    _summary(told, book, looks)
    rates = tuple((item, told.rates[item]) for item in ITEMS)
    put_tables(book, (Table("Rates", ("Item", "List 32"), rates), tally(told), ruler(told)))
    book.close()
    pack(path)


def _head(sheet: xlsxwriter.worksheet.Worksheet, heads: Sequence[str], looks: Looks) -> None:
    sheet.write_row(0, 0, heads, looks["head"])
    sheet.freeze_panes(1, 2)


def _settings(book: xlsxwriter.Workbook, looks: Looks) -> None:
    sheet = book.add_worksheet("Settings")
    sheet.write_row(0, 0, ("Figure", "Value"), looks["head"])
    for row, (label, value) in enumerate(settings(), 1):
        sheet.write_string(row, 0, label)
        share = value < 1
        sheet.write_number(row, 1, float(value), looks["share" if share else "metres"])
    sheet.set_column(0, 0, 44)


def _counts(told: Told, book: xlsxwriter.Workbook, looks: Looks) -> None:
    sheet = book.add_worksheet("Counts")
    _head(sheet, COUNT_HEADS, looks)
    for row, ((drawing, room), found) in enumerate(told.counts.items(), 1):
        known: tuple[Value, ...] = (drawing, room, times(told.world, drawing, room))
        for column, value in enumerate(known):
            put(sheet, row, column, value)
        for column, kind in enumerate((*KINDS, REMOVED), 3):
            sheet.write_formula(row, column, _counted(row + 1, column), looks["plain"], found[kind])
    sheet.set_column(0, len(COUNT_HEADS), 6)
    sheet.set_column(0, 0, 9)


def _counted(row: int, column: int) -> str:
    """What was ticked off in a room, of the kind that the heading names."""
    sums, sheets, rooms, codes = (f"Tally!${letter}$2:${letter}$500" for letter in "DABC")
    code = f"{letter_of(column)}$1"
    return f"=SUMIFS({sums},{sheets},$A{row},{rooms},$B{row},{codes},{code})"


def tally(told: Told) -> Table:
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (drawing, room, kind, found[kind])
        for (drawing, room), found in told.counts.items()
        for kind in (*KINDS, REMOVED)
        if found[kind]
    )
    return Table("Tally", ("Sheet", "Place", "Code", "Ticked"), rows)


def ruler(told: Told) -> Table:
    """Millimetres on paper, of each part of a run and of the bar of ten metres beside it."""
    rows: list[tuple[Value, ...]] = []
    for run in told.world.runs:
        bar = Decimal("84") if run.floor else Decimal("100")
        cut = Decimal(str(round(sum(map(length, clipped(run.path, 0, MATCH))), 3)))
        parts = [("E-103", measured(run))]
        if not run.floor:
            parts = [("E-101", cut), ("E-102", measured(run) - cut)]
        rows += [(run.no, sheet, part * bar / 10, bar) for sheet, part in parts if part]
    return Table("Ruler", ("Part of run", "Sheet", "Line, mm", "Bar of 10 m, mm"), tuple(rows))


def _runs(told: Told, book: xlsxwriter.Workbook, looks: Looks) -> None:
    sheet = book.add_worksheet("Runs")
    _head(sheet, (*RUN_HEADS, "Load"), looks)
    last = len(ruler(told).rows) + 1
    for row, run in enumerate(told.world.runs, 2):
        put(sheet, row - 1, 0, run.no)
        shares = f"Ruler!$C$2:$C${last}/Ruler!$D$2:$D${last}"
        known = f"=ROUND(SUMPRODUCT((Ruler!$A$2:$A${last}=A{row})*{shares})*10,2)"
        sheet.write_formula(row - 1, 1, known, looks["metres"], float(measured(run)))
        put(sheet, row - 1, 2, run.height, looks["metres"])
        formulas = (
            (f"ABS(Settings!$B$2-C{row})+Settings!$B$3", drop(run)),
            (f"ROUND(B{row}+D{row},1)", installed(run)),
            (f"IF(E{row}<=Settings!$B$7,2.5,IF(E{row}<=Settings!$B$8,4,6))", size(run)),
        )
        for column, (formula, value) in enumerate(formulas, 3):
            look = looks["plain" if column == 5 else "metres"]
            sheet.write_formula(row - 1, column, f"={formula}", look, float(value))
        put(sheet, row - 1, 6, run.what)
    sheet.set_column(0, 6, 12)


def quantity(item: str) -> str:
    if item in CABLES:
        metres = f"SUMIF(Runs!$F$2:$F${LAST},{CABLES[item]},Runs!$E$2:$E${LAST})"
        return f"ROUNDUP(ROUND({metres}*(1+Settings!$B$4),6),0)"
    column = letter_of(COUNT_HEADS.index(item))
    return f"SUMPRODUCT(Counts!$C$2:$C${LAST},Counts!{column}$2:{column}${LAST})"


def qualifies(item: str, row: int) -> str:
    limit = f"ABS(H{row})>Settings!$B$9*G{row}" if item in CABLES else f"H{row}<>0"
    return f'IF({limit},"yes","no")'


def _bill(told: Told, book: xlsxwriter.Workbook, looks: Looks) -> None:
    sheet = book.add_worksheet("Bill")
    _head(sheet, BILL_HEADS, looks)
    for row, item in enumerate(ITEMS, 2):
        ours, theirs, rate = told.quantities[item], told.client[item], told.rates[item]
        for column, text in enumerate((item, describe(item), unit(item))):
            put(sheet, row - 1, column, text)
        found = f"VLOOKUP(A{row},Rates!$A$2:$B$40,2,FALSE)"
        put(sheet, row - 1, 6, theirs)
        formulas: tuple[tuple[int, str, str, float | str], ...] = (
            (3, quantity(item), "plain", ours),
            (4, found, "money", float(rate)),
            (5, f"D{row}*E{row}", "money", float(ours * rate)),
            (7, f"D{row}-G{row}", "plain", ours - theirs),
            (8, qualifies(item, row), "plain", "yes" if differs(told, item) else "no"),
        )
        for column, formula, look, value in formulas:
            sheet.write_formula(row - 1, column, f"={formula}", looks[look], value)
    sheet.set_column(0, 8, 12)
    sheet.set_column(1, 1, 46)


def summary_formulas() -> tuple[str, ...]:
    last = len(ITEMS) + 1
    pieces, cable = len(KINDS) + 1, last - len(CABLES) + 1
    return (
        f"SUM(Bill!F2:F{last})",
        "ROUND(B2*Settings!B5,2)",
        "ROUND((B2+B3)*Settings!B6,2)",
        "B2+B3+B4",
        f'COUNTIF(Bill!I2:I{last},"yes")',
        f"SUM(Bill!D2:D{pieces})",
        f"SUM(Bill!D{cable}:D{last})",
    )


def _summary(told: Told, book: xlsxwriter.Workbook, looks: Looks) -> None:
    sheet = book.add_worksheet("Summary")
    sheet.write_row(0, 0, ("Figure", "Quarley Road"), looks["head"])
    found = zip(totals(told).items(), summary_formulas(), strict=True)
    for row, ((label, value), formula) in enumerate(found, 2):
        sheet.write_string(row - 1, 0, label)
        look = looks["money" if row < 6 else "plain"]
        sheet.write_formula(f"B{row}", f"={formula}", look, float(value))
    sheet.set_column(0, 1, 26)
