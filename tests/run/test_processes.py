"""The program in a process of its own: over the wire, killed, interrupted, short of disk."""

import json
import os
import resource
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bythebook.conduct.task import ConductTask
from bythebook.run.agents import Scripted
from bythebook.run.folder import EvaluationFolder
from tests.model_server import ModelServer, fault
from tests.own import BYTHEBOOK, TASK, bythebook
from tests.run.playing import play
from tests.run.wired import Wired

RUNS, AT_ONCE = 6, 2


@pytest.fixture
def server(task: ConductTask) -> Iterator[ModelServer]:
    with ModelServer(Wired(task), delay=0.02) as server:
        yield server


def words(own: Path, server: ModelServer, provider: str = "local") -> list[str]:
    base = server.url + ("/v1" if provider == "local" else "")
    return [
        "run", "conduct", "--task", TASK, "--content", str(own), "--agent", "loop",
        "--model", f"{provider}:scripted", "--base-url", base, "--to", "runs",
        "--runs", str(RUNS), "--concurrency", str(AT_ONCE),
    ]  # fmt: skip


def finished(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"{TASK}/*/verdict.json"))


def begun(own: Path, server: ModelServer, cwd: Path) -> subprocess.Popen[str]:
    """The program at work: two runs are finished, others in flight at a server that has become
    slow."""
    process = subprocess.Popen(
        [str(BYTHEBOOK), *words(own, server)], cwd=cwd, stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + 60
    while len(finished(cwd / "runs")) < 2:
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.01)
    server.delay = 1.0
    return process


@pytest.mark.parametrize("provider", ["local", "anthropic"])
def test_a_golden_through_the_wire_gets_the_goldens_verdict(
    task: ConductTask, own: Path, server: ModelServer, tmp_path: Path, provider: str
) -> None:
    done = bythebook(*words(own, server, provider), "--runs", "1", "--json", cwd=tmp_path)
    play(task, Scripted("golden"), tmp_path / "golden")

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["summary"]["strict"] == 1
    wired, scripted = (
        json.loads((tmp_path / name / TASK / "1" / "verdict.json").read_bytes())
        for name in ("runs", "golden")
    )
    assert wired.pop("agent") == "loop"
    assert scripted.pop("agent") == "golden"
    assert wired == scripted


def test_after_kill_9_only_what_was_in_flight_is_played_again(
    own: Path, server: ModelServer, tmp_path: Path
) -> None:
    process = begun(own, server, tmp_path)
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=30)
    assert process.stderr is not None
    process.stderr.close()
    kept = {path: path.stat().st_mtime_ns for path in finished(tmp_path / "runs")}
    assert 2 <= len(kept) < RUNS
    server.delay = 0.0

    done = bythebook(*words(own, server), "--json", cwd=tmp_path)

    result = json.loads(done.stdout)
    assert done.returncode == 0
    assert f"{RUNS - len(kept)} runs played, {len(kept)} were finished before" in done.stderr
    assert (result["summary"]["runs"], result["summary"]["strict"]) == (RUNS, 1)
    assert result["summary"]["attempts_set_aside"] <= AT_ONCE
    assert {path: path.stat().st_mtime_ns for path in kept} == kept


def test_ctrl_c_keeps_what_is_finished_and_says_how_to_go_on(
    own: Path, server: ModelServer, tmp_path: Path
) -> None:
    process = begun(own, server, tmp_path)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    kept = len(finished(tmp_path / "runs"))
    server.delay = 0.0

    done = bythebook(*words(own, server), cwd=tmp_path)

    assert process.returncode == 130
    assert "interrupted; what is finished is kept. The same command goes on:" in said
    assert f"bythebook run conduct --task {TASK}" in said
    assert "Traceback" not in said
    assert done.returncode == 0
    assert f"{kept} were finished before" in done.stderr


def test_two_processes_never_share_a_folder(own: Path, server: ModelServer, tmp_path: Path) -> None:
    process = begun(own, server, tmp_path)
    second = bythebook(*words(own, server), cwd=tmp_path)
    server.delay = 0.0
    _, said = process.communicate(timeout=60)

    assert second.returncode == 2
    assert f"another bythebook (process {process.pid}) is at work in this folder" in second.stderr
    assert process.returncode == 0, said


def test_a_full_disk_loses_nothing_that_is_finished(own: Path, tmp_path: Path) -> None:
    command = [
        str(BYTHEBOOK), "run", "conduct", "--task", TASK, "--content", str(own),
        "--agent", "golden", "--runs", "3", "--to", "runs",
    ]  # fmt: skip
    first = bythebook(*command[1:], "--runs", "1", cwd=tmp_path)
    kept = finished(tmp_path / "runs")[0].read_bytes()
    size = (tmp_path / "runs" / TASK / "1" / "trace.jsonl").stat().st_size

    full = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size // 2, size // 2)),
    )
    after = finished(tmp_path / "runs")
    again = bythebook(*command[1:], cwd=tmp_path)

    assert first.returncode == 0
    assert full.returncode == 3
    assert "trace.jsonl: cannot be written: the file would be larger" in full.stderr
    assert "give the same command again" in full.stderr
    assert "Traceback" not in full.stderr
    assert [path.read_bytes() for path in after] == [kept]
    assert again.returncode == 0
    assert "2 runs played, 1 was finished before" in again.stderr


def test_a_provider_that_refuses_the_key_is_our_failure_and_is_said_so(
    own: Path, tmp_path: Path
) -> None:
    with ModelServer(lambda asked: fault(401, "bad key")) as server:
        done = bythebook(*words(own, server), cwd=tmp_path)

    places = EvaluationFolder(tmp_path / "runs").places()
    assert done.returncode == 3
    assert "infrastructure_failure(provider)" in done.stderr
    assert "bad key" in done.stderr
    assert not [place for place in places if place.trace.exists()]
    assert server.count < 3 * RUNS


def test_a_key_is_read_from_the_environment_and_never_written(
    own: Path, server: ModelServer, tmp_path: Path
) -> None:
    env = {**os.environ, "MY_KEY": "sk-very-secret"}
    line = [*words(own, server), "--key-variable", "MY_KEY", "--runs", "1"]
    done = bythebook(*line, cwd=tmp_path, env=env)
    lacking = bythebook(*line, "--to", "other", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert server.asked[0].headers["authorization"] == "Bearer sk-very-secret"
    written = b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
    assert b"sk-very-secret" not in written
    assert lacking.returncode == 2
    assert "the environment variable MY_KEY is empty" in lacking.stderr


def test_the_plan_says_what_was_sent(own: Path, server: ModelServer, tmp_path: Path) -> None:
    line = [*words(own, server), "--runs", "1", "--temperature", "0.5", "--seed", "7"]
    bythebook(*line, cwd=tmp_path)

    plan = json.loads((tmp_path / "runs" / "plan.json").read_bytes())
    assert (plan["agent"], plan["model"]) == ("loop", "local:scripted")
    assert plan["settings"] == {
        "model": "scripted",
        "max_tokens": 32768,
        "temperature": 0.5,
        "seed": 7,
    }
    sent = server.asked[0].body
    assert {name: sent[name] for name in plan["settings"]} == plan["settings"]
