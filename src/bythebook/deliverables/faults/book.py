"""A workbook to be edited: its sheets, cells and names, as they stand in the file's XML."""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

from lxml import etree
from openpyxl.formula.translate import Translator
from openpyxl.utils.cell import column_index_from_string, get_column_letter, range_boundaries

from bythebook.deliverables.evidence.package import OFFICE
from bythebook.deliverables.faults.edits import Area
from bythebook.deliverables.faults.parts import OfficeFile
from bythebook.errors import ContentError, unknown

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
S = f"{{{MAIN}}}"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"
ADDRESS = re.compile(r"\$?([A-Z]{1,3})\$?([1-9][0-9]*)")
LAST_COLUMN, LAST_ROW = 16_384, 1_048_576

Element = etree._Element


class Book(OfficeFile):
    """One workbook."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.part = self.main()
        self._spelled: set[str] = set()

    @property
    def top(self) -> Element:
        """The root of the workbook's own part."""
        return self.root(self.part)

    # --- sheets -----------------------------------------------------------------------------

    @property
    def sheets(self) -> dict[str, str]:
        """Name to part, in the book's order."""
        targets = {link.id: link.target for link in self.links(self.part)}
        return {
            str(one.get("name")): targets[str(one.get(f"{OFFICE}id"))]
            for one in self.top.iter(f"{S}sheet")
        }

    def entry(self, sheet: str) -> Element:
        """The sheet's own element in the workbook. Raises `ContentError`."""
        for one in self.top.iter(f"{S}sheet"):
            if one.get("name") == sheet:
                return one
        raise unknown("sheet", sheet, self.sheets, where=self.path.name)

    def sheet(self, name: str) -> Element:
        """The sheet's XML, shared formulas spelled out. Raises `ContentError`."""
        self.entry(name)
        root = self.root(self.sheets[name])
        if name not in self._spelled:
            _spell_out(root)
            self._spelled.add(name)
        return root

    def is_open(self, name: str) -> bool:
        """Was a sheet's XML looked at?"""
        return self.sheets[name] in self._roots

    def leave(self, name: str) -> None:
        """Forget the XML of a sheet that was only looked at: its bytes stay as they are."""
        self._roots.pop(self.sheets[name], None)
        self._spelled.discard(name)

    # --- cells ------------------------------------------------------------------------------

    def cell(self, at: str) -> Element:
        """The cell at `Sheet!A1`, made where there is none. Raises `ContentError`."""
        sheet, address = split(at)
        column, row = position(address)
        root = self.sheet(sheet)
        data = root.find(f"{S}sheetData")
        assert data is not None
        line = _in_order(data, "row", row, lambda one: int(one.get("r") or 0))
        line.set("r", str(row))
        found = _in_order(line, "c", column, lambda one: position(str(one.get("r")))[0])
        found.set("r", address)
        return found

    def cells(self, area: Area) -> Iterator[tuple[str, Element]]:
        """Sheet and cell of everything that stands in an area."""
        for name in [area.sheet] if area.sheet else list(self.sheets):
            for cell in self.sheet(name).iter(f"{S}c"):
                if _inside(str(cell.get("r")), area):
                    yield name, cell

    def cells_as_they_are(self, sheet: str) -> Iterator[Element]:
        """Every cell of a sheet; shared formulas stay as they are written."""
        yield from self.root(self.sheets[sheet]).iter(f"{S}c")

    @cached_property
    def strings(self) -> list[str]:
        """Shared strings, by their number."""
        for link in self.links(self.part, "sharedStrings"):
            items = self.root(link.target).iter(f"{S}si")
            return ["".join(t.text or "" for t in item.iter(f"{S}t")) for item in items]
        return []

    def value(self, cell: Element) -> float | str | None:
        """A cell's value as a number or as text; None when it holds none."""
        kind, text = cell.get("t", "n"), cell.findtext(f"{S}v")
        if kind == "inlineStr":
            return "".join(t.text or "" for t in cell.iter(f"{S}t"))
        if text is None or (kind != "str" and not text):  # openpyxl leaves `<v></v>`
            return None
        if kind == "s":
            return self.strings[int(text)]
        return float(text) if kind in ("n", "b") else text

    def names(self) -> Iterator[Element]:
        """All defined names."""
        yield from self.top.iter(f"{S}definedName")

    def formulas(self) -> Iterator[Element]:
        """Every element of the book that holds a formula or a reference, names and charts too."""
        yield from self.names()
        for part in [name for name in self.members if HOLDS_REFERENCES.match(name)]:
            for element in self.root(part).iter(etree.Element):
                if etree.QName(element).localname in REFERENCE_TAGS and element.text:
                    yield element

    def forget_order(self) -> None:
        """Without the chain of calculation, which names cells that hold formulas."""
        for link in self.links(self.part, "calcChain"):
            self.unlink(self.part, link.id)


