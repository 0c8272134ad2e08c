"""What the measuring rules make of the drawings: counts, lengths, quantities, prices."""

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping
from decimal import Decimal
from functools import cached_property

import msgspec

from authoring.biz_03_tender_takeoff.laying import lay
from authoring.biz_03_tender_takeoff.revision import earlier
from authoring.biz_03_tender_takeoff.symbols import (
    FIRE,
    KINDS,
    LIGHTING,
    NEW,
    OUT,
    POWER,
    REMOVED,
)
from authoring.biz_03_tender_takeoff.world import (
    DRAWINGS,
    PLANS,
    Drawing,
    Run,
    World,
    lay_runs,
)
from authoring.parts.dice import Dice
from authoring.parts.invariants import alive, invariant
from authoring.parts.numbers import cents, rounded, roundup

CABLES = {"CAB25": Decimal("2.5"), "CAB40": Decimal("4"), "CAB60": Decimal("6")}
ITEMS = (*KINDS, REMOVED, *CABLES)
ADDED = ("E-202", "G11", "EX")
"""Confirmed in the answer to a query."""
TOLERANCE = Decimal("0.025")
OWN = {"E-1": POWER, "E-2": LIGHTING, "E-3": FIRE}
Key = tuple[str, str]
Counts = dict[Key, Counter[str]]
Quantities = dict[str, int]


class Rules(msgspec.Struct, frozen=True):
    """What stands on Settings, in its order."""

    ceiling: Decimal = Decimal("3.00")
    board: Decimal = Decimal("1.60")
    waste: Decimal = Decimal("0.10")
    preliminaries: Decimal = Decimal("0.065")
    overheads: Decimal = Decimal("0.13")
    small: Decimal = Decimal("18")
    middle: Decimal = Decimal("26")
    qualify: Decimal = Decimal("0.08")


RULES = Rules()
LABELS = (
    "Ceiling height, m",
    "Allowance at the board, m",
    "Waste on cable",
    "Preliminaries",
    "Overheads and profit",
    "Up to this installed length 2.5 mm2, m",
    "Up to this installed length 4 mm2, m",
    "Cable lines differ above",
)
RATES = {
    "S1": "31.40",
    "S2": "38.60",
    "S2H": "42.90",
    "S2W": "67.20",
    "FCU": "36.80",
    "D2": "58.40",
    "D4": "97.30",
    "P": "86.50",
    "PE": "148.70",
    "DL": "54.20",
    "DLE": "112.60",
    "EX": "131.90",
    "K1": "22.30",
    "K2": "26.70",
    "SD": "72.80",
    "SB": "104.40",
    "HD": "69.50",
    "MCP": "81.70",
    "RM": "17.60",
    "CAB25": "4.85",
    "CAB40": "6.40",
    "CAB60": "8.95",
}
OLDER = ("1.061", "1.087", "1.045", "1.112", "1.074")


def drop(run: Run, rules: Rules = RULES) -> Decimal:
    return abs(rules.ceiling - run.height) + rules.board


def measured(run: Run) -> Decimal:
    return cents(Decimal(str(round(run.plan, 4))))


def installed(run: Run, rules: Rules = RULES) -> Decimal:
    return rounded(measured(run) + drop(run, rules), 1)


def size(run: Run, rules: Rules = RULES) -> Decimal:
    whole = installed(run, rules)
    steps = tuple(CABLES.values())
    return steps[0] if whole <= rules.small else steps[1] if whole <= rules.middle else steps[2]


class Money(msgspec.Struct, frozen=True):
    net: Decimal
    preliminaries: Decimal
    overheads: Decimal
    price: Decimal


class Told(msgspec.Struct, frozen=True, dict=True):
    """One seed's tender."""

    seed: int
    world: World
    rates: dict[str, Decimal]
    old_rates: dict[str, Decimal]

    @cached_property
    def counts(self) -> Counts:
        return counts(self.world)

    @cached_property
    def quantities(self) -> Quantities:
        return quantities(self.world, self.counts)

    @cached_property
    def client(self) -> Quantities:
        """The client's bill: many lines a little off, so that it confirms nothing."""
        dice = Dice("client", self.seed)
        found = dict(self.quantities)
        for item in dice.sample((*KINDS, REMOVED), 12):
            off = dice.whole(2, 4) * (1 if dice.chance(55) else -1)
            found[item] = found[item] + (off if found[item] + off > 0 else abs(off))
        for item, share in zip(CABLES, ("1", "1.22", "0.80"), strict=True):
            found[item] = int(found[item] * Decimal(share)) + 1
        return found

    @cached_property
    def qualified(self) -> tuple[str, ...]:
        return tuple(item for item in ITEMS if differs(self, item))

    @cached_property
    def money(self) -> Money:
        return priced(self.quantities, self.rates)


