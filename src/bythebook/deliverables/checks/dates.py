"""Months and dates, from a cell's value or from what a text says."""

import re
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

from bythebook.deliverables.checks.wording import fold

Locale = Literal["en", "de", "fr"]
Month = tuple[int, int]
Day = tuple[int, int, int]

EPOCH, EPOCH_1904 = date(1899, 12, 30), date(1904, 1, 1)

_NAMES = (
    "january jan januar janner janvier janv 1",
    "february feb februar fevrier fevr fev 2",
    "march mar marz maerz mrz mars 3",
    "april apr avril avr 4",
    "may mai 5",
    "june jun juni juin 6",
    "july jul juli juillet juil 7",
    "august aug aout 8",
    "september sep sept septembre 9",
    "october oct oktober okt octobre 10",
    "november nov novembre 11",
    "december dec dezember dez decembre 12",
)
_MONTHS = {word: number for number, names in enumerate(_NAMES, 1) for word in names.split()}
_ACCENTS = str.maketrans("äàâéèêëîïôöûùüç", "aaaeeeeiioouuuc")
_LITERAL = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.I)
_TIME = re.compile(r"[t ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?z?$")
_YEAR_FIRST = re.compile(r"(\d{4})[-/. 年]*(\d{1,2})月?(?:[-/. ]*(\d{1,2})日?)?")
_COMPACT = re.compile(r"((?:19|20)\d{2})(0[1-9]|1[0-2])(\d{2})?")
_MONTH_YEAR = re.compile(r"(\d{1,2})[-/.](\d{4})")
_THREE = re.compile(r"(\d{1,2})[-/. ]+(\d{1,2})[-/. ]+(\d{4})")
_WORDS = re.compile(r"[a-z]+|\d+")


@lru_cache(maxsize=4096)
def is_date_format(code: str) -> bool:
    """Does a number format show a date?"""
    bare = _LITERAL.sub("", code.partition(";")[0]).lower()
    return bare != "general" and ("mmm" in bare or any(letter in bare for letter in "yd"))


def of_serial(value: float, *, date1904: bool = False) -> Day | None:
    """A workbook's number of a day."""
    epoch = EPOCH_1904 if date1904 else EPOCH
    if not 0 < value < (date.max - epoch).days:
        return None
    day = epoch + timedelta(days=int(value))
    return day.year, day.month, day.day


def month_of_number(value: float) -> Month | None:
    """`202401` as a number."""
    year, month = divmod(int(value), 100)
    whole = value == int(value)
    return (year, month) if whole and 1900 <= year <= 2100 and 1 <= month <= 12 else None


@lru_cache(maxsize=50_000)
def month_of(text: str) -> Month | None:
    """`2024-01`, `January 2024`, `Jan-24`, `01/2024`, or a whole date."""
    plain = _TIME.sub("", fold(text))
    found = _YEAR_FIRST.fullmatch(plain) or _COMPACT.fullmatch(plain)
    if found:
        return _month(int(found[1]), int(found[2]))
    found = _MONTH_YEAR.fullmatch(plain)
    if found:
        return _month(int(found[2]), int(found[1]))
    day = date_of(text, "de") or date_of(text, "en")
    return day[:2] if day else _named_month(plain)


@lru_cache(maxsize=50_000)
def date_of(text: str, locale: Locale = "en") -> Day | None:
    """`2024-01-31`, `31 January 2024`, `31.01.2024`; None where day and month cannot be told."""
    plain = _TIME.sub("", fold(text))
    found = _YEAR_FIRST.fullmatch(plain) or _COMPACT.fullmatch(plain)
    if found and found[3]:
        return _day(int(found[1]), int(found[2]), int(found[3]))
    three = _THREE.fullmatch(plain)
    if three:
        return _told_apart(int(three[1]), int(three[2]), int(three[3]), locale)
    return _named_day(plain)


def _told_apart(one: int, two: int, year: int, locale: Locale) -> Day | None:
    if locale != "en" or one > 12 or one == two:
        return _day(year, two, one)
    return _day(year, one, two) if two > 12 else None


def _named_month(plain: str) -> Month | None:
    words = _WORDS.findall(plain.translate(_ACCENTS))
    names = [word for word in words if word in _MONTHS and not word.isdigit()]
    numbers = [word for word in words if word.isdigit()]
    if (len(words), len(names), len(numbers)) != (2, 1, 1) or len(numbers[0]) > 4:
        return None
    return _month(_year(numbers[0]), _MONTHS[names[0]])


def _named_day(plain: str) -> Day | None:
    words = [
        w for w in _WORDS.findall(plain.translate(_ACCENTS)) if w not in ("st", "nd", "rd", "th")
    ]
    names = [word for word in words if word in _MONTHS and not word.isdigit()]
    numbers = [word for word in words if word.isdigit()]
    if (len(words), len(names), len(numbers)) != (3, 1, 2) or max(map(len, numbers)) > 4:
        return None
    day, year = (numbers[1], numbers[0]) if len(numbers[0]) == 4 else (numbers[0], numbers[1])
    return _day(_year(year), _MONTHS[names[0]], int(day))


def _year(digits: str) -> int:
    return int(digits) + 2000 if len(digits) == 2 else int(digits)


def _month(year: int, month: int) -> Month | None:
    return (year, month) if 1 <= month <= 12 and 1800 <= year <= 9999 else None


def _day(year: int, month: int, day: int) -> Day | None:
    try:
        date(year, month, day)
    except ValueError:
        return None
    return year, month, day
