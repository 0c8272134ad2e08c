"""Inputs, Certificates, Margin and the table of Steps of reference-2."""

from datetime import time

from openpyxl.styles import PatternFill
from openpyxl.worksheet.worksheet import Worksheet

from authoring.fin_02_interest_review import notices as n
from authoring.fin_02_interest_review import rules as r
from authoring.fin_02_interest_review.book_terms import FIXED, NOTIFIED
from authoring.fin_02_interest_review.story import Story

MONEY, PERCENT, DAY = "#,##0.00", "0.0000%", "dd mmm yyyy"


def put(sheet: Worksheet, at: str, value: object, look: str = "General") -> None:
    cell = sheet[at]
    cell.value = value
    cell.number_format = look


def inputs(told: Story, sheet: Worksheet) -> None:
    drawn = told.world
    rows: tuple[tuple[str, object, str], ...] = (
        ("What can be overwritten", "Value", ""),
        ("Paid back on", n.SETTLED, DAY),
        ("Restated net debt, September 2024", int(drawn.certificates[4].debt), "#,##0"),
        ("EURIBOR 3M, 28 August 2024", float(drawn.euribor[FIXED][1] / 100), "0.000%"),
        ("KPI 2, assured", float(drawn.indicators[1].assured / 100), "0.0%"),
        ("EUR for one GBP, 12 November 2025", float(drawn.spot[NOTIFIED]), "0.0000"),
        ("Second amendment holds from", r.AMENDED_2, DAY),
        ("First amendment holds from", r.AMENDED_1, DAY),
        ("Claim goes out on", n.SENT, DAY),
        ("Holding letter came on", n.HELD, DAY),
        ("Refunds bear", float(drawn.refund / 100), "0.00%"),
        ("Spread on Sterling until it ended", float(r.CAS / 100), "0.0000%"),
        ("Balance sheet rate for GBP", float(drawn.closing), "0.0000"),
    )
    for row, (label, value, look) in enumerate(rows, 1):
        put(sheet, f"A{row}", label)
        put(sheet, f"B{row}", value, look or "General")
        if 1 < row < 8:
            sheet[f"B{row}"].fill = PatternFill("solid", fgColor="FFF4CC")


def certificates(told: Story, sheet: Worksheet) -> None:
    """By Quarter Date, restated beside their originals."""
    heads: tuple[str, ...] = (
        "Version",
        "Quarter date",
        "Came on",
        "at",
        "Counts from",
        "Adjustment Date",
    )
    for column, head in enumerate((*heads, "Net debt", "EBITDA", "Leverage", "Step"), 1):
        sheet.cell(1, column, head)
    ones = sorted(told.world.certificates, key=lambda one: (one.quarter, one.restated))
    for row, one in enumerate(ones, 2):
        put(sheet, f"A{row}", one.version)
        put(sheet, f"B{row}", one.quarter, DAY)
        put(sheet, f"C{row}", one.received, DAY)
        put(sheet, f"D{row}", time.fromisoformat(one.hour), "hh:mm")
        late = f"IF(D{row}>TIME(17,0,0),WORKDAY(C{row},1,Closed3),C{row})"
        put(sheet, f"E{row}", f"={late}", DAY)
        put(sheet, f"F{row}", f"=WORKDAY(E{row},5,Closed3)", DAY)
        debt: object = int(one.debt)
        if one.restated and one.quarter.month == 9:
            debt = "=Inputs!B3"
        put(sheet, f"G{row}", debt, "#,##0")
        put(sheet, f"H{row}", int(one.ebitda), "#,##0")
        put(sheet, f"I{row}", f"=ROUND(G{row}/H{row},2)", "0.00")
        put(sheet, f"J{row}", f'=1+COUNTIF(Table!$I$2:$I$5,"<"&I{row})', "0")


