"""The company's state: typed frozen rows in copy-on-write tables, a clock, scheduled events.

Nothing here asks the machine for time, identity or chance, so a run replays to the byte. Opening a
world copies one dictionary of tables; a table is copied when it is first written. Every write is
logged in order, so that a dip inside one call is visible.
"""

import hashlib
import heapq
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from bythebook.conduct.parameters import Parameters
from bythebook.conduct.schema import hash_of_terms
from bythebook.errors import ContentError
from bythebook.tool import Day, Refused
from bythebook.trace import Write

MINUTES_A_DAY = 24 * 60


class Row(msgspec.Struct, frozen=True):
    """One record. A subclass names its table, the prefix of its ids and, if a customer can approve
    it, the fields that an approval binds."""

    table: ClassVar[str] = ""
    prefix: ClassVar[str] = ""
    terms: ClassVar[tuple[str, ...]] = ()
    amendable: ClassVar[tuple[str, ...]] = ()
    """Fields that the customer may change when asked to."""
    private: ClassVar[bool] = False
    """Rows the agent cannot list with `query_records`."""

    id: str


R = TypeVar("R", bound=Row)
Tables = dict[str, dict[str, Row]]

_encode = msgspec.json.Encoder().encode


def row_hash(table: str, row: Row) -> int:
    """128-bit hash of one row; the hash of a state is the exclusive or over its rows."""
    return bytes_hash(table, _encode(row))


def bytes_hash(table: str, row: bytes) -> int:
    """The same of a row's JSON, as a trace holds it."""
    data = table.encode() + b"\0" + row
    return int.from_bytes(hashlib.blake2b(data, digest_size=16).digest(), "big")


def state_hash(tables: Mapping[str, Mapping[str, Row]]) -> int:
    """Hash of a whole state, from scratch."""
    total = 0
    for name, rows in tables.items():
        for row in rows.values():
            total ^= row_hash(name, row)
    return total


def valid(row: Row) -> None:
    """Check a row against its declared types and bounds; a misfit is our fault, not the agent's."""
    try:
        msgspec.convert(msgspec.to_builtins(row), type(row), strict=True)
    except msgspec.ValidationError as error:
        raise ContentError(str(error), where=f"{type(row).table} {row.id}") from None


def terms_hash(row: Row) -> str:
    """What an approval of `row` binds: a hash of the row's declared terms."""
    return hash_of_terms(row, type(row).terms)


class Opening(msgspec.Struct, frozen=True):
    """Everything a world starts from; shared by all runs of a task."""

    tables: Tables
    hash: int
    day: Day
    clock: int
    """What t = 0 is on the story's wall clock, in minutes after midnight."""
    parameters: Parameters


class Due(msgspec.Struct, frozen=True, order=True):
    """A scheduled event; order is total: due minute, priority, then serial number."""

    due: int
    priority: int
    serial: int
    name: str
    args: dict[str, Any]
    cause: int | None
    """The agent event that scheduled it; None for the task's own events."""


