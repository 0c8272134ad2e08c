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
from bythebook.deliverables.workspace import MOST_BYTES, RESULTS
from bythebook.errors import UsageError


def brought(files: Sequence[Path]) -> dict[str, Path]:
    """Name in `results/` to where it lies now. Raises `UsageError`."""
    found: dict[str, Path] = {}
    for given in files:
        if not given.exists():
            raise UsageError("no such file", where=given)
        if not (given.is_file() or given.is_dir()):
            raise UsageError("neither a file nor a folder", where=given)
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
    for folder, below, names in os.walk(root, onerror=_closed):
        below.sort()
        links = [name for name in below if Path(folder, name).is_symlink()]
        for name in sorted((*names, *links)):
            path = Path(folder, name)
            yield path.relative_to(root).as_posix(), path


def _closed(error: OSError) -> None:
    """A folder that cannot be read must not be handed in as an empty one."""
    what = f"cannot be read: {error.strerror}"
    raise UsageError(what, where=str(error.filename), hint="make it readable, or leave it out")


def _bring(path: Path, to: Path, *, named: bool) -> None:
    """Copy a file. What will be refused anyway costs nothing, and something stands for it, so that
    the collection tells of it: a link as it is, a file that is too big with its size alone, a pipe
    for whatever else it is."""
    info = path.stat() if named else path.lstat()
    if stat.S_ISREG(info.st_mode) and info.st_size > MOST_BYTES:
        to.touch()
        os.truncate(to, info.st_size)
    elif stat.S_ISREG(info.st_mode) or stat.S_ISLNK(info.st_mode):
        shutil.copyfile(path, to, follow_symlinks=named)
    else:
        os.mkfifo(to)


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
            _bring(path, to, named=path in self._files)
        return Move(text=f"{self.name} hands over what was made elsewhere.")
