"""What a value is, read as its field says: numbers exact, texts folded, months and dates in parts.

A value in a rubric or expected table reads strictly and exactly (`26345.50`, `2024-01`, `3.5%`); a
cell reads as people write, from the text it shows where that matters.
"""

from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from bythebook.deliverables.checks import dates
from bythebook.deliverables.checks.amounts import plain_number
from bythebook.deliverables.checks.dates import Locale
from bythebook.deliverables.checks.fields import ReadAs
from bythebook.deliverables.checks.wording import fold
from bythebook.deliverables.evidence.model import Cell, Scalar
from bythebook.errors import ContentError

Value = Decimal | str | tuple[int, ...]
"""A number, a folded text, or a month or date."""

MOST_EXPONENT = 400
LARGEST = 10**MOST_EXPONENT
ERRORS = ("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#SPILL!", "#CALC!")


def written_value(written: Any, read_as: ReadAs, *, where: str = "") -> tuple[Value, Decimal]:
    """A value of a rubric or table, and half of its last digit (0 for whole numbers and texts).

    Raises `ContentError` when it does not read.
    """
    match read_as:
        case "number" | "percent":
            return _written_number(written, where)
        case "month" | "date":
            text = str(written)
            found = dates.month_of(text) if read_as == "month" else dates.date_of(text)
            if found is None:
                hint = "2024-01" if read_as == "month" else "2024-01-31"
                raise ContentError(f"{text!r} is no {read_as}", where=where, hint=hint)
            return found, Decimal(0)
    if isinstance(written, bool):
        return ("yes" if written else "no"), Decimal(0)
    return fold(str(written)), Decimal(0)


def _written_number(written: Any, where: str) -> tuple[Decimal, Decimal]:
    text = str(written).strip()
    percent = text.endswith("%")
    try:
        value = Decimal(text.removesuffix("%").strip())
    except InvalidOperation:
        value = Decimal("nan")
    if isinstance(written, bool) or not value.is_finite():
        hint = "decimals with a point and no thousands separator: 26345.50"
        raise ContentError(f"{text!r} is no number", where=where, hint=hint)
    exponent = value.as_tuple().exponent
    half = Decimal(5).scaleb(int(exponent) - 1) if int(exponent) < 0 else Decimal(0)
    return (value.scaleb(-2), half.scaleb(-2)) if percent else (value, half)


def natural(written: Any) -> ReadAs:
    """How a value reads that no field speaks of: as it is written."""
    if isinstance(written, int | Decimal) and not isinstance(written, bool):
        return "number"
    text = str(written)
    return (
        "percent" if text.endswith("%") and text[:-1].strip().replace(".", "").isdigit() else "text"
    )


def number_of(cell: Cell) -> Decimal | None:
    """The cell's number; a text is none."""
    value = cell.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return exact(value)


@lru_cache(maxsize=100_000, typed=True)
def exact(value: float) -> Decimal | None:
    """A number as its shortest digits say it; None for what is no number."""
    if isinstance(value, int):
        return Decimal(value) if abs(value) < LARGEST else None
    found = Decimal(repr(value))
    return found if found.is_finite() and abs(found.adjusted()) < MOST_EXPONENT else None


def text_of(cell: Cell) -> str:
    """What a reader of the sheet sees in it."""
    return cell.shown or bare_text(cell.value)


def bare_text(value: Scalar) -> str:
    """A value without any format."""
    match value:
        case None:
            return ""
        case bool():
            return "TRUE" if value else "FALSE"
        case int() if abs(value) >= LARGEST:
            return "a number too large to write"
    return str(value)


def key_of(cell: Cell | None, read_as: ReadAs, locale: Locale, date1904: bool) -> Value | None:
    """A cell as a key; None where it does not read as its type."""
    if cell is None or cell.type == "error":
        return None
    match read_as:
        case "number" | "percent":
            found = number_of(cell)
            return plain_number(text_of(cell), locale) if found is None else found.normalize() + 0
        case "month":
            return month_in(cell, date1904)
        case "date":
            return date_in(cell, locale, date1904)
    return _text_key(cell) or None


def _text_key(cell: Cell) -> str:
    """A text as shown; a whole number without the separators that only its format adds."""
    shown = text_of(cell)
    if isinstance(cell.value, int | float) and not isinstance(cell.value, bool):
        digits = str(int(cell.value)) if abs(cell.value) < 1e15 else ""
        if digits and digits == "".join(letter for letter in shown if letter.isdigit()):
            plain = all(letter.isdigit() or letter in ",.' \u00a0\u202f" for letter in shown)
            return digits if plain else fold(shown)
    if isinstance(cell.value, bool):
        return "yes" if cell.value else "no"
    return fold(shown)


def month_in(cell: Cell, date1904: bool) -> dates.Month | None:
    value = cell.value
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        if exact(value) is None:
            return None
        if dates.is_date_format(cell.format):
            day = dates.of_serial(value, date1904=date1904)
            return day[:2] if day else None
        return dates.month_of_number(value)
    return dates.month_of(value) if value else None


def date_in(cell: Cell, locale: Locale, date1904: bool) -> dates.Day | None:
    value = cell.value
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        shows = exact(value) is not None and dates.is_date_format(cell.format)
        return dates.of_serial(value, date1904=date1904) if shows else None
    return dates.date_of(value, locale) if value else None


def is_error(value: object) -> bool:
    """Is a recalculated value an error?"""
    return isinstance(value, str) and (value in ERRORS or value.startswith("Err:"))
