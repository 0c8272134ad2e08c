"""The shipped goldens with a well-behaved model as their customer, over HTTP, by the program."""

import json
from pathlib import Path

import pytest

from bythebook.task import Content
from tests.conduct.customer.speaking import Good
from tests.model_server import ModelServer
from tests.own import bythebook
from tests.tasks.shipped import shipped_task

TASKS = sorted(Content().tasks("conduct"))


@pytest.mark.parametrize("name", TASKS)
def test_a_golden_is_strict_with_a_good_model_customer(name: str, tmp_path: Path) -> None:
    with ModelServer(Good(shipped_task(name).scenario)) as server:
        words = ["run", "conduct", "--task", name, "--agent", "golden", "--runs", "1"]
        words += ["--simulator", "local:scripted", "--simulator-base-url", f"{server.url}/v1"]
        done = bythebook(*words, "--to", tmp_path / "runs", "--json", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    scores = json.loads(done.stdout)
    run, customer = scores["runs"][0], scores["customer"]
    assert (run["outcome"], run["strict"]) == ("completed(finished)", True), run["broken"]
    assert (customer["turns_in_breach"], customer["failed"]) == (0, 0), customer
    assert customer["turns"] > 0
