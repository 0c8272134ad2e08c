"""A judge put to the test on deliverables of which the answers are known.

A reference satisfies every item; a fault breaks the items it is known to break. Over such items

    sensitivity   share of the known wrong that the judge fails
    specificity   share of the known right that the judge passes
    flip rate     share of pairs of repeats on one item that do not agree

each with its number. Void verdicts are counted apart, in none of the shares.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

import msgspec

from bythebook.deliverables.judge.labels import Mark


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """One item of one deliverable of known quality, and what a judge said of it, each time."""

    task: str
    source: str
    """`reference`, `reference-2` or `fault:NAME`."""
    item: str
    level: str
    dimension: str
    truth: Mark
    verdicts: tuple[Mark | None, ...]
    """One for each repeat; None: void."""


class Share(msgspec.Struct, frozen=True):
    """`hit` of `of`."""

    of: int
    hit: int

    @property
    def value(self) -> float | None:
        """0 to 1; None of nothing."""
        return self.hit / self.of if self.of else None


class Rates(msgspec.Struct, frozen=True, kw_only=True):
    """The shares of some rulings."""

    items: int
    sensitivity: Share
    specificity: Share
    flips: Share
    void: Share


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge came to where the answers are known."""

    judge: str
    repeats: int
    overall: Rates
    by_level: dict[str, Rates]
    by_dimension: dict[str, Rates]
    by_source: dict[str, Rates]
    """References, and faults."""
    wrong: tuple[Ruling, ...]
    """Rulings in which the judge was wrong at least once."""


def audit(judge: str, repeats: int, rulings: Sequence[Ruling]) -> Audit:
    """All rates of one judge, asked so many times about each item."""
    return Audit(
        judge=judge,
        repeats=repeats,
        overall=rates(rulings),
        by_level=_grouped(rulings, "level"),
        by_dimension=_grouped(rulings, "dimension"),
        by_source={
            name: rates([one for one in rulings if one.source.startswith(name)])
            for name in ("reference", "fault")
        },
        wrong=tuple(
            one for one in rulings if any(v not in (None, one.truth) for v in one.verdicts)
        ),
    )


def rates(rulings: Iterable[Ruling]) -> Rates:
    """Void verdicts count in `void` alone."""
    rulings = list(rulings)
    heard = [(one.truth, verdict) for one in rulings for verdict in one.verdicts]
    wrong = [verdict for truth, verdict in heard if truth == "fail" and verdict is not None]
    right = [verdict for truth, verdict in heard if truth == "pass" and verdict is not None]
    pairs = [pair for one in rulings for pair in _pairs(one)]
    return Rates(
        items=len(rulings),
        sensitivity=Share(len(wrong), wrong.count("fail")),
        specificity=Share(len(right), right.count("pass")),
        flips=Share(len(pairs), sum(one != other for one, other in pairs)),
        void=Share(len(heard), sum(verdict is None for _, verdict in heard)),
    )


def _pairs(ruling: Ruling) -> list[tuple[Mark, Mark]]:
    said = [verdict for verdict in ruling.verdicts if verdict is not None]
    return list(combinations(said, 2))


def _grouped(rulings: Sequence[Ruling], field: str) -> dict[str, Rates]:
    names = sorted({getattr(one, field) for one in rulings})
    return {name: rates([one for one in rulings if getattr(one, field) == name]) for name in names}
