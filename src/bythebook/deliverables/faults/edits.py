"""The closed set of edits that a fault is made of, as written in `faults.yaml`: `{NAME: {...}}`.

All work on a copy of a reference folder, part by part inside the files, so that charts, formats and
whatever else an edit does not name stay as they are. Sheets, cells and columns are those of the
reference it starts from; `file` may be left out where the task wants one file of that kind only.
An edit that finds nothing to change is an error of the fault, never a fault of nothing.
"""

from decimal import Decimal
from typing import Any

import msgspec


class Edit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every edit has: the file it changes."""

    file: str = ""


# --- cells --------------------------------------------------------------------------------------


class SetCell(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A constant in a cell's place; its look stays."""

    at: str
    """`Sheet!A1`."""
    to: Any
    """Number, text, true, false; null empties the cell."""


class SwapCells(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two cells change places: value, formula and look."""

    a: str
    b: str


class SetFormula(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another formula; the cached value stays until `recalculate`."""

    at: str
    to: str
    """Without the equals sign; `{v}` is the cached value."""


class Area(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Some cells of one sheet, or of all; columns and cells cut it down."""

    sheet: str = ""
    column: str = ""
    """`D`, or `D:F`."""
    cells: tuple[str, ...] = ()
    """`D2`, or `D2:D40`."""


class FormulaReplace(
    Area, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"put": "with"}
):
    """A text in every formula of an area replaced by another."""

    find: str
    put: str
    regex: bool = False
    """`find` is a regular expression, `with` its replacement."""


class StripCaches(Area, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Formulas without values: what a program leaves that cannot compute."""


class PasteValues(Area, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Values without formulas."""


class TextNumbers(Area, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Numbers stored as text."""


class NumberFormat(Area, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another number format: `0.00`, `@`, `General`."""

    to: str


class Recalculate(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every cached value as LibreOffice computes it; nothing else changes."""


# --- rows, columns, sheets, names ---------------------------------------------------------------


class SortRows(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rows in the order of one column; formulas go along as in a spreadsheet's own sorting."""

    sheet: str
    by: str
    """`C`."""
    rows: tuple[int, int] | None = None
    """First and last; by default all below the first row."""
    descending: bool = False


class DropRows(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rows emptied; nothing moves up."""

    sheet: str
    rows: tuple[int, ...]


class SwapColumns(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two headings change places: each stands over the other's values."""

    sheet: str
    a: str
    b: str
    heading: int = 1
    """The row of the headings."""


class SetName(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A defined name refers to something else; null removes it."""

    name: str
    to: Any
    """A reference or a constant, without the equals sign."""


class RenameSheet(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """References follow, in formulas, names, charts and rules."""

    sheet: str
    to: str


class MoveSheet(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    sheet: str
    to: int
    """Its new place, from 1."""


class DropSheet(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Formulas elsewhere that look into it keep their value only; names that refer to it go."""

    sheet: str


class Hide(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sheet, or rows and columns of it."""

    sheet: str
    rows: tuple[int, ...] = ()
    columns: tuple[str, ...] = ()


class OnSheet(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    sheet: str


class Unfreeze(OnSheet, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """No frozen panes."""


class DropFilter(OnSheet, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """No filter buttons, on the sheet or its tables."""


class DropFormat(OnSheet, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """No conditional formats."""


class DropValidation(OnSheet, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """No data validation."""


class DropPrintArea(OnSheet, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """No print area."""


class OneChart(OnSheet, frozen=True, kw_only=True, forbid_unknown_fields=True):
    chart: int = 1
    """Which one of the sheet, from 1."""


class ChartToPicture(OneChart, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An image in the chart's place."""


class DropChart(OneChart, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class ChartRange(OneChart, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A series shows other cells."""

    values: str
    """`Sheet!$B$2:$B$9`."""
    series: int = 1


class ChartTitle(OneChart, frozen=True, kw_only=True, forbid_unknown_fields=True):
    to: str


# --- documents, decks, texts --------------------------------------------------------------------


class Passage(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Paragraphs, table rows and lines: the n-th paragraph, or all that hold a text.

    Paragraphs are counted as in the evidence: not empty, outside tables; lines of a text as lines.
    """

    para: int = 0
    has: str = ""


class DropParagraph(Passage, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class ScaleFigure(Passage, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Figures times a number, written as before. Years, and whole numbers under 1000, stay."""

    by: Decimal | int


class DropSection(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A heading and all that stands under it. Documents and Markdown."""

    heading: str


class ReplaceText(
    Edit, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"put": "with"}
):
    """Everywhere in a document, deck or text; letter case counts."""

    find: str
    put: str


class AddText(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A paragraph or line at the end; in a deck, on the last slide."""

    text: str


class BreakPages(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Each heading of a document begins a page of its own."""


class DropSlide(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    slide: int


class HideSlide(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    slide: int


# --- whole files --------------------------------------------------------------------------------


class DropFile(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class RenameFile(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    to: str


class WrongType(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The name stays; its bytes are a plain sentence."""

    text: str = "This is the deliverable."


class Truncate(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first half of its bytes."""


class AddFile(Edit, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file beside the others; `file` is its name."""

    text: str = "draft\n"
    copy_of: str = ""
    """Another file of the folder instead of a text."""


EDITS: dict[str, type[Edit]] = {
    "set_cell": SetCell,
    "swap_cells": SwapCells,
    "set_formula": SetFormula,
    "formula_replace": FormulaReplace,
    "strip_caches": StripCaches,
    "paste_values": PasteValues,
    "text_numbers": TextNumbers,
    "number_format": NumberFormat,
    "recalculate": Recalculate,
    "sort_rows": SortRows,
    "drop_rows": DropRows,
    "swap_columns": SwapColumns,
    "set_name": SetName,
    "rename_sheet": RenameSheet,
    "move_sheet": MoveSheet,
    "drop_sheet": DropSheet,
    "hide": Hide,
    "unfreeze": Unfreeze,
    "drop_filter": DropFilter,
    "drop_format": DropFormat,
    "drop_validation": DropValidation,
    "drop_print_area": DropPrintArea,
    "chart_to_picture": ChartToPicture,
    "drop_chart": DropChart,
    "chart_range": ChartRange,
    "chart_title": ChartTitle,
    "drop_paragraph": DropParagraph,
    "scale_figure": ScaleFigure,
    "drop_section": DropSection,
    "replace_text": ReplaceText,
    "add_text": AddText,
    "break_pages": BreakPages,
    "drop_slide": DropSlide,
    "hide_slide": HideSlide,
    "drop_file": DropFile,
    "rename_file": RenameFile,
    "wrong_type": WrongType,
    "truncate": Truncate,
    "add_file": AddFile,
}
"""Every kind of edit by its name in `faults.yaml`."""
