"""How alike two names are, as a screening list compares them: whole numbers, no dictionary."""

from collections import Counter


def pairs(name: str) -> Counter[str]:
    """The pairs of neighbouring letters and digits of a name, case and signs left out."""
    letters = "".join(c for c in name.lower() if c.isalnum())
    return Counter(letters[i : i + 2] for i in range(len(letters) - 1))


def likeness(one: str, other: str) -> int:
    """0 (no pair in common) to 100 (the same pairs): twice the shared pairs over all pairs."""
    first, second = pairs(one), pairs(other)
    every = first.total() + second.total()
    return 200 * (first & second).total() // every if every else 0
