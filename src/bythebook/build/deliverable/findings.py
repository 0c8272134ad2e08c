"""What is recorded of each task that a report tells: read once, whatever lacks."""

from collections import Counter
from collections.abc import Mapping

import msgspec

from bythebook.build.deliverable.construction import ADMISSION, REVIEW, tried
from bythebook.build.deliverable.pilots import Pilot, pilots_page, read_pilots, too_easy
from bythebook.build.deliverable.place import Place, Shut
from bythebook.build.deliverable.records import Admission, Held, ProofRecord, Record, Review
from bythebook.build.deliverable.requirements import requirements_page
from bythebook.build.deliverable.scoring import errors_page, marked, scoring_page
from bythebook.deliverables.judge.agreement import Agreement
from bythebook.errors import BythebookError


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """Of one task."""

    task: str
    loads: bool
    domain: str = ""
    formats: tuple[str, ...] = ()
    levels: dict[str, int] = {}
    """Number of items of each."""
    dimensions: dict[str, int] = {}
    scenario: str = ""
    product: str = ""
    pilots: tuple[Pilot, ...] = ()
    too_easy: bool = False
    causes: dict[str, int] = {}
    """Cause to the number of failed items."""
    agreement: Agreement | None = None
    raters: int = 0
    models: int = 0
    """Raters that are no person."""
    points: dict[str, int] = {}
    """Kept, revised, discarded."""
    mapped: int = 0
    """Requirements."""
    admission: int = 0
    """Questions that hold, of four."""
    review: int = 0
    proof: ProofRecord | None = None


def findings(place: Place, name: str) -> Findings:
    """What does not read is told as nothing; the gates say why."""
    record = place.record(name).value
    scenario = place.scenario(record.scenario).value
    try:
        task = tried(place, name)
    except Shut:
        return Findings(task=name, loads=False, scenario=record.scenario, product=scenario.product)
    page = pilots_page(place, name)
    pilots = read_pilots(place, task, page).pilots
    found = marked(place, task, name)
    raters = {label.rater for label in found.labels}
    causes = Counter[str]()
    for failure in page.value.failures:
        causes[failure.cause or "not said"] += len(failure.items)
    items = task.rubric.items
    return Findings(
        task=name,
        loads=True,
        domain=task.file.domain,
        formats=tuple(sorted(set(task.wants.values()))),
        levels=dict(Counter(item.level for item in items)),
        dimensions=dict(Counter(item.dimension for item in items)),
        scenario=record.scenario,
        product=scenario.product,
        pilots=pilots,
        too_easy=too_easy(pilots, place.rules.too_easy_percent),
        causes=dict(causes),
        agreement=found.agreement,
        raters=len(raters),
        models=len(raters & _models(place, name)),
        points=dict(Counter(p.done or "open" for p in errors_page(place, name).value.items)),
        mapped=len(requirements_page(place, name).value.requirements),
        admission=_holding(place.beside(name, "admission.yaml", Admission).value, ADMISSION),
        review=_holding(place.beside(name, "review.yaml", Review).value, REVIEW),
        proof=_proof(place, name),
    )


def _models(place: Place, name: str) -> set[str]:
    told = scoring_page(place, name).value.raters
    return {one.who for one in told if one.kind not in ("person", "expert")}


def _holding(answers: Record, questions: Mapping[str, str]) -> int:
    held: list[Held] = [getattr(answers, name) for name in questions]
    return sum(one.holds is True for one in held)


def _proof(place: Place, name: str) -> ProofRecord | None:
    try:
        return place.proof(name)
    except BythebookError:
        return None
