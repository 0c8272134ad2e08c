"""A sandbox for tests that need one; they skip, visibly, where the machine has none."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bythebook.deliverables.library import furniture
from bythebook.sandbox.layout import BOUNDS, Bounds, Kind, Layout
from bythebook.sandbox.machine import trouble
from bythebook.sandbox.process import Ran
from bythebook.sandbox.sandbox import Sandbox, sandbox

KINDS: tuple[Kind, ...] = ("bubblewrap", "landlock")
NO_SANDBOX = trouble()
caged = pytest.mark.skipif(bool(NO_SANDBOX), reason=f"no sandbox here: {NO_SANDBOX}")


class Now:
    """The kind that is tried now; a fixture changes it."""

    kind: Kind = "bubblewrap"


@contextmanager
def box(
    workspace: Path,
    bounds: Bounds = BOUNDS,
    *secrets: Path,
    doors: dict[int, Path] | None = None,
    grouped: bool = True,
) -> Iterator[Sandbox]:
    layout = Layout(
        furniture=furniture(),
        secrets=secrets,
        bounds=bounds,
        doors=doors or {},
        grouped=grouped,
    )
    with sandbox(Now.kind, workspace, workspace.parent / "scratch", layout) as made:
        yield made


async def ran(workspace: Path, command: str, timeout: float = 20, bounds: Bounds = BOUNDS) -> Ran:
    """One command in a sandbox of its own."""
    with box(workspace, bounds) as made:
        return await made.run(command, timeout)
