"""Runs played by the workers of a Ray cluster of several nodes: the same bytes, the same limits,
and nothing lost when workers die."""

import fcntl
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bythebook.conduct.task import ConductTask
from bythebook.models.ledger import Ledger
from bythebook.models.price import PriceTable, shipped
from bythebook.run.agents import Scripted
from bythebook.run.folder import RunFolder
from bythebook.run.traffic import Traffic
from bythebook.trace import read_trace
from bythebook.verdict import Verdict
from tests.model_server import Asked, ModelServer, Spoken
from tests.own import BYTHEBOOK, TASK
from tests.run.playing import Notes, play
from tests.run.raycluster import Machines, machines
from tests.run.spread import KEY, Own, Spread, play_here
from tests.run.wired import Wired

ray = pytest.importorskip("ray", reason="no Ray here: pip install 'bythebook[ray]'")
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")
SECRET = "sk-nobody-may-see-this"


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """Two nodes; their programs find the key of the model, and this process is connected.

    Where several processes share these tests, one has its cluster at a time.
    """
    shared = tmp_path_factory.getbasetemp().parent / "ray.lock"
    with alone(shared), machines((2, 2), **{KEY: SECRET}) as found:
        ray.init(found.cluster.address, log_to_driver=False, logging_level="ERROR")
        try:
            yield found
        finally:
            ray.shutdown()


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """For one process after the other; a lock ends with its process."""
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def files(folder: Path) -> dict[str, bytes]:
    """All that a run folder holds."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != ".lock")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


class Counting:
    """A golden over the wire, and how many asked at once at most."""

    def __init__(self, task: ConductTask, each: float) -> None:
        self._wired, self._each = Wired(task), each
        self._lock, self.now, self.most = threading.Lock(), 0, 0

    def __call__(self, asked: Asked) -> Spoken:
        with self._lock:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(self._each)
        with self._lock:
            self.now -= 1
        return self._wired(asked)


def test_workers_leave_the_same_bytes(
    there: Machines, own: Path, task: ConductTask, tmp_path: Path
) -> None:
    spread = Spread(Own(own, 6), tmp_path / "ray")
    tally = spread.play()
    play(task, Scripted("golden"), tmp_path / "here", runs=6)

    assert (tally.played, spread.told) == (6, [])
    assert files(tmp_path / "ray") == files(tmp_path / "here")


def test_limits_keys_and_prices_are_those_of_one_process(
    there: Machines, own: Path, task: ConductTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, SECRET)
    counting = Counting(task, 0.01)
    with ModelServer(counting) as server:
        recipe = Own(own, 6, f"{server.url}/v1")
        spread = Spread(recipe, tmp_path / "runs", traffic=Traffic(2))
        tally = spread.play(concurrency=6)
        sent = {asked.headers["authorization"] for asked in server.asked}
        asked = server.count

    ledger = spread.traffic.ledger
    assert (tally.played, counting.most) == (6, 2)
    assert (ledger.calls, ledger.unpriced) == (asked, {"local:scripted"})
    assert sent == {f"Bearer {SECRET}"}
    assert not any(SECRET.encode() in data for data in files(tmp_path / "runs").values())


def test_a_budget_ends_the_work_of_all(
    there: Machines, own: Path, task: ConductTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, SECRET)
    own_prices = tmp_path / "prices.yaml"
    own_prices.write_text(PRICES, "utf-8")
    prices = shipped().with_own(PriceTable.read(own_prices))
    one = Traffic(1, ledger=Ledger(prices))
    with ModelServer(Wired(task)) as server:
        play_here(Own(own, 1, f"{server.url}/v1"), tmp_path / "here", one)
        ledger = Ledger(prices, budget=one.ledger.cost * 6)
        spread = Spread(Own(own, 20, f"{server.url}/v1"), tmp_path / "runs")
        spread.traffic = Traffic(4, ledger=ledger)
        tally = spread.play(concurrency=2)

    assert 3 <= tally.played <= 6
    assert (tally.played + tally.left, tally.missing) == (20, [])
    assert ledger.budget is not None
    assert ledger.cost <= ledger.budget


PRICES = """currency: USD
prices:
  - {model: "local:scripted", input: 500, output: 500, as_of: 2026-11-30, source: ours}
