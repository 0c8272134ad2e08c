"""Attendance Cleaning and Monthly Payroll of the reference."""

from datetime import date
from decimal import Decimal

from authoring.biz_01_payroll_talent.inputs import raw_tables, rows_of
from authoring.biz_01_payroll_talent.paper import NEW, Paper
from authoring.biz_01_payroll_talent.rules import Pay, Rules
from authoring.biz_01_payroll_talent.story import Story
from authoring.biz_01_payroll_talent.world import YEAR

PAYROLL = (
    "Employee ID",
    "Month",
    "Department",
    "Base salary",
    "Absence deduction",
    "Overtime pay",
    "Gross pay",
    "Contribution base",
    "Employee contributions",
    "Employer contributions",
    "Cumulative taxable income",
    "Tax this month",
    "Net pay",
    "Employment cost",
    "Tax due to date",
    "Withheld before",
    "Raise in force",
    "Transfer in force",
)
RULES: tuple[tuple[str, str | int | Decimal, str], ...] = (
    ("OvertimeMultiple", Decimal("1.5"), "rule 3"),
    ("MonthDays", Decimal("21.75"), "rule 3"),
    ("DayHours", 8, "rule 3"),
    ("CutoffDay", 15, "rule 2"),
    ("Counts", "approved", "rule 2: status of a change that was made"),
    ("LowestBase", 0, "rule 5: floor"),
    ("HighestBase", 0, "rule 5: cap"),
    ("HealthFromJuly", 0, "note from finance"),
    ("GeneralAllowance", 4500, "rule 6"),
    ("LowestTax", 0, "rule 6: nothing is paid back"),
    ("WeightQ1", Decimal("0.2"), "rule 8"),
    ("WeightQ2", Decimal("0.2"), "rule 8"),
    ("WeightQ3", Decimal("0.25"), "rule 8"),
    ("WeightQ4", Decimal("0.35"), "rule 8"),
    ("ShareA", Decimal("0.2"), "rule 10"),
    ("ShareD", Decimal("0.1"), "rule 10"),
    ("ShareToB", Decimal("0.6"), "rule 10"),
)
"""Name, value, where it comes from; the rest is filled from the sheets or the story."""
FROM_SHEETS = {"LowestBase": "Contributions!$B$2", "HighestBase": "Contributions!$C$2"}


def cleaning(told: Story, paper: Paper) -> None:
    """One line per employee-month, each read from the line of Attendance that counts."""
    names = ("Employee ID", "Month", "Unpaid absence (days)", "Overtime (hours)")
    source = ("Source row", "Emp as exported", "Month as exported", "Overtime as exported")
    paper.header(names + source, (13, 10, 12, 12, 10, 14, 14, 14))
    rows, raw = rows_of(told), raw_tables(told)[1].rows
    day = paper.book.add_format({"num_format": "yyyy-mm-dd"})
    ordered = sorted(told.lines, key=lambda line: (line.employee, line.month))
    for row, line in enumerate(ordered, 2):
        at = rows[line.employee, line.month]
        exported = (_held(raw[at - 2][column]) for column in (0, 1, 3))
        paper.sheet.write_number(f"E{row}", at)
        for column, letter, value in zip("FGH", "ABD", exported, strict=True):
            there = f"INDEX(Attendance!${letter}:${letter},E{row})"
            paper.formula(f"{column}{row}", there, value, day if column == "G" else None)
        digits = f'SUBSTITUTE(SUBSTITUTE(UPPER(F{row}),"EMP",""),CHAR(160)," ")'
        paper.formula(f"A{row}", f'"EMP"&TEXT(VALUE(TRIM({digits})),"000")', line.employee)
        paper.formula(f"B{row}", _month(f"G{row}"), serial(line.month), paper.month)
        paper.formula(f"C{row}", f"INDEX(Attendance!$C:$C,E{row})", line.absence)
        typed = f'VALUE(TRIM(SUBSTITUTE(H{row},CHAR(160)," ")))'
        paper.formula(f"D{row}", f"IF(ISTEXT(H{row}),{typed},H{row})", line.overtime)
    paper.table(len(ordered), 8)


def _held(value: object) -> str | int | Decimal:
    """What a cell holds of a raw value: a date is a number."""
    if isinstance(value, str | int | Decimal):
        return value
    return serial(int(str(value)[5:7]))


def serial(month: int) -> int:
    """The number by which a spreadsheet knows the first of the month."""
    return (date(YEAR, month, 1) - date(1899, 12, 30)).days


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _month(cell: str) -> str:
    """The first of the month out of any of the five spellings."""
    names = "{" + ",".join(f'"{name}"' for name in MONTHS) + "}"
    slash = f'IF(MID({cell},5,1)="/",VALUE(MID({cell},6,2)),VALUE(RIGHT({cell},2)))'
    number = f"IFERROR(MATCH(LEFT({cell},3),{names},0),{slash})"
    return f"DATE({YEAR},IF(ISNUMBER({cell}),MONTH({cell}),{number}),1)"


def payroll(told: Story, paper: Paper) -> None:
    widths = (12, 9, 13, *(13,) * 12, 13, 11, 11)
    paper.header(PAYROLL, widths)
    day = paper.book.add_format({"num_format": "yyyy-mm-dd;;"})
    employee = None
    for row, line in enumerate(told.pay, 2):
        first = line.employee != employee
        employee = line.employee
        paper.sheet.write_string(f"A{row}", line.employee)
        paper.sheet.write_number(f"B{row}", serial(line.month), paper.month)
        _changes(told, paper, row, line)
        _money(paper, row, line)
        _tax(told, paper, row, line, first)
    paper.sheet.set_column("Q:R", 12, day)
    paper.table(len(told.pay), 14)
    _rules(told, paper)


