"""A journal loses at most the line in flight, and what does not read is named by its line."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.errors import TraceError
from bythebook.trace import Closing, Event, Header, Journal, Outcome, Write, parse_trace, read_trace

HEADER = Header(benchmark="0.1.0", suite="conduct", task="q03", run=1, agent="golden", scene="ab")


def journal(path: Path, events: int = 3, *, close: bool = True) -> Path:
    with Journal(path, HEADER) as book:
        for i in range(events):
            writes = (Write("fees", f"FEE-{i}", None, {"id": f"FEE-{i}", "amount": i}),)
            book.append(Event(i, i, "agent", "call", "take_fee", {"amount": i}, writes=writes))
        if close:
            book.close(Closing(Outcome("completed", "finished"), events, "00"))
    return path


def test_a_journal_reads_back_as_it_was_written(tmp_path: Path) -> None:
    trace = read_trace(journal(tmp_path / "trace.jsonl"))

    assert trace.header == HEADER
    assert [event.i for event in trace.events] == [0, 1, 2]
    assert bytes(trace.events[2].args) == b'{"amount":2}'
    assert bytes(trace.events[2].writes[0].new) == b'{"id":"FEE-2","amount":2}'
    assert trace.closing is not None
    assert str(trace.closing.outcome) == "completed(finished)"


def test_every_event_is_on_disk_before_the_next_one_happens(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    with Journal(path, HEADER) as book:
        book.append(Event(0, 0, "agent", "call", "now"))
        assert len(read_trace(path).events) == 1


def test_a_journal_without_its_closing_line_was_in_flight(tmp_path: Path) -> None:
    assert read_trace(journal(tmp_path / "trace.jsonl", close=False)).closing is None


@given(cut=st.integers(min_value=1))
def test_wherever_a_journal_is_cut_whole_lines_are_kept(cut: int, tmp_path_factory: object) -> None:
    whole = _bytes()
    data = whole[: cut % len(whole)]
    if b"\n" not in data:
        with pytest.raises(TraceError):
            parse_trace(data, where="cut")
        return
    kept = data.count(b"\n") - 1
    trace = parse_trace(data, where="cut")
    assert len(trace.events) == min(kept, 3)
    assert trace.closing is None


def _bytes() -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        return journal(Path(folder) / "t.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (0, "t:1"),
        (2, "t:3: this line does not read"),
    ],
)
def test_a_broken_line_is_named(line: int, says: str) -> None:
    lines = _bytes().split(b"\n")
    lines[line] = lines[line][:-5]

    with pytest.raises(TraceError, match=says):
        parse_trace(b"\n".join(lines), where="t")


def test_a_missing_line_is_named() -> None:
    lines = _bytes().split(b"\n")
    del lines[2]

    with pytest.raises(TraceError, match="event 2 stands where event 1 belongs"):
        parse_trace(b"\n".join(lines), where="t")


def test_another_version_says_what_to_do() -> None:
    data = _bytes().replace(b'"version":1', b'"version":99', 1)

    with pytest.raises(TraceError, match="trace version 99; this bythebook reads version 1"):
        parse_trace(data, where="t")


def test_somebody_elses_file_is_not_taken_for_a_trace() -> None:
    with pytest.raises(TraceError, match="not a bythebook trace"):
        parse_trace(b'{"messages": []}\n', where="t")


def test_a_missing_file_is_a_trace_error(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="cannot be read"):
        read_trace(tmp_path / "none.jsonl")
