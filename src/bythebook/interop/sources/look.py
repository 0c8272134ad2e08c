"""A first look at a file: what it is made of, without reading all of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import ijson
import msgspec
from ijson.common import JSONError

from bythebook.errors import TraceError
from bythebook.interop.sources.repair import Repaired
from bythebook.interop.sources.stream import Counted, TooLarge, is_packed, opened

HEAD = 1 << 18
"""Bytes of a file that are looked at for lines."""
STEPS = 200_000
"""Parts of a document that are looked at for names."""
SAMPLES = 5
"""Values of a list that are looked at."""
LINES = 50
"""Lines that are looked at: a transcript may begin with many that only tell of the session."""
LONG = 1 << 20
"""Bytes of a first line that are looked at."""
ZIP = b"PK\x03\x04"


@dataclass(frozen=True)
class Look:
    """What a file is made of."""

    kind: str
    """zip, lines, object, list, text or empty."""
    names: frozenset[str] = frozenset()
    """object: its fields, and `field.inner` for those one level down."""
    samples: tuple[Any, ...] = ()
    """list, lines: the first values."""
    broken: str = ""
    """Why the look ended early."""

    @property
    def first(self) -> Mapping[str, Any]:
        """The first sample that is a mapping."""
        found = (one for one in self.samples if isinstance(one, Mapping))
        return next(found, {})

    def __str__(self) -> str:
        match self.kind:
            case "object":
                top = sorted(name for name in self.names if "." not in name)
                return f"a JSON object with the fields {', '.join(top[:12]) or '(none)'}"
            case "list" | "lines":
                noun = "a JSON list" if self.kind == "list" else "a file of JSON lines"
                return f"{noun}{self._of()}"
            case "zip":
                return f"a zip with {', '.join(sorted(self.names)[:8]) or 'nothing in it'}"
            case "empty":
                return "an empty file"
            case _:
                return "no JSON"

    def _of(self) -> str:
        if not self.samples:
            return " that breaks off in its first item" if self.broken else " that is empty"
        if not self.first:
            return f" of {type(self.samples[0]).__name__}"
        return f" of objects with the fields {', '.join(map(str, list(self.first)[:12]))}"


def look_at(path: Path) -> Look:
    """A first look. Raises `TraceError` when the file cannot be read at all."""
    with opened(path) as file:
        head = file.read(HEAD)
        if head.startswith(b"{") and b"\n" not in head:
            head += file.readline(LONG) + file.read(HEAD)
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not text:
        return Look("empty")
    if text.startswith(ZIP):
        return _zip(path)
    found = _lines(text)
    if found is not None:
        return found
    if text.startswith(b"{"):
        return _object(path)
    if text.startswith(b"["):
        return _list(path)
    return Look("text")


def _zip(path: Path) -> Look:
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            return Look("zip", frozenset(archive.namelist()))
    except (zipfile.BadZipFile, OSError) as error:
        hint = "the file is cut off, or was still being written"
        if is_packed(path):
            hint = "it is packed with gzip besides; unpack that first"
        raise TraceError(f"the zip does not read: {error}", where=path, hint=hint) from None


def _lines(head: bytes) -> Look | None:
    """A file of lines: the first line is a whole value, and another follows."""
    first, *rest = head.split(b"\n", LINES)[:LINES]
    if not any(line.strip() for line in rest):
        return None
    try:
        msgspec.json.decode(first)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return Look("lines", samples=tuple(_values([first, *rest])))


def _values(lines: list[bytes]) -> list[Any]:
    found = []
    for line in lines:
        try:
            found.append(msgspec.json.decode(line))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue
    return found


def _object(path: Path) -> Look:
    names: set[str] = set()
    broken = ""
    with opened(path) as file:
        counted = Counted(file)
        try:
            for prefix, event, value in islice(ijson.parse(Repaired(counted)), STEPS):
                counted.since = 0
                if event == "map_key" and prefix.count(".") == 0:
                    names.add(f"{prefix}.{value}" if prefix else str(value))
        except (JSONError, TooLarge, UnicodeDecodeError) as error:
            broken = str(error).splitlines()[0]
    return Look("object", frozenset(names), broken=broken)


def _list(path: Path) -> Look:
    samples: list[Any] = []
    broken = ""
    with opened(path) as file:
        try:
            samples.extend(islice(ijson.items(Repaired(Counted(file)), "item"), SAMPLES))
        except (JSONError, TooLarge, UnicodeDecodeError) as error:
            broken = str(error).splitlines()[0]
    return Look("list", samples=tuple(samples), broken=broken)
