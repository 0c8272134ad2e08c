"""What a scanner makes of a strip of paper: warped, dull, noisy, in 200 colours.

Only Pillow's own integer arithmetic and dice: the same picture on every machine.
"""

import math

import msgspec
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from authoring.parts.dice import Dice

PX = 300 / 25.4
"""Pixels per mm while it is drawn; a scan has half of them."""
CELL = 64
TILE = 256
SCANNED = 0.5


def multiply(page: Image.Image, layer: Image.Image) -> Image.Image:
    """Ink over ink."""
    return ImageChops.multiply(page, layer)


def scanned(page: Image.Image, dice: Dice) -> Image.Image:
    """The page as a picture of 150 dpi."""
    warped = _warped(page, dice)
    size = round(page.width * SCANNED), round(page.height * SCANNED)
    small = warped.resize(size, Image.Resampling.BOX)
    dull = _dull(small, dice)
    return dull.quantize(200, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


class Wave(msgspec.Struct, frozen=True):
    """How far the paper lies off, px, along one side."""

    high: float
    long: float
    phase: float

    def at(self, place: float) -> float:
        return self.high * math.sin(2 * math.pi * place / self.long + self.phase)


def _wave(dice: Dice, high: tuple[int, int], long: tuple[int, int]) -> Wave:
    """Heights in tenths of a millimetre, lengths in millimetres."""
    return Wave(dice.whole(*high) / 10 * PX, dice.whole(*long) * PX, dice.whole(0, 628) / 100)


def _warped(page: Image.Image, dice: Dice) -> Image.Image:
    """Askew, stretched, and not flat: the grid goes along with all that is on it."""
    angle = math.radians(dice.pick((-1, 1)) * dice.whole(140, 270) / 100)
    wide, high = dice.whole(985, 1015) / 1000, dice.whole(985, 1015) / 1000
    bow, creep = _wave(dice, (8, 12), (190, 280)), _wave(dice, (4, 7), (70, 110))
    swell, sag = _wave(dice, (8, 12), (110, 170)), _wave(dice, (3, 5), (60, 90))
    cx, cy = page.width / 2, page.height / 2
    cos, sin = math.cos(angle), math.sin(angle)

    def source(x: int, y: int) -> tuple[float, float]:
        u, v = (x - cx) * wide, (y - cy) * high
        u, v = u * cos - v * sin, u * sin + v * cos
        return cx + u + bow.at(v) + creep.at(u), cy + v + swell.at(u) + sag.at(v)

    mesh = []
    for left in range(0, page.width, CELL):
        for top in range(0, page.height, CELL):
            right, low = min(left + CELL, page.width), min(top + CELL, page.height)
            corners = ((left, top), (left, low), (right, low), (right, top))
            quad = tuple(value for corner in corners for value in source(*corner))
            mesh.append(((left, top, right, low), quad))
    return page.transform(
        page.size, Image.Transform.MESH, mesh, Image.Resampling.BICUBIC, fillcolor=(222, 219, 214)
    )


def _noise(size: tuple[int, int], dice: Dice, spread: int, grain: int) -> Image.Image:
    """Around 128; dots of `grain` pixels."""
    data = bytes(128 + dice.below(2 * spread + 1) - spread for _ in range(TILE * TILE))
    tile = Image.frombytes("L", (TILE, TILE), data)
    if grain > 1:
        tile = tile.resize((TILE * grain, TILE * grain), Image.Resampling.BILINEAR)
    field = Image.new("L", size)
    for left in range(0, size[0], tile.width):
        for top in range(0, size[1], tile.height):
            field.paste(tile, (left, top))
    return field


def _dull(page: Image.Image, dice: Dice) -> Image.Image:
    """Light from one side, stains, colour that bleeds as in a compressed picture, grain."""
    light, blue, red = page.convert("YCbCr").split()
    light = light.filter(ImageFilter.GaussianBlur(0.6))
    for name, spread, grain in (("fine", 4, 1), ("coarse", 3, 4)):
        field = _noise(page.size, Dice(name, dice.below(10**6)), spread, grain)
        light = ImageChops.add(light, field, 1, -128)
    shade = Image.linear_gradient("L").resize((page.height, page.width)).rotate(90, expand=True)
    shade = shade.resize(page.size).point([252 - n // 14 for n in range(256)])
    light = ImageChops.multiply(light, shade)
    small = (max(1, page.width // 2), max(1, page.height // 2))
    dull = [
        part.resize(small, Image.Resampling.BOX).resize(page.size, Image.Resampling.BILINEAR)
        for part in (blue, red)
    ]
    return Image.merge("YCbCr", (light, *dull)).convert("RGB")


def stain(page: Image.Image, at: tuple[float, float], radius: float) -> Image.Image:
    """A ring that a cup left."""
    layer = Image.new("RGB", page.size, (255, 255, 255))
    ink = ImageDraw.Draw(layer)
    box = (at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius)
    ink.ellipse(box, outline=(226, 212, 186), width=round(1.3 * PX))
    return multiply(page, layer.filter(ImageFilter.GaussianBlur(6)))
