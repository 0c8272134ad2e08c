"""The customer's scenario: what they know, when they tell it, and what they would agree to."""

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from bythebook import yamlfile
from bythebook.conduct.company import Company, rows_of
from bythebook.conduct.consent import Amendment
from bythebook.conduct.criteria import shapes
from bythebook.conduct.criteria.check import Scope
from bythebook.conduct.criteria.evaluate import LOOKUP
from bythebook.conduct.criteria.predicate import Compiler, Predicate
from bythebook.conduct.criteria.state import State
from bythebook.conduct.criteria.vocabulary import Vocabulary, editions_of
from bythebook.conduct.customer.tools import CUSTOMER
from bythebook.conduct.search import words
from bythebook.conduct.world import Row, World
from bythebook.errors import ContentError, suggestion, unknown
from bythebook.tool import Refused

LINES = Path(__file__).with_name("lines.yaml")


class Fact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing the customer knows.

    It is told when a message holds at least one phrase of every group in `asks`; phrases match by
    word stems, whole and in order. `tell_when` says the same in prose for readers and for a model.
    """

    id: str
    asks: tuple[tuple[str, ...], ...]
    says: str
    tell_when: str = ""
    does: dict[str, str] = {}

    def elicited(self, stems: list[str]) -> bool:
        """Does a message of these word stems ask for it? See `search.words`."""
        return all(any(holds(stems, phrase) for phrase in group) for group in self.asks)

    def touches(self, stems: list[str]) -> int:
        """How many groups of `asks` have a phrase in it."""
        return sum(any(holds(stems, phrase) for phrase in group) for group in self.asks)


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the approval policy."""

    on: Literal["request_approval", "request_amendment"]
    table: str
    approve_when: str
    otherwise: str


class Brought(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A document the customer can hand over: the row it becomes."""

    table: str
    row: dict[str, Any]


class ScenarioFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`customer.yaml`."""

    who: str
    party: str
    public: tuple[Fact, ...] = ()
    private: tuple[Fact, ...] = ()
    documents: dict[str, Brought] = {}
    records: dict[str, tuple[str, ...]] = {}
    decisions: tuple[Decision, ...] = ()
    approval_minutes: int = 60
    patience: int = 5
    """Messages in a row that make no sense to the customer before they leave."""
    lines: dict[str, str] = {}


def holds(stems: list[str], phrase: str) -> bool:
    """Do the stems of `phrase` stand in `stems`, whole and in order?"""
    wanted = _stems(phrase)
    if len(wanted) == 1:
        return wanted[0] in stems
    size = len(wanted)
    return any(stems[i : i + size] == wanted for i in range(len(stems) - size + 1))


@lru_cache(maxsize=65_536)
def _stems(phrase: str) -> list[str]:
    """Those of a phrase that every message is held against: not to be changed."""
    return words(phrase)


class Scenario:
    """A checked scenario; the policy behind the customer's tools."""

    def __init__(self, file: ScenarioFile, company: Company, *, where: Path, text: str) -> None:
        self.file, self._where = file, where
        self.approval_minutes = file.approval_minutes
        self.lines = yamlfile.load(LINES, dict[str, str]) | file.lines
        self.facts = {fact.id: fact for fact in (*file.public, *file.private)}
        self._rules = [self._compiled(rule, company) for rule in file.decisions]
        self._brings = {
            key: rows_of(b.table, [b.row], company.kinds, where=f"{where}, documents {key}")
            for key, b in file.documents.items()
        }
        self._check(company)

    # --- what the customer's tools ask ------------------------------------------------------

    def records(self, world: World) -> tuple[Row, ...]:
        """The customer's own rows, of those that exist now."""
        wanted = self.file.records.items()
        return tuple(
            world.tables[table][key]
            for table, keys in wanted
            for key in keys
            if key in world.tables[table]
        )

    def fact(self, id: str) -> str:
        """What the customer says of it, also when they know nothing of it."""
        return self.facts[id].says if id in self.facts else "I know nothing about that."

    def allows(self, on: str, row: Row, world: World) -> str | None:
        """None when the policy approves, else the sentence with which the customer declines."""
        table = row.subject_table if isinstance(row, Amendment) else type(row).table
        for rule, predicate in self._rules:
            if rule.on == on and rule.table == table:
                return None if _approves(predicate, world, row) else rule.otherwise
        return "I have not asked for that."

    def bring(self, id: str) -> Row:
        """The row that a document becomes. Raises `Refused` for one that they do not have."""
        if id not in self._brings:
            raise Refused(f"you have no document {id!r}; {suggestion(id, self._brings)}")
        return next(iter(self._brings[id].values()))

    # --- checks -----------------------------------------------------------------------------

    def _compiled(self, rule: Decision, company: Company) -> tuple[Decision, Predicate]:
        where = f"{self._where}, decision on {rule.table}"
        if rule.table not in company.kinds:
            raise unknown("table", rule.table, company.kinds, where=where)
        kind = Amendment if rule.on == "request_amendment" else company.kinds[rule.table]
        words = Vocabulary(company.schema, company.functions, editions_of(company.library))
        scope = Scope(words, facts=shapes.of_constant({}), where=where)
        request = shapes.row_of(company.schema, kind.table)
        compiler = Compiler.of(scope, {}).seeing({"request": request})
        return rule, compiler.truth(rule.approve_when)

    def _check(self, company: Company) -> None:
        if len(self.facts) != len(self.file.public) + len(self.file.private):
            raise ContentError("two facts share an id", where=self._where)
        for line in self.file.lines:
            if line not in yamlfile.load(LINES, dict[str, str]):
                known = yamlfile.load(LINES, dict[str, str])
                raise unknown("line", line, known, where=self._where)
        for fact in self.facts.values():
            self._check_fact(fact, f"{self._where}, fact {fact.id!r}")
        for table in self.file.records:
            if table not in company.kinds:
                raise unknown("table", table, company.kinds, where=self._where)

    def _check_fact(self, fact: Fact, where: str) -> None:
        if not fact.asks or not all(fact.asks):
            raise ContentError("asks: give at least one group of phrases, none empty", where=where)
        for tool, document in fact.does.items():
            if tool not in CUSTOMER:
                raise unknown("customer tool", tool, CUSTOMER, where=where)
            if document not in self._brings:
                raise unknown("document of the customer", document, self._brings, where=where)

    @cached_property
    def vocabulary(self) -> Mapping[str, Iterable[str]]:
        """Fact id to every phrase of its asks; for the check that paraphrases were blind."""
        return {f.id: [p for group in f.asks for p in group] for f in self.facts.values()}


def _approves(predicate: Predicate, world: World, row: Row) -> bool:
    """A look for what is not there finds no reason to approve: no request breaks a customer."""
    try:
        return bool(predicate.test(_state(world), row))
    except LOOKUP:
        return False


def _state(world: World) -> State:
    """The world as predicates read it."""
    state = State(world.tables, world.day_at(0), world.clock)
    state.t = world.t
    return state


def load_scenario(path: Path, company: Company) -> Scenario:
    """Read and check `customer.yaml`."""
    text = yamlfile.read_text(path)
    file = yamlfile.convert(text, ScenarioFile, where=path)
    return Scenario(file, company, where=path, text=text)
