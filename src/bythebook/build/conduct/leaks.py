"""Nothing that an agent is shown gives the answer away.

Hidden are the private facts, what the traps say, and the sentences of process and protection rules;
shown are the request, the task's rows, public facts, the customer's refusals and the papers that
they hand over. Procedures and documents are the company's, and every task has them.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bythebook.build.conduct.forms import Overlay, Scenario
from bythebook.build.conduct.rules import GUARDS
from bythebook.conduct.company import Company
from bythebook.conduct.customer.scenario import ScenarioFile
from bythebook.conduct.prove.values import texts_in
from bythebook.conduct.search import words

RUN = 6
"""Words in a row that two texts share only if one was written from the other."""
GIVEAWAYS = (
    "trap", "shortcut", "counterexample", "lookalike", "golden", "decoy", "bait", "red herring",
    "criterion", "criteria", "benchmark",
)  # fmt: skip
NAMES = re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)+")

Texts = Mapping[str, str]
"""Place to text."""


def story_shown(story: Scenario) -> dict[str, str]:
    return {"request": story.request}


def rows_shown(overlay: Overlay) -> dict[str, str]:
    """Each row's texts, its id among them."""
    return {
        f"overlay {table}, {row.get('id', '')}": " · ".join(texts_in(dict(row)))
        for table, rows in overlay.overlay.items()
        for row in rows
    }


def customer_shown(file: ScenarioFile) -> dict[str, str]:
    """What the customer says or hands over without being asked for a private fact."""
    found = {f"public fact {fact.id}": fact.says for fact in file.public}
    for name, paper in file.documents.items():
        found[f"customer's document {name}"] = " · ".join(texts_in(dict(paper.row)))
    return found | {f"line {name}": text for name, text in file.lines.items()}


def refusals_shown(file: ScenarioFile) -> dict[str, str]:
    """What the customer says to a filed request that they decline; they may tell why."""
    return {f"decision on {one.table}, otherwise": one.otherwise for one in file.decisions}


def story_hidden(story: Scenario) -> dict[str, str]:
    found = {f"trap {trap.id}, right": trap.right for trap in story.traps}
    return found | {f"trap {trap.id}, tempts": trap.tempts for trap in story.traps}


def customer_hidden(file: ScenarioFile) -> dict[str, str]:
    return {f"private fact {fact.id}": fact.says for fact in file.private}


def rules_hidden(rules: tuple[dict[str, Any], ...]) -> dict[str, str]:
    guards = [rule for rule in rules if rule.get("kind") in GUARDS]
    return {f"criterion {rule.get('id')}": str(rule.get("says", "")) for rule in guards}


def own_names(company: Company, story: Scenario) -> frozenset[str]:
    """What an agent has to find: papers and tools; and the author's own names for the traps."""
    lookalikes = (name for names in story.lookalikes.values() for name in names)
    tools = (name for name in company.tools if "_" in name)
    traps = (trap.id for trap in story.traps)
    return frozenset((*story.required_documents, *lookalikes, *tools, *traps))


def leaks(shown: Texts, hidden: Texts, names: frozenset[str] = frozenset()) -> Iterator[str]:
    """Each place where something hidden can be read."""
    for place, text in shown.items():
        yield from _giveaways(place, text, names)
        for source, secret in hidden.items():
            common = shared_run(text, secret)
            if common:
                yield (
                    f"{place} gives away {source}: {common!r}\n"
                    "  say it in other words, or leave it out"
                )


def _giveaways(place: str, text: str, names: frozenset[str]) -> Iterator[str]:
    low = text.casefold()
    for word in GIVEAWAYS:
        if re.search(rf"\b{word}s?\b", low):
            yield f"{place} speaks of a {word}\n  no agent may read that word: rewrite it"
    for name in sorted(names & set(NAMES.findall(low))):
        yield f"{place} names {name}\n  an agent has to find it: leave the name out"


def shared_run(text: str, secret: str) -> str:
    """The first `RUN` words that both have in a row, as stems; empty: none."""
    mine, theirs = words(text), words(secret)
    runs = {tuple(mine[i : i + RUN]) for i in range(len(mine) - RUN + 1)}
    for i in range(len(theirs) - RUN + 1):
        if tuple(theirs[i : i + RUN]) in runs:
            return " ".join(theirs[i : i + RUN])
    return ""
