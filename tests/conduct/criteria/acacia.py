"""A small company for these tests: the tables and tools that the q03 sketch speaks of."""

from typing import Any, ClassVar, Literal

import msgspec

from bythebook.conduct.consent import Approval
from bythebook.conduct.criteria import Criteria, Vocabulary, evaluate, read
from bythebook.conduct.criteria.vocabulary import Edition
from bythebook.conduct.documents import Scope
from bythebook.conduct.parameters import Parameters
from bythebook.conduct.schema import Schema, Signature, spec_of, tables_of
from bythebook.conduct.world import Opening, Row, Tables, state_hash
from bythebook.tool import Day
from bythebook.trace import Actor, Event, Kind, StoredEvent, Write
from bythebook.verdict import Finding


class Line(msgspec.Struct, frozen=True):
    receipt: str
    target: str
    amount: int


class File(Row, frozen=True):
    table: ClassVar[str] = "receipt_files"
    status: Literal["open", "closed"]
    difference: int = 0


class Allocation(Row, frozen=True):
    table: ClassVar[str] = "allocations"
    file: str
    receipt: str
    target: str
    amount: int


class Advice(Row, frozen=True):
    table: ClassVar[str] = "advices"
    terms: ClassVar[tuple[str, ...]] = ("file", "lines")
    file: str
    lines: tuple[Line, ...]


class Request(Row, frozen=True):
    table: ClassVar[str] = "requests"
    terms: ClassVar[tuple[str, ...]] = ("amount", "fee", "route", "total_cap")
    case: str
    status: Literal["draft", "executed"]
    route: Literal["standard", "assisted", "express"]
    amount: int
    fee: int
    total_cap: int


class Move(Row, frozen=True):
    table: ClassVar[str] = "reserve_moves"
    request: str
    to: str
    amount: int
    status: Literal["sent", "settled", "recalled"]
    settled: int | None = None


class Reserve(Row, frozen=True):
    table: ClassVar[str] = "reserves"
    owner: str
    balance: int
    open: bool = True


class Fee(Row, frozen=True):
    table: ClassVar[str] = "fees"
    case: str
    amount: int
    day: Day


class Mandate(Row, frozen=True):
    table: ClassVar[str] = "mandates"
    total_cap: int


class Application(Row, frozen=True):
    table: ClassVar[str] = "applications"
    status: Literal["draft", "approved", "rejected"]
    evidence: str


class Evidence(Row, frozen=True):
    table: ClassVar[str] = "evidence"
    valid_to: int


KINDS: tuple[type[Row], ...] = (
    Approval, File, Allocation, Advice, Request, Move, Reserve, Fee, Mandate, Application, Evidence,
)  # fmt: skip


def signature(result: object = None, **args: object) -> Signature:
    return Signature({name: spec_of(hint) for name, hint in args.items()}, spec_of(result))


SCHEMA = Schema(
    tables=tables_of(KINDS),
    calls={
        "close_file": signature(File, file=str),
        "reconcile": signature(int, file=str),
        "allocate": signature(int, file=str, lines=tuple[Line, ...]),
        "pay": signature(Fee, account=str, amount=int, note=str | None),
        "read_document": signature(str, document=str),
        "wait": signature(int, minutes=int),
    },
    customer={"approve_request": signature(str, request=str)},
    events={"review_started": signature(application=str), "settlement": signature(move=str)},
    terms={kind.table: kind.terms for kind in KINDS if kind.terms},
)


def fee_for(route: Literal["standard", "assisted", "express"]) -> int:
    """What a release by this route costs."""
    return {"standard": 0, "assisted": 1000, "express": 2500}[route]


def owes(fee: Fee, cap: int) -> bool:
    return fee.amount > cap


EDITIONS = {
    "remittance-precedence": (
        Edition("RP-2", Scope(), "2025-01-01", "2025-09-15"),
        Edition("RP-3", Scope(), "2025-09-15", None),
    ),
    "fees": (
        Edition("FE-US", Scope(jurisdiction="US"), "2025-01-01", None),
        Edition("FE-UK", Scope(jurisdiction="UK"), "2025-01-01", None),
    ),
}
WORDS = Vocabulary(SCHEMA, {"fee_for": fee_for, "owes": owes}, EDITIONS)

