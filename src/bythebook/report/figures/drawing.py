"""A drawing as SVG text: lines, marks and words, each with a CSS class and nothing else."""

import re
from functools import cache
from importlib.resources import files
from xml.sax.saxutils import escape, quoteattr

from bythebook.report.table import Cell

STYLE = "figure.css"
NEVER = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Signs that XML cannot hold."""
LETTER = 6.4
"""Pixels of an average letter of the labels."""


class Drawing:
    """Things drawn so far, in pixels from the upper left corner."""

    def __init__(self, width: float) -> None:
        self.width, self.height = width, 0.0
        self._parts: list[str] = []

    def _add(self, name: str, kind: str, lowest: float, **places: float | str) -> None:
        told = "".join(f" {key}={quoteattr(_short(value))}" for key, value in places.items())
        self._parts.append(f'<{name} class="{kind}"{told}/>')
        self.height = max(self.height, lowest)

    def line(self, kind: str, x1: float, y1: float, x2: float, y2: float) -> None:
        self._add("line", kind, max(y1, y2), x1=x1, y1=y1, x2=x2, y2=y2)

    def box(self, kind: str, x: float, y: float, width: float, height: float) -> None:
        self._add("rect", kind, y + height, x=x, y=y, width=max(0.0, width), height=height)

    def dot(self, kind: str, x: float, y: float, r: float = 4.5) -> None:
        self._add("circle", kind, y + r, cx=x, cy=y, r=r)

    def path(self, kind: str, d: str, y: float) -> None:
        """`y`: the lowest point."""
        self._add("path", kind, y, d=d)

    def text(self, kind: str, x: float, y: float, words: str, anchor: str = "start") -> None:
        said = escape(NEVER.sub("", words))
        place = f'x="{_short(x)}" y="{_short(y)}" text-anchor="{anchor}"'
        self._parts.append(f'<text class="{kind}" {place}>{said}</text>')
        self.height = max(self.height, y + 4)

    def svg(self, title: str, says: str) -> str:
        """One `<svg>` element, complete in itself."""
        size = f'width="{_short(self.width)}" height="{_short(self.height + 8)}"'
        box = f'viewBox="0 0 {_short(self.width)} {_short(self.height + 8)}"'
        head = f"<title>{escape(title)}</title><desc>{escape(says)}</desc>"
        opened = f'<svg xmlns="http://www.w3.org/2000/svg" class="fig" role="img" {size} {box}>'
        return f"{opened}{head}<style>{style()}</style>{''.join(self._parts)}</svg>"


@cache
def style() -> str:
    """The colours of all drawings; the site has them as a style sheet."""
    return (files("bythebook.report.figures") / STYLE).read_text("utf-8")


def _short(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


# --- values and scales --------------------------------------------------------------------------


def middle(cell: Cell) -> float | None:
    """The figure of a cell, or the middle of what it may be while something is void."""
    if isinstance(cell.value, int | float):
        return float(cell.value)
    least, most = cell.least, cell.most
    return (least + most) / 2 if least is not None and most is not None else None


def worded(cell: Cell, places: int = 0) -> str:
    """The figure of a cell for a label: `64` or `59-75`."""
    if isinstance(cell.value, int | float):
        return f"{cell.value:,.{places}f}"
    least, most = cell.least, cell.most
    return f"{least:.{places}f}-{most:.{places}f}" if least is not None and most is not None else ""


def shortened(label: str, most: int = 34) -> str:
    return label if len(label) <= most else f"{label[: most - 1]}…"


def room(labels: list[str]) -> float:
    """Pixels that the longest label takes."""
    return max((len(label) for label in labels), default=0) * LETTER + 12


def steps(least: float, most: float, count: int = 4) -> list[float]:
    """Round numbers from `least` to at least `most`."""
    span = max(most - least, 1e-9)
    rough = span / count
    power = 1.0
    while power * 10 <= rough:
        power *= 10
    while power > rough:
        power /= 10
    step = next(power * by for by in (1, 2, 2.5, 5, 10) if power * by >= rough)
    found = [least]
    while found[-1] < most - 1e-9:
        found.append(found[-1] + step)
    return found
