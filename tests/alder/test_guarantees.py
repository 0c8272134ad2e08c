"""Promises of exact amounts, the claims that follow a short one, and certificates."""

import pytest

from bythebook.alder.desks.accounts import Account
from bythebook.alder.desks.guarantees import (
    Promise,
    issue_net_certificate,
    minutes_to_promise,
    open_shortfall_claim,
    pay_shortfall_claim,
    postpone_promise,
    promises_due,
    register_promise,
    reject_shortfall_claim,
    withdraw_promise,
)
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.wharf import DAY, wharf


@pytest.fixture
def world() -> World:
    return wharf()


def test_a_letter_becomes_a_promise_once(world: World) -> None:
    promise = register_promise(world, "LTR-4", "CASE-1")

    assert (promise.beneficiary, promise.net, promise.due_clock) == ("N", 50_000, "15:30")
    assert minutes_to_promise(world, promise.id) == 150
    with pytest.raises(Refused, match="registered already"):
        register_promise(world, "LTR-4", "CASE-1")


def test_a_letter_is_registered_for_its_own_customer_while_there_is_time(world: World) -> None:
    with pytest.raises(Refused, match="different customers"):
        register_promise(world, "LTR-4", "CASE-2")
    with pytest.raises(Refused, match="closed"):
        register_promise(world, "LTR-4", "CASE-3")
    with pytest.raises(Refused, match="has passed"):
        register_promise(world, "LTR-5", "CASE-1")


def test_a_withdrawn_promise_is_due_no_more(world: World) -> None:
    withdraw_promise(world, "PRM-1", "customer_letter")

    assert [p.id for p in promises_due(world, "PTY-1", DAY)] == ["PRM-2"]
    with pytest.raises(Refused, match="withdrawn, not open"):
        withdraw_promise(world, "PRM-1", "duplicate")


def test_a_promise_moves_only_by_a_newer_letter_about_the_same_thing(world: World) -> None:
    with pytest.raises(Refused, match="another payee or amount"):
        postpone_promise(world, "PRM-1", "LTR-3")
    with pytest.raises(Refused, match="registered already"):
        postpone_promise(world, "PRM-1", "LTR-1")
    assert postpone_promise(world, "PRM-1", "LTR-2").due_clock == "17:00"
    with pytest.raises(Refused, match="registered already"):
        postpone_promise(world, "PRM-1", "LTR-2")
    with pytest.raises(Refused, match="no later time"):
        postpone_promise(world, "PRM-1", "LTR-1")
    with pytest.raises(Refused, match="short, not open"):
        postpone_promise(world, "PRM-5", "LTR-2")


def test_a_claim_is_for_what_is_missing_and_moves_the_money_once(world: World) -> None:
    claim = open_shortfall_claim(world, "PRM-5")
    assert claim.amount == 900

    with pytest.raises(Refused, match="no suspense account"):
        pay_shortfall_claim(world, claim.id, "ACC-1", "ACC-1")
    with pytest.raises(Refused, match="does not belong"):
        pay_shortfall_claim(world, claim.id, "ACC-9", "ACC-3")
    pay_shortfall_claim(world, claim.id, "ACC-9", "ACC-1")

    assert world[Account]["ACC-1"].balance == 500_900
    assert world[Account]["ACC-9"].balance == 99_100
    with pytest.raises(Refused, match="paid, not open"):
        pay_shortfall_claim(world, claim.id, "ACC-9", "ACC-1")
    with pytest.raises(Refused, match="not open"):
        reject_shortfall_claim(world, claim.id, "shortfall-claims#2.2")
    with pytest.raises(Refused, match="claim already"):
        open_shortfall_claim(world, "PRM-5")
    with pytest.raises(Refused, match="open, not short"):
        open_shortfall_claim(world, "PRM-1")


def test_a_claim_above_the_limit_is_for_somebody_else(world: World) -> None:
    world[Promise].change("PRM-5", received=30_000)
    claim = open_shortfall_claim(world, "PRM-5")
    with pytest.raises(Refused, match="above the desk's limit"):
        pay_shortfall_claim(world, claim.id, "ACC-9", "ACC-1")


def test_a_rejection_names_its_clause(world: World) -> None:
    claim = open_shortfall_claim(world, "PRM-5")
    with pytest.raises(Refused, match="name the document family"):
        reject_shortfall_claim(world, claim.id, "because")
    assert reject_shortfall_claim(world, claim.id, "shortfall-claims#2.2").status == "rejected"


def test_a_certificate_needs_a_kept_promise_and_is_given_once(world: World) -> None:
    assert issue_net_certificate(world, "PRM-6").received == 60_000
    with pytest.raises(Refused, match="certified already"):
        issue_net_certificate(world, "PRM-6")
    with pytest.raises(Refused, match="short, not met"):
        issue_net_certificate(world, "PRM-5")