def differs(told: Told, item: str, limit: Decimal = RULES.qualify) -> bool:
    off = told.quantities[item] - told.client[item]
    return abs(off) > limit * told.client[item] if item in CABLES else off != 0


def own(drawing: str) -> tuple[str, ...]:
    """The kinds that a drawing may show."""
    return OWN[drawing[:3]]


def counts(
    world: World,
    fitted: Collection[str] = (NEW,),
    within: Callable[[Drawing], Drawing] = lambda one: one,
    added: bool = True,
) -> Counts:
    found: Counts = {}
    for drawing in map(within, DRAWINGS):
        for room in world.of(drawing):
            found[drawing.no, room.no] = Counter()
        for one in world.symbols(drawing):
            if (drawing.no, one.room) not in found:
                continue
            if one.status == OUT:
                found[drawing.no, one.room][REMOVED] += 1
            elif one.status in fitted:
                found[drawing.no, one.room][one.kind] += 1
    if added:
        found[ADDED[0], ADDED[1]][ADDED[2]] += 1
    return found


def times(world: World, drawing: str, room: str) -> int:
    """How many rooms are fitted as this one."""
    plans = world.plans(next(one for one in DRAWINGS if one.no == drawing))
    every = [known for laid in plans for known in laid.plan.rooms]
    kind = next(known.kind for known in every if known.no == room)
    return sum(known.kind == kind for known in every) if kind else 1


def quantities(world: World, found: Counts, rules: Rules = RULES) -> Quantities:
    whole: Counter[str] = Counter()
    for (drawing, room), some in found.items():
        for kind, number in some.items():
            whole[kind] += number * times(world, drawing, room)
    result = {item: whole[item] for item in (*KINDS, REMOVED)}
    for item, square in CABLES.items():
        metres = [installed(run, rules) for run in world.runs if size(run, rules) == square]
        result[item] = roundup(sum(metres, Decimal(0)) * (1 + rules.waste))
    return result


def priced(wanted: Mapping[str, int], rates: Mapping[str, Decimal], rules: Rules = RULES) -> Money:
    net = sum((wanted[item] * rates[item] for item in ITEMS), Decimal(0))
    before = cents(net * rules.preliminaries)
    after = cents((net + before) * rules.overheads)
    return Money(net, before, after, net + before + after)


def _runs(seed: int) -> tuple[Run, ...]:
    """Drawn until no run is near a limit of a size."""
    apart_by = Decimal("0.06")
    for attempt in range(4000):
        runs = lay_runs(Dice("runs", seed, attempt))
        whole = [installed(run) for run in runs]
        limits = (RULES.small, RULES.middle)
        clear = all(
            abs(metres - limit) > 2 * TOLERANCE * limit for metres in whole for limit in limits
        )
        apart = all(
            min(abs(measured(a) / measured(b) - 1), abs(installed(a) / installed(b) - 1)) > apart_by
            for a, b in itertools.pairwise(runs)
        )
        if (
            clear
            and apart
            and all(sum(size(run) == square for run in runs) > 2 for square in CABLES.values())
        ):
            return runs
    raise AssertionError("no runs that keep clear of the limits")


def story(seed: int) -> Told:
    runs = _runs(seed)
    laid = {
        name: lay(plan, [r for r in runs if name == f"power-{r.floor}"], Dice("lay", name, seed))
        for name, plan in PLANS.items()
    }
    world = World(laid, earlier(laid["power-0"]), runs)
    dice = Dice("rates", seed)
    rates = {item: Decimal(rate) for item, rate in RATES.items()}
    if seed:
        rates = {item: cents(rate * dice.decimal("0.90", "1.10")) for item, rate in rates.items()}
    old = {item: cents(rate / Decimal(dice.pick(OLDER))) for item, rate in rates.items()}
    told = Told(seed, world, rates, old)
    _promises(told)
    return told


def _promises(told: Told) -> None:
    invariant(all(told.quantities[kind] > 0 for kind in ITEMS), "every line of the bill is used")
    right: dict[Hashable, object] = dict(told.quantities.items())
    for name, other in (("existing ones", "existing"), ("those by others", "others")):
        slip: dict[Hashable, object] = dict(
            quantities(told.world, counts(told.world, (NEW, other))).items()
        )
        alive(right, slip, f"counting {name} tells", 6)
    invariant(8 <= len(told.qualified) <= 16, "the client's bill is off in many lines")
    for item in CABLES:
        off = abs(told.quantities[item] / Decimal(told.client[item]) - 1)
        away = abs(off - RULES.qualify)
        invariant(away > 2 * TOLERANCE, f"{item} is clearly off or clearly not")
