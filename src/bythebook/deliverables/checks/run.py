"""One item's check asked of one submission."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec

from bythebook.deliverables.checks import spec as s
from bythebook.deliverables.checks.agree import check_agree
from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.checks.case import Case
from bythebook.deliverables.checks.cells import check_cells, check_column
from bythebook.deliverables.checks.charts import check_charts
from bythebook.deliverables.checks.deciding import Decided
from bythebook.deliverables.checks.figures import check_figures, check_phrases
from bythebook.deliverables.checks.labels import check_labels, check_names
from bythebook.deliverables.checks.outline import check_image, check_outline, check_slides
from bythebook.deliverables.checks.paging import check_pages
from bythebook.deliverables.checks.rows import check_format, check_order, check_range, check_rows
from bythebook.deliverables.checks.sheets import (
    check_files,
    check_no_errors,
    check_sheets,
    check_unchanged,
    check_view,
)
from bythebook.deliverables.checks.whatif import check_what_if

CHECKS: Mapping[type, Callable[[Any, Case], Answer]] = {
    s.Files: check_files,
    s.Sheets: check_sheets,
    s.Unchanged: check_unchanged,
    s.NoErrors: check_no_errors,
    s.View: check_view,
    s.Rows: check_rows,
    s.Column: check_column,
    s.Cell: check_cells,
    s.Range: check_range,
    s.Order: check_order,
    s.Format: check_format,
    s.Label: check_labels,
    s.Names: check_names,
    s.Charts: check_charts,
    s.WhatIf: check_what_if,
    s.Outline: check_outline,
    s.Figures: check_figures,
    s.Phrases: check_phrases,
    s.Agree: check_agree,
    s.Pages: check_pages,
    s.Slides: check_slides,
    s.Image: check_image,
}


class Checked(Protocol):
    """An item with a check or a screen."""

    @property
    def spec(self) -> msgspec.Struct | None: ...


def run_check(item: Checked, case: Case) -> Answer:
    """What the item's check says. A pass of a screen decides nothing: the judge speaks then.

    Nothing that was handed over makes a check raise; where one breaks all the same, that is a
    fault of ours and the answer is void.
    """
    spec = item.spec
    if spec is None:
        return Answer(mark="unsure", why="the item has no check: it is the judge's")
    try:
        return answer(spec, case)
    except Exception as error:  # noqa: BLE001 - one broken check must not cost the other items
        return Answer(mark="void", why=f"the check broke: {type(error).__name__}: {error}")


def answer(spec: msgspec.Struct, case: Case) -> Answer:
    """What one check says of one submission; raises only through a fault of ours."""
    case.notes.clear()
    try:
        found = CHECKS[type(spec)](spec, case)
    except Decided as decided:
        found = decided.answer
    notes = (*found.notes, *sorted(case.notes))
    return msgspec.structs.replace(found, notes=notes) if case.notes else found
