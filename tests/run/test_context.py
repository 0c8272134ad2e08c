"""Long runs in small windows, over the wire: room is made, the run ends, the trace keeps all."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bythebook.agents.context import BYTES_A_TOKEN, prompt
from bythebook.conduct.task import ConductTask
from tests.model_server import Asked, ModelServer, Say, Spoken, Use, full
from tests.own import TASK, bythebook
from tests.run.wired import Wired, results

READINGS = 300
WINDOW = 150_000
"""Bytes of a request that the server takes: 300 calls and their stubs fit, 300 documents do not."""
DOCUMENT = "visitor-pass-policy-v2"
PROVIDERS = pytest.mark.parametrize("provider", ["local", "anthropic"])

Judge = Callable[[Asked], bool]


class Reader(Wired):
    """Reads one document over and over, then plays the golden. Refuses what is too long for it."""

    def __init__(self, task: ConductTask, fits: Judge, readings: int = READINGS) -> None:
        super().__init__(task)
        self._fits, self._readings = fits, readings

    def __call__(self, asked: Asked) -> Spoken:
        if not self._fits(asked):
            return full(asked)
        if asked.turns < self._readings:
            return Say(calls=(Use("read_document", {"id": DOCUMENT}, f"r{asked.turns}"),))
        return self.after(list(results(asked.messages))[self._readings :])


def small(asked: Asked) -> bool:
    return len(msgspec.json.encode(asked.body)) <= WINDOW


def words(own: Path, server: ModelServer, provider: str) -> list[str]:
    base = server.url + ("/v1" if provider == "local" else "")
    return [
        "run", "conduct", "--task", TASK, "--content", str(own), "--agent", "loop", "--runs", "1",
        "--model", f"{provider}:scripted", "--base-url", base, "--to", "runs", "--json",
    ]  # fmt: skip


def events(folder: Path) -> list[dict[str, Any]]:
    journal = (folder / "runs" / TASK / "1" / "trace.jsonl").read_bytes().splitlines()
    return [json.loads(line) for line in journal[1:-1]]


def stubbed(found: list[dict[str, Any]]) -> int:
    return sum(event["args"]["answers"] for event in found if event["name"] == "stubbed")


@PROVIDERS
def test_a_run_of_300_calls_finishes_in_a_window_that_overflows(
    task: ConductTask, own: Path, tmp_path: Path, provider: str
) -> None:
    with ModelServer(Reader(task, small)) as server:
        done = bythebook(*words(own, server, provider), cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    (run,) = json.loads(done.stdout)["runs"]
    found = events(tmp_path)
    refused = sum(not small(asked) for asked in server.asked)
    last = str(server.asked[-1].body)
    text = task.company.library.documents[DOCUMENT].text
    read = [e["result"] for e in found if e["name"] == "read_document"]
    assert (run["outcome"], run["strict"]) == ("completed(finished)", True)
    assert run["calls"] > READINGS
    assert refused > 3
    assert stubbed(found) == last.count(prompt("stub")) > 50
    assert read[:READINGS] == [text] * READINGS


@PROVIDERS
def test_the_local_count_makes_room_before_the_provider_complains(
    task: ConductTask, own: Path, tmp_path: Path, provider: str
) -> None:
    most = WINDOW // BYTES_A_TOKEN
    with ModelServer(Reader(task, lambda asked: True)) as server:
        line = [*words(own, server, provider), "--context-tokens", str(most)]
        done = bythebook(*line, cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    (run,) = json.loads(done.stdout)["runs"]
    plan = json.loads((tmp_path / "runs" / "plan.json").read_bytes())
    sizes = [len(msgspec.json.encode(asked.body)) / BYTES_A_TOKEN for asked in server.asked]
    assert (run["outcome"], run["strict"]) == ("completed(finished)", True)
    assert plan["limits"]["context_tokens"] == most
    assert stubbed(events(tmp_path)) > 50
    # The count is of what is said, not of each dialect's brackets around it.
    assert max(sizes) < 1.35 * most
    assert max(sizes) > 0.8 * most


@PROVIDERS
@pytest.mark.parametrize("local", [False, True], ids=["provider", "local"])
def test_a_context_with_nothing_left_to_drop_is_a_limit_and_is_judged(
    task: ConductTask, own: Path, tmp_path: Path, provider: str, local: bool
) -> None:
    with ModelServer(Reader(task, lambda asked: local or asked.turns < 20)) as server:
        line = words(own, server, provider)
        done = bythebook(*line, *(["--context-tokens", "5000"] if local else []), cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    (run,) = json.loads(done.stdout)["runs"]
    assert run["outcome"] == "limit(context)"
    assert (run["goal"], run["strict"]) == (False, False)
    assert (tmp_path / "runs" / TASK / "1" / "verdict.json").exists()


def test_two_replies_cut_off_in_a_row_end_a_run_and_that_is_told(own: Path, tmp_path: Path) -> None:
    cut = Say(calls=(Use("read_document", '{"id": "visi'),), stop="length")
    with ModelServer(lambda asked: cut) as server:
        line = [word for word in words(own, server, "local") if word != "--json"]
        done = bythebook(*line, cwd=tmp_path)

    closing = json.loads(
        (tmp_path / "runs" / TASK / "1" / "trace.jsonl").read_bytes().splitlines()[-1]
    )
    assert done.returncode == 0, done.stderr
    assert "2 replies were cut off at --max-tokens, in 1 run" in done.stderr
    assert closing["outcome"] == {
        "kind": "completed", "detail": "finished", "says": "the agent had nothing more to say"
    }  # fmt: skip
    assert [event["name"] for event in events(tmp_path)].count("read_document") == 0
