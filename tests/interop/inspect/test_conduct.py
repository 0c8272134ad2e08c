"""`inspect eval bythebook/conduct`: the same scene, the same moves, the same verdict."""

from pathlib import Path
from typing import Any

import anyio
import msgspec
import pytest

from bythebook.agents.context import prompt
from bythebook.conduct.golden.cast import Scripts
from bythebook.errors import JudgeError, UsageError
from bythebook.run.folder import EvaluationFolder
from bythebook.trace import StoredEvent, Trace, parse_trace, read_trace
from tests.interop.inspect.conftest import TASK, Twice

pytest.importorskip("inspect_ai", reason="the extra `inspect` is not installed")

from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState

from bythebook.interop.inspect_ai_tasks import conduct, conduct_verdict
from tests.interop.inspect.told import MODEL, conduct_task

pytestmark = pytest.mark.timeout(300)
"""The first test of a worker waits until Inspect has played."""


STRICT = {"goal": 1, "process": 1, "protection": 1, "strict": 1}


def read(path: Path) -> EvalLog:
    return read_eval_log(str(path), resolve_attachments=True)


def log_of(folder: Path) -> EvalLog:
    (path,) = (folder / "logs").glob("*.eval")
    return read(path)


def sample_of(folder: Path) -> EvalSample:
    (sample,) = log_of(folder).samples or []
    return sample


def trace_of(sample: EvalSample) -> Trace:
    return parse_trace(sample.store["bythebook_trace"].encode(), where="store")


def score_of(sample: EvalSample) -> Any:
    assert sample.error is None, sample.error.message
    return (sample.scores or {})["verdict"]


def figures(log: EvalLog) -> dict[tuple[str, str], float]:
    assert log.results
    return {
        (one.name, key): m.value for one in log.results.scores for key, m in one.metrics.items()
    }


def plain(event: StoredEvent) -> tuple[Any, ...]:
    """An event without what a provider counts in its own words."""
    args: Any = msgspec.json.decode(event.args)
    if event.name == "usage":
        args.pop("sent", None)
    return (*(getattr(event, name) for name in ("i", "t", "kind", "name", "ok", "move", "h")), args)


def without(value: Any, names: set[str]) -> Any:
    if isinstance(value, dict):
        return {key: without(one, names) for key, one in value.items() if key not in names}
    return [without(one, names) for one in value] if isinstance(value, list) else value


def test_a_golden_played_by_inspect_is_strict(twice: Twice) -> None:
    log = read(twice.log)
    assert (log.status, log.eval.task) == ("success", "bythebook/conduct")
    (sample,) = log.samples or []
    assert sample.id == TASK
    assert score_of(sample).value == STRICT
    assert figures(log)["strict", "mean"] == 1
    assert figures(log)["strict", "bythebook/pass_k_1"] == 1


def test_its_trace_is_that_of_bythebook_run(twice: Twice) -> None:
    theirs, ours = (read_trace(one.run(TASK, 1).trace) for one in (twice.theirs, twice.ours))
    assert theirs.header == ours.header
    assert theirs.closing == ours.closing
    assert list(map(plain, theirs.events)) == list(map(plain, ours.events))
    assert [bytes(e.result) for e in theirs.events] == [bytes(e.result) for e in ours.events]


def test_its_verdict_is_that_of_bythebook_run_to_the_byte(twice: Twice) -> None:
    theirs, ours = (one.run(TASK, 1).verdict.read_bytes() for one in (twice.theirs, twice.ours))
    assert theirs == ours


def test_the_model_is_told_and_offered_the_same(twice: Twice) -> None:
    theirs, ours = twice.asked
    assert theirs["messages"] == ours["messages"]
    bounds = {"minLength", "minimum", "maximum", "strict"}
    offered = [without(one["tools"], bounds) for one in twice.asked]
    assert offered[0] == offered[1], "Inspect's provider leaves out bounds, and nothing else"
    longest = [one.get("max_tokens") or one["max_completion_tokens"] for one in twice.asked]
    assert longest == [32_768, 32_768]


def test_the_sample_holds_the_journal_and_every_answer(twice: Twice) -> None:
    (sample,) = read(twice.log).samples or []
    journal = twice.theirs.run(TASK, 1).trace.read_text("utf-8")
    assert sample.store["bythebook_trace"] == journal
    calls = [call.id for one in sample.messages for call in getattr(one, "tool_calls", None) or ()]
    answered = [one.tool_call_id for one in sample.messages if one.role == "tool"]
    assert calls == answered
    assert len(calls) == 92


def test_a_shortcut_breaks_what_it_breaks_elsewhere(scenes: Path) -> None:
    score = score_of(sample_of(scenes / "shortcut"))
    case = Scripts(conduct_task(TASK)).cases.shortcut
    broken = {one["id"] for one in score.metadata["findings"] if one["verdict"] == "fail"}
    assert broken == set(case.breaks)
    assert score.value["strict"] == 0
    assert all(name in score.explanation for name in broken)


def test_a_provider_that_breaks_is_an_error_and_no_zero(scenes: Path) -> None:
    log = log_of(scenes / "dead_line")
    good, bad = sorted(log.samples or [], key=lambda one: str(one.id))
    assert score_of(good).value == STRICT
    assert bad.error is not None
    assert "the line is dead" in bad.error.message
    assert not bad.scores
    assert log.results
    assert {one.scored_samples for one in log.results.scores} == {1}
    assert figures(log)["strict", "mean"] == 1


