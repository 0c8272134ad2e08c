"""Evidence held in memory: what a scene file keeps of the inputs."""

from collections.abc import Mapping
from functools import cached_property

from bythebook.deliverables.evidence.model import (
    Cell,
    Content,
    Deck,
    Document,
    FileEvidence,
    Kind,
    Layout,
    Pdf,
    Picture,
    Recalculation,
    Refusal,
    Scalar,
    Sheet,
    Text,
    Workbook,
)

NOTHING = Recalculation(status="unavailable", says="only what was read is kept")


class Held:
    """Contents by name, all of them ok; nothing recalculates them."""

    def __init__(self, contents: Mapping[str, Content]) -> None:
        self.contents = contents

    @cached_property
    def files(self) -> Mapping[str, FileEvidence]:
        return {
            name: FileEvidence(name=name, kind=kind_of(content), status="ok")
            for name, content in self.contents.items()
        }

    refused: tuple[Refusal, ...] = ()

    def content(self, name: str) -> Content | None:
        return self.contents.get(name)

    def recalculated(self, name: str) -> Recalculation:
        return NOTHING

    def what_if(self, name: str, changes: Mapping[str, Scalar]) -> Recalculation:
        return NOTHING

    def laid_out(self, name: str) -> Layout:
        return Layout(status="unavailable", says=NOTHING.says)


def kind_of(content: Content) -> Kind:
    """The kind of file that reads so."""
    return KINDS[type(content)]


KINDS: dict[type, Kind] = {
    Workbook: "xlsx",
    Document: "docx",
    Deck: "pptx",
    Pdf: "pdf",
    Text: "text",
    Picture: "image",
}


def bare(workbook: Workbook, sheets: frozenset[str] | None) -> Workbook:
    """What `unchanged` compares: names, states, values and formulas of these sheets (None: all)."""
    kept = (sh for sh in workbook.sheets if sheets is None or sh.name in sheets)
    return Workbook(
        sheets=tuple(
            Sheet(name=sh.name, state=sh.state, cells=tuple(map(_bare, sh.cells))) for sh in kept
        )
    )


def _bare(cell: Cell) -> Cell:
    return Cell(cell.row, cell.column, cell.value, cell.type, cell.formula)
