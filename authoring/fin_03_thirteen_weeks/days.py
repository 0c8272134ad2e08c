"""Business days, runs and weeks."""

from calendar import monthrange
from datetime import date, timedelta

from authoring.fin_03_thirteen_weeks.world import HOLIDAYS, START, STATUS

DAY = timedelta(days=1)
WEEK = 7 * DAY


def is_open(day: date) -> bool:
    return day.weekday() < 5 and day not in HOLIDAYS


def on_or_after(day: date) -> date:
    while not is_open(day):
        day += DAY
    return day


def on_or_before(day: date) -> date:
    while not is_open(day):
        day -= DAY
    return day


def later(day: date, business: int) -> date:
    """So many business days after a day; the day itself for none."""
    for _ in range(business):
        day = on_or_after(day + DAY)
    return day


def month_last(day: date) -> date:
    return day.replace(day=monthrange(day.year, day.month)[1])


def months_on(day: date, n: int) -> date:
    """The first of the month that lies n months after a day's."""
    whole = day.year * 12 + day.month - 1 + n
    return date(whole // 12, whole % 12 + 1, 1)


def run_day(day: date, weekday: int) -> date:
    """The last day of the runs' weekday (1 = Monday) that is not after a day."""
    return day - (day.isoweekday() - weekday) % 7 * DAY


def first_run(weekday: int) -> date:
    return run_day(STATUS, weekday) + WEEK


def by_run(day: date, weekday: int) -> date:
    """When a run pays what is due that day."""
    return on_or_before(max(run_day(day, weekday), first_run(weekday)))


def week(day: date | None) -> int:
    """From 1; 0 of no day."""
    return (day - START).days // 7 + 1 if day else 0


def monday(number: int) -> date:
    return START + (number - 1) * WEEK
