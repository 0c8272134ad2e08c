"""Builds the site: `report DIR... --to SITE`."""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

import msgspec

from bythebook.deliverables.evidence.view import View
from bythebook.deliverables.judge.journal import read_judgements
from bythebook.errors import BythebookError, TraceError, UsageError
from bythebook.report.data import Evaluation, Evaluations
from bythebook.report.figure import Figure
from bythebook.report.figures.drawing import STYLE, style
from bythebook.report.site.chosen import Kept, Replay, by_task
from bythebook.report.site.chunk import Chunks
from bythebook.report.site.conduct import Casebook
from bythebook.report.site.handed import HandedRun, Portfolio
from bythebook.report.site.judges import judge_page
from bythebook.report.site.overview import (
    Says,
    Site,
    TaskTold,
    evaluations_told,
    figures_told,
    runs_told,
    suites_told,
)
from bythebook.report.site.pictures import Picture, draw
from bythebook.report.site.tasks import Shelves, TaskChunk, TaskFolder
from bythebook.report.table import Table
from bythebook.run.deliver import EVIDENCE, Reader
from bythebook.run.durable import on_disk
from bythebook.run.summary import RunLine
from bythebook.trace import Trace
from bythebook.verdict import Verdict

PAGE, PARTS = "index.html", ("assets", "data", "images")
MARK = 'name="bythebook-site"'
"""Stands in the page of every site: only such a folder is written over."""
ASSETS = "bythebook.report.site"
UNFINISHED = f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta {MARK} content="unfinished"><title>bythebook</title></head>
<body><p>This site is being written, or was stopped before it was whole.
The same command writes it anew.</p></body>
</html>
"""
"""Stands in place of the page until all it needs is there."""
NOBODY = Reader()
LONG = 300
"""Rows of a table that is loaded only when somebody opens it."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What is wanted of a site."""

    title: str = "bythebook"
    replay: Replay = "some"
    images: bool = False
    """Whether pages of handed-over files are drawn."""
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()


PLAIN = Asked()


