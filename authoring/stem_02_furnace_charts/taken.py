"""Readings as a careful person writes them down, and what follows from them."""

import msgspec

from authoring.stem_02_furnace_charts.rules import Result


class Taken(msgspec.Struct, frozen=True):
    """To half a minute, a degree and a second."""

    result: Result
    passed_600: float
    passed_750: float
    first_band: float
    back: float | None
    door: float
    dip: float
    dip_low: int | None
    highest: int
    delay: int

    @property
    def rate(self) -> float:
        return 150 / (self.passed_750 - self.passed_600) * 60

    @property
    def begins(self) -> float:
        if self.result.clock == "resets" and self.back is not None:
            return self.back
        return self.first_band

    @property
    def soak(self) -> float:
        return self.door - self.begins - (self.dip if self.result.clock == "stops" else 0)

    @property
    def peak(self) -> float:
        return self.highest + self.result.correction

    @property
    def findings(self) -> tuple[str, ...]:
        return self.result.findings


def half(value: float) -> float:
    return round(2 * value) / 2


def taken(one: Result, off: float = 0.0) -> Taken:
    """`off`: what another reader is off, in minutes, degrees or seconds."""
    read = one.read
    low = read.dip_low
    return Taken(
        result=one,
        passed_600=half(read.passed_600 + off / 3),
        passed_750=half(read.passed_750 - off / 3),
        first_band=half(read.first_band + off),
        back=half(read.after_dip + off) if read.dip else None,
        door=half(read.door),
        dip=half(read.dip + off) if read.dip else 0,
        dip_low=None if low is None else round(low - off),
        highest=round(read.highest + off),
        delay=round(read.delay + 2 * off),
    )
