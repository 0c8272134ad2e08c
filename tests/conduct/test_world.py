"""The state: typed rows, writes in order, a hash that follows, time that only moves forward."""

from typing import Annotated, ClassVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.conduct.parameters import Parameter, Parameters, Period
from bythebook.conduct.world import (
    Opening,
    Row,
    World,
    add_days,
    days_between,
    state_hash,
    terms_hash,
)
from bythebook.errors import ContentError
from bythebook.tool import Refused


class Purse(Row, frozen=True):
    table: ClassVar[str] = "purses"
    prefix: ClassVar[str] = "PRS"
    terms: ClassVar[tuple[str, ...]] = ("owner", "balance")

    owner: str
    balance: Annotated[int, msgspec.Meta(ge=0)]
    note: str = ""


def opening() -> Opening:
    rows = {"PRS-1": Purse("PRS-1", "Noor", 6000), "PRS-2": Purse("PRS-2", "Ivo", 0)}
    fee = Parameter("USD", (Period(800, to="2025-09-15"), Period(1000, since="2025-09-15")))
    tables: dict[str, dict[str, Row]] = {"purses": dict(rows)}
    return Opening(tables, state_hash(tables), "2025-09-25", 15 * 60 + 44, Parameters({"fee": fee}))


@pytest.fixture
def world() -> World:
    return World(opening())


def test_a_write_is_logged_with_the_row_before_and_after(world: World) -> None:
    world[Purse].change("PRS-1", balance=0)
    world[Purse].change("PRS-1", balance=2000)

    log = world.take_log()

    assert [(w.key, w.old.balance, w.new.balance) for w in log] == [
        ("PRS-1", 6000, 0),
        ("PRS-1", 0, 2000),
    ]
    assert world.take_log() == ()


def test_what_is_undone_was_never_there(world: World) -> None:
    before, start = world.hash, dict(world.tables["purses"])
    world[Purse].change("PRS-1", balance=1)
    world[Purse].add(owner="Mei", balance=5)

    world.undo()

    assert world.hash == before
    assert world.tables["purses"] == start
    assert world.log == []


def test_time_stops_at_each_event_with_its_clock_and_its_cause(world: World) -> None:
    world.cause = 7
    world.schedule("b", due=5)
    world.cause = 9
    world.schedule("a", due=3)

    seen = []
    for due in world.passing(6):
        seen.append((due.name, world.t, world.cause))
        if due.name == "a":
            world.schedule("on the way", due=4)

    assert seen == [("a", 3, 9), ("on the way", 4, 9), ("b", 5, 7)]
    assert world.t == 6


def test_what_an_undone_call_scheduled_never_comes(world: World) -> None:
    for name, due in [("b", 5), ("a", 3), ("c", 9)]:
        world.schedule(name, due=due)
    world.take_log()
    world[Purse].change("PRS-1", balance=1)
    world.schedule("d", due=4)
    world.schedule("e", due=1)

    world.undo()
    world.schedule("f", due=5)

    assert [world.next_due().name for _ in range(4)] == ["a", "b", "f", "c"]


def test_worlds_of_one_opening_do_not_see_each_other() -> None:
    shared = opening()
    first, second = World(shared), World(shared)

    first[Purse].change("PRS-1", balance=1)

    assert second[Purse]["PRS-1"].balance == 6000
    assert shared.tables["purses"]["PRS-1"] == Purse("PRS-1", "Noor", 6000)


def test_a_fork_and_its_origin_part_ways_in_both_directions(world: World) -> None:
    world[Purse].change("PRS-2", balance=7)
    twin = world.fork()
    world[Purse].change("PRS-1", balance=1)
    twin[Purse].change("PRS-2", balance=9)

    assert (world[Purse]["PRS-1"].balance, world[Purse]["PRS-2"].balance) == (1, 7)
    assert (twin[Purse]["PRS-1"].balance, twin[Purse]["PRS-2"].balance) == (6000, 9)


def test_an_unknown_id_is_refused_in_words(world: World) -> None:
    with pytest.raises(Refused, match="purses: there is no 'PRS-9'"):
        world[Purse]["PRS-9"]


def test_a_row_outside_its_bounds_is_our_fault_and_says_so(world: World) -> None:
    with pytest.raises(ContentError, match="purses PRS-1"):
        world[Purse].change("PRS-1", balance=-1)


def test_a_row_of_the_wrong_type_never_enters_a_table(world: World) -> None:
    with pytest.raises(ContentError, match="owner"):
        world[Purse].change("PRS-1", owner=7)


def test_new_ids_count_on_and_never_collide(world: World) -> None:
    assert [world[Purse].add(owner="x", balance=0).id for _ in range(2)] == ["PRS-3", "PRS-4"]


def test_only_the_terms_bind_an_approval() -> None:
    row = Purse("PRS-1", "Noor", 6000)

    assert terms_hash(row) == terms_hash(msgspec.structs.replace(row, note="other"))
    assert terms_hash(row) != terms_hash(msgspec.structs.replace(row, balance=5999))


def test_the_wall_clock_of_the_story_is_a_matter_of_arithmetic(world: World) -> None:
    assert world.minute("16:00") == 16
    assert world.clock_at(18) == "16:02"
    assert world.day_at(8 * 60 + 15) == "2025-09-25"
    assert world.day_at(8 * 60 + 16) == "2025-09-26"


def test_policy_numbers_follow_the_day(world: World) -> None:
    assert world.policy.number("fee", "2025-09-14") == 800
    assert world.policy.number("fee", world.day) == 1000


def test_due_events_come_by_minute_then_priority_then_order_of_scheduling(world: World) -> None:
    for name, due, priority in [("c", 5, 5), ("a", 3, 5), ("b", 5, 1), ("d", 5, 5)]:
        world.schedule(name, due=due, priority=priority)

    assert [world.next_due().name for _ in range(4)] == ["a", "b", "c", "d"]


@given(
    st.lists(
        st.tuples(st.sampled_from(["PRS-1", "PRS-2", "new"]), st.integers(0, 10**9)), max_size=20
    )
)
def test_the_rolling_hash_is_the_hash_of_the_state(edits: list[tuple[str, int]]) -> None:
    world = World(opening())
    for key, balance in edits:
        if key == "new":
            world[Purse].add(owner="x", balance=balance)
        else:
            world[Purse].change(key, balance=balance)

    assert world.hash == state_hash(world.tables)


@given(st.dates(), st.integers(-4000, 4000))
def test_days_are_counted_there_and_back(day: object, days: int) -> None:
    start = str(day)
    if not 4000 < int(start[:4]) * 365 < 3_600_000:
        return
    assert days_between(start, add_days(start, days)) == days
