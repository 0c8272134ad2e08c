"""One golden played twice by the same scripted server: by Inspect, and by `bythebook run`."""

import fcntl
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bythebook.agents.protocol import Move
from bythebook.run.folder import EvaluationFolder
from tests.model_server import Asked, ModelServer, Say, Use
from tests.own import bythebook

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "inspect.md"
TASK = "q03-acacia-durian"


@dataclass(frozen=True)
class Twice:
    """What Inspect and we wrote, and what either sent."""

    log: Path
    theirs: EvaluationFolder
    ours: EvaluationFolder
    asked: tuple[dict[str, Any], dict[str, Any]]
    """The body of each one's first request."""


def speaker(moves: list[Move]) -> Callable[[Asked], Say]:
    """Says the move that comes next in the conversation."""

    def says(asked: Asked) -> Say:
        move = moves[asked.turns]
        uses = tuple(Use(call.name, dict(call.args)) for call in move.calls)
        return Say(move.text, uses)

    return says


@pytest.fixture(scope="session")
def twice(tmp_path_factory: pytest.TempPathFactory) -> Twice:
    root = once(tmp_path_factory, "twice", _both)
    (log,) = (root / "logs").glob("*.eval")
    ours, theirs = EvaluationFolder(root / "ours"), EvaluationFolder(root / "theirs")
    asked = msgspec.json.decode((root / "asked.json").read_bytes(), type=list[dict[str, Any]])
    return Twice(log, theirs, ours, (asked[0], asked[1]))


@pytest.fixture(scope="session")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each scenario."""
    return once(tmp_path_factory, "scenarios", _scenarios)


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that the first worker of pytest makes, and the others wait for."""
    shared = factory.getbasetemp()
    shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared
    place, done = shared / name, shared / f"{name}.done"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            place.mkdir()
            make(place)
            done.touch()
    return place


def lines_of_page() -> list[str]:
    """The commands of the page on Inspect."""
    return re.findall(r"^\$ (.*)$", PAGE.read_text("utf-8"), re.M)


def _both(root: Path) -> None:
    """`inspect eval` and `bythebook run`, each as a program."""
    from tests.interop.inspect.told import conduct_task, moves_of

    with ModelServer(speaker(moves_of("golden", conduct_task(TASK)))) as server:
        url = f"{server.url}/v1"
        line = lines_of_page()[0].replace("openai/gpt-5", "openai-api/local/scripted")
        inspect(*shlex.split(line)[1:], "--model-base-url", url, cwd=root)
        count = server.count
        model = ("--agent", "loop", "--model", "local:scripted", "--base-url", url)
        words = ("run", "conduct", "--task", "q03", "--runs", "1", *model, "--to", "ours")
        said = bythebook(*words, cwd=root)
        assert said.returncode == 0, said.stderr
        asked = [server.asked[0].body, server.asked[count].body]
    (root / "asked.json").write_bytes(msgspec.json.encode(asked))


def _scenarios(root: Path) -> None:
    command = [sys.executable, "-m", "tests.interop.inspect.scenarios", str(root)]
    said = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=250
    )
    assert said.returncode == 0, said.stdout[-3000:] + said.stderr[-3000:]


def inspect(*words: str, cwd: Path) -> str:
    """Inspect itself, in a process of its own; what it printed."""
    program = Path(sys.executable).with_name("inspect")
    env = os.environ | {"LOCAL_API_KEY": "none", "INSPECT_DISPLAY": "plain", "HOME": str(cwd)}
    said = subprocess.run(
        [program, *words],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert said.returncode == 0, said.stdout + said.stderr
    return said.stdout
