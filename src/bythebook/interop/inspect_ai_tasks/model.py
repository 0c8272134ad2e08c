"""A model that is reached through Inspect, asked as our own agents and customers ask."""

from typing import Any

from inspect_ai.model import ChatMessage, ChatMessageSystem, GenerateConfig, ModelOutput
from inspect_ai.model import Model as Reached
from inspect_ai.util import LimitExceededError

from bythebook.agents.loop import Loop
from bythebook.agents.protocol import Agent, Ended
from bythebook.errors import AgentError
from bythebook.interop.inspect_ai_tasks.words import chat_messages, reply_of, tool_info
from bythebook.models.types import ContextOverflow, Message, Reply, Request, Settings
from bythebook.run.agents import LOOP
from bythebook.task import Task
from bythebook.trace import Outcome

LIMITS = {"turn": "steps", "message": "steps", "time": "agent_time", "working": "agent_time"}
"""Inspect's limits to the words that a trace has for them; others keep Inspect's word."""


class Conversation:
    """One conversation with a model of Inspect: a `Model` for one agent or one customer.

    The model gets its own messages back as they came, reasoning and signatures included.
    """

    def __init__(self, model: Reached, config: GenerateConfig | None = None) -> None:
        """`config`: of sampling, beside what Inspect was told."""
        self.name, self.id = f"inspect:{model}", str(model)
        self.config = config or GenerateConfig()
        self.limit: LimitExceededError | None = None
        """The limit of Inspect that ended it."""
        self._model = model
        self._system = ""
        self._whole: list[list[ChatMessage]] = []
        self._shown: list[tuple[Message, list[ChatMessage]]] = []
        self._last: tuple[Message, list[ChatMessage]] | None = None
        self._names: dict[str, str] = {}

    async def ask(self, request: Request) -> Reply:
        """Raises `ContextOverflow`, `AgentError`, and `Ended` at a limit of Inspect."""
        output = await self._generate(request)
        if not output.empty and output.stop_reason == "model_length":
            raise ContextOverflow(output.completion or "the model's context is full")
        reply, said = reply_of(output)
        self._names |= {call.id: call.name for call in reply.message.calls}
        self._last = (reply.message, [said]) if said is not None else None
        return reply

    async def _generate(self, request: Request) -> ModelOutput:
        try:
            return await self._model.generate(
                [ChatMessageSystem(content=request.system, id="system"), *self._messages(request)],
                tools=[tool_info(tool) for tool in request.tools],
                config=self.config,
            )
        except LimitExceededError as limit:
            self.limit = limit
            kind = LIMITS.get(limit.type, limit.type)
            raise Ended(Outcome("limit", kind, limit.message)) from limit
        except Exception as error:
            # Whatever a provider's library raises: nobody here can tell more than its words.
            says = f"{type(error).__name__}: {error}"
            raise AgentError(says, where=self.name) from error

    def sent(self, settings: Settings) -> dict[str, Any]:
        """What Inspect was told of sampling: the settings are its own."""
        told: dict[str, Any] = self._model.config.merge(self.config).model_dump(exclude_none=True)
        return told

    async def close(self) -> None:
        """Inspect closes its models."""

    @property
    def messages(self) -> list[ChatMessage]:
        """All that was said, whole, the last reply included."""
        found = [ChatMessageSystem(content=self._system, id="system")] if self._system else []
        found += [one for whole in self._whole for one in whole]
        if self._last is not None and all(said is not self._last[0] for said, _ in self._shown):
            found += self._last[1]
        return found

    def _messages(self, request: Request) -> list[ChatMessage]:
        """The messages that a request shows; each message is made once, and keeps its id."""
        self._system = request.system
        for place, message in enumerate(request.messages):
            if place < len(self._shown) and self._shown[place][0] is message:
                continue
            made = self._made(message)
            if place < len(self._shown):
                self._shown[place] = (message, made)
            else:
                self._shown.append((message, made))
                self._whole.append(made)
        return [one for _, made in self._shown[: len(request.messages)] for one in made]

    def _made(self, message: Message) -> list[ChatMessage]:
        if self._last is not None and self._last[0] is message:
            return self._last[1]
        return chat_messages(message, self._names)


class Conversing:
    """The `loop` agent over one conversation: a cast and a player of one attempt."""

    name, base_url, acts = LOOP, "", True

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.model = conversation.name
        self.settings = conversation.sent(Settings())
        self.pictures: int | None = None
        """Most pictures of a request."""

    def check(self, task: Task) -> None:
        """It can play at every task."""

    def agent(self, task: Task, workspace: object = None) -> Agent:
        return Loop(self.conversation, Settings(), pictures=self.pictures)

    async def close(self) -> None:
        """There is nothing to close."""
