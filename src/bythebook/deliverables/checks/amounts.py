"""Numbers as people write them: `9,430,451.42`, `9.430.451,42`, `1.27 million`, `3.5 %`."""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

import msgspec

from bythebook.deliverables.checks.dates import Locale

MOST_DIGITS = 40
_NARROW = "\u00a0\u202f\u2009"
_GROUPS: dict[Locale, tuple[str, str]] = {
    "en": (f",'\u2019{_NARROW}", "."),
    "de": (f".'\u2019 {_NARROW}", ","),
    "fr": (f". {_NARROW}", ","),
}
_SCALES = {
    "thousand": 3, "thousands": 3, "k": 3, "tsd": 3, "mille": 3, "million": 6, "millions": 6,
    "mn": 6, "mm": 6, "m": 6, "mio": 6, "millionen": 6, "billion": 9, "billions": 9, "bn": 9,
    "b": 9, "mrd": 9, "md": 9, "milliards": 9, "milliarden": 9, "万": 4, "亿": 8, "%": -2,
    "percent": -2, "per cent": -2, "pct": -2, "prozent": -2, "pour cent": -2,
}  # fmt: skip
_LOOSE = frozenset(("k", "m", "b", "mm", "md", "mille"))
"""Also units, or words of their own: the number is read both ways."""
_NO_NUMBERS = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d{2}|(?<!\d)\d+(?:\.\d+){2,}(?![\d,])"
)
_CURRENCY = r"(?:[€$£¥]|\b[A-Z]{3}\b)"
_CODES = ("EUR", "USD", "GBP", "CHF", "CNY", "RMB", "JPY", "PLN")
"""Written against a number without a space: `EUR7.67m`. No other letters: `EMP001` is none."""
_PLAIN_EDGE = re.compile(rf"^{_CURRENCY}\s*|\s*{_CURRENCY}$")


class Amount(msgspec.Struct, frozen=True):
    """One number in a text."""

    value: Decimal
    """Without its sign: texts say it in words."""
    step: Decimal
    """One in the last digit that is written."""
    zeros: int
    """Zeros at the end of a whole number: it may be rounded to any of them."""
    text: str
    at: int
    plain: int
    """What the digits alone say as a whole number, for telling years; 0 for others."""

    def says(self, value: Decimal, digits: int) -> bool:
        """Is this the value, rounded to what is written, with so many significant digits?"""
        size = abs(value)
        for zeros in range(self.zeros + 1):
            step = self.step.scaleb(zeros)
            fine = step * 10 ** (digits - 1) <= self.value or (zeros == 0 and self.value == size)
            if fine and abs(self.value - size) * 2 <= step:
                return True
        return False


@lru_cache(maxsize=16)
def _pattern(locale: Locale) -> re.Pattern[str]:
    group, point = (re.escape(signs) for signs in _GROUPS[locale])
    scales = "|".join(sorted(map(re.escape, _SCALES), key=len, reverse=True))
    codes = "|".join(rf"(?<=\b{code})" for code in _CODES)
    return re.compile(
        rf"(?:(?<![\w.,])|{codes})(?P<whole>\d{{1,3}}(?:[{group}]\d{{3}})+(?!\d)|\d+)"
        rf"(?P<part>{point}\d+)?(?:\s?(?P<scale>{scales})(?![\w]))?(?P<times>x\b)?(?!\w|[.,]\d)",
        re.I,
    )


@lru_cache(maxsize=20_000)
def amounts(text: str, locale: Locale = "en") -> tuple[Amount, ...]:
    """Every number of a text; dates, times and clause numbers are none."""
    return tuple(_amounts(text, locale))


def _amounts(text: str, locale: Locale) -> Iterator[Amount]:
    bare = _NO_NUMBERS.sub(lambda found: "~" * len(found.group()), text)
    if locale == "en":
        yield from _of(re.sub(r"(?<=\d)[ ](?=\d{3}\b)", "\u00a0", bare), locale, "\u00a0")
    yield from _of(bare, locale)


def _of(text: str, locale: Locale, only: str = "") -> Iterator[Amount]:
    for found in _pattern(locale).finditer(text):
        whole, part = re.sub(r"\D", "", found["whole"]), (found["part"] or "")[1:]
        if len(whole) + len(part) > MOST_DIGITS or only not in found["whole"]:
            continue
        number = Decimal(f"{whole}.{part}" if part else whole)
        step = Decimal(1).scaleb(-len(part))
        zeros = 0 if part or not int(whole) else len(whole) - len(whole.rstrip("0"))
        said, at = found.group().strip(), found.start("whole")
        scale = re.sub(r"\s+", " ", found["scale"] or "").lower()
        plain = 0 if part or scale else int(whole)
        if not scale or scale in _LOOSE:
            yield Amount(number, step, zeros, said, at, plain)
        if scale:
            by = _SCALES[scale]
            yield Amount(number.scaleb(by), step.scaleb(by), zeros, said, at, plain)


def counted(text: str, locale: Locale) -> int:
    """How many numbers a text holds, years left out."""
    places = {a.at for a in amounts(text, locale) if not 1900 <= a.plain <= 2100}
    return len(places)


_MONEY = rf"(?:{'|'.join(_CODES)}|[€$£¥])"
_SCALE_ALONE = re.compile(
    r"(?<!\w)(?:thousands?|millions?|billions?|tausend|millionen|milliarden|milliers?|milliards?"
    r"|tsd|mio|mrd|mn|bn)(?!\w)|(?<!\d)['\u2019]000(?!\d)|(?<![\d.,'\u2019])(?<!\d\s)000s?(?!\d)"
    r"|[万亿千]"
    rf"|(?<!\w)[kmbt]\s?{_MONEY}(?!\w)|{_MONEY}\s?[kmb](?!\w)"
    rf"|(?:\bin|[x\u00d7])\s+(?:{_MONEY}\s?)?1[,.' ]?000(?:[,.' ]?000)?(?!\d)"
    rf"|(?<![\d.,])1[,.' ]?000(?:[,.' ]?000)?s?\s?{_MONEY}(?!\w)",
    re.I,
)


@lru_cache(maxsize=20_000)
def names_scale(text: str, locale: Locale = "en") -> bool:
    """Does a text speak of thousands or millions otherwise than right behind a number? So does the
    heading of a table that gives its figures in them."""
    bare = _pattern(locale).sub(lambda found: "~" if found["scale"] else found.group(), text)
    return _SCALE_ALONE.search(bare) is not None


@lru_cache(maxsize=20_000)
def plain_number(text: str, locale: Locale = "en") -> Decimal | None:
    """The number that a whole text is, or None: `1,234.50`, `(1,234)`, `-12 %`, `CNY 5`."""
    bare = text.strip().replace("\u2212", "-")
    negative = bare.startswith("-") or (bare.startswith("(") and bare.endswith(")"))
    bare = _PLAIN_EDGE.sub("", bare.strip("()").lstrip("+-").strip()).lstrip("+-").strip()
    found = _pattern(locale).fullmatch(bare)
    if found is None or found["times"] or (found["scale"] or "%") != "%":
        return None
    size = next(_of(bare, locale), None)
    return None if size is None else -size.value if negative else size.value
