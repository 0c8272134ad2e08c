"""Where a demo's runs are kept, and how one of its agents is played there."""

from collections.abc import Mapping
from pathlib import Path

import anyio

from bythebook.cli.score import judged_again
from bythebook.cli.speak import people
from bythebook.cli.watch import Bar
from bythebook.errors import UsageError
from bythebook.run.durable import write_whole
from bythebook.run.evaluate import Evaluation, Order, evaluate
from bythebook.run.folder import EvaluationFolder, as_text
from bythebook.run.plan import Plan
from bythebook.run.score import scores
from bythebook.run.stage import Stage
from bythebook.run.summary import Scores
from bythebook.verdict import Verdict


def free(root: Path, plans: Mapping[str, Plan]) -> Path:
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


def played(
    folder: EvaluationFolder, plan: Plan, stage: Stage, *, concurrency: int = 10
) -> tuple[Scores, tuple[Verdict, ...]]:
    """What one agent's runs come to."""
    with Bar(people(), plan.agent) as bar:
        evaluation = Evaluation(plan, stage, folder, bar)

        async def play() -> None:
            await evaluate(evaluation, Order(concurrency))

        anyio.run(play)
    found = judged_again(folder)
    result = scores(folder, found)
    write_whole(folder.summary, as_text(result))
    return result, found.verdicts
