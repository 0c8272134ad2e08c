"""Sheets as they come off the plotter: walls, doors, furniture, symbols, runs, title block."""

import math
from collections.abc import Iterable
from itertools import pairwise

import msgspec

from authoring.biz_03_tender_takeoff.health_centre import DEEP, HALL, MATCH, Room
from authoring.biz_03_tender_takeoff.ink import THIN, Path, Point, Sheet, arc, box
from authoring.biz_03_tender_takeoff.symbols import put
from authoring.biz_03_tender_takeoff.world import BOARDS, Drawing, Laid, Run, Symbol, World
from authoring.parts.dice import Dice

PROJECT = ("Quarley Road Health Centre", "Refit of two floors")
ENGINEER = "Tamsin Ormerod Associates, building services"


class View(msgspec.Struct, frozen=True):
    """Where a plan lies on the paper."""

    corner: Point
    metre: float
    left: float
    right: float

    def __call__(self, at: Point) -> Point:
        return (
            self.corner[0] + (at[0] - self.left) * self.metre,
            self.corner[1] + at[1] * self.metre,
        )

    def path(self, path: Path) -> list[Point]:
        return [self(at) for at in path]

    def shows(self, at: Point) -> bool:
        return self.left <= at[0] <= self.right


class Plotter:
    def __init__(self, sheet: Sheet, laid: Laid, view: View) -> None:
        self.sheet, self.laid, self.view = sheet, laid, view

    def building(self) -> None:
        for room in self.laid.plan.rooms:
            if room.right <= self.view.left or room.left >= self.view.right:
                continue
            self._walls(room)
            if not room.hall:
                self._door(room)
                self._furniture(room)
        self._grid()

    def _walls(self, room: Room) -> None:
        view = self.view
        left, right = max(room.left, view.left), min(room.right, view.right)
        for y in (room.top, room.bottom):
            outer = y in (0.0, DEEP)
            for off in (-0.14, 0.0) if outer else (-0.035, 0.035):
                out = -off if y == DEEP else off
                self.sheet.line(view.path([(left, y + out), (right, y + out)]), 0.35, ink=60)
        for x in (room.left, room.right):
            if view.shows((x, 0)) and not room.hall:
                for off in (-0.035, 0.035):
                    ends = [(x + off, room.top), (x + off, room.bottom)]
                    self.sheet.line(view.path(ends), 0.3, ink=60)

    def _door(self, room: Room) -> None:
        view, wall = self.view, HALL[0] if room.upper else HALL[1]
        if not (view.shows((room.door, 0)) and view.shows((room.door + 0.9, 0))):
            return
        gap = [(room.door, wall), (room.door + 0.9, wall)]
        self.sheet.line(view.path(gap), 0.9, ink=250)
        swing = (180, 270) if room.upper else (90, 180)
        hinge = (room.door + 0.9, wall)
        self.sheet.line(view.path(arc(hinge, 0.9, *swing, 14)), 0.13, ink=THIN)
        leaf = [hinge, (hinge[0], wall + (-0.9 if room.upper else 0.9))]
        self.sheet.line(view.path(leaf), 0.18, ink=90)

    def _furniture(self, room: Room) -> None:
        dice = Dice("furniture", room.no)
        for _ in range(2 + dice.below(3)):
            wide, deep = dice.pick(((1.6, 0.9), (1.0, 2.0), (2.0, 0.9), (1.4, 1.0)))
            x = room.left + dice.below(100) / 100 * (room.right - room.left - wide)
            y = room.top + (0.0 if dice.chance(50) else room.bottom - room.top - deep)
            y = y if dice.chance(60) else room.top + 3 + dice.below(20) / 10
            if self.view.shows((x, 0)) and self.view.shows((x + wide, 0)):
                self.sheet.line(self.view.path(box(x, y, x + wide, y + deep)), 0.13, ink=THIN)

    def _grid(self) -> None:
        """Axes through the building, with letters in bubbles."""
        view = self.view
        for n in range(6):
            x = n * 10.0
            if not view.shows((x, 0)) or x > self.laid.plan.right:
                continue
            low, high = view((x, -0.9)), view((x, DEEP + 0.9))
            self.sheet.line([low, high], 0.13, "chain", THIN)
            self.sheet.line(arc((low[0], low[1] - 3), 3, 0, 360), 0.2, ink=THIN)
            self.sheet.text((low[0], low[1] - 3), str(n + 1), 2.2, anchor="mm", ink=90)

    def tags(self) -> None:
        small = 1.75 if self.view.metre == 10 else 1.5
        for tag in self.laid.tags:
            if not (self.view.shows((tag.at[0] - 1, 0)) and self.view.shows((tag.at[0] + 1, 0))):
                continue
            x, y = self.view(tag.at)
            step = small * 1.9
            for n, line in enumerate(tag.lines):
                at = (x, y + (n - (len(tag.lines) - 1) / 2) * step)
                self.sheet.text(at, line, small, anchor="mm", bold=n == 0, ink=70)

    def wires(self) -> None:
        """From light to light, and to the switch: thin and broken."""
        rooms: dict[str, list[Symbol]] = {}
        for one in self.laid.symbols:
            if one.kind not in ("EX",) and self.view.shows(one.at):
                rooms.setdefault(one.room, []).append(one)
        for some in rooms.values():
            for a, b in pairwise(some):
                if math.dist(a.at, b.at) < 9:
                    shown = [at for at in _bow(a.at, b.at) if not _on_switch(at, (a, b))]
                    self.sheet.line(self.view.path(shown), 0.13, "wire", THIN)

    def symbols(self) -> None:
        for one in self.laid.symbols:
            if self.view.shows(one.at):
                put(self.sheet, one.kind, one.status, self.view(one.at), one.turn)

    def runs(self, runs: tuple[Run, ...]) -> None:
        for floor, *place in BOARDS.values():
            if self.laid.plan.name == f"power-{floor}" and self.view.shows((place[0], 0)):
                self._board(place)
        for run in runs:
            for part in clipped(run.path, self.view.left, self.view.right):
                self.sheet.line(self.view.path(part), 0.26, "run")
            if self.view.shows(run.path[-1]):
                self._load(run)

    def _board(self, place: list[float]) -> None:
        left, top, right, bottom = place
        name = next(name for name, known in BOARDS.items() if list(known[1:]) == place)
        self.sheet.line(self.view.path(box(*place)), 0.35)
        self.sheet.fill(self.view.path([(left, top), (right, top), (left, bottom)]))
        under = bottom < HALL[0]
        at = self.view((right + 0.15, top + 0.1 if under else bottom))
        self.sheet.text(at, name, 1.9, anchor="ls", bold=True)

    def _load(self, run: Run) -> None:
        x, y = self.view(run.path[-1])
        diamond = [(x - 1.5, y), (x, y - 1.5), (x + 1.5, y), (x, y + 1.5), (x - 1.5, y)]
        self.sheet.fill(diamond, 250)
        self.sheet.line(diamond, 0.3)
        self.sheet.text((x, y - 2.4), run.no, 1.75, anchor="ms", bold=True)
        self.sheet.text((x, y - 5.1), f"+{run.height}", 1.65, anchor="ms")

    def match_line(self, other: str) -> None:
        if self.laid.plan.right < 2 * MATCH or not self.view.left < MATCH < self.view.right:
            return
        top, low = self.view((MATCH, -1.1)), self.view((MATCH, DEEP + 0.9))
        self.sheet.line([top, low], 0.6, "chain")
        self.sheet.text(
            (top[0] + 1.5, top[1] + 7.5), f"MATCH LINE  for continuation see {other}", 1.9
        )
        for edge in (self.view.left, self.view.right):
            if 0 < edge < self.laid.plan.right:
                x = self.view((edge, 0))[0]
                zigzag = [(x, self.view((0, -0.4))[1]), (x, self.view((0, 8.7))[1])]
                zigzag += [(x - 2, zigzag[1][1] + 2), (x + 2, zigzag[1][1] + 4)]
                zigzag += [(x, zigzag[1][1] + 6), (x, self.view((0, DEEP + 0.4))[1])]
                self.sheet.line(zigzag, 0.18, ink=90)

    def cloud(self, place: tuple[float, float, float, float], mark: str) -> None:
        left, top, right, bottom = place
        corners = self.view.path(box(left, top, right, bottom))
        heart = ((corners[0][0] + corners[2][0]) / 2, (corners[0][1] + corners[2][1]) / 2)
        for a, b in pairwise(corners):
            n = round(math.dist(a, b) / 4)
            for k in range(n):
                first, last = _between(a, b, k / n), _between(a, b, (k + 1) / n)
                self.sheet.line(_scallop(first, last, heart), 0.28)
        x, y = self.view((right - 0.4, top + 0.45))
        self.sheet.line([(x - 2.6, y + 2), (x + 2.6, y + 2), (x, y - 2.6), (x - 2.6, y + 2)], 0.28)
        self.sheet.text((x, y + 0.5), mark, 1.6, anchor="mm")


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _scallop(a: Point, b: Point, heart: Point) -> list[Point]:
    """An arc from a to b that bulges a millimetre away from the heart."""
    middle = _between(a, b, 0.5)
    away = (-1.0, 1.0)[middle[1] > heart[1]], (-1.0, 1.0)[middle[0] > heart[0]]
    flat = abs(a[1] - b[1]) < 1e-6
    steps = [n / 8 for n in range(9)]
    found = []
    for t in steps:
        x, y = _between(a, b, t)
        out = 4.4 * t * (1 - t)
        found.append((x, y + out * away[0]) if flat else (x + out * away[1], y))
    return found


