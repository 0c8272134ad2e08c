"""Agent programs of others, as they are, with the guard between them and a company."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bythebook.conduct.golden.cast import Scripts
from bythebook.gateway.exchange import Terms
from bythebook.guard import Guard, Journal, TaskRules, TraceRules
from bythebook.guard.http import HttpGuard
from bythebook.guard.journal import read_journal
from bythebook.guard.relay import Relay
from tests.guard.desk import book
from tests.guard.listening import listening
from tests.guard.played import Guarded, guarded
from tests.guard.shop_program import door
from tests.harness.scripts import Golden
from tests.harness.scripts import tool as named
from tests.harness.stage import stage
from tests.harness.test_turns import PROVIDERS
from tests.model_server import Asked, ModelServer, Say, Spoken, Use
from tests.serve.hands import served
from tests.tasks.shipped import shipped_task

SHIPPED = "q24-net-delivery"

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(900)]


async def test_nanobot_plays_a_task_through_the_guard_and_is_stopped_once(tmp_path: Path) -> None:
    """It tries what breaks a rule, hears the rule, and plays the golden to its verdict."""
    task = shipped_task(SHIPPED)
    golden = Golden(task)
    golden.spoken = -1  # every message by the tool: there is no customer at the other end
    wrong, step = forbidden()
    told: list[str] = []

    def speak(asked: Asked) -> Spoken:
        if asked.turns == step:
            return Say(calls=(Use(named(asked, wrong.name), wrong.args),))
        if asked.turns == step + 1:
            told.extend(asked.answers)
        turn = asked.turns - (asked.turns > step)
        if turn >= len(golden.calls):
            return Say("That is all.")
        call = golden.calls[turn]
        return Say(calls=(Use(named(asked, call.name), call.args),))

    journal = Journal(tmp_path / "journal.jsonl")
    with (
        ModelServer(speak) as server,
        served(None, tmp_path, name=SHIPPED) as (_, url),
        Guard(TaskRules(task), journal=journal) as guard,
    ):
        app = HttpGuard(Relay(guard), f"{url}/mcp").app
        it, terms = tmp_path / "stage", Terms(steps=300)
        async with stage("nanobot", server, it, PROVIDERS["nanobot"], terms, tools=app) as there:
            said = await there.turn("Serve the customer.", timeout=600)

    assert said.ending == "finished", (said, there.ran)
    verdict = json.loads((tmp_path / "runs" / SHIPPED / "1" / "verdict.json").read_bytes())
    assert verdict["strict"] is True
    assert (guard.refused, guard.passed) == (1, len(golden.calls))
    assert guard.rules.astray == ""
    assert "was not called, because it would break a rule" in told[-1]


def forbidden() -> tuple[Use, int]:
    """A call that breaks a rule after nothing but the golden's own calls, and its number."""
    scripts = Scripts(shipped_task(SHIPPED))
    right = made(guarded(scripts.task, scripts.agent("golden")))
    for case in scripts.cases.counterexamples.values():
        agent = scripts.playing(case.id, case.steps, case.golden)
        found = guarded(scripts.task, agent)
        wrong = next((n for n, one in enumerate(found.decisions) if one.broken), 0)
        if wrong and made(found)[:wrong] == right[:wrong]:
            call = found.decisions[wrong].call
            return Use(call.name, dict(call.args)), wrong
    raise AssertionError("no counterexample begins as the golden does")


def made(found: Guarded) -> list[tuple[str, Mapping[str, Any]]]:
    return [(one.call.name, one.call.args) for one in found.decisions]


@pytest.mark.parametrize("name", ["nanobot", "claude-code"])
async def test_six_hundred_tools_reach_an_agent_program_through_the_guard(
    name: str, tmp_path: Path
) -> None:
    shown: list[int] = []

    def speak(asked: Asked) -> Spoken:
        shown.append(sum("tool_" in one for one in asked.tools))
        if asked.number == 0:
            return Say(calls=(Use(named(asked, "refund"), {"id": "7"}),))
        if asked.number == 1:
            return Say(calls=(Use(named(asked, "tool_599"), {"text": "hello"}),))
        return Say("All is done.")

    rules, path = TraceRules(book(), hears=False), tmp_path / "journal.jsonl"
    async with listening(door(600).app) as url:
        with ModelServer(speak) as server, Guard(rules, journal=Journal(path)) as guard:
            app = HttpGuard(Relay(guard), url).app
            folder = tmp_path / "stage"
            async with stage(name, server, folder, PROVIDERS[name], tools=app) as there:
                said = await there.turn("Do it.")

    assert said.text == "All is done.", (said, there.ran)
    assert shown[0] >= 600
    asked = [line for line in read_journal(path) if "ask" in line]
    assert [(line["name"], line["verdict"]) for line in asked] == [
        ("refund", "refuse"), ("tool_599", "pass"),
    ]  # fmt: skip
