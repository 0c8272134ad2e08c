"""Items by the key of their text in `texts/items.yaml`, the seed's facts put in."""

from decimal import Decimal

from msgspec.structs import replace

from authoring.fin_01_three_levels.book import NAME, SHEETS
from authoring.fin_01_three_levels.memo import MEMO, TEXTS, said
from authoring.fin_01_three_levels.rules import Rules
from authoring.fin_01_three_levels.story import Story, tell
from authoring.parts.items import WordedItems
from authoring.parts.numbers import money, percent


class Items(WordedItems):
    def __init__(self, told: Story) -> None:
        super().__init__(TEXTS / "items.yaml", said(told) | _more(told))


def supposed(told: Story) -> tuple[Decimal, Decimal, Story]:
    """Another multiple and another rate in B4 and B5, and what then comes out. A lower price, so
    that the headroom alone stays short: in no other case does the policy ask for a smaller loan."""
    terms = told.world.terms
    multiple, rate = terms.multiple - Decimal("0.40"), terms.interest + Decimal("0.02")
    drawn = replace(told.world, terms=replace(terms, multiple=multiple, interest=rate))
    return multiple, rate, tell(drawn, Rules())


def _more(told: Story) -> dict[str, str]:
    """Facts that only the rubric says."""
    multiple, rate, other = supposed(told)
    outcomes = (
        f"{name} {percent(one.irr)} and {one.moic:.2f}x" for name, one in told.outcomes.items()
    )
    traced = (
        f"{one.no} {', '.join(one.documents)}"
        for one in told.adjustments
        if one.documents and one.decision != "reject"
    )
    return {
        "book": NAME,
        "memo": MEMO,
        "sheets": ", ".join(SHEETS),
        "revenue": money(told.price.revenue, 0),
        "words": ", ".join(f"{one.no} {one.decision}" for one in told.adjustments),
        "peg": money(told.price.peg, 0),
        "outcomes": "; ".join(outcomes),
        "fund_equity": money(told.outcomes["Base"].equity, 0),
        "decision": told.decision,
        "other_multiple": f"{multiple:.2f}",
        "other_rate": percent(rate, 2),
        "other_irr": percent(other.outcomes["Base"].irr),
        "other_equity": money(other.outcomes["Low"].equity, 0),
        "other_room": percent(other.years["Base"][-1].headroom),
        "other_largest": money(other.largest, 0),
        "documents": "; ".join(traced),
    }
