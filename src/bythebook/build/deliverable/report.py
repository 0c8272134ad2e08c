"""The report of a place, under the five quality criteria of StartupBench, Figure 2.

Everything in it is read from the ledger and the records; where there is nothing, it says so.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from statistics import median

import msgspec

from bythebook.build.deliverable.findings import Findings, findings
from bythebook.build.deliverable.funnel import (
    Experts,
    Passage,
    Signed,
    experts,
    funnel,
    signed,
)
from bythebook.build.deliverable.gates import standings, subjects
from bythebook.build.deliverable.place import Place
from bythebook.build.deliverable.records import Rules
from bythebook.build.ledger import Decision, Ledger, Standing
from bythebook.deliverables.judge.agreement import Figures
from bythebook.deliverables.task import DOMAINS
from bythebook.task import PAPER_SIZE

NOTHING = "nothing recorded"


class Entry(msgspec.Struct, frozen=True):
    """One line under a heading."""

    what: str
    found: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    criteria: dict[str, tuple[Entry, ...]]
    """Heading to its lines."""
    funnel: tuple[Passage, ...]
    experts: Experts
    signed: dict[str, Signed]
    waived: tuple[str, ...]
    """Each gate that was waived: where, by whom, why."""
    stand_ins: tuple[str, ...]
    """Each gate that a model passed in the place of a person."""
    tasks: int
    """Through all gates."""
    paper: int
    """Tasks in StartupBench."""
    lines: int
    head: str
    """SHA-256 of the ledger's last line."""


def report(place: Place) -> Report:
    """Raises `ContentError` where the ledger is not what was written."""
    ledger = Ledger(place.root)
    lines = ledger.lines()
    stand = {name: standings(place, name) for name in subjects(place)}
    found = [findings(place, name) for name in place.names("task")]
    last = {(line.subject, line.gate): line for line in lines}.values()
    models = [line for line in last if line.kind == "model" and line.decided == "pass"]
    through = [
        name
        for name, gates in stand.items()
        if name.startswith("task/") and all(one.holds for one in gates.values())
    ]
    return Report(
        criteria={
            "User-centricity": tuple(user_centricity(place, found)),
            "Validity": tuple(validity(found)),
            "Reliability": tuple(reliability(place, found, stand)),
            "Diversity": tuple(diversity(found)),
            "Transparency": (
                *transparency(lines, found),
                Entry("thresholds of this place", thresholds(place.rules)),
            ),
        },
        funnel=funnel(lines, stand),
        experts=experts(lines),
        signed=signed(lines),
        waived=tuple(_told(line) for line in lines if line.decided == "waive"),
        stand_ins=tuple(_told(line) for line in models if line.gate != "construction"),
        tasks=len(through),
        paper=int(PAPER_SIZE["deliverables"]["tasks"]),
        lines=len(lines),
        head=ledger.head,
    )


def _told(line: Decision) -> str:
    return f"{line.gate} of {line.subject}, by {line.who} ({line.kind}), {line.day}: {line.why}"


# --- the five criteria --------------------------------------------------------------------------


def user_centricity(place: Place, found: Sequence[Findings]) -> Iterator[Entry]:
    """Reflect real-world needs."""
    products = {name: place.product(name).value for name in place.names("product")}
    sums = [one.funding.usd for one in products.values() if one.funding.usd is not None]
    paid = sum(any(a.kind == "paid" for a in one.adoption) for one in products.values())
    yield _entry("products surveyed", products and f"{len(products)}, {paid} of them with paid use")
    yield _entry(
        "their funding",
        sums and f"USD {min(sums):,} to {max(sums):,}, median {median(sums):,.0f}",
    )
    interviews = [place.interview(name).value for name in place.names("interview")]
    models = sum(one.answered_by == "model" for one in interviews)
    roles = sorted({one.user.role for one in interviews if one.user.role})
    yield _entry(
        "users interviewed",
        interviews and f"{len(interviews)}, {models} of them answered by a model",
    )
    yield _entry("their roles", "; ".join(roles))
    demos = Counter[str]()
    for one in interviews:
        demos[one.product] += len(one.demos)
    with_demo = sum(demos[name] > 0 for name in products)
    yield _entry("demo cases", demos.total() and f"{demos.total()}, for {with_demo} products")
    traced = [one.task for one in found if one.product in products]
    yield _entry("tasks that lead back to a product", found and f"{len(traced)} of {len(found)}")


def validity(found: Sequence[Findings]) -> Iterator[Entry]:
    """Ensure accuracy and construct validity."""
    yield _each("admission: questions that hold", found, lambda one: f"{one.admission} of 4")
    yield _each("second reader: questions that hold", found, lambda one: f"{one.review} of 4")
    yield _each(
        "the reference gets the full score",
        found,
        lambda one: "" if one.proof is None else "yes" if one.proof.goldens else "no",
    )
    yield _each("requirements mapped to items", found, lambda one: str(one.mapped or ""))
    yield _each("scoring points looked at again", found, lambda one: _counts(one.points))


