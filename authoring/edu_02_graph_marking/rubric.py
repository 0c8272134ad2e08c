"""The rubric: what each item says and what it checks come from one value."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from authoring.edu_02_graph_marking import expected as e
from authoring.edu_02_graph_marking.book import NAME, SHEETS
from authoring.edu_02_graph_marking.inputs import named
from authoring.edu_02_graph_marking.note import FEEDBACK, HEADS, NOTE, lost, other, said
from authoring.edu_02_graph_marking.rules import (
    CRITERIA,
    GRADES,
    Rules,
    at_edge,
    grade,
    marks,
    total,
)
from authoring.edu_02_graph_marking.world import Script, World
from authoring.parts.items import SaidItems
from bythebook.deliverables.rubric import Dimension, Failure, Level, ReadAs

HALF = Decimal("0.5")
"""Of a small square: how far two people's readings may lie apart."""
ONE = Decimal("0.05")
"""A mark more or less in 24 scripts, of a mean or a facility: it is paid for elsewhere."""
TEXTS: tuple[str, ...] = ("Candidate", "Run", "Out", "Grade", "Criterion", "Grade result")
NUMBERS: tuple[str, ...] = (
    *("I at corner", "I per large square", "V at corner", "V per large square", "Ring"),
    *("Line start", "Line end", "Line at first", "Line at last"),
    *("P1 across", "P1 up", "P2 across", "P2 up", "I1", "V1", "I2", "V2"),
    *("Reading", "Plotted across", "Plotted up", *CRITERIA, "Total"),
    *("Available", "Mean", "Number"),
)
DOMAIN: Failure = "domain expertise"
VERIFY: Failure = "self-verification"
EDGES: Sequence[str] = ("Line at first", "Line at last")
CORNERS = ("Line start", "Line end", "P1 across", "P1 up", "P2 across", "P2 up")
NEW = Rules(half=Fraction(5, 2), line=Fraction(4), triangle=Fraction(3, 10))
"""Of the what-if: wide enough that every line, triangle and read-off gets its marks."""
LEAST = 13
"""Of the what-if: the least marks for A."""


def field(name: str) -> str:
    return name.lower().replace(" ", "_").replace("-", "_")


class Items(SaidItems):
    def __init__(self) -> None:
        super().__init__()
        for name in TEXTS:
            self.sheet.field(field(name), name)
        self.sheet.field("unit_written", "Unit")
        for name in NUMBERS:
            self.sheet.field(field(name), name, read_as="number")
        self.sheet.field("facility", "Facility", read_as="percent")
        number: ReadAs = "number"
        for label in e.LABELS:
            self.sheet.field(f"{field(label)}_label", label, read_as=number)


def write_rubric(told: World, path: Path) -> None:
    items = Items()
    _frame(told, items)
    _looked(told, items)
    _marked(told, items)
    _summed(told, items)
    _judged(told, items)
    items.sheet.write(path)


def _cells(sheet: str, cells: Iterable[dict[str, Any]], formula: bool = False) -> dict[str, Any]:
    about: dict[str, Any] = {"file": NAME, "sheet": sheet, "all": list(cells)}
    return {"cell": about | ({"formula": True} if formula else {})}


def _of(
    one: Script, values: Mapping[str, object], tol: Decimal | None = None
) -> Iterable[dict[str, Any]]:
    for name, value in values.items():
        about = {"find": {"candidate": one.number}, "column": field(name), "equals": value}
        yield about | ({"tol": tol} if tol is not None else {})


