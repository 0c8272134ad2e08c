"""Stage 9: names, addresses and numbers that must not leave the house; and the one mapping.

The mapping says for each original what stands in its place, and is kept beside the building place,
not in it. It may be edited; what it says already is never changed by the command.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.build.mind import Question, taking
from bythebook.build.sop.forms import Known, Name, Names, plain, text
from bythebook.build.sop.knowledge import load_known
from bythebook.build.sop.work import Stand, Work, prompt
from bythebook.build.stages import digest
from bythebook.errors import UsageError
from bythebook.run.durable import write_whole

FIRST = ("Avery", "Blake", "Corin", "Dana", "Emlyn", "Farah", "Greer", "Hollis", "Imre", "Jora")
LAST = ("Lind", "Marsh", "Novak", "Orme", "Pell", "Quist", "Reyes", "Stroud", "Tamm", "Varga")
FIRMS = ("Northgate", "Bluefield", "Copperhill", "Eastmere", "Fernway", "Greystone", "Highmoor")
TRADES = ("Supply", "Trading", "Services", "Works", "Partners", "Goods", "Holdings")
PLACES = ("Millbrook", "Eastvale", "Stonebridge", "Westhaven", "Oakford", "Lakemoor", "Ashby")
NUMBERED = {
    "email": "contact-{}@example.com",
    "web": "https://site-{}.example.com",
    "phone": "+00 000 {:04}",
    "account": "ACCOUNT-{:04}",
}
PATTERNS = {
    "email": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "web": re.compile(r"(?:https?://|\bwww\.)[^\s<>()\"'`]*[\w/]"),
    "phone": re.compile(
        r"\+\d[\d ().-]{6,}\d"
        r"|(?<![\w.-])(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\w-])"
        r"|(?<![\w.-])\(?0\d{1,4}\)?[ -]\d{3,4}[ -]?\d{3,4}(?![\w-])"
    ),
    "account": re.compile(
        r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b"
        r"|\b\d{4}(?:[ -]\d{4}){2,}\b|\b\d{8,}\b"
    ),
}
AMOUNT = re.compile(
    r"(?:USD|EUR|GBP|[$€£]) ?\d[\d,]*(?:\.\d+)?|\b\d[\d,]*(?:\.\d+)? ?(?:USD|EUR|GBP)\b"
)
FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")


class Renamed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The mapping's file: original to what stands in its place."""

    names: dict[str, str] = {}


def find_names(work: Work) -> Stand:
    stage = work.stage("names")
    known = load_known(work.stage("knowledge").files())
    parcels = dict(_parcels(known, work.ways.chars))
    jobs = {job: {"text": digest(shown)} for job, shown in parcels.items()}

    def absent(asked: Question, found: Names) -> Iterator[str]:
        shown = parcels[asked.id].lower()
        for one in found.names:
            if one.name.lower() not in shown:
                says = "stands in none of these procedures: write it exactly as it stands there"
                yield f"{one.name!r} {says}"

    stand = work.ask(
        "names", jobs, lambda job: prompt("names", sops=parcels[job]), taking(Names, absent),
        lambda job, found: {f"{job}.yaml": text(found)},
    )  # fmt: skip
    names = load_names(stage.files())
    if not stand.done:
        return stand
    if (lost := lost_mapping(work)) and stage.folder.name not in work.building.remake:
        raise UsageError(lost, where=work.mapping, hint=f"{PUT_BACK}; or --remake names: new ones")
    before = load_mapping(work.mapping)
    whole = "\n".join(parcels.values())
    mapping = extended(before, [(one.name, one.kind) for one in names], whole, work.ways.amounts)
    if mapping != before:
        write_whole(work.mapping, text(Renamed(mapping)).encode())
    return msgspec.structs.replace(stand, counts={"names": len(mapping)})


def _parcels(known: Mapping[str, Known], chars: int) -> Iterator[tuple[str, str]]:
    """Procedures as they are shown, as many as fit a question."""
    batch: list[str] = []
    number, room = 1, chars
    for one in known.values():
        shown = _shown(one)
        if batch and len(shown) > room:
            yield f"names-{number:02}", "\n\n".join(batch)
            batch, room, number = [], chars, number + 1
        batch.append(shown)
        room -= len(shown)
    if batch:
        yield f"names-{number:02}", "\n\n".join(batch)


def _shown(known: Known) -> str:
    """All words that leave the house with a procedure, quotes too."""
    return text(plain(known))


def load_names(paths: Iterable[Path]) -> tuple[Name, ...]:
    return tuple(name for path in paths for name in yamlfile.load(path, Names).names)


PUT_BACK = "put it back beside the place, under the place's name, or name it with --mapping FILE"


def lost_mapping(work: Work) -> str:
    """What is wrong where procedures were rewritten by a mapping that is no longer there."""
    were = work.stage("rewrite").made_from("mapping") - {digest(text({}))}
    if were and not work.mapping.exists():
        return "the mapping is gone by which names were replaced; without it no leak can be seen"
    return ""


