"""Annual Performance, Talent Grid, Department Cost and Dashboard of reference-2."""

from openpyxl import Workbook
from openpyxl.chart import BarChart, LineChart, Reference
from openpyxl.formatting.rule import Rule
from openpyxl.styles import Font, PatternFill
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.worksheet.worksheet import Worksheet

from authoring.biz_01_payroll_talent.rules import BOXES, month_name
from authoring.biz_01_payroll_talent.second_pay import MONEY, TOP, printed, titled
from authoring.biz_01_payroll_talent.story import Story

PERFORMANCE = ("Name", "Employee ID", "Department", "Rating", "Annual score", "Rank", "Of")
GRID = ("Employee ID", "Name", "Box", "Action", "Rating", "Potential", "Place")
COSTS = (
    "Department",
    "Budget",
    "Total employment cost",
    "Variance",
    "Budget used",
    "Gross pay",
    "Employer contributions",
    "Main driver",
    "Pay over",
    "Overtime over",
    "Employer contributions over",
)
WEIGHTS = (("Q1", "0.2"), ("Q2", "0.2"), ("Q3", "0.25"), ("Q4", "0.35"))


def performance(told: Story, book: Workbook) -> None:
    """By department, the best first."""
    sheet = book.create_sheet("Annual Performance")
    titled(sheet, "Annual performance 2024", PERFORMANCE, 3)
    rows = sorted(told.rated, key=lambda one: (one.department, one.rank))
    last, marks = 3 + len(rows), len(told.world.scores) + 1
    weight = "+".join(f'(Performance!$B$2:$B${marks}="{q}")*{w}' for q, w in WEIGHTS)
    december = sum(1 for row in told.pay if row.month < 12) + TOP + 1
    ids, homes = (f"'Monthly Payroll'!${c}${december}:${c}${len(told.pay) + TOP}" for c in "BC")
    for r, one in enumerate(rows, 4):
        sheet.cell(r, 2, one.employee)
        mine = f"(TRIM(Performance!$A$2:$A${marks})=B{r})*({weight})"
        points = f"SUMPRODUCT({mine}*Performance!$C$2:$C${marks})"
        formulas = {
            "A": f"VLOOKUP(B{r},Roster!$A$2:$B$41,2,FALSE)",
            "C": f"INDEX({homes},MATCH(B{r},{ids},0))",
            "E": f"ROUND({points}/SUMPRODUCT({mine}),2)",
            "F": f"SUMPRODUCT(($C$4:$C${last}=C{r})*($E$4:$E${last}>E{r}))+1",
            "G": f"COUNTIF($C$4:$C${last},C{r})",
            "D": f'IF(F{r}<=ROUNDUP(G{r}/5,0),"A",IF(G{r}-F{r}<ROUNDUP(G{r}/10,0),"D",'
            f'IF(F{r}<=ROUNDUP(G{r}*3/5,0),"B","C")))',
        }
        _put(sheet, r, formulas)
        sheet[f"E{r}"].number_format = "0.00"
    sheet.freeze_panes = "C4"
    sheet.auto_filter.ref = f"A3:G{last}"


def _put(sheet: Worksheet, row: int, formulas: dict[str, str]) -> None:
    for column, formula in formulas.items():
        sheet[f"{column}{row}"] = f"={formula}"


def grid(told: Story, book: Workbook) -> None:
    """Boxes looked up by band and potential in a list beside the table."""
    sheet = book.create_sheet("Talent Grid")
    for column, name in enumerate(GRID, 1):
        sheet.cell(1, column, name).font = Font(name="Calibri", bold=True)
    for row, ((band, potential), (box, action)) in enumerate(BOXES.items(), 2):
        for column, value in enumerate((f"{band}/{potential}", box, action), 10):
            sheet.cell(row, column, value)
    last = 3 + len(told.rated)
    place = f"MATCH($A%d,'Annual Performance'!$B$4:$B${last},0)"
    for r, one in enumerate(sorted(told.rated, key=lambda o: o.name), 2):
        sheet.cell(r, 1, one.employee)
        at = place % r
        formulas = {
            "B": f"INDEX('Annual Performance'!$A$4:$A${last},{at})",
            "E": f"INDEX('Annual Performance'!$D$4:$D${last},{at})",
            "F": f"VLOOKUP(A{r},Roster!$A$2:$I$41,9,FALSE)",
            "G": f'MATCH(E{r},{{"D","C","B","A"}},0)-(E{r}="A")-(E{r}="B")&"/"&F{r}',
            "C": f"VLOOKUP(G{r},$J$2:$L$10,2,FALSE)",
            "D": f"VLOOKUP(G{r},$J$2:$L$10,3,FALSE)",
        }
        _put(sheet, r, formulas)
    for letter, width in zip("ABCDKL", (13, 26, 16, 24, 16, 24), strict=True):
        sheet.column_dimensions[letter].width = width
    printed(sheet, 1)
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = f"A1:G{len(told.rated) + 1}"


