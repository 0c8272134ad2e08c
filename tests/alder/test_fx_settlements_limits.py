"""Quotes and conversions, credits on their way in, and daily limits."""

import pytest

from bythebook.alder.desks.accounts import Account
from bythebook.alder.desks.fx import (
    MarketRate,
    Quote,
    amend_conversion,
    cancel_conversion,
    draft_conversion,
    execute_conversion,
    quotes_of,
    rate_moved,
    request_fx_quote,
    show_rate,
)
from bythebook.alder.desks.limits import (
    DailyLimit,
    LimitRaise,
    limit_headroom,
    lower_limit,
    request_raise,
    use,
    withdraw_raise,
)
from bythebook.alder.desks.settlements import (
    CreditEnquiry,
    ExpectedCredit,
    book_provisional,
    chase_credit,
    credits_for,
    direct_credit,
    post_credit,
    send_back_credit,
    split_credit,
)
from bythebook.alder.desks.treasury import CollateralAccount
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.hours import later
from tests.alder.till import till


@pytest.fixture
def world() -> World:
    return till()


# --- fx -------------------------------------------------------------------------------------------


def drafted(world: World, amount: int = 3_400) -> str:
    return draft_conversion(world, "CASE-1", "FXQ-1", amount, "COA-1", "ACC-2").id


def test_a_conversion_costs_price_and_fee_each_rounded_up(world: World) -> None:
    row = draft_conversion(world, "CASE-1", "FXQ-1", 3_400, "COA-1", "ACC-2")
    odd = draft_conversion(world, "CASE-1", "FXQ-1", 1, "COA-1", "ACC-2")

    assert (row.sell_amount, row.fee) == (3_978, 22)
    assert (odd.sell_amount, odd.fee) == (2, 1)


def test_price_and_fee_leave_the_deposit_as_one_entry(world: World) -> None:
    conversion = drafted(world)
    world.take_log()
    execute_conversion(world, conversion)
    seen = [w.new.balance for w in world.take_log() if w.table == "collateral_accounts"]

    assert seen == [2_000]
    assert world[Account]["ACC-2"].balance == 3_400
    assert world[Quote]["FXQ-1"].status == "used"


def test_a_quote_serves_one_conversion(world: World) -> None:
    first, second = drafted(world, 1_000), drafted(world, 1_000)
    execute_conversion(world, first)

    with pytest.raises(Refused, match="no draft"):
        execute_conversion(world, first)
    with pytest.raises(Refused, match="FXQ-1 can no longer be dealt on"):
        execute_conversion(world, second)


def test_the_screen_takes_a_quote_for_a_while_after_its_time(world: World) -> None:
    one, other = drafted(world, 100), till()
    later(world, 62)
    assert execute_conversion(world, one).status == "done"

    late = drafted(other, 100)
    later(other, 63)
    with pytest.raises(Refused, match="can no longer be dealt on"):
        execute_conversion(other, late)


def test_a_draft_names_one_customer_two_currencies_and_an_amount_under_the_quote(
    world: World,
) -> None:
    with pytest.raises(Refused, match="up to the 3400"):
        drafted(world, 3_401)
    with pytest.raises(Refused, match="up to the 3400"):
        drafted(world, 0)
    with pytest.raises(Refused, match="one customer"):
        draft_conversion(world, "CASE-1", "FXQ-1", 100, "ACC-9", "ACC-2")
    with pytest.raises(Refused, match="CASE-7"):
        draft_conversion(world, "CASE-7", "FXQ-1", 100, "COA-1", "ACC-2")
    with pytest.raises(Refused, match="sells USD and buys EUR"):
        draft_conversion(world, "CASE-1", "FXQ-1", 100, "ACC-1", "ACC-1")


def test_an_amended_draft_is_priced_anew(world: World) -> None:
    conversion = drafted(world)
    row = amend_conversion(world, conversion, 1_000)

    assert (row.buy_amount, row.sell_amount, row.fee) == (1_000, 1_170, 7)
    with pytest.raises(Refused, match="up to the 3400"):
        amend_conversion(world, conversion, 5_000)


def test_a_cancelled_draft_leaves_the_quote_open(world: World) -> None:
    conversion = drafted(world)
    cancel_conversion(world, conversion)

    assert world[Quote]["FXQ-1"].status == "open"
    with pytest.raises(Refused, match="is cancelled, no draft"):
        cancel_conversion(world, conversion)


def test_a_conversion_needs_price_and_fee_together(world: World) -> None:
    world[CollateralAccount].change("COA-1", held=2_001)
    with pytest.raises(Refused, match="4000 cannot be taken"):
        execute_conversion(world, drafted(world))


def test_a_new_quote_takes_the_market_as_it_is(world: World) -> None:
    rate_moved(world, "RTE-1", 12_000)
    quote = request_fx_quote(world, "PTY-1", "EUR", "USD", 500)

    assert (quote.rate, quote.expires, quote.most) == (12_000, 30, 500)
    assert show_rate(world, "EUR", "USD") == world[MarketRate]["RTE-1"]
    assert [q.id for q in quotes_of(world, "PTY-1")] == ["FXQ-1", quote.id]
    with pytest.raises(Refused, match="no rate is kept"):
        request_fx_quote(world, "PTY-1", "XXX", "USD", 500)
    with pytest.raises(Refused, match="above zero"):
        request_fx_quote(world, "PTY-1", "EUR", "USD", 0)


# --- settlements ----------------------------------------------------------------------------------


def test_a_credit_is_posted_once_it_has_been_received(world: World) -> None:
    with pytest.raises(Refused, match="EXC-1 is expected"):
        post_credit(world, "EXC-1", "COA-1")
    later(world, 38)
    post_credit(world, "EXC-1", "COA-1")

    assert world[CollateralAccount]["COA-1"].balance == 8_000
    with pytest.raises(Refused, match="EXC-1 is posted"):
        post_credit(world, "EXC-1", "COA-1")


