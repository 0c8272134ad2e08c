"""reference-2: rooms by floor, columns turned round, cable by arrays, one total for each line."""

from pathlib import Path

import openpyxl
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from authoring.biz_03_tender_takeoff.book import (
    METRES,
    NAME,
    NET,
    OVERHEADS,
    PIECES,
    PRELIMINARIES,
    PRICE,
    QUALIFIED,
    SHEETS,
    letter_of,
    settings,
)
from authoring.biz_03_tender_takeoff.inputs import describe, unit
from authoring.biz_03_tender_takeoff.symbols import FIRE, KINDS, LIGHTING, POWER, REMOVED
from authoring.biz_03_tender_takeoff.takeoff import CABLES, ITEMS, Told, measured, times
from authoring.parts.caches import fill_caches
from authoring.parts.pack import WHEN

HEADS = ("Room", "Drawing", REMOVED, *FIRE, *LIGHTING, *POWER, "Times")


def _settings(told: Told, sheet: Worksheet) -> None:
    sheet.append(("Rule", "Now", "Clause"))
    clauses = ("3.3", "3.3", "3.6", "4.2", "4.2", "3.5", "3.5", "5.1")
    for (label, value), clause in zip(settings(), clauses, strict=True):
        sheet.append((label, float(value), clause))


def _counts(told: Told, sheet: Worksheet) -> None:
    sheet.append(HEADS)
    for drawing, room in sorted(told.counts, key=lambda key: (key[1], key[0])):
        found = told.counts[drawing, room]
        numbers = [found[kind] for kind in HEADS[2:-1]]
        sheet.append((room, drawing, *numbers, times(told.world, drawing, room)))


def _runs(told: Told, sheet: Worksheet) -> None:
    sheet.append(("Run", "Size", "Installed", "Plan length", "Height", "Allowance"))
    for row, run in enumerate(told.world.runs, 2):
        size = f"=IF(C{row}>Settings!$B$8,6,IF(C{row}>Settings!$B$7,4,2.5))"
        whole = f"=ROUND(D{row}+F{row},1)"
        fall = f"=Settings!$B$3+Settings!$B$2-E{row}"
        sheet.append((run.no, size, whole, float(measured(run)), float(run.height), fall))


def _quantity(told: Told, item: str) -> str:
    rows = len(told.counts) + 1
    if item in CABLES:
        last = len(told.world.runs) + 1
        metres = f"SUMPRODUCT((Runs!B$2:B${last}={CABLES[item]})*Runs!C$2:C${last})"
        return f"=CEILING(ROUND({metres}*(1+Settings!B$4),4),1)"
    column, last_column = letter_of(HEADS.index(item)), letter_of(len(HEADS) - 1)
    area = f"Counts!{column}$2:{column}${rows}*Counts!{last_column}$2:{last_column}${rows}"
    return f"=SUMPRODUCT({area})"


def _bill(told: Told, sheet: Worksheet) -> None:
    sheet.append(
        ("Item", "Client quantity", "Quantity", "Difference", "Qualified", "Unit", "Rate", "Amount")
    )
    sheet["I1"] = "Description"
    for row, item in enumerate(ITEMS, 2):
        limit = f"Settings!B$9*B{row}" if item in CABLES else "0"
        sheet.append(
            (
                item,
                told.client[item],
                _quantity(told, item),
                f"=C{row}-B{row}",
                f'=IF(ABS(D{row})>{limit},"yes","no")',
                unit(item),
                float(told.rates[item]),
                f"=G{row}*C{row}",
                describe(item),
            )
        )


def _summary(told: Told, sheet: Worksheet) -> None:
    last = len(ITEMS) + 1
    pieces = len(KINDS) + 1
    rows = (
        (PRICE, "=B5+B6+B7"),
        (QUALIFIED, f'=SUMPRODUCT(--(Bill!E2:E{last}="yes"))'),
        (),
        (NET, f"=SUMPRODUCT(Bill!C2:C{last},Bill!G2:G{last})"),
        (PRELIMINARIES, "=ROUND(B5*Settings!B5,2)"),
        (OVERHEADS, "=ROUND(SUM(B5:B6)*Settings!B6,2)"),
        (PIECES, f"=SUM(Bill!C2:C{pieces})"),
        (METRES, f'=SUMIF(Bill!F2:F{last},"m",Bill!C2:C{last})'),
    )
    sheet.append(("Quarley Road Health Centre",))
    for pair in rows:
        sheet.append(pair)


WRITERS = (_settings, _counts, _runs, _bill, _summary)


def write_second(told: Told, folder: Path) -> None:
    """Needs LibreOffice."""
    book: Workbook = openpyxl.Workbook()
    first = book.active
    assert isinstance(first, Worksheet)
    first.title = SHEETS[0]
    for name, write in zip(SHEETS, WRITERS, strict=True):
        write(told, first if name == SHEETS[0] else book.create_sheet(name))
    for sheet in book.worksheets:
        sheet.column_dimensions["A"].width = 24
    book.properties.creator, book.properties.title = "A. Colleague", "Quarley Road"
    book.properties.created = book.properties.modified = WHEN
    folder.mkdir(parents=True, exist_ok=True)
    book.save(folder / NAME)
    fill_caches(folder / NAME)
