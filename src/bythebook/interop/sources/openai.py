"""Message lists of chat completions and Responses, and records that hold one.

    [message, ..]                                   one conversation
    [[message, ..], ..]   [{messages: [..]}, ..]    several
    {messages: [..], ..}                            one; also {input, output} of Responses, and
                                                    logged pairs {request, response}
and each of them a line of its own: lines that are messages are one conversation.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bythebook.interop.records import Odd, Record
from bythebook.interop.sources.conversation import MESSAGES, About, ForeignTrace, about_of
from bythebook.interop.sources.messages import Reader, records_of
from bythebook.interop.sources.stream import items, lines


def messages_of(record: Any) -> tuple[str, list[Any]] | None:
    """The messages of a record, and the name of the field that holds them; None: it has none."""
    if isinstance(record, list):
        return "", record
    if not isinstance(record, Mapping):
        return None
    for name in MESSAGES:
        if isinstance(record.get(name), list):
            return name, [*record[name], *_answer(record)]
    for name in ("request", "body", "params"):
        inner = messages_of(record.get(name)) if record.get(name) is not record else None
        if inner is not None:
            return f"{name}.{inner[0]}", [*inner[1], *_answer(record)]
    return _responses(record)


def _responses(record: Mapping[str, Any]) -> tuple[str, list[Any]] | None:
    """What a request to Responses, its answer, or both together hold."""
    asked, gave = record.get("input"), _answer(record)
    if isinstance(asked, str):
        asked = [{"role": "user", "content": asked}]
    found = [*(asked if isinstance(asked, list) else []), *gave]
    return ("input" if asked else "output", found) if found else None


def _answer(record: Mapping[str, Any]) -> list[Any]:
    """What the model answered, if the record holds it."""
    for name in ("response", "body", "completion"):
        if isinstance(record.get(name), Mapping) and name != "body":
            return _answer(record[name])
    inner = record.get("body")
    if isinstance(inner, Mapping) and not any(n in inner for n in (*MESSAGES, "input")):
        return _answer(inner)
    if isinstance(record.get("output"), list):
        return list(record["output"])
    choices = record.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, Mapping) else None
    return [message] if message is not None else []


def is_message(value: Any) -> bool:
    """Is this one message, or one item of Responses, and no record of several?"""
    if not isinstance(value, Mapping) or any(isinstance(value.get(n), list) for n in MESSAGES):
        return False
    kind = value.get("type")
    return "role" in value or (isinstance(kind, str) and ("call" in kind or kind == "reasoning"))


def read_conversation(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """A list of messages."""
    trace = ForeignTrace(str(path), form, About(path.stem), ())
    trace.records = _streamed(trace, items(path, "item"), "[{}]")
    yield trace


def read_message_lines(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """A message a line."""
    trace = ForeignTrace(str(path), form, About(path.stem), ())
    trace.records = _streamed(trace, lines(path), "line {}")
    yield trace


def _streamed(
    trace: ForeignTrace, found: Iterator[tuple[int, Any] | Odd], place: str
) -> Iterator[Record]:
    """The records of messages that are read one by one; a file that breaks off cuts the trace."""
    reader = Reader()
    for one in found:
        if isinstance(one, Odd):
            trace.cut = one.what if one.ends else trace.cut
            yield one
            continue
        number, message = one
        yield from reader.record(message, place.format(number))


def read_conversations(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """A list of records with messages."""
    for one in items(path, "item"):
        yield from conversation(path, form, one, "[{}]")


def read_conversation_lines(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """A record with messages a line."""
    for one in lines(path):
        yield from conversation(path, form, one, "line {}")


def read_record(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """One record with messages."""
    for one in items(path, ""):
        yield from conversation(path, form, one, "")


def conversation(
    path: Path, form: str, one: tuple[int, Any] | Odd, part: str
) -> Iterator[ForeignTrace | Odd]:
    """A record as a trace. `part` is its place, with its number to be filled in."""
    if isinstance(one, Odd):
        yield one
        return
    number, record = one
    place = part.format(number)
    found = messages_of(record)
    if found is None:
        has = ", ".join(list(record)[:8]) if isinstance(record, Mapping) else type(record).__name__
        yield Odd(f"{path}: {place}".rstrip(": "), f"no record with messages (it is: {has})")
        return
    name, messages = found
    about = about_of(record, number) if isinstance(record, Mapping) else About(str(number))
    if not part and about.id == "0":
        about = About(path.stem, about.task, about.trial, about.reward)
    where = ".".join(filter(None, (place, name)))
    yield ForeignTrace(str(path), form, about, records_of(messages, where))
