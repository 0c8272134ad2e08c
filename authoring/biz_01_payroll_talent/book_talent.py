"""Annual Performance and Talent Grid of the reference."""

from authoring.biz_01_payroll_talent.paper import NEW, Paper
from authoring.biz_01_payroll_talent.rules import BOXES, Rated, Rules
from authoring.biz_01_payroll_talent.story import Story
from authoring.biz_01_payroll_talent.world import YEAR

PERFORMANCE = (
    "Employee ID",
    "Name",
    "Department at year end",
    "Annual score",
    "Rank",
    "Rating",
    "Q1",
    "Q2",
    "Q3",
    "Q4",
    "Weights present",
    "Rated in department",
)
GRID = (
    "Employee ID",
    "Name",
    "Department at year end",
    "Rated",
    "Performance band",
    "Potential",
    "Box",
    "Action",
)
MARKS = "GHIJ"
"""Columns of the four quarters."""


def performance(told: Story, paper: Paper) -> None:
    paper.header(PERFORMANCE, (12, 26, 14, 12, 8, 8, 7, 7, 7, 7, 10, 12))
    for row, one in enumerate(told.rated, 2):
        paper.sheet.write_string(f"A{row}", one.employee)
        name = f"INDEX(Roster!$B$2:$B$41,MATCH(A{row},Roster!$A$2:$A$41,0))"
        paper.formula(f"B{row}", name, one.name)
        paper.formula(f"C{row}", _december(told, row), one.department)
        _marks(told, paper, row, one)
        _rank(told, paper, row, one)
    paper.table(len(told.rated), len(PERFORMANCE))


def _december(told: Story, row: int) -> str:
    """The department of the year's last payroll line."""
    last = len(told.pay) + 1
    ids, months = (f"'{NEW[1]}'!${column}$2:${column}${last}" for column in "AB")
    match = f"MATCH(1,INDEX(({ids}=A{row})*({months}=DATE({YEAR},12,1)),0),0)"
    return f"INDEX('{NEW[1]}'!$C$2:$C${last},{match})"


def _marks(told: Story, paper: Paper, row: int, one: Rated) -> None:
    """The quarters' scores, and their weighted mean over the quarters that have one."""
    last = len(told.world.scores) + 1
    here = f"(TRIM(Performance!$A$2:$A${last})=$A{row})"
    for column, mark in zip(MARKS, one.marks, strict=True):
        these = f"{here}*(Performance!$B$2:$B${last}={column}$1)"
        value = f"SUMPRODUCT({these}*Performance!$C$2:$C${last})"
        found = f'IF(SUMPRODUCT({these})=0,"-",{value})'
        paper.formula(f"{column}{row}", found, "-" if mark is None else mark)
    weights = Rules().weights
    present = sum(w for w, mark in zip(weights, one.marks, strict=True) if mark is not None)
    terms = (f"ISNUMBER({column}{row})*WeightQ{q}" for q, column in enumerate(MARKS, 1))
    paper.formula(f"K{row}", "+".join(terms), present)
    terms = (f"N({column}{row})*WeightQ{q}" for q, column in enumerate(MARKS, 1))
    paper.formula(f"D{row}", f"ROUND(({'+'.join(terms)})/K{row},2)", one.score, paper.money)


def _rank(told: Story, paper: Paper, row: int, one: Rated) -> None:
    last = len(told.rated) + 1
    better = f'COUNTIFS($C$2:$C${last},C{row},$D$2:$D${last},">"&D{row})'
    paper.formula(f"E{row}", f"{better}+1", one.rank)
    paper.formula(f"L{row}", f"COUNTIFS($C$2:$C${last},C{row})", one.peers)
    top, bottom, upper = (f"ROUNDUP({name}*L{row},0)" for name in ("ShareA", "ShareD", "ShareToB"))
    rest = f'IF(E{row}>L{row}-{bottom},"D",IF(E{row}<={upper},"B","C"))'
    paper.formula(f"F{row}", f'IF(E{row}<={top},"A",{rest})', one.rating)


def grid(told: Story, paper: Paper) -> None:
    paper.header(GRID, (12, 26, 14, 8, 13, 10, 16, 24))
    boxes, actions = (
        ",".join(f'"{BOXES[band, rest][part]}"' for band in (1, 2, 3) for rest in (1, 2, 3))
        for part in (0, 1)
    )
    for row, one in enumerate(told.rated, 2):
        paper.sheet.write_string(f"A{row}", one.employee)
        pairs = (("B", "B", one.name), ("C", "C", one.department), ("D", "F", one.rating))
        for column, there, value in pairs:
            paper.formula(f"{column}{row}", f"'{NEW[2]}'!{there}{row}", value)
        paper.formula(f"E{row}", f'IF(D{row}="A",3,IF(D{row}="D",1,2))', one.band)
        potential = f"INDEX(Roster!$I$2:$I$41,MATCH(A{row},Roster!$A$2:$A$41,0))"
        paper.formula(f"F{row}", potential, one.potential)
        place = f"(E{row}-1)*3+F{row}"
        paper.formula(f"G{row}", f"CHOOSE({place},{boxes})", one.box)
        paper.formula(f"H{row}", f"CHOOSE({place},{actions})", one.action)
    paper.table(len(told.rated), len(GRID))
