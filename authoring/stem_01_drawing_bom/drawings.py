"""The sheets of the machine: four assemblies, four parts, and two sheets that do not count."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from decimal import Decimal

from authoring.stem_01_drawing_bom.nouns import Dim, Place
from authoring.stem_01_drawing_bom.pen import Draw, Pen, Point
from authoring.stem_01_drawing_bom.sheets import (
    GENERAL_IN,
    Title,
    across,
    balloon,
    bubble,
    frame,
    leader,
    parts_list,
)
from authoring.stem_01_drawing_bom.story import Story
from authoring.stem_01_drawing_bom.world import BEARING_MINUS, BEARING_WIDTH, GAP, OLD_GAP

D = Decimal


RELEASED = {
    "000": 310,
    "001": 330,
    "002": 350,
    "100": 420,
    "101": 260,
    "102": 460,
    "110": 150,
    "111": 640,
    "112": 900,
    "113": 980,
    "200": 380,
    "201": 500,
    "202": 240,
}
"""Drawing to the age of its released revision, in days before the build."""
OLDER = 370
"""By which the revision before it is older."""


def day_of(told: Story, back: int) -> str:
    """Days before the build; nobody releases a drawing on a Saturday or Sunday."""
    return at_work(told.world.build - timedelta(days=back)).isoformat()


def at_work(day: date) -> date:
    """The day itself, or the Friday before."""
    return day - timedelta(days=max(0, day.weekday() - 4))


def _title(told: Story, suffix: str, **more: object) -> Title:
    number = told.world.no(suffix)
    back = RELEASED[suffix]
    rev = str(more.pop("rev", told.world.revisions[number]))
    ages = {"A": back, "B": back + OLDER}
    first = "A", day_of(told, ages.get(rev, 1600)), "First issue"
    between = [("B", day_of(told, back + OLDER), "Tolerances reviewed")] if rev == "C" else []
    last = rev, day_of(told, back), "Chamfers and notes revised"
    later = [] if rev == "A" else [*between, last]
    changes = more.pop("changes", (first, *later))
    values: dict[str, object] = {
        "company": told.world.company,
        "name": told.world.parts[number].name,
        "number": number,
        "rev": rev,
        "day": day_of(told, back),
        "drawn": told.world.former.split()[-1],
        "changes": changes,
    }
    return Title(**(values | more))  # type: ignore[arg-type] # fields of a title, by name


def _rows(told: Story, places: Sequence[Place]) -> list[tuple[str, ...]]:
    parts = told.world.parts
    units = {"pcs": "", "g": " g", "mm": " mm"}
    return [
        (
            str(place.item),
            f"{place.qty}{units[parts[place.part].unit]}",
            place.part,
            parts[place.part].name[:34],
            parts[place.part].material or "-",
            "K" if place.key else "",
        )
        for place in places
    ]


def _assembly(
    told: Story, title: Title, places: Sequence[Place], view: Callable[[Pen], list[Point]]
) -> Draw:
    """`view` draws the parts and gives the point that each item's leader ends in."""

    def draw(pen: Pen) -> None:
        frame(pen, title)
        parts_list(pen, _rows(told, places))
        ends = view(pen)
        for number, (place, end) in enumerate(zip(places, ends, strict=True)):
            at = (24 + 17.0 * number, 172.0 if number % 2 else 160.0)
            balloon(pen, place.item, at, end)

    return draw


def _listed(told: Story, suffix: str) -> list[Place]:
    return [place for place in told.world.places if place.parent == told.world.no(suffix)]


def station(told: Story) -> Draw:
    limit = f"Mass of the complete station: {told.mass_limit} kg at most."
    notes = (limit, "K in the parts list: key part.", "Quantities are those of one assembly.")
    title = _title(told, "000", notes=notes)

    def view(pen: Pen) -> list[Point]:
        pen.box((20, 70), (160, 78), 0.5)
        for left in (24, 146):
            pen.box((left, 78), (left + 10, 128), 0.5)
            pen.box((left - 2, 128), (left + 12, 134), 0.4)
        for height in (92, 116):
            pen.box((34, height), (146, height + 12), 0.5)
            pen.line((16, height + 6), (164, height + 6), 0.15)
        pen.box((60, 71), (74, 75), 0.2)
        return [(50, 122), (30, 110), (90, 74), (28, 131), (150, 132), (152, 130), (66, 73)]

    return _assembly(told, title, _listed(told, "000"), view)


