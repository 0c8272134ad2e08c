"""Traces of bythebook itself, judged by a criteria file as any other trace.

Calls, the customer's acts and messages are taken; the company's rows are not: the state is what
`track:` makes of results, as for every trace.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bythebook.interop.records import Called, Note, Odd, Record, Returned, Turn
from bythebook.interop.sources.conversation import About, ForeignTrace, number_of
from bythebook.interop.sources.stream import lines

SPEAKS = "message_customer"


def read_own(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """One journal."""
    about = About(path.stem)
    for one in lines(path):
        if not isinstance(one, Odd) and isinstance(one[1], Mapping):
            header = one[1]
            task, run = str(header.get("task", "")), header.get("run")
            trial = run if isinstance(run, int) else None
            about = About(f"{task}/{run}", task, trial)
        break
    trace = ForeignTrace(str(path), form, about, ())
    trace.records = _records(trace, path)
    yield trace


def _records(trace: ForeignTrace, path: Path) -> Iterator[Record]:
    closed = False
    for one in lines(path):
        if isinstance(one, Odd):
            yield one
            continue
        number, line = one
        if number == 1:
            continue
        if not isinstance(line, Mapping) or ("outcome" not in line and "kind" not in line):
            yield Odd(f"line {number}", "no event")
        elif "outcome" in line:
            closed = True
        else:
            yield from _event(line, f"line {number}")
    if not closed:
        trace.cut = "the run was still in flight"


def _event(line: Mapping[str, Any], place: str) -> Iterator[Record]:
    kind, name = line.get("kind"), str(line.get("name", ""))
    sent, minute = line.get("args"), number_of(line.get("t"))
    args = sent if isinstance(sent, Mapping) else {}
    at = None if minute is None else minute * 60
    by = "agent" if line.get("actor") == "agent" else "customer"
    if kind == "call" and name == SPEAKS:
        yield Turn("agent", str(args.get("text", "")), (), place, at)
    elif kind in ("call", "customer"):
        key = f"event {line.get('i')}"
        called, move = Called(key, name, args, place), line.get("move")
        group = f"move {move}" if move is not None else ""
        yield Turn(by, "", (called,), place, at, group)  # type: ignore[arg-type]  # one of two actors
        yield Returned(key, line.get("result"), line.get("ok") is False, name, place, at)
    elif kind == "message":
        yield Turn(by, str(args.get("text", "")), (), place, at)  # type: ignore[arg-type]  # as above
    else:
        yield Note(str(kind), name, place, at)
