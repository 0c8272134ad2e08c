"""Messages as chat programs write them, made into records.

Read are chat completions (`role`, `content`, `tool_calls`, the older `function_call`), Anthropic
messages (`tool_use` and `tool_result` among the parts of a content) and items of Responses
(`function_call`, `function_call_output` and their like). Items of one response are one turn.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bythebook.interop.records import Called, Note, Odd, Record, Returned, Turn
from bythebook.interop.sources.conversation import moment, text_of, value_of
from bythebook.trace import Actor

SPEAKERS: Mapping[str, Actor] = {
    "assistant": "agent",
    "ai": "agent",
    "agent": "agent",
    "model": "agent",
    "user": "customer",
    "human": "customer",
    "customer": "customer",
}
BACKGROUND = ("system", "developer")
RESULTS = ("tool", "function", "tool_result", "environment", "ipython")
BUILT_IN = {
    "local_shell_call": "local_shell",
    "shell_call": "shell",
    "apply_patch_call": "apply_patch",
    "computer_call": "computer",
}
"""Calls of a provider's own tools, which have a kind in place of a name."""
CALLS = ("function_call", "custom_tool_call", "tool_call", "mcp_call", *BUILT_IN)
OUTPUTS = ("function_call_output", "custom_tool_call_output", "tool_result", "mcp_call_output",
           "tool_call_output", *(f"{kind}_output" for kind in BUILT_IN))  # fmt: skip
SILENT = ("reasoning", "item_reference", "compaction", "web_search_call", "file_search_call",
          "image_generation_call", "mcp_list_tools", "mcp_approval_request",
          "mcp_approval_response", "code_interpreter_call", "compaction_summary", "ghost_snapshot",
          "tool_search_call", "tool_search_output")  # fmt: skip
"""Items that say nothing and use no tool of the agent's own."""
USES = ("tool_use", "toolCall", "tool-call")
"""Parts of a content that are calls."""


@dataclass
class Reader:
    """Reads one conversation, message by message."""

    serial: int = 0
    """Number of the response that items belong to."""

    def record(self, message: Any, place: str) -> Iterator[Record]:
        """The records of one message or item."""
        if not isinstance(message, Mapping):
            yield Odd(place, f"no message: {type(message).__name__}")
            return
        role, kind = str(message.get("role") or ""), message.get("type")
        at = moment(message.get("timestamp") or message.get("created_at"))
        if kind in CALLS and not role:
            yield from self._item_call(message, place, at)
        elif kind in OUTPUTS and not role:
            self.serial += 1
            yield returned(message, place, at)
        elif role in SPEAKERS:
            yield from self._said(message, SPEAKERS[role], place, at)
        elif role in RESULTS:
            yield from self._results(message, place, at)
        elif role in BACKGROUND or kind in SILENT:
            yield Note(str(role or kind), text_of(message.get("content")), place, at)
        else:
            yield Odd(place, f"no known message: {_named(message)}")

    def _said(
        self, message: Mapping[str, Any], by: Actor, place: str, at: float | None
    ) -> Iterator[Record]:
        content = message.get("content")
        parts = content if isinstance(content, list) else []
        results = [p for p in parts if isinstance(p, Mapping) and p.get("type") == "tool_result"]
        for number, part in enumerate(results):
            yield returned(part, f"{place}.content[{number}]", at)
        calls = tuple(calls_of(message, place))
        text = text_of([p for p in parts if p not in results]) if parts else text_of(content)
        if results and not calls and not text.strip():
            return
        group = ""
        if by == "agent" and message.get("type") == "message":
            group = f"response {self.serial}"
        else:
            self.serial += 1
        yield Turn(by, text, calls, place, at, group)

    def _item_call(self, item: Mapping[str, Any], place: str, at: float | None) -> Iterator[Record]:
        called = call_of(item, place)
        if called is None:
            yield Odd(place, f"a call without a name: {_named(item)}")
            return
        yield Turn("agent", "", (called,), place, at, f"response {self.serial}")
        if "output" in item:
            yield returned(item, place, at)

    def _results(
        self, message: Mapping[str, Any], place: str, at: float | None
    ) -> Iterator[Record]:
        many = message.get("tool_messages")
        if isinstance(many, list):
            for number, one in enumerate(many):
                yield from self.record(one, f"{place}.tool_messages[{number}]")
            return
        self.serial += 1
        yield returned(message, place, at)


def records_of(messages: Iterable[Any], where: str) -> Iterator[Record]:
    """The records of a list of messages; `where` names the list."""
    reader = Reader()
    for number, message in enumerate(messages):
        yield from reader.record(message, f"{where}[{number}]")


def calls_of(message: Mapping[str, Any], place: str) -> Iterator[Called]:
    """The calls that a message asks for."""
    for field in ("tool_calls", "function_call"):
        found = message.get(field)
        many = found if isinstance(found, list) else [found] if found else []
        for number, one in enumerate(many):
            called = call_of(one, f"{place}.{field}[{number}]")
            if called is not None:
                yield called
    content = message.get("content")
    for number, part in enumerate(content if isinstance(content, list) else []):
        if isinstance(part, Mapping) and part.get("type") in USES:
            called = call_of(part, f"{place}.content[{number}]")
            if called is not None:
                yield called


def call_of(one: Any, place: str) -> Called | None:
    """A call in any of its spellings; None when it has no name."""
    if not isinstance(one, Mapping):
        return None
    inner = one.get("function")
    said = inner if isinstance(inner, Mapping) else one
    name = said.get("name") or one.get("tool_name") or one.get("tool") or one.get("toolName")
    if isinstance(inner, str):
        name = inner
    name = BUILT_IN.get(str(one.get("type")), name)
    if not isinstance(name, str) or not name:
        return None
    fields = ("arguments", "input", "args", "kwargs", "action", "operation")
    asked = (said.get(field) for field in fields)
    args: Any = next((found for found in asked if found is not None), {})
    key = one.get("call_id") or one.get("id") or one.get("tool_call_id") or one.get("toolCallId")
    return Called(str(key or ""), name, {} if args == "" else args, place)


def returned(message: Mapping[str, Any], place: str, at: float | None = None) -> Returned:
    """What a call gave back, in any of its spellings."""
    keys = ("tool_call_id", "tool_use_id", "call_id", "id", "toolCallId")
    key = next((message[name] for name in keys if message.get(name)), "")
    values = (message[name] for name in ("content", "output", "result") if name in message)
    value, error = value_of(next(values, None)), message.get("error")
    if not value and isinstance(error, Mapping):
        value = error.get("message", value)
    name = message.get("name") or message.get("function") or ""
    return Returned(
        id=str(key),
        value=value,
        failed=_failed(message),
        name=name if isinstance(name, str) else "",
        place=place,
        at=at,
    )


def _failed(message: Mapping[str, Any]) -> bool | None:
    """Does the format itself say that a call failed? None: it says nothing of it."""
    for field in ("error", "is_error", "isError"):
        said = message.get(field)
        if said:
            return True
    return True if message.get("status") in ("error", "failed", "incomplete") else None


def _named(message: Mapping[str, Any]) -> str:
    """What tells one message from others, for people."""
    told = [f"{n} {message[n]!r}" for n in ("role", "type") if message.get(n) is not None]
    return ", ".join(told) or "fields " + ", ".join(map(str, list(message)[:6]))