STEPS = (
    ("2024-01-15", "=3"),
    ("=Certificates!F2", "=Certificates!J2"),
    ("=Certificates!F3", "=Certificates!J3"),
    ("=Inputs!B8", "=F4"),
    (
        "=Certificates!F4",
        "=IF(Table!L6,Certificates!J5,MAX(Certificates!J4:J5))",
    ),
    ("=Certificates!B6+46", "=IF(Certificates!E6>Certificates!B6+45,5,F6)"),
    (
        "=Certificates!F6",
        "=IF(Table!L6,Certificates!J7,MAX(Certificates!J6:J7))",
    ),
    ("=WORKDAY(Table!L2,5,Closed3)", "=F8"),
    ("=Certificates!F7", "=IF(Table!L6,F9,MIN(Certificates!J6:J7))"),
    ("=Certificates!F8", "=Certificates!J8"),
    ("=Certificates!F9", "=Certificates!J9"),
)
"""From which day, which Step; the lower restated one from its own day."""


def margin(told: Story, sheet: Worksheet) -> None:
    heads: tuple[str, ...] = (
        "From",
        "Margin RCF",
        "Margin A",
        "Margin B",
        "Up to",
        "Step",
        "RCF for the fee",
    )
    for column, head in enumerate(heads, 1):
        sheet.cell(1, column, head)
    for row, (line, (first, step)) in enumerate(zip(told.margins, STEPS, strict=True), 2):
        put(sheet, f"A{row}", first if first.startswith("=") else line.first, DAY)
        put(sheet, f"F{row}", 3 if step == "=3" else step, "0")
        new = f"2*(A{row}>=Inputs!$B$8)"
        less = f"(A{row}>=$A$9)*Table!$L$4"
        put(sheet, f"G{row}", f"=VLOOKUP(F{row},Table!$A$2:$F$6,4+{new})", PERCENT)
        put(sheet, f"B{row}", f"=G{row}+{less}", PERCENT)
        put(sheet, f"C{row}", f"=VLOOKUP(F{row},Table!$A$2:$F$6,3+{new})+{less}", PERCENT)
        put(sheet, f"D{row}", f"=VLOOKUP(F{row},Table!$A$2:$F$6,2)", PERCENT)
        put(sheet, f"E{row}", f"=A{row + 1}" if row < 12 else "=DATE(2025,12,31)", DAY)


def table(told: Story, sheet: Worksheet) -> None:
    """Steps in columns B (Facility B), A and RCF as first agreed, A and RCF as amended."""
    names = ("Facility B", "Facility A", "RCF", "A new", "RCF new")
    heads: tuple[str, ...] = ("Nr.", "B", "A at first", "RCF at first", "A amended", "RCF amended")
    for column, head in enumerate(heads, 1):
        sheet.cell(1, column, head)
    for row in range(2, 7):
        put(sheet, f"A{row}", row - 1)
        for letter, name in zip("BCDEF", names, strict=True):
            put(sheet, f"{letter}{row}", float(told.world.grid[name][row - 2] / 100), "0.00%")
    put(sheet, "I1", "Limits")
    for row, limit in enumerate(r.STEPS, 2):
        put(sheet, f"I{row}", float(limit), "0.00")
    first, second, third = told.world.indicators
    put(sheet, "K1", "Indicators")
    put(sheet, "K2", "statement came")
    put(sheet, "L2", r.ASSURANCE, DAY)
    put(sheet, "K3", "targets met")
    kept = f"{first.assured}<={first.target}", f"{third.assured}<={third.target}"
    put(sheet, "K5", "target of KPI 2")
    put(sheet, "L5", float(second.target / 100), "0.0%")
    put(sheet, "L3", f"=({kept[0]})+({kept[1]})+(Inputs!B5>=L5)", "0")
    put(sheet, "K6", "9.6 as first agreed")
    put(sheet, "L6", "=Certificates!E5<Inputs!B7")
    put(sheet, "K4", "Margin changes by")
    choices = "IF(L3=3,-0.05%,IF(L3=2,-0.025%,IF(L3=0,0.05%,0)))"
    put(sheet, "L4", f"={choices}", "0.000%")
