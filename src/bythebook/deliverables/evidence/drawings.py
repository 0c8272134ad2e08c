"""What Word and PowerPoint draw alike: native charts by their own cache, diagrams by their text."""

from collections.abc import Iterator
from math import isfinite

from lxml import etree

from bythebook.deliverables.evidence.model import Chart, Scalar, Series
from bythebook.deliverables.evidence.package import DGM, A, C, Package, number
from bythebook.deliverables.evidence.reading import Unreadable

MAX_POINTS = 20_000
"""Of one series, and a point's number."""
LAYOUT_POINTS = ("pres", "parTrans", "sibTrans", "doc")
"""Points of a diagram that only lay it out."""
NEWER = "{http://schemas.microsoft.com/office/drawing/2014/chartex}chart"
"""Waterfall, treemap, sunburst and the like; drawn, but not read."""
TYPES = {
    "barChart": "bar", "bar3DChart": "bar", "lineChart": "line", "line3DChart": "line",
    "pieChart": "pie", "pie3DChart": "pie", "ofPieChart": "pie", "doughnutChart": "doughnut",
    "areaChart": "area", "area3DChart": "area", "scatterChart": "scatter",
    "radarChart": "radar", "bubbleChart": "bubble", "stockChart": "stock",
    "surfaceChart": "surface", "surface3DChart": "surface",
}  # fmt: skip


def drawn_chart(package: Package, part: str) -> Chart | None:
    """The chart in a part; None, with a warning, where it does not read."""
    try:
        return chart(package.xml(part))
    except Unreadable as error:
        package.warn(error.says)
        return None


def chart(root: etree._Element) -> Chart:
    """A chart as its own cache has it: what it showed when it was last saved."""
    area = root.find(f".//{C}plotArea")
    kinds: dict[str, None] = {}
    series: list[Series] = []
    for plot in area if area is not None else ():
        kind = TYPES.get(etree.QName(plot).localname)
        if kind is None:
            continue
        direction = plot.find(f"{C}barDir")
        upright = direction is not None and direction.get("val", "col") == "col"
        kinds["column" if kind == "bar" and upright else kind] = None
        series.extend(_series(one) for one in plot.findall(f"{C}ser"))
    return Chart("+".join(kinds) or "unknown", _title(root), tuple(series))


def _title(root: etree._Element) -> str:
    title = root.find(f"{C}chart/{C}title")
    if title is None:
        return ""
    text = "".join(t.text or "" for t in title.iter(f"{A}t"))
    return text or " ".join(str(one) for one in _points(title.find(f"{C}tx")))


def _series(element: etree._Element) -> Series:
    values = _first(element, "val", "yVal")
    categories = _first(element, "cat", "xVal")
    name = element.find(f"{C}tx")
    plain = name.findtext(f"{C}v") if name is not None else None
    return Series(
        name=plain or " ".join(str(one) for one in _points(name)),
        values_ref=_reference(values),
        categories_ref=_reference(categories),
        values=_points(values),
        categories=_points(categories),
    )


def _first(element: etree._Element, *names: str) -> etree._Element | None:
    return next((found for n in names if (found := element.find(f"{C}{n}")) is not None), None)


def _reference(element: etree._Element | None) -> str:
    found = element.find(f".//{C}f") if element is not None else None
    return ((found.text if found is not None else None) or "").strip()


def _points(element: etree._Element | None) -> tuple[Scalar, ...]:
    """Cached points in their places; a gap is None. Of several levels of categories the first."""
    if element is None:
        return ()
    levels = element.find(f".//{C}lvl")
    holder = levels if levels is not None else element
    numeric = element.find(f".//{C}numCache") is not None or element.find(f"{C}numLit") is not None
    found = {number(p.get("idx"), -1): _point(p, numeric) for p in holder.iter(f"{C}pt")}
    places = [place for place in found if 0 <= place < MAX_POINTS]
    return tuple(found.get(place) for place in range(max(places, default=-1) + 1))


def _point(element: etree._Element, numeric: bool) -> Scalar:
    text = element.findtext(f"{C}v") or ""
    if not numeric:
        return text
    try:
        found = float(text)
    except ValueError:
        return text
    return found if isfinite(found) else text


def diagram(package: Package, part: str) -> str:
    """The text of a SmartArt diagram, a line for each of its points."""
    root = package.optional(part)
    return "\n".join(_diagram_lines(root)) if root is not None else ""


def _diagram_lines(root: etree._Element) -> Iterator[str]:
    for point in root.iter(f"{DGM}pt"):
        if point.get("type") not in LAYOUT_POINTS:
            text = "".join(t.text or "" for t in point.iter(f"{A}t")).strip()
            if text:
                yield text