def _changes(told: Story, paper: Paper, row: int, line: Pay) -> None:
    """Base and department by the latest change that is in force."""
    day = paper.book.add_format({"num_format": "yyyy-mm-dd;;"})
    reached = f"(Adjustments!$C$2:$C$10<=DATE({YEAR},MONTH(B{row}),CutoffDay))"
    mine = f"(TRIM(Adjustments!$A$2:$A$10)=A{row})*(Adjustments!$F$2:$F$10=Counts)"
    for column, kind in (("Q", "Raise"), ("R", "Transfer")):
        these = f'{mine}*(Adjustments!$B$2:$B$10="{kind}")'
        found = f"SUMPRODUCT(MAX({these}*{reached}*Adjustments!$C$2:$C$10))"
        paper.formula(f"{column}{row}", found, latest(told, line, kind), day)
    home = f"MATCH(A{row},Roster!$A$2:$A$41,0)"
    at = f'{mine}*(Adjustments!$B$2:$B$10="Transfer")*(Adjustments!$C$2:$C$10=R{row})'
    moved = f"INDEX(Adjustments!$E$2:$E$10,SUMPRODUCT({at}*(ROW(Adjustments!$A$2:$A$10)-1)))"
    roster = f"INDEX(Roster!$C$2:$C$41,{home})"
    paper.formula(f"C{row}", f"IF(R{row}=0,{roster},{moved})", line.department)
    at = f'{mine}*(Adjustments!$B$2:$B$10="Raise")*(Adjustments!$C$2:$C$10=Q{row})'
    raised = f"SUMPRODUCT({at}*Adjustments!$D$2:$D$10)"
    roster = f"INDEX(Roster!$G$2:$G$41,{home})"
    paper.formula(f"D{row}", f"IF(Q{row}=0,{roster},{raised})", line.base, paper.money)


def latest(told: Story, line: Pay, kind: str) -> int:
    """The day of the latest change in force, as a number; 0 for none."""
    days = [
        (change.day - date(1899, 12, 30)).days
        for change in told.world.changes
        if change.employee == line.employee
        and change.kind == kind
        and change.status == "approved"
        and change.day <= date(YEAR, line.month, Rules().cutoff)
    ]
    return max(days, default=0)


def _money(paper: Paper, row: int, line: Pay) -> None:
    def hours(column: str) -> str:
        place = f"'{NEW[0]}'!${column}$2:${column}$500"
        keys = (f"'{NEW[0]}'!$A$2:$A$500,A{row}", f"'{NEW[0]}'!$B$2:$B$500,B{row}")
        return f"SUMIFS({place},{keys[0]},{keys[1]})"

    july = f"IF(B{row}>=DATE({YEAR},7,1),HealthFromJuly-Contributions!$E$3,0)"
    formulas = {
        "E": (f"ROUND(D{row}/MonthDays*{hours('C')},2)", line.absence),
        "F": (f"ROUND(D{row}/MonthDays/DayHours*OvertimeMultiple*{hours('D')},2)", line.overtime),
        "G": (f"D{row}-E{row}+F{row}", line.gross),
        "H": (f"MIN(MAX(D{row},LowestBase),HighestBase)", line.contribution_base),
        "I": (f"ROUND(H{row}*SUM(Contributions!$D$2:$D$5),2)", line.own),
        "J": (f"ROUND(H{row}*(SUM(Contributions!$E$2:$E$5)+{july}),2)", line.employer),
        "M": (f"G{row}-I{row}-L{row}", line.net),
        "N": (f"G{row}+J{row}", line.cost),
    }
    for column, (formula, value) in formulas.items():
        paper.formula(f"{column}{row}", formula, value, paper.money)


def _tax(told: Story, paper: Paper, row: int, line: Pay, first: bool) -> None:
    home = f"INDEX(Roster!$H$2:$H$41,MATCH(A{row},Roster!$A$2:$A$41,0))"
    before = "0" if first else f"K{row - 1}"
    income = f"{before}+G{row}-I{row}-GeneralAllowance-{home}"
    paper.formula(f"K{row}", income, line.taxable, paper.money)
    held = f"MAX(0,K{row})"
    rate, less = (
        f"LOOKUP({held},'Tax Table'!$A$2:$A$6,'Tax Table'!${column}$2:${column}$6)"
        for column in "BC"
    )
    paper.formula(f"O{row}", f"ROUND({held}*{rate}-{less},2)", line.due, paper.money)
    withheld = sum(
        (o.tax for o in told.pay if o.employee == line.employee and o.month < line.month),
        Decimal(0),
    )
    paper.formula(f"P{row}", "0" if first else f"P{row - 1}+L{row - 1}", withheld, paper.money)
    paper.formula(f"L{row}", f"ROUND(MAX(LowestTax,O{row}-P{row}),2)", line.tax, paper.money)


def _rules(told: Story, paper: Paper) -> None:
    """The numbers of the rules, named, well to the right of the table."""
    sheet = paper.sheet
    sheet.write_row("U1", ("Rule", "Value", "Source"), paper.bold)
    sheet.set_column("U:U", 19)
    sheet.set_column("W:W", 42)
    for row, (name, value, source) in enumerate(RULES, 2):
        sheet.write_string(f"U{row}", name)
        sheet.write_string(f"W{row}", source)
        paper.book.define_name(name, f"='{paper.name}'!$V${row}")
        if name in FROM_SHEETS:
            known = {"LowestBase": 6000, "HighestBase": 28000}[name]
            paper.formula(f"V{row}", FROM_SHEETS[name], known)
        elif isinstance(value, str):
            sheet.write_string(f"V{row}", value)
        else:
            sheet.write_number(
                f"V{row}", float(told.world.july if name == "HealthFromJuly" else value)
            )
