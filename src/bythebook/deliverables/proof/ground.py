"""A right answer to stand on: its sample, and where its tables and labels are."""

from collections.abc import Iterator
from dataclasses import dataclass

from bythebook.deliverables.checks.fields import Field
from bythebook.deliverables.proof.court import Court
from bythebook.deliverables.proof.draft import Draft
from bythebook.deliverables.proof.layout import Caption, Layout, captions, layouts
from bythebook.deliverables.proof.sample import Sample


@dataclass(frozen=True)
class Ground:
    """A right answer, and where its tables and labels stand."""

    court: Court
    sample: Sample
    tables: tuple[Layout, ...]
    labels: tuple[Caption, ...]

    def field(self, name: str) -> Field:
        return self.court.task.rubric.fields[name]

    def drafts(self) -> dict[str, Draft]:
        """A draft of every workbook in which a check reads a table or a label."""
        files = {table.file for table in self.tables} | {one.file for one in self.labels}
        return {name: Draft(self.sample, name) for name in self.sample.books if name in files}


def ground_of(court: Court, sample: Sample) -> Ground:
    tables, labels = layouts(court, sample), captions(court, sample)
    raw = {sheet for book in _books(court) for sheet in book}
    return Ground(
        court,
        sample,
        tuple(table for table in tables if table.sheet not in raw),
        tuple(label for label in labels if label.sheet not in raw),
    )


def _books(court: Court) -> Iterator[set[str]]:
    """The sheets of each workbook among the inputs that a check compares with."""
    for name in court.inputs.files:
        content = court.inputs.content(name)
        yield {sheet.name for sheet in getattr(content, "sheets", ())}


def tables_in(ground: Ground, draft: Draft) -> list[Layout]:
    return [table for table in ground.tables if table.file == draft.file]


def sheets_in(ground: Ground, draft: Draft) -> list[str]:
    """The sheets that checks read tables or labels of."""
    found = [table.sheet for table in tables_in(ground, draft)]
    found += [one.sheet for one in ground.labels if one.file == draft.file]
    return list(dict.fromkeys(found))


def alone_in(ground: Ground, draft: Draft) -> list[Layout]:
    """Tables with no other table and no label on their sheet: their columns can move freely."""
    stand = [table.sheet for table in tables_in(ground, draft)]
    stand += [one.sheet for one in ground.labels if one.file == draft.file]
    return [table for table in tables_in(ground, draft) if stand.count(table.sheet) == 1]
