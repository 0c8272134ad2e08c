"""Edits of rows, columns, sheets, names, and of how a sheet is viewed."""

from collections.abc import Iterator

from lxml import etree
from openpyxl.utils.cell import column_index_from_string

from bythebook.deliverables.evidence.package import OFFICE
from bythebook.deliverables.faults import edits as e
from bythebook.deliverables.faults.book import Book, Element, S, formula, moved
from bythebook.deliverables.faults.cells import Change, paste
from bythebook.deliverables.faults.parts import remove
from bythebook.deliverables.faults.references import names, renamed
from bythebook.errors import ContentError, unknown

# --- rows and columns ---------------------------------------------------------------------------


def sort_rows(book: Book, edit: e.SortRows) -> Iterator[Change]:
    data = book.sheet(edit.sheet).find(f"{S}sheetData")
    assert data is not None
    first, last = edit.rows or (2, max(_number(row) for row in data))
    rows = [row for row in data if first <= _number(row) <= last]
    before = [_number(row) for row in rows]
    ordered = sorted(rows, key=lambda row: _rank(book, row, edit.by), reverse=edit.descending)
    places = sorted(before)
    start = data.index(rows[0])
    for old, row, new in zip([_number(row) for row in ordered], ordered, places, strict=True):
        _to_row(row, new)
        yield f"{edit.sheet}!{edit.by}{new}", f"row {old}", f"row {new}"
    data[start : start + len(rows)] = ordered


def _rank(book: Book, row: Element, column: str) -> tuple[int, float, str]:
    """Numbers before texts before empty cells, as spreadsheets sort."""
    for cell in row.iter(f"{S}c"):
        if str(cell.get("r")).rstrip("0123456789") == column:
            value = book.value(cell)
            if isinstance(value, float):
                return 0, value, ""
            if value is not None:
                return 1, 0.0, value.casefold()
    return 2, 0.0, ""


def _to_row(row: Element, number: int) -> None:
    row.set("r", str(number))
    for cell in row.iter(f"{S}c"):
        old = str(cell.get("r"))
        new = f"{old.rstrip('0123456789')}{number}"
        text, found = formula(cell), cell.find(f"{S}f")
        if text and found is not None:
            found.text = moved(text, old, new)
        cell.set("r", new)


def _number(row: Element) -> int:
    return int(row.get("r") or 0)


def drop_rows(book: Book, edit: e.DropRows) -> Iterator[Change]:
    for row in list(book.sheet(edit.sheet).iter(f"{S}row")):
        if _number(row) in edit.rows:
            remove(row)
            yield f"{edit.sheet}!{_number(row)}", f"{len(row)} cells", None
    book.forget_order()


def hide(book: Book, edit: e.Hide) -> Iterator[Change]:
    if not edit.rows and not edit.columns:
        entry = book.entry(edit.sheet)
        before = entry.get("state", "visible")
        entry.set("state", "hidden")
        yield edit.sheet, before, "hidden"
    root = book.sheet(edit.sheet)
    for row in root.iter(f"{S}row"):
        if _number(row) in edit.rows:
            yield f"{edit.sheet}!{_number(row)}", row.get("hidden", "shown"), "1"
            row.set("hidden", "1")
    for letter in edit.columns:
        column = _column(root, column_index_from_string(letter))
        yield f"{edit.sheet}!{letter}", column.get("hidden", "shown"), "1"
        column.set("hidden", "1")


def _column(root: Element, number: int) -> Element:
    """The element of one column alone, cut out of the range that holds it."""
    columns = root.find(f"{S}cols")
    if columns is None:
        columns = etree.Element(f"{S}cols")
        data = root.find(f"{S}sheetData")
        assert data is not None
        data.addprevious(columns)
    for one in list(columns):
        low, high = int(one.get("min") or 0), int(one.get("max") or 0)
        if low <= number <= high:
            for left, right in ((low, number - 1), (number, number), (number + 1, high)):
                if left <= right:
                    part = etree.fromstring(etree.tostring(one))
                    part.set("min", str(left))
                    part.set("max", str(right))
                    one.addprevious(part)
            remove(one)
            return next(c for c in columns if int(c.get("min") or 0) == number)
    new = etree.Element(f"{S}col", min=str(number), max=str(number), width="9.14")
    later = [one for one in columns if int(one.get("min") or 0) > number]
    columns.append(new) if not later else later[0].addprevious(new)
    return new


# --- sheets and names ---------------------------------------------------------------------------


def rename_sheet(book: Book, edit: e.RenameSheet) -> Iterator[Change]:
    entry = book.entry(edit.sheet)
    if edit.to in book.sheets:
        raise ContentError(f"there is a sheet {edit.to!r} already", where=book.path.name)
    roots = [book.sheet(name) for name in book.sheets]
    for element in book.formulas():
        element.text = renamed(element.text or "", edit.sheet, edit.to)
    for link in (one for root in roots for one in root.iter(f"{S}hyperlink")):
        if place := link.get("location"):
            link.set("location", renamed(place, edit.sheet, edit.to))
    _rename_sources(book, edit.sheet, edit.to)
    entry.set("name", edit.to)
    yield "sheet", edit.sheet, edit.to


