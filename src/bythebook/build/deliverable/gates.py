"""The gates of products, scenarios and tasks: their order, who passes them, on which files, and
what must stand in those files (StartupBench, Figure 2)."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from bythebook.build.deliverable import (
    construction,
    pilots,
    requirements,
    scoring,
    survey,
)
from bythebook.build.deliverable.place import KINDS, Lack, Page, Place, Shut
from bythebook.build.deliverable.records import Pilots, Review
from bythebook.build.ledger import (
    Decision,
    Gate,
    Kind,
    Ledger,
    Matter,
    Ruling,
    Standing,
    hashes,
)
from bythebook.deliverables.task import DOMAINS
from bythebook.errors import BythebookError, ContentError, UsageError, suggestion

Checks = Callable[[Place, str], Iterator[Lack]]
Files = Callable[[Place, str], Iterable[Path]]
QUESTION = ("task.yaml", "prompt.md", "inputs", "rubric.yaml", "expected", "reference")
"""Parts of a task's folder that the agent and the judge are given."""


class Step(NamedTuple):
    """A gate, what it needs and what it looks at."""

    gate: Gate
    lacks: Checks
    files: Files


class Unready(ContentError):
    """Records lack what a gate needs; `lacks` says all of it."""

    def __init__(self, gate: str, subject: str, lacks: tuple[Lack, ...]) -> None:
        self.lacks = lacks
        self.gate, self.subject = gate, subject
        many = f"{len(lacks)} thing{'s' if len(lacks) > 1 else ''} keep{'' if lacks[1:] else 's'}"
        first = lacks[0]
        super().__init__(f"{many} {subject} from {gate}", where=first.where, hint=str(first))


def _gate(name: str, asks: str, *, apart: bool = False, models: bool = False) -> Gate:
    by: tuple[Kind, ...] = ("expert", "person", "model") if models else ("expert", "person")
    return Gate(name=name, asks=asks, apart=apart, by=by)


def _own(kind: str) -> Files:
    return lambda place, name: [place.path(kind, name)]


def _interviews(place: Place, name: str) -> Iterable[Path]:
    return [page.path for page in place.interviews_of(name).values()]


def _task_files(*files: str, whole: bool = False, runs: bool = False) -> Files:
    """A task's record, some files beside it, and what it asks; `whole`: the whole folder; `runs`:
    the pilots' verdicts."""

    def found(place: Place, name: str) -> Iterable[Path]:
        record = place.path("task", name)
        yield record
        yield from (record.parent / file for file in files)
        if not place.record(name).value.folder:
            return
        folder = place.folder(name)
        yield from [folder] if whole else (folder / part for part in QUESTION)
        if runs:
            yield from _verdicts(pilots.pilots_page(place, name), folder.resolve().name)

    return found


def _verdicts(page: Page[Pilots], task: str) -> Iterator[Path]:
    for told in page.value.runs:
        yield from sorted((page.beside(told) / task).glob("*/verdict.json"))


def _labels(place: Place, name: str) -> Iterable[Path]:
    page = scoring.scoring_page(place, name)
    yield from _task_files("scoring.yaml", runs=True)(place, name)
    if page.value.labels:
        yield scoring.labels_path(page)


