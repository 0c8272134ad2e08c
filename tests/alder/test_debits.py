"""Debit mandates: what is entered, asked, revoked and closed."""

import pytest

from bythebook.alder.desks.debits import (
    DebitMandate,
    MandatePaper,
    RegisterCheck,
    RegisterEntry,
    Revocation,
    check_debit_mandates,
    close_debit_mandate,
    mandate_standing,
    register_debit_mandate,
    revocation_received,
    revocations_heard,
)
from bythebook.tool import Refused
from tests.alder.hours import later
from tests.alder.pool import pool


def test_a_form_becomes_a_mandate_that_nobody_has_used_or_been_told_of() -> None:
    world = pool()
    row = register_debit_mandate(world, "MPA-1")

    assert (row.payer, row.reference, row.last_used, row.told) == ("Bo", "B-2", None, None)
    assert (row.paper, row.status, world[MandatePaper]["MPA-1"].status) == (
        "MPA-1",
        "open",
        "entered",
    )
    with pytest.raises(Refused, match="entered before"):
        register_debit_mandate(world, "MPA-1")


def test_a_reference_stands_in_the_book_once() -> None:
    world = pool()
    with pytest.raises(Refused, match="A-1"):
        register_debit_mandate(world, "MPA-2")
    with pytest.raises(Refused, match="no 'MPA-9'"):
        register_debit_mandate(world, "MPA-9")


def test_the_register_answers_a_list_in_one_go() -> None:
    world = pool()
    check_debit_mandates(world, ("DBM-1", "DBM-2", "DBM-3"))
    later(world, 44)
    assert {check.answer for check in world[RegisterCheck]} == {"pending"}
    later(world, 1)
    assert [check.answer for check in world[RegisterCheck]] == ["active", "revoked", "unknown"]


def test_the_register_is_asked_about_each_open_mandate_once() -> None:
    world = pool()
    check_debit_mandates(world, ("DBM-1",))
    close_debit_mandate(world, "DBM-2", "lapsed")
    for wrong in ((), ("DBM-3", "DBM-3"), ("DBM-1",), ("DBM-2",), ("DBM-9",)):
        with pytest.raises(Refused):
            check_debit_mandates(world, wrong)


def test_a_closed_mandate_stays_closed() -> None:
    world = pool()
    row = close_debit_mandate(world, "DBM-2", "lapsed")
    assert (row.status, row.closed_as) == ("closed", "lapsed")
    with pytest.raises(Refused, match="closed as lapsed"):
        close_debit_mandate(world, "DBM-2", "revoked")


def test_a_revocation_is_heard_by_its_creditor_and_known_to_the_register() -> None:
    world = pool()
    later(world, 75)
    revocation_received(world, "DBM-1", "at the counter")

    assert [(r.mandate, r.day, r.at) for r in revocations_heard(world, "PTY-1")] == [
        ("DBM-1", "2025-10-29", "13:15")
    ]
    assert revocations_heard(world, "PTY-2") == ()
    assert world[RegisterEntry]["RGE-1"].state == "revoked"
    assert world[DebitMandate]["DBM-1"].status == "open"


def test_a_mandates_standing_is_everything_that_was_heard() -> None:
    world = pool()
    check_debit_mandates(world, ("DBM-1",))
    later(world, 45)
    revocation_received(world, "DBM-1", "x")
    found = mandate_standing(world, "DBM-1")

    assert found.mandate.reference == "A-1"
    assert [check.answer for check in found.checks] == ["active"]
    assert found.revocations == tuple(world[Revocation])
