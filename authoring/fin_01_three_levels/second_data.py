"""The data sheets of reference-2: repeated lines taken out, months as text."""

from decimal import Decimal

from openpyxl import Workbook

from authoring.fin_01_three_levels import world as w
from authoring.fin_01_three_levels.inputs import HEADER, deal_table
from authoring.fin_01_three_levels.rules import Rules, counted
from authoring.fin_01_three_levels.story import Story
from authoring.fin_01_three_levels.world import ACCOUNTS, LTM, PACK


def data(told: Story, book: Workbook) -> None:
    drawn = told.world
    sheet = book.create_sheet("GL")
    sheet.append([*HEADER, "Month"])
    for row, one in enumerate(counted(drawn, Rules()), 2):
        raw = (
            one.posted,
            one.document,
            one.line,
            one.account,
            ACCOUNTS[one.account],
            one.text,
            one.centre,
        )
        sheet.append([*raw, float(one.amount), f"=LEFT(A{row},7)"])
    sheet = book.create_sheet("Sub")
    sheet.append(["Month", *w.LINES, w.PAYMENTS, "Average", "Closing"])
    for month in PACK:
        values = [float(drawn.pack[name][month]) for name in (*w.LINES, w.PAYMENTS)]
        sheet.append([month, *values, float(drawn.average[month]), float(drawn.closing[month])])
    for name, lines in (("BS parent", drawn.balances), ("BS sub", drawn.pack_balances)):
        sheet = book.create_sheet(name)
        sheet.append(["Month", *w.ITEMS])
        for month in LTM:
            sheet.append([month, *(float(lines[item][month]) for item in w.ITEMS)])
    sheet = book["BS parent"]
    sheet["R1"] = "Lease payments"
    for row, month in enumerate(LTM, 2):
        sheet[f"R{row}"] = float(drawn.leases[month])
    sheet = book.create_sheet("Deal list")
    table = deal_table(drawn)
    sheet.append(list(table.header))
    for line in table.rows:
        sheet.append([float(v) if isinstance(v, Decimal) else v for v in line])
