"""What hangs on a sheet beside its cells: views, formats, tables, comments, drawings, pivots."""

from collections.abc import Iterator
from math import isfinite

import msgspec
from lxml import etree

from bythebook.deliverables.evidence.elements import (
    child_of,
    children,
    local,
    related,
    text_in,
    within,
)
from bythebook.deliverables.evidence.formulas import COLUMNS, address
from bythebook.deliverables.evidence.model import Comment, Formatting, TextBox
from bythebook.deliverables.evidence.package import Package, Relation, number
from bythebook.deliverables.evidence.worksheet import rich_text, unescaped

Elements = tuple[etree._Element, ...]

PLACEHOLDER = "[Threaded comment]"
"""What a new comment leaves for old programs begins so."""


class Columns(msgspec.Struct, frozen=True):
    hidden: tuple[int, ...]
    widths: dict[int, float]


class Drawn(msgspec.Struct, frozen=True):
    """What lies over the cells."""

    charts: tuple[tuple[str, str], ...]
    """Part and address."""
    pictures: int = 0
    boxes: tuple[TextBox, ...] = ()
    diagrams: int = 0


def columns(found: Elements) -> Columns:
    hidden: set[int] = set()
    widths: dict[int, float] = {}
    for column in within_all(found, "col"):
        first, last = number(column.get("min"), 1), number(column.get("max"), 1)
        span = range(max(first, 1), min(last, COLUMNS) + 1)
        width = _decimal(column.get("width"))
        if column.get("hidden") in ("1", "true") or width == 0:
            hidden.update(span)
        elif width is not None and column.get("customWidth") in ("1", "true"):
            widths.update(dict.fromkeys(span, width))
    return Columns(tuple(sorted(hidden)), dict(sorted(widths.items())))


def freeze(found: Elements) -> str:
    """The first cell that scrolls."""
    for view in within_all(found, "sheetView"):
        pane = child_of(view, "pane")
        if pane is not None and pane.get("state") in ("frozen", "frozenSplit"):
            across, down = _decimal(pane.get("xSplit")) or 0, _decimal(pane.get("ySplit")) or 0
            return address(int(down) + 1, int(across) + 1)
        return ""
    return ""


def formats(found: Elements, extended: Elements) -> tuple[Formatting, ...]:
    """Conditional formats, also those that only newer programs know."""
    told = [
        _formatting(block.get("sqref") or "", rule)
        for block in found
        for rule in children(block, "cfRule")
    ]
    known = {(one.range, one.type) for one in told}
    for block in within_all(extended, "conditionalFormatting"):
        for rule in children(block, "cfRule"):
            newer = _formatting(text_in(block, "sqref"), rule)
            # A data bar stands twice: once plain, once with its newer looks.
            if (newer.range, newer.type) not in known:
                told.append(newer)
    return tuple(told)


def validations(found: Elements, extended: Elements) -> tuple[str, ...]:
    rules = (*within_all(found, "dataValidation"), *within_all(extended, "dataValidation"))
    told = []
    for rule in rules:
        where = rule.get("sqref") or text_in(rule, "sqref")
        limits = [_formula_text(child_of(rule, name)) for name in ("formula1", "formula2")]
        # A list has neither an operator nor a second limit, whatever some programs write.
        words = [rule.get("type") or "any", rule.get("operator") or "", *limits]
        if words[0] == "list":
            words = [words[0], limits[0]]
        told.append(f"{where}: {' '.join(word for word in words if word)}")
    return tuple(told)


def links(found: Elements, relations: dict[str, Relation]) -> dict[str, str]:
    told: dict[str, str] = {}
    for link in within_all(found, "hyperlink"):
        relation = relations.get(related(link))
        target = relation.target if relation else ""
        place = link.get("location") or ""
        told[link.get("ref") or ""] = f"{target}#{place}" if place else target
    return told


def tables(package: Package, relations: dict[str, Relation]) -> tuple[dict[str, str], list[str]]:
    """Name to range, and the ranges that have filter buttons."""
    named: dict[str, str] = {}
    filters: list[str] = []
    for part in _parts(relations, "table"):
        root = package.optional(part)
        if root is None:
            continue
        name = root.get("displayName") or root.get("name") or ""
        named[name] = root.get("ref") or ""
        button = child_of(root, "autoFilter")
        if button is not None:
            filters.append(button.get("ref") or named[name])
    return named, filters


