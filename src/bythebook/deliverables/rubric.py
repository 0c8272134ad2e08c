"""A rubric: what must be true of the deliverables, item by item.

    rubric.yaml := {fields: {F: {names: [PINNED, alias..], as, unit?}}, items: [ITEM+]}
    ITEM        := {id, says, dimension, level, failure?, check? | screen?, truth?}

An item with a `check` is decided by it, unless it is unsure. A `screen` can only fail an item; when
it does not, the judge speaks. An item with neither is the judge's.
"""

import hashlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from bythebook import yamlfile
from bythebook.deliverables.checks.fields import Field as Field
from bythebook.deliverables.checks.fields import ReadAs as ReadAs
from bythebook.deliverables.checks.spec import SPECS, WhatIf
from bythebook.deliverables.checks.static import Ground, check_spec
from bythebook.deliverables.evidence.model import Kind
from bythebook.deliverables.expected import Expected
from bythebook.errors import ContentError, unknown

Dimension = Literal[
    "structure", "calculation", "integration", "domain", "engineering", "presentation"
]
"""StartupBench, Table 9: Structure & Completeness, Calculation Precision, Information Integration,
Domain-Specific Compliance, Engineering & Format, Output & Presentation."""
Level = Literal["core", "important", "auxiliary"]
WEIGHT: dict[Level, int] = {"core": 5, "important": 3, "auxiliary": 1}
"""StartupBench, Appendix C."""
Failure = Literal["instruction following", "self-verification", "domain expertise", "output format"]
"""The behaviour that failing the item shows: StartupBench, Section 4.4.2."""


class Item(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """One rubric item as written: a check or a screen, or neither, then a judge decides."""

    id: str
    says: str
    dimension: Dimension
    level: Level
    failure: Failure = "instruction following"
    check: dict[str, Any] | None = None
    """One check by its name: `{column: {...}}`."""
    screen: dict[str, Any] | None = None
    truth: str = ""
    """For the judge: facts that the recipe computed, and the input places they follow from."""

    @property
    def weight(self) -> int:
        """StartupBench, Appendix C: 5, 3 or 1 by its level."""
        return WEIGHT[self.level]

    @property
    def decided_by(self) -> Literal["check", "screen", "judge"]:
        return "check" if self.check else "screen" if self.screen else "judge"

    @cached_property
    def spec(self) -> msgspec.Struct | None:
        """The check or screen as a value; None for a judge's item."""
        for kind, told in (self.check or self.screen or {}).items():
            return msgspec.convert(told, SPECS[kind])
        return None

    @property
    def hash(self) -> str:
        """SHA-256 over what a judge is told of the item."""
        told = [self.id, self.says, self.level, self.truth]
        return hashlib.sha256(msgspec.json.encode(told)).hexdigest()


class RubricFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """`rubric.yaml` as written; `load_rubric` checks it."""

    items: tuple[Item, ...]
    fields: dict[str, Field] = {}

    @cached_property
    def by_id(self) -> dict[str, Item]:
        return {item.id: item for item in self.items}

    @property
    def weight(self) -> int:
        """Of all items: what a score is a share of."""
        return sum(item.weight for item in self.items)

    @property
    def sha(self) -> str:
        """SHA-256 over fields and items as written; the expected tables are not in it."""
        return hashlib.sha256(ENCODER.encode(self)).hexdigest()


ENCODER = msgspec.json.Encoder(decimal_format="number", order="sorted")
"""Decimals as JSON numbers, digits kept."""
MOST_WHAT_IFS = 3
"""In one task: each costs a recalculation."""


def load_rubric(folder: Path, wants: Mapping[str, Kind], expected: Expected) -> RubricFile:
    """`folder/rubric.yaml`, every name in it checked. Raises `ContentError` with file and line.

    `wants` are the wanted files of task.yaml. Whether the prompt pins what checks look for is asked
    by `checks.lint`.
    """
    path = folder / "rubric.yaml"
    text = yamlfile.read_text(path)
    rubric = yamlfile.convert(text, RubricFile, where=path, decimals=True)
    check_rubric(rubric, Ground(rubric.fields, wants, expected, folder / "inputs"), path, text)
    return rubric


def check_rubric(rubric: RubricFile, ground: Ground, path: Path, text: str) -> None:
    """Every name and value in a rubric. Raises `ContentError`."""
    if not rubric.items:
        raise ContentError("a rubric has at least one item", where=path)
    for name, field in rubric.fields.items():
        if not field.names or not all(name.strip() for name in field.names):
            raise ContentError(f"field {name!r} has no name to be found by", where=path)
    seen: set[str] = set()
    what_ifs = 0
    for number, item in enumerate(rubric.items):
        line = yamlfile.line_of(text, f".items[{number}]")
        where = f"{path}:{line}, item {item.id}" if line else f"{path}, item {item.id}"
        if item.id in seen:
            raise ContentError("its id stands here twice", where=where)
        seen.add(item.id)
        spec = _spec(item, where, path, (text, f".items[{number}]"))
        if spec is not None:
            check_spec(spec, ground, where, screen=item.screen is not None)
        what_ifs += isinstance(spec, WhatIf)
    if what_ifs > MOST_WHAT_IFS:
        raise ContentError(f"{what_ifs} what-ifs; a task has at most {MOST_WHAT_IFS}", where=path)


def _spec(item: Item, where: str, path: Path, source: tuple[str, str]) -> msgspec.Struct | None:
    """The item's check, strictly; None for a judge's item."""
    if item.check is not None and item.screen is not None:
        hint = "a screen leaves the item to the judge, a check decides it"
        raise ContentError("has both a check and a screen", where=where, hint=hint)
    written = item.check if item.check is not None else item.screen
    if written is None:
        return None
    if len(written) != 1:
        raise ContentError(f"has {len(written)} checks; an item has one", where=where)
    word = "check" if item.check is not None else "screen"
    ((kind, told),) = written.items()
    if kind not in SPECS:
        raise unknown("check", kind, SPECS, where=where)
    text, under = source
    place = f"{under}.{word}.{kind}"
    return yamlfile.fit(told, SPECS[kind], where=path, text=text, under=place)
