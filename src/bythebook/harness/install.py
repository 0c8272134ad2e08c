"""Harnesses on this machine: each in a virtual environment of its own under the user's cache.

    ~/.cache/bythebook/harness/nanobot-0.3.5/
      installed.json        written last: without it the folder is a half-made one, and not used
      bin/ lib/ ...         the environment

They want libraries in versions that clash with each other's and with ours, so none of them is ever
imported here.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import distributions
from pathlib import Path

import msgspec

from bythebook.errors import BythebookError, UsageError

STAMP = "installed.json"
LAST = 12
"""Lines of a failed command that are shown."""

Tell = Callable[[str], None]
"""Is told each step, in a line."""


class Recipe(msgspec.Struct, frozen=True, kw_only=True):
    """How a harness is brought: a distribution of the Python package index and what it needs."""

    name: str
    """As in `--agent`."""
    package: str
    version: str
    """The one it was tried with here."""
    program: str
    """Pattern, below the environment, of the file that is started."""
    extras: str = ""
    """As pip writes them: `[mcp]`."""
    mib: int
    """Disk that it takes, about."""

    @property
    def requirement(self) -> str:
        """As pip takes it."""
        return f"{self.package}{self.extras}=={self.version}"


class Installed(msgspec.Struct, frozen=True):
    """A harness that is there; the content of its stamp and where it lies."""

    folder: Path
    program: Path
    """The file that is started."""
    python: Path
    """The interpreter that the environment was made with: its real file."""
    mib: int
    """Disk that it takes."""
    packages: dict[str, str]
    """Every distribution in the environment, name to version."""

    @property
    def binary(self) -> Path:
        """The environment's Python."""
        return self.folder / "bin/python"


class _Stamp(msgspec.Struct, frozen=True):
    requirement: str
    python: str
    mib: int
    packages: dict[str, str]


def shelf() -> Path:
    """The folder that holds all harnesses of this user."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache, "bythebook", "harness")


def place(recipe: Recipe) -> Path:
    """Where it lies, or would lie."""
    return shelf() / f"{recipe.name}-{recipe.version}"


def find(recipe: Recipe) -> Installed | None:
    """The harness, if it is there whole; one whose Python is gone is not."""
    folder = place(recipe)
    try:
        stamp = msgspec.json.decode((folder / STAMP).read_bytes(), type=_Stamp)
    except (OSError, msgspec.MsgspecError):
        return None
    program = next(folder.glob(recipe.program), None)
    python = Path(stamp.python)
    if program is None or not python.exists() or stamp.requirement != recipe.requirement:
        return None
    return Installed(folder, program, python, stamp.mib, stamp.packages)


def demand(recipe: Recipe) -> Installed:
    """The harness. Raises `UsageError` with the command that brings it."""
    found = find(recipe)
    if found is None:
        hint = f"{command(recipe)}   (about {recipe.mib} MiB)"
        raise UsageError(f"{recipe.name} {recipe.version} is not installed", hint=hint)
    return found


def command(recipe: Recipe) -> str:
    """What brings it, for a person to type."""
    return f"bythebook harness install {recipe.name}=={recipe.version}"


def install(recipe: Recipe, tell: Tell, *, again: bool = False) -> Installed:
    """Bring a harness, unless it is there already. Raises `BythebookError` where that fails.

    Two that want the same one wait for each other. An older copy stays until the new one is whole.
    """
    folder = place(recipe)
    with _alone(folder, tell) as lock:
        aside = folder.with_name(f"{folder.name}.old")
        if find(recipe) is None:
            # What was put aside by one that was killed.
            _put_back(aside, folder)
        found = find(recipe)
        if found is not None and not again:
            return found
        if found is not None:
            folder.rename(aside)
        try:
            return _make(recipe, folder, tell, lock)
        except BaseException:
            _put_back(aside, folder)
            raise
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def remove(recipe: Recipe, tell: Tell) -> bool:
    """Take a harness away, also a half-made one; was there anything?"""
    folder = place(recipe)
    with _alone(folder, tell):
        there = folder.exists()
        (folder / STAMP).unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
    return there


# --- inside -------------------------------------------------------------------------------------


def _make(recipe: Recipe, folder: Path, tell: Tell, lock: int) -> Installed:
    python = Path(sys.executable).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    tell(f"an environment in {folder}")
    _do([str(python), "-I", "-m", "venv", str(folder)], tell, lock)
    pip = [str(folder / "bin/python"), "-I", "-m", "pip", "install"]
    pip += ["--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
    _do([*pip, recipe.requirement], tell, lock)
    if next(folder.glob(recipe.program), None) is None:
        hint = "another version may keep its program elsewhere; try the one named in `harness`"
        what = f"{recipe.requirement} brought no {recipe.program}"
        raise BythebookError(what, where=folder, hint=hint)
    sites = [str(site) for site in folder.glob("lib/python*/site-packages")]
    packages = {dist.metadata["Name"]: dist.version for dist in distributions(path=sites)}
    size = sum(path.lstat().st_blocks * 512 for path in folder.rglob("*"))
    stamp = _Stamp(recipe.requirement, str(python), size // 2**20, dict(sorted(packages.items())))
    beside = folder / f"{STAMP}.new"
    beside.write_bytes(msgspec.json.format(msgspec.json.encode(stamp)))
    beside.rename(folder / STAMP)
    return demand(recipe)


def _put_back(aside: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if aside.exists():
        aside.rename(folder)


def _do(words: list[str], tell: Tell, lock: int) -> None:
    """Run a command and tell its output line by line.

    It holds the lock, too: when this process is killed, the next waits for what it has begun.
    """
    last = deque[str](maxlen=LAST)
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, pass_fds=(lock,),
    ) as process:  # fmt: skip
        try:
            for line in process.stdout or ():
                last.append(line.rstrip())
                tell(line.rstrip())
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        said = "\n".join(last)
        hint = said
        if "ensurepip" in said:
            hint += "\non Debian, as root: apt-get install python3-venv"
        what = f"this command failed with {process.returncode}: {' '.join(words)}"
        raise BythebookError(what, hint=hint)


@contextmanager
def _alone(folder: Path, tell: Tell) -> Iterator[int]:
    """While no other process works on this folder; the descriptor that says so."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            tell("another process is installing it; waiting for that")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock.fileno()
