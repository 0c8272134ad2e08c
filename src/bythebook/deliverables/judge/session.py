"""One conversation of a model that judges: tools, then one verdict, or the reason for none.

Whatever goes wrong is told to the model and asked again, twice at most in one session. A session
that ends without a verdict is void with its cause; it is never a "no".
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import anyio
import msgspec

from bythebook.deliverables.checks.answer import Answer as CheckAnswer
from bythebook.deliverables.judge.conversation import Keep, Opening, Spoken, unkept
from bythebook.deliverables.judge.given import VERDICT, Breach, Cause, Given, in_text, take
from bythebook.deliverables.judge.judgement import Judgement
from bythebook.deliverables.judge.submission import Submission, prompt_text, told
from bythebook.deliverables.judge.tools import SPECS, JudgeHands
from bythebook.deliverables.judge.verify import check_places
from bythebook.deliverables.rubric import Item
from bythebook.errors import AgentError
from bythebook.models.ledger import BUDGET
from bythebook.models.types import (
    Answer,
    ContextOverflow,
    Message,
    Model,
    Reply,
    Request,
    Settings,
    ToolSpec,
    Usage,
)
from bythebook.models.wire import MALFORMED

Found = TypeVar("Found")

GIVE = ToolSpec("give_verdict", "Give your verdict on the requirement: once, and alone.", VERDICT)


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """When a session is cut off, and how often another is begun."""

    steps: int = 30
    """Replies of the model that use tools."""
    call_seconds: float = 600.0
    """One model call, back-off included."""
    session_seconds: float = 1800.0
    repairs: int = 2
    """How often one session is told what is wrong with its verdict."""
    attempts: int = 2
    """Sessions for one item, until it is void."""


AS_IT_COMES = Settings()
LIMITS = Limits()


class Inquiry(Protocol):
    """One conversation about one submission, whoever judges."""

    hands: JudgeHands
    calls: int
    """Uses of tools so far."""
    usage: Usage

    async def hear(self, read: Callable[[object], Found]) -> Found:
        """What `read` makes of the verdict, once it takes one. Raises `Breach` when the session
        comes to none."""
        ...

    def spoken(self, items: Iterable[Item]) -> Spoken:
        """All of it so far; `items`: those it was about."""
        ...


class Judge(Protocol):
    """Who is asked, and how; it may serve many sessions at once."""

    @property
    def name(self) -> str:
        """As judgements name it: `model:PROVIDER:NAME`, `harness:NAME/PROVIDER:NAME`."""

    @property
    def limits(self) -> Limits: ...

    @property
    def sent(self) -> dict[str, object]:
        """The sampling fields of every request, as sent."""
        ...

    def limited(self, limits: Limits) -> "Judge":
        """The same judge, under other limits."""
        ...

    def session(self, submission: Submission, question: str, final: ToolSpec) -> Inquiry:
        """`final`: the tool that ends it."""
        ...


@dataclass(frozen=True)
class ModelJudge:
    """A model that judges."""

    model: Model
    settings: Settings = AS_IT_COMES
    limits: Limits = LIMITS
    pictures: bool = True
    """Whether the model can be shown pictures."""

    @property
    def name(self) -> str:
        return f"model:{self.model.name}"

    @property
    def sent(self) -> dict[str, object]:
        """The sampling fields of every request, as sent."""
        fields = self.model.sent(self.settings)
        return {name: value for name, value in fields.items() if name not in ("model", "tools")}

    def limited(self, limits: Limits) -> "ModelJudge":
        return replace(self, limits=limits)

    def session(self, submission: Submission, question: str, final: ToolSpec) -> "Session":
        return Session(self, submission, question, final)


class Session:
    """One conversation about one submission."""

    def __init__(self, judge: ModelJudge, submission: Submission, question: str, final: ToolSpec):
        """`final`: the tool that ends it."""
        self._judge, self._final = judge, final
        self._tools = (*SPECS, final)
        self._messages = [Message("user", question, head=submission.head)]
        self._last: tuple[Message, ...] = ()
        """The last reply, until it is answered."""
        self._warned = False
        self.hands = JudgeHands(submission, pictures=judge.pictures)
        self.calls = 0
        self.usage = Usage()

    @property
    def conversation(self) -> tuple[Message, ...]:
        """Every message so far, the question first."""
        return tuple(self._messages)

    def spoken(self, items: Iterable[Item]) -> Spoken:
        """All of it so far, the last reply included; `items`: those it was about."""
        head = self._messages[0].head
        return Spoken(
            judge=self._judge.name,
            items=tuple(item.id for item in items),
            opening=Opening(prompt_text("rules"), self._tools, head),
            messages=(*self._messages, *self._last),
            settings=self._judge.settings,
            usage=self.usage,
        )

    async def hear(self, read: Callable[[object], Found]) -> Found:
        """What `read` makes of the verdict, once it takes one. Raises `Breach` when the session
        comes to none."""
        try:
            with anyio.fail_after(self._judge.limits.session_seconds):
                return await self._hear(read)
        except TimeoutError:
            says = f"no verdict within {self._judge.limits.session_seconds:g} s"
            raise Breach("timeout", says) from None

    async def _hear(self, read: Callable[[object], Found]) -> Found:
        breaches = steps = 0
        while True:
            reply = await self._ask()
            self._last = (reply.message,)
            try:
                sent = self._verdict_in(reply)
                if sent is not None:
                    return read(sent)
            except Breach as breach:
                breaches += 1
                if breaches > self._judge.limits.repairs:
                    raise
                self._turn_away(reply.message, f"Not taken. {breach.says}")
                continue
            steps += 1
            await self._use(reply.message, more=steps < self._judge.limits.steps)

    async def _ask(self) -> Reply:
        limit = self._judge.limits.call_seconds
        request = Request(
            model=self._judge.model.id,
            messages=self.conversation,
            system=prompt_text("rules"),
            tools=self._tools,
            settings=self._judge.settings,
        )
        try:
            with anyio.fail_after(limit):
                reply = await self._judge.model.ask(request)
        except TimeoutError:
            raise Breach("timeout", f"no answer of the model within {limit:g} s") from None
        except ContextOverflow as overflow:
            raise Breach("context", str(overflow)) from overflow
        except AgentError as error:
            cause: Cause = "budget" if error.cause == BUDGET else "provider"
            raise Breach(cause, error.what) from error
        self.usage = total((self.usage, reply.usage))
        return reply

    def _verdict_in(self, reply: Reply) -> object | None:
        """The verdict as sent; None when the reply only uses tools. Raises `Breach`."""
        message, name = reply.message, self._final.name
        if reply.stop == "length":
            raise Breach("length", "That reply was cut off for its length; write less.")
        if reply.stop == "refusal":
            raise Breach("refusal", f"The model refused: {message.text.strip()[:200]}")
        if message.empty:
            unread = reply.stop == "malformed"
            says = "That reply held neither words nor a tool call."
            raise Breach("malformed" if unread else "empty", says)
        if not message.calls:
            found: object = in_text(message.text, FIELD[name])
            return found
        if all(call.name != name for call in message.calls):
            return None
        if len(message.calls) > 1:
            raise Breach("malformed", f"Use `{name}` once, and no other tool beside it.")
        (call,) = message.calls
        if MALFORMED in call.args:
            raise Breach("malformed", "The arguments were no JSON object.")
        return call.args

    def _turn_away(self, message: Message, says: str) -> None:
        """Nothing of the reply was done; the model is told why."""
        self._last = ()
        if message.calls:
            answers = tuple(Answer(call.id, says, ok=False) for call in message.calls)
            self._messages += [message, Message("user", answers=answers)]
            return
        spoken = Message("assistant", "...") if message.empty else message
        self._messages += [spoken, Message("user", says)]

    async def _use(self, message: Message, *, more: bool) -> None:
        """Answer the calls; at the limit of steps, once, with a demand for the verdict."""
        self.calls += len(message.calls)
        if more:
            answers = [
                await anyio.to_thread.run_sync(self.hands.use, call) for call in message.calls
            ]
            self._last = ()
            self._messages += [message, Message("user", answers=tuple(answers))]
        elif self._warned:
            raise Breach("steps", f"no verdict after {self._judge.limits.steps} steps")
        else:
            self._warned = True
            says = f"No more tools may be used. Use `{self._final.name}` now."
            self._turn_away(message, says)


FIELD = {"give_verdict": "verdict", "give_verdicts": "verdicts"}
"""Final tool to the field by which its arguments are known in a text."""


async def judge_item(
    judge: Judge,
    submission: Submission,
    item: Item,
    answer: CheckAnswer | None = None,
    *,
    attempt: int = 1,
    keep: Keep = unkept,
) -> Judgement:
    """One session on one item. `answer`: of its check, if that was unsure."""
    session = judge.session(submission, told(item, answer), GIVE)
    begun = anyio.current_time()

    def read(sent: object) -> Given:
        given = take(sent)
        check_places(given, submission, viewed=session.hands.viewed)
        return given

    try:
        found: Given | Breach = await session.hear(read)
    except Breach as breach:
        found = breach
    return msgspec.structs.replace(
        judgement(item, submission, judge.name, found),
        attempt=attempt,
        calls=session.calls,
        usage=session.usage,
        seconds=round(anyio.current_time() - begun, 3),
        settings=judge.sent,
        conversation=keep(session.spoken((item,))),
    )


def judgement(item: Item, submission: Submission, judge: str, found: Given | Breach) -> Judgement:
    """The line for a verdict whose places were verified, or for the reason that there is none."""
    line = Judgement(
        item=item.id, item_hash=item.hash, evidence=submission.results.sha, judge=judge
    )
    if isinstance(found, Breach):
        return msgspec.structs.replace(line, cause=found.cause, says=found.says)
    return msgspec.structs.replace(
        line,
        verdict=found.verdict,
        because=found.because,
        cited=found.evidence,
        verified=True,
        searched=found.searched,
    )


def total(spent: Iterable[Usage]) -> Usage:
    """Tokens of several calls together; the provider's own figures are not kept."""
    every = list(spent)
    return Usage(
        input=sum(usage.input for usage in every),
        output=sum(usage.output for usage in every),
        cached=sum(usage.cached for usage in every),
        stored=sum(usage.stored for usage in every),
        reasoning=sum(usage.reasoning for usage in every),
    )
