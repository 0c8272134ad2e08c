"""Other editions of what a span says: same family or one supersedes the other, other words."""

import re
from collections.abc import Iterator
from functools import lru_cache

from bythebook.build.sop.forms import Source, Span
from bythebook.build.sop.shelf import Shelf, level

ALIKE = 0.5
"""Least share of words in common, of two spans that speak of the same thing."""
SAME_NUMBER = 0.3
"""The same for spans with the same clause number."""
WORD = re.compile(r"\w+")


def other_editions(shelf: Shelf, link: str) -> Iterator[tuple[str, str]]:
    """`(link, why)` of the span that stands in each other edition for this one and says something
    else. `why`: how the two documents stand to each other, seen from the first."""
    source, span = shelf.source(link), shelf.span(link)
    for other in (shelf.sources[name] for name in related(shelf, source.id)):
        found = _counterpart(span, other)
        if found is not None and level(found.text) != level(span.text):
            yield f"{other.id}#{found.id}", standing(shelf, source, other)


def related(shelf: Shelf, name: str) -> tuple[str, ...]:
    """The other editions of a document: of its family, or superseded one by the other."""
    one = shelf.sources[name]
    return tuple(
        other.id
        for other in shelf.sources.values()
        if other.id != name
        and (
            (bool(one.family) and one.family == other.family)
            or one.id in other.supersedes
            or other.id in one.supersedes
        )
    )


def _counterpart(span: Span, other: Source) -> Span | None:
    """The span that is most alike, if it is alike enough; the clause number helps."""
    scored = [
        (_alike(span, found) + (0.2 if _numbered_alike(span, found) else 0.0), found)
        for found in other.spans
        if _alike(span, found) >= (SAME_NUMBER if _numbered_alike(span, found) else ALIKE)
    ]
    return max(scored, key=lambda pair: pair[0])[1] if scored else None


def _numbered_alike(one: Span, other: Span) -> bool:
    return bool(one.number) and one.number == other.number


def _alike(one: Span, other: Span) -> float:
    """Jaccard: words in common by words in either."""
    a, b = _words(one.text), _words(other.text)
    return len(a & b) / len(a | b) if a | b else 0.0


@lru_cache(maxsize=50_000)
def _words(text: str) -> frozenset[str]:
    """Kept, for each span is compared with all spans of the other editions."""
    return frozenset(WORD.findall(level(text)))


def standing(shelf: Shelf, one: Source, other: Source) -> str:
    """What metadata decide between two documents: `other ...` when the first is followed, `one ...`
    when the other is, `both ...`; empty when they decide nothing."""
    out_one, out_other = shelf.not_in_force(one), shelf.not_in_force(other)
    if out_one and out_other:
        return f"neither {one.id} {out_one}; {other.id} {out_other}"
    if out_other:
        return f"one {other.id} {out_other}; {one.id} is in force on {shelf.day}"
    if out_one:
        return f"other {one.id} {out_one}; {other.id} is in force on {shelf.day}"
    if one.scope != other.scope and (one.scope or other.scope):
        return f"both each is in force for its own: {_scope(one)}, and {_scope(other)}"
    return _newer(one, other)


def elsewhere(one: Source, other: Source) -> bool:
    """Each holds in a jurisdiction of its own: no case falls under both."""
    places = one.scope.get("jurisdiction"), other.scope.get("jurisdiction")
    return all(places) and places[0] != places[1]


def _newer(one: Source, other: Source) -> str:
    """Of two editions of one family the later one is followed; of two families none."""
    if not (one.family and one.family == other.family):
        return ""
    first, second = one.effective[0] or "", other.effective[0] or ""
    if first == second:
        return ""
    new, old, side = (one, other, "one") if first > second else (other, one, "other")
    return f"{side} {new.id} holds from {new.effective[0]}, later than {old.id}"


def _scope(source: Source) -> str:
    named = ", ".join(f"{name} {value}" for name, value in source.scope.items())
    return f"{source.id} for {named or 'all'}"
