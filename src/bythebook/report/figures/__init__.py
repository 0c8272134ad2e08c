"""Figures, drawn from the tables that hold the same numbers.

A figure is one function from a table to a drawing; FIGURES says which table each one shows.
Colours are CSS classes (`figure.css`), so that a drawing is readable on light and dark ground; what
a colour says is said by a shape or a word as well.
"""

from collections.abc import Callable, Iterable, Iterator

from bythebook.report.figure import Figure
from bythebook.report.figures.boards import conduct_board, deliverables_board
from bythebook.report.figures.heat import (
    behaviours,
    dimensions,
    domains,
    domains_success,
    harnesses,
    levels,
)
from bythebook.report.figures.intervals import caps, conditions, simulators
from bythebook.report.figures.lines import reliability
from bythebook.report.figures.multiples import resources
from bythebook.report.table import Table

Draw = Callable[[Table], Figure | None]
"""None: there is nothing to draw."""

FIGURES: dict[str, Draw] = {
    "conduct": conduct_board,
    "pass-k": reliability,
    "resources": resources,
    "conditions": conditions,
    "caps": caps,
    "simulators": simulators,
    "conduct-behaviours": behaviours,
    "deliverables": deliverables_board,
    "domains": domains,
    "domains-success": domains_success,
    "dimensions": dimensions,
    "levels": levels,
    "harnesses": harnesses,
    "deliverables-behaviours": behaviours,
}
"""By the id of the table that is drawn."""


def figures_of(tables: Iterable[Table]) -> Iterator[Figure]:
    """The figures of those tables that have something to show, in the order of the tables."""
    for table in tables:
        draw = FIGURES.get(table.id)
        figure = draw(table) if draw is not None and table.rows else None
        if figure is not None:
            yield figure
