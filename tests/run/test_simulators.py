"""Evaluations whose customer is a model: what the plan says, what counts, whose failure it is."""

import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from bythebook.conduct.customer.voiced import prompt_text
from bythebook.conduct.task import ConductTask
from bythebook.errors import UsageError
from bythebook.models.names import address
from bythebook.models.types import Settings
from bythebook.run.agents import Scripted
from bythebook.run.condition import condition
from bythebook.run.conduct import ConductStage
from bythebook.run.evaluate import Evaluation, Tally, evaluate
from bythebook.run.folder import EvaluationFolder
from bythebook.run.plan import Limits, Under, plan_of
from bythebook.run.reach import Reach
from bythebook.run.score import rescore, scores
from bythebook.run.simulators import ModelCustomers
from bythebook.run.traffic import Traffic
from bythebook.trace import read_trace
from tests.conduct.customer.speaking import Good
from tests.model_server import Asked, Hang, ModelServer, Say, Spoken, Use, fault
from tests.own import TASK
from tests.run.playing import Notes
from tests.run.playing import play as scripted


def play(
    task: ConductTask, url: str, folder: Path, notes: Notes | None = None, **under: Any
) -> Tally:
    """One run of the golden with a model as its customer."""

    async def played() -> Tally:
        where = address("local:scripted", f"{url}/v1?secret=1")
        customers = ModelCustomers(Reach(where, "key", Settings(), traffic=Traffic(5)), "original")
        cast, place = Scripted("golden"), EvaluationFolder(folder)
        try:
            given = {"customer": customers.customer} | under
            plan = plan_of([task], cast, runs=1, under=Under(**given))
            watch = notes or Notes()
            stage = ConductStage(place, [task], cast, plan, customers)
            return await evaluate(Evaluation(plan, stage, place, watch))
        finally:
            await customers.close()

    return anyio.run(played)


class Rude:
    """Helps like an agent for some requests, then is a good customer."""

    def __init__(self, good: Good, times: int) -> None:
        self._good, self._times = good, times

    def __call__(self, asked: Asked) -> Spoken:
        if asked.number < self._times:
            return Say("How can I help you today?")
        return self._good(asked)


def test_the_plan_holds_the_customer_as_sent(task: ConductTask, tmp_path: Path) -> None:
    with ModelServer(Good(task.scenario)) as server:
        play(task, server.url, tmp_path)

    plan = json.loads((tmp_path / "plan.json").read_bytes())
    assert plan["simulator"] == "local:scripted"
    assert plan["simulator_prompt"] == "original"
    assert len(plan["simulator_prompt_hash"]) == 64
    assert plan["simulator_base_url"] == f"{server.url}/v1"
    assert plan["simulator_settings"] == {"model": "scripted", "max_tokens": 32_768}
    assert prompt_text("original")[:40] in server.asked[0].messages[0]["content"]


def test_another_customer_is_another_plan(task: ConductTask, tmp_path: Path) -> None:
    scripted(task, Scripted("golden"), tmp_path)

    with pytest.raises(UsageError, match="simulator was 'scripted', is now 'local:scripted'"):
        play(task, "http://127.0.0.1:9", tmp_path)


def test_a_simulator_that_breaks_the_protocol_fails_and_the_run_is_played_again(
    task: ConductTask, tmp_path: Path
) -> None:
    notes = Notes()
    with ModelServer(Rude(Good(task.scenario), times=7)) as server:
        tally = play(task, server.url, tmp_path, notes)

    place = EvaluationFolder(tmp_path).run(TASK, 1)
    assert tally.played == 1
    assert [str(outcome) for outcome in notes.failures] == ["simulator_failure(protocol)"] * 2
    assert "speaks_as_agent" in notes.failures[0].says
    assert notes.ended == [(1, True)]
    assert not (place.attempts[0] / "verdict.json").exists()


def test_violations_are_in_the_scores_those_of_failed_attempts_too(
    task: ConductTask, tmp_path: Path
) -> None:
    with ModelServer(Rude(Good(task.scenario), times=4)) as server:
        play(task, server.url, tmp_path)

    folder = EvaluationFolder(tmp_path)
    found = scores(folder, rescore(folder)).customer
    valid = read_trace(folder.run(TASK, 1).trace)
    turns = sum(event.actor == "customer" and event.kind == "message" for event in valid.events)
    assert found is not None
    assert (found.simulator, found.prompt) == ("local:scripted", "original")
    assert (found.traces, found.failed) == (2, 1)
    assert found.turns == turns  # the opening request is no turn, the broken one is
    assert found.turns_in_breach == 2
    assert found.rate == 2 / turns
    assert {kind: n for kind, n in found.violations.items() if n} == {"speaks_as_agent": 4}
    assert found.rates["speaks_as_agent"] == 4 / turns


def test_a_customer_that_never_learns_leaves_the_run_missing(
    task: ConductTask, tmp_path: Path
) -> None:
    with ModelServer(lambda _: Say("", (Use("fly"),))) as server:
        tally = play(task, server.url, tmp_path)

    place = EvaluationFolder(tmp_path).run(TASK, 1)
    assert tally.played == 0
    assert [outcome.kind for _, outcome in tally.missing] == ["simulator_failure"]
    assert not place.verdict.exists()
    assert len(place.attempts) == 3


def test_a_simulator_without_its_provider_is_infrastructure(
    task: ConductTask, tmp_path: Path
) -> None:
    with ModelServer(lambda _: fault(401)) as server:
        tally = play(task, server.url, tmp_path, attempts=1)

    (_, outcome) = tally.missing[0]
    assert str(outcome) == "infrastructure_failure(simulator_provider)"


def test_a_slow_simulator_costs_the_agent_nothing(task: ConductTask, tmp_path: Path) -> None:
    limits = Limits(agent_time=1, provider_time=1)
    with ModelServer(lambda _: Hang()) as server:
        tally = play(task, server.url, tmp_path, attempts=1, limits=limits)

    (_, outcome) = tally.missing[0]
    assert str(outcome) == "infrastructure_failure(simulator_provider)"
    assert "more than 1 s" in outcome.says


def test_full_disclosure_tells_a_model_customer_too(task: ConductTask, tmp_path: Path) -> None:
    with ModelServer(Good(task.scenario)) as server:
        play(task, server.url, tmp_path, condition=condition("full-disclosure"))

    trace = read_trace(EvaluationFolder(tmp_path).run(TASK, 1).trace)
    first_call = next(event.i for event in trace.events if event.kind == "call")
    assert next(e.i for e in trace.events if e.name == "recall") < first_call
