"""A judged column made wrong so that it still looks right."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bythebook.deliverables.checks.places import Spot
from bythebook.deliverables.checks.want import Want
from bythebook.deliverables.evidence.formulas import address
from bythebook.deliverables.proof.court import Court, Watch
from bythebook.deliverables.proof.draft import Draft


@dataclass(frozen=True)
class Column:
    """The cells of one column whose values some items judge."""

    file: str
    sheet: str
    number: int
    wants: dict[Spot, Want]

    @property
    def spots(self) -> list[Spot]:
        return sorted(self.wants)


def columns(court: Court, watch: Watch) -> Iterator[Column]:
    """The judged columns, those of the heaviest items first; then by their place.

    Where several items judge a cell, the heaviest says what is wanted, of these the strictest.
    """
    wants: dict[tuple[str, str, int], dict[Spot, Want]] = {}
    heaviest: dict[tuple[str, str, int], int] = {}
    judged = [
        (-court.level(item), want.tol, spot, want)
        for item, wanted in watch.wanted.items()
        for spot, want in wanted.items()
    ]
    for level, _, spot, want in sorted(judged, key=lambda one: one[:3]):
        place = spot.file, spot.sheet, spot.column
        wants.setdefault(place, {}).setdefault(spot, want)
        heaviest.setdefault(place, level)
    for place in sorted(wants, key=lambda one: (heaviest[one], -len(wants[one]), one)):
        yield Column(*place, wants[place])


Make = Callable[[Draft, Column], list[Spot]]
"""Changes a draft; the judged cells that it changed."""
Cells = Callable[[Draft, str, tuple[int, int]], None]


def hidden(draft: Draft, column: Column) -> list[Spot]:
    known = draft.sheets[column.sheet].hidden_columns
    draft.set(column.sheet, hidden_columns=tuple(sorted({*known, column.number})))
    return column.spots


def hidden_sheet(draft: Draft, column: Column) -> list[Spot]:
    draft.set(column.sheet, state="hidden")
    return column.spots


def hidden_rows(draft: Draft, column: Column) -> list[Spot]:
    draft.set(column.sheet, hidden_rows=tuple(sorted({spot.row for spot in column.spots})))
    return column.spots


def numbers_as_text(draft: Draft, column: Column) -> list[Spot]:
    done = [spot for spot in _numbers(draft, column) if not column.wants[spot].text_ok]
    for spot in done:
        text = str(_value(draft, spot))
        draft.put(column.sheet, (spot.row, spot.column), text, shown=text)
    return done


def stale(draft: Draft, column: Column) -> list[Spot]:
    """Right values are cached over formulas that give others."""
    values = draft.values[column.sheet]
    done = []
    for spot in column.spots:
        at = address(spot.row, spot.column)
        found = values.get(at)
        if isinstance(found, int | float):
            values[at] = found * 1.5 + 1000
            done.append(spot)
    return done


def uncached(draft: Draft, column: Column) -> list[Spot]:
    return _each_formula(
        draft, column, lambda draft, sheet, place: draft.change(sheet, place, None, shown="")
    )


def pasted(draft: Draft, column: Column) -> list[Spot]:
    """Values without formulas, where formulas are wanted."""

    def paste(draft: Draft, sheet: str, place: tuple[int, int]) -> None:
        draft.put(sheet, place, draft.cells[sheet][place].value)

    return _each_formula(draft, column, paste, wanted=True)


def bare_formula(draft: Draft, column: Column) -> list[Spot]:
    """A constant dressed as a formula that refers to nothing."""

    def dress(draft: Draft, sheet: str, place: tuple[int, int]) -> None:
        value = draft.cells[sheet][place].value
        draft.change(sheet, place, value, formula=f'VALUE("{value}")+0')

    return _each_formula(draft, column, dress, wanted=True)


def errors(draft: Draft, column: Column) -> list[Spot]:
    for spot in column.spots[:1]:
        draft.change(column.sheet, (spot.row, spot.column), "#REF!", type="error", shown="#REF!")
    return column.spots[:1]


def other_unit(draft: Draft, column: Column) -> list[Spot]:
    """Thousands instead of units, and nothing says so."""
    done = [spot for spot in _numbers(draft, column) if _value(draft, spot)]
    for spot in done:
        draft.change(column.sheet, (spot.row, spot.column), _value(draft, spot) / 1000)
    return done


def right_in_a_hidden_sheet(draft: Draft, column: Column) -> list[Spot]:
    """The right values stand in a hidden sheet; those that are seen are others."""
    copy = f"{column.sheet} (2)"
    draft.add_sheet(copy, draft.cells[column.sheet].values(), state="hidden")
    done = _numbers(draft, column)
    for spot in done:
        other = _value(draft, spot) * 2 + 10 + float(column.wants[spot].tol) * 3
        draft.change(column.sheet, (spot.row, spot.column), other)
    return done


def _numbers(draft: Draft, column: Column) -> list[Spot]:
    """Cells that hold a number, where a number is wanted."""
    cells = {s: draft.at(column.sheet, (s.row, s.column)) for s in column.spots}
    return [
        spot
        for spot, cell in cells.items()
        if cell is not None and cell.type == "number" and column.wants[spot].counts
    ]


def _value(draft: Draft, spot: Spot) -> float:
    value = draft.cells[spot.sheet][spot.row, spot.column].value
    return value if isinstance(value, int | float) else 0.0


def _each_formula(
    draft: Draft, column: Column, change: Cells, *, wanted: bool = False
) -> list[Spot]:
    """Every cell with a formula, or only those where a formula is wanted."""
    done = []
    for spot in column.spots:
        cell = draft.at(column.sheet, (spot.row, spot.column))
        if cell is not None and cell.formula and (column.wants[spot].formula or not wanted):
            change(draft, column.sheet, (spot.row, spot.column))
            done.append(spot)
    return done


MAKES: dict[str, Make] = {
    "a hidden column": hidden,
    "a hidden sheet": hidden_sheet,
    "hidden rows": hidden_rows,
    "numbers as text": numbers_as_text,
    "right values cached over wrong formulas": stale,
    "formulas without values": uncached,
    "values for formulas": pasted,
    "constants dressed as formulas": bare_formula,
    "an error value": errors,
    "thousands for units": other_unit,
    "right values in a hidden sheet only": right_in_a_hidden_sheet,
}
UNSEEN = ("a hidden sheet", "hidden rows")
SUPPOSES: dict[str, Callable[[Want], bool]] = {
    "numbers as text": lambda want: want.counts and not want.text_ok,
    "values for formulas": lambda want: want.formula,
    "constants dressed as formulas": lambda want: want.formula,
}
"""Of which wants an item must be for a disguise to concern it; else it always does."""
