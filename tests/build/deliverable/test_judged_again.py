"""A decision rests on what the checks said; where they say otherwise today it has lapsed, though no
file has changed. Other code is told here by a proof that says what today's checks do not."""

import json
import shutil
from pathlib import Path

import pytest

from bythebook.build.deliverable.build import built
from bythebook.build.deliverable.gates import Unready, decide, matter, standings
from bythebook.build.deliverable.place import Place, question_hash, whole_hash
from bythebook.build.deliverable.report import report
from bythebook.build.ledger import Ledger
from bythebook.errors import UsageError
from bythebook.run.deliver import Reader
from tests.build.deliverable.story import TASK, opened, passes, walk

pytestmark = pytest.mark.timeout(400)
OURS = "task/mileage"
AFTER = ("pilots", "scoring", "error-analysis")


@pytest.fixture
def believed(place: Path) -> Path:
    """The reference pays the old rate, and the proof was made by checks that let that pass."""
    folder = place.parent / "mine" / "tasks" / "deliverables" / TASK
    wrong = place.parent / "runs" / "desk" / TASK / "1" / "workspace" / "results"
    shutil.copy(wrong / "mileage.xlsx", folder / "reference" / "mileage.xlsx")
    task = opened(place).loaded("mileage")
    path = place / "tasks" / "mileage" / "proof.json"
    proof = json.loads(path.read_text())
    assert proof["proved"]
    path.write_text(json.dumps(proof | {"asked": question_hash(task), "whole": whole_hash(task)}))
    return place


def signed_by_other_code(place: Path) -> Place:
    """All gates as a program wrote them whose checks found nothing."""
    here = walk(place, "cross-validation")
    for gate in ("cross-validation", *AFTER, "rubric-verification"):
        Ledger(place).decide(matter(here, OURS), passes(gate), day="2026-05-04")
    return opened(place)


def test_a_proof_is_believed_only_while_the_checks_say_the_same(believed: Path) -> None:
    with pytest.raises(Unready) as stopped:
        decide(walk(believed, "cross-validation"), OURS, passes("cross-validation"))

    told = "\n".join(map(str, stopped.value.lacks))
    assert "reference: R4 is fail, and a reference passes" in told
    assert "prove mileage" in told


def test_what_rested_on_the_proof_has_lapsed_in_every_word(believed: Path) -> None:
    here = signed_by_other_code(believed)
    states = {name: one.state for name, one in standings(here, OURS).items()}
    told = report(here)

    assert states["cross-validation"] == states["rubric-verification"] == "lapsed"
    assert states["task-admission"] == states["scoring"] == "passed"
    assert told.tasks == 0
    entries = {entry.what: entry.found for entry in told.criteria["Reliability"]}
    assert f"cross-validation of {OURS}" in entries["decisions that have lapsed"]
    assert "R4 is fail" in entries["found when judged again today"]
    assert not built(here).done


def test_nothing_after_it_is_decided_until_it_passes_again(believed: Path) -> None:
    here = signed_by_other_code(believed)

    with pytest.raises(UsageError, match=r"has to pass cross-validation again .*R4 is fail"):
        decide(here, OURS, passes("pilots"))


def test_where_nothing_recalculates_the_ledger_is_believed_and_that_is_said(
    believed: Path,
) -> None:
    here = signed_by_other_code(believed)
    bare = Place(here.root, here.content, Reader(None, here.reader.cache))

    entries = {entry.what: entry.found for entry in report(bare).criteria["Reliability"]}
    assert "LibreOffice is not here" in entries["found when judged again today"]
    assert entries["decisions that have lapsed"] == "none"


def test_what_is_judged_as_on_the_day_stands(finished: Path) -> None:
    entries = {
        entry.what: entry.found for entry in report(opened(finished)).criteria["Reliability"]
    }

    assert entries["found when judged again today"] == "nothing"
