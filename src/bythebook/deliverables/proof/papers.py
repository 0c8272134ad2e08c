"""What people wrote beside a task: stored answers on its judged items, and the reader's ledger.

    hand.yaml    := {ITEM: {by, hash, reference: ANSWER, reference-2?: ANSWER,
                            faults: {NAME: ANSWER}}}
    ANSWER       := {verdict: pass|fail, because, cited: [{at, reads}], searched?: [..]}
    review.yaml  := {readers: [{who, kind: person|model, profession, day}],
                     one_reading, items, fairness, references: {holds, note},
                     mended: [{item, found, done}], unwatched?: {HEADING: why}}

`hash` is that of the item as it was answered: one that says something else now is answered anew.
`one_reading`: prompt and inputs allow one right answer; `items`: every item follows from them;
`fairness`: all can be found, nothing gives traps away; `references`: the profession would sign.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from bythebook import yamlfile
from bythebook.deliverables.judge.given import Breach, Given
from bythebook.deliverables.judge.judgement import Cited
from bythebook.deliverables.judge.submission import Exhibit, Submission
from bythebook.deliverables.judge.verify import check_places
from bythebook.deliverables.rubric import Item
from bythebook.deliverables.task import DeliverableTask
from bythebook.errors import ContentError, unknown
from bythebook.tool import Day

HASH = 16
"""Digits of an item's hash that stand in `hand.yaml`."""


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    verdict: Literal["pass", "fail"]
    because: str
    cited: tuple[Cited, ...]
    searched: tuple[str, ...] = ()


class Hand(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    rename={"second": "reference-2"},
):
    """Stored answers on one item."""

    by: str
    hash: str
    reference: Answer
    second: Answer | None = None
    faults: dict[str, Answer] = {}


def hand_problems(
    task: DeliverableTask,
    exhibits: Mapping[str, Exhibit],
    inputs: Exhibit,
    broken: Mapping[str, frozenset[str]],
) -> Iterator[str]:
    """What the stored answers lack. `exhibits`: the references and faults at hand, by name;
    `broken`: fault to the items that it is said to break."""
    judged = [item for item in task.rubric.items if item.decided_by != "check"]
    path = task.folder / "hand.yaml"
    if not judged and not path.exists():
        return
    try:
        found = yamlfile.load_each(path, Hand, decimals=True)
    except ContentError as error:
        yield str(error)
        return
    yield from _misnamed(task, found, broken)
    for item in judged:
        if item.id not in found:
            yield f"hand: {item.id} is judged and has no stored answers"
            continue
        court = _Hands(task, exhibits, inputs)
        yield from (
            f"hand: {item.id}: {says}" for says in court.problems(item, found[item.id], broken)
        )


def misread(task: DeliverableTask, faults: Iterable[str]) -> Iterator[str]:
    """What is written and cannot be meant: a file that does not read, a name that is none."""
    path = task.folder / "hand.yaml"
    try:
        if path.exists():
            yield from _misnamed(task, yamlfile.load_each(path, Hand, decimals=True), faults)
    except ContentError as error:
        yield str(error)
    try:
        if (task.folder / REVIEW).exists():
            load_review(task.folder)
    except ContentError as error:
        yield str(error)


def _misnamed(
    task: DeliverableTask, found: Mapping[str, Hand], faults: Iterable[str]
) -> Iterator[str]:
    """Items that no judge decides, and faults that there are not."""
    path = task.folder / "hand.yaml"
    text = yamlfile.read_text(path)
    judged, known = {i.id for i in task.rubric.items if i.decided_by != "check"}, set(faults)
    for name, hand in found.items():
        if name not in judged:
            where = f"{path}:{yamlfile.line_of(text, f'.{name}')}"
            yield str(unknown("judged item", name, judged, where=where))
        for fault in hand.faults.keys() - known:
            where = f"{path}:{yamlfile.line_of(text, f'.{name}.faults.{fault}')}, {name}"
            yield str(unknown("fault", fault, known, where=where))


class _Hands:
    def __init__(
        self, task: DeliverableTask, exhibits: Mapping[str, Exhibit], inputs: Exhibit
    ) -> None:
        self.task, self.exhibits, self.inputs = task, exhibits, inputs

    def problems(
        self, item: Item, hand: Hand, broken: Mapping[str, frozenset[str]]
    ) -> Iterator[str]:
        if hand.hash != item.hash[:HASH]:
            yield f"answered for another wording; answer anew, then `hash: {item.hash[:HASH]}`"
            return
        answers = {"reference": hand.reference, "reference-2": hand.second}
        for name, answer in answers.items():
            if answer is None and name in self.exhibits:
                yield f"no answer on {name}"
            elif answer is not None and answer.verdict != "pass":
                yield f"{name} must satisfy it, and the answer is {answer.verdict}"
            elif answer is not None:
                yield from self._misplaced(name, answer)
        if not hand.faults:
            yield "no answer on a fault"
        for name, answer in hand.faults.items():
            yield from self._on_fault(item, (name, answer), broken)

    def _on_fault(
        self, item: Item, told: tuple[str, Answer], broken: Mapping[str, frozenset[str]]
    ) -> Iterator[str]:
        name, answer = told
        if name not in broken:
            return
        if answer.verdict != "fail" or item.id not in broken[name]:
            yield f"{name} must break it: name the item under its `judged`, and answer `fail`"
        yield from self._misplaced(name, answer)

    def _misplaced(self, name: str, answer: Answer) -> Iterator[str]:
        """Places that do not hold, as for any judge."""
        exhibit = self.exhibits.get(name)
        if exhibit is None:
            return
        task = self.task
        given = Given(
            because=answer.because,
            evidence=answer.cited,
            searched=answer.searched,
            verdict=answer.verdict,
        )
        submission = Submission(
            task=task.id,
            run=1,
            prompt=task.prompt,
            wants=task.wants,
            items=task.rubric.items,
            results=exhibit,
            inputs=self.inputs,
        )
        try:
            check_places(given, submission)
        except Breach as breach:
            yield f"{name}: {breach.says}"


# --- the reader's ledger ------------------------------------------------------------------------


class Reader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who read the task with the eyes of its profession, and when."""

    who: str
    kind: Literal["person", "model"]
    profession: str
    day: Day


class Held(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reader's answer to one question, and what was found or changed."""

    holds: bool
    note: str


class Mended(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An item that was unfair or wrong, and what was done about it."""

    item: str
    found: str
    done: str


class Review(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`review.yaml`."""

    readers: tuple[Reader, ...]
    one_reading: Held
    items: Held
    fairness: Held
    references: Held
    mended: tuple[Mended, ...]
    unwatched: dict[str, str] = {}
    """Headings that the prompt names and no check reads, each with the reason."""


QUESTIONS = ("one_reading", "items", "fairness", "references")


REVIEW = "review.yaml"


def load_review(folder: Path) -> Review:
    """Raises `ContentError`."""
    path = folder / REVIEW
    if not path.exists():
        hint = "whoever knows the work and did not write the task writes it: docs/prove.md"
        raise ContentError("nobody has read the task yet", where=path, hint=hint)
    return yamlfile.load(path, Review)


def review_problems(review: Review) -> Iterator[str]:
    """What the reader's ledger lacks."""
    if not review.readers:
        yield "review: nobody has read it"
    for reader in review.readers:
        if not reader.profession.strip():
            yield f"review: as what did {reader.who} read it?"
    for question in QUESTIONS:
        answer: Held = getattr(review, question)
        if not answer.holds or not answer.note.strip():
            yield f"review: {question} is {'answered without a note' if answer.holds else 'open'}"
