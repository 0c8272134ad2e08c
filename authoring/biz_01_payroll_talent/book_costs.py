"""Department Cost and Dashboard of the reference."""

from decimal import Decimal
from typing import Any

from authoring.biz_01_payroll_talent.book_pay import serial
from authoring.biz_01_payroll_talent.paper import CARDS, NEW, Paper
from authoring.biz_01_payroll_talent.rules import BOXES, BUDGET_LINES, Cost
from authoring.biz_01_payroll_talent.story import Story
from authoring.biz_01_payroll_talent.world import YEAR

COSTS = (
    "Department",
    "Base less absence",
    "Overtime pay",
    "Gross pay",
    "Employer contributions",
    "Total employment cost",
    "Budget",
    "Variance",
    "Budget used",
    "Variance of pay",
    "Variance of overtime",
    "Variance of employer contributions",
    "Main driver",
)
THOUSAND = "TVC thousand"
GREY = {"visible": True, "line": {"color": "#D9D9D9"}}
DATA = 42
"""The row of the Dashboard where the charts' figures begin."""


def departments(told: Story, paper: Paper) -> None:
    paper.header(COSTS, (15, *(15,) * 11, 24))
    last = len(told.pay) + 1
    for row, cost in enumerate(told.costs, 2):
        paper.sheet.write_string(f"A{row}", cost.department)
        _spent(paper, row, cost, last + 20)
        _against(paper, row, cost)
    paper.sheet.write_string("A8", "Total", paper.strong)
    total = [sum(parts, Decimal(0)) for parts in zip(*map(_figures, told.costs), strict=True)]
    for column, value in zip("BCDEFGHJKL", total, strict=True):
        paper.formula(f"{column}8", f"SUM({column}2:{column}7)", value, paper.strong)
    paper.formula("I8", "F8/G8", told.cost / told.budget, paper.percent)
    red = paper.book.add_format({"bg_color": "#F8CBAD", "font_color": "#9C0006"})
    rule = {"type": "cell", "criteria": ">", "value": 0, "format": red}
    paper.sheet.conditional_format("H2:H7", rule)
    paper.sheet.freeze_panes(1, 1)
    paper.printed(7, len(COSTS))


def _figures(cost: Cost) -> tuple[Decimal, ...]:
    pay, overtime, employer = cost.spent
    return (
        pay,
        overtime,
        cost.gross,
        employer,
        cost.cost,
        cost.planned,
        cost.variance,
        *cost.lines,
    )


def _spent(paper: Paper, row: int, cost: Cost, last: int) -> None:
    def total(column: str) -> str:
        there = f"'{NEW[1]}'!${column}$2:${column}${last}"
        return f"SUMIFS({there},'{NEW[1]}'!$C$2:$C${last},$A{row})"

    pay, overtime, employer = cost.spent
    formulas = {
        "B": (f"{total('D')}-{total('E')}", pay),
        "C": (total("F"), overtime),
        "D": (total("G"), cost.gross),
        "E": (total("J"), employer),
        "F": (f"D{row}+E{row}", cost.cost),
    }
    for column, (formula, value) in formulas.items():
        paper.formula(f"{column}{row}", formula, value, paper.money)


def _against(paper: Paper, row: int, cost: Cost) -> None:
    def planned(column: str) -> str:
        return f"INDEX(Budgets!${column}$2:${column}$7,MATCH($A{row},Budgets!$A$2:$A$7,0))"

    plan = "+".join(planned(column) for column in "BCD")
    paper.formula(f"G{row}", plan, cost.planned, paper.money)
    paper.formula(f"H{row}", f"F{row}-G{row}", cost.variance, paper.money)
    paper.formula(f"I{row}", f"F{row}/G{row}", cost.cost / cost.planned, paper.percent)
    lines = (("J", "B", "B"), ("K", "C", "C"), ("L", "E", "D"))
    for (column, spent, budget), value in zip(lines, cost.lines, strict=True):
        paper.formula(f"{column}{row}", f"{spent}{row}-{planned(budget)}", value, paper.money)
    names = ",".join(f'"{name}"' for name in BUDGET_LINES)
    largest = f"CHOOSE(MATCH(MAX(J{row}:L{row}),J{row}:L{row},0),{names})"
    found = cost.driver if cost.variance > 0 else "-"
    paper.formula(f"M{row}", f'IF(H{row}>0,{largest},"-")', found)


def dashboard(told: Story, paper: Paper) -> None:
    title = paper.book.add_format({"bold": True, "font_size": 16})
    paper.sheet.write_string("A1", f"{told.world.company}: payroll and talent {YEAR}", title)
    paper.sheet.set_column("A:L", 15)
    paper.sheet.hide_gridlines(2)
    _cards(told, paper)
    _figures_of_charts(told, paper)
    _charts(told, paper)
    paper.sheet.set_landscape()
    paper.sheet.set_paper(9)
    paper.sheet.fit_to_pages(1, 1)


