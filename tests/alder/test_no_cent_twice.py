"""Money goes back once, stays in its currency, and leaves in one piece or not at all."""

import pytest

from bythebook.alder.desks.accounts import Account, Fee, reverse_fee, take_fee
from bythebook.alder.desks.applications import (
    pay_review_fee,
    refund_review_fee,
    withdraw_application,
)
from bythebook.alder.desks.corridors import request_quote
from bythebook.alder.desks.delivery import Delivery, Service, draft_delivery, schedule_delivery
from bythebook.alder.desks.guarantees import Promise, open_shortfall_claim, pay_shortfall_claim
from bythebook.alder.desks.invoicing import credit_delivery_fee
from bythebook.alder.desks.payouts import (
    Payee,
    Payout,
    draft_payout,
    preview_payout,
    register_payee,
    schedule_payout,
)
from bythebook.alder.desks.releases import draft_release
from bythebook.alder.desks.reserves import Reserve
from bythebook.alder.desks.settlements import ExpectedCredit, split_credit
from bythebook.tool import Refused
from tests.alder.harbour import harbour
from tests.alder.hours import later
from tests.alder.ledger import total
from tests.alder.till import till
from tests.alder.wharf import wharf


def test_a_fee_credited_in_part_is_not_reversed_as_well() -> None:
    world = wharf()
    fee = take_fee(world, "ACC-2", 500, what="delivery fee", ref="DLV-1", case="CASE-1")
    credit_delivery_fee(world, fee.id, 500, "goodwill")

    with pytest.raises(Refused, match="credited in part"):
        reverse_fee(world, fee.id)
    assert world[Account]["ACC-2"].balance == 9_000


def test_a_review_fee_credited_in_part_is_not_refunded_as_well() -> None:
    world = harbour()
    fee = pay_review_fee(world, "APP-1", "ACC-2")
    credit_delivery_fee(world, fee.id, fee.amount, "goodwill")
    withdraw_application(world, "APP-1")

    with pytest.raises(Refused, match="credited in part"):
        refund_review_fee(world, "APP-1")
    assert world[Account]["ACC-2"].balance == 9_000


def test_dollar_fees_and_dollar_funds_come_from_dollars() -> None:
    world = harbour()
    world[Reserve].change("RSV-4", balance=9_000)
    before = total(world.tables)

    with pytest.raises(Refused, match="RSV-4 is in EUR"):
        pay_review_fee(world, "APP-1", "RSV-4")
    with pytest.raises(Refused, match="RSV-4 is in EUR"):
        draft_release(world, "RSV-4", "standard", 6_000, 0, "APP-1")
    assert total(world.tables) == before


def test_a_claim_is_paid_in_the_currency_it_is_taken_from() -> None:
    world = wharf()
    world[Account].add(owner="PTY-1", name="e", kind="operating", currency="EUR", balance=0)
    claim = open_shortfall_claim(world, "PRM-5").id

    with pytest.raises(Refused, match="not in one currency"):
        pay_shortfall_claim(world, claim, "ACC-9", "ACC-5")
    assert pay_shortfall_claim(world, claim, "ACC-9", "ACC-1").status == "paid"


def test_a_scheduled_order_that_its_one_account_cannot_carry_takes_nothing() -> None:
    """Amount and fee come from the same account, which holds each of them but not both."""
    world = wharf()
    world[Promise].change("PRM-1", due_day="2025-10-03", due_clock="12:00", net=8_000)
    world[Account].change("ACC-2", balance=9_000)
    quote = request_quote(world, "PRM-1").id
    row = draft_delivery(world, quote, Service("full_charge", "standard"), 8_000, "ACC-2")
    schedule_delivery(world, row.id, "2025-10-03", "08:30")
    before = total(world.tables)
    later(world, 24 * 60)

    assert row.fee > 1_000
    assert world[Delivery][row.id].status == "stopped"
    assert world[Account]["ACC-2"].balance == 9_000
    assert total(world.tables) == before


def test_an_order_is_paid_from_dollars() -> None:
    world = wharf()
    quote = request_quote(world, "PRM-1").id
    world[Account].change("ACC-1", currency="EUR")

    with pytest.raises(Refused, match="ACC-1 is in EUR"):
        draft_delivery(world, quote, Service("full_charge", "standard"), 100_000, "ACC-1")


def test_the_parts_of_a_credit_come_when_the_credit_comes_and_not_at_its_clock() -> None:
    world = till()
    world[ExpectedCredit].change("EXC-1", due_day="2025-10-09")
    world.heap = [due for due in world.heap if due.name != "settlement_received"]
    world.schedule("settlement_received", due=24 * 60, credit="EXC-1")
    split_credit(world, split_credit(world, "EXC-1", 1_200).id, 200)

    def came() -> list[int]:
        rows = world[ExpectedCredit].where(status="received")
        return [row.amount for row in rows if row.id != "EXC-2"]

    later(world, 60)
    assert came() == []
    later(world, 24 * 60)
    assert came() == [800, 200, 1_000]


def test_a_payout_whose_fee_nobody_can_bear_fails_at_its_hour() -> None:
    """The customer has no dollar account: known to the desk only when it is to be released."""
    world = till()
    payout = draft_payout(world, "CASE-1", "PYE-1", 500, "COA-1", "next_day").id
    schedule_payout(world, payout, "14:00")
    world[Account].change("ACC-1", currency="EUR")
    later(world, 60)

    assert world[Payout][payout].status == "failed"


def test_a_payee_of_a_currency_without_a_rate_is_refused_in_words() -> None:
    world = till()
    payee = register_payee(world, "PTY-1", "Kiosk", "Bank", "4417", "USD").id
    world[Payee].change(payee, currency="JPY")

    with pytest.raises(Refused, match="no book rate is kept for JPY"):
        preview_payout(world, payee, 100, "next_day")
    for ending in ("12a4", "441", "\u0661\u0662\u0663\u0664"):
        with pytest.raises(Refused, match="four digits"):
            register_payee(world, "PTY-1", "Kiosk", "Bank", ending, "USD")


def test_a_fee_stands_once_however_often_it_is_asked_back() -> None:
    world = wharf()
    fee = take_fee(world, "ACC-2", 500, what="delivery fee", ref="DLV-1", case="CASE-1")
    reverse_fee(world, fee.id)

    with pytest.raises(Refused, match="was reversed"):
        credit_delivery_fee(world, fee.id, 1, "late")
    with pytest.raises(Refused, match="reversed before"):
        reverse_fee(world, fee.id)
    assert [f.status for f in world[Fee] if f.id == fee.id] == ["reversed"]
