"""Folders made into samples: read, and their workbooks computed many at a time.

Starting LibreOffice costs more than most workbooks, so files are computed in groups; and what two
workbooks compute to is the same when their cells, formulas and names are, so each such content is
computed once, however its sheets are coloured, moved or charted. What follows from a workbook that
is known is not computed at all (`nearby`).
"""

import hashlib
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from bythebook.deliverables.evidence import recalculation, xlsx
from bythebook.deliverables.evidence.cache import Cache
from bythebook.deliverables.evidence.layout import laid_out
from bythebook.deliverables.evidence.model import (
    Cell,
    Content,
    Layout,
    Recalculation,
    Sheet,
    Workbook,
)
from bythebook.deliverables.evidence.office import XLSX, Engine, Failure
from bythebook.deliverables.evidence.preflight import survey
from bythebook.deliverables.evidence.view import View, content_key
from bythebook.deliverables.proof import barebook
from bythebook.deliverables.proof.court import takes
from bythebook.deliverables.proof.fingerprint import Fingerprints
from bythebook.deliverables.proof.nearby import Nearby, Rest
from bythebook.deliverables.proof.sample import UNASKED, Changes, Sample

TOGETHER = 32
"""Workbooks in one call of the engine: all are ours, so none is expected to hang."""


class Lab:
    """A place to work in. Without an engine samples are read and nothing is computed."""

    def __init__(self, work: Path, engine: Engine | None, cache: Cache | None = None) -> None:
        """`cache`: what earlier proofs found out; without one it is kept for this proof alone."""
        self.work, self.engine, self.cache = work, engine, cache or Cache(work / "cache")
        self._known: dict[str, Recalculation] = {}
        self._nearby: list[Nearby] = []
        self._views: dict[Path, View] = {}
        self.prints = Fingerprints()
        self._seen: xlsx.Seen = {}
        self._sheets: dict[str, list[tuple[Cell, ...]]] = {}
        """Cells of the sheets of each name in the workbooks that were learned."""
        self._books: dict[str, Workbook] = {}
        """Workbooks that were read here, by the SHA-256 of their file."""
        self._expected: dict[str, tuple[Path, Workbook]] = {}
        self._laid: dict[str, Layout] = {}
        self._folders = 0

    def folder(self, name: str) -> Path:
        """A new empty folder."""
        self._folders += 1
        made = self.work / f"{self._folders:04}-{name}"
        made.mkdir(parents=True)
        return made

    def view(self, folder: Path) -> View:
        """The evidence of a folder as a judge sees it, kept beside the work."""
        if folder not in self._views:
            keep = self.folder("evidence")
            self._read_books(folder)
            self._views[folder] = View.of_folder(
                folder, keep=keep, engine=self.engine, cache=self.cache
            )
        return self._views[folder]

    def read(self, folder: Path) -> Sample:
        """What stands in a folder; nothing is computed yet."""
        view = self.view(folder)
        contents: dict[str, Content] = {}
        for name, file in view.files.items():
            content = self._books.get(file.sha) or view.content(name)
            if content is not None:
                contents[name] = self._sharing(content)
        return Sample(files=dict(view.files), contents=contents)

    def _sharing(self, content: Content) -> Content:
        """A workbook with the very cells of sheets that are the same in one that was learned: what
        was found out about those is found by where they lie."""
        if not isinstance(content, Workbook):
            return content
        sheets = tuple(
            msgspec.structs.replace(sheet, cells=cells)
            for sheet in content.sheets
            for cells in [next((c for c in self._alike(sheet) if c == sheet.cells), sheet.cells)]
        )
        return msgspec.structs.replace(content, sheets=sheets)

    def _alike(self, sheet: Sheet) -> list[tuple[Cell, ...]]:
        return self._sheets.get(sheet.name, [])

    def _read_books(self, folder: Path) -> None:
        """Read what nobody read before: workbooks of ours share most of their sheets. What does
        not read here is left to a child, which says why."""
        for file in survey(folder)[0]:
            key = content_key(file)
            if file.kind == "xlsx" and file.status == "ok" and self.cache.get(*key) is None:
                with suppress(Exception):
                    book = xlsx.read(folder / file.name, self._seen)
                    self._books[file.sha] = book
                    self.cache.put(msgspec.json.encode(book), *key)

    # --- computing --------------------------------------------------------------------------

    def learn(self, sample: Sample) -> None:
        """From now on tell what workbooks compute to that are nearly those of this sample."""
        for name, book in sample.books.items():
            self._nearby.append(Nearby(book, sample.recalculated(name)))
            for sheet in book.sheets:
                self._sheets.setdefault(sheet.name, []).append(sheet.cells)

    def computed(self, samples: Mapping[Path, Sample]) -> dict[Path, Sample]:
        """The same samples, by their folders, with all workbooks computed anew."""
        wanted: dict[tuple[Path, str], str] = {}
        files: dict[str, tuple[Path, Workbook]] = {}
        for folder, sample in samples.items():
            for name, book in sample.books.items():
                print_ = wanted[folder, name] = self.prints.of(book)
                files[print_] = folder / name, book
        self._find(files)
        return {
            folder: replace(
                sample,
                computed={
                    name: self._known[wanted[folder, name]]
                    for name in sample.books
                    if wanted[folder, name] in self._known
                },
            )
            for folder, sample in samples.items()
        }

    def _find(self, files: Mapping[str, tuple[Path, Workbook]]) -> None:
        """Know what workbooks compute to, by fingerprint: recalled, told, or computed."""
        if self.engine is None:
            return
        jobs = []
        for print_, (path, book) in {**files, **self._expected}.items():
            if self._recall(print_):
                continue
            nothing = Recalculation(status="ok", engine=self.engine.version)
            rest = self._rest(path, book)
            if not any(cell.formula for sheet in book.sheets for cell in sheet.cells):
                self._keep(print_, nothing)
            elif rest is not None and rest.is_nothing:
                self._keep(print_, rest.completed(nothing))
            else:
                jobs.append(Job(print_, path, book, rest))
        if any(job.print in files for job in jobs):
            self._compute(jobs)

    def _rest(self, path: Path, book: Workbook) -> Rest | None:
        """What is left to compute of a workbook, where most of it is known from another."""
        if not self._nearby or not _computes_plainly(path):
            return None
        return next(filter(None, (near.rest(book) for near in self._nearby)), None)

    def expect(self, samples: Mapping[Path, Sample], asked: Iterable[tuple[str, Changes]]) -> None:
        """What `supposed` will be asked for soon: computed when something else has to be."""
        self._expected |= self._changed(self._after(samples, asked))

    def supposed(
        self, samples: Mapping[Path, Sample], asked: Iterable[tuple[str, Changes]]
    ) -> dict[Path, Sample]:
        """The same samples with what their workbooks come to after changes of input cells.

        `asked`: workbook, and the cells with their values. A workbook that lacks such a sheet is
        left as it is.
        """
        wanted = self._after(samples, asked)
        self._find(self._changed(wanted))
        return {
            folder: replace(
                sample,
                supposed={
                    (name, change): self._known[print_]
                    for (place, name, change), print_ in wanted.items()
                    if place == folder and print_ in self._known
                },
            )
            for folder, sample in samples.items()
        }

    def laid_out(self, samples: Mapping[Path, Sample], names: Iterable[str]) -> dict[Path, Sample]:
        """The same samples with the pages of these documents."""
        wanted = {
            (folder, name): sample.files[name].sha
            for folder, sample in samples.items()
            for name in names
            if name in sample.documents
        }
        paths = {sha: folder / name for (folder, name), sha in wanted.items()}
        self._lay(paths)
        return {
            folder: replace(
                sample,
                layouts={
                    name: self._laid[sha]
                    for (place, name), sha in wanted.items()
                    if place == folder and sha in self._laid
                },
            )
            for folder, sample in samples.items()
        }

    def _lay(self, paths: Mapping[str, Path]) -> None:
        """Know the pages of documents, by the SHA-256 of their bytes."""
        engine = self.engine
        if engine is None:
            return
        keys = {sha: ("layout", sha, engine.version, engine.fonts) for sha in paths}
        for sha in paths.keys() - self._laid.keys():
            kept = self.cache.get(*keys[sha])
            if kept is not None:
                self._laid[sha] = msgspec.json.decode(kept, type=Layout)
        missing = [sha for sha in paths if sha not in self._laid]
        for sha, found in zip(missing, laid_out([paths[s] for s in missing], engine), strict=True):
            self._laid[sha] = found
            if found.status == "ok":
                self.cache.put(msgspec.json.encode(found), *keys[sha])

    def _after(
        self, samples: Mapping[Path, Sample], asked: Iterable[tuple[str, Changes]]
    ) -> dict[tuple[Path, str, Changes], str]:
        """Folder, workbook and changes to the fingerprint of the changed workbook."""
        changes = tuple(asked)
        return {
            (folder, name, change): self.prints.of(sample.books[name], change)
            for folder, sample in samples.items()
            for name, change in changes
            if takes(sample.books.get(name), change)
        }

    def _changed(
        self, wanted: Mapping[tuple[Path, str, Changes], str]
    ) -> dict[str, tuple[Path, Workbook]]:
        """Those of which nothing is known yet, written."""
        files: dict[str, tuple[Path, Workbook]] = {}
        for (folder, name, change), print_ in wanted.items():
            if print_ in self._expected:
                files[print_] = self._expected[print_]
            elif print_ not in files and self.engine is not None and not self._recall(print_):
                path = self.folder("supposed") / name
                recalculation.change(folder / name, path, dict(change))
                files[print_] = path, xlsx.read(path, self._seen)
        return files

    def recalculated(self, paths: Sequence[Path]) -> tuple[Recalculation, ...]:
        """Files of which nothing is known yet. Raises nothing: without an engine it is said."""
        if self.engine is None:
            return tuple(UNASKED for _ in paths)
        books = [xlsx.read(path, self._seen) for path in paths]
        prints = [self.prints.of(book) for book in books]
        self._find({p: (path, b) for p, path, b in zip(prints, paths, books, strict=True)})
        return tuple(self._known[print_] for print_ in prints)

    def _compute(self, jobs: Sequence["Job"]) -> None:
        """Have files computed, many at a time. They are ours, so the engine's copies are read
        here and not in a child."""
        engine, again = self.engine, []
        for start in range(0, len(jobs) if engine is not None else 0, TOGETHER):
            assert engine is not None
            some = jobs[start : start + TOGETHER]
            with engine.converted([self._file(job) for job in some], XLSX) as copies:
                for job, copy in zip(some, copies, strict=True):
                    result = self._compared(copy, job, engine.version)
                    if job.rest is not None and (result.status != "ok" or result.says):
                        again.append(job._replace(rest=None))
                    else:
                        self._keep(job.print, result)
        if again:
            self._compute(again)

    def _file(self, job: "Job") -> Path:
        """What the engine is given."""
        if job.rest is None:
            return job.path
        path = self.folder("rest") / "rest.xlsx"
        barebook.write(job.rest.book, path)
        return path

    def _keep(self, print_: str, result: Recalculation) -> None:
        self._known[print_] = result
        if result.status == "ok":
            self.cache.put(msgspec.json.encode(result), *self._key(print_))

    def _recall(self, print_: str) -> bool:
        """Did this proof or an earlier one compute it?"""
        if print_ not in self._known and self.engine is not None:
            kept = self.cache.get(*self._key(print_))
            if kept is not None:
                self._known[print_] = msgspec.json.decode(kept, type=Recalculation)
        return print_ in self._known

    def _compared(self, copy: Path | Failure, job: "Job", engine: str) -> Recalculation:
        if isinstance(copy, Failure):
            return Recalculation(status=copy.status, says=copy.says, engine=engine)
        asked = job.book if job.rest is None else job.rest.book
        told = recalculation.told_by(xlsx.read(copy, self._seen, bare=True), asked)
        told = msgspec.structs.replace(told, engine=engine)
        return told if job.rest is None else job.rest.completed(told)

    def _key(self, print_: str) -> tuple[str, ...]:
        assert self.engine is not None
        return ("proof", code(), print_, self.engine.version)


class Job(NamedTuple):
    """A workbook to be computed."""

    print: str
    path: Path
    book: Workbook
    rest: Rest | None = None
    """What of it has to be; None: all."""


def _computes_plainly(path: Path) -> bool:
    """Does a workbook neither iterate nor compute with what is shown?"""
    try:
        with zipfile.ZipFile(path) as pack:
            main = pack.read("xl/workbook.xml")
    except (KeyError, OSError, zipfile.BadZipFile):
        return False
    return b"iterate=" not in main and b"fullPrecision=" not in main


@lru_cache(maxsize=1)
def code() -> str:
    """SHA-256 over the code that edits and computes: what other code told is not asked for."""
    folders = (Path(__file__).parents[1] / name for name in ("faults", "proof"))
    sources = [path for folder in folders for path in sorted(folder.glob("*.py"))]
    return hashlib.sha256(b"\0".join(source.read_bytes() for source in sources)).hexdigest()
