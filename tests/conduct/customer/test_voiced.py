"""A model speaks for the customer over HTTP: what it may do, and what comes of what it may not."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bythebook.agents.protocol import Answer, Call, Move
from bythebook.conduct.customer.violation import KINDS
from bythebook.conduct.customer.voiced import PROMPTS, TOOLS, ModelVoice, PromptName, prompt_text
from bythebook.conduct.play import play
from bythebook.conduct.scene import Scene
from bythebook.conduct.task import ConductTask
from bythebook.errors import SimulatorError
from bythebook.trace import Event
from tests.conduct.customer.speaking import BAD, Good, Planted, use
from tests.conduct.customer.table import Talker, note
from tests.model_server import Asked, ModelServer, Say, Script, Use, fault, full
from tests.models.wiring import at, both

pytestmark = pytest.mark.anyio


class Room:
    """A scene with its customer by a model, driven call by call."""

    def __init__(self, task: ConductTask, voice: ModelVoice) -> None:
        self.scene, self.voice = Scene(task), voice

    async def call(self, name: str, /, **args: Any) -> Answer:
        answer = Answer("", "")
        for call in self.scene.accept(Move((Call(name, args),))):
            answer = self.scene.take(call)
            if self.scene.turn is not None:
                said = await self.voice.answer(self.scene.turn, self.scene.hands)
                answer = self.scene.hear(said, answer)
        return answer

    async def say(self, text: str) -> str:
        answer = await self.call("message_customer", text=text)
        return answer.text.partition("\nThe customer: ")[2]

    async def file(self, fee: int) -> str:
        about = {"locker": "LK-71", "to": "PTY-9102", "fee": fee, "day": "2025-10-14"}
        about |= {"items": [{"name": "lamp", "count": 1}], "wrapped": False}
        await self.call("call_tool", name="draft_handover", arguments=about)
        draft: Any = self.scene.events[-1].result
        asking = {"name": "request_approval", "arguments": {"subject": draft.id}}
        return (await self.call("call_tool", **asking)).text.partition("\nThe customer: ")[2]

    def did(self) -> list[tuple[str, bool]]:
        """The customer's uses of tools."""
        return [(event.name, event.ok) for event in self.events("customer")]

    def broke(self) -> list[str]:
        return [str(e.args["kind"]) for e in self.events("note") if e.name == "violation"]

    def events(self, kind: str) -> list[Event]:
        return [event for event in self.scene.events if event.kind == kind]


@asynccontextmanager
async def room(
    task: ConductTask, script: Script, provider: str = "local", prompt: PromptName = "revised"
) -> AsyncIterator[tuple[Room, ModelServer]]:
    with ModelServer(script) as server:
        async with at(server, provider) as model:
            voice = ModelVoice(task.scenario, task.file.request, model, prompt=prompt)
            yield Room(task, voice), server


# --- the conversation ---------------------------------------------------------------------------


@both
async def test_the_model_sees_the_conversation_from_the_other_side(
    task: ConductTask, provider: str
) -> None:
    async with room(task, [Say("I see."), Say("Fine.")], provider) as (at_table, server):
        assert await at_table.say("Good morning.") == "I see."
        assert await at_table.say("It will take a while.") == "Fine."
    last = server.asked[-1]
    spoken = [(m["role"], m["content"]) for m in last.messages if m["role"] != "system"]
    assert [role for role, _ in spoken] == ["user", "assistant", "user", "assistant", "user"]
    assert task.file.request.strip() in str(spoken[1])
    assert last.said == "It will take a while."
    assert sorted(last.tools) == sorted(tool.name for tool in TOOLS)


@both
async def test_a_filed_request_is_viewed_and_decided_as_the_policy_says(
    task: ConductTask, provider: str
) -> None:
    async with room(task, Good(task.scenario), provider) as (at_table, _):
        assert await at_table.file(600) == "That is fine by me."
        assert "Too dear" in await at_table.file(601)

    assert at_table.did() == [
        ("view_request", True),
        ("approve_request", True),
        ("view_request", True),
        ("decline_request", True),
    ]
    assert at_table.broke() == []


