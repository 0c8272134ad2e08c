"""Tools that are Python functions, under the rules of a criteria file."""

import asyncio
import threading
from typing import Any

import pytest

from bythebook.guard import Guard, Stopped, TraceRules
from tests.guard.desk import Clock, book, guard_of

ORDERS = {"7": "delivered", "8": "pending"}


class Shop:
    """Tools, and what was really done."""

    def __init__(self) -> None:
        self.refunded: list[str] = []

    def get_order(self, id: str) -> dict[str, str]:
        return {"status": ORDERS[id], "owner": "Ann"}

    def refund(self, id: str) -> dict[str, str]:
        self.refunded.append(id)
        return {"status": "delivered", "owner": "Ann"}

    def wipe(self) -> str:
        raise OSError("the disk is gone")


@pytest.fixture
def shop() -> Shop:
    return Shop()


def test_a_call_that_breaks_no_rule_is_made(shop: Shop) -> None:
    guard = guard_of()
    guard.heard("customer", "Yes, please refund it.")
    guard.call(shop.get_order, id="7")
    guard.call(shop.refund, id="7")

    assert shop.refunded == ["7"]
    assert (guard.passed, guard.refused, guard.noted) == (2, 0, 0)


def test_a_call_that_would_break_a_rule_is_not_made(shop: Shop) -> None:
    guard = guard_of()
    refund = guard.tool(shop.refund)
    with pytest.raises(Stopped) as stopped:
        refund("7")

    assert shop.refunded == []
    assert "An order is looked up before it is refunded (Refunds#1)" in str(stopped.value)
    assert {rule.id for rule in stopped.value.decision.broken} == {"looked", "agreed"}


def test_a_refusal_is_told_as_one_likes(shop: Shop) -> None:
    refund: Any = guard_of().tool(shop.refund, refused=lambda decision: decision.text)

    assert refund("7").startswith("refund was not called, because it would break a rule: ")


def test_a_rule_reads_what_results_showed(shop: Shop) -> None:
    guard = guard_of()
    guard.heard("customer", "Yes, go ahead.")
    guard.call(shop.get_order, id="8")
    with pytest.raises(Stopped, match="Only a delivered order is refunded"):
        guard.call(shop.refund, id="8")


def test_a_rule_stops_every_call_that_would_break_it_and_not_only_the_first(shop: Shop) -> None:
    guard = guard_of()
    for _ in range(3):
        with pytest.raises(Stopped):
            guard.call(shop.wipe)
    logging = guard_of(mode="log")
    for _ in range(3):
        with pytest.raises(OSError, match="the disk is gone"):
            logging.call(shop.wipe)

    assert (guard.refused, logging.noted) == (3, 3)


def test_in_mode_log_calls_are_made_and_noted(shop: Shop) -> None:
    guard = guard_of(mode="log")
    guard.call(shop.refund, id="8")

    assert shop.refunded == ["8"]
    assert (guard.passed, guard.refused, guard.noted) == (0, 0, 1)


def test_a_guess_about_words_is_noted_and_stops_nothing_unless_wanted(shop: Shop) -> None:
    for guesses, made in ((False, ["7"]), (True, [])):
        guard = guard_of(guesses=guesses)
        there = Shop()
        guard.call(there.get_order, id="7")
        decision = guard.ask("refund", {"id": "7"})
        assert [rule.id for rule in decision.broken] == ["agreed"]
        assert (decision.verdict == "refuse") is guesses
        if decision.verdict != "refuse":
            guard.did(decision, there.refund("7"))
        assert there.refunded == made


def test_rules_about_what_is_said_are_set_aside_where_nothing_is_heard(shop: Shop) -> None:
    rules = TraceRules(book(), hears=False)
    guard = Guard(rules, guesses=True, clock=Clock())
    guard.call(shop.get_order, id="7")
    guard.call(shop.refund, id="7")

    assert rules.set_aside == {"agreed"}
    assert shop.refunded == ["7"]


