"""What is drawn in a Word part: pictures, charts, text boxes, diagrams, embedded objects."""

from lxml import etree

from bythebook.deliverables.evidence.drawings import NEWER, diagram, drawn_chart
from bythebook.deliverables.evidence.model import Chart
from bythebook.deliverables.evidence.package import (
    DGM,
    MC,
    OFFICE,
    A,
    C,
    O,
    Package,
    Relation,
    V,
    W,
)

DRAWN = (f"{W}drawing", f"{W}pict", f"{W}object")
NAMED = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
MAX_TOLD = 50
"""Alternative texts that are told."""
MAX_WORDS = 300


def children(element: etree._Element) -> list[etree._Element]:
    """Of alternative contents only the first that says something, as an office of today shows."""
    if element.tag == f"{MC}AlternateContent":
        return [one for one in element if len(one)][:1]
    return list(element)


class Drawn:
    """What was found so far, over all parts of the document."""

    def __init__(self) -> None:
        self.pictures = 0
        self.charts: list[Chart] = []
        self.boxes: list[str] = []
        self.told: list[str] = []
        """What people should know of it, in sentences."""

    def tell(self, words: str) -> None:
        if len(self.told) < MAX_TOLD:
            self.told.append(words)


class Shown:
    """Follows drawings of one part to what they show."""

    def __init__(self, package: Package, part: str) -> None:
        self._package = package
        self._relations: dict[str, Relation] = package.relations(part)

    def look(self, drawing: etree._Element, found: Drawn) -> tuple[list[etree._Element], str]:
        """The text boxes in a drawing, and the marks of everything else in it."""
        boxes: list[etree._Element] = []
        marks = ""
        stack = [drawing]
        while stack:
            element = stack.pop()
            if element.tag == f"{W}txbxContent":
                boxes.append(element)
                continue
            marks += self._mark(element, found)
            stack.extend(reversed(children(element)))
        alternative = next((one.get("descr") for one in drawing.iter(NAMED)), "")
        if alternative and marks:
            found.tell(f"{marks} has the alternative text {alternative[:MAX_WORDS]!r}.")
        return boxes, marks

    def _mark(self, element: etree._Element, found: Drawn) -> str:
        tag = str(element.tag)
        if tag in (f"{A}blip", f"{V}imagedata"):
            found.pictures += 1
            return f"[picture {found.pictures}]"
        if tag == f"{C}chart":
            return self._chart(element, found)
        if tag == NEWER:
            found.tell("It holds a chart of a newer kind, which is not read; see the page's image.")
        elif tag == f"{DGM}relIds":
            return self._box(diagram(self._package, self._target(element, f"{OFFICE}dm")), found)
        elif tag == f"{V}textpath":
            return self._box(element.get("string") or "", found)
        elif tag == f"{O}OLEObject":
            kind = (element.get("ProgID") or "unknown")[:MAX_WORDS]
            found.tell(f"It embeds an object ({kind}), which is not read.")
            return "[object]"
        return ""

    def _chart(self, element: etree._Element, found: Drawn) -> str:
        chart = drawn_chart(self._package, self._target(element, f"{OFFICE}id"))
        if chart is None:
            return "[chart]"
        found.charts.append(chart)
        return f"[chart {len(found.charts)}]"

    def _box(self, text: str, found: Drawn) -> str:
        if not text.strip():
            return ""
        found.boxes.append(text.strip())
        return f"[box {len(found.boxes)}]"

    def _target(self, element: etree._Element, attribute: str) -> str:
        relation = self._relations.get(element.get(attribute) or "")
        return relation.target if relation is not None and not relation.outside else ""
