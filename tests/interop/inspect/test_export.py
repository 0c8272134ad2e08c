"""`bythebook export inspect`: a run folder as a log that Inspect reads and shows."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tracemalloc
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import quote
from zipfile import ZipFile

import pytest

from bythebook.cli import answer
from bythebook.interop.check import Checked, check_files
from bythebook.interop.rulebook import read_rulebook
from bythebook.run.folder import EvaluationFolder
from tests.interop.inspect.conftest import TASK
from tests.report.site.browser import Browser, find_chromium

pytest.importorskip("inspect_ai", reason="the extra `inspect` is not installed")

from inspect_ai.log import EvalLog, read_eval_log, read_eval_log_sample_summaries

from bythebook.interop.inspect_ai_export.export import export

pytestmark = pytest.mark.timeout(300)
"""The first test of a worker waits until Inspect has played."""


RULES = """
policy: {name: desk}
tables:
  files: {status: str}
tools:
  close_receipts_file: {args: {file: str}, result: {status: str}}
  find_party: {args: {name: str}, result: any}
track:
  - on: call('close_receipts_file') as c
    table: files
    key: c.args.file
    set: {status: c.result.status}
criteria:
  - id: looked-up
    kind: process
    says: A party is looked up before a file is closed.
    source: {family: desk, clause: Look}
    before: call('close_receipts_file')
    needs: call('find_party')
  - id: closed
    kind: goal
    says: A file is closed.
    source: {family: desk, clause: Close}
    finally: any(f.status == 'closed' for f in rows('files'))
  - id: two-parties
    kind: process
    says: No more than one party is looked up.
    source: {family: desk, clause: Look}
    count: call('find_party')
    at_most: 1
  - id: brief
    kind: process
    says: At most two messages are written.
    source: {family: desk, clause: Brief}
    count: message('agent')
    at_most: 2
  - id: answered
    kind: process
    says: Every message is answered within a minute.
    source: {family: desk, clause: Brief}
    after: message('agent')
    then: message('customer')
    within: 1
  - id: one-call
    kind: process
    says: One call a turn.
    source: {family: desk, clause: Turns}
    never: event('agent_turn') as u where u.args.calls > 1
"""


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders of scripted agents."""
    root = tmp_path_factory.mktemp("runs")
    for agent in ("golden", "shortcut", "stop-at-yes"):
        words = ("run", "conduct", "--task", "q03", "--agent", agent, "--runs", "2")
        assert answer([*words, "--to", str(root / agent)]) == 0
    return root


def exported(folder: Path, target: Path) -> EvalLog:
    export(EvaluationFolder(folder), target)
    return read_eval_log(str(target))


def verdicts(path: Path) -> list[dict[str, str]]:
    return [{one.id: one.verdict for one in trace.criteria} for trace in _checked(path)]


def _checked(path: Path) -> list[Checked]:
    book = read_rulebook(RULES, where="rules.yaml")
    return [one for one in check_files(book, [path]) if isinstance(one, Checked)]


def test_inspect_reads_what_the_runs_came_to(runs: Path, tmp_path: Path) -> None:
    log = exported(runs / "shortcut", tmp_path / "shortcut.eval")
    assert (log.status, log.eval.model) == ("success", "bythebook/shortcut")
    assert log.samples
    assert [(one.id, one.epoch) for one in log.samples] == [(TASK, 1), (TASK, 2)]
    score = (log.samples[0].scores or {})["verdict"]
    kept = json.loads(EvaluationFolder(runs / "shortcut").run(TASK, 1).verdict.read_bytes())
    assert score.metadata == kept
    assert score.value == {
        name: float(kept[name]) for name in ("goal", "process", "protection", "strict")
    }
    assert log.results
    figures = {
        (one.name, key): m.value for one in log.results.scores for key, m in one.metrics.items()
    }
    assert figures["strict", "mean"] == 0
    assert figures["strict", "bythebook/pass_k_2"] == 0
    summaries = read_eval_log_sample_summaries(str(tmp_path / "shortcut.eval"))
    assert [one.epoch for one in summaries] == [1, 2]


@pytest.mark.parametrize("agent", ["golden", "shortcut", "stop-at-yes"])
def test_rules_judge_the_log_as_they_judge_the_traces(
    runs: Path, tmp_path: Path, agent: str
) -> None:
    """Through our own importer, and with every rule that needs no step of the customer's."""
    exported(runs / agent, tmp_path / "log.eval")
    folder = EvaluationFolder(runs / agent)
    traces = [verdicts(place.trace)[0] for place in folder.runs()]
    assert verdicts(tmp_path / "log.eval") == traces
    rewards = {one.reward for one in _checked(tmp_path / "log.eval")}
    assert rewards == {1.0 if agent == "golden" else 0.0}
    wanted = {"golden": "pass", "shortcut": "pass", "stop-at-yes": "fail"}
    assert {one["closed"] for one in traces} == {wanted[agent]}


