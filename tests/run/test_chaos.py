"""A provider at its worst, and a process killed again and again: nothing is lost, and no agent is
blamed."""

import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import anyio
import pytest

from bythebook.conduct.task import ConductTask
from bythebook.models.names import address
from bythebook.models.patience import Patience
from bythebook.models.types import Settings
from bythebook.run.agents import Modelled, Scripted
from bythebook.run.conduct import ConductStage
from bythebook.run.evaluate import Evaluation, Order, Tally, evaluate
from bythebook.run.folder import EvaluationFolder
from bythebook.run.plan import Limits, Under, plan_of
from bythebook.run.reach import Reach
from bythebook.run.traffic import Traffic
from bythebook.trace import read_trace
from tests.model_replies import chat_body
from tests.model_server import Asked, Cut, Hang, ModelServer, Reset, Say, Spoken, Use, Wire, fault
from tests.own import TASK
from tests.run.killed import AT_ONCE, Slow
from tests.run.playing import Notes, play
from tests.run.wired import Wired

QUICK = Patience(attempts=8, first=0.005, longest=0.05, timeout=0.4)
SHARE = 0.2
"""Of all requests, for each kind of trouble alone; together nearly half of them go wrong."""


class Trouble:
    """A golden over the wire; seeded dice say which request goes wrong, and how."""

    def __init__(self, task: ConductTask, kinds: tuple[str, ...], share: float) -> None:
        self._wired, self._kinds, self._share = Wired(task), kinds, share
        self._dice, self._lock = Random(6), threading.Lock()
        self.made: dict[str, int] = {}

    def __call__(self, asked: Asked) -> Spoken:
        with self._lock:
            kind = self._dice.choice(self._kinds) if self._dice.random() < self._share else ""
            self.made[kind] = self.made.get(kind, 0) + 1
        said = self._wired(asked)
        assert isinstance(said, Say)
        return SPOILT[kind](said) if kind else said


def half(said: Say) -> tuple[Use, ...]:
    """Its calls with arguments that break off."""
    return tuple(Use(use.name, json.dumps(use.args)[:-1] or "{") for use in said.calls)


def cut_off(said: Say) -> Spoken:
    """A reply whose end is missing, finish reason and all."""
    body = chat_body(Say(said.text, half(said)), 0)
    body["choices"][0]["finish_reason"] = None
    return Wire(body) if said.calls else said


def same_ids(said: Say) -> Spoken:
    return Say(said.text, tuple(Use(use.name, use.args, id="same") for use in said.calls))


SPOILT: dict[str, Callable[[Say], Spoken]] = {
    "429": lambda _: fault(429, "too many", {"retry-after-ms": "20"}),
    "500": lambda _: fault(500, "sorry"),
    "reset": lambda _: Reset(),
    "reset in the middle": Cut,
    "hang": lambda _: Hang(),
    "malformed": lambda _: Wire('{"choices": [{"message": {"tool_calls": ['),
    "cut off": cut_off,
    "ids": same_ids,
}


def evaluated(task: ConductTask, url: str, folder: Path, runs: int) -> tuple[Tally, Notes]:
    notes = Notes()

    async def work() -> Tally:
        where = address("local:scripted", f"{url}/v1")
        reach = Reach(where, "", Settings(), traffic=Traffic(runs), patience=QUICK)
        cast = Modelled(reach)
        plan = plan_of([task], cast, runs=runs, under=Under(limits=Limits(), attempts=20))
        place = EvaluationFolder(folder)
        stage = ConductStage(place, [task], cast, plan)
        try:
            return await evaluate(Evaluation(plan, stage, place, notes), Order(runs))
        finally:
            await cast.close()

    return anyio.run(work), notes


@pytest.mark.parametrize(
    "kinds", [*((kind,) for kind in SPOILT), tuple(SPOILT)], ids=[*SPOILT, "all"]
)
def test_whatever_a_provider_does_every_run_ends_as_it_should(
    task: ConductTask, tmp_path: Path, kinds: tuple[str, ...]
) -> None:
    runs = 4
    with ModelServer(Trouble(task, kinds, SHARE if len(kinds) == 1 else 0.5)) as server:
        tally, notes = evaluated(task, server.url, tmp_path / "own", runs)
    play(task, Scripted("golden"), tmp_path / "golden")

    place = EvaluationFolder(tmp_path / "own")
    undisturbed = json.loads((tmp_path / "golden" / TASK / "1" / "verdict.json").read_bytes())
    assert (tally.played, tally.missing, tally.left) == (runs, [], 0)
    assert {outcome.kind for outcome in notes.failures} <= {"infrastructure_failure"}
    for run in place.runs():
        verdict = json.loads(run.verdict.read_bytes())
        assert verdict["findings"] == undisturbed["findings"]
        assert (verdict["strict"], verdict["outcome"]) == (True, "completed(finished)")
    aside = [path for run in place.places() for path in run.attempts]
    assert len(aside) == len(notes.failures)
    for path in aside:
        closing = read_trace(path / "trace.jsonl").closing
        assert closing is not None
        assert not closing.outcome.counts


