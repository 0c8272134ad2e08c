"""Days, classes, grades and the cap against cases worked out by hand."""

from datetime import date
from decimal import Decimal

import pytest

from authoring.law_01_supply_review.calendar import Calendar, add_months
from authoring.law_01_supply_review.drafts import draft_3, draft_4
from authoring.law_01_supply_review.playbook import POSITIONS, class_of, grade_of, in_force
from authoring.law_01_supply_review.rules import Advice, Rules, advise, cap_of, promised
from authoring.law_01_supply_review.story import SLIPS, story
from authoring.law_01_supply_review.words import fill


@pytest.fixture(scope="module", params=(0, 1))
def told(request: pytest.FixtureRequest) -> Advice:
    return story(request.param)


def test_ten_business_days_pass_founders_day() -> None:
    # 13, 16, 18, 19, 20, 23, 24, 25, 26, 27 March; the 17th is a holiday.
    assert Calendar().after(date(2026, 3, 12), 10) == date(2026, 3, 27)
    assert Calendar(holidays=False).after(date(2026, 3, 12), 10) == date(2026, 3, 26)


def test_two_holidays_on_one_weekend_are_made_up_for_by_two_days() -> None:
    # Midwinter 2027 falls on Saturday and Sunday: Monday and Tuesday are shut in its place.
    assert Calendar().on_or_after(date(2027, 12, 25)) == date(2027, 12, 29)
    assert Calendar(moved=False).on_or_after(date(2027, 12, 25)) == date(2027, 12, 27)


def test_days_reckoned_back_move_to_the_day_before() -> None:
    assert Calendar().on_or_before(date(2028, 12, 31)) == date(2028, 12, 29)
    assert Calendar().on_or_before(date(2028, 10, 30)) == date(2028, 10, 27)  # Union Day, a Monday


def test_harvest_day_is_the_first_monday_in_october() -> None:
    assert Calendar().on_or_after(date(2026, 10, 3)) == date(2026, 10, 6)


def test_months_back_keep_the_number_of_the_day() -> None:
    assert add_months(date(2029, 5, 31), -5) == date(2028, 12, 31)
    assert add_months(date(2029, 5, 31), -6) == date(2028, 11, 30)


@pytest.mark.parametrize(
    ("code", "term", "found"),
    [
        *(("P01", "3", "met"), ("P01", "5", "outside"), ("P01", "6", "walk-away")),
        *(("P04", "21", "fallback"), ("P04", "15", "outside"), ("P04", "10", "walk-away")),
        *(("P07", "8", "walk-away"), ("P07", "7.9", "outside"), ("P07", "4", "fallback")),
        *(("P14", "100", "walk-away"), ("P14", "100.1", "outside"), ("P14", "200", "met")),
    ],
)
def test_class_of_a_term(code: str, term: str, found: str) -> None:
    position = next(one for one in POSITIONS if one.code == code)
    assert class_of(position, Decimal(term)) == found


def test_the_message_moves_the_limits_of_payment_and_the_weight_of_secrecy() -> None:
    new, old = ({p.code: p for p in in_force(flag)} for flag in (True, False))
    thirty = Decimal(30)
    assert (class_of(new["P06"], thirty), class_of(old["P06"], thirty)) == ("fallback", "walk-away")
    assert (new["P16"].weight, old["P16"].weight) == ("vital", "standard")


def test_steps_stop_at_critical_and_at_low_and_none_does_not_move() -> None:
    assert grade_of("vital", "outside", up=1) == "critical"
    assert grade_of("vital", "walk-away", up=1) == "critical"
    assert grade_of("vital", "walk-away", down=1) == "high"
    assert grade_of("standard", "fallback", down=1) == "low"
    assert grade_of("key", "met", up=1) == "none"


def test_the_cap_is_the_lower_sum_of_the_goods_alone() -> None:
    cap = cap_of(Decimal(1_500_000), 125, (Decimal(1_000_000), Decimal(400_000)), Rules())
    assert cap.drafted == 1_250_000
    assert cap.draft_3 == 1_750_000
    assert cap.lost == 500_000
    assert cap.fallback == 2_100_000
    assert cap.shortfall == 850_000
    assert cap.share == Decimal("0.892857")


def test_only_the_warranty_was_altered_without_a_mark(told: Advice) -> None:
    text = fill("agreement.md", told)
    accepted = draft_4(text).replace("{+", "").replace("+}", "")
    assert "notified within 24 months" in draft_3(text)
    assert "notified within 18 months" in accepted
    assert text.count("[[") == 2  # the draft's own number is the other


def test_the_inserted_clause_shifts_what_follows_and_no_reference(told: Advice) -> None:
    text = fill("agreement.md", told)
    assert "## 11. Indemnities" in draft_3(text)
    assert "## {-11-}{+12+}. Indemnities" in draft_4(text)
    assert "liability under clause 11." in draft_3(text)
    assert "liability under clause 11." in draft_4(text)


def test_each_slip_changes_something(told: Advice) -> None:
    right = promised(told)
    assert all(promised(advise(told.world, rules)) != right for rules in SLIPS.values())


def test_three_positions_go_to_the_board(told: Advice) -> None:
    board = [one.position.code for one in told.entries if one.approver == "board"]
    assert board == ["P09", "P13", "P14"]
