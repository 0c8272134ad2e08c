"""Recalculation, Claim, Accrual, Summary of the reference."""

from decimal import Decimal

import xlsxwriter

from authoring.fin_02_interest_review import notices as n
from authoring.fin_02_interest_review import rules as r
from authoring.fin_02_interest_review.book_data import DAYS, sonia_rows
from authoring.fin_02_interest_review.book_terms import ALL, NOTIFIED, TARGET_DAYS
from authoring.fin_02_interest_review.days import BUSINESS, after_months, rolled
from authoring.fin_02_interest_review.notices import Notice
from authoring.fin_02_interest_review.rules import RIGHT
from authoring.fin_02_interest_review.sheet import Pen
from authoring.fin_02_interest_review.story import Line, Story
from authoring.fin_02_interest_review.world import END, ENDS, START

D = Decimal
Cells = dict[str, tuple[object, ...]]
LETTER = {"Facility A": "B", "Facility B": "C", "RCF": "D"}
"""The column of Days with the Margin."""
LAST = 32
"""The row of the last notice."""


def _owed(facility: str, row: int) -> str:
    loan = f'Loans!$A$2:$A$40,"{facility}",Loans!$B$2:$B$40'
    at_first = f'SUMIFS(Loans!$G$2:$G$40,{loan},"<="&D{row})'
    within = f'Loans!$C$2:$C$40,"prepaid",{loan},">"&D{row},Loans!$B$2:$B$40,"<"&E{row}'
    return f"{at_first}+SUMIFS(Loans!$G$2:$G$40,{within})"


def _principal(notice: Notice, row: int) -> str:
    if notice.kind == n.PREPAYMENT:
        return f'-SUMIFS(Loans!$G$2:$G$40,Loans!$C$2:$C$40,"prepaid",Loans!$B$2:$B$40,E{row})'
    return _owed(notice.key if notice.facility == "RCF" else notice.facility, row)


def month_later(cell: str, months: int) -> str:
    """Modified following."""
    on = f"EDATE({cell},{months})"
    following = f"WORKDAY({on}-1,1,{ALL})"
    return f"IF(MONTH({following})=MONTH({on}),{following},WORKDAY({on}+1,-1,{ALL}))"


def _of_day(column: str, row: int) -> str:
    inside = f'Days!$A$2:$A${DAYS},">="&D{row},Days!$A$2:$A${DAYS},"<"&E{row}'
    return f"SUMIFS(Days!${column}$2:${column}${DAYS},{inside})"


def _quoted(column: str, row: int) -> str:
    return f"INDEX(EURIBOR!${column}$2:${column}$600,MATCH(O{row},EURIBOR!$A$2:$A$600,0))/100"


def _base(told: Story, notice: Notice, row: int) -> str:
    if notice.currency == "GBP":
        first, last = sonia_rows(told)[notice.no]
        return f"ROUND((PRODUCT(SONIA!F{first}:F{last})-1)*365/F{row},6)"
    if not notice.facility.startswith("RCF") and notice.first > START:
        return f"MAX(0,{_quoted('C', row)})"
    months = {"RCF 4": "D", "RCF 5": "B"}.get(notice.key)
    if months or notice.key == "RCF 6":
        return f"MAX(0,{_quoted(months or 'C', row)})"
    short, long = _quoted("B", row), _quoted("C", row)
    share = f"(F{row}-(P{row}-D{row}))/(Q{row}-P{row})"
    return f"MAX(0,ROUND({short}+({long}-{short})*{share},5))"


