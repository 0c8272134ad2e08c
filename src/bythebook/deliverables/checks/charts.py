"""`charts`: native charts, told apart by the values they show and not by the cells they name."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from bythebook.deliverables.checks import spec as s
from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.checks.case import Case
from bythebook.deliverables.checks.deciding import fail, unsure
from bythebook.deliverables.checks.grid import Book, areas_of
from bythebook.deliverables.checks.places import Spot, chart_at, encoded, within
from bythebook.deliverables.checks.reading import exact, written_value
from bythebook.deliverables.checks.want import SCALES, check_live, near
from bythebook.deliverables.checks.wording import fold, holds_phrase
from bythebook.deliverables.evidence.model import Cell, Chart, Deck, Document

CHART_WORDS = {"column": "bar", "doughnut": "pie"}
"""Kinds that people do not tell apart when they ask for one."""


class Drawn(NamedTuple):
    """A chart and its place."""

    chart: Chart
    place: str


class Shown(NamedTuple):
    """Values that some series must show, and how exactly."""

    values: tuple[Decimal, ...]
    tols: tuple[Decimal, ...]
    percent: bool = False
    """They are shares: 0.5 may be drawn as 50."""


class Asked(NamedTuple):
    """One entry: the series that one chart must have."""

    entry: s.Chart
    series: tuple[Shown, ...]


def check_charts(spec: s.Charts, case: Case) -> Answer:
    """Each entry has a chart of its own."""
    drawn, where, pictures = _drawn(spec, case)
    asked = [_asked(entry, case) for entry in spec.all]
    fits = [[n for n, one in enumerate(drawn) if _fits(one.chart, want)] for want in asked]
    served = _assigned(fits)
    count = (sum(n is None for n in served), len(asked))
    for want, own in zip(asked, served, strict=True):
        if own is None:
            seen = f"{len(drawn)} charts" + (f", {pictures} pictures" if pictures else "")
            wanted = _told(want)
            scaled = [one for one in drawn if _fits(one.chart, want, any_scale=True)]
            if scaled:
                why = "a chart shows the values in another unit"
                raise unsure(why, scaled[0].place, seen=seen, wanted=wanted, count=count)
            raise fail("no chart shows these values", where, seen=seen, wanted=wanted, count=count)
        if spec.formula:
            _live(drawn[own], want, case.book(spec.file))
    place = drawn[served[0]].place if served and served[0] is not None else where
    return Answer(mark="pass", place=place, count=count)


def _live(one: Drawn, want: Asked, book: Book) -> None:
    """Every number that the asked series show comes from a formula."""
    for shown in want.series:
        series = next(x for x in one.chart.series if _same(_values(x.values), shown, Decimal(1)))
        cells = list(_cells(series.values_ref, book))
        if not cells:
            why = "the cells of a chart cannot be found"
            raise unsure(why, one.place, seen=series.values_ref, wanted="formulas")
        for cell, spot in cells:
            check_live(cell, spot)


def _cells(reference: str, book: Book) -> list[tuple[Cell, Spot]]:
    """The cells without text that a series refers to, or its defined name: those that are seen, or
    all where none is, since a chart may draw what is hidden."""
    bare = reference.strip().lstrip("=").removeprefix("(").removesuffix(")")
    names = {name.casefold(): text for name, text in book.content.names.items()}
    text = names.get(bare.rpartition("!")[2].casefold(), bare)
    found = [
        (cell, grid)
        for area in areas_of(text.lstrip("="))
        if (grid := book.find(area.sheet)) is not None
        for cell in grid.inside(area)
        if not isinstance(cell.value, str)
    ]
    seen = [(cell, grid) for cell, grid in found if not grid.hides(cell.row, cell.column)]
    return [(cell, grid.spot(cell.row, cell.column)) for cell, grid in seen or found]


def _drawn(spec: s.Charts, case: Case) -> tuple[list[Drawn], str, int]:
    """The native charts, where they were looked for, and the pictures there."""
    if spec.sheet:
        grid = case.grid(spec.file, spec.sheet)
        book, sheet = grid.book, grid.sheet
        places = (chart_at(book.name, sheet.name, n) for n in _from_one())
        return list(map(Drawn, sheet.charts, places)), grid.place, sheet.pictures
    name, content = case.file(spec.file, ("docx", "pptx"))
    if isinstance(content, Document):
        places = (within(name, f"chart={n}") for n in _from_one())
        return list(map(Drawn, content.charts, places)), encoded(name), content.pictures
    if not isinstance(content, Deck):
        raise fail("the file is of another type", encoded(name), wanted="docx or pptx")
    slides = [slide for slide in content.slides if not slide.hidden]
    drawn = [
        Drawn(chart, within(name, f"slide={slide.number}/chart={n}"))
        for slide in slides
        for n, chart in enumerate((sh.chart for sh in slide.shapes if sh.chart), 1)
    ]
    pictures = sum(shape.kind == "picture" for slide in slides for shape in slide.shapes)
    return drawn, encoded(name), pictures


def _from_one() -> Iterator[int]:
    return iter(range(1, 1_000_000))


def _asked(entry: s.Chart, case: Case) -> Asked:
    asked = (entry.values, entry.also) if entry.also else (entry.values,)
    return Asked(entry, tuple(_shown(values, entry.tol, case) for values in asked))


def _shown(values: str | tuple[Decimal, ...], tol: Decimal | None, case: Case) -> Shown:
    percent = False
    if isinstance(values, str):
        table, name = case.expected.column(values)
        percent = name in case.fields and case.fields[name].read_as == "percent"
        texts: list[object] = [text for text in table.column(name) if text]
    else:
        texts = list(values)
    read = [written_value(text, "number") for text in texts]
    pairs = sorted((v, half if tol is None else tol) for v, half in read if is_number(v))
    numbers = tuple(Decimal(str(v)) for v, _ in pairs)
    return Shown(numbers, tuple(tol for _, tol in pairs), percent)


def is_number(value: object) -> bool:
    return isinstance(value, Decimal)


def _told(want: Asked) -> str:
    values = " with ".join(map(_listed, want.series))
    kind = f"{want.entry.type} chart of " if want.entry.type else ""
    title = f" titled {want.entry.title!r}" if want.entry.title else ""
    return f"{kind}{values}{title}"


def _listed(shown: Shown) -> str:
    more = ", .." if len(shown.values) > 4 else ""
    return ", ".join(str(value) for value in shown.values[:4]) + more


def _fits(chart: Chart, want: Asked, *, any_scale: bool = False) -> bool:
    if want.entry.type and not _of_type(chart.type, want.entry.type):
        return False
    if want.entry.title and not holds_phrase(chart.title, want.entry.title):
        return False
    scales = [k for scale in SCALES for k in (scale, 1 / scale)] if any_scale else [Decimal(1)]
    if any_scale and all(shown.percent for shown in want.series):
        scales = [Decimal("0.01")]
    drawn = [_values(series.values) for series in chart.series]
    return any(
        all(any(_same(values, shown, scale) for values in drawn) for shown in want.series)
        for scale in scales
    )


def _of_type(have: str, want: str) -> bool:
    kinds = {CHART_WORDS.get(kind, kind) for kind in fold(have).split("+")}
    return CHART_WORDS.get(fold(want), fold(want)) in kinds


def _values(values: tuple[object, ...]) -> tuple[Decimal, ...]:
    numbers = (v for v in values if isinstance(v, int | float) and not isinstance(v, bool))
    return tuple(sorted(n for n in map(exact, numbers) if n is not None))


def _same(values: tuple[Decimal, ...], want: Shown, scale: Decimal) -> bool:
    """The same values, in whatever order."""
    if len(values) != len(want.values) or not values:
        return False
    triples = zip(values, want.values, want.tols, strict=True)
    return all(near(value * scale, wanted, tol) for value, wanted, tol in triples)


def _assigned(fits: list[list[int]]) -> list[int | None]:
    """A chart of its own for as many entries as can be: augmenting paths."""
    owner: dict[int, int] = {}

    def place(entry: int, tried: set[int]) -> bool:
        for chart in fits[entry]:
            if chart in tried:
                continue
            tried.add(chart)
            if chart not in owner or place(owner[chart], tried):
                owner[chart] = entry
                return True
        return False

    for entry in range(len(fits)):
        place(entry, set())
    served: Mapping[int, int] = {entry: chart for chart, entry in owner.items()}
    return [served.get(entry) for entry in range(len(fits))]
