"""Faults carried out: the edits of one fault on a copy of its reference, one after the other.

Only `recalculate` needs LibreOffice. `carried` hands it out, so that whoever proves many faults can
have many files computed at once.
"""

import shutil
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

from bythebook.deliverables.evidence.model import Recalculation
from bythebook.deliverables.faults import cells, drawn, prose, sheets, wholes
from bythebook.deliverables.faults import edits as e
from bythebook.deliverables.faults.book import Book
from bythebook.deliverables.faults.cells import Change
from bythebook.deliverables.faults.done import Done, done
from bythebook.deliverables.faults.faultfile import Fault
from bythebook.deliverables.task import DeliverableTask
from bythebook.errors import BythebookError, ContentError

Step = Generator[Path, Recalculation, tuple[Done, ...]]
"""Yields a workbook to be computed, is sent what came of it; returns what was done."""


class Computes(Protocol):
    """Whatever computes a workbook's formulas; see `evidence.office.Engine`."""

    def recalculate(self, path: Path) -> Recalculation: ...


class NoEngine(BythebookError):
    """An edit needs LibreOffice, which is not here or did not compute."""


def placed(task: DeliverableTask, fault: Fault, folder: Path, engine: Computes | None) -> None:
    """Put the faulty deliverables into an empty or missing folder."""
    carry(carried(task, fault, folder), engine)


def carry(step: Step, engine: Computes | None) -> tuple[Done, ...]:
    """Carry a fault out, every workbook computed at once."""
    try:
        path = next(step)
        while True:
            if engine is None:
                hint = "on Debian: apt-get install libreoffice-calc"
                raise NoEngine("`recalculate` needs LibreOffice", where=path.name, hint=hint)
            path = step.send(engine.recalculate(path))
    except StopIteration as stop:
        made: tuple[Done, ...] = stop.value
        return made


def carried(task: DeliverableTask, fault: Fault, folder: Path) -> Step:
    """One fault, edit by edit. Raises `ContentError` that names fault and edit."""
    source = task.folder / fault.on
    if not source.is_dir():
        place = fault.place or f"fault {fault.name}"
        raise ContentError(f"there is no {fault.on}/ to edit", where=place)
    shutil.copytree(source, folder, dirs_exist_ok=True)
    desk, made = Desk(), []
    for number, edit in enumerate(fault.edits, 1):
        try:
            if isinstance(edit, e.Recalculate):
                path = folder / edit.file
                made.append((yield from _recalculated(desk, path, edit, fault.errors)))
            else:
                made.append(_edited(desk, folder, edit))
        except ContentError as error:
            place = fault.place or f"fault {fault.name}"
            where = f"{place}, edit {number}" + (f": {error.where}" if error.where else "")
            raise ContentError(error.what, where=where, hint=error.hint) from None
    desk.clear()
    return tuple(made)


class Desk:
    """The file that is being edited: edits that follow each other open and write it once."""

    def __init__(self) -> None:
        self._open: Callable[[Path], Any] | None = None
        self._path = Path()
        self._file: Any = None

    def file(self, path: Path, open_: Callable[[Path], Any]) -> Any:
        if self._file is None or (self._path, self._open) != (path, open_):
            self.clear()
            self._path, self._open, self._file = path, open_, open_(path)
            self._file.compression = FAST
        return self._file

    def clear(self) -> None:
        """Write what was changed; many faults wait at a time, so nothing is kept."""
        if self._file is not None:
            self._file.save()
        self._file = None


def _recalculated(
    desk: Desk, path: Path, edit: e.Recalculate, errors: bool
) -> Generator[Path, Recalculation, Done]:
    desk.clear()
    found = yield path
    if found.status != "ok":
        raise NoEngine(f"it was not recalculated: {found.says}", where=path.name)
    return done(edit, path, cells.fill(desk.file(path, Book), found, errors=errors))


def _edited(desk: Desk, folder: Path, edit: e.Edit) -> Done:
    path = folder / edit.file
    kind = type(edit)
    if kind in WHOLE:
        desk.clear()
        return done(edit, path, WHOLE[kind](path, edit))
    if not path.is_file():
        raise ContentError("there is no such file any more", where=edit.file)
    open_, table = next((open_, table) for open_, table in TABLES if kind in table)
    return done(edit, path, table[kind](desk.file(path, open_), edit))


FAST = 1
"""Compression: a proof writes hundreds of files, and nobody keeps them."""
Carried = Callable[[Any, Any], Iterator[Change]]

BOOK: dict[type[e.Edit], Carried] = {
    e.SetCell: cells.set_cell,
    e.SwapCells: cells.swap_cells,
    e.SwapColumns: cells.swap_columns,
    e.SetFormula: cells.set_formula,
    e.FormulaReplace: cells.formula_replace,
    e.StripCaches: cells.strip_caches,
    e.PasteValues: cells.paste_values,
    e.TextNumbers: cells.text_numbers,
    e.NumberFormat: cells.number_format,
    e.SortRows: sheets.sort_rows,
    e.DropRows: sheets.drop_rows,
    e.SetName: sheets.set_name,
    e.RenameSheet: sheets.rename_sheet,
    e.MoveSheet: sheets.move_sheet,
    e.DropSheet: sheets.drop_sheet,
    e.Hide: sheets.hide,
    e.Unfreeze: sheets.unfreeze,
    e.DropFilter: sheets.drop_filter,
    e.DropFormat: sheets.drop_format,
    e.DropValidation: sheets.drop_validation,
    e.DropPrintArea: sheets.drop_print_area,
    e.ChartToPicture: drawn.chart_to_picture,
    e.DropChart: drawn.drop_chart,
    e.ChartRange: drawn.chart_range,
    e.ChartTitle: drawn.chart_title,
}
PROSE: dict[type[e.Edit], Carried] = {
    e.DropParagraph: prose.drop_paragraph,
    e.DropSection: prose.drop_section,
    e.ReplaceText: prose.replace_text,
    e.ScaleFigure: prose.scale_figure,
    e.AddText: prose.add_text,
}
DOCUMENTS: dict[type[e.Edit], Carried] = {e.BreakPages: prose.break_pages}
SLIDES: dict[type[e.Edit], Carried] = {
    e.DropSlide: prose.drop_slide,
    e.HideSlide: prose.hide_slide,
}
WHOLE: dict[type[e.Edit], Carried] = {
    e.DropFile: wholes.drop_file,
    e.RenameFile: wholes.rename_file,
    e.WrongType: wholes.wrong_type,
    e.Truncate: wholes.truncate,
    e.AddFile: wholes.add_file,
}
TABLES: tuple[tuple[Callable[[Path], Any], dict[type[e.Edit], Carried]], ...] = (
    (Book, BOOK),
    (prose.opened, PROSE),
    (prose.Document, DOCUMENTS),
    (prose.Deck, SLIDES),
)


def known() -> Iterable[type[e.Edit]]:
    """Every edit that can be carried out."""
    return (*BOOK, *PROSE, *DOCUMENTS, *SLIDES, *WHOLE, e.Recalculate)