class World:
    """One run's company. Tools read and write it through `world[RowType]`."""

    __slots__ = (
        "_fresh",
        "_opening",
        "_owned",
        "_serial",
        "cause",
        "hash",
        "heap",
        "log",
        "t",
        "tables",
    )

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._owned: set[str] = set()
        self._serial = 0
        self._fresh: list[Due] = []
        self.tables: Tables = dict(opening.tables)
        self.log: list[Write] = []
        self.hash = opening.hash
        self.t = 0
        self.heap: list[Due] = []
        self.cause: int | None = None

    def __getitem__(self, kind: type[R]) -> "Table[R]":
        return Table(self, kind)

    # --- time -------------------------------------------------------------------------------

    @property
    def day(self) -> Day:
        """The story's calendar day now."""
        return self.day_at(self.t)

    def day_at(self, t: int) -> Day:
        """The story's calendar day `t` minutes after the task opened."""
        return add_days(self._opening.day, (self._opening.clock + t) // MINUTES_A_DAY)

    @property
    def clock(self) -> int:
        """What t = 0 is on the wall clock, in minutes after midnight."""
        return self._opening.clock

    def minute(self, clock: str) -> int:
        """The t at which the task's day reads `clock` ("16:00"); negative when it has passed."""
        hours, minutes = clock.split(":")
        return int(hours) * 60 + int(minutes) - self._opening.clock

    def clock_at(self, t: int) -> str:
        """What the wall clock shows at `t`: "HH:MM"."""
        minutes = (self._opening.clock + t) % MINUTES_A_DAY
        return f"{minutes // 60:02d}:{minutes % 60:02d}"

    @property
    def policy(self) -> Parameters:
        """The policy's numbers, the same that the documents print."""
        return self._opening.parameters

    def schedule(self, name: str, *, due: int, priority: int = 5, **args: Any) -> None:
        """Have the company do something later; due now or earlier means as soon as time moves."""
        self._serial += 1
        entry = Due(max(due, self.t), priority, self._serial, name, args, self.cause)
        heapq.heappush(self.heap, entry)
        self._fresh.append(entry)

    def passing(self, until: int) -> Iterator[Due]:
        """Move time on to `until`, stopping at each event that falls due on the way.

        While it stops, the clock and `cause` are the event's; the caller carries it out.
        """
        while self.heap and self.heap[0].due <= until:
            due = self.next_due()
            self.t, self.cause = max(self.t, due.due), due.cause
            yield due
        self.t = until

    def next_due(self) -> Due:
        """Take the next scheduled event off the list."""
        return heapq.heappop(self.heap)

    # --- rows -------------------------------------------------------------------------------

    def put(self, row: Row) -> None:
        """Write one row. Every write passes here."""
        valid(row)
        name = type(row).table
        if name not in self._owned:
            self._owned.add(name)
            self.tables[name] = dict(self.tables.get(name, {}))
        rows = self.tables[name]
        old = rows.get(row.id)
        rows[row.id] = row
        self.hash ^= row_hash(name, row)
        if old is not None:
            self.hash ^= row_hash(name, old)
        self.log.append(Write(name, row.id, old, row))

    def undo(self) -> None:
        """Take back everything logged and scheduled since the log was last taken (a refused call
        writes nothing)."""
        for write in reversed(self.log):
            rows = self.tables[write.table]
            self.hash ^= row_hash(write.table, write.new)
            if write.old is None:
                del rows[write.key]
            else:
                rows[write.key] = write.old
                self.hash ^= row_hash(write.table, write.old)
        self.log = []
        for entry in self._fresh:
            self.heap.remove(entry)
            self._serial -= 1
        heapq.heapify(self.heap)
        self._fresh = []

    def take_log(self) -> tuple[Write, ...]:
        """The writes since the last call, in order."""
        writes, self.log, self._fresh = tuple(self.log), [], []
        return writes

    def fork(self) -> "World":
        """An independent copy of this moment, in microseconds."""
        twin = World.__new__(World)
        twin._opening, twin._serial = self._opening, self._serial
        twin._owned, self._owned, twin._fresh = set(), set(), list(self._fresh)
        twin.tables, twin.log, twin.hash = dict(self.tables), list(self.log), self.hash
        twin.t, twin.heap, twin.cause = self.t, list(self.heap), self.cause
        return twin


class Table(Generic[R]):
    """One table of one world, typed by its row class."""

    __slots__ = ("_kind", "_world")

    def __init__(self, world: World, kind: type[R]) -> None:
        self._world, self._kind = world, kind

    @property
    def _rows(self) -> dict[str, R]:
        return self._world.tables.get(self._kind.table, {})  # type: ignore[return-value]  # keyed by row class

    def __iter__(self) -> Iterator[R]:
        return iter(self._rows.values())

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    def get(self, key: str) -> R | None:
        """The row; None where there is none."""
        return self._rows.get(key)

    def __getitem__(self, key: str) -> R:
        """The row, or `Refused` in words an agent can act on."""
        row = self._rows.get(key)
        if row is None:
            raise Refused(f"{self._kind.table}: there is no {key!r}")
        return row

    def where(self, **columns: object) -> list[R]:
        """Rows whose columns equal the given values, in table order."""
        wanted = columns.items()
        return [r for r in self._rows.values() if all(getattr(r, c) == v for c, v in wanted)]

    def add(self, **columns: Any) -> R:
        """A new row under the table's next free number."""
        rows, prefix = self._rows, self._kind.prefix
        number = len(rows) + 1
        while f"{prefix}-{number}" in rows:
            number += 1
        row = self._kind(id=f"{prefix}-{number}", **columns)
        self._world.put(row)
        return row

    def put(self, row: R) -> R:
        """Write a whole row under its own id, new or not."""
        self._world.put(row)
        return row

    def change(self, key: str, **columns: Any) -> R:
        """The row with some columns changed, written even when nothing differs."""
        row = msgspec.structs.replace(self[key], **columns)
        self._world.put(row)
        return row


def add_days(day: Day, days: int) -> Day:
    """`day` moved by a number of calendar days."""
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


def days_between(first: Day, last: Day) -> int:
    """Calendar days from `first` to `last`; negative when `last` is earlier."""
    return (date.fromisoformat(last) - date.fromisoformat(first)).days
