"""Files made to break a reader: each ends in content or in a status, never in another exception."""

import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bythebook.deliverables.evidence import child, docx, image, pdf, pptx
from bythebook.deliverables.evidence.model import Content, Pdf
from bythebook.deliverables.evidence.reading import Unreadable
from tests.deliverables.evidence.documents import (
    SHOW_TYPES,
    SPACES,
    deck,
    deep,
    memo,
    para,
    parts_of,
    picture,
    relations,
    report,
    word,
    zipped,
)

Reader = Callable[[Path], Content]
READERS: dict[str, Reader] = {
    "docx": docx.read,
    "pptx": pptx.read,
    "pdf": pdf.read,
    "png": image.read,
}


@cache
def sample(suffix: str) -> bytes:
    folder = Path(mkdtemp())
    if suffix == "png":
        return picture()
    makers = {"docx": memo, "pptx": deck, "pdf": report}
    return makers[suffix](folder / f"a.{suffix}").read_bytes()


def status_of(path: Path) -> str:
    """`ok`, or why a file does not read. What is read can be kept, and nothing takes long."""
    began = time.monotonic()
    try:
        msgspec.json.encode(READERS[path.suffix.lstrip(".")](path))
    except Unreadable as error:
        return error.status if len(error.says) < 1000 else "far too many words"
    finally:
        assert time.monotonic() - began < 20
    return "ok"


def bent(suffix: str, data: bytes) -> str:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"a.{suffix}"
        path.write_bytes(data)
        return status_of(path)


@pytest.mark.parametrize("suffix", READERS)
@given(share=st.floats(0, 0.999))
@settings(max_examples=40, deadline=None)
def test_a_truncated_file_ends_in_a_status(suffix: str, share: float) -> None:
    data = sample(suffix)
    assert bent(suffix, data[: int(len(data) * share)]) in ("ok", "corrupt")


FLIPS = st.lists(st.tuples(st.floats(0, 0.9999), st.integers(0, 255)), min_size=1, max_size=20)


def flipped(data: bytes, flips: list[tuple[float, int]]) -> bytes:
    found = bytearray(data)
    for share, value in flips:
        found[int(len(found) * share)] = value
    return bytes(found)


@pytest.mark.parametrize("suffix", READERS)
@given(flips=FLIPS)
@settings(max_examples=60, deadline=None)
def test_flipped_bytes_end_in_a_status(suffix: str, flips: list[tuple[float, int]]) -> None:
    status = bent(suffix, flipped(sample(suffix), flips))
    assert status in ("ok", "corrupt", "encrypted", "too_big")


