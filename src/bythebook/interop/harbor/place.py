"""A task folder of somebody else's: read so that no name and no link leads out of it."""

import os
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from bythebook.deliverables.workspace import MOST_BYTES, MOST_FILES
from bythebook.errors import ContentError, suggestion

SKIPPED = ("__pycache__", ".git")


class Place:
    """A folder whose files are named by their path in it."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise ContentError("no such folder", where=root)
        self.root = root
        self.files = {path.relative_to(root).as_posix(): path for path in _walked(root)}
        size = sum(path.stat().st_size for path in self.files.values())
        if len(self.files) > MOST_FILES or size > MOST_BYTES:
            what = f"{len(self.files)} files, {size:,} bytes: more than a task may have"
            hint = f"at most {MOST_FILES} files and {MOST_BYTES // 2**20} MiB"
            raise ContentError(what, where=root, hint=hint)

    def below(self, folder: str) -> dict[str, Path]:
        """Files in a folder of it, by their path in that folder."""
        start = f"{folder}/"
        return {n.removeprefix(start): p for n, p in self.files.items() if n.startswith(start)}

    def text(self, name: str) -> str:
        """Raises `ContentError` for a file that is not there or is no UTF-8."""
        path = self.root / name
        if name not in self.files:
            raise ContentError("no such file", where=path, hint=suggestion(name, self.files))
        try:
            return self.files[name].read_text("utf-8")
        except UnicodeDecodeError:
            hint = "save it as UTF-8"
            raise ContentError("cannot be read: it is no UTF-8", where=path, hint=hint) from None

    def toml(self, name: str) -> dict[str, Any]:
        try:
            return tomllib.loads(self.text(name))
        except tomllib.TOMLDecodeError as error:
            what = f"does not read as TOML: {error}"
            raise ContentError(what, where=self.root / name) from None


def inside(path: str, where: str | Path) -> str:
    """A relative path with its steps worked out. Raises `ContentError` for one that leads out."""
    found: list[str] = []
    given = PurePosixPath(path)
    for part in given.parts:
        if part == ".." and found:
            found.pop()
        elif part in ("..", "/") or "\0" in part:
            hint = "name a file by its path inside the task's folder"
            raise ContentError(f"{path!r} leads out of the folder", where=where, hint=hint)
        else:
            found.append(part)
    return "/".join(found)


def _walked(root: Path) -> Iterator[Path]:
    """Every regular file, by name. Raises `ContentError` for a link and for whatever is no file."""
    for folder, below, names in os.walk(root, onerror=_closed):
        below[:] = sorted(name for name in below if name not in SKIPPED)
        for name in (*below, *sorted(names)):
            path = Path(folder, name)
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                what = f"is a link to {path.readlink()}, and links are not followed"
                raise ContentError(what, where=path, hint="put the file itself in its place")
            if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
                raise ContentError("is neither a file nor a folder", where=path)
            if stat.S_ISREG(mode):
                yield path


def _closed(error: OSError) -> None:
    raise ContentError(f"cannot be read: {error.strerror}", where=str(error.filename))