def test_a_refused_call_counts_for_no_rule(shop: Shop) -> None:
    """Two refunds are allowed; those that were refused are none."""
    guard = guard_of()
    for _ in range(4):
        with pytest.raises(Stopped):
            guard.call(shop.refund, id="7")
    guard.call(shop.get_order, id="7")
    guard.call(shop.refund, id="7")
    guard.call(shop.refund, id="7")
    with pytest.raises(Stopped, match="No more than two refunds"):
        guard.call(shop.refund, id="7")


def test_another_name_of_a_tool_is_under_the_same_rules() -> None:
    decision = guard_of().ask("shop_refund", {"id": "7"})

    assert decision.verdict == "refuse"


def test_calls_under_way_count_so_that_two_at_once_are_not_each_the_last(shop: Shop) -> None:
    guard = guard_of()
    guard.call(shop.get_order, id="7")
    under_way = [guard.ask("refund", {"id": "7"}) for _ in range(3)]

    assert [one.verdict for one in under_way] == ["log", "log", "refuse"]  # a yes is only a guess
    assert [rule.id for rule in under_way[2].broken] == ["once", "agreed"]


def test_a_call_that_failed_makes_room_for_another() -> None:
    guard = guard_of()
    guard.did(guard.ask("get_order", {"id": "7"}), {"status": "delivered", "owner": "Ann"})
    for _ in range(3):
        guard.did(guard.ask("refund", {"id": "7"}), "Error: try later")

    assert guard.ask("refund", {"id": "7"}).verdict != "refuse"


def test_threads_cannot_slip_through_together(shop: Shop) -> None:
    guard = guard_of()
    guard.call(shop.get_order, id="7")
    gate = threading.Barrier(8)
    refund: Any = guard.tool(shop.refund, refused=lambda decision: None)

    def one() -> None:
        gate.wait()
        refund(id="7")

    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (len(shop.refunded), guard.refused) == (2, 6)


def test_async_tools_stay_so_and_run_beside_each_other() -> None:
    guard, made = guard_of(), list[str]()

    async def get_order(id: str) -> dict[str, str]:
        return {"status": "delivered", "owner": "Ann"}

    async def refund(id: str) -> dict[str, str]:
        await asyncio.sleep(0)
        made.append(id)
        return {"status": "delivered", "owner": "Ann"}

    async def play() -> list[Any]:
        await guard.tool(get_order)(id="7")
        guarded = guard.tool(refund)
        return await asyncio.gather(*(guarded(id="7") for _ in range(4)), return_exceptions=True)

    answers = asyncio.run(play())

    assert made == ["7", "7"]
    assert [isinstance(one, Stopped) for one in answers] == [False, False, True, True]


def test_arguments_by_position_and_by_default_are_known_by_name() -> None:
    def refund(id: str, *, note: str = "", **more: str) -> None:
        raise AssertionError("never made")

    guard = guard_of()
    with pytest.raises(Stopped) as stopped:
        guard.tool(refund)("7", reason="late")

    assert stopped.value.decision.call.args == {"id": "7", "reason": "late"}


def test_a_call_that_no_rule_hears_asks_none() -> None:
    """What a call costs grows with the rules that concern it, not with all rules there are."""
    guard = guard_of()
    rules = guard.rules
    assert isinstance(rules, TraceRules)
    for _ in range(50):
        guard.did(guard.ask("look_at_the_weather", {}), "sunny")
    assert rules.asked == 0
    guard.ask("refund", {"id": "7"})
    assert rules.asked == 1


def test_a_deadline_that_passes_is_nobodys_call() -> None:
    """Time goes on by itself; the next call is not refused for it."""
    text = """
tools:
  open_ticket: {args: {}}
  answer: {args: {}}
criteria:
  - id: soon
    kind: process
    says: A ticket is answered within ten minutes.
    source: {family: Desk, clause: "1"}
    after: call('open_ticket')
    then: call('answer')
    within: 10
"""
    guard, clock = guard_of(text), Clock()
    guard._clock = clock
    guard.did(guard.ask("open_ticket", {}), "opened")
    clock.at += 3600

    assert guard.ask("answer", {}).verdict == "pass"
