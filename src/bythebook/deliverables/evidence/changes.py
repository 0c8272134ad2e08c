"""A copy of a workbook in which some cells hold other values: the question of a what-if."""

import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import msgspec
from lxml import etree

from bythebook.deliverables.evidence.elements import child_of, children, local, related
from bythebook.deliverables.evidence.formulas import column_letters, column_number, shared
from bythebook.deliverables.evidence.model import Scalar
from bythebook.deliverables.evidence.package import Package
from bythebook.deliverables.evidence.reading import Unreadable

_ADDRESS = re.compile(r"\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})")


def written(path: Path, into: str, changes: str) -> bool:
    """Runs in the child. `changes`: JSON of `Sheet!A1` to value."""
    wanted = msgspec.json.decode(changes, type=dict[str, Scalar])
    with Package(path) as package:
        edited = {
            part: etree.tostring(
                _edited(package.xml(part), cells),
                xml_declaration=True,
                encoding="UTF-8",
                standalone=True,
            )
            for part, cells in _by_part(package, wanted).items()
        }
    with (
        zipfile.ZipFile(path) as old,
        zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new,
    ):
        for member in old.infolist():
            data = edited.get(member.filename)
            new.writestr(member.filename, old.read(member) if data is None else data)
    return True


def _by_part(
    package: Package, wanted: Mapping[str, Scalar]
) -> dict[str, dict[tuple[int, int], Scalar]]:
    """The changes of each sheet's part, by row and column. Raises Unreadable."""
    main = package.main("xl/workbook.xml")
    relations = package.relations(main)
    sheets = {
        (entry.get("name") or "").casefold(): relations[related(entry)].target
        for entry in children(child_of(package.xml(main), "sheets"), "sheet")
        if related(entry) in relations
    }
    found: dict[str, dict[tuple[int, int], Scalar]] = {}
    for place, value in wanted.items():
        name, _, cell = place.rpartition("!")
        part = sheets.get(_unquoted(name).casefold())
        match = _ADDRESS.fullmatch(cell)
        if part is None or match is None:
            raise Unreadable("corrupt", f"It has no cell {place}.")
        found.setdefault(part, {})[int(match[2]), column_number(match[1])] = value
    return found


def _edited(root: etree._Element, cells: Mapping[tuple[int, int], Scalar]) -> etree._Element:
    data = child_of(root, "sheetData")
    if data is None:
        raise Unreadable("corrupt", "A sheet to be changed has no cells.")
    for (row, column), value in sorted(cells.items()):
        line = _placed(data, "row", row, {"r": str(row)}, _row_number)
        name = f"{column_letters(column)}{row}"
        cell = _placed(line, "c", column, {"r": name}, _column_number)
        _free_from_formula(data, cell)
        _put(cell, value)
    return root


def _placed(
    above: etree._Element, name: str, place: int, attributes: dict[str, str], number: "Numbering"
) -> etree._Element:
    """The row or cell at that place, made where there is none."""
    last = 0
    for index, element in enumerate(above):
        if local(element) != name:
            continue
        last = number(element) or last + 1
        if last == place:
            return element
        if last > place:
            new = etree.Element(_sibling(above, name), attributes)
            above.insert(index, new)
            return new
    return etree.SubElement(above, _sibling(above, name), attributes)


class Numbering(msgspec.Struct, frozen=True):
    """Which row or column an element says it is; 0 when it does not say."""

    columns: bool

    def __call__(self, element: etree._Element) -> int:
        match = re.fullmatch(r"([A-Za-z]*)([0-9]*)", element.get("r") or "")
        if match is None:
            return 0
        return column_number(match[1]) if self.columns else int(match[2] or 0)


_row_number, _column_number = Numbering(columns=False), Numbering(columns=True)


def _free_from_formula(data: etree._Element, cell: etree._Element) -> None:
    """Take the formula away; formulas shared from this cell are spelled out first."""
    formula = child_of(cell, "f")
    if formula is None:
        return
    if formula.get("t") == "shared" and formula.text:
        first = shared(formula.text)
        top, left = _row_number(cell), _column_number(cell)
        for other in data.iter(str(formula.tag)):
            if other.get("si") == formula.get("si") and not other.text:
                owner = other.getparent()
                if owner is not None:
                    other.text = first.at(_row_number(owner) - top, _column_number(owner) - left)
                _without(other, "t", "si", "ref")
    cell.remove(formula)


def _put(cell: etree._Element, value: Scalar) -> None:
    for part in list(cell):
        cell.remove(part)
    _without(cell, "t", "cm", "vm")
    if value is None:
        return
    if isinstance(value, str):
        cell.set("t", "inlineStr")
        text = etree.SubElement(etree.SubElement(cell, _sibling(cell, "is")), _sibling(cell, "t"))
        text.text = value
        return
    if isinstance(value, bool):
        cell.set("t", "b")
        value = int(value)
    etree.SubElement(cell, _sibling(cell, "v")).text = repr(value)


def _without(element: etree._Element, *names: str) -> None:
    for name in names:
        if name in element.attrib:
            del element.attrib[name]


def _sibling(element: etree._Element, name: str) -> str:
    """A name in the namespace of an element."""
    space, brace, _ = str(element.tag).rpartition("}")
    return f"{space}{brace}{name}"


def _unquoted(name: str) -> str:
    if name.startswith("'") and name.endswith("'") and len(name) > 1:
        return name[1:-1].replace("''", "'")
    return name
