"""Pictures: size, blankness, frames; bombs and broken ones end in a status."""

import io
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from bythebook.deliverables.evidence import image
from bythebook.deliverables.evidence.model import Picture
from bythebook.deliverables.evidence.reading import Unreadable
from tests.deliverables.evidence.documents import picture


def read(tmp_path: Path, data: bytes) -> Picture:
    (tmp_path / "a.png").write_bytes(data)
    return image.read(tmp_path / "a.png")


def saved(picture: Image.Image, form: str = "PNG", **settings: object) -> bytes:
    file = io.BytesIO()
    picture.save(file, form, **settings)
    return file.getvalue()


def test_a_picture_has_a_size_and_something_on_it(tmp_path: Path) -> None:
    assert read(tmp_path, picture(90, 50)) == Picture(format="png", width=90, height=50)


@pytest.mark.parametrize("colour", ["white", (255, 255, 255, 0), (9, 9, 9, 0)])
def test_one_colour_throughout_is_blank(colour: str | tuple[int, ...], tmp_path: Path) -> None:
    assert read(tmp_path, saved(Image.new("RGBA", (20, 20), colour))).blank


@pytest.mark.parametrize("mode", ["1", "L", "P", "I;16", "F", "CMYK"])
def test_every_mode_is_looked_at(mode: str, tmp_path: Path) -> None:
    found = read(tmp_path, saved(Image.new(mode, (4, 4)), "TIFF"))
    assert (found.format, found.blank) == ("tiff", True)


def test_frames_are_counted(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (4, 4), colour) for colour in ("red", "green", "blue")]
    data = saved(frames[0], "TIFF", save_all=True, append_images=frames[1:])
    assert read(tmp_path, data).frames == 3


def chunk(kind: bytes, data: bytes) -> bytes:
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def png(width: int, height: int, *chunks: bytes) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + b"".join(chunks) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (png(100_000, 100_000, chunk(b"IDAT", zlib.compress(bytes(10)))), "too_big"),
        (png(9_000, 9_000, chunk(b"IDAT", zlib.compress(bytes(10)))), "too_big"),
        (picture()[:-30], "corrupt"),
        (b"not a picture", "corrupt"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "corrupt"),
        (png(9, 9, chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(90_000_000)))), "corrupt"),
    ],
)
def test_bombs_and_broken_ones_end_in_a_status(data: bytes, status: str, tmp_path: Path) -> None:
    with pytest.raises(Unreadable) as refused:
        read(tmp_path, data)
    assert refused.value.status == status
