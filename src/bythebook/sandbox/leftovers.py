"""Names by which the next process knows what a dead one has left."""

import os
from pathlib import Path


def process_space() -> int:
    """Which numbering of processes this one belongs to: containers have their own."""
    try:
        return Path("/proc/self/ns/pid").stat().st_ino
    except OSError:
        return 0


def is_dead(name: str, mark: str) -> bool:
    """Does a name, after its mark, begin with the number of a process that is no more?"""
    number = name.removeprefix(mark).split("-")[0]
    if not number.isdigit():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return False
