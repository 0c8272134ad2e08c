"""fin-03-thirteen-weeks: the policy by hand, the facility by hand, its story on other seeds."""

from datetime import date
from decimal import Decimal

import pytest
from msgspec.structs import replace

from authoring.fin_03_thirteen_weeks import cash
from authoring.fin_03_thirteen_weeks import days as d
from authoring.fin_03_thirteen_weeks import rules as r
from authoring.fin_03_thirteen_weeks.expected import GROUPS, lines
from authoring.fin_03_thirteen_weeks.story import DOWN, Told, late, misread, story, tell
from authoring.fin_03_thirteen_weeks.supposed import LIMITS, PROMISES
from authoring.fin_03_thirteen_weeks.world import load

D = Decimal


@pytest.fixture(scope="module")
def told() -> Told:
    return story(0)


@pytest.mark.parametrize(
    ("words", "due"),
    [
        ("N45", date(2025, 10, 5)),
        ("E60", date(2025, 10, 30)),
        ("F15", date(2025, 10, 15)),
    ],
)
def test_terms_are_counted_from_the_document_or_its_month(words: str, due: date) -> None:
    assert r.due(date(2025, 8, 21), words) == due


@pytest.mark.parametrize(
    ("late_days", "delay"),
    [((3, 5, 4, 6, 2, 8), 5), ((-6, -4, -5, 2, -7, -6), 0), ((1, 4), 12), ((5, 6, 4, 9, 5), 5)],
)
def test_a_delay_is_a_median_rounded_up_and_never_early(
    late_days: tuple[int, ...], delay: int
) -> None:
    assert r.delay(late_days, 12) == delay


def test_three_broken_promises_cost_fifteen_business_days(told: Told) -> None:
    """From Friday, 24 October, over the closed Monday: 28 October is the first."""
    one = told.line("p03")
    assert (one.code, one.day) == ("R8", date(2025, 11, 17))
    assert d.later(date(2025, 10, 24), 1) == date(2025, 10, 28)


def test_a_promise_is_good_for_42_days_and_no_more(told: Told) -> None:
    """Given on 22 August and on 21 August; with 60 days both hold."""
    assert (told.line("p15").code, told.line("p16").code) == ("R8", "R9")
    other = tell(told.world, PROMISES)
    assert other.line("p16").day == date(2025, 10, 31)
    assert other.line("p22").day == date(2025, 10, 14)


def test_a_credit_note_comes_with_its_customers_first_receipt(told: Told) -> None:
    firsts = {
        one.item.customer: min(
            other.day
            for other in told.lines
            if other.item.customer == one.item.customer
            and other.code in ("R7", "R8", "R9")
            and other.day
        )
        for one in told.lines
        if one.code == "R2" and one.day
    }
    assert {key: told.line(key).day for key in ("k02", "k03", "k05")} == {
        "k02": firsts["c04"],
        "k03": firsts["c12"],
        "k05": firsts["c05"],
    }
    assert told.line("k04").amount == 0


def test_set_off_here_is_set_off_there(told: Told) -> None:
    for ours, theirs in (("s01", "v10"), ("s02", "v12"), ("s04", "v27")):
        assert told.line(ours).item.setoff == told.bill(theirs).payable.setoff > 0


def test_the_run_before_a_closed_thursday_is_on_wednesday() -> None:
    assert d.by_run(date(2025, 12, 26), 4) == date(2025, 12, 24)
    assert d.by_run(date(2025, 9, 1), 4) == date(2025, 10, 9)


def test_what_companies_owe_each_other_changes_no_sum(told: Told) -> None:
    """Of the three companies together, whatever it is."""
    pool, own = cash.by_week(told.world, r.RIGHT)
    others = tuple(one for one in told.world.items if not one.key.startswith("g"))
    without = replace(told.world, items=others)
    pool_2, own_2 = cash.by_week(without, r.RIGHT)
    for week in pool:
        assert pool[week] + own[week] == pool_2[week] + own_2[week]
    assert pool != pool_2


@pytest.mark.parametrize(
    ("before", "drawn", "room", "move"),
    [
        (D(1_499_999), D(0), D(8_000_000), D(500_000)),
        (D(840_000), D(0), D(8_000_000), D(750_000)),
        (D(100_000), D(0), D(900_000), D(750_000)),
        (D(1_749_999), D(3_000_000), D(0), D(0)),
        (D(1_900_000), D(3_000_000), D(0), D(0)),
        (D(2_000_000), D(3_000_000), D(0), D(-500_000)),
        (D(1_800_000), D(250_000), D(0), D(-250_000)),
    ],
)
def test_loans_go_by_lots(before: Decimal, drawn: Decimal, room: Decimal, move: Decimal) -> None:
    assert cash.loan(before, drawn, room, D(1_500_000)) == move


def test_interest_of_the_first_payment_is_that_of_three_weeks(told: Told) -> None:
    drawn = sum((one.drawn for one in told.weeks[:3]), D(0))
    assert told.weeks[3].interest == round(drawn * 7 * D("0.046") / 360, 2)


def test_a_higher_leverage_raises_the_margin_and_so_the_interest(told: Told) -> None:
    other = tell(told.world, LIMITS)
    assert cash.margin(told.quarter["Leverage"]) == D("0.0220")
    assert cash.margin(other.quarter["Leverage"]) == D("0.0260")


def test_only_downside_breaks_what_the_bank_wants(told: Told) -> None:
    down = tell(told.world, DOWN)
    assert told.low.liquidity > told.world.figures["floor"] > down.low.liquidity
    assert told.year_end["Leverage"] <= D("2.75") < down.year_end["Leverage"]


def test_what_is_read_of_an_item_stands_in_a_note() -> None:
    """Nothing is held back, set off or promised that an agent cannot find."""
    notes = " ".join(words for _, _, _, words in load("notes.yaml"))
    told = load("receivables.yaml").items()
    read = {key for key, one in told if {"held", "setoff", "promise"} & set(one)}
    assert {key for key in read if "{" + key + "}" not in notes} == set()
    parts = {key for key, one in told if 0 < one.get("held", 0) < 1}
    assert {key for key in parts if "{" + key + "_part}" not in notes} == set()


def test_each_item_is_asked_about_once(told: Told) -> None:
    asked = [one.item.no for name in GROUPS for one in lines(told, name)]
    assert sorted(asked) == sorted(one.item.no for one in told.lines)
    assert len(asked) == 94


def test_one_item_read_wrongly_moves_loans_weeks_later(told: Told) -> None:
    """The largest invoice objected to: nothing on any sheet says so."""
    wrong = tell(misread(told.world, {"n12": {"off": "all"}}))
    moves = [(a.move, b.move) for a, b in zip(told.weeks, wrong.weeks, strict=True)]
    assert any(a != b for a, b in moves)


def test_the_three_largest_late_ones_are_those_of_the_note(told: Told) -> None:
    assert {one.item.key for one in late(told)[:3]} == {"p11", "d03", "p13"}


@pytest.mark.parametrize("seed", [1, 5])
def test_other_seeds_tell_the_same_story(seed: int) -> None:
    assert story(seed).year_end["Leverage"] <= D("2.75")
