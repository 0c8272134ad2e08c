"""Wage batches: what is divided adds up, what is sealed stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.alder.desks.floats import (
    Leg,
    give_up_wage_quote,
    quote_wage_batch,
    reopen_wage_batch,
)
from bythebook.alder.desks.wages import (
    WageLine,
    divide_wage_line,
    draft_wage_batch,
    lines_of,
    redirect_wage_line,
    seal_wage_batch,
)
from bythebook.alder.desks.wallets import register_wallet, run_name_checks
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.hours import later
from tests.alder.payday import payday


@pytest.fixture
def world() -> World:
    return payday()


def test_a_file_becomes_a_line_a_worker(world: World) -> None:
    batch = draft_wage_batch(world, "CASE-1", "WGF-1")
    lines = [(line.worker, line.wallet, line.amount) for line in lines_of(world, batch.id)]

    assert lines == [
        ("WRK-1", "WAL-1", 30000), ("WRK-2", "WAL-2", 20000), ("WRK-3", "WAL-3", 15000)
    ]  # fmt: skip
    with pytest.raises(Refused, match="has a batch"):
        draft_wage_batch(world, "CASE-1", "WGF-1")


@pytest.mark.parametrize(("case", "file"), [("CASE-2", "WGF-1"), ("CASE-1", "WGF-2")])
def test_a_file_of_others_or_withdrawn_is_not_drawn_up(world: World, case: str, file: str) -> None:
    with pytest.raises(Refused):
        draft_wage_batch(world, case, file)


@given(cut=st.integers(1, 29999))
def test_parts_add_up_to_the_wage(cut: int) -> None:
    world = payday()
    batch = draft_wage_batch(world, "CASE-1", "WGF-1")
    before = sum(line.amount for line in lines_of(world, batch.id))
    first = lines_of(world, batch.id)[0]
    parts = divide_wage_line(world, first.id, (cut, 30000 - cut))

    assert [part.wallet for part in parts] == ["WAL-1", "WAL-1"]
    assert sum(line.amount for line in lines_of(world, batch.id)) == before
    assert world[WageLine][first.id].status == "divided"


@pytest.mark.parametrize("amounts", [(30000,), (6000,) * 5, (15000, 15001), (29999,)])
def test_parts_that_do_not_fit_are_refused(world: World, amounts: tuple[int, ...]) -> None:
    batch = draft_wage_batch(world, "CASE-1", "WGF-1")
    with pytest.raises(Refused):
        divide_wage_line(world, lines_of(world, batch.id)[0].id, amounts)


def test_a_divided_line_is_not_divided_again(world: World) -> None:
    batch = draft_wage_batch(world, "CASE-1", "WGF-1")
    line = lines_of(world, batch.id)[0].id
    divide_wage_line(world, line, (10000, 20000))
    with pytest.raises(Refused, match="divided"):
        divide_wage_line(world, line, (10000, 20000))


def test_a_line_follows_its_worker_to_a_new_wallet(world: World) -> None:
    batch = draft_wage_batch(world, "CASE-1", "WGF-1")
    line = lines_of(world, batch.id)[2].id
    new = register_wallet(world, "WFM-1").id

    assert redirect_wage_line(world, line, new).wallet == new
    for wallet in (new, "WAL-1", "WAL-3"):
        with pytest.raises(Refused):
            redirect_wage_line(world, line, wallet)


def test_sealing_asks_for_an_answer_that_is_no_no(world: World) -> None:
    batch = draft_wage_batch(world, "CASE-2", "WGF-3")
    with pytest.raises(Refused, match="has no answer"):
        seal_wage_batch(world, batch.id)

    other = draft_wage_batch(world, "CASE-1", "WGF-1")
    run_name_checks(world, ("WAL-3",))
    later(world, 6)
    with pytest.raises(Refused, match="no_match"):
        seal_wage_batch(world, other.id)


def test_a_wallet_that_was_left_is_not_sealed(world: World) -> None:
    batch = draft_wage_batch(world, "CASE-1", "WGF-1")
    register_wallet(world, "WFM-1")
    with pytest.raises(Refused, match="no longer in use"):
        seal_wage_batch(world, batch.id)


def test_a_sealed_batch_stays_until_it_is_opened(world: World) -> None:
    batch = draft_wage_batch(world, "CASE-1", "WGF-1").id
    with pytest.raises(Refused, match="not sealed"):
        reopen_wage_batch(world, batch)
    seal_wage_batch(world, batch)
    line = lines_of(world, batch)[0].id
    assert world[WageLine][line].status == "sealed"
    for act in (
        lambda: divide_wage_line(world, line, (10000, 20000)),
        lambda: redirect_wage_line(world, line, "WAL-1"),
        lambda: seal_wage_batch(world, batch),
    ):
        with pytest.raises(Refused):
            act()

    reopen_wage_batch(world, batch)
    assert len(divide_wage_line(world, line, (10000, 20000))) == 2


def test_a_quoted_batch_is_not_opened(world: World) -> None:
    batch = draft_wage_batch(world, "CASE-1", "WGF-1").id
    seal_wage_batch(world, batch)
    one, two, three = (line.id for line in lines_of(world, batch))
    legs = (Leg("FLT-1", (one,)), Leg("FLT-2", (two, three)))
    quote = quote_wage_batch(world, batch, "ACC-1", legs).id
    with pytest.raises(Refused, match="quoted"):
        reopen_wage_batch(world, batch)
    give_up_wage_quote(world, quote)

    assert reopen_wage_batch(world, batch).status == "draft"
