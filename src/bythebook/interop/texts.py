"""What rules over foreign traces can ask of a text: pure functions, called by name.

`agrees` and `declines` guess what somebody meant. A rule that rests on them must say `heuristic:
true`; it is counted apart. The others are exact.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache

from bythebook.conduct.criteria.state import LookupFailed
from bythebook.conduct.criteria.vocabulary import Function

SPACE = re.compile(r"\s+")
QUOTES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"'})

YES = (
    "yes", "yeah", "yep", "yup", "y", "sure", "ok", "okay", "correct", "confirm", "confirmed",
    "i confirm", "proceed", "go ahead", "do it", "do that", "please do", "sounds good", "agreed",
    "i agree", "approve", "approved", "absolutely", "definitely", "of course", "that works",
    "works for me", "that's right", "that is right", "that's fine", "that is fine", "go for it",
    "let's do", "perfect", "looks good", "all good", "make it so",
)  # fmt: skip
NO = (
    "no", "nope", "nah", "don't", "do not", "not yet", "stop", "wait", "hold on", "cancel that",
    "never mind", "nevermind", "rather not", "i'd rather", "disagree", "decline",
)  # fmt: skip


@lru_cache(maxsize=64)
def plain(text: str) -> str:
    """In small letters, straight quotes, one space between words."""
    return SPACE.sub(" ", text.translate(QUOTES).casefold()).strip()


def contains(text: str, part: str) -> bool:
    """`part` stands in `text`; letters' size, quotes and spaces make no difference."""
    return plain(part) in plain(text)


def says(text: str, words: tuple[str, ...]) -> bool:
    """One of the words, or sequences of words, stands in `text` as whole words."""
    return _any_of(words).search(plain(text)) is not None


@lru_cache(maxsize=256)
def _any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern for all the words, each of them whole."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(plain(one)) for one in words)})(?!\w)")


def agrees(text: str) -> bool:
    """Heuristic: these words say yes."""
    return says(text, YES)


def declines(text: str) -> bool:
    """Heuristic: these words say no, and nothing in them says yes."""
    return says(text, NO) and not agrees(text)


def lower(text: str) -> str:
    """In small letters."""
    return text.casefold()


def without(text: str, part: str) -> str:
    """`text` with every `part` taken out of it."""
    return text.replace(part, "")


def pairs(one: tuple[str, ...], two: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """What stands at the same place of both lists, as far as both go."""
    return tuple(zip(one, two, strict=False))


def distinct(items: tuple[str, ...]) -> int:
    """How many different ones there are."""
    return len(set(items))


def minutes_between(start: str, end: str) -> int:
    """Whole minutes from one ISO 8601 moment to another, rounded down."""
    try:
        first, last = datetime.fromisoformat(start), datetime.fromisoformat(end)
        return int((last - first).total_seconds() // 60)
    except (ValueError, TypeError):
        raise LookupFailed(f"{start!r} and {end!r} are no two moments of one calendar") from None


FUNCTIONS: Mapping[str, Function] = {
    run.__name__: run
    for run in (
        contains,
        says,
        agrees,
        declines,
        lower,
        without,
        pairs,
        distinct,
        minutes_between,
    )
}
HEURISTIC = frozenset({"agrees", "declines"})
