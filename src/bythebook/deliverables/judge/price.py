"""What judging costs, from tokens and a price that the user gives."""

from decimal import Decimal, InvalidOperation

from bythebook.errors import UsageError
from bythebook.models.price import Price as Price


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
    return Price(parts[0], parts[1], parts[2] if len(parts) == 3 else None)
