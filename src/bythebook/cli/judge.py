"""`bythebook judge`: what no check can decide, asked of a model or by hand; and judges tried."""

import shlex
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import click
from msgspec import Struct
from rich.markup import escape

from bythebook.cli.hearing import HearingBar
from bythebook.cli.keys import reached
from bythebook.cli.options import as_json, common, content
from bythebook.cli.reading import bench, reader
from bythebook.cli.score import judged_again, shown
from bythebook.cli.speak import complain_of, emit, people, tell
from bythebook.cli.terms import dollars, opened, priced
from bythebook.deliverables.judge.docket import Mode
from bythebook.deliverables.judge.hand import HandJudge
from bythebook.deliverables.judge.harnessed import HarnessJudge
from bythebook.deliverables.judge.labels import read_labels
from bythebook.deliverables.judge.price import Price, price
from bythebook.deliverables.judge.session import Judge, Limits, ModelJudge
from bythebook.deliverables.task import load_tasks
from bythebook.errors import UsageError
from bythebook.harness.harnesses import named
from bythebook.models.types import Settings
from bythebook.report.judging import (
    agreement_lines,
    agreement_table,
    audit_table,
    judged_table,
)
from bythebook.run.accounts import judging_model, keep_prices
from bythebook.run.audit import Audited, Auditorium
from bythebook.run.deliver import Counted, called
from bythebook.run.durable import only_one, write_whole
from bythebook.run.engaged import Engaged
from bythebook.run.folder import EvaluationFolder, as_text
from bythebook.run.judging import Judged, Picked, Sittings, agreed, seat, standing_verdicts
from bythebook.run.reach import Reach
from bythebook.run.score import judge_again, scores
from bythebook.run.summary import Scores
from bythebook.run.traffic import Traffic
from bythebook.sandbox.clearing import clear
from bythebook.sandbox.machine import demand

JUDGING = ".judging"
"""Beside the runs: what a harness that judges has for itself, while it does."""
JUDGES = "model:PROVIDER:NAME, harness:NAME/PROVIDER:NAME or hand:DIR."


class Ask(Struct, frozen=True, kw_only=True):
    """What was asked for, option by option."""

    folder: Path
    judge: str | None
    mode: Mode
    tasks: tuple[str, ...]
    items: tuple[str, ...]
    again: tuple[str, ...]
    all_items: bool
    concurrency: int
    base_url: str
    key_variable: str | None
    max_tokens: int
    temperature: float | None
    seed: int | None
    no_pictures: bool
    steps: int
    session_seconds: int
    attempts: int
    price: str | None
    budget: str | None
    prices: Path | None
    labels: Path | None
    audit: bool
    repeats: int
    rubric_judges: bool
    counts: bool
    as_json: bool

    @property
    def picked(self) -> Picked:
        return Picked(
            tasks=self.tasks,
            items=self.items,
            again=self.again,
            all_items=self.all_items,
            mode=self.mode,
            attempts=self.attempts,
            pictures=not self.no_pictures,
        )

    @property
    def limits(self) -> Limits:
        return Limits(
            steps=self.steps, session_seconds=self.session_seconds, attempts=self.attempts
        )


@click.command("judge")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--judge", metavar="JUDGE", help=JUDGES)
@click.option(
    "--mode",
    type=click.Choice(["item", "holistic"]),
    default="item",
    show_default=True,
    help="A session for each item, or one for all.",
)
@click.option("--task", "tasks", multiple=True, metavar="ID", help="This task (id or its prefix).")
@click.option("--item", "items", multiple=True, metavar="ID", help="This item.")
@click.option(
    "--again", multiple=True, metavar="void|all|ITEM", help="Judge anew; may be repeated."
)
@click.option("--counts", is_flag=True, help="From now on scores go by this judge (plan.json).")
@click.option("--all-items", is_flag=True, help="Also what checks decided; the score is theirs.")
@click.option("--concurrency", default=10, show_default=True, type=click.IntRange(1))
@click.option("--base-url", default="", metavar="URL", help="Where the model is served.")
@click.option("--key-variable", metavar="NAME", help="Environment variable that holds the key.")
@click.option("--max-tokens", default=32_768, show_default=True, type=click.IntRange(1))
@click.option("--temperature", type=float)
@click.option("--seed", type=int, help="Sent to the model, where its provider takes one.")
@click.option("--no-pictures", is_flag=True, help="The judge is shown none.")
@click.option("--steps", default=30, show_default=True, type=click.IntRange(1))
@click.option("--session-seconds", default=1800, show_default=True, type=click.IntRange(1))
@click.option(
    "--attempts", default=2, show_default=True, type=click.IntRange(1), help="Sessions an item."
)
@click.option("--price", metavar="IN,OUT,CACHED", help="For a million tokens; shows the cost.")
@click.option("--budget", metavar="USD", help="Ask no more when the folder has cost so much.")
@click.option("--prices", type=click.Path(path_type=Path), metavar="FILE", help="Prices of yours.")
@click.option(
    "--labels",
    metavar="CSV",
    type=click.Path(path_type=Path),
    help="Agreement with people: task, run, item, label[, rater].",
)
@click.option("--audit", is_flag=True, help="Try the judge on faults and references; keeps in DIR.")
@click.option("--repeats", default=3, show_default=True, type=click.IntRange(1), help="Of --audit.")
@click.option("--rubric-judges", is_flag=True, help="Also write rubric_judges.json for each run.")
@as_json
@common
def command(**given: Any) -> int:
    """Judge the items that checks left open, for every run in DIR.

    The same command goes on where it was stopped. What comes to no verdict is void, never a "no";
    `--again void` asks once more.
    """
    ask = Ask(**given)
    if ask.judge is None:
        if ask.labels is None:
            raise UsageError("which judge?", hint=f"--judge {JUDGES}")
        return _compare(ask, ask.labels)
    kind, name = _named(ask.judge)
    if ask.audit:
        return _audit(ask, kind, name)
    return _judge(ask, kind, name)


