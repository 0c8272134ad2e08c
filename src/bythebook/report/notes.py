"""What must be known to read a table: denominators, what is void, how much there is."""

from collections.abc import Iterator, Sequence

from bythebook.report.data import Evaluation, Evaluations
from bythebook.report.panel import Panel
from bythebook.report.statistics.ranks import LEAST_RANKED
from bythebook.task import PAPER_SIZE

PAPER = {"conduct": "BizAgentBench", "deliverables": "StartupBench"}

RATES = (
    "Denominator: valid runs. A rate is the mean over tasks of the share of a task's valid runs;"
    " n is the number of runs."
)
INTERVALS = (
    "[low, high] is the 95 % interval from 10,000 resamples of the tasks. It tells how far other"
    " tasks of the kind, and other runs, might lead; not what another judge or customer would say."
)

MARKS = (
    "Best and second are marked only where they are told apart from every other row at 5 % after"
    " Holm's adjustment over all pairs. In plain text: * best, + second, = tied with the best."
)


def times(count: int, noun: str) -> str:
    """`1 task`, `2 tasks`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def sizes(evaluations: Evaluations, suite: str) -> str:
    """How many tasks were played, how many there are, and how many the paper has."""
    played = {run.task for one in evaluations.of(suite) for run in one.runs}
    here = len(evaluations.content.tasks(suite))
    paper = PAPER_SIZE[suite]["tasks"]
    return (
        f"{times(len(played), 'task')} played; bythebook holds {here} of the {paper} tasks that"
        f" {PAPER[suite]} has. The figures compare agents on these tasks; they are not the paper's."
    )


NAMED = 3
"""Evaluations that a note names one by one."""


def denominators(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """What figures are taken over, and what was left out of them; evaluations of which the same
    is to be said share a line."""
    told: dict[str, list[str]] = {}
    for one in evaluations:
        told.setdefault(_counted(one), []).append(one.label)
    for says, names in told.items():
        who = ", ".join(names) if len(names) <= NAMED else f"{len(names)} evaluations, each"
        yield f"{who}: {says}"


def _counted(one: Evaluation) -> str:
    summary, valid = one.scores.summary, len(one.runs)
    planned = "" if summary.missing is None else f" of {valid + summary.missing} planned"
    void = sum(bool(run.void) for run in one.runs)
    # In conduct a void rule leaves the run out; in deliverables a void item leaves bounds.
    left = "void and left out of rates" if one.suite == "conduct" else "with void items"
    parts = {
        f"{summary.missing} missing": summary.missing,
        f"{void} {left}": void,
        f"{times(summary.attempts_set_aside, 'attempt')} set aside": summary.attempts_set_aside,
        f"{len(one.problems)} not read": len(one.problems),
    }
    told = [words for words, count in parts.items() if count]
    return ", ".join([times(summary.tasks, "task"), f"{times(valid, 'valid run')}{planned}", *told])


def comparable(panel: Panel) -> Iterator[str]:
    """Whether rows stand on the same tasks, and whether there are enough of them to rank."""
    played = [{run.task for run in group.runs} for group in panel.groups]
    played = [tasks for tasks in played if tasks]
    if len(played) < 2:
        return
    shared = set.intersection(*played)
    if any(tasks != shared for tasks in played):
        yield (
            f"Not all rows stand on the same tasks: {len(shared)} of {len(panel.tasks)} are common"
            " to all. Differences and marks are taken pair by pair, on what both played."
        )
    if len(shared) < LEAST_RANKED:
        yield (
            f"No best and second are marked: {times(len(shared), 'task')} in common,"
            f" {LEAST_RANKED} are needed."
        )
    else:
        yield MARKS


def editions(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Whether the evaluations played the same tasks in the same company, byte for byte."""
    hashes: dict[str, set[str]] = {}
    for one in evaluations:
        played = {run.task for run in one.runs}
        for task in one.planned.values():
            if task.id in played:
                hashes.setdefault(task.id, set()).add(task.hash)
    edited = sorted(task for task, found in hashes.items() if len(found) > 1)
    if edited:
        more = f" and {len(edited) - NAMED} more" if len(edited) > NAMED else ""
        named = f"{', '.join(edited[:NAMED])}{more}"
        yield f"Not the same task in all evaluations: {named}. Somebody edited it in between."
    companies = {one.plan.company for one in evaluations if one.plan is not None and one.runs}
    if len(companies) > 1:
        yield (
            "The company's content (documents, procedures, parameters) is not the same in all"
            " evaluations; what an agent had to find may differ."
        )


def usual(evaluations: Evaluations, suite: str, panel: Panel, *more: str) -> tuple[str, ...]:
    """The notes under most tables of results."""
    return (
        *more,
        INTERVALS,
        *comparable(panel),
        *editions(evaluations.of(suite)),
        *denominators(evaluations.of(suite)),
        sizes(evaluations, suite),
    )


def nothing(why: str) -> tuple[str, ...]:
    """The notes of a table without rows."""
    return (f"Nothing to show: {why}.",)


MOST_PAIRS = 6


def order_changes(pairs: Sequence[tuple[str, str]], by: str) -> tuple[str, ...]:
    """Pairs that another figure puts the other way round; `by` names it."""
    if not pairs:
        return ()
    told = "; ".join(f"{first} before {second}" for first, second in pairs[:MOST_PAIRS])
    more = f"; {len(pairs) - MOST_PAIRS} more pairs" if len(pairs) > MOST_PAIRS else ""
    return (f"By {by} the order is another: {told}{more}. Intervals say how much that means.",)
