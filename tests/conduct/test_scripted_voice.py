"""What the scripted customer takes for a question, and what costs no patience."""

import pytest

from bythebook.conduct.company import load_company
from bythebook.conduct.customer.hands import CustomerHands, Said
from bythebook.conduct.customer.scripted import ScriptedVoice
from bythebook.conduct.play import at_once
from bythebook.conduct.task import ConductTask, load_task
from bythebook.conduct.world import World
from bythebook.task import Content


@pytest.fixture(scope="module")
def task() -> ConductTask:
    content = Content()
    return load_task(content, load_company(content), "q34")


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
