"""What all models of one command share: the way to each provider, and the ledger."""

from dataclasses import dataclass, field
from random import Random

from bythebook.models.gate import Gate
from bythebook.models.ledger import Ledger
from bythebook.models.names import Address


@dataclass
class Traffic:
    """Agent, customer and judge at one provider share its gate."""

    at_once: int
    """Most requests in flight, at each provider."""
    per_minute: int | None = None
    """Most requests that set out in a minute, at each provider."""
    ledger: Ledger = field(default_factory=Ledger)
    _gates: dict[str, Gate] = field(default_factory=dict)

    def gate(self, where: Address) -> Gate:
        """By its place: two names for one server are one provider. Asked for inside the event loop
        that uses it."""
        if where.base_url not in self._gates:
            dice = Random(len(self._gates))
            self._gates[where.base_url] = Gate(self.at_once, dice, per_minute=self.per_minute)
        return self._gates[where.base_url]
