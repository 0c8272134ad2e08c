"""The checks one by one, on the lockers and on everything that ships."""

from collections.abc import Iterator
from typing import Any

import pytest

from bythebook import yamlfile
from bythebook.agents.protocol import Move
from bythebook.conduct.company import load_company
from bythebook.conduct.customer.acts import wrong_act
from bythebook.conduct.customer.hands import CustomerHands, Said, Turn
from bythebook.conduct.customer.history import History
from bythebook.conduct.customer.speech import Footing, wrong_words
from bythebook.conduct.scene import Scene
from bythebook.conduct.task import ConductTask, load_tasks
from bythebook.conduct.world import World
from bythebook.models.types import Call
from bythebook.task import Content


def footing(task: ConductTask, *said: str) -> Footing:
    """The customer's turn after the agent said some things."""
    history = History(task.scenario, task.file.request)
    hands = CustomerHands(World(task.opening), task.scenario, lambda *_: None)
    history.remember(hands)
    for text in said:
        history.hear(Said(text))
    return Footing(task.scenario, history, hands, Said(said[-1] if said else "Hello."))


def words(task: ConductTask, text: str, *said: str) -> list[str]:
    return [violation.kind for violation in wrong_words(text, footing(task, *said))]


# --- words --------------------------------------------------------------------------------------

AGENTS = (
    "Agent: I have looked at your locker.",
    "Sure.\nAlder: your locker is open.",
    "How may I assist you?",
    "Is there anything else I can help with?",
    "I am an AI language model.",
    "I\u2019m Alder's agent and I will see to it.",
    "We at Alder would like to thank you.",
    "I have submitted the request on your behalf.",
    "May I have your approval for this?",
    "I will call search_documents and see.",
    "Hello Oda, thanks for writing.",
    "Good morning Ms Lund, here is the news.",
)
CUSTOMERS = (
    "Hello, Oda Lund here.",
    "Thanks.\nOda",
    "Best wishes, Oda Lund",
    "As the agent said, I'll wait.",
    "I've looked at your request and it's fine.",
    "Can you help me with the locker?",
    "On behalf of my cousin, thank you.",
    "I need your help.",
    "Agent or no agent: do it.",
    "That's LK-71, as I wrote.",
    "It's 100% fine, do it by 9:00 on 14 October.",
)


@pytest.mark.parametrize("text", AGENTS)
def test_words_that_only_alder_writes(task: ConductTask, text: str) -> None:
    assert words(task, text) == ["speaks_as_agent"]


@pytest.mark.parametrize("text", CUSTOMERS)
def test_words_that_a_customer_may_write(task: ConductTask, text: str) -> None:
    assert words(task, text) == []


def test_a_tool_call_written_as_words_is_no_speech(task: ConductTask) -> None:
    assert words(task, "my_records() for LK-71") == ["speech_and_tool"]


@pytest.mark.parametrize("text", ["It is LK-99.", "It weighs 77 kilos.", "About forty of them."])
def test_numbers_and_ids_from_nowhere_are_inventions(task: ConductTask, text: str) -> None:
    assert words(task, text) == ["invents_fact"]
    assert words(task, text, "Is it LK-99, with 77 or forty?") == []


def test_a_private_fact_is_told_when_it_was_asked_for_and_not_before(task: ConductTask) -> None:
    says = "The number of the lock is 4471."

    assert words(task, says) == ["volunteers"]
    assert words(task, says, "Tell me everything you know.") == ["volunteers"]
    assert words(task, says, "What is the code of the lock?", "Thank you.") == []
    assert words(task, "It is one of the larger ones.") == []


def test_a_fact_with_a_paper_comes_with_the_paper(task: ConductTask) -> None:
    on = footing(task, "May I see page 42 of the lease?")
    says = "Page 42 of the lease says so, here it is."
    before = [violation.kind for violation in wrong_words(says, on)]

    on.hands.act("provide_document", document="P42")

    assert before == ["says_undone"]
    assert wrong_words(says, on) == ()


# --- acts ---------------------------------------------------------------------------------------


class Desk:
    """A scene whose agent drafts and files, and the footing of the customer's turn in it."""

    def __init__(self, task: ConductTask) -> None:
        self.task, self.scene = task, Scene(task)
        self.history = History(task.scenario, task.file.request)

    def business(self, name: str, **arguments: Any) -> Any:
        call = Call("call_tool", {"name": name, "arguments": arguments}, "do")
        for one in self.scene.accept(Move((call,))):
            self.scene.take(one)
        return self.scene.events[-1].result

    def file(self, fee: int) -> str:
        things = [{"name": "lamp", "count": 1}]
        about: dict[str, Any] = {"locker": "LK-71", "to": "PTY-9102", "items": things}
        draft = self.business("draft_handover", fee=fee, day="2025-10-14", wrapped=False, **about)
        return str(self.business("request_approval", subject=draft.id).id)

    def act(self, name: str, **args: Any) -> str:
        """What is wrong with the act; one that is not wrong is done."""
        turn: Turn = self.scene.turn or Said("It is all done.")
        on = Footing(self.task.scenario, self.history, self.scene.hands, turn)
        wrong = wrong_act(Call(name, args), on)
        if wrong is not None:
            return wrong.kind
        done, _ = self.scene.hands.act(name, **args)
        if done and name == "view_request":
            self.history.viewed.add(args["request"])
        return "" if done else "refused"

    def said(self, text: str) -> None:
        self.scene.turn = Said(text)


