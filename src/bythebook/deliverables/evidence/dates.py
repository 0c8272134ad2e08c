"""Serial numbers as dates and times (ECMA-376 part 1, 18.17.4).

Day 1 is 1 January 1900, and day 60 is 29 February 1900, which never was: Excel keeps the fault of
another program, so do we.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

import msgspec

Token = tuple[str, str]

LAST = 2_958_465
"""31 December 9999."""
NO_DATE = "########"
"""What Excel shows of a number that is no date."""
_ENGLISH = (
    "January February March April May June July August September October November December",
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
)
_NAMES = {
    "07": (
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    ),
    "0c": (
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
    ),
    "04": (
        "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月",
        "星期一 星期二 星期三 星期四 星期五 星期六 星期日",
    ),
}
"""Primary language (the last two digits of a locale) to its months and days."""
_SHORT = {
    "07": ("Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez", "Mo Di Mi Do Fr Sa So"),
    "0c": (
        "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
        "lun. mar. mer. jeu. ven. sam. dim.",
    ),
    "04": (
        "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
        "周一 周二 周三 周四 周五 周六 周日",
    ),
}


class Moment(msgspec.Struct, frozen=True):
    year: int
    month: int
    day: int
    weekday: int
    """Monday is 0."""
    hour: int
    minute: int
    second: int
    after: str
    """Digits of the second's fraction."""


def moment(serial: float, places: int = 0, *, date1904: bool = False) -> Moment | None:
    """A serial number to the nearest second or fraction of it; None when it is no date."""
    if date1904:
        serial += 1462
    if not 0 <= serial < LAST + 1:
        return None
    ticks = _ticks(serial, places)
    seconds, fraction = divmod(ticks, 10**places)
    days, seconds = divmod(seconds, 86_400)
    year, month, day = _calendar(days)
    return Moment(
        year,
        month,
        day,
        (days + 5) % 7,
        seconds // 3600,
        seconds // 60 % 60,
        seconds % 60,
        str(fraction).zfill(places) if places else "",
    )


def iso(serial: float, *, date1904: bool = False) -> str:
    """`2024-01-31`, with the time where there is one; empty when it is no date."""
    at = moment(serial, date1904=date1904)
    if at is None:
        return ""
    day = f"{at.year:04}-{at.month:02}-{at.day:02}"
    clock = f"{at.hour:02}:{at.minute:02}:{at.second:02}"
    return day if clock == "00:00:00" else f"{day} {clock}"


def serial_of(text: str) -> float | None:
    """The number that an ISO 8601 date or time stands for (cells of type `d`)."""
    day, _, clock = text.rstrip("Z").replace(" ", "T").partition("T")
    try:
        days = float((date.fromisoformat(day) - date(1899, 12, 30)).days)
        hours, minutes, seconds = ([*clock.split(":"), "0", "0"] if clock else ["0"] * 3)[:3]
        return days + (int(hours) * 3600 + int(minutes) * 60 + float(seconds)) / 86_400
    except ValueError:
        return None


def shown(
    serial: float, tokens: Sequence[Token], locale: str = "", *, date1904: bool = False
) -> str:
    places = max(
        (len(word.partition(".")[2]) for kind, word in tokens if kind in ("date", "elapsed")),
        default=0,
    )
    at = moment(abs(serial) if _elapses(tokens) else serial, places, date1904=date1904)
    if at is None:
        return NO_DATE
    ticks = _ticks(abs(serial), places)
    twelve = any(kind == "half" for kind, _ in tokens)
    out = "-" if serial < 0 else ""
    for place, (kind, word) in enumerate(tokens):
        if kind == "elapsed":
            out += _elapsed(word, ticks // 10**places)
        elif kind == "half":
            out += _half(word, at.hour)
        elif kind == "date" and word[0] == "m" and _is_minute(tokens, place):
            out += f"{at.minute:0{min(len(word), 2)}}"
        elif kind == "date":
            out += _field(word, at, locale, twelve=twelve)
        elif kind == "general":
            out += f"{serial:g}"
        else:
            out += word
    return out


def _ticks(serial: float, places: int) -> int:
    exact = Decimal(repr(serial)) * 86_400 * 10**places
    return int(exact.to_integral_value(ROUND_HALF_UP))


def _calendar(days: int) -> tuple[int, int, int]:
    if days == 0:
        return 1900, 1, 0
    if days == 60:
        return 1900, 2, 29
    try:
        found = date(1899, 12, 31 if days < 60 else 30) + timedelta(days)
    except OverflowError:
        return 9999, 12, 31  # rounded up past the last midnight
    return found.year, found.month, found.day


def _elapses(tokens: Sequence[Token]) -> bool:
    return any(kind == "elapsed" for kind, _ in tokens)


def _elapsed(word: str, seconds: int) -> str:
    size = {"h": 3600, "m": 60, "s": 1}[word[0]]
    return f"{seconds // size:0{len(word)}}"


def _half(word: str, hour: int) -> str:
    before, _, after = word.partition("/")
    return after if hour >= 12 else before


def _is_minute(tokens: Sequence[Token], place: int) -> bool:
    """`m` is a minute right after hours or right before seconds, whatever stands between."""
    fields = [n for n, (kind, _) in enumerate(tokens) if kind in ("date", "elapsed")]
    here = fields.index(place)
    before = tokens[fields[here - 1]][1] if here else ""
    after = tokens[fields[here + 1]][1] if here + 1 < len(fields) else ""
    return len(tokens[place][1]) <= 2 and (before[:1] == "h" or after[:1] == "s")


def _field(word: str, at: Moment, locale: str, *, twelve: bool) -> str:
    letter, width = word[0], len(word)
    match letter:
        case "y" | "e":
            return f"{at.year % 100:02}" if letter == "y" and width <= 2 else f"{at.year:04}"
        case "m":
            return f"{at.month:0{width}}" if width <= 2 else _month(width, at.month, locale)
        case "d" if width <= 2:
            return f"{at.day:0{width}}"
        case "d" | "a":
            return _weekday(width, at.weekday, locale)
        case "h":
            hour = (at.hour - 1) % 12 + 1 if twelve else at.hour
            return f"{hour:0{min(width, 2)}}"
        case _:
            whole, point, _ = word.partition(".")
            return f"{at.second:0{min(len(whole), 2)}}" + (point + at.after if point else "")


def _month(width: int, month: int, locale: str) -> str:
    if width == 5:
        return _name(0, month - 1, locale, long=True)[:1]
    return _name(0, month - 1, locale, long=width != 3)


def _weekday(width: int, weekday: int, locale: str) -> str:
    return _name(1, weekday, locale, long=width > 3)


def _name(which: int, number: int, locale: str, *, long: bool) -> str:
    """A month (0) or a day of the week (1)."""
    known = (_NAMES if long else _SHORT).get(locale[-2:].lower())
    if known:
        return known[which].split()[number]
    name = _ENGLISH[which].split()[number]
    return name if long else name[:3]
