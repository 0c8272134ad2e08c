"""Cards are blocked, replaced and closed; merchants are arranged with and keep their letters."""

import pytest

from bythebook.alder.desks.cards import (
    Card,
    block_card,
    cards_of,
    close_card,
    find_cardholder,
    lift_card_block,
    replace_card,
)
from bythebook.alder.desks.merchants import (
    agree_arrangement,
    arrangements_with,
    end_arrangement,
    file_letter,
    letters_on_file,
    mark_letter_kept,
    set_default_route,
)
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.shop import shop


@pytest.fixture
def world() -> World:
    return shop()


def test_a_block_is_lifted_unless_the_card_is_gone(world: World) -> None:
    block_card(world, "CRD-1", "cardholder_request")
    with pytest.raises(Refused, match="not active"):
        block_card(world, "CRD-1", "fraud_suspected")

    assert lift_card_block(world, "CRD-1").status == "active"
    with pytest.raises(Refused, match="not blocked"):
        lift_card_block(world, "CRD-1")
    with pytest.raises(Refused, match="reported lost"):
        lift_card_block(world, "CRD-3")


def test_a_replacement_closes_the_old_card_and_names_it(world: World) -> None:
    with pytest.raises(Refused, match="block it before"):
        replace_card(world, "CRD-1", "9999")
    with pytest.raises(Refused, match="new digits"):
        replace_card(world, "CRD-3", "3333")
    new = replace_card(world, "CRD-3", "9999")

    assert (new.replaces, new.scheme, new.status) == ("CRD-3", "halden", "active")
    assert [card.id for card in cards_of(world, "CDH-3")] == ["CRD-3", new.id]
    assert world[Card]["CRD-3"].status == "closed"
    with pytest.raises(Refused, match="closed already"):
        close_card(world, "CRD-3")
    with pytest.raises(Refused, match="last open card"):
        close_card(world, new.id)


def test_people_are_found_by_three_letters(world: World) -> None:
    assert len(find_cardholder(world, "PERS")) == 3
    with pytest.raises(Refused, match="three letters"):
        find_cardholder(world, "pe")


def test_arrangements_do_not_overlap_and_end_with_notice(world: World) -> None:
    with pytest.raises(Refused, match="ARR-1 still holds"):
        agree_arrangement(world, "MER-1", "restocking_charge", 800, "2025-11-01")
    with pytest.raises(Refused, match="less than 7 days"):
        end_arrangement(world, "ARR-1", "2025-10-15")
    end_arrangement(world, "ARR-1", "2025-10-16")
    with pytest.raises(Refused, match="ends on 2025-10-16 already"):
        end_arrangement(world, "ARR-1", "2025-12-01")
    with pytest.raises(Refused, match="has passed"):
        agree_arrangement(world, "MER-1", "restocking_charge", 800, "2025-10-08")
    with pytest.raises(Refused, match="below zero"):
        agree_arrangement(world, "MER-1", "restocking_charge", -1, "2025-10-16")

    assert agree_arrangement(world, "MER-1", "restocking_charge", 800, "2025-10-16").unit == "bp"
    assert len(arrangements_with(world, "MER-1")) == 2


def test_a_letter_has_words_and_a_past_and_is_kept_once(world: World) -> None:
    with pytest.raises(Refused, match="has not come yet"):
        file_letter(world, "MER-1", "CDH-2", None, "2025-10-10", "We will.")
    with pytest.raises(Refused, match="wording"):
        file_letter(world, "MER-1", "CDH-2", None, "2025-10-09", "  ")
    for sale, why in (("SAL-99", "SAL-99"), ("SAL-1", "not one of MER-1 to CDH-2")):
        with pytest.raises(Refused, match=why):
            file_letter(world, "MER-1", "CDH-2", sale, "2025-10-09", "We will.")
    with pytest.raises(Refused, match="not one of MER-2 to CDH-1"):
        file_letter(world, "MER-2", "CDH-1", "SAL-1", "2025-10-09", "We will.")
    assert file_letter(world, "MER-1", "CDH-1", "SAL-1", "2025-10-09", "We will.").sale == "SAL-1"
    letter = file_letter(world, "MER-1", "CDH-2", None, "2025-10-09", "We will.")

    assert letter in letters_on_file(world, "MER-1")
    assert mark_letter_kept(world, letter.id).status == "kept"
    with pytest.raises(Refused, match="kept, not open"):
        mark_letter_kept(world, letter.id)


def test_a_default_route_is_changed_for_active_merchants(world: World) -> None:
    with pytest.raises(Refused, match="default already"):
        set_default_route(world, "MER-1", "netted")
    with pytest.raises(Refused, match="suspended"):
        set_default_route(world, "MER-2", "instant")

    assert set_default_route(world, "MER-1", "instant").default_route == "instant"
