"""How an evaluation is getting on, in words; and which runs a command plays."""

import io
from pathlib import Path
from random import Random  # noqa: TID251 - seeded, and only spreads out waits

import anyio
import pytest
from rich.console import Console

from bythebook.agents.protocol import Agent, Answer, Briefing, Move
from bythebook.cli.watch import Bar
from bythebook.conduct.task import ConductTask
from bythebook.errors import AgentError
from bythebook.models.ledger import Ledger
from bythebook.models.names import address, open_model
from bythebook.models.patience import Patience
from bythebook.models.price import shipped
from bythebook.models.types import Usage
from bythebook.run.agents import Scripted
from bythebook.run.conduct import ConductStage
from bythebook.run.evaluate import Evaluation, Order, Tally, evaluate, failed_by
from bythebook.run.folder import EvaluationFolder, RunFolder
from bythebook.run.plan import Limits, Under, plan_of
from bythebook.run.progress import Progress, short, span
from bythebook.trace import Outcome
from tests.model_server import ModelServer, Say, Wire, fault
from tests.models.wiring import hello
from tests.own import TASK
from tests.run.playing import Breaking, Moves, Notes, play


def state() -> Progress:
    ledger = Ledger(shipped())
    ledger.replied("openai:gpt-5", Usage(input=2_000_000, output=100_000, cached=1_000_000))
    found = Progress(ledger, began=100.0, total=10, kept=2, running=3, valid=2)
    found.failure(Outcome("infrastructure_failure", "provider"))
    return found


def test_one_line_tells_counts_causes_tokens_money_and_time_left() -> None:
    assert state().words(160.0) == (
        "4/10 done, 3 running, 4 valid, 1 failed (provider),"
        " 2.0M tokens in (1.0M cached), 100.0k out, 2.38 USD, about 3 min left"
    )


def test_a_cost_that_nobody_knows_is_not_told_as_nothing() -> None:
    progress = state()
    progress.ledger.replied("local:mine", Usage(input=5))
    assert "price unknown" in progress.words(160.0)
    assert "USD" not in progress.words(160.0)


def test_before_any_run_is_over_no_time_is_guessed() -> None:
    assert Progress(Ledger(), began=0.0, total=5, running=5).words(60.0) == (
        "0/5 done, 5 running, 0 valid"
    )


@pytest.mark.anyio
async def test_whoever_waits_for_a_server_that_answers_wrongly_is_told_why() -> None:
    ledger = Ledger()
    progress = Progress(ledger, began=0.0, total=1, running=1)
    with ModelServer([Wire({"reply": "done"}), fault(503), Say("hi")]) as server:
        where = address("local:mine", f"{server.url}/v1")
        once = Patience(attempts=1)
        model = open_model(where, "", dice=Random(1), patience=once, ledger=ledger)
        try:
            for says in ("does not read ('choices'): '{\"reply\": \"done\"}'", "answered 503"):
                with pytest.raises(AgentError):
                    await model.ask(hello())
                assert says in progress.words(60.0)
                assert "0 valid, asking again: local:mine: the provider" in progress.words(60.0)
            await model.ask(hello())
        finally:
            await model.close()
    assert "asking again" not in progress.words(60.0)


@pytest.mark.parametrize(
    ("seconds", "says"), [(12, "12 s"), (60, "1 min"), (3540, "59 min"), (7380, "2 h 03 min")]
)
def test_lengths_of_time_are_for_a_glance(seconds: float, says: str) -> None:
    assert span(seconds) == says


def test_counts_are_for_a_glance() -> None:
    assert [short(n) for n in (999, 1_000, 2_340_000)] == ["999", "1.0k", "2.3M"]


@pytest.mark.parametrize(("every", "lines"), [(0.0, True), (3600.0, False)])
def test_off_a_terminal_a_plain_line_comes_now_and_then(
    task: ConductTask, tmp_path: Path, every: float, lines: bool
) -> None:
    said = io.StringIO()
    folder = EvaluationFolder(tmp_path)
    plan = plan_of([task], Scripted("golden"), runs=2)
    stage = ConductStage(folder, [task], Scripted("golden"), plan)
    with Bar(Console(file=said, width=120), every=every) as bar:
        anyio.run(evaluate, Evaluation(plan, stage, folder, bar))

    assert ("0/2 done" in said.getvalue()) is lines
    assert "\x1b" not in said.getvalue()


class Stuck(Scripted):
    """The first agent never moves; all others play the golden."""

    def __init__(self) -> None:
        super().__init__("golden")
        self._first = True

    def agent(self, task: ConductTask) -> Agent:
        if self._first:
            self._first = False
            return Sleeper("golden", [])
        return super().agent(task)


class Sleeper(Moves):
    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        await anyio.sleep_forever()
        return Move()


def test_a_limit_on_time_ends_its_own_run_alone(task: ConductTask, tmp_path: Path) -> None:
    notes = Notes()
    tally = play(
        task, Stuck(), tmp_path, runs=4, under=Under(limits=Limits(agent_time=1)), notes=notes
    )

    assert (tally.played, tally.missing) == (4, [])
    assert sorted(strict for _, strict in notes.ended if strict is not None) == [
        False, True, True, True,
    ]  # fmt: skip
    assert notes.ended[-1] == (1, False)


def retried(task: ConductTask, folder: Path, order: Order, runs: int) -> Tally:
    cast = Scripted("golden")
    plan = plan_of([task], cast, runs=runs)
    place = EvaluationFolder(folder)
    evaluation = Evaluation(plan, ConductStage(place, [task], cast, plan), place, Notes())
    return anyio.run(evaluate, evaluation, order)


def test_retry_plays_what_failed_so_and_begins_nothing_else(
    task: ConductTask, tmp_path: Path
) -> None:
    given_up = play(task, Breaking(AgentError("503"), times=3), tmp_path, runs=1)

    simulator = retried(task, tmp_path, Order(retry="simulator"), runs=3)
    infrastructure = retried(task, tmp_path, Order(retry="infrastructure"), runs=3)
    all_that_is_left = retried(task, tmp_path, Order(), runs=3)

    assert len(given_up.missing) == 1
    assert (simulator.played, simulator.kept) == (0, 0)
    assert (infrastructure.played, infrastructure.kept) == (1, 0)
    assert (all_that_is_left.played, all_that_is_left.kept) == (2, 1)


@pytest.mark.parametrize(
    ("left", "whose"),
    [
        (b"", "infrastructure"),
        (b'{"bythebook":"tra', "infrastructure"),
        (None, ""),
    ],
    ids=["empty", "torn", "never begun"],
)
def test_a_run_that_was_killed_is_the_infrastructures(
    tmp_path: Path, left: bytes | None, whose: str
) -> None:
    place = RunFolder(tmp_path, TASK, 1)
    if left is not None:
        place.trace.write_bytes(left)
    assert failed_by(place) == whose
