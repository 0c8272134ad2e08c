"""The folder that an agent works in, laid out as in StartupBench.

    query/task.md     the request
    <inputs>          the task's files, in the root
    _parsed/          their text, where a reader has one
    results/          what is handed over, and nothing else

Whatever is left there was made by somebody who may mean harm: nothing here follows a link.
"""

import hashlib
import os
import shutil
import stat
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from bythebook.deliverables.evidence.model import Refusal
from bythebook.deliverables.evidence.preflight import LIMITS
from bythebook.sandbox.clearing import clear

QUERY = "query/task.md"
PARSED = "_parsed"
RESULTS = "results"
OWN = ("query", PARSED, RESULTS)
"""Folders of the layout; everything else that is there at first is an input."""

MOST_FILES = 500
MOST_BYTES = 512 * 2**20
MOST_ENTRIES = 50_000
"""Entries looked at below `results/`, and kept of a whole workspace."""
DEEPEST = 32
LONGEST = 3800
"""Bytes of a folder's path, so that the kernel, which takes 4095, can still be asked of what is in
it."""
BORROWED = stat.S_ISUID | stat.S_ISGID
LITTER = ("__pycache__", ".DS_Store", "Thumbs.db", "desktop.ini", ".ipynb_checkpoints", "__MACOSX")
LITTER_STARTS = ("~$", ".~lock.", "._")
"""What programs leave beside files without anybody's having asked."""


class Taken(msgspec.Struct, frozen=True):
    name: str
    size: int
    sha: str


class Collection(msgspec.Struct, frozen=True):
    """What was handed over: the regular files that stand in `results/` now."""

    files: tuple[Taken, ...] = ()
    refused: tuple[Refusal, ...] = ()
    """Links, devices, and what is too much: taken out."""
    litter: tuple[str, ...] = ()
    """Taken out too; nobody's work."""


Manifest = Mapping[str, str]
"""Name to SHA-256 of every input; a link or another thing that is no file has none: ""."""


class InputChange(msgspec.Struct, frozen=True):
    """What became of an input."""

    name: str
    what: Literal["changed", "deleted"]


def lay_out(
    root: Path, prompt: str, inputs: Path, parsed: Mapping[str, str] | None = None
) -> Manifest:
    """Make a workspace in a new folder; its inputs' names and hashes. `parsed`: name to text."""
    for folder in OWN:
        (root / folder).mkdir(parents=True)
    (root / QUERY).write_text(prompt, "utf-8")
    copy_inputs(inputs, root)
    for name, text in (parsed or {}).items():
        place = root / PARSED / f"{name}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    return manifest(root)


def copy_inputs(inputs: Path, to: Path) -> None:
    """Copy a task's inputs; the copies can be written, whatever the originals are."""
    for path in sorted(inputs.rglob("*")):
        if path.is_file() and not any(part.startswith(".") for part in path.parts[-1:]):
            place = to / path.relative_to(inputs)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)


def manifest(root: Path) -> Manifest:
    """The inputs as they stand."""
    tops = (path for path in sorted(root.iterdir()) if path.name not in OWN)
    found = (path for top in tops for path in (sorted(top.rglob("*")) if _folder(top) else [top]))
    return {path.relative_to(root).as_posix(): _sha(path) for path in found if not _folder(path)}


def changes(before: Manifest, root: Path) -> tuple[InputChange, ...]:
    """Inputs that are not as they were. What an agent added beside them is its own affair."""
    found = []
    for name, sha in before.items():
        path = root / name
        if not os.path.lexists(path):
            found.append(InputChange(name, "deleted"))
        elif _through_link(root, name) or _sha(path) != sha:
            found.append(InputChange(name, "changed"))
    return tuple(found)


def collect(root: Path, wanted: Container[str] = ()) -> Collection:
    """Leave in `results/` what was handed over: regular files of its own, within limits.

    Links, devices and the rest are taken out and named; so is litter. Room is kept for the files
    that are `wanted`, so that nothing beside them crowds them out.
    """
    files: list[Taken] = []
    refused: list[Refusal] = []
    litter: list[str] = []
    results = root / RESULTS
    if results.is_symlink() or (os.path.lexists(results) and not results.is_dir()):
        refused.append(Refusal(RESULTS, "it is no folder"))
        clear(results)
    results.mkdir(parents=True, exist_ok=True)
    room = _Room(results, wanted)
    links = _links(root)
    for entry in _below(results):
        name = _printable(entry.relative_to(results))
        if entry_is_litter(entry.name):
            litter.append(name)
            clear(entry)
            continue
        info = entry.lstat()
        odd = _unreadable(entry, results)
        if stat.S_ISDIR(info.st_mode) and not odd:
            continue
        why = odd or _not_taken(entry, info, links) or room.full(name, info.st_size)
        if why:
            refused.append(Refusal(name, why))
            clear(entry)
        else:
            files.append(Taken(name, info.st_size, _sha(entry)))
    return Collection(tuple(files), tuple(refused), tuple(litter))


