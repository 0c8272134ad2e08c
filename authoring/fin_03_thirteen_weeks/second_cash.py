"""Flows, Weeks and Covenants of the second workbook: sums between days, months across the page."""

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from authoring.fin_03_thirteen_weeks import cash
from authoring.fin_03_thirteen_weeks.book_cash import NEXT
from authoring.fin_03_thirteen_weeks.book_covenants import DATES, HEADROOM
from authoring.fin_03_thirteen_weeks.flows import LAG, Flow
from authoring.fin_03_thirteen_weeks.flows import flows as due_flows
from authoring.fin_03_thirteen_weeks.second_items import (
    DOWN,
    FIRST_RUN,
    FORMAT,
    opened,
    run_of,
    shut_back,
)
from authoring.fin_03_thirteen_weeks.world import COMPANIES, MONTHS, World

SOLD = f"(1-{DOWN}*Settings!$B$11)"
BOUGHT = f"(1-{DOWN}*Settings!$B$11/2)"
SERIES: tuple[str, ...] = tuple(
    f"{what} {name}"
    for what in ("ebitda", "rent", "sales", "purchases", "wages")
    for name in COMPANIES
)
SERIES += ("own S", "interest", "finance lease interest", "commitment fee")
SERIES += ("guarantee commission", "interest received")
"""Rows 2 on of Months; October 2024 to December 2025 in B to P."""
SINGLE = {"F10": "refund S", "F12": "rent", "F13": "store", "F14": "robots", "F15": "insurance"}
SINGLE |= {"F17": "instalment", "F18": "loan interest", "F19": "quarter fees"}
SINGLE |= {"F20": "vendor interest"}


def at(what: str, month: int) -> str:
    """A month of 2025, from January."""
    return f"Months!${get_column_letter(month + 4)}${SERIES.index(what) + 2}"


def months(told: World, sheet: Worksheet) -> None:
    sheet.append(("Series", *MONTHS))
    for row, name in enumerate(SERIES, 2):
        sheet.append((name,))
        values = told.monthly[name]
        start = {15: 2, 7: 2, 3: 14, 4: 13, 12: 5}[len(values)]
        for column, value in enumerate(values, start):
            sheet.cell(row, column, float(value))


def _vat(told: World, company: str, month: int) -> str:
    if month == 9:
        out, put = (told.figures[f"{side} {company}"] for side in ("output", "input"))
        return f"{out}-{put}"
    sold, bought = at(f"sales {company}", month), at(f"purchases {company}", month)
    return f"ROUND(0.23*{sold}*{SOLD},2)-ROUND(0.23*{bought}*{BOUGHT},2)"


def _amount(told: World, flow: Flow) -> str:
    number, month, company = int(flow.flow[1:]), flow.due.month, flow.company
    known = told.figures
    if number <= 3:
        return f"-{at(f'wages {company}', month)}"
    if number <= 6:
        return f"-ROUND({at(f'wages {company}', month - 1)}*41%,2)"
    if number == 7:
        return f"-({_vat(told, company, month - 1)})"
    if number == 8:
        return f"-({_vat(told, company, 9)})-({_vat(told, company, 10)})"
    if number == 16:
        share = "50%" if month == 11 else "20%"
        return f"-ROUND({known['furnace']}*1.23*{share},2)"
    if number >= 24:
        month = 12 if month == 1 else month - 1
        return f"-ROUND({at(f'purchases {company}', month)}*{BOUGHT}*1.23,2)"
    if number >= 21:
        return f"ROUND({at(f'sales {company}', (flow.due - LAG).month)}*{SOLD}*1.23/3,2)"
    return f"{'' if number == 10 else '-'}{known[SINGLE[flow.flow]]}"


def flows(told: World, sheet: Worksheet) -> None:
    sheet.append(("Of", "Flow", "Due", "Amount", "Made on"))
    for row, one in enumerate(sorted(due_flows(told), key=lambda f: (f.day, f.flow)), 2):
        sheet.append((one.company, one.flow, one.due, f"={_amount(told, one)}"))
        if one.flow in NEXT:
            made = opened(f"C{row}")
        elif int(one.flow[1:]) >= 24:
            made = shut_back(f"MAX({run_of(f'C{row}')},{FIRST_RUN})")
        else:
            made = shut_back(f"C{row}")
        sheet[f"E{row}"] = f"={made}"
        sheet[f"E{row}"].number_format = FORMAT


def _between(table: str, day: str, amount: str, who: str, row: int, company: str) -> str:
    def area(column: str) -> str:
        return f"{table}!${column}$2:${column}$120"

    span = f'{area(day)},">="&$P{row},{area(day)},"<="&$P{row}+6'
    return f'SUMIFS({area(amount)},{span},{area(who)},"{company}")'


def _flow(row: int, company: str) -> str:
    ours = _between("Receivables", "AA", "AC", "C", row, company)
    owed = _between("Receivables", "AA", "AC", "B", row, f"G{company}")
    bills = _between("Payables", "V", "U", "C", row, company)
    rest = _between("Flows", "E", "D", "A", row, company)
    return f"{ours}-{owed}-{bills}+{rest}"


