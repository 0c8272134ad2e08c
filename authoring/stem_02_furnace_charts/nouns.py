"""What the task is made of: recorders, thermocouples, classes, loads."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

import msgspec

Colour = tuple[int, int, int]


class Recorder(msgspec.Struct, frozen=True):
    """A strip recorder as one certificate describes it."""

    name: str
    furnace: str
    certificate: str
    since: date
    low: int
    high: int
    """Temperatures at the lower and upper edge of the grid, deg C."""
    span: float
    """Height of the grid, mm."""
    printed: str
    """`deg C` or `0-100`: what the paper's labels say."""
    step: int
    """deg C from one fine line to the next."""
    heavy: int
    """Fine lines from one heavy line to the next."""
    offset: float
    """mm that the load pen stands behind the time line."""
    fast: int
    """mm/min from the opening of the door."""
    load_pen: str
    control_pen: str
    load: Mapping[int, Decimal]
    control: Mapping[int, Decimal]
    """Corrections of the pens, deg C, by temperature."""

    @property
    def scale(self) -> float:
        """deg C per mm."""
        return (self.high - self.low) / self.span


class Couple(msgspec.Struct, frozen=True):
    """A load thermocouple."""

    name: str
    certificate: str
    due: date
    corrections: Mapping[int, Decimal]


class Class(msgspec.Struct, frozen=True):
    name: str
    set_at: int
    band: int
    fastest: int
    """deg C/h between 600 and 750."""
    longest: int
    """Minutes of soak."""


class Dip(msgspec.Struct, frozen=True):
    at: float
    """Minutes from the first reaching of the band to the dip's beginning."""
    minutes: float
    depth: float
    """deg C below the band's lower limit."""


class Run(msgspec.Struct, frozen=True):
    """How the furnace ran: what the curves are drawn from. Temperatures are corrected ones."""

    rate: float
    soak: float
    """Minutes that count, by the rule in force."""
    delay: float
    """Seconds from door to quench."""
    level: float = -1.0
    """Of the soak, against the set temperature."""
    bump: float = 0.0
    """Highest over the set temperature; 0: none."""
    bump_at: float = 14.0
    dip: Dip | None = None
    hold: float = 0.0
    """Minutes of a preheat hold near 680."""
    lag: float = 14.0
    """Minutes that the load is behind the control."""
    over: float = 4.0
    """The control pen's overshoot."""
    control_dip: float = 0.0


class Load(msgspec.Struct, frozen=True):
    no: str
    day: date
    clock: int
    """Minutes after midnight of the strip's first clock mark."""
    recorder: str
    klass: str
    section: int
    speed: int
    noted: int
    """The speed that somebody wrote on the strip."""
    couple: str
    part: str
    order: str
    pieces: int
    run: Run
    rerun: str = ""
    """The load that this one repeats."""
    before: float = 12.0
    """Minutes from the strip's left end to the first clock mark."""
    lead: float = 3.0
    """Minutes from there to 600 deg C."""