HOLDS_REFERENCES = re.compile(r"xl/(?:worksheets|charts|drawings|tables|pivotTables)/[^/]+\.xml$")
REFERENCE_TAGS = frozenset(("f", "formula", "formula1", "formula2", "calculatedColumnFormula"))


def put(cell: Element, value: Any) -> None:
    """A constant in a cell."""
    empty(cell)
    match value:
        case None:
            pass
        case bool():
            cell.set("t", "b")
            etree.SubElement(cell, f"{S}v").text = str(int(value))
        case int() | float() | Decimal():
            etree.SubElement(cell, f"{S}v").text = str(value)
        case _:
            cell.set("t", "inlineStr")
            text = etree.SubElement(etree.SubElement(cell, f"{S}is"), f"{S}t")
            text.text = str(value)
            text.set(SPACE, "preserve")


def empty(cell: Element) -> None:
    """Nothing in a cell; its look stays."""
    for child in list(cell):
        cell.remove(child)
    cell.attrib.pop("t", "")


def formula(cell: Element) -> str | None:
    """Without the equals sign; None where the cell holds a constant."""
    found = cell.find(f"{S}f")
    return None if found is None else found.text or ""


def split(at: str) -> tuple[str, str]:
    """Sheet and address of `Sheet!A1`. Raises `ContentError`."""
    sheet, mark, address = at.rpartition("!")
    if not mark or not ADDRESS.fullmatch(address):
        raise ContentError(f"{at!r} is no place of a cell", hint="write it as `Sheet!A1`")
    return sheet.strip("'"), address.replace("$", "")


def position(address: str) -> tuple[int, int]:
    """Column and row, from 1."""
    found = ADDRESS.fullmatch(address)
    if found is None:
        raise ContentError(f"{address!r} is no address of a cell")
    return column_index_from_string(found[1]), int(found[2])


def _inside(address: str, area: Area) -> bool:
    column, row = position(address)
    ranges = [f"{one}:{one}" if ":" not in one else one for one in area.cells]
    if area.column:
        first, _, last = area.column.partition(":")
        ranges = ranges or ["A1:XFD1048576"]
        if not column_index_from_string(first) <= column <= column_index_from_string(last or first):
            return False
    return not ranges or any(_holds(one, column, row) for one in ranges)


def _holds(range_: str, column: int, row: int) -> bool:
    left, top, right, bottom = range_boundaries(range_)
    across = (left or 1) <= column <= (right or LAST_COLUMN)
    return across and (top or 1) <= row <= (bottom or LAST_ROW)


def _in_order(parent: Element, tag: str, number: int, number_of: Any) -> Element:
    """The child with that number, put in its place where there is none."""
    for place, child in enumerate(parent):
        found = number_of(child)
        if found == number:
            return child
        if found > number:
            new = etree.Element(S + tag)
            parent.insert(place, new)
            return new
    return etree.SubElement(parent, S + tag)


def _spell_out(root: Element) -> None:
    """Shared formulas as plain ones, so that each can be changed alone."""
    shared: dict[str, tuple[str, str]] = {}
    for cell in root.iter(f"{S}c"):
        found = cell.find(f"{S}f")
        if found is None or found.get("t") != "shared":
            continue
        id, at = str(found.get("si")), str(cell.get("r"))
        if found.text:
            shared[id] = (found.text, at)
        text, origin = shared[id]
        found.text = moved(text, origin, at)
        for name in ("t", "si", "ref"):
            found.attrib.pop(name, "")


def moved(text: str, origin: str, to: str) -> str:
    """A formula as it reads after it was copied from one cell to another."""
    return str(Translator(f"={text}", origin).translate_formula(to))[1:]


def letters(columns: Iterable[int]) -> list[str]:
    return [get_column_letter(column) for column in columns]
