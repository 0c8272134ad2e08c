"""The reference's Flows and Weeks."""

from decimal import Decimal

import xlsxwriter

from authoring.fin_03_thirteen_weeks import cash
from authoring.fin_03_thirteen_weeks import days as d
from authoring.fin_03_thirteen_weeks.flows import LAG, Flow, flows
from authoring.fin_03_thirteen_weeks.rules import RIGHT
from authoring.fin_03_thirteen_weeks.sheet import Cell, Page
from authoring.fin_03_thirteen_weeks.world import COMPANIES, World

D = Decimal
FLOWS = ("Flow", "Due", "Made on", "Amount", "Company", "In week")
WEEKS: tuple[str, ...] = ("Week", "Opening", "Flow", "Interest", "Loan", "Closing", "Loans drawn")
WEEKS += ("Own balance", "Liquidity", "Before the facility", "Can be repaid", "Rate")
WEEKS += ("Interest of the week", "Own flow")
PLAN: tuple[str, ...] = tuple(
    f"{what} {name}"
    for what in ("wages", "sales", "purchases", "output", "input")
    for name in COMPANIES
)
"""Rows of the sheet Plan from 2 on; September to December in B to E."""
FIXED: tuple[str, ...] = ("refund S", "rent", "store", "robots", "insurance", "furnace")
FIXED += ("instalment", "loan interest", "quarter fees", "vendor interest")
"""Rows of the sheet Fixed from 2 on."""
NEXT = ("F10", "F14", "F19", "F21", "F22", "F23")
"""Receipts and direct debits."""
NAMED = dict(zip(("F10", "F12", "F13", "F14", "F15"), FIXED[:5], strict=True)) | dict(
    zip(("F17", "F18", "F19", "F20"), FIXED[6:], strict=True)
)
COLUMN = {9: "B", 10: "C", 11: "D", 12: "E"}


def plan_cell(what: str, month: int) -> str:
    return f"Plan!${COLUMN[month]}${PLAN.index(what) + 2}"


def fixed_cell(name: str) -> str:
    return f"Fixed!$B${FIXED.index(name) + 2}"


def vat_of(company: str, month: int) -> str:
    if month == 9:
        return f"{plan_cell(f'output {company}', 9)}-{plan_cell(f'input {company}', 9)}"
    sales, bought = (plan_cell(f"{what} {company}", month) for what in ("sales", "purchases"))
    return f"ROUND({sales}*Sold*VAT,2)-ROUND({bought}*Bought*VAT,2)"


def amount(flow: Flow) -> str:
    number, month = int(flow.flow[1:]), flow.due.month
    company = flow.company
    if number <= 3:
        return f"-{plan_cell(f'wages {company}', month)}"
    if number <= 6:
        return f"-ROUND(PayrollTax*{plan_cell(f'wages {company}', month - 1)},2)"
    if number == 7:
        return f"-({vat_of(company, month - 1)})"
    if number == 8:
        return f"-({vat_of(company, 9)}+{vat_of(company, 10)})"
    if number == 16:
        share = "0.5" if month == 11 else "0.2"
        return f"-ROUND({fixed_cell('furnace')}*(1+VAT)*{share},2)"
    if number >= 24:
        month = (month - 2) % 12 + 1
        return f"-ROUND({plan_cell(f'purchases {company}', month)}*Bought*(1+VAT),2)"
    if number >= 21:
        month = (flow.due - LAG).month
        return f"ROUND({plan_cell(f'sales {company}', month)}*Sold*(1+VAT)/3,2)"
    return ("" if flow.flow == "F10" else "-") + fixed_cell(NAMED[flow.flow])


def made(flow: Flow, row: int) -> str:
    if flow.flow in NEXT:
        return f"WORKDAY(B{row}-1,1,Holidays)"
    if int(flow.flow[1:]) >= 24:
        run = f"B{row}-MOD(WEEKDAY(B{row},2)-RunDay,7)"
        return f"WORKDAY(MAX({run},Status-MOD(WEEKDAY(Status,2)-RunDay,7)+7)+1,-1,Holidays)"
    return f"WORKDAY(B{row}+1,-1,Holidays)"


