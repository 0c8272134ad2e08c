"""`bythebook score` on some runs of a folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Said
from tests.own import TASK


@pytest.fixture
def played(say: Callable[..., Said], own: Path) -> None:
    words = ("run", "conduct", "--task", TASK, "--agent", "shortcut", "--runs", "3")
    assert say(*words, "--to", "runs", "--content", own)[0] == 0


@pytest.mark.usefixtures("played")
def test_some_runs_are_scored_alone(ask: Callable[..., tuple[int, Any]]) -> None:
    code, document = ask("score", "runs", "--task", "q90", "--run", "2", "--run", "3")

    assert code == 0
    assert [run["run"] for run in document["runs"]] == [2, 3]
    assert document["summary"]["missing"] == 0


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--task", "q90-visitr"), "no run of task 'q90-visitr' did you mean 'q90-visitor'?"),
        (("--run", "7"), "no run 7 there are: 1, 2, 3"),
    ],
)
def test_a_run_that_is_not_there_is_said(
    say: Callable[..., Said], words: tuple[str, ...], says: str
) -> None:
    code, out, err = say("score", "runs", *words)

    assert (code, out) == (2, "")
    assert says in err


@pytest.mark.usefixtures("played")
def test_whoever_judges_may_say_who_they_are(say: Callable[..., Said], tmp_path: Path) -> None:
    verdict = tmp_path / "runs" / TASK / "1" / "verdict.json"
    verdict.write_bytes(verdict.read_bytes().replace(b"false", b"true"))

    say("score", "runs", "--by", "Second Reader")

    assert '"by":"Second Reader"' in (tmp_path / "runs" / "scorings.jsonl").read_text()
