"""Recalculation, Claim, Accrual, Summary of reference-2."""

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from authoring.fin_02_interest_review import notices as n
from authoring.fin_02_interest_review.book_data import sonia_rows
from authoring.fin_02_interest_review.notices import Notice
from authoring.fin_02_interest_review.second_terms import DAY, MONEY, PERCENT, put
from authoring.fin_02_interest_review.story import Story
from authoring.fin_02_interest_review.world import END, ENDS

COLUMN = {"Facility A": "C", "Facility B": "D", "RCF": "B"}
"""Of Margin."""
FIRST_OPEN = 33
"""The row on Overlap of the first open period."""


def opened(told: Story) -> tuple[Notice, ...]:
    """The loans of the accrual as notices up to 1 November."""
    drawn, loan = told.world, told.world.loans[-1]
    owed = n.outstanding(drawn, ENDS[-1])
    return (
        Notice("A8", "Facility A", n.INTEREST, "EUR", owed, ENDS[-1], END, END),
        Notice("B8", "Facility B", n.INTEREST, "GBP", drawn.b0, ENDS[-1], END, END, "Accrual"),
        Notice(loan.name, "RCF", n.INTEREST, "EUR", loan.amount, loan.first, END, END),
    )


def overlap(told: Story, sheet: Worksheet) -> None:
    """Days of each period under each line of Margin."""
    put(sheet, "A1", "Which")
    for number in range(11):
        letter = get_column_letter(4 + number)
        put(sheet, f"{letter}1", f"=Margin!A{number + 2}", DAY)
    every = [*(line.notice for line in told.lines), *opened(told)]
    for row, one in enumerate(every, 2):
        put(sheet, f"A{row}", one.no or one.key)
        put(sheet, f"B{row}", one.first, DAY)
        put(sheet, f"C{row}", one.last, DAY)
        for number in range(11):
            line = number + 2
            days = f"MIN($C{row},Margin!$E${line})-MAX($B{row},Margin!$A${line})"
            put(sheet, f"{get_column_letter(4 + number)}{row}", f"=MAX(0,{days})", "0")


def _weighted(one: Notice, row: int) -> str:
    """The sum over days of the Margin. TRANSPOSE would need an array formula: term by term."""
    column = COLUMN[one.facility]
    letters = [get_column_letter(4 + number) for number in range(11)]
    return "+".join(f"Overlap!{at}{row}*Margin!{column}{k}" for k, at in enumerate(letters, 2))


def _fixing(day: str, column: int) -> str:
    return f"VLOOKUP(WORKDAY({day},-2,ClosedTarget),Data!$A$2:$D$600,{column},FALSE)/100"


def _rate(told: Story, one: Notice, first: str, days: str) -> str:
    if one.currency == "GBP":
        last = sonia_rows(told)[one.no][1]
        return f"ROUND((Compound!E{last}-1)/{days}*365*100,4)/100"
    if one.key in ("A1", "RCF 1"):
        short, long = {"A1": (31, 91), "RCF 1": (31, 92)}[one.key]
        low, high = _fixing(first, 2), _fixing(first, 3)
        mixed = f"{low}*({long}-{days})/({long}-{short})+{high}*({days}-{short})/({long}-{short})"
        return f"ROUND(({mixed})*100,3)/100"
    column = {"RCF 4": 4, "RCF 5": 2}.get(one.key, 3)
    return f"MAX({_fixing(first, column)},0)"


def recalculation(told: Story, sheet: Worksheet) -> None:
    heads: tuple[str, ...] = (
        "Notice",
        "What",
        "Paid",
        "Correct amount",
        "Difference",
        "Starts",
        "Stops",
        "Days",
    )
    heads += ("Base rate", "On", "Interest at the base rate", "Interest at the Margin")
    for column, head in enumerate(heads, 1):
        sheet.cell(1, column, head)
    for row, line in enumerate(told.lines, 2):
        one = line.notice
        put(sheet, f"A{row}", one.no)
        put(sheet, f"B{row}", f"{one.facility}, {one.kind}, {one.currency}")
        put(sheet, f"C{row}", f"=ROUND(0-SUMIF(Data!$L$2:$L$60,A{row},Data!$M$2:$M$60),2)", MONEY)
        put(sheet, f"E{row}", f"=ROUND(C{row}-D{row},2)", MONEY)
        put(sheet, f"F{row}", one.first, DAY)
        put(sheet, f"G{row}", one.last, DAY)
        put(sheet, f"H{row}", f"=G{row}-F{row}", "0")
        _due(told, sheet, one, row)


def _due(told: Story, sheet: Worksheet, one: Notice, row: int) -> None:
    if one.kind in (n.COMMITMENT, n.UTILISATION):
        name, fee = ("C", "I") if one.kind == n.COMMITMENT else ("D", "J")
        ours = f"Stretches!${name}$2:${name}$60,A{row},Stretches!${fee}$2:${fee}$60"
        put(sheet, f"D{row}", f"=ROUND(SUMIF({ours}),2)", MONEY)
        return
    if one.kind == n.DEFAULT:
        put(sheet, f"D{row}", 0, MONEY)
        return
    year = 365 if one.currency == "GBP" else 360
    cas = f"+(F{row}<Inputs!$B$7)*Inputs!$B$12" if one.currency == "GBP" else ""
    put(sheet, f"I{row}", f"={_rate(told, one, f'F{row}', f'H{row}')}", PERCENT)
    put(sheet, f"J{row}", float(one.principal), MONEY)
    put(sheet, f"K{row}", f"=J{row}*(I{row}{cas})*H{row}/{year}", MONEY)
    put(sheet, f"L{row}", f"=J{row}*({_weighted(one, row)})/{year}", MONEY)
    put(sheet, f"D{row}", f"=ROUND(K{row}+L{row},2)", MONEY)


