"""Number formats: what a reader sees of a value (ECMA-376 part 1, 18.8.31).

    CODE     := SECTION [; SECTION [; SECTION [; SECTION]]]      positive, negative, zero, text
    SECTION  := [colour] [condition] [$currency-locale] and a mix of
                literals   "text"  \\x  _x (a blank)  *x (nothing)
                digits     0  #  ?  .  ,  %  E+  E-  /
                dates      y m d h s AM/PM [h] [m] [s]           see `dates`
                General, @

Texts are those of an English Excel; the width of the column is not asked.
"""

import re
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Literal

import msgspec

from bythebook.deliverables.evidence import dates
from bythebook.deliverables.evidence.model import Scalar

LONGEST = 255
"""Characters of a code; a longer one is no format (Excel's own limit)."""

_TOKEN = re.compile(
    r"""
      "(?P<quoted>[^"]*)"?
    | \\(?P<escaped>.)
    | _(?P<blank>.)
    | \*(?P<fill>.)
    | \[(?P<bracket>[^\]]*)\]
    | (?P<general>General)
    | (?P<half>AM/PM|A/P|上午/下午)
    | (?P<exponent>E[+-])
    | (?P<date>y+|m+|d+|h+|s+(?:\.0+)?|e+|aaaa?)
    | (?P<digit>[0#?])
    | (?P<other>.)
    """,
    re.X | re.S | re.I,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?[0-9]+(?:\.[0-9]*)?)")
_SPLIT = re.compile(r'"[^"]*"?|\\.|_.|\*.|\[[^\]]*\]|(;)', re.S)
_WIDE = Context(prec=400)
_PLAIN = re.compile(r"([l%]*)(d(?:[dc]*d)?)((?:\.d+)?)([l%]*)")
"""First letters of a section's tokens, a point as `.` and a percent sign as `%`."""

Kind = Literal["literal", "general", "digits", "exponent", "fraction", "date", "text"]
Token = tuple[str, str]
"""literal, digit, point, comma, percent, exponent, slash, date, half, elapsed, general or text;
and what stands there."""


class Section(msgspec.Struct, frozen=True):
    kind: Kind
    tokens: tuple[Token, ...]
    condition: tuple[str, float] | None = None
    locale: str = ""
    """Hexadecimal, as in `[$-407]`."""


