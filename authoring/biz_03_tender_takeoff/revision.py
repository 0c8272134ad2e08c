"""What the later issue of a drawing changed: the earlier one is made from it."""

import msgspec

from authoring.biz_03_tender_takeoff.health_centre import GROUND, MATCH, Room
from authoring.biz_03_tender_takeoff.symbols import NEW
from authoring.biz_03_tender_takeoff.world import CLOUDED, LOOSE, Laid, Plan, Symbol, Tag, words

CHANGED = tuple(no for no in CLOUDED if no != LOOSE)
"""Rooms under a cloud, besides the one that left its type."""
WAS = {"S2": "S1", "D4": "D2", "S2H": "S2", "S1": "S2", "D2": "D4", "FCU": "S1", "S2W": "S2"}


def earlier(now: Laid) -> Laid:
    """In each clouded room the last new symbol is not there yet, and the first is of another
    kind; the loose room is still of its type."""
    gone: list[Symbol] = []
    other: dict[Symbol, Symbol] = {}
    for no in CHANGED:
        own = [one for one in now.symbols if one.room == no and one.status == NEW]
        own = [one for one in own if one.at[0] > MATCH]
        gone.append(own[-1])
        for one in own[:2] if no == CHANGED[0] else own[:1]:
            other[one] = msgspec.structs.replace(one, kind=WAS[one.kind])
    symbols = tuple(
        other.get(one, one) for one in now.symbols if one not in gone and one.room != LOOSE
    )
    rooms = {room.no: room for room in GROUND}
    plan = Plan(now.plan.name, GROUND, now.plan.metre)
    return Laid(plan, symbols, tuple(_tag(tag, rooms) for tag in now.tags))


def _tag(tag: Tag, rooms: dict[str, Room]) -> Tag:
    if tag.room.no != LOOSE:
        return tag
    return Tag(rooms[LOOSE], tag.at, words(rooms[LOOSE]))
