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
from dataclasses import dataclass
from pathlib import Path

import pytest

from bythebook.conduct.task import ConductTask
from bythebook.errors import BythebookError
from bythebook.models.ledger import Ledger
from bythebook.models.price import PriceTable, shipped
from bythebook.run.agents import Scripted
from bythebook.run.evaluate import Tally
from bythebook.run.folder import RunFolder
from bythebook.run.scaleout.births import STILLBORN
from bythebook.run.traffic import Traffic
from bythebook.trace import read_trace
from bythebook.verdict import Verdict
from tests.model_server import Asked, ModelServer, Spoken
from tests.own import BYTHEBOOK, TASK
from tests.run.playing import Notes, play
from tests.run.raycluster import Machines, machines
from tests.run.spread import KEY, Frail, Own, Spread, play_here
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


@dataclass
class Played:
    """An evaluation by two workers, and what its provider saw."""

    spread: Spread
    tally: Tally
    asked: list[Asked]
    most: int
    """Requests in flight at once."""
    folder: Path
    here: Path
    """The same evaluation in this process."""


@pytest.fixture(scope="module")
def wired(
    there: Machines, own: Path, task: ConductTask, tmp_path_factory: pytest.TempPathFactory
) -> Played:
    """Six runs over the wire, with two requests in flight at most."""
    folder = tmp_path_factory.mktemp("wired")
    counting = Counting(task, 0.01)
    with key_here(), ModelServer(counting) as server:
        recipe = Own(own, 6, f"{server.url}/v1")
        spread = Spread(recipe, folder / "ray", traffic=Traffic(2))
        tally = spread.play(concurrency=6)
        asked, most = list(server.asked), counting.most
        play_here(recipe, folder / "here")
    return Played(spread, tally, asked, most, folder / "ray", folder / "here")


@contextmanager
def key_here() -> Iterator[None]:
    """The command's own key."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY, SECRET)
        yield


def test_workers_leave_the_same_bytes(wired: Played) -> None:
    assert (wired.tally.played, wired.spread.told) == (6, [])
    assert files(wired.folder) == files(wired.here)


def test_limits_keys_and_prices_are_those_of_one_process(wired: Played) -> None:
    ledger = wired.spread.traffic.ledger
    assert wired.most == 2
    assert (ledger.calls, ledger.unpriced) == (len(wired.asked), {"local:scripted"})
    assert {asked.headers["authorization"] for asked in wired.asked} == {f"Bearer {SECRET}"}
    assert not any(SECRET.encode() in data for data in files(wired.folder).values())


A_SECOND = 60
"""Requests that may set out in one."""


@pytest.fixture(scope="module")
def bounded(
    there: Machines, own: Path, task: ConductTask, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Spread, Tally, list[float]]:
    """Twenty runs that set out evenly, with money for four; and when each request came, in s."""
    folder = tmp_path_factory.mktemp("bounded")
    own_prices = folder / "prices.yaml"
    own_prices.write_text(PRICES, "utf-8")
    prices = shipped().with_own(PriceTable.read(own_prices))
    one = Traffic(1, ledger=Ledger(prices))
    came: list[float] = []
    wired = Wired(task)

    def script(asked: Asked) -> Spoken:
        came.append(time.monotonic())
        return wired(asked)

    with key_here(), ModelServer(script) as server:
        play_here(Own(own, 1, f"{server.url}/v1"), folder / "here", one)
        came.clear()
        spread = Spread(Own(own, 20, f"{server.url}/v1"), folder / "runs")
        ledger = Ledger(prices, budget=one.ledger.cost * 4)
        spread.traffic = Traffic(4, per_minute=60 * A_SECOND, ledger=ledger)
        tally = spread.play(concurrency=2)
    return spread, tally, came


PRICES = """currency: USD
prices:
  - {model: "local:scripted", input: 500, output: 500, as_of: 2026-11-30, source: ours}