def shown(value: Scalar, code: str = "General", *, date1904: bool = False) -> str:
    """What a reader sees; never raises."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return _text(value, parsed(code))
    return _number(value, code, date1904)


@lru_cache(maxsize=2**15, typed=True)
def _number(value: float, code: str, date1904: bool) -> str:
    sections = parsed(code)
    number = Decimal(f"{value:.15g}")
    if not number.is_finite():
        return str(value)
    place = _chosen(float(number), sections)
    section = sections[place]
    if section.kind == "date":
        return dates.shown(float(number), section.tokens, section.locale, date1904=date1904)
    sign = "-" if number < 0 and not _sign_is_said(section, place, len(sections)) else ""
    return sign + _RENDER[section.kind](section, abs(number))


def is_date(code: str) -> bool:
    """Whether positive numbers are shown as dates or times."""
    return parsed(code)[0].kind == "date"


@lru_cache(maxsize=2048)
def parsed(code: str) -> tuple[Section, ...]:
    """One to four sections. What is no format is General."""
    if not code.strip() or len(code) > LONGEST:
        return (Section("general", (("general", ""),)),)
    parts = [""]
    done = 0
    for match in _SPLIT.finditer(code):
        if match[1]:
            parts[-1] += code[done : match.start()]
            parts.append("")
            done = match.end()
    parts[-1] += code[done:]
    return tuple(_section(part) for part in parts[:4])


def _section(text: str) -> Section:
    tokens: list[Token] = []
    condition = None
    locale = ""
    for match in _TOKEN.finditer(text):
        kind, word = match.lastgroup or "", match[match.lastgroup or 0]
        if kind == "bracket":
            found = _CONDITION.fullmatch(word)
            if found:
                condition = (found[1], float(found[2]))
            elif word.startswith("$"):
                currency, _, locale = word[1:].partition("-")
                tokens.append(("literal", currency))
            elif re.fullmatch(r"h+|m+|s+", word, re.I):
                tokens.append(("elapsed", word.lower()))
            continue
        tokens.append(_token(kind, word))
    return Section(_kind(tokens), tuple(tokens), condition, locale)


def _token(kind: str, word: str) -> Token:
    if kind in ("quoted", "escaped"):
        return "literal", word
    if kind == "blank":
        return "literal", " "
    if kind == "fill":
        return "literal", ""
    if kind == "other":
        marks = {".": "point", ",": "comma", "%": "percent", "/": "slash", "@": "text"}
        return marks.get(word, "literal"), word
    return kind, word if kind in ("exponent", "half") else word.lower()


def _kind(tokens: Sequence[Token]) -> Kind:
    kinds = {kind for kind, _ in tokens}
    order: tuple[tuple[str, Kind], ...] = (
        ("general", "general"),
        ("date", "date"),
        ("half", "date"),
        ("elapsed", "date"),
        ("text", "text"),
    )
    for mark, kind in order:
        if mark in kinds:
            return kind
    if "digit" not in kinds:
        return "literal"
    if "exponent" in kinds:
        return "exponent"
    return "fraction" if "slash" in kinds else "digits"


def _text(value: str, sections: tuple[Section, ...]) -> str:
    """A text takes the fourth section, or a single one that holds `@`."""
    section = sections[3] if len(sections) == 4 else sections[-1]
    if section.kind != "text" and len(sections) < 4:
        return value
    return "".join(value if kind == "text" else word for kind, word in section.tokens)


# --- which section ------------------------------------------------------------------------------

_HOLDS: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
}


def _chosen(value: float, sections: tuple[Section, ...]) -> int:
    """The place of the section that shows this number."""
    if len(sections) == 1:
        return 0
    numeric = sections[:3]
    if len(numeric) > 1 and numeric[-1].kind == "text" and len(sections) < 4:
        numeric = numeric[:-1]
    for place, section in enumerate(numeric[:-1]):
        operator, bound = section.condition or _unsaid(place, len(numeric))
        if _HOLDS[operator](value, bound):
            return place
    return len(numeric) - 1


def _unsaid(place: int, count: int) -> tuple[str, float]:
    """The condition of a section that says none."""
    if place == 1:
        return "<", 0
    return (">", 0) if count > 2 else (">=", 0)


def _sign_is_said(section: Section, place: int, count: int) -> bool:
    """Whether the section itself tells that a number is negative."""
    if section.condition:
        operator, bound = section.condition
        return operator in ("<", "<=") and bound <= 0
    return place == 1 and count > 1


# --- numbers ------------------------------------------------------------------------------------


def general(number: Decimal) -> str:
    """At most eleven characters, as Excel shows a number without a format."""
    if not number:
        return "0"
    exponent = number.adjusted()
    if -10 < exponent < 11:
        # Below 0.0001 a number is written out only if all of it has room.
        places = max(0, 9 - exponent) if exponent >= 0 else 9 if exponent > -5 else 12
        text = f"{_rounded(number, places):f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        if len(text) <= 11 and (exponent > -5 or Decimal(text) == number):
            return text
    mantissa, _, power = f"{number:.5E}".partition("E")
    mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}E{power[0]}{int(power[1:]):02}"


def _rounded(number: Decimal, places: int) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, _WIDE)


def _general(section: Section, number: Decimal) -> str:
    return "".join(
        general(number) if kind in ("general", "text") else word for kind, word in section.tokens
    )


def _literal(section: Section, number: Decimal) -> str:
    return "".join(word for kind, word in section.tokens if kind != "comma")


def _scaled(tokens: Sequence[Token], number: Decimal) -> tuple[Decimal, bool]:
    """The number after percent signs and trailing commas; whether thousands are set apart."""
    kinds = [kind for kind, _ in tokens]
    end = kinds.index("point") if "point" in kinds else len(kinds)
    digits = [place for place, kind in enumerate(kinds) if kind == "digit"]
    whole = [place for place in digits if place < end]
    last = whole[-1] if whole else -1
    grouped = any(kind == "comma" for kind in kinds[whole[0] : last]) if whole else False
    trailing = 0
    for start in {last, digits[-1] if digits else -1}:
        place = start + 1
        while 0 < place < len(kinds) and kinds[place] == "comma":
            trailing, place = trailing + 1, place + 1
    power = 2 * kinds.count("percent") - 3 * trailing
    return number.scaleb(power, _WIDE), grouped


def _digits(section: Section, number: Decimal) -> str:
    plain = _plain(section.tokens)
    if plain:
        # Nearly every number of nearly every workbook goes this way.
        before, shape, after, places, power = plain
        number = number.scaleb(power, _WIDE) if power else number
        return f"{before}{_rounded(number, places):{shape}}{after}"
    number, grouped = _scaled(section.tokens, number)
    return laid_out(section.tokens, number, grouped=grouped)


@lru_cache(maxsize=2048)
def _plain(tokens: tuple[Token, ...]) -> tuple[str, str, str, int, int] | None:
    """Text, shape for `format`, text, places and power of a code such as `"€ "#,##0.00%`."""
    letters = {"point": ".", "percent": "%"}
    kinds = "".join(letters.get(kind, kind[0]) for kind, _ in tokens)
    match = _PLAIN.fullmatch(kinds)
    if not match:
        return None
    words = [word for _, word in tokens]
    whole = "".join(words[match.start(2) : match.end(2)])
    part = "".join(words[match.start(3) : match.end(3)])
    if whole.replace(",", "").strip("#") != "0" or not whole.endswith("0") or part.strip("0."):
        return None
    before, after = "".join(words[: match.end(1)]), "".join(words[match.end(3) :])
    places = len(part.removeprefix("."))
    return before, ",f" if "," in whole else "f", after, places, 2 * kinds.count("%")


def laid_out(tokens: Sequence[Token], number: Decimal, *, grouped: bool = False) -> str:
    """A number that is not negative, its digits put where the tokens want them."""
    kinds = [kind for kind, _ in tokens]
    point = kinds.index("point") if "point" in kinds else len(kinds)
    holes = [word for kind, word in tokens[point:] if kind == "digit"]
    whole, _, part = f"{_rounded(number, len(holes)):f}".partition(".")
    left = _before_point(tokens[:point], whole.lstrip("0"), grouped=grouped)
    return left + _after_point(tokens[point:], part, _needed(holes, part))


def _before_point(tokens: Sequence[Token], digits: str, *, grouped: bool) -> str:
    """From the right; the first hole takes all that is left."""
    out: list[str] = []
    set_down = 0
    first = next((n for n, (kind, _) in enumerate(tokens) if kind == "digit"), -1)
    if first < 0 and digits:
        # `.00` has no hole for what stands before the point.
        return "".join(word for kind, word in tokens if kind != "comma") + digits
    for place in range(len(tokens) - 1, -1, -1):
        kind, word = tokens[place]
        if kind != "digit":
            out.append("" if kind == "comma" else word)
            continue
        taken = digits if place == first else digits[-1:]
        digits = digits[: len(digits) - len(taken)]
        taken = taken or {"0": "0", "?": " "}.get(word, "")
        for digit in reversed(taken):
            if grouped and set_down and set_down % 3 == 0 and digit != " ":
                out.append(",")
            out.append(digit)
            set_down += 1
    return "".join(reversed(out))


def _needed(holes: Sequence[str], part: str) -> int:
    """How many places after the point are shown: `#` and `?` drop zeros at the end."""
    count = len(holes)
    while count and holes[count - 1] != "0" and part[count - 1 : count] in ("0", ""):
        count -= 1
    return count


def _after_point(tokens: Sequence[Token], part: str, needed: int) -> str:
    out: list[str] = []
    place = 0
    for kind, word in tokens:
        if kind == "digit":
            out.append(part[place] if place < needed else " " if word == "?" else "")
            place += 1
        elif kind != "comma":
            out.append(word)
    return "".join(out)


def _exponent(section: Section, number: Decimal) -> str:
    tokens = section.tokens
    place = next(n for n, (kind, _) in enumerate(tokens) if kind == "exponent")
    mantissa, mark, tail = tokens[:place], tokens[place][1], tokens[place + 1 :]
    point = next((n for n, (kind, _) in enumerate(mantissa) if kind == "point"), len(mantissa))
    width = max(1, sum(kind == "digit" for kind, _ in mantissa[:point]))
    places = sum(kind == "digit" for kind, _ in mantissa[point:])
    power = number.adjusted() // width * width if number else 0
    number = number.scaleb(-power, _WIDE)
    if number and _rounded(number, places).adjusted() >= width:
        number, power = number.scaleb(-width, _WIDE), power + width
    sign = "-" if power < 0 else "+" if mark[1] == "+" else ""
    return f"{laid_out(mantissa, number)}{mark[0]}{sign}{laid_out(tail, Decimal(abs(power)))}"


# --- fractions ----------------------------------------------------------------------------------

_FRACTION = re.compile(r"([#0?]*)( *)([#0?]+) */ *([#0?]*[0-9]+|[#0?]+)")


def _fraction(section: Section, number: Decimal) -> str:
    """`# ?/?`, `# ??/??`, `?/8`: the nearest fraction with so many digits below the line."""
    text = "".join(word for _, word in section.tokens)
    match = _FRACTION.search(text)
    if not match:
        return general(number)
    whole, _, above, below = match.groups()
    exact = Fraction(number)
    units = int(exact) if whole else 0
    rest = exact - units
    if re.fullmatch(r"[1-9][0-9]*", below):
        under = int(below)
        over = round(rest * under)
    else:
        nearest = rest.limit_denominator(10 ** min(len(below), 7) - 1)
        over, under = nearest.numerator, nearest.denominator
    if whole and over == under:
        units, over = units + 1, 0
    start = str(units) if units or not over or "0" in whole else ""
    if whole and not over:
        shape = f"{start}{' ' * (len(above) + len(below) + 2)}"
    else:
        gap = " " if whole else ""
        shape = f"{start if whole else ''}{gap}{over:>{len(above)}}/{under:<{len(below)}}"
    return text[: match.start()] + shape + text[match.end() :]


_RENDER: dict[Kind, Callable[[Section, Decimal], str]] = {
    "literal": _literal,
    "general": _general,
    "digits": _digits,
    "exponent": _exponent,
    "fraction": _fraction,
    "text": _general,
}
