"""A harness that judges: the same question, tools and rules as for a model, its own loop between.

Its tools come over MCP, and the verdict is one of them. What it says in words instead is read, too.
A harness, a gateway or a provider that fails makes the item void; it is never a "no".
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from msgspec import structs

from bythebook.deliverables.judge.conversation import Opening, Spoken
from bythebook.deliverables.judge.given import Breach, Cause, in_text
from bythebook.deliverables.judge.session import FIELD, LIMITS, Limits
from bythebook.deliverables.judge.submission import Submission, prompt_text
from bythebook.deliverables.judge.tools import SPECS, JudgeHands
from bythebook.deliverables.rubric import Item
from bythebook.errors import AgentError
from bythebook.gateway.exchange import Exchange
from bythebook.gateway.tools import ToolDoor
from bythebook.harness.workplace import Places, Terms, Workplace, workplace
from bythebook.models.ledger import BUDGET
from bythebook.models.types import Answer, Call, Message, ToolSpec, Usage
from bythebook.sandbox.clearing import clear
from bythebook.trace import Outcome

Found = TypeVar("Found")

CAUSES: dict[str, Cause] = {
    "steps": "steps", "context": "context", "provider": "provider", BUDGET: "budget",
}  # fmt: skip
"""What ended a turn, to why there is no verdict; anything else is the harness's failure."""


@dataclass(frozen=True)
class HarnessJudge:
    """A harness over one model, for any number of sessions at once."""

    name: str
    """`harness:NAME/PROVIDER:NAME`, as the user wrote it."""
    terms: Terms
    aside: Path
    """A folder for what is in the making; cleared again."""
    limits: Limits = LIMITS
    pictures: bool = True
    """Whether its model can be shown any."""
    _numbers: "count[int]" = field(default_factory=count, repr=False)

    @property
    def sent(self) -> dict[str, object]:
        """The sampling fields that every request has, and which harness made it."""
        fields = self.terms.model.sent(self.terms.settings)
        kept = {name: value for name, value in fields.items() if name not in ("model", "tools")}
        recipe = self.terms.harness.recipe
        return kept | {"harness": f"{recipe.name} {recipe.version}"}

    def limited(self, limits: Limits) -> "HarnessJudge":
        return replace(self, limits=limits)

    def session(self, submission: Submission, question: str, final: ToolSpec) -> "HarnessSession":
        return HarnessSession(self, submission, question, final)

    @asynccontextmanager
    async def folder(self) -> AsyncIterator[Path]:
        """One of a session's own."""
        place = self.aside / str(next(self._numbers))
        clear(place)
        try:
            yield place
        finally:
            clear(place)


class HarnessSession:
    """One conversation about one submission."""

    def __init__(
        self, judge: HarnessJudge, submission: Submission, question: str, final: ToolSpec
    ) -> None:
        self._judge, self._final = judge, final
        self._words = opening(submission, question)
        self._breaches = 0
        self._heard: Exchange | None = None
        self.hands = JudgeHands(submission, pictures=judge.pictures)
        self.calls = 0
        self.usage = Usage()

    def spoken(self, items: Iterable[Item]) -> Spoken:
        """All of it so far, as the model was told it."""
        heard, head = self._heard, Message("user", self._words)
        messages = (head,) if heard is None else heard.request.messages
        said = () if heard is None or heard.reply is None else (heard.reply.message,)
        return Spoken(
            judge=self._judge.name,
            items=tuple(item.id for item in items),
            opening=Opening(
                heard.request.system if heard else "",
                heard.request.tools if heard else (*SPECS, self._final),
                "",
            ),
            messages=(*messages, *said),
            settings=self._judge.terms.settings,
            usage=self.usage,
        )

    async def hear(self, read: Callable[[object], Found]) -> Found:
        """What `read` makes of the verdict, once it takes one. Raises `Breach` when the session
        comes to none."""
        limit = self._judge.limits.session_seconds
        try:
            with anyio.fail_after(limit):
                return await self._hear(read)
        except TimeoutError:
            raise Breach("timeout", f"no verdict within {limit:g} s") from None
        except AgentError as error:
            raise Breach(CAUSES.get(error.cause, "harness"), error.what) from error

    async def _hear(self, read: Callable[[object], Found]) -> Found:
        taken: asyncio.Future[Found] = asyncio.get_running_loop().create_future()
        door = ToolDoor((*SPECS, self._final), self._use(read, taken))
        limits = self._judge.limits
        terms = structs.replace(self._judge.terms, steps=limits.steps + limits.repairs + 1)
        async with self._judge.folder() as folder:
            places = Places(folder / "desk", folder / "own")
            places.workspace.mkdir(parents=True)
            async with workplace(terms, places, self._listen, door.app) as place:
                turns = asyncio.ensure_future(self._turns(place, read, taken))
                try:
                    await asyncio.wait((taken, turns), return_when=asyncio.FIRST_COMPLETED)
                    return taken.result() if taken.done() else turns.result()
                finally:
                    self.usage = place.gateway.usage
                    turns.cancel()
                    with anyio.CancelScope(shield=True):
                        await asyncio.gather(turns, return_exceptions=True)

    def _use(self, read: Callable[[object], Found], taken: "asyncio.Future[Found]") -> Any:
        """The tool server's side of a call."""

        async def use(name: str, args: dict[str, Any]) -> Answer:
            self.calls += 1
            if taken.done():
                return Answer("", "Not taken. The session is over.", ok=False)
            try:
                if name == self._final.name:
                    return self._given(read(args), taken)
                return await anyio.to_thread.run_sync(self.hands.use, Call(name, args))
            except Breach as breach:
                if self._is_the_last(breach):
                    taken.set_exception(breach)
                return Answer("", f"Not taken. {breach.says}", ok=False)
            except Exception as error:
                taken.set_exception(error)
                raise

        return use

    def _given(self, verdict: Found, taken: "asyncio.Future[Found]") -> Answer:
        taken.set_result(verdict)
        return Answer("", "Taken.")

    async def _turns(
        self, place: Workplace, read: Callable[[object], Found], taken: "asyncio.Future[Found]"
    ) -> Found:
        """Turn by turn, until there is a verdict in words. Raises `Breach`."""
        words = self._words
        while True:
            turn = await place.turn(words)
            if taken.done():
                return await taken
            if turn.outcome.kind != "completed":
                raise _ended(turn.outcome)
            try:
                return read(in_text(turn.text, FIELD[self._final.name]))
            except Breach as breach:
                if self._is_the_last(breach):
                    raise
                words = f"Not taken. {breach.says}"

    def _is_the_last(self, breach: Breach) -> bool:
        self._breaches += 1
        return self._breaches > self._judge.limits.repairs

    def _listen(self, exchange: Exchange) -> None:
        if exchange.reply is not None or self._heard is None:
            self._heard = exchange


def opening(submission: Submission, question: str) -> str:
    """The words of its first turn. What differs from item to item comes last."""
    return "\n\n".join((prompt_text("rules"), prompt_text("harness"), submission.head, question))


def _ended(outcome: Outcome) -> Breach:
    return Breach(CAUSES.get(outcome.detail, "harness"), f"{outcome}: {outcome.says}")