"""


def test_requests_of_all_workers_set_out_evenly(
    there: Machines, own: Path, task: ConductTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, SECRET)
    came: list[float] = []
    wired = Wired(task)

    def script(asked: Asked) -> Spoken:
        came.append(time.monotonic())
        return wired(asked)

    with ModelServer(script) as server:
        spread = Spread(Own(own, 4, f"{server.url}/v1"), tmp_path / "runs")
        spread.traffic = Traffic(10, per_minute=60 * A_SECOND)
        tally = spread.play()

    assert tally.played == 4
    # However late one comes, no ten seconds' worth of them can come in fewer than nine tenths.
    assert came[-1] - came[0] >= 0.9 * (len(came) - 1) / A_SECOND


A_SECOND = 40
"""Requests that may set out in one."""


def test_a_dead_worker_costs_only_the_runs_in_its_hands(
    there: Machines, own: Path, task: ConductTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, SECRET)
    broken = Broken(own, task, tmp_path)
    broken.played(lambda: there.kill_an("Worker"))

    attempts = list((tmp_path / "ray").glob(f"{TASK}/*/attempts/*/trace.jsonl"))
    assert len(broken.told) >= 1
    assert len(attempts) <= 2 * len(broken.told)


def test_a_lost_node_costs_only_the_runs_of_its_workers(
    there: Machines, own: Path, task: ConductTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, SECRET)
    broken = Broken(own, task, tmp_path)
    broken.played(lambda: there.lose_one_with("Worker"))

    assert len(broken.told) >= 1
    assert "worker" in broken.told[0]
    assert "died, its runs are played again" in broken.told[0]


def test_a_dead_keeper_of_the_limits_is_made_anew_and_nothing_spent_is_forgotten(
    there: Machines, own: Path, task: ConductTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, SECRET)
    broken = Broken(own, task, tmp_path)
    broken.played(lambda: there.kill_an("Desk"))

    ledger = broken.traffic.ledger
    assert broken.told == []
    assert ledger.calls == broken.asked


class Broken:
    """An evaluation of six runs by two workers, in which something is broken once the first run
    is over; all runs are played all the same, and give what they give here."""

    def __init__(self, own: Path, task: ConductTask, folder: Path) -> None:
        self._own, self._task, self._folder = own, task, folder
        self.told: list[str] = []
        self.traffic = Traffic(10)
        self.asked = 0

    def played(self, break_it: Callable[[], bool]) -> None:
        runs, notes = 6, Breaking(break_it)
        with ModelServer(Wired(self._task), delay=0.02) as server:
            recipe = Own(self._own, runs, f"{server.url}/v1")
            spread = Spread(recipe, self._folder / "ray", traffic=self.traffic)
            spread.notes, spread.told = notes, self.told
            tally = spread.play(concurrency=4)
            self.asked = server.count
            play_here(recipe, self._folder / "here")

        assert notes.broken
        assert notes.failures == []
        assert (tally.played, tally.missing) == (runs, [])
        ours, theirs = (
            [data for name, data in files(place).items() if name.endswith("verdict.json")]
            for place in (self._folder / "ray", self._folder / "here")
        )
        assert len(ours) == runs
        assert ours == theirs


class Breaking(Notes):
    """Looks on, and breaks something once a run is over."""

    def __init__(self, break_it: Callable[[], bool]) -> None:
        super().__init__()
        self._break, self.broken = break_it, False

    def ends(self, place: RunFolder, verdict: Verdict | None) -> None:
        super().ends(place, verdict)
        if not self.broken:
            self.broken = self._break()


def test_ctrl_c_closes_the_journals_and_the_same_command_goes_on_anywhere(
    there: Machines, own: Path, task: ConductTask, tmp_path: Path
) -> None:
    with ModelServer(Wired(task)) as server:
        words = [
            str(BYTHEBOOK), "run", "conduct", "--task", TASK, "--content", str(own),
            "--agent", "loop", "--model", "local:scripted", "--base-url", f"{server.url}/v1",
            "--runs", "4", "--concurrency", "2", "--to", "runs",
        ]  # fmt: skip
        process = subprocess.Popen(
            [*words, "--executor", "ray", "--workers", "2"],
            cwd=tmp_path, env=there.env, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        finished = tmp_path / "runs" / TASK
        while not list(finished.glob("*/verdict.json")):
            assert process.poll() is None
            time.sleep(0.01)
        server.delay = 1.0
        while len(list(finished.glob("*/trace.jsonl"))) < 3:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=40)
        cut = [read_trace(path) for path in finished.glob("*/trace.jsonl")]
        kept = len(list(finished.glob("*/verdict.json")))
        server.delay = 0.0
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60)

    assert process.returncode == 130, said
    assert f"bythebook run conduct --task {TASK}" in said
    assert "Traceback" not in said
    endings = [str(trace.closing.outcome) if trace.closing else "open" for trace in cut]
    assert "open" not in endings
    assert "infrastructure_failure(interrupted)" in endings
    assert done.returncode == 0, done.stderr
    were = "was" if kept == 1 else "were"
    assert f"{4 - kept} runs played, {kept} {were} finished before" in done.stderr


@pytest.mark.skipif(not shutil.which("bwrap"), reason="a folder is hidden with bubblewrap")
def test_a_folder_that_workers_do_not_see_gets_the_same_bytes(
    there: Machines, own: Path, task: ConductTask, tmp_path: Path
) -> None:
    unseen = tmp_path / "unseen"
    unseen.mkdir()
    words = (
        f"{BYTHEBOOK} run conduct --task {TASK} --content {own} --agent golden --runs 2"
        f" --to {unseen}/runs --executor ray --workers 1 && cp -a {unseen}/runs {tmp_path}/far"
    )
    # What the command writes is in a namespace of its own; the workers were there before.
    hidden = ["bwrap", "--dev-bind", "/", "/", "--tmpfs", str(unseen), "sh", "-c", words]
    apart = subprocess.run(hidden, env=there.env, capture_output=True, text=True, timeout=60)
    play(task, Scripted("golden"), tmp_path / "here", runs=2)

    assert apart.returncode == 0, apart.stderr
    assert list(unseen.iterdir()) == []
    (tmp_path / "far" / "summary.json").unlink()
    assert files(tmp_path / "far") == files(tmp_path / "here")