def write_flows(told: World, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Flows", FLOWS)
    for row, one in enumerate(flows(told), 2):
        cells: dict[str, Cell] = {
            "A": (one.flow, "text"),
            "B": (one.due, "day"),
            "C": (made(one, row), one.day, "day"),
            "D": (amount(one), one.amount, "money"),
            "E": (one.company, "text"),
            "F": (f"INT((C{row}-Start)/7)+1", d.week(one.day), "text"),
        }
        page.row(row, cells)


def _sum(row: int, company: str) -> str:
    ours = "SUMIFS(Receivables!$D$2:$D$140,Receivables!$Y$2:$Y$140,$A{row}"
    ours = ours.format(row=row)
    bills = f"SUMIFS(Payables!$D$2:$D$80,Payables!$R$2:$R$80,$A{row}"
    rest = f"SUMIFS(Flows!$D$2:$D$90,Flows!$F$2:$F$90,$A{row}"
    return (
        f'{ours},Receivables!$E$2:$E$140,"{company}")-{ours},Receivables!$X$2:$X$140,"{company}")'
        f'-{bills},Payables!$E$2:$E$80,"{company}")+{rest},Flows!$E$2:$E$90,"{company}")'
    )


PAID = {4: "M2:M4", 8: "M5:M8", 13: "M9:M13"}


def _week(one: cash.Week, own: Decimal, new: Decimal) -> dict[str, Cell]:
    row = one.number + 1
    first = one.number == 1
    was = "Drawn" if first else f"G{row - 1}"
    before = one.opening + one.flow - one.interest
    gap = f"ROUND(Minimum-J{row},2)"
    draw = f"MIN(MAX(ROUNDUP({gap}/Lot,0)*Lot,LeastLoan),ROUNDDOWN((Most-{was})/Lot,0)*Lot)"
    spare = f"IF(OR(K{row}>=LeastLoan,K{row}={was}),-K{row},0)"
    repay = max(D(0), min(one.drawn - one.move, (before - RIGHT.minimum) // cash.LOT * cash.LOT))
    rate = cash.BASE_RATE + (cash.OLD_MARGIN if one.number < 5 else new)
    interest = f"ROUND(SUM({PAID[one.number]}),2)" if one.number in PAID else "0*A" + str(row)
    cells: dict[str, Cell] = {
        "A": (one.number, "text"),
        "B": ("PoolCash" if first else f"F{row - 1}", one.opening, "money"),
        "C": (f"ROUND({_sum(row, 'P')}+{_sum(row, 'T')},2)", one.flow, "money"),
        "D": (interest, one.interest, "money"),
        "E": (f"IF(J{row}<Minimum,{draw},{spare})", one.move, "money"),
        "F": (f"J{row}+E{row}", one.closing, "money"),
        "G": (f"{was}+E{row}", one.drawn, "money"),
        "H": (f"ROUND({'OwnCash' if first else f'H{row - 1}'}+N{row},2)", one.outside, "money"),
        "I": (f"ROUND(F{row}+MIN(H{row},Outside)+Most-G{row},2)", one.liquidity, "money"),
        "J": (f"ROUND(B{row}+C{row}-D{row},2)", before, "money"),
        "K": (
            f"MAX(0,MIN({was},ROUNDDOWN(ROUND(J{row}-Minimum,2)/Lot,0)*Lot))",
            repay,
            "money",
        ),
        "L": (f"BaseRate+IF(A{row}<5,OldMargin,NewMargin)", rate, "rate"),
        "M": (f"G{row}*7*L{row}/360", one.drawn * 7 * rate / 360, "money"),
        "N": (f"ROUND({_sum(row, 'S')},2)", own, "money"),
    }
    return cells


def write_weeks(told: World, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Weeks", WEEKS)
    own = cash.by_week(told, RIGHT)[1]
    new = cash.margin(cash.quarter(told)["Leverage"])
    for one in cash.weeks(told):
        page.row(one.number + 1, _week(one, own[one.number], new))


def write_plan(told: World, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Plan", ("Series", "September", "October", "November", "December"))
    for row, name in enumerate(PLAN, 2):
        page.put(f"A{row}", name)
        if name in told.figures:
            page.put(f"B{row}", told.figures[name], "money", typed=True)
            continue
        series = told.monthly[name]
        for column, value in zip("BCDE" if len(series) == 4 else "CDE", series, strict=True):
            page.put(f"{column}{row}", value, "money", typed=True)
    page = Page(book, "Fixed", ("Amount", "EUR"))
    for row, name in enumerate(FIXED, 2):
        page.put(f"A{row}", name)
        page.put(f"B{row}", told.figures[name], "money", typed=True)
