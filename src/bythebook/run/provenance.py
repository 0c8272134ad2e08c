"""Who judged what, with which version and rules, and when; and the verdicts that stood before.

    runs/<evaluation>/
      scorings.jsonl                     one line for every verdict that was written over another,
                                         or made after its run had ended
      <task>/<n>/verdicts/<sha256>.json  a verdict that stood before, as it was

A verdict itself holds no time and no name: the same files give the same bytes. A first verdict that
its own run wrote needs no line; the trace names the version that played it.
"""

import hashlib
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from bythebook import __version__
from bythebook.errors import TraceError
from bythebook.run.durable import on_disk, write_whole
from bythebook.run.folder import EvaluationFolder, RunFolder
from bythebook.verdict import Verdict


class Scoring(msgspec.Struct, frozen=True, kw_only=True):
    """One line of `scorings.jsonl`."""

    task: str
    run: int
    file: str
    """`verdict.json`, or `verdict-current.json` under today's rules."""
    was: str = ""
    """SHA-256 of the verdict that stood there, kept in `verdicts/`; empty: there was none."""
    now: str
    """SHA-256 of the verdict that was written."""
    rules: str
    """SHA-256 of the rules that were applied."""
    bythebook: str
    """Version of the program that judged."""
    at: str
    """UTC, such as 2026-05-04T09:30:00Z."""
    by: str = ""
    """Who judged, as they named themselves; empty: nobody said."""


_LINE = msgspec.json.Decoder(Scoring)


def sha_of(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def kept_verdict(place: RunFolder, data: bytes) -> Path:
    """Keep a verdict that is about to be written over; its new place."""
    path = place.verdicts / f"{sha_of(data)}.json"
    if not path.exists():
        write_whole(path, data)
    return path


def scoring(place: RunFolder, path: Path, verdict: Verdict, data: bytes) -> Scoring:
    """The line for a verdict, as `data`, that is about to be written to `path`."""
    was = path.read_bytes() if path.exists() else None
    return Scoring(
        task=place.task,
        run=place.number,
        file=path.name,
        was=sha_of(was) if was is not None else "",
        now=sha_of(data),
        rules=verdict.rules,
        bythebook=__version__,
        at=f"{_now():%Y-%m-%dT%H:%M:%SZ}",
    )


def _now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - when somebody judged is no part of a run


def note(folder: EvaluationFolder, lines: Iterable[Scoring]) -> None:
    """Add lines to `scorings.jsonl` and force them to disk."""
    data = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    with on_disk(folder.scorings), folder.scorings.open("ab") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def scorings(folder: EvaluationFolder) -> tuple[Scoring, ...]:
    """All lines, oldest first; a torn last one is left out. Raises `TraceError` for another that
    does not read."""
    path = folder.scorings
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            found.append(_LINE.decode(line))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            what = f"this line does not read: {error}"
            raise TraceError(what, where=f"{path}:{number}") from None
    return tuple(found)