def test_a_credit_goes_to_its_owner_in_its_currency(world: World) -> None:
    with pytest.raises(Refused, match="different owners"):
        post_credit(world, "EXC-2", "ACC-9")
    with pytest.raises(Refused, match="ACC-2 in EUR"):
        direct_credit(world, "EXC-1", "ACC-2")


def test_a_directed_credit_posts_itself_and_the_last_word_holds(world: World) -> None:
    direct_credit(world, "EXC-1", "ACC-1")
    direct_credit(world, "EXC-1", "COA-1")
    later(world, 38)

    assert world[CollateralAccount]["COA-1"].balance == 8_000
    with pytest.raises(Refused, match="no longer expected"):
        direct_credit(world, "EXC-1", "ACC-1")


def test_a_credit_booked_ahead_shows_until_the_money_is_there(world: World) -> None:
    book_provisional(world, "EXC-1", "COA-1")
    deposit = world[CollateralAccount]["COA-1"]
    assert (deposit.balance, deposit.provisional) == (8_000, 2_000)
    with pytest.raises(Refused, match="booked ahead"):
        book_provisional(world, "EXC-1", "COA-1")
    with pytest.raises(Refused, match="booked ahead"):
        direct_credit(world, "EXC-1", "ACC-1")
    with pytest.raises(Refused, match="booked ahead"):
        split_credit(world, "EXC-1", 5)
    later(world, 38)

    deposit = world[CollateralAccount]["COA-1"]
    assert (deposit.balance, deposit.provisional) == (8_000, 0)
    assert world[ExpectedCredit]["EXC-1"].status == "posted"


def test_booking_ahead_never_shows_more_cleared_money_on_the_way(world: World) -> None:
    world.take_log()
    book_provisional(world, "EXC-1", "COA-1")
    deposits = [w.new for w in world.take_log() if w.table == "collateral_accounts"]

    assert [d.balance - d.provisional for d in deposits] == [6_000]


def test_a_split_credit_arrives_in_two_parts(world: World) -> None:
    with pytest.raises(Refused, match="below 2000"):
        split_credit(world, "EXC-1", 2_000)
    first = split_credit(world, "EXC-1", 1_200)
    later(world, 38)

    parts = [c for c in credits_for(world, "PTY-1") if c.status == "received" and c.id != "EXC-2"]
    assert [c.amount for c in parts] == [1_200, 800]
    assert first.id == parts[0].id
    assert world[ExpectedCredit]["EXC-1"].status == "split"


def test_only_money_in_suspense_can_go_back(world: World) -> None:
    with pytest.raises(Refused, match="EXC-1 is expected"):
        send_back_credit(world, "EXC-1", "duplicate")

    assert send_back_credit(world, "EXC-2", "duplicate").status == "sent_back"


def test_an_enquiry_is_answered_after_a_quarter_of_an_hour(world: World) -> None:
    enquiry = chase_credit(world, "EXC-1").id
    with pytest.raises(Refused, match="open enquiry"):
        chase_credit(world, "EXC-1")
    with pytest.raises(Refused, match="no longer expected"):
        chase_credit(world, "EXC-2")
    later(world, 15)
    assert world[CreditEnquiry][enquiry].answer == "in_transit"
    second = chase_credit(world, "EXC-1").id
    later(world, 30)

    assert world[CreditEnquiry][second].answer == "in_transit"
    assert world[ExpectedCredit]["EXC-1"].status == "received"


# --- limits ---------------------------------------------------------------------------------------


def test_a_raise_is_granted_up_to_twice_the_standing_limit(world: World) -> None:
    request_raise(world, "DLM-1", 10_000, "supplier_payments")
    assert world[DailyLimit]["DLM-1"].ceiling == 5_000
    later(world, 5)
    assert world[DailyLimit]["DLM-1"].ceiling == 10_000
    later_on = request_raise(world, "DLM-1", 10_001, "supplier_payments").id
    later(world, 5)

    assert world[LimitRaise][later_on].status == "declined"


def test_limits_are_not_raised_for_own_transfers(world: World) -> None:
    asked = request_raise(world, "DLM-1", 6_000, "own_transfer").id
    later(world, 5)

    assert world[LimitRaise][asked].status == "declined"


def test_a_raise_is_for_today_above_the_ceiling_and_one_at_a_time(world: World) -> None:
    with pytest.raises(Refused, match="DLM-2 is for 2025-10-09"):
        request_raise(world, "DLM-2", 6_000, "payroll")
    with pytest.raises(Refused, match="at 5000 cents already"):
        request_raise(world, "DLM-1", 5_000, "payroll")
    asked = request_raise(world, "DLM-1", 6_000, "payroll").id
    with pytest.raises(Refused, match="open request"):
        request_raise(world, "DLM-1", 7_000, "payroll")
    withdraw_raise(world, asked)
    later(world, 5)

    assert world[DailyLimit]["DLM-1"].ceiling == 5_000
    with pytest.raises(Refused, match="is withdrawn"):
        withdraw_raise(world, asked)


def test_a_limit_comes_down_to_what_was_used(world: World) -> None:
    use(world, "PTY-1", 3_000)
    with pytest.raises(Refused, match="from 3000"):
        lower_limit(world, "DLM-1", 2_999)
    with pytest.raises(Refused, match="not including, 5000"):
        lower_limit(world, "DLM-1", 5_000)
    lower_limit(world, "DLM-1", 3_000)

    assert limit_headroom(world, "DLM-1").left == 0
