"""A trace as Inspect shows one: messages, and events with the time of the task's own clock.

What the agent says to the customer is its text, what the customer says a user's; all else that it
does is tool calls. What happens beside that (the customer's own tools, what the company has
scheduled, notes) has no place in a conversation and is an event only.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import msgspec
from inspect_ai.event import InfoEvent, ModelEvent, ToolEvent
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolCall, ToolCallError

from bythebook.models.types import Usage
from bythebook.trace import StoredEvent

SPEAKS = "message_customer"
USAGE = "usage"


@dataclass
class _Turn:
    """One move of the agent, while its events come in."""

    first: StoredEvent
    text: str = ""
    items: list[StoredEvent] = field(default_factory=list)
    """Its calls, and what happened beside them, in order."""


class Told:
    """A trace told in messages and events. Feed it with `take`, then `end` it."""

    def __init__(self, model: str, began: datetime) -> None:
        """`model`: who speaks; `began`: the moment of t = 0."""
        self.messages: list[Any] = []
        self.events: list[Any] = []
        self.usage: dict[str, ModelUsage] = {}
        """Tokens of the agent and of the customer, as far as a model spoke for them."""
        self._model, self._began = model, began
        self._turn: _Turn | None = None
        self._spent: ModelUsage | None = None
        self._heard: list[ChatMessageUser] = []

    def tell(self, events: Iterable[StoredEvent]) -> None:
        for event in events:
            self._take(event)
        self._flush()

    def _take(self, event: StoredEvent) -> None:
        if event.kind == "note" and event.name == USAGE:
            self._flush()
            self._count(event)
        elif event.kind == "message" or (event.name == SPEAKS and _spoke(event)):
            self._flush()
            self._say(event)
        elif event.kind == "call":
            if self._turn is not None and self._turn.first.move != event.move:
                self._flush()
            self._turn = self._turn or _Turn(event)
            self._turn.items.append(event)
        elif self._turn is not None:
            self._turn.items.append(event)
        else:
            self._beside(event)

    def _count(self, event: StoredEvent) -> None:
        spent = model_usage(msgspec.json.decode(event.args, type=Usage))
        self.usage[event.actor] = self.usage.get(event.actor, ModelUsage()) + spent
        if event.actor == "agent":
            self._spent = spent

    def _say(self, event: StoredEvent) -> None:
        text = str(_object(event.args).get("text", ""))
        if event.actor != "agent":
            self._heard.append(ChatMessageUser(id=f"said-{event.i}", content=text))
            self.messages.append(self._heard[-1])
        elif event.kind == "message":
            # Words beside calls, which follow.
            self._turn = _Turn(event, text)
        else:
            self._speak(_Turn(event, text))

    def _flush(self) -> None:
        turn, self._turn = self._turn, None
        if turn is None:
            return
        self._speak(turn)
        for item in turn.items:
            if item.kind == "call":
                self._called(item)
            else:
                self._beside(item)

    def _speak(self, turn: _Turn) -> None:
        calls = [
            ToolCall(id=_key(one), function=one.name, arguments=_object(one.args))
            for one in turn.items
            if one.kind == "call"
        ]
        message = ChatMessageAssistant(
            id=f"turn-{turn.first.i}",
            content=turn.text,
            tool_calls=calls or None,
            model=self._model,
            source="generate",
        )
        self.messages.append(message)
        spent, self._spent = self._spent, None
        heard, self._heard = self._heard, []
        stop: Any = "tool_calls" if calls else "stop"
        self.events.append(
            ModelEvent(
                model=self._model,
                # What was said since its last turn: the whole would grow with the square.
                input=heard,
                tools=[],
                tool_choice="auto",
                config=GenerateConfig(),
                output=ModelOutput(
                    model=self._model,
                    choices=[ChatCompletionChoice(message=message, stop_reason=stop)],
                    usage=spent,
                ),
                **self._when(turn.first),
            )
        )

    def _called(self, event: StoredEvent) -> None:
        result = text_of(event.result)
        error = None if event.ok else ToolCallError("unknown", result)
        answer = ChatMessageTool(
            id=f"result-{event.i}",
            content=result,
            tool_call_id=_key(event),
            function=event.name,
            error=error,
        )
        self.messages.append(answer)
        self.events.append(
            ToolEvent(
                id=_key(event),
                function=event.name,
                arguments=_object(event.args),
                result=result,
                error=error,
                message_id=answer.id,
                metadata=_about(event),
                **self._when(event),
            )
        )

    def _beside(self, event: StoredEvent) -> None:
        data = _about(event) | {
            "name": event.name,
            "args": _object(event.args),
            "ok": event.ok,
            "result": msgspec.json.decode(event.result),
        }
        source = f"{event.actor}: {event.kind}"
        self.events.append(InfoEvent(source=source, data=data, **self._when(event)))

    def _when(self, event: StoredEvent) -> dict[str, Any]:
        """Nothing of it may be made up afresh: the same run gives the same bytes."""
        at = self._began + timedelta(minutes=event.t)
        return {
            "uuid": f"event-{event.i}",
            "span_id": "run",
            "timestamp": at,
            "working_start": float(event.t * 60),
        }


def _spoke(event: StoredEvent) -> bool:
    return event.kind == "call" and event.ok


def _key(event: StoredEvent) -> str:
    return f"call-{event.i}"


def _about(event: StoredEvent) -> dict[str, Any]:
    """What only a trace of ours tells of an event."""
    writes = [
        [one.table, one.key, msgspec.json.decode(one.old), msgspec.json.decode(one.new)]
        for one in event.writes
    ]
    told = {"i": event.i, "t": event.t, "cause": event.cause, "writes": writes, "state": event.h}
    return {name: value for name, value in told.items() if value not in (None, [], "")}


def _object(args: msgspec.Raw) -> dict[str, Any]:
    found = msgspec.json.decode(args)
    return found if isinstance(found, dict) else {"value": found}


def text_of(result: msgspec.Raw) -> str:
    """A result as the agent read it."""
    value = msgspec.json.decode(result)
    return value if isinstance(value, str) else bytes(result).decode()


def model_usage(usage: Usage) -> ModelUsage:
    """Tokens as Inspect counts them: those of a cache apart."""
    return ModelUsage(
        input_tokens=max(0, usage.input - usage.cached - usage.stored),
        output_tokens=usage.output,
        total_tokens=usage.input + usage.output,
        input_tokens_cache_read=usage.cached or None,
        input_tokens_cache_write=usage.stored or None,
        reasoning_tokens=usage.reasoning or None,
    )
