"""Edits of cells: constants, formulas, cached values, formats."""

import re
from collections.abc import Iterator, Mapping

from lxml import etree

from bythebook.deliverables.evidence.model import Recalculation, Scalar
from bythebook.deliverables.faults import edits as e
from bythebook.deliverables.faults.book import Book, Element, S, empty, formula, put
from bythebook.errors import ContentError

Change = tuple[str, object, object]
"""Place, before, after."""


F, V = f"{S}f", f"{S}v"


def set_cell(book: Book, edit: e.SetCell) -> Iterator[Change]:
    cell = book.cell(edit.at)
    before = shown(book, cell)
    put(cell, edit.to)
    book.forget_order()
    yield edit.at, before, shown(book, cell)


def swap_cells(book: Book, edit: e.SwapCells) -> Iterator[Change]:
    a, b = book.cell(edit.a), book.cell(edit.b)
    before = shown(book, a), shown(book, b)
    _swap(a, b)
    yield edit.a, before[0], shown(book, a)
    yield edit.b, before[1], shown(book, b)


def swap_columns(book: Book, edit: e.SwapColumns) -> Iterator[Change]:
    places = [f"{edit.sheet}!{column}{edit.heading}" for column in (edit.a, edit.b)]
    yield from swap_cells(book, e.SwapCells(file=edit.file, a=places[0], b=places[1]))


def _swap(a: Element, b: Element) -> None:
    mine, theirs = list(a), list(b)
    a[:], b[:] = theirs, mine
    for name in ("s", "t"):
        first, second = a.get(name), b.get(name)
        for cell, value in ((a, second), (b, first)):
            cell.attrib.pop(name, "")
            if value is not None:
                cell.set(name, value)


def set_formula(book: Book, edit: e.SetFormula) -> Iterator[Change]:
    cell = book.cell(edit.at)
    before, value = shown(book, cell), book.value(cell)
    text = edit.to.replace("{v}", "" if value is None else _plain(value))
    found = cell.find(f"{S}f")
    if found is None:
        put(cell, value)
        _as_result(cell)
        found = etree.Element(f"{S}f")
        cell.insert(0, found)
    found.attrib.clear()
    found.text = text.removeprefix("=")
    yield edit.at, before, shown(book, cell)


def formula_replace(book: Book, edit: e.FormulaReplace) -> Iterator[Change]:
    """Counted by cells. Only the text of formulas is touched, never a text inside a constant."""
    pattern = re.compile(edit.find if edit.regex else re.escape(edit.find))
    for sheet, cell in book.cells(edit):
        found = cell.find(f"{S}f")
        if found is None or not found.text:
            continue
        before = found.text
        with_ = edit.put if edit.regex else edit.put.replace("\\", "\\\\")
        found.text = pattern.sub(with_, before)
        yield f"{sheet}!{cell.get('r')}", before, found.text


def strip_caches(book: Book, edit: e.StripCaches) -> Iterator[Change]:
    for sheet, cell in book.cells(edit):
        if formula(cell) is not None:
            before = book.value(cell)
            for value in cell.findall(f"{S}v"):
                cell.remove(value)
            cell.attrib.pop("t", "")
            yield f"{sheet}!{cell.get('r')}", before, None


def paste_values(book: Book, edit: e.PasteValues) -> Iterator[Change]:
    for sheet, cell in list(book.cells(edit)):
        text = formula(cell)
        if text is not None:
            paste(book, cell)
            yield f"{sheet}!{cell.get('r')}", f"={text}", shown(book, cell)
    book.forget_order()


def paste(book: Book, cell: Element) -> None:
    """A formula's value in its place."""
    if cell.get("t") == "str":
        put(cell, book.value(cell))
    for found in cell.findall(f"{S}f"):
        cell.remove(found)


def text_numbers(book: Book, edit: e.TextNumbers) -> Iterator[Change]:
    for sheet, cell in list(book.cells(edit)):
        value = book.value(cell)
        if cell.get("t", "n") == "n" and isinstance(value, float):
            put(cell, _plain(value))
            yield f"{sheet}!{cell.get('r')}", value, shown(book, cell)
    book.forget_order()


# --- formats ------------------------------------------------------------------------------------


