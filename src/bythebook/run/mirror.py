"""A copy of a run folder at a URL that fsspec knows: an object store, a server, another disk."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from bythebook.errors import BythebookError, UsageError
from bythebook.run.durable import write_whole
from bythebook.run.evaluate import Watch
from bythebook.run.folder import EvaluationFolder, RunFolder
from bythebook.run.plan import Plan
from bythebook.trace import Outcome
from bythebook.verdict import Verdict

BRING = "pip install 'bythebook[ray]'"
LAST = "verdict.json"
"""A run is finished at the URL when this is there: it is put last."""
AT_ONCE = 4
PLAN = "plan.json"
ONCE = frozenset({"scenes", "trace.jsonl", "workspace", "evidence"})
"""What is never changed once it is written."""


class Mirror:
    """Fetch what is finished there, put what gets finished here. One command at a time: a URL has
    no lock."""

    def __init__(self, url: str, folder: EvaluationFolder) -> None:
        """Raises `UsageError` for a URL that nothing here can open."""
        try:
            from fsspec.core import url_to_fs
        except ImportError:
            raise UsageError("--mirror needs the package fsspec", hint=BRING) from None
        self._url, self._folder = url, folder
        try:
            self._fs, self._root = url_to_fs(url)
        except (ImportError, ValueError) as error:
            hint = "as in s3://BUCKET/FOLDER; many stores need a package of their own"
            raise UsageError(f"cannot be opened: {error}", where=url, hint=hint) from None
        self._put: dict[str, tuple[int, int]] = {}
        """What is there by our own hand: name to size and time here."""
        self._pool = ThreadPoolExecutor(AT_ONCE)
        self._under_way: list[Future[None]] = []

    def fetch(self) -> int:
        """Bring the finished runs that are not here, attempts that were set aside, and all that
        belongs to no run. Gives how many runs.

        Raises `UsageError` where the copy is another plan's.
        """
        names: dict[str, int] = self._reached(self._names)
        if PLAN in names and self._folder.plan is not None:
            theirs = msgspec.json.decode(self._fs.cat_file(f"{self._root}/{PLAN}"), type=Plan)
            self._folder.plan.joined(theirs, self._folder.root)
        done = {str(PurePosixPath(n).parent) for n in names if PurePosixPath(n).name == LAST}
        runs = {run for run in done if not (self._folder.root / run / LAST).exists()}
        for name in sorted(names, key=lambda one: PurePosixPath(one).name == LAST):
            run, here = _run_of(name), self._here(name).exists()
            if run in runs or (not here and (not run or _aside(name))):
                write_whole(self._here(name), self._reached(self._cat, name))
            elif ONCE.intersection(PurePosixPath(name).parts):
                self._known(name, names[name])
        return len(runs)

    def begin_to_put(self, place: RunFolder) -> None:
        """Put a run, without waiting for it."""
        self._under_way.append(self._pool.submit(self._put_run, place.root))

    def settle(self) -> None:
        """Put whatever is not there as it is here. Raises `BythebookError`; no file is lost."""
        self._pool.shutdown()
        self._reached(self._put_all, self._folder.root)

    def _put_run(self, root: Path) -> None:
        self._put_all(self._folder.scenes)
        self._put_one(self._folder.root / PLAN)
        for name in self._names(root.relative_to(self._folder.root).as_posix()):
            # Left by a command that ended while it put an earlier attempt.
            if not (_aside(name) or self._here(name).exists()):
                self._fs.rm_file(f"{self._root}/{name}")
        self._put_all(root)

    def _put_all(self, root: Path) -> None:
        for path in sorted(_files(root), key=lambda one: one.name == LAST):
            self._put_one(path)

    def _put_one(self, path: Path) -> None:
        name, now = path.relative_to(self._folder.root).as_posix(), path.stat()
        state = (now.st_size, now.st_mtime_ns)
        if self._put.get(name) != state:
            there = f"{self._root}/{name}"
            self._fs.makedirs(there.rpartition("/")[0], exist_ok=True)
            self._fs.pipe_file(there, path.read_bytes())
            self._put[name] = state

    def _names(self, under: str = "") -> dict[str, int]:
        """Every file there, and its size."""
        root = self._root.rstrip("/")
        if not self._fs.exists(f"{root}/{under}".rstrip("/")):
            return {}
        found = self._fs.find(f"{root}/{under}".rstrip("/"), detail=True).items()
        names = {path[len(root) :].lstrip("/"): int(info["size"]) for path, info in found}
        return {n: size for n, size in names.items() if ".." not in PurePosixPath(n).parts}

    def _known(self, name: str, size: int) -> None:
        """What is written once need not be put again."""
        now = self._here(name).stat() if self._here(name).exists() else None
        if now is not None and now.st_size == size:
            self._put[name] = (now.st_size, now.st_mtime_ns)

    def _cat(self, name: str) -> bytes:
        data: bytes = self._fs.cat_file(f"{self._root}/{name}")
        return data

    def _here(self, name: str) -> Path:
        return self._folder.root / name

    def _reached(self, act: Any, *given: Any) -> Any:
        """Whatever a store raises becomes one clear error."""
        try:
            return act(*given)
        except BythebookError:
            raise
        except Exception as error:
            raise BythebookError(
                f"the mirror cannot be reached: {error}",
                where=self._url,
                hint="what is finished is in the run folder; the same command tries again",
            ) from error


class Mirrored:
    """A `Watch` that has every finished run put into a mirror."""

    def __init__(self, watch: Watch, mirror: Mirror) -> None:
        self._watch, self._mirror = watch, mirror

    def begins(self, runs: int, finished: int) -> None:
        self._watch.begins(runs, finished)

    def takes_up(self, place: RunFolder) -> None:
        self._watch.takes_up(place)

    def failed(self, place: RunFolder, outcome: Outcome) -> None:
        self._watch.failed(place, outcome)

    def ends(self, place: RunFolder, verdict: Verdict | None) -> None:
        if verdict is not None:
            self._mirror.begin_to_put(place)
        self._watch.ends(place, verdict)

    def looks(self) -> None:
        self._watch.looks()


def _files(root: Path) -> Iterator[Path]:
    """Neither links nor what is hidden beside the runs (a lock, a mark)."""
    for path in root.rglob("*"):
        hidden = path.parent == root and path.name.startswith(".")
        if path.is_file() and not path.is_symlink() and not hidden:
            yield path


def _run_of(name: str) -> str:
    """The run a file belongs to, as `<task>/<n>`; empty: none."""
    parts = PurePosixPath(name).parts
    return f"{parts[0]}/{parts[1]}" if len(parts) > 2 and parts[1].isdigit() else ""


def _aside(name: str) -> bool:
    """Is it of an attempt that does not count?"""
    return PurePosixPath(name).parts[2:3] == ("attempts",)