def cartridge(told: Story) -> Draw:
    title = _title(told, "100", notes=("Quantities are those of one assembly.",))

    def view(pen: Pen) -> list[Point]:
        pen.box((16, 100), (160, 108), 0.5)
        pen.box((40, 88), (136, 120), 0.5)
        for left in (22, 138):
            pen.box((left, 84), (left + 16, 124), 0.5)
        pen.line((12, 104), (164, 104), 0.15)
        return [(20, 104), (60, 116), (30, 120), (18, 107), (37, 108)]

    return _assembly(told, title, _listed(told, "100"), view)


def _block_view(pen: Pen) -> list[Point]:
    pen.box((30, 70), (130, 140), 0.6)
    pen.box((44, 84), (96, 126), 0.5)
    for left in (46, 66):
        pen.box((left, 86), (left + 18, 124), 0.35)
        pen.line((left, 86), (left + 18, 124), 0.15)
    pen.box((85, 90), (90, 120), 0.35)
    pen.box((96, 76), (118, 134), 0.5)
    pen.box((90, 92), (96, 118), 0.35)
    pen.line((24, 105), (136, 105), 0.15)
    return [
        (36, 134), (54, 118), (87, 118), (110, 130), (116, 126), (48, 90), (62, 100), (70, 138)
    ]  # fmt: skip


def block(told: Story) -> Draw:
    """Revision D: the released one."""
    width = f"{BEARING_WIDTH} 0/-{BEARING_MINUS}"
    shown = told.shown
    title = _title(
        told,
        "110",
        changes=(
            ("A", day_of(told, 1600), "First issue"),
            ("B", day_of(told, 800), "Grease nipple added"),
            ("C", day_of(told, 520), "Seal with dust lip"),
            ("D", day_of(told, 150), f"{shown}: item 5 was 4, gap restated"),
        ),
        notes=(
            f"Axial gap between cover and outer ring: {GAP[0]} to {GAP[1]} mm.",
            "Gap = depth of bore (housing) less both bearings, spacer ring and spigot (cover).",
            f"Width of one bearing {width} mm. Spacer ring between bearing and cover.",
            "Quantities are those of one assembly.",
        ),
    )
    return _assembly(told, title, _listed(told, "110"), _block_view)


def old_block(told: Story) -> Draw:
    """Revision C, as the set still holds it."""
    places = [
        Place(p.parent, p.item, p.part, D(4) if p.item == 5 else p.qty, p.key)
        for p in _listed(told, "110")
    ]
    title = _title(
        told,
        "110",
        day=day_of(told, RELEASED["110"] + OLDER),
        rev="C",
        changes=(
            ("A", day_of(told, 1600), "First issue"),
            ("B", day_of(told, 800), "Grease nipple added"),
            ("C", day_of(told, 520), "Seal with dust lip"),
        ),
        notes=(
            f"Axial gap between cover and outer ring: {OLD_GAP[0]} to {OLD_GAP[1]} mm.",
            "Gap = depth of bore (housing) less both bearings, spacer ring and spigot (cover).",
            f"Width of one bearing {BEARING_WIDTH} 0/-{BEARING_MINUS} mm.",
            "Quantities are those of one assembly.",
        ),
    )
    return _assembly(told, title, places, _block_view)


def adjuster(told: Story) -> Draw:
    title = _title(told, "200", notes=("Item 5 is cut to length in assembly.",))

    def view(pen: Pen) -> list[Point]:
        pen.box((20, 104), (150, 112), 0.5)
        for left in range(24, 100, 4):
            pen.line((left, 104), (left + 3, 112), 0.12)
        pen.box((70, 88), (104, 128), 0.5)
        pen.box((112, 98), (120, 118), 0.4)
        return [(40, 108), (84, 124), (98, 92), (116, 116), (74, 126)]

    return _assembly(told, title, _listed(told, "200"), view)


# --- parts --------------------------------------------------------------------------------------


def deviated(dim: Dim) -> str:
    """`54.00 +0.10/0`, `0.390 ±0.002`; in inches without the zero before the point."""
    if dim.upper is None or dim.lower is None:
        return _bare(dim, dim.nominal)
    if dim.upper == -dim.lower:
        return f"{_bare(dim, dim.nominal)} ±{_bare(dim, dim.upper)}"
    upper, lower = (
        "0" if value == 0 else f"{'+' if value > 0 else '-'}{_bare(dim, abs(value))}"
        for value in (dim.upper, dim.lower)
    )
    return f"{_bare(dim, dim.nominal)} {upper}/{lower}"


def _bare(dim: Dim, value: Decimal) -> str:
    return f"{value}".removeprefix("0") if dim.unit == "in" else f"{value}"


def _dims(told: Story, suffix: str, loose: bool = False) -> dict[str, str]:
    found = told.world.loose if loose else told.world.dims
    return {dim.code: deviated(dim) for dim in found if dim.part == told.world.no(suffix)}


