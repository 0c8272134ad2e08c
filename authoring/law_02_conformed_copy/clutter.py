"""What else stands on the paper and changes nothing: dates filled in, signatures, stamps, notes."""

from typing import Any

import yaml

from authoring.law_02_conformed_copy.initials import initial
from authoring.law_02_conformed_copy.page import INDENT, LEFT, RIGHT, Piece
from authoring.law_02_conformed_copy.pen import PENCIL, Paper
from authoring.law_02_conformed_copy.world import COPIES, PARTIES, TEXTS, World

DATED = "11 June"


def _of(copy: str) -> dict[str, Any]:
    found: dict[str, dict[str, Any]] = yaml.safe_load((TEXTS / "clutter.yaml").read_text("utf-8"))
    return found[copy]


def _heads(paper: Paper) -> dict[str, Piece]:
    """Clause numbers on this page."""
    return {piece.text: piece for piece in paper.leaf.pieces if piece.x == LEFT and piece.text}


def before(paper: Paper) -> None:
    """Marker, which lies under the pens."""
    heads = _heads(paper)
    for ref in _of(paper.copy)["marker"]:
        if ref in heads:
            y = heads[ref].y - 1.4
            left = 91.0 if ref[0] == "P" else INDENT - 1
            last = (RIGHT - paper.dice.whole(2, 20), y + paper.jitter(0.4))
            paper.line([(left, y), last], 4.6, 214, "pencil")


def after(paper: Paper, told: World, number: int) -> None:
    """Pencil notes, ticks, dates, signatures and the initials at the foot."""
    heads, of = _heads(paper), _of(paper.copy)
    for ref, words in of["pencil"].items():
        if ref in heads:
            name, top = paper.place(heads[ref].y - 1.5, 5)
            low = 8.0 if name == "left" else 178.0
            paper.write((low, top + 2.5), words, "pencil", PENCIL + 10)
    for ref in of["tick"]:
        if ref in heads:
            x, y = LEFT - 5.5 + paper.jitter(0.5), heads[ref].y - 1
            paper.line([(x, y - 0.6), (x + 1, y + 0.6), (x + 3, y - 3)], 0.35, 70, "pen")
    _dates(paper)
    for who, x, y in paper.leaf.signed:
        initial(paper, (x, y - 6), who, paper.dice, 8)
        paper.free((x + 14, y + 1), (x + 38, y - 2))
    if number > 1:
        for n, who in enumerate(paper.dice.shuffled(tuple(PARTIES))):
            at = (158 + 11 * n + paper.jitter(1), 281 + paper.jitter(1))
            initial(paper, at, who, paper.dice, 2.2)
    else:
        words = ("LANDLORD'S", "TENANT'S")[COPIES.index(paper.copy)]
        stamp = [f"{words} COUNTERPART", told.facts["landlord" if words[0] == "L" else "tenant"]]
        paper.stamp((118, 22), stamp, 2 + paper.jitter(3))


def _dates(paper: Paper) -> None:
    for piece in paper.leaf.pieces:
        if piece.text.startswith("......"):
            paper.write((piece.x + 12, piece.y - 2.6), DATED)
