"""`figures` and `text`: what a document says of a number, and which words it uses.

Over prose both only refute: that a number stands beside a name does not prove the sentence right.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import partial
from typing import NamedTuple

from bythebook.deliverables.checks import spec as s
from bythebook.deliverables.checks.amounts import amounts, counted, names_scale
from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.checks.case import Case
from bythebook.deliverables.checks.dates import Locale
from bythebook.deliverables.checks.deciding import fail, together, unsure
from bythebook.deliverables.checks.places import encoded, shortened
from bythebook.deliverables.checks.prose import Piece, pieces
from bythebook.deliverables.checks.reading import written_value
from bythebook.deliverables.checks.uses import PROSE
from bythebook.deliverables.checks.wording import fold, holds_phrase, phrase
from bythebook.deliverables.evidence.model import Kind

MOST_NUMBERS = 6
"""In one sentence: one that lists more says nothing of any."""
LOCALES: tuple[Locale, ...] = ("en", "de", "fr")
_ENDINGS = r"(?:s|es|d|ed|ing)?"
_NOT = re.compile(r"\b(?:not|never|no longer|nicht|kein\w*|pas)\s+(?:\w+\s+)?$")


class Segment(NamedTuple):
    """A sentence, bullet or row, and the piece it is part of."""

    text: str
    piece: Piece


def read_pieces(
    name: str, case: Case, kinds: tuple[Kind, ...] = PROSE
) -> tuple[str, tuple[Piece, ...]]:
    """A wanted document's pieces, read once."""
    name, content = case.file(name, kinds)
    if ("prose", name) not in case.kept:
        case.kept["prose", name] = pieces(name, content)
    found: tuple[Piece, ...] = case.kept["prose", name]
    return name, found


def check_figures(spec: s.Figures, case: Case) -> Answer:
    """Each number is said of what it belongs to, and with the right sign."""
    name, _ = read_pieces(spec.file, case)
    return together(partial(_figure, one, spec, case, name) for one in spec.all)


def _figure(one: s.Said, spec: s.Figures, case: Case, name: str) -> Answer:
    value = _number(one.value)
    whole: tuple[Piece, ...] = case.kept["prose", name]
    said = tuple(piece for piece in whole if piece.kind == "row" or not spec.only)
    aliases = (one.near,) if isinstance(one.near, str) else one.near
    near = [segment for segment in segments(said) if _is_near(segment.text, aliases)]
    hits = [segment for segment in near if says(segment, value, one.digits, case.locale)]
    if hits:
        return _signed(one, hits)
    wanted = f"{one.value}" + (f" beside {aliases[0]}" if aliases else "")
    place = near[0].piece.place if near else encoded(name)
    seen = shortened(near[0].text) if near else ""
    doubt = _doubt(one, aliases, said, value, case.locale)
    if not doubt and _in_other_units(near, value, one.digits, case.locale):
        why = "the figure stands in another unit"
        if not _told_elsewhere(value, whole, case.locale):
            raise fail(f"{why}, and no words say in which", place, seen=seen, wanted=wanted)
        doubt = why
    if doubt:
        raise unsure(doubt, place, seen=seen, wanted=wanted)
    if spec.only and not near:
        raise unsure("no row of a table speaks of it", place, wanted=wanted)
    raise fail("the figure does not stand there", place, seen=seen, wanted=wanted)


def _number(value: object) -> Decimal:
    read, _ = written_value(value, "number")
    return read if isinstance(read, Decimal) else Decimal(0)


def segments(said: tuple[Piece, ...]) -> Iterator[Segment]:
    for piece in said:
        for text in piece.segments:
            yield Segment(text, piece)


def _is_near(text: str, aliases: tuple[str, ...]) -> bool:
    return not aliases or any(holds_phrase(text, alias) for alias in aliases)


def says(segment: Segment, value: Decimal, digits: int, locale: Locale) -> bool:
    """Does a sentence or row give this number, among few?"""
    if not gives(segment.text, value, digits, locale):
        return False
    return segment.piece.kind == "row" or counted(segment.text, locale) <= MOST_NUMBERS