"""


def test_a_budget_ends_the_work_of_all(bounded: tuple[Spread, Tally, list[float]]) -> None:
    spread, tally, _ = bounded
    ledger = spread.traffic.ledger
    assert 2 <= tally.played <= 4
    assert (tally.played + tally.left, tally.missing) == (20, [])
    assert ledger.budget is not None
    assert ledger.cost <= ledger.budget


def test_requests_of_all_workers_set_out_evenly(
    bounded: tuple[Spread, Tally, list[float]],
) -> None:
    came = bounded[2]
    # However late one comes, no ten seconds' worth of them can come in fewer than nine tenths.
    assert came[-1] - came[0] >= 0.9 * (len(came) - 1) / A_SECOND


def test_a_dead_worker_and_a_dead_keeper_cost_only_the_runs_in_the_workers_hands(
    there: Machines, own: Path, task: ConductTask, tmp_path: Path
) -> None:
    broken = Broken(own, task, tmp_path)
    broken.played({1: lambda: there.kill_an("Worker"), 3: lambda: there.kill_an("Desk")})

    attempts = list((tmp_path / "ray").glob(f"{TASK}/*/attempts/*/trace.jsonl"))
    assert len(broken.told) == 1
    assert len(attempts) <= 2
    # Nothing is forgotten, but for the requests in flight of the worker that died.
    assert broken.asked - 2 <= broken.traffic.ledger.calls <= broken.asked


def test_workers_that_die_at_birth_with_a_node_end_nothing(
    there: Machines, own: Path, tmp_path: Path
) -> None:
    (tmp_path / "born").mkdir()
    spread = Spread(Frail(own, 3, deaths=4, born=tmp_path / "born"), tmp_path / "runs")
    tally = spread.play()

    assert (tally.played, tally.missing) == (3, [])
    assert len(spread.told) == 4


def test_nodes_where_every_worker_dies_at_birth_are_given_up(
    there: Machines, own: Path, tmp_path: Path
) -> None:
    (tmp_path / "born").mkdir()
    recipe = Frail(own, 3, deaths=100, born=tmp_path / "born")
    spread = Spread(recipe, tmp_path / "runs", workers=1)
    with pytest.raises(BythebookError, match="workers die before they have begun") as found:
        spread.play()
    assert "do the nodes have this bythebook?" in str(found.value)
    assert len(list((tmp_path / "born").iterdir())) == STILLBORN


class Broken:
    """An evaluation of six runs, in which something is broken once some runs are over; all runs
    are played all the same, and give what they give here."""

    def __init__(self, own: Path, task: ConductTask, folder: Path) -> None:
        self._own, self._task, self._folder = own, task, folder
        self.told: list[str] = []
        self.traffic = Traffic(10)
        self.asked = 0

    def played(self, break_it: dict[int, Callable[[], bool]]) -> None:
        """`break_it`: what to do when so many runs are over; whether it was done."""
        runs, notes = 6, Breaking(break_it)
        with key_here(), ModelServer(Wired(self._task), delay=0.02) as server:
            recipe = Own(self._own, runs, f"{server.url}/v1")
            spread = Spread(recipe, self._folder / "ray", traffic=self.traffic)
            spread.notes, spread.told = notes, self.told
            tally = spread.play(concurrency=4)
            self.asked = server.count
            play_here(recipe, self._folder / "here")

        assert notes.to_break == {}
        assert notes.failures == []
        assert (tally.played, tally.missing) == (runs, [])
        ours, theirs = (
            [data for name, data in files(place).items() if name.endswith("verdict.json")]
            for place in (self._folder / "ray", self._folder / "here")
        )
        assert len(ours) == runs
        assert ours == theirs


class Breaking(Notes):
    """Looks on, and breaks something once so many runs are over."""

    def __init__(self, break_it: dict[int, Callable[[], bool]]) -> None:
        super().__init__()
        self.to_break, self._over = dict(break_it), 0

    def ends(self, place: RunFolder, verdict: Verdict | None) -> None:
        super().ends(place, verdict)
        self._over += 1
        for number, break_it in list(self.to_break.items()):
            if number <= self._over and break_it():
                del self.to_break[number]


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
        # A run whose verdict was not written any more is finished all the same.
        kept = sum(trace.closing is not None and trace.closing.outcome.counts for trace in cut)
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


def test_a_lost_node_costs_only_the_runs_of_its_workers(
    there: Machines, own: Path, task: ConductTask, tmp_path: Path
) -> None:
    """The last test of the file: the node is gone for good."""
    broken = Broken(own, task, tmp_path)
    broken.played({1: lambda: there.lose_one_with("Worker")})

    assert len(broken.told) >= 1
    assert all("died, its runs are played again" in says for says in broken.told)