def claim(told: Story, sheet: Worksheet) -> None:
    heads: tuple[str, ...] = (
        "Notice",
        "Paid on",
        "Too much",
        "Last day to claim",
        "Treatment",
        "Years",
    )
    for column, head in enumerate((*heads, "Refund interest", "FX", "Claimed in EUR"), 1):
        sheet.cell(1, column, head)
    put(sheet, "K1", "Size in EUR")
    for row, line in enumerate(told.lines, 2):
        one = line.notice
        gbp = one.currency == "GBP"
        put(sheet, f"A{row}", f"=Recalculation!A{row}")
        put(sheet, f"B{row}", one.paid, DAY)
        put(sheet, f"C{row}", f"=Recalculation!E{row}", MONEY)
        longer = f"IF(EDATE(B{row},6)>=Inputs!$B$7,12,6)"
        put(sheet, f"D{row}", f"=EDATE(B{row},{longer})", DAY)
        told_on = "Inputs!$B$10" if one.key in n.HELD_FOR else "Inputs!$B$9"
        over = f'IF({told_on}>D{row},"barred","refund")'
        put(
            sheet,
            f"E{row}",
            f'=IF(ABS(C{row})<0.005,"none",IF(C{row}>0,{over},"deduct"))',
        )
        put(sheet, f"F{row}", f"=(Inputs!$B$2-B{row})/{365 if gbp else 360}", "0.0000")
        due = f"ROUND(ROUND(C{row}*Inputs!$B$11*F{row},2)*H{row},2)"
        put(sheet, f"G{row}", f'=IF(E{row}="refund",{due},"")', MONEY)
        put(sheet, f"H{row}", "=Inputs!$B$6" if gbp else 1, "0.0000")
        put(sheet, f"K{row}", f"=ROUND(ABS(C{row})*H{row},2)", MONEY)
        taken = f'IF(E{row}="refund",K{row}+G{row},IF(E{row}="deduct",-K{row},0))'
        put(sheet, f"I{row}", f"={taken}", MONEY)


def accrual(told: Story, sheet: Worksheet) -> None:
    heads: tuple[str, ...] = (
        "Item",
        "Since",
        "Before",
        "Days",
        "Base rate",
        "On",
        "Accrued",
        "Accrued in EUR",
    )
    for column, head in enumerate(heads, 1):
        sheet.cell(1, column, head)
    for row, (name, one) in enumerate(zip(told.accruals, opened(told), strict=False), 2):
        year = 365 if one.currency == "GBP" else 360
        put(sheet, f"A{row}", name)
        put(sheet, f"B{row}", one.first, DAY)
        put(sheet, f"C{row}", END, DAY)
        put(sheet, f"D{row}", f"=C{row}-B{row}", "0")
        put(sheet, f"E{row}", f"={_rate(told, one, f'B{row}', f'D{row}')}", PERCENT)
        put(sheet, f"F{row}", float(one.principal), MONEY)
        spread = _weighted(one, FIRST_OPEN + row - 2)
        more = f"+(B{row}<Inputs!$B$7)*Inputs!$B$12" if one.currency == "GBP" else ""
        put(sheet, f"G{row}", f"=ROUND(F{row}*((E{row}{more})*D{row}+{spread})/{year},2)", MONEY)
        rate = "*Inputs!B13" if one.currency == "GBP" else ""
        put(sheet, f"H{row}", f"=ROUND(G{row}{rate},2)", MONEY)
    for row, (name, key, fee) in enumerate(
        ((n.COMMITMENT, "C", "I"), (n.UTILISATION, "D", "J")), 5
    ):
        ours = f'Stretches!{key}2:{key}60,"open",Stretches!{fee}2:{fee}60'
        put(sheet, f"A{row}", name)
        put(sheet, f"G{row}", f"=ROUND(SUMIF({ours}),2)", MONEY)
        put(sheet, f"H{row}", f"=G{row}", MONEY)


def summary(told: Story, sheet: Worksheet) -> None:
    kinds = "Claim!E2:E32"
    formulas = (
        ("Claim total", "=SUM(Claim!I2:I32)"),
        ("Refunds", f'=SUMIF({kinds},"refund",Claim!K2:K32)'),
        ("Interest on refunds", "=ROUND(B2-B3+B5,2)"),
        ("Deductions", f'=SUMIF({kinds},"deduct",Claim!K2:K32)'),
        ("Overpaid but barred", f'=SUMIF({kinds},"barred",Claim!K2:K32)'),
        ("Accrued at 31 October 2025", "=SUM(Accrual!H2:H6)"),
    )
    put(sheet, "A1", "In EUR")
    for row, (label, formula) in enumerate(formulas, 2):
        put(sheet, f"A{row}", label)
        put(sheet, f"B{row}", formula, MONEY)