def _on_switch(at: Point, ends: Iterable[Symbol]) -> bool:
    """A wire stops short of a switch: along its lever it would fill the gaps of a broken line."""
    return any(one.kind in ("K1", "K2") and math.dist(at, one.at) < 0.36 for one in ends)


def _bow(a: Point, b: Point) -> list[Point]:
    middle = ((a[0] + b[0]) / 2 + (b[1] - a[1]) * 0.16, (a[1] + b[1]) / 2 - (b[0] - a[0]) * 0.16)
    steps = [n / 12 for n in range(13)]
    return [
        (
            (1 - t) ** 2 * a[0] + 2 * t * (1 - t) * middle[0] + t**2 * b[0],
            (1 - t) ** 2 * a[1] + 2 * t * (1 - t) * middle[1] + t**2 * b[1],
        )
        for t in steps
    ]


def clipped(path: Path, left: float, right: float) -> list[list[Point]]:
    """What of a path lies between two uprights."""
    found: list[list[Point]] = []
    now: list[Point] = []
    for a, b in pairwise(path):
        inside = _inside(a, b, left, right)
        if inside is None:
            continue
        if now and math.dist(now[-1], inside[0]) < 1e-9:
            now.append(inside[1])
        else:
            now = [*inside]
            found.append(now)
    return found


