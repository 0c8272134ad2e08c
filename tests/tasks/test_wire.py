"""The shipped goldens, spoken by a model over HTTP to the built-in agent."""

import json
from pathlib import Path

import pytest

from bythebook.task import Content
from tests.model_server import ModelServer
from tests.own import bythebook
from tests.run.wired import Wired
from tests.tasks.shipped import shipped_task

TASKS = sorted(Content().tasks("conduct"))


@pytest.mark.parametrize("name", TASKS)
def test_a_shipped_golden_through_the_wire_gets_the_goldens_verdict(
    name: str, tmp_path: Path
) -> None:
    task = shipped_task(name)
    with ModelServer(Wired(task)) as server:
        model = ["--agent", "loop", "--model", "local:scripted", "--base-url", f"{server.url}/v1"]
        wired = judged(tmp_path / "wired", name, *model)
    golden = judged(tmp_path / "golden", name, "--agent", "golden")

    assert wired.pop("agent") == "loop"
    assert golden.pop("agent") == "golden"
    assert wired == golden
    assert golden["strict"] is True


def judged(folder: Path, task: str, *agent: str) -> dict[str, object]:
    """The verdict of one run, played by the program itself."""
    words = ["run", "conduct", "--task", task, "--runs", "1", "--to", str(folder), *agent]
    done = bythebook(*words, cwd=folder.parent)
    assert done.returncode == 0, done.stderr
    verdict: dict[str, object] = json.loads((folder / task / "1" / "verdict.json").read_bytes())
    return verdict