STEPS: dict[str, tuple[Step, ...]] = {
    "product": (
        Step(
            _gate("product-admission", "is it funded, in use, and does the evidence hold?"),
            survey.product_lacks,
            _own("product"),
        ),
        Step(
            _gate("interview", "do the interviews tell the work, and show a case?"),
            survey.interview_lacks,
            _interviews,
        ),
    ),
    "scenario": (
        Step(
            _gate("scenario-validation", "clear story, clear deliverable, all materials?"),
            survey.scenario_lacks,
            _own("scenario"),
        ),
    ),
    "task": (
        Step(
            _gate(
                "construction", "is T = (q, E, R) written, and does its author sign?", models=True
            ),
            construction.construction_lacks,
            _task_files(),
        ),
        Step(
            _gate("task-admission", "realistic, answerable, evaluable, discriminative?"),
            construction.admission_lacks,
            _task_files("admission.yaml"),
        ),
        Step(
            _gate("cross-validation", "does a second expert agree?", apart=True),
            construction.review_lacks,
            _task_files("review.yaml", "proof.json"),
        ),
        Step(
            _gate("pilots", "do agents differ on it, and fail for its difficulty alone?"),
            pilots.pilots_lacks,
            _task_files("pilots.yaml", runs=True),
        ),
        Step(
            _gate("scoring", "did a person mark what a pilot made?"),
            scoring.scoring_lacks,
            _labels,
        ),
        Step(
            _gate("error-analysis", "is every disputed scoring point kept, revised or discarded?"),
            scoring.errors_lacks,
            _task_files("errors.yaml"),
        ),
        Step(
            _gate("rubric-verification", "all that is asked is watched, and the truth passes?"),
            requirements.requirements_lacks,
            _task_files("requirements.yaml", "proof.json", whole=True),
        ),
    ),
}
GATES = tuple(step.gate.name for steps in STEPS.values() for step in steps)
TRIED = ("cross-validation", "pilots", "rubric-verification")
"""Gates whose checks judge the task's references and runs; their code may change, too."""
EXPERTS_ONLY = ("cross-validation",)
"""Gates that take an expert of the task's own domain (Section 3.1.4)."""


def split(subject: str) -> tuple[str, str]:
    """`task/ID` as kind and name. Raises `UsageError`."""
    kind, _, name = subject.partition("/")
    if kind not in STEPS or not name:
        hint = "name it as product/ID, scenario/ID or task/ID"
        raise UsageError(f"{subject!r} is nothing that is decided on", hint=hint)
    return kind, name


def matter(place: Place, subject: str) -> Matter:
    """What is decided on, with its files as they stand."""
    kind, name = split(subject)
    place.need(kind, name)
    authors = place.record(name).value.authors if kind == "task" else ()
    return Matter(
        subject=subject,
        gates=tuple(_open_to(place, step.gate) for step in STEPS[kind]),
        files={step.gate.name: _hashes(place, step.files(place, name)) for step in STEPS[kind]},
        authors=tuple(author.who for author in authors),
    )


def _hashes(place: Place, files: Iterable[Path]) -> dict[str, str]:
    rules = place.root / "rules.yaml"
    return hashes(place.root, [*files, rules])


def _open_to(place: Place, gate: Gate) -> Gate:
    """A gate with those who may pass it in this place."""
    if gate.name in EXPERTS_ONLY:
        gate = msgspec.structs.replace(gate, by=("expert",))
    for name in place.rules.stand_ins:
        if name not in GATES:
            path = place.root / "rules.yaml"
            raise ContentError(f"no gate {name!r}", where=path, hint=suggestion(name, GATES))
    if gate.name in place.rules.stand_ins and "model" not in gate.by:
        return msgspec.structs.replace(gate, by=(*gate.by, "model"))
    return gate


def before(place: Place, subject: str) -> list[str]:
    """What must have passed all of its own gates first, in order: a scenario's product, and for a
    task both of them."""
    kind, name = split(subject)
    if kind == "product":
        return []
    scenario = place.record(name).value.scenario if kind == "task" else name
    product = f"product/{place.scenario(scenario).value.product}"
    return [product, f"scenario/{scenario}"] if kind == "task" else [product]


def standings(place: Place, subject: str) -> dict[str, Standing]:
    """How each gate stands: by the ledger; and where references or runs were judged for it, these
    are judged again, since the checks that do it may be others than on the day."""
    found = Ledger(place.root).standing(matter(place, subject))
    return {name: today(place, subject, one) for name, one in found.items()}


def today(place: Place, subject: str, one: Standing) -> Standing:
    """A gate that was passed stands while its checks still find nothing. Where nothing
    recalculates they cannot be tried, and it stands as the ledger says."""
    if one.state != "passed" or one.gate not in TRIED or place.reader.engine is None:
        return one
    lacks = lacks_of(place, one.gate, subject)
    if not lacks:
        return one
    more = f" (and {len(lacks) - 1} more)" if lacks[1:] else ""
    return msgspec.structs.replace(one, state="lapsed", found=f"{lacks[0].told}{more}")


