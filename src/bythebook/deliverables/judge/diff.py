"""What became of an input: a sheet, or a csv, set beside what was handed over."""

from collections.abc import Iterator, Mapping

from bythebook.deliverables.evidence.model import Cell, Scalar, Sheet, Text, Workbook
from bythebook.deliverables.judge.submission import Exhibit

MOST_LINES = 60

Grid = Mapping[tuple[int, int], Cell]


def differences(results: Exhibit, inputs: Exhibit, sheet: str, file: str = "") -> str:
    """In words; also when there is nothing to compare."""
    theirs, ours = _sheets(results, sheet, file), _sheets(inputs, sheet)
    for found, whose in ((theirs, "what was handed over"), (ours, "the inputs")):
        if not found:
            return f"There is no sheet {sheet!r} in {whose}, and no csv of that name."
    lines: list[str] = []
    for name, after in theirs.items():
        for source, before in ours.items():
            lines.append(f"{name} against input:{source}:")
            lines += _compared(before, after)
    return "\n".join(lines)


def _sheets(exhibit: Exhibit, sheet: str, file: str = "") -> dict[str, Grid]:
    """`FILE#Sheet` or `FILE` to its cells, of every file that has such a sheet or is that csv."""
    found: dict[str, Grid] = {}
    for name in exhibit.files:
        if file and name != file:
            continue
        match exhibit.content(name):
            case Workbook(sheets=sheets):
                found |= {f"{name}#{one.name}": _grid(one) for one in sheets if one.name == sheet}
            case Text(rows=rows) if name == sheet and rows:
                found[name] = {
                    (row, column): Cell(row, column, value=value, shown=value)
                    for row, values in enumerate(rows, start=1)
                    for column, value in enumerate(values, start=1)
                }
    return found


def _grid(sheet: Sheet) -> Grid:
    return {(cell.row, cell.column): cell for cell in sheet.cells}


def _compared(before: Grid, after: Grid) -> list[str]:
    places = sorted(before.keys() | after.keys())
    changed = [place for place in places if _changed(before.get(place), after.get(place))]
    if not changed:
        return [f"  no difference in {len(places)} cells"]
    lines = [f"  {len(changed)} of {len(places)} cells differ"]
    lines += [f"  {line}" for line in _lines(before, after, changed[:MOST_LINES])]
    return [*lines, "  ..."] if len(changed) > MOST_LINES else lines


def _changed(before: Cell | None, after: Cell | None) -> bool:
    """Values and formulas count; formats do not."""
    return _what(before) != _what(after)


def _what(cell: Cell | None) -> tuple[Scalar, str]:
    return (None, "") if cell is None else (cell.value, cell.formula)


def _lines(before: Grid, after: Grid, places: list[tuple[int, int]]) -> Iterator[str]:
    for row, column in places:
        then, now = before.get((row, column)), after.get((row, column))
        yield f"{_letters(column)}{row}: {_shown(then)} -> {_shown(now)}"


def _shown(cell: Cell | None) -> str:
    if cell is None:
        return "(empty)"
    return f"={cell.formula} ({cell.value})" if cell.formula else repr(cell.value)


def _letters(column: int) -> str:
    """1 is A, 27 is AA."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
