"""What a person takes out, or puts where it cannot be read, opens no gate."""

import shutil

import pytest

from bythebook.build.sop.work import STAGES, folder_of
from bythebook.cli import answer
from tests.build.sop.firm import Desk


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_of_which_nothing_is_left_closes_its_gate_and_is_made_again_when_asked(
    done: Desk, stage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(done.place / folder_of(stage))

    assert done.build() == 1
    assert f"--remake {stage} makes it again" in " ".join(capsys.readouterr().err.split())
    assert answer(["build", "check", str(done.place)]) == 1
    assert done.build("--remake", stage) == 0
    assert answer(["build", "check", str(done.place)]) == 0


@pytest.mark.parametrize("folder", ["10-rewrite", "11-out", "11-out/graphs"])
def test_in_what_no_program_can_read_an_original_could_stand(
    done: Desk, folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (done.place / folder / "scan.yaml").write_bytes("Maria Santos".encode("utf-16"))

    assert answer(["build", "check", str(done.place)]) == 1
    said = " ".join(capsys.readouterr().err.split())
    assert "nobody can see whether an original is in it: take it away" in said


def test_a_list_of_names_that_does_not_read_is_named(
    done: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    (done.place / "09-names" / "names-01.yaml").write_text("names: [\n")

    assert answer(["build", "check", str(done.place)]) == 1
    assert "names-01.yaml" in " ".join(capsys.readouterr().err.split())


def test_where_no_candidate_is_left_nothing_made_from_them_is(done: Desk) -> None:
    (done.place / "02-candidates" / "b01.yaml").write_text("candidates: []\n")

    assert done.build() == 0
    assert not list((done.place / "11-out" / "sops").glob("*.yaml"))
    assert answer(["build", "check", str(done.place)]) == 0
