"""The data behind the reference's seven sheets: days, compounding, rates, loans, payments."""

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal

import xlsxwriter

from authoring.fin_02_interest_review import notices as n
from authoring.fin_02_interest_review import rules as r
from authoring.fin_02_interest_review.book_terms import ALL, FIXED, LONDON_DAYS, TARGET_DAYS
from authoring.fin_02_interest_review.days import BUSINESS, LONDON, TARGET, moved
from authoring.fin_02_interest_review.inputs import payments, register
from authoring.fin_02_interest_review.rules import RIGHT
from authoring.fin_02_interest_review.sheet import Pen
from authoring.fin_02_interest_review.story import Story
from authoring.fin_02_interest_review.world import END, ENDS, START

D = Decimal
DAYS = (END - START).days + 1
"""The last row of Days."""
LOANS = 7
"""The last row of RCF loans."""


def sterling(told: Story) -> list[tuple[str, str, tuple[n.Fixing, ...]]]:
    """Periods in GBP: name, formula of the last day, the RFR Banking Days."""
    found = []
    for row, line in enumerate(told.lines, 2):
        one = line.notice
        if one.currency == "GBP":
            fixed = n.fixings(told.world, one.first, one.last, RIGHT)
            found.append((one.no, f"Recalculation!$E${row}", fixed))
    fixed = n.fixings(told.world, ENDS[-1], END, RIGHT)
    return [*found, ("Accrual", "AccruedTo", fixed)]


def sonia_rows(told: Story) -> dict[str, tuple[int, int]]:
    """Where each period stands on SONIA."""
    found, row = {}, 2
    for name, _, fixed in sterling(told):
        found[name] = (row, row + len(fixed) - 1)
        row += len(fixed)
    return found


def days(told: Story, book: xlsxwriter.Workbook) -> None:
    heads: tuple[str, ...] = (
        "Day",
        "Margin A",
        "Margin B",
        "Margin RCF",
        "RCF without 9.7",
        "Drawn",
    )
    pen = Pen(book, "Days", (*heads, "Commitments", "Commitment fee", "Utilisation fee"))
    for row in range(2, DAYS + 1):
        day = START + timedelta(days=row - 2)
        line = r.on(told.margins, day)
        fee = n.fee_day(told.world, day, told.margins, RIGHT)

        def of(column: str, row: int = row) -> str:
            return f"LOOKUP($A{row},Margin!$A$2:$A$12,Margin!${column}$2:${column}$12)"

        drawn = f"SUMIFS('RCF loans'!$H$2:$H${LOANS},'RCF loans'!$D$2:$D${LOANS},\"<=\"&A{row},"
        drawn += f"'RCF loans'!$E$2:$E${LOANS},\">\"&A{row})"
        share = f"IF(A{row}>=InForce2,Share2,Share1)"
        tier = f"IF(F{row}*3>G{row}*2,Fee2,IF(F{row}*3>G{row},Fee1,0))"
        pen.row(
            row,
            {
                "A": (day, "day"),
                "B": (of("B"), line.a / 100, "percent"),
                "C": (of("C"), line.b / 100, "percent"),
                "D": (of("D"), line.rcf / 100, "percent"),
                "E": (of("F"), line.plain / 100, "percent"),
                "F": (drawn, fee.drawn, "money"),
                "G": (f"IF(A{row}>=InForce2,Commitments2,Commitments1)", fee.commitments, "money"),
                "H": (f"(G{row}-F{row})*{share}*E{row}/YearEUR", fee.commitment, "factor"),
                "I": (f"IF(A{row}<InForce1,0,F{row}*{tier}/YearEUR)", fee.utilisation, "factor"),
            },
        )


def compounding(told: Story, book: xlsxwriter.Workbook) -> None:
    heads: tuple[str, ...] = (
        "Period",
        "RFR Banking Day",
        "Looked back to",
        "SONIA, per cent",
        "Days",
        "Factor",
    )
    pen = Pen(book, "SONIA", heads)
    row = 2
    for name, last, fixed in sterling(told):
        for number, one in enumerate(fixed):
            end = last if number + 1 == len(fixed) else f"B{row + 1}"
            rate = f"INDEX('SONIA fixings'!$B$2:$B$600,MATCH(C{row},'SONIA fixings'!$A$2:$A$600,0))"
            pen.row(
                row,
                {
                    "A": (name, "text"),
                    "B": (one.day, "day"),
                    "C": (f"WORKDAY(B{row},-Lookback,{LONDON_DAYS})", one.seen, "day"),
                    "D": (f"MAX(0,{rate})", one.rate, "spot"),
                    "E": (f"{end}-B{row}", one.days, "whole"),
                    "F": (
                        f"1+D{row}/100*E{row}/365",
                        1 + one.rate / 100 * one.days / 365,
                        "factor",
                    ),
                },
            )
            row += 1


