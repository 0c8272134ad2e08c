"""Transcripts of Claude Code: a session's file, or what `--output-format stream-json` prints.

A line is a record: `user` and `assistant` hold a message, the others are notes. One answer of the
model may stand on several lines, which have its id; they are one turn. Lines of helpers
(`isSidechain`, `parent_tool_use_id`) are another conversation: each helper is a trace of its own.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bythebook.interop.records import Note, Odd, Record, Turn
from bythebook.interop.sources.conversation import About, ForeignTrace, moment, text_of
from bythebook.interop.sources.messages import calls_of, returned
from bythebook.interop.sources.stream import lines

SPOKEN = ("user", "assistant")
"""Kinds of lines that hold what was said; all others are about the session."""


def read_claude_code(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """One transcript: its conversation, then each helper's."""
    session, parts = _first_look(path)
    for part in parts:
        own = "/".join(filter(None, (session or path.stem, part)))
        trace = ForeignTrace(str(path), form, About(own), ())
        trace.records = _records(trace, path, part, names=part == parts[0])
        yield trace


def _first_look(path: Path) -> tuple[str, list[str]]:
    """The session's id, and its conversations: the main one is empty, helpers have names."""
    session = ""
    parts: dict[str, None] = {}
    for one in lines(path):
        if isinstance(one, Odd) or not isinstance(one[1], Mapping):
            continue
        line = one[1]
        session = session or str(line.get("sessionId") or line.get("session_id") or "")
        if line.get("type") in SPOKEN:
            parts[helper_of(line)] = None
    return session, sorted(parts) or [""]


def helper_of(line: Mapping[str, Any]) -> str:
    """The helper whose line this is; empty for the main conversation."""
    found = line.get("parent_tool_use_id") or line.get("agentId")
    if found:
        return str(found)
    return "sidechain" if line.get("isSidechain") is True else ""


def _records(trace: ForeignTrace, path: Path, helper: str, *, names: bool) -> Iterator[Record]:
    """The records of one conversation; `names`: it names what cannot be read, too."""
    for one in lines(path):
        if isinstance(one, Odd):
            if one.ends:
                trace.cut = one.what
            if names:
                yield one
            continue
        number, line = one
        place = f"line {number}"
        if not isinstance(line, Mapping):
            if names:
                yield Odd(place, f"no record: {type(line).__name__}")
        elif helper_of(line) == helper:
            yield from _line(line, place)


def _line(line: Mapping[str, Any], place: str) -> Iterator[Record]:
    kind, message, at = line.get("type"), line.get("message"), moment(line.get("timestamp"))
    if kind not in SPOKEN:
        if isinstance(kind, str):
            yield Note(kind, "", place, at)
        else:
            yield Odd(place, "a record without a type")
    elif not isinstance(message, Mapping):
        yield Odd(place, f"a record {kind!r} without a message")
    elif kind == "assistant":
        group = f"message {message['id']}" if message.get("id") else ""
        calls = tuple(calls_of(message, place))
        yield Turn("agent", text_of(_words(message)), calls, place, at, group)
    else:
        yield from _user(line, message, place, at)


def _user(
    line: Mapping[str, Any], message: Mapping[str, Any], place: str, at: float | None
) -> Iterator[Record]:
    content = message.get("content")
    for number, part in enumerate(content if isinstance(content, list) else []):
        if isinstance(part, Mapping) and part.get("type") == "tool_result":
            yield returned(part, f"{place}.content[{number}]", at)
    text = text_of(_words(message))
    if line.get("isMeta") or line.get("isCompactSummary") or line.get("isSynthetic"):
        yield Note("meta", text, place, at)
    elif text.strip():
        yield Turn("customer", text, (), place, at)


def _words(message: Mapping[str, Any]) -> Any:
    """The parts of a content that were said."""
    content = message.get("content")
    if not isinstance(content, list):
        return content
    aside = ("tool_use", "tool_result")
    return [p for p in content if not (isinstance(p, Mapping) and p.get("type") in aside)]
