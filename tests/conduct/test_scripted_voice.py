"""What the scripted customer takes for a question, and what costs no patience."""

import pytest

from bythebook.conduct.company import load_company
from bythebook.conduct.customer.hands import CustomerHands, Said
from bythebook.conduct.customer.scripted import ScriptedVoice
from bythebook.conduct.play import at_once
from bythebook.conduct.task import ConductTask, load_task
from bythebook.conduct.world import World
from bythebook.task import Content


def loaded(task: str) -> ConductTask:
    content = Content()
    return load_task(content, load_company(content), task)


@pytest.fixture(scope="module")
def task() -> ConductTask:
    return loaded("q34")


@pytest.fixture(scope="module")
def larkmoor() -> ConductTask:
    return loaded("q46")


def say(task: ConductTask, text: str) -> tuple[str, int]:
    """The answer to a first message, and how often the customer was lost by it."""
    voice = ScriptedVoice(task.scenario)
    hands = CustomerHands(World(task.opening), task.scenario, lambda *_: None)
    return at_once(voice.answer(Said(text), hands)), voice.misunderstood


REPORTS = (
    "The chargeback is settled. Please let me know if you need anything else.",
    "Both refunds are out. Is there anything else you need? Do write if you have any questions.",
    "Please note that I need to withdraw the credit first, and the ledger has not confirmed it.",
)


@pytest.mark.parametrize("text", REPORTS)
def test_a_courteous_report_costs_no_patience(task: ConductTask, text: str) -> None:
    assert say(task, text) == ("Thanks, noted.", 0)


def test_a_report_that_touches_many_things_is_thanked_for(task: ConductTask) -> None:
    text = "Marit's is netted, Jory's letter to Anselm is kept, the cut-off was 15:30."

    assert say(task, text) == ("Thanks, noted.", 0)
    assert say(task, f"{text} Is that all right?") == (
        "That is a lot at once. Which one thing do you need from me?",
        1,
    )


def test_a_question_beside_a_courtesy_is_still_a_question(task: ConductTask) -> None:
    _, lost = say(task, "Please note the hour. Could you explain the moon?")

    assert lost == 1


LONG = {
    "the name stands before": (
        "Ms Prokop, K-3361: Hanne's letter promises the full price, keeps nothing back and still "
        "binds. May the credit on her card be made final?",
        "prokop-keeps-it",
    ),
    "the question alone says little": (
        "Ms Prokop, K-3361: your letter to her of 6 October promises the full price and that "
        "nothing is kept back, and it still binds. May I let her keep what is on her card?",
        "prokop-keeps-it",
    ),
    "what is asked about stands before": (
        "The slip for the viola is in the file. Corvane closes at 15:30, not at four. Ms Halloran "
        "needs the fast lane for her deposit, 180 dollars. Both at once is more than your forty "
        "dollars. So the viola, K-3317, goes into the standard lane. Is that all right with you?",
        "lane",
    ),
}
"""Messages that touch many facts and ask about one."""


@pytest.mark.parametrize(("text", "fact"), LONG.values(), ids=list(LONG))
def test_a_long_reason_before_one_question_is_understood(
    larkmoor: ConductTask, text: str, fact: str
) -> None:
    answer, lost = say(larkmoor, text)

    assert larkmoor.scenario.facts[fact].says in answer
    assert lost == 0


def test_questions_about_many_things_are_not_sorted_out_by_the_customer(
    larkmoor: ConductTask,
) -> None:
    text = (
        "Is Ms Prokop's letter still binding? May her credit be made final? Did she answer the "
        "second letter? Has she been paid anything otherwise?"
    )

    assert say(larkmoor, text)[1] == 1


def test_a_closing_report_is_no_question(larkmoor: ConductTask) -> None:
    text = "Nothing more is needed from you. Ms Prokop keeps her credit, the letter of Hanne's"

    assert say(larkmoor, f"{text} binds, and the viola is in the standard lane.") == (
        "Thanks, noted.",
        0,
    )
