"""Evidence as plain values: what checks look at, without files, and easy to change in one place."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bythebook.deliverables.evidence.model import (
    Content,
    Document,
    FileEvidence,
    Layout,
    Recalculation,
    Refusal,
    Scalar,
    Workbook,
)

NOT_LAID = Layout(status="unavailable", says="The proof did not have it laid out.")
UNASKED = Recalculation(status="unavailable", says="The proof did not have it computed.")
Changes = tuple[tuple[str, Scalar], ...]
"""Input cells (`Sheet!A1`) and their values, in order of place."""


@dataclass(frozen=True)
class Sample:
    """The evidence of one folder; implements `checks.answer.Evidence`."""

    files: Mapping[str, FileEvidence] = field(default_factory=dict)
    contents: Mapping[str, Content] = field(default_factory=dict)
    computed: Mapping[str, Recalculation] = field(default_factory=dict)
    """Workbook to its formulas computed anew."""
    supposed: Mapping[tuple[str, Changes], Recalculation] = field(default_factory=dict)
    """The same after some input cells were given other values."""
    layouts: Mapping[str, Layout] = field(default_factory=dict)
    """Document to its pages."""
    refused: tuple[Refusal, ...] = ()

    def content(self, name: str) -> Content | None:
        return self.contents.get(name)

    def recalculated(self, name: str) -> Recalculation:
        return self.computed.get(name, UNASKED)

    def what_if(self, name: str, changes: Mapping[str, Scalar]) -> Recalculation:
        return self.supposed.get((name, ordered(changes)), UNASKED)

    def laid_out(self, name: str) -> Layout:
        return self.layouts.get(name, NOT_LAID)

    @property
    def documents(self) -> frozenset[str]:
        """The documents that read."""
        return frozenset(n for n, c in self.contents.items() if isinstance(c, Document))

    @property
    def books(self) -> dict[str, Workbook]:
        """The workbooks that read."""
        return {n: c for n, c in self.contents.items() if isinstance(c, Workbook)}

    def having(
        self, name: str, content: Content, computed: Recalculation | None = None
    ) -> "Sample":
        """The same with another content of one file, and with other computed values."""
        more = {} if computed is None else {name: computed}
        return replace(
            self,
            contents={**self.contents, name: content},
            computed={**self.computed, **more},
        )


def ordered(changes: Mapping[str, Scalar]) -> Changes:
    return tuple(sorted(changes.items()))
