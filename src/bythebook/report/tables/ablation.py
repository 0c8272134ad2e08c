"""What happens to strict success when an agent is told more, allowed less, or met by another
customer (BizAgentBench, Tables 2 and 3, Figure 3)."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from bythebook.report.data import Evaluation, Evaluations
from bythebook.report.label import short_cap
from bythebook.report.measures import STRICT
from bythebook.report.notes import RATES, nothing, usual
from bythebook.report.panel import Measure, Panel, plain
from bythebook.report.statistics.paired import Difference
from bythebook.report.table import EMPTY, Cell, Column, Row, Table
from bythebook.report.tables.board import RUNS, TASKS, Head, groups_of, rows_of
from bythebook.report.tables.compared import DIFFERENCE, P, difference_cells
from bythebook.run.plan import Plan

SUITE = "conduct"
AGENT = Column("agent", "agent")
AGAINST = "The first row of an agent is what its other rows are compared with, on the same tasks."

Key = tuple[str, ...]
Told = Mapping[tuple[int, int], tuple[Difference, float]]


def conditions(evaluations: Evaluations) -> Table:
    """Table 2: strict success under information conditions."""
    head = Head(
        id="conditions",
        title="What an agent is told beforehand",
        says="Strict success by information condition: documents or facts handed over, sources"
        " switched off.",
        suite=SUITE,
        source="BizAgentBench, Table 2",
    )
    column = Column("condition", "condition", says="See docs/conditions.md.")
    return _ablation(evaluations, head, column, _Facet(lambda plan: plan.condition, "default"))


def caps(evaluations: Evaluations) -> Table:
    """Table 3: strict success with a cap on tool calls."""
    head = Head(
        id="caps",
        title="How many calls an agent is allowed",
        says="Strict success with at most so many times the golden's calls, R.",
        suite=SUITE,
        source="BizAgentBench, Table 3",
    )
    column = Column("cap", "cap", says="floor(ratio R) calls; none: as many as the agent likes.")
    facet = _Facet(lambda plan: f"{short_cap(plan.cap)} R" if plan.cap else "none", "none", _ratio)
    return _ablation(evaluations, head, column, facet, (CUT,))


CUT = Measure(
    Column("cut", "cut off", "percent", "Runs that ended at the cap: limit(tool_calls)."),
    plain(lambda run: run.outcome == "limit(tool_calls)"),
    share=True,
)


def simulators(evaluations: Evaluations) -> Table:
    """Figure 3 and D.2: strict success by who speaks for the customer, and how well they do."""
    head = Head(
        id="simulators",
        title="Who speaks for the customer",
        says="Strict success by the customer's voice, and how well the voice kept its protocol.",
        suite=SUITE,
        source="BizAgentBench, Figure 3",
    )
    column = Column("customer", "customer", says="A script, or a model and its prompt.")
    facet = _Facet(_voice, "scripted")
    table = _ablation(evaluations, head, column, facet)
    by_label = {one.label: one for one in evaluations.of(SUITE)}
    rows = [Row(row.key, row.cells | _protocol(by_label[row.key])) for row in table.rows]
    return head.table((*table.columns, *PROTOCOL), rows, table.notes)


def _voice(plan: Plan) -> str:
    return " ".join(filter(None, (plan.simulator, plan.simulator_prompt)))


PROTOCOL = (
    Column("turns", "customer turns", "count", "Answers asked of the customer, all attempts."),
    Column(
        "breaches",
        "turns in breach",
        "percent",
        "Turns in which a draft broke the customer's protocol, whether or not the next was right.",
        "low",
    ),
    Column("failed", "attempts failed by it", "count", "Set aside as simulator_failure."),
)


def _protocol(one: Evaluation) -> dict[str, Cell]:
    found = one.scores.customer
    if found is None:
        return {"turns": Cell(note="a script breaks nothing")}
    rate = None if found.rate is None else 100 * found.rate
    return {
        "turns": Cell(found.turns),
        "breaches": Cell(rate, n=found.turns),
        "failed": Cell(found.failed, n=found.traces),
    }


# --- one facet of the plan ----------------------------------------------------------------------


class _Facet:
    """What differs between the rows of one agent."""

    def __init__(
        self,
        of: Callable[[Plan], str],
        usual: str,
        order: Callable[[Plan], Fraction] = lambda _: Fraction(0),
    ) -> None:
        self.of, self.usual, self.order = of, usual, order


def _ratio(plan: Plan) -> Fraction:
    """Loosest cap first."""
    return -Fraction(plan.cap) if plan.cap else Fraction(0)


FACETS = ("condition", "cap", "simulator", "simulator_prompt")


def _ablation(
    evaluations: Evaluations,
    head: Head,
    column: Column,
    facet: _Facet,
    more: Sequence[Measure] = (),
) -> Table:
    """Rows of all agents that were played in more than one way, one way a row."""
    families = list(_families(evaluations.of(SUITE), facet, column.key))
    every = [one for family in families for one in family]
    panel = Panel(groups_of(every))
    pairs = _against_first(families)
    told = panel.differences(STRICT, pairs) if pairs else {}
    measures = (STRICT, *more)
    columns = {one.column.key: panel.cells(one, ranked=False) for one in measures}
    rows = [
        Row(row.key, row.cells | _named(every[place], facet, column) | _change(told, place))
        for place, row in enumerate(rows_of(panel, columns))
    ]
    shown = (AGENT, column, TASKS, RUNS, *(one.column for one in measures), DIFFERENCE, P)
    if not rows:
        why = f"no agent was played with more than one {column.title}"
        return head.table(shown, rows, nothing(why))
    return head.table(shown, rows, usual(evaluations, SUITE, panel, RATES, AGAINST))


def _families(
    every: Sequence[Evaluation], facet: _Facet, key: str
) -> Sequence[Sequence[Evaluation]]:
    """Evaluations that differ in this facet only, the usual one first."""
    planned = [(one, one.plan) for one in every if one.plan is not None]
    same = [name for name in FACETS if not name.startswith(FIELD[key])]

    def family(pair: tuple[Evaluation, Plan]) -> Key:
        return (pair[1].agent, pair[1].model, *(str(getattr(pair[1], name)) for name in same))

    found = []
    for _, members in groupby(sorted(planned, key=family), key=family):
        pairs = list(members)
        if len({facet.of(plan) for _, plan in pairs}) > 1:
            pairs.sort(key=lambda pair: (facet.of(pair[1]) != facet.usual, facet.order(pair[1])))
            found.append([one for one, _ in pairs])
    return found


FIELD = {"condition": "condition", "cap": "cap", "customer": "simulator"}
"""Column to the field of the plan that it shows."""


def _against_first(families: Sequence[Sequence[Evaluation]]) -> list[tuple[int, int]]:
    """Places of each family's first row and of each of its others, in the order of all rows."""
    pairs, start = [], 0
    for family in families:
        pairs += [(start, start + place) for place in range(1, len(family))]
        start += len(family)
    return pairs


def _named(one: Evaluation, facet: _Facet, column: Column) -> dict[str, Cell]:
    plan = one.plan
    assert plan is not None
    agent = " · ".join(filter(None, (plan.agent, plan.model)))
    return {"agent": Cell(agent), column.key: Cell(facet.of(plan))}


def _change(told: Told, place: int) -> dict[str, Cell]:
    for (_, second), (found, p) in told.items():
        if second == place:
            return difference_cells(found, p)
    return {"difference": EMPTY, "p": EMPTY}
