"""`bythebook prove deliverables`, as somebody gives it."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bythebook.deliverables.evidence.office import find_engine
from bythebook.deliverables.task import DeliverableTask
from tests.deliverables.stall import stall

Ask = Callable[..., tuple[int, Any]]
Tell = Callable[..., tuple[int, str, str]]

needs_engine = pytest.mark.skipif(
    find_engine() is None, reason="LibreOffice is not installed; `bythebook doctor` says how"
)


@pytest.fixture
def task(tmp_path: Path, read_before: str, monkeypatch: pytest.MonkeyPatch) -> DeliverableTask:
    monkeypatch.setenv("XDG_CACHE_HOME", read_before)
    return stall(tmp_path / "own")


@needs_engine
def test_a_proof_is_written_and_prints_the_contract(ask: Ask, task: DeliverableTask) -> None:
    words = ("prove", "deliverables", "--task", "bus-90", "--content", task.folder.parents[2])
    code, found = ask(*words, "--write")

    (proof,) = found["tasks"]
    assert (proof["suite"], proof["id"]) == ("deliverables", "bus-90-stall")
    assert (proof["problems"], proof["survivors"], code) == ([], [], 0)
    assert set(proof["mutants"]) >= {"killed", "equivalent", "survived"}
    assert (proof["proved"], proof["goldens"], proof["counterexamples"]) == (True, 2, 12)
    assert (task.folder / "faults.lock").is_file()


@needs_engine
def test_a_check_that_lets_a_wrong_file_pass_is_code_1_and_shows_the_hole(
    say: Tell, task: DeliverableTask
) -> None:
    path = task.folder / "rubric.yaml"
    text = path.read_text("utf-8")
    path.write_text(text.replace("#takings, tol: 0.01,", "#takings, share: 0.5,"), "utf-8")

    code, _, err = say(
        "prove", "deliverables", "--content", task.folder.parents[2], "--task", "bus"
    )

    assert code == 1
    assert "survived bus-90-stall: hole: takings.xlsx#Takings!E" in err


def test_a_task_that_does_not_load_is_not_proved_and_names_file_and_line(
    ask: Ask, task: DeliverableTask
) -> None:
    path = task.folder / "rubric.yaml"
    path.write_text(path.read_text("utf-8").replace("level: core", "level: cor", 1), "utf-8")

    code, found = ask("prove", "deliverables", "--content", task.folder.parents[2], "--task", "bus")

    (proof,) = found["tasks"]
    assert (code, proof["proved"]) == (1, False)
    assert "rubric.yaml:" in proof["problems"][0]
    assert "did you mean 'core'?" in proof["problems"][0]


def test_several_tasks_are_proved_side_by_side_and_told_in_order(
    ask: Ask, task: DeliverableTask
) -> None:
    for name in ("bus-91-cart", "bus-89-kiosk"):
        shutil.copytree(task.folder, task.folder.with_name(name))
        (task.folder.with_name(name) / "reference/note.docx").unlink()
    names = ("bus-91", "bus-90", "bus-89")
    asked = [word for name in names for word in ("--task", name)]
    path = task.folder / "rubric.yaml"
    path.write_text(path.read_text("utf-8").replace("level: core", "level: cor", 1), "utf-8")

    code, found = ask("prove", "deliverables", "--content", task.folder.parents[2], *asked)

    told = {proof["id"]: proof["problems"][0] for proof in found["tasks"]}
    assert (code, [*told]) == (1, ["bus-91-cart", "bus-90-stall", "bus-89-kiosk"])
    assert "there is no note.docx" in told["bus-91-cart"]
    assert "did you mean 'core'?" in told["bus-90-stall"]


def test_no_task_of_that_name_is_wrong_use(say: Tell, task: DeliverableTask) -> None:
    code, _, err = say(
        "prove", "deliverables", "--task", "bus-91", "--content", task.folder.parents[2]
    )
    assert code == 2
    assert "bus-90-stall" in err
