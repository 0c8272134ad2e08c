"""A guard's journal: one JSON line for each thing that it saw, flushed as it is written.

    {"guard": 1, "rules": .., "sha": .., "mode": .., "guesses": ..}     a session begins
    {"ask": N, "at": .., "name": .., "args": .., "verdict": .., "broken": [..]}
    {"did": N, "result": .., "ok": .., "broken": [..]}                  how call N ended
    {"lost": N, "broken": [..]}                                         nobody knows how
    {"heard": "agent|customer", "text": .., "at": .., "broken": [..]}
    {"astray": ".."}                                                    the rules lost the thread

`broken` may stand under what time broke, too: {"at": .., "broken": [..]}. A journal is only ever
added to, save that a last line which was cut off by a kill goes when a session begins on it.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import msgspec

from bythebook.errors import TraceError
from bythebook.models.wire import UNREADABLE, read_json
from bythebook.run.durable import on_disk

VERSION = 1
Line = dict[str, Any]


class Journal:
    """Keeps lines at `path`; what stands there already is `before`."""

    def __init__(self, path: Path) -> None:
        """Raises `TraceError` when the file is no such journal."""
        self.path = path
        self.before = tuple(read_journal(path)) if path.exists() else ()
        self._file: IO[bytes] | None = None

    def write(self, line: Line) -> None:
        """Raises `UsageError` when the file cannot be written."""
        with on_disk(self.path):
            self._file = self._file or self._opened()
            self._file.write(msgspec.json.encode(line) + b"\n")
            self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _opened(self) -> IO[bytes]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = self.path.open("ab")
        whole = _whole(self.path.read_bytes())
        if file.tell() > whole:
            os.truncate(self.path, whole)
        return file


def read_journal(path: Path) -> Iterator[Line]:
    """Its whole lines, in order. Raises `TraceError` naming the line that does not read."""
    data = path.read_bytes()
    for number, line in enumerate(data[: _whole(data)].splitlines(), start=1):
        try:
            found = read_json(line)
        except UNREADABLE as error:
            raise TraceError(f"does not read: {error}", where=f"{path}:{number}") from None
        if not isinstance(found, dict) or (number == 1 and found.get("guard") != VERSION):
            raise TraceError("is no journal of a guard", where=f"{path}:{number}")
        yield found


def _whole(data: bytes) -> int:
    """Bytes of the lines that are complete."""
    return data.rfind(b"\n") + 1
