"""Folders made into samples: read, and their workbooks computed many at a time.

Starting LibreOffice costs more than most workbooks, so files are computed in groups; and what two
workbooks compute to is the same when their cells, formulas and names are, so each such content is
computed once, however its sheets are coloured, moved or charted. What follows from a workbook that
is known is not computed at all (`nearby`).
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import msgspec

from bythebook.deliverables.evidence import recalculation, xlsx
from bythebook.deliverables.evidence.cache import Cache
from bythebook.deliverables.evidence.model import (
    Cell,
    Content,
    Recalculation,
    Sheet,
    Workbook,
)
from bythebook.deliverables.evidence.office import XLSX, Engine, Failure
from bythebook.deliverables.evidence.preflight import survey
from bythebook.deliverables.evidence.view import View, content_key
from bythebook.deliverables.proof.court import takes
from bythebook.deliverables.proof.fingerprint import Fingerprints
from bythebook.deliverables.proof.nearby import Nearby
from bythebook.deliverables.proof.sample import UNASKED, Changes, Sample

TOGETHER = 24
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
        found: dict[str, tuple[Path, Workbook]] = {}
        for folder, sample in samples.items():
            for name, book in sample.books.items():
                print_ = wanted[folder, name] = self.prints.of(book)
                found[print_] = folder / name, book
        self._find(found)
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
        missing = {p: file for p, file in files.items() if not self._recall(p)}
        for print_, (_, book) in list(missing.items()):
            told = self._told(book)
            if told is not None:
                self._known[print_] = told
                del missing[print_]
        self._compute(missing)

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
                    print_ = self.prints.of(sample.books[name], change)
                    wanted[folder, name, change] = print_
        missing: dict[str, tuple[Path, Workbook]] = {}
        for (folder, name, change), print_ in wanted.items():
            if print_ not in missing and not self._recall(print_) and self.engine is not None:
                path = self.folder("supposed") / name
                recalculation.change(folder / name, path, dict(change))
                missing[print_] = path, xlsx.read(path, self._seen)
        self._compute(missing)
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
        books = [xlsx.read(path, self._seen) for path in paths]
        prints = [self.prints.of(book) for book in books]
        self._find({p: (path, b) for p, path, b in zip(prints, paths, books, strict=True)})
        return tuple(self._known[print_] for print_ in prints)

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
                    self._keep(print_, self._compared(copy, book, engine.version))

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

    def _compared(self, copy: Path | Failure, book: Workbook, engine: str) -> Recalculation:
        if isinstance(copy, Failure):
            return Recalculation(status=copy.status, says=copy.says, engine=engine)
        told = recalculation.told_by(xlsx.read(copy, self._seen), book)
        return msgspec.structs.replace(told, engine=engine)

    def _key(self, print_: str) -> tuple[str, ...]:
        assert self.engine is not None
        return ("proof", print_, self.engine.version)
