"""Every format tells the same story, and is known by its looks."""

import json
from pathlib import Path
from typing import Any

import pytest

from bythebook.errors import TraceError
from bythebook.interop.check import check_files
from bythebook.interop.forms import structured
from bythebook.interop.records import Odd, Weaver
from bythebook.interop.rulebook import read_rulebook
from bythebook.interop.sources import FORMATS, ForeignTrace, recognised, traces_of
from tests.interop import story

BOOK = read_rulebook(story.RULES, where="rules.yaml")


def told(trace: ForeignTrace) -> list[tuple[Any, ...]]:
    """What a trace tells, without its notes and turns."""
    found: list[tuple[Any, ...]] = []
    for event in Weaver().weave(trace.records):
        assert not isinstance(event, Odd), event
        if event.kind == "message":
            found.append((event.actor, event.args["text"]))
        elif event.kind == "call":
            args, result = dict(event.args), structured(event.result)
            found.append((event.name, args, event.ok, result))
    return found


@pytest.mark.parametrize("name", story.FILES)
def test_the_same_story_is_read_from_every_format(name: str, tmp_path: Path) -> None:
    path = story.write(tmp_path, name)
    assert recognised(path)[0] == story.FILES[name][0]
    traces = [told(one) for one in traces_of(path) if isinstance(one, ForeignTrace)]
    assert traces
    for one in traces:
        if name.startswith("own"):
            # A trace of ours has one event for each thing done; words come after the calls.
            assert sorted(map(str, one)) == sorted(map(str, story.happened()))
        else:
            assert one == story.happened()


@pytest.mark.parametrize("name", story.FILES)
def test_the_same_verdicts_come_from_every_format(name: str, tmp_path: Path) -> None:
    (first, *_) = check_files(BOOK, [story.write(tmp_path, name)])
    assert not isinstance(first, Odd)
    found = {one.id: one.verdict for one in first.criteria}
    wanted = {
        "pending-only": "pass", "read-first": "fail", "yes-first": "pass", "one-call": "fail",
    }  # fmt: skip
    if name.startswith("own") or "spelled" in name:
        wanted["one-call"] = "pass"
    assert found == wanted
    broken = next(one for one in first.criteria if one.id == "read-first")
    assert broken.event is not None
    assert (broken.event.name, broken.event.args["order_id"]) == ("cancel_order", "W3")
    assert broken.event.place


@pytest.mark.parametrize("name", story.FILES)
def test_a_format_that_is_named_is_read_as_one_that_was_recognised(
    name: str, tmp_path: Path
) -> None:
    path, form = story.write(tmp_path, name), story.FILES[name][0]
    named = [told(t) for t in traces_of(path, form=form) if isinstance(t, ForeignTrace)]
    found = [told(t) for t in traces_of(path) if isinstance(t, ForeignTrace)]
    assert named == found


def test_a_packed_file_is_read_as_it_was_before(tmp_path: Path) -> None:
    import gzip

    path = tmp_path / "tau2.json.gz"
    path.write_bytes(gzip.compress(story.FILES["tau2.json"][1]()))
    (trace,) = traces_of(path)
    assert isinstance(trace, ForeignTrace)
    assert told(trace) == story.happened()


def test_texts_that_a_log_keeps_aside_are_put_back(tmp_path: Path) -> None:
    log = json.loads(story.document(story.inspect()))
    messages = log["samples"][0]["messages"]
    log["samples"][0]["attachments"] = {"a1": messages[0]["content"], "a2": "W1"}
    messages[0]["content"] = "attachment://a1"
    messages[1]["tool_calls"][0]["arguments"]["order_id"] = "attachment://a2"
    path = tmp_path / "log.json"
    path.write_bytes(story.document(log))
    (trace,) = traces_of(path)
    assert isinstance(trace, ForeignTrace)
    assert told(trace) == story.happened()


def test_a_mark_before_the_text_and_odd_numbers_are_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / "inspect.json"
    data = story.document(story.inspect()).replace(b'"version": 2', b'"version": NaN')
    path.write_bytes(b"\xef\xbb\xbf" + data.replace(b"30", b"30.0"))
    (trace,) = traces_of(path)
    assert isinstance(trace, ForeignTrace)
    assert told(trace) == story.happened()


UNKNOWN = {
    b"": "an empty file",
    b"hello there\n": "no JSON",
    b'{"colour": 1, "size": {"x": 2}}': "a JSON object with the fields colour, size",
    b"[1, 2, 3]": "a JSON list of int",
    b"[]": "a JSON list that is empty",
    b'[{"colour": 1}]': "a JSON list of objects with the fields colour",
    b'{"a": 1}\n{"a": 2}\n': "a file of JSON lines of objects with the fields a",
}


@pytest.mark.parametrize("data", UNKNOWN, ids=UNKNOWN.values())
def test_an_unknown_format_is_told_by_its_looks(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "what.json"
    path.write_bytes(data)
    with pytest.raises(TraceError) as error:
        list(traces_of(path))
    assert UNKNOWN[data] in str(error.value)
    assert "what.json" in str(error.value)


@pytest.mark.parametrize("form", FORMATS)
def test_a_format_of_another_make_is_refused_by_name(form: str, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("nothing but words")
    with pytest.raises(TraceError, match=f"no {form}: it is no JSON"):
        list(traces_of(path, form=form))


def test_rewards_tasks_and_trials_are_taken_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "tau2.json"
    path.write_bytes(story.document(story.tau2(2)))
    first, second = (t.about for t in traces_of(path) if isinstance(t, ForeignTrace))
    assert (first.id, first.task, first.trial, first.reward) == ("sim-0", "5", 0, 1.0)
    assert (second.id, second.trial) == ("sim-1", 1)
    path.write_bytes(story.document(story.tau(2)))
    assert [t.about.id for t in traces_of(path) if isinstance(t, ForeignTrace)] == ["5/0", "5/1"]
