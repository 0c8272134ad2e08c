"""Spans of OpenTelemetry's conventions for generative AI, as conversations.

Spans of one conversation (`gen_ai.conversation.id`, or else one trace) are put in the order of
their beginnings. A call of a model holds the whole history again: only what is new in it counts.
What a tool gave back stands in its own span, in the next call's history, or both. Spans are kept in
a file while they are sorted, so that memory stays bounded.
"""

import hashlib
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from bythebook.interop.records import Called, Note, Odd, Record, Returned, Turn
from bythebook.interop.sources.conversation import About, ForeignTrace, text_of
from bythebook.interop.sources.messages import Reader
from bythebook.interop.sources.otel_spans import Span, spans_of

TOOL = "execute_tool"
WHOLE = ("invoke_agent", "create_agent", "invoke_workflow")
"""Operations around calls of a model; what they hold stands in those again."""
SCHEMA = "CREATE TABLE spans (conversation, start, serial, calls_model, span)"
ORDERED = "SELECT span FROM spans WHERE conversation = ? ORDER BY start, serial"
_SPAN = msgspec.json.Decoder(Span)


def read_otel_lines(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    return _read(path, form, "lines")


def read_otel_list(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    return _read(path, form, "list")


def read_otel(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    return _read(path, form, "object")


def _read(path: Path, form: str, kind: str) -> Iterator[ForeignTrace | Odd]:
    folder = tempfile.TemporaryDirectory(prefix="bythebook-")
    with folder, closing(sqlite3.connect(str(Path(folder.name, "spans")))) as kept:
        for setting in ("journal_mode = OFF", "synchronous = OFF"):
            kept.execute(f"PRAGMA {setting}")
        kept.execute(SCHEMA)
        ends = yield from _keep(path, kind, kept)
        kept.execute("CREATE INDEX ordered ON spans (conversation, start, serial)")
        first = "SELECT conversation FROM spans GROUP BY conversation ORDER BY MIN(serial)"
        for (name,) in kept.execute(first).fetchall():
            trace = ForeignTrace(str(path), form, About(name), _records(kept, name))
            trace.cut = ends
            yield trace


def _keep(path: Path, kind: str, kept: sqlite3.Connection) -> Generator[Odd, None, str]:
    ends = ""
    for serial, span in enumerate(spans_of(path, kind)):
        if isinstance(span, Odd):
            ends = span.what if span.ends else ends
            yield Odd(span.place if str(path) in span.place else f"{path}: {span.place}", span.what)
            continue
        name = str(span.attributes.get("gen_ai.conversation.id") or span.trace or path.stem)
        calls = span.operation not in (TOOL, *WHOLE) and bool(span.asked or span.answered)
        row = (name, span.start, serial, calls, msgspec.json.encode(span))
        kept.execute("INSERT INTO spans VALUES (?, ?, ?, ?, ?)", row)
    return ends


def _records(kept: sqlite3.Connection, name: str) -> Iterator[Record]:
    calls = "SELECT 1 FROM spans WHERE conversation = ? AND calls_model LIMIT 1"
    inner = kept.execute(calls, (name,)).fetchone() is not None
    story = Story()
    for (data,) in kept.execute(ORDERED, (name,)):
        span = _SPAN.decode(data)
        if span.operation == TOOL:
            yield from story.tool(span)
        elif not (inner and span.operation in WHOLE):
            yield from story.model(span)


class Story:
    """One conversation, as far as its spans have told it."""

    def __init__(self) -> None:
        self.reader = Reader()
        self.known: Counter[bytes] = Counter()
        """How often each message was told, by its hash."""
        self.returned: set[str] = set()
        self.called: set[str] = set()
        self.instructed = False

    def model(self, span: Span) -> Iterator[Record]:
        """A call of a model: what is new in its history, and its answer."""
        instructions = span.attributes.get("gen_ai.system_instructions")
        if instructions and not self.instructed:
            self.instructed = True
            yield Note("system", text_of(instructions), span.place, span.start or None)
        told = [(message, _mark(message)) for message in map(_chat, span.asked)]
        for message in self._new(told):
            yield from self._said(message, span)
        for message in map(_chat, span.answered[:1]):
            self.known[_mark(message)] += 1
            yield from self._said(message, span)

    def tool(self, span: Span) -> Iterator[Record]:
        """A tool that was run: its result, and its call if no model was seen asking for it."""
        said = span.attributes
        key = str(said.get("gen_ai.tool.call.id") or "")
        name = str(said.get("gen_ai.tool.name") or "")
        at = span.start or None
        if not key or key not in self.called:
            key = key or f"span {span.id}"
            asked = said.get("gen_ai.tool.call.arguments")
            called = Called(key, name, {} if asked is None else asked, span.place)
            self.called.add(key)
            yield Turn("agent", "", (called,), span.place, at)
        result = said.get("gen_ai.tool.call.result")
        if key not in self.returned and (result is not None or span.failed):
            self.returned.add(key)
            yield Returned(key, result, True if span.failed else None, name, span.place, at)

    def _new(self, told: list[tuple[Any, bytes]]) -> Iterator[Any]:
        """The messages of a history that were not told yet."""
        left = self.known.copy()
        for message, mark in told:
            left[mark] -= 1
            if left[mark] < 0:
                self.known[mark] += 1
                yield message

    def _said(self, message: Any, span: Span) -> Iterator[Record]:
        for record in self.reader.record(message, span.place):
            if isinstance(record, Returned):
                if record.id in self.returned:
                    continue
                self.returned.add(record.id)
            elif isinstance(record, Turn):
                self.called.update(called.id for called in record.calls)
            yield record


def _chat(message: Any) -> Any:
    """A message whose content stands in `parts`, as chat programs write it."""
    parts = message.get("parts") if isinstance(message, Mapping) else None
    if not isinstance(parts, list):
        return message
    found: dict[str, Any] = {"role": message.get("role"), "content": []}
    for part in parts:
        kind = part.get("type") if isinstance(part, Mapping) else None
        if kind == "tool_call":
            found.setdefault("tool_calls", []).append(part)
        elif kind == "tool_call_response":
            result = part.get("response", part.get("result"))
            one = {"role": "tool", "tool_call_id": part.get("id"), "content": result}
            found.setdefault("tool_messages", []).append(one)
        else:
            found["content"].append(part)
    if "tool_messages" in found:
        found["role"] = "tool"
    return found


def _mark(message: Any) -> bytes:
    """What makes two tellings of a message one: who, the words, the calls by name and id."""
    if not isinstance(message, Mapping):
        return b""
    calls = message.get("tool_calls")
    many = calls if isinstance(calls, list) else []
    named = [(c.get("id"), c.get("name")) for c in many if isinstance(c, Mapping)]
    results = message.get("tool_messages") or []
    ids = [r.get("tool_call_id") for r in results] or [message.get("tool_call_id")]
    words = text_of(message.get("content")).strip()
    text = msgspec.json.encode([message.get("role"), words, named, ids])
    return hashlib.blake2b(text, digest_size=16).digest()
