"""A candidate's sheet as it was handed in: printed grid, pencil, pen, and the scanner."""

from decimal import Decimal
from fractions import Fraction

from authoring.edu_02_graph_marking.world import HIGH, WIDE, Script
from authoring.parts.dice import Dice
from authoring.parts.picture import Picture, Point, Scanned

PAGE = (148.0, 210.0)
LEFT, TOP = 19.5, 40.0
HEAVY, MIDDLE, THIN = (0.3, 148), (0.2, 182), (0.13, 203)
CURRENT = ("I / A", "current I / A", "current (A)", "I (A)", "current in A")
PD = ("V / V", "p.d. V / V", "p.d. (V)", "terminal p.d. / V", "p.d. in V")


def at(x: Fraction | float, y: Fraction | float) -> Point:
    """Squares of the grid to millimetres of the page."""
    return LEFT + float(x), TOP + HIGH - float(y)


def sheet(one: Script, seed: int) -> Picture:
    page = Picture(*PAGE, seed, one.number)
    dice = Dice("sheet", seed, one.number)
    _print(page, one)
    _axes(page, one, dice)
    _line(page, one, dice)
    _points(page, one, dice)
    _working(page, one, dice)
    _around(page, one, dice)
    return page


def scanner(one: Script, seed: int) -> Scanned:
    dice = Dice("scanner", seed, one.number)
    return Scanned(
        askew=dice.whole(-9, 9) / 10,
        bow=dice.whole(8, 22) / 10,
        spine=dice.whole(5, 13) / 10,
        wave=dice.whole(-5, 5) / 10,
        grain=dice.whole(50, 72) / 10,
        quality=dice.whole(42, 58),
    )


def _rule(n: int) -> tuple[float, int]:
    return HEAVY if n % 10 == 0 else MIDDLE if n % 5 == 0 else THIN


def _print(page: Picture, one: Script) -> None:
    page.type((19, 9), "NORTHMERE EXAMINATIONS BOARD", 8, bold=True)
    page.type((19, 13.5), "Physics  Practical Paper 2  Question 3", 7)
    page.type((19, 19), "Candidate number", 7)
    page.line([(46, 17.5), (66, 17.5), (66, 24.5), (46, 24.5), (46, 17.5)], 0.25, 60)
    page.type((72, 19), "Run used (A or B)", 7)
    page.line([(99, 17.5), (108, 17.5), (108, 24.5), (99, 24.5), (99, 17.5)], 0.25, 60)
    page.type((19, 27.5), "(b) Plot V on the y-axis against I on the x-axis. Draw the straight", 7)
    page.type((19, 31), "line of best fit. Ring any anomalous point.", 7)
    for n in range(WIDE + 1):
        page.line([at(n, 0), at(n, HIGH)], *_rule(n))
    for n in range(HIGH + 1):
        page.line([at(0, n), at(WIDE, n)], *_rule(n))
    page.type((19, 153), "(c) Gradient of your line: read-offs, working, answer with unit", 7)
    page.type((19, 182), "(d) Intercept of your line with I = 0", 7)
    for y in (164, 171, 178, 194):
        page.line([(19, y), (140, y)], 0.12, 170)
    page.type((60, 202), "TURN OVER", 6)


def _figure(value: Decimal) -> str:
    text = f"{value.normalize():f}"
    return text if "." in text or text == "0" else f"{text}.0"


