"""Several figures of different units side by side: one narrow forest each."""

from bythebook.report.figure import Figure
from bythebook.report.figures.drawing import Drawing, middle, room, steps, worded
from bythebook.report.figures.intervals import FOOT, HEAD, ROW, label, made
from bythebook.report.table import Cell, Table

WIDTH = 900.0
BETWEEN = 26.0
KEYS = ("turns", "documents", "calls")


def resources(table: Table) -> Figure | None:
    """What a run takes: turns, distinct documents, calls."""
    labels = [label(row, ("evaluation",)) for row in table.rows]
    drawing = Drawing(WIDTH)
    left = min(300.0, room(labels))
    wide = (WIDTH - left) / len(KEYS) - BETWEEN
    for number, text in enumerate(labels):
        drawing.text("f-label", left - 14, _y(number) + 4, text, "end")
    for place, key in enumerate(KEYS):
        cells = [row.cell(key) for row in table.rows]
        panel = _Panel(drawing, left + place * (wide + BETWEEN), wide, cells)
        drawing.text("f-label", panel.left, HEAD + 2, table.column(key).title)
        panel.draw(cells)
    says = "Means of a run, with 95 % intervals; each on a scale of its own that begins at nothing."
    return made(table, drawing, "What a run takes", says)


def _y(number: int) -> float:
    return HEAD + 16 + (number + 0.5) * ROW


class _Panel:
    def __init__(self, drawing: Drawing, left: float, wide: float, cells: list[Cell]) -> None:
        self.drawing, self.left = drawing, left
        self.wide = wide - 40
        """The rest is for the figure itself."""
        highest = [cell.high if cell.high is not None else middle(cell) or 0 for cell in cells]
        self.steps = steps(0, max([*highest, 1.0]), 2)

    def x(self, value: float) -> float:
        return self.left + self.wide * value / self.steps[-1]

    def draw(self, cells: list[Cell]) -> None:
        bottom = _y(len(cells)) - ROW / 2
        for step in self.steps:
            self.drawing.line("f-grid", self.x(step), HEAD + 12, self.x(step), bottom)
            self.drawing.text("f-soft", self.x(step), bottom + FOOT - 10, f"{step:g}", "middle")
        for number, cell in enumerate(cells):
            at, y = middle(cell), _y(number)
            if cell.low is not None and cell.high is not None:
                self.drawing.line("f-whisker", self.x(cell.low), y, self.x(cell.high), y)
            if at is not None:
                self.drawing.dot("f-full", self.x(at), y, 4)
                end = self.left + self.wide + 38
                self.drawing.text("f-soft", end, y + 4, worded(cell, 1), "end")
