"""Heat maps: rows by columns, each cell its figure on a ground that darkens with it."""

from bythebook.report.figure import Figure
from bythebook.report.figures.drawing import Drawing, middle, room, shortened, worded
from bythebook.report.figures.intervals import label, made
from bythebook.report.table import Cell, Column, Table

WIDE, HIGH = 92.0, 28.0
HEAD = 34.0
SHADES = 10
LIGHT = 7
"""Shades below this one bear dark letters."""
MOST_HEAD = 15
"""Letters of a column's heading in one line."""


def heat(table: Table, columns: list[Column], title: str, says: str) -> Figure | None:
    """Of columns in percent or points, 0 to 100."""
    if not columns:
        return None
    first = table.columns[0].key
    labels = [label(row, (first,)) for row in table.rows]
    left = min(300.0, room(labels))
    drawing = Drawing(left + len(columns) * WIDE + 4)
    for place, column in enumerate(columns):
        _heading(drawing, left + (place + 0.5) * WIDE, column.title)
    for number, row in enumerate(table.rows):
        y = HEAD + number * HIGH
        drawing.text("f-label", left - 12, y + HIGH / 2 + 4, labels[number], "end")
        for place, column in enumerate(columns):
            _cell(drawing, left + place * WIDE, y, row.cell(column.key))
    return made(table, drawing, title, says)


def _heading(drawing: Drawing, x: float, title: str) -> None:
    words = title.split()
    lines = [""]
    for word in words:
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) > MOST_HEAD and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    for place, text in enumerate(reversed(lines[:2])):
        drawing.text("f-soft", x, HEAD - 8 - 13 * place, shortened(text, MOST_HEAD + 2), "middle")


def _cell(drawing: Drawing, x: float, y: float, cell: Cell) -> None:
    at = middle(cell)
    if at is None:
        drawing.box("f-none", x + 1.5, y + 1.5, WIDE - 3, HIGH - 3)
        return
    shade = max(0, min(SHADES - 1, int(at / 100 * SHADES)))
    drawing.box(f"f-heat-{shade}", x + 1, y + 1, WIDE - 2, HIGH - 2)
    kind = "f-on-light" if shade < LIGHT else "f-on-dark"
    drawing.text(kind, x + WIDE / 2, y + HIGH / 2 + 4, worded(cell, 1), "middle")


def _but(table: Table, *keys: str) -> list[Column]:
    """The columns that hold figures of 0 to 100, without some."""
    return [
        column
        for column in table.columns[1:]
        if column.unit in ("percent", "points") and column.key not in keys
    ]


def domains(table: Table) -> Figure | None:
    says = "Score by domain. Columns with few tasks tell little: the table says how many there are."
    return heat(table, _but(table), "Where the work lies: score", says)


def domains_success(table: Table) -> Figure | None:
    says = "Share of runs with a score of 90 or more, by domain."
    return heat(table, _but(table), "Where the work lies: success", says)


def dimensions(table: Table) -> Figure | None:
    says = "Satisfied weight over all weight of the items of each dimension."
    return heat(table, _but(table), "What is right about it", says)


def levels(table: Table) -> Figure | None:
    says = "Share of satisfied items at each level of importance."
    return heat(table, _but(table), "How much it matters", says)


def harnesses(table: Table) -> Figure | None:
    says = "Score of a model under each agent program."
    return heat(table, _but(table, "gap"), "The same model in other hands", says)


def behaviours(table: Table) -> Figure | None:
    says = "Share of runs that show each behaviour. Counted from traces and verdicts, not guessed."
    return heat(table, _but(table), "How runs fail", says)
