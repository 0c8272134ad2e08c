"""Pictures: format, size in pixels, and whether there is anything on them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

from bythebook.deliverables.evidence.model import Picture
from bythebook.deliverables.evidence.reading import Unreadable

MAX_PIXELS = 60_000_000
FORMATS = ("PNG", "JPEG", "GIF", "TIFF", "BMP", "WEBP")
"""Those whose decoder is part of Pillow; nothing here starts another program."""


def read(path: Path) -> Picture:
    """Raises Unreadable. Nothing that a camera noted is kept."""
    with opened(path) as image:
        return _picture(image)


@contextmanager
def opened(path: Path) -> Iterator[Image.Image]:
    """A picture of bounded size. Raises Unreadable for whatever its decoder trips over in here."""
    try:
        with Image.open(path, formats=FORMATS) as image:
            if image.width * image.height > MAX_PIXELS:
                raise Unreadable("too_big", f"It has {image.width} x {image.height} pixels.")
            if not image.width or not image.height:
                raise Unreadable("corrupt", "It has no pixels.")
            yield image
    except Unreadable:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise Unreadable("too_big", f"It has more than {MAX_PIXELS:,} pixels.") from None
    except Exception as error:  # noqa: BLE001 - a decoder raises whatever it trips over
        words = str(error).replace(str(path), path.name)
        raise Unreadable("corrupt", f"It does not open as a picture: {words}"[:300]) from None


def _picture(image: Image.Image) -> Picture:
    frames = int(getattr(image, "n_frames", 1))
    image.seek(0)
    return Picture(
        format=(image.format or "").lower(),
        width=image.width,
        height=image.height,
        blank=_blank(image),
        frames=frames,
    )


TRANSPARENT = ("RGBA", "LA", "PA", "P")


def _blank(image: Image.Image) -> bool:
    """Whether a reader sees one colour throughout, on white where the picture lets it through."""
    if image.mode in TRANSPARENT:
        seen = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", seen.size, "white"), seen)
    extremes = [band.getextrema() for band in image.split()]
    return all(low == high for low, high in extremes)