def _frame(told: World, items: Items) -> None:
    want = {NAME: "xlsx", NOTE: "docx", FEEDBACK: "docx"}
    says = f"{NAME}, {NOTE} and {FEEDBACK} are handed over, and all three open."
    failure: Failure = "output format"
    items.add("structure", "core", says, failure=failure, check={"files": {"want": want}})
    says = f"The five sheets of {NAME} stand first, one after another: {', '.join(SHEETS)}."
    check: dict[str, Any] = {"sheets": {"file": NAME, "order": SHEETS}}
    items.add("structure", "important", says, check=check)
    says = f"The note has the headings {', '.join(HEADS)}, in this order."
    check = {"outline": {"file": NOTE, "has": HEADS, "in_order": True}}
    items.add("structure", "important", says, check=check)
    names = [one.person.name for one in named(told)]
    says = f"The feedback has the headings {', '.join(names)}, in this order."
    check = {"outline": {"file": FEEDBACK, "has": names, "in_order": True}}
    items.add("structure", "important", says, check=check)
    n = len(told.scripts)
    says = f"Readings has one line for each of the {n} scripts, and none for absent candidates."
    rows = {"file": NAME, "sheet": "Readings", "key": ["candidate"]}
    check = {"rows": rows | {"are": "expected/readings.csv"}}
    items.add("structure", "important", says, check=check)
    says = "The note has one page at most."
    items.add("presentation", "auxiliary", says, check={"pages": {"file": NOTE, "at_most": 1}})
    says = "Headings stay in sight on Readings, Points and Marks."
    check = {"view": {"file": NAME, "sheets": ["Readings", "Points", "Marks"], "has": ["freeze"]}}
    items.add("presentation", "auxiliary", says, check=check)
    says = "A bar chart on Summary shows the eleven facilities, from live cells."
    charts = [{"values": "expected/facilities.csv#facility", "type": "bar", "tol": ONE}]
    check = {"charts": {"file": NAME, "sheet": "Summary", "formula": True, "all": charts}}
    items.add("presentation", "important", says, check=check)


def _looked(told: World, items: Items) -> None:
    cells = [
        cell
        for one in told.scripts
        for cell in _of(one, {"Run": one.run, **e.scales(one), "Ring": one.ring})
    ]
    says = (
        "Run, scales and ring are read right on all sheets, where a corner or every second large "
        "square has no label too; rubbed-out work and other runs of the logger are left alone."
    )
    items.add("domain", "important", says, failure=DOMAIN, check=_cells("Readings", cells))
    for number, (low, high) in enumerate(e.GROUPS, 1):
        some = told.scripts[low:high]
        out = [f"{one.number}: {', '.join(map(str, one.out))}" for one in some if one.out]
        says = (
            f"Of the scripts {some[0].number} to {some[-1].number} exactly these readings are "
            f"marked as out: {'; '.join(out)}. Each other point is within half a small square."
        )
        where = {"file": NAME, "sheet": "Points", "key": ["candidate", "reading"], "column": "out"}
        check: dict[str, Any] = {"column": where | {"table": f"expected/points-{number}.csv#out"}}
        items.add("domain", "core", says, failure=DOMAIN, check=check)
    _places(told, items)


def _places(told: World, items: Items) -> None:
    half = len(told.scripts) // 2
    cells = [
        {
            "find": {"candidate": one.number, "reading": n},
            "column": field(name),
            "equals": value,
            "tol": HALF,
        }
        for one in told.scripts
        for n in one.out
        for name, value in zip(("Plotted across", "Plotted up"), e.plotted(one)[n - 1], strict=True)
    ]
    says = "Where each point that is out was really plotted, to half a small square."
    items.add("domain", "auxiliary", says, failure=DOMAIN, check=_cells("Points", cells))
    for names, what in (
        (EDGES, "how high the drawn line is at the first and the last reading"),
        (CORNERS, "the ends of the line and the corners of the triangle"),
    ):
        for some in (told.scripts[:half], told.scripts[half:]):
            cells = [
                cell
                for one in some
                for cell in _of(one, {n: e.positions(one)[n] for n in names}, HALF)
            ]
            says = (
                f"Of the scripts {some[0].number} to {some[-1].number}: {what}, each to half a "
                "small square."
            )
            check = _cells("Readings", cells)
            items.add("calculation", "important", says, failure=DOMAIN, check=check)
    cells = [cell for one in told.scripts for cell in _written(one)]
    says = "What candidates wrote (coordinates, gradient with its sign, unit, intercept) is right."
    items.add("integration", "important", says, check=_cells("Readings", cells))


