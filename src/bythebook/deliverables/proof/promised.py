"""Columns that the prompt promises and no check reads."""

import re
from collections.abc import Iterator

from bythebook.deliverables.checks.uses import uses
from bythebook.deliverables.evidence.formulas import column_letters
from bythebook.deliverables.proof.court import Watch
from bythebook.deliverables.proof.draft import Draft
from bythebook.deliverables.proof.ground import Ground

SHORTEST = 3
"""Letters of a heading that can be told from a common word."""


def unwatched(ground: Ground, watch: Watch) -> Iterator[tuple[str, str]]:
    """Heading and place of each column of the right answer that stands in a table which checks
    read, has a heading that the prompt names word for word, and is read by no check."""
    prompt = ground.court.task.prompt
    read = {(spot.file, spot.sheet, spot.column) for seen in watch.seen.values() for spot in seen}
    drafts = ground.drafts()
    for table in ground.tables:
        draft = drafts[table.file]
        for column in range(table.first, table.last + 1):
            heading = _heading(draft, table.sheet, (table.header, column))
            named = len(heading) >= SHORTEST and _names(prompt, heading)
            if named and (table.file, table.sheet, column) not in read:
                yield heading, f"{table.sheet}!{column_letters(column)}"


def _heading(draft: Draft, sheet: str, place: tuple[int, int]) -> str:
    cell = draft.at(sheet, place)
    return cell.value.strip() if cell is not None and isinstance(cell.value, str) else ""


def _names(prompt: str, heading: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(heading)}(?!\w)", prompt))


def used_fields(ground: Ground) -> set[str]:
    """The fields that some check reads."""
    specs = (item.spec for item in ground.court.items.values())
    return {name for spec in specs if spec is not None for name in uses(spec).fields}