def weeks(told: World, sheet: Worksheet) -> None:
    heads = ("Week", "Opening", "Flow", "Interest", "Before", "Loan", "Closing", "Loans drawn")
    sheet.append(
        (*heads, "Room", "Own balance", "Liquidity", "Costs", "Unpaid", "Limit", "", "From")
    )
    known = told.figures
    most = known["commitments"] - known["guarantees"]
    for row in range(2, 15):
        pay = row - 1 in cash.PAYS
        was = f"{known['drawn'] + known['drawn October']}" if row == 2 else f"H{row - 1}"
        start = f"{known['cash P'] + known['cash T']}" if row == 2 else f"G{row - 1}"
        own = f"{known['cash S']}" if row == 2 else f"J{row - 1}"
        gap, spare = f"(Settings!$B$9-E{row})", f"(E{row}-Settings!$B$9)"
        lots = f"MIN({was},FLOOR({spare},250000))"
        back = f"IF(AND({lots}<500000,{lots}<{was}),0,{lots})"
        draw = f"MIN(MAX(500000,CEILING({gap},250000)),FLOOR({most}-{was},250000))"
        rate = "2.6%" if row < 6 else "Covenants!$B$14"
        before = "0" if row == 2 else f"M{row - 1}"
        formulas = (
            start,
            f"ROUND({_flow(row, 'P')}+{_flow(row, 'T')},2)",
            f"ROUND({before},2)*{int(pay)}",
            f"ROUND(B{row}+C{row}-D{row},2)",
            f"IF({gap}>0,{draw},-{back})",
            f"E{row}+F{row}",
            f"{was}+F{row}",
            f"{most}-H{row}",
            f"ROUND({own}+{_flow(row, 'S')},2)",
            f"ROUND(G{row}+I{row}+MIN(500000,J{row}),2)",
            f"H{row}*(2%+{rate})*7/360",
            f"{'0' if pay else before}+L{row}",
        )
        sheet.append((row - 1, *(f"={one}" for one in formulas)))
        sheet[f"P{row}"] = f"=DATE(2025,10,6)+7*(A{row}-1)"
        sheet[f"P{row}"].number_format = FORMAT


def exceptionals(told: World, sheet: Worksheet) -> None:
    sheet.append(("Month", "Item", "Counted", "Letter", "Why"))
    for one in told.matters:
        value = float(one.counted)
        sheet.append((one.month, one.no, value, one.letter, one.text))


def _sum(name: str, first: str, last: str) -> str:
    row = SERIES.index(name) + 2
    return f"SUM(Months!${first}${row}:${last}${row})"


def covenants(told: World, sheet: Worksheet) -> None:
    """Ten lines at two dates; below them the Margin that follows."""
    sheet.append(("Line", *DATES))
    known = told.figures
    for place, (first, last) in enumerate((("B", "M"), ("E", "P"))):
        column = "BC"[place]
        book = "+".join(_sum(f"ebitda {name}", first, last) for name in COMPANIES)
        rent = "-".join(_sum(f"rent {name}", first, last) for name in COMPANIES)
        lost = "" if place == 0 else f"-ROUND({DOWN}*Settings!$B$11*0.45*SUM(Months!$N$8:$P$10),2)"
        months_ = (MONTHS[0], MONTHS[11]) if place == 0 else (MONTHS[3], MONTHS[14])
        one = f'(Exceptionals!$A$2:$A$60>="{months_[0]}")*(Exceptionals!$A$2:$A$60<="{months_[1]}")'
        raw = f"SUMPRODUCT({one}*Exceptionals!$C$2:$C$60)"
        lease = known["lease September" if place == 0 else "lease December"]
        loans = str(known["drawn"]) if place == 0 else "Weeks!$H$13"
        at_bank = known["bank P"] + known["bank T"]
        money = (
            f"{at_bank}+MIN({known['bank S']},500000)"
            if place == 0
            else "Weeks!$G$13+MIN(Weeks!$J$13,500000)"
        )
        end = "M" if place == 0 else "P"
        names = ("interest", "finance lease interest", "commitment fee", "guarantee commission")
        costs = "+".join(_sum(name, "E", end) for name in names)
        charges = f"({costs}-{_sum('interest received', 'E', end)})*12/{9 if place == 0 else 12}"
        formulas = (
            f"{book}-{rent}+{_sum('own S', first, 'H')}{lost}",
            f"IF({raw}>ROUND({column}2*Settings!$B$12,2),ROUND({column}2*Settings!$B$12,2),{raw})",
            f"SUM({column}2:{column}3)",
            f"{known['term']}+{known['vendor']}+{lease}+{loans}",
            money,
            f"{column}5-{column}6",
            f"ROUND(({column}5-{column}6)/({column}2+{column}3),2)",
            f"ROUND({charges},2)",
            f"ROUND(SUM({column}2:{column}3)/{column}9,2)",
            f"{column}4-({column}5-{column}6)/{'3' if place == 0 else '2.75'}",
        )
        for row, formula in enumerate(formulas, 2):
            sheet[f"{column}{row}"] = f"={formula}"
            sheet[f"{column}{row}"].number_format = "0.00" if row in (8, 10) else "#,##0.00"
    for row, name in enumerate((*cash.LINES, HEADROOM), 2):
        sheet[f"A{row}"] = name
    sheet["A14"] = "Margin from week 5"
    sheet["B14"] = "=IF(B8<=2,1.75%,IF(B8<=2.5,2.2%,IF(B8<=3,2.6%,3.25%)))"
    sheet["B14"].number_format = "0.00%"
