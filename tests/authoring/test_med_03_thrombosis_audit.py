"""med-03-thrombosis-audit: limits to the hour and the day, signals, and no number given away."""

from collections import Counter
from datetime import date
from decimal import Decimal

import pytest

from authoring.med_03_thrombosis_audit.census import Point, bed_days, series
from authoring.med_03_thrombosis_audit.papers import codes_shown, said, wards_shown
from authoring.med_03_thrombosis_audit.reasons import reason
from authoring.med_03_thrombosis_audit.rules import Case, clearance, coded
from authoring.med_03_thrombosis_audit.sheets import flagged
from authoring.med_03_thrombosis_audit.slips import SLIPS
from authoring.med_03_thrombosis_audit.story import due, found, shown, state, story
from authoring.med_03_thrombosis_audit.world import TEXTS, World


@pytest.fixture(scope="module", params=(0, 4))
def told(request: pytest.FixtureRequest) -> World:
    return story(request.param)


def case(told: World, key: str) -> Case:
    return next(one for one in coded(told).cases if one.key == key)


def test_each_report_has_one_place(told: World) -> None:
    code = coded(told)
    assert len(told.reports) == 124
    assert not set(code.belongs) & set(code.left)
    counts = Counter(code.left.values())
    assert counts == {"N1": 24, "N2": 12, "N3": 5, "N4": 4, "N5": 3, "N6": 3, "N7": 15}
    assert all(reason(one.key) for one in code.cases)


def test_limits_hold_to_the_hour_and_the_day(told: World) -> None:
    left = coded(told).left
    assert round(case(told, "h09a").hours, 1) == Decimal("48.4")
    assert round(case(told, "h32a").hours, 1) == Decimal("48.8")
    assert left["c02a"] == "N7"  # 47 hours and 40 minutes
    assert case(told, "h10a").days == 90
    assert left["c04a"] == "N7"  # day 91
    assert left["m03a"] == "N4"  # 41 days after birth


def test_the_day_in_doubt_is_the_event_only_within_a_week(told: World) -> None:
    assert case(told, "h13a").event.date() == date(2025, 8, 30)
    assert case(told, "h44a").event.date() == date(2025, 12, 29)
    assert coded(told).left["h33a"] == "N1"
    assert case(told, "h33b").event.date() == date(2025, 11, 13)


def test_wards_by_midnights(told: World) -> None:
    wards = {key: case(told, key).ward for key in ("h02a", "h04a", "h21a", "h26a", "h43a")}
    assert wards == {
        "h02a": "Larch",  # Elm
        "h04a": "Alder",  # 3 on Willow, 7 in intensive care, 4 on Alder
        "h21a": "Maple",  # 3 and 3
        "h26a": "Willow",
        "h43a": "Alder",
    }


def test_care_is_measured_by_the_standard_of_arrival(told: World) -> None:
    """Worked out by hand from the charts."""
    failures = {key: case(told, key).failure for key in ("h01a", "h04a", "h15a", "h20a", "h02a")}
    assert failures == {"h01a": "F0", "h04a": "F0", "h15a": "F0", "h20a": "F0", "h02a": "F4"}
    new = {key: case(told, key).failure for key in ("h16a", "h18a", "h27a", "h31a", "h36a")}
    assert new == {"h16a": "F5", "h18a": "F1", "h27a": "F0", "h31a": "F0", "h36a": "F4"}
    assert round(clearance(told.patient("h28")), 1) == Decimal("27.1")


def test_ten_working_days_leave_out_christmas(told: World) -> None:
    assert due(date(2025, 12, 18)) == date(2026, 1, 6)
    assert due(date(2025, 8, 6)) == date(2025, 8, 20)
    states = Counter(state(one) for one in coded(told).cases if one.escalated)
    assert states == {"in time": 3, "late": 1, "open": 1}


def test_a_point_on_the_median_is_passed_over(told: World) -> None:
    points, middle = series(coded(told).cases, bed_days(told.seed))
    assert middle == points[18].rate == Decimal("1.31")
    assert "".join(point.signal[0] for point in points) == "nnnnnnnnnttntttnssnsssss"
    broken, _ = series(coded(told).cases, bed_days(told.seed), skip=False)
    assert {point.signal for point in broken} == {"none", "trend"}
    assert points[0] == Point(date(2024, 1, 1), 7, points[0].days)


def test_one_small_number_hides_the_next(told: World) -> None:
    assert shown([2, 6, 13, 11, 8, 5], 5, True) == ["<5", "6", "13", "11", "8", "-"]
    assert shown([2, 3, 13], 5, True) == ["<5", "<5", "13"]
    assert shown([21, 7, 3], 5, False) == ["21", "7", "<5"]
    assert shown([0, 4, 6, 6], 5, True) == ["0", "<5", "-", "6"]


def test_no_paper_of_ours_gives_a_hidden_number_away(told: World) -> None:
    what = found(told)
    assert [cases for _, cases, _ in wards_shown(what)] == ["<5", "6", "13", "11", "8", "-", "45"]
    assert [number for _, number in codes_shown(what)] == ["21", "7", "5", "6", "<5", "<5"]
    numbers = [one.no for one in told.reports] + list(told.numbers.values())
    for name in ("paper.md", "paper-2.md"):
        text = (TEXTS / name).read_text("utf-8").format(**said(told))
        assert not [number for number in numbers if number in text]
        assert "preventable" not in text


def test_the_flag_is_wrong_in_both_directions(told: World) -> None:
    code = coded(told)
    flags = Counter((one.key in code.belongs, flagged(one)) for one in told.reports)
    assert flags[True, "no"] >= 20
    assert flags[False, "yes"] >= 20


def test_each_slip_of_reading_changes_what_is_found(told: World) -> None:
    right = coded(told)
    for name, slip in SLIPS.items():
        points, _ = series(
            coded(told, slip.rules).cases,
            bed_days(told.seed, slip.how),
            shift=slip.shift,
            trend=slip.trend,
            skip=slip.skip,
        )
        same = coded(told, slip.rules) == right and points == found(told).points
        assert not same, name
