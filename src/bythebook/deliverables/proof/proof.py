"""The proof of one deliverables task: what was tried, what came of it, what is wrong."""

import msgspec

from bythebook.deliverables.proof.matrix import Kills
from bythebook.deliverables.proof.shape import Weights


class Mutants(msgspec.Struct, frozen=True):
    """Counts of generated wrong and right answers. `survived` = holes + unfair."""

    killed: int = 0
    """Wrong ones that an item failed."""
    equivalent: int = 0
    """Right ones that passed."""
    survived: int = 0
    unsure: int = 0
    """Of either kind, left to the judge."""


class Tally(msgspec.Struct, frozen=True):
    """Answers of one kind, as the checks left them."""

    tried: int = 0
    passed: int = 0
    unsure: int = 0
    failed: int = 0


class Promised(msgspec.Struct, frozen=True):
    """What the checks promise to judge, and the changes of it that were tried."""

    columns: int = 0
    cells: int = 0
    mutants: int = 0
    killed: int = 0
    unsure: int = 0


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of one task. The first six names are the contract of `prove --json`."""

    suite: str = "deliverables"
    id: str
    proved: bool
    goldens: int = 0
    """References that get full marks from every check."""
    counterexamples: int = 0
    """Faults tried."""
    mutants: Mutants = Mutants()
    problems: tuple[str, ...] = ()
    survivors: tuple[str, ...] = ()
    """Each hole and each unfair variant, in words."""
    warnings: tuple[str, ...] = ()
    not_run: tuple[str, ...] = ()
    """Gates that need what is not here; a task is not proved without them."""
    engine: str = ""
    """What recalculated."""
    weights: Weights = Weights()
    damages: int = 0
    slips: int = 0
    baselines: dict[str, float] = {}
    """Share of the weight of checks that a baseline gets."""
    variants: Tally = Tally()
    lookalikes: Tally = Tally()
    promised: Promised = Promised()
    kills: dict[str, Kills] = {}
    matrix: dict[str, str] = {}
    """The rows of `faults.lock`."""
