"""`bythebook run deliverables`: who plays, in which sandbox, and what reads the results."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import click
from msgspec.structs import replace

from bythebook.cli.asked import Ask, check_no_model, check_pictures, modelled
from bythebook.cli.options import content
from bythebook.cli.programs import engaged, held, hidden, is_harness, window
from bythebook.cli.reading import reader
from bythebook.cli.scale import played
from bythebook.cli.speak import tell
from bythebook.deliverables.task import load_tasks
from bythebook.errors import UsageError
from bythebook.run.agents import LOOP
from bythebook.run.deliver import (
    LIMITS,
    DeliverStage,
    Given,
    Reader,
    called,
    deliver_plan,
)
from bythebook.run.engaged import Working
from bythebook.run.evaluate import Tally
from bythebook.run.folder import EvaluationFolder
from bythebook.run.mirror import Mirror
from bythebook.run.plan import NO_PROGRAMS, Limits, Plan, Programs
from bythebook.run.players import Acting, Placing, Plays
from bythebook.run.traffic import Traffic
from bythebook.sandbox.machine import unbounded

CONDUCT_ONLY = {
    "condition": ("--condition", "default"),
    "cap": ("--cap", ""),
    "simulator": ("--simulator", "scripted"),
    "simulator_prompt": ("--simulator-prompt", None),
}
"""Field to the option that has no meaning here, and its default."""
NOT_RECALCULATED = (
    "[yellow]LibreOffice is not installed:[/] formulas are taken at their cached values, what-ifs"
    " and pages of documents are void; `bythebook doctor` names the command that brings it"
)


async def play(
    ask: Ask, folder: EvaluationFolder, traffic: Traffic, mirror: Mirror | None
) -> Tally:
    """Play what is missing."""
    return await played(ask, folder, traffic, staged, mirror)


@asynccontextmanager
async def staged(
    ask: Ask, folder: EvaluationFolder, traffic: Traffic
) -> AsyncIterator[tuple[Plan, DeliverStage]]:
    """The plan that was asked for, and its stage."""
    _check(ask)
    tasks = load_tasks(content(), ask.tasks)
    reads = reader()
    player, programs = _player(ask, reads, folder, traffic)
    if reads.engine is None:
        tell(NOT_RECALCULATED)
    try:
        for task in tasks:
            player.check(task)
            _ = task.rubric
        given = Given(
            limits=_limits(ask),
            attempts=ask.attempts,
            programs=programs,
            judge=called(ask.judge or ""),
        )
        plan = deliver_plan(tasks, player, runs=ask.runs, given=given)
        yield plan, DeliverStage(folder, tasks, player, plan, reads)
    finally:
        await player.close()


def _limits(ask: Ask) -> Limits:
    return replace(
        LIMITS,
        agent_time=ask.agent_time,
        steps=ask.steps or LIMITS.steps,
        context_tokens=window(ask),
        pictures=ask.pictures if ask.agent == LOOP else None,
    )


def judge(ask: Ask, folder: EvaluationFolder) -> int:
    """Put what checks left open before the judge that was asked for; its exit code."""
    from bythebook.cli.judge import command

    code = click.get_current_context().invoke(
        command,
        folder=folder.root,
        judge=ask.judge,
        base_url=ask.judge_base_url,
        key_variable=ask.judge_key_variable,
        concurrency=ask.concurrency,
        budget=ask.budget,
        prices=ask.prices,
    )
    return code if isinstance(code, int) else 0


def foresee(ask: Ask, folder: EvaluationFolder) -> None:
    """Before anything is played: raises `UsageError` where its judge could not be asked."""
    from bythebook.cli.judge import foresee as seat

    words = [str(folder.root), f"--judge={ask.judge}", f"--base-url={ask.judge_base_url}"]
    if ask.judge_key_variable:
        words.append(f"--key-variable={ask.judge_key_variable}")
    seat(words)


def _check(ask: Ask) -> None:
    check_pictures(ask)
    for field, (option, default) in CONDUCT_ONLY.items():
        if getattr(ask, field) != default:
            raise UsageError(f"{option} is for the suite `conduct`: there is no customer here")


def _player(
    ask: Ask, reads: Reader, folder: EvaluationFolder, traffic: Traffic
) -> tuple[Plays, Programs]:
    """Who plays, and what the plan tells of the programs that are run."""
    if is_harness(ask.agent):
        working = engaged(ask, held(ask), hidden(folder, content()), traffic, Working)
        return working, working.programs(unbounded(working.kind))
    if ask.agent == LOOP:
        acting, kind = Acting(modelled(ask, traffic)), held(ask)
        return acting, Programs(sandbox=kind, unbounded=unbounded(kind))
    check_no_model(ask)
    return Placing(ask.agent, reads.engine), NO_PROGRAMS
