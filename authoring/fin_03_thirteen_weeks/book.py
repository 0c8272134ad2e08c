"""The reference workbook: seven sheets in the order of the prompt, the data behind them."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import xlsxwriter

from authoring.fin_03_thirteen_weeks import cash
from authoring.fin_03_thirteen_weeks.book_cash import write_flows, write_plan, write_weeks
from authoring.fin_03_thirteen_weeks.book_covenants import (
    write_accounts,
    write_covenants,
    write_exceptionals,
)
from authoring.fin_03_thirteen_weeks.book_items import no, write_payables, write_receivables
from authoring.fin_03_thirteen_weeks.flows import TAX
from authoring.fin_03_thirteen_weeks.rules import (
    GROUP_TERMS,
    REBATE,
    RIGHT,
    delay,
    exceptions,
)
from authoring.fin_03_thirteen_weeks.sheet import Page
from authoring.fin_03_thirteen_weeks.world import COMPANIES, HOLIDAYS, START, STATUS, VAT, World
from authoring.parts.pack import pack
from authoring.parts.tables import Value, open_workbook

D = Decimal
NAME = "cash-forecast.xlsx"
SHEETS: tuple[str, ...] = ("Settings", "Receivables", "Payables", "Flows", "Weeks")
SHEETS += ("Exceptionals", "Covenants")
SETTINGS: tuple[tuple[str, str, str, str], ...] = (
    ("Scenario", "Scenario (Base or Downside)", "scenario", "text"),
    ("Good", "Days a promise is good for", "good", "text"),
    ("Each", "Business days for each broken promise", "each", "text"),
    ("Unknown", "Days of delay where too few payments are known", "unknown", "text"),
    ("Late", "Business days for what is late", "overdue", "text"),
    ("RunDay", "Weekday of the payment run (Monday is 1)", "weekday", "text"),
    ("Least", "Least discount taken", "least", "rate"),
    ("Minimum", "Minimum cash", "minimum", "money"),
    ("Later", "Business days later in Downside", "later", "text"),
    ("Lost", "Share of planned sales lost in Downside", "lost", "rate"),
    ("Cap", "Limit for Exceptional Items", "cap", "rate"),
)
"""Name, label, field of Rules, look."""


def settings(told: World) -> list[tuple[str, str, Value, str]]:
    """Name, label, value, look; those of the prompt first."""
    known = told.figures
    first = [(name, label, getattr(RIGHT, field), look) for name, label, field, look in SETTINGS]
    more: list[tuple[str, str, Value, str]] = [
        ("Status", "Status date", STATUS, "day"),
        ("Start", "First Monday", START, "day"),
        ("PoolCash", "Pool on the status date", known["cash P"] + known["cash T"], "money"),
        ("OwnCash", "Own balance on the status date", known["cash S"], "money"),
        ("Drawn", "Loans on the status date", known["drawn"] + known["drawn October"], "money"),
        (
            "Most",
            "Commitments less guarantees",
            known["commitments"] - known["guarantees"],
            "money",
        ),
        ("Lot", "Loans are multiples of", cash.LOT, "money"),
        ("LeastLoan", "Least Loan or repayment", cash.LEAST, "money"),
        ("Outside", "Own balance counts up to", cash.OUTSIDE, "money"),
        ("BaseRate", "Base rate", cash.BASE_RATE, "rate"),
        ("OldMargin", "Margin to week 4", cash.OLD_MARGIN, "rate"),
        ("VAT", "VAT", VAT, "rate"),
        ("PayrollTax", "Payroll tax on net wages", TAX, "rate"),
        ("ShareLost", "EBITDA lost on sales lost", cash.SHARE_LOST, "rate"),
        ("Rebate", "Deduction under the supplement", REBATE, "rate"),
        ("LimitSeptember", "Leverage allowed, 30 September 2025", cash.LIMITS[0], "ratio"),
        ("LimitDecember", "Leverage allowed, 31 December 2025", cash.LIMITS[1], "ratio"),
        ("Floor", "Liquidity wanted by the bank", known["floor"], "money"),
    ]
    return [*first, *more]


def _settings(told: World, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Settings", ("Setting", "Value"))
    page.sheet.set_column(0, 0, 52)
    for row, (name, label, value, look) in enumerate(settings(told), 2):
        page.put(f"A{row}", label)
        page.put(f"B{row}", value, look, typed=True)
        book.define_name(name, f"=Settings!$B${row}")
    row = len(settings(told)) + 2
    new = cash.margin(cash.quarter(told)["Leverage"])
    calculated = (
        ("Sold", "Planned sales that remain", 'IF(Scenario="Downside",1-Lost,1)', D(1)),
        ("Bought", "Planned purchases that remain", 'IF(Scenario="Downside",1-Lost/2,1)', D(1)),
        (
            "NewMargin",
            "Margin from week 5",
            "INDEX(Grid!$B$2:$B$5,MATCH(1,INDEX((Grid!$A$2:$A$5>=Covenants!$B$8)*1,0),0))",
            new,
        ),
    )
    for place, (name, label, formula, value) in enumerate(calculated, row):
        page.put(f"A{place}", label)
        page.calc(f"B{place}", formula, value, "rate")
        book.define_name(name, f"=Settings!$B${place}")


def _partners(told: World, book: xlsxwriter.Workbook) -> None:
    page = Page(
        book, "Customers", ("Customer", "Name", "Terms", "Pays by", "Delay", *("Late",) * 6)
    )
    row = 2
    for one in told.customers.values():
        how = "debit" if one.debit else "transfer"
        known = f"F{row}:K{row}"
        formula = f"IF(COUNT({known})<3,Unknown,MAX(0,ROUNDUP(MEDIAN({known}),0)))"
        page.row(row, {"A": (one.no, "text"), "B": (one.name, "text"), "C": (one.terms, "text")})
        page.put(f"D{row}", how)
        page.calc(f"E{row}", formula, delay(one.late, RIGHT.unknown), "text")
        for column, days in zip("FGHIJK", one.late, strict=False):
            page.put(f"{column}{row}", days)
        row += 1
    for key in COMPANIES:
        page.row(row, {"A": (f"G{key}", "text"), "B": (told.names[key], "text")})
        page.row(row, {"C": (GROUP_TERMS, "text"), "D": ("settled", "text"), "E": (0, "text")})
        row += 1
    page = Page(book, "Exceptions", ("Customer", "From", "To", "Terms"))
    for row, (key, first, last, words) in enumerate(exceptions(RIGHT), 2):
        page.row(row, {"A": (no(told, key), "text"), "B": (first, "day"), "C": (last, "day")}, "BC")
        page.put(f"D{row}", words)
    _suppliers(told, book)


def _suppliers(told: World, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Suppliers", ("Supplier", "Name", "Net", "Discount", "Days", "How"))
    rows: list[tuple[Value, ...]] = [
        (one.no, one.name, one.net, one.rate, one.days, one.how) for one in told.suppliers.values()
    ]
    rows += [(f"G{key}", told.names[key], 45, 0, 0, "group") for key in COMPANIES]
    for number, row in enumerate(rows, 2):
        for column, value in zip("ABCDEF", row, strict=True):
            page.put(f"{column}{number}", value, "rate" if column == "D" else "text")


def _small(book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Grid", ("Leverage up to", "Margin"))
    for row, (most, rate) in enumerate(cash.GRID, 2):
        page.row(row, {"A": (D(most), "ratio"), "B": (D(rate), "rate")})
    page = Page(book, "Holidays", ("Closed",))
    for row, day in enumerate(HOLIDAYS, 2):
        page.put(f"A{row}", day, "day")
    book.define_name("Holidays", f"=Holidays!$A$2:$A${len(HOLIDAYS) + 1}")


def write_reference(told: World, folder: Path) -> None:
    path = folder / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    book = open_workbook(path, "Cash forecast", "Treasury")
    _settings(told, book)
    for write in (write_receivables, write_payables, write_flows, write_weeks):
        write(told, book)
    for write in (write_exceptionals, write_covenants, _partners, write_plan, write_accounts):
        write(told, book)
    _small(book)
    book.close()
    pack(path)


def serial(day: date) -> int:
    return (day - date(1899, 12, 30)).days
