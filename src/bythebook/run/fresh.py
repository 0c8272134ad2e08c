"""A folder that is made whole, or not at all."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bythebook.errors import UsageError
from bythebook.run.durable import LOCK, on_disk, only_one


@contextmanager
def new_folder(to: Path) -> Iterator[Path]:
    """A folder beside `to` to build in; it takes that name when all went well.

    Raises `UsageError` where something is there already, or another process builds it.
    """
    check_free(to)
    building = to.with_name(f".{to.name}.new")
    with only_one(building):
        _clear(building)
        try:
            yield building
        except BaseException:
            shutil.rmtree(building, ignore_errors=True)
            raise
        (building / LOCK).unlink()
        with on_disk(to):
            building.rename(to)


def check_free(to: Path) -> None:
    """Raises `UsageError` where something is there already."""
    if to.is_symlink() or (to.exists() and (not to.is_dir() or any(to.iterdir()))):
        hint = "--to names a new or empty folder"
        raise UsageError("there is something here already", where=to, hint=hint)


def _clear(folder: Path) -> None:
    """Take out what a process that was killed has left."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != LOCK:
            path.unlink()
