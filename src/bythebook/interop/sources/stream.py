"""Large files read piece by piece, in bounded memory, and never given up without a word.

Documents are streamed by ijson; a file of lines is read line by line. A file that ends too early or
breaks in the middle gives what stands before, then an `Odd` that names the place.
"""

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO, cast

import ijson
import msgspec
from ijson.common import JSONError

from bythebook.errors import TraceError
from bythebook.interop.records import Odd
from bythebook.interop.sources.repair import Repaired, mended, plain

LARGEST = 256 * 1024 * 1024
"""Most bytes of one record: a conversation of a list, or a line."""
DEEPEST = 20_000
"""Brackets that may be open at once in a record, those in texts included: the time that a reader
takes grows with the square of the depth."""
GZIP = b"\x1f\x8b"
MARK = b"\xef\xbb\xbf"
"""What some programs put before UTF-8."""


class TooLarge(ValueError):
    """One record is larger, or nested deeper, than is read."""


class Counted:
    """A file that refuses to be read without end, or ever deeper, between two records."""

    def __init__(self, file: BinaryIO) -> None:
        self.file, self.since, self.total, self.depth = file, 0, 0, 0

    def done(self) -> None:
        """A record has come to its end."""
        self.since = self.depth = 0

    def read(self, size: int = -1) -> bytes:
        """Larger pieces the longer a record is: of a text that spans pieces, the reader looks at
        every one again for each new one."""
        data = self.file.read(max(size, self.since // 4) if size > 0 else size)
        self.since += len(data)
        self.total += len(data)
        if self.since > LARGEST:
            raise TooLarge(f"one record has more than {LARGEST >> 20} MiB")
        opening, closing = (sum(map(data.count, marks)) for marks in ((b"[", b"{"), (b"]", b"}")))
        self.depth = max(0, self.depth + opening - closing)
        if self.depth > DEEPEST:
            raise TooLarge(f"one record is nested more than {DEEPEST} deep")
        return data


def is_packed(path: Path) -> bool:
    """Is it a file of gzip?"""
    with path.open("rb") as raw:
        return raw.read(len(GZIP)) == GZIP


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked when they are gzip. Raises `TraceError`."""
    try:
        packed = is_packed(path)
        with (
            path.open("rb") as raw,
            gzip.GzipFile(fileobj=raw) if packed else nullcontext(raw) as file,
        ):
            if file.read(len(MARK)) != MARK:
                file.seek(0)
            yield cast(BinaryIO, file)
    except EOFError:
        raise TraceError("the packed file is cut off", where=path) from None
    except OSError as error:
        raise TraceError(f"cannot be read: {error.strerror or error}", where=path) from None


def items(path: Path, prefix: str) -> Iterator[tuple[int, Any] | Odd]:
    """The values at an ijson prefix (`simulations.item`), each with its number from 0.

    What does not read as it stands is read once more, mended.
    """
    number = 0
    with opened(path) as file:
        counted = Counted(file)
        try:
            for value in ijson.items(counted, prefix, use_float=True, multiple_values=True):
                counted.done()
                yield number, value
                number += 1
            return
        except TooLarge as error:
            yield Odd(f"{path}: after {number} records", str(error), ends=True)
            return
        except JSONError as error:
            if "premature" in str(error):
                what = f"the document ends too early, after {counted.total} bytes"
                yield Odd(f"{path}: after {number} records", what, ends=True)
                return
    yield from _mended_items(path, prefix, number)


def _mended_items(path: Path, prefix: str, skip: int) -> Iterator[tuple[int, Any] | Odd]:
    """The items from number `skip` on, of the mended document."""
    number = 0
    with opened(path) as file:
        counted = Counted(file)
        repaired = Repaired(counted)
        try:
            for value in ijson.items(repaired, prefix, multiple_values=True):
                counted.done()
                if number >= skip:
                    yield number, plain(value)
                number += 1
        except (JSONError, TooLarge) as error:
            said = str(error).removeprefix("b'").splitlines()[0].split("\\n")[0]
            what = f"the document does not read near byte {counted.total}: {said}"
            yield Odd(f"{path}: after {max(number, skip)} records", what, ends=True)


def listed(path: Path, prefix: str) -> bool:
    """Is what stands at an ijson prefix a list? True also of what is not there."""
    with opened(path) as file:
        try:
            for at, event, _ in ijson.parse(Repaired(Counted(file)), multiple_values=True):
                if at == prefix:
                    return bool(event == "start_array")
        except (JSONError, TooLarge):
            pass
    return True


def lines(path: Path) -> Iterator[tuple[int, Any] | Odd]:
    """The JSON values of a file of lines, each with its line number from 1."""
    with opened(path) as file:
        number = 0
        while line := file.readline(LARGEST):
            number += 1
            place = f"{path}:{number}"
            if len(line) == LARGEST and not line.endswith(b"\n"):
                while not line.endswith(b"\n") and (line := file.readline(LARGEST)):
                    pass
                yield Odd(place, f"the line has more than {LARGEST >> 20} MiB")
                continue
            if not line.strip():
                continue
            try:
                yield number, decoded(line)
            except (ValueError, RecursionError) as error:
                torn = not line.endswith(b"\n")
                what = "the line is cut off" if torn else f"no JSON: {error}"
                yield Odd(place, what, ends=torn)


def decoded(data: bytes) -> Any:
    """A whole JSON value, mended where it must be. Raises `ValueError` or `RecursionError`."""
    try:
        return msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return plain(json.loads(mended(data.decode("utf-8", "replace"))))
