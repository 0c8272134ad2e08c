"""What was asked of models and what it came to, as it happens; and an end to it at a sum."""

from dataclasses import dataclass, field
from decimal import Decimal

from bythebook.errors import AgentError
from bythebook.models.price import PriceTable
from bythebook.models.types import Usage

BUDGET = "budget"
"""The cause of an attempt that ended because the money was spent."""


@dataclass
class Ledger:
    """Of one command; all clients of an evaluation write into it."""

    prices: PriceTable = field(default_factory=lambda: PriceTable({}))
    budget: Decimal | None = None
    """US dollars; None: no end."""
    cost: Decimal = Decimal(0)
    """Spent so far, what earlier commands spent included where that was told."""
    calls: int = 0
    again: int = 0
    """Requests that were sent once more."""
    fault: str = ""
    """Why the latest answer has to be asked for again; empty once a model has answered."""
    input: int = 0
    output: int = 0
    cached: int = 0
    unpriced: set[str] = field(default_factory=set)
    """Models that were asked and whose price nobody knows."""

    @property
    def spent(self) -> bool:
        """Is the budget used up?"""
        return self.budget is not None and self.cost >= self.budget

    def check(self, model: str) -> None:
        """Before a request. Raises `AgentError` of the cause `budget` when nothing is left."""
        if self.spent:
            raise AgentError(f"the budget of {self.budget} USD is spent", cause=BUDGET, where=model)

    def replied(self, model: str, usage: Usage) -> None:
        """Count a reply and what it cost; the cost of a model without a price is left out."""
        self.calls += 1
        self.fault = ""
        self.input += usage.input
        self.output += usage.output
        self.cached += usage.cached
        price = self.prices.price(model)
        if price is None:
            self.unpriced.add(model)
        else:
            self.cost += price.of(usage)
