"""A month of furnace loads at a contract heat treater, drawn from a seed."""

from datetime import date
from decimal import Decimal
from functools import cached_property

import msgspec

from authoring.parts.dice import Dice
from authoring.parts.people import company, people
from authoring.stem_02_furnace_charts.nouns import Class, Couple, Dip, Load, Recorder, Run

D = Decimal
AMENDED = date(2025, 6, 17)
"""The amendment holds for loads charged from this day."""
RECALIBRATED = date(2025, 6, 12)
REPORT = date(2025, 7, 1)
CLASSES = (
    Class("A", 845, 10, 180, 150),
    Class("B", 815, 10, 150, 150),
    Class("C", 880, 10, 220, 90),
)
SECTIONS = ((25, 45, 45), (50, 60, 60), (75, 90, 110))
"""Section up to mm, minutes of soak, and minutes under the amendment."""
DELAYS = 150, 90
"""Seconds, before and under the amendment."""
DIP_MINUTES, DIP_DEPTH = 10, 12
OVER, FAR_OVER = 15, 40


def _points(*values: str) -> dict[int, Decimal]:
    return {700 + 100 * n: D(value) for n, value in enumerate(values)}


def recorders() -> tuple[Recorder, ...]:
    """REC-2 twice: as it was, and as it is from the recalibration on."""
    first = date(2025, 1, 14)
    return (
        Recorder(
            "REC-1", "F1", "K-2218", first, 400, 1000, 125.0, "deg C", 10, 10, 5.0, 10,
            "red", "blue", _points("2.0", "3.0", "5.0"), _points("1.0", "1.5", "2.5"),
        ),
        Recorder(
            "REC-2", "F2", "K-2219", first, 400, 1000, 120.0, "0-100", 12, 5, 4.0, 10,
            "green", "red", _points("-4.0", "-6.0", "-9.0"), _points("-1.0", "-2.0", "-2.0"),
        ),
        Recorder(
            "REC-3", "F3", "K-2220", first, 450, 950, 120.0, "0-100", 10, 5, 0.0, 5,
            "blue", "red", _points("4.0", "5.0", "8.0"), _points("0.5", "1.0", "1.0"),
        ),
        Recorder(
            "REC-2", "F2", "K-2371", RECALIBRATED, 500, 1000, 120.0, "0-100", 10, 5, 4.0, 10,
            "green", "red", _points("0.0", "1.0", "2.0"), _points("0.0", "0.5", "0.5"),
        ),
    )  # fmt: skip


def couples() -> tuple[Couple, ...]:
    late = date(2025, 8, 29)
    return (
        Couple("L-21", "K-2301", late, _points("-0.5", "-1.0", "-2.0")),
        Couple("L-22", "K-2302", late, _points("1.0", "1.5", "2.5")),
        Couple("L-23", "K-2303", late, _points("2.5", "3.5", "4.5")),
        Couple("L-24", "K-2304", late, _points("-2.0", "-2.5", "-3.5")),
        Couple("L-25", "K-2187", date(2025, 6, 20), _points("0.5", "0.5", "1.0")),
    )


