"""The dirt of real exports, from a seed: the clean value goes in, what somebody typed comes out.

A method draws one spelling; `hints` are not given: a task's prompt or inputs must say, or make
plain, how to read what stands there.
"""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import TypeVar

from authoring.parts.dice import Dice

T = TypeVar("T")
Typed = str | int | float | date

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
NO_BREAK_SPACE = "\u00a0"


class Dirt:
    def __init__(self, *seed: object) -> None:
        self.dice = Dice("dirt", *seed)

    def id(self, text: str, clean: int = 40) -> str | int:
        """`EMP007` with spaces, in small letters, without its zeros, or as the bare number 7;
        left alone in `clean` per cent."""
        prefix = text.rstrip("0123456789")
        number = int(text[len(prefix) :])
        spellings: Sequence[str | int] = (
            f" {text}",
            f"{text} ",
            f"{text}{NO_BREAK_SPACE}",
            text.lower(),
            f"{prefix}{number}",
            f"{prefix} {number:03d}",
            number,
        )
        return text if self.dice.chance(clean) else self.dice.pick(spellings)

    def month(self, year: int, month: int) -> str | date:
        """A month in one of five spellings, none of which can be read as another month."""
        spellings: Sequence[str | date] = (
            f"{year}-{month:02d}",
            f"{year}/{month}",
            f"{MONTHS[month - 1]}-{year}",
            f"{year}{month:02d}",
            date(year, month, 1),
        )
        return self.dice.pick(spellings)

    def day(self, day: date) -> str | date:
        """A day in one of four spellings; the month is never a bare number beside the day."""
        spellings: Sequence[str | date] = (
            day,
            day.isoformat(),
            f"{day.day} {MONTHS[day.month - 1]} {day.year}",
            f"{day.year}/{day.month:02d}/{day.day:02d}",
        )
        return self.dice.pick(spellings)

    def number(self, value: Decimal | int, clean: int = 60) -> Typed:
        """A number as a number, or as text: `1,234.50`, ` 1234.5 `; clean in so many per cent."""
        plain = int(value) if value == int(value) else float(value)
        if self.dice.chance(clean):
            return plain
        return self.dice.pick((f"{value:,}", f" {plain} ", f"{plain}{NO_BREAK_SPACE}"))

    def text(self, text: str, clean: int = 50) -> str:
        """Words with doubled, leading or trailing spaces or in capitals."""
        if self.dice.chance(clean):
            return text
        return self.dice.pick((f" {text}", f"{text} ", text.replace(" ", "  "), text.upper()))

    def repeated(self, rows: Sequence[T], n: int, apart: int = 5) -> tuple[T, ...]:
        """The rows with n of them standing twice, the second at least `apart` rows later."""
        out = list(rows)
        for row in self.dice.sample(rows[: len(rows) - apart], n):
            first = next(i for i, other in enumerate(out) if other is row)
            out.insert(self.dice.whole(first + apart, len(out)), row)
        return tuple(out)
