"""Readable values for a workbook written by openpyxl: LibreOffice computes, our file keeps them.

LibreOffice never writes a reference: saving through it would rewrite number formats and lose
freeze panes (measured with 7.4.7). Only its values are taken.
"""

from functools import lru_cache
from pathlib import Path

from authoring.parts.pack import pack
from bythebook.deliverables.evidence import xlsx
from bythebook.deliverables.evidence.formulas import column_letters
from bythebook.deliverables.evidence.model import Recalculation, Scalar
from bythebook.deliverables.evidence.office import Engine, find_engine
from bythebook.deliverables.faults.book import Book
from bythebook.deliverables.faults.cells import fill
from bythebook.errors import BythebookError


class NoOffice(BythebookError):
    """LibreOffice is not here, or did not compute."""


@lru_cache
def office() -> Engine | None:
    """LibreOffice, if it is here."""
    return find_engine()


def computed(path: Path) -> Recalculation:
    """All formulas of a workbook as LibreOffice computes them anew. Raises `NoOffice`."""
    engine = office()
    if engine is None:
        hint = "on Debian: apt-get install libreoffice-calc"
        raise NoOffice("LibreOffice is not installed", where=path, hint=hint)
    found = engine.recalculate(path)
    if found.status != "ok":
        raise NoOffice(f"LibreOffice did not compute it: {found.says}", where=path)
    return found


def fill_caches(path: Path) -> None:
    """Put computed values into every formula cell of our own file, in place, and `pack` it.

    Raises `ContentError` over an error value, which no reference has.
    """
    book = Book(path)
    for _ in fill(book, computed(path)):
        pass
    book.save()
    pack(path)


def stale(path: Path) -> list[str]:
    """Formula cells whose cached value is not what LibreOffice computes, a line each."""
    anew = computed(path).values
    odd = []
    for sheet in xlsx.read(path).sheets:
        for cell in (cell for cell in sheet.cells if cell.formula):
            at = f"{column_letters(cell.column)}{cell.row}"
            if not _same(cell.value, anew.get(sheet.name, {}).get(at)):
                odd.append(f"{sheet.name}!{at}: {cell.value!r}, computed {anew[sheet.name][at]!r}")
    return odd


def _same(cached: Scalar, anew: Scalar) -> bool:
    if isinstance(cached, int | float) and isinstance(anew, int | float):
        return abs(cached - anew) < 1e-6
    return cached == anew
