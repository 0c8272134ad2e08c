"""An office file held as its parts: read whole, changed part by part, written again.

Only our own references are edited, and what an edit does not name keeps its bytes.
"""

import posixpath
import zipfile
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from lxml import etree

from bythebook.deliverables.evidence.package import OFFICE, RELATIONS, parsed

TYPES = "{http://schemas.openxmlformats.org/package/2006/content-types}"
RELATION_TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
LARGE = 2**16
"""Bytes of a part that costs more to compare than it is worth."""
ZIP_DATE = (1980, 1, 1, 0, 0, 0)


class Link(NamedTuple):
    """A relation of one part to another."""

    id: str
    kind: str
    """The last word of its type: `chart`, `drawing`."""
    target: str
    """The other part's name."""


class OfficeFile:
    """Use: change what `root` gives, then `save`."""

    compression: int | None = None
    """Of the parts, 1 to 9: the less, the faster."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with zipfile.ZipFile(path) as pack:
            self.members = {name: pack.read(name) for name in pack.namelist()}
        self._roots: dict[str, etree._Element] = {}

    def root(self, part: str) -> etree._Element:
        """The XML of a part; changes in it are saved."""
        if part not in self._roots:
            self._roots[part] = parsed(self.members[part], part)
        return self._roots[part]

    def save(self) -> None:
        """Write the file in place: parts in which nothing changed keep their bytes, and large ones
        that were looked at are written anew with the same XML."""
        for part, root in self._roots.items():
            new, old = _written(root), self.members.get(part, b"")
            if not old or len(old) > LARGE or new != _written(parsed(old, part)):
                self.members[part] = new
        with zipfile.ZipFile(self.path, "w") as pack:
            for name, data in self.members.items():
                info = zipfile.ZipInfo(name, ZIP_DATE)
                info.compress_type = zipfile.ZIP_DEFLATED
                info.create_system = 0
                pack.writestr(info, data, compresslevel=self.compression)

    # --- relations --------------------------------------------------------------------------

    def links(self, part: str, kind: str = "") -> list[Link]:
        """What a part relates to inside the file, all or of one kind."""
        rels = _rels(part)
        if rels not in self.members:
            return []
        folder = posixpath.dirname(part)
        found = []
        for one in self.root(rels).iter(f"{RELATIONS}Relationship"):
            word = (one.get("Type") or "").rsplit("/", 1)[-1]
            if one.get("TargetMode") != "External" and kind in ("", word):
                target = _inside(folder, one.get("Target") or "")
                found.append(Link(one.get("Id") or "", word, target))
        return found

    def target(self, part: str, id: str) -> str:
        """The part that relation `id` leads to."""
        return next(link.target for link in self.links(part) if link.id == id)

    def link(self, part: str, kind: str, target: str) -> str:
        """A new relation; gives its id."""
        rels = _rels(part)
        if rels not in self.members:
            name = RELATIONS.strip("{}")
            self.members[rels] = f'<Relationships xmlns="{name}"/>'.encode()
        root = self.root(rels)
        taken = {one.get("Id") for one in root}
        id = next(f"rId{n}" for n in range(1, len(taken) + 2) if f"rId{n}" not in taken)
        new = etree.SubElement(root, f"{RELATIONS}Relationship")
        new.set("Id", id)
        new.set("Type", RELATION_TYPE + kind)
        new.set("Target", f"/{target}")
        return id

    def unlink(self, part: str, id: str) -> None:
        """Take a relation away, and the part it led to when nothing else leads there."""
        target = self.target(part, id)
        for one in list(self.root(_rels(part))):
            if one.get("Id") == id:
                remove(one)
        owners = [name for name in self.members if not name.endswith(".rels")]
        if all(link.target != target for owner in owners for link in self.links(owner)):
            self.drop(target)

    def drop(self, part: str) -> None:
        """Take a part out, with its relations and its content type."""
        for name in (part, _rels(part)):
            self.members.pop(name, None)
            self._roots.pop(name, None)
        for one in list(self.root("[Content_Types].xml")):
            if one.get("PartName") == f"/{part}":
                remove(one)

    def add(self, part: str, data: bytes, content_type: str) -> None:
        """A new part, its type told by its suffix."""
        self.members[part] = data
        root = self.root("[Content_Types].xml")
        suffix = part.rsplit(".", 1)[-1]
        if all(one.get("Extension") != suffix for one in root):
            new = etree.Element(f"{TYPES}Default")
            new.set("Extension", suffix)
            new.set("ContentType", content_type)
            root.insert(0, new)

    def main(self) -> str:
        """The part that holds the document itself."""
        return self.links("", "officeDocument")[0].target


def id_of(element: etree._Element) -> str:
    """The relation that an element names."""
    return element.get(f"{OFFICE}id") or element.get(f"{OFFICE}embed") or ""


def remove(element: etree._Element) -> None:
    """Take an element out of its parent."""
    parent = element.getparent()
    assert parent is not None
    parent.remove(element)


def _written(root: etree._Element) -> bytes:
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _rels(part: str) -> str:
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{name}.rels")


def _inside(folder: str, target: str) -> str:
    path = target if target.startswith("/") else posixpath.join("/", folder, target)
    return unquote(posixpath.normpath(path)).lstrip("/")
