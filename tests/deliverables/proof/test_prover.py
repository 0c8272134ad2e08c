"""A whole task put to the proof, and faults that are not what their author says."""

from pathlib import Path

import pytest

from bythebook.deliverables.evidence.cache import Cache
from bythebook.deliverables.evidence.office import Engine
from bythebook.deliverables.faults.faultfile import load_faults
from bythebook.deliverables.proof import Proof, prove_task
from bythebook.deliverables.proof.baselines import baseline_problems
from bythebook.deliverables.proof.court import Court
from bythebook.deliverables.proof.gates import unproved_items
from bythebook.deliverables.proof.lab import Lab
from bythebook.deliverables.proof.matrix import kills, lock_problems, lock_text, matrix, write_lock
from bythebook.deliverables.proof.trial import Trial, Trials, problems_of, values_of
from bythebook.deliverables.task import DeliverableTask, load_task
from bythebook.task import Content
from tests.deliverables.stall import stall

# --- the whole ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def proved(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> tuple[Proof, Path, Cache]:
    """The stall's proof, its folder, and a cache of what was computed for it."""
    task = stall(tmp_path_factory.mktemp("stall"))
    cache = Cache(tmp_path_factory.mktemp("cache"))
    return prove_task(task, engine=engine, cache=cache, write=True), task.folder, cache


def test_the_stall_is_proved(proved: tuple[Proof, Path, Cache]) -> None:
    proof, folder, _ = proved
    assert proof.problems == ()
    assert proof.survivors == ()
    assert proof.proved
    assert (proof.goldens, proof.damages, proof.slips) == (2, 11, 1)
    assert proof.counterexamples == len(proof.matrix) == 12
    assert proof.mutants.survived == 0
    assert proof.warnings == ("15 items; 22 to 30 are wanted",)
    assert (folder / "faults.lock").read_text("utf-8") == lock_text(proof.matrix)


def test_the_matrix_tells_more_than_the_targets(proved: tuple[Proof, Path, Cache]) -> None:
    proof, _, _ = proved
    assert proof.matrix["new_price_ignored"] == "R03 R04 R05 R06 R08 R13 (R15)"
    assert proof.matrix["nothing_on_tea"] == ""
    assert proof.kills["R07"].alone == 1


def test_baselines_are_worth_little(proved: tuple[Proof, Path, Cache]) -> None:
    proof, _, _ = proved
    assert list(proof.baselines) == ["empty", "untouched", "renamed", "skeleton"]
    assert list(baseline_problems(proof.baselines)) == []
    assert len(list(baseline_problems({"empty": 0.2, "skeleton": 0.4}))) == 1


def test_a_second_proof_says_the_same_to_the_byte(
    proved: tuple[Proof, Path, Cache], engine: Engine
) -> None:
    proof, folder, cache = proved
    task = load_task(Content([folder.parents[2]]), folder.name)
    assert prove_task(task, engine=engine, cache=cache) == proof


def test_without_libreoffice_it_is_said_what_was_not_run(task: DeliverableTask) -> None:
    proof = prove_task(task, engine=None)
    assert not proof.proved
    assert (proof.problems, proof.survivors, proof.matrix) == ((), (), {})
    assert "every fault, and faults.lock" in proof.not_run
    assert proof.variants.tried > 20
    assert proof.promised.killed == proof.promised.mutants


def test_while_a_reference_fails_nothing_else_is_tried(task: DeliverableTask) -> None:
    (task.folder / "reference/note.docx").unlink()
    proof = prove_task(task, engine=None)
    assert not proof.proved
    assert proof.variants.tried == 0
    assert any("there is no note.docx, which task.yaml wants" in one for one in proof.problems)
    assert "nothing else is tried until the references pass" in proof.warnings


def test_a_rubric_that_does_not_load_is_a_problem_with_its_line(task: DeliverableTask) -> None:
    text = (task.folder / "faults.yaml").read_text("utf-8").replace("unfreeze", "unfreze")
    (task.folder / "faults.yaml").write_text(text, "utf-8")
    (problem,) = prove_task(task, engine=None).problems
    assert "faults.yaml:" in problem
    assert "did you mean 'unfreeze'" in problem


# --- faults -------------------------------------------------------------------------------------


