"""The system's clock jumps an hour while runs are played: limits, order and verdicts stay.

The program is the real one, with libfaketime under it: what the kernel says of the date is moved
while it works. The steady clock that lengths are measured with is left alone, as by a real jump.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bythebook.conduct.task import ConductTask
from bythebook.run.agents import Scripted
from bythebook.trace import read_trace
from tests.model_server import Asked, ModelServer, Spoken, busy
from tests.own import BYTHEBOOK, TASK
from tests.run.playing import play
from tests.run.test_processes import finished, words
from tests.run.wired import Wired

FAKE = next(Path("/usr").glob("lib/*/faketime/libfaketimeMT.so.1"), None)
HOUR, RUNS = 3600, 4
AGENT_TIME, AN_EVALUATION = 30, 60
"""Seconds of the limit on an agent's time, and that all of it may take: less than the jump."""

pytestmark = pytest.mark.skipif(FAKE is None, reason="no libfaketime (Debian: faketime)")


class Shaky:
    """A golden over the wire. From the jump on every eighth request is sent away for a moment."""

    def __init__(self, task: ConductTask) -> None:
        self._wired, self.jumped = Wired(task), False

    def __call__(self, asked: Asked) -> Spoken:
        return busy(0.05) if self.jumped and asked.number % 8 == 0 else self._wired(asked)


@pytest.fixture
def shaky(task: ConductTask) -> Iterator[tuple[Shaky, ModelServer]]:
    script = Shaky(task)
    with ModelServer(script, delay=0.01) as server:
        yield script, server


def moved(place: Path) -> tuple[dict[str, str], Callable[[int], None]]:
    """An environment whose date can be moved by so many seconds, also while it is used."""

    def move(seconds: int) -> None:
        beside = place.with_suffix(".new")
        beside.write_text(f"{seconds:+d}\n", "utf-8")
        beside.rename(place)

    move(0)
    env = os.environ | {"LD_PRELOAD": str(FAKE), "FAKETIME_TIMESTAMP_FILE": str(place)}
    return env | {"FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}, move


def test_the_jump_is_real(tmp_path: Path) -> None:
    env, move = moved(tmp_path / "clock")
    asks = "import time; print(input() or int(time.time()), input() or int(time.time()))"
    with subprocess.Popen(
        [sys.executable, "-c", asks], env=env, stdin=-1, stdout=-1, text=True
    ) as process:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
        time.sleep(0.2)
        move(HOUR)
        said, _ = process.communicate("\n", timeout=20)

    before, after = map(int, said.split())
    assert HOUR - 5 <= after - before <= HOUR + 60


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_a_clock_that_jumps_changes_neither_limits_nor_order_nor_verdicts(
    task: ConductTask,
    own: Path,
    shaky: tuple[Shaky, ModelServer],
    tmp_path: Path,
    jump: int,
) -> None:
    script, server = shaky
    env, move = moved(tmp_path / "clock")
    began = time.monotonic()
    more = ["--agent-time", str(AGENT_TIME), "--per-minute", "6000", "--runs", str(RUNS)]
    process = subprocess.Popen(
        [str(BYTHEBOOK), *words(own, server), *more],
        cwd=tmp_path, env=env, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    while not finished(tmp_path / "runs"):
        assert process.poll() is None
        assert time.monotonic() - began < AN_EVALUATION
        time.sleep(0.01)
    under = "libfaketime" in Path(f"/proc/{process.pid}/maps").read_text("utf-8")
    script.jumped = True
    move(jump)
    _, said = process.communicate(timeout=AN_EVALUATION)
    play(task, Scripted("golden"), tmp_path / "still", runs=RUNS)

    assert under
    assert process.returncode == 0, said
    assert time.monotonic() - began < AN_EVALUATION
    traces = [read_trace(path) for path in (tmp_path / "runs" / TASK).glob("*/trace.jsonl")]
    assert [str(one.closing.outcome) for one in traces if one.closing] == (
        ["completed(finished)"] * RUNS
    )
    assert not list((tmp_path / "runs").rglob("attempts"))
    for number in range(1, RUNS + 1):
        jumpy, still = (tmp_path / name / TASK / str(number) for name in ("runs", "still"))
        assert order(jumpy) == order(still)
        theirs, ours = ((place / "verdict.json").read_bytes() for place in (jumpy, still))
        assert theirs.replace(b'"loop"', b'"golden"') == ours


def order(place: Path) -> list[tuple[int, str, str]]:
    """What happened, when in the story, and the state after it; a model's book-keeping left out."""
    events = read_trace(place / "trace.jsonl").events
    return [(event.t, event.name, event.h) for event in events if event.kind != "note"]