def test_everything_that_happened_is_in_it(runs: Path, tmp_path: Path) -> None:
    log = exported(runs / "golden", tmp_path / "log.eval")
    journal = EvaluationFolder(runs / "golden").run(TASK, 1).trace.read_text("utf-8")
    assert log.samples
    sample = log.samples[0]
    assert sample.store["bythebook_trace"] == journal
    events = [json.loads(line) for line in journal.splitlines()[1:-1]]
    calls = [one for one in events if one["kind"] == "call" and one["name"] != "message_customer"]
    assert sum(event.event == "tool" for event in sample.events) == len(calls)
    said = [one["args"]["text"] for one in events if one["kind"] == "message"]
    assert [one.text for one in sample.messages if one.role == "user"] == said
    heard = [one.text for e in sample.events if e.event == "model" for one in e.input]
    assert heard == said, "the viewer shows words where the agent hears them"
    beside = [one for one in events if one["kind"] in ("customer", "event", "note")]
    assert sum(event.event == "info" for event in sample.events) == len(beside)
    minutes = [one["t"] for one in events]
    took = sample.events[-1].timestamp - sample.events[0].timestamp
    assert took.total_seconds() == 60 * (minutes[-1] - minutes[0])


def test_the_same_folder_gives_the_same_bytes(runs: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        export(EvaluationFolder(runs / "golden"), tmp_path / f"{name}.eval")
    assert (tmp_path / "one.eval").read_bytes() == (tmp_path / "two.eval").read_bytes()


def test_what_does_not_count_is_an_error_without_a_score(runs: Path, tmp_path: Path) -> None:
    shutil.copytree(runs / "golden", tmp_path / "runs")
    folder = EvaluationFolder(tmp_path / "runs")
    first = folder.run(TASK, 1).trace
    lines = first.read_text("utf-8").splitlines(keepends=True)
    first.write_text("".join(lines[:40]), "utf-8")
    found = export(folder, tmp_path / "log.eval")
    assert (found.samples, found.scored, found.errors, found.missing) == (2, 1, 1, 0)
    log = read_eval_log(str(tmp_path / "log.eval"))
    assert log.status == "cancelled"
    assert log.samples
    broken, whole = log.samples
    assert broken.error is not None
    assert "in flight" in broken.error.message
    assert not broken.scores
    assert len(broken.messages) > 30
    assert whole.scores


def test_a_run_that_does_not_read_is_named_and_left_out(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(runs / "golden", tmp_path / "runs")
    place = EvaluationFolder(tmp_path / "runs").run(TASK, 1)
    place.trace.write_bytes(b'{"bythebook":"trace"\n')
    code = answer(
        ["export", "inspect", str(tmp_path / "runs"), "--to", str(tmp_path / "l.eval"), "--json"]
    )
    out, err = capsys.readouterr()
    assert code == 2
    assert json.loads(out)["samples"] == 1
    assert str(place.trace) in "".join(err.split("\n"))
    log = read_eval_log(str(tmp_path / "l.eval"))
    assert log.samples
    assert [one.epoch for one in log.samples] == [2]


def test_an_attempt_that_failed_is_kept_as_one(scenes: Path, tmp_path: Path) -> None:
    log = exported(scenes / "broken_once" / "runs", tmp_path / "log.eval")
    assert log.samples
    (sample,) = log.samples
    assert sample.error_retries
    assert "only once" in sample.error_retries[0].message
    assert sample.scores
    assert sample.model_usage["mockllm/model"].output_tokens == 920


def test_a_refused_call_is_an_error_of_its_tool(scenes: Path, tmp_path: Path) -> None:
    log = exported(scenes / "malformed" / "runs", tmp_path / "log.eval")
    assert log.samples
    (sample,) = log.samples
    refused, done = [one for one in sample.messages if one.role == "tool"]
    assert refused.error is not None
    assert done.error is None
    errors = [event.error for event in sample.events if event.event == "tool"]
    assert [error is None for error in errors] == [False, True]


def test_deliverables_keep_their_bounds(scenes: Path, tmp_path: Path) -> None:
    log = exported(scenes / "workspace" / "runs", tmp_path / "log.eval")
    assert log.samples
    (sample,) = log.samples
    value = (sample.scores or {})["verdict"].value
    assert isinstance(value, dict)
    assert value["low"] < value["high"]
    called = [
        call.function for m in sample.messages for call in getattr(m, "tool_calls", None) or ()
    ]
    assert called == ["write_file"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nowhere", "--to", "x.eval"], "nowhere: no such folder"),
        ([".", "--to", "x.eval"], "no plan.json"),
        ([".", "--to", "x.json"], "is called .eval"),
    ],
)
def test_wrong_use_is_said(
    words: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert answer(["export", "inspect", *words]) == 2
    assert says in " ".join(capsys.readouterr().err.split())
    assert not list(tmp_path.iterdir())


def test_without_inspect_it_says_what_to_install(
    runs: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    assert (
        answer(["export", "inspect", str(runs / "golden"), "--to", str(tmp_path / "x.eval")]) == 2
    )
    assert "pip install 'bythebook[inspect]'" in " ".join(capsys.readouterr().err.split())


def test_memory_does_not_grow_with_the_folder(runs: Path, tmp_path: Path) -> None:
    shutil.copytree(runs / "golden", tmp_path / "runs")
    folder = EvaluationFolder(tmp_path / "runs")

    def peak() -> int:
        tracemalloc.start()
        try:
            export(folder, tmp_path / "log.eval")
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak()
    small = peak()
    for number in range(3, 11):
        shutil.copytree(folder.run(TASK, 1).root, folder.run(TASK, number).root)
        trace = folder.run(TASK, number).trace
        trace.write_text(trace.read_text("utf-8").replace('"run":1', f'"run":{number}', 1), "utf-8")
    assert peak() < 1.3 * small


def test_the_program_starts_without_inspect(tmp_path: Path) -> None:
    code = (
        "import sys; from bythebook.cli import answer; answer(['tasks', '--json']);"
        "answer(['export', '--help']); sys.exit('inspect_ai' in sys.modules)"
    )
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=False
    )
    assert said.returncode == 0, said.stderr


# --- the real viewer ----------------------------------------------------------------------------


@contextmanager
def viewer(logs: Path, home: Path) -> Iterator[str]:
    """`inspect view` over a folder; gives its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = Path(sys.executable).with_name("inspect")
    words = ("view", "start", "--host", "127.0.0.1", "--port", str(port), "--log-dir", str(logs))
    server = subprocess.Popen(
        [program, *words],
        env=os.environ | {"HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    )

    address = f"http://127.0.0.1:{port}"
    try:
        _until_it_answers(server, address)
        yield address
    finally:
        server.terminate()
        _, err = server.communicate(timeout=20)
        assert b"Traceback" not in err, err.decode()


def fetched(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=20) as found:
        data: bytes = found.read()
        return data


def _until_it_answers(server: subprocess.Popen[bytes], address: str) -> None:
    for _ in range(300):
        assert server.poll() is None, "the viewer ended"
        try:
            fetched(f"{address}/api/log-dir")
            return
        except URLError:
            # The process says nothing when it is ready; its end is awaited a moment instead.
            try:
                server.wait(timeout=0.2)
            except subprocess.TimeoutExpired:
                continue
    raise AssertionError("the viewer never answered")


@pytest.mark.skipif(find_chromium() is None, reason="there is no Chromium here")
def test_its_page_shows_a_run(runs: Path, tmp_path: Path) -> None:
    """In a real browser: the customer's words, a call, the marks."""
    log = tmp_path / "logs" / "shortcut.eval"
    export(EvaluationFolder(runs / "shortcut"), log)
    with viewer(log.parent, tmp_path) as at, Browser(find_chromium() or "", tmp_path) as browser:
        page = browser.page()
        place = f"#/logs/shortcut.eval/samples/sample/{TASK}/1/transcript"
        page.send("Page.navigate", {"url": f"{at}/{place}"})
        page.until("document.body.innerText.includes('TOOL: NOW')")
        shown = page.text("body")
        assert "completed(finished)" in shown
        assert "Noor from Banyan Imports" in shown
        assert "strict" in shown


def test_inspect_view_serves_the_log(runs: Path, tmp_path: Path) -> None:
    log = tmp_path / "logs" / "golden.eval"
    export(EvaluationFolder(runs / "golden"), log)
    with viewer(log.parent, tmp_path) as at:
        assert b"<html" in fetched(f"{at}/").lower()
        (listed,) = json.loads(fetched(f"{at}/api/logs"))["files"]
        assert listed["name"].endswith("golden.eval")
        place = quote(listed["name"], safe="")
        header: Any = json.loads(fetched(f"{at}/api/logs/{place}?header-only=0"))
        assert header["eval"]["task"] == "bythebook/conduct"
        assert header["status"] == "success"
        size = json.loads(fetched(f"{at}/api/log-size/{place}"))
        last = size if isinstance(size, int) else size["size"]
        data = fetched(f"{at}/api/log-bytes/{place}?start=0&end={last - 1}")
    with ZipFile(BytesIO(data)) as members:
        sample = json.loads(members.read(f"samples/{TASK}_epoch_1.json"))
        assert len(sample["messages"]) > 100
        assert sample["scores"]["verdict"]["value"]["strict"] == 1
        assert len(json.loads(members.read("summaries.json"))) == 2
