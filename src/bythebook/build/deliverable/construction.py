"""A task built, admitted, and read by a second expert."""

from collections.abc import Iterator

from bythebook.build.deliverable.answers import held
from bythebook.build.deliverable.place import Lack, Page, Place, Shut, question_hash
from bythebook.build.deliverable.privacy import personal
from bythebook.build.deliverable.records import Admission, Review, TaskRecord
from bythebook.build.signers import compared
from bythebook.deliverables.task import DeliverableTask
from bythebook.errors import BythebookError

ADMISSION = {
    "realistic": "would a user really delegate this, from end to end?",
    "answerable": "does all that a right answer needs lie in the prompt and the inputs?",
    "evaluable": "is each promise of the prompt something that an item can tell right from wrong?",
    "discriminative": "what will a weak agent get wrong that a strong one gets right?",
}
"""StartupBench, Section 3.1: quality control for realism, answerability, evaluability, and
discriminative difficulty."""
REVIEW = {
    "authenticity": "is the request one that users make, are the materials right, is no knowledge "
    "of the domain wrong?",
    "workflow": "is this how the profession works, from end to end?",
    "rubric": "does every item matter, is each clear, do the weights follow what matters?",
    "ground_truth": "does the reference get the full score under the rubric as it stands?",
}
"""StartupBench, Appendix A.2."""


def construction_lacks(place: Place, name: str) -> Iterator[Lack]:
    """T = (q, E, R) is there and loads (Section 3.1.3, Appendix A.1)."""
    page = place.record(name).sound()
    yield from page.filled(
        scenario="the scenario it comes from",
        folder="the task's folder, as seen from this file",
        authors="who wrote it: {who, kind}",
    )
    for number, author in enumerate(page.value.authors):
        if not author.who.strip() or author.kind is None:
            do = "give who (a name to sign with) and kind: expert, person or model"
            yield page.lack(f"authors[{number}]", "is half a signature", do)
    yield from personal(page)
    if page.value.folder:
        yield from _built(tried(place, name), page)


def tried(place: Place, name: str) -> DeliverableTask:
    """The task, where it loads. Raises `Shut`."""
    try:
        return place.loaded(name)
    except BythebookError as error:
        do = error.hint or "mend it, then decide again"
        raise Shut(Lack(error.where, "", error.what, do)) from error


def _built(task: DeliverableTask, page: Page[TaskRecord]) -> Iterator[Lack]:
    for name, says in task.unread.items():
        do = "save it anew, or take it out of inputs/"
        yield Lack(str(task.inputs / name), "", f"an input {says}", do)
    for wanted in task.wants:
        if not (task.reference / wanted).is_file():
            what = f"the reference lacks {wanted}"
            do = "put one right answer there"
            yield Lack(str(task.reference / wanted), "", what, do)
    if not task.rubric.items:
        yield page.lack("folder", "the rubric has no items", "write rubric.yaml: docs/checks.md")


def admission_lacks(place: Place, name: str) -> Iterator[Lack]:
    page = place.beside(name, "admission.yaml", Admission).sound()
    yield from held(page, page.value, ADMISSION)


# --- the second reader --------------------------------------------------------------------------


def review_lacks(place: Place, name: str) -> Iterator[Lack]:
    """Cross-validation by somebody who did not write the task (Section 3.1.4)."""
    page = place.beside(name, "review.yaml", Review).sound()
    reviewer = page.value.reviewer
    asked = {
        "who": "the name that signs",
        "kind": "expert, person or model",
        "profession": "as what the task was read",
        "day": "the day",
    }
    for field, do in asked.items():
        if not getattr(reviewer, field):
            yield page.lack(f"reviewer.{field}", "is missing", f"write {do}")
    authors = {compared(author.who) for author in place.record(name).value.authors}
    if compared(reviewer.who) in authors:
        what = f"{reviewer.who} wrote the task and cannot be its second reader"
        yield page.lack("reviewer.who", what, "ask somebody who had no part in writing it")
    yield from held(page, page.value, REVIEW)
    yield from personal(page)
    yield from ground_truth_lacks(place, name)


def ground_truth_lacks(place: Place, name: str) -> Iterator[Lack]:
    """The reference gets the full score: as the real `prove` found, on these very files, and as the
    checks find that there are today, whose code may be another."""
    task = tried(place, name)
    path = place.root / "tasks" / name / "proof.json"
    again = f"bythebook build deliverable-task --to {place.root} prove {name}"
    try:
        proof = place.proof(name)
    except BythebookError as error:
        yield Lack(error.where, "", error.what, error.hint)
        return
    if proof is None:
        yield Lack(str(path), "", "nobody has tried whether the reference gets full score", again)
    elif proof.asked != question_hash(task):
        what = "the proof is of other files: prompt, inputs, rubric or reference changed since"
        yield Lack(str(path), "", what, again)
    elif not proof.goldens:
        do = f"mend the reference or the rubric until both agree, then {again}"
        for says in proof.problems or ("the reference does not get the full score",):
            yield Lack(str(path), "problems", says, do)
    else:
        do = f"the checks judge otherwise than when it was proved: mend them or it, then {again}"
        for says in place.references_amiss(task):
            yield Lack(str(path), "", says, do)
