"""`compare`: a regression is one that is told apart, and everything left out is named."""

import json
from pathlib import Path
from statistics import fmean

import pytest

from bythebook.errors import UsageError
from bythebook.report.compare import compare, compared, verdict
from bythebook.report.data import Evaluation, Evaluations, read_evaluations
from bythebook.report.tables import table
from tests.report.simulated import Setup, Size, conduct


def by_skill(root: Path, *skills: float, tasks: int = 20) -> list[Evaluation]:
    setups = [Setup(f"m{place}", skill) for place, skill in enumerate(skills)]
    return list(read_evaluations(conduct(root, Size(tasks=tasks), shipped=1, setups=setups)).every)


def test_a_large_fall_is_a_regression(tmp_path: Path) -> None:
    good, bad = by_skill(tmp_path, 2.5, -2.0)
    found = compare(good, bad)

    assert found.regressed
    assert not found.improved
    assert found.high is not None
    assert found.high < 0
    assert verdict(found).startswith("Worse: strict -")


def test_the_other_way_round_it_is_an_improvement(tmp_path: Path) -> None:
    good, bad = by_skill(tmp_path, 2.5, -2.0)
    there, back = compare(good, bad), compare(bad, good)

    assert back.improved
    assert back.difference == pytest.approx(-there.difference)
    assert back.low == pytest.approx(-(there.high or 0))


def test_two_alike_are_not_told_apart(tmp_path: Path) -> None:
    first, second = by_skill(tmp_path, 0.3, 0.3)
    found = compare(first, second)

    assert not found.regressed
    assert not found.improved
    assert verdict(found).startswith("Not told apart")


def test_the_difference_is_that_of_the_task_means(tmp_path: Path) -> None:
    first, second = by_skill(tmp_path, 1.0, 0.0)
    found = compare(first, second)
    changes = {
        task: fmean(bool(run.strict) for run in second.runs if run.task == task)
        - fmean(bool(run.strict) for run in first.runs if run.task == task)
        for task in {run.task for run in first.runs}
    }

    assert found.tasks == 20
    assert found.difference == pytest.approx(100 * fmean(changes.values()))
    for change in found.changes:
        assert change.change == pytest.approx(100 * changes[change.task])
    assert [one.change for one in found.changes] == sorted(one.change for one in found.changes)


def test_tasks_that_only_one_played_are_named_and_left_out(tmp_path: Path) -> None:
    (short,) = by_skill(tmp_path / "short", 1.0, tasks=16)
    (long,) = by_skill(tmp_path / "long", 1.0, tasks=18)
    found = compare(short, long)

    assert found.tasks == 16
    assert (len(found.only_first), len(found.only_second)) == (0, 2)
    assert any("Left out, since only" in note for note in compared(found).notes)


def test_a_task_that_was_edited_in_between_is_said(tmp_path: Path) -> None:
    first, second = by_skill(tmp_path, 1.0, 0.0, tasks=3)
    plan = second.folder.root / "plan.json"
    name = second.runs[0].task
    text = plan.read_text()
    place = text.index(first.planned[name].hash, text.index(name))
    plan.write_text(f"{text[:place]}{'0' * 64}{text[place + 64 :]}")
    again = read_evaluations([second.folder.root]).every[0]
    found = compare(first, again)

    assert [one.task for one in found.changes if one.edited] == [name]
    assert f"Not the same task in both: {name}." in compared(found).notes
    both = read_evaluations([first.folder.root, second.folder.root])
    for one in ("conduct", "conduct-differences", "pass-k"):
        notes = " ".join(table(one, both).notes)
        assert f"Not the same task in all evaluations: {name}." in notes
        assert "company's content" not in notes


def test_a_company_that_was_changed_in_between_is_said(tmp_path: Path) -> None:
    first, second = by_skill(tmp_path, 1.0, 0.0, tasks=3)
    plan = second.folder.root / "plan.json"
    told = json.loads(plan.read_text())
    plan.write_text(json.dumps(told | {"company": "0" * 64}))
    both = read_evaluations([first.folder.root, second.folder.root])

    assert "The company's content" in " ".join(table("conduct", both).notes)


def test_any_figure_of_the_suite_can_be_compared(both: Evaluations) -> None:
    a, b, _ = both.of("deliverables")

    assert compare(a, b).by == "score"
    assert compare(a, b, "success").by == "success"
    with pytest.raises(UsageError, match="did you mean 'success'"):
        compare(a, b, "sucess")


def test_what_cannot_be_compared_is_refused(both: Evaluations, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="compare evaluations of one suite"):
        compare(both.of("conduct")[0], both.of("deliverables")[0])
    (other,) = by_skill(tmp_path, 1.0, tasks=1)
    more = conduct(tmp_path / "more", Size(tasks=2), shipped=2, setups=[Setup("x", 0.0)])
    (alone,) = read_evaluations(more).every
    for place in alone.folder.runs():
        if place.task == other.runs[0].task:
            place.trace.unlink()
    with pytest.raises(UsageError, match="share no task"):
        compare(other, read_evaluations(more).every[0])


def test_a_few_tasks_that_all_fall_are_no_proof_but_are_shown(tmp_path: Path) -> None:
    first, second = by_skill(tmp_path, 30.0, -30.0, tasks=3)
    found = compare(first, second)

    assert found.difference == -100
    assert not found.regressed
    assert len(found.fallen) == 3
