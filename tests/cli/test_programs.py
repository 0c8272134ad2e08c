"""What is said of an agent program of others that cannot play as it was asked to."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bythebook.harness.harnesses import named
from bythebook.harness.install import find

Say = Callable[..., tuple[int, str, str]]
MODEL = ("--model", "local:m", "--base-url", "http://127.0.0.1:9/v1")
CONDUCT = ("run", "conduct", "--task", "q03", "--to", "r")
DELIVERABLES = ("run", "deliverables", "--task", "biz-01", "--to", "r")

NO_TOOLS = pytest.param(
    (*CONDUCT, "--agent", "mini", *MODEL),
    "mini cannot be given tools",
    marks=pytest.mark.skipif(find(named("mini").recipe) is None, reason="mini is not installed"),
)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ((*CONDUCT, "--agent", "nanobot"), "the agent 'nanobot' needs a model"),
        ((*DELIVERABLES, "--agent", "hermes"), "the agent 'hermes' needs a model"),
        ((*CONDUCT, "--agent", "nanbot", *MODEL), "did you mean 'nanobot'?"),
        ((*CONDUCT, "--agent", "nanbot"), "did you mean 'nanobot'?"),
        ((*CONDUCT, "--agent", "nanobot==", *MODEL), "is no version"),
        (
            (*DELIVERABLES, "--agent", "nanobot==0.0.1", *MODEL),
            "nanobot 0.0.1 is not installed bythebook harness install nanobot==0.0.1",
        ),
        ((*CONDUCT, "--agent", "golden", "--unsafe-no-sandbox"), "this agent runs no commands"),
        NO_TOOLS,
    ],
)
def test_wrong_use_is_said_before_anything_runs(say: Say, line: tuple[str, ...], says: str) -> None:
    code, _, err = say(*line)

    assert (code, says in err) == (2, True), err
    assert not Path("r").exists()
