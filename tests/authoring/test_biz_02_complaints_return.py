"""biz-02-complaints-return: days counted by hand, each contact once, no word that decides."""

from collections import Counter
from datetime import date

import msgspec
import pytest

from authoring.biz_02_complaints_return.expected import again, joined, mixed
from authoring.biz_02_complaints_return.faults import KEYWORDS, guess
from authoring.biz_02_complaints_return.story import (
    by_code,
    by_product,
    fuel_is_told,
    left,
    story,
    totals,
)
from authoring.biz_02_complaints_return.world import World


@pytest.fixture(scope="module", params=(0, 3))
def told(request: pytest.FixtureRequest) -> World:
    return story(request.param)


def test_each_contact_is_counted_once(told: World) -> None:
    out = sum(map(len, left(told).values()))
    assert len(told.complaints) + len(joined(told)) + out == len(told.contacts) == 128
    assert len({one.text for one in told.contacts}) == 128


def test_business_days_begin_after_the_day_of_receipt(told: World) -> None:
    same_day, three, easter = (told.of(key) for key in ("k08a", "k04e", "g1"))
    assert (same_day.business, three.business) == (0, 3)
    assert easter.received == date(2025, 4, 17)  # Maundy Thursday: 22 and 23 April are left
    assert easter.business == 2


def test_fifty_six_days_are_in_time_and_fifty_eight_are_not(told: World) -> None:
    assert told.of("k01d").days == 56
    assert told.of("k01d").in_time()
    late = {one.key for one in told.complaints if one.closed and not one.in_time()}
    assert late == {"k03g", "h2", "k05c"}


def test_the_same_matter_is_new_from_day_29_and_under_the_amendment_from_day_43(
    told: World,
) -> None:
    before = {"n1": "k01c", "n5": "k04c"}
    days = {new: told.of(new).received - told.of(old).closed for new, old in before.items()}  # type: ignore[operator] # both are closed
    assert {key: gone.days for key, gone in days.items()} == {"n1": 29, "n5": 43}
    assert (told.by_key["j7"].day - date(2025, 2, 20)).days == 28
    assert 28 < (told.by_key["j5"].day - date(2025, 3, 24)).days <= 42
    assert len(again(told)) == 6


def test_sums_agree(told: World) -> None:
    figures = totals(told)
    codes = by_code(told).values()
    assert sum(count for count, _, _ in codes) == figures["Complaints received"] == 83
    assert sum(paid for _, _, paid in codes) == figures["Redress paid"]
    assert sum(by_product(told).values()) == 83
    assert len(mixed(told)) >= 25


def test_words_alone_find_half_of_the_causes_at_most(told: World) -> None:
    """For each cause a third of its texts lacks its words, and other causes' texts have them."""
    right = [one for one in told.complaints if guess(one.first.text) == one.cause]
    assert len(right) < len(told.complaints) / 2
    for code, words in KEYWORDS.items():
        hits = Counter(
            one.cause == code
            for one in told.complaints
            if any(word in one.first.text.lower() for word in words)
        )
        own = sum(one.cause == code for one in told.complaints)
        assert hits[True] <= 0.7 * own, code
        assert hits[False] >= own / 3, code


def test_one_fuel_is_told_by_the_account_or_by_the_first_contact(told: World) -> None:
    assert all(fuel_is_told(one) for one in told.complaints)
    letters, carpet, lone = (told.of(key) for key in ("k10a", "k09c", "k10b"))
    assert letters.product == "B"
    for one, wrong in ((letters, "E"), (carpet, "G"), (lone, "B")):
        assert not fuel_is_told(msgspec.structs.replace(one, product=wrong))