def entry_is_litter(name: str) -> bool:
    return name in LITTER or name.startswith(LITTER_STARTS)


def make_safe(root: Path) -> int:
    """Take out of a whole workspace what is neither file nor folder, and folders nested too deep;
    how many there were. No program that is left runs with our rights for another user."""
    count = 0
    for entry in _below(root):
        mode = entry.lstat().st_mode
        if mode & BORROWED and stat.S_IFMT(mode) in (stat.S_IFREG, stat.S_IFDIR):
            entry.chmod(stat.S_IMODE(mode) & ~BORROWED)
        if stat.S_ISREG(mode) or (stat.S_ISDIR(mode) and not _too_deep(entry, root)):
            continue
        clear(entry)
        count += 1
    return count


# --- inside -------------------------------------------------------------------------------------


def _below(folder: Path, depth: int = 0) -> Iterator[Path]:
    """Everything below a folder, by name, a folder before what is in it; links not followed.

    What is deeper than `DEEPEST` or longer than `LONGEST` is given as it is, without what is in it.
    """
    _unlock(folder)
    for path in sorted(folder.iterdir()):
        yield path
        if _folder(path) and depth < DEEPEST and not _too_long(path):
            yield from _below(path, depth + 1)


def _folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _unlock(folder: Path) -> None:
    """An agent may have closed its folder to us."""
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        folder.chmod(0o700)


def _links(root: Path) -> dict[tuple[int, int], int]:
    """How many names each file of several names has inside the workspace."""
    found: dict[tuple[int, int], int] = {}
    for number, path in enumerate(_below(root)):
        info = path.lstat()
        if stat.S_ISREG(info.st_mode) and info.st_nlink > 1:
            key = (info.st_dev, info.st_ino)
            found[key] = found.get(key, 0) + 1
        if number > MOST_ENTRIES:
            break
    return found


def _unreadable(path: Path, results: Path) -> str:
    """Why the evidence could not tell of it, by its own rules."""
    if _printable(Path(path.name)) != path.name:
        return "its name is not valid Unicode"
    folders = len(path.relative_to(results).parts) - (0 if _folder(path) else 1)
    return "folders nested too deep" if folders > LIMITS.depth or _too_long(path) else ""


def _not_taken(path: Path, info: os.stat_result, links: dict[tuple[int, int], int]) -> str:
    if stat.S_ISLNK(info.st_mode):
        return f"a link to {_printable(path.readlink())}"
    if not stat.S_ISREG(info.st_mode):
        return "neither a file nor a folder"
    if info.st_nlink > links.get((info.st_dev, info.st_ino), 1):
        return "a hard link to a file outside of the workspace"
    return ""


class _Room:
    """What may still be taken; the place of wanted files is kept from the beginning."""

    def __init__(self, results: Path, wanted: Container[str]) -> None:
        self._files = self._bytes = 0
        self._kept: set[str] = set()
        _unlock(results)
        for path in sorted(results.iterdir()) if wanted else ():
            info = path.lstat()
            own = path.name in wanted and stat.S_ISREG(info.st_mode)
            if own and not self.full(path.name, info.st_size):
                self._kept.add(path.name)

    def full(self, name: str, size: int) -> str:
        """Why a file of that size is too much; empty, and it has its place, when it is not."""
        if name in self._kept:
            return ""
        if self._files >= MOST_FILES:
            return f"more than {MOST_FILES} files"
        if self._bytes + size > MOST_BYTES:
            return f"more than {MOST_BYTES // 2**20} MiB in all"
        self._files += 1
        self._bytes += size
        return ""


def _too_deep(path: Path, root: Path) -> bool:
    return len(path.relative_to(root).parts) > DEEPEST or _too_long(path)


def _too_long(path: Path) -> bool:
    return len(os.fsencode(path)) > LONGEST


def _through_link(root: Path, name: str) -> bool:
    path = root
    for part in Path(name).parts:
        path /= part
        if path.is_symlink():
            return True
    return False


def _sha(path: Path) -> str:
    """SHA-256 of a regular file's bytes; of anything else, and of what cannot be read, none."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ""
    with os.fdopen(handle, "rb") as file:
        regular = stat.S_ISREG(os.fstat(handle).st_mode)
        return hashlib.file_digest(file, "sha256").hexdigest() if regular else ""


def _printable(path: Path) -> str:
    return path.as_posix().encode("utf-8", "backslashreplace").decode("utf-8")
