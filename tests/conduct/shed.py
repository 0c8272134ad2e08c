"""The tool shed of tests/fixtures: content with a desk of its own, copied and then bent."""

import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from bythebook.conduct.company import Company, load_company
from bythebook.conduct.task import ConductTask, load_task
from bythebook.task import Content

SHED = Path(__file__).parents[1] / "fixtures" / "shed"
TASK = "s01-bicycle"

Edits = Mapping[str, tuple[tuple[str, str], ...]]
"""File to (text, what stands there instead); an empty first text adds at the end."""


@cache
def company() -> Company:
    """The shipped company with the shed beside it."""
    return load_company(Content([SHED]))


def shed_task(tmp_path: Path, edits: Edits | None = None) -> ConductTask:
    """The shed's task, with some of its files' texts replaced."""
    folder = tmp_path / "tasks" / "conduct" / TASK
    shutil.copytree(SHED / "tasks" / "conduct" / TASK, folder)
    for name, changes in (edits or {}).items():
        text = (folder / name).read_text("utf-8")
        for old, new in changes:
            assert old in text, f"{name} does not hold {old!r}"
            text = text.replace(old, new, 1) if old else text + new
        (folder / name).write_text(text, "utf-8")
    return load_task(Content([tmp_path]), company(), TASK)


def without(text: str, criterion: str) -> str:
    """The lines of one criterion of the shed's criteria.yaml."""
    start = text.index(f"  - id: {criterion}\n")
    end = text.find("\n  - id: ", start)
    return text[start : end + 1 if end > 0 else len(text)]


def criterion(name: str) -> str:
    """The text of one of the shed's criteria."""
    path = SHED / "tasks" / "conduct" / TASK / "criteria.yaml"
    return without(path.read_text("utf-8"), name)
