"""Looking around in XML without regard to namespaces: strict and transitional files alike."""

from collections.abc import Iterator

from lxml import etree

from bythebook.deliverables.evidence.reading import Unreadable


def local(element: etree._Element) -> str:
    """An element's name without its namespace; empty for comments and processing instructions."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def related(element: etree._Element | None, name: str = "id") -> str:
    """The relation that an element points at: its `r:id`, `r:embed` or so."""
    for key, value in element.attrib.items() if element is not None else ():
        space, _, word = str(key).rpartition("}")
        if word == name and space.endswith("/relationships"):
            return str(value)
    return ""


def children(element: etree._Element | None, name: str) -> Iterator[etree._Element]:
    """The direct children of that name."""
    if element is not None:
        for child in element:
            if local(child) == name:
                yield child


def child_of(element: etree._Element | None, *path: str) -> etree._Element | None:
    """The first child by name, then its child ...; None where there is none."""
    for name in path:
        element = next(children(element, name), None)
    return element


def within(element: etree._Element | None, *names: str) -> Iterator[etree._Element]:
    """All descendants of these names, in document order."""
    if element is not None:
        yield from element.iter(*(f"{{*}}{name}" for name in names))


def text_in(element: etree._Element | None, name: str = "t") -> str:
    """The texts of all descendants of a name, joined."""
    return "".join(found.text or "" for found in within(element, name))


def refuse_doctype(root: etree._Element, part: str) -> None:
    """An office part has no document type (ECMA-376 part 2, 6.1.4), hence no entities."""
    if root.getroottree().docinfo.internalDTD is not None:
        raise Unreadable("corrupt", f"Its part {part} declares a document type, as no office does.")
