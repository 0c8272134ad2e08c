"""All sources together: links are looked up here, and which documents hold on a day."""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from bythebook import yamlfile
from bythebook.build.sop.forms import Link, Source, Span
from bythebook.errors import ContentError, suggestion
from bythebook.tool import Day

SHORTEST = 8
"""Fewest letters of a quote, unless it is its whole span."""
ANY_DAY = "9999-12-31"
"""Where no document says from when it holds: a day after all of them."""
DRAFT = ("draft", "proposed", "proposal", "in review")
ENDED = (
    "superseded",
    "archived",
    "obsolete",
    "withdrawn",
    "expired",
    "deprecated",
    "retired",
    "outdated",
)
ALIKE = "name the file as its id, or take a copy out of this folder"
TWICE = "superseded, superseded by"
SAME = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-"}
)
"""What word processors write in place of plain quotation marks and dashes."""


class Shelf:
    """Sources by id. `day`: for which the work is described; none given, the latest day on which a
    document that is in force begins."""

    def __init__(self, sources: Iterable[Source], day: Day | None = None) -> None:
        self.sources = {source.id: source for source in sources}
        self._spans = {
            f"{source.id}#{span.id}": (source, span)
            for source in self.sources.values()
            for span in source.spans
        }
        self.day = day or self._latest()
        self._after: dict[str, list[Source]] = {}
        for source in self.sources.values():
            for before in source.supersedes:
                self._after.setdefault(before, []).append(source)

    def __contains__(self, link: str) -> bool:
        return link in self._spans

    def source(self, link: str) -> Source:
        return self._spans[link][0]

    def span(self, link: str) -> Span:
        return self._spans[link][1]

    def broken(self, link: Link) -> str:
        """What is wrong with a link and its quote, and what to do; empty for a sound one."""
        lost = self.lost(link.source)
        if lost:
            return lost
        text, quote = level(self.span(link.source).text), level(link.quote)
        if quote and quote in text and (len(quote) >= SHORTEST or quote == text):
            return ""
        if len(quote) < SHORTEST:
            return f"{link.source}: the quote {link.quote!r} is too short: quote a whole phrase"
        elsewhere = sorted(
            (name for name, (_, span) in self._spans.items() if quote in level(span.text)),
            key=lambda name: bool(self.not_in_force(self.source(name))),
        )
        hint = (
            f"it stands in {' and '.join(elsewhere[:3])}: link there"
            if elsewhere
            else "quote word for word, or take the claim out"
        )
        return f"{link.source}: the quote {link.quote!r} does not stand in this span; {hint}"

    def lost(self, link: str) -> str:
        """Why there is no such span, and what there is; empty where there is one."""
        if link in self._spans:
            return ""
        name, mark, span = link.partition("#")
        if not mark:
            return f"{link!r} is no link: write document#span"
        if name not in self.sources:
            return f"no document {name!r}: {suggestion(name, self.sources)}"
        known = [one.id for one in self.sources[name].spans]
        moved = [one for one in known if one.rpartition("-")[0] == span.rpartition("-")[0]]
        if moved:
            return f"{link}: no such span; its words may have changed, look at {moved[0]!r}"
        return f"{link}: no such span; {suggestion(span, known)}"

    def not_in_force(self, source: Source) -> str:
        """Why a document does not hold on the day; empty for one that does."""
        if any(word in source.status for word in DRAFT):
            return "is a draft"
        since, to = source.effective
        if to is not None and to <= self.day:
            return f"ended on {to}{self._by(source)}"
        if any(word in source.status for word in ENDED):
            return f"is {source.status}{self._by(source)}".replace(TWICE, "superseded by")
        if since is not None and since > self.day:
            return f"begins on {since}, after {self.day}"
        by = self._by(source)
        return f"is{by.removeprefix(',')}" if by else ""

    def _by(self, source: Source) -> str:
        """By whom it is superseded: what is itself a draft, or begins later, supersedes nothing."""
        for after in self._after.get(source.id, ()):
            since = after.effective[0]
            draft = any(word in after.status for word in DRAFT)
            if not draft and (since is None or since <= self.day):
                return f", superseded by {after.id}"
        return ""

    def _latest(self) -> Day:
        begun = [
            source.effective[0]
            for source in self.sources.values()
            if source.effective[0] and not any(w in source.status for w in (*DRAFT, *ENDED))
        ]
        return max(begun, default=ANY_DAY)

    def told(self, source: Source) -> str:
        """One line: what a document is, and how it stands."""
        since, to = source.effective
        scope = ", ".join(f"{name} {value}" for name, value in source.scope.items())
        parts = (
            source.title,
            source.kind,
            source.status,
            f"effective {since} to {to or 'further notice'}" if since or to else "",
            f"for {scope}" if scope else "",
            f"authority: {source.authority}" if source.authority else "",
            f"supersedes {', '.join(source.supersedes)}" if source.supersedes else "",
        )
        standing = self.not_in_force(source)
        said = "; ".join(part for part in parts if part)
        return f"{said}{f'; NOT IN FORCE: it {standing}' if standing else ''}"


def level(text: str) -> str:
    """Words to be compared: blanks, dashes, quotation marks and case do not count."""
    plain = unicodedata.normalize("NFKC", text).translate(SAME)
    return re.sub(r"\s+", " ", plain).strip().lower()


def load_shelf(paths: Iterable[Path], day: Day | None = None) -> Shelf:
    """Sources as they stand in the files of the first stage. Raises `ContentError`."""
    found: dict[str, Source] = {}
    for path in paths:
        source = yamlfile.load(path, Source)
        if source.id in found or source.id != path.stem:
            says = f"its id is {source.id!r}, its file is {path.name}"
            raise ContentError(says, where=path, hint=ALIKE)
        found[source.id] = source
    return Shelf(found.values(), day)
