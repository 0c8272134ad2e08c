"""A workbook's charts, with the values that lie in the cells they refer to."""

from collections.abc import Mapping

import msgspec
from lxml import etree

from bythebook.deliverables.evidence import drawings
from bythebook.deliverables.evidence.elements import child_of, children, local, text_in, within
from bythebook.deliverables.evidence.formulas import Area, area_of
from bythebook.deliverables.evidence.model import Chart, Scalar, Series, Sheet
from bythebook.deliverables.evidence.worksheet import number_of

MOST = 20_000
"""Values of one series."""


class Book:
    """The cells of a workbook, for charts to find their values in."""

    def __init__(self, sheets: Mapping[str, Sheet], names: Mapping[str, str]) -> None:
        """`names`: defined names, `name` or `Sheet!name`, to what they refer to."""
        self._sheets = {name.casefold(): sheet for name, sheet in sheets.items()}
        self._names = {name.casefold(): text for name, text in names.items()}
        self._cells: dict[str, dict[tuple[int, int], Scalar]] = {}

    def values(self, reference: str, *, visible: bool) -> tuple[Scalar, ...] | None:
        """The values of a reference, row by row; None where it leads to no cells of this book.

        `visible`: without those in hidden rows and columns.
        """
        found: list[Scalar] = []
        for part in _parts(self._spelled(reference)):
            area = area_of(part)
            sheet = self._sheets.get(area.sheet.casefold()) if area else None
            if area is None or sheet is None:
                return None
            found += self._of_area(area, sheet, visible=visible)
        return tuple(found[:MOST])

    def _spelled(self, reference: str) -> str:
        """A defined name put as what it refers to."""
        text = reference.strip().lstrip("=")
        sheet, _, name = text.rpartition("!")
        for key in (text, f"{sheet.strip(chr(39))}!{name}", name):
            if key.casefold() in self._names:
                return self._names[key.casefold()]
        return text

    def _of_area(self, area: Area, sheet: Sheet, *, visible: bool) -> list[Scalar]:
        cells = self._grid(sheet)
        rows = {row for row, _ in cells}
        last = min(area.bottom, max(rows, default=0)) if area.bottom > MOST else area.bottom
        hidden_rows = set(sheet.hidden_rows) if visible else set()
        hidden_columns = set(sheet.hidden_columns) if visible else set()
        columns = [c for c in range(area.left, area.right + 1) if c not in hidden_columns]
        found: list[Scalar] = []
        for row in range(area.top, last + 1):
            if row not in hidden_rows:
                found += [cells.get((row, column)) for column in columns]
            if len(found) > MOST:
                break
        return found

    def _grid(self, sheet: Sheet) -> dict[tuple[int, int], Scalar]:
        if sheet.name not in self._cells:
            self._cells[sheet.name] = {(c.row, c.column): c.value for c in sheet.cells}
        return self._cells[sheet.name]


def chart_of(root: etree._Element, at: str, book: Book) -> Chart:
    """A chart part of a sheet."""
    if local(root) == "chartSpace" and next(within(root, "plotAreaRegion"), None) is not None:
        return _newer(root, at, book)
    chart = drawings.chart(root)
    visible = _says(child_of(root, "chart", "plotVisOnly"))
    plots = child_of(root, "chart", "plotArea")
    written = [
        series
        for plot in (plots if plots is not None else ())
        if local(plot) in drawings.TYPES
        for series in children(plot, "ser")
    ]
    series = tuple(
        _resolved(one, element, book, visible=visible)
        for one, element in zip(chart.series, written, strict=False)
    )
    title = chart.title or _referred(child_of(root, "chart", "title", "tx"), book)
    return msgspec.structs.replace(chart, at=at, series=series, title=title)


def _resolved(one: Series, element: etree._Element, book: Book, *, visible: bool) -> Series:
    values = book.values(one.values_ref, visible=visible) if one.values_ref else None
    categories = book.values(one.categories_ref, visible=visible) if one.categories_ref else None
    return msgspec.structs.replace(
        one,
        name=one.name or _referred(child_of(element, "tx"), book),
        values=_told(values, one.values),
        categories=_told(categories, one.categories),
    )


def _told(cells: tuple[Scalar, ...] | None, cache: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
    """The cells; the chart's cache where there are none, or none was ever computed."""
    if cells is None or (cells and all(value is None for value in cells)):
        return cache
    return cells


def _referred(element: etree._Element | None, book: Book) -> str:
    """The text of the cells that a title or a series' name refers to."""
    reference = next((found.text or "" for found in within(element, "f")), "")
    values = book.values(reference, visible=False) if reference else None
    return " ".join(str(value) for value in values or () if value is not None)


def _newer(root: etree._Element, at: str, book: Book) -> Chart:
    """Waterfall, treemap, funnel and the like ([MS-ODRAWXML], chartex)."""
    data = {found.get("id", ""): found for found in within(root, "data")}
    kinds: dict[str, None] = {}
    series: list[Series] = []
    for one in within(root, "series"):
        kinds[one.get("layoutId") or "unknown"] = None
        pointer = child_of(one, "dataId")
        source = data.get((pointer.get("val") if pointer is not None else None) or "")
        values, categories = child_of(source, "numDim"), child_of(source, "strDim")
        series.append(
            Series(
                name=text_in(child_of(one, "tx"), "v") or _referred(child_of(one, "tx"), book),
                values_ref=text_in(child_of(values, "f"), "f"),
                categories_ref=text_in(child_of(categories, "f"), "f"),
                values=_dimension(values, book),
                categories=_dimension(categories, book),
            )
        )
    title = text_in(child_of(root, "chart", "title"), "t")
    return Chart("+".join(kinds) or "unknown", title, tuple(series), at)


def _dimension(element: etree._Element | None, book: Book) -> tuple[Scalar, ...]:
    reference = text_in(child_of(element, "f"), "f")
    found = book.values(reference, visible=True) if reference else None
    if found is not None:
        return found
    numeric = element is not None and local(element) == "numDim"
    texts = [point.text or "" for point in within(element, "pt")][:MOST]
    return tuple(number_of(text) if numeric else text for text in texts)


def _parts(reference: str) -> list[str]:
    """The areas of `(A!$A$1,A!$B$1:$B$9)`; commas in quoted sheets do not part them."""
    parts = [""]
    quoted = False
    for letter in reference.strip().removeprefix("(").removesuffix(")"):
        quoted ^= letter == "'"
        if letter == "," and not quoted:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _says(element: etree._Element | None) -> bool:
    return element is not None and element.get("val", "1") in ("1", "true")
