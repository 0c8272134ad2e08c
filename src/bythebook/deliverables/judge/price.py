"""What judging costs, from tokens and a price that the user gives."""

from decimal import Decimal, InvalidOperation

import msgspec

from bythebook.errors import UsageError
from bythebook.models.types import Usage

_MILLION = 1_000_000


class Price(msgspec.Struct, frozen=True):
    """In one currency, whichever it is, for a million tokens."""

    input: Decimal
    output: Decimal
    cached: Decimal
    """Of the part of the input that came from the provider's cache."""

    def of(self, usage: Usage) -> Decimal:
        fresh = usage.input - usage.cached
        total = fresh * self.input + usage.cached * self.cached + usage.output * self.output
        return total / _MILLION


def price(text: str) -> Price:
    """`in,out` or `in,out,cached`, such as 2.50,10,0.25; cached costs as much as other input
    unless it is given. Raises `UsageError`."""
    try:
        parts = [Decimal(part) for part in text.split(",")]
    except InvalidOperation:
        parts = []
    if len(parts) not in (2, 3) or any(not part.is_finite() or part < 0 for part in parts):
        hint = "for a million tokens: --price IN,OUT,CACHED, such as 2.50,10,0.25"
        raise UsageError(f"{text!r} is no price", hint=hint)
    return Price(parts[0], parts[1], parts[-1] if len(parts) == 3 else parts[0])
