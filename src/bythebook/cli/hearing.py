"""A progress bar over sessions of a judge."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bythebook.deliverables.judge.court import Hearing
from bythebook.deliverables.judge.judgement import Judgement


class HearingBar:
    """Looks on while items are judged; use it as a context manager."""

    def __init__(self, console: Console) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[last]}", markup=False),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._bar = self._progress.add_task("items", total=None, last="")

    def begins(self, items: int) -> None:
        self._progress.update(self._bar, total=items)

    def judged(self, hearing: Hearing, line: Judgement, *, final: bool) -> None:
        submission = hearing.submission
        last = f"{submission.task} run {submission.run} {line.item}: {line.verdict or 'void'}"
        if line.verdict is None:
            end = "" if final else "; another session is begun"
            says = escape(f"{last} ({line.cause}): {line.says[:200]}{end}")
            self._progress.console.print(f"[yellow]no verdict:[/] {says}")
        self._progress.update(self._bar, advance=int(final), last=last)

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
