"""The reference's Rates, Run chart, Committee, Escalation, Summary, and what they stand on."""

from decimal import Decimal

from xlsxwriter.worksheet import Worksheet as Sheet

from authoring.med_03_thrombosis_audit.book import LAST, Pen
from authoring.med_03_thrombosis_audit.census import (
    CODES,
    HOURS,
    LAST_LEAVING,
    OCTOBER,
    How,
    Row,
    export,
    true_days,
)
from authoring.med_03_thrombosis_audit.inputs import SENT
from authoring.med_03_thrombosis_audit.story import (
    FAILURES,
    HALF,
    HOLIDAYS,
    due,
    rate,
    shown,
    state,
    totals,
)
from authoring.med_03_thrombosis_audit.world import COUNTED
from authoring.parts.tables import Value

RATES = 1 + len(COUNTED) * len(HALF)
"""The last row of Rates."""
CENSUS = 300
LEAST = "Settings!$B$5"


def day(value: object) -> str:
    """DATE(..) of a month."""
    year, month, first = str(value).split("-")
    return f"DATE({int(year)},{int(month)},{int(first)})"


def area(sheet: str, column: str, last: int, first: int = 2) -> str:
    return f"{sheet}!${column}${first}:${column}${last}"


def _rates(pen: Pen) -> None:
    sheet = pen.sheet("Rates", ("Ward", "Month", "Bed days", "Cases", "Rate"), (10, 11, 10, 8, 8))
    row = 1
    for ward in COUNTED:
        for month in HALF:
            row += 1
            pen.write(sheet, f"A{row}", ward)
            pen.write(sheet, f"B{row}", month, "month")
            where = f"{area('Census', 'G', CENSUS)},$A{row},{area('Census', 'C', CENSUS)},$B{row}"
            days = f"SUMIFS({area('Census', 'H', CENSUS)},{where})"
            cases = f"{area('Cases', 'J', LAST)},$A{row},{area('Cases', 'O', LAST)},$B{row}"
            count = f'COUNTIFS({cases},{area("Cases", "I", LAST)},"yes")'
            pen.formula(sheet, f"C{row}", days, pen.what.days[ward, month], "count")
            pen.formula(sheet, f"D{row}", count, pen.what.count(ward, month))
            told = pen.what.rate(ward, month)
            pen.formula(sheet, f"E{row}", f"ROUND(1000*D{row}/C{row},2)", told, "rate")


def _run_chart(pen: Pen) -> None:
    heads = ("Month", "Cases", "Bed days", "Rate", "Median", "Signal")
    sheet = pen.sheet("Run chart", heads, (11, 8, 10, 8, 9, 9))
    for row, point in enumerate(pen.what.points, 2):
        pen.write(sheet, f"A{row}", point.month, "month")
        if point.month in HALF:
            count = f"SUMIFS({area('Rates', 'D', RATES)},{area('Rates', 'B', RATES)},$A{row})"
            pen.formula(sheet, f"B{row}", count, point.cases)
        else:
            pen.write(sheet, f"B{row}", point.cases)
        days = f"SUMIFS({area('Census', 'H', CENSUS)},{area('Census', 'C', CENSUS)},$A{row})"
        pen.formula(sheet, f"C{row}", days, point.days, "count")
        pen.formula(sheet, f"D{row}", f"ROUND(1000*B{row}/C{row},2)", point.rate, "rate")
        pen.formula(sheet, f"E{row}", "ROUND(MEDIAN($D$2:$D$13),2)", pen.what.median, "rate")
        pen.write(sheet, f"F{row}", point.signal)
    _chart(pen, sheet)


def _chart(pen: Pen, sheet: Sheet) -> None:
    chart = pen.book.add_chart({"type": "line"})
    for column, name in ((3, "Rate"), (4, "Median")):
        chart.add_series(
            {
                "name": name,
                "categories": ["Run chart", 1, 0, 24, 0],
                "values": ["Run chart", 1, column, 24, column],
                "marker": {"type": "circle" if name == "Rate" else "none"},
            }
        )
    chart.set_title({"name": "Cases for each 1,000 bed days"})
    chart.set_x_axis({"num_format": "mmm yy", "date_axis": True})
    sheet.insert_chart("H2", chart, {"x_scale": 1.5, "y_scale": 1.2})


def _shown(row: int, first: int, last: int, total: bool) -> str:
    """What 9.2 lets a number of the sheet Working become."""
    here, all_of = f"Working!$B{row}", area("Working", "B", last, first)
    small = f'COUNTIFS({all_of},">0",{all_of},"<"&{LEAST})'
    after = f'SMALL({all_of},COUNTIF({all_of},"<"&{LEAST})+1)'
    next_one = f"MATCH({after},{all_of},0)={row - first + 1}"
    other = f'IF({small}=1,IF({next_one},"-",{here}),{here})' if total else here
    return f'IF(AND({here}>0,{here}<{LEAST}),"<"&{LEAST},{other})'


def value_of(said: str) -> Value:
    return int(said) if said.isdigit() else said


