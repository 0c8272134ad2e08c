"""`bythebook run`: an agent let loose on tasks, every run kept and judged."""

import re
import shlex
import sys
from pathlib import Path
from typing import Any

import anyio
import click
from rich.markup import escape

from bythebook.cli.customer import AskCustomer, customer, simulator
from bythebook.cli.keys import reached
from bythebook.cli.options import as_json, common, content, ratio
from bythebook.cli.speak import complain_of, emit, people, tell
from bythebook.cli.watch import Bar
from bythebook.conduct.company import load_company
from bythebook.conduct.golden.cast import SCRIPTED
from bythebook.conduct.task import ConductTask, load_tasks
from bythebook.errors import UsageError, suggestion
from bythebook.models.types import Settings
from bythebook.report.tables import customer_line, scores_table
from bythebook.run.agents import LOOP, Cast, Modelled, Scripted
from bythebook.run.condition import condition
from bythebook.run.conduct import ConductStage
from bythebook.run.durable import write_whole
from bythebook.run.evaluate import Evaluation, Tally, evaluate
from bythebook.run.folder import EvaluationFolder, as_text
from bythebook.run.plan import Customer, Limits, Under, plan_of
from bythebook.run.reach import Reach
from bythebook.run.score import rescore, scores
from bythebook.run.summary import Scores
from bythebook.task import SUITES, Suite


class Ask(AskCustomer, frozen=True, kw_only=True):
    """What was asked for, option by option."""

    suite: Suite
    tasks: tuple[str, ...]
    agent: str
    model: str | None
    base_url: str
    key_variable: str | None
    runs: int
    condition: str
    cap: str
    to: Path | None
    concurrency: int
    attempts: int
    agent_time: int
    context_tokens: int | None
    max_tokens: int
    temperature: float | None
    seed: int | None
    as_json: bool


@click.command("run")
@click.argument("suite", type=click.Choice(SUITES))
@click.option("--task", "tasks", multiple=True, metavar="ID", help="This task (id or its prefix).")
@click.option("--agent", required=True, help="golden, shortcut, idle, refuse, ... or loop.")
@click.option("--model", metavar="PROVIDER:NAME", help="The model of the agent `loop`.")
@click.option("--base-url", default="", metavar="URL", help="Where the model is served.")
@click.option("--key-variable", metavar="NAME", help="Environment variable that holds the key.")
@click.option("--runs", default=3, show_default=True, type=click.IntRange(1), help="Runs a task.")
@click.option(
    "--condition",
    default="default",
    show_default=True,
    help="default, gold-docs, full-disclosure, golden-trace, events, without:SOURCE; joined by +.",
)
@click.option(
    "--cap", default="", metavar="RATIO", help="Most tool calls, as a multiple of the golden's."
)
@click.option("--to", type=click.Path(path_type=Path), metavar="DIR", help="The run folder.")
@click.option("--concurrency", default=10, show_default=True, type=click.IntRange(1))
@click.option(
    "--attempts",
    default=3,
    show_default=True,
    type=click.IntRange(1),
    help="Tries a run, when an attempt fails through no fault of the agent.",
)
@click.option(
    "--agent-time", default=3600, show_default=True, type=click.IntRange(1), help="Seconds."
)
@click.option(
    "--context-tokens",
    type=click.IntRange(1000),
    metavar="N",
    help="Most tokens of a request, counted here (bytes / 4); else the provider says what fits.",
)
@click.option("--max-tokens", default=32_768, show_default=True, type=click.IntRange(1))
@click.option("--temperature", type=float)
@click.option("--seed", type=int, help="Sent to the model, where its provider takes one.")
@customer
@as_json
@common
def command(**given: Any) -> int:
    """Play the tasks of SUITE and judge every run.

    The same command goes on where it was stopped: finished runs are kept, and only what was in
    flight is played again.
    """
    ask = Ask(**given)
    if ask.suite != "conduct":
        raise UsageError("the suite `deliverables` is not there yet")
    folder = EvaluationFolder(ask.to or Path("runs") / _name(ask))
    try:
        tally = anyio.run(_play, ask, folder)
    except KeyboardInterrupt:
        tell("\ninterrupted; what is finished is kept. The same command goes on:")
        tell(f"  bythebook {shlex.join(sys.argv[1:])}")
        return 130
    return _close(folder, tally, as_json=ask.as_json)


