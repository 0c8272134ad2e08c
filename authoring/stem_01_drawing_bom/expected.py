"""expected/*.csv: the columns that the rubric compares with, named by its fields."""

from collections.abc import Mapping
from pathlib import Path

from authoring.parts.expected import Value, write_expected
from authoring.parts.numbers import rounded
from authoring.stem_01_drawing_bom.story import Story

Rows = list[Mapping[str, Value]]
UNASKED = ("DIM", "EXT")
"""Codes whose governing value may be written in many ways."""


def write_tables(told: Story, folder: Path) -> None:
    tables: dict[str, tuple[Rows, tuple[str, ...]]] = {
        "lines": (_lines(told), ("parent", "item")),
        "dimensions": (_dimensions(told), ("characteristic",)),
        "register": (_register(told), ("discrepancy_id",)),
        "actions": (_actions(told), ("action_id",)),
        "parts": (_parts(told), ("part_number",)),
        "classes": ([{"class": cls[-1], "count": n} for cls, n in told.by_class], ("class",)),
        "owners": (
            [{"owner": who, "actions": n} for who, n in told.by_owner.items()],
            ("owner",),
        ),
    }
    for name, (rows, keys) in tables.items():
        write_expected(folder / f"{name}.csv", rows, keys)


def _lines(told: Story) -> Rows:
    return [
        {
            "parent": one.parent,
            "item": one.item,
            "governing_qty": int(one.governing),
            "erp_qty": int(one.erp),
            "status": one.status,
        }
        for one in told.made.lines
    ]


def _dimensions(told: Story) -> Rows:
    return [
        {
            "characteristic": one.dim.code,
            "lower_limit": rounded(one.lower, 5),
            "upper_limit": rounded(one.upper, 5),
            "measured": "" if one.measured is None else rounded(one.measured, 5),
            "verdict": one.verdict,
        }
        for one in told.made.limits
    ]


def _register(told: Story) -> Rows:
    return [
        {
            "discrepancy_id": one.id,
            "governing_value": "" if one.code in UNASKED else one.governing,
            "governing_source": one.source,
            "class": one.cls,
        }
        for one in told.made.register
    ]


def _actions(told: Story) -> Rows:
    return [
        {
            "action_id": one.id,
            "discrepancy_id": one.entry.id,
            "owner": one.owner,
            "due": one.due,
        }
        for one in told.made.actions
    ]


def _parts(told: Story) -> Rows:
    return [
        {
            "part_number": one.part.number,
            "qty_station": int(one.qty),
            "mass": rounded(one.mass, 6),
            "cost_change": rounded(one.change, 4),
        }
        for one in told.made.rows
    ]