KILLS, RUNS = 25, 60
MOMENTS = ("birth", "begun", "begun", "finished", "finished")
"""What a child has come to before the time to its kill begins; one of them by chance."""
ROOT = Path(__file__).parents[2]


def test_killed_at_25_moments_an_evaluation_ends_with_the_verdicts_of_an_undisturbed_one(
    task: ConductTask, own: Path, tmp_path: Path
) -> None:
    dice, folder, golden = Random(25), tmp_path / "runs", tmp_path / "golden"
    began = time.monotonic()
    play(task, Slow("golden"), golden, runs=RUNS, at_once=AT_ONCE)
    each = (time.monotonic() - began) * AT_ONCE / RUNS
    finished: dict[Path, tuple[bytes, int]] = {}
    killed = []
    with children(own) as mother:
        for _ in range(KILLS):
            moment = dice.choice(MOMENTS)
            killed.append(killed_after(mother, folder, dice.uniform(0, each), moment))
            now = standing(folder)
            assert {path: now.get(path) for path in finished} == finished
            finished = now

    # One that was killed between its last line and its verdict is finished, too.
    whole = sum(place.played() is not None for place in EvaluationFolder(folder).places())
    tally = play(task, Scripted("golden"), folder, runs=RUNS)

    after = standing(folder)
    aside = [path for place in EvaluationFolder(folder).places() for path in place.attempts]
    assert killed.count(-signal.SIGKILL) >= KILLS - 5
    assert KILLS // 5 <= len(finished) < RUNS
    assert len(aside) >= KILLS
    assert (tally.played, tally.kept) == (RUNS - whole, whole)
    assert {path: after[path] for path in finished} == finished
    for number in range(1, RUNS + 1):
        for name in ("verdict.json", "trace.jsonl"):
            ours = folder / TASK / str(number) / name
            assert ours.read_bytes() == (golden / TASK / str(number) / name).read_bytes()


@contextmanager
def children(own: Path) -> Iterator[subprocess.Popen[str]]:
    """See `killed`."""
    command = [sys.executable, "-m", "tests.run.killed", str(own), str(RUNS)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as mother:
        yield mother
        mother.communicate()


def killed_after(mother: subprocess.Popen[str], folder: Path, seconds: float, moment: str) -> int:
    """The status of a child that goes on in a folder: killed so long after one of `MOMENTS`: its
    birth, or when its first run was begun or finished."""
    assert mother.stdin is not None
    assert mother.stdout is not None
    signs = finished_runs if moment == "finished" else traces
    before = signs(folder)
    mother.stdin.write(f"{folder}\n")
    mother.stdin.flush()
    child = int(mother.stdout.readline())
    done = moment == "birth"
    while not (done or signs(folder) - before):
        done = ended(mother, 0.005)
    if not ended(mother, seconds):
        os.kill(child, signal.SIGKILL)
    return int(mother.stdout.readline())


def ended(mother: subprocess.Popen[str], seconds: float) -> bool:
    """The child is gone, now or within so long."""
    assert mother.stdout is not None
    return bool(select.select([mother.stdout], [], [], seconds)[0])


def traces(folder: Path) -> set[int]:
    """Every trace that was ever begun here, by its file."""
    return {path.stat().st_ino for path in folder.glob(f"{TASK}/*/trace.jsonl")}


def finished_runs(folder: Path) -> set[int]:
    """Every verdict, by its file."""
    return {path.stat().st_ino for path in folder.glob(f"{TASK}/*/verdict.json")}


def standing(folder: Path) -> dict[Path, tuple[bytes, int]]:
    """Every verdict with its bytes and the time it was written."""
    found = folder.glob(f"{TASK}/*/verdict.json")
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in found}
