"""What a file tells besides the words: marks, moments, and how a call ended."""

import json
from pathlib import Path
from typing import Any

import pytest

from bythebook.interop.records import Turn, Weaver
from bythebook.interop.sources import ForeignTrace, traces_of
from bythebook.interop.sources.conversation import moment
from tests.interop import story
from tests.interop.anything import checked


@pytest.mark.parametrize(
    ("value", "reward"),
    [
        ("C", 1.0),
        ("P", 0.5),
        ("I", 0.0),
        ("N", 0.0),
        (0.25, 0.25),
        (True, 1.0),
        ("good", None),
        ({"goal": 1, "strict": 0.0}, 0.0),
        ({"goal": 1}, None),
        (None, None),
    ],
)
def test_the_mark_of_a_sample_is_its_reward(value: Any, reward: float, tmp_path: Path) -> None:
    log = story.inspect()
    log["samples"][0]["scores"] = {"match": {"value": value}}
    path = tmp_path / "log.json"
    path.write_bytes(story.document(log))
    (trace,), _ = checked(path)
    assert trace.reward == reward


@pytest.mark.parametrize(
    "told",
    [
        1_700_000_000,
        1_700_000_000_000,
        1_700_000_000_000_000,
        1_700_000_000_000_000_000,
        "1700000000000000000",
        "2023-11-14T22:13:20Z",
        "2023-11-14T22:13:20",
        "2023-11-15T00:13:20+02:00",
    ],
)
def test_a_moment_is_the_same_in_every_unit(told: Any) -> None:
    assert moment(told) == 1_700_000_000


@pytest.mark.parametrize("told", [None, True, "soon", "", float("nan"), [], "9" * 40])
def test_what_is_no_moment_is_none(told: Any) -> None:
    assert moment(told) is None


def test_time_is_counted_in_minutes_and_never_goes_back() -> None:
    turns = [Turn("customer", "hm", at=at) for at in (600.0, 659.0, 725.0, 630.0, None, 900.0)]
    times = [event.t for event in Weaver().weave(turns) if hasattr(event, "t")]
    assert times == [0, 0, 2, 2, 2, 5]


ENDS: list[tuple[Any, bool]] = [
    ("Exit code: 0\nWall time: 1 seconds\nOutput:\nall is well", True),
    ("Exit code: 1\nWall time: 1 seconds\nOutput:\nno such file", False),
    ("Process exited with code -9\nOutput:\n", False),
    (json.dumps({"output": "error: none", "metadata": {"exit_code": 0}}), True),
    (json.dumps({"output": "fine", "metadata": {"exit_code": 2}}), False),
    ({"content": "fine", "success": False}, False),
    ({"content": "Error: quoted", "success": True}, True),
    ("plain words", True),
    ("Error: no seat", False),
]


@pytest.mark.parametrize(("output", "ok"), ENDS)
def test_a_command_failed_when_its_exit_code_says_so(output: Any, ok: bool, tmp_path: Path) -> None:
    path = tmp_path / "rollout.jsonl"
    call = {"type": "function_call", "call_id": "k", "name": "shell", "arguments": "{}"}
    gave = {"type": "function_call_output", "call_id": "k", "output": output}
    items = [{"type": "response_item", "payload": one} for one in (call, gave)]
    path.write_bytes(story.each_line([story.codex()[0], *items]))
    assert ends_of(path) == [ok]


@pytest.mark.parametrize(
    ("code", "status", "ok"),
    [(0, "completed", True), (3, "failed", False), (None, "failed", False)],
)
def test_a_printed_command_failed_when_its_exit_code_says_so(
    code: int | None, status: str, ok: bool, tmp_path: Path
) -> None:
    path = tmp_path / "printed.jsonl"
    item = {
        "id": "i",
        "type": "command_execution",
        "command": "ls",
        "aggregated_output": "Error: x",
    }
    done = {"type": "item.completed", "item": item | {"exit_code": code, "status": status}}
    path.write_bytes(story.each_line([{"type": "thread.started", "thread_id": "t"}, done]))
    assert ends_of(path) == [ok]


def ends_of(path: Path) -> list[bool]:
    """Whether each call succeeded."""
    (trace,) = traces_of(path)
    assert isinstance(trace, ForeignTrace)
    events = list(Weaver().weave(trace.records))
    return [event.ok for event in events if getattr(event, "kind", "") == "call"]  # type: ignore[union-attr]  # an event, for it has a kind
