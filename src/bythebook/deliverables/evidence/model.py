"""What is known of one file: plain values, the same on disk and in memory.

Places are named as in `locate`: a cell by sheet and address, a paragraph by its number among those
that are not empty, and so on. A file that does not read still has its `FileEvidence`, with a
status and the reason; nothing is ever left out silently.
"""

from typing import Literal

import msgspec

Status = Literal["ok", "empty", "wrong_type", "encrypted", "corrupt", "too_big", "timeout"]
Kind = Literal["xlsx", "docx", "pptx", "pdf", "text", "image", "other"]
"""text: md, txt, csv, json, html and source code. other: kept, but not read."""

Scalar = bool | int | float | str | None
"""A cell's value. An error is its text (`#DIV/0!`) with `Cell.type` "error"."""


class Cell(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One cell that holds something."""

    row: int
    """From 1."""
    column: int
    """From 1: column A."""
    value: Scalar = None
    """As submitted: the cached value of a formula; None when nothing was cached."""
    type: Literal["number", "text", "bool", "error", "none"] = "none"
    formula: str = ""
    """Without the equals sign; shared formulas are spelled out; array formulas are `{...}`."""
    format: str = "General"
    shown: str = ""
    """The value as the number format shows it, without regard to the column's width."""


class Series(msgspec.Struct, frozen=True):
    """One series of a chart: what it refers to, and the values that lie there."""

    name: str = ""
    values_ref: str = ""
    categories_ref: str = ""
    values: tuple[Scalar, ...] = ()
    """From the cells it refers to, without those that a chart leaves out because their row or
    column is hidden; where cells cannot be had, the chart's own cache."""
    categories: tuple[Scalar, ...] = ()


class Chart(msgspec.Struct, frozen=True):
    """A native chart; a picture of a chart is a picture."""

    type: str
    """bar, column, line, pie, doughnut, area, scatter, radar, bubble, stock or surface; a chart of
    several kinds joins them by +."""
    title: str = ""
    series: tuple[Series, ...] = ()
    at: str = ""
    """Address of its upper left corner."""


class Comment(msgspec.Struct, frozen=True):
    """What somebody wrote beside a cell, a paragraph or a slide."""

    at: str
    """A cell's address, or the paragraph or slide it hangs on."""
    text: str
    author: str = ""


class TextBox(msgspec.Struct, frozen=True):
    """A shape with text that floats over a sheet: a card, a note."""

    at: str
    """Address of its upper left corner."""
    text: str
    formula: str = ""
    """The cell whose value it shows, if it shows one."""


class Formatting(msgspec.Struct, frozen=True):
    """One conditional format."""

    range: str
    type: str
    """`cellIs greaterThan`, `colorScale`, `expression` ..."""
    formulas: tuple[str, ...] = ()


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """One sheet of a workbook, as it was saved."""

    name: str
    state: Literal["visible", "hidden", "veryHidden"] = "visible"
    cells: tuple[Cell, ...] = ()
    """Row by row, left to right; only those with a value or a formula."""
    merges: tuple[str, ...] = ()
    freeze: str = ""
    """The first cell that scrolls, such as `A2`."""
    filters: tuple[str, ...] = ()
    """Ranges of the auto filter and of tables with filter buttons."""
    tables: dict[str, str] = {}
    """Name to range."""
    hidden_rows: tuple[int, ...] = ()
    hidden_columns: tuple[int, ...] = ()
    widths: dict[int, float] = {}
    """Characters, of columns with a width of their own."""
    formats: tuple[Formatting, ...] = ()
    validations: tuple[str, ...] = ()
    """`range: type formula`."""
    print_area: str = ""
    charts: tuple[Chart, ...] = ()
    pictures: int = 0
    boxes: tuple[TextBox, ...] = ()
    pivots: tuple[str, ...] = ()
    """`name at range from source`."""
    comments: tuple[Comment, ...] = ()
    links: dict[str, str] = {}
    """Address to target."""
    cut: str = ""
    """Why cells are missing here, if a limit was hit."""


class Workbook(msgspec.Struct, frozen=True, kw_only=True, tag="xlsx"):
    """What an Excel file holds, values as they were saved."""

    sheets: tuple[Sheet, ...]
    names: dict[str, str] = {}
    """Defined names of the whole book to what they refer to, without the equals sign."""
    local_names: dict[str, str] = {}
    """`Sheet!name` to what it refers to."""
    date1904: bool = False
    macros: bool = False
    external_links: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    """What was found and not read, in words."""


class Change(msgspec.Struct, frozen=True):
    """A tracked change."""

    kind: Literal["insertion", "deletion", "move", "format"]
    text: str
    author: str = ""
    paragraph: int = 0


class Paragraph(msgspec.Struct, frozen=True, kw_only=True, tag="paragraph"):
    """One paragraph of a document's body, changes and marks inside its text."""

    number: int
    """Among the body's paragraphs that are not empty and in no table, from 1."""
    text: str
    """Insertions are `{+so+}`, deletions `{-so-}`, text that is not shown `{~so~}`; a note's mark
    is `[^1]`, a comment's `[c1]`; `[picture 1]`, `[chart 1]` and `[box 1]` stand where they are."""
    style: str = ""
    level: int = 0
    """1 to 9 for headings."""
    list: str = ""
    """`bullet` or `number`, with its depth from 1: `bullet 1`."""
    label: str = ""
    """The number that its list gives it, such as `4.2` or `(a)`; no part of its text."""
    page_break: bool = False
    """A page begins with it, or within it."""


class Table(msgspec.Struct, frozen=True, kw_only=True, tag="table"):
    """One table of a document's body, as texts."""

    number: int
    """From 1."""
    rows: tuple[tuple[str, ...], ...]
    """A merged cell stands in its first place; the places it covers hold an empty text."""
    caption: str = ""


class Document(msgspec.Struct, frozen=True, kw_only=True, tag="docx"):
    """What a Word file holds."""

    blocks: tuple[Paragraph | Table, ...]
    """In document order."""
    notes: tuple[str, ...] = ()
    """Footnotes, then endnotes."""
    headers: tuple[str, ...] = ()
    footers: tuple[str, ...] = ()
    comments: tuple[Comment, ...] = ()
    changes: tuple[Change, ...] = ()
    pictures: int = 0
    charts: tuple[Chart, ...] = ()
    text_boxes: tuple[str, ...] = ()
    macros: bool = False
    external_links: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """One shape of a slide; a group is opened up."""

    number: int
    """From 1, in the slide's order; groups are opened up."""
    kind: str
    """title, text, table, chart, picture, line, other."""
    text: str = ""
    rows: tuple[tuple[str, ...], ...] = ()
    chart: Chart | None = None
    box: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Left, top, width, height in thousandths of the slide's width and height."""


class Slide(msgspec.Struct, frozen=True, kw_only=True):
    """One slide with its notes, hidden ones too."""

    number: int
    title: str = ""
    hidden: bool = False
    shapes: tuple[Shape, ...] = ()
    notes: str = ""


class Deck(msgspec.Struct, frozen=True, kw_only=True, tag="pptx"):
    """What a PowerPoint file holds."""

    slides: tuple[Slide, ...]
    comments: tuple[Comment, ...] = ()
    macros: bool = False
    external_links: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """One page of a PDF."""

    number: int
    text: str = ""
    """Line by line as laid out; empty when the page has no text layer."""
    tables: tuple[tuple[tuple[str, ...], ...], ...] = ()
    pictures: int = 0
    size: tuple[int, int] = (0, 0)
    """Width and height in points."""


class Pdf(msgspec.Struct, frozen=True, kw_only=True, tag="pdf"):
    """What a PDF holds."""

    pages: tuple[Page, ...]
    warnings: tuple[str, ...] = ()

    @property
    def without_text(self) -> tuple[int, ...]:
        """Pages that only their picture tells of."""
        return tuple(page.number for page in self.pages if not page.text.strip())


class Text(msgspec.Struct, frozen=True, kw_only=True, tag="text"):
    """A file of plain text, line by line."""

    format: str
    """md, txt, csv, json, html ...: the suffix."""
    lines: tuple[str, ...]
    encoding: str = "utf-8"
    rows: tuple[tuple[str, ...], ...] = ()
    """Of a csv."""
    problem: str = ""
    """Why it does not read as its format (json, csv), where it does not."""


class Picture(msgspec.Struct, frozen=True, kw_only=True, tag="image"):
    """A file that is a picture."""

    format: str
    width: int
    height: int
    """Pixels."""
    blank: bool = False
    """One colour throughout."""
    frames: int = 1
    """Pages of a TIFF, frames of an animation; what else is said is of the first."""


Content = Workbook | Document | Deck | Pdf | Text | Picture


class FileEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """One handed-over file."""

    name: str
    """Relative to the folder, with `/`."""
    kind: Kind
    """What its suffix promises."""
    status: Status
    says: str = ""
    """Why the status is not ok, or what else a judge should know, in a sentence."""
    sha: str = ""
    """SHA-256 of its bytes."""
    size: int = 0


class Refusal(msgspec.Struct, frozen=True):
    """Something in the folder that is no regular file, or lies outside: not taken."""

    name: str
    why: str


class Recalculation(msgspec.Struct, frozen=True, kw_only=True):
    """A workbook's formulas computed anew. Evidence, never a repair."""

    status: Literal["ok", "unavailable", "failed", "timeout"]
    says: str = ""
    engine: str = ""
    """Name and version of what computed."""
    values: dict[str, dict[str, Scalar]] = {}
    """Sheet, then address, to value; of formula cells only. Errors are their text. Cells that the
    engine cannot know (newer functions, the day, chance, other files) are left out; see `says`."""


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """A document on its pages, as an engine lays it out; see `layout`."""

    status: Literal["ok", "unavailable", "failed", "timeout"]
    says: str = ""
    """Why there is none."""
    engine: str = ""
    sizes: tuple[tuple[int, int], ...] = ()
    """Width and height of each page in points; empty pages at the end are left out."""
    last: float = 0.0
    """Share of the last page's height, between its margins, that is covered: 0 to 1."""
    stand_ins: tuple[str, ...] = ()
    """Fonts that were taken in place of those that the document names, of other widths."""

    @property
    def length(self) -> float:
        """In pages."""
        return len(self.sizes) - 1 + self.last if self.sizes else 0.0


class PageImage(msgspec.Struct, frozen=True):
    """One page, drawn."""

    path: str
    """Relative to the evidence folder: `pages/0002/page_0001.png`."""
    label: str = ""
    """What it shows: `page 3`, `sheet Payroll`."""
    width: int = 0
    height: int = 0
    """Pixels."""


class PageImages(msgspec.Struct, frozen=True, kw_only=True):
    """How a file looks."""

    status: Literal["ok", "unavailable", "failed", "timeout"]
    says: str = ""
    """Why there are none, or which were left out."""
    engine: str = ""
    images: tuple[PageImage, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """Relative to the evidence folder, in order."""
        return tuple(image.path for image in self.images)


class Index(msgspec.Struct, frozen=True, kw_only=True):
    """`evidence/evidence.json`."""

    bythebook: Literal["evidence"] = "evidence"
    version: int = 1
    files: tuple[FileEvidence, ...]
    """By name; the content of the n-th, from 1, is `files/NNNN.json` if its status is ok."""
    refused: tuple[Refusal, ...] = ()
    engine: str = ""
    """What recalculates and draws pages here; empty: nothing does."""
