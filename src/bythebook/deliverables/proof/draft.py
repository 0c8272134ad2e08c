"""A workbook's evidence as a draft: cells and whole columns moved or changed, then a sample again.

What hangs on cells goes along: ranges of filters, formats and charts, names, and computed values.
Formulas keep their text, since checks ask only whether they refer to something.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import msgspec

from bythebook.deliverables.checks.grid import areas_of
from bythebook.deliverables.evidence.formulas import (
    COLUMNS,
    ROWS,
    Area,
    address,
    area_of,
)
from bythebook.deliverables.evidence.model import Cell, Chart, Scalar, Sheet, Workbook
from bythebook.deliverables.evidence.numbers import shown
from bythebook.deliverables.faults.references import quoted
from bythebook.deliverables.proof.sample import Sample

Place = tuple[int, int]
"""Row and column."""


@dataclass(frozen=True)
class Line:
    """Where the rows or columns of a sheet go: `spans` maps a stretch to one or more stretches."""

    to: Callable[[int], int]
    torn: bool = False
    """Neighbours do not stay neighbours."""

    def spans(self, low: int, high: int, most: int) -> list[tuple[int, int]]:
        if (low, high) == (1, most):
            return [(low, high)]
        if not self.torn:
            return [(self.to(low), self.to(high))]
        return list(_runs(sorted(self.to(n) for n in range(low, high + 1))))


STAY = Line(lambda n: n)


def inserted(at: int, count: int) -> Line:
    """New rows or columns before number `at`."""
    return Line(lambda n: n + count if n >= at else n)


def permuted(order: dict[int, int]) -> Line:
    return Line(lambda n: order.get(n, n), torn=True)


def turned(numbers: Iterable[int]) -> Line:
    """These rows or columns in the opposite order."""
    known = sorted(numbers)
    return permuted(dict(zip(known, reversed(known), strict=True)))


class Cells(dict[str, dict[Place, Cell]]):
    """Sheet to its cells, laid out when first asked for."""

    def __init__(self, sheets: Mapping[str, Sheet]) -> None:
        super().__init__()
        self._sheets = sheets

    def __missing__(self, name: str) -> dict[Place, Cell]:
        cells = self._sheets[name].cells
        return self.setdefault(name, {(cell.row, cell.column): cell for cell in cells})


class Values(dict[str, dict[str, Scalar]]):
    """Sheet to its computed values, copied when first asked for."""

    def __init__(self, values: Mapping[str, dict[str, Scalar]]) -> None:
        super().__init__()
        self._values = values

    def __missing__(self, name: str) -> dict[str, Scalar]:
        return self.setdefault(name, dict(self._values.get(name, {})))


class Draft:
    """One workbook of a sample."""

    def __init__(self, sample: Sample, file: str) -> None:
        book = sample.contents[file]
        assert isinstance(book, Workbook)
        self.sample, self.file, self.book = sample, file, book
        self.sheets = {sheet.name: sheet for sheet in book.sheets}
        self.cells = Cells(self.sheets)
        self.values = Values(sample.recalculated(file).values)

    def done(self) -> Sample:
        """The sample with this draft in the place of its workbook."""
        sheets = tuple(
            msgspec.structs.replace(sheet, cells=_in_order(self.cells[name]))
            if name in self.cells
            else sheet
            for name, sheet in self.sheets.items()
        )
        book = msgspec.structs.replace(self.book, sheets=sheets)
        old = self.sample.recalculated(self.file)
        anew = msgspec.structs.replace(old, values={**old.values, **self.values})
        return self.sample.having(self.file, book, anew)

    # --- cells ------------------------------------------------------------------------------

    def at(self, sheet: str, place: Place) -> Cell | None:
        return self.cells[sheet].get(place)

    def put(self, sheet: str, place: Place, value: Scalar, **more: str) -> None:
        """A constant; its look stays unless `format` or `shown` is given."""
        old = self.cells[sheet].get(place)
        code = more.get("format", old.format if old else "General")
        text = more.get("shown", shown(value, code, date1904=self.book.date1904))
        kind = more.get("type", kind_of(value))
        cell = Cell(*place, value, kind, more.get("formula", ""), code, text)  # type: ignore[arg-type] # one of the known types
        self.cells[sheet][place] = cell
        if not cell.formula:
            self.values[sheet].pop(address(*place), None)

    def change(self, sheet: str, place: Place, value: Scalar, **more: str) -> None:
        """Another value of a cell that keeps its formula; computed anew it comes to the same."""
        old = self.cells[sheet][place]
        self.put(sheet, place, value, **{"formula": old.formula, **more})
        computed = self.values[sheet]
        if old.formula and address(*place) in computed:
            computed[address(*place)] = value

    def edge(self, sheet: str) -> Place:
        """Last row and last column that hold something."""
        cells = self.cells[sheet]
        return max((r for r, _ in cells), default=1), max((c for _, c in cells), default=1)

    # --- sheets -----------------------------------------------------------------------------

    def set(self, sheet: str, **changes: object) -> None:
        """Other properties of a sheet."""
        self.sheets[sheet] = msgspec.structs.replace(self.sheets[sheet], **changes)

    def add_sheet(self, name: str, cells: Iterable[Cell], **more: object) -> None:
        self.sheets[name] = msgspec.structs.replace(Sheet(name=name), **more)
        self.cells[name] = {(cell.row, cell.column): cell for cell in cells}

    def move(self, sheet: str, rows: Line = STAY, columns: Line = STAY) -> None:
        """All cells of a sheet to other rows and columns, and what hangs on them."""
        self.cells[sheet] = {
            (row, column): msgspec.structs.replace(cell, row=row, column=column)
            for cell in self.cells[sheet].values()
            for row, column in [(rows.to(cell.row), columns.to(cell.column))]
        }
        self.values[sheet] = dict(_moved_values(self.values[sheet], rows, columns))
        old = self.sheets[sheet]
        self.set(
            sheet,
            merges=tuple(_moved(text, rows, columns) for text in old.merges),
            freeze=_frozen(old.freeze, rows, columns),
            filters=tuple(_moved(text, rows, columns) for text in old.filters),
            tables={name: _moved(text, rows, columns) for name, text in old.tables.items()},
            hidden_rows=tuple(sorted(rows.to(n) for n in old.hidden_rows)),
            hidden_columns=tuple(sorted(columns.to(n) for n in old.hidden_columns)),
            formats=tuple(
                msgspec.structs.replace(f, range=_moved(f.range, rows, columns))
                for f in old.formats
            ),
            print_area=_moved(old.print_area, rows, columns),
        )
        self._follow(sheet, rows, columns)

    def _follow(self, sheet: str, rows: Line, columns: Line) -> None:
        """Names and charts that refer to the sheet."""

        def refer(text: str) -> str:
            found = areas_of(text)
            if not found or any(area.sheet != sheet for area in found):
                return text
            parts = _moved(text, rows, columns).split(" ")
            return ",".join(f"{quoted(sheet)}!{part}" for part in parts)

        def draw(chart: Chart) -> Chart:
            series = tuple(
                msgspec.structs.replace(
                    one,
                    values_ref=refer(one.values_ref),
                    categories_ref=refer(one.categories_ref),
                )
                for one in chart.series
            )
            return msgspec.structs.replace(chart, series=series)

        names = {name: refer(text) for name, text in self.book.names.items()}
        self.book = msgspec.structs.replace(self.book, names=names)
        for name, one in self.sheets.items():
            self.set(name, charts=tuple(draw(chart) for chart in one.charts))


def _in_order(cells: Mapping[Place, Cell]) -> tuple[Cell, ...]:
    return tuple(cells[place] for place in sorted(cells))


def kind_of(value: Scalar) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "bool"
        case int() | float():
            return "number"
    return "text"


def without(sample: Sample, file: str) -> Sample:
    """The sample without one of its files."""
    return replace(
        sample,
        files={name: found for name, found in sample.files.items() if name != file},
        contents={name: found for name, found in sample.contents.items() if name != file},
    )


def _moved(text: str, rows: Line, columns: Line) -> str:
    """Ranges after a move, apart by spaces and without their sheet."""
    return " ".join(
        f"{address(top, left)}:{address(bottom, right)}"
        if (top, left) != (bottom, right)
        else address(top, left)
        for area in areas_of(text)
        for top, bottom in rows.spans(area.top, area.bottom, ROWS)
        for left, right in columns.spans(area.left, area.right, COLUMNS)
    )


def _frozen(freeze: str, rows: Line, columns: Line) -> str:
    """The first cell that scrolls; rows and columns above it stay in their order."""
    area: Area | None = area_of(freeze) if freeze else None
    if area is None:
        return freeze
    top = area.top if rows.torn else rows.to(area.top) if area.top > 1 else 1
    left = area.left if columns.torn else columns.to(area.left) if area.left > 1 else 1
    return address(top, left)


def _moved_values(
    values: dict[str, Scalar], rows: Line, columns: Line
) -> Iterator[tuple[str, Scalar]]:
    for at, value in values.items():
        area = area_of(at)
        assert area is not None
        yield address(rows.to(area.top), columns.to(area.left)), value


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    start = 0
    for place, number in enumerate(numbers):
        if place + 1 == len(numbers) or numbers[place + 1] != number + 1:
            yield numbers[start], number
            start = place + 1
