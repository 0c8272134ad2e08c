"""A criteria file for the traces of other programs: it needs no company, and says all it needs.

    policy?:         {name: .., source?: ..}
    tables?:         {TABLE: {column: TYPE}}          what is recorded of what the trace shows
    tools:           {TOOL: {args?: {name: TYPE}, result?: TYPE, also?: [other name+]}}
    customer_tools?: likewise, tools that the customer uses
    track?:          [TRACK+]                         which results set which rows (`track`)
    facts?, criteria:                                 as in criteria.yaml; no frame is needed

A rule that rests on a guess about words, by its own predicates or by the tables it reads, must say
`heuristic: true`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from bythebook import yamlfile
from bythebook.conduct.criteria import shapes as of
from bythebook.conduct.criteria.check import Scope
from bythebook.conduct.criteria.grammar import Criteria, Rule, build
from bythebook.conduct.criteria.predicate import Compiler
from bythebook.conduct.criteria.selector import Key
from bythebook.conduct.criteria.vocabulary import Vocabulary
from bythebook.conduct.schema import Schema
from bythebook.errors import ContentError
from bythebook.interop.forms import (
    ANY,
    TEXT,
    Called,
    Calls,
    ForeignForms,
    Form,
    fields_of,
    form_of,
)
from bythebook.interop.records import TURN
from bythebook.interop.texts import FUNCTIONS, HEURISTIC
from bythebook.interop.track import RawTrack, Track, read_tracks

EVENTS: Mapping[str, Called] = {
    TURN: Called(
        {
            "calls": Form("int"),
            "tools": Form("list", item=TEXT),
            "text": TEXT,
        },
        Form("any"),
    )
}
"""What a trace itself makes happen. `agent_turn`: the agent's turn begins; how many calls it holds,
of which tools, and what it says beside them."""
SAID = Called({"text": TEXT}, ANY)


class RawTool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool, as written."""

    args: dict[str, Any] = {}
    result: Any = "any"
    also: tuple[str, ...] = ()
    """Other names that it goes by, such as `mcp__shop__refund`."""


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which policy the rules were written from."""

    name: str = ""
    source: str = ""


class RawRulebook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file as it is written; `criteria` and `facts` are read by the criteria's own grammar."""

    criteria: list[Any]
    facts: dict[str, Any] = {}
    policy: Policy = Policy()
    tables: dict[str, dict[str, Any]] = {}
    tools: dict[str, RawTool] = {}
    customer_tools: dict[str, RawTool] = {}
    track: tuple[RawTrack, ...] = ()


@dataclass(frozen=True)
class Rulebook:
    """Rules, and how the state that they read is made. Stateless: one object serves all traces."""

    criteria: Criteria
    tracks: tuple[Track, ...]
    policy: Policy
    where: str
    aliases: Mapping[str, str]
    """Other names of tools, to the ones that rules use."""

    @cached_property
    def listeners(self) -> Mapping[Key, tuple[Track, ...]]:
        """Events to the rules of `track:` that hear them, in the order of the file."""
        found: dict[Key, tuple[Track, ...]] = {}
        for track in self.tracks:
            found[track.what.key] = (*found.get(track.what.key, ()), track)
        return found

    @property
    def tables(self) -> Iterable[str]:
        """Names of the tables that the file declares."""
        return self.criteria.vocabulary.schema.tables


def load_rulebook(path: Path) -> Rulebook:
    """Read a criteria file. Raises `ContentError` naming file, line and rule."""
    return read_rulebook(yamlfile.read_text(path), where=path)


def read_rulebook(text: str, *, where: str | Path) -> Rulebook:
    """The criteria file in `text`."""
    data = yamlfile.parse(text, where)
    raw = yamlfile.fit(data, RawRulebook, where=where, text=text)
    place = Place(str(where), text)
    calls = _calls(raw, place)
    tables = {
        name: fields_of(columns, place.at(f".tables.{name}"))
        for name, columns in raw.tables.items()
    }
    schema = Schema(
        tables={name: {n: f.spec for n, f in forms.items()} for name, forms in tables.items()},
        calls=_signatures(calls["call"]),
        customer=_signatures(calls["customer"]),
        events=_signatures(calls["event"]),
    )
    words = Vocabulary(schema, FUNCTIONS, reading=ForeignForms.of(calls))
    rules = {"facts": raw.facts, "criteria": raw.criteria}
    criteria = build(rules, words, where=where, text=text, of_task=False)
    tracks, guessed = _tracks(raw, criteria, place)
    for number, rule in enumerate(criteria.rules):
        _check_heuristic(rule, guessed, place.at(f".criteria[{number}]"))
    return Rulebook(criteria, tracks, raw.policy, str(where), _aliases(raw, place))


@dataclass(frozen=True)
class Place:
    """Where in the file something stands."""

    where: str
    text: str

    def at(self, path: str) -> str:
        """`file:line` of a place such as `.tables.orders`; the file alone where it is not found."""
        line = yamlfile.line_of(self.text, path)
        return f"{self.where}:{line}" if line else self.where


def _calls(raw: RawRulebook, place: Place) -> Calls:
    def read(tools: Mapping[str, RawTool], part: str) -> dict[str, Called]:
        return {
            name: Called(
                fields_of(tool.args, place.at(f".{part}.{name}.args")) if tool.args else {},
                form_of(tool.result, place.at(f".{part}.{name}.result")),
            )
            for name, tool in tools.items()
        }

    return {
        "call": read(raw.tools, "tools"),
        "customer": read(raw.customer_tools, "customer_tools"),
        "event": EVENTS,
        "message": {"agent": SAID, "customer": SAID},
    }


def _aliases(raw: RawRulebook, place: Place) -> dict[str, str]:
    found: dict[str, str] = {}
    for part, tools in (("tools", raw.tools), ("customer_tools", raw.customer_tools)):
        for name, tool in tools.items():
            for other in tool.also:
                if other in tools or found.setdefault(other, name) != name:
                    where = place.at(f".{part}.{name}.also")
                    raise ContentError(f"{other!r} is the name of another tool", where=where)
    return found


def _signatures(calls: Mapping[str, Called]) -> dict[str, Any]:
    return {name: called.signature for name, called in calls.items()}


def _tracks(
    raw: RawRulebook, criteria: Criteria, place: Place
) -> tuple[tuple[Track, ...], frozenset[str]]:
    """The rules of `track:`, and the tables that rest on a guess about words."""
    found: list[Track] = []
    guessed: set[str] = set()
    facts = of.of_constant(raw.facts)
    for number, one in enumerate(raw.track):
        scope = Scope(criteria.vocabulary, facts, place.at(f".track[{number}]"))
        found += read_tracks(one, Compiler.of(scope, raw.facts))
        if scope.uses.functions & HEURISTIC or scope.uses.tables & guessed:
            guessed.add(one.table)
    return tuple(found), frozenset(guessed)


def _check_heuristic(rule: Rule, guessed: frozenset[str], where: str) -> None:
    written = {name for kind, name in rule.pattern.keys if kind == "write"}
    reasons = [f"{name}()" for name in sorted(rule.functions & HEURISTIC)]
    reasons += [f"table {name!r}" for name in sorted((rule.tables | written) & guessed)]
    if reasons and not rule.heuristic:
        what = f"criterion {rule.id!r} rests on a guess about words: {', '.join(reasons)}"
        raise ContentError(what, where=where, hint="say `heuristic: true`; it is counted apart")
