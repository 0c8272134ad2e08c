"""Everything a criterion may name: tables, tools, events, functions, document families."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import msgspec

from bythebook.conduct.criteria.hits import Forms
from bythebook.conduct.documents import Library, Scope
from bythebook.conduct.schema import Schema
from bythebook.tool import Day

Function = Callable[..., object]

BUILT_IN = (
    "rows", "row", "sum", "len", "any", "all", "min", "max", "abs", "sorted",
    "in_force", "approved",
)  # fmt: skip
VALUES = ("facts", "t", "day")
APPROVALS = "approvals"


class Edition(msgspec.Struct, frozen=True):
    """One version of a document family: for whom and when it is in force, half-open."""

    id: str
    scope: Scope
    since: Day = msgspec.field(name="from")
    to: Day | None = None


Editions = Mapping[str, tuple[Edition, ...]]


@dataclass(frozen=True)
class Vocabulary:
    """The names of one company."""

    schema: Schema
    functions: Mapping[str, Function] = field(default_factory=dict)
    """Pure functions of the company's policy, by the name criteria call them."""
    editions: Editions = field(default_factory=dict)
    """Document families as `in_force` reads them."""
    reading: Callable[[Schema], Forms] = Forms
    """How values of a trace are read."""

    def calls(self) -> tuple[str, ...]:
        """Every name that can be called."""
        return (*BUILT_IN, *self.functions)


def editions_of(library: Library) -> Editions:
    """The binding documents of a library, by family."""
    return {
        family: tuple(
            Edition(d.id, d.front.scope, *d.front.effective) for d in documents if d.front.binding
        )
        for family, documents in library.families.items()
    }
