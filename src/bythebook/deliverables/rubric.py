"""A rubric: what must be true of the deliverables, item by item.

    rubric.yaml := {fields: {F: {names: [PINNED, alias..], as, unit?}}, items: [ITEM+]}
    ITEM        := {id, says, dimension, level, failure?, check? | screen?, truth?}

An item with a `check` is decided by it, unless it is unsure. A `screen` can only fail an item; when
it does not, the judge speaks. An item with neither is the judge's.
"""

import hashlib
from functools import cached_property
from typing import Any, Literal

import msgspec

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
ReadAs = Literal["text", "number", "month", "date", "percent"]


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"read_as": "as"}):
    """A column or label that checks look for by its heading."""

    names: tuple[str, ...]
    """The first is pinned: it stands word for word in the prompt or in an input. The others are
    leniency."""
    read_as: ReadAs = "text"
    unit: str = ""


class Item(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
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
        return WEIGHT[self.level]

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
        return sum(item.weight for item in self.items)
