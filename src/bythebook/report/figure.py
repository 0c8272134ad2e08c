"""The one form of a figure: a drawing, and its numbers as a table for who cannot see it."""

import msgspec

from bythebook.report.table import Table


class Figure(msgspec.Struct, frozen=True):
    """A drawing, its caption, and its numbers."""

    id: str
    title: str
    says: str
    """Caption."""
    source: str
    """The paper's figure that it is the like of; empty where the papers have none."""
    svg: str
    """One `<svg>` element, complete in itself; its colours come from CSS classes."""
    table: Table
    """The same numbers."""
