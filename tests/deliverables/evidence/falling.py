"""Readers that misbehave, for `child` to survive. Each takes a path, as readers do."""

import ctypes
import os
import resource
import time
from pathlib import Path

from bythebook.deliverables.evidence.reading import Unreadable


def limits(path: Path) -> dict[str, int]:
    return {
        "cpu": resource.getrlimit(resource.RLIMIT_CPU)[0],
        "memory": resource.getrlimit(resource.RLIMIT_AS)[0],
        "file": resource.getrlimit(resource.RLIMIT_FSIZE)[0],
    }


def parent(path: Path) -> int:
    return os.getppid()


def number(path: Path) -> int:
    return os.getpid()


def echo(path: Path, word: str) -> str:
    return f"{path.name} {word}"


def refuses(path: Path) -> int:
    raise Unreadable("encrypted", "It wants a password.")


def raises(path: Path) -> int:
    raise KeyError("r")


def sleeps(path: Path) -> int:
    time.sleep(60)
    return 0


def spins(path: Path) -> int:
    while True:
        pass


def swells(path: Path) -> int:
    return len(b"x" * (64 * 2**30))


def recurses(path: Path) -> int:
    return recurses(path) + 1


def crashes(path: Path) -> int:
    return ctypes.string_at(0)[0]


def writes(path: Path) -> int:
    Path(f"{path}.out").write_bytes(b"x" * 5_000_000)
    return 0


def environment(path: Path) -> dict[str, str]:
    return dict(os.environ)
