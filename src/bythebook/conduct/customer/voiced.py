"""The model voice: a language model speaks for the customer, under a protocol.

The model has a conversation of its own with the roles turned round, and the customer's ten tools.
What it may decide is settled by those tools; every reply is checked before it reaches anybody, and
asked for again, with a hint, when it breaks the protocol (paper: D.2, turn-taking).
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal, get_args

import msgspec

from bythebook.conduct.customer.acts import refusal, wrong_act
from bythebook.conduct.customer.hands import CustomerHands, Said, Turn
from bythebook.conduct.customer.history import History, terms
from bythebook.conduct.customer.marks import Marks
from bythebook.conduct.customer.scenario import Fact, Scenario
from bythebook.conduct.customer.speech import Footing, find_request, wrong_words
from bythebook.conduct.customer.tools import CUSTOMER
from bythebook.conduct.customer.violation import HINTS, NOTE, Violation
from bythebook.errors import AgentError, SimulatorError
from bythebook.models.types import (
    Answer,
    Call,
    ContextOverflow,
    Message,
    Model,
    Reply,
    Request,
    Settings,
    ToolSpec,
)

PromptName = Literal["original", "revised"]
PROMPTS: tuple[PromptName, ...] = get_args(PromptName)

REPAIRS = 2
"""How often one turn is asked again for a breach of the protocol."""
MOST_REPLIES = 16
"""Replies of one turn after which the customer is held to have nothing to say."""

TOOLS = tuple(ToolSpec(tool.name, tool.doc, tool.schema) for tool in CUSTOMER.values())
_PROMPTS = Path(__file__).with_name("prompts")


def prompt_text(name: str) -> str:
    """A prompt as shipped, places for the scenario unfilled."""
    return (_PROMPTS / f"{name}.md").read_text("utf-8").strip()


class ModelVoice:
    """Speaks for one customer in one run; the model may serve many."""

    def __init__(
        self,
        scenario: Scenario,
        request: str,
        model: Model,
        *,
        prompt: PromptName = "revised",
        settings: Settings | None = None,
    ) -> None:
        """`request`: the first message, which the customer has sent already."""
        self.name = model.name
        self.history = History(scenario, request)
        self._scenario, self._model = scenario, model
        self._settings = settings or Settings()
        self._system = _filled(prompt, scenario)
        self._messages = [
            Message("user", prompt_text("opens")),
            Message("assistant", request.strip()),
        ]
        self._unseen: list[int] = []
        """Places of the drafts of this turn that were turned away, and of the hints why."""

    @property
    def conversation(self) -> tuple[Message, ...]:
        """What the model is shown."""
        return tuple(self._messages)

    def tell_all(self, hands: CustomerHands) -> None:
        for fact in self._scenario.facts.values():
            hands.act("recall", fact=fact.id)
            for tool, document in fact.does.items():
                hands.act(tool, document=document)
            self.history.asked.add(fact.id)
            self.history.recalled.add(fact.id)
        self._system += f"\n\n{prompt_text('told')}"

    async def answer(self, turn: Turn, hands: CustomerHands) -> str:
        self.history.hear(turn)
        self.history.remember(hands)
        self._hear(turn)
        on = Footing(self._scenario, self.history, hands, turn)
        breaches = 0
        for _ in range(MOST_REPLIES):
            reply = await self._ask(hands)
            words, wrong = self._take(reply, on)
            if words:
                self._forget()
                return words
            for violation in wrong:
                hands.note(NOTE, msgspec.to_builtins(violation))
            breaches += bool(wrong)
            if breaches > REPAIRS:
                raise SimulatorError(_summed(wrong), where=self.name)
        silent = Violation("empty", f"Still no words after {MOST_REPLIES} replies.")
        hands.note(NOTE, msgspec.to_builtins(silent))
        raise SimulatorError(_summed((silent,)), where=self.name)

    # --- the conversation -------------------------------------------------------------------

    def _hear(self, turn: Turn) -> None:
        if isinstance(turn, Said):
            text = turn.text
        else:
            text = prompt_text("filed").format(request=turn.request.id)
        self._add(Message("user", text))

    def _add(self, message: Message) -> None:
        """Two messages of one side in a row are one: some providers take no others."""
        last = self._messages[-1]
        if last.role == message.role == "user":
            text = "\n\n".join(filter(None, (last.text, message.text)))
            self._messages[-1] = msgspec.structs.replace(last, text=text)
        else:
            self._messages.append(message)

    async def _ask(self, hands: CustomerHands) -> Reply:
        """Raises `SimulatorError` when the model cannot be had."""
        request = Request(
            model=self._model.id,
            messages=self.conversation,
            system=self._system,
            tools=TOOLS,
            settings=self._settings,
        )
        try:
            reply = await self._model.ask(request)
        except ContextOverflow as overflow:
            raise SimulatorError(str(overflow), cause="context", where=self.name) from overflow
        except AgentError as error:
            raise SimulatorError(
                error.what, cause="provider", where=self.name, hint=error.hint
            ) from error
        hands.note("usage", msgspec.to_builtins(reply.usage))
        return reply

    # --- one reply --------------------------------------------------------------------------

    def _take(self, reply: Reply, on: Footing) -> tuple[str, tuple[Violation, ...]]:
        """The words that end the turn, if the reply has them, and what was wrong with it."""
        message = reply.message
        asked = _asked_back(message)
        words = asked or message.text.strip()
        if message.calls and not (words or _asks_beside(message)):
            return self._carry_out(message, on)
        wrong = _wrong_shape(reply) or wrong_words(words, on)
        if wrong:
            self._turn_away(words, wrong)
            return "", wrong
        self._messages.append(message)
        if asked:
            on.hands.act("ask_agent", text=asked)
            self._messages.append(Message("user", answers=(Answer(message.calls[0].id, "sent"),)))
        self._told(Marks.of(words), on.hands)
        return words, ()

    def _turn_away(self, words: str, wrong: tuple[Violation, ...]) -> None:
        hints = " ".join(f"{violation.what} {HINTS[violation.kind]}" for violation in wrong)
        self._unseen += (len(self._messages), len(self._messages) + 1)
        self._messages.append(Message("assistant", words or "..."))
        self._messages.append(Message("user", f"(Not sent. {hints})"))

    def _forget(self) -> None:
        """A draft that nobody saw is no part of the conversation once the turn is over."""
        for place in reversed(self._unseen):
            del self._messages[place]
        self._unseen.clear()

    def _carry_out(self, message: Message, on: Footing) -> tuple[str, tuple[Violation, ...]]:
        """Use the tools in order, up to the first call that breaks the protocol."""
        answers: list[Answer] = []
        wrong: Violation | None = None
        for call in message.calls:
            if wrong is not None or on.hands.left:
                answers.append(Answer(call.id, "Not done.", ok=False))
                continue
            wrong = wrong_act(call, on)
            answers.append(self._use(call, on) if wrong is None else _refused(call, wrong, on))
        self._messages += [message, Message("user", answers=tuple(answers))]
        if on.hands.left:
            spent = on.hands.left == "out_of_patience"
            return self._scenario.lines["leaving" if spent else "goodbye"], ()
        return "", (wrong,) if wrong is not None else ()

    def _use(self, call: Call, on: Footing) -> Answer:
        done, result = on.hands.act(call.name, **call.args)
        text = terms(result)
        if done and call.name == "recall":
            self.history.recalled.add(call.args["fact"])
            return Answer(call.id, text)
        self.history.see(result)
        if done and call.name == "view_request":
            key = call.args["request"]
            self.history.viewed.add(key)
            advice = _instructions(key, on)
            self.history.see(advice)
            text += f"\n{advice}"
        return Answer(call.id, text, ok=done)

    def _told(self, said: Marks, hands: CustomerHands) -> None:
        """Put into the trace what was told without the tool: a told fact is a `recall` there."""
        for fact in self.history.tells(said):
            if fact.id not in self.history.recalled:
                hands.act("recall", fact=fact.id)
                self.history.recalled.add(fact.id)


def _asked_back(message: Message) -> str:
    """The words of a reply that is one use of `ask_agent`."""
    if len(message.calls) != 1 or message.text.strip() or message.calls[0].name != "ask_agent":
        return ""
    text = message.calls[0].args.get("text")
    return text.strip() if isinstance(text, str) else ""


def _asks_beside(message: Message) -> bool:
    """Does the reply ask the agent something and act at once?"""
    return len(message.calls) > 1 and any(call.name == "ask_agent" for call in message.calls)


def _wrong_shape(reply: Reply) -> tuple[Violation, ...]:
    mixed = reply.message.text.strip() and reply.message.calls
    if mixed or _asks_beside(reply.message):
        return (Violation("speech_and_tool", "That reply held words and tool calls."),)
    if reply.half is not None:
        return (Violation("empty", "That reply was cut off for its length."),)
    if reply.message.empty:
        return (Violation("empty", "That reply held neither words nor a tool call."),)
    return ()


def _refused(call: Call, wrong: Violation, on: Footing) -> Answer:
    """What a call that breaks the protocol is answered. A forbidden one the tool itself refuses."""
    if wrong.kind == "forbidden":
        on.hands.act(call.name, **call.args)
    return Answer(call.id, f"Not done. {wrong.what} {HINTS[wrong.kind]}", ok=False)


def _instructions(key: str, on: Footing) -> str:
    """What the policy makes of a request: the customer is not left to weigh it."""
    request = find_request(on.hands.world, key)
    if request is None or request.status != "open":
        return f"It is {request.status if request else 'gone'}."
    no = refusal(on.hands, request)
    if no is not None:
        return f"Your instructions: decline it. Reason: {no}"
    return "Your instructions: approve it."


def _summed(wrong: tuple[Violation, ...]) -> str:
    return "; ".join(f"{violation.kind}: {violation.what}" for violation in wrong)


# --- prompts ------------------------------------------------------------------------------------


def _filled(prompt: PromptName, scenario: Scenario) -> str:
    file = scenario.file
    records = [f"{table} {', '.join(keys)}" for table, keys in file.records.items() if keys]
    return prompt_text(prompt).format(
        who=file.who.strip(),
        public=_listed(f"- {fact.says}" for fact in file.public),
        private=_listed(f"- {fact.says} ({_when(fact)})" for fact in file.private),
        topics=_listed(f"- `{fact.id}`: {_when(fact)}{_papers(fact)}" for fact in file.private),
        documents=", ".join(f"`{name}`" for name in file.documents) or "none",
        records="; ".join(records) or "none",
        patience=file.patience,
    )


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(lines) or "- nothing"


def _when(fact: Fact) -> str:
    return fact.tell_when.strip() or f"the agent asks about {fact.id.replace('-', ' ')}"


def _papers(fact: Fact) -> str:
    papers = ", ".join(f"`{document}`" for document in fact.does.values())
    return f" (with it goes {papers})" if papers else ""