def _part_title(told: Story, suffix: str, **more: object) -> Title:
    part = told.world.parts[told.world.no(suffix)]
    mass = f"{part.drawn_mass} {part.drawn_unit}"
    return _title(told, suffix, **({"material": part.material, "mass": mass} | more))


def shaft(told: Story, loose: bool = False) -> Draw:
    dims = _dims(told, "101", loose)
    fit = "m6" if loose else "k6"
    notes = (f"{fit} at 30: limits as given beside the dimension.", "Centre holes DIN 332 - A4.")
    more: dict[str, object] = {"notes": notes}
    if loose:
        changes = (
            ("B", day_of(told, 260), "Chamfers and notes revised"),
            ("C", day_of(told, 30), "Wider roller, seats m6: for comment"),
        )
        stamp = "PRELIMINARY - NOT RELEASED"
        more |= {"rev": "C", "changes": changes, "stamp": stamp, "mass": "5.11 kg"}
        more["day"] = day_of(told, 30)
    title = _part_title(told, "101", **more)

    def draw(pen: Pen) -> None:
        frame(pen, title)
        pen.box((24, 112), (52, 122), 0.5)
        pen.box((52, 108), (210, 126), 0.5)
        pen.box((210, 112), (238, 122), 0.5)
        pen.line((18, 117), (244, 117), 0.15)
        pen.box((90, 115), (106, 119), 0.2)
        across(pen, (24, 112), 214, dims["C02"], -34)
        bubble(pen, "C02", (112, 80))
        across(pen, (52, 108), 158, dims["C03"], -16)
        bubble(pen, "C03", (106, 94))
        leader(pen, (32, 142), (34, 122), f"Ø{dims['C01'].replace('30 ', f'30 {fit} ', 1)}  2x")
        bubble(pen, "C01", (26, 148))

    return draw


def housing(told: Story) -> Draw:
    dims = _dims(told, "111")
    title = _part_title(told, "111", notes=("H7 at 62: limits as given beside it.",))

    def draw(pen: Pen) -> None:
        frame(pen, title)
        pen.box((40, 92), (150, 160), 0.6)
        pen.box((70, 108), (150, 146), 0.5)
        pen.line((34, 127), (156, 127), 0.15)
        pen.box((30, 84), (160, 92), 0.5)
        for left in (44, 140):
            pen.line((left, 82), (left, 94), 0.15)
        across(pen, (70, 146), 80, dims["C05"], 24)
        bubble(pen, "C05", (88, 176))
        across(pen, (44, 84), 96, dims["C06"], -14)
        bubble(pen, "C06", (76, 77))
        leader(pen, (164, 132), (150, 146), f"Ø{dims['C04'].replace('62 ', '62 H7 ', 1)}")
        bubble(pen, "C04", (172, 140))

    return draw


def cover(told: Story) -> Draw:
    dims = _dims(told, "112")
    notes = ("REMOVE BURRS AND SHARP EDGES .010 MAX.", "DRAWN BY LICENSOR. DO NOT SCALE.")
    title = _part_title(told, "112", general=GENERAL_IN, notes=notes)

    def draw(pen: Pen) -> None:
        frame(pen, title)
        pen.box((60, 84), (90, 164), 0.6)
        pen.box((90, 96), (112, 152), 0.5)
        pen.line((52, 124), (120, 124), 0.15)
        for height in (90, 158):
            pen.line((56, height), (94, height), 0.15)
        across(pen, (90, 96), 22, dims["C07"], -30)
        bubble(pen, "C07", (122, 68))
        across(pen, (60, 164), 30, dims["C09"], 14)
        bubble(pen, "C09", (52, 180))
        leader(pen, (130, 156), (112, 152), f"Ø{dims['C08']}")
        bubble(pen, "C08", (138, 163))
        pen.text((130, 128), "6 HOLES Ø.260 ON Ø3.150 B.C.", 7)

    return draw


def spacer(told: Story) -> Draw:
    """Drawn by hand years ago; the set holds a scan of it."""
    dims = _dims(told, "113")
    title = _part_title(told, "113", notes=("Faces parallel within 0.01.",))

    def draw(pen: Pen) -> None:
        frame(pen, title)
        pen.box((70, 86), (100, 166), 0.6)
        pen.box((70, 89.6), (100, 162.4), 0.4)
        pen.line((60, 126), (112, 126), 0.15)
        across(pen, (70, 86), 30, dims["C10"], -18)
        bubble(pen, "C10", (56, 70))
        leader(pen, (120, 160), (100, 166), f"Ø{dims['C11']}")
        bubble(pen, "C11", (128, 167))
        leader(pen, (120, 148), (100, 162.4), "Ø56")

    return draw