def load_mapping(path: Path) -> dict[str, str]:
    """Raises `ContentError`."""
    return dict(yamlfile.load(path, Renamed).names) if path.exists() else {}


def extended(
    before: Mapping[str, str], names: Iterable[tuple[str, str]], whole: str, amounts: bool
) -> dict[str, str]:
    """The mapping with what is new in it; the same originals always give the same mapping."""
    found = dict(before)
    told = [*names, *((word, kind) for kind, word in _patterned(whole, amounts))]
    # Whole names first, so that a surname alone can follow them.
    for name, kind in sorted(dict(told).items(), key=lambda one: (-len(one[0].split()), one[0])):
        if name not in found and name not in found.values():
            found[name] = _part_of(name, found) or _fresh(name, kind, found, whole)
    return found


def _patterned(whole: str, amounts: bool) -> Iterator[tuple[str, str]]:
    for kind, pattern in PATTERNS.items():
        for match in pattern.finditer(whole):
            yield kind, match.group()
    for match in AMOUNT.finditer(whole) if amounts else ():
        yield "amount", match.group()


def _part_of(name: str, found: Mapping[str, str]) -> str:
    """For the last word of a name that is mapped already: the last word of its replacement."""
    for other, instead in found.items():
        words = other.split()
        if len(words) > 1 and words[-1].lower() == name.lower():
            return instead.split()[-1]
    return ""


def _fresh(name: str, kind: str, found: Mapping[str, str], whole: str) -> str:
    """The first replacement of this kind that is not in use and stands in no text."""
    if kind == "amount":
        return FIGURE.sub(lambda match: _scaled(match.group()), name)
    taken = " ".join((*found.values(), *found, whole)).lower()
    return next(one for one in _offers(kind) if one.lower() not in taken)


def _offers(kind: str) -> Iterator[str]:
    number = 0
    while True:
        round_, place = divmod(number, len(FIRST) * len(LAST))
        again = f" {round_ + 1}" if round_ else ""
        number += 1
        match kind:
            case "person":
                first, last = FIRST[place % len(FIRST)], LAST[(place + place // 10) % len(LAST)]
                yield f"{first} {last}{again}"
            case "firm":
                trade = TRADES[(number // len(FIRMS)) % len(TRADES)]
                yield f"{FIRMS[number % len(FIRMS)]} {trade}{again}"
            case "place":
                yield f"{PLACES[number % len(PLACES)]}{again}"
            case _:
                yield NUMBERED.get(kind, f"{kind.capitalize()} {{}}").format(number)


def _scaled(figure: str) -> str:
    """An amount seven twentieths larger, with as many decimals: order and shares stay."""
    head, dot, cents = figure.replace(",", "").partition(".")
    value = int(head + cents) * 27 // 20
    digits = f"{value:0{len(cents) + 1}}"
    whole = digits[: len(digits) - len(cents)] if cents else digits
    shown = f"{int(whole):,}" if "," in figure else whole
    return f"{shown}{dot}{digits[len(digits) - len(cents) :] if cents else ''}"


class Rewriter:
    """Puts replacements in the place of originals, the longest first."""

    def __init__(self, mapping: Mapping[str, str]) -> None:
        ordered = sorted(mapping, key=lambda name: (-len(name), name))
        self._instead = {" ".join(name.lower().split()): mapping[name] for name in ordered}
        self._words = _any_of(ordered)
        slugs = {_slug(name): _slug(mapping[name]) for name in ordered if len(_slug(name)) > 2}
        self._slugs = slugs
        self._parts = re.compile(
            r"(?<![a-z0-9])(?:" + "|".join(map(re.escape, slugs)) + r")(?![a-z0-9])"
        ) if slugs else None  # fmt: skip

    def words(self, said: str) -> str:
        if self._words is None:
            return said
        return self._words.sub(self._put, said)

    def _put(self, found: re.Match[str]) -> str:
        return self._instead[" ".join(found.group().lower().split())]

    def link(self, link: str) -> str:
        """A link or id: names in it stand there as slugs."""
        if self._parts is None:
            return link
        return self._parts.sub(lambda found: self._slugs[found.group()], link)

    def leaks(self, said: str) -> tuple[str, ...]:
        """Originals that stand in a text, as words or as slugs."""
        found = {match.group() for match in self._words.finditer(said)} if self._words else set()
        if self._parts is not None:
            found |= {match.group() for match in self._parts.finditer(said)}
        return tuple(sorted(found))


def _any_of(names: Iterable[str]) -> re.Pattern[str] | None:
    listed = [r"\s+".join(map(re.escape, name.split())) for name in names]
    return re.compile(rf"(?<!\w)(?:{'|'.join(listed)})(?!\w)", re.IGNORECASE) if listed else None


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