def _inside(a: Point, b: Point, left: float, right: float) -> tuple[Point, Point] | None:
    if a[0] == b[0]:
        return (a, b) if left <= a[0] <= right else None
    low, high = sorted((a[0], b[0]))
    low, high = max(low, left), min(high, right)
    if low >= high:
        return None
    y = a[1]
    return ((low, y), (high, y)) if a[0] < b[0] else ((high, y), (low, y))


def scale_bar(sheet: Sheet, at: Point, metre: float) -> None:
    """Ten metres, the first in tenths of black and white."""
    x, y = at
    sheet.line(box(x, y, x + 10 * metre, y + 2), 0.2)
    for n in range(0, 10, 2):
        sheet.fill(box(x + n * metre, y, x + (n + 1) * metre, y + 2))
    for n in (0, 5, 10):
        words = f"{n} m" if n == 10 else str(n)
        sheet.text((x + n * metre, y - 1.2), words, 1.9, anchor="ms")


def frame(sheet: Sheet, drawing: Drawing, revision: str, scale: str) -> None:
    sheet.line(box(8, 8, 412, 289), 0.5)
    left = 322.0
    sheet.line(box(left, 247, 412, 289), 0.4)
    for y in (255.0, 263.0, 275.0):
        sheet.line([(left, y), (412, y)], 0.2)
    sheet.text((left + 2, 252.6), ENGINEER, 1.9)
    sheet.text((left + 2, 260.6), f"{PROJECT[0]}   {PROJECT[1]}", 1.9)
    sheet.text((left + 2, 270.6), drawing.title, 2.3, bold=True)
    for x, label, value in (
        (left, "DRAWING", drawing.no),
        (left + 30, "REVISION", revision),
        (left + 52, "SCALE", scale),
    ):
        sheet.line([(x, 275), (x, 289)], 0.2)
        sheet.text((x + 2, 279), label, 1.5, ink=90)
        sheet.text((x + 2, 286.2), value, 2.6, bold=True)
    sheet.text((left, 245), "Measure by the scale bar only. Symbols: see E-001.", 1.7, ink=80)


def plot(world: World, drawing: Drawing, laid: Laid, sheet: Sheet) -> Plotter:
    at = (22.0, 40.0)
    if laid.plan.metre < 10:
        at = (40.0, 32.0) if laid.plan.name == "fire-0" else (40.0, 148.0)
    view = View(at, laid.plan.metre, drawing.left, min(drawing.right, laid.plan.right))
    plotter = Plotter(sheet, laid, view)
    plotter.building()
    plotter.tags()
    plotter.wires()
    if laid.plan.name.startswith("power"):
        plotter.runs(tuple(r for r in world.runs if laid.plan.name == f"power-{r.floor}"))
    plotter.symbols()
    return plotter
