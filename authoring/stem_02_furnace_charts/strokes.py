"""A hand that writes capitals and figures: strokes on a field of 4 by 6, a little unsteady."""

from itertools import pairwise

from PIL import ImageDraw

from authoring.parts.dice import Dice

GLYPHS = {
    "0": "10 01 05 16 36 45 41 30 10",
    "1": "14 26 20",
    "2": "05 16 36 45 44 00 40",
    "3": "05 16 36 45 44 33 13 33 42 41 30 10 01",
    "4": "30 36 02 42",
    "5": "06 03 13 34 42 41 30 10 01 - 06 46",
    "6": "36 16 04 01 10 30 41 42 33 13 02",
    "7": "06 46 10",
    "8": "13 04 05 16 36 45 44 33 13 02 01 10 30 41 42 33",
    "9": "01 10 30 42 45 36 16 05 04 13 33 44",
    "A": "00 26 40 31 11 12 32",
    "B": "00 06 36 45 44 33 03 33 42 41 30 00",
    "C": "45 36 16 05 01 10 30 41",
    "D": "00 06 26 44 42 20 00",
    "E": "46 06 00 40 - 03 33",
    "F": "46 06 00 - 03 33",
    "G": "45 36 16 05 01 10 30 42 22",
    "H": "06 00 - 46 40 - 03 43",
    "I": "26 20",
    "J": "46 41 30 10 01",
    "K": "06 00 - 46 02 - 13 40",
    "L": "06 00 40",
    "M": "00 06 23 46 40",
    "N": "00 06 40 46",
    "O": "10 01 05 16 36 45 41 30 10",
    "P": "00 06 36 45 44 33 03",
    "Q": "10 01 05 16 36 45 41 30 10 - 22 40",
    "R": "00 06 36 45 44 33 03 - 23 40",
    "S": "45 36 16 05 04 13 33 42 41 30 10 01",
    "T": "06 46 - 26 20",
    "U": "06 01 10 30 41 46",
    "V": "06 20 46",
    "W": "06 10 24 30 46",
    "X": "06 40 - 46 00",
    "Y": "06 23 46 - 23 20",
    "Z": "06 46 00 40",
    "/": "00 46",
    "-": "03 43",
    ".": "10 20 21 11 10",
    ":": "11 12 - 14 15",
    "?": "05 16 36 45 44 22 21 - 10 20",
    "!": "26 22 - 20 21",
    "+": "03 43 - 25 21",
}


def write(
    ink: ImageDraw.ImageDraw,
    at: tuple[float, float],
    text: str,
    size: float,
    dice: Dice,
    fill: tuple[int, int, int],
) -> None:
    """`at`: left end of the base line, px; `size`: height of a capital, px."""
    unit = size / 6
    lean, climb = dice.whole(5, 25) / 100, dice.whole(-60, 60) / 1000
    left = at[0]
    for sign in text.upper():
        for stroke in GLYPHS.get(sign, "").split(" - "):
            points = []
            for pair in stroke.split():
                x, y = (int(digit) + dice.whole(-28, 28) / 100 for digit in pair)
                across = left + (x + lean * y) * unit
                points.append((across, at[1] - y * unit - climb * (across - at[0])))
            if len(points) > 1:
                ink.line(_round(points), fill=fill, width=max(2, round(size / 13)), joint="curve")
        left += (5.4 + dice.whole(-30, 30) / 100) * unit


def _round(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Corners cut twice, ends kept."""
    for _ in range(2):
        cut = [points[0]]
        for (ax, ay), (bx, by) in pairwise(points):
            cut += [(0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by)]
            cut += [(0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by)]
        points = [*cut, points[-1]]
    return points
