"""What people see of an evaluation while it is played: a bar, or off a terminal a line now and
then."""

import time
from types import TracebackType
from typing import Self

from msgspec import UNSET
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Lines

from bythebook.models.ledger import Ledger
from bythebook.run.folder import RunFolder
from bythebook.run.progress import Progress
from bythebook.trace import Outcome
from bythebook.verdict import Verdict

EVERY = 30.0
"""Least seconds between two lines off a terminal."""


class Bar:
    """Watches one evaluation; use it as a context manager."""

    def __init__(
        self,
        console: Console,
        title: str = "runs",
        *,
        ledger: Ledger | None = None,
        every: float = EVERY,
    ) -> None:
        self._console, self._every = console, every
        self._state = Progress(ledger or Ledger(), time.monotonic())
        self._told = self._state.began
        self._lines = Lines(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[words]}", markup=False),
            TextColumn("{task.fields[last]}", markup=False),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._bar = self._lines.add_task(title, total=None, last="", words="")

    def begins(self, runs: int, finished: int) -> None:
        self._state.total, self._state.kept = runs, finished
        self._lines.update(self._bar, total=runs, completed=finished)

    def takes_up(self, place: RunFolder) -> None:
        self._state.running += 1

    def failed(self, place: RunFolder, outcome: Outcome) -> None:
        self._state.failure(outcome)
        says = escape(f"{place.task} run {place.number}: {outcome}: {outcome.says}")
        self._lines.console.print(f"[yellow]does not count:[/] {says}")

    def ends(self, place: RunFolder, verdict: Verdict | None) -> None:
        self._state.running -= 1
        if verdict is None:
            self._state.given_up += 1
        else:
            self._state.valid += 1
        last = f"{place.task} run {place.number}: {_mark(verdict)}"
        self._lines.update(self._bar, advance=1, last=last)

    def looks(self) -> None:
        now = time.monotonic()
        words = self._state.words(now)
        self._lines.update(self._bar, words=words)
        if not self._console.is_terminal and now - self._told >= self._every:
            self._told = now
            self._console.print(escape(words))

    def __enter__(self) -> Self:
        self._lines.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._lines.stop()


def _mark(verdict: Verdict | None) -> str:
    if verdict is None:
        return "given up"
    if verdict.delivered is UNSET:
        return "strict" if verdict.strict else "not strict"
    low, high = (f"{100 * bound:.1f}" for bound in (verdict.delivered.low, verdict.delivered.high))
    return f"score {low}" if low == high else f"score {low} - {high}"
