"""Where boxes and arrows of a drawing lie: steps in layers, ways back at the side."""

import unicodedata
from collections.abc import Iterator, Mapping

import msgspec

from bythebook.build.sop.flow import END
from bythebook.conduct.sops import Sop, Step

LETTER = 11.0
"""Size of the letters, in pixels."""
ADVANCE = 0.62
"""Width of a letter of a fixed-width type, in its size: the widest of the usual ones has 0.61."""
COLUMNS = 38
"""Letters in a line of a box."""
LINE, PAD, GAP_X, GAP_Y, MARGIN = 15.0, 10.0, 36.0, 52.0, 20.0
LANE = 14.0
"""Between two ways back."""


class Box(msgspec.Struct, frozen=True):
    """A step, or the end. `lines`: its words, with the style of each."""

    id: str
    x: float
    y: float
    width: float
    height: float
    lines: tuple[tuple[str, str], ...]

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    @property
    def bottom(self) -> float:
        return self.y + self.height


class Arrow(msgspec.Struct, frozen=True):
    """A way on, or a way back; `points` from its step to where it lands."""

    start: str
    to: str
    back: bool
    points: tuple[tuple[float, float], ...]


class Drawing(msgspec.Struct, frozen=True):
    width: float
    height: float
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]


def columns(words: str) -> int:
    """Width in letters; letters of East Asia take two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in words)


def wrapped(words: str, width: int = COLUMNS) -> Iterator[str]:
    """Lines of at most `width` letters; a word that is longer is cut."""
    line = ""
    for word in words.split():
        for part in _pieces(word, width):
            joined = f"{line} {part}" if line else part
            if columns(joined) > width:
                yield line
                line = part
            else:
                line = joined
    if line:
        yield line


def _pieces(word: str, width: int) -> Iterator[str]:
    piece = ""
    for letter in word:
        if columns(piece + letter) > width:
            yield piece
            piece = ""
        piece += letter
    yield piece


def draw(sop: Sop) -> Drawing:
    """Layers from top to bottom; a way that skips layers goes round their boxes."""
    layers = _layers(sop)
    rows = _rows(sop, layers)
    boxes, tops = _placed(sop, rows)
    inner = max(box.x + box.width for box in boxes.values())
    arrows = list(_arrows(sop, layers, boxes, tops))
    lanes = sum(1 for arrow in arrows if arrow.back)
    long = sum(1 for arrow in arrows if not arrow.back and len(arrow.points) > 4)
    shift = MARGIN + long * LANE
    moved = {name: msgspec.structs.replace(box, x=box.x + shift) for name, box in boxes.items()}
    shifted = tuple(
        msgspec.structs.replace(a, points=tuple((x + shift, y) for x, y in a.points))
        for a in arrows
    )
    width = inner + shift + MARGIN + lanes * LANE
    height = max(box.bottom for box in boxes.values()) + MARGIN
    return Drawing(width, height, tuple(moved.values()), shifted)


def _layers(sop: Sop) -> dict[str, int]:
    """Longest way from the first step, along ways that lead to later steps; the end is last."""
    order = {step.id: place for place, step in enumerate(sop.steps)}
    layers = dict.fromkeys(order, 0)
    for step in sop.steps:
        for link in step.onward:
            if link in order and order[link] > order[step.id]:
                layers[link] = max(layers[link], layers[step.id] + 1)
    return layers | {END: max(layers.values()) + 1}


def _rows(sop: Sop, layers: Mapping[str, int]) -> list[list[str]]:
    """Steps of each layer, each below those that lead to it."""
    rows: list[list[str]] = [[] for _ in range(max(layers.values()) + 1)]
    for name, layer in layers.items():
        rows[layer].append(name)
    place = {name: float(number) for row in rows for number, name in enumerate(row)}
    before: dict[str, list[str]] = {name: [] for name in layers}
    for step in sop.steps:
        for link in step.onward:
            before[link].append(step.id)
    for row in rows[1:]:
        centre = {
            name: sum(place[x] for x in before[name]) / len(before[name])
            if before[name] else place[name]
            for name in row
        }  # fmt: skip
        row.sort(key=lambda name: centre[name])
        place |= {name: float(number) for number, name in enumerate(row)}
    return rows


def _placed(sop: Sop, rows: list[list[str]]) -> tuple[dict[str, Box], list[float]]:
    """The boxes, and the top of each layer (one more than there are layers)."""
    steps = {step.id: step for step in sop.steps}
    words = {name: tuple(_words(steps.get(name))) for row in rows for name in row}
    width = COLUMNS * LETTER * ADVANCE + 2 * PAD
    widest = max(len(row) for row in rows) * (width + GAP_X) - GAP_X
    boxes: dict[str, Box] = {}
    tops = [MARGIN]
    for row in rows:
        x = (widest - (len(row) * (width + GAP_X) - GAP_X)) / 2
        for name in row:
            height = len(words[name]) * LINE + 2 * PAD
            boxes[name] = Box(name, x, tops[-1], width, height, words[name])
            x += width + GAP_X
        tops.append(max(boxes[name].bottom for name in row) + GAP_Y)
    return boxes, tops


def _words(step: Step | None) -> Iterator[tuple[str, str]]:
    """Lines of a box, with the style of each."""
    if step is None:
        yield END, "name"
        return
    yield from ((line, "name") for line in wrapped(step.id))
    yield from ((line, "do") for line in wrapped(step.do))
    yield from ((line, "decide") for line in wrapped(step.decide))


def _arrows(
    sop: Sop, layers: Mapping[str, int], boxes: Mapping[str, Box], tops: list[float]
) -> Iterator[Arrow]:
    inner = max(box.x + box.width for box in boxes.values())
    lane = skip = 0
    order = {step.id: place for place, step in enumerate(sop.steps)} | {END: len(sop.steps)}
    for step in sop.steps:
        here = boxes[step.id]
        for link in step.onward:
            if order[link] > order[step.id]:
                far = layers[link] - layers[step.id] > 1
                skip += far
                points = _onward(
                    here, boxes[link], (layers[step.id], layers[link]), tops, skip * far
                )
                yield Arrow(step.id, link, False, points)
        backward = [link for link in step.onward if order[link] <= order[step.id]]
        for link in (*backward, *step.back):
            lane += 1
            back = link in step.back
            points = _returning(
                here, boxes[link], (layers[step.id], layers[link]), tops, inner + lane * LANE
            )
            yield Arrow(step.id, link, back or link in backward, points)


def _onward(
    here: Box, there: Box, layers: tuple[int, int], tops: list[float], lane: int
) -> tuple[tuple[float, float], ...]:
    """Straight into the next layer; past more layers, down a lane on the left."""
    below, above = tops[layers[0] + 1] - GAP_Y * 0.6, tops[layers[1]] - GAP_Y * 0.4
    if not lane:
        level = tops[layers[1]] - GAP_Y * 0.5
        return (
            (here.middle, here.bottom), (here.middle, level),
            (there.middle, level), (there.middle, there.y),
        )  # fmt: skip
    side = -lane * LANE
    return (
        (here.middle - 12, here.bottom), (here.middle - 12, below), (side, below),
        (side, above), (there.middle - 12, above), (there.middle - 12, there.y),
    )  # fmt: skip


def _returning(
    here: Box, there: Box, layers: tuple[int, int], tops: list[float], lane: float
) -> tuple[tuple[float, float], ...]:
    """Out below its own layer, up a lane on the right, in above the other."""
    below, above = tops[layers[0] + 1] - GAP_Y * 0.75, tops[layers[1]] - GAP_Y * 0.25
    start, to = here.x + here.width - 24, there.x + there.width - 14
    return (
        (start, here.bottom), (start, below), (lane, below), (lane, above), (to, above),
        (to, there.y),
    )  # fmt: skip
