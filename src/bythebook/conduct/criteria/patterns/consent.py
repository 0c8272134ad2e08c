"""The pattern of consent.

    authorised: SEL, request: EXPR, table: T, terms: [field+], by: ROLE

Each SEL uses up one approval by ROLE of the row `EXPR` of table T, as that row stands before SEL:
its terms hash equal, given at an earlier event, t < expires, not revoked. A SEL that names no row
(None, or an unknown key) fails.
"""

from dataclasses import dataclass
from typing import Any, Self

from bythebook.conduct.criteria.hits import Hit, as_json
from bythebook.conduct.criteria.matching import Matching
from bythebook.conduct.criteria.monitor import Breach, Monitor, shown
from bythebook.conduct.criteria.predicate import Predicate
from bythebook.conduct.criteria.selector import Key, Selector
from bythebook.conduct.criteria.state import LookupFailed, State, approvals_of
from bythebook.conduct.criteria.vocabulary import APPROVALS
from bythebook.conduct.schema import hash_of_terms


@dataclass(frozen=True)
class Authorised:
    """Every SEL has an unused approval of exactly these terms."""

    what: Selector
    request: Predicate
    table: str
    terms: tuple[str, ...]
    by: str
    can_be_vacuous: bool = True

    @property
    def keys(self) -> tuple[Key, ...]:
        return (self.what.key,)

    def monitor(self) -> Monitor:
        return AuthorisedMonitor(self)


class AuthorisedMonitor(Monitor):
    def __init__(self, pattern: Authorised) -> None:
        super().__init__()
        self.pattern = pattern
        self.matching: Matching[str] = Matching()

    def hear(self, key: Key, hit: Hit, state: State) -> Breach | None:
        rule = self.pattern
        if not rule.what.matches(state, hit):
            return None
        self.exercised = True
        request = rule.request.test(state, *rule.what.bound(hit))
        row = state.tables[rule.table].get(request)
        if row is None:
            raise LookupFailed(f"{rule.table}: there is no {request!r}")
        found = approvals_of(state, rule.table, row, rule.terms, rule.by)
        if self.matching.admit(one.id for one in found):
            return None
        values = shown({rule.what.variable or rule.what.kind: hit})
        values |= {"request": request, "terms": as_json({n: getattr(row, n) for n in rule.terms})}
        return Breach(self.why(state, row, bool(found)), values, write=hit.number)

    def why(self, state: State, row: Any, used: bool) -> str:
        """In words: what is wrong with the approvals there are."""
        rule = self.pattern
        if used:
            return "its approval was used before"
        about = [
            one
            for one in state.tables[APPROVALS].values()
            if one.subject == row.id and one.subject_table == rule.table and one.by == rule.by
        ]
        if not about:
            return f"the {rule.by} approved nothing of {row.id}"
        same = [one for one in about if one.terms_hash == hash_of_terms(row, rule.terms)]
        if not same:
            return f"the {rule.by} approved other terms of {row.id}"
        last = same[-1]
        if last.revoked is not None and last.revoked <= state.t:
            return f"the approval was revoked at t={last.revoked}"
        if last.t > state.t:
            return f"the approval was given at t={last.t}, later than this"
        return f"the approval expired at t={last.expires}"

    def fork(self) -> Self:
        twin = super().fork()
        twin.matching = self.matching.fork()
        return twin
