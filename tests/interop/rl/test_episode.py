"""An episode is the run that `bythebook run` would have made of the same moves."""

from pathlib import Path

import msgspec
import pytest

from bythebook.agents.protocol import Call, Move
from bythebook.conduct.golden.cast import Scripts
from bythebook.errors import UsageError
from bythebook.interop.rl import Episode, Way, open_course
from bythebook.interop.rl.course import way_of
from bythebook.interop.rl.moves import read_move, write_move
from bythebook.task import Content
from tests.interop.rl.playing import played, run

TASKS = sorted(Content().tasks("conduct"))
NOW = Move((Call("now", {}),))


@pytest.mark.parametrize("name", TASKS)
def test_a_golden_comes_to_the_events_and_the_verdict_of_a_run(name: str, tmp_path: Path) -> None:
    course = open_course(name)
    here = played(course, Scripts(course.task).agent("golden")).episode
    lines, verdict = run(course, "golden", tmp_path)

    assert here.result is not None
    assert here.result.strict is verdict.strict is True
    assert [msgspec.json.encode(event) for event in here.events] == lines
    assert msgspec.json.encode(here.result.findings) == msgspec.json.encode(verdict.findings)


@pytest.mark.parametrize("agent", ["shortcut", "idle", "stop-at-yes"])
@pytest.mark.parametrize(
    "way",
    [
        Way(condition="full-disclosure+without:documents"),
        Way(cap=0.5),
        Way(steps=7),
        Way(tool_errors=1),
    ],
)
def test_every_limit_and_condition_is_that_of_a_run(agent: str, way: Way, tmp_path: Path) -> None:
    course = open_course("q03", way)
    here = played(course, Scripts(course.task).agent(agent)).episode
    lines, verdict = run(course, agent, tmp_path)

    assert here.result is not None
    assert str(here.result.outcome) == verdict.outcome
    assert [msgspec.json.encode(event) for event in here.events] == lines
    assert msgspec.json.encode(here.result.findings) == msgspec.json.encode(verdict.findings)


@pytest.mark.parametrize(("cap", "calls"), [(1.2, 110), ("6/5", 110), (0.5, 46), (2, 184)])
def test_a_cap_is_a_multiple_of_the_calls_of_the_golden(cap: float | str, calls: int) -> None:
    """The golden of q03 makes 92."""
    assert open_course("q03", Way(cap=cap)).terms.cap == calls


def test_episodes_side_by_side_do_not_touch_each_other() -> None:
    course = open_course("q03")
    scripts = Scripts(course.task)
    alone = played(course, scripts.agent("golden")).episode
    open_meanwhile = Episode(course)
    open_meanwhile.step(NOW)
    again = played(course, scripts.agent("golden")).episode
    open_meanwhile.step(NOW)

    assert again.result == alone.result
    assert len(open_meanwhile.events) == 3
    assert open_course("q03") is course


def test_an_episode_that_is_over_takes_no_more_moves() -> None:
    episode = Episode(open_course("q03", Way(steps=1)))
    episode.step(NOW)
    with pytest.raises(UsageError, match=r"over: limit\(steps\)"):
        episode.step(NOW)


@pytest.mark.parametrize("sent", ["{", '{"calls": 7}', '{"call": []}', '{"calls": [{"args": {}}]}'])
def test_a_move_that_does_not_read_is_a_refused_call_and_no_exception(sent: str) -> None:
    episode = Episode(open_course("q03"))
    move, wrong = read_move(sent)
    step = episode.step(move)

    assert "does not read" in wrong
    assert [answer.ok for answer in step.answers] == [False]
    assert episode.scene.errors == 1
    assert [one.name for one in episode.events if one.kind == "note"] == ["malformed"]


def test_what_is_written_as_a_move_reads_as_that_move() -> None:
    move = Move((Call("call_tool", {"name": "x", "arguments": {"n": [1, "é"]}}, "a"),), "aloud")
    assert read_move(write_move(move)) == (move, "")
    assert read_move('{"name": "now"}') == (NOW, "")
    assert read_move(" Hello {you} ") == (Move(text=" Hello {you} "), "")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"reward": "strct"}, "strct"),
        ({"conditon": "default"}, "did you mean 'condition'"),
        ({"condition": "gold-dcs"}, "did you mean 'gold-docs'"),
        ({"discount": 0}, "is not in"),
        ({"cap": "many"}, "no number"),
        ({"content": "/no/such/folder"}, "no such folder"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, object], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        open_course("q03", way_of(options))
