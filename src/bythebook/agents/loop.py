"""The `loop` agent: a model with tools and its whole conversation, one model call a move."""

from math import ceil
from pathlib import Path

import anyio
import msgspec
from msgspec.structs import replace

from bythebook.agents.protocol import Answer, Briefing, ContextExhausted, Move, Note, ToolSpec
from bythebook.errors import AgentError
from bythebook.models.types import (
    ContextOverflow,
    Message,
    Model,
    Reply,
    Request,
    Settings,
    Usage,
)
from bythebook.models.wire import MALFORMED

DROPPABLE = frozenset({"search_documents", "read_document"})
"""Tools whose answers may make room: what they said can be had again."""

_PROMPTS = Path(__file__).parent / "prompts"


def prompt(name: str) -> str:
    return (_PROMPTS / f"{name}.md").read_text("utf-8").strip()


class Loop:
    """A model in a loop. One object plays one attempt; the model may serve many."""

    def __init__(self, model: Model, settings: Settings | None = None, name: str = "loop") -> None:
        self.name = name
        self.waited = 0.0
        """Seconds spent on the provider so far, back-off included: none of the agent's own time."""
        self._model = model
        self._settings = settings or Settings()
        self._system = ""
        self._tools: tuple[ToolSpec, ...] = ()
        self._messages: list[Message] = []
        self._stubbed: set[tuple[int, int]] = set()
        self._cut = False

    @property
    def conversation(self) -> tuple[Message, ...]:
        """What the model is shown, stubs and all."""
        return tuple(self._messages)

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        """Raises `ContextExhausted` and `AgentError`."""
        if isinstance(seen, Briefing):
            self._system = f"{seen.instructions}\n\n{prompt('loop')}"
            self._tools = seen.tools
            self._messages = [Message("user", seen.request)]
        else:
            self._messages.append(self._heard(seen))
        notes: list[Note] = []
        reply = await self._ask(notes)
        self._cut = reply.stop == "length"
        if not reply.message.empty:
            self._messages.append(reply.message)
        # Words before a call that was cut are notes, as all words beside calls are.
        text = "" if reply.half else reply.message.text.strip()
        return Move(reply.message.calls, text, (*notes, *_notes(reply)))

    def _heard(self, seen: tuple[Answer, ...]) -> Message:
        """The answers in the order of the calls, then what was said."""
        last = self._messages[-1]
        answers = {answer.id: answer for answer in seen if answer.id}
        try:
            answered = tuple(answers[call.id] for call in last.calls)
        except KeyError as error:
            raise AgentError(f"call {error} was never answered", cause="protocol") from None
        words = [answer.text for answer in seen if not answer.id]
        if self._cut:
            words.append(prompt("cut"))
        elif not answered and not words:
            words.append(prompt("empty"))
        return Message("user", "\n\n".join(words), answers=answered)

    async def _ask(self, notes: list[Note]) -> Reply:
        """The model's reply, after as much room was made as it takes."""
        while True:
            request = Request(
                model=self._model.id,
                messages=self.conversation,
                system=self._system,
                tools=self._tools,
                settings=self._settings,
            )
            before = anyio.current_time()
            try:
                return await self._model.ask(request)
            except ContextOverflow as overflow:
                if overflow.usage is not None:
                    notes.append(_usage(overflow.usage))
                notes.append(self._make_room(overflow))
            finally:
                self.waited += anyio.current_time() - before

    def _make_room(self, overflow: ContextOverflow) -> Note:
        """Stub the oldest quarter of what may be dropped (paper: 12 -> 9)."""
        longest = self._settings.max_tokens
        if overflow.window is not None and overflow.window <= longest:
            raise AgentError(
                f"a reply of {longest} tokens does not fit a window of {overflow.window}",
                where=self._model.name,
                hint="let the model write fewer tokens a response",
            )
        places = [place for place in self._droppable() if place not in self._stubbed]
        if not places:
            raise ContextExhausted(str(overflow)) from overflow
        oldest = places[: ceil(len(places) / 4)]
        for turn, place in oldest:
            answers = list(self._messages[turn].answers)
            answers[place] = replace(answers[place], text=prompt("stub"))
            self._messages[turn] = replace(self._messages[turn], answers=tuple(answers))
        self._stubbed.update(oldest)
        return Note("stubbed", {"answers": len(oldest), "left": len(places) - len(oldest)})

    def _droppable(self) -> list[tuple[int, int]]:
        """Turn and place of each answer that may make room, oldest first."""
        return [
            (turn, place)
            for turn in range(1, len(self._messages))
            for place, answer in enumerate(self._messages[turn].answers)
            for call in self._messages[turn - 1].calls
            if call.id == answer.id and call.name in DROPPABLE
        ]


def _notes(reply: Reply) -> list[Note]:
    notes = [_usage(reply.usage)]
    if reply.stop == "length":
        notes.append(Note("length_stop", {"half": reply.half.name} if reply.half else {}))
    if reply.stop == "refusal":
        notes.append(Note("refusal"))
    malformed = [call.name for call in reply.message.calls if MALFORMED in call.args]
    if malformed or reply.stop == "malformed":
        notes.append(Note("malformed", {"calls": malformed}))
    return notes


def _usage(usage: Usage) -> Note:
    return Note("usage", msgspec.to_builtins(usage))
