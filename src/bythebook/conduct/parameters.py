"""The policy's numbers: one source for tools, criteria and the documents that print them.

    # company/parameters/releases.yaml
    release.fee.assisted:
      unit: USD
      values:
        - {from: 2025-02-01, to: 2025-09-15, value: 800}
        - {from: 2025-09-15, value: 1000}

Units: a currency code (integer minor units), `bp` (basis points), `minutes`, `days`, `count`, or
`clock` (text "16:00"). Periods are half-open and may not overlap.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.errors import ContentError, unknown
from bythebook.tool import Day, Refused

UNITS = ("bp", "minutes", "days", "count", "clock")
CURRENCY = re.compile(r"[A-Z]{3}")
CLOCK = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")
SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "SGD": "S$"}


class Period(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"since": "from"}):
    """A value and the half-open stretch of days it holds for."""

    value: int | str
    since: Day = "0001-01-01"
    to: Day | None = None

    def holds(self, day: Day) -> bool:
        """`to` is the first day without it."""
        return self.since <= day and (self.to is None or day < self.to)


class Parameter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One number or clock time of the policy, and how it changed.

    `unit`: a currency (then in its minor units), bp, minutes, days, count or clock.
    """

    unit: str
    values: tuple[Period, ...]
    note: str = ""


class Parameters:
    """All parameters of a company, read by name and day."""

    def __init__(self, entries: Mapping[str, Parameter]) -> None:
        self._entries = dict(entries)

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def names(self) -> list[str]:
        return sorted(self._entries)

    def number(self, name: str, day: Day) -> int:
        """An integer parameter in force on `day`, in its unit. Refused when none is."""
        value = self._on(name, day)
        if not isinstance(value, int):
            raise ContentError(f"parameter {name!r} is text, not a number")
        return value

    def clock(self, name: str, day: Day) -> str:
        """A `clock` parameter in force on `day`, as "HH:MM"."""
        return str(self._on(name, day))

    def shown(self, name: str, since: Day, to: Day | None) -> str:
        """The value as a document prints it; it must be one value over the document's period."""
        entry = self._entry(name)
        first = self._period(name, since)
        if first is None:
            raise ContentError(f"parameter {name!r} has no value on {since}")
        if first.to is not None and (to is None or first.to < to):
            raise ContentError(
                f"parameter {name!r} changes on {first.to}, inside the document's period",
                hint="end the document there, or print a parameter that holds throughout",
            )
        return show(first.value, entry.unit)

    def _on(self, name: str, day: Day) -> int | str:
        """The value on a day of a run. When none holds any more that is no fault of anybody's: the
        company refuses what rests on it, however long an agent waits."""
        period = self._period(name, day)
        if period is None:
            raise Refused(f"nothing is laid down for {name} on {day}")
        return period.value

    def _entry(self, name: str) -> Parameter:
        entry = self._entries.get(name)
        if entry is None:
            raise unknown("parameter", name, self._entries)
        return entry

    def _period(self, name: str, day: Day) -> Period | None:
        return next((p for p in self._entry(name).values if p.holds(day)), None)


def show(value: int | str, unit: str) -> str:
    """A value in words a document uses: $10.00, 1.25%, 14 minutes."""
    if isinstance(value, str):
        return value
    if unit == "bp":
        return f"{value // 100}.{value % 100:02d}%"
    if unit in ("minutes", "days"):
        return f"{value} {unit if value != 1 else unit[:-1]}"
    if unit == "count":
        return str(value)
    sign = "-" if value < 0 else ""
    amount = f"{abs(value) // 100:,}.{abs(value) % 100:02d}"
    return f"{sign}{SYMBOLS[unit]}{amount}" if unit in SYMBOLS else f"{sign}{unit} {amount}"


def load_parameters(folders: list[Path]) -> Parameters:
    """Every `*.yaml` in the folders; a name may be given once only."""
    entries: dict[str, Parameter] = {}
    for path in (p for folder in folders for p in sorted(folder.glob("*.yaml"))):
        for name, entry in yamlfile.load(path, dict[str, Parameter]).items():
            if name in entries:
                raise ContentError(f"parameter {name!r} is given twice", where=path)
            _check(name, entry, path)
            entries[name] = entry
    return Parameters(entries)


def _check_value(name: str, unit: str, value: int | str, path: Path) -> None:
    what = f"parameter {name!r}: {value!r} is"
    if unit == "clock" and not (isinstance(value, str) and CLOCK.fullmatch(value)):
        raise ContentError(f'{what} no time such as "09:30"', where=path)
    if unit != "clock" and not isinstance(value, int):
        raise ContentError(f"{what} no integer of unit {unit}", where=path)


def _check(name: str, entry: Parameter, path: Path) -> None:
    if not entry.values:
        raise ContentError(f"parameter {name!r} has no values", where=path)
    if entry.unit not in UNITS and not CURRENCY.fullmatch(entry.unit):
        hint = f"units are {', '.join(UNITS)}, or a currency such as USD"
        raise ContentError(f"parameter {name!r}: no unit {entry.unit!r}", where=path, hint=hint)
    for period in entry.values:
        _check_value(name, entry.unit, period.value, path)
    for earlier, later in zip(entry.values, entry.values[1:], strict=False):
        if earlier.to is None or earlier.to > later.since:
            raise ContentError(f"parameter {name!r}: its periods overlap or run back", where=path)
