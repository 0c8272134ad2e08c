"""`bythebook run --steps`: where the agent is cut off, in either suite."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Said
from tests.deliverables.own_task import TASK, hand_over, own_task
from tests.model_server import ModelServer, Say, Use
from tests.own import bythebook
from tests.sandbox.caged import caged


def ended(runs: Path, task: str) -> dict[str, str]:
    lines = (runs / task / "1" / "trace.jsonl").read_bytes().splitlines()
    outcome: dict[str, str] = json.loads(lines[-1])["outcome"]
    return outcome


def test_a_conduct_run_ends_after_so_many_turns_and_the_plan_says_so(tmp_path: Path) -> None:
    line = ("run", "conduct", "--task", "q03", "--agent", "golden", "--runs", "1", "--to", "runs")
    done = bythebook(*line, "--steps", "5", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    outcome = ended(tmp_path / "runs", "q03-acacia-durian")
    assert (outcome["kind"], outcome["detail"], outcome["says"]) == ("limit", "steps", "5 steps")
    assert json.loads((tmp_path / "runs/plan.json").read_bytes())["limits"]["steps"] == 5
    without = bythebook(*line, cwd=tmp_path)
    assert without.returncode == 2
    assert "this folder holds an evaluation under another plan" in without.stderr


@caged
@pytest.mark.parametrize(("steps", "told"), [((), 200), (("--steps", "3"), 3)])
def test_a_workspace_run_has_the_papers_200_turns_unless_said(
    steps: tuple[str, ...], told: int, tmp_path: Path
) -> None:
    hand_over(own_task(tmp_path / "content").folder / "reference")
    look = Say(calls=(Use("list_dir"),))
    with ModelServer([look] * 5 if told == 3 else [Say("Done.")]) as server:
        who = ("--agent", "loop", "--model", "local:m", "--base-url", f"{server.url}/v1")
        line = ("run", "deliverables", "--task", TASK, *who, "--runs", "1", "--to", "runs")
        done = bythebook(*line, *steps, "--content", tmp_path / "content", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"You have {told} turns." in server.asked[0].messages[0]["content"]
    assert server.count == (3 if told == 3 else 1)
    assert ended(tmp_path / "runs", TASK)["detail"] == ("steps" if told == 3 else "finished")


@pytest.mark.parametrize(
    ("suite", "agent"),
    [("conduct", "golden"), ("deliverables", "untouched"), ("deliverables", "codex")],
)
def test_a_number_of_pictures_is_refused_where_it_bounds_nothing(
    suite: str, agent: str, say: Callable[..., Said]
) -> None:
    model = ("--model", "local:m") if agent == "codex" else ()
    code, _, err = say("run", suite, "--agent", agent, *model, "--pictures", "0", "--to", "runs")
    assert code == 2
    assert "--pictures is for the agent `loop`" in " ".join(err.split())
