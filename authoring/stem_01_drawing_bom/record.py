"""The ERP bill of the station: the parts lists, as somebody keyed and changed them over years."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal

from msgspec.structs import replace

from authoring.stem_01_drawing_bom.nouns import ErpLine, Part, Place

D = Decimal
Line = Mapping[tuple[str, int], ErpLine]


def erp_lines(
    places: Sequence[Place], parts: Mapping[str, Part], revisions: Mapping[str, str], build: date
) -> tuple[ErpLine, ...]:
    """By parent and position. What differs from the parts lists is what the check must find, or
    only looks as if it did: an alternate, a line split in two, a line that has expired."""
    lines = [
        ErpLine(
            parent=place.parent,
            item=place.item,
            part=place.part,
            qty=place.qty,
            rev=revisions.get(place.part, ""),
            material=parts[place.part].material,
        )
        for place in places
    ]
    found: list[ErpLine] = []
    for line in lines:
        found += _as_kept(line, build)
    base = places[0].parent[:4]
    found.append(
        ErpLine(parent=f"{base}-100", item=6, part="90-0733", qty=D(1), bin="B2-07"),
    )
    expired = ErpLine(
        parent=f"{base}-110",
        item=9,
        part="90-0208",
        qty=D(1),
        until=build - timedelta(days=139),
        bin="A1-02",
    )
    found.append(expired)
    return tuple(sorted(found, key=lambda line: (line.parent, line.item)))


def _as_kept(line: ErpLine, build: date) -> list[ErpLine]:
    place = line.parent[-3:], line.item
    if place == ("000", 5):
        return [replace(line, qty=D(5), bin="A1-03"), replace(line, qty=D(3), bin="A1-04")]
    change = KEPT.get(place)
    return [change(line, build) if change else line]


KEPT: dict[tuple[str, int], Callable[[ErpLine, date], ErpLine]] = {
    # Changed for a notice that holds for later builds only.
    ("000", 4): lambda line, build: replace(line, qty=D(6)),
    # Changed for a notice that counts, which the drawing does not show yet.
    ("000", 6): lambda line, build: replace(line, qty=D(16)),
    # From the preliminary drawing.
    ("100", 1): lambda line, build: replace(line, rev="C"),
    ("100", 3): lambda line, build: replace(line, rev="C"),
    ("100", 4): lambda line, build: replace(line, part="90-7010"),
    # From a cancelled notice.
    ("110", 1): lambda line, build: replace(line, material="EN-GJS-400-15"),
    # An allowed alternate.
    ("110", 2): lambda line, build: replace(line, part="90-6206-A"),
    # As revision C of the bearing block had it.
    ("110", 5): lambda line, build: replace(line, qty=D(4)),
    # Not valid before the build has begun.
    ("110", 8): lambda line, build: replace(line, since=build + timedelta(days=43)),
    ("200", 1): lambda line, build: replace(line, material="C45+N"),
    ("200", 2): lambda line, build: replace(line, rev="A"),
}