def test_a_refused_request_is_no_zero_either(scenes: Path) -> None:
    bad = sample_of(scenes / "refused_by_http")
    assert bad.error is not None
    assert "no such model" in bad.error.message
    assert not bad.scores


def test_an_attempt_that_does_not_count_is_made_again_and_kept(scenes: Path) -> None:
    folder = scenes / "broken_once"
    assert score_of(sample_of(folder)).value == STRICT
    place = EvaluationFolder(folder / "runs").run(TASK, 1)
    (aside,) = place.attempts
    closing = read_trace(aside / "trace.jsonl").closing
    assert closing is not None
    assert closing.outcome.kind == "infrastructure_failure"
    assert place.played() is not None


def test_a_cap_ends_a_run_that_counts(scenes: Path) -> None:
    score = score_of(sample_of(scenes / "capped"))
    assert score.answer == "limit(tool_calls)"
    assert score.metadata["calls"] == 46
    assert score.value["strict"] == 0


@pytest.mark.parametrize(("limit", "outcome"), [("token", "token"), ("message", "steps")])
def test_a_limit_of_inspect_cuts_a_run_off_and_it_counts(
    scenes: Path, limit: str, outcome: str
) -> None:
    sample = sample_of(scenes / f"{limit}_limit")
    assert sample.limit is not None
    assert sample.limit.type == limit
    assert score_of(sample).answer == f"limit({outcome})"
    assert score_of(sample).value["protection"] == 1


def test_a_clock_that_counts_the_providers_time_makes_no_failure(scenes: Path) -> None:
    sample = sample_of(scenes / "clock_of_inspect")
    assert sample.limit is not None
    assert sample.limit.type == "time"
    assert not sample.scores
    assert sample.error is not None
    assert "no attempt at this sample counts" in sample.error.message


def test_a_full_context_makes_room_as_in_the_paper(scenes: Path) -> None:
    sample = sample_of(scenes / "full_context")
    stubbed = [event for event in trace_of(sample).events if event.name == "stubbed"]
    assert len(stubbed) == 1
    assert score_of(sample).value == STRICT
    shown = [one.text for one in _last_asked(sample)]
    assert prompt("stub") in shown
    assert prompt("stub") not in [one.text for one in sample.messages], "the sample keeps it all"
    calls = [call.id for one in sample.messages for call in getattr(one, "tool_calls", None) or ()]
    assert len(calls) == 92


def _last_asked(sample: EvalSample) -> list[Any]:
    return list([event for event in sample.events if event.event == "model"][-1].input)


def test_arguments_that_are_no_json_are_the_agents_own_mistake(scenes: Path) -> None:
    sample = sample_of(scenes / "malformed")
    events = trace_of(sample).events
    first = next(event for event in events if event.kind == "call")
    assert (first.name, first.ok) == ("now", False)
    assert [event.name for event in events].count("malformed") == 1
    assert score_of(sample).value["strict"] == 0


def test_a_model_may_speak_for_the_customer(scenes: Path) -> None:
    folder = scenes / "customer"
    sample = sample_of(folder)
    assert score_of(sample).answer.startswith("completed")
    plan = EvaluationFolder(folder / "runs").plan
    assert plan is not None
    assert (plan.simulator, plan.simulator_prompt) == (f"inspect:{MODEL}", "revised")
    words = [one for one in trace_of(sample).events if one.kind == "message" and one.i]
    assert b"Please go on" in bytes(words[0].args)


def test_epochs_are_runs_of_one_evaluation(scenes: Path) -> None:
    names = {name for _, name in figures(log_of(scenes / "epochs"))}
    assert {"bythebook/pass_k_1", "bythebook/pass_k_2", "bythebook/pass_k_3"} <= names
    folder = EvaluationFolder(scenes / "epochs" / "runs")
    assert folder.plan is not None
    assert folder.plan.runs == 3
    assert [place.number for place in folder.runs()] == [1, 2, 3]


def test_a_finished_run_is_not_played_over(scenes: Path) -> None:
    for sample in log_of(scenes / "again").samples or []:
        assert sample.error is not None
        assert "is finished here" in sample.error.message
    places = EvaluationFolder(scenes / "again" / "runs").runs()
    assert all(place.played() is not None for place in places)
    assert not [aside for place in places for aside in place.attempts]


def test_a_void_rule_is_an_error_of_the_sample(twice: Twice) -> None:
    kept = msgspec.json.decode(twice.theirs.run(TASK, 1).verdict.read_bytes())
    kept["findings"][0] |= {"verdict": "void", "why": "our own fault"}
    state = TaskState(model=MODEL, sample_id=TASK, epoch=1, input="", messages=[])
    state.store.set("bythebook_verdict", kept)
    with pytest.raises(JudgeError, match="our own fault"):
        anyio.run(conduct_verdict(), state, Target(""))


def test_without_a_verdict_there_is_no_score() -> None:
    state = TaskState(model=MODEL, sample_id=TASK, epoch=1, input="", messages=[])
    with pytest.raises(JudgeError, match="no attempt"):
        anyio.run(conduct_verdict(), state, Target(""))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"task": "q9x"}, "no conduct task 'q9x'"),
        ({"condition": "gold-dcs"}, "did you mean 'gold-docs'"),
        ({"cap": "lots"}, "is not a ratio"),
        ({"simulator": "revisd"}, "did you mean 'revised'"),
        ({"content": "/nowhere"}, "no such folder"),
    ],
)
def test_a_wrong_argument_is_named_before_anything_is_played(
    given: dict[str, Any], says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        conduct(**given)
