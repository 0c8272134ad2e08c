"""A workbook written from its evidence: values, formulas, formats of numbers and names."""

import re
import zipfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from bythebook.deliverables.evidence.formulas import address
from bythebook.deliverables.evidence.model import Cell, Scalar, Workbook

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
CONTENT = "application/vnd.openxmlformats-officedocument.spreadsheetml"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
FIRST_OWN_FORMAT = 164
ZIP_DATE = (1980, 1, 1, 0, 0, 0)
_ODD = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_x[0-9A-Fa-f]{4}_")
"""What XML cannot say plainly."""


def can_stand(value: Scalar) -> bool:
    """Can a value be written as it is?"""
    return not isinstance(value, str) or not _ODD.search(value)


def write(book: Workbook, path: Path) -> None:
    """Texts must be such that `can_stand` holds of them."""
    codes = dict.fromkeys(cell.format for sheet in book.sheets for cell in sheet.cells)
    styles = {code: number for number, code in enumerate({"General": None, **codes})}
    numbers = range(1, len(book.sheets) + 1)
    links = [("worksheet", f"worksheets/sheet{number}.xml") for number in numbers]
    parts = {
        "[Content_Types].xml": _types(numbers),
        "_rels/.rels": _relations([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": _workbook(book),
        "xl/_rels/workbook.xml.rels": _relations([*links, ("styles", "styles.xml")]),
        "xl/styles.xml": _styles([*styles]),
    }
    for number, sheet in zip(numbers, book.sheets, strict=True):
        parts[f"xl/worksheets/sheet{number}.xml"] = _sheet(sheet.cells, styles)
    with zipfile.ZipFile(path, "w") as pack:
        for name, text in parts.items():
            info = zipfile.ZipInfo(name, ZIP_DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            pack.writestr(info, HEAD + text, compresslevel=1)


def _types(numbers: range) -> str:
    told = [("workbook", "sheet.main"), ("styles", "styles")]
    told += [(f"worksheets/sheet{number}", "worksheet") for number in numbers]
    parts = "".join(
        f'<Override PartName="/xl/{name}.xml" ContentType="{CONTENT}.{kind}+xml"/>'
        for name, kind in told
    )
    rels = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package'
    return f'<Types xmlns="{TYPES}">{rels}.relationships+xml"/>{parts}</Types>'


def _relations(told: list[tuple[str, str]]) -> str:
    links = "".join(
        f'<Relationship Id="rId{number}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(told, 1)
    )
    return f'<Relationships xmlns="{RELATIONS}">{links}</Relationships>'


def _workbook(book: Workbook) -> str:
    sheets = "".join(
        f'<sheet name={quoteattr(sheet.name)} sheetId="{number}" r:id="rId{number}"/>'
        for number, sheet in enumerate(book.sheets, 1)
    )
    names = "".join(_names(book))
    date1904 = '<workbookPr date1904="1"/>' if book.date1904 else ""
    return (
        f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">{date1904}<sheets>{sheets}</sheets>'
        + (f"<definedNames>{names}</definedNames>" if names else "")
        + "</workbook>"
    )


def _names(book: Workbook) -> Iterator[str]:
    for name, text in book.names.items():
        yield f"<definedName name={quoteattr(name)}>{escape(text)}</definedName>"
    places = {sheet.name: number for number, sheet in enumerate(book.sheets)}
    for local, text in book.local_names.items():
        sheet, _, name = local.rpartition("!")
        own = f'name={quoteattr(name)} localSheetId="{places[sheet]}"'
        yield f"<definedName {own}>{escape(text)}</definedName>"


def _styles(codes: list[str]) -> str:
    own = [code for code in codes if code != "General"]
    ids = {"General": 0} | {code: n for n, code in enumerate(own, FIRST_OWN_FORMAT)}
    formats = "".join(
        f'<numFmt numFmtId="{ids[code]}" formatCode={quoteattr(code)}/>' for code in own
    )
    looks = "".join(
        f'<xf numFmtId="{ids[code]}" fontId="0" fillId="0" borderId="0" applyNumberFormat="1"/>'
        for code in codes
    )
    return (
        f'<styleSheet xmlns="{MAIN}">'
        + (f'<numFmts count="{len(own)}">{formats}</numFmts>' if own else "")
        + '<fonts count="1"><font/></fonts><fills count="1"><fill/></fills>'
        '<borders count="1"><border/></borders>'
        f'<cellXfs count="{len(codes)}">{looks}</cellXfs></styleSheet>'
    )


def _sheet(cells: tuple[Cell, ...], styles: dict[str, int]) -> str:
    """Cells row by row, left to right."""
    rows = "".join(
        f'<row r="{row}">{"".join(_cell(cell, styles[cell.format]) for cell in group)}</row>'
        for row, group in groupby(cells, key=lambda cell: cell.row)
    )
    return f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'


def _cell(cell: Cell, style: int) -> str:
    head = f'<c r="{address(cell.row, cell.column)}" s="{style}"'
    if cell.formula:
        return f"{head}><f>{escape(cell.formula)}</f></c>"
    match cell.value:
        case None:
            return f"{head}/>"
        case bool():
            return f'{head} t="b"><v>{int(cell.value)}</v></c>'
        case int() | float():
            return f"{head}><v>{cell.value!r}</v></c>"
    if cell.type == "error":
        return f'{head} t="e"><v>{escape(cell.value)}</v></c>'
    text = f'<t xml:space="preserve">{escape(cell.value)}</t>'
    return f'{head} t="inlineStr"><is>{text}</is></c>'
