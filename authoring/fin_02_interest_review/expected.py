"""expected/*.csv: the columns that the rubric compares with, named by its fields."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

from authoring.fin_02_interest_review import notices as n
from authoring.fin_02_interest_review.story import Line, Story
from authoring.parts.expected import Value, write_expected
from authoring.parts.numbers import rounded

D = Decimal
GROUPS = ("facility-a", "facility-b", "rcf-loans", "commitment-fee", "utilisation-fee")


def group(line: Line) -> str:
    """Which table a notice stands in; none for default interest."""
    one = line.notice
    if one.kind == n.COMMITMENT:
        return "commitment-fee"
    if one.kind == n.UTILISATION:
        return "utilisation-fee"
    if one.kind == n.DEFAULT:
        return ""
    return {"Facility A": "facility-a", "Facility B": "facility-b"}.get(one.facility, "rcf-loans")


def share(value: Decimal, places: int) -> Decimal:
    """Per cent as it stands in a cell."""
    return rounded(value / 100, places)


def write_tables(told: Story, folder: Path) -> None:
    margins: list[Mapping[str, Value]] = [
        {
            "from_day": line.first,
            "margin_a": share(line.a, 6),
            "margin_b": share(line.b, 6),
            "margin_rcf": share(line.rcf, 6),
        }
        for line in told.margins
    ]
    write_expected(folder / "margin.csv", margins, ("from_day",))
    for name in GROUPS:
        rows: list[Mapping[str, Value]] = [
            {"notice": line.notice.no, "correct": line.right.amount}
            for line in told.lines
            if group(line) == name
        ]
        write_expected(folder / f"{name}.csv", rows, ("notice",))
    treated: list[Mapping[str, Value]] = [
        {"notice": line.notice.no, "treatment": line.claim.treatment} for line in told.lines
    ]
    write_expected(folder / "treatment.csv", treated, ("notice",))
