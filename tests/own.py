"""A content folder of one's own, as `bythebook new` makes it, and ways to use it."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from bythebook.cli import answer
from bythebook.conduct.company import load_company
from bythebook.conduct.task import ConductTask, load_task
from bythebook.task import Content

TASK = "q90-visitor"
BYTHEBOOK = Path(sys.executable).with_name("bythebook")


def own_content(folder: Path) -> Path:
    """A fresh folder with the scaffold of one task."""
    assert answer(["new", "task", TASK, "--to", str(folder)]) == 0
    return folder


def own_task(folder: Path) -> ConductTask:
    content = Content([folder])
    return load_task(content, load_company(content), TASK)


def bythebook(
    *words: str | Path, cwd: Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The program itself, in a process of its own."""
    command: Sequence[str] = [str(BYTHEBOOK), *map(str, words)]
    return subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=100
    )
