"""The evidence of one folder: built once, kept on disk, read back without the files.

    evidence/
      evidence.json                  Index
      files/NNNN.json                Content of the n-th file, from 1, if its status is ok
      recalc/NNNN.json               Recalculation, if it was asked for
      whatif/<sha>-NNNN.json         Recalculation after changes; sha: of the changes
      layout/NNNN.json               Layout, if asked for
      pages/NNNN.json                PageImages, if asked for
      pages/NNNN/page_0001.png

Nothing here names a path of this machine or a time: the same files give the same bytes.
"""

import hashlib
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import UnionType
from typing import TypeVar

import msgspec

from bythebook.deliverables.evidence import child, pages
from bythebook.deliverables.evidence.cache import Cache, write_whole
from bythebook.deliverables.evidence.layout import laid_out
from bythebook.deliverables.evidence.model import (
    Content,
    FileEvidence,
    Index,
    Kind,
    Layout,
    PageImages,
    Recalculation,
    Refusal,
    Scalar,
)
from bythebook.deliverables.evidence.office import Engine
from bythebook.deliverables.evidence.preflight import look, survey
from bythebook.deliverables.evidence.reading import Unreadable
from bythebook.errors import TraceError, unknown

T = TypeVar("T")

READ: tuple[Kind, ...] = ("xlsx", "docx", "pptx", "pdf", "text", "image")
"""Kinds whose module beside this one has a `read(path)`."""
PARTS = ("evidence.json", "files", "recalc", "whatif", "layout", "pages")


