"""A foreign trace, and messages in the forms that chat programs write them.

One message is a mapping with a `role`. Its content is text, or a list of parts, of which those with
text are read. Both spellings of a call are read: `{function: {name, arguments}}` and `{name,
arguments}`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from math import isfinite
from typing import Any

from bythebook.interop.records import Called, Note, Odd, Record, Returned, Turn


@dataclass(frozen=True)
class About:
    """What a file says of one of its traces."""

    id: str
    task: str = ""
    trial: int | None = None
    reward: float | None = None


@dataclass
class ForeignTrace:
    """One trace of a file. Its records are read while they are asked for, once."""

    file: str
    format: str
    about: About
    records: Iterable[Record]
    cut: str = field(default="")
    """Why it ends before its end; known when the records have been read."""


SPEAKERS = {
    "assistant": "agent",
    "ai": "agent",
    "agent": "agent",
    "model": "agent",
    "user": "customer",
    "human": "customer",
    "customer": "customer",
}
ASIDE = ("system", "developer")
RESULTS = ("tool", "function", "tool_result", "environment")


def records_of(messages: Iterable[Any], where: str) -> Iterator[Record]:
    """The records of a list of messages; `where` names the list."""
    for number, message in enumerate(messages):
        yield from record_of(message, f"{where}[{number}]")


def record_of(message: Any, place: str) -> Iterator[Record]:
    """The records of one message."""
    if not isinstance(message, Mapping):
        yield Odd(place, f"no message: {type(message).__name__}")
        return
    role = message.get("role")
    at = moment(message.get("timestamp"))
    if role in SPEAKERS:
        by = SPEAKERS[role]
        calls = tuple(called_in(message, place))
        text = text_of(message.get("content"))
        yield Turn(by, text, calls, place, at)  # type: ignore[arg-type]  # one of SPEAKERS
    elif role in RESULTS:
        yield from returned_in(message, place)
    elif role in ASIDE:
        yield Note(str(role), text_of(message.get("content")), place, at)
    else:
        yield Odd(place, f"no known role: {role!r}")


def called_in(message: Mapping[str, Any], place: str) -> Iterator[Called]:
    """The calls that a message asks for."""
    found = message.get("tool_calls")
    old = message.get("function_call")
    many = [*(found if isinstance(found, list) else []), *([old] if old else [])]
    for number, one in enumerate(many):
        where = f"{place}.tool_calls[{number}]"
        if not isinstance(one, Mapping):
            continue
        inner = one.get("function")
        said = inner if isinstance(inner, Mapping) else one
        name = said.get("name") or one.get("tool_name") or one.get("tool")
        if not isinstance(name, str):
            continue
        args = said.get("arguments", said.get("args", said.get("kwargs", said.get("input"))))
        key = one.get("id") or one.get("call_id") or one.get("tool_call_id") or ""
        yield Called(str(key), name, {} if args in (None, "") else args, where)


def returned_in(message: Mapping[str, Any], place: str) -> Iterator[Record]:
    """The result, or results, that a message holds."""
    many = message.get("tool_messages")
    if isinstance(many, list):
        for number, one in enumerate(many):
            yield from record_of(one, f"{place}.tool_messages[{number}]")
        return
    key = message.get("tool_call_id") or message.get("id") or message.get("call_id") or ""
    failed = message.get("error")
    yield Returned(
        id=str(key),
        value=value_of(message.get("content")),
        failed=True if failed is True or (failed and not isinstance(failed, bool)) else None,
        name=str(message.get("name") or ""),
        place=place,
        at=moment(message.get("timestamp")),
    )


def text_of(content: Any) -> str:
    """The words of a message's content."""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        content = [content]
    if not isinstance(content, list):
        return ""
    return "\n".join(filter(None, (_text_of_part(part) for part in content)))


def _text_of_part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        return ""
    for field_ in ("text", "content", "refusal", "output_text"):
        said = part.get(field_)
        if isinstance(said, str) and part.get("type") not in ("reasoning", "thinking"):
            return said
    return ""


def value_of(content: Any) -> Any:
    """What a result holds: parts of text joined, anything else as it is."""
    parts = content if isinstance(content, list) else None
    if parts and all(isinstance(p, Mapping) and isinstance(p.get("text"), str) for p in parts):
        return text_of(parts)
    return content


def moment(value: Any) -> float | None:
    """Seconds since 1970 of a time in any usual form; None for what is no time."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float) and isfinite(value):
        return _seconds(value)
    if not isinstance(value, str):
        return None
    if value.isdecimal():
        return _seconds(int(value))
    try:
        return datetime.fromisoformat(value).timestamp()
    except (ValueError, OverflowError):
        return None


def _seconds(value: float) -> float:
    """Seconds, from a number of seconds, milli-, micro- or nanoseconds since 1970."""
    while value > 1e11:
        value /= 1000
    return float(value)


def number_of(value: Any) -> float | None:
    """A reward: a number, or None."""
    if isinstance(value, bool):
        return float(value)
    return float(value) if isinstance(value, int | float) and isfinite(value) else None
