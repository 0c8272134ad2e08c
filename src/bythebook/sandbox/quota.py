"""Limits over many processes together: control groups of the kernel, where root may make them.

Both versions are known: v1 has a tree for each controller, v2 one tree for all.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep

from bythebook.sandbox.leftovers import is_dead, process_space

TREE = Path("/sys/fs/cgroup")
NAME = "bythebook"
LIMIT_FILES = {
    "pids": ("pids.max", "pids.max"),
    "memory": ("memory.limit_in_bytes", "memory.max"),
}
"""Controller to the file that holds its limit: in v1, in v2."""
PATIENCE = 50
"""Tries, a fiftieth of a second apart, until the last process of a group is gone."""


@contextmanager
def quota(processes: int, memory: int) -> Iterator[dict[str, Path]]:
    """A group for each controller that can be had, by the controller's name.

    A process that writes its number into a group's `cgroup.procs` is held by it with all that it
    begets. `memory` in bytes; 0 of either is no limit.
    """
    made: dict[str, Path] = {}
    try:
        for controller, limit in (("pids", processes), ("memory", memory)):
            group = _made(controller, limit) if limit else None
            if group is not None:
                made[controller] = group
        yield made
    finally:
        for group in made.values():
            _gone(group)


def _made(controller: str, limit: int) -> Path | None:
    place_v1 = TREE / controller
    version = 0 if place_v1.is_dir() else 1
    root = TREE if version else place_v1
    group = _free(root, controller)
    try:
        if version and controller not in (root / "cgroup.subtree_control").read_text().split():
            return None
        group.mkdir()
    except OSError:
        return None
    try:
        (group / LIMIT_FILES[controller][version]).write_text(str(limit))
    except OSError:
        _gone(group)
        return None
    return group


def _free(root: Path, controller: str) -> Path:
    """A name that no group of this or another process has; groups of the dead are taken away, with
    whatever was left running in them."""
    mark = f"{NAME}-{process_space()}-"
    for old in root.glob(f"{mark}*"):
        if is_dead(old.name, mark):
            _gone(old)
    number = 1
    while (group := root / f"{mark}{os.getpid()}-{controller}-{number}").exists():
        number += 1
    return group


def members(group: Path) -> list[int]:
    """Processes in a group; of a group that is gone, none."""
    try:
        numbers = (group / "cgroup.procs").read_text().split()
    except OSError:
        return []
    return [int(number) for number in numbers]


def _kill_all(group: Path) -> None:
    for process in members(group):
        if process > 0:  # 0: it is numbered elsewhere
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)


def _gone(group: Path) -> None:
    """Take a group away, and whatever still runs in it."""
    for _ in range(PATIENCE):
        try:
            _kill_all(group)
            group.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            sleep(1 / PATIENCE)
        else:
            return
