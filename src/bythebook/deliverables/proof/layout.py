"""Where the tables and labels of a right answer stand: found once, as the checks find them."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from bythebook.deliverables.checks import spec as s
from bythebook.deliverables.checks.case import Case
from bythebook.deliverables.checks.deciding import Decided
from bythebook.deliverables.checks.labels import find_labels
from bythebook.deliverables.checks.table import find_table, is_total
from bythebook.deliverables.checks.uses import cells_of, uses
from bythebook.deliverables.proof.court import Court
from bythebook.deliverables.proof.sample import Sample


class Asked(NamedTuple):
    """A table as one check asks for it."""

    file: str
    sheet: str
    keys: tuple[str, ...]
    fields: tuple[str, ...]
    """All fields, keys first."""


class Layout(msgspec.Struct, frozen=True):
    """One table of the right answer."""

    file: str
    sheet: str
    header: int
    first: int
    """First column of its block of headings."""
    last: int
    columns: dict[str, int]
    """Field to column."""
    keys: frozenset[str]
    rows: tuple[int, ...]
    """Below the header, those that a check reads."""
    ordered: bool
    """A check asks for the order of its rows."""
    looks: frozenset[str]
    """Fields of which a check judges the number format."""

    @property
    def values(self) -> tuple[str, ...]:
        """Fields that are no keys, from left to right."""
        found = [name for name in self.columns if name not in self.keys]
        return tuple(sorted(found, key=lambda name: self.columns[name]))


class Caption(NamedTuple):
    """A label of a figure."""

    file: str
    sheet: str
    row: int
    column: int
    field: str


def asked_by(spec: msgspec.Struct | None) -> Iterator[Asked]:
    """The tables that a check looks for."""
    match spec:
        case s.TableSpec():
            yield Asked(spec.file, spec.sheet, spec.key, uses(spec).fields)
        case s.Cell():
            for one in cells_of(spec):
                keys = tuple(one.find)
                yield Asked(one.file, one.sheet, keys, (*keys, one.column))
        case s.Agree():
            for place in filter(None, (spec.cell, spec.other)):
                if place.column:
                    keys = tuple(place.find)
                    yield Asked(place.file, place.sheet, keys, (*keys, place.column))


def layouts(court: Court, sample: Sample) -> list[Layout]:
    """Every table that the checks read, once each."""
    case = court.case(sample)
    found: dict[tuple[str, str, int], Layout] = {}
    for item in court.items.values():
        for asked in asked_by(item.spec):
            one = _layout(case, asked, item.spec)
            if one is not None:
                place = one.file, one.sheet, one.header
                found[place] = _joined(found[place], one) if place in found else one
    return list(found.values())


def _layout(case: Case, asked: Asked, spec: msgspec.Struct | None) -> Layout | None:
    try:
        table = find_table(case, case.grid(asked.file, asked.sheet), asked.fields)
    except Decided:
        return None
    keys = table.keys(asked.keys).items()
    read = sorted(row for key, rows in keys if not is_total(key) for row in rows)
    looks = {spec.column} if isinstance(spec, s.Format) else set()
    return Layout(
        file=table.grid.book.name,
        sheet=table.grid.sheet.name,
        header=table.header,
        first=table.block[0],
        last=table.block[1],
        columns=dict(table.columns),
        keys=frozenset(asked.keys),
        rows=tuple(read),
        ordered=isinstance(spec, s.Order),
        looks=frozenset(looks),
    )


def _joined(one: Layout, other: Layout) -> Layout:
    return msgspec.structs.replace(
        one,
        first=min(one.first, other.first),
        last=max(one.last, other.last),
        columns={**one.columns, **other.columns},
        keys=one.keys | other.keys,
        rows=tuple(sorted({*one.rows, *other.rows})),
        ordered=one.ordered or other.ordered,
        looks=one.looks | other.looks,
    )


def captions(court: Court, sample: Sample) -> list[Caption]:
    """Every label that a check looks for, where it stands."""
    case = court.case(sample)
    found: dict[Caption, None] = {}
    for item in court.items.values():
        for file, sheet, field in _labels_of(item.spec):
            try:
                grid = case.grid(file, sheet)
            except Decided:
                continue
            for row, column in find_labels(case, grid, case.fields[field]):
                found[Caption(grid.book.name, grid.sheet.name, row, column, field)] = None
    return list(found)


def _labels_of(spec: msgspec.Struct | None) -> Iterator[tuple[str, str, str]]:
    """File, sheet and field of each label that a check names."""
    match spec:
        case s.Label():
            for one in spec.all:
                yield one.file or spec.file, spec.sheet, one.label
        case s.Agree():
            for place in filter(None, (spec.cell, spec.other)):
                if place.label:
                    yield place.file, place.sheet, place.label
