"""The cells of one sheet, streamed: what is not there costs nothing, what is there is seen once."""

import re
from collections.abc import Iterator, Sequence
from typing import IO, Literal

import msgspec
from lxml import etree

from bythebook.deliverables.evidence import dates, numbers
from bythebook.deliverables.evidence.elements import local, refuse_doctype, within
from bythebook.deliverables.evidence.formulas import (
    COLUMNS,
    ROWS,
    Area,
    Shared,
    area_of,
    column_number,
    shared,
)
from bythebook.deliverables.evidence.model import Cell, Scalar
from bythebook.deliverables.evidence.package import BROKEN
from bythebook.deliverables.evidence.reading import Unreadable

CellType = Literal["number", "text", "bool", "error", "none"]
CHUNK = 2**17
LONGEST_TEXT = 32_767
"""Characters of a cell, as in Excel."""
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_AFTER = (
    *("sheetFormatPr", "sheetViews", "cols", "autoFilter", "mergeCells", "conditionalFormatting"),
    *("dataValidations", "hyperlinks", "drawing", "tableParts", "oleObjects", "extLst"),
)
"""The sheet's parts beside its rows that `Sheet` tells of."""


class Budget:
    """What the cells of one workbook may still take."""

    def __init__(self, cells: int = 2_000_000, characters: int = 60_000_000) -> None:
        self.cells = cells
        self.characters = characters
        self._said = f"only the first {cells:,} cells of the workbook are kept"

    def take(self, cell: Cell) -> bool:
        """Whether one more cell may be kept."""
        self.cells -= 1
        text = len(cell.value) if isinstance(cell.value, str) else 0
        self.characters -= 2 * text + len(cell.formula)
        return self.cells >= 0 and self.characters >= 0

    @property
    def says(self) -> str:
        return self._said if self.cells < 0 else "the texts of the workbook are too long to keep"


class Grid(msgspec.Struct, frozen=True, kw_only=True):
    """What a sheet's own part holds."""

    cells: tuple[Cell, ...]
    hidden_rows: tuple[int, ...]
    parts: dict[str, tuple[etree._Element, ...]]
    """By the names of `_AFTER`."""
    cut: str


class Rows:
    """Reads the cells of one sheet, row by row."""

    def __init__(
        self, texts: Sequence[str], formats: Sequence[str] | None, budget: Budget, *, date1904: bool
    ) -> None:
        """`formats`: None where nobody asks how values look."""
        self._texts, self._formats, self._budget = texts, formats, budget
        self._date1904 = date1904
        self._shared: dict[str, tuple[int, int, Shared]] = {}
        self._arrays: list[tuple[Area, str]] = []
        self._row = 0
        self._v = self._f = self._is = ""
        self.cells: list[Cell] = []
        self.hidden: list[int] = []
        self.cut = ""
        self.lost = 0
        """Cells whose shared text is not there."""

    def add(self, row: etree._Element) -> None:
        number = _whole(row.get("r")) or self._row + 1
        self._row = number
        if _is_true(row.get("hidden")) or (row.get("ht") in ("0", "0.0")):
            self.hidden.append(number)
        if self._arrays:
            self._arrays = [one for one in self._arrays if one[0].bottom >= number]
        column = 0
        # Asked a million times: names are compared whole, in the namespace of this row.
        space = str(row.tag).removesuffix("row")
        cell, self._is = f"{space}c", f"{space}is"
        self._v, self._f = f"{space}v", f"{space}f"
        for element in row:
            if self.cut or element.tag != cell:
                continue
            column = column_number((element.get("r") or "").rstrip("0123456789")) or column + 1
            if column <= COLUMNS and number <= ROWS:
                self._add_cell(element, number, column)

    def _add_cell(self, element: etree._Element, row: int, column: int) -> None:
        formula = ""
        raw: str | None = None
        kind = element.get("t") or "n"
        for part in element:
            name = part.tag
            if name == self._v:
                raw = part.text or ""
            elif name == self._f:
                formula = self._formula(part, row, column)
            elif name == self._is:
                raw, kind = rich_text(part), "inlineStr"
        if not formula and self._arrays:
            formula = next((text for area, text in self._arrays if area.holds(row, column)), "")
        value, shape = self._value(kind, raw)
        if value is None and not formula:
            return
        code = self._format(element.get("s"))
        seen = "" if self._formats is None else self._shown(value, code)
        cell = Cell(row, column, value, shape, formula, code, seen)
        if self._budget.take(cell):
            self.cells.append(cell)
        else:
            self.cut = self._budget.says

    def _formula(self, element: etree._Element, row: int, column: int) -> str:
        text = element.text or ""
        kind = element.get("t")
        if kind == "shared":
            return self._shared_formula(element.get("si") or "", text, row, column)
        if kind == "dataTable":
            inputs = ",".join(filter(None, (element.get("r1"), element.get("r2"))))
            text = f"{{TABLE({inputs})}}"
        elif kind == "array":
            text = f"{{{text}}}"
        area = area_of(element.get("ref") or "") if kind in ("array", "dataTable") else None
        if area and (area.bottom > area.top or area.right > area.left):
            self._arrays.append((area, text))
        return text

    def _shared_formula(self, name: str, text: str, row: int, column: int) -> str:
        if text:
            self._shared[name] = (row, column, shared(text))
            return text
        if name not in self._shared:
            return ""
        top, left, formula = self._shared[name]
        return formula.at(row - top, column - left)

    def _value(self, kind: str, raw: str | None) -> tuple[Scalar, CellType]:
        if raw is None:
            return None, "none"
        if kind == "s":
            place = _whole(raw)
            known = raw.strip().isdecimal() and place < len(self._texts)
            self.lost += not known
            return (self._texts[place], "text") if known else (None, "none")
        if kind in ("str", "inlineStr"):
            return unescaped(raw), "text"
        raw = raw.strip()
        if not raw:
            return None, "none"
        if kind == "b":
            return raw in ("1", "true"), "bool"
        if kind == "e":
            return raw[:40], "error"
        serial = dates.serial_of(raw) if kind == "d" else number_of(raw)
        return (raw[:LONGEST_TEXT], "text") if serial is None else (serial, "number")

    def _shown(self, value: Scalar, code: str) -> str:
        if code == "General":
            if isinstance(value, str):
                return value
            if type(value) is int and -99_999_999_999 < value < 99_999_999_999:
                return str(value)
        return numbers.shown(value, code, date1904=self._date1904)

    def _format(self, style: str | None) -> str:
        if self._formats is None:
            return "General"
        place = _whole(style)
        return self._formats[place] if place < len(self._formats) else "General"


