"""The check of one seed, and what must hold of it for the story to be the prompt's."""

from collections import Counter
from collections.abc import Hashable
from decimal import Decimal

import msgspec

from authoring.parts.invariants import alive, invariant
from authoring.parts.numbers import roundup
from authoring.stem_01_drawing_bom.check import Outcome, outcome
from authoring.stem_01_drawing_bom.nouns import World
from authoring.stem_01_drawing_bom.rules import Limits, Rules
from authoring.stem_01_drawing_bom.world import GAP, OLD_GAP, world

D = Decimal
SLIPS: dict[str, Rules] = {
    "the superseded block": Rules(superseded=True),
    "the preliminary shaft": Rules(preliminary=True),
    "the cancelled notice": Rules(cancelled=True),
    "the notice for later builds": Rules(future=True),
    "notices not yet drawn": Rules(pending=False),
    "the alternate": Rules(alternates=False),
    "validity of ERP lines": Rules(expired=True),
    "the split line": Rules(sums=False),
    "inches": Rules(inch=D(1)),
    "the gauge": Rules(gauge=False),
    "the first inspection": Rules(last=False),
    "worst case": Rules(worst=False),
    "levels": Rules(levels=False),
    "the price unit": Rules(per=False),
    "masses of title blocks": Rules(title_mass=False),
    "pounds": Rules(pound=D(1)),
    "the closed day of the mail": Rules(told_closed=False),
    "the last day": Rules(cap=False),
    "working days": Rules(working=False),
}


class Story(msgspec.Struct, frozen=True, kw_only=True):
    world: World
    made: Outcome
    mass_limit: Decimal

    @property
    def decision(self) -> str:
        return self.made.decision(self.mass_limit)

    @property
    def by_owner(self) -> Counter[str]:
        return Counter(one.owner for one in self.made.actions)

    @property
    def by_class(self) -> tuple[tuple[str, int], ...]:
        return tuple((f"Class {cls}", len(self.made.of_class(cls))) for cls in "ABC")

    def limit(self, code: str) -> Limits:
        return next(one for one in self.made.limits if one.dim.code == code)

    def notice(self, code: str, item: str = "") -> str:
        """The number of the notice that makes this point."""
        return next(
            one.number for one in self.world.notices if one.code == code and item in ("", one.item)
        )

    @property
    def cancelled(self) -> str:
        return next(one.number for one in self.world.notices if one.status == "Cancelled")

    @property
    def later(self) -> str:
        return next(one.number for one in self.world.notices if one.effective > self.world.build)

    @property
    def shown(self) -> str:
        """The notice that the released drawing shows already."""
        return next(one.number for one in self.world.notices if one.incorporated)


def story(seed: int) -> Story:
    drawn = world(seed)
    made = outcome(drawn, Rules())
    told = Story(world=drawn, made=made, mass_limit=D(5 * roundup(made.mass * D("1.04") / 5)))
    _check(told)
    right = promised(made)
    for name, rules in SLIPS.items():
        alive(right, promised(outcome(drawn, rules)), f"{name}: the trap is alive")
    return told


def promised(made: Outcome) -> dict[Hashable, object]:
    """The values that the prompt asks for."""
    found: dict[Hashable, object] = {}
    for line in made.lines:
        found["line", line.parent, line.item] = (line.governing, line.erp, line.status)
    for one in made.limits:
        found[one.dim.code] = (one.lower, one.upper, one.measured, one.verdict)
    for entry in made.register:
        found[entry.id] = (entry.governing, entry.source, entry.cls)
    for action in made.actions:
        found[action.id] = (action.owner, action.due)
    for row in made.rows:
        found[row.part.number] = (row.qty, row.mass, row.change)
    found["gap"] = (made.chain.smallest, made.chain.largest)
    return found


def _check(told: Story) -> None:
    made, drawn = told.made, told.world
    invariant(len(made.lines) == 26, "26 positions")
    invariant(len(made.register) == 13, "13 entries")
    invariant(len(made.actions) == 17, "17 actions")
    invariant(told.decision == "Conditional release", "the build is released under conditions")
    counts = [count for _, count in told.by_class]
    invariant(counts == [2, 9, 2], "2, 9 and 2 entries of the classes")
    invariant(len({one.due for one in made.actions}) == 4, "four due dates")
    invariant(made.change != 0 and abs(made.change) > 5, "a cost change worth telling")
    for one in made.limits:
        if one.least is not None and one.most is not None:
            middle = (one.lower + one.upper) / 2
            apart = abs((one.most - middle) - (middle - one.least))
            invariant(apart > D("0.0005"), f"{one.dim.code}: one piece is the farthest")
    _check_chain(told)
    names = [told.world.owners[role] for role in told.world.owners]
    invariant(drawn.former not in names, "somebody new holds the design office")


def _check_chain(told: Story) -> None:
    """The gap holds, and each of the tempting roads says that it does not, or another gap."""
    gap = told.made.chain
    invariant(gap.smallest > GAP[0] + D("0.01"), "the smallest gap clearly holds")
    invariant(gap.largest < GAP[1] - D("0.01"), "the largest gap clearly holds")
    invariant(gap.largest > OLD_GAP[1] + D("0.02"), "the superseded requirement is not met")
    late = outcome(told.world, Rules(pending=False)).chain
    invariant(late.smallest < GAP[0] - D("0.005"), "with the drawn spacer the gap is too small")
    raw = outcome(told.world, Rules(gauge=False))
    invariant(raw.decision(told.mass_limit) == "No release", "the raw bore would stop the build")