@pytest.mark.parametrize("suffix", ["docx", "pptx"])
@given(flips=FLIPS, which=st.floats(0, 0.9999))
@settings(max_examples=80, deadline=None)
def test_flipped_bytes_inside_a_part_end_in_a_status(
    suffix: str, flips: list[tuple[float, int]], which: float
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"a.{suffix}"
        path.write_bytes(sample(suffix))
        parts = parts_of(path)
        names = [name for name in parts if name.endswith((".xml", ".rels"))]
        name = names[int(len(names) * which)]
        data = parts[name]
        assert isinstance(data, bytes)
        zipped(path, parts | {name: flipped(data, flips)})
        assert status_of(path) in ("ok", "corrupt")


@pytest.mark.parametrize("suffix", ["docx", "pptx"])
def test_any_part_may_be_missing(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(sample(suffix))
    parts = parts_of(path)
    for missing in parts:
        zipped(path, {name: data for name, data in parts.items() if name != missing})
        assert status_of(path) in ("ok", "corrupt"), missing


@pytest.mark.parametrize(("suffix", "other"), [("docx", "pptx"), ("pptx", "docx"), ("pdf", "png")])
def test_a_file_of_another_kind_is_corrupt(suffix: str, other: str) -> None:
    assert bent(suffix, sample(other)) == "corrupt"


BOMB = (
    '<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa">'
    + "".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]>"
)


def test_entities_are_refused_and_never_spelled_out(tmp_path: Path) -> None:
    path = word(tmp_path / "a.docx", para("&i;"))
    parts = parts_of(path)
    text = parts["word/document.xml"]
    assert isinstance(text, bytes)
    zipped(path, parts | {"word/document.xml": BOMB.encode() + text})
    assert status_of(path) == "corrupt"


def test_a_file_outside_is_never_read_through_an_entity(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("SECRET")
    path = word(tmp_path / "a.docx", para("&x;"))
    parts = parts_of(path)
    text = parts["word/document.xml"]
    assert isinstance(text, bytes)
    head = f'<!DOCTYPE w [<!ENTITY x SYSTEM "file://{tmp_path}/secret.txt">]>'.encode()
    zipped(path, parts | {"word/document.xml": head + text})
    assert status_of(path) == "corrupt"


def cells(depth: int) -> str:
    return "<w:tbl><w:tr><w:tc>" * depth + para("deep") + "</w:tc></w:tr></w:tbl>" * depth


def boxes(depth: int) -> str:
    start = "<w:p><w:r><w:pict><v:textbox><w:txbxContent>"
    end = "</w:txbxContent></v:textbox></w:pict></w:r></w:p>"
    return start * depth + para("deep") + end * depth


BODIES = {
    "tables in tables": cells(30),
    "tables in tables without end": cells(600),
    "boxes in boxes": boxes(40),
    "changes in changes": "<w:p>" + deep("w:ins", 1500) + "</w:p>",
    "controls in controls": deep("w:sdt", 1800),
    "equations in equations": "<w:p><m:oMath>" + deep("m:e", 1500) + "</m:oMath></w:p>",
    "a field that never ends": "<w:p>"
    + '<w:r><w:fldChar w:fldCharType="begin"/><w:t>x</w:t></w:r>' * 50_000
    + "</w:p>",
    "a cell as wide as the sea": "<w:tbl>"
    + '<w:tr><w:tc><w:tcPr><w:gridSpan w:val="2000000000"/></w:tcPr><w:p/></w:tc></w:tr>' * 2000
    + "</w:tbl>",
    "numbers that are none": para(
        "x",
        '<w:outlineLvl w:val="-5"/><w:numPr><w:ilvl w:val="999"/><w:numId w:val="x"/></w:numPr>',
    )
    + '<w:p><w:r><w:sym w:char="ZZ"/><w:sym w:font="a" w:char="FFFFFFFF"/>'
    '<w:sym w:font="b" w:char="D800"/></w:r></w:p>',
    "many paragraphs": para("x") * 60_000,
    "many marks": "<w:p>" + '<w:ins w:author="a"><w:r><w:t>x</w:t></w:r></w:ins><w:r/>' * 30_000
    + "</w:p>",
}  # fmt: skip


@pytest.mark.parametrize("name", BODIES)
def test_a_document_is_read_however_it_is_nested(name: str, tmp_path: Path) -> None:
    assert status_of(word(tmp_path / "a.docx", BODIES[name])) in ("ok", "corrupt")


def test_what_is_nested_too_deep_to_be_told_apart_is_still_there(tmp_path: Path) -> None:
    found = docx.read(word(tmp_path / "a.docx", cells(30)))
    assert b"deep" in msgspec.json.encode(found)


def slide(path: Path, tree: str, links: str = "") -> Path:
    return zipped(
        path,
        {
            "[Content_Types].xml": SHOW_TYPES,
            "_rels/.rels": relations(rId1="officeDocument ppt/presentation.xml"),
            "ppt/presentation.xml": f"<p:presentation {SPACES}><p:sldIdLst>"
            '<p:sldId r:id="rId1"/></p:sldIdLst><p:sldSz cx="0" cy="-1"/></p:presentation>',
            "ppt/_rels/presentation.xml.rels": relations(rId1="slide s.xml"),
            "ppt/_rels/s.xml.rels": links or relations(),
            "ppt/s.xml": f"<p:sld {SPACES}><p:cSld><p:spTree>{tree}</p:spTree></p:cSld></p:sld>",
        },
    )


GROUP = (
    '<p:grpSp><p:grpSpPr><a:xfrm><a:off x="2147483000" y="1"/><a:ext cx="2147483000" cy="0"/>'
    '<a:chOff x="-2147483000" y="0"/><a:chExt cx="1" cy="0"/></a:xfrm></p:grpSpPr>'
)
TREES = {
    "groups in groups": GROUP * 150 + "<p:sp/>" + "</p:grpSp>" * 150,
    "many shapes": "<p:sp/>" * 20_000,
    "a chart that is not there": "<p:graphicFrame><c:chart r:id='rId7' "
    "xmlns:c='http://schemas.openxmlformats.org/drawingml/2006/chart'/></p:graphicFrame>",
}


@pytest.mark.parametrize("name", TREES)
def test_a_slide_is_read_whatever_lies_on_it(name: str, tmp_path: Path) -> None:
    assert status_of(slide(tmp_path / "a.pptx", TREES[name])) in ("ok", "corrupt")


@pytest.mark.parametrize(
    "target", ["../../../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "", "//", "a" * 9000]
)
def test_a_relation_leads_nowhere_outside(target: str, tmp_path: Path) -> None:
    path = word(tmp_path / "a.docx", para("here"), relations(rId1=f"styles {target}"))
    assert status_of(path) == "ok"


def form_bomb() -> bytes:
    """A PDF whose drawings contain each other ten times over, twelve deep."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"]
    objects.append(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R"
        " /Resources << /XObject << /F 5 0 R >> >> >>"
    )
    objects.append("<< /Length 5 >>\nstream\n/F Do\nendstream")
    for depth in range(12):
        body = "/F Do " * 10
        objects.append(
            f"<< /Type /XObject /Subtype /Form /BBox [0 0 99 99] /Length {len(body)} /Resources"
            f" << /XObject << /F {6 + depth} 0 R >> >> >>\nstream\n{body}\nendstream"
        )
    data, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{one}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    return (
        data
        + (
            f"xref\n0 {size}\n0000000000 65535 f \n{table}"
            f"trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF"
        ).encode()
    )


def test_drawings_that_hold_each_other_end_with_the_time_of_their_reader(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(form_bomb())
    with pytest.raises(Unreadable) as refused:
        child.run("pdf:read", path, returns=Pdf, allowance=child.Allowance(seconds=2))
    assert refused.value.status == "timeout"
