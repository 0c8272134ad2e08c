"""The papers' tables, read from the YAML files that stand beside this module.

Every figure is kept with the words it was taken from and their line, so that it can be looked up.
A figure that the text does not give has no cell: nothing is filled in by guessing.
"""

from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from bythebook.errors import unknown
from bythebook.report.table import Unit
from bythebook.yamlfile import load, load_each

FOLDER = Path(__file__).parent
PAPERS = FOLDER / "papers.yaml"


class Paper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A paper whose figures ship, and the text that they were read from."""

    name: str
    title: str
    suite: Literal["conduct", "deliverables"]
    text: str
    """Name of the text file that lines are counted in."""
    sha256: str
    """Of that file."""
    says: str
    """What kind of text it is, and what it lacks."""


class Quoted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A figure, and where it stands."""

    value: Decimal
    """Digits as printed: 64.0 stays 64.0."""
    quote: str
    """Words of that line, letter by letter but for the kinds of hyphens, spaces and ligatures."""
    line: int
    nth: int = 1
    """Which of the quote's numbers it is; a number spelled out counts as one."""
    note: str = ""


class Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the name of a row stands."""

    quote: str
    line: int


class PaperColumn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: str
    title: str
    unit: Unit
    better: Literal["high", "low", ""] = ""
    tasks: Quoted | None = None
    """The tasks that this column is over, where they are not the table's."""


class PaperRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of a paper's table, figures as printed."""

    key: str
    name: str
    named: Named | None = None
    """None where the name is ours."""
    runs: Quoted | None = None
    """Runs of a task, where they are not the table's."""
    cells: dict[str, Quoted] = {}
    """By the column's key. A figure that is not in the text has none."""


class PaperTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One table or figure of a paper, or what its prose tells."""

    id: str
    paper: str
    where: str
    """`Table 3`, `Figure 2`, `Prose`."""
    title: str
    says: str
    columns: tuple[PaperColumn, ...]
    rows: tuple[PaperRow, ...]
    tasks: Quoted | None = None
    runs: Quoted | None = None
    """Runs of each task; None where the text does not say."""
    notes: tuple[str, ...] = ()

    def row(self, key: str) -> PaperRow:
        """Raises `ContentError`."""
        for row in self.rows:
            if row.key == key:
                return row
        raise unknown("row", key, [row.key for row in self.rows], where=self.id)

    def column(self, key: str) -> PaperColumn:
        """Raises `ContentError`."""
        for column in self.columns:
            if column.key == key:
                return column
        raise unknown("column", key, [column.key for column in self.columns], where=self.id)

    def cell(self, row: str, column: str) -> Quoted | None:
        """None where the text gives no figure. Raises `ContentError` for an unknown name."""
        return self.row(row).cells.get(self.column(column).key)


@cache
def papers() -> dict[str, Paper]:
    """By key: `bizagentbench`, `startupbench`."""
    return load_each(PAPERS, Paper)


@cache
def paper_tables() -> dict[str, PaperTable]:
    """All tables by id, in the order of papers and of their files' names.

    Raises `ContentError` for a file that does not read or says what cannot be.
    """
    files = sorted(path for path in FOLDER.glob("*.yaml") if path != PAPERS)
    found = (read_table(path) for path in files)
    return {table.id: table for table in found}


def paper_table(table: str) -> PaperTable:
    """Raises `ContentError` with the nearest id."""
    known = paper_tables()
    if table not in known:
        raise unknown("published table", table, known)
    return known[table]


def read_table(path: Path) -> PaperTable:
    """One file. Raises `ContentError` where id, paper or a cell's column is not what it can be."""
    table = load(path, PaperTable, decimals=True)
    if table.id != path.stem:
        raise unknown("file of id", table.id, [path.stem], where=path)
    if table.paper not in papers():
        raise unknown("paper", table.paper, papers(), where=path)
    columns = [column.key for column in table.columns]
    for row in table.rows:
        for key in row.cells:
            if key not in columns:
                raise unknown("column", key, columns, where=f"{path}, row {row.key}")
    return table
