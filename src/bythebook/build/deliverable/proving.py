"""The real proof of a task, kept beside its record: the ground truth gets the full score."""

from bythebook import __version__
from bythebook.build.deliverable.place import Place, question_hash, whole_hash
from bythebook.build.deliverable.records import ProofRecord
from bythebook.deliverables.proof import prove_task
from bythebook.deliverables.task import DeliverableTask, load_tasks
from bythebook.errors import BythebookError
from bythebook.run.durable import write_whole
from bythebook.run.folder import as_text


def prove(place: Place, name: str) -> ProofRecord:
    """Prove a task as `bythebook prove deliverables` does, and write `proof.json`."""
    task = place.loaded(name)
    asked, whole = question_hash(task), whole_hash(task)
    reader = place.reader
    proof = prove_task(task, engine=reader.engine, others=_others(place, task), cache=reader.cache)
    record = ProofRecord(
        task=task.id,
        bythebook=__version__,
        asked=asked,
        whole=whole,
        proved=proof.proved,
        goldens=proof.goldens,
        counterexamples=proof.counterexamples,
        engine=proof.engine,
        problems=proof.problems,
        survivors=proof.survivors,
        warnings=proof.warnings,
        not_run=proof.not_run,
    )
    write_whole(place.path("task", name).with_name("proof.json"), as_text(record))
    return record


def _others(place: Place, task: DeliverableTask) -> list[DeliverableTask]:
    """Tasks that this one must not be too like; those that do not load are somebody else's care."""
    found = []
    for name in place.content.tasks("deliverables"):
        try:
            found += [one for one in load_tasks(place.content, (name,)) if one.rubric]
        except BythebookError:
            continue
    return [one for one in found if one.id != task.id]
