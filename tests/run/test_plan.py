"""Plans: what may be added to, and what may not differ."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from bythebook.errors import TraceError, UsageError
from bythebook.run.folder import as_text
from bythebook.run.plan import Limits, Plan, PlannedTask, read_plan

A, B = PlannedTask("a", "1" * 64, 50), PlannedTask("b", "2" * 64, 60)
PLAN = Plan(suite="conduct", benchmark="1", company="c" * 64, agent="loop", runs=3, tasks=(B,))
HERE = Path("runs/x")


def test_tasks_and_runs_are_added() -> None:
    joined = PLAN.joined(replace(PLAN, tasks=(A,), runs=5), HERE)

    assert joined == replace(PLAN, tasks=(A, B), runs=5)
    assert PLAN.joined(replace(PLAN, runs=1, attempts=9), HERE) == PLAN


def test_a_model_may_have_moved_and_each_place_is_kept_once() -> None:
    first, second, third = (
        replace(PLAN, model="local:x", base_url=f"http://h:{port}/v1") for port in (1, 2, 3)
    )

    joined = first
    for asked in (first, second, third, second, first):
        joined = joined.joined(asked, HERE)

    assert joined == replace(first, moved_to=("http://h:2/v1", "http://h:3/v1"))
    with pytest.raises(UsageError):
        joined.joined(replace(second, model="local:y"), HERE)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"agent": "idle"}, "agent was 'loop', is now 'idle'"),
        ({"model": "openai:x"}, "model was '', is now 'openai:x'"),
        ({"benchmark": "2"}, "benchmark was '1', is now '2'"),
        ({"company": "d" * 64}, "company was 'cccccccccccc', is now 'dddddddddddd'"),
        ({"condition": "gold-docs"}, "condition was 'default', is now 'gold-docs'"),
        ({"cap": "6/5"}, "cap was '', is now '6/5'"),
        ({"settings": {"temperature": 1}}, 'settings was {}, is now {"temperature":1}'),
        ({"base_url": "http://h"}, "base_url was '', is now 'http://h'"),
        ({"limits": Limits(tool_errors=9)}, "plan: limits.tool_errors was 50, is now 9"),
        ({"limits": Limits(pictures=40)}, "plan: limits.pictures was null, is now 40"),
        ({"tasks": (replace(B, hash="3" * 64),)}, "task b has changed since (222222222222 -> 3333"),
    ],
)
def test_whatever_else_differs_is_refused_and_named(change: dict[str, object], says: str) -> None:
    with pytest.raises(UsageError) as refused:
        PLAN.joined(replace(PLAN, **change), HERE)

    assert says in refused.value.what
    assert "--to" in refused.value.hint


def test_a_plan_reads_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(as_text(PLAN))

    assert read_plan(path) == PLAN


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (as_text(PLAN)[:40], "does not read"),
        (as_text(replace(PLAN, version=9)), "plan version 9; this bythebook reads version 1"),
        (b'{"bythebook": "trace"}', "not a bythebook plan"),
        (b'{"bythebook": "plan", "version": 1}', "missing required field"),
        (b"\xff\xfe", "does not read"),
    ],
    ids=["cut off", "version", "other", "fields", "bytes"],
)
def test_a_plan_that_does_not_read_is_refused(tmp_path: Path, data: bytes, says: str) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(data)

    with pytest.raises(TraceError, match=says) as refused:
        read_plan(path)
    assert refused.value.where == str(path)