def costs(told: Story, book: Workbook) -> None:
    sheet = book.create_sheet("Department Cost")
    titled(sheet, "Cost and budget 2024 by department, TVC", COSTS, 2)
    last = len(told.pay) + TOP

    def total(column: str, row: int) -> str:
        where, what = (f"'Monthly Payroll'!${c}${TOP + 1}:${c}${last}" for c in ("C", column))
        return f"SUMIF({where},$A{row},{what})"

    for r, cost in enumerate(told.costs, 3):
        sheet.cell(r, 1, cost.department)
        largest = f"INDEX(Budgets!$B$1:$D$1,MATCH(MAX(I{r}:K{r}),I{r}:K{r},0))"
        formulas = {
            "B": f"SUM(Budgets!B{r - 1}:D{r - 1})",
            "F": total("D", r),
            "G": total("L", r),
            "C": total("M", r),
            "D": f"C{r}-B{r}",
            "E": f"C{r}/B{r}",
            "I": f"F{r}-{total('I', r)}-Budgets!B{r - 1}",
            "J": f"{total('I', r)}-Budgets!C{r - 1}",
            "K": f"G{r}-Budgets!D{r - 1}",
            "H": f'IF(D{r}>0,{largest},"-")',
        }
        _put(sheet, r, formulas)
    sheet["A9"] = "All departments"
    sheet.column_dimensions["A"].width, sheet.column_dimensions["H"].width = 16, 24
    _put(sheet, 9, {c: f"SUM({c}3:{c}8)" for c in "BCDFGIJK"} | {"E": "C9/B9"})
    for row in range(3, 10):
        for column in "BCDFGIJK":
            sheet[f"{column}{row}"].number_format = MONEY
        sheet[f"E{row}"].number_format = "0.0%"
    style = DifferentialStyle(fill=PatternFill("solid", bgColor="FFFFD9B3"))
    rule = Rule(type="cellIs", operator="greaterThan", formula=["0"], dxf=style)
    sheet.conditional_formatting.add("D3:D8", rule)
    sheet.freeze_panes = "B3"


def dashboard(told: Story, book: Workbook) -> None:
    sheet = book.create_sheet("Dashboard")
    sheet["B2"] = f"{told.world.company} in 2024"
    sheet["B2"].font = Font(name="Calibri", bold=True, size=16)
    last = len(told.rated) + 3
    cards = (
        ("Total gross pay", "TotalGross"),
        ("Total employment cost", "TotalCost"),
        ("Budget variance", "TotalCost-TotalBudget"),
        ("Headcount at year end", f"COUNTA('Annual Performance'!B4:B{last})"),
    )
    for row, (label, formula) in enumerate(cards, 4):
        sheet[f"B{row}"], sheet[f"C{row}"] = label, f"={formula}"
        sheet[f"C{row}"].number_format = "0" if row == 7 else MONEY
        sheet[f"C{row}"].font = Font(name="Calibri", bold=True, size=14)
    sheet.column_dimensions["B"].width, sheet.column_dimensions["C"].width = 26, 18
    _counts(told, sheet)
    _charts(book, sheet)
    printed(sheet)
    sheet.print_area = "A1:R45"


def _counts(told: Story, sheet: Worksheet) -> None:
    """What the charts show, to the right of them."""
    sheet["X1"], sheet["Y1"], sheet["AA1"], sheet["AB1"] = "Month", "Gross", "Rating", "People"
    sheet["AD1"], sheet["AE1"] = "Box", "People"
    last = len(told.pay) + TOP
    months, gross = (f"'Monthly Payroll'!${c}${TOP + 1}:${c}${last}" for c in "OD")
    for number in range(1, 13):
        row = number + 1
        sheet[f"X{row}"] = month_name(number)
        sheet[f"Y{row}"] = f"=SUMIF({months},{number},{gross})"
        sheet[f"Y{row}"].number_format = MONEY
    rated = len(told.rated)
    for row, rating in enumerate("ABCD", 2):
        sheet[f"AA{row}"] = rating
        place = f"'Annual Performance'!$D$4:$D${rated + 3}"
        sheet[f"AB{row}"] = f"=SUMPRODUCT(--({place}=AA{row}))"
    for row, (box, _) in enumerate(BOXES.values(), 2):
        sheet[f"AD{row}"] = box
        sheet[f"AE{row}"] = f"=COUNTIF('Talent Grid'!$C$2:$C${rated + 1},AD{row})"


def _charts(book: Workbook, sheet: Worksheet) -> None:
    costs_ = book["Department Cost"]
    plans = (
        (BarChart(), "Budget and cost", costs_, (2, 3), (2, 8), 1, "B10"),
        (LineChart(), "Gross pay, month by month", sheet, (25,), (1, 13), 24, "H10"),
        (BarChart(), "How people were rated", sheet, (28,), (1, 5), 27, "B27"),
        (BarChart(), "The nine boxes", sheet, (31,), (1, 10), 30, "H27"),
    )
    for chart, title, source, columns, (top, bottom), names, at in plans:
        chart.title = title
        for column in columns:
            values = Reference(source, min_col=column, min_row=top, max_row=bottom)
            chart.add_data(values, titles_from_data=True)
        chart.set_categories(Reference(source, min_col=names, min_row=top + 1, max_row=bottom))
        chart.x_axis.delete = chart.y_axis.delete = False
        chart.y_axis.number_format = "#,##0" if at.endswith("10") else "0"
        if len(columns) == 1:
            chart.legend = None
            chart.series[0].smooth = False
        sheet.add_chart(chart, at)
