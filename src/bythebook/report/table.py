"""The one form of a table, whatever shows it: terminal, Markdown, CSV, LaTeX, HTML or the site.

Values stand in the unit of their column: a rate of 0.64 is 64.0 under `percent`, a score of 0.7367
is 73.67 under `points`. Nothing here is rounded; `render.words` rounds when a value is shown.
"""

from typing import Literal

import msgspec

Unit = Literal["text", "percent", "points", "count", "ratio", "minutes", "usd", "tokens"]
"""percent: a share, 0 to 100. points: a score, 0 to 100, or a difference of scores or shares.
count: of things, or the mean of such. ratio: a bare number."""

Mark = Literal["", "best", "second", "tied"]
"""Of a column with a better end, as far as intervals tell: see `statistics.ranks`. `tied`: not to
be told from the best value of the column, or that value itself where another one is tied."""

Value = float | int | str | None


class Cell(msgspec.Struct, frozen=True, omit_defaults=True):
    """One figure, how sure it is, and what it was taken over."""

    value: Value = None
    """None: there is nothing to say; `note` may tell why."""
    low: float | None = None
    """Bounds of the 95 % interval, in the column's unit."""
    high: float | None = None
    least: float | None = None
    """Bounds of the value itself while something is void; the value is None then, and the interval
    reaches from the lower end under `least` to the upper end under `most`."""
    most: float | None = None
    n: int | None = None
    """What the value was taken over: runs, tasks or items, as the table's notes say."""
    mark: Mark = ""
    note: str = ""


EMPTY = Cell()


class Column(msgspec.Struct, frozen=True, omit_defaults=True):
    """What its figures are, and in which unit."""

    key: str
    title: str
    unit: Unit = "text"
    says: str = ""
    """What the figures are: definition, formula, source."""
    better: Literal["high", "low", ""] = ""
    """Which end is the good one, where one is."""


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a table, measured here or published."""

    key: str
    """Of a measured row the label of its evaluation, or what it stands for (a domain, a task)."""
    cells: dict[str, Cell]
    """By the column's key; a missing one is empty."""
    published: bool = False
    """Taken from a paper, not measured here."""

    def cell(self, key: str) -> Cell:
        """An empty one where the row has none."""
        return self.cells.get(key, EMPTY)


class Table(msgspec.Struct, frozen=True, omit_defaults=True):
    """One table. The first column names the rows."""

    id: str
    title: str
    says: str
    """Caption: what it shows and how to read it."""
    suite: str
    """`conduct` or `deliverables`."""
    source: str
    """The paper's table or figure that it is the like of; empty where the papers have none."""
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    """What must be known to read it: denominators, what is void or missing, how much of the papers'
    benchmark is here. Without rows the first note says why there are none."""

    def column(self, key: str) -> Column:
        """Raises `KeyError`."""
        for column in self.columns:
            if column.key == key:
                return column
        raise KeyError(key)
