"""A trace: everything that happened in one attempt, in order, and nothing that did not.

On disk it is a journal of JSON lines: a header that names its scene file, one line per event, and a
closing line with the outcome. Lines are flushed one by one, so a killed process loses at most the
line in flight; a journal without a closing line is an attempt that was in flight.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import msgspec

from bythebook.errors import TraceError

TRACE_VERSION = 1

Actor = Literal["agent", "customer", "company"]
Kind = Literal["call", "customer", "event", "message", "note"]
"""call: the agent used a tool. customer: the customer used one of theirs. event: something
scheduled happened. message: words were said. note: book-keeping that no rule can see."""

OutcomeKind = Literal["completed", "limit", "infrastructure_failure", "simulator_failure"]


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """How an attempt ended. Only `completed` and `limit` count as runs."""

    kind: OutcomeKind
    detail: str = ""
    """finished, customer_left; or which limit; or the cause of the failure."""
    says: str = ""

    @property
    def counts(self) -> bool:
        """Is the attempt a run? All others are set aside."""
        return self.kind in ("completed", "limit")

    def __str__(self) -> str:
        return f"{self.kind}({self.detail})" if self.detail else self.kind


class Write(msgspec.Struct, frozen=True, array_like=True):
    """One row written: `old` is None for a new row. Rows are structs live and raw JSON on disk."""

    table: str
    key: str
    old: Any
    new: Any


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened. Earlier means smaller `i`, never smaller `t`."""

    i: int
    t: int
    actor: Actor
    kind: Kind
    name: str
    args: Mapping[str, Any] = {}
    ok: bool = True
    result: Any = None
    writes: tuple[Write, ...] = ()
    cause: int | None = None
    """The agent event that brought this about; None: nothing the agent did."""
    move: int | None = None
    """The agent's move that this event is a part of, counted from 1; None: not the agent's."""
    h: str = ""
    """Rolling hash of the whole state after this event."""


class StoredWrite(msgspec.Struct, frozen=True, array_like=True):
    """A write as read from disk; `old` is the JSON `null` for a new row."""

    table: str
    key: str
    old: msgspec.Raw
    new: msgspec.Raw


class StoredEvent(msgspec.Struct, frozen=True):
    """An event as read from disk: open JSON stays raw until a rule looks at it."""

    i: int
    t: int
    actor: Actor
    kind: Kind
    name: str
    args: msgspec.Raw = msgspec.Raw(b"{}")
    ok: bool = True
    result: msgspec.Raw = msgspec.Raw(b"null")
    writes: tuple[StoredWrite, ...] = ()
    cause: int | None = None
    move: int | None = None
    h: str = ""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """First line of a journal. Holds no path, time or host."""

    bythebook: Literal["trace"] = "trace"
    version: int = TRACE_VERSION
    benchmark: str
    suite: str
    task: str
    run: int
    agent: str
    scene: str
    """SHA-256 of the scene file that a verdict needs beside this trace."""
    condition: str = "default"


class Closing(msgspec.Struct, frozen=True):
    """Last line of a journal."""

    outcome: Outcome
    events: int
    h: str


class Trace(msgspec.Struct, frozen=True):
    """A journal read back. `closing` is None when the attempt was still in flight."""

    header: Header
    events: tuple[StoredEvent, ...]
    closing: Closing | None


class Journal:
    """The journal of one attempt, open for appending; use it as a context manager.

    It is begun with its header, or goes on after the first `kept` bytes of what is there.
    """

    def __init__(self, path: Path, header: Header, *, kept: int = 0) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._file = path.open("r+b" if kept else "wb")
        self._encoder = msgspec.json.Encoder()
        if kept:
            self._file.truncate(kept)
            self._file.seek(kept)
        else:
            self._line(header)

    def append(self, event: Event) -> None:
        """Write the event's line, and flush it."""
        self._line(event)

    def close(self, closing: Closing) -> None:
        """Write the closing line and force the file to disk."""
        self._line(closing)
        os.fsync(self._file.fileno())
        self._file.close()

    def _line(self, value: object) -> None:
        self._file.write(self._encoder.encode(value) + b"\n")
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if not self._file.closed:
            self._file.close()


_EVENT = msgspec.json.Decoder(StoredEvent)
_CLOSING = msgspec.json.Decoder(Closing)
_VERSION = msgspec.json.Decoder(dict[str, Any])
_HEADER = msgspec.json.Decoder(Header)


def read_trace(path: Path) -> Trace:
    """Read a journal. Raises `TraceError` naming the line that does not read."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TraceError(f"cannot be read: {error.strerror}", where=path) from None
    return parse_trace(data, where=path)


def parse_trace(data: bytes, *, where: str | Path) -> Trace:
    """The trace in `data`. A torn last line is an event in flight and is left out."""
    lines = data.split(b"\n")
    torn = lines.pop()
    if not lines:
        what = "the header line is cut off" if torn else "the file is empty"
        raise TraceError(what, where=where, hint="run the same command again to replay this run")
    header = _header(lines[0], where)
    closing: Closing | None = None
    events: list[StoredEvent] = []
    for number, line in enumerate(lines[1:], start=2):
        if closing is not None:
            raise TraceError("a line follows the closing line", where=f"{where}:{number}")
        if line.startswith(b'{"outcome"'):
            closing = _decode(_CLOSING, line, f"{where}:{number}")
        else:
            event = _decode(_EVENT, line, f"{where}:{number}")
            if event.i != len(events):
                what = f"event {event.i} stands where event {len(events)} belongs"
                raise TraceError(what, where=f"{where}:{number}")
            events.append(event)
    if closing is not None and closing.events != len(events):
        what = f"the closing line counts {closing.events} events, the file holds {len(events)}"
        raise TraceError(what, where=where)
    return Trace(header, tuple(events), closing)


AGAIN = "the command that played its runs writes it again, while the task is the same"
"""What mends a scene file that is lost or changed."""


def read_scene(path: Path) -> bytes:
    """The bytes of a scene file. Raises `TraceError` when they are not those it is named by."""
    try:
        data = path.read_bytes()
    except OSError as error:
        what = f"the scene cannot be read: {error.strerror}"
        raise TraceError(what, where=path, hint=AGAIN) from None
    sha = hashlib.sha256(data).hexdigest()
    if path.stem != sha:
        what = f"its bytes have the hash {sha[:12]}.., not the one it is named by"
        raise TraceError(
            what, where=path, hint=f"the file was changed after it was written\n{AGAIN}"
        )
    return data


def _decode(decoder: msgspec.json.Decoder[Any], line: bytes, where: str) -> Any:
    try:
        return decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise TraceError(f"this line does not read: {error}", where=where) from None


def _header(line: bytes, where: str | Path) -> Header:
    found = _decode(_VERSION, line, f"{where}:1")
    if found.get("bythebook") != "trace":
        raise TraceError(
            "this is not a bythebook trace",
            where=f"{where}:1",
            hint="`bythebook check --format ...` reads the traces of other programs",
        )
    if found.get("version") != TRACE_VERSION:
        raise TraceError(
            f"trace version {found.get('version')}; this bythebook reads version {TRACE_VERSION}",
            where=f"{where}:1",
            hint="score it with the bythebook that wrote it (its `benchmark` field names it)",
        )
    header: Header = _decode(_HEADER, line, f"{where}:1")
    return header


def calls(events: tuple[StoredEvent, ...]) -> Iterator[StoredEvent]:
    """The agent's tool calls, refused ones too."""
    return (event for event in events if event.kind == "call")
