"""Lots of service rights: no unit is ever in two places."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from bythebook.alder.desks.rights import (
    Reservation,
    ServiceRight,
    extend_right_term,
    order_rights_bundle,
    release_reservation,
    reserve_right,
    retire_right,
    right_balance,
    rights_of_customer,
    transfer_reservation,
    use_unit,
)
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.wharf import wharf


@pytest.fixture
def world() -> World:
    return wharf()


def test_a_unit_is_held_for_one_promise_at_a_time(world: World) -> None:
    kept = reserve_right(world, "RGT-1", "PRM-1")

    assert right_balance(world, "RGT-1").held_for == ("PRM-1",)
    with pytest.raises(Refused, match="holds a unit for PRM-1"):
        reserve_right(world, "RGT-1", "PRM-1")
    with pytest.raises(Refused, match="no free unit"):
        reserve_right(world, "RGT-1", "PRM-2")
    release_reservation(world, kept.id, "plan_changed")
    assert reserve_right(world, "RGT-1", "PRM-2").status == "held"
    with pytest.raises(Refused, match="released, not held"):
        release_reservation(world, kept.id, "plan_changed")


def test_the_ledger_reserves_from_a_lapsed_lot_for_ten_days_and_no_longer(world: World) -> None:
    assert reserve_right(world, "RGT-3", "PRM-1").right == "RGT-3"
    with pytest.raises(Refused, match="no longer carried"):
        reserve_right(world, "RGT-4", "PRM-1")


def test_a_lot_serves_its_owner_from_its_first_day(world: World) -> None:
    with pytest.raises(Refused, match="different customers"):
        reserve_right(world, "RGT-1", "PRM-4")
    with pytest.raises(Refused, match="starts on 2025-11-01"):
        reserve_right(world, "RGT-5", "PRM-1")
    with pytest.raises(Refused, match="met, not open"):
        reserve_right(world, "RGT-1", "PRM-6")


def test_a_reservation_moves_within_one_customer(world: World) -> None:
    kept = reserve_right(world, "RGT-1", "PRM-1")

    assert transfer_reservation(world, kept.id, "PRM-2").promise == "PRM-2"
    with pytest.raises(Refused, match="for PRM-2 already"):
        transfer_reservation(world, kept.id, "PRM-2")
    with pytest.raises(Refused, match="different customers"):
        transfer_reservation(world, kept.id, "PRM-4")
    use_unit(world, kept.id)
    with pytest.raises(Refused, match="used, not held"):
        transfer_reservation(world, kept.id, "PRM-1")


def test_a_bundle_begins_tomorrow(world: World) -> None:
    lot = order_rights_bundle(world, "CASE-1", "priority", 12)

    assert (lot.valid_from, lot.units, lot.owner) == ("2025-10-03", 12, "PTY-1")
    assert lot in rights_of_customer(world, "PTY-1", "priority")
    with pytest.raises(Refused, match="starts on"):
        reserve_right(world, lot.id, "PRM-1")
    with pytest.raises(Refused, match="1 to 12"):
        order_rights_bundle(world, "CASE-1", "priority", 13)
    with pytest.raises(Refused, match="1 to 12"):
        order_rights_bundle(world, "CASE-1", "priority", 0)
    with pytest.raises(Refused, match="closed"):
        order_rights_bundle(world, "CASE-3", "priority", 1)


def test_a_living_lot_is_extended_once_and_not_too_far(world: World) -> None:
    with pytest.raises(Refused, match="lapsed"):
        extend_right_term(world, "RGT-3", "2025-10-10")
    for day in ("2025-12-31", "2026-01-31"):
        with pytest.raises(Refused, match="1 to 30 days"):
            extend_right_term(world, "RGT-1", day)
    assert extend_right_term(world, "RGT-1", "2026-01-30").extended
    with pytest.raises(Refused, match="extended before"):
        extend_right_term(world, "RGT-1", "2026-02-01")


def test_a_lot_with_held_units_is_not_retired(world: World) -> None:
    kept = reserve_right(world, "RGT-1", "PRM-1")
    with pytest.raises(Refused, match="1 units held"):
        retire_right(world, "RGT-1", "exchanged")
    release_reservation(world, kept.id, "plan_changed")
    retire_right(world, "RGT-1", "exchanged")
    with pytest.raises(Refused, match="retired already"):
        retire_right(world, "RGT-1", "exchanged")
    with pytest.raises(Refused, match="no longer carried"):
        reserve_right(world, "RGT-1", "PRM-1")


class Ledger(RuleBasedStateMachine):
    """Whatever is asked of the ledger, each unit is free, held or used, and held ones have a
    reservation."""

    def __init__(self) -> None:
        super().__init__()
        self.world = wharf()

    @rule(right=st.sampled_from(["RGT-1", "RGT-2", "RGT-3"]), promise=st.integers(1, 4))
    def reserve(self, right: str, promise: int) -> None:
        self.tried(lambda: reserve_right(self.world, right, f"PRM-{promise}"))

    @rule(kept=st.integers(1, 6))
    def release(self, kept: int) -> None:
        self.tried(lambda: release_reservation(self.world, f"RSN-{kept}", "plan_changed"))

    @rule(kept=st.integers(1, 6), promise=st.integers(1, 4))
    def transfer(self, kept: int, promise: int) -> None:
        self.tried(lambda: transfer_reservation(self.world, f"RSN-{kept}", f"PRM-{promise}"))

    @rule(kept=st.integers(1, 6))
    def use(self, kept: int) -> None:
        self.tried(lambda: use_unit(self.world, f"RSN-{kept}"))

    @staticmethod
    def tried(act: object) -> None:
        try:
            assert callable(act)
            act()
        except Refused:
            pass

    @invariant()
    def every_unit_is_in_one_place(self) -> None:
        for lot in self.world[ServiceRight]:
            kept = self.world[Reservation].where(right=lot.id)
            assert lot.free >= 0
            assert lot.held == sum(row.status == "held" for row in kept)
            assert lot.used == sum(row.status == "used" for row in kept)


TestLedger = Ledger.TestCase
TestLedger.settings = settings(max_examples=30, stateful_step_count=20, deadline=None)
