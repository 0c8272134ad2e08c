"""Offers of checks that look at tables."""

from collections.abc import Iterator
from decimal import Decimal

from bythebook.deliverables.offer.known import Keyed, Known, Offer
from bythebook.deliverables.offer.written import Digits, joined

MOST_KINDS = 12
"""Different texts of a column that are still a list to choose from."""
LOOKS = {"percent": ("percent",), "date": ("date",), "month": ("date",)}
SEE = (
    "see that the prompt asks for it: an order or a look that nobody asked for fails a right answer"
)


def rows(known: Known) -> Iterator[Offer]:
    for keyed, place in _places(known):
        told = place | {"key": list(keyed.key), "are": keyed.name}
        what = joined(map(known.label, keyed.key))
        yield Offer(told, f"{place['sheet']} has one row for each {what}, and no other.")


def column(known: Known) -> Iterator[Offer]:
    for keyed, place in _places(known):
        for name in filter(known.named, keyed.others):
            table = f"{keyed.name}#{name}"
            told = place | {"key": list(keyed.key), "column": name, "table": table}
            says = f"{known.label(name)} is right in every row of {place['sheet']}"
            yield Offer(told | {"formula": True}, f"{says}, as a live formula.")
            yield Offer(told, f"{says}.")


def cell(known: Known) -> Iterator[Offer]:
    for keyed, place in _places(known):
        for name in filter(known.named, keyed.others):
            for number, text in enumerate(keyed.table.column(name)):
                if text:
                    want = {"column": name, "equals": known.value(name, text)}
                    told = place | {"find": keyed.find(number, known)} | want
                    of = " ".join(map(str, told["find"].values()))
                    says = f"{known.label(name)} of {of} is {text}"
                    yield Offer(told | {"formula": True}, f"{says}, as a live formula.")
                    yield Offer(told, f"{says}.")


def range_(known: Known) -> Iterator[Offer]:
    for keyed, place in _places(known):
        for name in filter(known.named, keyed.others):
            texts = [text for text in keyed.table.column(name) if text]
            told = place | {"key": list(keyed.key), "column": name}
            label = known.label(name)
            if known.counts(name) and texts and not any("%" in text for text in texts):
                low, high = (Digits(one(texts, key=Decimal)) for one in (min, max))
                says = f"Every {label} lies between {low} and {high}."
                yield Offer(told | {"min": low, "max": high}, says)
            elif texts and not known.counts(name) and len(set(texts)) <= MOST_KINDS:
                kinds = list(dict.fromkeys(texts))
                yield Offer(told | {"kinds": kinds}, f"Every {label} is one of the known ones.")


def order(known: Known) -> Iterator[Offer]:
    for keyed, place in _places(known):
        others = [name for name in keyed.others if known.named(name)]
        ways = [list(keyed.key), *([f"{sign}{name}"] for name in others for sign in ("-", ""))]
        for by in ways:
            told = place | {"key": list(keyed.key), "by": by}
            first = by[0].removeprefix("-")
            how = ", largest first" if by[0].startswith("-") else ""
            yield Offer(told, f"Rows are sorted by {known.label(first)}{how}.", note=SEE)


def format_(known: Known) -> Iterator[Offer]:
    for keyed, place in _places(known):
        for name in filter(known.named, (*keyed.others, *keyed.key)):
            field = known.fields[name]
            whole = not any("." in text for text in keyed.table.column(name))
            for like in LOOKS.get(field.read_as, ("integer" if whole else "money",)):
                if field.read_as != "text":
                    told = place | {"key": list(keyed.key), "column": name, "like": like}
                    says = f"{known.label(name)} is shown as {like}."
                    yield Offer(told, says, note=SEE)


def _places(known: Known) -> Iterator[tuple[Keyed, dict[str, str]]]:
    for keyed in known.tables:
        for place in known.sheets():
            yield keyed, place
