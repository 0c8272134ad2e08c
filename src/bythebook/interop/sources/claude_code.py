"""Transcripts of Claude Code: a session's file, or what `--output-format stream-json` prints.

A line is a record: `user` and `assistant` hold a message, the others are notes. One answer of the
model may stand on several lines, which have its id; they are one turn. Lines of helpers
(`isSidechain`, `parent_tool_use_id`) are another conversation: each helper is a trace of its own,
told by its name or, in older files, by which line each line follows. What the program says in the
name of either side is a note. The same records may stand in one list.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bythebook.interop.records import Note, Odd, Record, Turn
from bythebook.interop.sources.conversation import About, ForeignTrace, moment, text_of
from bythebook.interop.sources.messages import calls_of, returned
from bythebook.interop.sources.stream import items, lines

SPOKEN = ("user", "assistant")
"""Kinds of lines that hold what was said; all others are about the session."""
SESSION = ("summary", "file-history-snapshot", "queue-operation")
"""Kinds of lines about the session that a file may begin with, however many."""
FRAMES = ("<system-reminder>", "<local-command-", "<task-notification>", "<bash-stdout>",
          "<bash-stderr>", "[Request interrupted", "Caveat: The messages below")  # fmt: skip
"""How what the program itself says in the user's name begins."""
SYNTHETIC = "<synthetic>"
"""The model of answers that the program made up, such as errors of the provider."""
BROKE = "error_during_execution"

Source = Callable[[], Iterator[tuple[int, Any] | Odd]]


def read_claude_code(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """One transcript: its conversation, then each helper's."""
    return _read(path, form, lambda: lines(path), "line {}")


def read_claude_code_list(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """The same, its records in one list (`--output-format json --verbose`)."""
    return _read(path, form, lambda: items(path, "item"), "[{}]")


def _read(path: Path, form: str, source: Source, place: str) -> Iterator[ForeignTrace | Odd]:
    session, parts = _first_look(source)
    for part in parts:
        own = "/".join(filter(None, (session or path.stem, part)))
        trace = ForeignTrace(str(path), form, About(own), ())
        trace.records = _records(trace, source, part, (place, part == parts[0]))
        yield trace


def _first_look(source: Source) -> tuple[str, list[str]]:
    """The session's id, and its conversations: the main one is empty, helpers have names."""
    session, chains = "", Chains()
    parts: dict[str, None] = {}
    for one in source():
        if isinstance(one, Odd) or not isinstance(one[1], Mapping):
            continue
        line = one[1]
        session = session or str(line.get("sessionId") or line.get("session_id") or "")
        helper = chains.helper_of(line)
        if line.get("type") in SPOKEN:
            parts[helper] = None
    return session, sorted(parts) or [""]


class Chains:
    """Which helper each line belongs to. Older files do not name it: there a line belongs to that
    of the line it follows (`parentUuid`), and one that follows none begins another."""

    def __init__(self) -> None:
        self._of: dict[str, str] = {}
        self._begun = 0

    def helper_of(self, line: Mapping[str, Any]) -> str:
        """The helper whose line this is; empty for the main conversation."""
        found = line.get("parent_tool_use_id") or line.get("agentId")
        if found:
            return str(found)
        if line.get("isSidechain") is not True:
            return ""
        own, parent = line.get("uuid"), line.get("parentUuid")
        if not isinstance(own, str) or "parentUuid" not in line:
            return "sidechain"
        helper = self._of.get(parent) if isinstance(parent, str) else None
        if helper is None:
            self._begun += 1
            helper = "sidechain" if self._begun == 1 else f"sidechain {self._begun}"
        self._of[own] = helper
        return helper


def _records(
    trace: ForeignTrace, source: Source, helper: str, told: tuple[str, bool]
) -> Iterator[Record]:
    """The records of one conversation. `told`: how a place is written, and whether this one names
    what cannot be read, too."""
    chains, (where, names) = Chains(), told
    for one in source():
        if isinstance(one, Odd):
            if one.ends:
                trace.cut = one.what
            if names:
                yield one
            continue
        number, line = one
        place = where.format(number)
        if not isinstance(line, Mapping):
            if names:
                yield Odd(place, f"no record: {type(line).__name__}")
        elif chains.helper_of(line) == helper:
            trace.cut = _cut(line) or trace.cut
            yield from _line(line, place)


def _cut(line: Mapping[str, Any]) -> str:
    """What the last printed line says of a session that broke."""
    broke = line.get("type") == "result" and line.get("subtype") == BROKE
    return f"the session ended by {BROKE}" if broke else ""


def _line(line: Mapping[str, Any], place: str) -> Iterator[Record]:
    kind, message, at = line.get("type"), line.get("message"), moment(line.get("timestamp"))
    if kind not in SPOKEN:
        if isinstance(kind, str):
            yield Note(kind, "", place, at)
        else:
            yield Odd(place, "a record without a type")
    elif not isinstance(message, Mapping):
        yield Odd(place, f"a record {kind!r} without a message")
    elif line.get("isApiErrorMessage") or message.get("model") == SYNTHETIC:
        yield Note("error", text_of(_words(message)), place, at)
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


def _words(message: Mapping[str, Any]) -> list[Any]:
    """The parts of a content that were said."""
    content = message.get("content")
    return [p for p in (content if isinstance(content, list) else [content]) if _is_said(p)]


def _is_said(part: Any) -> bool:
    if isinstance(part, Mapping) and part.get("type") in ("tool_use", "tool_result"):
        return False
    return not text_of(part).lstrip().startswith(FRAMES)
