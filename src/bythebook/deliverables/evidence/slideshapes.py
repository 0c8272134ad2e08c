"""The shapes of a slide, flat and in order: what they say and where they stand."""

from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from bythebook.deliverables.evidence.drawings import NEWER, diagram, drawn_chart
from bythebook.deliverables.evidence.equations import linear
from bythebook.deliverables.evidence.model import Shape
from bythebook.deliverables.evidence.package import (
    DGM,
    OFFICE,
    A,
    C,
    M,
    P,
    Package,
    Relation,
    number,
)
from bythebook.deliverables.evidence.worddrawn import children

FAR = 1_000_000
"""Thousandths of the slide; what lies farther stands there."""
MAX_SHAPES = 5000
MAX_CELLS = 100_000
"""Of one table."""
TITLES = ("title", "ctrTitle")
LEAVES = ("sp", "graphicFrame", "pic", "cxnSp", "contentPart")


class Canvas(NamedTuple):
    """The size of every slide in EMU, 914,400 to an inch."""

    width: int
    height: int


class Frame(NamedTuple):
    """How far a group's own units reach: place = offset + scale * value, for x and y."""

    x: float = 0
    y: float = 0
    right: float = 1
    down: float = 1


class Box(NamedTuple):
    x: int
    y: int
    width: int
    height: int


def text_body(body: etree._Element) -> str:
    """Paragraphs as lines, equations in one line."""
    return "\n".join(_paragraph(one) for one in body.iter(f"{A}p")).strip("\n")


def _paragraph(paragraph: etree._Element) -> str:
    text = ""
    stack = list(reversed(children(paragraph)))
    while stack:
        element = stack.pop()
        if element.tag == f"{A}t":
            text += element.text or ""
        elif element.tag == f"{A}br":
            text += "\n"
        elif element.tag == f"{M}oMath":
            text += linear(element)
        else:
            stack.extend(reversed(children(element)))
    return text


def box_of(element: etree._Element) -> Box | None:
    """Its own place and size, if it has one."""
    for path in (f"{P}spPr/{A}xfrm", f"{P}xfrm", f"{P}grpSpPr/{A}xfrm"):
        found = element.find(path)
        if found is not None:
            offset, size = found.find(f"{A}off"), found.find(f"{A}ext")
            if offset is not None and size is not None:
                x, y = number(offset.get("x")), number(offset.get("y"))
                return Box(x, y, number(size.get("cx")), number(size.get("cy")))
    return None


def placeholder(shape: etree._Element) -> tuple[str, str] | None:
    """Type and index of a placeholder; None for any other shape."""
    found = shape.find(f"./*/{P}nvPr/{P}ph")
    if found is None:
        return None
    kind = found.get("type") or "body"
    return ("title" if kind in TITLES else kind), found.get("idx") or ""


class Inherited:
    """Places of placeholders on a layout and its master, for slides that leave theirs out."""

    def __init__(self, roots: list[etree._Element]) -> None:
        self._by_index: dict[str, Box] = {}
        self._by_kind: dict[str, Box] = {}
        for root in roots:
            for shape in root.iter(f"{P}sp", f"{P}pic", f"{P}graphicFrame"):
                self._take(shape)

    def _take(self, shape: etree._Element) -> None:
        place, box = placeholder(shape), box_of(shape)
        if place is None or box is None:
            return
        kind, index = place
        if index:
            self._by_index.setdefault(index, box)
        self._by_kind.setdefault(kind, box)

    def box(self, shape: etree._Element) -> Box | None:
        place = placeholder(shape)
        if place is None:
            return None
        kind, index = place
        return self._by_index.get(index) or self._by_kind.get(kind) or self._by_kind.get("body")


def into_group(group: etree._Element, frame: Frame) -> Frame:
    """The frame inside a group: its children are placed in units of their own."""
    found = group.find(f"{P}grpSpPr/{A}xfrm")
    outer = box_of(group)
    inner_offset = found.find(f"{A}chOff") if found is not None else None
    inner_size = found.find(f"{A}chExt") if found is not None else None
    if outer is None or inner_offset is None or inner_size is None:
        return frame
    right = outer.width / (number(inner_size.get("cx")) or 1) if outer.width else 1
    down = outer.height / (number(inner_size.get("cy")) or 1) if outer.height else 1
    x = outer.x - number(inner_offset.get("x")) * right
    y = outer.y - number(inner_offset.get("y")) * down
    return Frame(
        frame.x + frame.right * x, frame.y + frame.down * y, frame.right * right, frame.down * down
    )


