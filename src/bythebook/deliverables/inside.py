"""Files of a workspace, opened so that no name and no link leads out of it.

Every folder on the way is opened from the one before it, and none may be a link; so it does not
matter what is renamed meanwhile.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from bythebook.tool import Refused

MOST_LOOKED_AT = 50_000
DEEPEST = 32
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


class Inside:
    """A folder; paths are relative to it, or begin with the name it is `shown` by."""

    def __init__(self, root: Path, shown: str) -> None:
        self.root, self.shown = root, shown

    def parts(self, path: str) -> tuple[str, ...]:
        """The names on the way, `.` and `..` worked out. Raises `Refused` for a way out."""
        if "\0" in path:
            raise Refused("a path has no NUL byte in it")
        given = PurePosixPath(path)
        if given.is_absolute():
            if not given.is_relative_to(self.shown):
                raise Refused(f"{path}: only what is in {self.shown} can be reached")
            given = given.relative_to(self.shown)
        found: list[str] = []
        for part in given.parts:
            if part != "..":
                found.append(part)
            elif found:
                found.pop()
            else:
                raise Refused(f"{path}: only what is in {self.shown} can be reached")
        if len(found) > DEEPEST:
            raise Refused(f"a path goes at most {DEEPEST} folders deep")
        return tuple(found)

    def read(self, path: str, most: int) -> bytes:
        """A regular file's bytes. Raises `Refused` when it is none, or has more than `most`."""
        *way, name = self.parts(path) or ("",)
        with self._folder(tuple(way), path) as folder, _said(path):
            if not name:
                raise IsADirectoryError
            handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
            with os.fdopen(handle, "rb") as file:
                info = os.fstat(handle)
                if not stat.S_ISREG(info.st_mode):
                    raise Refused(f"{path}: no regular file")
                if info.st_size > most:
                    raise Refused(f"{path}: {info.st_size:,} bytes are too many to be shown; exec")
                return file.read(most)

    def write(self, path: str, data: bytes) -> None:
        """Write a regular file, and the folders on the way to it."""
        *way, name = self.parts(path) or ("",)
        with self._folder(tuple(way), path, make=True) as folder, _said(path):
            if not name:
                raise IsADirectoryError
            flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
            handle = os.open(name, flags, 0o644, dir_fd=folder)
            with os.fdopen(handle, "wb") as file:
                if not stat.S_ISREG(os.fstat(handle).st_mode):
                    raise Refused(f"{path}: no regular file")
                os.ftruncate(handle, 0)
                file.write(data)

    def entries(self, path: str) -> list[tuple[str, os.stat_result]]:
        """What is in a folder, by name."""
        with self._folder(self.parts(path), path) as folder, _said(path):
            with os.scandir(folder) as found:
                names = sorted(entry.name for entry in found)
            return [(name, os.lstat(name, dir_fd=folder)) for name in names]

    def matching(self, pattern: str) -> Iterator[str]:
        """Names of files and folders that fit, links among them but not followed."""
        wanted = self.parts(pattern)
        for number, parts in enumerate(self._walk()):
            if number >= MOST_LOOKED_AT:
                return
            if fits(parts, wanted):
                yield "/".join(parts)

    # --- inside -----------------------------------------------------------------------------

    @contextmanager
    def _folder(self, way: tuple[str, ...], path: str, *, make: bool = False) -> Iterator[int]:
        with _said(path):
            handle = os.open(self.root, _FOLDER)
            for name in way:
                try:
                    handle = _stepped(handle, name, make)
                except BaseException:
                    os.close(handle)
                    raise
        try:
            yield handle
        finally:
            os.close(handle)

    def _walk(self) -> Iterator[tuple[str, ...]]:
        """Every name below, by its parts, in order."""
        waiting: list[tuple[str, ...]] = [()]
        while waiting:
            way = waiting.pop()
            try:
                found = self.entries("/".join(way))
            except Refused:
                continue
            folders = []
            for name, info in found:
                yield (*way, name)
                if stat.S_ISDIR(info.st_mode) and len(way) < DEEPEST:
                    folders.append((*way, name))
            waiting += reversed(folders)


def fits(parts: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    """`*`, `?` and `[..]` stand for characters of one name, `**` for any folders."""
    places = _spread({0}, pattern)
    for part in parts:
        after = {place for place in places if pattern[place : place + 1] == ("**",)}
        after |= {
            place + 1
            for place in places
            if place < len(pattern) and pattern[place] != "**" and fnmatchcase(part, pattern[place])
        }
        places = _spread(after, pattern)
    return len(pattern) in places


def _spread(places: set[int], pattern: tuple[str, ...]) -> set[int]:
    """With the places reached by letting `**` stand for nothing."""
    found = set(places)
    for place in range(len(pattern)):
        if place in found and pattern[place] == "**":
            found.add(place + 1)
    return found


def _stepped(handle: int, name: str, make: bool) -> int:
    """The folder of that name in an open one, which is closed."""
    if make:
        with suppress(FileExistsError):
            os.mkdir(name, 0o755, dir_fd=handle)
    inner = os.open(name, _FOLDER, dir_fd=handle)
    os.close(handle)
    return inner


@contextmanager
def _said(path: str) -> Iterator[None]:
    """What the system refuses is told to the agent."""
    try:
        yield
    except FileNotFoundError:
        raise Refused(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise Refused(f"{path}: it is a folder") from None
    except NotADirectoryError:
        raise Refused(f"{path}: a file or a link stands where a folder belongs") from None
    except OSError as error:
        link = error.errno == errno.ELOOP
        why = "it is a link; links are not followed" if link else (error.strerror or str(error))
        raise Refused(f"{path}: {why}") from None