def _loan(told: Story, notice: Notice, row: int) -> Cells:
    right = n.result(told.world, notice, RIGHT)
    assert right.rate is not None
    spread = D(0)
    cas = ""
    if notice.currency == "GBP":
        cas = f"IF(D{row}<InForce2,CAS,0)"
        spread = r.CAS if notice.first < r.AMENDED_2 else spread
    total = r.margin_days(told.margins, notice.facility, notice.first, notice.last)
    year = f"Year{notice.currency}"
    amount = f"ROUND(H{row}*((I{row}+J{row})*F{row}+K{row})/{year},2)"
    cells: Cells = {
        "H": (_principal(notice, row), notice.principal, "money"),
        "I": (_base(told, notice, row), right.rate / 100, "rate"),
        "J": (cas, spread / 100, "rate") if notice.currency == "GBP" else (D(0), "rate"),
        "K": (_of_day(LETTER[notice.facility], row), total / 100, "ratio"),
        "L": (amount, right.amount, "money"),
    }
    if notice.currency == "EUR":
        quoted = n.quoted(notice.first, RIGHT)
        cells["O"] = (f"WORKDAY(D{row},-Quotation,{TARGET_DAYS})", quoted, "day")
    if notice.key in ("A1", "RCF 1"):
        for letter, months in (("P", 1), ("Q", 3)):
            end = rolled(after_months(notice.first, months), BUSINESS)
            cells[letter] = (month_later(f"D{row}", months), end, "day")
    return cells


def _amount(told: Story, notice: Notice, row: int) -> Cells:
    right = n.result(told.world, notice, RIGHT)
    if notice.kind == n.COMMITMENT:
        return {"L": (f"ROUND({_of_day('H', row)},2)", right.amount, "money")}
    if notice.kind == n.UTILISATION:
        return {"L": (f"ROUND({_of_day('I', row)},2)", right.amount, "money")}
    if notice.kind == n.DEFAULT:
        return {"L": (D(0), "money")}
    return _loan(told, notice, row)


def _about(notice: Notice, row: int) -> Cells:
    return {
        "A": (notice.no, "text"),
        "B": (notice.facility, "text"),
        "C": (notice.kind, "text"),
        "D": (notice.first, "day"),
        "E": (notice.last, "day"),
        "F": (f"E{row}-D{row}", (notice.last - notice.first).days, "whole"),
        "G": (notice.currency, "text"),
    }


HEADS: tuple[str, ...] = (
    "Notice",
    "Charged to",
    "Kind",
    "Begins",
    "Ends before",
    "Days",
    "Currency",
    "Principal",
    "Base rate",
)
HEADS += ("Credit adjustment", "Margin, sum of days", "Correct amount", "Paid", "Difference")
HEADS += ("Quotation Day", "1M would end", "3M would end")


def recalculation(told: Story, book: xlsxwriter.Workbook) -> None:
    widths = (8, 11, 22, 11, 11, 7, 9, 16, 11, 11, 11, 15, 15, 13, 12, 12, 12)
    pen = Pen(book, "Recalculation", HEADS, widths)
    for row, line in enumerate(told.lines, 2):
        cells = _about(line.notice, row) | _amount(told, line.notice, row)
        paid = f"-SUMIFS(Payments!$D$2:$D$60,Payments!$B$2:$B$60,A{row})"
        cells["M"] = (f"ROUND({paid},2)", line.paid, "money")
        cells["N"] = (f"ROUND(M{row}-L{row},2)", line.difference, "money")
        pen.row(row, cells)
    pen.sheet.freeze_panes(1, 1)


def claim(told: Story, book: xlsxwriter.Workbook) -> None:
    heads: tuple[str, ...] = (
        "Notice",
        "Treatment",
        "Over or under",
        "Currency",
        "Paid on",
        "Six months",
        "Lapses",
    )
    heads += (
        "In the holding letter",
        "Refund interest",
        "EUR for one",
        "In EUR",
        "Interest in EUR",
    )
    pen = Pen(book, "Claim", (*heads, "Claimed in EUR"))
    for row, line in enumerate(told.lines, 2):
        pen.row(row, _claim(line, row, told.world.spot[NOTIFIED]))


