"""What was once read, computed or drawn, by the SHA-256 of what it came from.

An entry is the SHA-256 of its bytes, a newline, the bytes. One that does not hold is as good as
none. Entries are written whole and renamed, so processes can share a folder.
"""

import hashlib
import os
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from bythebook.task import code_hash


class Cache:
    """One folder of entries; several processes may share it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, *key: str) -> bytes | None:
        """None where there is none, or it does not hold."""
        try:
            entry = self._place(key).read_bytes()
        except OSError:
            return None
        sha, newline, value = entry[:64], entry[64:65], entry[65:]
        whole = newline == b"\n" and sha == hashlib.sha256(value).hexdigest().encode()
        return value if whole else None

    def put(self, value: bytes, *key: str) -> None:
        """A cache that cannot be written is none: nothing is said."""
        sha = hashlib.sha256(value).hexdigest().encode()
        with suppress(OSError):
            write_whole(self._place(key), sha + b"\n" + value)

    def _place(self, key: tuple[str, ...]) -> Path:
        name = hashlib.sha256("\0".join((pipeline(), *key)).encode()).hexdigest()
        return self.folder / name[:2] / name[2:]


def at_home() -> Cache:
    """This user's, as the XDG base directory specification has it: in `XDG_CACHE_HOME`, or in
    ~/.cache."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Cache(Path(home) / "bythebook" / "evidence")


@cache
def pipeline() -> str:
    """SHA-256 over the code of this package: what other code made is not asked for."""
    return code_hash(Path(__file__).parent)


def write_whole(path: Path, value: bytes) -> None:
    """Write beside the place, then rename: a reader sees all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(value)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
