"""The old curriculum of 2019, what of it stands for what, and what three students did in it."""

from datetime import date
from decimal import Decimal

import msgspec


class OldModule(msgspec.Struct, frozen=True):
    code: str
    title: str
    credits: int
    practice: bool


class Result(msgspec.Struct, frozen=True):
    student: int
    """Place among the world's students."""
    code: str
    attempt: int
    day: date
    grade: Decimal


def _old(line: str) -> OldModule:
    code, title, credits, mark = line.split("|")
    return OldModule(code, title, int(credits), mark == "P")


OLD_MODULES = tuple(
    _old(line)
    for line in """
WT-11|Mathematics I|6|
WT-12|Chemistry|5|
WT-13|Physics|5|
WT-14|Hydrology|4|
WT-15|Study Skills|2|
WT-16|Laboratory Course|4|P
WT-17|Laboratory Safety|2|
WT-21|Mathematics II|6|
WT-22|Analytical Chemistry|7|P
WT-23|Biology and Microbiology|8|P
WT-24|Fluid Mechanics and Unit Operations|10|
WT-25|Water Law|4|
WT-26|Programming|5|
WT-31|Hydrogeology|5|
WT-32|Instrumental Analysis|6|P
WT-33|Soil Science|4|
WT-34|Geographic Information Systems|3|
WT-35|Technical English|4|
WT-36|Project Work|3|
WT-41|Water Quality|6|
WT-42|Drinking Water|6|P
WT-43|Waste Water|6|
WT-44|Measurement and Control|4|
WT-45|History of Engineering|3|
WT-46|Field Methods|5|P
WT-47|Toxicology|3|
WT-51|Economics|5|
WT-52|Membrane Processes|5|
WT-53|Quality Management|4|
""".strip().splitlines()
)
"""P: a practice module."""

EQUIVALENT: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("WT-11",), ("W101",)),
    (("WT-12",), ("W102",)),
    (("WT-13",), ("W103",)),
    (("WT-14",), ("W104",)),
    (("WT-15",), ("W105",)),
    (("WT-16", "WT-17"), ("W106",)),
    (("WT-21",), ("W201",)),
    (("WT-22",), ("W202",)),
    (("WT-23",), ("W203",)),
    (("WT-24",), ("W204", "W301")),
    (("WT-25",), ("W205",)),
    (("WT-26",), ("W206",)),
    (("WT-31",), ("W302",)),
    (("WT-32",), ("W303",)),
    (("WT-33",), ("W304",)),
    (("WT-34",), ("W306",)),
    (("WT-36",), ("W305",)),
    (("WT-41",), ("W401",)),
    (("WT-42",), ("T41",)),
    (("WT-43",), ("T42",)),
    (("WT-44",), ("W402",)),
    (("WT-46",), ("M41",)),
    (("WT-47",), ("M42",)),
    (("WT-51",), ("W501",)),
    (("WT-52",), ("T51",)),
    (("WT-53",), ("W502",)),
)
"""Old modules, all of which are needed, and the new ones that they stand for together."""
FREE = "Elective"
"""What stands in the place of a module for old ones that have no counterpart."""
FREE_SEMESTER = 4
RESIT = "WT-22"
"""The second student passed it; the export does not have it."""

_FIRST_YEAR = "11 12 13 14 15 16 17 21 22 23 25 26"


def _history(
    passed: str, late: dict[str, int], failed: str, only: str
) -> tuple[tuple[str, int, str], ...]:
    """Codes to (code, sitting, failed before: '', 'once' or 'only'). Sittings count from February
    2019; `late` gives those that are not as the code says."""
    rows = []
    for number in [*passed.split(), *only.split()]:
        sitting = late.get(number, int(number[0]) + START)
        mark = "only" if number in only.split() else "once" if number in failed.split() else ""
        rows.append((f"WT-{number}", sitting, mark))
    return tuple(rows)


START = 6
"""A module of the old semester 1 is sat in the eighth sitting, that of July 2022."""

HISTORIES = (
    _history(
        "11 12 13 14 15 16 17 22 23 25 26 31 32 33 35 36",
        {"16": 4, "17": 4, "11": 4, "15": 4, "12": 5, "13": 5, "14": 5},
        "13 22",
        "21 24",
    ),
    _history("11 12 13 14 15 16 17 21 23 24 25 26 31 32 33 34 41 42 46 47", {}, "21 24", "22 36"),
    _history(f"{_FIRST_YEAR} 24 31 32 33 34 35 36 41 42 43 45 51 52 53", {}, "12 32", "44"),
)