START: tuple[Row, ...] = (
    File("RF-0917", "open", 3),
    Request("RQ-1", "CASE-Q03", "draft", "assisted", 6000, 1000, 6000),
    Reserve("RSV-OP", "Banyan", 6500),
    Reserve("RSV-60", "Banyan", 0),
    Mandate("MND-7", 5000),
    Application("APP-31", "draft", "EV-1"),
    Evidence("EV-1", 15),
    Evidence("EV-2", 40),
)

FRAME = """
- {id: FRAME, kind: protection, says: "Nothing else was touched.",
   frame: {except: [receipt_files, allocations, advices, requests, reserve_moves, reserves, fees,
                    mandates, applications, evidence, approvals]}}
"""


def opening(*rows: Row, start: tuple[Row, ...] = START) -> Opening:
    """The opening state with some rows more."""
    tables: Tables = {kind.table: {} for kind in KINDS}
    for row in (*start, *rows):
        tables[type(row).table][row.id] = row
    return Opening(tables, state_hash(tables), "2025-09-25", 15 * 60 + 44, Parameters({}))


def criteria(*rules: str, facts: str = "", words: Vocabulary = WORDS) -> Criteria:
    """Rules R0, R1 .. by their pattern alone (YAML, one or more lines), and the frame that every
    task has."""
    head = f"facts: {facts}\n" if facts else ""
    lines = []
    for number, rule in enumerate(rules):
        body = "\n".join(f"  {line.strip()}" for line in rule.strip().splitlines())
        lines.append(
            f"- id: R{number}\n  kind: process\n  says: it is so\n"
            f"  source: {{family: fees, clause: '1'}}\n{body}"
        )
    text = f"{head}criteria:\n" + "\n".join(lines) + FRAME
    return read(text, words, where="criteria.yaml")


class Story:
    """A run written down event by event; writes are given as the rows they leave."""

    def __init__(self, *rows: Row) -> None:
        self.opening = opening(*rows)
        self.events: list[Event] = []
        self.tables = {name: dict(rows) for name, rows in self.opening.tables.items()}

    def add(
        self, actor: Actor, kind: Kind, name: str, *rows: Row, t: int = -1, **more: Any
    ) -> "Story":
        """One event; without a t it happens at the minute of the last one."""
        writes = []
        for row in rows:
            table = self.tables[type(row).table]
            writes.append(Write(type(row).table, row.id, table.get(row.id), row))
            table[row.id] = row
        last = self.events[-1].t if self.events else 0
        minute = last if t < 0 else t
        i = len(self.events)
        self.events.append(Event(i, minute, actor, kind, name, writes=tuple(writes), **more))
        return self

    def call(self, name: str, *rows: Row, t: int = -1, ok: bool = True, **args: Any) -> "Story":
        return self.add("agent", "call", name, *rows, t=t, ok=ok, args=args)

    def answered(self, name: str, result: Any, *rows: Row, t: int = -1, **args: Any) -> "Story":
        return self.add("agent", "call", name, *rows, t=t, result=result, args=args)

    def event(
        self, name: str, *rows: Row, t: int = -1, cause: int | None = None, **args: Any
    ) -> "Story":
        return self.add("company", "event", name, *rows, t=t, cause=cause, args=args)

    def customer(self, name: str, *rows: Row, t: int = -1, **args: Any) -> "Story":
        return self.add("customer", "customer", name, *rows, t=t, args=args)

    def says(self, actor: Actor, text: str, t: int = -1) -> "Story":
        return self.add(actor, "message", actor, t=t, args={"text": text})

    def stored(self) -> tuple[StoredEvent, ...]:
        """The same events as they read back from a journal."""
        lines = [msgspec.json.encode(event) for event in self.events]
        return tuple(msgspec.json.decode(line, type=StoredEvent) for line in lines)

    def finds(self, rules: Criteria) -> dict[str, Finding]:
        """Findings by rule; live and stored events must give the same."""
        live = evaluate(rules, self.opening, self.events)
        assert evaluate(rules, self.opening, self.stored()) == live
        return {finding.id: finding for finding in live}

    def finding(self, rule: str, *, facts: str = "") -> Finding:
        """What one rule finds."""
        return self.finds(criteria(rule, facts=facts))["R0"]

    def marks(self, rule: str, *, facts: str = "") -> str:
        """What one rule finds, in short: pass, vacuous, void, or `fail@event[.write]`."""
        found = self.finding(rule, facts=facts)
        if found.verdict == "fail":
            place = f"fail@{found.at}"
            return place if found.write is None else f"{place}.{found.write}"
        return "vacuous" if found.vacuous else found.verdict
