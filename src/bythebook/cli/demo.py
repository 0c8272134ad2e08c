"""`bythebook demo`: what this measures, shown in a minute without key or network."""

from collections.abc import Mapping
from pathlib import Path

import anyio
import click
import msgspec
from rich.markup import escape

from bythebook import __version__
from bythebook.cli.options import as_json, common, content
from bythebook.cli.speak import emit, people, tell
from bythebook.cli.watch import Bar
from bythebook.conduct.company import load_company
from bythebook.conduct.task import ConductTask, load_tasks
from bythebook.errors import UsageError
from bythebook.report.counts import ConductCounts, conduct_counts, shares
from bythebook.report.tables import agents_table
from bythebook.run.agents import Scripted
from bythebook.run.conduct import ConductStage
from bythebook.run.durable import write_whole
from bythebook.run.evaluate import Evaluation, evaluate
from bythebook.run.folder import EvaluationFolder, as_text
from bythebook.run.plan import Plan, plan_of
from bythebook.run.score import rescore, scores
from bythebook.run.summary import Scores
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


class Demo(msgspec.Struct, frozen=True):
    """What was seen."""

    folder: str
    as_it_should_be: bool
    """golden is strict everywhere; shortcut reaches every goal and is strict nowhere; idle reaches
    nothing."""
    counts: ConductCounts
    agents: dict[str, Scores]


@click.command("demo")
@click.option(
    "--to",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where traces and verdicts go; runs/demo unless given.",
)
@as_json
@common
def command(to: Path | None, as_json: bool) -> int:
    """Play every task with an honest agent, one that takes the shortcut, and one that does nothing.

    Needs no key, no network, no root. Exits with 1 if the table is not as it should be.
    """
    found = content()
    company = load_company(found)
    tasks = load_tasks(found, company)
    plans = {name: plan_of(tasks, Scripted(name), runs=1) for name in AGENTS}
    root = to or _free(Path("runs") / "demo", plans)
    verdicts: dict[str, tuple[Verdict, ...]] = {}
    agents: dict[str, Scores] = {}
    for name, plan in plans.items():
        agents[name], verdicts[name] = _played(EvaluationFolder(root / name), plan, tasks)
    counts = conduct_counts(company, tasks=len(tasks))
    seen = Demo(str(root), _as_it_should_be(agents), counts, agents)
    if as_json:
        emit(seen)
    else:
        _tell(seen, verdicts["shortcut"])
    return 0 if seen.as_it_should_be else 1


def _free(root: Path, plans: Mapping[str, Plan]) -> Path:
    """The folder, or its next number when it holds a demo of other content."""
    number = 1
    while True:
        place = root if number == 1 else root.with_name(f"{root.name}-{number}")
        if all(_fits(EvaluationFolder(place / name), plan) for name, plan in plans.items()):
            return place
        number += 1


def _fits(folder: EvaluationFolder, plan: Plan) -> bool:
    try:
        kept = folder.plan
        return kept is None or kept.joined(plan, folder.root) is not None
    except UsageError:
        return False


def _played(
    folder: EvaluationFolder, plan: Plan, tasks: list[ConductTask]
) -> tuple[Scores, tuple[Verdict, ...]]:
    with Bar(people(), plan.agent) as bar:
        stage = ConductStage(folder, tasks, Scripted(plan.agent), plan)
        anyio.run(evaluate, Evaluation(plan, stage, folder, bar))
    found = rescore(folder)
    result = scores(folder, found)
    write_whole(folder.summary, as_text(result))
    return result, found.verdicts


def _as_it_should_be(agents: Mapping[str, Scores]) -> bool:
    golden, shortcut, idle = (agents[name].summary for name in AGENTS)
    return (golden.strict, shortcut.goal, shortcut.strict, idle.goal) == (1, 1, 0, 0)


def _tell(seen: Demo, shortcuts: tuple[Verdict, ...]) -> None:
    """What broke, a line a task; the table last, where the eye is when the command ends."""
    console = people()
    runs = seen.agents["shortcut"].summary.runs
    console.print(f"[bold]bythebook {__version__}[/]  suite conduct\n")
    tell(f"By the end state alone the shortcut agent scores {runs} of {runs}. On its way it broke:")
    wide = max((len(verdict.task) for verdict in shortcuts), default=0)
    for verdict in shortcuts:
        line = f"  {verdict.task:{wide}}  "
        console.print(escape(line + _broke(verdict, console.width - len(line))))
    tell(f"Traces and verdicts: {escape(seen.folder)}/AGENT/TASK/1/; `bythebook show` reads them")
    tell(f"Of the paper's benchmark: {shares(seen.counts)}\n")
    roomy = console.width >= WIDE
    rows = ((name, does if roomy else "", seen.agents[name]) for name, does in AGENTS.items())
    console.print(agents_table(rows))
    tell("(idle breaks no rule because it does nothing; it reaches no goal either)")
    if not seen.as_it_should_be:
        tell("[bold red]this is not the table it should be[/]; `bythebook prove` says more")


def _broke(verdict: Verdict, room: int) -> str:
    """The rule that broke first and how many more, in so many characters."""
    failed = [finding for finding in verdict.findings if finding.verdict == "fail"]
    if not failed:
        return "nothing"
    first = min(failed, key=lambda finding: (finding.at is None, finding.at or 0))
    more = f" and {len(failed) - 1} more" if len(failed) > 1 else ""
    says = f"{first.id}: {first.says}"
    room = max(room - len(more), SHORTEST)
    return (says if len(says) <= room else f"{says[: room - 3].rstrip()}...") + more
