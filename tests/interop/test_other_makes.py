"""The same formats as other programs and other versions leave them behind."""

import copy
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from bythebook.errors import TraceError
from bythebook.interop.check import Checked
from bythebook.interop.sources import ForeignTrace, recognised, traces_of
from tests.interop import story
from tests.interop.anything import checked
from tests.interop.test_formats import told

DEFINITE = {"pending-only": "pass", "read-first": "fail", "yes-first": "pass", "one-call": "fail"}


def verdicts(trace: Checked) -> dict[str, str]:
    return {one.id: one.verdict for one in trace.criteria}


def backwards(value: Any) -> Any:
    """The same, the fields of every object in the other order."""
    if isinstance(value, dict):
        return {name: backwards(value[name]) for name in reversed(value)}
    return [backwards(one) for one in value] if isinstance(value, list) else value


SIMULATIONS = story.tau2(3)["simulations"]
TAU = {
    "simulations.json": ("tau2", story.document(SIMULATIONS)),
    "simulations.jsonl": ("tau2", story.each_line(SIMULATIONS)),
    "backwards.jsonl": ("tau2", story.each_line(backwards(SIMULATIONS))),
    "bare.json": ("tau2", json.dumps({"simulations": SIMULATIONS}).encode()),
    "backwards.json": ("tau2", story.document(backwards(story.tau2(3)))),
    "results.jsonl": ("tau2", story.each_line([story.tau2(), story.tau2(2)])),
    "packed.jsonl.gz": ("tau2", gzip.compress(story.each_line(SIMULATIONS))),
    "trajectories.json": ("tau", story.document(backwards(story.tau(3)))),
    "trajectories.jsonl": ("tau", b"\xef\xbb\xbf" + story.each_line(story.tau(3))),
}


@pytest.mark.parametrize("name", TAU)
def test_results_are_known_however_they_are_put_into_a_file(name: str, tmp_path: Path) -> None:
    form, data = TAU[name]
    path = tmp_path / name
    path.write_bytes(data)
    traces, problems = checked(path)
    assert problems == []
    assert [(one.format, verdicts(one)) for one in traces] == [(form, DEFINITE)] * 3


@pytest.mark.parametrize("make", [story.document, story.each_line])
def test_a_run_that_broke_is_cut_in_every_kind_of_file(make: Any, tmp_path: Path) -> None:
    broke = [one | {"termination_reason": "infrastructure_error"} for one in SIMULATIONS[:2]]
    path = tmp_path / "runs.json"
    path.write_bytes(make(broke))
    traces, _ = checked(path)
    assert [one.cut for one in traces] == ["the run ended by infrastructure_error"] * 2


