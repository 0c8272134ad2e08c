"""A summary in Markdown for a build's page: what each evaluation came to, and what broke most."""

from collections import Counter
from collections.abc import Iterator

from bythebook.report.data import Evaluation, Evaluations
from bythebook.report.render.markdown import escaped, grid
from bythebook.report.table import Table
from bythebook.report.tables import table
from bythebook.task import SUITES

MOST = 5


def summary(evaluations: Evaluations) -> str:
    """Markdown, for the page of a build: the main table of each suite, and what broke most."""
    return "\n".join(_lines(evaluations)) + "\n"


def _lines(evaluations: Evaluations) -> Iterator[str]:
    for suite in SUITES:
        every = evaluations.of(suite)
        if not every:
            continue
        found: Table = table(suite, evaluations)
        yield f"### {escaped(found.title)}"
        yield ""
        yield from grid(found)
        yield ""
        for one in every:
            yield from _broken(one)
        for note in found.notes:
            yield f"- {escaped(note)}"
        yield ""
    for problem in evaluations.problems:
        yield f"- **not read:** {escaped(problem)}"


def _broken(one: Evaluation) -> Iterator[str]:
    counted = Counter((run.task, rule) for run in one.runs for rule in run.broken)
    most = sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:MOST]
    if most:
        told = ", ".join(f"{task} {rule} ({times})" for (task, rule), times in most)
        yield f"- {escaped(one.label)} broke most often: {escaped(told)}"
