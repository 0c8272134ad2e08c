"""Foreign traces judged by a criteria file: one answer for each rule and trace.

Traces are read one after the other and event by event; what is kept of each is its answers.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from bythebook.interop.observer import Judged, Observer
from bythebook.interop.records import Odd, Weaver
from bythebook.interop.rulebook import Rulebook
from bythebook.interop.sources import ForeignTrace, traces_of

MOST_NAMED = 100
"""Most refused records of one trace that are named; all are counted."""


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """One trace and what the rules found in it."""

    file: str
    id: str
    format: str
    task: str = ""
    trial: int | None = None
    reward: float | None = None
    events: int = 0
    refused: int = 0
    """Records of the trace that could not be read."""
    odd: tuple[str, ...] = ()
    """The first of them, each with its place."""
    unread: tuple[str, ...] = ()
    """Results of which `track:` could not make rows."""
    cut: str = ""
    """Why the trace ends before its end."""
    criteria: tuple[Judged, ...] = ()

    def marked(self, verdict: str, *, heuristic: bool = False) -> list[Judged]:
        """Findings with this verdict: of rules that guess (`heuristic`), or of all others."""
        return [c for c in self.criteria if c.verdict == verdict and c.heuristic == heuristic]


def check_files(book: Rulebook, files: list[Path], *, form: str = "") -> Iterator[Checked | Odd]:
    """Every trace of every file, judged; and what of the files could not be read."""
    for path in files:
        for found in traces_of(path, form=form):
            yield found if isinstance(found, Odd) else check_trace(book, found)


def check_trace(book: Rulebook, trace: ForeignTrace) -> Checked:
    """One trace, read to its end and judged."""
    observer, weaver = Observer(book), Weaver()
    odd: list[str] = []
    refused = events = 0
    for event in weaver.weave(trace.records):
        if isinstance(event, Odd):
            refused += 1
            observer.gap(event)
            if len(odd) < MOST_NAMED:
                odd.append(f"{event.place}: {event.what}")
            continue
        if not observer.timed and weaver.start is not None:
            observer.begin(weaver.start)
        events += 1
        observer.feed(event)
    observer.cut = trace.cut
    about = trace.about
    return Checked(
        file=trace.file,
        id=about.id,
        format=trace.format,
        task=about.task,
        trial=about.trial,
        reward=about.reward,
        events=events,
        refused=refused,
        odd=tuple(odd),
        unread=tuple(observer.unread[:MOST_NAMED]),
        cut=observer.cut,
        criteria=observer.finish(),
    )
