"""Floats: what is booked is kept, what falls comes back, and no cent is sent twice."""

from collections.abc import Callable

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from bythebook.alder.desks.accounts import Account, Fee
from bythebook.alder.desks.floats import (
    FloatNotice,
    Leg,
    WageFloat,
    WageQuote,
    book_wage_quote,
    float_repriced,
    floats_for_scheme,
    give_up_wage_quote,
    quote_wage_batch,
    reopen_wage_batch,
    send_wage_wave,
    send_wages_at_spot,
)
from bythebook.alder.desks.wages import WageLine, draft_wage_batch, lines_of, seal_wage_batch
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.hours import later
from tests.alder.payday import payday

KESTREL = (("FLT-1", (0,)), ("FLT-2", (1, 2)))
SPLIT = (("FLT-1", (0,)), ("FLT-2", (1,)), ("FLT-3", (2,)))


def sealed(world: World) -> str:
    batch = draft_wage_batch(world, "CASE-1", "WGF-1").id
    seal_wage_batch(world, batch)
    return batch


def legs(
    world: World, batch: str, plan: tuple[tuple[str, tuple[int, ...]], ...]
) -> tuple[Leg, ...]:
    ids = [line.id for line in lines_of(world, batch)]
    return tuple(Leg(name, tuple(ids[i] for i in places)) for name, places in plan)


def booked(world: World) -> tuple[str, str, list[str]]:
    """Batch, quote and lines, booked on two floats."""
    batch = sealed(world)
    quote = quote_wage_batch(world, batch, "ACC-1", legs(world, batch, KESTREL)).id
    book_wage_quote(world, quote)
    return batch, quote, [line.id for line in lines_of(world, batch)]


def pots(world: World) -> list[tuple[int, int, int]]:
    return [(pot.available, pot.booked, pot.used) for pot in world[WageFloat]]


def test_floats_are_listed_by_price() -> None:
    world = payday()
    assert [pot.id for pot in floats_for_scheme(world, "SCH-B")] == ["FLT-3", "FLT-2"]
    with pytest.raises(Refused):
        floats_for_scheme(world, "SCH-Z")


def test_a_quote_adds_up_and_keeps_nothing_free() -> None:
    world = payday()
    batch = sealed(world)
    before = pots(world)
    quote = quote_wage_batch(world, batch, "ACC-1", legs(world, batch, SPLIT))

    assert (quote.total, quote.fee, quote.status) == (65000, 60 + 85 + 70, "quoted")
    assert pots(world) == before
    with pytest.raises(Refused, match="which is quoted"):
        quote_wage_batch(world, batch, "ACC-1", legs(world, batch, SPLIT))


def test_a_quote_has_every_line_once_on_a_float_of_its_scheme() -> None:
    world = payday()
    batch = sealed(world)
    one, two, three = (line.id for line in lines_of(world, batch))
    for wrong in (
        (Leg("FLT-1", (one,)), Leg("FLT-2", (two,))),
        (Leg("FLT-1", (one,)), Leg("FLT-2", (two, three, three))),
        (Leg("FLT-1", (one, two)), Leg("FLT-2", (three,))),
        (Leg("FLT-1", (one,)), Leg("FLT-2", (two,)), Leg("FLT-2", (three,))),
        (Leg("FLT-1", (one,)), Leg("FLT-2", (two, three)), Leg("FLT-3", ())),
        (),
    ):
        with pytest.raises(Refused):
            quote_wage_batch(world, batch, "ACC-1", wrong)
    with pytest.raises(Refused, match="does not belong"):
        quote_wage_batch(world, batch, "ACC-3", legs(world, batch, SPLIT))
    reopen_wage_batch(world, batch)
    with pytest.raises(Refused, match="not sealed"):
        quote_wage_batch(world, batch, "ACC-1", legs(world, batch, SPLIT))


def test_booking_keeps_the_float_and_giving_up_frees_it() -> None:
    world = payday()
    before = pots(world)
    _, quote, _ = booked(world)
    assert pots(world) == [(20000, 30000, 0), (5000, 35000, 0), (16000, 0, 0)]
    with pytest.raises(Refused, match="booked"):
        book_wage_quote(world, quote)

    give_up_wage_quote(world, quote)
    assert pots(world) == before
    with pytest.raises(Refused, match="given_up"):
        give_up_wage_quote(world, quote)


