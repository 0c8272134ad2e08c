"""Wallets: names are asked and not typed, numbers come from forms."""

import pytest

from bythebook.alder.desks.wallets import (
    NameCheck,
    Wallet,
    WalletForm,
    accept_close_match,
    correct_roster_name,
    latest_answer,
    likeness,
    register_wallet,
    run_name_checks,
    wallets_of_worker,
)
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.hours import later
from tests.alder.payday import payday


@pytest.fixture
def world() -> World:
    return payday()


@pytest.mark.parametrize(
    ("asked", "held", "result"),
    [
        ("Ana Luz", "ana luz", "exact"),
        ("Ana Luz", "Ana L'Uz", "close"),
        ("Ana Luz", "Ana Maria Luz", "close"),
        ("Ana Maria Luz", "Luz Ana", "close"),
        ("Ana Luz", "Ana Lux", "no_match"),
    ],
)
def test_names_are_compared_by_letters_and_parts(asked: str, held: str, result: str) -> None:
    assert likeness(asked, held) == result


def test_answers_come_together_and_later(world: World) -> None:
    asked = run_name_checks(world, ("WAL-1", "WAL-2", "WAL-3"))
    assert [check.result for check in asked] == ["pending"] * 3

    later(world, 5)
    assert world[NameCheck][asked[0].id].result == "pending"
    later(world, 1)
    answers = [world[NameCheck][check.id] for check in asked]

    assert [check.result for check in answers] == ["close", "exact", "no_match"]
    assert answers[0].remark == "spelled or divided differently"
    assert "another subscriber" in answers[2].remark
    assert all(check.day == world.day for check in answers)


def test_a_missing_name_is_counted_and_an_unknown_number_is_no_match(world: World) -> None:
    register_wallet(world, "WFM-1")
    asked = run_name_checks(world, ("WAL-4", world[Wallet].where(number="7")[0].id))
    later(world, 6)

    assert world[NameCheck][asked[0].id].remark == "the scheme's register has 1 more name"
    assert world[NameCheck][asked[1].id].remark == "number not assigned"


@pytest.mark.parametrize("wallets", [(), ("WAL-1", "WAL-1"), ("WAL-5",), ("WAL-0",)])
def test_a_check_needs_wallets_in_use_each_once(world: World, wallets: tuple[str, ...]) -> None:
    with pytest.raises(Refused):
        run_name_checks(world, wallets)


def test_an_open_question_is_not_asked_again(world: World) -> None:
    run_name_checks(world, ("WAL-1",))
    with pytest.raises(Refused, match="not answered yet"):
        run_name_checks(world, ("WAL-2", "WAL-1"))


def test_the_latest_answer_counts_also_within_a_day(world: World) -> None:
    first = run_name_checks(world, ("WAL-4",))
    later(world, 6)
    correct_roster_name(world, "WRK-4", "NMP-1")
    second = run_name_checks(world, ("WAL-4",))
    assert latest_answer(world, "WAL-4") == world[NameCheck][first[0].id]
    later(world, 6)

    assert latest_answer(world, "WAL-4") == world[NameCheck][second[0].id]
    assert world[NameCheck][second[0].id].result == "exact"


def test_a_close_answer_is_accepted_once(world: World) -> None:
    check = run_name_checks(world, ("WAL-1",))[0].id
    with pytest.raises(Refused, match="pending"):
        accept_close_match(world, check)
    later(world, 6)

    assert accept_close_match(world, check).accepted
    with pytest.raises(Refused, match="before"):
        accept_close_match(world, check)
    with pytest.raises(Refused, match="exact"):
        accept_close_match(world, "CHK-2")


def test_a_form_moves_a_worker_and_leaves_the_old_wallet(world: World) -> None:
    new = register_wallet(world, "WFM-1")

    assert (new.worker, new.scheme, new.number, new.form) == ("WRK-3", "SCH-B", "7", "WFM-1")
    assert [w.status for w in wallets_of_worker(world, "WRK-3")] == ["left", "left", "in_use"]
    assert world[WalletForm]["WFM-1"].status == "entered"
    with pytest.raises(Refused, match="entered before"):
        register_wallet(world, "WFM-1")


def test_a_number_in_use_is_not_entered_again(world: World) -> None:
    with pytest.raises(Refused, match="already"):
        register_wallet(world, "WFM-2")


def test_a_name_comes_from_the_workers_own_paper(world: World) -> None:
    assert correct_roster_name(world, "WRK-4", "NMP-1").name == "Di Jo Orr"
    with pytest.raises(Refused, match="already"):
        correct_roster_name(world, "WRK-4", "NMP-1")
    with pytest.raises(Refused, match="paper of WRK-4"):
        correct_roster_name(world, "WRK-1", "NMP-1")


def test_wallets_of_nobody_are_refused(world: World) -> None:
    with pytest.raises(Refused):
        wallets_of_worker(world, "WRK-0")
