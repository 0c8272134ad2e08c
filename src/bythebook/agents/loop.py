"""The `loop` agent: a model with tools and its whole conversation, one model call a move."""

import anyio

from bythebook.agents.context import Context, prompt
from bythebook.agents.notes import notes_of, usage_note
from bythebook.agents.protocol import Answer, Briefing, Move, Note
from bythebook.errors import AgentError
from bythebook.models.types import (
    ContextOverflow,
    Message,
    Model,
    Reply,
    Request,
    Settings,
)


class Loop:
    """A model in a loop. One object plays one attempt; the model may serve many."""

    def __init__(
        self,
        model: Model,
        settings: Settings | None = None,
        name: str = "loop",
        *,
        context_tokens: int | None = None,
        pictures: int | None = None,
    ) -> None:
        """`context_tokens`: most tokens of a request by the local count, where the provider is not
        to be asked whether a conversation fits; `pictures`: most pictures of a request."""
        self.name = name
        self._waited = 0.0
        self._asking: float | None = None
        """Since when a call is in flight."""
        self._model = model
        self._settings = settings or Settings()
        self._most, self._pictures = context_tokens, pictures
        self._context = Context()
        self._cut = False

    @property
    def waited(self) -> float:
        """Seconds spent on the provider so far, back-off included: none of the agent's own time."""
        now = 0.0 if self._asking is None else anyio.current_time() - self._asking
        return self._waited + now

    @property
    def conversation(self) -> tuple[Message, ...]:
        """What the model is shown, stubs and all."""
        return tuple(self._context.messages)

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        """Raises `ContextExhausted` and `AgentError`."""
        if isinstance(seen, Briefing):
            self._context = Context(f"{seen.instructions}\n\n{prompt('loop')}", seen.tools)
            self._context.add(Message("user", seen.request))
        else:
            self._context.add(self._heard(seen))
        notes: list[Note] = []
        reply = await self._ask(notes)
        self._cut = reply.stop == "length"
        if not reply.message.empty:
            self._context.add(reply.message)
        # Words before a call that was cut are notes, as all words beside calls are.
        text = "" if reply.half else reply.message.text.strip()
        return Move(reply.message.calls, text, (*notes, *notes_of(reply)))

    def _heard(self, seen: tuple[Answer, ...]) -> Message:
        """The answers in the order of the calls, then what was said."""
        last = self._context.messages[-1]
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
            self._fit(notes)
            request = Request(
                model=self._model.id,
                messages=self.conversation,
                system=self._context.system,
                tools=self._context.tools,
                settings=self._settings,
            )
            self._asking = anyio.current_time()
            try:
                return await self._model.ask(request)
            except ContextOverflow as overflow:
                if overflow.usage is not None:
                    notes.append(usage_note(overflow.usage))
                self._check_window(overflow)
                notes.append(self._context.make_room(str(overflow)))
            finally:
                self._waited, self._asking = self.waited, None

    def _fit(self, notes: list[Note]) -> None:
        """Make room by the local count."""
        if self._pictures is not None and (put := self._context.put_pictures_away(self._pictures)):
            notes.append(put)
        while self._most is not None and self._context.tokens > self._most:
            why = f"about {self._context.tokens} tokens, and {self._most} are allowed"
            notes.append(self._context.make_room(why))

    def _check_window(self, overflow: ContextOverflow) -> None:
        """No room helps where the reply alone is too long: a wrong setting, not a full context."""
        longest = self._settings.max_tokens
        if overflow.window is not None and overflow.window <= longest:
            raise AgentError(
                f"a reply of {longest} tokens does not fit a window of {overflow.window}",
                where=self._model.name,
                hint="let the model write fewer tokens a response",
            )