class Built(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it."""

    page: str
    """To be opened."""
    evaluations: int
    runs: int
    replays: int
    bytes: int
    notes: tuple[str, ...]


def build_site(
    evaluations: Evaluations, to: Path, asked: Asked = PLAIN, reader: Reader = NOBODY
) -> Built:
    """Write the site. Raises `UsageError` where `to` is a folder that holds something else.

    `reader`: what draws pages, where images are asked for.
    """
    _cleared(to)
    work = _Work(evaluations, to, asked, reader)
    work.replays()
    site = work.site()
    work.chunks.put("site", site)
    work.chunks.put("judge", judge_page(evaluations.every))
    _copy_assets(to)
    return Built(
        page=str(to / PAGE),
        evaluations=len(site.evaluations),
        runs=len(site.runs),
        replays=len(work.replayed),
        bytes=sum(path.stat().st_size for path in to.rglob("*") if path.is_file()),
        notes=site.notes,
    )


@dataclass(frozen=True)
class _Case:
    """One run that is kept whole."""

    evaluation: Evaluation
    run: RunLine
    trace: Trace
    verdict: Verdict

    @property
    def scene(self) -> Path:
        return self.evaluation.folder.scenes / f"{self.trace.header.scene}.json"


@dataclass
class _Work:
    evaluations: Evaluations
    to: Path
    asked: Asked
    reader: Reader
    tasks: dict[tuple[str, str], int] = field(default_factory=dict)
    """Suite and task to its place in the list, which is the number of its chunk."""
    folders: list[TaskFolder] = field(default_factory=list)
    replayed: dict[tuple[str, str, int], int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    sentences: dict[tuple[str, str], dict[str, Says]] = field(default_factory=dict)
    """Of each task: rule or item to what it asks."""

    def __post_init__(self) -> None:
        self.chunks = Chunks(self.to / "data")
        self.shelves = Shelves(self.evaluations.content)

    def replays(self) -> None:
        """Every task's chunk, and the chunks of its kept runs."""
        kept = by_task(self.evaluations.every, self.asked.replay)
        for suite, task in sorted(
            {(one.suite, run.task) for one in self.evaluations.every for run in one.runs}
        ):
            self._task(suite, task, kept.get((suite, task), []))

    def site(self) -> Site:
        every = self.evaluations.every
        tasks = tuple(
            TaskTold(
                suite=suite,
                id=task,
                title=self.folders[place].title,
                domain=self.folders[place].domain,
                tags=self.folders[place].tags,
                chunk=place,
                rules=self._broken(suite, task),
            )
            for (suite, task), place in self.tasks.items()
        )
        tables, long_tables = self._tables()
        return Site(
            title=self.asked.title,
            replay=self.asked.replay,
            images=self.asked.images,
            suites=suites_told(self.evaluations),
            evaluations=evaluations_told(every),
            tasks=tasks,
            runs=tuple(runs_told(every, self.tasks, self.replayed)),
            tables=tables,
            long_tables=long_tables,
            figures=figures_told(self.asked.figures),
            notes=tuple(dict.fromkeys((*self.shelves.problems, *self.notes))),
        )

    def _tables(self) -> tuple[tuple[Table, ...], dict[str, tuple[int, int]]]:
        """The tables, long ones without their rows, and where those are."""
        told: list[Table] = []
        places: dict[str, tuple[int, int]] = {}
        for table in self.asked.tables:
            if len(table.rows) > LONG:
                places[table.id] = number, _ = len(places), len(table.rows)
                self.chunks.put(f"table/{number}", table.rows)
                table = msgspec.structs.replace(table, rows=())
            told.append(table)
        return tuple(told), places

    def _broken(self, suite: str, task: str) -> dict[str, Says]:
        """The sentences of the rules of a task that some run broke."""
        every = self.evaluations.of(suite)
        names = {
            name for one in every for run in one.runs if run.task == task for name in run.broken
        }
        told = self.sentences.get((suite, task), {})
        return {name: told[name] for name in sorted(names & told.keys())}

    # --- one task -----------------------------------------------------------------------------

    def _task(self, suite: str, task: str, kept: Sequence[Kept]) -> None:
        """Its chunk, and those of its replays. All runs are read before the first one is told."""
        folder = self.shelves.folder(suite, task)
        self.tasks[suite, task] = number = len(self.folders)
        self.folders.append(folder)
        required = _required(task, folder, kept)
        book = Casebook(self.shelves.shelf(required)) if suite == "conduct" else Portfolio()
        cases = [_Case(*found) for found in self._read(kept)]
        for case in cases:
            book.meet(case.trace)
        for case in cases:
            self._keep(case, book)
        chunk = TaskChunk(
            suite=suite,
            id=task,
            folder=folder,
            editions=tuple(book.editions),
            pool=book.pool.values,
        )
        self.chunks.put(f"task/{number}", chunk)
        self.sentences[suite, task] = book.sentences

    def _read(self, kept: Sequence[Kept]) -> Iterator[tuple[Evaluation, RunLine, Trace, Verdict]]:
        for evaluation, run in kept:
            try:
                yield evaluation, run, evaluation.trace(run), evaluation.verdict(run)
            except BythebookError as error:
                self._note(evaluation, run, error)

    def _keep(self, case: _Case, book: Casebook | Portfolio) -> None:
        """Write a replay; a run that cannot be told is named and left out."""
        try:
            replay = self._told(case, book)
        except (TraceError, UsageError) as error:
            self._note(case.evaluation, case.run, error)
            return
        number = len(self.replayed)
        self.chunks.put(f"run/{number}", replay)
        self.replayed[case.evaluation.label, case.run.task, case.run.run] = number

    def _told(self, case: _Case, book: Casebook | Portfolio) -> object:
        if isinstance(book, Casebook):
            return book.replay(case.trace, case.scene, case.verdict)
        place = case.evaluation.place(case.run)
        view = None
        pictures: dict[str, tuple[tuple[Picture, ...], str]] = {}
        if self.asked.images:
            view = self.reader.results(place, case.trace)
            number = len(self.replayed)
            pictures = draw(view, self.to / "images" / str(number), f"images/{number}")
        elif (place.evidence / EVIDENCE).exists():
            view = View.kept(place.evidence)
        return book.replay(
            HandedRun(
                trace=case.trace,
                scene=case.scene,
                verdict=case.verdict,
                view=view,
                judgements=read_judgements(place.judgements),
                pictures=pictures,
            )
        )

    def _note(self, evaluation: Evaluation, run: RunLine, error: BythebookError) -> None:
        said = " ".join(str(error).split())
        self.notes.append(f"{evaluation.label}, {run.task} {run.run} is not replayed: {said}")


def _required(task: str, folder: TaskFolder, kept: Sequence[Kept]) -> tuple[str, ...]:
    """The documents a task needs, as its runs were planned or as its folder says."""
    for evaluation, _ in kept:
        planned = evaluation.planned.get(task)
        if planned is not None and planned.documents:
            return planned.documents
    return folder.required


# --- files --------------------------------------------------------------------------------------


def _cleared(to: Path) -> None:
    """An empty folder, or one whose old site is taken out, but for a page that says so."""
    page = to / PAGE
    if to.exists() and not to.is_dir():
        raise UsageError("is a file", where=to, hint="--to takes a folder for the site")
    ours = page.is_file() and MARK in page.read_text("utf-8", "replace")
    if to.is_dir() and any(to.iterdir()) and not ours:
        hint = "name a new folder with --to, or an empty one"
        raise UsageError("this folder holds something else than a site", where=to, hint=hint)
    with on_disk(to):
        to.mkdir(parents=True, exist_ok=True)
        page.write_text(UNFINISHED, "utf-8")
        for part in PARTS:
            if (to / part).is_dir():
                shutil.rmtree(to / part)


def _copy_assets(to: Path) -> None:
    """The page comes last: where it opens, everything before it is there."""
    assets = files(ASSETS) / "assets"
    with on_disk(to):
        (to / "assets").mkdir(exist_ok=True)
        for one in sorted(assets.iterdir(), key=lambda path: path.name):
            if one.name != PAGE and one.is_file():
                (to / "assets" / one.name).write_bytes(one.read_bytes())
        (to / "assets" / STYLE).write_text(style(), "utf-8")
        (to / PAGE).write_bytes((assets / PAGE).read_bytes())
