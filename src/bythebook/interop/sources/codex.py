"""Transcripts of codex: a session's rollout file, or what `codex exec --json` prints.

A rollout's line is `{timestamp, type, payload}`; `response_item` holds what was said and done, in
items of Responses. Older files hold the items bare. `--json` prints `{type: item.completed, item}`,
where a command and its output are one item.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from bythebook.interop.forms import structured
from bythebook.interop.records import Called, Note, Odd, Record, Returned, Turn
from bythebook.interop.sources.conversation import About, ForeignTrace, moment
from bythebook.interop.sources.messages import Reader
from bythebook.interop.sources.stream import lines

ROLLOUT = "response_item"
PRINTED = "item.completed"
STARTED = "item.started"
EXITED = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d+)", re.MULTILINE)
FRAMES = ("<user_instructions>", "<environment_context>", "<permissions", "# AGENTS.md",
          "<turn_aborted>", "<subagent_notification>", "<skill>", "<INSTRUCTIONS>")  # fmt: skip
"""How what codex itself puts before the first prompt begins."""
DOES = {
    "command_execution": ("shell", ("command",), "aggregated_output"),
    "file_change": ("apply_patch", ("changes",), "status"),
    "mcp_tool_call": ("", ("arguments",), "result"),
    "web_search": ("web_search", ("query",), ""),
}
"""Printed items that are calls: the tool, its arguments, where its output stands."""


def read_codex(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """One transcript."""
    trace = ForeignTrace(str(path), form, About(_id_of(path)), ())
    trace.records = _records(trace, path)
    yield trace


def _id_of(path: Path) -> str:
    """The session's id, as its first lines tell it."""
    for one in lines(path):
        if isinstance(one, Odd) or one[0] > 5:
            break
        line = one[1] if isinstance(one[1], Mapping) else {}
        payload = line.get("payload")
        meta = payload if isinstance(payload, Mapping) else line
        found = meta.get("id") or line.get("thread_id")
        if found and line.get("type") in ("session_meta", "thread.started", None):
            return str(found)
    return path.stem


def _records(trace: ForeignTrace, path: Path) -> Iterator[Record]:
    reader, begun = Reader(), Begun()
    for one in lines(path):
        if isinstance(one, Odd):
            trace.cut = one.what if one.ends else trace.cut
            yield one
            continue
        number, line = one
        place = f"line {number}"
        if not isinstance(line, Mapping):
            yield Odd(place, f"no record: {type(line).__name__}")
        else:
            trace.cut = begun.note(line, place, trace.cut)
            yield from _line(line, place, reader)
    yield from begun.left()


class Begun:
    """Printed items that have begun; a call that never came to its end is an attempt."""

    def __init__(self) -> None:
        self._items: dict[str, tuple[Mapping[str, Any], str]] = {}

    def note(self, line: Mapping[str, Any], place: str, cut: str) -> str:
        """What a line says of the item it is about, and of why the session ended."""
        item = line.get("item")
        if isinstance(item, Mapping):
            key = str(item.get("id") or place)
            if line.get("type") == STARTED and item.get("type") in DOES:
                self._items[key] = item, place
            elif line.get("type") == PRINTED:
                self._items.pop(key, None)
        if line.get("type") == "turn.failed":
            return "the last turn failed"
        return "" if line.get("type") == "turn.started" else cut

    def left(self) -> Iterator[Record]:
        for item, place in self._items.values():
            asked, *_ = _done(item, str(item.get("type")), place, None)
            yield asked


def _line(line: Mapping[str, Any], place: str, reader: Reader) -> Iterator[Record]:
    kind = line.get("type")
    item = line.get("payload" if kind == ROLLOUT else "item")
    if kind == ROLLOUT and isinstance(item, Mapping):
        stamped = {**item, "timestamp": line.get("timestamp")}
        yield from map(_framed, map(_judged, reader.record(stamped, place)))
    elif kind == PRINTED and isinstance(item, Mapping):
        yield from _printed(item, place, moment(line.get("timestamp")))
    elif kind in (ROLLOUT, PRINTED):
        yield Odd(place, f"a {kind} without its item")
    elif "payload" in line or "record_type" in line or _is_aside(line):
        yield Note(str(kind or "meta"), "", place, moment(line.get("timestamp")))
    else:
        yield from map(_framed, map(_judged, reader.record(line, place)))


def _is_aside(line: Mapping[str, Any]) -> bool:
    """A line about the session: printed ones have dotted types, the first of an older file none."""
    kind = line.get("type")
    return "." in str(kind) or kind == "error" or (kind is None and "role" not in line)


def _framed(record: Record) -> Record:
    """What codex itself says in the user's name is a note."""
    if not isinstance(record, Turn) or record.by != "customer":
        return record
    framed = record.text.lstrip().startswith(FRAMES)
    return Note("context", record.text, record.place, record.at) if framed else record


def _judged(record: Record) -> Record:
    """An output that holds an exit code says by it whether the call failed."""
    if not isinstance(record, Returned):
        return record
    found = structured(record.value)
    exited = EXITED.search(found) if isinstance(found, str) else None
    if exited is not None:
        return replace(record, failed=exited[1] != "0")
    if not isinstance(found, Mapping):
        return record
    inner = found.get("metadata")
    code = inner.get("exit_code") if isinstance(inner, Mapping) else None
    if isinstance(code, int):
        return replace(record, value=found.get("output", record.value), failed=code != 0)
    if isinstance(found.get("success"), bool):
        value = found.get("content", record.value)
        return replace(record, value=value, failed=not found["success"])
    return record


def _printed(item: Mapping[str, Any], place: str, at: float | None) -> Iterator[Record]:
    kind = item.get("type") or item.get("item_type")
    if kind in ("agent_message", "assistant_message"):
        yield Turn("agent", str(item.get("text") or ""), (), place, at)
    elif kind in DOES:
        yield from _done(item, str(kind), place, at)
    elif kind == "user_message":
        yield Turn("customer", str(item.get("text") or ""), (), place, at)
    else:
        yield Note(str(kind), str(item.get("text") or ""), place, at)


def _done(item: Mapping[str, Any], kind: str, place: str, at: float | None) -> Iterator[Record]:
    name, fields, output = DOES[kind]
    key = str(item.get("id") or place)
    args: Any = {field: item.get(field) for field in fields}
    if kind == "mcp_tool_call":
        name, args = str(item.get("tool") or "mcp"), item.get("arguments") or {}
    code = item.get("exit_code")
    failed = item.get("status") == "failed" or (isinstance(code, int) and code != 0)
    yield Turn("agent", "", (Called(key, name, args, place),), place, at)
    value = item.get("error") or item.get(output)
    yield Returned(key, value, failed, name, place, at)
