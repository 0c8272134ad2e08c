"""What is left of a deliverable when its content is taken out: the frame that anybody could make.

A workbook keeps its formulas and loses what they were last seen to come to; a document keeps its
headings and the first row of each table, a presentation its titles, a text its headings or heading
row. A PDF or a picture is content throughout, so nothing is left of it.
"""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

from lxml import etree

_PARSER = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
Element = etree._Element


def skeleton(source: Path, to: Path) -> None:
    """Write the skeleton of a file; nothing is written where nothing is left."""
    kind = source.suffix.lower()
    if kind in _PARTS:
        prefix, strip = _PARTS[kind]
        _repacked(source, to, prefix, strip)
    elif kind in (".md", ".markdown"):
        lines = source.read_text("utf-8").splitlines()
        to.write_text("".join(f"{line}\n\n" for line in lines if line.startswith("#")), "utf-8")
    elif kind in (".csv", ".tsv", ".txt"):
        to.write_text("".join(source.read_text("utf-8").splitlines(True)[:1]), "utf-8")
    elif kind == ".json":
        empty: object = [] if isinstance(json.loads(source.read_text("utf-8")), list) else {}
        to.write_text(json.dumps(empty), "utf-8")


def _repacked(source: Path, to: Path, prefix: str, strip: Callable[[Element], None]) -> None:
    """The archive with some of its parts stripped; names, order and dates as they were."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(to, "w") as new:
        for member in old.infolist():
            data = old.read(member)
            if member.filename.startswith(prefix) and member.filename.endswith(".xml"):
                root = etree.fromstring(data, _PARSER)
                strip(root)
                data = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
            new.writestr(member, data, zipfile.ZIP_DEFLATED)


def _children(root: Element, path: str) -> list[Element]:
    """Elements at a path of local names, whatever their namespace."""
    steps = "/".join(f"*[local-name()='{name}']" for name in path.split("/"))
    found = root.xpath(f".//{steps}")
    nodes = found if isinstance(found, list) else []
    return [node for node in nodes if isinstance(node, etree._Element)]


def _drop(element: Element) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def _uncached(sheet: Element) -> None:
    """Formulas without values."""
    for formula in _children(sheet, "c/f"):
        cell = formula.getparent()
        for value in [] if cell is None else _children(cell, "v"):
            _drop(value)


def _headings(document: Element) -> None:
    """No text but that of headings and of each table's first row."""
    for paragraph in _children(document, "p"):
        styles = [str(value) for s in _children(paragraph, "pStyle") for value in s.values()]
        named = any(style.lower().startswith(("heading", "title")) for style in styles)
        if not named and not _in_first_row(paragraph):
            _silence(paragraph)


def _in_first_row(paragraph: Element) -> bool:
    row = next((up for up in paragraph.iterancestors() if _local(up) == "tr"), None)
    if row is None:
        return False
    return all(_local(before) != "tr" for before in row.itersiblings(preceding=True))


def _titles(slide: Element) -> None:
    """No text but that of title places, no pictures, no tables, no charts."""
    for frame in (*_children(slide, "graphicFrame"), *_children(slide, "pic")):
        _drop(frame)
    for shape in _children(slide, "sp"):
        kinds = {place.get("type", "") for place in _children(shape, "ph")}
        if not kinds & {"title", "ctrTitle"}:
            _silence(shape)


def _silence(element: Element) -> None:
    for text in _children(element, "t"):
        text.text = ""


def _local(element: Element) -> str:
    return str(etree.QName(element).localname)


_PARTS: dict[str, tuple[str, Callable[[Element], None]]] = {
    ".xlsx": ("xl/worksheets/sheet", _uncached),
    ".docx": ("word/document", _headings),
    ".pptx": ("ppt/slides/slide", _titles),
}
"""Suffix to the parts of the archive that hold content, and how it is taken out."""
