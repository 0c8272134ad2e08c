"""`bythebook run conduct`: who plays, and under what."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from msgspec.structs import replace

from bythebook.cli.asked import Ask, check_no_model, check_pictures, modelled
from bythebook.cli.customer import simulator
from bythebook.cli.options import content, ratio
from bythebook.cli.programs import engaged, held, hidden, is_harness, window
from bythebook.cli.scale import played
from bythebook.conduct.company import load_company
from bythebook.conduct.golden.cast import SCRIPTED
from bythebook.conduct.task import ConductTask, load_tasks
from bythebook.errors import UsageError, suggestion
from bythebook.harness.harnesses import HARNESSES
from bythebook.models.types import Settings
from bythebook.run.agents import LOOP, Cast, Scripted
from bythebook.run.condition import condition
from bythebook.run.conduct import ConductStage
from bythebook.run.engaged import HarnessCast
from bythebook.run.evaluate import Tally
from bythebook.run.folder import EvaluationFolder
from bythebook.run.mirror import Mirror
from bythebook.run.plan import Customer, Limits, Plan, Under, plan_of
from bythebook.run.traffic import Traffic
from bythebook.sandbox.machine import unbounded


async def play(
    ask: Ask, folder: EvaluationFolder, traffic: Traffic, mirror: Mirror | None
) -> Tally:
    """Play what is missing."""
    return await played(ask, folder, traffic, staged, mirror)


@asynccontextmanager
async def staged(
    ask: Ask, folder: EvaluationFolder, traffic: Traffic
) -> AsyncIterator[tuple[Plan, ConductStage]]:
    """The plan that was asked for, and its stage."""
    _check(ask)
    found = content()
    company = load_company(found)
    tasks = load_tasks(found, company, tuple(found.named("conduct", ask.tasks)))
    kind = held(ask) if is_harness(ask.agent) else None
    if kind is None:
        cast = _cast(ask, traffic)
    else:
        cast = engaged(ask, kind, hidden(folder, found), traffic, HarnessCast)
    customers = simulator(ask, Settings(), traffic)
    try:
        for task in tasks:
            cast.agent(task)
        under = _under(ask, customers.customer)
        if isinstance(cast, HarnessCast):
            under = replace(under, programs=cast.programs(unbounded(cast.kind)))
        plan = plan_of(tasks, cast, runs=ask.runs, under=under)
        yield plan, ConductStage(folder, tasks, cast, plan, customers)
    finally:
        await cast.close()
        await customers.close()


def _check(ask: Ask) -> None:
    check_pictures(ask)
    if ask.judge:
        raise UsageError("the suite `conduct` has no judge: its rules decide")
    if ask.unsafe_no_sandbox and not is_harness(ask.agent):
        raise UsageError("this agent runs no commands, so nothing needs a sandbox")


def _under(ask: Ask, customer: Customer) -> Under:
    limits = Limits(agent_time=ask.agent_time, steps=ask.steps, context_tokens=window(ask))
    return Under(condition(ask.condition), ratio(ask.cap), limits, ask.attempts, customer)


def _cast(ask: Ask, traffic: Traffic) -> Cast[ConductTask]:
    if ask.agent == LOOP:
        return modelled(ask, traffic)
    if ask.agent.partition(":")[0] not in (*SCRIPTED, "counterexample"):
        known = (*SCRIPTED, "golden:NAME", "counterexample:NAME", LOOP, *HARNESSES)
        raise UsageError(f"no agent {ask.agent!r}", hint=suggestion(ask.agent, known))
    check_no_model(ask)
    return Scripted(ask.agent)
