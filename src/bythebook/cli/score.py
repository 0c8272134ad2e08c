"""`bythebook score`: verdicts made anew from what is on disk, without any model."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

import click
import msgspec
from rich.console import RenderableType
from rich.markup import escape

from bythebook.cli.options import as_json, common, content
from bythebook.cli.speak import complain_of, counted, emit, people
from bythebook.conduct.company import load_company
from bythebook.conduct.criteria import Criteria
from bythebook.conduct.task import load_task
from bythebook.errors import TraceError, UsageError
from bythebook.report.findings import broken
from bythebook.report.scoreboard import (
    customer_line,
    delivered_lines,
    delivered_table,
    scores_table,
)
from bythebook.report.spending import spending_lines
from bythebook.run.aside import aside_line
from bythebook.run.conduct import ConductBench
from bythebook.run.folder import EvaluationFolder
from bythebook.run.score import EVERY, Rescored, Subset, judge_again, scores
from bythebook.run.stage import Bench
from bythebook.run.summary import Scores
from bythebook.trace import read_trace


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """Option by option."""

    criteria: str
    judge: str | None
    mode: Literal["item", "holistic"]
    tasks: tuple[str, ...]
    numbers: tuple[int, ...]
    by: str
    why: bool
    as_json: bool


class How(NamedTuple):
    """How runs are judged again."""

    current: bool = False
    """Under the rules of today's tasks."""
    judge: str | None = None
    """As this judge of deliverables has it; None: as the plan says."""
    mode: Literal["item", "holistic"] = "item"
    by: str = ""


RECORDED = How()


@click.command("score")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--criteria",
    type=click.Choice(["recorded", "current"]),
    default="recorded",
    help="The rules: those stored with the traces, or those of today's tasks.",
)
@click.option(
    "--judge",
    metavar="JUDGE",
    help="Of deliverables: scores as this judge has it, whoever counts. Nothing is written.",
)
@click.option(
    "--mode",
    type=click.Choice(["item", "holistic"]),
    default="item",
    show_default=True,
    help="Of --judge: by its sessions for each item, or for all at once.",
)
@click.option("--task", "tasks", multiple=True, metavar="ID", help="Only these; prefixes will do.")
@click.option("--run", "numbers", multiple=True, type=int, metavar="N", help="Only these runs.")
@click.option("--by", default="", metavar="NAME", help="Who judges, for scorings.jsonl.")
@click.option("--why", is_flag=True, help="Show every rule that was broken, and where.")
@as_json
@common
def command(folder: Path, **given: Any) -> int:
    """Judge every run in DIR again, from its trace and scene file; of deliverables from their
    evidence and judgements.

    The same files give the same verdict, byte for byte, on any machine. Under current criteria
    verdicts go to verdict-current.json and the recorded ones stay. A verdict that is written over
    is kept in verdicts/, and scorings.jsonl tells who judged, with what, and when.
    """
    place, ask = EvaluationFolder(folder), Ask(**given)
    _check(place)
    only = _subset(place, ask)
    how = How(ask.criteria == "current", ask.judge, ask.mode, ask.by)
    found = judged_again(place, how, only=only)
    result = scores(place, found, criteria=ask.criteria, only=only)
    if ask.as_json:
        emit(result)
    _tell(found, result, quiet=ask.as_json)
    if ask.why:
        people().print("\n".join(line for verdict in found.verdicts for line in broken(verdict)))
    return 2 if found.problems else 0


def _check(place: EvaluationFolder) -> None:
    """A folder whose attempts were all set aside has figures too: how many, and the customer's."""
    if place.runs() or any(run.attempts for run in place.places()):
        return
    raise place.amiss("there is no run in this folder")


def _subset(place: EvaluationFolder, ask: Ask) -> Subset:
    """Raises `UsageError` where no run is asked for, so that a slip is no empty table."""
    place.demand(ask.tasks)
    only, runs = Subset(ask.tasks, ask.numbers), place.places()
    if not any(only.has(run.task, run.number) for run in runs):
        numbers = ", ".join(map(str, ask.numbers))
        there = ", ".join(map(str, sorted({run.number for run in runs if only.has_task(run.task)})))
        raise UsageError(f"no run {numbers}", where=place.root, hint=f"there are: {there}")
    return only


def judged_again(
    place: EvaluationFolder, how: How = RECORDED, *, only: Subset = EVERY
) -> Rescored[Any]:
    """Runs of a folder judged again, under the rules stored with them or today's. As one judge has
    it nothing is written."""
    keep = how.judge is None
    return judge_again(place, _bench(place, how, only), keep=keep, only=only, by=how.by)


def _bench(place: EvaluationFolder, how: How, only: Subset) -> Bench[Any]:
    """What judges the runs of a folder."""
    names = _names(place, only)
    if suite_of(place) == "deliverables":
        # What reads office files is loaded only by who needs it.
        from bythebook.cli.reading import bench, of_judge

        counts = of_judge(place, how.judge, how.mode) if how.judge is not None else None
        return bench(place, names if how.current else None, counts=counts)
    if how.judge is not None:
        raise UsageError("--judge is for the suite `deliverables`: conduct needs no judge")
    return ConductBench(place, _criteria(names) if how.current else None)


def suite_of(place: EvaluationFolder) -> str:
    """The suite of a folder: as its plan says, or else the first trace that reads."""
    plan = place.plan
    if plan is not None:
        return plan.suite
    for run in place.runs():
        with suppress(TraceError):
            return read_trace(run.trace).header.suite
    return "conduct"


def _criteria(names: list[str]) -> dict[str, Criteria]:
    found = content()
    company = load_company(found)
    return {name: load_task(found, company, name).criteria for name in names}


def _names(place: EvaluationFolder, only: Subset) -> list[str]:
    return sorted({run.task for run in place.runs() if only.has(run.task, run.number)})


def shown(result: Scores) -> Iterator[RenderableType]:
    """All that scores come to, for people."""
    if result.suite == "deliverables":
        yield delivered_table(result)
        yield from map(escape, delivered_lines(result))
    else:
        yield scores_table(result)
        if result.customer is not None:
            yield escape(customer_line(result.customer))
    yield from map(escape, spending_lines(result))
    yield from map(escape, filter(None, (_cut_off(result), aside_line(result.summary.set_aside))))


def _cut_off(result: Scores) -> str:
    """Replies that hit the limit of their length: two in a row may end a run."""
    cut = [run.statistics.length_stops for run in result.runs if run.statistics.length_stops]
    if not cut:
        return ""
    runs = "1 run" if len(cut) == 1 else f"{len(cut)} runs"
    replies = "1 reply was" if sum(cut) == 1 else f"{sum(cut)} replies were"
    return f"{replies} cut off at --max-tokens, in {runs}"


def _tell(found: Rescored[Any], result: Scores, *, quiet: bool) -> None:
    console = people()
    for problem in found.problems:
        complain_of(problem)
    if quiet:
        return
    console.print(*shown(result), sep="\n")
    if found.changed:
        console.print(f"{counted(len(found.changed), 'verdict')} written")
    for place in found.corrected:
        console.print(
            f"[yellow]put right:[/] {escape(str(place.root))} held a verdict that its trace and"
            " rules do not give"
        )
    for place in found.in_flight:
        console.print(f"in flight: {escape(str(place.root))}; the command that began it goes on")