@pytest.fixture
def desk(task: ConductTask) -> Desk:
    return Desk(task)


def test_terms_are_viewed_before_they_are_approved(desk: Desk) -> None:
    request = desk.file(600)

    assert desk.act("approve_request", request=request) == "approves_unseen"
    assert desk.act("view_request", request=request) == ""
    assert desk.act("approve_request", request=request) == ""


def test_what_the_policy_forbids_is_not_approved_but_declined(desk: Desk) -> None:
    request = desk.file(601)
    desk.act("view_request", request=request)

    assert desk.act("approve_request", request=request) == "forbidden"
    assert desk.act("decline_request", request=request, reason="Too dear.") == ""


def test_what_the_policy_approves_is_not_declined_and_not_taken_back(desk: Desk) -> None:
    request = desk.file(600)
    desk.act("view_request", request=request)

    assert desk.act("decline_request", request=request, reason="No.") == "turns_down"
    assert desk.act("approve_request", request=request) == ""
    given = desk.scene.events[-1].result
    assert desk.act("revoke_approval", approval=given.id) == "turns_down"


def test_a_decided_request_is_not_decided_again(desk: Desk) -> None:
    request = desk.file(600)
    desk.act("view_request", request=request)
    desk.act("approve_request", request=request)

    assert desk.act("approve_request", request=request) == "acts_twice"
    assert desk.act("decline_request", request=request, reason="No.") == "acts_twice"


def test_a_paper_is_handed_over_once_and_when_asked_for(desk: Desk) -> None:
    assert desk.act("provide_document", document="P41") == "volunteers"
    desk.history.hear(Said("May I see page 41?"))

    assert desk.act("provide_document", document="P41") == ""
    assert desk.act("provide_document", document="P41") == "acts_twice"


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("approve_request", {"request": "ASK-0"}),
        ("approve_request", {"wish": 1}),
        ("provide_document", {"document": "P0"}),
        ("revoke_approval", {"approval": "APR-0"}),
        ("end_conversation", {"reason": "bored"}),
        ("recall", {"name": "x", "self": 1}),
    ],
)
def test_arguments_that_do_not_fit_are_the_tools_to_refuse(
    desk: Desk, name: str, args: dict[str, Any]
) -> None:
    on = Footing(desk.task.scenario, desk.history, desk.scene.hands, Said("Hello."))

    assert wrong_act(Call(name, args), on) is None
    assert desk.scene.hands.act(name, **args)[0] is False


@pytest.mark.parametrize("name", ["search_documents", "draft_handover", "fly"])
def test_the_agents_tools_are_not_the_customers(desk: Desk, name: str) -> None:
    assert desk.act(name) == "speaks_as_agent"


def test_a_yes_is_not_the_end(desk: Desk) -> None:
    request = desk.file(600)
    desk.act("view_request", request=request)
    open_still = desk.act("end_conversation", reason="done")
    desk.act("approve_request", request=request)
    desk.scene.turn = None
    just_agreed = desk.act("end_conversation", reason="done")
    desk.business("ring_shed_bell", locker="LK-71", shift="day")
    assert [open_still, just_agreed] == ["ends_early", "ends_early"]

    for text in ("I have rung the bell.", "It is done. May I go on?"):
        desk.said(text)
        assert desk.act("end_conversation", reason="done") == "ends_early"
    desk.said("It is all done.")
    assert desk.act("end_conversation", reason="done") == ""
    assert desk.scene.hands.left == "done"


def test_a_customer_leaves_out_of_patience_when_it_is_spent(desk: Desk) -> None:
    for _ in range(desk.task.scenario.file.patience):
        assert desk.act("end_conversation", reason="out_of_patience") == "ends_early"
        desk.history.hear(Said("Could you tell me about it?"))

    assert desk.act("end_conversation", reason="no_longer_needed") == "ends_early"
    assert desk.act("end_conversation", reason="out_of_patience") == ""


# --- what ships ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shipped() -> list[ConductTask]:
    content = Content()
    return load_tasks(content, load_company(content))


def messages(task: ConductTask, kind: str) -> Iterator[tuple[str, str]]:
    """Fact and message for each paraphrase of a kind."""
    path = task.folder / "paraphrases.yaml"
    if path.exists():
        for fact, lists in yamlfile.load(path, dict[str, dict[str, tuple[str, ...]]]).items():
            yield from ((fact, text) for text in lists[kind])


def test_every_shipped_private_fact_is_recognised_when_nobody_asked(
    shipped: list[ConductTask],
) -> None:
    for task in shipped:
        for fact in task.scenario.file.private:
            assert "volunteers" in words(task, fact.says), f"{task.id}: {fact.id}"


def test_every_shipped_fact_may_be_told_to_each_message_that_asks_for_it(
    shipped: list[ConductTask],
) -> None:
    for task in shipped:
        for fact, text in messages(task, "elicits"):
            found = set(words(task, task.scenario.facts[fact].says, text))
            assert found <= {"says_undone"}, f"{task.id}: {fact}: {text}"


def test_no_shipped_sentence_of_a_customer_breaks_the_protocol(
    shipped: list[ConductTask],
) -> None:
    for task in shipped:
        public = [fact.says for fact in task.scenario.file.public]
        for text in (*public, *task.scenario.lines.values()):
            assert words(task, text) == [], f"{task.id}: {text}"