def stopped_at(place: Place, subject: str) -> Standing | None:
    """The first gate that does not stand; None: all do."""
    return next((one for one in standings(place, subject).values() if not one.holds), None)


def lacks_of(place: Place, gate: str, subject: str) -> tuple[Lack, ...]:
    """All that keeps a gate shut, in the records as they stand."""
    kind, name = split(subject)
    step = next(step for step in STEPS[kind] if step.gate.name == gate)
    found: list[Lack] = []
    try:
        for lack in step.lacks(place, name):
            found.append(lack)
    except Shut as shut:
        found.append(shut.lack)
    return tuple(found)


def decide(place: Place, subject: str, ruling: Ruling, *, day: str = "") -> Decision:
    """Write a decision down. Raises `UsageError` where it may not be made, and `Unready` where
    something is let pass that lacks what the gate needs."""
    what, ledger = matter(place, subject), Ledger(place.root)
    what.gate(ruling.gate)
    if ruling.kind == "expert" and ruling.domain not in DOMAINS:
        hint = suggestion(ruling.domain, DOMAINS)
        raise UsageError(f"--domain {ruling.domain!r} is no domain", hint=hint)
    for earlier in before(place, subject):
        _check_before(place, subject, earlier)
    ledger.check(what, ruling)
    _check_tried(place, subject, ruling.gate)
    if ruling.decided == "pass":
        _check_signer(place, subject, ruling)
        if lacks := lacks_of(place, ruling.gate, subject):
            raise Unready(ruling.gate, subject, lacks)
    return ledger.decide(what, ruling, day=day)


def _check_tried(place: Place, subject: str, gate: str) -> None:
    """Raises `UsageError` where a gate before this one was passed and its checks find something
    today."""
    for name, one in Ledger(place.root).standing(matter(place, subject)).items():
        if name == gate:
            return
        if not (at := today(place, subject, one)).holds:
            raise UsageError(
                f"{subject} cannot be decided at {gate}: it has to pass {name} again ({at.says})",
                hint=f"`show {subject}` says all of it, and what to do",
            )


def _check_before(place: Place, subject: str, earlier: str) -> None:
    try:
        stopped = stopped_at(place, earlier)
    except BythebookError as error:
        what = f"{subject} comes from {earlier}, and that cannot be: {error.what}"
        raise UsageError(what, where=error.where, hint=error.hint) from None
    if stopped is not None:
        raise UsageError(
            f"{subject} comes from {earlier}, which has to pass {stopped.gate} first "
            f"({stopped.says})",
            hint=f"decide {stopped.gate} {earlier}; only a person may waive it, with the reason",
        )


def _check_signer(place: Place, subject: str, ruling: Ruling) -> None:
    """Whoever signs is the one that the record names, and knows the field."""
    kind, name = split(subject)
    if kind != "task":
        return
    authors = {author.who: author.kind for author in place.record(name).value.authors}
    if ruling.gate == "construction" and authors.get(ruling.who) != ruling.kind:
        told = ", ".join(f"{who} ({kind})" for who, kind in authors.items())
        what = f"{ruling.who}, as {ruling.kind}, is no author of {subject}"
        raise UsageError(what, hint=f"its record names {told or 'nobody'}: sign as written there")
    if ruling.gate != "cross-validation":
        return
    page = place.beside(name, "review.yaml", Review)
    reviewer = page.value.reviewer
    if (reviewer.who, reviewer.kind) != (ruling.who, ruling.kind):
        what = f"review.yaml is by {reviewer.who or 'nobody'} ({reviewer.kind or 'of no kind'})"
        hint = "whoever reviewed decides, with the same --who and --kind"
        raise UsageError(what, where=page.at("reviewer"), hint=hint)
    domain = place.loaded(name).file.domain
    if ruling.kind == "expert" and ruling.domain != domain:
        what = f"{ruling.who} is an expert of {ruling.domain}, and {subject} is of {domain}"
        raise UsageError(what, hint=f"ask an expert of {domain}")


def subjects(place: Place) -> list[str]:
    """Everything here that is decided on, in the order of the work."""
    return [f"{kind}/{name}" for kind in KINDS if kind in STEPS for name in place.names(kind)]
