"""The files an agent gets: the raw workbook, the rules, last year's rules, a note from finance."""

from pathlib import Path

from authoring.biz_01_payroll_talent.rules import (
    BOXES,
    BRACKETS,
    BUDGET_LINES,
    CAP,
    FLOOR,
    HEALTH,
    SCHEMES,
)
from authoring.biz_01_payroll_talent.story import Story
from authoring.biz_01_payroll_talent.world import QUARTERS, YEAR, Line
from authoring.parts.dice import Dice
from authoring.parts.dirt import Dirt
from authoring.parts.invariants import invariant
from authoring.parts.numbers import percent
from authoring.parts.pdf import Sheetwork, write_pdf
from authoring.parts.scan import scan_page
from authoring.parts.tables import Table, Value, write_workbook
from authoring.parts.word import Letter, write_docx

BOOK = "people-and-pay-2024.xlsx"
RULES = "pay-rules-2024.pdf"
OLD_RULES = "pay-rules-2023.docx"
FINANCE = "note-from-finance.md"
CURRENCY = "TVC"
RAW = (
    "Roster",
    "Attendance",
    "Performance",
    "Adjustments",
    "Contributions",
    "Tax Table",
    "Budgets",
)
TEXTS = Path(__file__).with_name("texts")
AS_TEXT = 8
"""Lines whose overtime is a number typed as text."""


def text(name: str, **values: str) -> str:
    """One of the recipe's texts, its places in braces filled."""
    return (TEXTS / name).read_text("utf-8").format(**values)


def raw_tables(told: Story) -> tuple[Table, ...]:
    """The seven sheets, as the systems exported them."""
    return (
        _roster(told),
        _attendance(told),
        _performance(told),
        _adjustments(told),
        Table(
            RAW[4],
            ("Scheme", "Base floor", "Base cap", "Employee rate", "Employer rate"),
            tuple((name, FLOOR, CAP, own, employer) for name, own, employer in SCHEMES),
            formats={"Employee rate": "0.0%", "Employer rate": "0.0%"},
        ),
        Table(
            RAW[5],
            ("Cumulative taxable income above", "Rate", "Less"),
            BRACKETS,
            formats={"Rate": "0%"},
        ),
        Table(
            RAW[6],
            ("Department", *BUDGET_LINES),
            tuple((cost.department, *cost.budget) for cost in told.costs),
            formats=dict.fromkeys(BUDGET_LINES, "#,##0"),
        ),
    )


def _roster(told: Story) -> Table:
    header = (
        "Employee ID",
        "Name",
        "Department",
        "Grade",
        "Hire date",
        "Leaving date",
        "Base salary",
        "Personal allowance",
        "Potential",
    )
    rows: list[tuple[Value, ...]] = [
        (
            one.id,
            one.name,
            one.department,
            one.grade,
            one.hired,
            one.left,
            one.base,
            one.personal,
            one.potential,
        )
        for one in told.world.employees
    ]
    return Table(RAW[0], header, tuple(rows), widths={"Name": 26})


def _attendance(told: Story) -> Table:
    dirt = Dirt("attendance", told.world.seed)
    lines = told.world.lines
    extra = [line for line in lines if line.overtime and line.kind == "plain"]
    typed = Dice("typed", told.world.seed).sample(extra, AS_TEXT)
    rows: list[tuple[Value, ...]] = []
    for line in lines:
        overtime: Value = line.overtime
        if line in typed:
            overtime = dirt.dice.pick((f"{line.overtime} ", f" {line.overtime}"))
        month = dirt.month(YEAR, line.month)
        rows.append((dirt.id(line.employee), month, line.absence, overtime, line.note or None))
    header = ("Emp", "Month", "Unpaid absence (days)", "Overtime (hours)", "Note")
    return Table(RAW[1], header, tuple(rows), widths={"Note": 20})


def rows_of(told: Story) -> dict[tuple[str, int], int]:
    """(employee, month) to the row of the sheet Attendance that counts."""
    numbered = zip(range(2, 2 + len(told.world.lines)), told.world.lines, strict=True)
    return {(line.employee, line.month): row for row, line in numbered if line in told.lines}


def _performance(told: Story) -> Table:
    dice = Dice("spaces", told.world.seed)
    rows: list[tuple[Value, ...]] = []
    for quarter in QUARTERS:
        for one in told.world.employees:
            if (one.id, quarter) in told.world.scores:
                name = f"{one.id} " if dice.chance(9) else one.id
                rows.append((name, f"Q{quarter}", told.world.scores[one.id, quarter]))
    spaced = {str(row[0]).strip() for row in rows if str(row[0]).endswith(" ")}
    rated = {row.employee for row in told.rated}
    invariant(len(spaced & rated) >= 5, "ids with spaces among the scores")
    return Table(RAW[2], ("Employee ID", "Quarter", "Score"), tuple(rows))


def _adjustments(told: Story) -> Table:
    header = ("Employee ID", "Type", "Effective date", "New base", "New department", "Status")
    rows: list[tuple[Value, ...]] = []
    for number, change in enumerate(told.world.changes):
        name = {1: f" {change.employee}", 2: f"{change.employee} "}.get(number, change.employee)
        rows.append((name, change.kind, change.day, change.base, change.department, change.status))
    return Table(RAW[3], header, tuple(rows))


def kinds(told: Story, kind: str) -> tuple[Line, ...]:
    return tuple(line for line in told.world.lines if line.kind == kind)


ANNEX = (
    "# Annex A - performance and talent (signed)",
    "",
    "8.  The annual score weighs the quarters 20 % (Q1), 20 % (Q2), 25 % (Q3) and",
    "    35 % (Q4). A quarter in which somebody was not employed from its first day",
    "    has no score; the others then keep their proportions (divide by the sum of",
    "    their weights). The score has two decimals.",
    "",
    "9.  Everybody in service on 31 December is rated. Leavers are not.",
    "",
    "10. Forced distribution within the department of 31 December, n = people rated",
    "    there, rank 1 = best score:",
    "      A  the best ROUNDUP(20 % of n)",
    "      D  the last ROUNDUP(10 % of n)",
    "      B  the rest down to rank ROUNDUP(60 % of n)",
    "      C  whoever remains",
    "",
    "11. Performance band: A = 3, B and C = 2, D = 1. Potential: 1 to 3, as in the",
    "    roster. Box and action, by band / potential:",
    *(f"      {band} / {rest}   {box} - {act}" for (band, rest), (box, act) in BOXES.items()),
    "",
    "Read and agreed, 18 December 2023",
)


def write_inputs(told: Story, folder: Path) -> None:
    drawn = told.world
    tables = raw_tables(told)
    write_workbook(folder / BOOK, tables, "People and pay 2024", "People department")
    page = scan_page(ANNEX, Dice("scan", drawn.seed), stamp="PEOPLE DEPT - 18 DEC 2023")
    around = Sheetwork(
        title="Pay and performance rules 2024",
        author="People department",
        header=drawn.company,
        footer="HR-07/2024",
        points=8.8,
    )
    write_pdf(folder / RULES, [text("pay-rules-2024.md", company=drawn.company), page], around)
    letter = Letter(title="Pay rules 2023", author="People department", header=drawn.company)
    write_docx(folder / OLD_RULES, text("pay-rules-2023.md"), letter)
    note = text("note-from-finance.md", new=percent(drawn.july), old=percent(HEALTH))
    (folder / FINANCE).write_text(note, "utf-8", newline="\n")
