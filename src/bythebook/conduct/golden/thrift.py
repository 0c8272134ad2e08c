"""Agents of different thrift, for looking at caps on tool calls: a golden's steps, fewer or more.

Reading costs no time and no rule, so neither of them changes a verdict that no cap cuts short.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import floor

from msgspec.structs import replace

from bythebook.conduct.company import Company
from bythebook.conduct.golden.plan import UNJUDGED, Step, tool_of

LOOK = Step("look", "now", {})
"""What is repeated before anything was read."""


def frugal(script: tuple[Step, ...], company: Company) -> tuple[Step, ...]:
    """Without the steps that can be left out: those marked so, and those that only read."""
    return tuple(step for step in script if _needed(step, company))


def wasteful(script: tuple[Step, ...], company: Company, ratio: Fraction) -> tuple[Step, ...]:
    """The golden's steps, with what was read last read again in between, evenly: floor(ratio * R)
    calls in all, and never fewer than R."""
    size = len(script)
    extra = max(0, floor(ratio * size) - size)
    return tuple(_padded(script, company, extra))


def _padded(script: tuple[Step, ...], company: Company, extra: int) -> Iterator[Step]:
    size, last = len(script), LOOK
    for place, step in enumerate(script):
        for number in range(place * extra // size, (place + 1) * extra // size):
            yield replace(last, id=f"{last.id}-again-{number}")
        yield step
        if _only_reads(step, company):
            last = step


def _only_reads(step: Step, company: Company) -> bool:
    tool = tool_of(company, step.call)
    return tool is not None and not tool.writes and step.call not in UNJUDGED


def _needed(step: Step, company: Company) -> bool:
    if step.call in UNJUDGED or step.optional is False:
        return True
    return not step.optional and not _only_reads(step, company)