async def _play(ask: Ask, folder: EvaluationFolder) -> Tally:
    found = content()
    company = load_company(found)
    tasks = load_tasks(found, company, ask.tasks)
    cast, customers = _cast(ask), simulator(ask, Settings(), at_once=ask.concurrency)
    try:
        for task in tasks:
            cast.agent(task)
        plan = plan_of(tasks, cast, runs=ask.runs, under=_under(ask, customers.customer))
        stage = ConductStage(folder, tasks, cast, plan, customers)
        with Bar(people()) as bar:
            evaluation = Evaluation(plan, stage, folder, bar)
            return await evaluate(evaluation, concurrency=ask.concurrency)
    finally:
        await cast.close()
        await customers.close()


def _under(ask: Ask, customer: Customer) -> Under:
    limits = Limits(agent_time=ask.agent_time, context_tokens=ask.context_tokens)
    return Under(condition(ask.condition), ratio(ask.cap), limits, ask.attempts, customer)


def _cast(ask: Ask) -> Cast[ConductTask]:
    if ask.agent != LOOP:
        if ask.model:
            hint = f"did you mean --agent {LOOP} --model {ask.model}?"
            raise UsageError(f"the agent {ask.agent!r} takes no model", hint=hint)
        if ask.agent.partition(":")[0] not in (*SCRIPTED, "counterexample"):
            known = (*SCRIPTED, "golden:NAME", "counterexample:NAME", LOOP)
            raise UsageError(f"no agent {ask.agent!r}", hint=suggestion(ask.agent, known))
        return Scripted(ask.agent)
    if not ask.model:
        hint = "such as --model openai:NAME, or --model local:NAME --base-url URL"
        raise UsageError(f"the agent {LOOP!r} needs a model", hint=hint)
    where, key = reached(ask.model, ask.base_url, ask.key_variable)
    settings = Settings(max_tokens=ask.max_tokens, temperature=ask.temperature, seed=ask.seed)
    reach = Reach(where, key, settings, at_once=ask.concurrency)
    return Modelled(reach, ask.context_tokens)


def _name(ask: Ask) -> str:
    """Name of the folder, the same for the same question."""
    parts = [ask.suite, ask.agent, ask.model or ""]
    parts += [
        ask.condition if ask.condition != "default" else "",
        f"cap{ask.cap}" if ask.cap else "",
        *ask.parts,
    ]
    return "-".join(re.sub(r"[^\w.+-]+", "-", part) for part in parts if part)


def _close(folder: EvaluationFolder, tally: Tally, *, as_json: bool) -> int:
    """Write the summary, show it, and say what is missing."""
    found = rescore(folder)
    result: Scores = scores(folder, found)
    write_whole(folder.summary, as_text(result))
    if as_json:
        emit(result)
    else:
        people().print(scores_table(result))
    if result.customer is not None:
        tell(escape(customer_line(result.customer)))
    were = "was" if tally.kept == 1 else "were"
    kept = f", {tally.kept} {were} finished before" if tally.kept else ""
    runs = "1 run" if tally.played == 1 else f"{tally.played} runs"
    tell(f"{runs} played{kept}; traces and verdicts are in {escape(str(folder.root))}")
    for place, outcome in tally.missing:
        says = escape(f"{place.task} run {place.number}: {outcome} {outcome.says}")
        tell(f"[bold red]missing:[/] {says}")
    for problem in found.problems:
        complain_of(problem)
    return 3 if tally.missing else 2 if found.problems else 0