class View:
    """What checks and judges know of one folder; implements `checks.answer.Evidence`."""

    def __init__(
        self,
        root: Path,
        index: Index,
        *,
        folder: Path | None = None,
        engine: Engine | None = None,
        cache: Cache | None = None,
    ) -> None:
        """`of_folder` builds one, `kept` reads one back."""
        self.root = root
        """The evidence folder."""
        self.index = index
        self._folder, self._engine, self._cache = folder, engine, cache
        self._contents: dict[str, Content] = {}
        self._computations: dict[Path, Recalculation] = {}
        self._lock = threading.RLock()

    @classmethod
    def of_folder(
        cls,
        folder: Path,
        *,
        keep: Path,
        engine: Engine | None = None,
        cache: Cache | None = None,
        refused: tuple[Refusal, ...] = (),
    ) -> "View":
        """Read every file below `folder`; what was read is kept in `keep`, which is made anew.

        `refused`: what was in the folder and had to be taken out before.
        """
        for name in PARTS:
            old = keep / name
            shutil.rmtree(old) if old.is_dir() else old.unlink(missing_ok=True)
        files, also_refused = survey(folder)
        read = tuple(
            _read(folder, keep / "files" / f"{number:04}.json", file, cache)
            for number, file in enumerate(files, 1)
        )
        not_taken = (*refused, *also_refused)
        index = Index(files=read, refused=not_taken, engine=engine.name if engine else "")
        # Written last: where it stands, everything before it does.
        write_whole(keep / "evidence.json", _as_text(index))
        return cls(keep, index, folder=folder, engine=engine, cache=cache)

    @classmethod
    def kept(
        cls,
        root: Path,
        *,
        folder: Path | None = None,
        engine: Engine | None = None,
        cache: Cache | None = None,
    ) -> "View":
        """Read back what `of_folder` kept. Only with the files and an engine can it learn more.

        Raises TraceError.
        """
        index = _decoded(root / "evidence.json", Index)
        return cls(root, index, folder=folder, engine=engine, cache=cache)

    @cached_property
    def files(self) -> Mapping[str, FileEvidence]:
        return {file.name: file for file in self.index.files}

    @property
    def refused(self) -> tuple[Refusal, ...]:
        """What was handed over too, and not taken."""
        return self.index.refused

    @cached_property
    def sha(self) -> str:
        """SHA-256 over names and bytes of all files."""
        told = [[file.name, file.sha, file.size] for file in self.index.files]
        return hashlib.sha256(msgspec.json.encode(told)).hexdigest()

    def content(self, name: str) -> Content | None:
        """What was read from a file; None when it is not there or did not read.

        Raises TraceError when what was kept does not read.
        """
        file = self.files.get(name)
        if file is None or file.status != "ok" or file.kind not in READ:
            return None
        with self._lock:
            if name not in self._contents:
                place = self.root / "files" / f"{self._number(name)}.json"
                self._contents[name] = _decoded(place, Content)
            return self._contents[name]

    def recalculated(self, name: str) -> Recalculation:
        def compute(path: Path, engine: Engine) -> Recalculation:
            return engine.recalculate(path)

        return self._computed(self._recalc(name), name, compute)

    def what_if(self, name: str, changes: Mapping[str, Scalar]) -> Recalculation:
        def compute(path: Path, engine: Engine) -> Recalculation:
            return engine.what_if(path, changes)

        told = msgspec.json.encode(sorted(changes.items()))
        sha = hashlib.sha256(told).hexdigest()[:16]
        place = self.root / "whatif" / f"{sha}-{self._number(name)}.json"
        return self._computed(place, name, compute, sha)

    def laid_out(self, name: str) -> Layout:
        """A document on its pages; kept, since it hangs on the engine and fonts of a machine."""
        place = self.root / "layout" / f"{self._number(name)}.json"
        with self._lock:
            if place.exists():
                return _decoded(place, Layout)
            path, engine = self._path(name), self._engine
            if path is None or engine is None or self.files[name].kind != "docx":
                return Layout(status="unavailable", says=self._absent(name))
            key = ("layout", self.files[name].sha, engine.version, engine.fonts)
            told = self._cache.get(*key) if self._cache else None
            if told is None:
                found = laid_out((path,), engine)[0]
                told = msgspec.json.encode(found)
                if self._cache and found.status == "ok":
                    self._cache.put(told, *key)
            write_whole(place, told)
            return _decoded(place, Layout)

    def pages(self, name: str) -> PageImages:
        """How a file looks; its images stand at their `path` below `root`."""
        number = self._number(name)
        place = self.root / "pages" / f"{number}.json"
        with self._lock:
            if place.exists():
                return _decoded(place, PageImages)
            path = self._path(name)
            if path is None:
                return PageImages(status="unavailable", says=self._absent(name))
            into = place.with_suffix("")
            file = self.files[name]
            key = ("pages", file.kind, file.sha, self._engine.version if self._engine else "")
            told = _drawn_before(self._cache, key, into)
            if told is None:
                told = pages.drawn(path, file.kind, self.content(name), self._engine, into)
                _keep_drawn(self._cache, key, into, told)
            told = msgspec.structs.replace(
                told,
                images=tuple(
                    msgspec.structs.replace(image, path=f"pages/{number}/{image.path}")
                    for image in told.images
                ),
            )
            if told.status != "unavailable":
                write_whole(place, _as_text(told))
            return told

    def not_recalculated(self) -> list[tuple[str, Path]]:
        """Workbooks at hand, by name, whose formulas were not yet computed anew."""
        return [
            (name, path)
            for name, file in self.files.items()
            if file.kind == "xlsx"
            and (path := self._path(name)) is not None
            and self._known(self._recalc(name), self._key(name)) is None
        ]

    def keep_recalculated(self, name: str, found: Recalculation) -> None:
        """Keep what an engine said of a file."""
        self._keep(self._recalc(name), self._key(name), found)

    def _computed(
        self, place: Path, name: str, compute: Callable[[Path, Engine], Recalculation], *more: str
    ) -> Recalculation:
        """What was kept, what the cache knows, or what the engine says now."""
        with self._lock:
            known = self._computations.get(place) or self._known(place, self._key(name, *more))
            if known is not None:
                # A judge asks for every cell: read back once.
                self._computations[place] = known
                return known
            path, engine = self._path(name), self._engine
            if path is None or engine is None or self.files[name].kind != "xlsx":
                return Recalculation(status="unavailable", says=self._absent(name))
            found = compute(path, engine)
            self._keep(place, self._key(name, *more), found)
            return found

    def _known(self, place: Path, key: tuple[str, ...]) -> Recalculation | None:
        if place.exists():
            return _decoded(place, Recalculation)
        told = self._cache.get(*key) if self._cache and self._engine else None
        if told is None:
            return None
        write_whole(place, told)
        return _decoded(place, Recalculation)

    def _keep(self, place: Path, key: tuple[str, ...], found: Recalculation) -> None:
        told = msgspec.json.encode(found)
        if self._cache and found.status == "ok":
            self._cache.put(told, *key)
        write_whole(place, told)

    def _key(self, name: str, *more: str) -> tuple[str, ...]:
        """The name of a computation in the cache."""
        version = self._engine.version if self._engine else ""
        return ("computed", self.files[name].sha, version, *more)

    def _recalc(self, name: str) -> Path:
        return self.root / "recalc" / f"{self._number(name)}.json"

    def _number(self, name: str) -> str:
        names = [*self.files]
        if name not in self.files:
            raise unknown("file", name, names)
        return f"{names.index(name) + 1:04}"

    def _path(self, name: str) -> Path | None:
        """The file itself, if it is at hand and still what was read."""
        file = self.files[name]
        path = self._folder / name if self._folder else None
        if path is None or file.status != "ok" or not path.is_file():
            return None
        return path if look(path, name).sha == file.sha else None

    def _absent(self, name: str) -> str:
        """Why nothing can be computed or drawn."""
        file = self.files[name]
        if file.status != "ok":
            return file.says
        if self._engine is None:
            return "There is no LibreOffice here."
        if self._path(name):
            return "Only workbooks are recalculated, and only documents laid out."
        return "The file that was read is not at hand any more."


