"""A scene turns moves into events: nothing an agent does raises, and reading costs no time."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bythebook.agents.protocol import Answer, Call, Move
from bythebook.conduct.company import load_company
from bythebook.conduct.counter import BASE
from bythebook.conduct.customer.scripted import ScriptedVoice
from bythebook.conduct.play import at_once
from bythebook.conduct.scene import MOST_WORDS, Limits, Scene
from bythebook.conduct.task import ConductTask, load_task
from bythebook.task import Content
from bythebook.trace import Event

TASK = """
title: Raise the cap
request: |
  Please sort out our fee mandate.
sop: [ask-first]
day: 2025-09-25
clock: "15:44"
dependencies: [limited resources, prior commitments]
canary: bythebook-canary-00000000000000000000000000000001
overlay:
  cases: [{id: CASE-T1, party: PTY-T1, title: Fees, opened: 2025-09-01, status: open, handler: you}]
  accounts:
  - {id: ACC-T1, owner: PTY-T1, name: Fees, kind: fee, currency: USD, balance: 9000}
  - {id: ACC-T2, owner: PTY-T1, name: Operating, kind: operating, currency: USD, balance: 500}
  mandates: [{id: MND-T1, owner: PTY-T1, case: CASE-T1, currency: USD, total_cap: 5000}]
"""
CUSTOMER = """
who: Noor, in a hurry
party: PTY-T1
public:
- {id: which, asks: [[mandate, fee cap]], says: "The one for the Acacia case."}
private:
- id: limit
  tell_when: asked how far the cap may go
  asks: [[how far, highest, maximum, limit], [cap, fees]]
  says: "Sixty, not a cent more."
- {id: reason, asks: [[why], [cap]], says: "The review got dearer."}
records: {mandates: [MND-T1]}
decisions:
- on: request_amendment
  table: mandates
  approve_when: >-
    request.field == 'total_cap' and request.value <= 6000 and 'review_fee' in request.reasons
  otherwise: "Fifty was the deal. What changed?"
