"""Holidays of three centres, and counting with them."""

from collections.abc import Set
from datetime import date, timedelta

HOLIDAYS: dict[str, str] = {
    "TARGET": (
        "2024-01-01 2024-03-29 2024-04-01 2024-05-01 2024-12-25 2024-12-26 2025-01-01 2025-04-18 "
        "2025-04-21 2025-05-01 2025-12-25 2025-12-26"
    ),
    "London": (
        "2024-01-01 2024-03-29 2024-04-01 2024-05-06 2024-05-27 2024-08-26 2024-12-25 2024-12-26 "
        "2025-01-01 2025-04-18 2025-04-21 2025-05-05 2025-05-26 2025-08-25 2025-12-25 2025-12-26"
    ),
    "Frankfurt": (
        "2024-01-01 2024-03-29 2024-04-01 2024-05-01 2024-05-09 2024-05-20 2024-05-30 2024-10-03 "
        "2024-12-25 2024-12-26 2025-01-01 2025-04-18 2025-04-21 2025-05-01 2025-05-29 2025-06-09 "
        "2025-06-19 2025-10-03 2025-12-25 2025-12-26"
    ),
}


def _of(centre: str) -> frozenset[date]:
    return frozenset(date.fromisoformat(day) for day in HOLIDAYS[centre].split())


TARGET, LONDON, FRANKFURT = _of("TARGET"), _of("London"), _of("Frankfurt")
BUSINESS = TARGET | LONDON | FRANKFURT


def is_open(day: date, closed: Set[date]) -> bool:
    return day.weekday() < 5 and day not in closed


def span(first: date, beyond: date, closed: Set[date]) -> tuple[date, ...]:
    """Open days from first to the day before `beyond`."""
    days = (first + timedelta(days=n) for n in range((beyond - first).days))
    return tuple(day for day in days if is_open(day, closed))


def moved(day: date, count: int, closed: Set[date]) -> date:
    """So many open days later, or earlier if negative."""
    step = timedelta(days=1 if count > 0 else -1)
    left = abs(count)
    while left:
        day += step
        left -= is_open(day, closed)
    return day


def after_months(day: date, months: int) -> date:
    """The day with the same number, or its month's last."""
    number = day.year * 12 + day.month - 1 + months
    year, month = divmod(number, 12)
    for last in range(day.day, 27, -1):
        try:
            return date(year, month + 1, last)
        except ValueError:
            continue
    return date(year, month + 1, min(day.day, 28))


def rolled(day: date, closed: Set[date]) -> date:
    """Modified following."""
    following = day if is_open(day, closed) else moved(day, 1, closed)
    return following if following.month == day.month else moved(day, -1, closed)
