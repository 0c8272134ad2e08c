"""Pages of what was handed over, as pictures beside the site. Asked for, since drawing takes an
engine some seconds a file."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from PIL import Image

from bythebook.deliverables.evidence.view import View
from bythebook.errors import TraceError
from bythebook.run.durable import on_disk

WIDEST = 1400
"""Pixels."""
QUALITY = 72


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    file: str
    """Relative to the site."""
    label: str
    """What it shows: `page 3`, `sheet Payroll`, `slide 2`."""
    width: int
    height: int


def draw(view: View, into: Path, under: str) -> dict[str, tuple[tuple[Picture, ...], str]]:
    """The pages of every file, written to `into`; in the site they stand at `under`.

    By file: its pictures, and why there are none or not all.
    """
    found: dict[str, tuple[tuple[Picture, ...], str]] = {}
    for number, name in enumerate(view.files, 1):
        try:
            pages = view.pages(name)
        except TraceError as error:
            found[name] = (), error.what
            continue
        pictures = tuple(
            _kept(view.root / page.path, page.label, into / f"{number}-{count}.webp", under)
            for count, page in enumerate(pages.images, 1)
        )
        found[name] = pictures, pages.says
    return found


def _kept(source: Path, label: str, to: Path, under: str) -> Picture:
    with on_disk(to), Image.open(source) as image:
        to.parent.mkdir(parents=True, exist_ok=True)
        shown = image.convert("RGB")
        shown.thumbnail((WIDEST, WIDEST * 4))
        shown.save(to, "WEBP", quality=QUALITY, method=4)
        return Picture(
            file=f"{under}/{to.name}", label=label, width=shown.width, height=shown.height
        )


def size(folder: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(_sizes(folder))


def _sizes(folder: Path) -> Iterator[int]:
    return (path.stat().st_size for path in folder.rglob("*") if path.is_file())
