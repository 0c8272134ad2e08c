"""Server-sent events, as model servers write them."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from bythebook.models.wire import Fault, read_json

Data = dict[str, Any]

DONE = {"done": True}
"""Stands for `[DONE]`, which is no JSON and closes the streams of some dialects."""

COMMENT = b": waiting\n\n"
"""Says nothing; keeps a connection from being taken for dead."""


def event(data: Data, name: str = "") -> bytes:
    """One event with JSON data."""
    head = f"event: {name}\n".encode() if name else b""
    text = b"[DONE]" if data is DONE else msgspec.json.encode(data)
    return b"%bdata: %b\n\n" % (head, text)


def is_stream(data: bytes) -> bool:
    """Is this a stream, rather than one JSON document?"""
    return data.lstrip()[:6].startswith((b"data:", b"event:", b"id:", b"retry:", b":"))


def events(data: bytes) -> Iterator[Data]:
    """The data of all events that hold any. Raises one of `wire.UNREADABLE`."""
    lines: list[bytes] = []
    for line in (*data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"), b""):
        if line.startswith(b"data:"):
            lines.append(line[5:].removeprefix(b" "))
        elif not line and lines:
            yield _decoded(b"\n".join(lines))
            lines = []


def _decoded(text: bytes) -> Data:
    if text.strip() == b"[DONE]":
        return DONE
    found = read_json(text)
    if not isinstance(found, dict):
        raise ValueError(f"an event holds no JSON object: {text[:100]!r}")
    return found


def error_among(found: Sequence[Data]) -> Data | None:
    """The event that reports an error, in the shape of an error's body."""
    for data in found:
        if data.get("type") == "error" and "error" not in data:
            return {"error": data}
        if data.get("error"):
            return data
    return None


def broken_off(what: str) -> Fault:
    """A stream that ended before it was over."""
    return Fault(f"the provider's stream broke off {what}", again=True)
