"""WANT and CELLOK: what a value must be, and whether a cell is that, live and readable.

equals X ± tol | between a b | any of ..      the value that was cached is the one judged
formula: true                                 a formula with a reference
cached and recalculated agree                 else the cell is stale
"""

from decimal import Decimal
from functools import lru_cache

import msgspec

from bythebook.deliverables.checks.amounts import plain_number
from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.checks.case import Case
from bythebook.deliverables.checks.deciding import fail, unsure
from bythebook.deliverables.checks.fields import Field, ReadAs
from bythebook.deliverables.checks.grid import Grid
from bythebook.deliverables.checks.places import Spot, shortened
from bythebook.deliverables.checks.reading import (
    Value,
    bare_text,
    date_in,
    exact,
    month_in,
    natural,
    number_of,
    text_of,
    written_value,
)
from bythebook.deliverables.checks.spec import Wanted
from bythebook.deliverables.checks.wording import fold
from bythebook.deliverables.evidence.formulas import address, areas, names_in
from bythebook.deliverables.evidence.model import Cell, Scalar
from bythebook.errors import ContentError

NOISE = Decimal("1e-9")
"""What arithmetic in binary may add, as a share of the value."""
SCALES = tuple(Decimal(10) ** power for power in (3, 4, 6, 8, 9))
"""Thousands, 万, millions, 亿, billions: other units that a figure may be shown in."""
_CONSTANTS = frozenset(("TRUE", "FALSE"))


class Want(msgspec.Struct, frozen=True):
    """A WANT with its values read."""

    read_as: ReadAs
    values: tuple[Value, ...] = ()
    tol: Decimal = Decimal(0)
    between: tuple[Decimal, Decimal] | None = None
    formula: bool = False
    text_ok: bool = False
    written: str = ""
    """For people."""
    any_unit: bool = True
    """A value in thousands or millions is for the judge; else it is just another value."""

    @property
    def counts(self) -> bool:
        return self.read_as in ("number", "percent")

    def holds(self, value: Value) -> bool:
        """Is this the value?"""
        if not isinstance(value, Decimal):
            return value in self.values
        if self.between is not None:
            low, high = self.between
            return low - noise(low) <= value <= high + noise(high)
        return any(isinstance(x, Decimal) and near(value, x, self.tol) for x in self.values)


def noise(value: Decimal) -> Decimal:
    return NOISE * max(Decimal(1), abs(value))


def near(value: Decimal, wanted: Decimal, tol: Decimal) -> bool:
    return abs(value - wanted) <= tol + noise(wanted)


def read_want(wanted: Wanted, field: Field | None, *, where: str = "") -> Want:
    """A WANT read as its field says, or as it is written. Raises `ContentError`."""
    forms = [wanted.equals is not None, wanted.between is not None, bool(wanted.any_of)]
    if sum(forms) != 1:
        hint = "equals (with tol), between or any_of"
        raise ContentError("a value is wanted in exactly one way", where=where, hint=hint)
    options = (wanted.equals,) if forms[0] else wanted.any_of
    read_as = field.read_as if field else natural(options[0] if options else Decimal(0))
    read = [written_value(option, read_as, where=where) for option in options]
    counts = read_as in ("number", "percent")
    if not counts and (wanted.between is not None or wanted.tol is not None):
        raise ContentError(f"a {read_as} has no tolerance and no bounds", where=where)
    if wanted.between is not None and wanted.between[0] > wanted.between[1]:
        raise ContentError("the lower bound is above the upper one", where=where)
    if wanted.tol is not None and wanted.tol < 0:
        raise ContentError("a tolerance is not negative", where=where)
    return Want(
        read_as=read_as,
        values=tuple(value for value, _ in read),
        tol=min((half for _, half in read), default=Decimal(0))
        if wanted.tol is None
        else wanted.tol,
        between=wanted.between,
        formula=wanted.formula,
        text_ok=wanted.text_ok,
        written=_in_words(wanted),
    )


