"""What a check answers, and what it may look at."""

from collections.abc import Mapping
from typing import Literal, Protocol

import msgspec

from bythebook.deliverables.evidence.model import (
    Content,
    FileEvidence,
    Layout,
    Recalculation,
    Refusal,
    Scalar,
)

Mark = Literal["pass", "fail", "unsure", "void"]
"""fail: whatever the candidate's bytes cause. unsure: a place that the prompt leaves free cannot be
found; the judge decides. void: our own fault."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of one check on one submission."""

    mark: Mark
    place: str = ""
    """The first wrong place, as a locator (`book.xlsx#Sheet!E2`), or where all was found."""
    seen: str = ""
    """The value at that place, as a reader sees it."""
    wanted: str = ""
    why: str = ""
    """One sentence for people. Empty on a plain pass."""
    count: tuple[int, int] | None = None
    """Places that are wrong, places looked at."""
    notes: tuple[str, ...] = ()
    """What else a reader should know, such as that nothing could be recalculated."""


class Evidence(Protocol):
    """The evidence of one folder, as far as checks and judges need it; see `evidence.view.View`."""

    @property
    def files(self) -> Mapping[str, FileEvidence]:
        """By name."""
        ...

    @property
    def refused(self) -> tuple[Refusal, ...]:
        """What was handed over too, and not taken: links, devices, what is too much."""
        ...

    def content(self, name: str) -> Content | None:
        """What was read from a file; None when its status is not ok or it is not read at all."""
        ...

    def recalculated(self, name: str) -> Recalculation:
        """A workbook's formulas computed anew; asked once, then kept."""
        ...

    def what_if(self, name: str, changes: Mapping[str, Scalar]) -> Recalculation:
        """The same after some input cells (`Sheet!A1`) were given other values."""
        ...

    def laid_out(self, name: str) -> Layout:
        """A document on its pages; asked once, then kept."""
        ...
