"""An office file as what it is: a ZIP of XML parts that point at each other (ECMA-376, part 2)."""

import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO
from urllib.parse import unquote

import msgspec
from lxml import etree

from bythebook.deliverables.evidence.reading import Unreadable

BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError)
"""What zipfile raises on bytes that are not what they say."""


class Relation(msgspec.Struct, frozen=True):
    id: str
    type: str
    """The last word of the type's address: `worksheet`, `image`."""
    target: str
    """A part's name, or whatever was written if external."""
    external: bool = False


def local(element: etree._Element) -> str:
    """An element's name without its namespace; empty for comments and processing instructions."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def related(element: etree._Element, name: str = "id") -> str:
    """The relation that an element points at: its `r:id`, `r:embed` or so; strict or not."""
    for key, value in element.attrib.items():
        space, _, word = str(key).rpartition("}")
        if word == name and space.endswith("/relationships"):
            return str(value)
    return ""


def children(element: etree._Element | None, name: str) -> Iterator[etree._Element]:
    """The direct children of that name, in any namespace."""
    if element is not None:
        for child in element:
            if local(child) == name:
                yield child


def child(element: etree._Element | None, *path: str) -> etree._Element | None:
    """The first child by name, then its child ...; None where there is none."""
    for name in path:
        element = next(children(element, name), None)
    return element


def within(element: etree._Element | None, *names: str) -> Iterator[etree._Element]:
    """All descendants of these names, in document order, in any namespace."""
    if element is not None:
        yield from element.iter(*(f"{{*}}{name}" for name in names))


def text_of(element: etree._Element | None, name: str = "t") -> str:
    """The texts of all descendants of a name, joined."""
    return "".join(found.text or "" for found in within(element, name))


class Package:
    """One open office file. Everything that does not read raises `Unreadable`."""

    def __init__(self, path: Path) -> None:
        try:
            self._zip = zipfile.ZipFile(path)
        except BROKEN as error:
            raise Unreadable("corrupt", f"not a whole ZIP archive: {error}") from None
        self._names = {name.lower(): name for name in self._zip.namelist()}

    def __enter__(self) -> "Package":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._zip.close()

    @property
    def names(self) -> tuple[str, ...]:
        """Of all parts, in the archive's order."""
        return tuple(self._names.values())

    def has(self, part: str) -> bool:
        return part.lower() in self._names

    def stream(self, part: str) -> IO[bytes]:
        """Names are compared without case (part 2, 6.2.2.3)."""
        name = self._names.get(part.lower())
        if name is None:
            raise Unreadable("corrupt", f"the part {part} is missing")
        try:
            return self._zip.open(name)
        except BROKEN as error:
            raise Unreadable("corrupt", f"the part {part} does not unpack: {error}") from None

    def bytes(self, part: str) -> bytes:
        try:
            with self.stream(part) as file:
                return file.read()
        except BROKEN as error:
            raise Unreadable("corrupt", f"the part {part} does not unpack: {error}") from None

    def xml(self, part: str) -> etree._Element:
        """The root of a part. A part may hold no document type (part 2, 6.1.4): no entities."""
        parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
        try:
            root = etree.fromstring(self.bytes(part), parser)
        except etree.XMLSyntaxError as error:
            raise Unreadable("corrupt", f"the part {part} is not XML: {error}") from None
        refuse_doctype(root, part)
        return root

    def xml_if_there(self, part: str) -> etree._Element | None:
        return self.xml(part) if part and self.has(part) else None

    def relations(self, part: str) -> tuple[Relation, ...]:
        """What a part points at; `""` is the package itself. A relation without target is none."""
        folder, name = posixpath.split(part)
        root = self.xml_if_there(posixpath.join(folder, "_rels", f"{name}.rels"))
        return tuple(
            Relation(
                id=found.get("Id", ""),
                type=found.get("Type", "").rpartition("/")[2],
                target=found.get("Target", "") if outside else _part(folder, found.get("Target")),
                external=outside,
            )
            for found in within(root, "Relationship")
            for outside in [found.get("TargetMode") == "External"]
        )

    def target(self, part: str, relation: str) -> str:
        """The part that a relation id leads to; empty when it leads nowhere or outside."""
        for found in self.relations(part):
            if found.id == relation and not found.external:
                return found.target
        return ""

    def targets(self, part: str, kind: str) -> tuple[str, ...]:
        """The parts of one type of relation."""
        return tuple(
            found.target
            for found in self.relations(part)
            if found.type == kind and not found.external
        )

    @property
    def main(self) -> str:
        """The part that the package is about: `xl/workbook.xml`."""
        found = self.targets("", "officeDocument")
        if not found:
            raise Unreadable("corrupt", "the package names no main part")
        return found[0]

    @property
    def external(self) -> tuple[str, ...]:
        """Targets outside of the package that any part names, hyperlinks left out; sorted."""
        found = set()
        for name in self.names:
            folder, _, rels = name.rpartition("/_rels/")
            if rels.endswith(".rels") and folder:
                part = f"{folder}/{rels.removesuffix('.rels')}"
                found |= {
                    relation.target
                    for relation in self.relations(part)
                    if relation.external and relation.type != "hyperlink"
                }
        return tuple(sorted(found))

    @property
    def macros(self) -> bool:
        return any(name.lower().endswith("vbaproject.bin") for name in self.names)


def refuse_doctype(root: etree._Element, part: str) -> None:
    if root.getroottree().docinfo.internalDTD is not None:
        raise Unreadable("corrupt", f"the part {part} declares a document type")


def _part(folder: str, target: str | None) -> str:
    """A relation's target as a part's name; `..` cannot leave the package."""
    path = unquote((target or "").partition("#")[0]).replace("\\", "/")
    whole = path if path.startswith("/") else f"/{folder}/{path}"
    return posixpath.normpath(whole).lstrip("/") if path else ""
