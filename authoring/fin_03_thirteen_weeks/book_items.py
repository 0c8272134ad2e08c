"""The reference's Receivables and Payables: what was read stands beside, codes are formulas."""

from datetime import date, timedelta

import xlsxwriter

from authoring.fin_03_thirteen_weeks import days as d
from authoring.fin_03_thirteen_weeks.rules import RIGHT, Bill, Line, payables, receivables
from authoring.fin_03_thirteen_weeks.sheet import Cell, Page
from authoring.fin_03_thirteen_weeks.world import COMPANIES, STATUS, World

OURS: tuple[str, ...] = ("Item", "Code", "Expected on", "Expected", "Company", "Customer")
OURS += ("Document date", "Open amount", "Booked", "Set off", "Held back or agreed", "Left")
OURS += ("Insolvent", "Promised day", "Given on", "Broken before", "Debit returned", "Terms")
OURS += (
    "Due",
    "Delay",
    "By 2.7",
    "Promise counts",
    "Own day",
    "Company of the group pays",
    "In week",
)
THEIRS: tuple[str, ...] = ("Item", "Code", "Paid on", "Paid", "Company", "Supplier")
THEIRS += ("Document date", "Open amount", "Booked", "Set off", "Blocked", "Left", "Due")
THEIRS += ("How", "Discount day's run", "Due day's run", "Rate", "In week")


def letter(key: str) -> str:
    """Companies of the group are customers too."""
    return f"G{key}" if key in COMPANIES else key


def no(told: World, key: str) -> str:
    if key in COMPANIES:
        return f"G{key}"
    return told.customers[key].no if key in told.customers else told.suppliers[key].no


def _week(row: int) -> str:
    return f'IF(C{row}="",0,INT((C{row}-Start)/7)+1)'


def _by_rule(one: Line) -> date:
    day = d.on_or_after(one.due + timedelta(days=one.delay))
    return day if day > STATUS else d.later(STATUS, RIGHT.overdue)


def _ours(told: World, one: Line, row: int) -> dict[str, Cell]:
    item = one.item
    end = f"G{row}<=Exceptions!$C$2:$C$20"
    hit = f"(Exceptions!$A$2:$A$20=F{row})*(Exceptions!$B$2:$B$20<=G{row})*({end})"
    special = f"INDEX(Exceptions!$D$2:$D$20,MATCH(1,INDEX({hit},0),0))"
    known = f"MATCH(F{row},Customers!$A$2:$A$40,0)"
    number = f"VALUE(MID(R{row},2,3))"
    due = (
        f'IF(R{row}="F15",DATE(YEAR(G{row}),MONTH(G{row})+2,15),'
        f'IF(LEFT(R{row})="N",G{row},EOMONTH(G{row},0))+{number})'
    )
    usual = f"WORKDAY(S{row}+T{row}-1,1,Holidays)"
    late = f"IF({usual}>Status,{usual},WORKDAY(Status,Late,Holidays))"
    promise = f"AND(N{row}>Status,Status-O{row}<=Good)"
    gone = f'IF(J{row}>0,"R5","R6")'
    debit = f'AND(INDEX(Customers!$D$2:$D$40,{known})="debit",Q{row}<>"yes")'
    code = (
        f'IF(AND(L{row}=0,I{row}<>0),"R1",IF(H{row}<0,"R2",IF(LEFT(F{row})="G","R3",'
        f'IF(M{row}="yes","R4",IF(L{row}=0,{gone},IF({debit},"R7",IF(V{row}="yes","R8","R9")))))))'
    )
    group = f"WORKDAY(EOMONTH(MAX(S{row},IF(S{row}<=Status,Start,S{row})),0)+1,-1,Holidays)"
    said = f"WORKDAY(WORKDAY(N{row}-1,1,Holidays),P{row}*Each,Holidays)"
    own = (
        f'IF(B{row}="R3",{group},IF(B{row}="R7",WORKDAY(MAX(S{row},Status+1)-1,1,Holidays),'
        f'IF(B{row}="R8",{said},IF(B{row}="R9",U{row},""))))'
    )
    first = (
        f'_xlfn.AGGREGATE(15,6,W$2:W$140/((F$2:F$140=F{row})*(H$2:H$140>0)*(W$2:W$140<>"")'
        f'*(B$2:B$140<>"R3")),1)'
    )
    day = f'IF(B{row}="R2",IFERROR({first},""),W{row})'
    counts = (
        "yes"
        if item.promise
        and item.made
        and item.promise > STATUS
        and (STATUS - item.made).days <= RIGHT.good
        else "no"
    )
    own_day = None if one.code == "R2" else one.day
    paying = item.customer if one.code == "R3" else ""
    return {
        "A": (item.no, "text"),
        "B": (code, one.code, "text"),
        "C": (day, one.day, "day"),
        "D": (f'IF(C{row}="",0,L{row})', one.amount, "money"),
        "E": (item.company, "text"),
        "F": (no(told, item.customer), "text"),
        "G": (item.day, "day"),
        "H": (item.amount, "money"),
        "I": (item.paid, "money"),
        "J": (item.setoff, "money"),
        "K": _held(one, row),
        "L": (f"ROUND(H{row}-I{row}-J{row}-K{row},2)", one.left, "money"),
        "M": ("yes" if item.insolvent else "no", "text"),
        "N": (item.promise, "day"),
        "O": (item.made, "day"),
        "P": (item.broken, "text"),
        "Q": ("yes" if item.returned else "no", "text"),
        "R": (f"IFERROR({special},INDEX(Customers!$C$2:$C$40,{known}))", one.terms, "text"),
        "S": (due, one.due, "day"),
        "T": (f"INDEX(Customers!$E$2:$E$40,{known})", one.delay, "text"),
        "U": (
            f'IF(Scenario="Downside",WORKDAY({late},Later,Holidays),{late})',
            _by_rule(one),
            "day",
        ),
        "V": (f'IF({promise},"yes","no")', counts, "text"),
        "W": (own, own_day, "day"),
        "X": (f'IF(B{row}="R3",MID(F{row},2,1),"")', paying, "text"),
        "Y": (_week(row), d.week(one.day), "text"),
    }


