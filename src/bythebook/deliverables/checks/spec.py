"""The closed set of checks as written in a rubric: one frozen value for each kind.

    check: {column: {sheet: Payroll, key: [employee], column: gross, table: expected/pay.csv#gross}}

What each means stands in docs/checks.md. Sheets and files are named as the prompt names them;
columns, keys and labels by their id in the rubric's `fields`. `file` may be left out where the task
wants one file of that kind only.
"""

from decimal import Decimal
from typing import Any, Literal

import msgspec

from bythebook.deliverables.evidence.model import Kind


class Spec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every check has: the file it speaks of."""

    file: str = ""


class Wanted(Spec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """WANT: what a value must be. Exactly one of `equals`, `between`, `any_of`."""

    equals: Any = None
    """A number, text, month (`2024-01`), date or percent (`3.5%` or 0.035)."""
    tol: Decimal | None = None
    """In the unit of `equals`. By default half the last digit written; 0 for whole numbers."""
    between: tuple[Decimal, Decimal] | None = None
    any_of: tuple[Any, ...] = ()
    formula: bool = False
    """The cell holds a formula with a reference."""
    text_ok: bool = False
    """A number may be stored as text."""


class TableSpec(Spec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where rows are looked for: a sheet, and the fields whose headings its table holds."""

    sheet: str
    key: tuple[str, ...]
    where: dict[str, Any] = {}
    """Only rows in which these fields read so."""


# --- whole files and sheets ---------------------------------------------------------------------


class Files(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    want: dict[str, Kind]
    only: bool = False
    """Nothing else was handed over."""


class Sheets(Spec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    order: tuple[str, ...]


class Unchanged(Spec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    input: str
    """A workbook in `inputs/`."""
    sheets: tuple[str, ...] = ()
    """By default all of the input's."""
    first: bool = False


class NoErrors(Spec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


# --- tables -------------------------------------------------------------------------------------


class Rows(TableSpec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    are: str
    """`expected/NAME.csv`, which has the key fields among its columns."""


class Column(TableSpec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    column: str
    table: str
    """`expected/NAME.csv#FIELD`, keys among its columns."""
    tol: Decimal | None = None
    formula: bool = False
    text_ok: bool = False
    share: Decimal = Decimal(1)
    """Least share of the expected rows that must hold."""


class OneCell(Wanted, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One cell of a table: the row found by its keys, the column by its field."""

    sheet: str = ""
    find: dict[str, Any] = {}
    column: str = ""


class Cell(OneCell, frozen=True, kw_only=True, forbid_unknown_fields=True):
    all: tuple[OneCell, ...] = ()
    """Several; what they leave out is taken from here."""


class Range(TableSpec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    column: str
    min: Decimal | None = None
    max: Decimal | None = None
    kinds: tuple[str, ...] = ()
    """Of a text column: the texts that may stand there."""


class Order(TableSpec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    by: tuple[str, ...]
    """Fields; `-F` descends."""


Look = Literal["money", "percent", "date", "integer"]


class Format(TableSpec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    column: str
    like: Look


# --- single figures, names, charts, the view ----------------------------------------------------


class Figure(Wanted, frozen=True, kw_only=True, forbid_unknown_fields=True):
    label: str


class Label(Spec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    sheet: str
    all: tuple[Figure, ...]
    formula: bool = False


class Names(Spec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    are: dict[str, Any]
    """Defined name to WANT, or to what the cell equals."""


class Chart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    values: str | tuple[Decimal, ...]
    """`expected/NAME.csv#FIELD`, or the values."""
    also: str | tuple[Decimal, ...] = ()
    """A further series of the same chart, as `values`."""
    type: str = ""
    title: str = ""
    tol: Decimal | None = None


class Charts(Spec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    sheet: str = ""
    """Of a workbook; a document or deck is looked through whole."""
    all: tuple[Chart, ...]
    formula: bool = False
    """Whether what they show must come from formulas; of a workbook only."""


Sight = Literal["freeze", "filter", "cf", "validation", "print_area"]


class View(Spec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    sheets: tuple[str, ...]
    has: tuple[Sight, ...]


class Follower(OneCell, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cell that must follow: of a table, or the figure of a label."""

    label: str = ""


class WhatIf(Spec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    set: dict[str, Any]
    """`Sheet!A1` to the value that is put there."""
    then: tuple[Follower, ...]


# --- documents ----------------------------------------------------------------------------------


class Outline(Spec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    has: tuple[str | tuple[str, ...], ...]
    """Each heading, or a list of the heading and its aliases."""
    in_order: bool = False


class Said(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    rename={"value": "is"},
):
    """A number that a text says."""

    value: Any
    """A number in plain units, or a percent: `84210`, `0.035` or `3.5%`."""
    digits: int = 3
    """Significant digits that it must show at least."""
    near: str | tuple[str, ...] = ()
    """What it is said of; or a list of spellings."""
    word: tuple[str, str] | None = None
    """Words of the right sign, and of the wrong one: `[over|above, under|below]`."""


class Figures(Spec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    all: tuple[Said, ...]
    only: Literal["tables"] | None = None
    """Look at rows of tables only. Without it this is a screen."""


class Phrases(Spec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    all: tuple[str | tuple[str, ...], ...] = ()
    """Each phrase, or a list of its alternatives."""
    none: tuple[str, ...] = ()


class FigurePlace(Spec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A figure in a document."""

    near: str | tuple[str, ...]
    digits: int = 3


class CellPlace(Spec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cell by its row and column, or the figure of a label."""

    sheet: str
    find: dict[str, Any] = {}
    column: str = ""
    label: str = ""


class Agree(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"other": "with"}
):
    """Two places of the candidate carry one value; whether it is right is not asked."""

    cell: CellPlace
    figure: FigurePlace | None = None
    other: CellPlace | None = None
    tol: Decimal = Decimal(0)


class OnePages(Spec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pages of one file: a PDF, or a document, which is named."""

    at_least: int = 1
    at_most: int | None = None
    size: Literal["A3", "A4", "A5", "Letter", "Legal"] | None = None


class Pages(OnePages, frozen=True, kw_only=True, forbid_unknown_fields=True):
    all: tuple[OnePages, ...] = ()
    """Several files; then nothing stands beside it."""


class Slides(Spec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    count: int | tuple[int, int]
    notes: bool = False
    """Every slide that is shown has notes."""
    hidden: int = 0
    """At most so many hidden slides."""


class Image(Spec, frozen=True, kw_only=True, forbid_unknown_fields=True):
    min_px: int | tuple[int, int]
    """Of the shorter side, or width and height."""
    not_blank: bool = True


SPECS: dict[str, type[msgspec.Struct]] = {
    "files": Files,
    "sheets": Sheets,
    "unchanged": Unchanged,
    "rows": Rows,
    "column": Column,
    "cell": Cell,
    "range": Range,
    "order": Order,
    "label": Label,
    "names": Names,
    "charts": Charts,
    "view": View,
    "format": Format,
    "whatif": WhatIf,
    "no_errors": NoErrors,
    "outline": Outline,
    "figures": Figures,
    "text": Phrases,
    "agree": Agree,
    "pages": Pages,
    "slides": Slides,
    "image": Image,
}
"""Every kind of check by its name in a rubric."""
