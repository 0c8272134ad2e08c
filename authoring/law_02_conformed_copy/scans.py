"""The two signed counterparts and the attendance sheet, as a scanner left them."""

from pathlib import Path

from PIL import Image

from authoring.law_02_conformed_copy.attendance import attendance
from authoring.law_02_conformed_copy.clutter import after, before
from authoring.law_02_conformed_copy.page import Leaf, stretches, typeset
from authoring.law_02_conformed_copy.pen import Paper, amend
from authoring.law_02_conformed_copy.world import COPIES, World
from authoring.parts.dice import Dice
from authoring.parts.picture import Picture, Scanned, write_picture

DPI = 260


def _scan(paper: Picture, dice: Dice) -> Image.Image:
    how = Scanned(
        dpi=DPI,
        askew=dice.whole(-70, 70) / 100,
        bow=dice.whole(2, 10) / 10,
        spine=dice.whole(2, 8) / 10,
        grain=2.3,
    )
    return paper.scanned(how)


def page(told: World, leaf: Leaf, number: int, copy: str) -> Image.Image:
    dice = Dice("page", told.seed, copy, number)
    paper = Paper(leaf, copy, dice, told.seed, copy, number)
    before(paper)
    here = [change for change in told.changes if change.page == number]
    for change in here:
        written = change.landlord if copy == "landlord" else change.tenant
        if written is not None:
            amend(paper, change, written)
    joined = [stretches(leaf, one.ref)[0].y for one in here if one.bracket or one.joined]
    if joined:
        paper.bracket(joined[0] - 5, joined[-1] + 3)
    after(paper, told, number)
    return _scan(paper, dice)


def write_scans(told: World, folder: Path, only: tuple[int, ...] = ()) -> None:
    """`only`: these pages alone, to look at."""
    for number, leaf in enumerate(typeset(told.lease), 1):
        for copy in COPIES:
            if not only or number in only:
                name = f"{copy}s-counterpart-{number:02d}.png"
                write_picture(folder / name, page(told, leaf, number, copy), DPI)
    if not only or 0 in only:
        dice = Dice("attendance", told.seed)
        write_picture(folder / "attendance-sheet.png", _scan(attendance(told, dice), dice), DPI)
