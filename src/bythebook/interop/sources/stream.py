"""Large files read piece by piece, in bounded memory, and never given up without a word.

Documents are streamed by ijson; a file of lines is read line by line. A file that ends too early or
breaks in the middle gives what stands before, then an `Odd` that names the place.
"""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import ijson
import msgspec
from ijson.common import IncompleteJSONError, JSONError

from bythebook.errors import TraceError
from bythebook.interop.records import Odd

LARGEST = 256 * 1024 * 1024
"""Most bytes of one record: a conversation of a list, or a line."""
GZIP = b"\x1f\x8b"


class TooLarge(ValueError):
    """One record is larger than is read into memory."""


class Counted:
    """A file that refuses to be read without end between two records."""

    def __init__(self, file: BinaryIO) -> None:
        self.file, self.since, self.total = file, 0, 0

    def read(self, size: int = -1) -> bytes:
        data = self.file.read(size)
        self.since += len(data)
        self.total += len(data)
        if self.since > LARGEST:
            raise TooLarge(f"one record has more than {LARGEST >> 20} MiB")
        return data


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked when they are gzip. Raises `TraceError`."""
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == GZIP
            raw.seek(0)
            if not packed:
                yield raw
                return
            with gzip.open(raw) as unpacked:
                yield cast(BinaryIO, unpacked)
    except EOFError:
        raise TraceError("the packed file is cut off", where=path) from None
    except OSError as error:
        raise TraceError(f"cannot be read: {error.strerror or error}", where=path) from None


def items(path: Path, prefix: str) -> Iterator[tuple[int, Any] | Odd]:
    """The values at an ijson prefix (`simulations.item`), each with its number from 0."""
    with opened(path) as file:
        counted = Counted(file)
        number = 0
        try:
            for value in ijson.items(counted, prefix, use_float=True):
                counted.since = 0
                yield number, value
                number += 1
        except (JSONError, TooLarge, UnicodeDecodeError) as error:
            yield Odd(f"{path}: after {number} records", broken(error, counted.total))


def broken(error: Exception, total: int) -> str:
    """What is wrong with a document, in words."""
    if isinstance(error, IncompleteJSONError) and "premature" in str(error):
        return f"the document ends too early, after {total} bytes"
    said = str(error).splitlines()[0] if str(error) else type(error).__name__
    return f"the document does not read near byte {total}: {said}"


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
                yield number, msgspec.json.decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                torn = not line.endswith(b"\n")
                yield Odd(place, "the line is cut off" if torn else f"no JSON: {error}")