def foresee(words: list[str]) -> None:
    """Raises `UsageError` for words of this command whose judge could not be asked."""
    with command.make_context("judge", words) as context:
        ask = Ask(**context.params)
        if _named(ask.judge or "")[0] != "hand":
            anyio.run(_try_the_seat, ask)


async def _try_the_seat(ask: Ask) -> None:
    async with _seated(ask, _traffic(ask)):
        pass


def _named(judge: str) -> tuple[str, str]:
    kind, _, name = judge.partition(":")
    if kind not in ("model", "harness", "hand") or not name:
        raise UsageError(f"{judge!r} is no judge", hint=JUDGES)
    return kind, name


def _judge(ask: Ask, kind: str, name: str) -> int:
    folder = EvaluationFolder(ask.folder)
    if not folder.root.is_dir():
        raise UsageError("no such folder", where=folder.root)
    cost = price(ask.price) if ask.price else None
    with only_one(folder.root):
        sittings = Sittings(folder, content(), ask.picked, reader())
        own = Counted(called(ask.judge or ""), ask.mode if kind != "hand" else "item")
        try:
            judged = (
                sittings.by_hand(HandJudge(Path(name)))
                if kind == "hand"
                else anyio.run(_by_model, ask, sittings)
            )
        except KeyboardInterrupt:
            _ = seat(folder, own, counts=ask.counts), _scored(folder)
            _how_to_go_on()
            return 130
        seated = seat(folder, own, counts=ask.counts)
        result = _scored(folder)
        written = sittings.write_rubric_judges() if ask.rubric_judges else ()
    _tell(ask, judged, result, cost)
    if seated != own:
        _tell_who_counts(ask, seated)
    for path in written:
        tell(f"written: {escape(str(path))}")
    if ask.labels is not None:
        _compare(ask, ask.labels)
    return 3 if judged.given_up or judged.spent else 1 if judged.wrong else 0


async def _by_model(ask: Ask, sittings: Sittings) -> Judged:
    shared = _traffic(ask)
    keep_prices(sittings.folder, shared.ledger.prices, iter([judging_model(ask.judge or "")]))
    async with _seated(ask, shared) as judge:
        with HearingBar(people()) as bar:
            return await sittings.by_model(
                judge, bar, concurrency=ask.concurrency, ledger=shared.ledger
            )


def _traffic(ask: Ask) -> Traffic:
    """What its model shares; with a budget, what the folder has cost so far is known."""
    model, place = judging_model(ask.judge or ""), EvaluationFolder(ask.folder)
    ledger = opened(priced(ask.prices), dollars(ask.budget), [model], place)
    return Traffic(ask.concurrency, ledger=ledger)


@asynccontextmanager
async def _seated(ask: Ask, shared: Traffic) -> AsyncIterator[Judge]:
    """The judge that was asked for: a model, bare or under a harness."""
    kind, _, rest = (ask.judge or "").partition(":")
    if kind == "harness":
        async with _under_harness(ask, *rest.partition("/")[::2], shared) as judge:
            yield judge
        return
    reach = _reach(ask, rest, shared)
    try:
        limits, pictures = ask.limits, not ask.no_pictures
        yield ModelJudge(reach.client, reach.settings, limits, pictures=pictures)
    finally:
        await reach.close()


@asynccontextmanager
async def _under_harness(
    ask: Ask, harness: str, model: str, shared: Traffic
) -> AsyncIterator[HarnessJudge]:
    """A model at work in a harness."""
    program = named(harness)
    if not model:
        raise UsageError(f"{ask.judge!r} names no model", hint=JUDGES)
    secrets = (ask.folder.resolve(), *(root.resolve() for root in content().roots))
    engaged = Engaged(program, _reach(ask, model, shared), demand(unsafe=False), secrets=secrets)
    engaged.demand_tools()
    try:
        place = ask.folder / JUDGING
        terms, pictures = engaged.terms(ask.steps), program.shows_pictures and not ask.no_pictures
        yield HarnessJudge(ask.judge or "", terms, place, ask.limits, pictures)
    finally:
        clear(ask.folder / JUDGING)
        await engaged.close()