def _cards(told: Story, paper: Paper) -> None:
    frame = {"border": 1, "border_color": "#22405C", "align": "center"}
    label = paper.book.add_format({**frame, "font_color": "#595959"})
    look = {**frame, "bold": True, "font_size": 14}
    money = paper.book.add_format({**look, "num_format": "#,##0.00"})
    count = paper.book.add_format({**look, "num_format": "0"})
    paper.sheet.set_row(3, 26)
    people = f"COUNTA('{NEW[2]}'!$A$2:$A${len(told.rated) + 1})"
    figures: tuple[tuple[str, int | Decimal, Any], ...] = (
        ("TotalGross", told.gross, money),
        ("TotalCost", told.cost, money),
        ("TotalCost-TotalBudget", told.variance, money),
        (people, len(told.rated), count),
    )
    for column, card, (formula, value, style) in zip((0, 3, 6, 9), CARDS, figures, strict=True):
        paper.sheet.merge_range(2, column, 2, column + 1, card, label)
        paper.sheet.merge_range(3, column, 3, column + 1, "", style)
        paper.formula(f"{'ADGJ'[column // 3]}4", formula, value, style)


def _figures_of_charts(told: Story, paper: Paper) -> None:
    """What three of the charts show, below them."""
    names = ("Month", "Gross pay", None, "Rating", "People", None, "Box", "People")
    paper.sheet.write_row(DATA - 1, 0, names, paper.bold)
    last = len(told.pay) + 1
    place = f"'{NEW[1]}'!$G$2:$G${last},'{NEW[1]}'!$B$2:$B${last}"
    for number, (_, gross) in enumerate(told.by_month, 1):
        row = DATA + number
        paper.formula(f"A{row}", f"DATE({YEAR},{number},1)", serial(number), paper.month)
        paper.formula(f"B{row}", f"SUMIFS({place},A{row})", gross, paper.money)
    rated = len(told.rated) + 1
    for row, rating in enumerate("ABCD", DATA + 1):
        paper.sheet.write_string(f"D{row}", rating)
        count = f"COUNTIF('{NEW[2]}'!$F$2:$F${rated},D{row})"
        paper.formula(f"E{row}", count, told.ratings[rating])
    for row, (box, _) in enumerate(BOXES.values(), DATA + 1):
        paper.sheet.write_string(f"G{row}", box)
        count = f"COUNTIF('{NEW[3]}'!$G$2:$G${rated},G{row})"
        paper.formula(f"H{row}", count, told.boxes[box])


def _axes(chart: Any, number: int) -> None:
    """Amounts in thousands; boxes from the best to the worst; people in whole numbers."""
    people = {"num_format": "0", "major_unit": 2, "major_gridlines": GREY}
    quiet = {"minor_tick_mark": "none"}
    if number < 2:
        chart.set_y_axis({"num_format": "#,##0,", "min": 0, "major_gridlines": GREY} | quiet)
    if number == 1:
        chart.set_x_axis({"num_format": "yyyy-mm", "text_axis": True})
    if number == 2:
        chart.set_y_axis(people | quiet)
    if number == 3:
        chart.set_y_axis({"reverse": True})
        chart.set_x_axis(people | quiet)


def _charts(told: Story, paper: Paper) -> None:
    top = DATA + 1
    plans = (
        ("column", f"Cost and budget by department, {THOUSAND}", NEW[4], "A", "FG", (2, 7)),
        ("column", f"Gross pay by month, {THOUSAND}", NEW[5], "A", "B", (top, top + 11)),
        ("column", "People by rating", NEW[5], "D", "E", (top, top + 3)),
        ("bar", "People by box", NEW[5], "G", "H", (top, top + 8)),
    )
    for number, (kind, title, sheet, names, columns, (first, last)) in enumerate(plans):
        chart = paper.book.add_chart({"type": kind})
        for column in columns:
            series = {
                "name": f"='{sheet}'!${column}${first - 1}",
                "categories": f"='{sheet}'!${names}${first}:${names}${last}",
                "values": f"='{sheet}'!${column}${first}:${column}${last}",
            }
            chart.add_series(series)
        _axes(chart, number)
        chart.set_title({"name": title, "name_font": {"size": 12}})
        chart.set_legend({"position": "bottom"} if number == 0 else {"none": True})
        chart.set_size({"width": 640, "height": 340})
        paper.sheet.insert_chart(5 + 18 * (number // 2), 6 * (number % 2), chart)
