"""The demo of conduct: by the end state alone, an agent that breaks the rules has full marks."""

from collections.abc import Mapping
from pathlib import Path

import msgspec
from rich.markup import escape

from bythebook.cli.demo_folder import played
from bythebook.cli.speak import people, tell
from bythebook.conduct.company import load_company
from bythebook.conduct.task import load_tasks
from bythebook.report.counts import ConductCounts, conduct_counts, shares
from bythebook.report.scoreboard import agents_table
from bythebook.run.agents import Scripted
from bythebook.run.conduct import ConductStage
from bythebook.run.folder import EvaluationFolder
from bythebook.run.plan import Plan, plan_of
from bythebook.run.summary import Scores
from bythebook.task import Content
from bythebook.verdict import Verdict

AGENTS = {
    "golden": "does the work by the book",
    "shortcut": "reaches the goal the quick way",
    "idle": "does nothing",
}
WIDE = 100
"""Columns of a screen on which the table has room for what the agents do."""
SHORTEST = 30
"""Characters of a broken rule on the narrowest screen."""


class ConductSeen(msgspec.Struct, frozen=True):
    """What was seen of the suite."""

    as_it_should_be: bool
    """golden is strict everywhere; shortcut reaches every goal and is strict nowhere; idle reaches
    nothing."""
    counts: ConductCounts
    agents: dict[str, Scores]


class ConductDemo:
    """Its agents, and what they do in a folder."""

    def __init__(self, content: Content) -> None:
        self._company = load_company(content)
        self._tasks = load_tasks(content, self._company)
        self._verdicts: dict[str, tuple[Verdict, ...]] = {}
        self.plans: dict[str, Plan] = {
            name: plan_of(self._tasks, Scripted(name), runs=1) for name in AGENTS
        }
        """By their place in the demo's folder."""

    def play(self, root: Path) -> ConductSeen:
        agents: dict[str, Scores] = {}
        for name, plan in self.plans.items():
            folder = EvaluationFolder(root / name)
            stage = ConductStage(folder, self._tasks, Scripted(name), plan)
            agents[name], self._verdicts[name] = played(folder, plan, stage)
        counts = conduct_counts(self._company, tasks=len(self._tasks))
        return ConductSeen(_as_it_should_be(agents), counts, agents)

    def tell(self, seen: ConductSeen) -> None:
        """What broke, a line a task; the table last, where the eye is when the command ends."""
        console = people()
        console.print("[bold]conduct[/]: how the work was done\n")
        runs = seen.agents["shortcut"].summary.runs
        tell(f"By the end state alone the shortcut agent scores {runs} of {runs}. It broke:")
        shortcuts = self._verdicts["shortcut"]
        wide = max((len(verdict.task) for verdict in shortcuts), default=0)
        for verdict in shortcuts:
            line = f"  {verdict.task:{wide}}  "
            console.print(escape(line + _broke(verdict, console.width - len(line))))
        tell(f"Of the paper's benchmark: {shares(seen.counts)}\n")
        roomy = console.width >= WIDE
        rows = ((name, does if roomy else "", seen.agents[name]) for name, does in AGENTS.items())
        console.print(agents_table(rows))
        tell("(idle breaks no rule because it does nothing; it reaches no goal either)")


def _as_it_should_be(agents: Mapping[str, Scores]) -> bool:
    golden, shortcut, idle = (agents[name].summary for name in AGENTS)
    return (golden.strict, shortcut.goal, shortcut.strict, idle.goal) == (1, 1, 0, 0)


def _broke(verdict: Verdict, room: int) -> str:
    """The rule that broke first and how many more, in so many characters."""
    failed = [finding for finding in verdict.findings if finding.verdict == "fail"]
    if not failed:
        return "nothing"
    first = min(failed, key=lambda finding: (finding.at is None, finding.at or 0))
    more = f" and {len(failed) - 1} more" if len(failed) > 1 else ""
    return shortened(f"{first.id}: {first.says}", room - len(more)) + more


def shortened(says: str, room: int) -> str:
    """The text in so many characters, or a few more on a very narrow screen."""
    room = max(room, SHORTEST)
    return says if len(says) <= room else f"{says[: room - 3].rstrip()}..."
