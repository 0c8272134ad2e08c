"""What programs write that is no JSON, made JSON again while it is read.

`NaN` and `Infinity` become null, bytes that are no UTF-8 and control characters inside texts become
the replacement character. Only read again this way is what did not read as it stands.
"""

import codecs
import re
from decimal import Decimal
from typing import Any, Protocol

from bythebook.tool import SURROGATE

TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|-?Infinity|NaN', re.DOTALL)
CONTROL = re.compile(r"[\x00-\x1f]")
UNREAL = ("NaN", "Infinity", "-Infinity")
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
        self._held = ""

    def read(self, size: int = -1) -> bytes:
        """Some mended bytes; none only at the end."""
        if size == 0:
            return b""
        while True:
            raw = self._file.read(size)
            text = self._held + self._decoder.decode(raw, final=not raw)
            done, self._held = _mended(text, last=not raw)
            if done or not raw:
                return done.encode("utf-8", "replace")


def _mended(text: str, *, last: bool) -> tuple[str, str]:
    """The mended text, and what must wait for more."""
    end = 0
    for found in TOKEN.finditer(text):
        end = found.end()
    if last:
        return TOKEN.sub(_token, text), ""
    quote = text.find('"', end)
    if quote < 0:
        quote = max(end, len(text) - LONGEST)
    return TOKEN.sub(_token, text[:quote]), text[quote:]


def _token(found: re.Match[str]) -> str:
    said = found[0]
    return "null" if said in UNREAL else CONTROL.sub("\ufffd", said)


def mended(text: str) -> str:
    """A whole document, mended."""
    return _mended(text, last=True)[0]


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
