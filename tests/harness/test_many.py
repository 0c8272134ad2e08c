"""Many harnesses at once, and killed ones: nothing of them outlives the command."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bythebook.deliverables.task import DeliverableTask
from tests.conduct.shed import SHED, TASK, shed_task
from tests.harness.played import FOLDER, Played, words
from tests.harness.scripts import Commands, Golden
from tests.model_server import Asked, ModelServer, Spoken
from tests.own import BYTHEBOOK

pytestmark = pytest.mark.timeout(900)

PLACES = ("/tmp", "/sys/fs/cgroup/pids", "/sys/fs/cgroup/memory", "/sys/fs/cgroup")


def marked(mark: str) -> set[str]:
    """Processes of this machine that have a word in their command line."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in path.read_bytes():
                found.add(path.parent.name)
        except OSError:  # it has ended
            continue
    return found


def folders(process: int) -> list[str]:
    """Sockets' folders and control groups of a process of ours, by its number in their names."""
    tops = (Path(top) for top in PLACES if Path(top).is_dir())
    return [str(one) for top in tops for one in top.glob(f"bythebook-*-{process}-*")]


def until(is_so: Callable[[], bool], process: subprocess.Popen[bytes] | None = None) -> None:
    """Wait; a process that ends meanwhile is an error. The test's own time is limited."""
    while not is_so():
        assert process is None or process.poll() is None
        time.sleep(0.02)


def test_twenty_at_once_play_and_leave_nothing(tmp_path: Path) -> None:
    golden = Golden(shed_task(tmp_path / "content"))
    model = f"many-{os.getpid()}"
    seen: set[str] = set()
    own: list[str] = []

    def speak(asked: Asked) -> Spoken:
        if asked.turns == 8:
            seen.update(marked(model))
            own[:] = own or folders(process.pid)
        return golden(asked)

    with ModelServer(speak) as server:
        line = words("conduct", "claude-code", server)
        line[line.index("local:scripted")] = f"local:{model}"
        line += ["--task", TASK, "--content", str(SHED), "--runs", "20", "--concurrency", "20"]
        with subprocess.Popen(
            [str(BYTHEBOOK), *line], cwd=tmp_path, stderr=subprocess.PIPE, text=True
        ) as process:
            _, says = process.communicate(timeout=300)
    assert process.returncode == 0, says

    found = Played(tmp_path / FOLDER)
    assert [found.verdict(number)["strict"] for number in range(1, 21)] == [True] * 20
    assert not list(found.root.glob("*/*/attempts"))
    assert len(seen - {str(process.pid)}) >= 2  # or this would not see what is left
    assert own
    assert marked(model) == set()
    assert folders(process.pid) == []


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_command_that_is_ended_leaves_no_harness_and_is_gone_on_with(
    own: Path, task: DeliverableTask, tmp_path: Path, how: signal.Signals
) -> None:
    model = f"ended-{how}-{os.getpid()}"
    beat = tmp_path / FOLDER / task.id / "1/workspace/results/beat"
    beats = "while :; do echo . >>results/beat; sleep 0.02; done"

    with ModelServer(Commands("claude-code", [beats])) as server:
        line = words("deliverables", "claude-code", server)
        line[line.index("local:scripted")] = f"local:{model}"
        line += ["--task", task.id, "--runs", "1", "--content", str(own)]
        process = subprocess.Popen([str(BYTHEBOOK), *line], cwd=tmp_path, stderr=subprocess.DEVNULL)
        until(lambda: beat.exists() and bool(beat.stat().st_size), process)
        assert len(marked(model)) >= 2
        process.send_signal(how)
        process.wait()
        until(lambda: not marked(model))
    if how is signal.SIGINT:  # the others leave no time to
        assert (process.returncode, folders(process.pid)) == (130, [])

    with ModelServer(Commands("claude-code", ["echo done >results/note.txt"])) as server:
        line[line.index("--base-url") + 1] = f"{server.url}/v1"
        done = subprocess.run(
            [str(BYTHEBOOK), *line], cwd=tmp_path, capture_output=True, text=True, timeout=100
        )
    assert done.returncode == 0, done.stderr
    found = Played(tmp_path / FOLDER)
    assert found.outcome() == "completed(finished)"
    assert (found.place() / "attempts/1/workspace/results/beat").stat().st_size
    assert folders(process.pid) == []
