"""Orders of a golden's steps: which are demanded, which are allowed, and what breaks one."""

from collections.abc import Iterator, Mapping
from random import Random  # noqa: TID251 - only the type; the seed is set in steps.py

from bythebook.conduct.golden.plan import FINISH, Golden, Step

Order = tuple[str, ...]


def demanded(golden: Golden) -> Mapping[str, frozenset[str]]:
    """Step to the steps that must stand before it: by `after`, by reference; finish is last."""
    names = [step.id for step in golden.steps]
    found = {step.id: {*step.after, *(step.needs() & set(names))} for step in golden.steps}
    last = golden.steps[-1]
    if last.call == FINISH:
        found[last.id] |= set(names) - {last.id}
    return {name: frozenset(before) for name, before in found.items()}


def first_order(names: Order, before: Mapping[str, frozenset[str]]) -> Order | None:
    """The allowed order nearest to `names`; None when the demands contradict each other."""
    left, found = list(names), list[str]()
    while left:
        ready = next((n for n in left if before[n].isdisjoint(left)), None)
        if ready is None:
            return None
        left.remove(ready)
        found.append(ready)
    return tuple(found)


def reversed_edge(golden: Golden, first: str, second: str) -> Order:
    """An order in which `second` stands before `first`, and as little else as can be is broken."""
    names = tuple(step.id for step in golden.steps)
    before = {name: set(found) for name, found in demanded(golden).items()}
    before[second].discard(first)
    before[first].add(second)
    found = first_order(names, {name: frozenset(all_) for name, all_ in before.items()})
    if found is not None:
        return found
    rest = [name for name in names if name != first]
    place = rest.index(second) + 1
    return (*rest[:place], first, *rest[place:])


def random_orders(golden: Golden, count: int, random: Random) -> Iterator[Order]:
    """Orders that all demands allow, each step drawn from those that are ready."""
    before = demanded(golden)
    for _ in range(count):
        left, found = [step.id for step in golden.steps], list[str]()
        waiting = {name: set(needed) for name, needed in before.items()}
        while left:
            ready = [name for name in left if not waiting[name]]
            drawn = ready[random.randrange(len(ready))]
            left.remove(drawn)
            found.append(drawn)
            for needed in waiting.values():
                needed.discard(drawn)
        yield tuple(found)


def arranged(script: tuple[Step, ...], order: Order) -> tuple[Step, ...]:
    """The steps in another order."""
    steps = {step.id: step for step in script}
    return tuple(steps[name] for name in order)
