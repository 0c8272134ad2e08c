"""The way to a provider: how many are on it, how fast they set out, and when nobody may."""

from random import Random

import anyio
import pytest

from bythebook.models.gate import SPREAD, Gate

pytestmark = pytest.mark.anyio


async def set_out(gate: Gate, count: int, *, each: float = 0.0) -> tuple[list[float], int]:
    """When each of `count` set out, and how many were on the way at once at most."""
    times: list[float] = []
    most = on_way = 0

    async def one() -> None:
        nonlocal most, on_way
        async with gate:
            times.append(anyio.current_time())
            on_way += 1
            most = max(most, on_way)
            await anyio.sleep(each)
            on_way -= 1

    async with anyio.create_task_group() as all_of_them:
        for _ in range(count):
            all_of_them.start_soon(one)
    return times, most


async def test_no_more_are_on_the_way_than_allowed() -> None:
    times, most = await set_out(Gate(3, Random(1)), 10, each=0.002)
    assert (len(times), most) == (10, 3)


async def test_a_hold_holds_back_all_and_lets_them_go_one_after_the_other() -> None:
    gate = Gate(50, Random(1))
    until = anyio.current_time() + 0.2
    gate.hold(0.2)
    gate.hold(0.05)

    times, _ = await set_out(gate, 20)

    assert min(times) >= until
    assert len({round(time, 3) for time in times}) > 1
    assert max(times) - until >= SPREAD * 0.2 * 0.5


async def test_requests_of_a_minute_are_spread_over_it() -> None:
    times, _ = await set_out(Gate(50, Random(1), per_minute=3000), 6)
    times.sort()
    assert times[-1] - times[0] >= 5 * 0.02 * 0.99


async def test_who_gives_up_waiting_leaves_the_place_to_others() -> None:
    gate = Gate(1, Random(1))
    gate.hold(5)
    with anyio.move_on_after(0.01):
        await set_out(gate, 1)
    assert gate._slots.borrowed_tokens == 0