def test_a_float_that_is_too_small_is_not_booked() -> None:
    world = payday()
    batch = sealed(world)
    plan = (("FLT-1", (0,)), ("FLT-3", (1, 2)))
    quote = quote_wage_batch(world, batch, "ACC-1", legs(world, batch, plan))
    with pytest.raises(Refused, match="16000 cents free"):
        book_wage_quote(world, quote.id)


def test_bookings_end_unless_a_partner_voided_one() -> None:
    world = payday("14:29")
    batch, _, _ = booked(world)
    later(world, 1)
    float_repriced(world, "FLT-2", 100, 20000, "cut")
    second = quote_wage_batch(world, batch, "ACC-1", legs(world, batch, SPLIT)).id
    assert book_wage_quote(world, second).status == "booked"

    float_repriced(world, "FLT-2", 100, 20000, "cut again")
    later(world, 70)
    third = quote_wage_batch(world, batch, "ACC-1", legs(world, batch, SPLIT)).id
    with pytest.raises(Refused, match="15:40"):
        book_wage_quote(world, third)


def test_a_first_booking_or_one_we_gave_up_is_too_late_at_the_cut_off() -> None:
    world = payday("14:29")
    batch, quote, _ = booked(world)
    give_up_wage_quote(world, quote)
    later(world, 1)
    again = quote_wage_batch(world, batch, "ACC-1", legs(world, batch, SPLIT)).id
    with pytest.raises(Refused, match="14:30"):
        book_wage_quote(world, again)


def test_a_new_price_voids_quotes_over_the_float_and_no_others() -> None:
    world = payday()
    _, quote, _ = booked(world)
    other = world[WageQuote].put(
        WageQuote("PQT-9", "PBT-9", "CASE-2", "ACC-3", (Leg("FLT-3", ()),), 0, 0, "quoted")
    )
    float_repriced(world, "FLT-2", 100, 20000, "cut")

    assert (world[WageQuote][quote].status, world[WageQuote][quote].remark) == ("void", "cut")
    assert world[WageQuote][other.id].status == "quoted"
    assert pots(world) == [(50000, 0, 0), (20000, 0, 0), (16000, 0, 0)]
    assert [(n.wage_float, n.text, n.t) for n in world[FloatNotice]] == [("FLT-2", "cut", 0)]


def test_a_wave_takes_wages_and_quoted_prices_and_arrives() -> None:
    world = payday()
    _, quote, lines = booked(world)
    later(world, 60)
    send_wage_wave(world, quote, tuple(lines[:2]))

    assert world[Account]["ACC-1"].balance == 50000
    assert world[Account]["ACC-2"].balance == 1000 - 60 - 85
    assert [(fee.amount, fee.ref) for fee in world[Fee]] == [(145, quote)]
    assert pots(world)[:2] == [(20000, 0, 30000), (5000, 15000, 20000)]
    later(world, 14)
    assert world[WageLine][lines[0]].status == "sent"
    later(world, 1)
    row = world[WageLine][lines[0]]
    assert (row.status, row.sent_at, row.paid_at, row.quote) == ("paid", 60, 75, quote)
    with pytest.raises(Refused, match="have been sent under"):
        give_up_wage_quote(world, quote)


def test_a_wave_is_refused_as_a_whole() -> None:
    world = payday()
    batch, quote, lines = booked(world)
    with pytest.raises(Refused, match="15:00"):
        send_wage_wave(world, quote, (lines[0],))
    later(world, 60)
    send_wage_wave(world, quote, (lines[0],))
    for wrong in ((), (lines[1], lines[1]), (lines[0], lines[1]), (lines[1], "PLN-0")):
        with pytest.raises(Refused):
            send_wage_wave(world, quote, wrong)
    float_repriced(world, "FLT-2", 100, 20000, "cut")
    with pytest.raises(Refused, match="void: cut"):
        send_wage_wave(world, quote, (lines[1],))
    with pytest.raises(Refused, match="have been sent"):
        reopen_wage_batch(world, batch)
    later(world, 90)
    with pytest.raises(Refused, match="16:30"):
        send_wages_at_spot(world, "ACC-1", "FLT-2", (lines[1],))


def test_what_was_sent_stays_out_of_a_new_quote() -> None:
    world = payday()
    batch, quote, lines = booked(world)
    later(world, 60)
    send_wage_wave(world, quote, (lines[0], lines[1]))
    float_repriced(world, "FLT-2", 100, 20000, "cut")
    second = quote_wage_batch(world, batch, "ACC-1", (Leg("FLT-2", (lines[2],)),)).id
    book_wage_quote(world, second)
    send_wage_wave(world, second, (lines[2],))

    world[WageQuote].change(second, status="void")
    with pytest.raises(Refused, match="nothing left"):
        quote_wage_batch(world, batch, "ACC-1", ())


