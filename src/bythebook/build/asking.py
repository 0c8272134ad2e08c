"""The questions of one stage: those that are due are asked, and what is taken of them is written.

One job, one question. A job is due when it was never done, when what it is made from has changed,
or when somebody has changed its answer, or put it aside, since it was taken.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from bythebook.build.mind import Answered, Mind, Question, T, Take
from bythebook.build.stages import Stage

Files = Mapping[str, str]
"""Name in a stage's folder to text."""


class Asking:
    """A stage, its jobs, and who is asked."""

    def __init__(
        self, stage: Stage, topic: str, jobs: Mapping[str, Mapping[str, str]], mind: Mind | None
    ) -> None:
        """`topic`: the stage's name among the questions. `jobs`: job to the hashes of its inputs.
        `mind`: None where there is nobody; then only `ask` has to be left alone."""
        self._stage, self._topic, self._jobs, self._mind = stage, topic, jobs, mind

    @cached_property
    def revised(self) -> tuple[str, ...]:
        """Jobs whose answer was changed or put aside after it had been taken."""
        changed = self._mind.revised(self._topic) if self._mind else ()
        return tuple(job for job in changed if job in self._jobs)

    def due(self) -> tuple[str, ...]:
        """The jobs to be asked now. Raises `WouldLose` for files that a person edited.

        Where such a file is kept (`--keep`), a changed answer of its job is not taken, now or
        later.
        """
        due = self._stage.due(self._jobs, self.revised)
        kept = [job for job in self.revised if job not in due]
        if self._mind and kept:
            self._mind.leave(self._topic, kept)
        return due

    def ask(
        self,
        due: Iterable[str],
        prompt: Callable[[str], str],
        take: Take[T],
        write: Callable[[str, T], Files],
    ) -> Answered[T]:
        """Ask these jobs, and write all that was taken at once. `write`: the files of a job."""
        assert self._mind is not None, "whoever asks names a mind"
        answered = self._mind.answers(
            [Question(self._topic, job, prompt(job)) for job in due], take
        )
        self._stage.put_all(
            {job: (write(job, found), self._jobs[job]) for job, found in answered.taken.items()}
        )
        return answered
