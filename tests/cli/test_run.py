"""`run`: which runs are played, and what is said of those that are not."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.cli.conftest import Said
from tests.deliverables.own_task import TASK as FILES
from tests.own import TASK

Say = Callable[..., Said]
Ask = Callable[..., tuple[int, Any]]


def test_a_task_named_twice_is_played_and_proved_once(ask: Ask, own: Path) -> None:
    twice = ("conduct", "--task", "q90", "--task", TASK, "--content", own)
    _, played = ask("run", *twice, "--agent", "golden", "--runs", 1)
    _, proved = ask("prove", *twice)

    assert [(run["task"], run["run"]) for run in played["runs"]] == [(TASK, 1)]
    assert played["summary"]["set_aside"] == {}
    assert [task["id"] for task in proved["tasks"]] == [TASK]


def test_a_task_of_files_named_twice_is_played_once(ask: Ask, content: Path) -> None:
    line = ("run", "deliverables", "--agent", "empty", "--runs", 1, "--content", content)
    _, played = ask(*line, "--task", FILES, "--task", FILES)

    assert [(run["task"], run["run"]) for run in played["runs"]] == [(FILES, 1)]


def test_runs_that_were_not_begun_share_a_line(say: Say, own: Path) -> None:
    """Nothing listens at that port: after ten failures in a row no more runs are begun."""
    loop = ("--agent", "loop", "--model", "local:x", "--base-url", "http://127.0.0.1:9/v1")
    line = ("run", "conduct", "--task", "q90", *loop, "--runs", 13, "--concurrency", 1)
    code, _, err = say(*line, "--attempts", 1, "--content", own)

    assert code == 3
    assert err.count("missing: q90-visitor run") == 10
    assert "missing: 3 runs more were not begun, since 10 attempts in a row had failed" in err
