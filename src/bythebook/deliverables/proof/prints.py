"""What one item reads of a sample, as a digest: where it is the same, the answer is the same.

Most faults change one sheet, and most items look at another.
"""

import hashlib
from collections.abc import Iterator, Mapping
from functools import cached_property

import msgspec

from bythebook.deliverables.checks import spec as s
from bythebook.deliverables.checks.uses import resolve, uses
from bythebook.deliverables.checks.wording import fold
from bythebook.deliverables.evidence.model import Kind, Workbook
from bythebook.deliverables.proof.sample import Sample
from bythebook.deliverables.rubric import Item

ON_THEIR_SHEETS = (s.TableSpec, s.Cell, s.Label)
"""Checks that of a workbook read the sheets that they name, and which others there are."""


class Prints:
    """The digests of one sample."""

    def __init__(self, sample: Sample, wants: Mapping[str, Kind]) -> None:
        self.sample, self.wants = sample, wants
        self._known: dict[int, bytes] = {}
        """By the value's place in memory: the sample holds them all."""

    def of(self, item: Item) -> bytes:
        """SHA-256 over all that the item's check can read."""
        assert item.spec is not None
        told = hashlib.sha256(self._listed)
        for part in self._read(item.spec):
            told.update(part)
        return told.digest()

    @cached_property
    def _listed(self) -> bytes:
        """Every file, and whether it reads."""
        files = self.sample.files.values()
        return msgspec.json.encode([(one.name, one.kind, one.status, one.says) for one in files])

    def _read(self, spec: msgspec.Struct) -> Iterator[bytes]:
        named = uses(spec)
        sheets = set(map(fold, named.sheets)) if isinstance(spec, ON_THEIR_SHEETS) else None
        for name in sorted({resolve(use, self.wants) for use in named.files}):
            content = self.sample.content(name)
            if not isinstance(content, Workbook):
                yield self._digest(content)
                continue
            yield from self._book(name, content, sheets)
        if isinstance(spec, s.Pages):
            yield from (self._digest(one) for _, one in sorted(self.sample.layouts.items()))
        if isinstance(spec, s.WhatIf):
            for (name, changes), found in self.sample.supposed.items():
                yield self._digest(name)
                yield self._digest(changes)
                yield self._digest(found)

    def _book(self, name: str, book: Workbook, sheets: set[str] | None) -> Iterator[bytes]:
        """A workbook with all its sheets, or these."""
        anew = self.sample.recalculated(name)
        frame = [book.date1904, [sheet.name for sheet in book.sheets], anew.status, anew.says]
        if sheets is None:
            frame += [book.names, book.local_names, book.macros, book.external_links, book.warnings]
        yield msgspec.json.encode(frame)
        for sheet in book.sheets:
            if sheets is None or fold(sheet.name) in sheets:
                yield self._digest(sheet)
                yield self._digest(anew.values.get(sheet.name))

    def _digest(self, value: object) -> bytes:
        if id(value) not in self._known:
            self._known[id(value)] = hashlib.sha256(msgspec.json.encode(value)).digest()
        return self._known[id(value)]
