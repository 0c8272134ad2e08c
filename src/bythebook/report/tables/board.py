"""A table of evaluations: one row each, one column a measure."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from bythebook.report.data import Evaluation
from bythebook.report.panel import Group, Measure, Panel
from bythebook.report.table import Cell, Column, Row, Table

EVALUATION = Column("evaluation", "evaluation")
TASKS = Column("tasks", "tasks", "count", "Tasks with a valid run.")
RUNS = Column("runs", "runs", "count", "Valid runs: ended by the agent, the customer or a limit.")


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """All of a table but its columns, rows and notes."""

    id: str
    title: str
    says: str
    suite: str
    source: str = ""

    def table(self, columns: Iterable[Column], rows: Iterable[Row], notes: Iterable[str]) -> Table:
        return Table(
            id=self.id,
            title=self.title,
            says=self.says,
            suite=self.suite,
            source=self.source,
            columns=tuple(columns),
            rows=tuple(rows),
            notes=tuple(notes),
        )


def groups_of(evaluations: Iterable[Evaluation]) -> tuple[Group, ...]:
    return tuple(Group(one.label, one.runs) for one in evaluations)


def measured(panel: Panel, measures: Sequence[Measure], *, ranked: bool = True) -> list[list[Cell]]:
    """Columns of cells, one a measure, each with a cell a group."""
    return [panel.cells(measure, ranked=ranked) for measure in measures]


def rows_of(
    panel: Panel, columns: Mapping[str, Sequence[Cell]], *, by: str = "", named: str = "evaluation"
) -> list[Row]:
    """A row a group: its name, tasks and runs, then the columns; the highest of column `by` first,
    without it in the order given."""
    rows = [
        Row(
            group.label,
            {
                named: Cell(group.label),
                "tasks": Cell(len({run.task for run in group.runs})),
                "runs": Cell(len(group.runs)),
                **{key: cells[place] for key, cells in columns.items()},
            },
        )
        for place, group in enumerate(panel.groups)
    ]
    return sorted(rows, key=lambda row: -height(row.cell(by))) if by else rows


def task_by_task(
    evaluations: Sequence[Evaluation], column: Column, cell: Callable[[Evaluation, str], Cell]
) -> tuple[list[Row], list[Column]]:
    """A row a task that any evaluation has runs of, and a column like `column` an evaluation."""
    columns = [
        replace(column, key=f"{column.key}{place}", title=one.label)
        for place, one in enumerate(evaluations, start=1)
    ]
    names = sorted({run.task for one in evaluations for run in one.runs})
    rows = [
        Row(
            name,
            {"task": Cell(name)}
            | {c.key: cell(one, name) for c, one in zip(columns, evaluations, strict=True)},
        )
        for name in names
    ]
    return rows, [Column("task", "task"), *columns]


def height(cell: Cell) -> float:
    """Where a cell stands in an order: its value, or the middle of the bounds that it lies in."""
    if isinstance(cell.value, int | float):
        return float(cell.value)
    if cell.least is not None and cell.most is not None:
        return (cell.least + cell.most) / 2
    return float("-inf")


def known(cell: Cell) -> float | None:
    """The value, where it is a number that is known."""
    return float(cell.value) if isinstance(cell.value, int | float) else None


def with_attempts(one: Evaluation) -> Group:
    """All attempts of an evaluation; those that were set aside as runs that reached nothing."""
    if not one.runs:
        return Group(one.label, ())
    lost = replace(one.runs[0], void=0, goal=False, strict=False, score=0.0, success=False)
    return Group(one.label, (*one.runs, *(replace(lost, task=a.task) for a in one.aside)))
