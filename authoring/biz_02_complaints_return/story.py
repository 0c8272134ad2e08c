"""What the return says, and that each text is alive."""

from decimal import Decimal

from authoring.biz_02_complaints_return.world import (
    CODES,
    ELECTRICITY,
    GAS,
    Complaint,
    World,
    world,
)
from authoring.parts.invariants import invariant
from authoring.parts.numbers import rounded

LAST = (71, 19, 66, 5, 52, 4, 10, 1815)
"""Of the last half-year, lines L01 to L08."""
LAST_BASE = 41200
LAST_CODES = (14, 9, 6, 8, 11, 7, 5, 6, 4, 1)
LABELS = (
    *("Complaints received", "Summary resolutions", "Closed in time", "Open at 30 June 2025"),
    *("Upheld", "Partly upheld", "Not upheld", "Redress paid"),
)
RATE = "Complaints for each 1,000 accounts"
DOCUMENTS = ("Final reply", "final reply", "Reply ", "Letter ", "Holding")


def totals(told: World, days: int = 3, limit: int = 56, base: int = 0) -> dict[str, Decimal]:
    """The labels of Summary to their figures."""
    all_of = told.complaints
    outcomes = [one.outcome for one in all_of]
    figures = (
        len(all_of),
        sum(one.summary(days) for one in all_of),
        sum(one.in_time(limit) for one in all_of),
        *(outcomes.count(name) for name in ("open", "upheld", "partly", "not upheld")),
        sum(one.redress for one in all_of),
    )
    found = {name: Decimal(value) for name, value in zip(LABELS, figures, strict=True)}
    return found | {RATE: rounded(Decimal(1000 * len(all_of)) / (base or told.base), 2)}


def by_code(told: World) -> dict[str, tuple[int, int, int]]:
    """Complaints, those for the customer, and what was paid, for each cause."""
    found = {}
    for code in CODES:
        mine = [one for one in told.complaints if one.cause == code]
        right = sum(one.outcome in ("upheld", "partly") for one in mine)
        found[code] = (len(mine), right, sum(one.redress for one in mine))
    return found


def by_product(told: World) -> dict[str, int]:
    products = [one.product for one in told.complaints]
    return {name: products.count(name) for name in ("E", "G", "B")}


def left(told: World) -> dict[str, list[str]]:
    """Numbers of the contacts left out, by their code."""
    found: dict[str, list[str]] = {}
    for one in told.contacts:
        if one.left:
            found.setdefault(one.left, []).append(one.no)
    return dict(sorted(found.items()))


def hidden(told: World) -> tuple[Complaint, ...]:
    """Complaints that come as thanks, enquiries or goodbyes."""
    keys = ("k01a", "k01b", "k09b", "g1", "g2")
    return tuple(one for one in told.complaints if one.key[0] == "p" or one.key in keys)


def story(seed: int) -> World:
    told = world(seed)
    invariant(120 <= len(told.contacts) <= 130, "about 125 contacts")
    for one in told.contacts:
        whole = (one.text, one.done)
        words = all(any(said in part for part in whole) for said in one.words)
        invariant(words, f"{one.key}: the words that decide it are its own")
        invariant(25 <= len(one.text.split()) <= 90, f"{one.key}: neither short nor long")
        known = one.verdict[0] != "=" or one.verdict[1:] in told.by_key
        invariant(known, f"{one.key} belongs to a complaint that there is")
    for complaint in told.complaints:
        _check(complaint)
        invariant(fuel_is_told(complaint), f"{complaint.key}: account and text bear its product")
    return told


def fuel_is_told(one: Complaint) -> bool:
    """One fuel for an account that has one; else one only if the first contact names it."""
    account = one.first.account
    if account in ELECTRICITY or account in GAS:
        return one.product == ("E" if account in ELECTRICITY else "G")
    named = {"E": "electric", "G": "gas"}
    return one.product == "B" or named[one.product] in one.first.text.casefold()


def _check(one: Complaint) -> None:
    invariant(one.closed is None or one.closed >= one.received, f"{one.key}: closed after receipt")
    paid = one.redress == 0 or one.outcome in ("upheld", "partly")
    invariant(paid, f"{one.key}: redress for what was upheld")
    invariant(one.cause in CODES and one.product in ("E", "G", "B"), f"{one.key}: known codes")