def _reach(ask: Ask, model: str, shared: Traffic) -> Reach:
    where, key = reached(model, ask.base_url, ask.key_variable)
    settings = Settings(max_tokens=ask.max_tokens, temperature=ask.temperature, seed=ask.seed)
    return Reach(where, key, settings, traffic=shared)


def _audit(ask: Ask, kind: str, name: str) -> int:
    """Try a judge on references and faults; what it says is kept in DIR."""
    tasks = load_tasks(content(), ask.tasks)
    with only_one(ask.folder):
        auditorium = Auditorium(ask.folder, tasks, ask.picked, reader())
        try:
            found = (
                auditorium.by_hand(HandJudge(Path(name)), repeats=ask.repeats)
                if kind == "hand"
                else anyio.run(_hear, ask, auditorium)
            )
        except KeyboardInterrupt:
            _how_to_go_on()
            return 130
    if ask.as_json:
        emit(found)
    else:
        people().print(audit_table(found.audit))
    for line in found.left_out:
        tell(f"[yellow]left out:[/] {escape(line)}")
    if ask.price:
        tell(f"{found.sessions} sessions, cost {price(ask.price).of(found.usage)}")
    _tell_waiting(name, found.waiting, found.wrong)
    return 3 if found.given_up else 1 if found.wrong else 0


async def _hear(ask: Ask, auditorium: Auditorium) -> Audited:
    async with _seated(ask, _traffic(ask)) as judge:
        with HearingBar(people()) as bar:
            return await auditorium.hear(
                judge, bar, repeats=ask.repeats, concurrency=ask.concurrency
            )


def _how_to_go_on() -> None:
    tell("\ninterrupted; what is judged is kept. The same command goes on:")
    tell(f"  bythebook {shlex.join(sys.argv[1:])}")


def _scored(folder: EvaluationFolder) -> Scores:
    """Every verdict made anew, and the summary with them."""
    found = judged_again(folder)
    result = scores(folder, found)
    write_whole(folder.summary, as_text(result))
    for problem in found.problems:
        complain_of(problem)
    return result


class Document(Struct, frozen=True, kw_only=True):
    """What `--json` prints."""

    judged: Judged
    cost: str | None
    """Of what this command spent, in the currency of --price."""
    scores: Scores


def _tell(ask: Ask, judged: Judged, result: Scores, cost: Price | None) -> None:
    total = None if cost is None else str(cost.of(judged.usage))
    if ask.as_json:
        emit(Document(judged=judged, cost=total, scores=result))
    else:
        people().print(judged_table(judged, cost))
        people().print(*shown(result), sep="\n")
    waiting = judged.void
    if judged.given_up:
        tell("[bold red]given up:[/] the provider failed ten times in a row")
    if judged.spent:
        tell("[yellow]the budget ends here:[/] the same command with a larger --budget goes on")
    elif judged.judge.startswith("hand:"):
        _tell_waiting((ask.judge or "").partition(":")[2], waiting, judged.wrong)
    elif waiting:
        are = "1 item is" if waiting == 1 else f"{waiting} items are"
        tell(f"{are} void; `--again void` asks once more")


def _tell_waiting(folder: str, waiting: int, wrong: tuple[str, ...]) -> None:
    """What is still to be done by hand."""
    for path in wrong:
        tell(f"[yellow]wrong answer:[/] {escape(path)} says why")
    if waiting:
        wait = "1 item waits" if waiting == 1 else f"{waiting} items wait"
        tell(f"{wait} for an answer in {escape(folder)}; then give the same command")


def _tell_who_counts(ask: Ask, seated: Counted) -> None:
    folder, own = ask.folder, escape(ask.judge or "")
    tell(
        f"[yellow]not counted:[/] the scores above go by {escape(str(seated))}, who came first;"
        f" `bythebook score {escape(str(folder))} --judge {own}` shows those by {own}, and"
        " --counts makes them count"
    )


def _compare(ask: Ask, labels: Path) -> int:
    folder = EvaluationFolder(ask.folder)
    verdicts = standing_verdicts(folder)
    if ask.judge is not None:
        own = Counted(called(ask.judge), ask.mode)
        verdicts = [*judge_again(folder, bench(folder, counts=own), keep=False).verdicts]
    found = agreed(folder, verdicts, read_labels(labels))
    if ask.as_json and ask.judge is None:
        emit(found)
        return 0
    people().print(agreement_table(found))
    for line in agreement_lines(found):
        tell(escape(line))
    return 0
