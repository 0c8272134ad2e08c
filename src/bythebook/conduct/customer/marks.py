"""What of a text can be recognised when it is said again in other words.

Numbers (as figures or spelled out), ids, names, and the stems of all other words. Everything here
is exact matching; a text that means the same without sharing a mark is not recognised.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Self

import msgspec

from bythebook.conduct.search import STOPWORDS, words

ID = re.compile(r"\b[A-Z][A-Z0-9]{0,7}[-/](?=[\w/-]{0,30}?\d)[\w/-]{1,40}")
TIME = re.compile(r"\b(\d{1,2}):(\d{2})\b")
FIGURE = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
LONGEST = 18
"""Digits in a row beyond this are no amount, and nothing is made of them."""
CAPITALS = re.compile(r"[A-Z][a-z]+(?:[ -][A-Z][a-z]+)*")
OPENERS = ' \t"\u201c\u2018(*'

SMALLEST = 10
"""Smaller numbers are everyday speech ("one moment", "the second") and no marks."""

_SMALL = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
SPELLED = {word: value for value, word in enumerate(_SMALL.split())}
SPELLED |= {word: 10 * place for place, word in enumerate(_TENS.split(), start=2)}
SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}

_CALENDAR = """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June
    July August September October November December
"""
CALENDAR = frozenset(_CALENDAR.split())
_EMPTY = (
    "get got now want need thank thanks please yes just here there been us him her his she he any "
    "all one if but am me mine ours could would should about again also okay right well let know "
    "alder agent"
)
PLAIN = STOPWORDS | frozenset(words(_EMPTY)) | frozenset(words(" ".join((*SPELLED, *SCALES))))
"""Stems that tell nothing."""


class Marks(msgspec.Struct, frozen=True):
    """The marks of a text, or of many."""

    numbers: frozenset[str] = frozenset()
    """Without trailing zeros: "60" for $60.00 and for sixty. A time is "3:15", morning or not."""
    ids: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    """Runs of capitalised words inside a sentence, as stems; no weekdays, no months."""
    words: frozenset[str] = frozenset()
    """Stems, those of names included, without `PLAIN` and numbers."""
    line: str = ""
    """All stems in order, in which names are looked for."""

    @classmethod
    def of(cls, text: str) -> Self:
        rest = TIME.sub(" ", ID.sub(" ", text))
        stems = words(text)
        return cls(
            numbers=frozenset((*_times(text), *_figures(rest), *_spelled(rest))),
            ids=frozenset(found.rstrip("-/") for found in ID.findall(text)),
            names=frozenset(_names(text)),
            words=frozenset(s for s in stems if len(s) > 2 and s.isalpha() and s not in PLAIN),
            line=f" {' '.join(stems)} ",
        )

    @classmethod
    def of_data(cls, value: Any) -> Self:
        """The marks of rows and other data; a whole number also stands for its hundredth."""
        texts, numbers = [], set()
        for leaf in _leaves(msgspec.to_builtins(value)):
            if isinstance(leaf, str):
                texts.append(leaf)
            elif isinstance(leaf, int) and not isinstance(leaf, bool):
                numbers |= {_plain(Decimal(leaf)), _plain(Decimal(leaf) / 100)}
        found = cls.of(" | ".join(texts))
        return msgspec.structs.replace(found, numbers=found.numbers | numbers)

    def __or__(self, other: "Marks") -> "Marks":
        return Marks(
            self.numbers | other.numbers,
            self.ids | other.ids,
            self.names | other.names,
            self.words | other.words,
            f"{self.line}|{other.line}",
        )

    @property
    def figures(self) -> frozenset[str]:
        """The numbers, and those inside ids ("4471" in INV-4471)."""
        inside = re.findall(r"\d+", " ".join(self.ids))
        return self.numbers | {_plain(Decimal(d)) for d in inside if len(d) <= LONGEST}

    def without(self, known: "Marks") -> "Marks":
        """The marks that `known` does not hold."""
        return Marks(
            self.numbers - known.figures,
            self.ids - known.ids,
            frozenset(name for name in self.names if f" {name} " not in known.line),
            self.words - known.words,
        )

    def tells(self, said: "Marks") -> bool:
        """Does `said` give these marks away?

        It does with one number, id or name of them, or with half of their words and at least two.
        """
        if self.numbers & said.numbers or self.ids & said.ids:
            return True
        if any(f" {name} " in said.line for name in self.names):
            return True
        return len(self.words & said.words) >= max(2, -(-len(self.words) // 2))


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner)
    else:
        yield value


def _plain(number: Decimal) -> str:
    return format(number.normalize(), "f")


def _times(text: str) -> Iterator[str]:
    for hours, minutes in TIME.findall(text):
        yield f"{int(hours) % 12}:{minutes}"


def _figures(text: str) -> Iterator[str]:
    for figure in FIGURE.findall(text):
        if len(figure) > LONGEST:
            continue
        number = Decimal(figure.replace(",", ""))
        if number >= SMALLEST or number != number.to_integral_value():
            yield _plain(number)


def _spelled(text: str) -> Iterator[str]:
    """Numbers in words: "a hundred and fifty" is 150."""
    total = current = 0
    last = ""
    for token in [*re.findall(r"[a-z]+|[.,;:!?]", text.lower()), "."]:
        if token in SCALES and current < SCALES[token]:
            current = max(1, current) * SCALES[token]
            if token != "hundred":
                total, current = total + current, 0
        elif token in SPELLED and _continues(current, SPELLED[token]):
            current += SPELLED[token]
        elif not (token == "and" and last in SCALES):
            if total + current >= SMALLEST:
                yield str(total + current)
            total, current = 0, SPELLED.get(token, SCALES.get(token, 0))
        last = token


def _continues(current: int, value: int) -> bool:
    """May a spelled number go on with this word? "thirty four" may, "fifty sixty" may not."""
    return current % 100 == 0 or (value < 10 and current % 10 == 0 and current % 100 >= 20)


def _names(text: str) -> Iterator[str]:
    for found in CAPITALS.finditer(text):
        run = found.group()
        before = text[max(0, found.start() - 8) : found.start()].rstrip(OPENERS)
        if not before or before[-1] in ".!?\n":
            run = run.partition(" ")[2]
        name = " ".join(words(run))
        if len(name) > 2 and run not in CALENDAR and name not in PLAIN:
            yield name