def recalculate_together(views: Sequence[View], engine: Engine) -> None:
    """Recalculate what is not yet recalculated of several views in few calls, and keep it."""
    waiting = [(view, name, path) for view in views for name, path in view.not_recalculated()]
    told = engine.recalculate_many([path for _, _, path in waiting])
    for (view, name, _), found in zip(waiting, told, strict=True):
        view.keep_recalculated(name, found)


def content_key(file: FileEvidence) -> tuple[str, ...]:
    """The name in the cache of what was read from a file."""
    return "content", file.kind, Path(file.name).suffix.lower(), file.sha


def _read(folder: Path, place: Path, file: FileEvidence, cache: Cache | None) -> FileEvidence:
    """Read one file that looks right; what was read is written to its place."""
    if file.status != "ok" or file.kind not in READ:
        return file
    key = content_key(file)
    told = cache.get(*key) if cache else None
    if told is None:
        try:
            raw = child.run(f"{file.kind}:read", folder / file.name, returns=msgspec.Raw)
        except Unreadable as error:
            return msgspec.structs.replace(file, status=error.status, says=error.says)
        told = bytes(raw)
        if not _decodes(told):
            says = "What stands in it cannot be kept: a number is none, or too large."
            return msgspec.structs.replace(file, status="corrupt", says=says)
        if cache:
            cache.put(told, *key)
    write_whole(place, told)
    return file


def _decodes(told: bytes) -> bool:
    """Can what a reader made of a file be read back? What cannot would break every check of it, and
    no file may do that: a broken check is our fault and makes its item void."""
    try:
        msgspec.json.decode(told, type=Content)
    except msgspec.DecodeError:
        return False
    return True


def _drawn_before(cache: Cache | None, key: tuple[str, ...], into: Path) -> PageImages | None:
    """Pages from the cache, written into their folder."""
    told = cache.get(*key) if cache else None
    if cache is None or told is None:
        return None
    found = msgspec.json.decode(told, type=PageImages)
    pictures = [cache.get(*key, image.path) for image in found.images]
    if any(one is None for one in pictures):
        return None
    for image, picture in zip(found.images, pictures, strict=True):
        write_whole(into / image.path, picture or b"")
    return found


def _keep_drawn(cache: Cache | None, key: tuple[str, ...], into: Path, told: PageImages) -> None:
    if cache is None or told.status != "ok":
        return
    for image in told.images:
        cache.put((into / image.path).read_bytes(), *key, image.path)
    cache.put(msgspec.json.encode(told), *key)


def _decoded(path: Path, kind: type[T] | UnionType) -> T:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except OSError as error:
        raise TraceError(f"evidence is missing: {error.strerror}", where=path) from None
    except msgspec.DecodeError as error:
        raise TraceError(f"evidence does not read: {error}", where=path) from None


def _as_text(value: object) -> bytes:
    """JSON as people read it."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
