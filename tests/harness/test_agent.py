"""What a harness does in a company, and how that ends: the scene decides as it does for any agent.

One harness stands for all: what differs between them is tried in test_turns and test_endings.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bythebook.conduct.task import ConductTask
from bythebook.models.names import address
from bythebook.models.types import Settings
from bythebook.run.attempt import SCRATCH, Terms, attempt
from bythebook.run.condition import condition
from bythebook.run.engaged import HarnessCast
from bythebook.run.plan import Limits
from bythebook.run.reach import Reach
from bythebook.run.traffic import Traffic
from bythebook.trace import Header, StoredEvent, read_trace
from tests.conduct.shed import shed_task
from tests.harness.brought import brought, kind
from tests.harness.scripts import tool
from tests.model_server import Asked, Hang, ModelServer, Say, Script, Spoken, Use, fault

NAME = "claude-code"
LIMITS = Limits(agent_time=60)

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


@pytest.fixture
def shed(tmp_path: Path) -> ConductTask:
    return shed_task(tmp_path / "content")


@dataclass(frozen=True)
class Did:
    """An attempt that is over."""

    outcome: str
    events: tuple[StoredEvent, ...]
    asked: Sequence[Asked]

    @property
    def calls(self) -> list[str]:
        return [one.name for one in self.events if one.kind == "call"]

    def notes(self, name: str) -> list[Any]:
        found = [one for one in self.events if (one.kind, one.name) == ("note", name)]
        return [json.loads(bytes(one.args)) for one in found]


async def play(
    task: ConductTask, folder: Path, script: Script, limits: Limits = LIMITS, **given: Any
) -> Did:
    """One attempt by the harness; nothing of it is left behind."""
    harness, place = brought(NAME), folder / "run"
    header = Header(benchmark="0", suite="conduct", task=task.id, run=1, agent=NAME, scene="0" * 64)
    with ModelServer(script) as server:
        where = address("local:scripted", f"{server.url}/v1")
        cast = HarnessCast(harness, Reach(where, "", Settings(), traffic=Traffic(1)), kind())
        terms = Terms(limits, given.pop("condition", condition("default")), **given)
        journal = place / "trace.jsonl"
        try:
            outcome = await attempt(task, cast.agent(task), terms, journal=journal, header=header)
        finally:
            await cast.close()
    assert not (place / SCRATCH).exists()
    return Did(str(outcome), read_trace(journal).events, server.asked)


def using(name: str, args: dict[str, Any], says: str = "") -> Any:
    """A reply that uses a tool of the scene."""
    return lambda asked: Say(says, calls=(Use(tool(asked, name), args),))


async def test_what_it_says_beside_calls_and_does_for_itself_is_noted(
    shed: ConductTask, tmp_path: Path
) -> None:
    own = Use("Bash", {"command": "ls -A; ls /; ls ~/.. | wc -l"})
    did = await play(
        shed, tmp_path, [using("now", {}, "I look at the clock."), Say(calls=(own,)),
        using("finish", {})],
    )  # fmt: skip

    assert (did.outcome, did.calls) == ("completed(finished)", ["now", "finish"])
    assert did.notes("words") == [{"text": "I look at the clock."}]
    assert did.notes("own_call") == [{"name": "Bash", "args": own.args}]
    assert [note["input"] for note in did.notes("usage")] == [100] * 3
    assert "company" not in did.asked[2].answers[0]


async def test_it_is_told_the_procedure_the_request_and_whose_its_words_are(
    shed: ConductTask, tmp_path: Path
) -> None:
    did = await play(shed, tmp_path, [using("finish", {})])

    told = json.dumps(did.asked[0].messages)
    for part in (shed.file.request, "Your procedure", "go to the customer", "server `desk`"):
        assert json.dumps(part)[1:-1] in told
    offered = [name.rpartition("desk_")[2].lstrip("_") for name in did.asked[0].tools]
    assert {"search_documents", "call_tool", "message_customer", "finish"} <= set(offered)


async def test_calls_of_one_reply_are_made_one_after_another(
    shed: ConductTask, tmp_path: Path
) -> None:
    def several(asked: Asked) -> Spoken:
        names = ("now", "wait", "now")
        uses = (Use(tool(asked, one), {"minutes": 5} if one == "wait" else {}) for one in names)
        return Say(calls=tuple(uses))

    did = await play(shed, tmp_path, [several, using("finish", {})])

    made = [one for one in did.events if one.kind == "call"]
    assert sorted(one.name for one in made[:3]) == ["now", "now", "wait"]
    assert len({one.move for one in made}) == 4
    answers = did.asked[1].answers
    assert len(answers) == 3
    assert all(answers)


async def test_words_go_to_the_customer_and_the_answer_begins_its_next_turn(
    shed: ConductTask, tmp_path: Path
) -> None:
    question = "Who is the cousin that collects?"
    did = await play(shed, tmp_path, [Say(question), using("finish", {})])

    assert did.calls == ["message_customer", "finish"]
    (told,) = [one for one in did.events if one.name == "message_customer"]
    assert json.loads(bytes(told.args)) == {"text": question}
    heard = [one for one in did.events if (one.actor, one.kind) == ("customer", "message")]
    reply = json.loads(bytes(heard[-1].args))["text"]
    assert json.dumps(reply)[1:-1] in json.dumps(did.asked[1].messages[-1])


async def test_two_turns_without_words_or_calls_finish(shed: ConductTask, tmp_path: Path) -> None:
    did = await play(shed, tmp_path, lambda asked: Say(""))

    assert (did.outcome, did.calls) == ("completed(finished)", [])
    assert any("held no words and no tool call" in str(asked.messages) for asked in did.asked)


async def test_refused_calls_end_it_as_they_end_any_agent(
    shed: ConductTask, tmp_path: Path
) -> None:
    wrong = using("read_document", {"id": "nothing-of-the-kind"})
    did = await play(
        shed, tmp_path, lambda asked: wrong(asked), Limits(agent_time=60, tool_errors=3)
    )

    assert (did.outcome, did.calls) == ("limit(tool_errors)", ["read_document"] * 3)


async def test_the_cap_on_calls_is_the_scenes(shed: ConductTask, tmp_path: Path) -> None:
    did = await play(shed, tmp_path, lambda asked: using("now", {})(asked), cap=2)

    assert (did.outcome, did.calls) == ("limit(tool_calls)", ["now", "now"])


async def test_a_source_that_is_switched_off_has_no_tools(
    shed: ConductTask, tmp_path: Path
) -> None:
    off = condition("without:documents")
    did = await play(shed, tmp_path, [using("finish", {})], condition=off)

    assert not [name for name in did.asked[0].tools if name.endswith("search_documents")]


async def test_its_own_time_is_limited_while_the_providers_is_not(
    shed: ConductTask, tmp_path: Path
) -> None:
    did = await play(
        shed, tmp_path, lambda asked: Say(calls=(Use("Bash", {"command": "tail -f /dev/null"}),)),
        Limits(agent_time=3),
    )  # fmt: skip

    assert did.outcome == "limit(agent_time)"
    assert [note["name"] for note in did.notes("own_call")] == ["Bash"]
    assert len(did.notes("usage")) == 1


@pytest.mark.parametrize(
    ("reply", "limits", "ends"),
    [
        (fault(401, "bad key"), LIMITS, "infrastructure_failure(provider)"),
        (Hang(), Limits(agent_time=60, provider_time=2), "infrastructure_failure(provider)"),
    ],
)
async def test_a_provider_that_fails_is_never_the_agents_failure(
    shed: ConductTask, tmp_path: Path, reply: Spoken, limits: Limits, ends: str
) -> None:
    did = await play(shed, tmp_path, lambda asked: reply, limits)

    assert (did.outcome, did.calls) == (ends, [])
