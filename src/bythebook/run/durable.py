"""Files that are there whole or not at all, and a folder that one process at a time works in."""

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from bythebook.errors import BythebookError, UsageError

LOCK = ".lock"
AGAIN = 0.02
"""Seconds between two tries for a lock."""
_SAYS = {
    errno.EEXIST: "a file is in the way of a folder",
    errno.ENOTDIR: "a file is in the way of a folder",
    errno.EISDIR: "a folder is in the way of a file",
    errno.ENAMETOOLONG: "its name is too long",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file would be larger than this process may write",
    errno.EROFS: "the disk is read-only",
    errno.EACCES: "you may not write there",
    errno.EPERM: "you may not write there",
}
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def on_disk(place: Path) -> Iterator[None]:
    """Whatever the disk refuses inside becomes one clear error; a place that was ill chosen is a
    `UsageError`."""
    try:
        yield
    except OSError as error:
        raise refused(error, place) from error


def refused(error: OSError, place: Path | str = "") -> BythebookError:
    """What the disk refused, in words; of a copy it is the second name that was to be written."""
    says = _SAYS.get(error.errno or 0, str(error))
    mend = "make room" if is_full(error) else "choose a folder of your own with --to"
    kind = UsageError if error.errno in _SAYS and not is_full(error) else BythebookError
    return kind(
        f"cannot be written: {says}",
        where=error.filename2 or error.filename or place,
        hint=f"nothing finished is lost: {mend}, then give the same command again",
    )


def is_full(error: OSError) -> bool:
    """Does the disk, or what this process may use of it, hold no more?"""
    return error.errno in _FULL


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that a reader, or the next process, sees the old bytes or all the new ones.

    Written beside its place, forced to disk, then renamed over it.
    """
    with on_disk(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.{os.getpid()}.new")
        try:
            with beside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Force a folder's own entries to disk: a rename is only then there after a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def only_one(folder: Path, *, patience: float = 0.0) -> Iterator[None]:
    """Hold the folder's lock. Raises `UsageError` when another process holds it for longer than
    `patience` seconds.

    The lock is the kernel's (`flock`): a killed process leaves none behind.
    """
    with on_disk(folder):
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / LOCK).open("a+")
    with file:
        if not _locked(file, patience):
            file.seek(0)
            holder = file.read().strip() or "unknown"
            raise UsageError(
                f"another bythebook (process {holder}) is at work in this folder",
                where=folder,
                hint="wait for it to end, or choose another folder with --to",
            )
        file.seek(0)
        file.truncate()
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def _locked(file: IO[str], patience: float) -> bool:
    """The lock is had within `patience` seconds."""
    until = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            time.sleep(AGAIN)
        else:
            return True
