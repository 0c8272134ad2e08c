"""What a check is asked about: the evidence, and what the rubric's names mean."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from bythebook.deliverables.checks.answer import Evidence
from bythebook.deliverables.checks.dates import Locale
from bythebook.deliverables.checks.deciding import fail
from bythebook.deliverables.checks.fields import Field
from bythebook.deliverables.checks.grid import Book, Grid
from bythebook.deliverables.checks.places import Spot, encoded
from bythebook.deliverables.checks.uses import FileUse, resolve
from bythebook.deliverables.evidence.model import Content, Kind, Recalculation, Workbook
from bythebook.deliverables.expected import Expected

T = TypeVar("T")


@dataclass(frozen=True)
class Case:
    """One submission under one rubric. What several checks look at is read once."""

    results: Evidence
    inputs: Evidence
    """Only those files that a check compares with."""
    expected: Expected
    fields: Mapping[str, Field]
    wants: Mapping[str, Kind]
    locale: Locale = "en"
    seen: set[Spot] = field(default_factory=set, compare=False)
    """Every cell that a check judged or found its way by; read by `watch`."""
    wanted: dict[Spot, Any] = field(default_factory=dict, compare=False, repr=False)
    """What a check wants (a `Want`) of each cell that it judges; read by the proof."""
    notes: set[str] = field(default_factory=set, compare=False)
    """What the answer of the check at hand should mention."""
    kept: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    """Tables found, by what they were looked for with."""
    lasting: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    """What follows from the rubric and its tables alone; cases of one task may share it."""
    watched: bool = True
    """Somebody reads `seen` afterwards."""

    def handed(self, name: str) -> str:
        """A wanted file that was handed over and has nothing wrong with it."""
        known = self.results.files.get(name)
        if known is None:
            there = ", ".join(sorted(self.results.files)) or "nothing"
            raise fail("the file was not handed over", encoded(name), seen=there, wanted=name)
        if known.status != "ok":
            why = f"the file is {known.status.replace('_', ' ')}"
            raise fail(f"{why}: {known.says}" if known.says else why, encoded(name), wanted="ok")
        return name

    def file(self, name: str, kinds: tuple[Kind, ...]) -> tuple[str, Content]:
        """A wanted file and what was read from it; a check fails where it did not read."""
        name = self.handed(resolve(FileUse(name, kinds), self.wants))
        content = self.results.content(name)
        if content is None:
            raise fail("nothing could be read from the file", encoded(name))
        return name, content

    def content(self, name: str, kinds: tuple[Kind, ...], type_: type[T]) -> tuple[str, T]:
        """The same, as a content of this type."""
        name, content = self.file(name, kinds)
        if not isinstance(content, type_):
            seen = str(msgspec.structs.asdict(content).get("format", type(content).__name__))
            raise fail("the file is of another type", encoded(name), seen=seen, wanted=kinds[0])
        return name, content

    def book(self, name: str) -> Book:
        name, content = self.content(name, ("xlsx",), Workbook)
        if ("book", name) not in self.kept:
            self.kept["book", name] = Book(name, content)
        book: Book = self.kept["book", name]
        return book

    def grid(self, name: str, sheet: str) -> Grid:
        """A visible sheet of the results."""
        return shown_sheet(self.book(name), sheet)

    def recalculated(self, book: Book) -> Recalculation:
        """The book's formulas computed anew; that nothing computes is noted."""
        if ("anew", book.name) not in self.kept:
            self.kept["anew", book.name] = self.results.recalculated(book.name)
        anew: Recalculation = self.kept["anew", book.name]
        if anew.status != "ok":
            self.notes.add(f"not recalculated ({anew.status}): cached values decide")
        elif anew.says:
            self.notes.add(anew.says)
        return anew

    def look(self, grid: Grid, row: int, column: int) -> None:
        """Remember that a check read this cell."""
        if self.watched:
            self.seen.add(grid.spot(row, column))


def shown_sheet(book: Book, sheet: str) -> Grid:
    """The sheet, which must be there and not be hidden."""
    grid = book.find(sheet)
    if grid is None:
        there = ", ".join(one.name for one in book.content.sheets)
        raise fail("no such sheet", encoded(book.name), seen=there, wanted=sheet)
    if grid.sheet.state != "visible":
        raise fail("the sheet is hidden", grid.place, seen=grid.sheet.state, wanted="visible")
    return grid
