"""Conditions: what an agent is spared or denied finding out (paper: information ablations).

Three switches hand something over, and sources can be switched off. Named sets of them:

    default            nothing is handed over
    gold-docs          the task's required documents
    full-disclosure    what the customer knows
    golden-trace       the calls of the golden, for study
    events             what is scheduled and cannot be known, for study
    without:SOURCE     a source is switched off: documents, records, sop, tool-search

They are joined by +: `gold-docs+full-disclosure`, `without:documents+tool-search`. None of them
touches the company: the opening state, what is scheduled and the rules are the same under all.
"""

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from bythebook.agents.protocol import Briefing
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.instructions import briefing
from bythebook.conduct.source import NO_SOURCES, SOURCES
from bythebook.conduct.task import ConductTask
from bythebook.conduct.world import World
from bythebook.errors import UsageError, suggestion
from bythebook.trace import Event

WITHOUT = "without:"


class Condition(msgspec.Struct, frozen=True):
    """What an agent is handed, and where it cannot look (BizAgentBench: information ablations)."""

    name: str = "default"
    documents: bool = False
    """The required documents open the agent's context."""
    facts: bool = False
    """What the customer knows opens the agent's context; the trace counts it as told."""
    golden: bool = False
    """The calls of the golden open the agent's context."""
    events: bool = False
    """What the task has scheduled opens the agent's context."""
    without: frozenset[str] = NO_SOURCES

    def briefing(self, task: ConductTask) -> Briefing:
        """What an agent is shown first under this condition."""
        return briefing(task, handed=self.handed(task), without=self.without)

    def handed(self, task: ConductTask) -> str:
        """The text that is handed over before the first move; empty when there is none."""
        parts = []
        if self.documents:
            library = task.company.library.documents
            texts = [library[name].text for name in task.file.required_documents]
            parts.append("\n\n".join(["# Documents that this task needs", *texts]))
        if self.facts:
            facts = [f"- {fact.says}" for fact in task.scenario.facts.values()]
            parts.append("\n".join(["# What the customer knows", "", *facts]))
        if self.golden:
            parts.append("\n".join(["# One right way to do this task", "", *_golden(task)]))
        if self.events:
            parts.append("\n".join(["# What will happen, whatever you do", "", *_events(task)]))
        return "\n\n".join(parts)


CONDITIONS = {
    "default": Condition(),
    "gold-docs": Condition("gold-docs", documents=True),
    "full-disclosure": Condition("full-disclosure", facts=True),
    "golden-trace": Condition("golden-trace", golden=True),
    "events": Condition("events", events=True),
}
SWITCHES = ("documents", "facts", "golden", "events")


def condition(name: str) -> Condition:
    """The condition of that name. Raises `UsageError` with the nearest name."""
    on: set[str] = set()
    without: set[str] = set()
    for word in name.split("+"):
        source = word.removeprefix(WITHOUT)
        if word.startswith(WITHOUT) or (without and source in SOURCES):
            if source not in SOURCES:
                hint = suggestion(source, SOURCES)
                raise UsageError(f"no source {source!r}", where=name, hint=hint)
            without.add(source)
        elif word in CONDITIONS:
            on |= {switch for switch in SWITCHES if getattr(CONDITIONS[word], switch)}
        else:
            known = [*CONDITIONS, *(WITHOUT + source for source in SOURCES)]
            raise UsageError(f"no condition {word!r}", hint=suggestion(word, known))
    switched = dict.fromkeys(sorted(on), True)
    return replace(Condition(), name=_name(on, without), without=frozenset(without), **switched)


def _name(on: set[str], without: set[str]) -> str:
    """One name for one condition, in whatever order its words were given."""
    words = [
        word for word, known in CONDITIONS.items() if any(getattr(known, switch) for switch in on)
    ]
    if without:
        words.append(WITHOUT + "+".join(sorted(without)))
    return "+".join(words) or "default"


def _golden(task: ConductTask) -> Iterator[str]:
    """The golden's calls with their arguments, and what the customer said. Answers are left out."""
    for event in Scripts(task).rehearsal().events:
        if event.kind == "call":
            yield f"- t={event.t} `{event.name}` {_json(event)}"
        elif event.kind == "message" and event.i:
            yield f"- t={event.t} the customer: {event.args['text']}"


def _json(event: Event) -> str:
    return msgspec.json.encode(event.args).decode()


def _events(task: ConductTask) -> Iterator[str]:
    world = World(task.opening)
    for event in sorted(task.file.events, key=lambda event: event.t):
        about = (task.company.events[event.event].__doc__ or "").split(". ")[0].split()
        when = f"{world.day_at(event.t)}, {world.clock_at(event.t)} (t={event.t})"
        args = msgspec.json.encode(event.args).decode()
        yield f"- {when}: `{event.event}` {args}. {' '.join(about)}".rstrip(". ") + "."
    if not task.file.events:
        yield "Nothing is scheduled."