def _signed(one: s.Said, hits: list[Segment]) -> Answer:
    """The number is there; some sentence that gives it must not have the wrong word."""
    wrong: str = ""
    for text, piece in hits:
        wrong = _contradiction(one.word, text)
        if not wrong:
            return Answer(mark="pass", place=piece.place, seen=shortened(text))
    first = hits[0]
    right = one.word[0] if one.word else ""
    seen = shortened(first.text)
    raise fail(f"says {wrong!r} of it", first.piece.place, seen=seen, wanted=right)


def _contradiction(word: tuple[str, str] | None, text: str) -> str:
    """The wrong word, where it stands without the right one."""
    if word is None:
        return ""
    right, wrong = (_words(alternatives, text) for alternatives in word)
    return wrong if wrong and not right else ""


def _words(alternatives: str, text: str) -> str:
    """The first of `over|above` that a text says and does not deny."""
    plain = fold(text)
    for word in alternatives.split("|"):
        for found in re.finditer(rf"\b{re.escape(fold(word))}{_ENDINGS}\b", plain):
            if not _NOT.search(plain[max(0, found.start() - 40) : found.start()]):
                return found.group()
    return ""


def _doubt(
    one: s.Said,
    aliases: tuple[str, ...],
    said: tuple[Piece, ...],
    value: Decimal,
    locale: Locale,
) -> str:
    """Why the number may be there after all, for the judge; empty: it is not."""
    near = [text for text, _ in segments(said) if _is_near(text, aliases)]
    if any(gives(text, value, one.digits, other) for text in near for other in LOCALES):
        return "the figure stands among many, or is written as in another language"
    named = {piece.group for piece in said if _is_near(piece.text, aliases)}
    for before, piece in zip((None, *said), said, strict=False):
        lead = before is not None and _is_near(before.text, aliases)
        above = any(_is_near(text, aliases) for text in piece.under)
        if (piece.group in named or above or lead) and gives(piece.text, value, one.digits, locale):
            return "the figure stands near it, in another sentence"
    return ""


def _in_other_units(near: list[Segment], value: Decimal, digits: int, locale: Locale) -> bool:
    units = _other_units(value)
    return any(gives(text, unit, digits, locale) for text, _ in near for unit in units)


def _told_elsewhere(value: Decimal, whole: tuple[Piece, ...], locale: Locale) -> bool:
    """May the unit stand somewhere else: thousands, millions; for a share, any sign of per cent
    can be missed without misleading anybody."""
    return abs(value) < 1 or any(names_scale(piece.text, locale) for piece in whole)


def _other_units(value: Decimal) -> tuple[Decimal, ...]:
    """A figure in thousands, millions or per cent whose unit stands elsewhere: in a heading."""
    size = abs(value)
    if 0 < size < 1:
        return (value.scaleb(2),)
    return tuple(value.scaleb(-by) for by in (3, 6) if size.scaleb(-by) >= 1)


def gives(text: str, value: Decimal, digits: int, locale: Locale) -> bool:
    return any(amount.says(value, digits) for amount in amounts(text, locale))


# --- text ---------------------------------------------------------------------------------------


def check_phrases(spec: s.Phrases, case: Case) -> Answer:
    """Every wanted phrase is said somewhere, no unwanted one anywhere."""
    name, said = read_pieces(spec.file, case)
    whole = phrase("\n".join(piece.text for piece in said))
    for one in spec.all:
        options = (one,) if isinstance(one, str) else one
        if not any(holds_phrase(whole, option) for option in options):
            raise fail("none of these is said", encoded(name), wanted=" or ".join(options))
    for unwanted in spec.none:
        for piece in said:
            if holds_phrase(piece.text, unwanted):
                why = f"says {unwanted!r}"
                raise fail(why, piece.place, seen=shortened(piece.text))
    return Answer(mark="pass", place=encoded(name))