def _in_words(wanted: Wanted) -> str:
    if wanted.between is not None:
        return f"{wanted.between[0]} to {wanted.between[1]}"
    if wanted.any_of:
        return " or ".join(str(option) for option in wanted.any_of)
    return f"{wanted.equals}" + (f" within {wanted.tol}" if wanted.tol else "")


# --- CELLOK -------------------------------------------------------------------------------------


def check_cell(case: Case, grid: Grid, row: int, column: int, want: Want) -> Answer:
    """CELLOK at one place of a visible sheet: passes, or raises `Decided`."""
    cell, place = judge_cell(case, grid, row, column, want), grid.place_of(row, column)
    return Answer(mark="pass", place=place, seen=seen_in(cell), wanted=want.written)


def judge_cell(case: Case, grid: Grid, row: int, column: int, want: Want) -> Cell:
    """The cell, if CELLOK holds of it; raises `Decided` otherwise."""
    spot = grid.spot(row, column)
    case.seen.add(spot)
    case.wanted[spot] = want
    cell = grid.at(row, column)
    if cell is None:
        raise fail("the cell is empty", spot.place, wanted=want.written)
    if column in grid.hidden_columns:
        raise fail("its column is hidden", spot.place, seen=seen_in(cell), wanted=want.written)
    _readable(cell, spot, want)
    if want.formula:
        check_live(cell, spot)
    value = _value(case, cell, spot, want, grid.book.content.date1904)
    if not want.holds(value):
        raise _other(cell, value, spot, want)
    if cell.formula and not grid.book.computed:
        _fresh(case, grid, cell, spot, want)
    return cell


def seen_in(cell: Cell) -> str:
    """What stands in a cell, for people."""
    text = shortened(text_of(cell), 80)
    if isinstance(cell.value, int | float) and not isinstance(cell.value, bool):
        bare = bare_text(cell.value)
        return text if text == bare else f"{bare} ({text})"
    return text


def _readable(cell: Cell, spot: Spot, want: Want) -> None:
    if cell.type == "error":
        raise fail("an error value", spot.place, seen=bare_text(cell.value), wanted=want.written)
    if cell.value is None or cell.value == "":
        why = "the formula has no cached value: a reader sees nothing"
        raise fail(why, spot.place, seen=f"={shortened(cell.formula)}", wanted=want.written)


def check_live(cell: Cell, spot: Spot) -> None:
    """A formula with a reference."""
    if not cell.formula:
        why = "a constant where a formula is wanted"
        raise fail(why, spot.place, seen=seen_in(cell), wanted="a formula")
    if not refers(cell.formula):
        seen = f"={shortened(cell.formula)}"
        raise fail("the formula refers to nothing", spot.place, seen=seen, wanted="a formula")


@lru_cache(maxsize=50_000)
def refers(formula: str) -> bool:
    """Has a formula a reference, once texts are taken out of it?"""
    if any(True for _ in areas(formula)):
        return True
    return any(name.upper() not in _CONSTANTS for name in names_in(formula)) or "[" in formula


def _value(case: Case, cell: Cell, spot: Spot, want: Want, date1904: bool) -> Value:
    """The cell's value read as wanted."""
    if want.counts:
        found = number_of(cell)
        return _no_number(case, cell, spot, want) if found is None else found
    if want.read_as == "text":
        return _text_value(cell, want)
    read = {"month": lambda: month_in(cell, date1904)}.get(
        want.read_as, lambda: date_in(cell, case.locale, date1904)
    )()
    if read is None:
        raise unsure(
            f"reads as no {want.read_as}", spot.place, seen=seen_in(cell), wanted=want.written
        )
    return read


def _text_value(cell: Cell, want: Want) -> str:
    """The text as shown, or the bare value where that is the one wanted."""
    if isinstance(cell.value, bool):
        shown = "yes" if cell.value else "no"
        return shown if shown in want.values else fold(text_of(cell))
    shown, bare = fold(text_of(cell)), fold(_bare(cell.value))
    return bare if bare in want.values else shown


