"""An Office Open XML file as a package of parts: opened once, read within limits, never written.

ECMA-376 part 2: parts in a zip, joined by relationships. What a candidate's bytes break ends in
`Unreadable`; a broken part that the main text can do without ends in a warning.
"""

import posixpath
import re
import zipfile
import zlib
from pathlib import Path
from types import TracebackType
from typing import IO, NamedTuple, Self
from urllib.parse import unquote

from lxml import etree

from bythebook.deliverables.evidence.reading import Unreadable

MAX_PART = 128 * 2**20
"""Bytes of one unpacked part."""
MAX_LINKS = 1000

RELATIONS = "{http://schemas.openxmlformats.org/package/2006/relationships}"
OFFICE = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
V = "{urn:schemas-microsoft-com:vml}"
O = "{urn:schemas-microsoft-com:office:office}"  # noqa: E741 - the prefix that the format uses

STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
"""Namespaces of the strict flavour; the same elements under other names."""

BROKEN = (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError)
"""What `zipfile` raises over damaged, encrypted or unknown members."""


class Relation(NamedTuple):
    kind: str
    """The last word of its type: `image`, `hyperlink`, `footnotes`."""
    target: str
    """A part's name; what lies outside the file stands as written."""
    outside: bool = False


class Package:
    """The parts of one file. Use as a context: `with Package(path) as package`."""

    def __init__(self, path: Path) -> None:
        try:
            self._zip = zipfile.ZipFile(path)
        except BROKEN as error:
            raise Unreadable("corrupt", f"It does not open as a zip archive: {error}.") from None
        self.names = frozenset(self._zip.namelist())
        self.warnings: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._zip.close()

    def stream(self, part: str) -> IO[bytes]:
        """A part to be read piece by piece; reading may raise `BROKEN`. Raises Unreadable."""
        try:
            return self._zip.open(part)
        except KeyError:
            raise Unreadable("corrupt", f"Its part {part} is missing.") from None
        except BROKEN as error:
            raise Unreadable("corrupt", f"Its part {part} does not unpack: {error}.") from None

    def data(self, part: str) -> bytes:
        """The bytes of a part. Raises Unreadable."""
        try:
            with self._zip.open(part) as file:
                found = file.read(MAX_PART + 1)
        except KeyError:
            raise Unreadable("corrupt", f"Its part {part} is missing.") from None
        except BROKEN as error:
            raise Unreadable("corrupt", f"Its part {part} does not unpack: {error}.") from None
        if len(found) > MAX_PART:
            raise Unreadable("too_big", f"Its part {part} is over {MAX_PART // 2**20} MiB.")
        return found

    def xml(self, part: str) -> etree._Element:
        """The root of a part that has to be there. Raises Unreadable."""
        return parsed(self.data(part), part)

    def optional(self, part: str) -> etree._Element | None:
        """The root of a part, None where it is absent or broken; broken is warned of."""
        if part not in self.names:
            return None
        try:
            return self.xml(part)
        except Unreadable as error:
            self.warn(error.says)
            return None

    def warn(self, words: str) -> None:
        if words not in self.warnings:
            self.warnings.append(words)

    def relations(self, part: str = "") -> dict[str, Relation]:
        """Of a part, or of the whole package, by id."""
        folder, name = posixpath.split(part)
        root = self.optional(posixpath.join(folder, "_rels", f"{name}.rels"))
        found: dict[str, Relation] = {}
        for one in root.iter(f"{RELATIONS}Relationship") if root is not None else ():
            kind = (one.get("Type") or "").rsplit("/", 1)[-1]
            target, outside = one.get("Target") or "", one.get("TargetMode") == "External"
            found[one.get("Id") or ""] = Relation(
                kind, target if outside else _inside(folder, target), outside
            )
        return found

    def one(self, part: str, kind: str) -> str:
        """The first part of that kind that `part` relates to; empty if there is none."""
        for relation in self.relations(part).values():
            if relation.kind == kind and not relation.outside:
                return relation.target
        return ""

    def main(self, usual: str) -> str:
        """The part that holds the document itself. Raises Unreadable."""
        for name in (self.one("", "officeDocument"), usual):
            if name in self.names:
                return name
        raise Unreadable("corrupt", f"It has no part {usual}.")

    @property
    def macros(self) -> bool:
        return any(name.lower().endswith("vbaproject.bin") for name in self.names)

    @property
    def outside(self) -> tuple[str, ...]:
        """Every target outside the file, in the order of parts."""
        found: dict[str, None] = {}
        for name in sorted(self.names):
            folder, file = posixpath.split(name)
            if file.endswith(".rels") and posixpath.basename(folder) == "_rels":
                part = posixpath.join(posixpath.dirname(folder), file.removesuffix(".rels"))
                links = self.relations(part).values()
                found |= dict.fromkeys(link.target for link in links if link.outside)
        return tuple(found)[:MAX_LINKS]


def parsed(data: bytes, name: str) -> etree._Element:
    """XML without entities, comments and instructions; `name` is for people. Raises Unreadable."""
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )
    if b"purl.oclc.org" in data:
        data = STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/\2", data)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Unreadable("corrupt", f"Its part {name} is no XML: {error}.") from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise Unreadable("corrupt", f"Its part {name} declares a document type, as no office does.")
    return root


def flag(element: etree._Element | None, attribute: str) -> bool:
    """Whether an on/off element is there and on."""
    return element is not None and element.get(attribute, "1") not in ("0", "false", "off")


def number(text: str | None, default: int = 0) -> int:
    """A whole number out of an attribute, whatever the attribute holds."""
    try:
        value = int(text or "")
    except ValueError:
        return default
    return value if abs(value) < 2**31 else default


def _inside(folder: str, target: str) -> str:
    """The name of the part that a relative target means."""
    path = target if target.startswith("/") else posixpath.join("/", folder, target)
    return unquote(posixpath.normpath(path)).lstrip("/")
