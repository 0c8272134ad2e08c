"""A picture of the workspace as a model is shown it: of a kind and size that providers take."""

import tempfile
from io import BytesIO
from pathlib import Path
from typing import cast

from msgspec import Struct
from PIL import Image, ImageOps

from bythebook.deliverables.evidence import child
from bythebook.deliverables.evidence.image import opened
from bythebook.deliverables.evidence.reading import Unreadable
from bythebook.models.types import LARGEST_IMAGE

LONGEST_SIDE = 2_000
"""Pixels. Anthropic refuses a longer one where a request holds more than twenty pictures."""
AS_THEY_ARE = {"PNG": "image/png", "JPEG": "image/jpeg"}
"""What every provider reads."""
PLAIN = frozenset({"1", "L", "P", "RGB"})
"""Modes of pixels that every decoder shows alike; what prints in four colours, has sixteen bits or
lets light through looks different at each."""
FULL = 2.0**16 - 1
UPRIGHT = (None, 1)
"""Values of the tag that says how a camera was held."""
ORIENTATION = 0x0112
QUALITIES = (90, 70, 50)
ALLOWANCE = child.Allowance(seconds=30, memory=2 * 2**30)


class Fitted(Struct, frozen=True):
    """What is shown of a picture."""

    media: str
    width: int
    height: int
    original: tuple[int, int]
    """Its pixels before it was made smaller."""
    frames: int
    """Pages of a scan, or frames of an animation; the first is shown."""
    data: bytes


def fitted(data: bytes) -> Fitted:
    """A picture's bytes made fit to be shown, in a process of its own. Raises Unreadable."""
    with tempfile.TemporaryDirectory(prefix="bythebook-") as folder:
        path = Path(folder) / "picture"
        path.write_bytes(data)
        return child.run(f"{__name__}:fit", path, returns=Fitted, allowance=ALLOWANCE)


def fit(path: Path) -> Fitted:
    """The bytes as they are where any provider takes them; else a smaller picture of the same."""
    with opened(path) as image:
        frames = int(getattr(image, "n_frames", 1))
        image.seek(0)
        image.load()
        data, original = path.read_bytes(), image.size
        if frames == 1 and _fits(image, data):
            return Fitted(AS_THEY_ARE[image.format or ""], *original, original, frames, data)
        seen = _flat(ImageOps.exif_transpose(image))
        seen.info.clear()  # a profile or a clear colour of the old pixels is none of the new
        original = seen.size
        seen.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
        media, data = _written(seen)
        return Fitted(media, *seen.size, original, frames, data)


def _fits(image: Image.Image, data: bytes) -> bool:
    """Does every provider take it, and show the same?"""
    small = max(image.size) <= LONGEST_SIDE and len(data) <= LARGEST_IMAGE
    plain = image.mode in PLAIN and not image.has_transparency_data
    upright = image.getexif().get(ORIENTATION) in UPRIGHT
    return small and plain and upright and image.format in AS_THEY_ARE


def _flat(image: Image.Image) -> Image.Image:
    """Eight bits a colour, on white where it lets that through."""
    if image.mode.startswith(("I", "F")):
        return _eight_bits(image)
    if image.has_transparency_data:
        seen = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", seen.size, "white"), seen).convert("RGB")
    return image.convert("L" if image.mode in ("1", "L") else "RGB")


def _eight_bits(image: Image.Image) -> Image.Image:
    """Greys of more than eight bits: of sixteen the higher eight, as viewers show them; others from
    the darkest to the brightest that is there. Pillow would cut off all above 255."""
    sixteen = image.mode.startswith("I;16")
    wide = image.convert("I").convert("F") if image.mode != "F" else image
    low, high = (0.0, FULL) if sixteen else cast("tuple[float, float]", wide.getextrema())
    scale = 255 / (high - low) if high > low else 0.0
    return wide.point(lambda grey: grey * scale - low * scale).convert("L")


def _written(image: Image.Image) -> tuple[str, bytes]:
    """Media type and bytes: without loss, unless that takes too many. Raises Unreadable."""
    for form, quality in (("PNG", None), *(("JPEG", number) for number in QUALITIES)):
        into = BytesIO()
        image.save(into, form, quality=quality)
        if into.tell() <= LARGEST_IMAGE:
            return AS_THEY_ARE[form], into.getvalue()
    raise Unreadable("too_big", "It is too big to be shown; cut out a part.")
