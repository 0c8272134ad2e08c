"""The data behind the model: ledger, subsidiary, month ends, rates, deals."""

from decimal import Decimal

from authoring.fin_01_three_levels.inputs import HEADER, deal_table
from authoring.fin_01_three_levels.sheet import Book, month_end
from authoring.fin_01_three_levels.story import Story
from authoring.fin_01_three_levels.world import ACCOUNTS, LTM, PACK
from authoring.parts.tables import Value, put


def data_sheets(told: Story, book: Book) -> None:
    ledger(told, book)
    subsidiary(told, book)
    month_ends(told, book)
    rates(told, book)
    deals(told, book)


def ledger(told: Story, book: Book) -> None:
    """As exported; beside each line its month, key, what counts, and if it falls into the LTM."""
    sheet = book.sheet("Ledger", (11, 11, 6, 9, 30, 38, 18, 13, 11, 13, 13, 8))
    sheet.heads((*HEADER, "Month end", "Key", "Counts", "In LTM"))
    last = len(told.world.ledger) + 1
    seen: set[str] = set()
    for row, one in enumerate(told.world.ledger, 2):
        raw: tuple[Value, ...] = (
            one.posted,
            one.document,
            one.line,
            one.account,
            ACCOUNTS[one.account],
            one.text,
            one.centre,
        )
        for column, value in enumerate(raw):
            put(sheet.sheet, row - 1, column, value)
        sheet.put(f"H{row}", one.amount, "cents")
        sheet.calc(
            f"I{row}",
            f"DATE(VALUE(LEFT(A{row},4)),VALUE(MID(A{row},6,2))+1,0)",
            month_end(one.month),
            "month",
        )
        key = f"{one.document}/{one.line}"
        sheet.calc(f"J{row}", f'B{row}&"/"&C{row}', key, "text")
        counts = one.amount if key not in seen else one.amount * 0
        seen.add(key)
        sheet.calc(f"K{row}", f"IF(MATCH(J{row},J$2:J${last},0)=ROW()-1,H{row},0)", counts, "cents")
        inside = f"IF(AND(I{row}>=LTMFirst,I{row}<=ReferenceDate),1,0)"
        sheet.calc(f"L{row}", inside, int(one.month in LTM), "text")
    sheet.sheet.freeze_panes(1, 0)
    sheet.sheet.autofilter(0, 0, last - 1, 11)


def _lines(
    told: dict[str, dict[str, Decimal]], months: tuple[str, ...], name: str, book: Book
) -> None:
    """Lines down, month ends across from column B."""
    sheet = book.sheet(name, (28, *(11,) * len(months)))
    sheet.put("A1", "Line", "bold")
    for column, month in enumerate(months, 1):
        put(sheet.sheet, 0, column, month_end(month), book.looks["month"])
    for row, (line, values) in enumerate(told.items(), 1):
        put(sheet.sheet, row, 0, line)
        for column, month in enumerate(months, 1):
            put(sheet.sheet, row, column, values[month], book.looks["cents"])


def subsidiary(told: Story, book: Book) -> None:
    """Thousands of PLN; the total of 2023 is left out."""
    _lines(told.world.pack, PACK, "Subsidiary P&L", book)
    _lines(told.world.pack_balances, LTM, "Subsidiary balance", book)


def month_ends(told: Story, book: Book) -> None:
    _lines(told.world.balances | {"Lease payments": told.world.leases}, LTM, "Month ends", book)


def rates(told: Story, book: Book) -> None:
    sheet = book.sheet("Rates", (11, 11, 11, 46))
    sheet.heads(("Month end", "Average", "Closing", "Remark"))
    for row, month in enumerate(PACK, 2):
        sheet.put(f"A{row}", month_end(month), "month")
        sheet.put(f"B{row}", told.world.average[month], "rate")
        sheet.put(f"C{row}", told.world.closing[month], "rate")
    says = f"corrected by mail of 12 December 2024; rates.csv had {told.world.printed}"
    sheet.put(f"D{len(PACK) + 1}", says)


def deals(told: Story, book: Book) -> None:
    sheet = book.sheet("Deals", (6, 12, 24, 26, 12, 14, 16, 28))
    table = deal_table(told.world)
    sheet.heads(table.header)
    for row, values in enumerate(table.rows, 1):
        for column, value in enumerate(values):
            put(sheet.sheet, row, column, value)