def reliability(
    place: Place, found: Sequence[Findings], stand: dict[str, dict[str, Standing]]
) -> Iterator[Entry]:
    """Ensure consistency and reproducibility."""
    yield _each(
        "proved by wrong and right answers",
        found,
        lambda one: (
            ""
            if one.proof is None
            else f"{'yes' if one.proof.proved else 'no'}, {one.proof.counterexamples} faults"
        ),
    )
    yield _each("raters", found, _raters)
    yield _each(
        "judge and raters, item by item",
        found,
        lambda one: _agreed(one, one.agreement.items) if one.agreement else "",
    )
    lapsed = {
        f"{gate.gate} of {name}": gate.found
        for name, gates in stand.items()
        for gate in gates.values()
        if gate.state == "lapsed"
    }
    yield Entry("decisions that have lapsed", "; ".join(lapsed) or "none")
    again = [f"{gate}: {says}" for gate, says in lapsed.items() if says]
    if found and place.reader.engine is None:
        again = ["LibreOffice is not here: references and pilots were not judged again"]
    yield _entry("found when judged again today", "; ".join(again) or (found and "nothing"))


def diversity(found: Sequence[Findings]) -> Iterator[Entry]:
    """Cover varied scenarios and difficulty levels."""
    domains = Counter(one.domain for one in found if one.domain)
    yield _entry("domains", domains and f"{len(domains)} of {len(DOMAINS)}: {_counts(domains)}")
    scenarios = {one.scenario for one in found if one.scenario}
    yield _entry("scenarios", scenarios and str(len(scenarios)))
    formats = Counter(name for one in found for name in one.formats)
    yield _entry("formats", _counts(formats))
    levels, dimensions = Counter[str](), Counter[str]()
    for one in found:
        levels.update(one.levels)
        dimensions.update(one.dimensions)
    yield _entry("items by level", _counts(levels))
    yield _entry("items by dimension", _counts(dimensions))
    yield _each(
        "scores of the pilots",
        found,
        lambda one: ", ".join(f"{p.agent} {_percent(p.score)}" for p in one.pilots),
    )


def transparency(lines: Sequence[Decision], found: Sequence[Findings]) -> Iterator[Entry]:
    """Document process and evaluation clearly."""
    yield _entry("decisions in the ledger", lines and str(len(lines)))
    days = sorted(line.day for line in lines)
    yield _entry("made", days and f"{days[0]} to {days[-1]}")
    causes = Counter[str]()
    for one in found:
        causes.update(one.causes)
    yield _entry("items that pilots failed, by cause", _counts(causes))
    returned = [line for line in lines if line.decided == "return"]
    yield _entry("sent back", returned and "; ".join(_told(line) for line in returned))
    discarded = [line for line in lines if line.decided == "discard"]
    yield _entry("discarded", discarded and "; ".join(_told(line) for line in discarded))


def thresholds(rules: Rules) -> str:
    """What was set otherwise than usual: a gate that asks for nothing should not do so unseen."""
    usual = Rules()
    other = [
        f"{name} {getattr(rules, name)} instead of {getattr(usual, name)}"
        for name in ("funding_usd", "many_users", "pilots", "too_easy_percent")
        if getattr(rules, name) != getattr(usual, name)
    ]
    return "; ".join(other) or "as usual"


def _entry(what: str, found: object) -> Entry:
    return Entry(what, str(found) if found else NOTHING)


def _each(what: str, found: Sequence[Findings], says: Callable[[Findings], str]) -> Entry:
    """One line for all tasks; a task with nothing to say is named as such."""
    told = [f"{one.task}: {says(one) or NOTHING}" for one in found]
    return _entry(what, "; ".join(told))


def _counts(counted: dict[str, int] | Counter[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in sorted(counted.items()))


def _raters(one: Findings) -> str:
    models = f", {one.models} of them a model" if one.models else ""
    return f"{one.raters}{models}" if one.raters else ""


def _agreed(one: Findings, figures: Figures) -> str:
    """A model's marks beside a judge's say nothing of people, and the report does not let them."""
    alone = one.raters and one.raters == one.models
    return _agreement(figures) + (", with no person among the raters" if alone else "")


def _agreement(figures: Figures) -> str:
    named = (("raw", figures.raw), ("kappa", figures.kappa), ("AC1", figures.ac1))
    told = [f"{name} {_number(figure.value)}" for name, figure in named]
    return f"{', '.join(told)} over {figures.n} items"


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"


def _percent(score: float | None) -> str:
    return "not judged" if score is None else f"{100 * score:.1f}"
