"""A progress bar over an evaluation."""

from types import TracebackType
from typing import Self

from msgspec import UNSET
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bythebook.run.folder import RunFolder
from bythebook.trace import Outcome
from bythebook.verdict import Verdict


class Bar:
    """Watches one evaluation; use it as a context manager."""

    def __init__(self, console: Console, title: str = "runs") -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[last]}"),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._bar = self._progress.add_task(title, total=None, last="")

    def begins(self, runs: int, finished: int) -> None:
        self._progress.update(self._bar, total=runs, completed=finished)

    def failed(self, place: RunFolder, outcome: Outcome) -> None:
        says = escape(f"{place.task} run {place.number}: {outcome}: {outcome.says}")
        self._progress.console.print(f"[yellow]does not count:[/] {says}")

    def ends(self, place: RunFolder, verdict: Verdict | None) -> None:
        last = escape(f"{place.task} run {place.number}: {_mark(verdict)}")
        self._progress.update(self._bar, advance=1, last=last)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._progress.stop()


def _mark(verdict: Verdict | None) -> str:
    if verdict is None:
        return "given up"
    if verdict.delivered is UNSET:
        return "strict" if verdict.strict else "not strict"
    low, high = (f"{100 * bound:.1f}" for bound in (verdict.delivered.low, verdict.delivered.high))
    return f"score {low}" if low == high else f"score {low} - {high}"
