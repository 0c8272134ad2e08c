"""The pile of scans: each drawing in force, one that is not, and the legend."""

from collections.abc import Callable

from PIL import Image

from authoring.biz_03_tender_takeoff import plans
from authoring.biz_03_tender_takeoff.ink import Sheet, box, reduced, scanned
from authoring.biz_03_tender_takeoff.symbols import (
    EXISTING,
    FIRE,
    LIGHTING,
    NEW,
    OTHERS,
    OUT,
    POWER,
    SHAPES,
    WHAT,
    put,
)
from authoring.biz_03_tender_takeoff.world import CLOUDED, DRAWINGS, Drawing, Laid, World, cloud
from authoring.parts.dice import Dice

SMALLER = 0.84
"""How E-103 came out of the printer."""
REVISED = "C03"
NOTES = (
    "1  A symbol in broken lines is there already and stays.",
    "2  A symbol crossed through is there and is taken out.",
    "3  A symbol in a box is supplied and fitted by others.",
    "4  A symbol in unbroken lines, neither crossed nor boxed, is new: supplied and fitted here.",
    "5  The letter or letters beside a symbol belong to it, whichever way it is turned.",
    "6  A typical room is drawn once, in the room marked TYPE. Each room marked TYP with the same",
    "    letter, on a drawing of the same services, is fitted as that one, whether or not handed.",
    "7  What lies beyond a match line is shown for information; it belongs to the other drawing.",
    "8  A cloud with a number in a triangle shows what the revision of that number changed.",
    "9  A run is a broken line from a board to a diamond. The figure over its number is the height",
    "    of its end in metres above the floor. Runs at one height are drawn side by side.",
    "10  Thin curved lines join what is on one circuit. They are not measured.",
    "11  Furniture is drawn thin, and is by others.",
)


def sheet_of(world: World, drawing: Drawing, old: bool = False) -> Sheet:
    sheet = Sheet()
    revision = REVISED if drawing.no == "E-102" and not old else "C02"
    laid: tuple[Laid, ...] = (world.before,) if old else world.plans(drawing)
    small = drawing.no == "E-301"
    plans.frame(sheet, drawing, revision, "1:200" if small else "1:100")
    for one in laid:
        plotter = plans.plot(world, drawing, one, sheet)
        if not small:
            plotter.match_line(
                "E-" + str(int(drawing.no[2:]) + (1 if drawing.no[-1] == "1" else -1))
            )
            plans.scale_bar(sheet, (32, 242), 10)
        if revision == REVISED:
            for room in one.plan.rooms:
                if room.no in CLOUDED:
                    plotter.cloud(cloud(room), "3")
    if small:
        plans.scale_bar(sheet, (42, 258), 5)
        sheet.text((296, 80), "GROUND FLOOR", 2.3, bold=True)
        sheet.text((196, 196), "FIRST FLOOR", 2.3, bold=True)
    return sheet


def legend() -> Sheet:
    sheet = Sheet()
    plans.frame(sheet, Drawing("E-001", "Legend and notes", "", 0, 0, (0, 0)), "C01", "none")
    sheet.text((20, 24), "SYMBOLS", 3, bold=True)
    for column, kinds in enumerate((POWER, LIGHTING, FIRE)):
        for row, kind in enumerate(kinds):
            x, y = 30.0 + 130 * column, 40.0 + 14.5 * row
            left, top, right, bottom = SHAPES[kind].extent
            put(sheet, kind, NEW, (x - (left + right) / 2, y - (top + bottom) / 2), 0)
            sheet.text((x + 9, y + 1), kind, 2.2, bold=True)
            words = WHAT[kind].removeprefix("Luminaire, ")
            sheet.text((x + 21, y + 1), words, 2.0)
    for row, (status, words) in enumerate(
        ((EXISTING, "there, stays"), (OUT, "taken out: RM"), (OTHERS, "by others"))
    ):
        y = 108.0 + 14.5 * row
        put(sheet, "S1", status, (290, y - 2.4), 0)
        sheet.text((299, y + 1), words, 2.0)
    sheet.line(box(18, 28, 402, 148), 0.2)
    sheet.text((20, 160), "NOTES", 3, bold=True)
    for row, note in enumerate(NOTES):
        sheet.text((20, 170 + 7.2 * row), note, 2.1)
    return sheet


def marked(sheet: Sheet, drawing: Drawing, laid: Laid, dice: Dice) -> None:
    """What people added by hand and stamp."""
    if drawing.no == "E-101":
        label = next(tag for tag in laid.tags if tag.room.no == "G12").at[1]
        y = 40 + 10 * label + (-14 if label > 14 else 12)
        sheet.hand((36, y), "2 more doubles here?", dice, 2.6)
        sheet.hand((48, y + 5), "ask T.O.", dice, 2.6)
    if drawing.no == "E-202":
        sheet.hand((306, 106), "exit sign over", dice, 2.4)
        sheet.hand((306, 111), "this door too", dice, 2.4)
        sheet.line([(305, 112), (296, 119), (298, 119.5), (296, 119), (297.4, 116.6)], 0.3, ink=85)
    if drawing.no == "E-203":
        sheet.hand((170, 238), "walked through 14/10", dice, 2.6, 1)
    sheet.stamp((300, 16), ("ISSUED FOR TENDER",), 2.0 + dice.below(20) / 10)


def _scan(sheet: Sheet, dice: Dice, smaller: bool = False) -> Image.Image:
    image = reduced(sheet.image, SMALLER) if smaller else sheet.image
    return scanned(image, dice, (3 + dice.below(5)) / 10 * (1 if dice.chance(50) else -1))


def pages(world: World, seed: int) -> dict[str, Callable[[], Image.Image]]:
    """Drawing and revision to its scan, made when asked for."""

    def drawn(drawing: Drawing, old: bool) -> Callable[[], Image.Image]:
        def make() -> Image.Image:
            dice = Dice("scan", drawing.no, old, seed)
            sheet = sheet_of(world, drawing, old)
            marked(sheet, drawing, world.plans(drawing)[0], dice)
            return _scan(sheet, dice, drawing.no == "E-103")

        return make

    found = {d.no: drawn(d, old=False) for d in DRAWINGS}
    found["E-102 C02"] = drawn(next(d for d in DRAWINGS if d.no == "E-102"), old=True)
    found["E-001"] = lambda: _scan(legend(), Dice("scan", "legend", seed))
    return found
