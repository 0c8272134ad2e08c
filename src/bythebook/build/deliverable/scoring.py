"""What people marked on the pilots' answers, how far the judge agrees, and what became of the
scoring points on which they differ (StartupBench, Figure 2, stage 4)."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from bythebook.build.deliverable.construction import tried
from bythebook.build.deliverable.pilots import Pilot, pilots_page, read_pilots
from bythebook.build.deliverable.place import Lack, Page, Place
from bythebook.build.deliverable.records import ErrorAnalysis, Point, Scoring
from bythebook.deliverables.judge.agreement import Agreement
from bythebook.deliverables.judge.labels import Label, read_labels
from bythebook.deliverables.task import DeliverableTask
from bythebook.errors import BythebookError, suggestion
from bythebook.run.folder import EvaluationFolder
from bythebook.run.judging import agreed


class Marked(msgspec.Struct, frozen=True, kw_only=True):
    """Runs of one folder that people marked."""

    pilots: tuple[Pilot, ...]
    labels: tuple[Label, ...]
    agreement: Agreement | None
    lacks: tuple[Lack, ...] = ()

    @property
    def disputed(self) -> tuple[str, ...]:
        """Items on which the judge, or a check, and a person differ."""
        marks = {(one.run, item): mark for one in self.pilots for item, mark in one.marks.items()}
        found = {
            label.item
            for label in self.labels
            if marks.get((label.run, label.item)) not in (None, label.mark)
        }
        return tuple(sorted(found))


def scoring_page(place: Place, name: str) -> Page[Scoring]:
    return place.beside(name, "scoring.yaml", Scoring)


def labels_path(page: Page[Scoring]) -> Path:
    return page.beside(page.value.labels)


def marked(place: Place, task: DeliverableTask, name: str) -> Marked:
    """The marks of a task's pilots; its lacks say what does not read."""
    page = scoring_page(place, name)
    read = read_pilots(place, task, pilots_page(place, name))
    root = page.beside(page.value.runs).resolve()
    pilots = tuple(one for one in read.pilots if one.folder.resolve() == root)
    if not pilots:
        what = f"{page.value.runs or 'nothing'} is no run folder of the pilots"
        do = "name one of those in pilots.yaml, as seen from this file"
        return Marked(pilots=(), labels=(), agreement=None, lacks=(page.lack("runs", what, do),))
    try:
        labels = tuple(one for one in read_labels(labels_path(page)) if one.task == task.id)
        agreement = agreed(EvaluationFolder(root), [one.verdict for one in pilots], labels)
    except BythebookError as error:
        lack = Lack(error.where, "", error.what, error.hint or "mend it")
        return Marked(pilots=pilots, labels=(), agreement=None, lacks=(lack,))
    return Marked(pilots=pilots, labels=labels, agreement=agreement)


def scoring_lacks(place: Place, name: str) -> Iterator[Lack]:
    """A person marked every item of at least one pilot's answer."""
    page = scoring_page(place, name).sound()
    yield from page.filled(
        runs="the pilots' run folder that was marked",
        labels="the CSV with the marks: task, run, item, label, rater",
        raters="who marked: {who, kind}",
    )
    task = tried(place, name)
    if page.value.runs and page.value.labels:
        found = marked(place, task, name)
        yield from found.lacks
        if not found.lacks:
            yield from _whole(page, task, found.labels)
            yield from _signed(place, page, found.labels)


def _whole(page: Page[Scoring], task: DeliverableTask, labels: Sequence[Label]) -> Iterator[Lack]:
    """One run is marked on every item."""
    asked = set(task.rubric.by_id)
    by_run: dict[int, set[str]] = {}
    for label in labels:
        by_run.setdefault(label.run, set()).add(label.item)
    least = min(
        (sorted(asked - items) for items in by_run.values()), key=len, default=sorted(asked)
    )
    if least:
        what = f"no run is marked on every item; the best lacks {', '.join(least)}"
        yield Lack(str(labels_path(page)), "", what, "mark one run whole, item by item")


def _signed(place: Place, page: Page[Scoring], labels: Sequence[Label]) -> Iterator[Lack]:
    """Whoever marked is known by kind, and is a person."""
    raters = {one.who: one for one in page.value.raters}
    for rater in sorted({label.rater for label in labels}):
        if rater not in raters:
            do = f"{suggestion(rater, raters)}: name every rater with kind person, expert or model"
            yield page.lack("raters", f"{rater or 'somebody'} marked and is not named", do)
    if "scoring" not in place.rules.stand_ins:
        for number, one in enumerate(page.value.raters):
            if one.kind not in ("person", "expert"):
                do = "have a person mark; or name `scoring` under stand_ins in rules.yaml"
                what = f"{one.who or 'this rater'} is no person"
                yield page.lack(f"raters[{number}].kind", what, do)


# --- error analysis -----------------------------------------------------------------------------


def errors_page(place: Place, name: str) -> Page[ErrorAnalysis]:
    return place.beside(name, "errors.yaml", ErrorAnalysis)


def errors_lacks(place: Place, name: str) -> Iterator[Lack]:
    """Every scoring point in dispute was looked at; what is said of it is true of the rubric."""
    page = errors_page(place, name).sound()
    task = tried(place, name)
    for number, point in enumerate(page.value.items):
        yield from _done(page, f"items[{number}]", point, task)
    looked_at = {point.item for point in page.value.items}
    for item in marked(place, task, name).disputed:
        if item not in looked_at:
            do = "look at it: add {item, found, done: kept|revised|discarded, was, why}"
            yield page.lack("items", f"judge and people differ on {item}", do)


def _done(
    page: Page[ErrorAnalysis], at: str, point: Point, task: DeliverableTask
) -> Iterator[Lack]:
    for field in ("item", "found", "why"):
        if not getattr(point, field).strip():
            yield page.lack(f"{at}.{field}", "is missing", "say what was found, and why so decided")
    if point.done is None:
        yield page.lack(f"{at}.done", "is missing", "kept, revised or discarded")
    if point.done == "revised" and not point.was.strip():
        yield page.lack(f"{at}.was", "is missing", "write how the item read before")
    elif wrong := _untrue(point, task):
        yield page.lack(f"{at}.done", *wrong)


def _untrue(point: Point, task: DeliverableTask) -> tuple[str, str] | None:
    """What is said to be done is not so in the rubric: what is wrong, and the next move."""
    now = task.rubric.by_id.get(point.item)
    again = "the gates before this one are then asked again"
    if point.done == "discarded" and now is not None:
        return f"{point.item} is in the rubric still", f"take it out of rubric.yaml; {again}"
    if point.done == "revised" and now is not None and _reads(now.says) == _reads(point.was):
        return f"{point.item} reads as it did", f"reword it in rubric.yaml; {again}"
    if point.done in ("revised", "kept") and now is None:
        return f"the rubric has no item {point.item!r}", suggestion(point.item, task.rubric.by_id)
    return None


def _reads(text: str) -> str:
    return " ".join(text.split())