def _claim(line: Line, row: int, spot: Decimal) -> Cells:
    notice, found = line.notice, line.claim
    six, twelve = after_months(notice.paid, 6), after_months(notice.paid, 12)
    open_ = f'OR(Sent<=G{row},AND(H{row}="yes",Held<=G{row}))'
    gone = f'IF({open_},"refund","barred")'
    interest = f"ROUND(C{row}*RefundRate*(Settled-E{row})/Year{notice.currency},2)"
    euro = "ClaimRate" if notice.currency == "GBP" else "1"
    total = f'IF(B{row}="refund",K{row}+L{row},IF(B{row}="deduct",-K{row},0))'
    return {
        "A": (notice.no, "text"),
        "B": (
            f'IF(C{row}=0,"none",IF(C{row}<0,"deduct",{gone}))',
            found.treatment,
            "text",
        ),
        "C": (f"Recalculation!N{row}", line.difference, "money"),
        "D": (notice.currency, "text"),
        "E": (notice.paid, "day"),
        "F": (f"EDATE(E{row},Months1)", six, "day"),
        "G": (
            f"IF(F{row}<InForce2,F{row},EDATE(E{row},Months2))",
            six if six < r.AMENDED_2 else twelve,
            "day",
        ),
        "H": ("yes" if notice.key in n.HELD_FOR else "no", "text"),
        "I": (f'IF(B{row}="refund",{interest},0)', found.interest, "money"),
        "J": (euro, spot, "spot") if euro != "1" else (D(1), "spot"),
        "K": (f"ROUND(ABS(C{row})*J{row},2)", found.refund_eur, "money"),
        "L": (f"ROUND(I{row}*J{row},2)", found.interest_eur, "money"),
        "M": (total, found.total, "money"),
    }


def accrual(told: Story, book: xlsxwriter.Workbook) -> None:
    heads: tuple[str, ...] = (
        "Item",
        "Accrued",
        "Accrued in EUR",
        "Begins",
        "Ends before",
        "Day count",
    )
    heads += (
        "Currency",
        "Principal",
        "Base, per year",
        "Credit adjustment",
        "Margin, sum of days",
        "",
        "",
        "",
        "Quotation Day",
    )
    pen = Pen(book, "Accrual", heads, (18, 15, 15))
    drawn, last = told.world, END
    loan = drawn.loans[-1]
    owed = n.outstanding(drawn, ENDS[-1])
    term = (
        Notice("A8", "Facility A", n.INTEREST, "EUR", owed, ENDS[-1], last, last, "Facility A"),
        Notice("B8", "Facility B", n.INTEREST, "GBP", drawn.b0, ENDS[-1], last, last, "Accrual"),
        Notice(loan.name, "RCF", n.INTEREST, "EUR", loan.amount, loan.first, last, last, "RCF"),
        Notice("C8", "RCF", n.COMMITMENT, "EUR", D(0), ENDS[-1], last, last),
        Notice("U8", "RCF", n.UTILISATION, "EUR", D(0), ENDS[-1], last, last),
    )
    for row, (notice, (item, (amount, euro))) in enumerate(
        zip(term, told.accruals.items(), strict=True), 2
    ):
        cells = _about(notice, row) | _amount(told, notice, row)
        formula, *_ = cells.pop("L")
        rate = "GroupRate" if notice.currency == "GBP" else "1"
        cells |= {
            "A": (item, "text"),
            "B": (formula, amount, "money"),
            "C": (f"ROUND(B{row}*{rate},2)", euro, "money"),
            "E": ("AccruedTo", last, "day"),
        }
        pen.row(row, cells)


def summary(told: Story, book: xlsxwriter.Workbook) -> None:
    pen = Pen(book, "Summary", ("EUR", ""), (34, 16))
    claim_ = "Claim!$B$2:$B$32"
    formulas = {
        "Refunds": f'SUMIFS(Claim!$K$2:$K${LAST},{claim_},"refund")',
        "Interest on refunds": f"SUM(Claim!$L$2:$L${LAST})",
        "Deductions": f'SUMIFS(Claim!$K$2:$K${LAST},{claim_},"deduct")',
        "Claim total": "B2+B3-B4",
        "Overpaid but barred": f'SUMIFS(Claim!$K$2:$K${LAST},{claim_},"barred")',
        "Accrued at 31 October 2025": "SUM(Accrual!C2:C6)",
    }
    for row, (label, value) in enumerate(told.totals.items(), 2):
        pen.put(f"A{row}", label)
        pen.calc(f"B{row}", formulas[label], value)