def _written(one: Script) -> Iterable[dict[str, Any]]:
    yield from _of(one, e.written(one), Decimal("0.00005"))
    if one.unit:
        yield {
            "find": {"candidate": one.number},
            "column": "unit_written",
            "any_of": [one.unit, *(("Ω", "ohm", "ohms") if one.unit.startswith("ohm") else ())],
        }


MARKED: tuple[tuple[tuple[str, ...], Dimension, bool, str], ...] = (
    (
        ("Axes", "Scales", "Unit"),
        "domain",
        False,
        "no mark for a missing or wrong unit; large squares of 1, 2, 4 or 5, not of 2.5",
    ),
    (
        ("Anomaly", "Gradient", "Figures"),
        "domain",
        False,
        "no mark for a misplotted point's ring; own read-offs with sign; two or three figures",
    ),
    (
        ("Line", "Triangle"),
        "calculation",
        True,
        "against the least-squares line without the odd reading, and more than half of the line",
    ),
    (
        ("Read-offs", "Intercept"),
        "domain",
        False,
        "points on the line, read right; no intercept from an edge that is not I = 0",
    ),
)
"""Without Plotting: it is asked for with the totals, since each point has been asked for."""


def _result(one: Script) -> dict[str, object]:
    points = total(one)
    return {"Plotting": marks(one)["Plotting"], "Total": points, "Grade": grade(points)}


def _marked(told: World, items: Items) -> None:
    for names, dimension, live, why in MARKED:
        cells = [
            cell
            for one in told.scripts
            for cell in _of(one, {name: marks(one)[name] for name in names})
        ]
        says = f"The marks for {', '.join(names)} are right for all scripts: {why}."
        says += " They are live formulas." if live else ""
        check = _cells("Marks", cells, live)
        level: Level = "core" if "Scales" in names else "important"
        items.add(dimension, level, says, failure=DOMAIN, check=check)
    half = len(told.scripts) // 2
    for some in (told.scripts[:half], told.scripts[half:]):
        cells = [cell for one in some for cell in _of(one, _result(one))]
        says = (
            f"Marks for Plotting, totals and grades of the scripts {some[0].number} to "
            f"{some[-1].number} are right, as live formulas, by this series' boundaries."
        )
        check = _cells("Marks", cells, True)
        items.add("calculation", "important", says, failure=VERIFY, check=check)


def _round(value: Fraction, places: int) -> Decimal:
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return exact.quantize(Decimal(1).scaleb(-places))


def _summed(told: World, items: Items) -> None:
    figures = e.figures(told)
    wants = [
        {"label": f"{field(name)}_label", "equals": _round(value, 4), "tol": tol}
        for (name, value), tol in zip(figures.items(), (0, 2 * ONE, 1, 1), strict=True)
    ]
    shown = ", ".join(f"{name} {_round(value, 3).normalize():f}" for name, value in figures.items())
    says = f"Summary gives, as live formulas: {shown} (one script's slip apart)."
    check: dict[str, Any] = {"label": {"file": NAME, "sheet": "Summary", "formula": True}}
    check["label"]["all"] = wants
    items.add("calculation", "core", says, failure=VERIFY, check=check)
    means, shares = e.means(told), e.facilities(told)
    cells: list[dict[str, Any]] = []
    for name in CRITERIA:
        find = {"find": {"criterion": name}}
        cells.append(find | {"column": "available", "equals": CRITERIA[name]})
        mean = _round(means[name], 4)
        cells.append(find | {"column": "mean", "equals": mean, "tol": ONE, "formula": True})
        share = _round(shares[name], 4)
        cells.append(find | {"column": "facility", "equals": share, "tol": ONE, "formula": True})
    for name, count in e.grades(told).items():
        find = {"find": {"grade_result": name}}
        cells.append(find | {"column": "number", "equals": count, "tol": 1, "formula": True})
    says = "Summary has for each criterion the marks available, the mean and the facility, and how "
    says += "often each grade was given (one script's slip apart)."
    items.add("calculation", "core", says, failure=VERIFY, check=_cells("Summary", cells))
    _live(told, items)


