"""How a check ends early: with its answer, from wherever it is found."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from bythebook.deliverables.checks.answer import Answer


class Decided(Exception):
    """Raised inside a check, caught where checks are run; never leaves `checks`."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.why)
        self.answer = answer


def fail(why: str, place: str = "", *, seen: str = "", wanted: str = "", **more: Any) -> Decided:
    """What the candidate's bytes cause."""
    return Decided(Answer(mark="fail", place=place, seen=seen, wanted=wanted, why=why, **more))


def unsure(why: str, place: str = "", *, seen: str = "", wanted: str = "", **more: Any) -> Decided:
    """A place that the prompt leaves free cannot be found: the judge decides."""
    return Decided(Answer(mark="unsure", place=place, seen=seen, wanted=wanted, why=why, **more))


def void(why: str, place: str = "") -> Decided:
    """Our own fault."""
    return Decided(Answer(mark="void", place=place, why=why))


def together(tries: Iterable[Callable[[], Answer]], *, place: str = "") -> Answer:
    """Several questions of one check: a failure before anything unsure, else all hold."""
    answers = [_tried(one) for one in tries]
    ranked = [a for mark in ("void", "fail", "unsure") for a in answers if a.mark == mark]
    wrong = sum(answer.mark != "pass" for answer in answers)
    found = ranked[0] if ranked else answers[0] if answers else Answer(mark="pass", place=place)
    return msgspec.structs.replace(found, count=(wrong, len(answers)))


def _tried(one: Callable[[], Answer]) -> Answer:
    try:
        return one()
    except Decided as decided:
        return decided.answer