def number_format(book: Book, edit: e.NumberFormat) -> Iterator[Change]:
    styles = book.root(book.links(book.part, "styles")[0].target)
    made: dict[str, str] = {}
    for sheet, cell in book.cells(edit):
        old = cell.get("s", "0")
        if old not in made:
            made[old] = _styled(styles, int(old), edit.to)
        cell.set("s", made[old])
        yield f"{sheet}!{cell.get('r')}", f"style {old}", f"style {made[old]}"


def _styled(styles: Element, old: int, code: str) -> str:
    """A cell style like the old one, with this number format; gives its number."""
    looks = styles.find(f"{S}cellXfs")
    assert looks is not None
    new = etree.fromstring(etree.tostring(looks[old]))
    new.set("numFmtId", _format_number(styles, code))
    new.set("applyNumberFormat", "1")
    looks.append(new)
    looks.set("count", str(len(looks)))
    return str(len(looks) - 1)


def _format_number(styles: Element, code: str) -> str:
    known = {"General": "0", "0": "1", "0.00": "2", "@": "49"}
    if code in known:
        return known[code]
    formats = styles.find(f"{S}numFmts")
    if formats is None:
        formats = etree.Element(f"{S}numFmts")
        styles.insert(0, formats)
    number = max([163, *(int(one.get("numFmtId") or 0) for one in formats)]) + 1
    etree.SubElement(formats, f"{S}numFmt", numFmtId=str(number), formatCode=code)
    formats.set("count", str(len(formats)))
    return str(number)


# --- caches -------------------------------------------------------------------------------------


def fill(book: Book, found: Recalculation, *, errors: bool = False) -> Iterator[Change]:
    """Computed values put into the formula cells. Raises `ContentError` over an error value, which
    no reference and no fault has unless it says so."""
    for sheet in book.sheets:
        values, untouched = found.values.get(sheet, {}), not book.is_open(sheet)
        changes = [*_filled(book, sheet, values, errors=errors)] if values else []
        if untouched and not changes:
            book.leave(sheet)
        yield from changes


def _filled(
    book: Book, sheet: str, values: Mapping[str, Scalar], *, errors: bool
) -> Iterator[Change]:
    """Asked a hundred thousand times in a proof: what stands there already is not touched."""
    for cell in book.cells_as_they_are(sheet):
        at = cell.get("r") or ""
        if at not in values:
            continue
        value, old = values[at], cell.find(V)
        kind, text = _as_written(value)
        if old is not None and old.text == text and cell.get("t", "n") == kind != "e":
            continue
        if cell.find(F) is not None:
            if kind == "e" and not errors:
                hint = "mend the edit, or say `errors: true`"
                raise ContentError(f"{sheet}!{at} computes to {value}", where=book.path, hint=hint)
            before = book.value(cell)
            _result(cell, value)
            yield f"{sheet}!{at}", before, book.value(cell)


def is_error(value: Scalar) -> bool:
    return isinstance(value, str) and value[:1] in "#E" and bool(ERROR.fullmatch(value))


ERROR = re.compile(r"#(?:N/A|NAME\?|DIV/0!|REF!|VALUE!|NUM!|NULL!|SPILL!|CALC!)|Err:\d+")


def _result(cell: Element, value: Scalar) -> None:
    """The cached value of a formula cell."""
    for old in cell.findall(f"{S}v"):
        cell.remove(old)
    cell.attrib.pop("t", "")
    if value is None:
        return
    kind, text = _as_written(value)
    if kind != "n":
        cell.set("t", kind)
    etree.SubElement(cell, f"{S}v").text = text


def _as_written(value: Scalar) -> tuple[str, str]:
    """The type and the text of a value in XML."""
    match value:
        case bool():
            return "b", str(int(value))
        case str():
            return ("e" if is_error(value) else "str"), value
        case _:
            return "n", _plain(value)


def _as_result(cell: Element) -> None:
    """A constant's value written as a formula's."""
    if cell.get("t") == "inlineStr":
        text = "".join(t.text or "" for t in cell.iter(f"{S}t"))
        empty(cell)
        _result(cell, text)


def shown(book: Book, cell: Element) -> str:
    """What stands in a cell, for people."""
    text, value = formula(cell), book.value(cell)
    says = "nothing" if value is None else _plain(value)
    return says if text is None else f"={text} [{says}]"


def _plain(value: Scalar) -> str:
    """A number at 15 significant digits, so that the last bits of a sum leave no trace."""
    return format(value, ".15g") if isinstance(value, float) else str(value)
