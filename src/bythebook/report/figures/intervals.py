"""Rows of one figure with its interval: a forest of dots and whiskers, one row an evaluation."""

import re

from bythebook.report.figure import Figure
from bythebook.report.figures.drawing import Drawing, middle, room, shortened, steps, worded
from bythebook.report.table import Cell, Row, Table

WIDTH = 760.0
ROW, HEAD, FOOT = 26.0, 14.0, 26.0
PER_CENT = (0.0, 100.0)
FROM = re.compile(r" · (?:BizAgentBench|StartupBench), [^·]*$")


def forest(table: Table, key: str, names: tuple[str, ...], title: str, says: str) -> Figure:
    """`names`: columns whose texts label a row."""
    labels = [label(row, names) for row in table.rows]
    drawing = Drawing(WIDTH)
    frame = Frame(drawing, labels, PER_CENT)
    for number, row in enumerate(table.rows):
        y = frame.row(number, labels[number], published=row.published)
        marked(frame, row.cell(key), y, published=row.published)
        frame.value(y, worded(row.cell(key), 1))
    frame.axis(len(table.rows))
    return made(table, drawing, title, says)


def made(table: Table, drawing: Drawing, title: str, says: str, name: str = "") -> Figure:
    return Figure(
        id=name or f"{table.id}-figure",
        title=title,
        says=says,
        source=table.source,
        svg=drawing.svg(title, says),
        table=table,
    )


def label(row: Row, names: tuple[str, ...]) -> str:
    """What a row is called; of a published one `(paper)` stands for where it was published."""
    parts = [str(value) for name in names if (value := row.cell(name).value)]
    if not row.published:
        return shortened(" · ".join(parts))
    return shortened(" · ".join(FROM.sub("", part) for part in parts)) + " (paper)"


class Frame:
    """Labels to the left, a scale in the middle, values to the right."""

    def __init__(self, drawing: Drawing, labels: list[str], scale: tuple[float, float]) -> None:
        self.drawing = drawing
        self.left = min(320.0, room(labels))
        self.right = drawing.width - 78
        self.least, self.most = scale
        self.top = HEAD

    def x(self, value: float) -> float:
        share = (value - self.least) / ((self.most - self.least) or 1)
        return self.left + share * (self.right - self.left)

    def row(self, number: int, text: str, *, published: bool = False) -> float:
        """Where the row's middle is."""
        y = self.top + (number + 0.5) * ROW
        self.drawing.text(
            "f-published" if published else "f-label", self.left - 12, y + 4, text, "end"
        )
        self.drawing.line("f-grid", self.left, y, self.right, y)
        return y

    def value(self, y: float, text: str) -> None:
        self.drawing.text("f-value", self.drawing.width - 2, y + 4, text, "end")

    def axis(self, rows: int, unit: str = " %") -> None:
        bottom = self.top + rows * ROW
        for step in steps(self.least, self.most):
            x = self.x(step)
            self.drawing.line("f-axis", x, bottom, x, bottom + 4)
            self.drawing.text("f-soft", x, bottom + 17, f"{step:g}{unit}", "middle")


def marked(frame: Frame, cell: Cell, y: float, *, published: bool = False) -> None:
    """The interval, what void items leave open, and the figure itself."""
    if cell.low is not None and cell.high is not None:
        frame.drawing.line("f-whisker", frame.x(cell.low), y, frame.x(cell.high), y)
    if cell.least is not None and cell.most is not None:
        width = frame.x(cell.most) - frame.x(cell.least)
        frame.drawing.box("f-between", frame.x(cell.least), y - 4, width, 8)
    at = middle(cell)
    if at is not None:
        kind = "f-full f-published" if published else "f-full"
        frame.drawing.dot(kind, frame.x(at), y)


def conditions(table: Table) -> Figure | None:
    says = "Strict success by what an agent was told beforehand; whiskers are 95 % intervals."
    return forest(table, "strict", ("agent", "condition"), "What it helps to be told", says)


def caps(table: Table) -> Figure | None:
    says = "Strict success by how many calls were allowed, as a multiple of the golden's."
    return forest(table, "strict", ("agent", "cap"), "What fewer calls cost", says)


def simulators(table: Table) -> Figure | None:
    says = "Strict success by who spoke for the customer; whiskers are 95 % intervals."
    return forest(table, "strict", ("agent", "customer"), "Who speaks for the customer", says)
