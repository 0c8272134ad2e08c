"""A picture of the workspace as a model is shown it: of a kind and size that providers take."""

import tempfile
from io import BytesIO
from pathlib import Path

from msgspec import Struct
from PIL import Image, ImageOps

from bythebook.deliverables.evidence import child
from bythebook.deliverables.evidence.image import TRANSPARENT, opened
from bythebook.deliverables.evidence.reading import Unreadable
from bythebook.models.types import LARGEST_IMAGE

LONGEST_SIDE = 2_000
"""Pixels. Anthropic refuses a longer one where a request holds more than twenty pictures."""
AS_THEY_ARE = {"PNG": "image/png", "JPEG": "image/jpeg"}
"""What every provider reads."""
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
        image.load()
        data, original = path.read_bytes(), image.size
        media = AS_THEY_ARE.get(image.format or "")
        turned = image.getexif().get(ORIENTATION) not in UPRIGHT
        if media and not turned and _small(image, data):
            return Fitted(media, *original, original, data)
        seen = _flat(ImageOps.exif_transpose(image))
        original = seen.size
        seen.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
        media, data = _written(seen)
        return Fitted(media, *seen.size, original, data)


def _small(image: Image.Image, data: bytes) -> bool:
    return max(image.size) <= LONGEST_SIDE and len(data) <= LARGEST_IMAGE


def _flat(image: Image.Image) -> Image.Image:
    """On white where it lets that through."""
    if image.mode in TRANSPARENT:
        seen = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", seen.size, "white"), seen).convert("RGB")
    return image.convert("L" if image.mode in ("1", "L") else "RGB")


def _written(image: Image.Image) -> tuple[str, bytes]:
    """Media type and bytes: without loss, unless that takes too many. Raises Unreadable."""
    for form, quality in (("PNG", None), *(("JPEG", number) for number in QUALITIES)):
        into = BytesIO()
        image.save(into, form, quality=quality)
        if into.tell() <= LARGEST_IMAGE:
            return AS_THEY_ARE[form], into.getvalue()
    raise Unreadable("too_big", "It is too big to be shown; cut out a part.")
