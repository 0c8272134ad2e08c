"""faults.yaml: wrong answers, as edits of the reference: readings by eye, rules of old notes."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from authoring.edu_02_graph_marking.book import NAME, TYPED, typed
from authoring.edu_02_graph_marking.expected import near, plotted, positions, tenth
from authoring.edu_02_graph_marking.inputs import named
from authoring.edu_02_graph_marking.note import lost, said
from authoring.edu_02_graph_marking.rules import misread, total
from authoring.edu_02_graph_marking.world import READINGS, TEXTS, Script, World
from authoring.parts.faults import save_faults, worded_faults

Edit = dict[str, Any]
PRINTED = 5
"""Small squares between the lines that stand out."""
PLACES = ("Line start", "Line end", "Line at first", "Line at last")
CORNERS = ("P1 across", "P1 up", "P2 across", "P2 up")


class Places:
    """Where a script and a reading stand in the reference."""

    def __init__(self, told: World) -> None:
        self.told = told
        self.rows = {one.number: row for row, one in enumerate(told.scripts, 2)}

    def set(self, at: str, to: object) -> Edit:
        value = float(to) if isinstance(to, Fraction) else to
        return {"set_cell": {"file": NAME, "at": at, "to": value}}

    def reading(self, one: Script, name: str, to: object) -> list[Edit]:
        """No edit where it stands so already."""
        known = typed(one)[name]
        if known == to or (isinstance(known, Decimal) and float(known) == to):
            return []
        return [self.set(f"Readings!{_letter(TYPED.index(name))}{self.rows[one.number]}", to)]

    def point(self, one: Script, number: int, where: tuple[Fraction, Fraction]) -> list[Edit]:
        row = 2 + READINGS * (self.rows[one.number] - 2) + number - 1
        return [
            self.set(f"Points!{letter}{row}", float(tenth(value)))
            for letter, value, known in zip("DE", where, plotted(one)[number - 1], strict=True)
            if tenth(value) != known
        ]


def _letter(column: int) -> str:
    return chr(65 + column) if column < 26 else f"A{chr(65 + column - 26)}"


def _wanted(one: Script, number: int) -> tuple[Fraction, Fraction]:
    """Where the run puts a reading."""
    reading = one.readings[number - 1]
    return one.x.squares(reading.current), one.y.squares(reading.pd)


def _far(one: Script, number: int) -> Fraction:
    pairs = zip(_wanted(one, number), one.plotted[number - 1], strict=True)
    return max(abs(a - b) for a, b in pairs)


Misread = tuple[Script, str, object]
"""A script, a heading of Readings, what stands there instead."""


def _glance(told: World, names: tuple[str, ...]) -> list[Misread]:
    """Each of these readings taken at the next line that stands out."""
    return [
        (one, name, PRINTED * round(float(positions(one)[name]) / PRINTED))
        for one in told.scripts
        for name in names
    ]


def _trusted(told: World) -> list[Misread]:
    """Corners not measured, but placed where the candidate says that they are."""
    found: list[Misread] = []
    for one in told.scripts:
        for n, corner in enumerate(one.corners, 1):
            if misread(one, corner) > 1:
                across, up = one.x.squares(corner.current), one.y.squares(corner.pd)
                found.append((one, f"P{n} across", float(tenth(across))))
                found.append((one, f"P{n} up", float(tenth(up))))
    return found


def misreadings(told: World) -> dict[str, list[Misread]]:
    """Of each slip that is one of Readings."""
    scripts = told.scripts
    two = [one for one in scripts if one.other]
    flat = (("Line at first", 0.7), ("Line at last", -0.9))
    return {
        "lines_at_a_glance": _glance(told, PLACES),
        "corners_at_a_glance": _glance(told, CORNERS),
        "scan_taken_for_flat": [
            (one, name, round(float(positions(one)[name]) + off, 1))
            for one in scripts
            for name, off in flat
        ],
        "read_offs_trusted": _trusted(told),
        "first_run_always": [(one, "Run", "A") for one in two],
        "better_run_guessed": [(one, "Run", "B") for one in two],
        "labels_begin_at_the_corner": [
            (one, "I at corner", float(one.x.corner + one.x.large))
            for one in scripts
            if one.x.corner
        ],
        "ring_of_2025": [(one, "Ring", one.odd) for one in scripts if one.ring in one.out],
        "units_not_looked_at": [
            (one, "Axis labels right", "yes") for one in scripts if one.axes == "milli"
        ],
        "sign_added": [
            (one, "Gradient", -float(one.gradient)) for one in scripts if one.gradient[0] != "-"
        ],
    }


def slips(told: World) -> dict[str, list[Edit]]:
    """The edits of each slip, without the recalculation."""
    at = Places(told)
    small = [(one, n) for one in told.scripts for n in one.out if _far(one, n) < 2]
    rubbed = [
        (one, n, (_wanted(one, n)[0] + dx, _wanted(one, n)[1] + dy))
        for one in told.scripts
        for n, dx, dy in one.ghosts
    ]
    half = r"10/Readings!([DF])(\d+)>\d+"
    return {
        "points_by_eye": [e for one, n in small for e in at.point(one, n, _wanted(one, n))],
        "rubbed_out_counts": [e for one, n, where in rubbed for e in at.point(one, n, where)],
        "scales_of_2025": [at.set("Settings!D4", 2.5)],
        "line_of_2025": [at.set("Settings!B3", 3)],
        "triangle_of_2025": [at.set("Settings!B4", 0.3333)],
        "figures_of_2025": [at.set("Settings!G2", 4)],
        "boundaries_of_2025": [at.set("Settings!B5", 11), at.set("Settings!B9", 4)],
        "edge_of_2025": [_replace("Marks", r"Readings!C\d+=0", "TRUE", "L")],
        "points_beside_the_line": [_replace("Readings", r"MAX\(ABS\(", "MAX(0*ABS(", "AE:AF")],
        "grid_need_not_be_used": [_replace("Marks", half, r"10/Readings!\1\2>0", "C")],
        **{
            name: [edit for one in some for edit in at.reading(*one)]
            for name, some in misreadings(told).items()
        },
    }


def _replace(sheet: str, find: str, to: str, column: str) -> Edit:
    about = {"file": NAME, "sheet": sheet, "find": find, "with": to, "regex": True}
    first, _, last = column.partition(":")
    return {"formula_replace": about | {"cells": [f"{first}2:{last or first}25"]}}


def write_faults(told: World, path: Path) -> None:
    some = named(told)[0]
    facts = said(told) | {
        "name": some.person.name,
        "lost": lost(some),
        "close": near(told)[0].number,
        "close_name": near(told)[0].person.name,
        "close_total": str(total(near(told)[0])),
        "perfect": max(told.scripts, key=total).number,
        "absent": told.absent[0][0],
    }
    faults = worded_faults(TEXTS / "faults.yaml", facts)
    for name, edits in slips(told).items():
        faults[name]["edits"] = [*edits, {"recalculate": {"file": NAME}}]
    save_faults(faults, path)