def _held(one: Line, row: int) -> Cell:
    """Under the supplement the customer deducts its share; else what was read."""
    if one.off == one.item.off:
        return (one.off, "money")
    return (f"ROUND(H{row}*Rebate,2)", one.off, "money")


def write_receivables(told: World, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Receivables", OURS)
    lines = receivables(told)
    for row, one in enumerate(lines, 2):
        page.row(row, _ours(told, one, row), typed="IJKMNOPQ")
    page.sheet.autofilter(0, 0, len(lines), len(OURS) - 1)


def _theirs(told: World, one: Bill, row: int) -> dict[str, Cell]:
    bill = one.payable
    place = f"MATCH(F{row},Suppliers!$A$2:$A$40,0)"

    def of(column: str) -> str:
        return f"INDEX(Suppliers!${column}$2:${column}$40,{place})"

    def run(day: str) -> str:
        return f"({day}-MOD(WEEKDAY({day},2)-RunDay,7))"

    first = "(Status-MOD(WEEKDAY(Status,2)-RunDay,7)+7)"
    made = f"WORKDAY(MAX(P{row},{first})+1,-1,Holidays)"
    soon = f"WORKDAY(MAX(O{row},{first})+1,-1,Holidays)"
    before = f"WORKDAY(M{row}+1,-1,Holidays)"
    code = (
        f'IF(LEFT(F{row})="G","P1",IF(L{row}=0,IF(I{row}>0,"P2",IF(J{row}>0,"P3","P4")),'
        f'IF(N{row}="debit","P5",IF(AND(Q{row}>0,Q{row}>=Least,O{row}>Status),"P6",'
        f'IF(N{row}="critical","P7","P8")))))'
    )
    critical = f"IF({before}>Status,{before},WORKDAY(Status,1,Holidays))"
    debit = f"WORKDAY(MAX(M{row},Status+1)-1,1,Holidays)"
    day = (
        f'IF(B{row}="P5",{debit},IF(B{row}="P6",{soon},IF(B{row}="P7",{critical},'
        f'IF(B{row}="P8",{made},""))))'
    )
    supplier = told.suppliers.get(bill.supplier)
    how, rate, days = (supplier.how, supplier.rate, supplier.days) if supplier else ("group", 0, 0)
    until = d.run_day(bill.day + timedelta(days=days), RIGHT.weekday)
    return {
        "A": (bill.no, "text"),
        "B": (code, one.code, "text"),
        "C": (day, one.day, "day"),
        "D": (f'IF(C{row}="",0,ROUND(L{row}*IF(B{row}="P6",1-Q{row},1),2))', one.amount, "money"),
        "E": (bill.company, "text"),
        "F": (no(told, bill.supplier), "text"),
        "G": (bill.day, "day"),
        "H": (bill.amount, "money"),
        "I": (bill.paid, "money"),
        "J": (bill.setoff, "money"),
        "K": (bill.off, "money"),
        "L": (f"ROUND(H{row}-I{row}-J{row}-K{row},2)", one.left, "money"),
        "M": (f"G{row}+{of('C')}", one.due, "day"),
        "N": (of("F"), how, "text"),
        "O": (run(f"(G{row}+{of('E')})"), until, "day"),
        "P": (run(f"M{row}"), d.run_day(one.due, RIGHT.weekday), "day"),
        "Q": (of("D"), rate, "rate"),
        "R": (_week(row), d.week(one.day), "text"),
    }


def write_payables(told: World, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Payables", THEIRS)
    for row, one in enumerate(payables(told), 2):
        page.row(row, _theirs(told, one, row), typed="IJK")
