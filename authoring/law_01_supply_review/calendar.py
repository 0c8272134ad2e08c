"""Days by the Interpretation and Time Act 1988 of Ardenmark (sections 4 to 8)."""

from collections.abc import Iterator
from datetime import date, timedelta

DAY = timedelta(days=1)
FIXED = (
    (1, 1, "New Year's Day"),
    (3, 17, "Founders' Day"),
    (6, 8, "Charter Day"),
    (8, 15, "Assembly Day"),
    (10, 30, "Union Day"),
    (12, 25, "Midwinter, first day"),
    (12, 26, "Midwinter, second day"),
)
FIRST_MONDAYS = ((5, "Spring Day"), (10, "Harvest Day"))
YEARS = range(2026, 2030)


def named(year: int) -> Iterator[date]:
    """The public holidays that the Schedule names."""
    yield from (date(year, month, day) for month, day, _ in FIXED)
    for month, _ in FIRST_MONDAYS:
        first = date(year, month, 1)
        yield first + (-first.weekday() % 7) * DAY


def substitutes(year: int) -> Iterator[date]:
    """In place of those that fall on a Saturday or Sunday: the next day that is none of these."""
    taken = set(named(year))
    for day in sorted(taken):
        if day.weekday() > 4:
            while day.weekday() > 4 or day in taken:
                day += DAY
            taken.add(day)
            yield day


class Calendar:
    """Business Days. `holidays` and `moved`: whether the Schedule and its substitutes count."""

    def __init__(self, holidays: bool = True, moved: bool = True) -> None:
        self.named = tuple(sorted(d for y in YEARS for d in named(y))) if holidays else ()
        both = holidays and moved
        self.moved = tuple(sorted(d for y in YEARS for d in substitutes(y))) if both else ()
        self._shut = {*self.named, *self.moved}

    def open(self, day: date) -> bool:
        return day.weekday() < 5 and day not in self._shut

    def on_or_after(self, day: date) -> date:
        while not self.open(day):
            day += DAY
        return day

    def on_or_before(self, day: date) -> date:
        while not self.open(day):
            day -= DAY
        return day

    def after(self, day: date, count: int) -> date:
        """The last of so many Business Days after a day, which is not counted."""
        for _ in range(count):
            day = self.on_or_after(day + DAY)
        return day


def add_months(day: date, count: int) -> date:
    """The day of the same number so many months later or earlier, or that month's last day."""
    months = day.year * 12 + day.month - 1 + count
    first = date(months // 12, months % 12 + 1, 1)
    last = (first + 32 * DAY).replace(day=1) - DAY
    return first.replace(day=min(day.day, last.day))