def _committee(pen: Pen) -> None:
    heads = ("Ward", "Cases", "Rate", "", "Code", "Number")
    sheet = pen.sheet("Committee", heads, (11, 8, 8, 4, 8, 9))
    numbers = [pen.what.of_ward(ward) for ward in COUNTED]
    for row, (ward, told) in enumerate(zip(COUNTED, shown(numbers, 5, True), strict=True), 2):
        pen.write(sheet, f"A{row}", ward)
        pen.formula(sheet, f"B{row}", _shown(row, 2, 7, True), value_of(told))
        days = f"SUMIFS({area('Rates', 'C', RATES)},{area('Rates', 'A', RATES)},$A{row})"
        told_rate = rate(pen.what.of_ward(ward), pen.what.days_of(ward))
        seen: Value = told_rate if told.isdigit() else "-"
        formula = f'IF(ISNUMBER(B{row}),ROUND(1000*B{row}/{days},2),"-")'
        pen.formula(sheet, f"C{row}", formula, seen, "rate")
    pen.write(sheet, "A8", "Hospital")
    pen.formula(sheet, "B8", "SUM(Working!$B$2:$B$7)", len(pen.what.cases))
    whole = f"ROUND(1000*B8/SUM({area('Rates', 'C', RATES)}),2)"
    pen.formula(sheet, "C8", whole, rate(len(pen.what.cases), pen.what.whole), "rate")
    codes = shown(pen.what.failures.values(), 5, False)
    for row, (code, told) in enumerate(zip(FAILURES, codes, strict=True), 2):
        pen.write(sheet, f"E{row}", code)
        pen.formula(sheet, f"F{row}", _shown(row + 8, 10, 15, False), value_of(told))


def _escalation(pen: Pen) -> None:
    sheet = pen.sheet("Escalation", ("Case", "Due", "Sent", "State"), (9, 12, 12, 10))
    row = 1
    for case in pen.code.cases:
        if not case.escalated:
            continue
        row += 1
        event = f"VLOOKUP($A{row},Cases!$A$2:$B${LAST},2,FALSE)"
        pen.write(sheet, f"A{row}", case.no)
        formula = f"WORKDAY(INT({event}),10,{area('Working', 'E', 5)})"
        pen.formula(sheet, f"B{row}", formula, due(case.event.date()), "day")
        pen.write(sheet, f"C{row}", SENT.get(case.key), "day")
        said = f'IF(C{row}="","open",IF(C{row}<=B{row},"in time","late"))'
        pen.formula(sheet, f"D{row}", said, state(case))


def _summary(pen: Pen) -> None:
    sheet = pen.sheet("Summary", ("Figure", "July to December 2025"), (28, 24))
    yes = f'{area("Cases", "I", LAST)},"yes"'
    basis, grade = area("Cases", "F", LAST), area("Cases", "K", LAST)
    formulas = (
        "COUNTA(Reports!$A$2:$A$400)",
        'COUNTIF(Reports!$C$2:$C$400,"N*")',
        f"COUNTIF({yes})",
        f'COUNTIFS({yes},{basis},"a")',
        f'COUNTIFS({yes},{basis},"b")',
        f'COUNTIFS({yes},{grade},"S3")+COUNTIFS({yes},{grade},"S4")',
        f'COUNTIFS({yes},{area("Cases", "M", LAST)},"yes")',
        f"SUM({area('Rates', 'C', RATES)})",
        "ROUND(1000*B4/B9,2)",
        "'Run chart'!$E$2",
    )
    told = totals(pen.told, pen.what, pen.code)
    for row, ((label, value), formula) in enumerate(zip(told.items(), formulas, strict=True), 2):
        look = "rate" if isinstance(value, Decimal) and value != int(value) else "count"
        pen.write(sheet, f"A{row}", label)
        pen.formula(sheet, f"B{row}", formula, value, look)


def _census(pen: Pen) -> None:
    heads = ("Code", "Ward", "Month", "Status", "Bed days as exported", "Leaving", "Counted for")
    sheet = pen.sheet("Census", (*heads, "Bed days put right"), (8, 11, 11, 8, 12, 10, 12, 12))
    for number, row in enumerate(export(pen.told.seed), 2):
        _night(pen, sheet, number, row)


def _night(pen: Pen, sheet: Sheet, at: int, row: Row) -> None:
    ward = "Larch" if row.ward == "Elm" else row.ward
    typed: tuple[Value, ...] = (
        CODES[row.ward],
        row.ward,
        row.month,
        row.status,
        row.days,
        row.leaving,
    )
    for column, value in zip("ABCDEF", typed, strict=True):
        pen.write(sheet, f"{column}{at}", value, "month" if column == "C" else "text")
    pen.write(sheet, f"G{at}", ward if row.counts() else None)
    hours = f'IF(AND(B{at}="{HOURS[0]}",C{at}={day(HOURS[1])}),E{at}/24,E{at})'
    less = f"IF(C{at}<={day(LAST_LEAVING)},F{at},0)"
    october = f"IF(C{at}={day(OCTOBER)},ROUND(E{at}*31/Settings!$B$4,0),{hours}-{less})"
    right = true_days(row, How()) if row.counts() else 0
    pen.formula(sheet, f"H{at}", f'IF(G{at}="",0,{october})', right)


def _working(pen: Pen) -> None:
    heads = ("What", "Cases, not for publication", "", "", "Holidays")
    sheet = pen.sheet("Working", heads, (11, 14, 4, 4, 12))
    yes = f'{area("Cases", "I", LAST)},"yes"'
    for row, ward in enumerate(COUNTED, 2):
        pen.write(sheet, f"A{row}", ward)
        formula = f"COUNTIFS({yes},{area('Cases', 'J', LAST)},$A{row})"
        pen.formula(sheet, f"B{row}", formula, pen.what.of_ward(ward))
    for row, (code, number) in enumerate(pen.what.failures.items(), 10):
        pen.write(sheet, f"A{row}", code)
        formula = f"COUNTIFS({yes},{area('Cases', 'L', LAST)},$A{row})"
        pen.formula(sheet, f"B{row}", formula, number)
    for row, free in enumerate(HOLIDAYS, 2):
        pen.write(sheet, f"E{row}", free, "day")


WRITERS = (_rates, _run_chart, _committee, _escalation, _summary, _census, _working)
