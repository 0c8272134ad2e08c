"""What models cost: a dated table that ships, and lines of one's own before it."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Literal

from msgspec import Struct

from bythebook.errors import ContentError
from bythebook.models.types import Usage
from bythebook.yamlfile import load

MILLION = 1_000_000
SHIPPED = Path(__file__).with_name("prices.yaml")


class Price(Struct, frozen=True):
    """In one currency, whichever it is, for a million tokens."""

    input: Decimal
    output: Decimal
    cached: Decimal | None = None
    """Of the part of the input that came from the provider's cache; None: as all input."""
    stored: Decimal | None = None
    """Of the part of the input that was put into that cache; None: as all input."""

    def of(self, usage: Usage) -> Decimal:
        """What so many tokens cost, in the price's currency."""
        cached = self.input if self.cached is None else self.cached
        stored = self.input if self.stored is None else self.stored
        fresh = usage.input - usage.cached - usage.stored
        total = fresh * self.input + usage.cached * cached + usage.stored * stored
        return (total + usage.output * self.output) / MILLION


class Beyond(Price, frozen=True, kw_only=True):
    """The price of a request whose input is longer than so many tokens."""

    tokens: int


class PriceLine(Price, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line of a table."""

    model: str
    """`provider:name`."""
    as_of: str
    """The day of the source: `2026-11-30`."""
    source: str
    beyond: Beyond | None = None
    note: str = ""

    def of(self, usage: Usage) -> Decimal:
        """Of one request."""
        if self.beyond is not None and usage.input > self.beyond.tokens:
            return self.beyond.of(usage)
        return self.flat(usage)

    def flat(self, usage: Usage) -> Decimal:
        """Of many requests, none of them beyond."""
        return Price.of(self, usage)


class _File(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    currency: Literal["USD"]
    prices: tuple[PriceLine, ...]


ROUTES = {"openai-responses": "openai", "azure-responses": "azure"}
"""Providers whose models cost what they cost under another name."""


@dataclass(frozen=True)
class PriceTable:
    """In US dollars."""

    lines: dict[str, PriceLine]

    @classmethod
    def of(cls, lines: Iterable[PriceLine]) -> "PriceTable":
        """Of two lines for one model the later counts."""
        return cls({line.model: line for line in lines})

    @classmethod
    def read(cls, path: Path) -> "PriceTable":
        """A table from a file. Raises `ContentError`, also where a price is below nothing."""
        found = load(path, _File, decimals=True).prices
        for line in found:
            for price in (line.input, line.output, line.cached, line.stored):
                if price is not None and price < 0:
                    raise ContentError(f"the price {price} is below nothing", where=line.model)
        return cls.of(found)

    def with_own(self, own: "PriceTable") -> "PriceTable":
        """With the lines of `own` in the place of those of the same models."""
        return PriceTable(self.lines | own.lines)

    def price(self, model: str) -> PriceLine | None:
        """What a model costs; None where nobody said. A dated name has its model's price."""
        provider, _, name = model.partition(":")
        known = f"{ROUTES.get(provider, provider)}:{name}"
        if known in self.lines:
            return self.lines[known]
        undated = _undated(known)
        return self.lines.get(undated)


def _undated(name: str) -> str:
    """`gpt-5-2025-08-07` and `claude-opus-4-5-20251101` without their day."""
    parts = name.split("-")
    if len(parts) > 1 and len(parts[-1]) == 8 and parts[-1].isdigit():
        return "-".join(parts[:-1])
    if len(parts) > 3 and [len(part) for part in parts[-3:]] == [4, 2, 2]:
        return "-".join(parts[:-3]) if "".join(parts[-3:]).isdigit() else name
    return name


@cache
def shipped() -> PriceTable:
    """The prices that come with bythebook."""
    return PriceTable.read(SHIPPED)
