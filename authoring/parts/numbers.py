"""Exact rounding, and numbers as people write them. Recipes count in Decimal, never in float."""

from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def cents(value: Decimal) -> Decimal:
    """To two places, halves away from zero: what ROUND(x, 2) does in a spreadsheet."""
    return value.quantize(CENT, ROUND_HALF_UP)


def rounded(value: Decimal, places: int) -> Decimal:
    """ROUND(value, places)."""
    return value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


def roundup(value: Decimal) -> int:
    """ROUNDUP(value, 0) of a value that is not negative."""
    return int(value.to_integral_value(ROUND_CEILING))


def money(value: Decimal | int, places: int = 2) -> str:
    """`1,234.50`; `-12,905` with no places."""
    return f"{rounded(Decimal(value), places):,f}"


def percent(rate: Decimal, places: int = 1) -> str:
    """`8.5 %` of 0.085."""
    return f"{rounded(rate * 100, places):f} %"
