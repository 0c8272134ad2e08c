"""Sellers' orders, tax kept back from them, certificates about it, and the float behind it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.alder.desks.accounts import Account
from bythebook.alder.desks.filings import (
    TaxCertificate,
    closing_times,
    file_withholding_certificate,
    issue_seller_statement,
    lodge_gross_certificate,
    withdraw_certificate,
)
from bythebook.alder.desks.payouts import Payout, cancel_payout, draft_payout, release_payout
from bythebook.alder.desks.sellers import (
    SellerOrder,
    order_sheet,
    set_order_standing,
    set_order_territory,
)
from bythebook.alder.desks.taxes import (
    FloatMove,
    TaxFloat,
    TaxLiability,
    Withholding,
    collect_withheld,
    draft_float_funding,
    execute_float_funding,
    float_position,
    post_withholding,
    remit_month,
    reverse_withholding,
    share,
    tax_rates_on,
)
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.booth import booth
from tests.alder.hours import later


@pytest.fixture
def world() -> World:
    return booth()


def drafted(world: World, payee: str, amount: int) -> str:
    return draft_payout(world, "CASE-1", payee, amount, "ACC-2", "same_day").id


def paid(world: World, payee: str, amount: int) -> str:
    return release_payout(world, drafted(world, payee, amount)).id


def merrow(world: World) -> None:
    set_order_territory(world, "SOR-2", "MRW", "booking")


# --- orders ---------------------------------------------------------------------------------------


def test_an_order_shows_its_lines_and_what_is_left(world: World) -> None:
    sheet = order_sheet(world, "SOR-1")

    assert (sheet.total, sheet.advance, sheet.remaining) == (51_005, 20_000, 31_005)
    assert [line.id for line in sheet.lines] == ["SOL-1", "SOL-2"]


def test_an_order_is_recorded_on_what_says_so(world: World) -> None:
    row = set_order_territory(world, "SOR-2", "MRW", "booking")

    assert (row.territory, row.basis, row.sheet) == ("MRW", "booking", None)


@pytest.mark.parametrize(
    ("order", "territory", "basis", "sheet", "why"),
    [
        ("SOR-2", "MRW", "seat", None, "the seat says RAV"),
        ("SOR-2", "QSD", "booking", None, "the booking says MRW"),
        ("SOR-2", "RAV", "sheet", None, "name one if, and only if"),
        ("SOR-2", "RAV", "booking", "PFS-1", "name one if, and only if"),
        ("SOR-2", "RAV", "sheet", "PFS-1", "is about SOR-1"),
        ("SOR-1", "MRW", "sheet", "PFS-1", "the sheet says RAV"),
        ("SOR-1", "RAV", "sheet", "PFS-1", "recorded so already"),
        ("SOR-2", "RAV", "sheet", "PFS-9", "there is no 'PFS-9'"),
    ],
)
def test_a_record_that_rests_on_nothing_is_refused(
    world: World, order: str, territory: Any, basis: Any, sheet: str | None, why: str
) -> None:
    with pytest.raises(Refused, match=why):
        set_order_territory(world, order, territory, basis, sheet)


def test_a_held_order_waits(world: World) -> None:
    set_order_standing(world, "SOR-2", "held", "papers")
    with pytest.raises(Refused, match="SOR-2 is held"):
        post_withholding(world, "SOR-2", 30_001, 1_200)
    with pytest.raises(Refused, match="SOR-2 is held"):
        set_order_standing(world, "SOR-2", "held", "papers")
    with pytest.raises(Refused, match="say what for"):
        set_order_standing(world, "SOR-2", "awaiting", " ")
    assert set_order_standing(world, "SOR-2", "awaiting", "here").status == "awaiting"


# --- tax ------------------------------------------------------------------------------------------


def test_the_table_is_read_for_a_day(world: World) -> None:
    before, now = (tax_rates_on(world, "RAV", day) for day in ("2025-10-31", "2025-11-01"))

    assert (before.standard, before.relieved, before.levy) == (1_200, 600, 0)
    assert (now.standard, now.relieved) == (1_500, 750)
    assert tax_rates_on(world, "MRW", "2025-11-01").levy == 400


def test_tax_is_rounded_up_and_owed_at_once(world: World) -> None:
    row = post_withholding(world, "SOR-2", 30_001, 1_200)
    there = float_position(world, "TFL-1")

    assert (row.tax, row.territory, row.t) == (3_601, "RAV", 0)
    assert (there.balance, there.owed, there.room) == (9_000, 700 + 3_601, 4_699)


@pytest.mark.parametrize(
    ("order", "form", "why"),
    [
        ("SOR-3", None, "2025-09 closed"),
        ("SOR-1", "SFM-2", "no relief form of PTY-2"),
        ("SOR-2", "SFM-1", "no relief form of PTY-3"),
    ],
)
def test_a_posting_that_cannot_be_is_refused(
    world: World, order: str, form: str | None, why: str
) -> None:
    with pytest.raises(Refused, match=why):
        post_withholding(world, order, 100, 600, form)


def test_one_posting_stands_on_an_order(world: World) -> None:
    first = post_withholding(world, "SOR-1", 50_000, 600, "SFM-1")
    with pytest.raises(Refused, match="a posting that stands"):
        post_withholding(world, "SOR-1", 50_000, 600, "SFM-1")
    reverse_withholding(world, first.id, "wrong_rate")

    assert world[TaxLiability][first.liability].status == "released"
    assert post_withholding(world, "SOR-1", 50_000, 600).form is None
    with pytest.raises(Refused, match="was reversed"):
        reverse_withholding(world, first.id, "wrong_rate")


def test_a_platform_without_a_float_owes_nothing_through_us(world: World) -> None:
    world[SellerOrder].change("SOR-2", platform="PTY-8")
    with pytest.raises(Refused, match="PTY-8 has no tax float"):
        post_withholding(world, "SOR-2", 100, 600)


def test_nothing_of_a_closed_month_can_change(world: World) -> None:
    row = post_withholding(world, "SOR-2", 30_001, 1_200)
    later(world, 29)
    withdraw_certificate(world, "TCT-1", "wrong_territory")
    later(world, 21)
    with pytest.raises(Refused, match="2025-10 closed at 2025-11-06 10:20"):
        reverse_withholding(world, row.id, "wrong_territory")
    assert [c.closed for c in closing_times(world, "RAV")] == [True, True]


def test_a_certificate_cannot_be_withdrawn_from_the_closing_minute_on(world: World) -> None:
    later(world, 30)
    with pytest.raises(Refused, match="2025-10 closed"):
        withdraw_certificate(world, "TCT-1", "wrong_territory")


def test_tax_is_collected_once_from_the_payout_that_it_was_kept_back_from(world: World) -> None:
    row = post_withholding(world, "SOR-2", 30_001, 1_200)
    draft = drafted(world, "PYE-2", 26_400)
    for payout, why in [(draft, "has not gone out"), (paid(world, "PYE-1", 5), "goes to PYE-1")]:
        with pytest.raises(Refused, match=why):
            collect_withheld(world, row.id, payout)
    release_payout(world, draft)
    move = collect_withheld(world, row.id, draft)

    assert (move.kind, move.amount) == ("collection", 3_601)
    assert world[TaxFloat]["TFL-1"].balance == 9_000 + 3_601
    assert world[Account]["ACC-2"].balance == 90_000 - 5 - 26_400 - 3_601
    with pytest.raises(Refused, match="collected before"):
        collect_withheld(world, row.id, draft)
    with pytest.raises(Refused, match="has been collected"):
        reverse_withholding(world, row.id, "wrong_base")


def test_an_advance_is_no_payment_to_collect_from(world: World) -> None:
    row = post_withholding(world, "SOR-1", 50_000, 600)
    with pytest.raises(Refused, match="settled on 2025-10-14, before 2025-11-06"):
        collect_withheld(world, row.id, "PAY-1")


def test_a_float_is_funded_from_an_account_of_its_owner(world: World) -> None:
    order = draft_float_funding(world, "TFL-1", "ACC-1", 1_200)
    execute_float_funding(world, order.id)

    assert world[TaxFloat]["TFL-1"].balance == 10_200
    assert world[Account]["ACC-1"].balance == 3_800
    with pytest.raises(Refused, match="carried out before"):
        execute_float_funding(world, order.id)
    with pytest.raises(Refused, match="differ in owner"):
        draft_float_funding(world, "TFL-1", "ACC-9", 1)
    big = draft_float_funding(world, "TFL-1", "ACC-1", 9_999)
    with pytest.raises(Refused, match="holds 3800 cents"):
        execute_float_funding(world, big.id)


def test_a_closed_month_is_remitted_as_a_whole(world: World) -> None:
    with pytest.raises(Refused, match="has not closed"):
        remit_month(world, "TFL-1", "MRW", "2025-10")
    later(world, 30)
    move = remit_month(world, "TFL-1", "MRW", "2025-10")

    assert (move.kind, move.amount) == ("remittance", 700)
    assert world[TaxFloat]["TFL-1"].balance == 8_300
    assert world[TaxLiability]["TLB-1"].status == "remitted"
    with pytest.raises(Refused, match="owes MRW 0 cents"):
        remit_month(world, "TFL-1", "MRW", "2025-10")


# --- certificates and statements ------------------------------------------------------------------


def test_a_withholding_certificate_states_payment_and_tax(world: World) -> None:
    row = post_withholding(world, "SOR-2", 30_001, 1_200)
    gone = drafted(world, "PYE-2", 1)
    cancel_payout(world, gone)
    for payout in (gone, paid(world, "PYE-1", 5)):
        with pytest.raises(Refused, match="SOR-2 is paid elsewhere"):
            file_withholding_certificate(world, row.id, payout)
    paper = file_withholding_certificate(world, row.id, drafted(world, "PYE-2", 26_400))

    assert (paper.amount, paper.tax, paper.month, paper.status) == (
        26_400, 3_601, "2025-10", "filed",
    )  # fmt: skip
    with pytest.raises(Refused, match="stands for"):
        file_withholding_certificate(world, row.id, str(paper.payout))
    reverse_withholding(world, row.id, "wrong_territory")
    with pytest.raises(Refused, match="was reversed"):
        file_withholding_certificate(world, row.id, str(paper.payout))


def test_a_gross_certificate_is_owed_for_at_once_and_accepted_later(world: World) -> None:
    with pytest.raises(Refused, match="knows Merrow only"):
        lodge_gross_certificate(world, "SOR-2", 30_001, "SFM-2")
    merrow(world)
    with pytest.raises(Refused, match="no exemption form of PTY-3"):
        lodge_gross_certificate(world, "SOR-2", 30_001, "SFM-1")
    paper = lodge_gross_certificate(world, "SOR-2", 30_001, "SFM-2")

    assert (paper.tax, paper.status) == (1_201, "lodged")
    assert float_position(world, "TFL-1").owed == 700 + 1_201
    with pytest.raises(Refused, match="still to come"):
        lodge_gross_certificate(world, "SOR-2", 30_001, "SFM-2")
    later(world, 11)
    assert world[TaxCertificate][paper.id].status == "lodged"
    later(world, 1)
    assert world[TaxCertificate][paper.id].status == "accepted"


def test_a_withdrawn_certificate_is_not_accepted_and_frees_its_levy(world: World) -> None:
    merrow(world)
    paper = lodge_gross_certificate(world, "SOR-2", 30_001, "SFM-2")
    withdraw_certificate(world, paper.id, "wrong_amount")
    later(world, 20)

    assert world[TaxCertificate][paper.id].status == "withdrawn"
    assert float_position(world, "TFL-1").owed == 700
    with pytest.raises(Refused, match="withdrawn before"):
        withdraw_certificate(world, paper.id, "wrong_amount")


def test_a_statement_settles_an_order_that_was_paid_and_certified(world: World) -> None:
    row = post_withholding(world, "SOR-1", 50_000, 600, "SFM-1")
    draft = drafted(world, "PYE-1", 28_005)
    paper = file_withholding_certificate(world, row.id, draft)
    with pytest.raises(Refused, match="has not gone out"):
        issue_seller_statement(world, "SOR-1", draft, paper.id)
    release_payout(world, draft)
    other = paid(world, "PYE-2", 1)
    withdraw_certificate(world, "TCT-1", "wrong_territory")
    for order, payout, certificate, why in [
        ("SOR-1", other, paper.id, "goes to PYE-2"),
        ("SOR-1", "PAY-1", paper.id, "before 2025-10-30"),
        ("SOR-1", draft, "TCT-1", "withdrawn"),
        ("SOR-2", other, paper.id, "is of SOR-1"),
    ]:
        with pytest.raises(Refused, match=why):
            issue_seller_statement(world, order, payout, certificate)
    sheet = issue_seller_statement(world, "SOR-1", draft, paper.id)

    assert (sheet.total, sheet.advance, sheet.tax, sheet.paid) == (51_005, 20_000, 3_000, 28_005)
    with pytest.raises(Refused, match="SOR-1 is settled"):
        issue_seller_statement(world, "SOR-1", draft, paper.id)
    with pytest.raises(Refused, match="is settled"):
        set_order_standing(world, "SOR-1", "held", "too late")


# --- money ----------------------------------------------------------------------------------------


@given(st.integers(1, 1_000_000), st.integers(0, 10_000))
def test_a_share_is_the_least_number_of_cents_that_is_enough(amount: int, rate: int) -> None:
    tax = share(amount, rate)

    assert tax * 10_000 >= amount * rate > (tax - 1) * 10_000


@given(
    st.lists(st.sampled_from(["post", "reverse", "pay", "collect", "fund", "remit"]), max_size=12)
)
def test_no_money_of_a_platform_is_lost_or_made(acts: list[str]) -> None:
    """Accounts, float, and what left them by payouts, fees and remittances add up."""
    world = booth()
    for act in acts:
        try:
            _do(world, act)
        except Refused:
            world.undo()
        world.take_log()
        later(world, 5)
    sums = [row.balance for row in world[Account].where(owner="PTY-1")]
    moves = list(world[FloatMove])
    remitted = sum(move.amount for move in moves if move.kind == "remittance")
    out = [row for row in world[Payout] if row.status in ("released", "settled")]
    left = sum(row.amount + row.fee for row in out if row.id != "PAY-1")

    assert sum(sums) + world[TaxFloat]["TFL-1"].balance + remitted + left == 95_000 + 9_000
    into = sum(move.amount for move in moves if move.kind != "remittance")
    assert world[TaxFloat]["TFL-1"].balance == 9_000 + into - remitted


def _do(world: World, act: str) -> None:
    rows = world[Withholding].where(status="posted")
    sent = [row.id for row in world[Payout] if row.payee == "PYE-2"]
    if act == "post":
        post_withholding(world, "SOR-2", 30_001, 1_200)
    elif act == "reverse" and rows:
        reverse_withholding(world, rows[-1].id, "wrong_rate")
    elif act == "pay":
        paid(world, "PYE-2", 7_000)
    elif act == "collect" and rows and sent:
        collect_withheld(world, rows[-1].id, sent[-1])
    elif act == "fund":
        execute_float_funding(world, draft_float_funding(world, "TFL-1", "ACC-1", 900).id)
    elif act == "remit":
        remit_month(world, "TFL-1", "MRW", "2025-10")
