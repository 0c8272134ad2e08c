"""Runs of several folders that bear one number and are not the same run: each gets its own number.

Two machines that each played run 1 of a task have two different runs 1. Pooled, the first keeps the
number, and the others go on after the last number of the task. What differs between two copies of
one run (one journal, other judgements) is no second run, and stays a conflict.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

import msgspec

from bythebook.run.durable import write_whole
from bythebook.run.folder import RunFolder
from bythebook.trace import Header


class Copy(Protocol):
    """One run as one folder holds it."""

    @property
    def place(self) -> RunFolder: ...
    @property
    def finished(self) -> bool: ...


C = TypeVar("C", bound=Copy)
Numbered = dict[tuple[str, int], list[C]]


def pooled(runs: Mapping[tuple[str, int], Sequence[C]]) -> Numbered[C]:
    """The same copies, those of other journals under new numbers."""
    found: Numbered[C] = {}
    last: dict[str, int] = {}
    for task, number in runs:
        last[task] = max(number, last.get(task, 0))
    for (task, number), copies in sorted(runs.items()):
        first, *others = _alike(copies)
        found[task, number] = first
        for other in others:
            last[task] += 1
            found[task, last[task]] = other
    return dict(sorted(found.items()))


def _alike(copies: Iterable[C]) -> Iterator[list[C]]:
    """Copies of one journal each; who only tried it goes with the first."""
    groups: dict[bytes, list[C]] = {}
    tried = []
    for one in copies:
        if one.finished:
            groups.setdefault(one.place.trace.read_bytes(), []).append(one)
        else:
            tried.append(one)
    first, *others = groups.values() or [[]]
    yield [*first, *tried]
    yield from others


def renumber(place: RunFolder) -> None:
    """Give a journal that was copied to `place` the number of that place. The verdict still names
    the old one: it is made anew, and kept, by whoever judges next."""
    head, _, events = place.trace.read_bytes().partition(b"\n")
    header = msgspec.json.decode(head, type=Header)
    own = msgspec.structs.replace(header, run=place.number)
    write_whole(place.trace, msgspec.json.encode(own) + b"\n" + events)