# number, day, recorder, class, section, speed, noted, couple, run
Row = tuple[int, int, int, str, int, int, int, str, Run]
ROWS: tuple[Row, ...] = (
    (1, 2, 1, "A", 45, 30, 30, "L-23", Run(rate=140, soak=140.5, delay=62, over=26, lag=19)),
    (2, 3, 2, "C", 20, 60, 60, "L-24", Run(rate=186, soak=55, delay=70, lag=12, level=-3)),
    (3, 4, 3, "B", 60, 30, 30, "L-22", Run(rate=118, soak=79, delay=96, lag=21, hold=14)),
    (4, 4, 1, "A", 70, 30, 30, "L-21", Run(rate=150, soak=99, delay=110, dip=Dip(38, 4.6, 19))),
    (5, 5, 2, "C", 40, 30, 30, "L-24", Run(rate=176, soak=70, delay=66, bump=6.5, level=-2)),
    (6, 6, 3, "A", 30, 30, 30, "L-23", Run(rate=138, soak=46, delay=58, dip=Dip(31, 15.5, 5))),
    (7, 9, 1, "B", 48, 20, 20, "L-22", Run(rate=176, soak=72, delay=64, lag=11)),
    (8, 10, 2, "A", 25, 30, 30, "L-21", Run(rate=156, soak=54.5, delay=121, hold=10)),
    (9, 11, 3, "B", 65, 30, 30, "L-23", Run(rate=112, soak=101, delay=104, bump=49, bump_at=17)),
    (10, 12, 1, "A", 20, 30, 30, "L-24", Run(rate=146, soak=57, delay=174, control_dip=24)),
    (11, 13, 2, "C", 45, 30, 60, "L-21", Run(rate=190, soak=70.5, delay=72, over=15, bump=6)),
    (12, 16, 3, "A", 60, 30, 30, "L-22", Run(rate=132, soak=99.5, delay=108, lag=18)),
    (13, 17, 1, "B", 60, 30, 30, "L-23", Run(rate=121, soak=99.5, delay=61, hold=16)),
    (14, 18, 2, "A", 45, 30, 30, "L-22", Run(rate=152, soak=71, delay=117, level=-2)),
    (15, 19, 3, "B", 35, 20, 30, "L-21", Run(rate=109, soak=70, delay=57, dip=Dip(24, 4.5, 19.5))),
    (16, 20, 1, "C", 25, 60, 60, "L-22", Run(rate=194, soak=55, delay=64, bump=26, bump_at=12)),
    (17, 24, 2, "A", 50, 30, 30, "L-25", Run(rate=144, soak=71, delay=66, control_dip=18)),
    (18, 25, 3, "A", 45, 30, 30, "L-24", Run(rate=153, soak=160, delay=68, bump=5)),
)  # fmt: skip
NIGHT = 12
"""Charged late in the evening before the amendment, quenched on its first day."""
RERUN = 14
PARTS = (
    "Planet wheel", "Sun pinion", "Ring gear blank", "Drive shaft", "Bevel pinion", "Coupling hub",
    "Spline sleeve", "Idler wheel", "Pump shaft", "Locking pawl",
)  # fmt: skip


class World(msgspec.Struct, frozen=True, dict=True):
    seed: int
    customer: str
    treater: str
    engineer: str
    head: str
    plant: str
    """Name of the heat treater's plant manager."""
    loads: tuple[Load, ...]
    earlier: str
    """The load of May that one load repeats."""

    @cached_property
    def classes(self) -> dict[str, Class]:
        return {one.name: one for one in CLASSES}

    @cached_property
    def couples(self) -> dict[str, Couple]:
        return {one.name: one for one in couples()}

    def recorder(self, load: Load) -> Recorder:
        """As its certificate in force on the day of charge describes it."""
        known = [r for r in recorders() if r.name == load.recorder and r.since <= load.day]
        return max(known, key=lambda one: one.since)


def _jittered(run: Run, dice: Dice) -> Run:
    """Another seed's run: the same story, other numbers."""
    return msgspec.structs.replace(
        run,
        rate=run.rate + dice.whole(-30, 30) / 10,
        soak=run.soak + dice.whole(-12, 12) / 10,
        delay=run.delay + dice.whole(-4, 4),
        lag=run.lag + dice.whole(-10, 10) / 10,
        level=run.level if run.level < -1 else run.level + dice.whole(0, 40) / 10,
        bump=run.bump and run.bump + dice.whole(-10, 10) / 10,
        bump_at=run.bump_at + dice.whole(-30, 50) / 10,
    )


def _load(row: Row, series: int, dice: Dice, earlier: str) -> Load:
    number, day, recorder, klass, section, speed, noted, couple, run = row
    clock = dice.whole(5, 11) * 60
    return Load(
        no=f"HT-{series + number}",
        day=date(2025, 6, day),
        clock=21 * 60 if number == NIGHT else clock,
        recorder=f"REC-{recorder}",
        klass=klass,
        section=section,
        speed=speed,
        noted=noted,
        couple=couple,
        part=dice.pick(PARTS),
        order=f"{dice.whole(41000, 48999)}",
        pieces=dice.whole(8, 64, 2),
        run=_jittered(run, dice),
        rerun=earlier if number == RERUN else "",
        before=dice.whole(40, 110) / 10 * 60 / speed,
        lead=dice.whole(20, 140) / 10,
    )


def world(seed: int) -> World:
    dice = Dice("furnace charts", seed)
    names = [person.name for person in people(dice, 3)]
    series = dice.whole(2300, 2800, 100)
    earlier = f"HT-{series - dice.whole(4, 40)}"
    return World(
        seed=seed,
        customer=company(dice, ("Gears", "Drives", "Transmissions")),
        treater=company(dice, ("Heat Treatment", "Thermal", "Hardening")),
        engineer=names[0],
        head=names[1],
        plant=names[2],
        earlier=earlier,
        loads=tuple(_load(row, series, Dice("load", seed, row[0]), earlier) for row in ROWS),
    )
