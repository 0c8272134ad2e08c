"""Folders made into samples: read, and their workbooks computed many at a time.

Starting LibreOffice costs more than most workbooks, so files are computed in groups; and what two
workbooks compute to is the same when their cells, formulas and names are, so each such content is
computed once, however its sheets are coloured, moved or charted. What follows from a workbook that
is known is not computed at all (`nearby`).
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from bythebook.deliverables.evidence import recalculation, xlsx
from bythebook.deliverables.evidence.cache import Cache
from bythebook.deliverables.evidence.model import Recalculation, Workbook
from bythebook.deliverables.evidence.office import XLSX, Engine, Failure
from bythebook.deliverables.evidence.view import View
from bythebook.deliverables.proof.court import takes
from bythebook.deliverables.proof.nearby import Nearby
from bythebook.deliverables.proof.sample import UNASKED, Changes, Sample

TOGETHER = 24
"""Workbooks in one call of the engine: all are ours, so none is expected to hang."""


class Lab:
    """A place to work in. Without an engine samples are read and nothing is computed."""

    def __init__(self, work: Path, engine: Engine | None, cache: Cache | None = None) -> None:
        self.work, self.engine, self.cache = work, engine, cache
        self._known: dict[str, Recalculation] = {}
        self._nearby: list[Nearby] = []
        self._views: dict[Path, View] = {}
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
            self._views[folder] = View.of_folder(
                folder, keep=keep, engine=self.engine, cache=self.cache
            )
        return self._views[folder]

    def read(self, folder: Path) -> Sample:
        """What stands in a folder; nothing is computed yet."""
        view = self.view(folder)
        contents = {name: view.content(name) for name in view.files}
        return Sample(
            files=dict(view.files),
            contents={name: content for name, content in contents.items() if content is not None},
        )

    # --- computing --------------------------------------------------------------------------

    def know(self, book: Workbook, found: Recalculation) -> None:
        """What a workbook computes to, where that is known already."""
        self._known[fingerprint(book)] = found

    def learn(self, sample: Sample) -> None:
        """From now on tell what workbooks compute to that are nearly those of this sample."""
        for name, book in sample.books.items():
            self._nearby.append(Nearby(book, sample.recalculated(name)))

    def computed(self, samples: Mapping[Path, Sample]) -> dict[Path, Sample]:
        """The same samples, by their folders, with all workbooks computed anew."""
        wanted: dict[tuple[Path, str], str] = {}
        paths: dict[str, Path] = {}
        books: dict[str, Workbook] = {}
        for folder, sample in samples.items():
            for name, book in sample.books.items():
                print_ = wanted[folder, name] = fingerprint(book)
                paths[print_], books[print_] = folder / name, book
        missing = self._missing(paths)
        for print_ in list(missing):
            told = self._told(books[print_])
            if told is not None:
                self._known[print_] = told
                del missing[print_]
        self._compute({print_: (path, books[print_]) for print_, path in missing.items()})
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

    def _told(self, book: Workbook) -> Recalculation | None:
        """What needs no engine to be known."""
        if self.engine is None:
            return None
        if not any(cell.formula for sheet in book.sheets for cell in sheet.cells):
            return Recalculation(status="ok", engine=self.engine.version)
        return next(filter(None, (near.tell(book) for near in self._nearby)), None)

    def supposed(
        self, samples: Mapping[Path, Sample], asked: Iterable[tuple[str, Changes]]
    ) -> dict[Path, Sample]:
        """The same samples with what their workbooks come to after changes of input cells.

        `asked`: workbook, and the cells with their values. A workbook that lacks such a sheet is
        left as it is.
        """
        changes = tuple(asked)
        wanted: dict[tuple[Path, str, Changes], str] = {}
        for folder, sample in samples.items():
            for name, change in changes:
                if takes(sample.books.get(name), change):
                    print_ = fingerprint(sample.books[name], change)
                    wanted[folder, name, change] = print_
        paths: dict[str, Path] = {}
        for (folder, name, change), print_ in wanted.items():
            if print_ not in self._known and print_ not in paths and self.engine is not None:
                paths[print_] = self.folder("supposed") / name
                recalculation.change(folder / name, paths[print_], dict(change))
        missing = self._missing(paths).items()
        self._compute({print_: (path, xlsx.read(path)) for print_, path in missing})
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

    def recalculated(self, paths: Sequence[Path]) -> tuple[Recalculation, ...]:
        """Files of which nothing is known yet. Raises nothing: without an engine it is said."""
        if self.engine is None:
            return tuple(UNASKED for _ in paths)
        prints = [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
        missing = self._missing(dict(zip(prints, paths, strict=True))).items()
        self._compute({print_: (path, xlsx.read(path)) for print_, path in missing})
        return tuple(self._known[print_] for print_ in prints)

    def _missing(self, paths: Mapping[str, Path]) -> dict[str, Path]:
        """What neither this proof nor an earlier one computed."""
        found = {}
        for print_, path in paths.items():
            if print_ not in self._known and not self._recall(print_):
                found[print_] = path
        return found

    def _compute(self, files: Mapping[str, tuple[Path, Workbook]]) -> None:
        """Have files computed, many at a time. They are ours, so the engine's copies are read
        here and not in a child."""
        engine, waiting = self.engine, list(files.items())
        if engine is None:
            return
        for start in range(0, len(waiting), TOGETHER):
            some = waiting[start : start + TOGETHER]
            with engine.converted([path for _, (path, _) in some], XLSX) as copies:
                for (print_, (_, book)), copy in zip(some, copies, strict=True):
                    self._keep(print_, _compared(copy, book, engine.version))

    def _keep(self, print_: str, result: Recalculation) -> None:
        self._known[print_] = result
        if self.cache is not None and result.status == "ok":
            self.cache.put(msgspec.json.encode(result), *self._key(print_))

    def _recall(self, print_: str) -> bool:
        kept = (
            None
            if self.cache is None or self.engine is None
            else self.cache.get(*self._key(print_))
        )
        if kept is not None:
            self._known[print_] = msgspec.json.decode(kept, type=Recalculation)
        return kept is not None

    def _key(self, print_: str) -> tuple[str, ...]:
        assert self.engine is not None
        return ("proof", print_, self.engine.version)


def _compared(copy: Path | Failure, book: Workbook, engine: str) -> Recalculation:
    if isinstance(copy, Failure):
        return Recalculation(status=copy.status, says=copy.says, engine=engine)
    told = recalculation.told_by(xlsx.read(copy), book)
    return msgspec.structs.replace(told, engine=engine)


def fingerprint(book: Workbook, changes: Changes = ()) -> str:
    """SHA-256 over all that a workbook's computed values follow from."""
    sheets = [
        [
            sheet.name,
            sheet.hidden_rows,
            sheet.filters,
            sheet.tables,
            [
                (cell.row, cell.column, f"={cell.formula}" if cell.formula else cell.value)
                for cell in sheet.cells
            ],
        ]
        for sheet in book.sheets
    ]
    told = [sheets, book.names, book.local_names, book.date1904, book.external_links, changes]
    return hashlib.sha256(msgspec.json.encode(told)).hexdigest()