async def test_a_told_fact_is_a_recall_in_the_trace_with_the_tool_or_without(
    task: ConductTask,
) -> None:
    script = [
        use("recall", fact="cousin"),
        Say("Bo Amsel comes for it."),
        Say("The number of the lock is 4471."),
        Say("Bo Amsel, as I said."),
    ]
    async with room(task, script) as (at_table, _):
        await at_table.say("Which cousin collects?")
        await at_table.say("And the number of the lock?")
        await at_table.say("Which cousin was it?")

    recalled = [event.args["fact"] for event in at_table.events("customer")]
    assert recalled == ["cousin", "lock"]


async def test_what_the_customer_asks_back_reaches_the_agent(task: ConductTask) -> None:
    script = [use("ask_agent", text="Which locker do you mean?"), Say("All right.")]
    async with room(task, script) as (at_table, server):
        assert await at_table.say("Shall I open it?") == "Which locker do you mean?"
        assert await at_table.say("LK-71.") == "All right."
    assert at_table.did() == [("ask_agent", True)]
    assert server.asked[-1].answers == ["sent"]


async def test_a_customer_who_leaves_ends_the_run(task: ConductTask) -> None:
    script = [Say("Good."), use("end_conversation", reason="done")]
    async with room(task, script) as (at_table, _):
        await at_table.say("I am ringing the bell.")
        bell = {"locker": "LK-71", "shift": "day"}
        await at_table.call("call_tool", name="ring_shed_bell", arguments=bell)
        assert await at_table.say("All done. Goodbye.") == "Thank you. Goodbye."
    assert str(at_table.scene.outcome) == "completed(customer_left)"


async def test_under_full_disclosure_all_is_told_at_the_start(task: ConductTask) -> None:
    async with room(task, [Say("Bo Amsel comes for it, the lock is 4471.")]) as (at_table, server):
        at_table.voice.tell_all(at_table.scene.hands)
        await at_table.say("Hello.")
    told = [e.args["fact"] for e in at_table.events("customer") if e.name == "recall"]
    assert told == list(task.scenario.facts)
    assert at_table.broke() == []
    assert prompt_text("told") in server.asked[0].messages[0]["content"]


# --- the protocol -------------------------------------------------------------------------------


def lines_for(kind: str) -> list[str | int]:
    """Turns up to one in which a kind can be broken."""
    if kind == "says_undone":
        return ["May I see page 42?"]
    if kind in ("approves_unseen", "turns_down", "undecided"):
        return [600]
    return [900] if kind == "forbidden" else [600, note(1)]


def key_of(task: ConductTask, line: str | int) -> str:
    return (
        line
        if isinstance(line, str)
        else f"ASK-{len(task.opening.tables['approval_requests']) + 1}"
    )


@pytest.mark.parametrize("kind", KINDS)
async def test_a_turn_is_asked_again_twice_and_then_the_simulator_has_failed(
    task: ConductTask, kind: str
) -> None:
    lines = lines_for(kind)
    stubborn = Planted(Good(task.scenario), {key_of(task, lines[-1]): BAD[kind]}, stubborn=True)
    async with room(task, stubborn) as (at_table, _server):
        with pytest.raises(SimulatorError, match=kind) as failure:
            await play(at_table.scene, Talker(lines), at_table.voice)

    assert failure.value.cause == "protocol"
    assert at_table.broke() == [kind] * 3
    said = [event.args["text"] for event in at_table.events("message")]
    assert len(said) == len(lines)


@pytest.mark.parametrize("kind", KINDS)
async def test_once_mended_nobody_sees_the_draft_again(task: ConductTask, kind: str) -> None:
    lines = lines_for(kind)
    planted = Planted(Good(task.scenario), {key_of(task, lines[-1]): BAD[kind]})
    async with room(task, planted) as (at_table, server):
        outcome = await play(at_table.scene, Talker([*lines, note(2)]), at_table.voice)

    assert str(outcome) == "completed(finished)"
    assert at_table.broke() == [kind]
    assert "(Not sent." not in str(server.asked[-1].body)
    assert [ok for name, ok in at_table.did() if name != "approve_request"].count(False) == 0


