"""What a recipe promises of every seed: each trap alive, each sign as the prompt tells it."""

from collections.abc import Collection, Hashable, Mapping

from bythebook.errors import ContentError


class Broken(ContentError):
    """A seed builds a task that is not the one the recipe tells."""


def invariant(condition: object, says: str) -> None:
    """`says` names what must hold, in words that fit behind "broken:"."""
    if not condition:
        raise Broken(f"broken: {says}", hint="take another seed, or mend how the recipe draws")


def alive(
    right: Mapping[Hashable, object], slip: Mapping[Hashable, object], says: str, least: int = 1
) -> None:
    """Following the slip instead of the rule changes at least `least` of the promised values."""
    changed = [key for key in right if key not in slip or slip[key] != right[key]]
    changed += [key for key in slip if key not in right]
    invariant(len(changed) >= least, f"{says} ({len(changed)} promised values changed)")


def unique(values: Collection[Hashable], says: str) -> None:
    invariant(len(set(values)) == len(values), says)
