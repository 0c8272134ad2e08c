"""A sandbox for tests that need one; they skip, visibly, where the machine has none."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bythebook.deliverables.library import furniture
from bythebook.sandbox.process import Ran
from bythebook.sandbox.sandbox import BOUNDS, Bounds, Layout, Sandbox, sandbox, trouble

NO_SANDBOX = trouble()
caged = pytest.mark.skipif(bool(NO_SANDBOX), reason=f"no sandbox here: {NO_SANDBOX}")


@contextmanager
def box(workspace: Path, bounds: Bounds = BOUNDS, *secrets: Path) -> Iterator[Sandbox]:
    scratch = workspace.parent / "scratch"
    layout = Layout(furniture=furniture(), secrets=secrets, bounds=bounds)
    with sandbox("bubblewrap", workspace, scratch, layout) as made:
        yield made


async def ran(workspace: Path, command: str, timeout: float = 20, bounds: Bounds = BOUNDS) -> Ran:
    """One command in a sandbox of its own."""
    with box(workspace, bounds) as made:
        return await made.run(command, timeout)
