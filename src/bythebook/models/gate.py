"""The way to one provider, shared by all that ask it, whatever role they play."""

from collections.abc import Hashable
from types import TracebackType
from typing import Self

import anyio

from bythebook.models.patience import Dice

SPREAD = 0.25
"""Those who waited for a provider set out again within this share of the wait, not all at once."""
MINUTE = 60.0


class Gate:
    """Entered (`async with`) for each request: a place among those in flight, at a time when the
    provider takes requests.

    A provider that says "too many" to one holds back all of them: else each would have to be told.
    """

    def __init__(self, at_once: int, dice: Dice, *, per_minute: int | None = None) -> None:
        """`at_once`: most requests in flight. `per_minute`: most that set out in a minute, evenly
        spread."""
        self._slots = anyio.CapacityLimiter(at_once)
        self._dice, self._pace = dice, MINUTE / per_minute if per_minute else 0.0
        self._next = self._closed_until = self._held = 0.0

    async def enter(self, who: Hashable) -> None:
        """Wait for a place and for the time. `who` gives the place back with `leave`, from whatever
        task."""
        await self._slots.acquire_on_behalf_of(who)
        try:
            await self._opened()
        except BaseException:
            self._slots.release_on_behalf_of(who)
            raise

    def leave(self, who: Hashable) -> None:
        """Give back the place that `who` took with `enter`."""
        self._slots.release_on_behalf_of(who)

    async def __aenter__(self) -> Self:
        await self.enter(anyio.get_current_task())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.leave(anyio.get_current_task())

    def hold(self, seconds: float) -> None:
        """Nobody sets out for so long. A longer hold that stands already stays."""
        until = anyio.current_time() + seconds
        if until > self._closed_until:
            self._closed_until, self._held = until, seconds

    async def _opened(self) -> None:
        while True:
            now = anyio.current_time()
            if now < self._closed_until:
                spread = SPREAD * self._held * self._dice.random()
                await anyio.sleep(self._closed_until - now + spread)
            elif self._pace and now < self._next:
                self._next, mine = self._next + self._pace, self._next
                await anyio.sleep(mine - now)
                if mine >= self._closed_until:
                    return
            else:
                self._next = now + self._pace
                return
