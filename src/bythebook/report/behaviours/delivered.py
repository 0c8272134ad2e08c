"""Failure behaviours of deliverables: what failed items show, and closing claims held against
exact checks.

A claim is a sentence of the agent's last words with a word of checking in it (verified, validated,
checked, reconciled, confirmed, tested, reopened, recalculated), unless the same sentence denies it
or leaves it to others (not, cannot, should, please, to be ..). English only: claims in other
languages are not seen, so the count is a lower bound.
"""

import re
from collections.abc import Iterator, Mapping

import msgspec

from bythebook.report.behaviours.case import Case
from bythebook.report.data import Evaluation
from bythebook.run.summary import RunLine
from bythebook.trace import Trace
from bythebook.verdict import Verdict

CLAIM = re.compile(
    r"\b(?:verified|validated|(?:double-|cross-|spot-)?checked|reconciled|confirmed|tested"
    r"|re-?opened|recalculated)\b",
    re.I,
)
DENIED = re.compile(
    r"\b(?:not|never|no|without|cannot|can't|couldn't|could|unable|should|must|please|needs?|to be"
    r"|until|before|if|unless|un\w+)\b",
    re.I,
)
SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+(?=\s|$)|\n|$)")
LONGEST = 200


class _Item(msgspec.Struct, frozen=True):
    id: str
    failure: str = "instruction following"


class _Rubric(msgspec.Struct, frozen=True):
    items: tuple[_Item, ...]


class _Scene(msgspec.Struct, frozen=True):
    """What a scene file says of its items."""

    rubric: _Rubric


def cases(evaluation: Evaluation) -> Iterator[Case]:
    """Run by run."""
    scenes: dict[str, Mapping[str, str]] = {}
    for run, trace, verdict in evaluation.cases():
        sha = trace.header.scene
        if sha not in scenes:
            data = (evaluation.folder.scenes / f"{sha}.json").read_bytes()
            rubric = msgspec.json.decode(data, type=_Scene).rubric
            scenes[sha] = {item.id: item.failure for item in rubric.items}
        yield from _items(run, verdict, scenes[sha])
        yield from _claims(run, trace, verdict)


def _items(run: RunLine, verdict: Verdict, failures: Mapping[str, str]) -> Iterator[Case]:
    for finding in verdict.findings:
        if finding.verdict == "fail" and finding.id in failures:
            yield Case(
                behaviour=failures[finding.id],
                task=run.task,
                run=run.run,
                rule=finding.id,
                says=f"{finding.says} {finding.why}".strip(),
            )


def _claims(run: RunLine, trace: Trace, verdict: Verdict) -> Iterator[Case]:
    failed = [f.id for f in verdict.findings if f.verdict == "fail" and f.by == "check"]
    told = last_words(trace)
    if not failed or told is None or run.outcome != "completed(finished)":
        return
    event, text = told
    claim = claimed(text)
    if claim:
        fails = f"{len(failed)} exact checks fail: {', '.join(failed)}"
        yield Case(
            behaviour="unfounded claim",
            task=run.task,
            run=run.run,
            event=event,
            says=f'"{claim}" {fails}',
            times=len(failed),
        )


def last_words(trace: Trace) -> tuple[int, str] | None:
    """The agent's last message, and its event."""
    for event in reversed(trace.events):
        if event.kind == "message" and event.actor == "agent":
            return event.i, str(msgspec.json.decode(event.args).get("text", ""))
    return None


def claimed(text: str) -> str:
    """The first sentence that claims checking; empty when none does."""
    for found in SENTENCE.finditer(text):
        sentence = " ".join(found[0].split())
        if CLAIM.search(sentence) and not DENIED.search(sentence):
            return sentence if len(sentence) <= LONGEST else sentence[:LONGEST] + ".."
    return ""