def _bare(value: Scalar) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return bare_text(value)


def _no_number(case: Case, cell: Cell, spot: Spot, want: Want) -> Value:
    """A number that stands as text: a failure, allowed, or for the judge."""
    text = bare_text(cell.value)
    if not isinstance(cell.value, str):
        raise fail("no number", spot.place, seen=text, wanted=want.written)
    number = plain_number(text, case.locale)
    if number is not None and want.text_ok:
        return number
    seen, wanted = seen_in(cell), want.written
    if cell.formula and any(letter.isdigit() for letter in text):
        raise unsure("a formula shows the figure as text", spot.place, seen=seen, wanted=wanted)
    if number is not None:
        raise fail("a number stored as text", spot.place, seen=seen, wanted=wanted)
    if any(letter.isdigit() for letter in text):
        raise unsure("the figure stands in a text", spot.place, seen=seen, wanted=wanted)
    raise fail("no number", spot.place, seen=seen, wanted=wanted)


def _other(cell: Cell, value: Value, spot: Spot, want: Want) -> Exception:
    seen, wanted = seen_in(cell), want.written
    if isinstance(value, Decimal) and want.any_unit and other_unit(value, want, text_of(cell)):
        return unsure("the value stands in another unit", spot.place, seen=seen, wanted=wanted)
    return fail("another value", spot.place, seen=seen, wanted=wanted)


def other_unit(value: Decimal, want: Want, shown: str = "") -> bool:
    """Is it the wanted value in thousands, millions or per cent, with three digits or exactly?"""
    if not any(isinstance(x, Decimal) and abs(x) > want.tol for x in want.values):
        return False  # nothing is nothing in every unit
    if want.read_as == "percent":
        # 3.5 shown as `350.0%` says 350 per cent, whatever its author meant.
        said = plain_number(shown) if "%" in shown else None
        means = said is not None and near(said, value, abs(value) / 10)
        return not means and _scaled(value / 100, value, want, Decimal("0.01"))
    return any(
        _scaled(value * scale, value, want, scale) or _scaled(value / scale, value, want, 1 / scale)
        for scale in SCALES
    )


def _scaled(scaled: Decimal, value: Decimal, want: Want, scale: Decimal) -> bool:
    if want.holds(scaled):
        return value != 0
    digits = value.normalize().as_tuple()
    step = Decimal(1).scaleb(int(digits.exponent)) * scale
    rounded = len(digits.digits) >= 3 and scale > 1
    return rounded and any(
        isinstance(x, Decimal) and abs(scaled - x) * 2 <= step for x in want.values
    )


UNNAMED = (
    "stale: the formula names what nobody knows; functions since Excel 2010 stand in a file as "
    "_xlfn.NAME"
)


def _fresh(case: Case, grid: Grid, cell: Cell, spot: Spot, want: Want) -> None:
    """The cached value is the one that the formula gives."""
    anew = case.recalculated(grid.book)
    sheet = anew.values.get(grid.sheet.name, {})
    at = address(cell.row, cell.column)
    if anew.status != "ok" or at not in sheet:
        return
    if not same_result(cell.value, sheet[at], want.tol):
        one, other = (shortened(bare_text(value), 50) for value in (cell.value, sheet[at]))
        seen = f"cached {one}, recalculated {other}"
        why = UNNAMED if sheet[at] == "#NAME?" else "stale: the formula gives another value"
        raise fail(why, spot.place, seen=seen, wanted=want.written)


def same_result(cached: Scalar, anew: Scalar, tol: Decimal) -> bool:
    if cached == anew:
        return True
    numbers = [exact(x) for x in (cached, anew) if isinstance(x, int | float)]
    if len(numbers) == 2 and numbers[0] is not None and numbers[1] is not None:
        return near(numbers[0], numbers[1], tol)
    return ("" if cached is None else cached) == ("" if anew is None else anew)
