"""What programs write that is no JSON, made JSON again while it is read.

`NaN` and `Infinity` become null, bytes that are no UTF-8 and control characters inside texts become
the replacement character. Only read again this way is what did not read as it stands.
"""

import codecs
import re
from decimal import Decimal
from typing import Any, Protocol

from bythebook.tool import SURROGATE

OUTSIDE = re.compile(r'"|-?Infinity|NaN')
INSIDE = re.compile(r'[^"\\]*(?:\\.[^"\\]*)*', re.DOTALL)
"""A text up to its closing quote, or up to a backslash whose other half is still to come."""
CONTROL = re.compile(r"[\x00-\x1f]")
LONGEST = 10
"""Characters at the end of a piece that may be the beginning of a token."""


class Reads(Protocol):
    """What bytes are read from."""

    def read(self, size: int = -1, /) -> bytes: ...


class Repaired:
    """A file whose bytes are mended on the way."""

    def __init__(self, file: Reads) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._mender = Mender()

    def read(self, size: int = -1) -> bytes:
        """Some mended bytes; none only at the end."""
        if size == 0:
            return b""
        while True:
            raw = self._file.read(size)
            text = self._decoder.decode(raw, final=not raw)
            done = self._mender.feed(text, last=not raw)
            if done or not raw:
                return done.encode("utf-8", "replace")


class Mender:
    """Mends a document piece by piece; nothing is looked at twice, however long a text is."""

    def __init__(self) -> None:
        self._held, self._inside = "", False

    def feed(self, text: str, *, last: bool) -> str:
        """What is sure by now."""
        text, pos, done = self._held + text, 0, list[str]()
        while pos < len(text):
            step = self._text if self._inside else self._between
            piece, pos = step(text, pos, last)
            done.append(piece)
            if not piece:
                break
        self._held = text[pos:]
        return "".join(done)

    def _text(self, text: str, pos: int, last: bool) -> tuple[str, int]:
        """Inside a text: up to its end, or to the end of what is there."""
        found = INSIDE.match(text, pos)
        end = found.end() if found is not None else pos
        said = CONTROL.sub("\ufffd", text[pos:end])
        if text[end : end + 1] == '"':
            self._inside = False
            return said + '"', end + 1
        return (text[pos:], len(text)) if last else (said, end)

    def _between(self, text: str, pos: int, last: bool) -> tuple[str, int]:
        """Between texts: up to the next one, or to a word that is no JSON."""
        found = OUTSIDE.search(text, pos)
        if found is None:
            end = len(text) if last else max(pos, len(text) - LONGEST)
            return text[pos:end], end
        if found[0] == '"':
            self._inside = True
            return text[pos : found.end()], found.end()
        return text[pos : found.start()] + "null", found.end()


def mended(text: str) -> str:
    """A whole document, mended."""
    return Mender().feed(text, last=True)


def plain(value: Any) -> Any:
    """The same value without decimals (whole numbers as integers, others as floats) and without
    half characters."""
    if isinstance(value, str):
        return SURROGATE.sub("\ufffd", value)
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {plain(name): plain(one) for name, one in value.items()}
    return value
