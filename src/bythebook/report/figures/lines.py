"""Reliability: the share of tasks in which every one of k runs succeeds, over k."""

from bythebook.report.figure import Figure
from bythebook.report.figures.drawing import Drawing, middle, steps
from bythebook.report.figures.intervals import label, made
from bythebook.report.table import Row, Table

WIDTH, HEIGHT = 760.0, 300.0
LEFT, RIGHT, TOP = 44.0, 530.0, 12.0
SERIES, DASHES = 8, 4
APART = 14.0
"""Least distance of two labels."""


def reliability(table: Table) -> Figure | None:
    """None with a single k: there is no line."""
    keys = [column.key for column in table.columns if column.key.startswith("pass_")]
    if len(keys) < 2:
        return None
    drawing = Drawing(WIDTH)
    _axes(drawing, len(keys))
    ends: list[tuple[float, int, Row]] = []
    for number, row in enumerate(table.rows):
        last = _line(drawing, row, keys, number)
        if last is not None:
            ends.append((last, number, row))
    _labels(drawing, ends)
    says = (
        "pass^k: over all subsets of k runs of a task, the share in which every run is a strict "
        "success; mean over tasks. A flat line is an agent that does the same every time."
    )
    return made(table, drawing, "How steady it is", says)


def _x(k: int, most: int) -> float:
    return LEFT + (RIGHT - LEFT) * (k - 1) / (most - 1)


def _y(value: float) -> float:
    return TOP + (HEIGHT - TOP) * (1 - value / 100)


def _axes(drawing: Drawing, most: int) -> None:
    for step in steps(0, 100):
        drawing.line("f-grid", LEFT, _y(step), RIGHT, _y(step))
        drawing.text("f-soft", LEFT - 8, _y(step) + 4, f"{step:g}", "end")
    for k in range(1, most + 1):
        drawing.text("f-soft", _x(k, most), HEIGHT + 18, f"k = {k}", "middle")


def _line(drawing: Drawing, row: Row, keys: list[str], number: int) -> float | None:
    """Draws one evaluation; the height at which it ends."""
    points = [(k, middle(row.cell(key))) for k, key in enumerate(keys, 1)]
    there = [(_x(k, len(keys)), _y(value)) for k, value in points if value is not None]
    if not there:
        return None
    series = f"f-s{number % SERIES + 1}"
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in there)
    drawing.path(f"f-line {series} f-d{number // SERIES % DASHES + 1}", path, HEIGHT)
    for x, y in there:
        drawing.dot(f"f-point {series}", x, y, 4)
    return there[-1][1]


def _labels(drawing: Drawing, ends: list[tuple[float, int, Row]]) -> None:
    """At the end of each line, moved apart where lines end together."""
    free = 0.0
    for end, number, row in sorted(ends, key=lambda one: one[:2]):
        y = max(end, free)
        free = y + APART
        text = label(row, ("evaluation",))
        drawing.text(f"f-s{number % SERIES + 1}", RIGHT + 12, y + 4, text)
