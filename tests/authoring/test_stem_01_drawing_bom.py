"""Procedure CM-07 against cases worked out by hand."""

from datetime import date
from decimal import Decimal

import pytest

from authoring.stem_01_drawing_bom.check import outcome
from authoring.stem_01_drawing_bom.nouns import Dim
from authoring.stem_01_drawing_bom.rules import Limits, Rules, deviations, workday
from authoring.stem_01_drawing_bom.story import SLIPS, Story, promised, story

D = Decimal
CLOSED = frozenset({date(2025, 5, 1), date(2025, 5, 2), date(2025, 5, 9)})


@pytest.fixture(scope="module", params=(0, 1))
def told(request: pytest.FixtureRequest) -> Story:
    return story(request.param)


def dim(nominal: str, unit: str = "mm", upper: str = "", lower: str = "") -> Dim:
    told = (D(upper) if upper else None, D(lower) if lower else None)
    return Dim("C99", "4410-999", "Length", "in" if unit == "in" else "mm", D(nominal), *told)


def limits(lower: str, upper: str, least: str, most: str) -> Limits:
    low, high = D(lower), D(upper)
    return Limits(dim=dim("1"), nominal=low, lower=low, upper=high, least=D(least), most=D(most))


@pytest.mark.parametrize(
    ("days", "day"),
    [
        (1, date(2025, 4, 29)),
        (3, date(2025, 5, 5)),  # 29, 30 April, then over two closed days and a weekend
        (8, date(2025, 5, 13)),  # 5 to 8 May, 12, 13 May
        (-3, date(2025, 4, 23)),
    ],
)
def test_working_days_from_a_monday(days: int, day: date) -> None:
    assert workday(date(2025, 4, 28), days, CLOSED) == day


def test_a_dimension_without_tolerance_has_that_of_its_range() -> None:
    assert deviations(dim("30")) == (D("0.2"), D("-0.2"))
    assert deviations(dim("30.5")) == (D("0.3"), D("-0.3"))
    assert deviations(dim("645")) == (D("0.8"), D("-0.8"))
    assert deviations(dim("0.500", "in")) == (D("0.005"), D("-0.005"))


def test_the_piece_farthest_from_the_middle_stands_for_the_lot() -> None:
    found = limits("62.000", "62.030", "62.013", "62.024")
    assert (found.measured, found.verdict) == (D("62.024"), "in")
    assert limits("9.8552", "9.9568", "9.8958", "9.99236").verdict == "out"
    assert limits("1.0", "2.0", "1.0", "1.2").verdict == "in"


def test_the_gap_of_the_shipped_machine_by_hand() -> None:
    # 54.20 +0.10/0 - 2 x 16 0/-0.12 - 12.10 0/-0.05 - 0.390 +-0.002 in
    gap = story(0).made.chain
    assert gap.nominal == D("54.20") - 32 - D("12.10") - D("9.906")
    assert gap.smallest == D("54.20") - 32 - D("12.10") - D("9.9568")
    assert gap.largest == D("54.30") - D("31.76") - D("12.05") - D("9.8552")


def test_screws_are_multiplied_through_three_levels(told: Story) -> None:
    rows = {row.part.number: (row.qty, row.erp) for row in told.made.rows}
    assert rows["90-0616"] == (D(24), D(16))
    assert rows["90-0825"] == (D(12), D(12))
    assert rows["90-7012"] == (D(2), D(0))
    assert rows["90-7010"] == (D(0), D(2))
    assert rows["90-6206-A"] == (D(8), D(8))


def test_a_pound_and_a_price_per_hundred(told: Story) -> None:
    rows = {row.part.number: row for row in told.made.rows}
    cover = rows[told.world.no("112")]
    assert cover.part.drawn_mass is not None
    assert cover.mass == 4 * cover.part.drawn_mass * D("0.45359237")
    screw = rows["90-0616"]
    assert screw.change == 8 * screw.part.price / 100
    assert rows["95-0010"].mass == D("0.16")


def test_which_record_is_wrong_decides_who_acts(told: Story) -> None:
    kinds = {entry.id: entry.kinds for entry in told.made.register}
    assert kinds["D-000-06-QTY"] == "W"
    assert kinds["D-200-04-QTY"] == "EW"
    assert kinds["D-110-01-MAT"] == "HE"
    assert kinds["D-110-04-DIM"] == "HS"


def test_a_lot_of_a_key_part_out_of_limits_stops_the_build(told: Story) -> None:
    raw = outcome(told.world, Rules(gauge=False))
    assert raw.decision(told.mass_limit) == "No release"
    assert told.decision == "Conditional release"


@pytest.mark.parametrize("name", SLIPS)
def test_every_trap_is_alive(told: Story, name: str) -> None:
    assert promised(outcome(told.world, SLIPS[name])) != promised(told.made)
