"""A model that is asked: each question a conversation, mended at most twice, kept on disk."""

from collections.abc import Callable, Iterable
from pathlib import Path

import anyio
import msgspec

from bythebook.build.mind import (
    Answered,
    Question,
    T,
    Take,
    Wrong,
    answer_in,
    forget,
    lay_out,
)
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


class Sent(msgspec.Struct, frozen=True):
    """`conversation.json`."""

    model: str
    system: str
    turns: tuple[Message, ...]
    usage: tuple[Usage, ...]
    end: str
    """"taken", or why there is no answer."""


class ModelMind:
    """Asks a model; answers lie in a folder in the same form as those by hand."""

    def __init__(
        self,
        folder: Path,
        opens: Callable[[], Reach],
        *,
        at_once: int = 4,
        said: Callable[[str], None] = lambda line: None,
    ) -> None:
        """`opens`: a way to the model, made inside the event loop that uses it. `said`: hears how
        each question ended."""
        self.folder, self._opens, self._at_once, self._said = folder, opens, at_once, said
        self.name = opens().name

    def answers(self, questions: Iterable[Question], take: Take[T]) -> Answered[T]:
        """Raises `AgentError` when the provider cannot be had, after the others are done."""
        taken: dict[str, T] = {}
        wrong: dict[Path, str] = {}
        todo: list[tuple[Question, Path]] = []
        for question in questions:
            place = lay_out(self.folder, question)
            try:
                text = answer_in(place)
                if text is not None:
                    taken[question.id] = take(question, text)
                    (place / "answer.wrong.txt").unlink(missing_ok=True)
                    continue
            except Wrong as error:
                # Edited by a person, or taken under other rules: theirs to mend.
                wrong[place] = str(error)
                write_whole(place / "answer.wrong.txt", f"{error}\n".encode())
                continue
            todo.append((question, place))
        if todo:
            anyio.run(self._ask_all, todo, take, taken, wrong)
        return Answered(taken, (), wrong)

    def forget(self, stage: str) -> int:
        return forget(self.folder / stage)

    def revised(self, stage: str) -> tuple[str, ...]:
        return ()

    def leave(self, stage: str, ids: Iterable[str]) -> None:
        pass

    async def _ask_all(
        self,
        todo: list[tuple[Question, Path]],
        take: Take[T],
        taken: dict[str, T],
        wrong: dict[Path, str],
    ) -> None:
        reach = self._opens()
        broke: list[AgentError] = []
        slots = anyio.Semaphore(self._at_once)

        async def one(question: Question, place: Path) -> None:
            async with slots:
                if broke:
                    return
                talk = _Talk(reach, question, place)
                try:
                    taken[question.id] = await talk.until_taken(take)
                    self._said(f"{question.stage}/{question.id}: taken")
                except Wrong as error:
                    wrong[place] = str(error)
                    write_whole(place / "answer.wrong.txt", f"{error}\n".encode())
                    self._said(f"{question.stage}/{question.id}: not taken")
                except AgentError as error:
                    broke.append(error)

        try:
            async with anyio.create_task_group() as group:
                for question, place in todo:
                    group.start_soon(one, question, place)
        finally:
            await reach.close()
        if broke:
            raise broke[0]


class _Talk:
    """One question's conversation."""

    def __init__(self, reach: Reach, question: Question, place: Path) -> None:
        self._reach, self._question, self._place = reach, question, place
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
                (self._place / "answer.wrong.txt").unlink(missing_ok=True)
                self._keep("taken")
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