patience: 2
"""
SOP = """
id: ask-first
title: Ask first
scope: {product: any}
effective: [2025-01-01, null]
steps: [{id: ask, do: Ask., next: end}]
"""


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> ConductTask:
    root = tmp_path_factory.mktemp("content")
    folder = root / "tasks" / "conduct" / "t01-cap"
    folder.mkdir(parents=True)
    (folder / "task.yaml").write_text(TASK)
    (folder / "customer.yaml").write_text(CUSTOMER)
    (root / "company" / "sops").mkdir(parents=True)
    (root / "company" / "sops" / "ask-first.yaml").write_text(SOP)
    content = Content([root])
    return load_task(content, load_company(content), "t01")


class Table:
    """A scene with its scripted customer, driven call by call."""

    def __init__(self, task: ConductTask, **limits: Any) -> None:
        self.scene = Scene(task, limits=Limits(**limits))
        self.voice = ScriptedVoice(task.scenario)

    def call(self, name: str, /, **args: Any) -> Answer:
        answer = Answer("", "")
        for call in self.scene.accept(Move((Call(name, args),))):
            answer = self.scene.take(call)
            if self.scene.turn is not None:
                said = at_once(self.voice.answer(self.scene.turn, self.scene.hands))
                answer = self.scene.hear(said, answer)
        return answer

    def say(self, text: str) -> str:
        return self.call("message_customer", text=text).text

    def did(self, kind: str) -> list[Event]:
        return [event for event in self.scene.events if event.kind == kind]


@pytest.fixture
def table(task: ConductTask) -> Table:
    return Table(task)


AMEND = {"subject": "MND-T1", "field": "total_cap", "reasons": ["review_fee"]}


def amend(table: Table, value: int, **changes: Any) -> Answer:
    arguments = AMEND | {"value": value} | changes
    return table.call("call_tool", name="request_amendment", arguments=arguments)


def test_the_request_opens_the_trace(table: Table) -> None:
    first = table.scene.events[0]

    assert (first.actor, first.kind, first.i) == ("customer", "message", 0)
    assert first.args == {"text": "Please sort out our fee mandate.\n"}


def test_a_business_tool_is_an_event_under_its_own_name(table: Table) -> None:
    table.call("call_tool", name="fee_total", arguments={"case": "CASE-T1"})

    assert table.did("call")[-1].name == "fee_total"


@pytest.mark.parametrize(
    ("name", "args", "says"),
    [
        ("serch_documents", {"query": "x"}, "did you mean 'search_documents'"),
        ("call_tool", {"name": "fee_totl", "arguments": {}}, "did you mean 'fee_total'"),
        ("call_tool", {"arguments": {}}, "which tool"),
        ("call_tool", {"name": "fee_total", "arguments": [1]}, "arguments are: case"),
        ("call_tool", {"name": "call_tool", "arguments": {}}, "which tool"),
        ("query_records", {"table": "mandate"}, "tables are:"),
        ("query_records", {"table": "mandates", "where": {"cap": 1}}, "columns are:"),
        ("read_document", {"id": "nothing"}, "there is no document"),
        ("wait", {"minutes": 0}, "minutes"),
        ("wait", {"_malformed": "{minutes: "}, "wait"),
        ("message_customer", {"text": ""}, "text"),
    ],
)
def test_bad_calls_are_refused_and_counted_and_cost_nothing(
    table: Table, name: str, args: dict[str, Any], says: str
) -> None:
    before = table.scene.world.hash
    answer = table.call(name, **args)

    assert not answer.ok
    assert says in answer.text
    assert (table.scene.errors, table.scene.world.t, table.scene.world.hash) == (1, 0, before)


def test_a_name_like_no_other_is_not_answered_with_a_list_of_what_there_is(table: Table) -> None:
    answer = table.call("read_document", id="zzzzzz")

    assert answer.text == "there is no document 'zzzzzz'; search for the document you need"


def test_a_refused_call_writes_nothing(table: Table) -> None:
    before = table.scene.world.hash
    move = {"source": "ACC-T2", "target": "ACC-T1", "amount": 501, "reference": "x"}

    assert not table.call("call_tool", name="transfer_between_accounts", arguments=move).ok
    assert table.scene.world.hash == before
    assert table.did("call")[-1].writes == ()


def test_business_takes_a_minute_and_words_take_none(table: Table) -> None:
    table.call("search_tools", query="transfer money")
    table.call("query_records", table="mandates", where={"id": "MND-T1"})
    table.say("Which mandate is it?")
    amend(table, 6000)
    assert table.scene.world.t == 0

    move = {"source": "ACC-T2", "target": "ACC-T1", "amount": 500, "reference": "x"}
    table.call("call_tool", name="transfer_between_accounts", arguments=move)
    assert table.scene.world.t == 1

    table.call("wait", minutes=15)
    assert table.call("now").text == '{"day":"2025-09-25","clock":"16:00","t":16}'


def test_a_filed_request_is_decided_by_its_terms(table: Table) -> None:
    assert "Fifty was the deal" in amend(table, 6001).text
    assert "Fifty was the deal" in amend(table, 6000, reasons=["deadline"]).text
    assert "now 6000" in amend(table, 6000).text

    mandate: Any = table.scene.world.tables["mandates"]["MND-T1"]
    assert mandate.total_cap == 6000
    assert [(e.name, e.ok) for e in table.did("customer")][-2:] == [
        ("view_request", True),
        ("amend_instruction", True),
    ]


def test_a_yes_in_prose_changes_nothing(table: Table) -> None:
    said = table.say("Do you agree to raise it to 60 dollars?")

    assert "Send me the request itself" in said
    assert "approvals" not in table.scene.world._owned


def test_what_the_customer_writes_is_caused_by_the_agents_request(table: Table) -> None:
    amend(table, 6000)

    call = table.did("call")[-1]
    assert {event.cause for event in table.did("customer")} == {call.i}


def test_a_fact_is_told_when_it_is_asked_for_and_not_before(table: Table) -> None:
    assert "Sixty" not in table.say("Tell me everything you know, please.")
    assert "Sixty" in table.say("What is the maximum for the fees?")


def test_asking_for_everything_in_one_breath_tells_nothing(table: Table) -> None:
    said = table.say("Which mandate, what is the limit of the cap, why the cap?")

    assert "Sixty" not in said
    assert table.voice.misunderstood == 1


def test_a_reason_may_stand_before_a_question(table: Table) -> None:
    reason = "The mandate has a fee cap, and I see why the cap was set."

    assert "Sixty" in table.say(f"{reason} What is the maximum for the fees?")
    assert table.voice.misunderstood == 0


def test_a_report_of_what_was_told_is_not_taken_for_a_question(table: Table) -> None:
    table.say("What is the maximum for the fees?")

    assert table.say("So the maximum for the fees is sixty.") == (
        '{"id":"MSG-3","who":"agent","text":"So the maximum for the fees is sixty.","t":0}\n'
        "The customer: Thanks, noted."
    )
    assert "As I said" in table.say("What was the maximum for the fees?")
    assert "Thanks" in table.say("The maximum for the fees was kept. Please enjoy your evening.")
    assert table.voice.misunderstood == 0


def test_a_customer_out_of_patience_leaves_and_the_run_is_completed(table: Table) -> None:
    table.say("Could you explain the moon?")
    table.say("Could you explain the stars?")

    assert str(table.scene.outcome) == "completed(customer_left)"


def test_a_statement_is_thanked_for_and_costs_no_patience(table: Table) -> None:
    assert "Thanks" in table.say("All done, the file is closed.")
    assert table.voice.misunderstood == 0


def test_a_customer_leaves_whom_somebody_thanks_without_end(table: Table) -> None:
    for _ in range(MOST_WORDS - 1):
        table.say("You are welcome.")
    table.call("now")
    for _ in range(MOST_WORDS - 1):
        table.say("You are welcome.")
    assert table.scene.outcome is None

    table.say("You are welcome.")
    outcome = table.scene.outcome
    assert outcome is not None
    assert str(outcome) == "completed(customer_left)"
    assert outcome.says == "60 messages in a row, and nothing done between them"


def test_plain_text_is_a_message_and_two_empty_turns_finish(table: Table) -> None:
    scene = table.scene
    assert [call.name for call in scene.accept(Move((), "Hello"))] == ["message_customer"]
    assert list(scene.accept(Move(()))) == []
    assert scene.outcome is None
    assert list(scene.accept(Move((), "  "))) == []
    assert str(scene.outcome) == "completed(finished)"


def test_calls_after_finish_in_one_move_are_not_executed(table: Table) -> None:
    calls = (Call("finish", {}), Call("wait", {"minutes": 5}))
    taken = [table.scene.take(call) for call in table.scene.accept(Move(calls))]

    assert len(taken) == 1
    assert table.scene.world.t == 0


@pytest.mark.parametrize(
    ("limits", "kind"),
    [
        ({"tool_errors": 2}, "tool_errors"),
        ({"tool_calls": 3}, "tool_calls"),
        ({"steps": 3}, "steps"),
    ],
)
def test_a_limit_ends_the_run_under_its_own_name(
    task: ConductTask, limits: dict[str, int], kind: str
) -> None:
    table = Table(task, **limits)
    for _ in range(5):
        table.call("read_document", id="nothing")

    assert str(table.scene.outcome) == f"limit({kind})"


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None)
@given(
    name=st.sampled_from([*BASE, "fee_total", "reverse_fee", "\ud800", "", "nonsense"])
    | st.text(max_size=5),
    keys=st.dictionaries(
        st.sampled_from(["name", "arguments", "text", "minutes", "table", "where", "id", "query"]),
        anything,
        max_size=4,
    ),
)
def test_no_call_breaks_the_scene_or_its_journal(
    task: ConductTask, name: str, keys: dict[str, Any]
) -> None:
    lines: list[bytes] = []
    scene = Scene(task, record=lambda event: lines.append(msgspec.json.encode(event)))
    voice = ScriptedVoice(task.scenario)
    for call in scene.accept(Move((Call(name, keys),))):
        answer = scene.take(call)
        if scene.turn is not None:
            answer = scene.hear(at_once(voice.answer(scene.turn, scene.hands)), answer)
        answer.text.encode()
    scene.close()

    assert len(lines) == len(scene.events)
    assert not scene.errors or scene.world.t == 0


def test_arguments_nested_without_end_are_refused_and_kept(table: Table) -> None:
    deep: Any = "x"
    for _ in range(5000):
        deep = [deep]

    assert not table.call("search_documents", query=deep).ok
    assert b"nested too deeply" in msgspec.json.encode(table.scene.events[-1])


def test_the_same_moves_give_the_same_events(task: ConductTask) -> None:
    def run() -> list[Event]:
        table = Table(task)
        amend(table, 6000)
        table.call("wait", minutes=3)
        table.scene.close()
        return table.scene.events

    assert run() == run()