def _axes(page: Picture, one: Script, dice: Dice) -> None:
    for a, b in ((at(0, 0), at(WIDE, 0)), (at(0, 0), at(0, HIGH))):
        page.stroke(a, b, 0.3, 105)
    skip = dice.below(2) if one.x.labels == 1 and one.x.corner else 0
    for n in range(skip, WIDE // 10 + 1, one.x.labels):
        value = _figure(one.x.corner + n * one.x.large)
        x, y = at(10 * n, -4.2)
        page.hand((x + dice.whole(-5, 5) / 10, y), value, (one.style, 3.9), middle=True)
    skip = dice.below(2) if one.y.labels == 1 else 0
    for n in range(skip, HIGH // 10 + 1, one.y.labels):
        value = _figure(one.y.corner + n * one.y.large)
        x, y = at(-5.2, 10 * n)
        page.hand((x, y + dice.whole(-4, 4) / 10), value, (one.style, 3.9), middle=True)
    # In the round hand a capital I looks like a one.
    place = dice.below(5) if one.style == "script" else dice.pick((1, 2, 4))
    current = {"no-unit-x": "current I", "milli": "I / mA"}.get(one.axes, CURRENT[place])
    pd = {"no-unit-y": "terminal p.d."}.get(one.axes, PD[dice.below(5)])
    page.hand((112, TOP + HIGH + 9.2), current, (one.style, 5), middle=True)
    if dice.chance(50):
        page.hand((6.6, TOP + 40), pd, (one.style, 5), 90, middle=True)
    else:
        page.hand((4, TOP - 4), pd, (one.style, 5))


def _line(page: Picture, one: Script, dice: Dice) -> None:
    start, end = one.ends
    grey = dice.whole(82, 104)
    page.stroke(at(start, one.line(start)), at(end, one.line(end)), 0.3, grey)
    first, second = one.corners
    low = dice.chance(60)
    turn = (first.x, second.y) if low else (second.x, first.y)
    for corner in (first, second):
        draw = page.dashes if dice.chance(45) else page.stroke
        draw(at(corner.x, corner.y), at(*turn), 0.24, dice.whole(100, 122))


def _points(page: Picture, one: Script, dice: Dice) -> None:
    lean = dice.whole(-6, 6) / 100
    for reading, (x, y) in zip(one.readings, one.plotted, strict=True):
        _cross(page, at(x, y), dice, lean, dice.whole(78, 102))
        if reading.number == one.ring:
            page.ring(at(x, y), dice.whole(24, 33) / 10, dice.whole(80, 105))
    for number, dx, dy in one.ghosts:
        reading = one.readings[number - 1]
        x, y = one.x.squares(reading.current) + dx, one.y.squares(reading.pd) + dy
        _cross(page, at(x, y), dice, lean, 192)
        for _ in range(5):
            off = dice.whole(-20, 20) / 10, dice.whole(-20, 20) / 10
            a, b = at(x, y)
            page.line(
                [(a + off[0], b + off[1]), (a + off[0] + 2, b + off[1] + 0.8)], 1.4, 243, "pencil"
            )


def _cross(page: Picture, centre: Point, dice: Dice, lean: float, grey: int) -> None:
    """Two strokes, steeper than any line, that meet where the point is."""
    x, y = centre
    for side in (1, -1):
        wide = 0.62 + dice.whole(-8, 8) / 100
        high = 1.25 + dice.whole(-15, 15) / 100
        slant = lean * high
        more = 1 + dice.whole(0, 12) / 100
        page.line(
            [
                (x + side * wide + slant, y - high),
                (x, y),
                (x - (side * wide + slant) * more, y + high * more),
            ],
            0.26,
            grey + dice.whole(-6, 6),
            "pencil",
        )


def _working(page: Picture, one: Script, dice: Dice) -> None:
    def said(text: str, top: float, left: float = 22) -> None:
        page.hand(
            (left + dice.whole(0, 30) / 10, top), text, (one.style, 5.2), dice.whole(-6, 6) / 10
        )

    page.hand((50, 21), one.number, (one.style, 6.4))
    page.hand((102, 21), one.run, (one.style, 6.4))
    first, second = one.corners
    said(f"({first.current}, {first.pd})  and  ({second.current}, {second.pd})", 161)
    said(
        f"grad = ({second.pd} - {first.pd}) / ({second.current} - {first.current})",
        168.2,
    )
    said(f"= {one.gradient} {one.unit}".strip(), 175, 40)
    if one.how.startswith("calc"):
        said(f"{first.pd} = {one.gradient} x {first.current} + c    c = {one.intercept} V", 190.5)
    else:
        said(f"from graph  {one.intercept} V", 190.5)


def _around(page: Picture, one: Script, dice: Dice) -> None:
    if one.ring and dice.chance(40):
        x, y = at(*one.plotted[one.ring - 1])
        page.hand((x + 3, y - 4.4), dice.pick(("anomaly", "odd one", "anomalous")), (one.style, 4))
    lines = ("NORTHMERE", "Centre 30417")
    page.stamp((113, 8), lines, dice.whole(-9, 9), dice.whole(105, 140))
    if dice.chance(25):
        page.hand(at(88, 92), dice.pick(("y = mx + c", "check!", "E - Ir")), (one.style, 4.4), 4)
    if dice.chance(20):
        spot = (dice.whole(25, 120), dice.whole(176, 200))
        page.ring(spot, dice.whole(140, 190) / 10, 222)
