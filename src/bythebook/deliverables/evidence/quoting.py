"""Does a place read as somebody says? What may differ between a text and a quotation of it.

Both are compared as words and numbers in a row, after Unicode's compatible forms (NFKC). Case,
spaces, quotes, dashes and other punctuation do not matter, nor do currency signs and codes. A
number may be rounded to fewer digits than stand there, and written with other separators, as a
percentage or as a fraction; it may not claim digits that do not stand there. `...` stands for
words left out. What begins with `=` is a formula, and is compared sign by sign.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

MOST_SAID = 2000
MOST_TOKENS = 150
"""Letters of a quotation, and words of it in a row, that are looked for."""

IDEOGRAPH = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
DIGITS = r"\d{1,3}(?:[,.']\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?"
SPACED = rf"\d{{1,3}}(?: \d{{3}})+(?:[.,]\d+)?(?!\d)|{DIGITS}"
TAIL = r"(?:e[+-]?\d{1,3}(?!\w))?"


def _pattern(digits: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<open>\()?(?P<sign>(?<!\w)-)?(?P<number>(?:{digits}){TAIL})(?P<percent> ?%)?"
        rf"|(?P<letter>[{IDEOGRAPH}])"
        rf"|(?P<word>[^\W\d_](?:(?![{IDEOGRAPH}])[^\W_])*)"
    )


TOKENS = (_pattern(SPACED), _pattern(DIGITS))
"""With spaces between thousands, and without: figures side by side may look like one."""
CURRENCIES = {
    "usd", "eur", "gbp", "chf", "jpy", "cny", "rmb", "hkd", "sgd", "aud", "cad", "nzd", "sek",
    "nok", "dkk", "pln", "czk", "inr", "brl", "mxn", "zar", "krw",
}  # fmt: skip
APOSTROPHES = str.maketrans(dict.fromkeys("\u2019\u2018\u02bc\u00b4`", "'"))
MINUSES = str.maketrans(dict.fromkeys("\u2212\u2013\u2014\u2010\u2011\ufe63", "-"))
ELLIPSIS = re.compile(r"\.{3,}|\u2026|\[\.\.\.\]")
PIECES = re.compile(r"[|;\n\t]")


class Figure(NamedTuple):
    """A number as it may be meant: values, each with half of its last digit."""

    meant: tuple[tuple[Decimal, Decimal], ...]


Token = str | Figure


def folded(text: str) -> str:
    """Compatible forms, small letters, one kind of space, dash and apostrophe."""
    plain = unicodedata.normalize("NFKC", text.translate(MINUSES)).casefold()
    return " ".join(plain.translate(APOSTROPHES).translate(MINUSES).split())


@lru_cache(maxsize=64)
def tokens(text: str, *, spaced: bool = False) -> tuple[Token, ...]:
    """The words and numbers of a text; `spaced`: a space may part thousands."""
    found: list[Token] = []
    plain = folded(text)
    for match in TOKENS[not spaced].finditer(plain):
        if match["number"] is None:
            word = match[0]
            if word not in CURRENCIES:
                found.append(word)
        else:
            closed = match["open"] is not None and plain[match.end() : match.end() + 1] == ")"
            found.append(_figure(match, closed))
    return tuple(found)


def _figure(match: re.Match[str], bracketed: bool) -> Figure:
    """All that a number may mean: 1,234 is read in English and in German; (12) may be minus 12."""
    values: list[tuple[Decimal, Decimal]] = []
    for text in _readings(match["number"]):
        value = Decimal(text)
        half = Decimal(5).scaleb(_exponent(value) - 1)
        signs = (-1,) if match["sign"] else (1, -1) if bracketed else (1,)
        for sign in signs:
            values.append((sign * value, half))
            if match["percent"]:
                values.append((sign * value / 100, half / 100))
    return Figure(tuple(values))


def _exponent(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def _readings(text: str) -> Iterable[str]:
    mantissa, sign, power = text.partition("e")
    bare = mantissa.replace(" ", "").replace("'", "")
    for point, group in ((".", ","), (",", ".")):
        whole, _, rest = bare.partition(point)
        parts = whole.split(group)
        # A group of thousands has three digits; the first one has up to three.
        fits = group not in rest and point not in rest and all(len(p) == 3 for p in parts[1:])
        if fits and (len(parts) == 1 or len(parts[0]) <= 3):
            yield whole.replace(group, "") + (f".{rest}" if rest else "") + sign + power


def same(said: Token, there: Token) -> bool:
    """Whether a token of a quotation is that of the text, rounded perhaps."""
    if isinstance(said, str) or isinstance(there, str):
        return said == there
    return any(
        abs(value - true) <= half and (exact <= half or value == true)
        for value, half in said.meant
        for true, exact in there.meant
    )


def _place(said: Sequence[Token], there: Sequence[Token], start: int = 0) -> int:
    """Where the tokens stand in a row, as the place after them; -1 if nowhere."""
    for first in range(start, len(there) - len(said) + 1):
        if all(same(one, there[first + n]) for n, one in enumerate(said)):
            return first + len(said)
    return -1


def found_in(said: str, text: str) -> bool:
    """Whether a quotation stands in a text, in one row of words or parted by `...`."""
    if said.lstrip().startswith("="):
        return bare_formula(said) in bare_formula(text)
    return any(_found(said, text, spaced) for spaced in (False, True))


def _found(said: str, text: str, spaced: bool) -> bool:
    said = said[:MOST_SAID]
    parts = [tokens(part, spaced=spaced)[:MOST_TOKENS] for part in ELLIPSIS.split(said)]
    wanted = [part for part in parts if part]
    if not wanted:
        return folded(said) in folded(text)
    there, place = tokens(text, spaced=spaced), 0
    for part in wanted:
        place = _place(part, there, place)
        if place < 0:
            return False
    return True


def bare_formula(text: str) -> str:
    """A formula without spaces and dollar signs, in small letters."""
    return "".join(unicodedata.normalize("NFKC", text).replace("$", "").casefold().split())


def reads_so(said: str, readings: Iterable[str], *, pieces: bool = False) -> bool:
    """Whether one of the ways to read a place holds the quotation.

    `pieces`: what is parted by `|`, `;`, a tab or a line end may stand in several cells; each is
    looked for by itself.
    """
    ways = list(readings)
    if any(found_in(said, way) for way in ways):
        return True
    parts = [part for part in PIECES.split(said) if part.strip()]
    return (
        pieces
        and len(parts) > 1
        and all(any(found_in(part, way) for way in ways) for part in parts)
    )


MARKED = re.compile(r"\{([+~-])(.*?)\1\}", re.S)
SIGNS = re.compile(r"\[(?:\^|c|picture |chart |box )\d+\]|\[object\]")


def ways_to_read(text: str) -> tuple[str, ...]:
    """A text with its marks, without them, and as it stands once its changes are taken over."""
    bare = SIGNS.sub("", text)
    whole = MARKED.sub(lambda match: match[2], bare)
    taken = MARKED.sub(lambda match: match[2] if match[1] == "+" else "", bare)
    return tuple(dict.fromkeys((text, whole, taken)))
