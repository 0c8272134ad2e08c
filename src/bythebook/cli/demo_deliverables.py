"""The demo of deliverables: a file looks done, and one rule is wrong everywhere in it."""

from collections.abc import Mapping
from pathlib import Path

import msgspec
from rich.markup import escape

from bythebook.cli.deliver import NOT_RECALCULATED
from bythebook.cli.demo_conduct import WIDE, shortened
from bythebook.cli.demo_folder import played
from bythebook.cli.reading import reader
from bythebook.cli.speak import people, tell
from bythebook.deliverables.placed import SLIP, slip_of
from bythebook.deliverables.task import load_tasks
from bythebook.report.counts import DeliverablesCounts, deliverables_counts, deliverables_shares
from bythebook.report.scoreboard import delivered_agents_table
from bythebook.run.deliver import DeliverStage, deliver_plan
from bythebook.run.folder import EvaluationFolder
from bythebook.run.plan import Plan
from bythebook.run.players import Placing
from bythebook.run.summary import Scores
from bythebook.task import Content
from bythebook.verdict import Verdict

AGENTS = {
    "reference": "hands over what was asked for",
    SLIP: "looks done; one rule is wrong everywhere",
    "empty": "hands over nothing",
}
PLACE = "deliverables"
"""Folder of these runs inside the demo's."""
AT_ONCE = 2
"""Reading and recalculating is work of this machine's own; more at once only wait."""


class DeliverablesSeen(msgspec.Struct, frozen=True):
    """What was seen of the suite."""

    as_it_should_be: bool
    """The reference fails no item; a slip misses a core item everywhere; empty scores nothing."""
    engine: str
    """What recalculated the workbooks; empty: nothing, and the slips were not played."""
    counts: DeliverablesCounts
    agents: dict[str, Scores]


class DeliverablesDemo:
    """Its agents, and what they do in a folder."""

    def __init__(self, content: Content) -> None:
        self._tasks = load_tasks(content)
        self._reads = reader()
        self._verdicts: dict[str, tuple[Verdict, ...]] = {}
        names = [name for name in AGENTS if name != SLIP or self._reads.engine is not None]
        self.plans: dict[str, Plan] = {
            f"{PLACE}/{name}": deliver_plan(self._tasks, Placing(name), runs=1) for name in names
        }
        """By their place in the demo's folder."""

    def play(self, root: Path) -> DeliverablesSeen:
        agents: dict[str, Scores] = {}
        engine = self._reads.engine
        for place, plan in self.plans.items():
            folder = EvaluationFolder(root / place)
            player = Placing(plan.agent, engine)
            stage = DeliverStage(folder, self._tasks, player, plan, self._reads)
            agents[plan.agent], self._verdicts[plan.agent] = played(
                folder, plan, stage, concurrency=AT_ONCE
            )
        name = engine.name if engine is not None else ""
        counts = deliverables_counts(self._tasks)
        return DeliverablesSeen(_as_it_should_be(agents), name, counts, agents)

    def tell(self, seen: DeliverablesSeen) -> None:
        """What the slips are and what they score, a line a task; the table last."""
        console = people()
        console.print("[bold]deliverables[/]: what was handed over\n")
        if SLIP in self._verdicts:
            tell("Each of these files looks done. In each, one rule is wrong everywhere:")
            tasks = {task.id: task for task in self._tasks}
            wide = max(len(name) for name in tasks)
            for verdict in self._verdicts[SLIP]:
                line = f"  {verdict.task:{wide}}  {_score(verdict):>11}  "
                says = slip_of(tasks[verdict.task]).says
                console.print(escape(line + shortened(says, console.width - len(line))))
        else:
            tell(f"{NOT_RECALCULATED}; nor can files with a slip be made")
        tell(f"Of the paper's benchmark: {deliverables_shares(seen.counts)}\n")
        roomy = console.width >= WIDE
        rows = (
            (name, AGENTS[name] if roomy else "", scores) for name, scores in seen.agents.items()
        )
        console.print(delivered_agents_table(rows))
        tell("(bounds: what no check can decide awaits `bythebook judge`, by a model or by hand)")


def _score(verdict: Verdict) -> str:
    found = verdict.delivered
    if not found:
        return ""
    low, high = round(100 * found.low), round(100 * found.high)
    return f"{low}" if low == high else f"{low} to {high}"


def _as_it_should_be(agents: Mapping[str, Scores]) -> bool:
    right, nothing = agents["reference"], agents["empty"]
    no_item_fails = not any(run.broken for run in right.runs)
    slips = agents[SLIP].runs if SLIP in agents else ()
    slipped = all(run.delivered is not None and run.delivered.all_core is False for run in slips)
    return no_item_fails and slipped and all(run.score == 0 for run in nothing.runs)
