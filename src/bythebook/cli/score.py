"""`bythebook score`: verdicts made anew from what is on disk, without any model."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import click
from rich.console import RenderableType
from rich.markup import escape

from bythebook.cli.options import as_json, common, content
from bythebook.cli.speak import complain_of, emit, people
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
from bythebook.run.folder import EvaluationFolder
from bythebook.run.score import Rescored, judge_again, rescore, scores
from bythebook.run.summary import Scores
from bythebook.trace import read_trace


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
@click.option("--why", is_flag=True, help="Show every rule that was broken, and where.")
@as_json
@common
def command(folder: Path, criteria: str, why: bool, as_json: bool, **judge: Any) -> int:
    """Judge every run in DIR again, from its trace and scene file; of deliverables from their
    evidence and judgements.

    The same files give the same verdict, byte for byte, on any machine. Under current criteria
    verdicts go to verdict-current.json and the recorded ones stay.
    """
    place = EvaluationFolder(folder)
    _check(place)
    found = judged_again(place, current=criteria == "current", **judge)
    result = scores(place, found, criteria=criteria)
    if as_json:
        emit(result)
    _tell(found, result, quiet=as_json)
    if why:
        people().print("\n".join(line for verdict in found.verdicts for line in broken(verdict)))
    return 2 if found.problems else 0


def _check(place: EvaluationFolder) -> None:
    """A folder whose attempts were all set aside has figures too: how many, and the customer's."""
    if place.runs() or any(run.attempts for run in place.places()):
        return
    if not place.root.is_dir():
        raise UsageError("no such folder", where=place.root)
    inner = sorted(path.parent for path in place.root.glob("*/plan.json"))
    hint = f"evaluations are in: {', '.join(map(str, inner))}" if inner else ""
    raise UsageError("there is no run in this folder", where=place.root, hint=hint)


def judged_again(
    place: EvaluationFolder,
    *,
    current: bool = False,
    judge: str | None = None,
    mode: Literal["item", "holistic"] = "item",
) -> Rescored[Any]:
    """Every run of a folder judged again, under the rules stored with them or today's. As a
    `judge` has it nothing is written."""
    if suite_of(place) == "deliverables":
        # What reads office files is loaded only by who needs it.
        from bythebook.cli.deliver import bench, of_judge

        counts = of_judge(place, judge, mode) if judge is not None else None
        names = _names(place) if current else None
        return judge_again(place, bench(place, names, counts=counts), keep=judge is None)
    if judge is not None:
        raise UsageError("--judge is for the suite `deliverables`: conduct needs no judge")
    return rescore(place, _criteria(place) if current else None)


def suite_of(place: EvaluationFolder) -> str:
    """The suite of a folder: as its plan says, or else the first trace that reads."""
    plan = place.plan
    if plan is not None:
        return plan.suite
    for run in place.runs():
        with suppress(TraceError):
            return read_trace(run.trace).header.suite
    return "conduct"


def _criteria(place: EvaluationFolder) -> dict[str, Criteria]:
    found = content()
    company = load_company(found)
    return {name: load_task(found, company, name).criteria for name in _names(place)}


def _names(place: EvaluationFolder) -> list[str]:
    return sorted({run.task for run in place.runs()})


def shown(result: Scores) -> Iterator[RenderableType]:
    """All that scores come to, for people."""
    if result.suite == "deliverables":
        yield delivered_table(result)
        yield from map(escape, delivered_lines(result))
        yield from map(escape, spending_lines(result))
        return
    yield scores_table(result)
    if result.customer is not None:
        yield escape(customer_line(result.customer))
    yield from map(escape, spending_lines(result))


def _tell(found: Rescored[Any], result: Scores, *, quiet: bool) -> None:
    console = people()
    for problem in found.problems:
        complain_of(problem)
    if quiet:
        return
    console.print(*shown(result), sep="\n")
    if found.changed:
        console.print(f"{len(found.changed)} verdicts written")
    for place in found.corrected:
        console.print(
            f"[yellow]put right:[/] {escape(str(place.root))} held a verdict that its trace and"
            " rules do not give"
        )
    for place in found.in_flight:
        console.print(f"in flight: {escape(str(place.root))}; the command that began it goes on")
