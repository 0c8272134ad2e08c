"""What an evaluation will take, told before anything is asked: sessions, tokens, money, hours.

Where runs of the same plan lie in the folder, their means are used. Otherwise the assumptions are
those below, and every one of them is told with the figures.
"""

from collections.abc import Sequence
from decimal import Decimal

import msgspec

from bythebook.models.price import PriceTable
from bythebook.models.types import Usage
from bythebook.run.accounts import Accounts, judging_model
from bythebook.run.plan import Plan, PlannedTask

ENOUGH = 3
"""Runs from which means are taken."""


class Habit(msgspec.Struct, frozen=True, kw_only=True):
    """How a session of a model is taken to go."""

    calls: int = 0
    """Model calls; 0: by the task's golden."""
    calls_per_golden: float = 1.5
    """Model calls for each tool call of the golden."""
    fixed: int
    """Tokens that every request begins with: instructions, tools, the task."""
    growth: int
    """Tokens by which a request is longer than the one before."""
    output: int
    """Tokens of a reply."""
    seconds: float
    """Of a model call."""

    def usage(self, golden: int) -> tuple[int, Usage]:
        """Calls and tokens of one session; `cached` is all that was in an earlier request."""
        calls = self.calls or max(1, round(golden * self.calls_per_golden))
        read = calls * self.fixed + self.growth * calls * (calls - 1) // 2
        fresh = self.fixed + self.growth * (calls - 1)
        return calls, Usage(input=read, output=calls * self.output, cached=read - fresh)


HABITS = {
    "conduct": Habit(fixed=3_000, growth=500, output=300, seconds=8),
    "deliverables": Habit(calls=40, fixed=5_000, growth=1_200, output=700, seconds=12),
    "customer": Habit(calls=6, fixed=2_500, growth=300, output=150, seconds=5),
    "judge": Habit(calls=5, fixed=12_000, growth=2_500, output=400, seconds=8),
}
"""By suite, and by role. A judge has a session for each item that no check decides."""
ITEMS = 10
"""Items of a task that are left to a judge."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One role's share."""

    role: str
    model: str
    sessions: int
    calls: int
    input: int
    output: int
    cached: int
    """Part of `input` that an earlier request of its session held already."""
    low: Decimal | None
    """US dollars if all of `cached` comes from the provider's cache; None: no price is known."""
    high: Decimal | None
    """US dollars if nothing does."""
    priced: str = ""
    """The price's day and source."""
    assumes: str


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    """What the runs that are missing may take."""

    runs: int
    """To be played; those that are finished are not among them."""
    kept: int
    parts: tuple[Part, ...]
    hours: float
    """At the concurrency asked for, if no provider slows it down."""
    leaves_out: tuple[str, ...] = (
        "attempts that fail and are tried again",
        "back-off at a provider's limits",
    )

    @property
    def low(self) -> Decimal | None:
        """US dollars; None where a model has no price."""
        return _sum([part.low for part in self.parts])

    @property
    def high(self) -> Decimal | None:
        """As `low`."""
        return _sum([part.high for part in self.parts])


class Ahead(msgspec.Struct, frozen=True):
    """What lies ahead: the plan, the runs of it that are missing, and those that are there."""

    plan: Plan
    waiting: Sequence[PlannedTask]
    kept: int
    concurrency: int


def forecast(ahead: Ahead, prices: PriceTable, so_far: Accounts | None = None) -> Forecast:
    """`so_far`: what the finished runs took."""
    plan = ahead.plan
    parts: list[Part] = []
    seconds = 0.0
    for role, model, habit, sessions in _roles(plan):
        if ":" not in model:
            continue
        found, took = _part(ahead, (role, model, habit, sessions), prices, so_far)
        parts.append(found)
        seconds += took
    slots = max(1, min(ahead.concurrency, len(ahead.waiting)))
    return Forecast(
        runs=len(ahead.waiting),
        kept=ahead.kept,
        parts=tuple(parts),
        hours=round(seconds / slots / 3600, 2),
    )


def _roles(plan: Plan) -> list[tuple[str, str, Habit, int]]:
    """Role, model, habit, and sessions of each run."""
    judge = judging_model(plan.judge)
    return [
        ("agent", plan.model, HABITS[plan.suite], 1),
        ("customer", plan.simulator, HABITS["customer"], 1),
        ("judge", judge, HABITS["judge"], ITEMS),
    ]


def _part(
    ahead: Ahead,
    who: tuple[str, str, Habit, int],
    prices: PriceTable,
    so_far: Accounts | None,
) -> tuple[Part, float]:
    """One role's share, and the seconds that its calls take one after the other."""
    role, model, habit, sessions = who
    spent = so_far.roles.get(f"{role} {model}") if so_far is not None else None
    if spent is not None and ahead.kept >= ENOUGH:
        share = len(ahead.waiting) / ahead.kept
        calls = round(spent.calls * share)
        usage = Usage(
            input=round(spent.input * share),
            output=round(spent.output * share),
            cached=round(spent.cached * share),
        )
        assumes = f"runs like the {ahead.kept} finished here; {habit.seconds:g} s a call"
    else:
        each = [habit.usage(task.golden) for task in ahead.waiting]
        calls = sessions * sum(count for count, _ in each)
        usage = Usage(
            input=sessions * sum(one.input for _, one in each),
            output=sessions * sum(one.output for _, one in each),
            cached=sessions * sum(one.cached for _, one in each),
        )
        assumes = _assumed(habit, role)
    line = prices.price(model)
    uncached = Usage(input=usage.input, output=usage.output)
    return Part(
        role=role,
        model=model,
        sessions=sessions * len(ahead.waiting),
        calls=calls,
        input=usage.input,
        output=usage.output,
        cached=usage.cached,
        low=None if line is None else line.flat(usage),
        high=None if line is None else line.flat(uncached),
        priced="" if line is None else f"{line.as_of}, {line.source}",
        assumes=assumes,
    ), calls * habit.seconds


def _assumed(habit: Habit, role: str) -> str:
    calls = f"{habit.calls} calls a session" if habit.calls else ""
    calls = calls or f"{habit.calls_per_golden:g} model calls for each call of the golden"
    items = f"{ITEMS} items a run left to the judge, " if role == "judge" else ""
    return (
        f"{items}{calls}, requests of {habit.fixed} tokens and {habit.growth} more each time,"
        f" replies of {habit.output}, {habit.seconds:g} s a call"
    )


def _sum(costs: Sequence[Decimal | None]) -> Decimal | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known, Decimal(0)) if len(known) == len(costs) else None
