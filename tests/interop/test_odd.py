"""Odd, broken and mixed input: what is refused is named, nothing else is lost, nothing crashes."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bythebook.errors import TraceError
from bythebook.interop.check import Checked
from bythebook.interop.sources.conversation import moment, number_of
from tests.interop import story
from tests.interop.anything import ANYTHING, FAST, change, checked, outcome

DEFINITE = {"pending-only": "pass", "read-first": "fail", "yes-first": "pass", "one-call": "fail"}


def verdicts(trace: Checked) -> dict[str, str]:
    return {one.id: one.verdict for one in trace.criteria}


SPAN_NAMES = [
    f"gen_ai.{name}"
    for name in [
        "operation.name",
        "input.messages",
        "output.messages",
        "tool.name",
        "tool.call.id",
        "tool.call.result",
        "prompt.0.role",
        "prompt.0.content",
        "completion.0.tool_calls.0.name",
    ]
]
ROLES = st.sampled_from(["user", "assistant", "tool", "system", "alien", "function_call"])


@FAST
@given(
    odd=st.lists(ANYTHING | st.fixed_dictionaries({"role": ROLES, "content": ANYTHING}), max_size=3)
)
def test_no_message_whatever_it_holds_keeps_a_trace_from_being_judged(
    odd: list[Any], tmp_path: Path
) -> None:
    path = tmp_path / "chat.json"
    path.write_bytes(json.dumps([*story.chat(), *odd]).encode("utf-8", "replace"))
    (trace,), problems = checked(path)
    assert problems == []
    assert verdicts(trace)["read-first"] == "fail"
    assert set(verdicts(trace)) == set(DEFINITE)


@FAST
@given(line=ANYTHING, form=st.sampled_from(["claude-code.jsonl", "codex.jsonl", "own.jsonl"]))
def test_no_line_whatever_it_holds_keeps_a_transcript_from_being_judged(
    line: Any, form: str, tmp_path: Path
) -> None:
    path = tmp_path / "lines.jsonl"
    more = json.dumps(line).encode("utf-8", "replace")
    path.write_bytes(story.FILES[form][1]() + more + b"\n")
    traces, problems = checked(path, story.FILES[form][0])
    assert problems == []
    assert verdicts(traces[0])["read-first"] == "fail"


@FAST
@given(attributes=st.dictionaries(st.sampled_from(SPAN_NAMES), ANYTHING, max_size=4))
def test_no_span_whatever_it_holds_keeps_a_conversation_from_being_judged(
    attributes: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "spans.json"
    document = story.otel()
    odd = [{"key": name, "value": {"stringValue": v}} for name, v in attributes.items()]
    spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    spans += [{"traceId": "other", "spanId": "x", "attributes": odd}, {"attributes": attributes}, 7]
    path.write_text(json.dumps(document), encoding="utf-8", errors="replace")
    traces, _ = checked(path)
    assert verdicts(next(t for t in traces if t.id == "t1")) == DEFINITE


@settings(FAST, max_examples=150)
@given(data=st.data(), name=st.sampled_from([n for n in story.FILES if "eval" not in n]))
def test_a_file_with_anything_changed_anywhere_is_judged_or_refused_with_a_word(
    data: st.DataObject, name: str, tmp_path: Path
) -> None:
    whole, lines = story.FILES[name][1](), name.endswith(".jsonl")
    document = [json.loads(line) for line in whole.splitlines()] if lines else json.loads(whole)
    change(data, document)
    path = tmp_path / name
    path.write_bytes(story.each_line(document) if lines else story.document(document))
    outcome(path)


@pytest.mark.parametrize(
    ("odd", "says"),
    [
        (None, "no message: NoneType"),
        (42, "no message: int"),
        ({"role": "alien", "content": "hi"}, "no known message: role 'alien'"),
        ({"colour": "red"}, "no known message: fields colour"),
        ({"role": "tool", "tool_call_id": "lost", "content": "x"}, "a result of no open call"),
        ({"type": "function_call", "arguments": "{}"}, "a call without a name"),
    ],
)
def test_a_refused_record_is_named_and_the_others_are_judged(
    odd: Any, says: str, tmp_path: Path
) -> None:
    path = tmp_path / "tau2.json"
    document = story.tau2(3)
    document["simulations"][1]["messages"].append(odd)
    path.write_bytes(story.document(document))
    traces, _ = checked(path)
    assert [one.refused for one in traces] == [0, 1, 0]
    (named,) = traces[1].odd
    assert says in named
    assert "simulations[1].messages[10]" in named
    assert all(verdicts(one) == DEFINITE for one in traces)


def test_records_that_are_no_traces_are_named_between_those_that_are(tmp_path: Path) -> None:
    path = tmp_path / "tau.json"
    mixed: list[Any] = [*story.tau(), None, {"task_id": 9, "reward": 0}, [], *story.tau()]
    path.write_bytes(story.document(mixed))
    traces, problems = checked(path)
    assert len(traces) == 3
    assert [verdicts(t) for t in (traces[0], traces[-1])] == [DEFINITE, DEFINITE]
    assert [one.place.removeprefix(f"{path}: ") for one in problems] == ["[1]", "[2]"]


def test_lines_that_do_not_read_are_named_by_number(tmp_path: Path) -> None:
    path = tmp_path / "tau.jsonl"
    first, second = story.each_line(story.tau(2)).splitlines(keepends=True)
    path.write_bytes(first + b"{nonsense}\n\n" + second + first[:100])
    traces, problems = checked(path)
    assert [verdicts(one) for one in traces] == [DEFINITE, DEFINITE]
    assert [one.place for one in problems] == [f"{path}:2", f"{path}:5"]
    assert "cut off" in problems[1].what


@pytest.mark.parametrize("name", ["tau2.json", "tau.json", "inspect.json", "record.json"])
def test_a_document_that_is_cut_off_gives_what_is_whole_and_says_so(
    name: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    makes = {"tau2.json": story.tau2, "tau.json": story.tau}
    whole = story.document(makes[name](3)) if name in makes else story.FILES[name][1]()
    path.write_bytes(whole[: len(whole) * 9 // 10])
    traces, problems = checked(path)
    assert len(traces) == (2 if name in makes else 0)
    assert all(verdicts(one) == DEFINITE for one in traces)
    assert "ends too early" in problems[0].what


def test_a_conversation_that_is_cut_off_is_judged_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    whole = story.document(story.chat())
    path.write_bytes(whole[: whole.rindex(b"It is done")])
    (trace,), _ = checked(path)
    assert "ends too early" in trace.cut
    assert verdicts(trace)["read-first"] == "fail"


@FAST
@given(name=st.sampled_from(sorted(story.FILES)), part=st.floats(0, 1))
def test_a_file_cut_anywhere_is_judged_or_refused_with_a_word(
    name: str, part: float, tmp_path: Path
) -> None:
    path = tmp_path / name
    whole = story.FILES[name][1]()
    rest = whole[: int(len(whole) * part)]
    path.write_bytes(rest)
    said = outcome(path)
    ends_with_a_line = path.suffix == ".jsonl" and whole[len(rest) - 1 : len(rest) + 1] in (
        b"\n{", b"}\n",
    )  # fmt: skip
    assert said or rest.rstrip() == whole.rstrip() or ends_with_a_line


def test_bytes_that_are_no_text_are_replaced_and_read(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    data = story.document(story.chat())
    path.write_bytes(data.replace(b"It is done", b"It is \xff\x01 done"))
    (trace,), problems = checked(path)
    assert (verdicts(trace), problems) == (DEFINITE, [])


def test_a_packed_file_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    import gzip

    path = tmp_path / "tau2.json.gz"
    path.write_bytes(gzip.compress(story.document(story.tau2(3)))[:-40])
    with pytest.raises(TraceError, match="cut off"):
        checked(path)


def test_an_eval_log_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    path.write_bytes(b"PK\x03\x04" + b"\0" * 200)
    with pytest.raises(TraceError, match="zip does not read"):
        checked(path)


@pytest.mark.parametrize("number", [10**400, -(10**400), float("inf"), float("nan")])
def test_a_reward_or_time_that_no_float_holds_is_none(number: float) -> None:
    assert number_of(number) is None
    assert moment(number) is None