def _rename_sources(book: Book, old: str, new: str) -> None:
    """Where pivot tables take their data from."""
    for part in [name for name in book.members if name.startswith("xl/pivotCache/")]:
        found = book.root(part).iter(f"{S}worksheetSource") if part.endswith(".xml") else ()
        for source in found:
            if source.get("sheet") == old:
                source.set("sheet", new)


def move_sheet(book: Book, edit: e.MoveSheet) -> Iterator[Change]:
    entry, before = book.entry(edit.sheet), list(book.sheets)
    if not 1 <= edit.to <= len(before):
        raise ContentError(f"there is no place {edit.to}", where=book.path.name, hint="from 1")
    parent = entry.getparent()
    assert parent is not None
    parent.remove(entry)
    parent.insert(edit.to - 1, entry)
    _renumber(book, before)
    yield edit.sheet, before.index(edit.sheet) + 1, edit.to


def drop_sheet(book: Book, edit: e.DropSheet) -> Iterator[Change]:
    entry, before = book.entry(edit.sheet), list(book.sheets)
    for name in before:
        for cell in list(book.sheet(name).iter(f"{S}c")):
            if names(formula(cell) or "", edit.sheet):
                paste(book, cell)
    for one in list(book.names()):
        local = one.get("localSheetId")
        own = local is not None and before[int(local)] == edit.sheet
        if own or names(one.text or "", edit.sheet):
            remove(one)
    book.unlink(book.part, str(entry.get(f"{OFFICE}id")))
    remove(entry)
    book.forget_order()
    _renumber(book, before)
    yield "sheet", edit.sheet, None


def _renumber(book: Book, before: list[str]) -> None:
    """Names of one sheet, and the sheet that is open, hold its place in the order."""
    places = {name: str(number) for number, name in enumerate(book.sheets)}
    for one in book.names():
        local = one.get("localSheetId")
        if local is not None:
            one.set("localSheetId", places[before[int(local)]])
    for view in book.top.iter(f"{S}workbookView"):
        for name in ("activeTab", "firstSheet"):
            view.attrib.pop(name, "")


def set_name(book: Book, edit: e.SetName) -> Iterator[Change]:
    found = [one for one in book.names() if one.get("name") == edit.name]
    if not found:
        known = [str(one.get("name")) for one in book.names()]
        raise unknown("defined name", edit.name, known, where=book.path.name)
    for one in found:
        before = one.text
        if edit.to is None:
            remove(one)
        else:
            one.text = str(edit.to)
        yield edit.name, before, None if edit.to is None else one.text


# --- how a sheet is viewed ----------------------------------------------------------------------


def unfreeze(book: Book, edit: e.Unfreeze) -> Iterator[Change]:
    root = book.sheet(edit.sheet)
    for pane in list(root.iter(f"{S}pane")):
        yield edit.sheet, f"frozen at {pane.get('topLeftCell')}", None
        remove(pane)
    for selection in list(root.iter(f"{S}selection")):
        selection.attrib.pop("pane", "")


def drop_filter(book: Book, edit: e.DropFilter) -> Iterator[Change]:
    part = book.sheets[str(book.entry(edit.sheet).get("name"))]
    tables = [link.target for link in book.links(part, "table")]
    for owner in [part, *tables]:
        for found in list(book.root(owner).iter(f"{S}autoFilter")):
            yield edit.sheet, f"filter on {found.get('ref')}", None
            remove(found)
    number = str(list(book.sheets).index(edit.sheet))
    for one in list(book.names()):
        if one.get("name") == "_xlnm._FilterDatabase" and one.get("localSheetId") == number:
            remove(one)


def drop_format(book: Book, edit: e.DropFormat) -> Iterator[Change]:
    yield from _without(book, edit.sheet, "conditionalFormatting")


def drop_validation(book: Book, edit: e.DropValidation) -> Iterator[Change]:
    yield from _without(book, edit.sheet, "dataValidations")


def _without(book: Book, sheet: str, tag: str) -> Iterator[Change]:
    """Elements of that name taken out, those of later extensions too."""
    for found in list(book.sheet(sheet).iter(f"{{*}}{tag}")):
        yield sheet, f"{tag} {found.get('sqref') or ''}".strip(), None
        remove(found)


def drop_print_area(book: Book, edit: e.DropPrintArea) -> Iterator[Change]:
    number = str(list(book.sheets).index(str(book.entry(edit.sheet).get("name"))))
    for one in list(book.names()):
        if one.get("name") == "_xlnm.Print_Area" and one.get("localSheetId") == number:
            yield edit.sheet, one.text, None
            remove(one)
