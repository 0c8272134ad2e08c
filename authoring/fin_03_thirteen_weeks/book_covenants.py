"""The reference's Exceptionals and Covenants, and the ledgers that they add up."""

from datetime import date
from decimal import Decimal

import xlsxwriter

from authoring.fin_03_thirteen_weeks import cash
from authoring.fin_03_thirteen_weeks.sheet import Cell, Page
from authoring.fin_03_thirteen_weeks.world import MONTHS, World

D = Decimal
HEADROOM = "EBITDA headroom"
DATES = ("30 September 2025", "31 December 2025")
CHARGES: tuple[str, ...] = ("interest", "finance lease interest", "commitment fee")
CHARGES += ("guarantee commission", "interest received")


def headroom(found: dict[str, Decimal], limit: Decimal) -> Decimal:
    return found["Adjusted EBITDA"] - found["Net Debt"] / limit


def _first(month: str) -> date:
    year, number = month.split("-")
    return date(int(year), int(number), 1)


def write_exceptionals(told: World, book: xlsxwriter.Workbook) -> None:
    heads = ("Item", "Letter", "Counted", "Recorded in", "Company", "Proposed", "Of it not counted")
    page = Page(book, "Exceptionals", (*heads, "Quarterly report", "What it is"))
    page.sheet.set_column("I:I", 90)
    for row, one in enumerate(told.matters, 2):
        less = one.amount - one.counted if one.letter != "none" else D(0)
        cells: dict[str, Cell] = {
            "A": (one.no, "text"),
            "B": (one.letter, "text"),
            "C": (f'IF(B{row}="none",0,F{row}-G{row})', one.counted, "whole"),
            "D": (_first(one.month), "day"),
            "E": (one.company, "text"),
            "F": (one.amount, "whole"),
            "G": (less, "whole"),
            "H": (one.reported, "text"),
            "I": (one.text, "text"),
        }
        page.row(row, cells, typed="BG")


def _formulas(column: str) -> tuple[str, ...]:
    """Of the ten lines, rows 2 to 11."""
    september = column == "B"
    top, end = (2, 13) if september else (5, 16)
    lost = "" if september else "-ROUND(SUM(Plan!$C$5:$E$7)*(1-Sold)*ShareLost,2)"
    ebitda = (
        f"SUM(Accounts!$B${top}:$D${end})-SUM(Accounts!$E${top}:$G${end})"
        f"+SUM(Accounts!$H${top}:$H$8){lost}"
    )
    days = "Exceptionals!$D$2:$D$60"
    span = f'{days},">="&Accounts!$A${top},{days},"<="&Accounts!$A${end}'
    most = f"ROUND(Cap*{column}2,2)"
    loans = "Balances!$B$3" if september else "Weeks!$G$13"
    balance = "B" if september else "C"
    borrowed = f"Balances!${balance}$2+{loans}+Balances!${balance}$4+Balances!${balance}$5"
    money = (
        "Balances!$B$6+Balances!$B$7+MIN(Balances!$B$8,Outside)"
        if september
        else "Weeks!$F$13+MIN(Weeks!$H$13,Outside)"
    )
    rows = 10 if september else 13
    factor = "*12/9" if september else ""
    charges = f"ROUND((SUM(Finance!$B$2:$E${rows})-SUM(Finance!$F$2:$F${rows})){factor},2)"
    limit = "LimitSeptember" if september else "LimitDecember"
    return (
        ebitda,
        f"MIN(SUMIFS(Exceptionals!$C$2:$C$60,{span}),{most})",
        f"{column}2+{column}3",
        borrowed,
        money,
        f"{column}5-{column}6",
        f"ROUND({column}7/{column}4,2)",
        charges,
        f"ROUND({column}4/{column}9,2)",
        f"{column}4-{column}7/{limit}",
    )


def write_covenants(told: World, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Covenants", ("Line", *DATES))
    page.sheet.set_column("A:C", 24)
    found = (cash.quarter(told), cash.year_end(told))
    for column, values, limit in zip("BC", found, cash.LIMITS, strict=True):
        lines = {**values, HEADROOM: headroom(values, limit)}
        for row, (formula, (name, value)) in enumerate(
            zip(_formulas(column), lines.items(), strict=True), 2
        ):
            look = "ratio" if name in ("Leverage", "Interest Cover") else "money"
            page.put(f"A{row}", name)
            page.calc(f"{column}{row}", formula, value, look)


def write_accounts(told: World, book: xlsxwriter.Workbook) -> None:
    known, figures = told.monthly, told.figures
    heads = ("Month", *(f"{what} {name}" for what in ("EBITDA", "Leases") for name in "PTS"), "Own")
    page = Page(book, "Accounts", heads)
    series = [known[f"{what} {name}"] for what in ("ebitda", "rent") for name in "PTS"]
    for row, month in enumerate(MONTHS, 2):
        page.put(f"A{row}", _first(month), "day")
        values = [one[row - 2] for one in series]
        values += [known["own S"][row - 2]] if row < 9 else []
        for column, value in zip("BCDEFGH", values, strict=False):
            page.put(f"{column}{row}", value, "whole", typed=True)
    page = Page(book, "Finance", ("Month", *CHARGES))
    for row, month in enumerate(MONTHS[3:], 2):
        page.put(f"A{row}", _first(month), "day")
        for column, name in zip("BCDEF", CHARGES, strict=True):
            page.put(f"{column}{row}", known[name][row - 2], "whole", typed=True)
    page = Page(book, "Balances", ("Balance", "30 September", "28 December"))
    rows = (
        ("Term Loan", figures["term"], figures["term"]),
        ("Loans", figures["drawn"], None),
        ("Finance lease", figures["lease September"], figures["lease December"]),
        ("Purchase price", figures["vendor"], figures["vendor"]),
        *((f"Bank {name}", figures[f"bank {name}"], None) for name in "PTS"),
    )
    for row, (name, left, right) in enumerate(rows, 2):
        page.row(row, {"A": (name, "text"), "B": (left, "money"), "C": (right, "money")}, "BC")
