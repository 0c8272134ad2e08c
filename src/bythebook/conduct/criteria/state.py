"""The state that predicates read while a trace is walked: rows, minute, day, approvals."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from bythebook.conduct.criteria.vocabulary import APPROVALS, Edition
from bythebook.conduct.schema import hash_of_terms
from bythebook.conduct.world import MINUTES_A_DAY, add_days
from bythebook.tool import Day

Rows = Mapping[str, Any]


class LookupFailed(LookupError):
    """Nothing, or more than one thing, stands where a predicate looks."""


class State:
    """Tables at one moment. Copy-on-write: forks and the opening state are never touched."""

    __slots__ = ("_owned", "clock", "opening_day", "t", "tables")

    def __init__(self, tables: Mapping[str, Rows], opening_day: Day, clock: int) -> None:
        self.tables: dict[str, Rows] = dict(tables)
        self.opening_day, self.clock = opening_day, clock
        self.t = 0
        self._owned: set[str] = set()

    @property
    def day(self) -> Day:
        """The story's calendar day now."""
        return add_days(self.opening_day, (self.clock + self.t) // MINUTES_A_DAY)

    def put(self, table: str, key: str, row: Any) -> None:
        """Apply one write; None takes the row away."""
        if table not in self._owned:
            self._owned.add(table)
            self.tables[table] = dict(self.tables[table])
        owned: dict[str, Any] = self.tables[table]  # type: ignore[assignment]  # made just above
        if row is None:
            owned.pop(key, None)
        else:
            owned[key] = row

    def fork(self) -> "State":
        """An independent copy of this moment."""
        self._owned = set()
        twin = State(self.tables, self.opening_day, self.clock)
        twin.t = self.t
        return twin


def approvals_of(
    state: State, table: str, row: msgspec.Struct, terms: Iterable[str], by: str
) -> list[Any]:
    """The approvals by `by` of exactly this row's terms that hold now: given by now, not expired
    (half-open), not revoked."""
    found, key = None, row.id  # type: ignore[attr-defined]  # every row has an id
    holding = []
    for one in state.tables[APPROVALS].values():
        if one.subject != key or one.subject_table != table or one.by != by:
            continue
        if not one.t <= state.t < one.expires:
            continue
        if one.revoked is not None and one.revoked <= state.t:
            continue
        found = found or hash_of_terms(row, terms)
        if one.terms_hash == found:
            holding.append(one)
    return holding


def approval(state: State, table: str, row: msgspec.Struct, terms: Iterable[str], by: str) -> bool:
    """`approved(ROW, [field+], by)`: an approval of exactly these terms holds now."""
    return bool(approvals_of(state, table, row, terms, by))


def edition_in_force(
    family: str,
    editions: Iterable[Edition],
    *,
    day: Day,
    product: str = "any",
    jurisdiction: str = "any",
    segment: str = "any",
) -> str:
    """Id of the one edition of a family that is in force. Raises `LookupFailed` otherwise."""
    found = [
        edition.id
        for edition in editions
        if edition.since <= day
        and (edition.to is None or day < edition.to)
        and edition.scope.covers(product, jurisdiction, segment)
    ]
    if len(found) != 1:
        raise LookupFailed(f"{family}: {len(found)} editions are in force on {day}")
    return found[0]