@pytest.mark.parametrize("kind", ["approves_unseen", "forbidden", "acts_twice"])
async def test_no_model_approves_what_the_policy_does_not(task: ConductTask, kind: str) -> None:
    lines = lines_for(kind)
    stubborn = Planted(Good(task.scenario), {key_of(task, lines[-1]): BAD[kind]}, stubborn=True)
    async with room(task, stubborn) as (at_table, _server):
        with pytest.raises(SimulatorError):
            await play(at_table.scene, Talker(lines), at_table.voice)

    allowed = 1 if kind == "acts_twice" else 0
    given = at_table.scene.world.tables["approvals"]
    assert len(given) - len(task.opening.tables["approvals"]) == allowed


async def test_after_the_first_wrong_call_of_a_reply_no_other_is_done(task: ConductTask) -> None:
    calls = (
        Use("my_records"),
        Use("search_documents"),
        Use("provide_document", {"document": "P41"}),
    )
    async with room(task, [Say(calls=calls), Say("Sorry.")]) as (at_table, server):
        assert await at_table.say("Hello.") == "Sorry."
    assert at_table.did() == [("my_records", True)]
    assert [text[:8] for text in server.asked[-1].answers][1:] == ["Not done", "Not done"]


async def test_asking_the_agent_and_acting_at_once_is_speech_and_tool(task: ConductTask) -> None:
    both_at_once = Say(calls=(Use("ask_agent", {"text": "Why?"}), Use("my_records")))
    async with room(task, [both_at_once, Say("Sorry.")]) as (at_table, _):
        await at_table.say("Hello.")
    assert at_table.broke() == ["speech_and_tool"]
    assert at_table.did() == []


async def test_a_customer_who_only_ever_looks_has_nothing_to_say(task: ConductTask) -> None:
    async with room(task, lambda _: use("my_records")) as (at_table, server):
        with pytest.raises(SimulatorError, match="empty"):
            await at_table.say("Hello.")
    assert server.count < 20
    assert at_table.broke() == ["empty"]


WILD: Sequence[Say] = [
    Say(calls=(Use("recall", "{fact: "),)),
    Say(calls=(Use("recall", {"name": "x", "self": 1}),)),
    Say(calls=(Use("provide_document", {"document": "\ud800"}),)),
    Say("9" * 5000),
    Say("Well, ", stop="length"),
]


@pytest.mark.parametrize("said", WILD, ids=["malformed", "names", "surrogate", "digits", "cut"])
async def test_whatever_a_model_says_is_no_crash(task: ConductTask, said: Say) -> None:
    async with room(task, [said, Say("Sorry."), Say("Sorry.")]) as (at_table, _):
        assert await at_table.say("Hello.") != ""


# --- providers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "cause"), [(fault(401), "provider"), (fault(503), "provider"), (full, "context")]
)
async def test_a_provider_that_cannot_be_had_is_said_to_be_the_cause(
    task: ConductTask, answer: Any, cause: str
) -> None:
    def speak(asked: Asked) -> Any:
        return answer(asked) if callable(answer) else answer

    async with room(task, speak) as (at_table, _):
        with pytest.raises(SimulatorError) as failure:
            await at_table.say("Hello.")
    assert failure.value.cause == cause
    assert at_table.broke() == []


# --- prompts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("prompt", PROMPTS)
async def test_a_prompt_holds_the_scenario_and_no_empty_place(
    task: ConductTask, prompt: PromptName
) -> None:
    async with room(task, [Say("Yes.")], prompt=prompt) as (at_table, server):
        await at_table.say("Hello.")
    system = str(server.asked[0].messages[0]["content"])
    for part in ("Oda Lund, brief", "one of the larger ones", "the agent asks who collects"):
        assert part in system
    assert "LK-71" in system
    assert "{" not in system
    assert "`P41`" in system


@pytest.mark.parametrize(("prompt", "shown"), [("original", True), ("revised", False)])
async def test_only_the_original_prompt_shows_what_private_facts_say(
    task: ConductTask, prompt: PromptName, shown: bool
) -> None:
    async with room(task, [Say("Yes.")], prompt=prompt) as (at_table, server):
        await at_table.say("Hello.")
    assert ("4471" in str(server.asked[0].body)) == shown