def read_grid(part: str, file: IO[bytes], rows: Rows) -> Grid:
    """Stream a sheet's part through `rows`."""
    parts: dict[str, list[etree._Element]] = {}
    for element in events(part, file, ("row", *_AFTER)):
        name = local(element)
        if name == "row":
            rows.add(element)
            drop(element)
        elif (parent := element.getparent()) is not None and parent.getparent() is None:
            parts.setdefault(name, []).append(element)
    return Grid(
        cells=tuple(rows.cells),
        hidden_rows=tuple(rows.hidden),
        parts={name: tuple(found) for name, found in parts.items()},
        cut=rows.cut,
    )


def read_texts(part: str, file: IO[bytes], budget: Budget) -> list[str]:
    """The shared strings; those past the budget of characters are empty."""
    texts: list[str] = []
    left = budget.characters
    for element in events(part, file, ("si",)):
        text = unescaped(rich_text(element))
        left -= len(text)
        texts.append(text if left >= 0 else "")
        drop(element)
    return texts


def events(part: str, file: IO[bytes], names: tuple[str, ...]) -> Iterator[etree._Element]:
    """Each element of these names when it ends, in any namespace; nothing is expanded."""
    parser = etree.XMLPullParser(
        events=("end",),
        tag=[f"{{*}}{name}" for name in names],
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
    )
    first = True
    try:
        while chunk := file.read(CHUNK):
            parser.feed(chunk)
            for _, element in parser.read_events():
                assert isinstance(element, etree._Element)
                if first:
                    refuse_doctype(element, part)
                    first = False
                yield element
        parser.close()
    except etree.XMLSyntaxError as error:
        raise Unreadable("corrupt", f"Its part {part} is no XML: {error}.") from None
    except BROKEN as error:
        raise Unreadable("corrupt", f"Its part {part} does not unpack: {error}.") from None


def drop(element: etree._Element) -> None:
    """Free an element that was read, and those before it."""
    element.clear()
    parent = element.getparent()
    if parent is not None:
        while element.getprevious() is not None:
            del parent[0]


def rich_text(element: etree._Element) -> str:
    """The text of a string item, its runs joined, its phonetic runs left out."""
    if len(element) == 1 and len(element[0]) == 0:
        return (element[0].text or "")[:LONGEST_TEXT]
    found = [
        text.text or ""
        for text in within(element, "t")
        if (parent := text.getparent()) is None or local(parent) != "rPh"
    ]
    return "".join(found)[:LONGEST_TEXT]


def unescaped(text: str) -> str:
    """`_x000D_` is a carriage return (part 1, 22.9.2.19)."""
    return _ESCAPE.sub(_character, text) if "_x" in text else text


def number_of(raw: str) -> int | float | None:
    """A whole number stays one; None for what is no finite number."""
    if len(raw) < 16 and raw.lstrip("-").isdecimal() and raw.isascii():
        return int(raw)
    try:
        value = float(raw)
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None


def _character(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    return match[0] if 0xD800 <= code < 0xE000 else chr(code)


def _whole(text: str | None) -> int:
    """0 for what is no whole number."""
    return int(text) if text and len(text) < 12 and text.isdecimal() else 0


def _is_true(text: str | None) -> bool:
    return text in ("1", "true")
