"""Conditions: what an agent is spared or denied finding out (paper: information ablations).

default            nothing is handed over
gold-docs          the task's required documents are handed over
full-disclosure    the customer's facts are handed over as well
without:SOURCE     a source is switched off: documents, tool-search (joined by +)
"""

import msgspec

from bythebook.conduct.task import ConductTask
from bythebook.errors import UsageError, suggestion

SOURCES = ("documents", "tool-search")


class Condition(msgspec.Struct, frozen=True):
    name: str = "default"
    documents: bool = False
    """The required documents open the agent's context."""
    facts: bool = False
    """What the customer knows opens the agent's context; the trace counts it as told."""
    without: frozenset[str] = frozenset()

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
        return "\n\n".join(parts)


CONDITIONS = {
    "default": Condition(),
    "gold-docs": Condition("gold-docs", documents=True),
    "full-disclosure": Condition("full-disclosure", documents=True, facts=True),
}


def condition(name: str) -> Condition:
    """The condition of that name. Raises `UsageError` with the nearest name."""
    if name in CONDITIONS:
        return CONDITIONS[name]
    first, colon, rest = name.partition(":")
    if first != "without" or not colon:
        known = [*CONDITIONS, *(f"without:{source}" for source in SOURCES)]
        raise UsageError(f"no condition {name!r}", hint=suggestion(name, known))
    sources = rest.split("+")
    for source in sources:
        if source not in SOURCES:
            raise UsageError(f"no source {source!r}", where=name, hint=suggestion(source, SOURCES))
    return Condition("without:" + "+".join(sorted(set(sources))), without=frozenset(sources))