def test_spot_costs_half_as_much_again() -> None:
    world = payday("15:00")
    batch = sealed(world)
    lines = [line.id for line in lines_of(world, batch)]
    send_wages_at_spot(world, "ACC-1", "FLT-3", (lines[2],))

    assert world[Fee].where(ref="FLT-3")[0].amount == 105
    assert (world[Account]["ACC-1"].balance, pots(world)[2]) == (85000, (1000, 0, 15000))
    assert world[WageLine][lines[2]].quote is None


def test_spot_is_refused_for_what_is_booked_or_does_not_fit() -> None:
    world = payday()
    _, _, lines = booked(world)
    later(world, 60)
    with pytest.raises(Refused, match="is booked under"):
        send_wages_at_spot(world, "ACC-1", "FLT-1", (lines[0],))

    world = payday("15:00")
    batch = sealed(world)
    lines = [line.id for line in lines_of(world, batch)]
    for account, pot, wrong in (
        ("ACC-1", "FLT-1", (lines[1],)),
        ("ACC-3", "FLT-1", (lines[0],)),
        ("ACC-1", "FLT-3", (lines[1],)),
        ("ACC-1", "FLT-2", ()),
        ("ACC-1", "FLT-2", (lines[1], lines[1])),
    ):
        with pytest.raises(Refused):
            send_wages_at_spot(world, account, pot, wrong)


class Payday(RuleBasedStateMachine):
    """Quotes, bookings, waves and spot in any order: floats and wages are conserved."""

    def __init__(self) -> None:
        super().__init__()
        self.world = payday("14:40")
        self.batch = sealed(self.world)
        self.lines = [line.id for line in lines_of(self.world, self.batch)]
        self.whole = [sum(pot) for pot in pots(self.world)]
        void = legs(self.world, self.batch, KESTREL)
        self.world[WageQuote].add(
            batch=self.batch, case="CASE-1", account="ACC-1", legs=void, total=0, fee=0,
            status="void", booked_at=0,
        )  # fmt: skip
        self.world.take_log()

    def quote(self) -> str:
        return list(self.world[WageQuote])[-1].id

    @rule(plan=st.sampled_from((KESTREL, SPLIT)))
    def quotes(self, plan: tuple[tuple[str, tuple[int, ...]], ...]) -> None:
        left = {x.id for x in lines_of(self.world, self.batch) if x.status == "sealed"}
        chosen = [
            Leg(name, tuple(self.lines[i] for i in places if self.lines[i] in left))
            for name, places in plan
        ]
        with_lines = tuple(leg for leg in chosen if leg.lines)
        self.tried(lambda: quote_wage_batch(self.world, self.batch, "ACC-1", with_lines))

    @rule()
    def books(self) -> None:
        self.tried(lambda: book_wage_quote(self.world, self.quote()))

    @rule()
    def gives_up(self) -> None:
        self.tried(lambda: give_up_wage_quote(self.world, self.quote()))

    @rule(places=st.sets(st.integers(0, 2)))
    def sends(self, places: set[int]) -> None:
        chosen = tuple(self.lines[i] for i in sorted(places))
        self.tried(lambda: send_wage_wave(self.world, self.quote(), chosen))

    @rule(place=st.integers(0, 2), pot=st.sampled_from(("FLT-1", "FLT-2", "FLT-3")))
    def spot(self, place: int, pot: str) -> None:
        self.tried(lambda: send_wages_at_spot(self.world, "ACC-1", pot, (self.lines[place],)))

    @rule(minutes=st.sampled_from((1, 10, 20)))
    def waits(self, minutes: int) -> None:
        later(self.world, minutes)

    def tried(self, act: Callable[[], object]) -> None:
        try:
            act()
        except Refused:
            self.world.undo()
        self.world.take_log()

    @invariant()
    def nothing_is_lost(self) -> None:
        world = self.world
        gone = [x for x in lines_of(world, self.batch) if x.status in ("sent", "paid")]
        fees = sum(fee.amount for fee in world[Fee])
        assert [sum(pot) for pot in pots(world)] == self.whole
        assert world[Account]["ACC-1"].balance + sum(x.amount for x in gone) == 100000
        assert world[Account]["ACC-2"].balance + fees == 1000
        assert sum(pot.used for pot in world[WageFloat]) == sum(x.amount for x in gone)


TestPayday = Payday.TestCase
TestPayday.settings = settings(max_examples=60, stateful_step_count=20, deadline=None)
