"""What a foreign conversation is made of, and how it becomes events.

An importer gives `Record`s in the order of its file; `weave` makes them events. A call and its
result are one event, in the order of the calls. Nothing is made up: a call without a result is an
attempt of which nobody knows the end, and what could not be read is an `Odd`, named by its place.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bythebook.interop.forms import structured
from bythebook.trace import Actor, Event

TURN = "agent_turn"
"""The scheduled event with which each turn of the agent begins."""
MINUTE = 60
LATEST = 1e11
"""No moment of a trace is later, in seconds: the year 5138."""
FAILED = re.compile(r"\W*(?:\w+\s*=\s*)?[\"']?(?:error|exception|traceback)[: ]", re.IGNORECASE)
"""How the text of a failed call begins, also when it is quoted or given to a variable."""


class ForeignEvent(Event, frozen=True, omit_defaults=True):
    """An event, and where in the file it stands."""

    place: str = ""
    answered: bool = True
    """False: a call that has no result, so that nobody knows how it ended."""


@dataclass(frozen=True)
class Called:
    """A tool call as it was asked for."""

    id: str
    name: str
    args: Any
    place: str = ""


@dataclass(frozen=True)
class Turn:
    """The agent, or the customer, says something, uses tools, or both."""

    by: Actor
    text: str
    calls: tuple[Called, ...] = ()
    place: str = ""
    at: float | None = None
    """Seconds since 1970."""
    group: str = ""
    """Turns of one group that follow each other, results aside, are one turn."""


@dataclass(frozen=True)
class Returned:
    """What a call gave back."""

    id: str
    value: Any
    failed: bool | None = None
    """None: the format does not say; then the words do."""
    name: str = ""
    place: str = ""
    at: float | None = None


@dataclass(frozen=True)
class Note:
    """Something that no rule can see: a system message, a marker."""

    name: str
    text: str = ""
    place: str = ""
    at: float | None = None


@dataclass(frozen=True)
class Odd:
    """A record that could not be read."""

    place: str
    what: str
    ends: bool = False
    """Nothing after it can be read."""


Record = Turn | Returned | Note | Odd


def looks_failed(value: Any) -> bool:
    """Does a result say itself that the call failed?"""
    found = structured(value)
    if isinstance(found, Mapping):
        said = found.get("error") or found.get("isError") or found.get("is_error")
        return bool(said)
    if not isinstance(found, str):
        return False
    return FAILED.match(found) is not None


@dataclass
class _Open:
    """A call whose result has not come yet."""

    called: Called
    by: Actor
    move: int
    at: float | None
    returned: Returned | None = None


def _may_answer(record: Returned, one: _Open) -> bool:
    """Where a call or its result has no id, the tool's name and the order tell."""
    without = not record.id or not one.called.id
    return without and one.returned is None and record.name in ("", one.called.name)


@dataclass
class Weaver:
    """Makes events of records, one after the other."""

    serial: int = 0
    move: int = 0
    start: float | None = None
    last: int = 0
    open: list[_Open] = field(default_factory=list)

    def take(self, record: Record) -> Iterator[ForeignEvent | Odd]:
        """The events that are complete with this record."""
        match record:
            case Odd():
                yield record
            case Returned():
                yield from self._returned(record)
            case Turn():
                yield from self.close()
                yield from self._turn(record)
            case Note():
                yield self._event("company", "note", record.name, record, {"text": record.text})

    def close(self) -> Iterator[ForeignEvent]:
        """The calls that are open; those without a result end as attempts."""
        waiting, self.open = self.open, []
        for one in waiting:
            yield self._call(one)

    def _turn(self, turn: Turn) -> Iterator[ForeignEvent]:
        if turn.by == "agent":
            self.move += 1
            tools = [called.name for called in turn.calls]
            args = {"calls": len(tools), "tools": tools, "text": turn.text}
            yield self._event("agent", "event", TURN, turn, args)
        if turn.text.strip():
            name = "message_customer" if turn.by == "agent" else "message_agent"
            yield self._event(turn.by, "message", name, turn, {"text": turn.text})
        self.open = [_Open(called, turn.by, self.move, turn.at) for called in turn.calls]

    def _returned(self, record: Returned) -> Iterator[ForeignEvent | Odd]:
        fits = [one for one in self.open if one.returned is None and one.called.id == record.id]
        if not fits:
            fits = [one for one in self.open if _may_answer(record, one)]
        if not fits:
            yield Odd(record.place, f"a result of no open call ({record.id or record.name})")
            return
        fits[0].returned = record
        if all(one.returned is not None for one in self.open):
            yield from self.close()

    def _call(self, one: _Open) -> ForeignEvent:
        called, found = one.called, one.returned
        failed = found is None or (
            looks_failed(found.value) if found.failed is None else found.failed
        )
        args = structured(called.args)
        return ForeignEvent(
            i=self._next(),
            t=self._minute(one.at if found is None else found.at),
            actor=one.by,
            kind="call" if one.by == "agent" else "customer",
            name=called.name,
            args=args if isinstance(args, Mapping) else {"": called.args},
            ok=not failed,
            result=None if found is None else found.value,
            move=one.move if one.by == "agent" else None,
            place=called.place,
            answered=found is not None,
        )

    def _event(
        self, by: Actor, kind: Any, name: str, record: Turn | Note, args: dict[str, Any]
    ) -> ForeignEvent:
        move = self.move if by == "agent" else None
        i, t = self._next(), self._minute(record.at)
        return ForeignEvent(i, t, by, kind, name, args, move=move, place=record.place)

    def _next(self) -> int:
        self.serial += 1
        return self.serial - 1

    def _minute(self, at: float | None) -> int:
        """Minutes since the first moment that is told; time never goes back."""
        if at is not None and 0 <= at < LATEST:
            self.start = at if self.start is None else self.start
            self.last = max(self.last, int((at - self.start) // MINUTE))
        return self.last

    def weave(self, records: Iterable[Record]) -> Iterator[ForeignEvent | Odd]:
        """The events of a conversation, and between them what could not be read."""
        for record in joined(records):
            yield from self.take(record)
        yield from self.close()


def joined(records: Iterable[Record]) -> Iterator[Record]:
    """The same records, the parts of one turn put together; results that stand between them come
    after it."""
    held: Turn | None = None
    between: list[Record] = []
    for record in records:
        if held is not None and isinstance(record, Returned | Note):
            between.append(record)
            continue
        if held is not None and isinstance(record, Turn) and record.group == held.group:
            text = "\n".join(filter(None, (held.text, record.text)))
            held = replace(held, text=text, calls=(*held.calls, *record.calls))
            continue
        if held is not None:
            yield held
            yield from between
            held, between = None, []
        if isinstance(record, Turn) and record.group:
            held = record
        else:
            yield record
    if held is not None:
        yield held
    yield from between