def rcf(told: Story, book: xlsxwriter.Workbook) -> None:
    heads: tuple[str, ...] = (
        "Loan",
        "Currency",
        "Amount",
        "First day",
        "Last day",
        "Spot day",
        "Spot",
        "In EUR",
    )
    pen = Pen(book, "RCF loans", heads)
    for row, one in enumerate(told.world.loans, 2):
        cells: dict[str, tuple[object, ...]] = {
            "A": (one.name, "text"),
            "B": (one.currency, "text"),
            "C": (one.amount, "money"),
            "D": (one.first, "day"),
            "E": (one.last, "day"),
            "H": (f"C{row}", one.amount, "money"),
        }
        if one.currency == "GBP":
            seen = moved(one.first, -2, BUSINESS)
            spot = f"INDEX('Agent spot'!$B$2:$B$600,MATCH(F{row},'Agent spot'!$A$2:$A$600,0))"
            cells |= {
                "F": (f"WORKDAY(D{row},-SpotDays,{ALL})", seen, "day"),
                "G": (spot, told.world.spot[seen], "spot"),
                "H": (
                    f"ROUND(C{row}*G{row},2)",
                    n.base_amount(told.world, one, RIGHT),
                    "money",
                ),
            }
        pen.row(row, cells)


def raw(told: Story, book: xlsxwriter.Workbook) -> None:
    """Fixings, loans, payments, holidays as they came."""
    drawn = told.world
    pen = Pen(book, "EURIBOR", ("Published for", "1M", "3M", "6M"))
    for row, (day, values) in enumerate(drawn.euribor.items(), 2):
        pen.put(f"A{row}", day, "day")
        for letter, value in zip("BCD", values, strict=True):
            if (day, letter) == (FIXED, "C"):
                pen.calc(f"{letter}{row}", "FixingAugust*100", value, "spot")
            else:
                pen.put(f"{letter}{row}", value, "spot")
    for name, table in (("SONIA fixings", drawn.sonia), ("Agent spot", drawn.spot)):
        pen = Pen(book, name, ("Day", "Value"))
        for row, (day, value) in enumerate(table.items(), 2):
            pen.put(f"A{row}", day, "day")
            pen.put(f"B{row}", value, "spot")
    _register(told, book)
    _payments(told, book)
    closed = {ALL: BUSINESS, TARGET_DAYS: TARGET, LONDON_DAYS: LONDON}
    pen = Pen(book, "Holidays", ("All three", "TARGET", "London"))
    for letter, (name, holidays) in zip("ABC", closed.items(), strict=True):
        for row, day in enumerate(sorted(holidays), 2):
            pen.put(f"{letter}{row}", day, "day")
        book.define_name(name, f"=Holidays!${letter}$2:${letter}${len(holidays) + 1}")


def _register(told: Story, book: xlsxwriter.Workbook) -> None:
    table = register(told.world)
    pen = Pen(book, "Loans", (*table.header[:4], "Amount", "Months", "Signed"))
    for row, line in enumerate(table.rows, 2):
        _raw(pen, row, line[:6])
        amount = line[4]
        assert isinstance(amount, Decimal)
        sign = 1 if line[2] == "drawn" else -1
        pen.calc(f"G{row}", f'IF(C{row}="drawn",E{row},-E{row})', sign * amount)


def _payments(told: Story, book: xlsxwriter.Workbook) -> None:
    table = payments(told)
    pen = Pen(book, "Payments", table.header, (12, 12, 30, 16, 10))
    for row, line in enumerate(table.rows, 2):
        _raw(pen, row, line)


def _raw(pen: Pen, row: int, line: Sequence[object]) -> None:
    for letter, value in zip("ABCDEFG", line, strict=False):
        look = "money" if isinstance(value, Decimal) else "day"
        pen.put(f"{letter}{row}", value, look if not isinstance(value, str) else "text")  # type: ignore[arg-type] # a Value
