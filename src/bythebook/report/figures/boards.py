"""The two boards: who reaches what was wanted, and what remains of it when all is looked at."""

from bythebook.report.figure import Figure
from bythebook.report.figures.drawing import Drawing, middle, worded
from bythebook.report.figures.intervals import PER_CENT, WIDTH, Frame, label, made, marked
from bythebook.report.table import Cell, Table

NAMES = ("evaluation",)


def conduct_board(table: Table) -> Figure:
    says = (
        "Open circle: the goal was reached. Full dot: and no rule was broken on the way (strict), "
        "with its 95 % interval. The gap between them is what a benchmark of end states cannot see."
    )
    title = "Goal reached, and reached by the rules"
    return _pairs(table, ("goal", "strict"), title, says, "conduct-board")


def deliverables_board(table: Table) -> Figure:
    says = (
        "Full dot: the score, the satisfied share of all weight, with its 95 % interval. Open "
        "circle: the share of runs with a score of 90 or more. A band: what undecided items leave "
        "open."
    )
    title = "Score, and how often it is enough"
    return _pairs(table, ("success", "score"), title, says, "deliverables-board")


def _pairs(table: Table, keys: tuple[str, str], title: str, says: str, name: str) -> Figure:
    """Two figures a row: the first as an open circle, the second as a dot with its interval."""
    first, second = keys
    labels = [label(row, NAMES) for row in table.rows]
    drawing = Drawing(WIDTH)
    frame = Frame(drawing, labels, PER_CENT)
    for number, row in enumerate(table.rows):
        y = frame.row(number, labels[number], published=row.published)
        one, other = _known(row.cell(first)), middle(row.cell(second))
        if one is not None and other is not None:
            drawing.line("f-span", frame.x(one), y, frame.x(other), y)
        marked(frame, row.cell(second), y, published=row.published)
        if one is not None:
            drawing.dot("f-open", frame.x(one), y, 6.5)
        frame.value(y, worded(row.cell(second)))
    frame.axis(len(table.rows))
    return made(table, drawing, title, says, name)


def _known(cell: Cell) -> float | None:
    """A figure that nothing void leaves open."""
    return float(cell.value) if isinstance(cell.value, int | float) else None