def test_one_trajectory_by_itself_tells_its_error(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_bytes(story.document(story.tau()[0] | {"info": {"error": "no answer"}}))
    (trace,), _ = checked(path)
    assert (trace.format, trace.cut) == ("tau", "the run ended by an error: no answer")


@pytest.mark.parametrize("held", [None, {"sim-0": SIMULATIONS[0]}, "none"])
def test_simulations_that_are_no_list_are_named(held: Any, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_bytes(story.document(story.tau2() | {"simulations": held}))
    traces, problems = checked(path)
    assert traces == []
    assert [one.what for one in problems] == ["no list of simulations"]


def test_a_voice_run_that_was_stored_without_its_words_is_named(tmp_path: Path) -> None:
    path = tmp_path / "voice.json"
    heard = {"agent_chunk": {"role": "assistant", "contains_speech": True}, "user_chunk": None}
    run = {"id": "v", "task_id": "5", "termination_reason": "user_stop", "ticks": [heard, heard]}
    path.write_bytes(story.document(run))
    traces, problems = checked(path)
    assert traces == []
    assert [one.what for one in problems] == ["a voice run without its words and calls"]


def test_a_trace_of_which_nothing_was_read_keeps_no_rule(tmp_path: Path) -> None:
    path = tmp_path / "alien.json"
    path.write_bytes(story.document([[{"role": "system", "content": "hi"}, {"role": "alien"}]]))
    (trace,), _ = checked(path)
    assert set(verdicts(trace).values()) == {"uncheckable"}
    assert trace.criteria[0].why.startswith("nothing of the trace could be read: [0][1]: no known")


ASIDE: list[dict[str, Any]] = [
    {"type": "summary", "summary": "What went before.", "leafUuid": "l"},
    {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
]


@pytest.mark.parametrize("aside", ASIDE, ids=[one["type"] for one in ASIDE])
def test_a_session_may_begin_with_many_lines_about_itself(
    aside: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(story.each_line([*[aside] * 60, *story.claude_code()]))
    (trace,), problems = checked(path)
    assert (trace.format, verdicts(trace), problems) == ("claude-code", DEFINITE, [])


def test_the_records_of_a_session_may_stand_in_one_list(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    broke = {"type": "result", "subtype": "error_during_execution", "session_id": "s-1"}
    path.write_bytes(story.document([*story.claude_code(), broke]))
    (trace,), _ = checked(path)
    assert (trace.format, verdicts(trace)) == ("claude-code", DEFINITE)
    assert trace.cut == "the session ended by error_during_execution"


def chain(tag: str) -> list[dict[str, Any]]:
    """The story as a helper of an older file tells it: a line is known by which it follows."""
    found: list[dict[str, Any]] = []
    for line in copy.deepcopy(story.claude_code()[2:]):
        parent = found[-1]["uuid"] if found else None
        for part in line["message"]["content"]:
            part.update({k: tag + part[k] for k in ("id", "tool_use_id") if k in part})
        more = {"isSidechain": True, "uuid": f"{tag}{len(found)}", "parentUuid": parent}
        found.append(line | more)
    return found


def test_helpers_that_work_at_the_same_time_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    both = [line for pair in zip(chain("a"), chain("b"), strict=True) for line in pair]
    path.write_bytes(story.each_line([*story.claude_code(), *both]))
    traces, _ = checked(path)
    assert [one.id for one in traces] == ["s-1", "s-1/sidechain", "s-1/sidechain 2"]
    assert [verdicts(one) for one in traces] == [DEFINITE] * 3
    assert not any(one.refused for one in traces)


@pytest.mark.parametrize(
    "said",
    [
        {"type": "user", "message": {"role": "user", "content": "<local-command-stdout>no"}},
        {
            "type": "user",
            "message": {
                "role": "user",
                "content": [{"type": "text", "text": "[Request interrupted by user]"}],
            },
        },
        {
            "type": "assistant",
            "message": {"role": "assistant", "model": "<synthetic>", "content": "API Error: 529"},
        },
    ],
)
def test_what_the_program_itself_says_is_said_by_nobody(
    said: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "session.jsonl"
    lines = story.claude_code()
    path.write_bytes(story.each_line([*lines[:6], said, *lines[6:]]))
    (trace,) = traces_of(path)
    assert isinstance(trace, ForeignTrace)
    assert told(trace) == story.happened()


BESIDES = ["ghost_snapshot", "compaction_summary", "tool_search_call", "tool_search_output"]


@pytest.mark.parametrize("kind", BESIDES)
def test_items_that_are_no_part_of_the_conversation_are_notes(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "rollout.jsonl"
    item = {"type": "response_item", "payload": {"type": kind, "call_id": "z"}}
    path.write_bytes(story.each_line([*story.codex()[:5], item, *story.codex()[5:]]))
    (trace,), _ = checked(path)
    assert (verdicts(trace), trace.refused) == (DEFINITE, 0)


def test_a_printed_call_that_never_ended_was_tried(tmp_path: Path) -> None:
    path = tmp_path / "printed.jsonl"
    call = {"type": "mcp_tool_call", "tool": "cancel_order", "arguments": {"order_id": "W3"}}
    lines = [
        {"type": "thread.started", "thread_id": "t"},
        {"type": "turn.started"},
        {"type": "item.started", "item": call | {"id": "i", "status": "in_progress"}},
        {"type": "turn.failed", "error": {"message": "gone"}},
    ]
    path.write_bytes(story.each_line(lines))
    (trace,), _ = checked(path)
    assert trace.cut == "the last turn failed"
    found = {"read-first": "fail", "pending-only": "uncheckable", "yes-first": "uncheckable"}
    assert verdicts(trace) == found | {"one-call": "pass"}


@pytest.mark.parametrize("kind", ["shell_call", "apply_patch_call", "computer_call"])
def test_tools_of_the_provider_are_calls_with_their_results(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    items = [
        {"role": "user", "content": "Do it."},
        {"type": kind, "call_id": "k", "action": {"type": "wait"}},
        {"type": f"{kind}_output", "call_id": "k", "output": "done"},
    ]
    path.write_bytes(story.document(items))
    (trace,), _ = checked(path)
    assert (trace.refused, trace.events) == (0, 3)


def test_spans_of_several_resources_are_one_conversation(tmp_path: Path) -> None:
    path = tmp_path / "spans.json"
    (whole,) = story.otel()["resourceSpans"]
    http = {"traceId": "t1", "spanId": "h", "name": "GET", "attributes": []}
    parts = [
        {"resource": {"attributes": []}, "scopeSpans": [{"spans": [http]}, {"spans": [span]}]}
        for span in whole["scopeSpans"][0]["spans"]
    ]
    path.write_bytes(story.document({"resourceSpans": [{"scopeSpans": []}, *parts]}))
    (trace,), problems = checked(path)
    assert (verdicts(trace), problems) == (DEFINITE, [])


def test_a_first_line_may_be_long(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_bytes(story.each_line([{"role": "system", "content": "x" * 400_000}, *story.chat()]))
    assert recognised(path)[0] == "openai"
    (trace,), _ = checked(path)
    assert verdicts(trace) == DEFINITE


def test_a_packed_zip_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "log.eval.gz"
    path.write_bytes(gzip.compress(story.packed()))
    with pytest.raises(TraceError, match="packed with gzip besides; unpack that first"):
        checked(path)
