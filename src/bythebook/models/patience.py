"""Asking again: which faults are worth it, how often, and how long to wait in between."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

import anyio
from msgspec import Struct
from msgspec.structs import replace

from bythebook.errors import AgentError
from bythebook.models.wire import Fault

Found = TypeVar("Found")


class Dice(Protocol):
    """A seeded `random.Random`: it spreads out the many that wait for one provider."""

    def random(self) -> float:
        """At least 0, below 1."""


class Patience(Struct, frozen=True):
    """How long a provider is borne with. All lengths are seconds."""

    attempts: int = 8
    first: float = 1.0
    """The first wait; each further one is twice as long, up to `longest`."""
    longest: float = 60.0
    longest_after: float = 300.0
    """A provider that wants a longer wait than this counts as gone."""
    timeout: float = 900.0
    """How long one attempt may take."""

    def limited(self, attempts: int | None) -> "Patience":
        """The same with no more attempts than these."""
        return self if attempts is None else replace(self, attempts=min(attempts, self.attempts))

    def wait(self, attempt: int, fault: Fault, dice: Dice) -> float | None:
        """Seconds until the next attempt, or None when there is to be none."""
        if not fault.again or attempt >= self.attempts:
            return None
        if fault.after is not None:
            spread = fault.after * (1 + 0.1 * dice.random())
            return spread if fault.after <= self.longest_after else None
        step = min(self.longest, self.first * 2.0 ** (attempt - 1))
        return step * (0.5 + 0.5 * dice.random())


async def persist(
    once: Callable[[], Awaitable[Found]], patience: Patience, dice: Dice, *, where: str
) -> Found:
    """What `once` gives when it gives something. Raises `AgentError` when patience is spent."""
    attempt = 1
    while True:
        try:
            return await once()
        except Fault as fault:
            wait = patience.wait(attempt, fault, dice)
            if wait is None:
                tries = f" ({attempt} attempts)" if attempt > 1 else ""
                raise AgentError(
                    fault.says + tries, cause="provider", where=where, hint=fault.hint
                ) from fault
        await anyio.sleep(wait)
        attempt += 1
