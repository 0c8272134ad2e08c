"""A harness that plays in a company: its tools are the scene's, and its words go to the customer.

A call that comes through its tool server is a move; what the scene answers goes back to it. The
words that it ends a turn with are a move, too: the customer's reply begins its next turn.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio

from bythebook.agents.context import prompt
from bythebook.agents.notes import notes_of
from bythebook.agents.protocol import Answer, Briefing, Call, Ended, Move, Note
from bythebook.errors import AgentError
from bythebook.gateway.exchange import Exchange
from bythebook.gateway.tools import ToolDoor
from bythebook.harness.steps import no_reply
from bythebook.harness.workplace import Places, Terms, Turn, Workplace, workplace
from bythebook.sandbox.clearing import clear

SERVER = "desk"
"""What harnesses are told that the server of tools is called; see the adapters."""


@dataclass
class Wish:
    """A call that waits for its answer."""

    call: Call
    answer: asyncio.Future[Answer]


class HarnessAgent:
    """A harness at one attempt: an `Agent`, and a `Program`."""

    def __init__(self, terms: Terms) -> None:
        self.name = terms.harness.recipe.name
        self._terms = terms
        self._tools: frozenset[str] = frozenset()
        self._happened: asyncio.Queue[Wish | Turn | Exception] = asyncio.Queue()
        self._place: Workplace | None = None
        self._turning: asyncio.Task[None] | None = None
        self._wish: Wish | None = None
        self._wishes = 0
        self._notes: list[Note] = []

    @property
    def waited(self) -> float:
        """Seconds spent on the provider so far, back-off included: none of the agent's own time."""
        return 0.0 if self._place is None else self._place.gateway.waited

    @property
    def unsaid(self) -> tuple[Note, ...]:
        """About what it did since its last move."""
        return tuple(self._notes)

    @asynccontextmanager
    async def running(self, briefing: Briefing, folder: Path) -> AsyncIterator[None]:
        """What it has for itself is an empty folder; nothing of that outlives the attempt."""
        self._tools = frozenset(tool.name for tool in briefing.tools)
        places = Places(folder / "desk", folder / "own")
        clear(folder)
        places.workspace.mkdir(parents=True)
        door = ToolDoor(briefing.tools, self._use)
        try:
            async with workplace(self._terms, places, self._heard, door.app) as self._place:
                try:
                    yield
                finally:
                    await self._stop()
        finally:
            clear(folder)

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        """Raises `Ended` and `AgentError`."""
        if isinstance(seen, Briefing):
            self._begin(opening(seen))
        elif self._wish is not None:
            self._grant(self._wish, seen)
        else:
            self._begin("\n\n".join(one.text for one in seen) or prompt("empty"))
        match await self._happened.get():
            case Wish() as wish:
                self._wish = wish
                return Move(calls=(wish.call,), notes=self._noted())
            case Turn(text, outcome):
                if outcome.kind != "completed":
                    raise Ended(outcome)
                return Move(text=text, notes=self._noted())
            case Exception() as error:
                raise error

    # --- inside -----------------------------------------------------------------------------

    def _noted(self) -> tuple[Note, ...]:
        notes, self._notes = tuple(self._notes), []
        return notes

    def _begin(self, words: str) -> None:
        while not self._happened.empty():
            # Wishes of a turn that is over: nobody waits for them.
            self._happened.get_nowait()
        self._turning = asyncio.ensure_future(self._turn(words))

    async def _turn(self, words: str) -> None:
        if self._place is None:
            raise AgentError("it plays only while it is running", cause="protocol")
        try:
            self._happened.put_nowait(await self._place.turn(words))
        except Exception as error:  # noqa: BLE001 - raised again by the move that waits for it
            self._happened.put_nowait(error)

    async def _stop(self) -> None:
        """End the program, wherever it is."""
        if self._turning is not None:
            self._turning.cancel()
            with anyio.CancelScope(shield=True):
                await asyncio.wait([self._turning])

    async def _use(self, name: str, args: Mapping[str, Any]) -> Answer:
        """Its tool server's side of a call: waits until the scene has answered."""
        self._wishes += 1
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._happened.put_nowait(Wish(Call(name, dict(args), str(self._wishes)), future))
        return await future

    def _grant(self, wish: Wish, seen: tuple[Answer, ...]) -> None:
        self._wish = None
        (answer,) = (one for one in seen if one.id == wish.call.id)
        if not wish.answer.done():  # it hung up
            wish.answer.set_result(answer)

    def _heard(self, exchange: Exchange) -> None:
        reply = exchange.reply
        if reply is None:
            self._notes.append(no_reply(exchange))
            return
        self._notes += notes_of(reply)
        if reply.message.calls and reply.message.text.strip():
            self._notes.append(Note("words", {"text": reply.message.text.strip()}))
        for call in reply.message.calls:
            if not self._is_of_the_scene(call.name):
                self._notes.append(Note("own_call", {"name": call.name, "args": call.args}))

    def _is_of_the_scene(self, name: str) -> bool:
        """Harnesses put the server's name before that of a tool: `mcp__desk__now`."""
        return SERVER in name and name.rpartition(f"{SERVER}_")[2].lstrip("_") in self._tools


def opening(briefing: Briefing) -> str:
    """The words that its first turn begins with."""
    return "\n\n".join(
        (briefing.instructions, prompt("harness"), prompt("request"), briefing.request)
    )
