"""`files`, `sheets`, `unchanged`, `no_errors` and `view`: whole files and sheets."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import partial

from bythebook.deliverables.checks import spec as s
from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.checks.case import Case
from bythebook.deliverables.checks.deciding import fail, together, void
from bythebook.deliverables.checks.grid import Book, Grid, areas_of
from bythebook.deliverables.checks.held import KINDS
from bythebook.deliverables.checks.places import encoded, shortened
from bythebook.deliverables.checks.reading import bare_text, is_error, text_of
from bythebook.deliverables.checks.want import same_result
from bythebook.deliverables.checks.wording import fold
from bythebook.deliverables.evidence.formulas import address
from bythebook.deliverables.evidence.model import (
    Cell,
    Kind,
    Scalar,
    Workbook,
)

NONE = Decimal(0)
HIGHEST_FREEZE = 15
"""Rows above the line; a freeze further down freezes more than headings."""

CONTENT: dict[Kind, type] = {kind: content for content, kind in KINDS.items()}


def check_files(spec: s.Files, case: Case) -> Answer:
    """Each wanted file is there, reads, and is what its name says."""
    answer = together(partial(_file, name, case) for name in spec.want)
    if spec.only and answer.mark == "pass":
        refused = {one.name: f"{one.name} ({one.why})" for one in case.results.refused}
        stray = sorted((set(case.results.files) | set(refused)) - set(spec.want))
        if stray:
            seen = ", ".join(refused.get(name, name) for name in stray)
            why = f"{len(stray)} {'file is' if len(stray) == 1 else 'files are'} too many"
            raise fail(why, encoded(stray[0]), seen=shortened(seen))
    return answer


def _file(name: str, case: Case) -> Answer:
    kind = case.wants[name]
    if kind in CONTENT:
        case.content(name, (kind,), CONTENT[kind])
    else:
        case.handed(name)
    return Answer(mark="pass", place=encoded(name), wanted=kind)


# --- sheets -------------------------------------------------------------------------------------


def check_sheets(spec: s.Sheets, case: Case) -> Answer:
    """These sheets stand one after another, visible and filled."""
    book = case.book(spec.file)
    have = [fold(sheet.name) for sheet in book.content.sheets]
    want = [fold(name) for name in spec.order]
    seen = shortened(", ".join(sheet.name for sheet in book.content.sheets), 300)
    for name in spec.order:
        if fold(name) not in have:
            raise fail("no such sheet", encoded(book.name), seen=seen, wanted=name)
    start = have.index(want[0])
    if have[start : start + len(want)] != want:
        told = ", ".join(spec.order)
        raise fail("the sheets stand in another order", encoded(book.name), seen=seen, wanted=told)
    for name in spec.order:
        grid = case.grid(spec.file, name)
        if not grid.rows and not grid.sheet.charts:
            raise fail("the sheet is empty", grid.place)
    return Answer(mark="pass", place=encoded(book.name), seen=seen)


# --- unchanged ----------------------------------------------------------------------------------


def check_unchanged(spec: s.Unchanged, case: Case) -> Answer:
    """Values and formulas of an input's sheets, cell by cell."""
    book = case.book(spec.file)
    source = case.inputs.content(spec.input)
    if not isinstance(source, Workbook):
        raise void(f"the input {spec.input} does not read as a workbook")
    before = Book(spec.input, source)
    names = spec.sheets or tuple(sheet.name for sheet in source.sheets)
    if spec.first:
        _stand_first(book, names)
    pairs = [_pair(before, book, name) for name in names]
    total = sum(len(cells) for old, _ in pairs for cells in old.rows.values())
    changes = [change for old, new in pairs for change in _changes(case, old, new)]
    if changes:
        place, seen, wanted = changes[0]
        count = (len(changes), total)
        raise fail(f"{len(changes)} cells changed", place, seen=seen, wanted=wanted, count=count)
    return Answer(mark="pass", place=encoded(book.name), count=(0, total))


def _pair(before: Book, book: Book, name: str) -> tuple[Grid, Grid]:
    """A sheet of the input, and the same of the results."""
    old, new = before.find(name), book.find(name)
    if old is None:
        raise void(f"the input {before.name} has no sheet {name!r}")
    if new is None:
        raise fail("a sheet is missing", encoded(book.name), wanted=name)
    if new.sheet.state != old.sheet.state:
        states = {"seen": new.sheet.state, "wanted": old.sheet.state}
        raise fail("the sheet's state changed", new.place, **states)
    return old, new


def _stand_first(book: Book, names: tuple[str, ...]) -> None:
    have = [sheet.name for sheet in book.content.sheets]
    if list(map(fold, have[: len(names)])) != list(map(fold, names)):
        seen, wanted = shortened(", ".join(have), 300), ", ".join(names)
        raise fail("they do not stand first", encoded(book.name), seen=seen, wanted=wanted)


