"""`judgements.jsonl`: every judgement of a run, a line each, in the order they were made.

Lines are forced to disk one by one. A killed process leaves at most a torn last line, which is not
read and is written over. Nothing is ever taken out: of one judge on one item the last line stands.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from bythebook.deliverables.judge.judgement import Judgement
from bythebook.errors import TraceError

_LINE = msgspec.json.Decoder(Judgement)


def read_judgements(path: Path) -> tuple[Judgement, ...]:
    """All lines. Raises `TraceError` for one that does not read and is not a torn last one."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise TraceError(f"cannot be read: {error.strerror}", where=path) from None
    return tuple(_decoded(data, path))


def _decoded(data: bytes, path: Path) -> Iterator[Judgement]:
    lines = data.split(b"\n")
    for number, line in enumerate(lines[:-1], start=1):
        if not line:
            continue
        try:
            yield _LINE.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            where = f"{path}:{number}"
            raise TraceError(f"this line does not read: {error}", where=where) from None


def append(path: Path, judgements: Iterable[Judgement]) -> None:
    """Add lines and force them to disk; a torn last line is cut off first."""
    data = b"".join(msgspec.json.encode(one) + b"\n" for one in judgements)
    if not data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        _cut_torn(file.fileno())
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _cut_torn(handle: int) -> None:
    size = os.fstat(handle).st_size
    end = size
    while end and os.pread(handle, 1, end - 1) != b"\n":
        end -= 1
    if end != size:
        os.truncate(handle, end)
