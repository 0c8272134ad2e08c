"""The checks of one task asked of many samples, and which cells they look at."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from bythebook.deliverables.checks import Case, run_check
from bythebook.deliverables.checks.answer import Answer, Evidence
from bythebook.deliverables.checks.places import Spot
from bythebook.deliverables.checks.spec import Pages, WhatIf
from bythebook.deliverables.checks.uses import FileUse, paged, resolve
from bythebook.deliverables.checks.want import Want
from bythebook.deliverables.evidence.model import Scalar, Workbook
from bythebook.deliverables.proof.prints import Prints
from bythebook.deliverables.proof.sample import Changes, Sample, ordered
from bythebook.deliverables.rubric import WEIGHT, Item
from bythebook.deliverables.task import DeliverableTask

Answers = Mapping[str, Answer]
"""By item, of those that have a check or a screen."""


@dataclass(frozen=True)
class Watch:
    """What the checks look at in one sample."""

    seen: dict[str, frozenset[Spot]] = field(default_factory=dict)
    """Item to the cells that it judges or finds its way by."""
    wanted: dict[str, dict[Spot, Want]] = field(default_factory=dict)
    """Item to the cells whose value it judges."""

    @cached_property
    def promised(self) -> frozenset[Spot]:
        """Every cell whose value some check judges."""
        return frozenset(spot for wants in self.wanted.values() for spot in wants)

    def judges_of(self, spot: Spot) -> dict[str, Want]:
        """The items that judge a cell's value, and what they want of it."""
        return {item: wants[spot] for item, wants in self.wanted.items() if spot in wants}


class Court:
    """The rubric of one task, ready to be asked."""

    def __init__(self, task: DeliverableTask, inputs: Evidence) -> None:
        self.task, self.inputs = task, inputs
        self.items: dict[str, Item] = {i.id: i for i in task.rubric.items if i.spec is not None}
        """Those with a check or a screen."""
        self.supposing = {
            name: _supposed(task, i) for name, i in self.items.items() if _supposes(i)
        }
        """What-ifs: workbook, and the input cells with the values that they are given."""
        self.laying = {name: laid for name, i in self.items.items() if (laid := _laid(task, i))}
        """Items that ask for the pages of documents: those documents."""
        self._lasting: dict[Any, Any] = {}
        self._answers: dict[tuple[str, bytes], Answer] = {}

    @property
    def costly(self) -> frozenset[str]:
        """Items that an engine is asked for, file by file."""
        return frozenset((*self.supposing, *self.laying))

    def case(self, sample: Sample, kept: Case | None = None, *, watched: bool = True) -> Case:
        """A case of this task; `kept`: another case of the same sample, whose tables it shares."""
        task = self.task
        return Case(
            results=sample,
            inputs=self.inputs,
            expected=task.expected,
            fields=task.rubric.fields,
            wants=task.wants,
            locale=task.file.locale,
            kept={} if kept is None else kept.kept,
            lasting=self._lasting,
            watched=watched,
        )

    def judge(self, sample: Sample, items: Collection[str] | None = None) -> dict[str, Answer]:
        """The answers on a sample, of these items or of all that can be asked. An item that reads
        the same as in a sample judged before is not asked again."""
        asked = self.askable(sample) if items is None else items
        case, prints = self.case(sample, watched=False), Prints(sample, self.task.wants)
        found = {}
        for name, item in self.items.items():
            if name in asked:
                known = name, prints.of(item)
                if known not in self._answers:
                    self._answers[known] = run_check(item, case)
                found[name] = self._answers[known]
        return found

    def judge_one(self, sample: Sample, items: Collection[str]) -> dict[str, Answer]:
        """The same of a sample like which there is no other: nothing is remembered."""
        case = self.case(sample, watched=False)
        return {name: run_check(self.items[name], case) for name in self.items if name in items}

    def askable(self, sample: Sample) -> Collection[str]:
        """All items, without those that need values which nobody computed."""
        unsupposed = {
            name
            for name, (file, changes) in self.supposing.items()
            if takes(sample.books.get(file), changes) and (file, changes) not in sample.supposed
        }
        unlaid = {
            name
            for name, files in self.laying.items()
            if files & sample.documents - sample.layouts.keys()
        }
        return self.items.keys() - unsupposed - unlaid

    def watch(self, sample: Sample) -> Watch:
        """The cells that each item looks at."""
        shared = self.case(sample)
        found = Watch()
        for name, item in self.items.items():
            if name not in self.costly:
                case = self.case(sample, shared)
                run_check(item, case)
                found.seen[name] = frozenset(case.seen)
                found.wanted[name] = dict(case.wanted)
        return found

    def score(self, answers: Answers) -> float:
        """Of the weight that checks decide, the share that passes; what is void counts as passed,
        so that nothing bad looks better than it is."""
        decided = {n: i for n, i in self.items.items() if i.decided_by == "check" and n in answers}
        total = sum(item.weight for item in decided.values())
        won = sum(i.weight for n, i in decided.items() if answers[n].mark in ("pass", "void"))
        return won / total if total else 0.0

    def level(self, item: str) -> int:
        """An item's weight."""
        return WEIGHT[self.items[item].level]


def _supposes(item: Item) -> bool:
    return isinstance(item.spec, WhatIf)


def _laid(task: DeliverableTask, item: Item) -> frozenset[str]:
    """The documents whose pages an item asks for."""
    if not isinstance(item.spec, Pages):
        return frozenset()
    files = (resolve(use, task.wants) for _, use in paged(item.spec))
    return frozenset(file for file in files if task.wants[file] == "docx")


def _supposed(task: DeliverableTask, item: Item) -> tuple[str, Changes]:
    spec = item.spec
    assert isinstance(spec, WhatIf)
    file = resolve(FileUse(spec.file, ("xlsx",)), task.wants)
    return file, ordered({_place(at): _scalar(value) for at, value in spec.set.items()})


def _place(at: str) -> str:
    """As the check itself writes it."""
    sheet, _, cell = at.rpartition("!")
    return f"{sheet.strip(chr(39))}!{cell}"


def _scalar(value: object) -> Scalar:
    if isinstance(value, Decimal):
        return float(value)
    return value if isinstance(value, bool | int | float | str) else str(value)


def takes(book: Workbook | None, changes: Changes) -> bool:
    """Has a workbook the sheets in which cells are to be changed?"""
    if book is None:
        return False
    sheets = {sheet.name for sheet in book.sheets}
    return all(place.rpartition("!")[0] in sheets for place, _ in changes)