def _changes(case: Case, old: Grid, new: Grid) -> Iterator[tuple[str, str, str]]:
    """Place, what stands there, what stood there."""
    for row in sorted(old.rows.keys() | new.rows.keys()):
        before, after = old.rows.get(row, {}), new.rows.get(row, {})
        for column in sorted(before.keys() | after.keys()):
            one, other = before.get(column), after.get(column)
            case.look(new, row, column)
            if not _same(one, other):
                yield new.place_of(row, column), _shown(other), _shown(one)


def _same(one: Cell | None, other: Cell | None) -> bool:
    if one is None or other is None:
        return one is other
    if (one.value, one.type, one.formula) == (other.value, other.type, other.formula):
        return True
    if _plain(one.formula) != _plain(other.formula):
        return False
    if isinstance(one.value, bool) or isinstance(other.value, bool):
        return one.value is other.value
    if isinstance(one.value, int | float) and isinstance(other.value, int | float):
        return same_result(one.value, other.value, NONE)
    return _plain(one.value) == _plain(other.value)


def _plain(value: object) -> object:
    return value.replace("\r\n", "\n").replace("_x000D_", "") if isinstance(value, str) else value


def _shown(cell: Cell | None) -> str:
    if cell is None:
        return "nothing"
    return f"={shortened(cell.formula)}" if cell.formula else shortened(text_of(cell))


# --- no errors ----------------------------------------------------------------------------------


def check_no_errors(spec: s.NoErrors, case: Case) -> Answer:
    """No visible cell shows an error value, nor would once it is calculated."""
    book = case.book(spec.file)
    uncached = any(c.formula and c.value is None for sh in book.content.sheets for c in sh.cells)
    anew = case.recalculated(book).values if uncached else {}
    shown = [grid for grid in book.grids if grid.sheet.state == "visible"]
    errors = [found for grid in shown for found in _errors(grid, anew.get(grid.sheet.name, {}))]
    total = sum(len(cells) for grid in shown for cells in grid.rows.values())
    if errors:
        place, seen = errors[0]
        raise fail(f"{len(errors)} error values", place, seen=seen, count=(len(errors), total))
    return Answer(mark="pass", place=encoded(book.name), count=(0, total))


def _errors(grid: Grid, anew: Mapping[str, Scalar]) -> Iterator[tuple[str, str]]:
    """Place and error of each visible cell that has one."""
    for row, cells in grid.rows.items():
        for column, cell in cells.items():
            computed = anew.get(address(row, column)) if anew else None
            error = _error(cell, computed)
            if error and not grid.hides(row, column):
                yield grid.place_of(row, column), error


def _error(cell: Cell, computed: Scalar) -> str:
    if cell.type == "error":
        return bare_text(cell.value)
    return bare_text(computed) if cell.value is None and is_error(computed) else ""


# --- view ---------------------------------------------------------------------------------------


def check_view(spec: s.View, case: Case) -> Answer:
    """What helps a reader is set on each sheet, and on its data."""
    return together(
        partial(_sight, spec.file, name, sight, case) for name in spec.sheets for sight in spec.has
    )


def _sight(file: str, name: str, sight: s.Sight, case: Case) -> Answer:
    grid = case.grid(file, name)
    ranges = _ranges(grid, sight)
    if not ranges:
        raise fail(f"no {SIGHTS[sight]}", grid.place, wanted=SIGHTS[sight])
    if not any(_touches(grid, sight, area) for area in ranges):
        seen = shortened("; ".join(ranges))
        raise fail(f"the {SIGHTS[sight]} touches no data", grid.place, seen=seen)
    return Answer(mark="pass", place=grid.place, seen=shortened("; ".join(ranges)))


SIGHTS: dict[s.Sight, str] = {
    "freeze": "frozen heading rows",
    "filter": "filter",
    "cf": "conditional format",
    "validation": "data validation",
    "print_area": "print area",
}


def _ranges(grid: Grid, sight: s.Sight) -> list[str]:
    sheet = grid.sheet
    match sight:
        case "freeze":
            return [sheet.freeze] if sheet.freeze else []
        case "filter":
            return list(sheet.filters)
        case "cf":
            return [formatting.range for formatting in sheet.formats]
        case "validation":
            return [line.partition(": ")[0] for line in sheet.validations]
    return [sheet.print_area] if sheet.print_area else []


def _touches(grid: Grid, sight: s.Sight, ranges: str) -> bool:
    """Is it set where something stands?"""
    areas = areas_of(ranges)
    if sight == "validation":
        return bool(areas)
    for area in areas:
        if sight == "freeze":
            below = any(row >= area.top for row in grid.rows)
            if 1 < area.top <= HIGHEST_FREEZE + 1 and below:
                return True
            continue
        rows = {cell.row for cell in grid.inside(area)}
        if rows and (sight != "filter" or len(rows) > 1):
            return True
    return False
