"""Events of a trace as the site tells them: what is long is cut, what is common is referred to."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from bythebook.report.site.pool import Pool
from bythebook.report.site.spoken import Spoke
from bythebook.trace import StoredEvent, StoredWrite

LONGEST = 16_000
"""Bytes of one answer or one call's arguments. The trace holds all."""
SEARCHES = ("search_documents", "search_tools")
"""Their answers are lists of hits, which other searches give too."""
WORDS = "messages"
"""The table of what was said: the event itself tells it."""
NOTHING = (b"null", b"{}")


class Change(msgspec.Struct, frozen=True, array_like=True):
    """One row written: the columns that differ, with their values before and after."""

    table: str
    key: str
    new: bool
    cells: dict[str, tuple[Any, Any]]


class Moment(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event. Of arguments and answer there is the value, or its place in the task's pool."""

    i: int
    t: int
    who: str = "agent"
    kind: str = "call"
    name: str
    args: msgspec.Raw | None = None
    args_at: int | None = None
    ok: bool = True
    answer: msgspec.Raw | None = None
    answer_at: int | None = None
    hits: tuple[int, ...] | None = None
    """Places of what a search found."""
    cut: int = 0
    """Characters left out of arguments and answer."""
    changes: tuple[Change, ...] = ()
    cause: int | None = None
    move: int | None = None
    spoke: tuple[Spoke, ...] = ()


def values(event: StoredEvent) -> Iterator[bytes]:
    """What of an event may be common to several runs."""
    yield bytes(event.args)
    if not _is_search(event):
        yield bytes(event.result)


def moment(event: StoredEvent, pool: Pool, spoken: Mapping[int, tuple[Spoke, ...]] = {}) -> Moment:
    """`spoken`: by number of the event, which rules spoke there."""
    args, args_at, cut_args = _told(bytes(event.args), pool)
    if _is_search(event):
        hits = tuple(pool.keep(bytes(hit)) for hit in _list(event.result))
        answer, answer_at, cut = None, None, 0
    else:
        hits = None
        answer, answer_at, cut = _told(bytes(event.result), pool)
    return Moment(
        i=event.i,
        t=event.t,
        who=event.actor,
        kind=event.kind,
        name=event.name,
        args=args,
        args_at=args_at,
        ok=event.ok,
        answer=answer,
        answer_at=answer_at,
        hits=hits,
        cut=cut_args + cut,
        changes=tuple(_change(write) for write in event.writes if write.table != WORDS),
        cause=event.cause,
        move=event.move,
        spoke=spoken.get(event.i, ()),
    )


def _is_search(event: StoredEvent) -> bool:
    listed = bytes(event.result).startswith(b"[")
    return event.kind == "call" and event.name in SEARCHES and event.ok and listed


def _list(raw: msgspec.Raw) -> list[msgspec.Raw]:
    return msgspec.json.decode(raw, type=list[msgspec.Raw])


def _told(value: bytes, pool: Pool) -> tuple[msgspec.Raw | None, int | None, int]:
    """The value itself or its place, and how many characters of it are left out."""
    if value in NOTHING:
        return None, None, 0
    place = pool.place(value)
    if place is not None:
        return None, place, 0
    if len(value) <= LONGEST:
        return msgspec.Raw(value), None, 0
    short, left_out = shortened(msgspec.json.decode(value))
    return msgspec.Raw(msgspec.json.encode(short)), None, left_out


def shortened(value: Any) -> tuple[Any, int]:
    """A long value with its texts cut; what is no text or mapping of texts becomes one text."""
    if isinstance(value, str):
        return _cut(value)
    if isinstance(value, dict) and all(isinstance(one, str) for one in value.values()):
        parts = {key: _cut(text) for key, text in value.items()}
        short = {key: text for key, (text, _) in parts.items()}
        return short, sum(left_out for _, left_out in parts.values())
    return _cut(msgspec.json.encode(value).decode())


def _cut(text: str) -> tuple[str, int]:
    kept = text[: LONGEST // 2]
    return kept, len(text) - len(kept)


def _change(write: StoredWrite) -> Change:
    old, new = _row(write.old), _row(write.new)
    names = [name for name in {**old, **new} if old.get(name) != new.get(name) or not old]
    cells = {name: (old.get(name), new.get(name)) for name in names}
    return Change(write.table, write.key, not old, cells)


def _row(raw: msgspec.Raw) -> dict[str, Any]:
    row: dict[str, Any] | None = msgspec.json.decode(raw, type=dict[str, Any] | None)
    return row or {}
