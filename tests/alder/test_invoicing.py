"""Fee statements and credits."""

import pytest

from bythebook.alder.desks.accounts import Account, Fee, reverse_fee
from bythebook.alder.desks.corridors import request_quote
from bythebook.alder.desks.delivery import Service, dispatch_delivery, draft_delivery
from bythebook.alder.desks.guarantees import Promise
from bythebook.alder.desks.invoicing import (
    credit_delivery_fee,
    fees_of_delivery,
    issue_fee_statement,
    void_fee_statement,
)
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.wharf import wharf


@pytest.fixture
def world() -> World:
    return wharf()


def sent(world: World, promise: str) -> str:
    quote = request_quote(world, promise).id
    net = world[Promise][promise].net
    row = draft_delivery(world, quote, Service("full_charge", "standard"), net, "ACC-1")
    return dispatch_delivery(world, row.id).id


def test_a_statement_adds_up_what_its_deliveries_cost(world: World) -> None:
    first, second = sent(world, "PRM-1"), sent(world, "PRM-2")
    sheet = issue_fee_statement(world, "CASE-1", (first, second))

    assert sheet.total == 2_100 + 3_400
    assert fees_of_delivery(world, first)[0].amount == 2_100
    with pytest.raises(Refused, match="earlier statement"):
        issue_fee_statement(world, "CASE-1", (first,))
    void_fee_statement(world, sheet.id, "wrong_delivery")
    with pytest.raises(Refused, match="void already"):
        void_fee_statement(world, sheet.id, "wrong_delivery")
    assert issue_fee_statement(world, "CASE-1", (first,)).total == 2_100


def test_a_statement_names_deliveries_of_its_case_that_went_out(world: World) -> None:
    gone = sent(world, "PRM-1")
    quote = request_quote(world, "PRM-2").id
    draft = draft_delivery(world, quote, Service("full_charge", "standard"), 70_000, "ACC-1").id
    for case, deliveries, why in [
        ("CASE-1", (), "at least one"),
        ("CASE-1", (gone, gone), "each once"),
        ("CASE-2", (gone,), "belongs to CASE-1"),
        ("CASE-1", (gone, draft), "has not gone out"),
    ]:
        with pytest.raises(Refused, match=why):
            issue_fee_statement(world, case, deliveries)


def test_a_fee_is_credited_once_and_never_beyond_itself(world: World) -> None:
    gone = sent(world, "PRM-1")
    fee = fees_of_delivery(world, gone)[0]
    with pytest.raises(Refused, match="took 2100 cents"):
        credit_delivery_fee(world, fee.id, 2_101, "goodwill")
    credit_delivery_fee(world, fee.id, 500, "desk_error")

    assert world[Account]["ACC-2"].balance == 9_000 - 2_100 + 500
    assert world[Fee][fee.id].amount == 2_100
    with pytest.raises(Refused, match="credited before"):
        credit_delivery_fee(world, fee.id, 1, "late")


def test_a_reversed_fee_is_not_credited_as_well(world: World) -> None:
    fee = fees_of_delivery(world, sent(world, "PRM-1"))[0]
    reverse_fee(world, fee.id)
    with pytest.raises(Refused, match="was reversed"):
        credit_delivery_fee(world, fee.id, 1, "late")
