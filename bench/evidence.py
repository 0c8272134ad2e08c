"""What is read of handed-over files: beside one plain call of LibreOffice, and beside markitdown.

All on the same files in one run, wall clock. LibreOffice is called once for all of them, as anybody
would; markitdown turns each into Markdown in this process. Neither gives what a view holds
(formulas, cached values, states, places), so this compares cost alone.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median

import xlsxwriter

from bench.clock import seconds
from bench.ours import Figure
from bench.tokens import uncached
from bythebook.deliverables.evidence.cache import Cache
from bythebook.deliverables.evidence.office import PROGRAMS, Engine, find_engine
from bythebook.deliverables.evidence.view import View, recalculate_together
from bythebook.deliverables.task import DeliverableTask, load_task, load_tasks
from bythebook.task import Content

TASK = "biz-01"
OFFICE = (".xlsx", ".docx", ".pptx")
ROWS, COLUMNS = 1_000, 10
"""Formulas of the workbook: ten thousand."""
RUNS = 3


def figures(*, peers: bool) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        place = Path(folder)
        task = load_task(Content(), TASK)
        count = laid(task, place / "task")
        yield from _of(f"{count} files of {TASK}", place / "task", peers=peers)
        formulas(place / "book")
        yield from _of("a workbook of 10,000 formulas", place / "book", peers=peers)
        yield from _judging(place / "judged")


def _judging(place: Path) -> Iterator[Figure]:
    first: list[float] = []
    whole: list[float] = []
    tasks = load_tasks(Content(), ())
    for task in tasks:
        asked, read = uncached(task, place / task.id)
        first, whole = [*first, *asked], [*whole, *read]
    what = (
        f"judge, {len(first)} items of {len(tasks)} tasks, tokens behind what a run's items share"
    )
    yield Figure(f"{what}: the question, median", median(first), 300, "tokens")
    yield Figure(f"{what}: the question, longest", max(first), 500, "tokens")
    yield Figure(f"{what}: after a document was read, median", median(whole), 4_000, "tokens")


def laid(task: DeliverableTask, place: Path) -> int:
    """Inputs and reference of a task side by side; how many files that is."""
    shutil.copytree(task.inputs, place / "inputs")
    shutil.copytree(task.reference, place / "reference")
    return sum(path.is_file() for path in place.rglob("*"))


def formulas(place: Path) -> None:
    """One workbook, its values cached."""
    place.mkdir()
    with xlsxwriter.Workbook(str(place / "formulas.xlsx")) as book:
        sheet = book.add_worksheet("Data")
        for row in range(ROWS):
            sheet.write_number(row, 0, row)
            for column in range(1, COLUMNS + 1):
                left = xlsxwriter.utility.xl_rowcol_to_cell(row, column - 1)
                sheet.write_formula(row, column, f"={left}*2+1", None, _doubled(row, column))


def _doubled(value: int, times: int) -> int:
    for _ in range(times):
        value = value * 2 + 1
    return value


def _of(what: str, folder: Path, *, peers: bool) -> Iterator[Figure]:
    engine = find_engine()
    with tempfile.TemporaryDirectory(prefix="bench-") as aside:
        keep, cache = Path(aside) / "keep", Cache(Path(aside) / "cache")
        cold = _wall(lambda: View.of_folder(folder, keep=keep))
        warm = _wall(lambda: View.of_folder(folder, keep=keep, cache=cache))
        yield Figure(f"evidence of {what}, read anew", cold, 10, "s")
        yield Figure(f"evidence of {what}, known before", warm * 1000, 250, "ms")
        if engine is not None and peers:
            anew = _wall(partial(_recalculated, folder, keep, engine))
            plain = _wall(partial(_soffice, folder, Path(aside)))
            said = f"one plain soffice call on {what} takes {plain:,.1f} s: times ours"
            yield Figure(f"{said}, read anew", plain / cold, 1, "x", "more")
            yield Figure(f"{said}, known before", plain / warm, 20, "x", "more")
            yield Figure(f"{said}, read anew and recalculated", plain / anew, 0.3, "x", "more")
        if peers and find_spec("markitdown"):
            theirs = _wall(partial(_markitdown, folder))
            said = f"markitdown on {what} takes {theirs:,.2f} s: times ours"
            yield Figure(f"{said}, read anew", theirs / cold, 1, "x", "more")
            yield Figure(f"{said}, known before", theirs / warm, 10, "x", "more")


def _wall(work: Callable[[], object]) -> float:
    return seconds(work, runs=RUNS, wall=True)


def _recalculated(folder: Path, keep: Path, engine: Engine) -> None:
    view = View.of_folder(folder, keep=keep, engine=engine)
    recalculate_together([view], engine)
    books = [name for name, file in view.files.items() if file.kind == "xlsx"]
    assert all(view.recalculated(name).status == "ok" for name in books), books


def _soffice(folder: Path, aside: Path) -> None:
    """Everything that has pages becomes a PDF; its profile is there from the call before."""
    program = next(found for name in PROGRAMS if (found := shutil.which(name)))
    files = [str(path) for path in sorted(folder.rglob("*")) if path.suffix in OFFICE]
    command = [program, f"-env:UserInstallation={(aside / 'profile').as_uri()}", "--headless"]
    command += ["--convert-to", "pdf", "--outdir", str(aside / "out"), *files]
    subprocess.run(command, check=True, capture_output=True, timeout=600)


def _markitdown(folder: Path) -> None:
    from markitdown import MarkItDown

    converter = MarkItDown(enable_plugins=False)
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            converter.convert(path)
