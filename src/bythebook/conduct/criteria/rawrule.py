"""One criterion as it is written: the head, and the fields of all patterns."""

from typing import Any, Literal

import msgspec


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The clause a rule enforces."""

    family: str
    clause: str


class RawFrame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`frame: {except: [...]}`."""

    spared: tuple[str, ...] = msgspec.field(name="except")


class RawRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One item of `criteria:`. Exactly one pattern's fields are set."""

    id: str
    kind: Literal["goal", "process", "protection"]
    says: str
    source: Source | None = None
    finally_: str | None = msgspec.field(default=None, name="finally")
    always: str | None = None
    at: Literal["event", "write"] | None = None
    never: str | None = None
    whenever: str | None = None
    require: str | None = None
    state: Literal["before", "after"] | None = None
    before: str | None = None
    needs: str | None = None
    since: str | None = None
    once: bool | None = None
    after: str | None = None
    then: str | None = None
    within: int | None = None
    match: str | None = None
    count: str | None = None
    at_least: int | None = None
    at_most: int | None = None
    authorised: str | None = None
    request: str | None = None
    table: str | None = None
    terms: tuple[str, ...] | None = None
    by: str | None = None
    frame: RawFrame | None = None
    heuristic: bool | None = None
    group: str | None = None

    def given(self) -> dict[str, Any]:
        """The fields that are written, by the names they are written with."""
        names = zip(self.__struct_fields__, self.__struct_encode_fields__, strict=True)
        found = {written: getattr(self, name) for name, written in names}
        return {name: value for name, value in found.items() if value is not None}

    def patterns(self) -> tuple[str, ...]:
        """The patterns that are written; there must be one."""
        return tuple(name for name in self.given() if name in FIELDS)


FIELDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "finally": ((), ()),
    "always": ((), ("at",)),
    "never": ((), ()),
    "whenever": (("require",), ("state",)),
    "before": (("needs",), ("match", "since", "once")),
    "after": (("then",), ("match", "within")),
    "count": ((), ("at_least", "at_most")),
    "authorised": (("request", "table", "terms", "by"), ()),
    "frame": ((), ()),
}
"""Pattern to the fields it needs, and those it may have."""

FOREIGN = ("heuristic", "group")
"""Fields that only rules over the traces of other programs have."""
HEAD = ("id", "kind", "says", "source", *FOREIGN)
