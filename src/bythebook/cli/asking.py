"""What people see while a model is asked: a bar, or off a terminal a line for each question."""

import time
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bythebook.build.mind import Question
from bythebook.cli.watch import EVERY
from bythebook.models.ledger import Ledger
from bythebook.run.progress import spent


class AskingBar:
    """Looks on while the questions of one stage are asked, of one stage after the other."""

    def __init__(self, console: Console, ledger: Ledger, *, every: float = EVERY) -> None:
        """`every`: least seconds between two lines off a terminal that tell nothing new."""
        self._console, self._ledger, self._every = console, ledger, every
        self._lines: Progress | None = None
        self._stage, self._all, self._ended = "", 0, 0
        self._told_at, self._told = 0.0, ""

    def begins(self, stage: str, questions: int) -> None:
        self._stage, self._all, self._ended = stage, questions, 0
        self._told_at, self._told = time.monotonic(), ""
        self._lines = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[words]}", markup=False),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._bar = self._lines.add_task(stage, total=questions, words="")
        self._lines.start()

    def ends(self, question: Question, how: str) -> None:
        self._ended += 1
        self._console.print(escape(f"{question.stage}/{question.id}: {how}"))
        if self._lines is not None:
            self._lines.update(self._bar, advance=1)

    def overtaken(self, question: Question, edited: Path) -> None:
        self._console.print(
            escape(
                f"{question.stage}/{question.id}: the question has changed and is asked anew; the "
                f"answer that was edited by hand is {edited}. Edit the new one, and it counts."
            )
        )

    def looks(self) -> None:
        """A provider that has to be asked again is told at once, all else now and then."""
        words = ", ".join(spent(self._ledger))
        if self._lines is not None:
            self._lines.update(self._bar, words=words)
        now, fault = time.monotonic(), self._ledger.fault
        if self._console.is_terminal:
            return
        if (fault and fault != self._told) or now - self._told_at >= self._every:
            self._told_at, self._told = now, fault
            self._console.print(escape(f"{self._stage}: {self._ended}/{self._all}, {words}"))

    def over(self) -> None:
        if self._lines is not None:
            self._lines.stop()
            self._lines = None
        self._console.print(escape(f"{self._stage}: {', '.join(spent(self._ledger))}"))