class ShapeReader:
    """Reads the shapes of one slide."""

    def __init__(
        self,
        package: Package,
        relations: dict[str, Relation],
        canvas: Canvas,
        inherited: Inherited,
    ) -> None:
        self._package, self._relations = package, relations
        self._canvas, self._inherited = canvas, inherited

    def shapes(self, tree: etree._Element) -> Iterator[Shape]:
        """Every shape, groups opened up."""
        count = 0
        stack = [(one, Frame()) for one in reversed(children(tree))]
        while stack:
            element, frame = stack.pop()
            name = etree.QName(element).localname
            if name in LEAVES:
                count += 1
                if count > MAX_SHAPES:
                    self._package.warn(f"A slide has over {MAX_SHAPES} shapes; the rest is cut.")
                    return
                yield self._shape(count, element, frame)
            elif name in ("grpSp", "AlternateContent", "Choice", "Fallback"):
                inner = into_group(element, frame) if name == "grpSp" else frame
                stack.extend((one, inner) for one in reversed(children(element)))

    def _shape(self, count: int, element: etree._Element, frame: Frame) -> Shape:
        rows = self._rows(element)
        chart_part = self._related(element, f"{C}chart", f"{OFFICE}id")
        chart = drawn_chart(self._package, chart_part) if chart_part else None
        text = self._text(element)
        if text and element.find(f"./*/{P}cNvPr[@hidden='1']") is not None:
            text = f"{{~{text}~}}"
        return Shape(
            number=count,
            kind=self._kind(element),
            text=text,
            rows=rows,
            chart=chart,
            box=self._box(element, frame),
        )

    def _kind(self, element: etree._Element) -> str:
        name = etree.QName(element).localname
        if name == "sp":
            place = placeholder(element)
            if place is not None and place[0] == "title":
                return "title"
            return "text" if element.find(f"{P}txBody") is not None else "other"
        if name == "graphicFrame":
            return self._framed(element)
        return {"pic": "picture", "cxnSp": "line"}.get(name, "other")

    def _framed(self, element: etree._Element) -> str:
        if element.find(f".//{A}tbl") is not None:
            return "table"
        if element.find(f".//{C}chart") is not None:
            return "chart"
        if element.find(f".//{NEWER}") is not None:
            self._package.warn(
                "It holds a chart of a newer kind, which is not read; see the page's image."
            )
            return "chart"
        if element.find(f".//{P}oleObj") is not None:
            self._package.warn("It embeds an object, which is not read; see the page's image.")
        return "other"

    def _text(self, element: etree._Element) -> str:
        """What a shape says; of a picture its alternative text."""
        body = element.find(f"{P}txBody")
        if body is not None:
            return text_body(body)
        part = self._related(element, f"{DGM}relIds", f"{OFFICE}dm")
        if part:
            return diagram(self._package, part)
        named = element.find(f"./*/{P}cNvPr")
        picture = etree.QName(element).localname == "pic"
        return (named.get("descr") or "") if picture and named is not None else ""

    def _rows(self, element: etree._Element) -> tuple[tuple[str, ...], ...]:
        """Of a table; a merged cell stands in its first place."""
        table = element.find(f".//{A}tbl")
        if table is None:
            return ()
        rows: list[tuple[str, ...]] = []
        cells = 0
        for row in table.iterfind(f"{A}tr"):
            rows.append(tuple(map(_cell, row.iterfind(f"{A}tc"))))
            cells += len(rows[-1])
            if cells > MAX_CELLS:
                self._package.warn(f"A table has over {MAX_CELLS} cells; the rest is cut.")
                break
        return tuple(rows)

    def _related(self, element: etree._Element, path: str, attribute: str) -> str:
        """The part that something in a shape refers to."""
        found = element.find(f".//{path}")
        link = self._relations.get((found.get(attribute) or "") if found is not None else "")
        return link.target if link is not None and not link.outside else ""

    def _box(self, element: etree._Element, frame: Frame) -> tuple[int, int, int, int]:
        box = box_of(element) or self._inherited.box(element)
        if box is None:
            return (0, 0, 0, 0)
        across, down = 1000 / self._canvas.width, 1000 / self._canvas.height
        return (
            _near((frame.x + frame.right * box.x) * across),
            _near((frame.y + frame.down * box.y) * down),
            _near(frame.right * box.width * across),
            _near(frame.down * box.height * down),
        )


def _near(value: float) -> int:
    return round(max(-FAR, min(FAR, value)))


def _cell(cell: etree._Element) -> str:
    if cell.get("hMerge") in ("1", "true") or cell.get("vMerge") in ("1", "true"):
        return ""
    body = cell.find(f"{A}txBody")
    return text_body(body) if body is not None else ""
