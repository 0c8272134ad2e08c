"""Byte-reproducible files: whatever wrote an office file, `pack` takes date and chance out of it.

Two builds of one seed are the same in every unpacked part, on any machine, in any zone, at any
hour. `differences` compares so: members of a zip (XML by what it says, not by how it is
serialized), streams of a pdf, pixels of an image.
"""

import io
import re
import xml.etree.ElementTree as etree
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops

WHEN = datetime(2025, 1, 13, 9, 0)  # noqa: DTZ001 - office files keep no zone
"""Created and modified, of all files."""
ZIP_DATE = (1980, 1, 1, 0, 0, 0)
OFFICE = (".xlsx", ".docx", ".pptx")
PIXELS = (".png", ".jpeg", ".jpg")
CLEARLY = 100
"""Steps of grey, of 255."""

_DRAFT = ContextVar("draft", default=False)

STAMP = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*(</dcterms:\2>)")
VERSION = re.compile(rb"<AppVersion>[^<]*</AppVersion>")


def pack(path: Path) -> None:
    """Rewrite an office file in place: fixed dates, neutral version, members in their order."""
    with zipfile.ZipFile(path) as old:
        members = [(info.filename, old.read(info)) for info in old.infolist()]
    write_zip(path, {name: _steady(name, data) for name, data in members})


@contextmanager
def drafting() -> Iterator[None]:
    """Files made within are compared and thrown away: `save_png` need not make them small."""
    before = _DRAFT.set(True)
    try:
        yield
    finally:
        _DRAFT.reset(before)


def save_png(image: Image.Image, path: Path, **how: Any) -> None:
    """Pillow's own options in `how`; the pixels are the same whether it is a draft or not."""
    image.save(
        path, "PNG", **(how | {"optimize": False, "compress_level": 1} if _DRAFT.get() else how)
    )


def write_zip(path: Path, members: Mapping[str, bytes]) -> None:
    """A zip of these members, in this order, with nothing in it that depends on when or where."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as new:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, ZIP_DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 0
            info.external_attr = 0
            new.writestr(info, data)


def _steady(name: str, data: bytes) -> bytes:
    if name == "docProps/core.xml":
        return STAMP.sub(rb"\g<1>" + WHEN.strftime("%Y-%m-%dT%H:%M:%SZ").encode() + rb"\3", data)
    if name == "docProps/app.xml":
        return VERSION.sub(b"<AppVersion>16.0300</AppVersion>", data)
    return data


def parts(path: Path) -> dict[str, bytes]:
    """What a file consists of, unpacked; deflated streams depend on the zlib that wrote them."""
    data = path.read_bytes()
    if path.suffix in OFFICE:
        with zipfile.ZipFile(path) as pack_:
            return {name: pack_.read(name) for name in sorted(pack_.namelist())}
    if path.suffix == ".pdf":
        return _streams(data)
    return {path.name: data}


STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.S)
TABLE = re.compile(rb"\nxref\n.*", re.S)
LENGTH = re.compile(rb"/Length[123]? \d+")


def _streams(data: bytes) -> dict[str, bytes]:
    """A pdf's streams inflated, and what stands around them without lengths and offsets."""
    found = {f"stream {n}": _inflated(s) for n, s in enumerate(STREAM.findall(data), 1)}
    frame = TABLE.sub(b"", STREAM.sub(b"stream", data))
    return found | {"frame": LENGTH.sub(b"/Length", frame)}


def _inflated(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return stream


def differences(ours: Path, theirs: Path) -> list[str]:
    """Parts of two files that are not the same; images may differ by a hair (font rasterisers)."""
    if ours.suffix in PIXELS:
        return [] if alike(ours.read_bytes(), theirs.read_bytes()) else [ours.name]
    left, right = parts(ours), parts(theirs)
    odd = sorted(left.keys() ^ right.keys())
    return odd + [name for name in left if name in right and not _same(name, left, right)]


def _same(name: str, left: Mapping[str, bytes], right: Mapping[str, bytes]) -> bool:
    a, b = left[name], right[name]
    if a == b:
        return True
    if name.endswith((".xml", ".rels")):
        return etree.canonicalize(a.decode()) == etree.canonicalize(b.decode())
    return name.endswith(PIXELS) and alike(a, b)


def alike(a: bytes, b: bytes) -> bool:
    """Two images of one size with less than one pixel in 2000 clearly darker or lighter."""
    if a == b:
        return True
    first, second = (Image.open(io.BytesIO(data)).convert("L") for data in (a, b))
    if first.size != second.size:
        return False
    odd = ImageChops.difference(first, second).histogram()[CLEARLY:]
    return 2000 * sum(odd) < first.size[0] * first.size[1]
