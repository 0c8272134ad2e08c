"""What people wrote beside a task: paraphrases of private facts, and the second reader's ledger.

    paraphrases.yaml := {FACT: {elicits: [ten messages], silent: [ten messages]}}   public ones too
    review.yaml      := {readers: [{who, kind: person|model, day}],
                         sop_fidelity, one_reading, fairness, criteria: {holds, note},
                         blind: {by, violations: [three counterexamples], valid: [a twin]}}

`silent` messages do not bring the fact to light, also those that ask for everything at once.
`blind` cases were written by somebody who had seen request, procedure and documents only.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from bythebook import yamlfile
from bythebook.conduct.customer.hands import CustomerHands, Said
from bythebook.conduct.customer.scripted import ScriptedVoice
from bythebook.conduct.golden.edits import Cases
from bythebook.conduct.play import at_once
from bythebook.conduct.task import ConductTask
from bythebook.conduct.world import World
from bythebook.errors import ContentError, unknown
from bythebook.tool import Day

PARAPHRASES = 10
BLIND_VIOLATIONS, BLIND_VALID = 3, 1


class Paraphrases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Messages that bring one fact to light, and messages that do not."""

    elicits: tuple[str, ...]
    silent: tuple[str, ...]


class Reader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who read the task with fresh eyes, and when."""

    who: str
    kind: Literal["person", "model"]
    day: Day


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reader's answer to one question, and what was found or changed."""

    holds: bool
    note: str


class Blind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cases written from request, procedure and documents only, all judged right."""

    by: str
    violations: tuple[str, ...]
    valid: tuple[str, ...]


class Review(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`review.yaml`."""

    readers: tuple[Reader, ...]
    sop_fidelity: Answer
    """The procedure says what its sources say."""
    one_reading: Answer
    """Request, procedure and documents allow one right reading."""
    fairness: Answer
    """An honest agent can find everything, and nothing gives the traps away."""
    criteria: Answer
    """Each criterion says what its clause says, and no more."""
    blind: Blind


QUESTIONS = ("sop_fidelity", "one_reading", "fairness", "criteria")


def paraphrase_problems(task: ConductTask) -> Iterator[str]:
    """Too few messages for a private fact, and messages that the customer takes otherwise."""
    file = task.scenario.file
    private = {fact.id for fact in file.private}
    path = task.folder / "paraphrases.yaml"
    if not private and not path.exists():
        return
    try:
        found = yamlfile.load(path, dict[str, Paraphrases])
    except ContentError as error:
        yield str(error)
        return
    for name in sorted(found.keys() - task.scenario.facts.keys()):
        yield str(unknown("fact", name, task.scenario.facts, where=path))
    for name in sorted(private):
        yield from _too_few(name, found.get(name, Paraphrases((), ())))
    for name in sorted(found.keys() & task.scenario.facts.keys()):
        yield from _misunderstood(task, name, found[name])


def _too_few(name: str, messages: Paraphrases) -> Iterator[str]:
    for kind, texts in (("elicit", messages.elicits), ("do not elicit", messages.silent)):
        count = len(set(texts))
        if count < PARAPHRASES:
            yield f"paraphrases of {name}: {count} that {kind} it, {PARAPHRASES} are needed"


def _misunderstood(task: ConductTask, name: str, messages: Paraphrases) -> Iterator[str]:
    deaf = [text for text in messages.elicits if name not in told(task, text)]
    if len(deaf) > 1 and len(deaf) == len(messages.elicits):
        yield f"paraphrases of {name}: no message elicits it; see its `asks` in customer.yaml"
        deaf = []
    for text in deaf:
        yield f"paraphrases of {name}: {text!r} should elicit it"
    for text in messages.silent:
        if name in told(task, text):
            yield f"paraphrases of {name}: {text!r} should not elicit it"


def told(task: ConductTask, text: str) -> frozenset[str]:
    """The facts that the scripted customer tells when this is the first thing said."""
    facts: list[str] = []

    def record(name: str, args: object, ok: bool, result: object) -> None:
        if name == "recall" and isinstance(args, dict):
            facts.append(str(args["fact"]))

    hands = CustomerHands(World(task.opening), task.scenario, record)
    at_once(ScriptedVoice(task.scenario).answer(Said(text), hands))
    return frozenset(facts)


def review_problems(folder: Path, cases: Cases) -> Iterator[str]:
    """What the second reader's ledger lacks."""
    path = folder / "review.yaml"
    try:
        review = yamlfile.load(path, Review)
    except ContentError as error:
        yield str(error)
        return
    if not review.readers:
        yield "review: nobody has read it"
    for question in QUESTIONS:
        answer: Answer = getattr(review, question)
        if not answer.holds or not answer.note.strip():
            yield f"review: {question} is {'answered without a note' if answer.holds else 'open'}"
    yield from _blind_problems(review.blind, cases)


def _blind_problems(blind: Blind, cases: Cases) -> Iterator[str]:
    for kind, names, known, least in (
        ("violations", blind.violations, cases.counterexamples, BLIND_VIOLATIONS),
        ("valid", blind.valid, cases.twins, BLIND_VALID),
    ):
        if len(set(names)) < least:
            yield f"review: blind {kind}: {len(set(names))} of {least}"
        for name in names:
            if name not in known:
                yield f"review: blind {kind}: {unknown('case', name, known)}"
