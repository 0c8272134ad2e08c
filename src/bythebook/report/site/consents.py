"""What the customer was asked and decided in a run, with the terms as they stood."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from bythebook.conduct.consent import Amendment, Approval, ApprovalRequest
from bythebook.conduct.criteria import SceneFile
from bythebook.trace import StoredEvent, StoredWrite

REQUESTS, APPROVALS, AMENDMENTS = ApprovalRequest.table, Approval.table, Amendment.table


class Consent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One request to the customer, and what came of it."""

    id: str
    """Of the request."""
    what: str
    """`approval` or `amendment`."""
    subject_table: str
    subject: str
    terms: dict[str, Any] = {}
    """What is bound: the columns an approval binds, or the field to be changed with its value."""
    reasons: tuple[str, ...] = ()
    asked: int
    """Event."""
    decided: int | None = None
    status: str
    approval: str = ""
    """Its id, where one was given."""
    since: int | None = None
    expires: int | None = None
    """Minutes, half-open."""
    revoked: int | None = None


def consents(scene: SceneFile, events: Iterable[StoredEvent]) -> tuple[Consent, ...]:
    """All requests of a run, in order of being filed."""
    book = _Book(scene)
    for event in events:
        for write in event.writes:
            book.enter(event, write)
    return tuple(book.found.values())


class _Book:
    def __init__(self, scene: SceneFile) -> None:
        self._terms = scene.criteria.vocabulary.schema.terms
        self._opening = scene.tables
        self._rows: dict[tuple[str, str], dict[str, Any]] = {}
        self.found: dict[str, Consent] = {}

    def enter(self, event: StoredEvent, write: StoredWrite) -> None:
        row = _row(write)
        self._rows[write.table, write.key] = row
        if write.table in (REQUESTS, AMENDMENTS):
            self._request(event, write.table, row)
        elif write.table == APPROVALS:
            self._approval(event, row)

    def _request(self, event: StoredEvent, table: str, row: Mapping[str, Any]) -> None:
        key = str(row.get("id"))
        status = str(row.get("status"))
        known = self.found.get(key)
        if known is not None:
            decided = known.decided if known.decided is not None else event.i
            self.found[key] = msgspec.structs.replace(known, status=status, decided=decided)
            return
        subject_table, subject = str(row.get("subject_table")), str(row.get("subject"))
        amends = table == AMENDMENTS
        terms = {str(row.get("field")): row.get("value")} if amends else {}
        self.found[key] = Consent(
            id=key,
            what="amendment" if amends else "approval",
            subject_table=subject_table,
            subject=subject,
            terms=terms or dict(self._bound(subject_table, subject)),
            reasons=tuple(map(str, row.get("reasons") or ())),
            asked=event.i,
            status=status,
        )

    def _approval(self, event: StoredEvent, row: Mapping[str, Any]) -> None:
        """Belongs to the last request about the same terms of the same row."""
        for key, one in reversed(self.found.items()):
            if one.what == "approval" and one.subject == row.get("subject"):
                self.found[key] = msgspec.structs.replace(
                    one,
                    approval=str(row.get("id")),
                    decided=one.decided if one.decided is not None else event.i,
                    since=row.get("t"),
                    expires=row.get("expires"),
                    revoked=row.get("revoked"),
                )
                return

    def _bound(self, table: str, key: str) -> Iterator[tuple[str, Any]]:
        """The columns that an approval of a row binds, or all where the scene does not tell."""
        row = self._rows.get((table, key))
        if row is None:
            opening = self._opening.get(table, {}).get(key)
            row = msgspec.to_builtins(opening) if opening is not None else {}
        for name in self._terms.get(table, tuple(row or {})):
            if row and name in row:
                yield name, row[name]


def _row(write: StoredWrite) -> dict[str, Any]:
    row: dict[str, Any] | None = msgspec.json.decode(write.new, type=dict[str, Any] | None)
    return row or {}
