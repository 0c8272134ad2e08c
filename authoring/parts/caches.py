"""Readable values for a workbook written by openpyxl: LibreOffice computes, our file keeps them.

LibreOffice never writes a reference: saving through it would rewrite number formats and lose
freeze panes (measured with 7.4.7). Only its values are taken.
"""

import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from lxml import etree

from authoring.parts.pack import pack, write_zip
from bythebook.errors import BythebookError

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
S = f"{{{MAIN}}}"
PROFILE = (
    '<?xml version="1.0"?><oor:items xmlns:oor="http://openoffice.org/2001/registry">'
    '<item oor:path="/org.openoffice.Office.Calc/Formula/Load">'
    '<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>'
)
"""Recalculate always on load: else a cached value would be believed."""
Computed = Mapping[str, Mapping[str, tuple[str, str]]]
"""Sheet, then address, to the cell's type as in the file (n, str, b, e) and its value."""


class NoOffice(BythebookError):
    """LibreOffice is not here, or did not compute."""


def office() -> str | None:
    """The path of LibreOffice's program, if it is here."""
    return shutil.which("soffice") or shutil.which("libreoffice")


def computed(path: Path, seconds: int = 120) -> Computed:
    """All values of a workbook as LibreOffice computes them anew."""
    program = office()
    if program is None:
        raise NoOffice("LibreOffice is not installed", hint="on Debian: apt-get install soffice")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        user = folder / "profile/user"
        user.mkdir(parents=True)
        (user / "registrymodifications.xcu").write_text(PROFILE, "utf-8")
        command = [program, "--headless", f"-env:UserInstallation=file://{folder}/profile"]
        command += ["--convert-to", "xlsx", "--outdir", str(folder / "out"), str(path)]
        subprocess.run(command, capture_output=True, timeout=seconds, check=False)
        out = folder / "out" / path.name
        if not out.exists():
            raise NoOffice("LibreOffice did not compute it", where=path)
        return values(out)


def fill_caches(path: Path) -> None:
    """Put computed values into every formula cell of our own file, in place, and `pack` it.

    An error value is refused: a reference has none.
    """
    found = computed(path)
    with zipfile.ZipFile(path) as old:
        members = {info.filename: old.read(info) for info in old.infolist()}
    for name, part in sheet_parts(members).items():
        members[part] = _filled(members[part], found[name], f"{path.name}#{name}")
    write_zip(path, members)
    pack(path)


def values(path: Path) -> Computed:
    """The cached values of a workbook, as text with their types; shared strings spelled out."""
    with zipfile.ZipFile(path) as book:
        members = {name: book.read(name) for name in book.namelist()}
    shared = _shared(members)
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for name, part in sheet_parts(members).items():
        cells = etree.fromstring(members[part]).iter(f"{S}c")
        found[name] = {str(cell.get("r")): _value(cell, shared) for cell in cells}
    return found


def sheet_parts(members: Mapping[str, bytes]) -> dict[str, str]:
    """Sheet name to the zip member that holds it, in the book's order."""
    targets = {
        str(rel.get("Id")): str(rel.get("Target"))
        for rel in etree.fromstring(members["xl/_rels/workbook.xml.rels"])
    }
    sheets = etree.fromstring(members["xl/workbook.xml"]).iter(f"{S}sheet")
    return {
        str(sheet.get("name")): _member(targets[str(sheet.get(f"{{{OFFICE}}}id"))])
        for sheet in sheets
    }


def _member(target: str) -> str:
    return target.lstrip("/") if target.startswith("/") else f"xl/{target}"


def _shared(members: Mapping[str, bytes]) -> list[str]:
    if "xl/sharedStrings.xml" not in members:
        return []
    items = etree.fromstring(members["xl/sharedStrings.xml"]).iter(f"{S}si")
    return ["".join(t.text or "" for t in item.iter(f"{S}t")) for item in items]


def _value(cell: etree._Element, shared: list[str]) -> tuple[str, str]:
    kind, text = cell.get("t", "n"), cell.findtext(f"{S}v") or ""
    if kind == "s":
        return "str", shared[int(text)]
    if kind == "inlineStr":
        return "str", "".join(t.text or "" for t in cell.iter(f"{S}t"))
    return kind, _plain(text) if kind == "n" and text else text


def _plain(text: str) -> str:
    """A number at 15 significant digits, so that the last bits of a sum leave no trace."""
    return format(float(text), ".15g")


def _filled(data: bytes, found: Mapping[str, tuple[str, str]], where: str) -> bytes:
    root = etree.fromstring(data)
    for cell in root.iter(f"{S}c"):
        if cell.find(f"{S}f") is None:
            continue
        at = str(cell.get("r"))
        kind, text = found.get(at, ("str", ""))
        if kind == "e":
            raise NoOffice(f"{at} computes to {text}", where=where)
        for old in cell.findall(f"{S}v"):
            cell.remove(old)
        cell.attrib.pop("t", "")
        if kind != "n":
            cell.set("t", kind)
        etree.SubElement(cell, f"{S}v").text = text
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
