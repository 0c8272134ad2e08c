"""`bythebook show`: a run as a text, as one document, whole, in flight and out of place."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Said
from tests.own import BYTHEBOOK, TASK

Say = Callable[..., Said]
Ask = Callable[..., tuple[int, Any]]
RUN = Path("r") / TASK / "1"


@pytest.fixture
def shortcut(say: Say, own: Path) -> Path:
    say("run", "conduct", "--task", TASK, "--agent", "shortcut", "--runs", "1",
        "--content", own, "--to", "r")  # fmt: skip
    return RUN


def broken_at(found: Any) -> dict[str, int]:
    return {rule["id"]: step["i"] for step in found["steps"] for rule in step["broken"]}


def test_a_run_is_a_text_on_stdout_with_each_broken_rule_under_its_event(
    say: Say, ask: Ask, shortcut: Path
) -> None:
    findings = ask("score", "r")[1]["runs"][0]["broken"]
    code, out, err = say("show", shortcut)
    lines = out.splitlines()
    _, found = ask("show", shortcut)

    assert (code, err) == (0, "")
    assert lines[0].split() == [TASK, "agent", "shortcut", str(RUN)]
    assert lines[1].strip() == "completed(finished)"
    assert lines[2].startswith("goal held  process broken")
    assert lines[2].rstrip().endswith("strict broken")
    assert findings
    for rule, i in broken_at(found).items():
        mark = next(n for n, line in enumerate(lines) if f"BROKEN {rule} (" in line)
        begun = [line.split()[0] for line in lines[:mark] if line[:1].isdigit()]
        assert begun[-1] == str(i)


def test_a_change_is_a_column_with_old_and_new(say: Say, ask: Ask, shortcut: Path) -> None:
    steps = ask("show", shortcut)[1]["steps"]
    step, change = next(
        (step, change)
        for step in steps for change in step["changes"] if change["old"] and change["new"]
    )  # fmt: skip
    name = next(iter(change["new"]))
    text = " ".join(say("show", shortcut)[1].split())

    assert change["old"].keys() == change["new"].keys()
    assert change["old"] != change["new"]
    assert f"{change['table']} {change['key']}: {name} " in text
    assert f" -> {change['new'][name]}" in text
    whole = say("show", shortcut, "--at", str(step["i"]))[1]
    assert f"{change['table']} {change['key']}" in whole


def test_one_event_stands_between_its_neighbours(say: Say, ask: Ask, shortcut: Path) -> None:
    steps = ask("show", shortcut)[1]["steps"]
    last = len(steps) - 1

    for at, shown in ((0, [0, 1, 2]), (3, [1, 2, 3, 4, 5]), (last, [last - 2, last - 1, last])):
        assert [step["i"] for step in ask("show", shortcut, "--at", str(at))[1]["steps"]] == shown
    assert (
        f"event 3, {steps[3]['day']} {steps[3]['clock']} (t="
        in say("show", shortcut, "--at", "3")[1]
    )
    code, out, err = say("show", shortcut, "--at", str(last + 1))
    assert (code, out) == (2, "")
    assert f"there is no event {last + 1}; its events are 0 to {last}" in err


def test_the_trace_itself_may_be_named_from_any_folder(
    say: Say, shortcut: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = say("show", shortcut)[1].splitlines()[1:]

    assert say("show", shortcut / "trace.jsonl")[1].splitlines()[1:] == wanted
    monkeypatch.chdir(shortcut)
    assert say("show", ".")[1].splitlines()[1:] == wanted
    assert say("show", "trace.jsonl")[1].splitlines()[1:] == wanted


def test_a_trace_in_flight_shows_what_there_is(say: Say, ask: Ask, shortcut: Path) -> None:
    path = shortcut / "trace.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:6]) + lines[6][:20])

    code, out, _ = say("show", shortcut)
    _, found = ask("show", shortcut)

    assert code == 0
    assert "in flight: no outcome and no verdict yet" in out
    assert (found["outcome"], found["judged"], len(found["steps"])) == (None, False, 5)


def test_an_attempt_set_aside_is_shown_without_a_verdict(say: Say, shortcut: Path) -> None:
    aside = shortcut / "attempts" / "1"
    aside.mkdir(parents=True)
    data = (shortcut / "trace.jsonl").read_bytes()
    failure = b'"kind":"infrastructure_failure","detail":"provider","says":"gone away"'
    (aside / "trace.jsonl").write_bytes(
        data.replace(b'"kind":"completed","detail":"finished"', failure)
    )

    code, out, err = say("show", aside)

    assert code == 0, err
    assert "infrastructure_failure(provider): gone away" in out
    assert "this attempt does not count, so it has no verdict" in out


def test_what_was_sent_to_steer_the_terminal_does_not(say: Say, own: Path) -> None:
    say("act", "--new", "conduct", TASK, "--content", own, "--to", "h")
    run = Path("h") / TASK / "1"
    steer = '{"query": "\\u001b[2J\\u009b2J gifts"}'
    say("act", run, "search_documents", steer, "--content", own)
    say("act", run, "\x1b[2Jfoo", "{}", "--content", own)

    for more in ([], ["--at", "1"], ["--at", "2"]):
        code, out, _ = say("show", run, *more)
        assert code == 0
        assert not {"\x1b", "\x9b"} & set(out)
    assert "refused: " in out


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (["nowhere"], "nowhere: no such run"),
        (["r"], f"r: there is no trace.jsonl here runs are in: {RUN}"),
        (["r/plan.json"], "there is no trace.jsonl here"),
        (["lost/trace.jsonl"], "lost/trace.jsonl: this trace lies in no run folder"),
        ([str(Path("moved") / TASK / "1")], "scenes/"),
    ],
)
def test_what_cannot_be_shown_is_named(
    say: Say, shortcut: Path, line: list[str], says: str
) -> None:
    Path("lost").mkdir()
    shutil.copy(shortcut / "trace.jsonl", "lost")
    shutil.copytree(shortcut, Path("moved") / TASK / "1")

    code, out, err = say("show", *line)

    assert (code, out) == (2, "")
    assert says in err


def test_a_reader_who_has_seen_enough_is_no_fault(tmp_path: Path, shortcut: Path) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [BYTHEBOOK, "show", shortcut], cwd=tmp_path, stdout=pipe, stderr=pipe
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        said = process.stderr.read()
        assert (process.wait(), said) == (0, b"")
