"""A model that is asked: each question a conversation, mended at most twice, kept on disk."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

import anyio
import msgspec

from bythebook.build.mind import Answered, Question, T, Take, Wrong
from bythebook.build.questions import Questions, earlier
from bythebook.errors import AgentError
from bythebook.models.types import ContextOverflow, Message, Reply, Request, Usage
from bythebook.run.durable import write_whole
from bythebook.run.reach import Reach

SYSTEM = (
    "You work through business documents with great care. You say only what the documents given "
    "to you say, and quote them word for word. Answer with one JSON object and nothing else."
)
MENDS = 2
"""How often an answer is sent back with what is wrong with it."""
TAKEN = "taken"


class Sent(msgspec.Struct, frozen=True):
    """`conversation.json`."""

    model: str
    system: str
    turns: tuple[Message, ...]
    usage: tuple[Usage, ...]
    end: str
    """"taken", or why there is no answer."""


class Watch(Protocol):
    """Somebody who looks on while a model is asked."""

    def begins(self, stage: str, questions: int) -> None: ...

    def ends(self, question: Question, how: str) -> None:
        """One question is over: it was "taken", or not."""
        ...

    def overtaken(self, question: Question, edited: Path) -> None:
        """A question is asked anew, whose earlier answer a person had edited; where it lies now."""
        ...

    def looks(self) -> None:
        """A second has passed."""
        ...

    def over(self) -> None:
        """No question is asked any more, for whatever reason."""
        ...


class Unwatched:
    """Nobody looks on."""

    def begins(self, stage: str, questions: int) -> None:
        pass

    def ends(self, question: Question, how: str) -> None:
        pass

    def overtaken(self, question: Question, edited: Path) -> None:
        pass

    def looks(self) -> None:
        pass

    def over(self) -> None:
        pass


class ModelMind(Questions):
    """Asks a model; what it answered may be edited in the folder, and is taken anew then."""

    def __init__(
        self,
        folder: Path,
        opens: Callable[[], Reach],
        *,
        at_once: int = 4,
        watch: Watch | None = None,
    ) -> None:
        """`opens`: a way to the model, made inside the event loop that uses it."""
        super().__init__(folder)
        self._opens, self._at_once, self._watch = opens, at_once, watch or Unwatched()
        self.name = opens().name

    def answers(self, questions: Iterable[Question], take: Take[T]) -> Answered[T]:
        """Raises `AgentError` when the provider cannot be had, after the others are done. An answer
        that lies there and does not hold was edited by a person, and is theirs to mend."""
        asked = {self.place(question): question for question in questions}
        edited = [place for place, question in asked.items() if self.overtaken(question)]
        found = self.read(asked.values(), take)
        for place in edited:
            if (aside := earlier(place)) is not None:
                self._watch.overtaken(asked[place], aside)
        taken, wrong = dict(found.taken), dict(found.wrong)
        if found.waiting:
            anyio.run(self._ask_all, [asked[place] for place in found.waiting], take, taken, wrong)
        return Answered(taken, (), wrong)

    async def _ask_all(
        self,
        todo: list[Question],
        take: Take[T],
        taken: dict[str, T],
        wrong: dict[Path, str],
    ) -> None:
        reach = self._opens()
        broke: list[AgentError] = []
        slots = anyio.Semaphore(self._at_once)

        async def one(question: Question) -> None:
            async with slots:
                if broke:
                    return
                talk = _Talk(reach, question, self)
                try:
                    taken[question.id] = await talk.until_taken(take)
                    self._watch.ends(question, TAKEN)
                except Wrong as error:
                    wrong[self.place(question)] = self.refuse(question, error)
                    self._watch.ends(question, "not taken")
                except AgentError as error:
                    broke.append(error)

        self._watch.begins(todo[0].stage, len(todo))
        try:
            async with anyio.create_task_group() as looking:
                looking.start_soon(self._look)
                async with anyio.create_task_group() as group:
                    for question in todo:
                        group.start_soon(one, question)
                looking.cancel_scope.cancel()
        finally:
            self._watch.over()
            await reach.close()
        if broke:
            raise broke[0]

    async def _look(self) -> None:
        while True:
            self._watch.looks()
            await anyio.sleep(1)


class _Talk:
    """One question's conversation."""

    def __init__(self, reach: Reach, question: Question, questions: Questions) -> None:
        self._reach, self._question, self._questions = reach, question, questions
        self._place = questions.place(question)
        self._turns = [Message("user", question.prompt)]
        self._usage: list[Usage] = []

    async def until_taken(self, take: Take[T]) -> T:
        """Raises `Wrong` after the last mend, `AgentError` when the provider cannot be had."""
        try:
            for mends in range(MENDS + 1):
                reply = await self._ask()
                self._turns.append(reply.message)
                try:
                    found = take(self._question, _text(reply))
                except Wrong as error:
                    if mends == MENDS:
                        raise
                    self._send_back(error)
                    continue
                write_whole(self._place / "answer.json", reply.message.text.encode())
                self._questions.took(self._question, reply.message.text)
                self._keep(TAKEN)
                return found
        except (Wrong, AgentError) as error:
            self._keep(str(error))
            raise
        raise AssertionError("the loop ends by return or raise")

    async def _ask(self) -> Reply:
        request = Request(
            model=self._reach.client.id,
            messages=tuple(self._turns),
            system=SYSTEM,
            settings=self._reach.settings,
        )
        try:
            reply = await self._reach.client.ask(request)
        except ContextOverflow as overflow:
            says = f"the question does not fit the model's context: {overflow}"
            raise Wrong(f"{says}; ask with smaller batches") from overflow
        self._usage.append(reply.usage)
        return reply

    def _send_back(self, error: Wrong) -> None:
        if self._turns[-1].empty:
            self._turns[-1] = Message("assistant", "...")
        says = "\n".join(f"- {line}" for line in error.says)
        self._turns.append(
            Message("user", f"Not taken:\n{says}\n\nSend the whole answer again, mended.")
        )

    def _keep(self, end: str) -> None:
        told = Sent(self._reach.name, SYSTEM, tuple(self._turns), tuple(self._usage), end)
        data = msgspec.json.format(msgspec.json.encode(told), indent=1) + b"\n"
        write_whole(self._place / "conversation.json", data)


def _text(reply: Reply) -> str:
    if reply.stop == "length":
        raise Wrong("the answer was cut off for its length: write less, or raise --max-tokens")
    if reply.stop == "refusal":
        raise Wrong(f"the model refused: {reply.message.text.strip()[:200]}")
    if not reply.message.text.strip():
        raise Wrong("the answer is empty")
    return reply.message.text
