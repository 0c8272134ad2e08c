"""law-02-conformed-copy: reasons and days worked out by hand; what stands on paper can be told."""

from datetime import date
from decimal import Decimal

import pytest

from authoring.law_02_conformed_copy.expected import PAGES, initials_group, variants
from authoring.law_02_conformed_copy.initials import CURVES
from authoring.law_02_conformed_copy.page import stretches, typeset
from authoring.law_02_conformed_copy.pen import Paper, amend
from authoring.law_02_conformed_copy.rules import (
    Rules,
    counted,
    cures,
    hands,
    key_dates,
    missing,
    outcome,
    rents,
    working,
)
from authoring.law_02_conformed_copy.story import ALIKE, story
from authoring.law_02_conformed_copy.world import COPIES, World
from authoring.parts.dice import Dice


@pytest.fixture(scope="module", params=(0, 3))
def told(request: pytest.FixtureRequest) -> World:
    return story(request.param)


def test_each_change_has_one_reason(told: World) -> None:
    codes = outcome(told).codes
    assert counted(outcome(told)) == {"X": 1, "P": 2, "S": 5, "D": 3, "I": 7, "L": 3, "E": 23}
    assert [ref for ref, code in codes.items() if code == "L"] == ["P15", "9.5", "11.2"]
    assert codes["P16"] == "E"  # 17.15 and 17.16, before 17.20
    assert codes["9.5"] == "L"  # 17.10 on one counterpart, 17.30 on the other
    assert codes["12.2"] == "E"  # a stet with one party's initials is passed over


def test_an_attorney_counts_in_his_schedule_only() -> None:
    marks, rules = ("HB", "AK", "PK"), Rules()
    assert missing("S4.3", marks, rules) == ()
    assert missing("3.2", marks, rules) == ("Guarantor",)
    assert missing("S4.3", marks, Rules(attorney=False)) == ("Guarantor",)


def test_initials_in_pencil_and_those_of_others_are_no_partys() -> None:
    assert hands(("HB", "rk", "AK")) == ("AK", "HB")
    assert hands(("AK", "HB", "AK")) == ("AK", "HB")
    assert missing("7.2", ("NB", "AK", "RK", "PK"), Rules()) == ("Landlord",)


def test_whoever_takes_similar_hands_for_each_other_loses_three_changes(told: World) -> None:
    right, wrong = outcome(told).codes, outcome(told, Rules(alike=ALIKE)).codes
    assert [ref for ref, code in right.items() if wrong[ref] != code] == ["P12", "3.2", "S2.3"]


def test_every_group_of_initials_holds_somebody_without_authority(told: World) -> None:
    """So that nobody gets a group right by writing three parties everywhere."""
    for pages in PAGES.values():
        for number in (0, 1):
            found = [one.written[number] for one in initials_group(told, pages)]
            odd = [one for one in found if one and set(one.marks) != {"HB", "AK", "RK"}]
            assert len(odd) >= 2, (pages, COPIES[number])


def test_cures_are_for_missing_initials_only(told: World) -> None:
    found = cures(told)
    assert len(found) == 14
    assert sum(ref == "8.4" for ref, _, _ in found) == 6
    assert ("3.2", "Tenant's", "Guarantor") in found
    assert ("3.2", "Landlord's", "Guarantor") not in found


def test_days_by_hand(told: World) -> None:
    days = key_dates(outcome(told))
    assert days["Rent begins"] == date(2025, 12, 15)
    assert days["Break Date"] == date(2030, 7, 15)  # the fifth anniversary: P12 has fallen
    assert days["Last day to serve the Break Notice"] == date(2030, 1, 15)
    assert days["Last day to post it"] == date(2030, 1, 10)  # Thursday; served on Tuesday
    assert days["Last day to ask for renewal"] == date(2034, 10, 14)
    assert days["Cure by"] == date(2025, 6, 25)
    assert working(date(2029, 12, 31), 1) == date(2030, 1, 2)


def test_rents_by_hand() -> None:
    years = rents(outcome(story(0)))
    assert [year.rent for year in years[:6]] == [190000, 191500, 204000, 208000, 218000, 224540]
    assert years[0].payable == Decimal("110833.33")  # seven twelfths
    assert [year.cap for year in years[:3]] == [37500, 38625, 39784]


def test_no_two_hands_are_the_same_and_similar_ones_share_their_beginning() -> None:
    assert len(set(CURVES.values())) == len(CURVES) == 5
    for stranger, party in ALIKE.items():
        assert CURVES[stranger][:4] == CURVES[party][:4]


def test_every_change_stands_on_its_page_and_finds_room_in_a_margin(told: World) -> None:
    leaves = typeset(told.lease)
    assert len(leaves) == 15
    for number in sorted({change.page for change in told.changes}):
        leaf = leaves[number - 1]
        here = [change for change in told.changes if change.page == number]
        assert all(stretches(leaf, change.ref) for change in here)
        for copy in COPIES:
            paper = Paper(leaf, copy, Dice("page", told.seed, copy, number), told.seed, copy)
            for change in here:
                written = change.landlord if copy == "landlord" else change.tenant
                if written:
                    amend(paper, change, written)


def test_words_may_be_copied_with_or_without_the_figure() -> None:
    assert variants("two (2) days") == ["two (2) days", "two days", "2 days", "two(2) days"]
    assert variants("35,200") == ["35,200", "35200", "£35,200", "£35200"]
    assert variants("deleted") == ["deleted"]
