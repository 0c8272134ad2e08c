"""Failure behaviours, computed from verdicts and traces; no model is asked and nothing is guessed.

Each is counted in cases, and each case names its run, its event and its rule, so that a reader can
look it up. One broken rule can show several behaviours. What each one is stands in `CONDUCT` and
`DELIVERABLES`; how it is computed, in the modules of that name.
"""

from collections.abc import Iterator

from bythebook.report.behaviours import conduct, delivered
from bythebook.report.behaviours.case import CONDUCT, DELIVERABLES, Case
from bythebook.report.data import Evaluation
from bythebook.task import Content

__all__ = ["CONDUCT", "DELIVERABLES", "Case", "behaviours", "cases"]


def behaviours(suite: str) -> dict[str, str]:
    """Name to what it is, in the order they are shown."""
    return dict(DELIVERABLES if suite == "deliverables" else CONDUCT)


def cases(evaluation: Evaluation, content: Content) -> Iterator[Case]:
    """All cases of one evaluation, run by run; `content` tells which documents are in force."""
    if evaluation.suite == "deliverables":
        yield from delivered.cases(evaluation)
    else:
        yield from conduct.cases(evaluation, content)
