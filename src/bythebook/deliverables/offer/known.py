"""What a check can be derived from: a task's references, expected tables, prompt and inputs."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from bythebook.deliverables.checks import Case
from bythebook.deliverables.checks.answer import Evidence
from bythebook.deliverables.checks.grid import Grid
from bythebook.deliverables.checks.lint import Pinned, check_fair
from bythebook.deliverables.evidence.model import Kind, Workbook
from bythebook.deliverables.expected import Table
from bythebook.deliverables.offer.written import Digits
from bythebook.deliverables.task import DeliverableTask
from bythebook.errors import ContentError

NUMBERS = ("number", "percent")


class Offer(msgspec.Struct, frozen=True):
    """One check as it would be written into a rubric."""

    told: dict[str, Any]
    """What stands under the kind's name."""
    says: str
    screen: bool = False
    note: str = ""
    """What the author must see to."""


class Keyed(NamedTuple):
    """An expected table, and the fields that tell its rows apart."""

    name: str
    table: Table
    key: tuple[str, ...]

    def find(self, number: int, known: "Known") -> dict[str, Any]:
        """The keys of one row."""
        row = self.table.rows[number]
        return {key: known.value(key, row[self.table.columns.index(key)]) for key in self.key}

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(column for column in self.table.columns if column not in self.key)


class Known:
    """A task, and what was read of its references, the first of them first."""

    def __init__(self, task: DeliverableTask, references: Mapping[str, Evidence]) -> None:
        self.task = task
        self.fields = task.rubric.fields
        self.references = dict(references)
        self.cases = [
            Case(
                results=evidence,
                inputs=task.evidence,
                expected=task.expected,
                fields=task.rubric.fields,
                wants=task.wants,
                locale=task.file.locale,
            )
            for evidence in self.references.values()
        ]

    @property
    def first(self) -> Case | None:
        """The case of the first reference."""
        return self.cases[0] if self.cases else None

    def pinned(self, text: str) -> bool:
        """Does the prompt or an input say it, word for word?"""
        one = iter((Pinned("", "text", text),))
        try:
            check_fair(one, self.task.prompt, lambda: self.task.evidence, "")
        except ContentError:
            return False
        return bool(text.strip())

    def named(self, field: str) -> bool:
        """Is it a field whose first name the task says?"""
        return field in self.fields and self.pinned(self.fields[field].names[0])

    def file(self, name: str, kinds: tuple[Kind, ...]) -> dict[str, Any]:
        """`{file: name}`, or nothing where it goes without saying."""
        alike = [one for one, kind in self.task.wants.items() if kind in kinds]
        return {} if alike == [name] else {"file": name}

    def wanted(self, *kinds: Kind) -> tuple[str, ...]:
        """The wanted files of these kinds, that the first reference holds."""
        held = self.first.results.files if self.first else {}
        wants = self.task.wants
        return tuple(name for name, kind in wants.items() if kind in kinds and name in held)

    def contents(self, name: str) -> list[Any]:
        """What was read of a file, of every reference."""
        return [case.results.content(name) for case in self.cases]

    @cached_property
    def books(self) -> dict[str, Workbook]:
        """The workbooks of the first reference."""
        found = {name: self.contents(name)[0] for name in self.wanted("xlsx")}
        return {name: book for name, book in found.items() if isinstance(book, Workbook)}

    @cached_property
    def raw(self) -> frozenset[str]:
        """Sheets of the inputs."""
        inputs = self.task.evidence
        books = [inputs.content(name) for name in inputs.files]
        return frozenset(
            sheet.name for book in books if isinstance(book, Workbook) for sheet in book.sheets
        )

    @cached_property
    def shown(self) -> tuple[Grid, ...]:
        """The sheets of the first reference that are shown and that the task names."""
        case = self.first
        grids = (grid for name in self.books if case for grid in case.book(name).grids)
        return tuple(
            grid for grid in grids if grid.sheet.state == "visible" and self.pinned(grid.sheet.name)
        )

    @property
    def grids(self) -> tuple[Grid, ...]:
        """Those of them that did not come with the inputs."""
        return tuple(grid for grid in self.shown if grid.sheet.name not in self.raw)

    def sheets(self) -> Iterator[dict[str, Any]]:
        """File and sheet as a check names them, one after the other."""
        for grid in self.grids:
            yield self.file(grid.book.name, ("xlsx",)) | {"sheet": grid.sheet.name}

    @cached_property
    def tables(self) -> tuple[Keyed, ...]:
        """Expected tables whose rows named fields tell apart."""
        found = (self._keyed(name, table) for name, table in self.task.expected.tables.items())
        return tuple(keyed for keyed in found if keyed is not None)

    def _keyed(self, name: str, table: Table) -> Keyed | None:
        for count in range(1, len(table.columns) + 1):
            key = table.columns[:count]
            if not all(map(self.named, key)):
                return None
            rows = list(table.picked(key))
            if rows and len(set(rows)) == len(rows):
                return Keyed(name, table, key)
        return None

    def value(self, field: str, text: str) -> Any:
        """An expected value as a rubric holds it."""
        counts = field not in self.fields or self.fields[field].read_as in NUMBERS
        return Digits(text) if counts and not text.endswith("%") else text

    def counts(self, field: str) -> bool:
        return field in self.fields and self.fields[field].read_as in NUMBERS

    def label(self, field: str) -> str:
        return self.fields[field].names[0]
