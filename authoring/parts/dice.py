"""Chance from a seed: the same numbers on every machine and under every Python."""

import random
from collections.abc import Sequence
from decimal import Decimal
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Draws come from `Random.random`, the one method whose sequence Python promises to keep."""

    def __init__(self, *seed: object) -> None:
        """`Dice("payroll", 0)`: every other text or number gives other throws. Give each part of
        a recipe dice of its own, so that a draw more in one leaves the others as they were."""
        self._random = random.Random("/".join(map(str, seed)))

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        return int(self._random.random() * n)

    def whole(self, low: int, high: int, step: int = 1) -> int:
        """A whole number from low to high, both included."""
        return low + step * self.below((high - low) // step + 1)

    def decimal(self, low: str, high: str) -> Decimal:
        """A decimal from low to high with as many places as `low` is written with."""
        first, last = Decimal(low), Decimal(high)
        unit = Decimal(1).scaleb(int(first.as_tuple().exponent))
        return first + unit * self.below(int((last - first) / unit) + 1)

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent

    def pick(self, values: Sequence[T]) -> T:
        return values[self.below(len(values))]

    def sample(self, values: Sequence[T], n: int) -> tuple[T, ...]:
        """n of the values, none twice, in the order drawn."""
        return self.shuffled(values)[:n]

    def shuffled(self, values: Sequence[T]) -> tuple[T, ...]:
        rest = list(values)
        return tuple(rest.pop(self.below(len(rest))) for _ in values)