def comments(
    package: Package, relations: dict[str, Relation], people: dict[str, str]
) -> tuple[Comment, ...]:
    """Notes, and the newer comments with their answers, in the order of the parts."""
    newer = [
        Comment(
            at=found.get("ref") or "",
            text=text_in(child_of(found, "text"), "text"),
            author=people.get(found.get("personId") or "", ""),
        )
        for part in _parts(relations, "threadedComment")
        for found in within(package.optional(part), "threadedComment")
    ]
    threads = {comment.at for comment in newer}
    notes = []
    for part in _parts(relations, "comments"):
        root = package.optional(part)
        authors = [author.text or "" for author in within(root, "author")]
        for note in within(root, "comment"):
            place = number(note.get("authorId"), -1)
            text = unescaped(rich_text(note))
            if not (note.get("ref") in threads and text.startswith(PLACEHOLDER)):
                who = authors[place] if 0 <= place < len(authors) else ""
                notes.append(Comment(at=note.get("ref") or "", text=text, author=who))
    return (*notes, *newer)


def people(package: Package, relations: dict[str, Relation]) -> dict[str, str]:
    """Id to name of those who commented."""
    return {
        found.get("id") or "": found.get("displayName") or ""
        for part in _parts(relations, "person")
        for found in within(package.optional(part), "person")
    }


def pivots(package: Package, relations: dict[str, Relation]) -> tuple[str, ...]:
    told = []
    for part in _parts(relations, "pivotTable"):
        root = package.optional(part)
        place = child_of(root, "location")
        cache = package.optional(package.one(part, "pivotCacheDefinition"))
        source = next(within(cache, "worksheetSource"), None)
        words = [root.get("name") or "" if root is not None else "", "at"]
        words.append(place.get("ref") or "?" if place is not None else "?")
        if source is not None:
            at = source.get("name") or f"{source.get('sheet') or ''}!{source.get('ref') or ''}"
            words += ["from", at]
        told.append(" ".join(words))
    return tuple(told)


def drawn(package: Package, relations: dict[str, Relation], found: Elements) -> Drawn:
    charts: list[tuple[str, str]] = []
    boxes: list[TextBox] = []
    pictures = diagrams = 0
    for element in found:
        relation = relations.get(related(element))
        part = relation.target if relation and not relation.outside else ""
        inner = package.relations(part) if part else {}
        root = package.optional(part) if part else None
        for anchor in root if root is not None else ():
            at = _corner(anchor)
            for thing in _shown(anchor, "chart", "pic", "sp", "relIds"):
                name = local(thing)
                if name == "chart" and related(thing) in inner:
                    charts.append((inner[related(thing)].target, at))
                elif name == "sp":
                    boxes.extend(_box(thing, at))
                pictures += name == "pic"
                diagrams += name == "relIds"
    return Drawn(tuple(charts), pictures, tuple(boxes), diagrams)


def within_all(found: Elements, name: str) -> Iterator[etree._Element]:
    for element in found:
        yield from within(element, name)


def _shown(anchor: etree._Element, *names: str) -> Iterator[etree._Element]:
    """What a program of today draws: without the stand-ins for older ones."""
    for thing in within(anchor, *names):
        if not any(local(above) == "Fallback" for above in thing.iterancestors()):
            yield thing


def _box(shape: etree._Element, at: str) -> Iterator[TextBox]:
    paragraphs = (text_in(paragraph) for paragraph in within(child_of(shape, "txBody"), "p"))
    text = "\n".join(paragraphs).strip()
    formula = (shape.get("textlink") or "").lstrip("=")
    if text or formula:
        yield TextBox(at, text, formula)


def _corner(anchor: etree._Element) -> str:
    row, column = (child_of(anchor, "from", name) for name in ("row", "col"))
    if row is None or column is None:
        return ""
    return address(number(row.text) + 1, min(number(column.text), COLUMNS - 1) + 1)


def _formatting(where: str, rule: etree._Element) -> Formatting:
    kind = " ".join(filter(None, (rule.get("type"), rule.get("operator"))))
    plain = [found.text or "" for found in children(rule, "formula")]
    newer = [found.text or "" for found in children(rule, "f")]
    return Formatting(where, kind or "unknown", tuple(plain or newer))


def _formula_text(element: etree._Element | None) -> str:
    if element is None:
        return ""
    return (element.text or "").strip() or text_in(element, "f")


def _parts(relations: dict[str, Relation], kind: str) -> list[str]:
    return [
        relation.target
        for relation in relations.values()
        if relation.kind == kind and not relation.outside
    ]


def _decimal(text: str | None) -> float | None:
    """None for what is no finite number: evidence is JSON, which has no other."""
    try:
        found = float(text) if text else None
    except ValueError:
        return None
    return found if found is not None and isfinite(found) else None
