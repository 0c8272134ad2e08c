"""The loop agent of `bythebook run`, as it plays a rollout of a trainer."""

from collections.abc import Callable
from random import Random

import msgspec

from bythebook.agents.loop import Loop
from bythebook.agents.protocol import Answer, Briefing, Ended, Move
from bythebook.errors import AgentError
from bythebook.models.names import address, open_model
from bythebook.models.patience import Patience
from bythebook.trace import Outcome

TRIES = 3
"""Of one model call; a trainer has its own ways to try again."""


class Asking(msgspec.Struct, frozen=True):
    """Where the model is asked."""

    model: str
    endpoint: str
    """Base URL of chat completions."""
    secret: str
    seed: str
    """Of the waits between tries."""


class Player:
    """Plays one rollout. `stopped` says why the trainer wants no more turns, once it does: then
    the attempt ends at a limit, and counts."""

    name = "loop"

    def __init__(self, asking: Asking, instructions: str, stopped: Callable[[], str]) -> None:
        """`instructions`: in place of the briefing's own, where a trainer has changed them."""
        where = address(f"local:{asking.model}", asking.endpoint)
        patience = Patience().limited(TRIES)
        self._model = open_model(where, asking.secret, dice=Random(asking.seed), patience=patience)
        self._loop = Loop(self._model)
        self._instructions, self._stopped = instructions, stopped

    @property
    def waited(self) -> float:
        """Seconds spent on the model: none of the agent's own time."""
        return self._loop.waited

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        """Raises as `Loop.move`, and `Ended` once the trainer wants no more."""
        if isinstance(seen, Briefing) and self._instructions:
            seen = msgspec.structs.replace(seen, instructions=self._instructions)
        try:
            return await self._loop.move(seen)
        except AgentError as error:
            why = self._stopped()
            if not why:
                raise
            raise Ended(Outcome("limit", "steps", f"the trainer stopped it: {why}")) from error

    async def close(self) -> None:
        await self._model.close()
