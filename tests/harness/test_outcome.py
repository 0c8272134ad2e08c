"""Whose doing the end of a harness was, where no word of its own or of the gateway tells it."""

import signal

import pytest

from bythebook.gateway.account import Account
from bythebook.harness.adapter import Ending, Said
from bythebook.harness.outcome import outcome
from bythebook.models.types import Call, Message, Reply
from bythebook.sandbox.process import Ran

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGABRT)
WORDS = Reply(message=Message("assistant", "Let me see."))
CALL = Reply(message=Message("assistant", calls=(Call("exec", {}),)))


def account(*replies: Reply) -> Account:
    found = Account(20)
    for reply in replies:
        found.replied(reply)
    return found


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("ending", ["crash", "error"])
def test_no_agent_gets_rid_of_a_run_by_a_signal(ending: Ending, number: signal.Signals) -> None:
    said = Said(ending=ending, says="API Error")
    for code in (128 + number, -number):
        found = outcome(said, Ran(code=code), account(CALL, WORDS))
        assert str(found) == "limit(resources)"
        assert number.name in found.says


@pytest.mark.parametrize("replies", [(), (WORDS,)])
def test_one_whose_model_used_no_tool_was_killed_by_somebody_else(replies: tuple[Reply]) -> None:
    found = outcome(Said(ending="crash"), Ran(code=137), account(*replies))
    assert str(found) == "infrastructure_failure(harness)"


@pytest.mark.parametrize("code", [1, 2, 125, 127, 128, 255])
def test_an_exit_code_of_its_own_is_its_own_failure(code: int) -> None:
    found = outcome(Said(ending="crash"), Ran(code=code), account(CALL))
    assert str(found) == "infrastructure_failure(harness)"


def test_what_was_said_before_the_signal_stands() -> None:
    found = outcome(Said("All is done."), Ran(code=137), account(CALL))
    assert str(found) == "completed(finished)"


def test_a_signal_goes_before_a_call_that_failed_meanwhile() -> None:
    """A harness that is told of a provider's failure ends by itself."""
    seen = account(CALL)
    seen.failed("provider", "503")
    found = outcome(Said(ending="crash"), Ran(code=137), seen)
    assert str(found) == "limit(resources)"


@pytest.mark.parametrize("words", ["Let me see.", "Let me see.\n", ""])
def test_calls_that_fail_beside_a_conversation_do_not_undo_its_end(words: str) -> None:
    seen = account(CALL, Reply(message=Message("assistant", words)))
    seen.failed("provider", "503")
    found = outcome(Said(words, ending="finished" if words else "empty"), Ran(code=0), seen)
    assert str(found) == "completed(finished)"


@pytest.mark.parametrize("ending", ["finished", "empty", "error", "crash"])
def test_where_no_reply_ended_it_the_provider_did(ending: Ending) -> None:
    seen = account(WORDS)
    seen.begin()
    seen.failed("provider", "503")
    found = outcome(Said("Let me see.", ending=ending), Ran(code=0), seen)
    assert str(found) == "infrastructure_failure(provider)"
