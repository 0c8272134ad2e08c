"""A cell in words: the one place that rounds.

73.67 [69.9, 77.3]      a figure and its 95 % interval
70.1 - 74.2             what a figure lies between while something is void
"""

from bythebook.report.table import Cell, Column, Row, Table, Unit

DECIMALS: dict[Unit, int] = {
    "percent": 1,
    "points": 2,
    "count": 1,
    "minutes": 1,
    "usd": 2,
    "tokens": 0,
}
NOTHING = "-"
SIGNS: dict[Unit, str] = {"percent": "%", "minutes": "min", "usd": "USD"}


def heading(column: Column) -> str:
    """`strict success, %`."""
    sign = SIGNS.get(column.unit, "")
    return f"{column.title}, {sign}" if sign else column.title


def number(value: float | int, unit: Unit) -> str:
    """A ratio to three significant digits, all else to the decimals of its unit."""
    if isinstance(value, int) and unit != "percent":
        return f"{value:,}"
    if unit == "ratio":
        return f"{value:.3g}"
    return f"{value:,.{DECIMALS.get(unit, 1)}f}"


def bound(value: float, unit: Unit) -> str:
    """An end of an interval: a decimal less than the figure of a score has."""
    return f"{value:,.1f}" if unit == "points" else number(float(value), unit)


def figure(cell: Cell, unit: Unit) -> str:
    """The value alone, or the bounds that it lies between."""
    if isinstance(cell.value, str):
        return cell.value
    if cell.value is not None:
        return number(cell.value, unit)
    if cell.least is not None and cell.most is not None:
        return f"{bound(cell.least, unit)} - {bound(cell.most, unit)}"
    return NOTHING


def interval(cell: Cell, unit: Unit) -> str:
    """`[69.9, 77.3]`, or nothing."""
    if cell.low is None or cell.high is None:
        return ""
    return f"[{bound(cell.low, unit)}, {bound(cell.high, unit)}]"


def aside(cell: Cell, row: Row) -> str:
    """What stands in brackets behind a figure: its n, where that is not the row's number of runs,
    and its note."""
    runs = row.cell("runs").value
    n = "" if cell.n is None or cell.n == runs or runs is None else f"n = {cell.n:,}"
    told = ", ".join(filter(None, (n, cell.note)))
    return f"({told})" if told else ""


def words(cell: Cell, column: Column, row: Row) -> str:
    """All of a cell in one line."""
    unit = column.unit
    parts = (figure(cell, unit), interval(cell, unit), aside(cell, row))
    return " ".join(filter(None, parts))


TIED = "="
"""Behind a figure that is tied with the best."""


def source(table: Table) -> str:
    """`As StartupBench, Table 3.`, or nothing."""
    return f"As {table.source}." if table.source else ""


def sentence(title: str) -> str:
    """A title with its full stop, unless it ends a sentence already."""
    return title if title.endswith(("?", "!", ".")) else f"{title}."