def tried(task: DeliverableTask, work: Path, text: str) -> tuple[list[Trial], list[str]]:
    """Faults tried without LibreOffice, and all that is wrong with them."""
    (task.folder / "faults.yaml").write_text(text, "utf-8")
    lab = Lab(work, None)
    court = Court(task, lab.read(task.inputs))
    reference = lab.read(task.reference)
    trials = Trials(court, lab, {"reference": reference})
    found = trials.run(load_faults(task))
    spots = court.watch(reference).promised
    promised = {spot: value for spot, value in values_of(reference).items() if spot in spots}
    wrong = [says for one in found for says in problems_of(one, reference, promised)]
    return found, [*trials.problems, *wrong]


THERE_AND_BACK = "{move_sheet: {sheet: Rules, to: 1}}, {move_sheet: {sheet: Rules, to: 4}}"
FAULT = """x:
  kind: KIND
  says: something
  edits: [EDITS]
  fails: [R07]
"""


@pytest.mark.parametrize(
    ("kind", "edit", "says"),
    [
        ("damage", "{unfreeze: {sheet: Takings}}", ""),
        ("damage", "{unfreeze: {sheet: Rules}}", "fault x, edit 1: takings.xlsx: unfreeze changes"),
        ("damage", "{hide: {sheet: Rules}}", "R07 must fail and is pass (hide: 1 changed"),
        ("damage", THERE_AND_BACK, "nothing that can be seen changed"),
        ("slip", "{unfreeze: {sheet: Takings}}", "a slip changes at least one promised value"),
    ],
)
def test_a_fault_is_what_it_says(
    task: DeliverableTask, tmp_path: Path, kind: str, edit: str, says: str
) -> None:
    text = FAULT.replace("KIND", kind).replace("EDITS", edit)
    _, wrong = tried(task, tmp_path / "work", text)
    assert bool(wrong) == bool(says)
    assert says in "\n".join(wrong)


def test_what_must_be_spared_and_fails_is_told_with_its_place(
    task: DeliverableTask, tmp_path: Path
) -> None:
    edits = "{unfreeze: {sheet: Takings}}, {set_cell: {at: 'Takings!E2', to: 1}}"
    text = FAULT.replace("KIND", "damage").replace("EDITS", edits) + "  spares: [R03]\n"
    _, (wrong,) = tried(task, tmp_path / "work", text)
    assert wrong.startswith("R03 must pass and is fail: ")
    assert "takings.xlsx#Takings!E2" in wrong


def test_an_error_value_is_told_unless_the_fault_says_so(
    task: DeliverableTask, tmp_path: Path, engine: Engine
) -> None:
    """The error shows only after recalculation: `TotalTakings` is text then."""
    text = FAULT.replace("KIND", "damage").replace(
        "EDITS", "{unfreeze: {sheet: Takings}}, {set_cell: {at: 'Sales!C2', to: many}}"
    )
    (task.folder / "faults.yaml").write_text(text, "utf-8")
    lab = Lab(tmp_path / "work", engine)
    samples = lab.computed({task.reference: lab.read(task.reference)})
    court = Court(task, lab.read(task.inputs))
    trials = Trials(court, lab, {"reference": samples[task.reference]})
    (trial,) = trials.run(load_faults(task))
    (wrong,) = problems_of(trial, samples[task.reference], {})
    assert "cells show an error value, takings.xlsx#Summary!B6" in wrong


def test_items_that_no_damage_fails_are_told(task: DeliverableTask, tmp_path: Path) -> None:
    text = FAULT.replace("KIND", "damage").replace("EDITS", "{unfreeze: {sheet: Takings}}")
    trials, _ = tried(task, tmp_path / "work", text)
    court = Court(task, Lab(tmp_path / "lab", None).read(task.inputs))
    found = list(unproved_items(court, trials))
    assert len(found) == len(court.items) - 1 + 1
    assert "R15 is failed by no damage; add one to faults.yaml (a what-if is asked" in found[-2]
    assert found[-1].startswith("faults.yaml has no slip")
    assert kills(trials, court.items)["R07"].alone == 1


def test_a_lock_is_missing_then_kept_then_stale(task: DeliverableTask, tmp_path: Path) -> None:
    text = FAULT.replace("KIND", "damage").replace("EDITS", "{unfreeze: {sheet: Takings}}")
    trials, _ = tried(task, tmp_path / "work", text)
    rows = matrix(trials, ("R06", "R07", "R15"))
    assert rows == {"x": "R07 (R15)"}
    assert "faults.lock is missing" in next(lock_problems(rows, task.folder))
    write_lock(rows, task.folder)
    assert list(lock_problems(rows, task.folder)) == []
    (stale,) = lock_problems({"x": "R06", "y": "R07"}, task.folder)
    assert "x: R07 (R15) is now R06; y: no row is now R07" in stale
