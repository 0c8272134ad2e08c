"""Files that were made elsewhere, brought into a workspace as they are.

A file goes into `results/` under its name, a folder with all that is in it; of a workspace laid out
as in StartupBench (`query/` and `results/`) only what lies in its `results/`.
"""

import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from bythebook.agents.protocol import Answer, Briefing, Move
from bythebook.deliverables.workspace import RESULTS
from bythebook.errors import UsageError


def brought(files: Sequence[Path]) -> dict[str, Path]:
    """Name in `results/` to where it lies now. Raises `UsageError`."""
    found: dict[str, Path] = {}
    for given in files:
        if not given.exists():
            raise UsageError("no such file", where=given)
        for name, path in _named(given):
            if name in found:
                what = f"two files would be called {name!r}: {found[name]} and {path}"
                raise UsageError(what, hint="put them into a folder as they are to be, and name it")
            found[name] = path
    return found


def _named(given: Path) -> Iterator[tuple[str, Path]]:
    if not given.is_dir():
        yield given.name, given
        return
    inner = given / RESULTS
    root = inner if inner.is_dir() and (given / "query").is_dir() else given
    for folder, _, names in os.walk(root):
        for name in sorted(names):
            path = Path(folder, name)
            yield path.relative_to(root).as_posix(), path


class HandoverAgent:
    """Makes one move: the files are there, and it says so."""

    def __init__(self, name: str, files: Sequence[Path], workspace: Path) -> None:
        self.name = name
        self._files, self._results = files, workspace / RESULTS

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        """A link that lies in a folder stays a link: it is refused when the files are collected."""
        for name, path in brought(self._files).items():
            to = self._results / name
            to.parent.mkdir(parents=True, exist_ok=True)
            mode = path.lstat().st_mode
            if path in self._files or stat.S_ISREG(mode) or stat.S_ISLNK(mode):
                shutil.copyfile(path, to, follow_symlinks=path in self._files)
        return Move(text=f"{self.name} hands over what was made elsewhere.")
