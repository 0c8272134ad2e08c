"""The guideline's arithmetic against cases worked out by hand."""

from datetime import date
from decimal import Decimal

import msgspec
import pytest

from authoring.med_01_bleed_after_stent.plan import Plan, plan
from authoring.med_01_bleed_after_stent.rules import (
    GABAPENTIN,
    METFORMIN,
    Rules,
    add_months,
    age_on,
    apixaban,
    at_most,
    strength,
)
from authoring.med_01_bleed_after_stent.story import SLIPS, story
from authoring.med_01_bleed_after_stent.world import adjusted, clearance, ideal


@pytest.fixture(scope="module", params=(0, 1))
def told(request: pytest.FixtureRequest) -> Plan:
    return story(request.param)


def test_ideal_weight_of_a_man_by_his_height() -> None:
    assert ideal(Decimal("171.5")) == Decimal("67.4")  # 50 + 0.91 x 19.1 = 67.381


def test_four_tenths_of_the_excess_count() -> None:
    assert adjusted(Decimal("67.4"), Decimal("99.7")) == Decimal("80.3")  # 67.4 + 12.92


def test_cockcroft_and_gault_for_a_man() -> None:
    # (140 - 79) x 80.3 x 1.23 / 141 = 6024.909 / 141
    assert round(clearance(Decimal("80.3"), Decimal(141)), 2) == Decimal("42.73")


def test_months_end_on_the_last_day_of_a_shorter_month() -> None:
    assert add_months(date(2025, 5, 6), 9) == date(2026, 2, 6)
    assert add_months(date(2025, 5, 31), 9) == date(2026, 2, 28)


def test_age_changes_on_the_birthday() -> None:
    born = date(1945, 11, 13)
    assert age_on(born, date(2025, 11, 12)) == 79
    assert age_on(born, date(2025, 11, 13)) == 80


@pytest.mark.parametrize(
    ("filtered", "metformin", "gabapentin"),
    [
        *(("29.9", 0, 600), ("30", 1000, 900), ("44.9", 1000, 900), ("45", 2000, 900)),
        *(("50", 2000, 1800), ("60", 3000, 1800), ("80", 3000, 3600), ("14.9", 0, 0)),
    ],
)
def test_most_a_day_by_clearance(filtered: str, metformin: int, gabapentin: int) -> None:
    assert at_most(METFORMIN, Decimal(filtered)) == metformin
    assert at_most(GABAPENTIN, Decimal(filtered)) == gabapentin


def test_two_of_three_criteria_reduce_apixaban(told: Plan) -> None:
    heavy = told.basis
    light = msgspec.structs.replace(heavy, actual=Decimal(60))
    clear = msgspec.structs.replace(heavy, creatinine=Decimal(132))
    assert [apixaban(heavy, age) for age in (79, 80)] == [5, Decimal("2.5")]
    assert [apixaban(light, age) for age in (79, 80)] == [Decimal("2.5")] * 2
    assert [apixaban(clear, age) for age in (79, 80)] == [5, 5]


def test_fewest_whole_tablets_of_what_is_in_stock() -> None:
    assert strength("gabapentin", Decimal(300), Rules()) == 300
    assert strength("metformin", Decimal(500), Rules()) == 500
    assert strength("paracetamol", Decimal(1000), Rules()) == 500
    assert strength("tetracycline", Decimal(500), Rules()) == 250
    assert strength("levothyroxine", Decimal("0.075"), Rules()) == Decimal("0.075")


def test_the_shipped_plan_to_the_day() -> None:
    """Counted on a calendar: Day 0 is 17 July 2025, discharge 22 July, last stent 6 May."""
    told = story(0)
    assert told.basis.stent_age == 72
    assert told.line("clopidogrel").first == date(2025, 7, 20)
    assert told.line("clopidogrel").last == date(2026, 2, 6)
    assert told.line("apixaban").first == date(2025, 7, 27)
    assert told.line("tetracycline").last == date(2025, 8, 5)
    assert told.line("apixaban").tablets == 48  # 27 July to 19 August: 24 days, 2 a day
    assert told.line("ramipril").tablets == 54  # 24 July to 19 August: 27 days, 2 a day


def test_a_test_before_something_moves_to_the_day_before(told: Plan) -> None:
    check = told.check("M03")
    assert check.due == told.line("apixaban").first.fromordinal(
        told.line("apixaban").first.toordinal() - 1
    )
    assert check.due.weekday() > 4
    assert check.appointment < check.due
    assert check.appointment.weekday() == 4


def test_pairs_are_taken_on_common_days(told: Plan) -> None:
    first = {pair.number: pair.first for pair in told.pairs}
    last = {pair.number: pair.last for pair in told.pairs}
    assert first[1] == told.line("apixaban").first
    assert last[1] == last[3] == told.clopidogrel_end
    assert first[9] == told.line("calcium carbonate").first
    assert last[2] is last[9] is last[10] is last[11] is None


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_not_the_plan(told: Plan, name: str) -> None:
    assert plan(told.world, SLIPS[name]) != told
