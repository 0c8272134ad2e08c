"""When two texts are the same: three readings, from strict to lenient.

fold      a value: letter case, width, quotes and spaces do not matter; signs do: A- is not A
heading   a heading, label or sheet: neither does punctuation, nor a unit in brackets
phrase    words in running text: punctuation between them does not matter
"""

import re
import unicodedata
from functools import lru_cache

_DASH = re.compile(r"[\u2010-\u2015\u2212]")
_QUOTE = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00ab": '"'})
_BRACKET = re.compile(r"[(\[{]([^()\[\]{}]*)[)\]}]")
_LAST_BRACKET = re.compile(rf"{_BRACKET.pattern}\s*$")
_OTHER = re.compile(r"[^\w%+]+|_")
_NUMBERING = re.compile(r"^(?:(?:\d+|[ivxlc]+|[a-z])[.)]|\d+(?:\.\d+)*)\s+")

_WRITTEN = (
    "in per of cny rmb usd eur gbp chf jpy cad aud sek nok dkk pln inr hkd sgd yuan euro euros",
    "dollars pounds francs % pct percent cm mm m km kg g mg ml l kn kpa mpa kw kwh h hr hrs hour",
    "hours d day days month months year years week weeks min mins minutes pcs units unit fte",
    "yyyy dd yyyy-mm yyyy-mm-dd k mn bn thousand thousands million millions tsd mio",
)
UNITS = frozenset(word for line in _WRITTEN for word in line.split())
"""Words that, alone in a bracket, only say in what unit a column is."""
_SIGNS = frozenset("\u20ac$\u00a3\u00a5\u5143%")


@lru_cache(maxsize=50_000)
def fold(text: str) -> str:
    """A value: `A-` and `A` differ, `EMP 1` and `emp  1` do not."""
    plain = unicodedata.normalize("NFKC", text).translate(_QUOTE)
    return " ".join(_DASH.sub("-", plain).casefold().split())


@lru_cache(maxsize=50_000)
def heading(text: str, unit: str = "") -> str:
    """A heading without a unit: `Gross pay (CNY)` is `gross pay`, `Pay (employer)` is not `pay`."""
    own = _words(fold(unit))
    known = UNITS | set(own)
    bare = _BRACKET.sub(lambda m: " " if _is_unit(m[1], known) else f" {m[1]} ", fold(text))
    words = _words(bare)
    if own and len(words) > len(own) and words[-len(own) :] == own:
        words = words[: -len(own)]
    return " ".join(words)


def without_remark(text: str) -> str | None:
    """A heading before the bracket at its end: `Dose` of `Dose (mg, 0 if none)`; None without."""
    before = _LAST_BRACKET.sub("", text)
    return before if before != text and before.strip() else None


@lru_cache(maxsize=50_000)
def phrase(text: str) -> str:
    """Words in running text."""
    return " ".join(_words(fold(text)))


def holds_phrase(text: str, part: str) -> bool:
    """Does a text say these words, whole and in this order?"""
    wanted = phrase(part)
    return bool(wanted) and (f" {wanted} " in f" {phrase(text)} " or _ideographs(wanted, text))


def unnumbered(text: str) -> str:
    """A heading of a document without its number."""
    return heading(_NUMBERING.sub("", fold(text)))


def _words(text: str) -> list[str]:
    return _OTHER.sub(" ", text).split()


def _is_unit(inside: str, known: frozenset[str]) -> bool:
    words = [word.strip(".") for word in re.split(r"[\s,;/+]+", inside) if word.strip(".")]
    return bool(words) and all(w in known or set(w) <= _SIGNS for w in words)


def _ideographs(wanted: str, text: str) -> bool:
    """Languages that put no spaces between words."""
    return any("\u3040" <= letter <= "\u9fff" for letter in wanted) and wanted in phrase(text)
