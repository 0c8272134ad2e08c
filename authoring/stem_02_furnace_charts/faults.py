"""faults.yaml: wrong answers, as edits of the reference. What varies with the seed is put in."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from authoring.parts.faults import save_faults, worded_faults
from authoring.stem_02_furnace_charts.book import NAME
from authoring.stem_02_furnace_charts.inputs import TEXTS
from authoring.stem_02_furnace_charts.misread import SLIPS, Slip
from authoring.stem_02_furnace_charts.note import words
from authoring.stem_02_furnace_charts.story import Story
from authoring.stem_02_furnace_charts.taken import taken

Edit = dict[str, Any]


def _set(at: str, to: object) -> Edit:
    return {"set_cell": {"file": NAME, "at": at, "to": to}}


def _cells(area: str) -> Iterator[str]:
    first, last = area.split(":")
    for column in (first[0], last[0]):
        for row in range(int(first[1:]), int(last[1:]) + 1):
            yield f"{column}{row}"


def _before(told: Story, row: int) -> dict[str, object]:
    got = taken(told.results[row - 2])
    values = (got.passed_600, got.passed_750, got.first_band, got.back, got.door)
    rest = (got.dip, got.dip_low, got.highest, got.delay)
    speed = got.result.load.speed
    return dict(zip("CDEFGHIJKL", (speed, *values, *rest), strict=True))


def edits(told: Story, slip: Slip) -> list[Edit]:
    """Only what the slip changes."""
    found: list[Edit] = []
    for row, one in enumerate(told.results, 2):
        before = _before(told, row)
        for column, value in slip.read(told, one).items():
            if value != before[column]:
                found.append(_set(f"Readings!{column}{row}", "" if value is None else value))
    if slip.corrections:
        found += [_set(f"Corrections!{at}", 0) for at in _cells(slip.corrections)]
    return [*found, {"recalculate": {"file": NAME}}]


def write_faults(told: Story, path: Path) -> None:
    faults = worded_faults(TEXTS / "faults.yaml", words(told))
    for name, slip in SLIPS.items():
        faults[name]["edits"] = edits(told, slip)
    save_faults(faults, path)
