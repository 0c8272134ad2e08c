"""What a workbook's computed values follow from, as a digest: the same digest, the same values."""

import hashlib

import msgspec

from bythebook.deliverables.evidence.model import Cell, Workbook
from bythebook.deliverables.proof.sample import Changes


class Fingerprints:
    """Workbooks that share sheets have those digested once."""

    def __init__(self) -> None:
        self._cells: dict[int, tuple[tuple[Cell, ...], str]] = {}
        """By their place in memory; kept, so that nothing else comes to stand there."""

    def of(self, book: Workbook, changes: Changes = ()) -> str:
        """SHA-256 over cells, formulas, names and what else counts; `changes` of input cells."""
        sheets = [
            [sheet.name, sheet.hidden_rows, sheet.filters, sheet.tables, self._of(sheet.cells)]
            for sheet in book.sheets
        ]
        told = [sheets, book.names, book.local_names, book.date1904, book.external_links, changes]
        return hashlib.sha256(msgspec.json.encode(told)).hexdigest()

    def _of(self, cells: tuple[Cell, ...]) -> str:
        if id(cells) not in self._cells:
            told = [(c.row, c.column, f"={c.formula}" if c.formula else c.value) for c in cells]
            self._cells[id(cells)] = cells, hashlib.sha256(msgspec.json.encode(told)).hexdigest()
        return self._cells[id(cells)][1]


def fingerprint(book: Workbook, changes: Changes = ()) -> str:
    """Of one workbook alone."""
    return Fingerprints().of(book, changes)
