"""Runs of a stranger judged in a child process, which is ended when one of them takes too much.

A bundle brings its own rules. They cannot call out, but they can be made to loop for hours or to
eat all memory, also inside a regular expression, where only the end of a process helps.

    python -m bythebook.run.apart FOLDER BYTES SECONDS    runs on stdin, a line for each on stdout
"""

import os
import resource
import select
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from bythebook.errors import BythebookError
from bythebook.run.bundle import SealedRun
from bythebook.run.folder import EvaluationFolder
from bythebook.run.rejudge import VerifiedRun, offline, verified

READY = b"ready"
START = 60.0
"""Seconds in which the child must have begun."""


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """What judging one run may take."""

    seconds: int = 60
    memory: int = 4 * 2**30
    """Bytes of address space."""


def judged_apart(
    folder: Path, runs: Sequence[SealedRun], bounds: Bounds
) -> tuple[VerifiedRun, ...]:
    """What `verified` finds of each run. One that takes too much is `cannot`, and the next ones
    are judged by another child."""
    found: list[VerifiedRun] = []
    while len(found) < len(runs):
        found += _some(folder, runs[len(found) :], bounds)
    return tuple(found)


def _some(folder: Path, runs: Sequence[SealedRun], bounds: Bounds) -> Iterator[VerifiedRun]:
    """Of one child: up to the first run that it is ended for."""
    most = str(bounds.seconds * len(runs) + int(START))
    words = [sys.executable, "-P", "-m", __name__, str(folder), str(bounds.memory), most]
    env = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
    ) as child:
        try:
            lines = _told(child, msgspec.json.encode(runs), bounds.seconds)
            if next(lines) != READY:
                raise BythebookError("the process that judges the runs does not begin")
            for run, line in zip(runs, lines, strict=False):
                if line:
                    yield msgspec.json.decode(line, type=VerifiedRun)
                    continue
                yield VerifiedRun(run.task, run.run, "cannot", _why(child, bounds))
                return
        finally:
            child.kill()


def _told(child: subprocess.Popen[bytes], asked: bytes, seconds: int) -> Iterator[bytes]:
    """Line by line what a child says; an empty one where it says nothing for too long, or ends."""
    assert child.stdin is not None
    assert child.stdout is not None
    with suppress(BrokenPipeError), child.stdin:
        child.stdin.write(asked)
    place, rest, patience = child.stdout.fileno(), b"", START
    while True:
        while b"\n" in rest:
            line, _, rest = rest.partition(b"\n")
            patience = seconds
            yield line
        there, _, _ = select.select([place], [], [], patience)
        data = os.read(place, 2**16) if there else b""
        if not data:
            yield b""
            return
        rest += data


def _why(child: subprocess.Popen[bytes], bounds: Bounds) -> str:
    if child.poll() is None:
        return f"judging it took more than {bounds.seconds} s and was ended; --seconds allows more"
    memory = bounds.memory / 2**30
    return f"judging it ended the process: its rules may want more than {memory:g} GB (--memory)"


def _main(folder: Path, memory: int, seconds: int) -> None:
    """The child."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    # Only for a child whose parent is gone.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    place = EvaluationFolder(folder)
    plan, bench = place.plan, offline(place)
    assert plan is not None
    runs = msgspec.json.decode(sys.stdin.buffer.read(), type=list[SealedRun])
    _say(READY)
    for run in runs:
        _say(msgspec.json.encode(verified(place, plan, bench, run)))


def _say(line: bytes) -> None:
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    _main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