def _live(told: World, items: Items) -> None:
    """Asks of totals only where nothing hangs on how an agent has made Out and Intercept."""
    bounds = (("A", LEAST), *GRADES[1:])
    free = ("Line", "Triangle", "Read-offs")
    some = [
        one
        for one in told.scripts
        if not one.out
        and any(marks(one, NEW)[name] != marks(one)[name] for name in free)
        and (one.how.startswith("calc") or at_edge(one) <= Rules().half)
    ]
    wants: list[dict[str, Any]] = []
    for one in some:
        points = total(one, NEW)
        values: dict[str, object] = {name: marks(one, NEW)[name] for name in free}
        values |= {"Total": points, "Grade": grade(points, bounds)}
        wants += [{"sheet": "Marks", **cell} for cell in _of(one, values)]
    for name in free:
        full = {"find": {"criterion": name}, "column": "mean", "equals": CRITERIA[name], "tol": 0}
        wants.append({"sheet": "Summary", **full})
    limits = [Decimal(f"{float(value)}").normalize() for value in (NEW.half, NEW.line)]
    share = Decimal(f"{float(NEW.triangle)}")
    says = (
        f"With limits of {limits[0]} (points, read-offs) and {limits[1]} (line), a share of "
        f"{share} and {LEAST} marks for an A, Line, Triangle, Read-offs, total and grade of "
        f"{', '.join(one.number for one in some)} follow, and on Summary the means of "
        "the three criteria: all that is available."
    )
    changed = dict(zip(("B2", "B3", "B4", "B5"), (*limits, share, LEAST), strict=True))
    about = {f"Settings!{cell}": value for cell, value in changed.items()}
    check = {"whatif": {"file": NAME, "set": about, "then": wants}}
    items.add("engineering", "important", says, failure=VERIFY, check=check)


def _judged(told: World, items: Items) -> None:
    facts = said(told)
    says = (
        "The note begins with the mean total, tells where marks were lost and by what kind of "
        "slip, and what to teach again."
    )
    figure = {"is": _round(e.figures(told)["Mean total"], 4), "near": ["mean", "average"]}
    screen: dict[str, Any] = {"figures": {"file": NOTE, "all": [figure]}}
    truth = (
        f"Mean {facts['mean']}. Facility is lowest for Plotting ({facts['f_plotting']}), Intercept "
        f"({facts['f_intercept']}), then Scales {facts['f_scales']}, Triangle "
        f"{facts['f_triangle']}, Line {facts['f_line']}, Anomaly {facts['f_anomaly']}, Read-offs "
        f"{facts['f_readoffs']}. {facts['points_out']} points out in {facts['scripts_out']} "
        "scripts, "
        f"{facts['misread']} points misread by two squares, {facts['beside']} off the line, "
        f"{facts['edge']} intercepts at a false edge, {facts['short']} small triangles. Needed: "
        "Plotting and Intercept as weak, with figures of its own workbook; the kind of slip at "
        "three criteria at least; and under Teach again something to teach that meets slips it "
        "names."
    )
    items.add("integration", "important", says, failure=DOMAIN, screen=screen, truth=truth)
    close = e.near(told)
    says = (
        "Under Near a boundary the note names the scripts one mark below a grade, and no other, "
        "with what measuring cost them."
    )
    texts = [[one.number, one.person.name] for one in close]
    screen = {"text": {"file": NOTE, "all": texts}}
    truth = (
        f"{facts['near_list']}, with the totals in brackets. By measuring: {facts['near_told']}. "
        "Needed: number or name of each, no other candidate, and for each one such slip at least."
    )
    items.add("domain", "important", says, failure=VERIFY, screen=screen, truth=truth)
    says = (
        "The feedback tells each of the three what was lost and where on the sheet, with numbers."
    )
    truth = " ".join(
        f"{one.person.name}, {total(one)} of 14: {lost(one)}.{other(one)}" for one in named(told)
    )
    truth += " Needed for each: every slip of measuring that is listed, with reading or size."
    items.add("presentation", "important", says, failure=DOMAIN, truth=truth)
