"""Whatever stands in a folder: each file ends in a status within its limits, and nothing raises."""

import functools
import io
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bythebook.deliverables.evidence import xlsx
from bythebook.deliverables.evidence.model import Workbook
from bythebook.deliverables.evidence.office import find_engine
from bythebook.deliverables.evidence.reading import Unreadable
from bythebook.deliverables.evidence.view import View
from tests.deliverables.evidence.books import S, cached, needs_engine, payroll, raw, row
from tests.deliverables.evidence.documents import edited, parts_of, relations, zipped

ONE = row(1, "A1|<v>1</v>")
SHEET = "xl/worksheets/sheet1.xml"


@functools.cache
def good() -> bytes:
    with TemporaryDirectory() as folder:
        return payroll(Path(folder) / "good.xlsx").read_bytes()


def half(path: Path) -> None:
    path.write_bytes(good()[: len(good()) // 2])


def only_text(path: Path) -> None:
    path.write_text("Gross pay is 1,234.", "utf-8")


def password(path: Path) -> None:
    stream = "EncryptedPackage".encode("utf-16-le")
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 1000 + stream)


def entity_bomb(path: Path) -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9))
    head = f'<!DOCTYPE w [<!ENTITY e0 "aaaaaaaaaa">{entities}]>'
    raw(path, row(1, 'A1 t="inlineStr"|<is><t>&e8;</t></is>'))
    edited(path, SHEET, b"<worksheet", f"{head}<worksheet".encode())


def small_entity(path: Path) -> None:
    raw(path, row(1, 'A1 t="inlineStr"|<is><t>&e;</t></is>'))
    edited(path, SHEET, b"<worksheet", b'<!DOCTYPE w [<!ENTITY e "x">]><worksheet')


def outside_entity(path: Path) -> None:
    raw(path, row(1, 'A1 t="inlineStr"|<is><t>&e;</t></is>'))
    head = b'<!DOCTYPE w [<!ENTITY e SYSTEM "file:///etc/passwd">]><worksheet'
    edited(path, SHEET, b"<worksheet", head)


def zip_bomb(path: Path) -> None:
    parts = parts_of(raw(path, ONE))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in parts.items():
            package.writestr(name, text)
        with package.open("xl/bomb.xml", "w", force_zip64=True) as part:
            for _ in range(300):
                part.write(b"A" * 2**20)


def long_text(path: Path) -> None:
    raw(path, row(1, f'A1 t="inlineStr"|<is><t>{"A" * 9_000_000}</t></is>'))


def many_parts(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as package:
        for number in range(60_000):
            package.writestr(f"xl/{number}.xml", "")


def far_cell(path: Path) -> None:
    raw(path, ONE + row(1048576, "XFD1048576|<v>2</v>"))


def far_formats(path: Path) -> None:
    rows = "".join(row(n, f'BZ{n} s="1"|') for n in range(1, 60_000, 7))
    raw(path, ONE + rows)


def many_formulas(path: Path) -> None:
    lines = (row(n, f"A{n}|<v>{n}</v>", f"C{n}|<f>A{n}*2</f>") for n in range(1, 100_001))
    raw(path, "".join(lines))


def many_shared(path: Path) -> None:
    first = f'<f t="shared" ref="B1:B99999" si="0">{"+".join(["A1"] * 2000)}</f>'
    rows = row(1, f"B1|{first}")
    rows += "".join(row(n, f'B{n}|<f t="shared" si="0"/>') for n in range(2, 100_000))
    raw(path, rows)


def repeated_text(path: Path) -> None:
    texts = f'<sst xmlns="{S}"><si><t>{"A" * 30_000}</t></si></sst>'
    rows = "".join(row(n, f'A{n} t="s"|<v>0</v>') for n in range(1, 50_000))
    raw(path, rows, xl__sharedStrings=texts)


def macro(path: Path) -> None:
    zipped(path, {**parts_of(raw(path, ONE)), "xl/vbaProject.bin": b"\xd0\xcf\x11\xe0"})


def outside_links(path: Path) -> None:
    rels = relations(a="externalLinkPath file:///C://other.xlsx")
    zipped(path, {**parts_of(raw(path, ONE)), "xl/externalLinks/_rels/e.xml.rels": rels})


def traversal(path: Path) -> None:
    zipped(path, {**parts_of(raw(path, ONE)), "../../../tmp/evil.xml": "x"})


def deep(path: Path) -> None:
    raw(path, "<x>" * 100_000 + "</x>" * 100_000)


def nul_bytes(path: Path) -> None:
    path.write_bytes(b"\0" * 10_000)


def nul_in_part(path: Path) -> None:
    edited(raw(path, ONE), SHEET, b"<v>1</v>", b"<v>\0\0</v>")


def wrong_rels(path: Path) -> None:
    edited(raw(path, ONE), "xl/_rels/workbook.xml.rels", b"worksheets/", b"../../../nowhere/")


def no_workbook(path: Path) -> None:
    zipped(path, {k: v for k, v in parts_of(raw(path, ONE)).items() if k != "xl/workbook.xml"})


def no_sheet(path: Path) -> None:
    zipped(path, {k: v for k, v in parts_of(raw(path, ONE)).items() if k != SHEET})


def no_texts(path: Path) -> None:
    raw(path, row(1, 'A1 t="s"|<v>7</v>'))


def lying_sizes(path: Path) -> None:
    data = bytearray(raw(path, ONE).read_bytes())
    place = data.rfind(b"PK\x01\x02")
    data[place + 24 : place + 28] = (5).to_bytes(4, "little")
    path.write_bytes(bytes(data))


def wide_columns(path: Path) -> None:
    columns = '<cols><col min="1" max="99999999" width="9" customWidth="1" hidden="1"/></cols>'
    raw(path, ONE)
    edited(path, SHEET, b"<sheetData>", f"{columns}<sheetData>".encode())


def endless_width(path: Path) -> None:
    columns = "".join(
        f'<col min="{place}" max="{place}" width="{width}" customWidth="1"/>'
        for place, width in enumerate(("9" * 400, "1e999", "NaN", "-inf", "12"), start=1)
    )
    raw(path, ONE)
    edited(path, SHEET, b"<sheetData>", f"<cols>{columns}</cols><sheetData>".encode())


def endless_number(path: Path) -> None:
    raw(path, row(1, f"A1|<v>{'9' * 400}</v>", "B1|<v>NaN</v>", "C1|<v>1e999</v>"))


def huge_range(path: Path) -> None:
    chart = (
        '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart>'
        "<c:plotArea><c:lineChart><c:ser><c:val><c:numRef><c:f>Data!$A$1:$XFD$1048576</c:f>"
        "</c:numRef></c:val></c:ser></c:lineChart></c:plotArea></c:chart></c:chartSpace>"
    )
    drawing = (
        '<d:wsDr xmlns:d="u:d" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/'
        'relationships"><d:twoCellAnchor><d:graphicFrame><c:chart xmlns:c="u:c" r:id="a"/>'
        "</d:graphicFrame></d:twoCellAnchor></d:wsDr>"
    )
    raw(path, ONE, after='<drawing r:id="a"/>', xl__drawing=drawing, xl__chart=chart)
    parts = parts_of(path)
    parts["xl/worksheets/_rels/sheet1.xml.rels"] = relations(a="drawing ../drawing.xml")
    parts["xl/_rels/drawing.xml.rels"] = relations(a="chart chart.xml")
    zipped(path, parts)


HOSTILE: dict[Callable[[Path], None], str] = {
    half: "corrupt",
    only_text: "wrong_type",
    password: "encrypted",
    entity_bomb: "corrupt",
    small_entity: "corrupt",
    outside_entity: "corrupt",
    zip_bomb: "too_big",
    long_text: "ok",
    many_parts: "too_big",
    far_cell: "ok",
    far_formats: "ok",
    many_formulas: "ok",
    many_shared: "ok",
    repeated_text: "ok",
    macro: "ok",
    outside_links: "ok",
    traversal: "corrupt",
    deep: "corrupt",
    nul_bytes: "wrong_type",
    nul_in_part: "corrupt",
    wrong_rels: "corrupt",
    no_workbook: "corrupt",
    no_sheet: "corrupt",
    no_texts: "ok",
    lying_sizes: "corrupt",
    wide_columns: "ok",
    endless_width: "ok",
    endless_number: "ok",
    huge_range: "ok",
}


@pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__)
def test_a_file_ends_in_its_status_within_its_limits(
    make: Callable[[Path], None], tmp_path: Path
) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    make(folder / "a.xlsx")
    started = time.monotonic()
    view = View.of_folder(folder, keep=tmp_path / "evidence")
    assert time.monotonic() - started < 20
    (file,) = view.index.files
    assert (file.status, bool(file.says)) == (HOSTILE[make], HOSTILE[make] != "ok")
    assert (view.content("a.xlsx") is None) == (file.status != "ok")


def test_what_is_cut_says_so(tmp_path: Path) -> None:
    for make in (many_shared, repeated_text):
        make(tmp_path / "a.xlsx")
        (sheet,) = xlsx.read(tmp_path / "a.xlsx").sheets
        assert 0 < len(sheet.cells) < 90_000
        assert "too long to keep" in sheet.cut


def test_an_endless_number_stays_the_text_that_it_is(tmp_path: Path) -> None:
    endless_number(tmp_path / "a.xlsx")
    cells = xlsx.read(tmp_path / "a.xlsx").sheets[0].cells
    assert [cell.type for cell in cells] == ["text", "text", "text"]


def test_only_a_width_that_is_a_number_is_kept(tmp_path: Path) -> None:
    endless_width(tmp_path / "a.xlsx")
    assert xlsx.read(tmp_path / "a.xlsx").sheets[0].widths == {5: 12}


def test_a_missing_text_is_warned_of(tmp_path: Path) -> None:
    no_texts(tmp_path / "a.xlsx")
    assert "1 cells of 'Data'" in " ".join(xlsx.read(tmp_path / "a.xlsx").warnings)


@needs_engine
@pytest.mark.parametrize("make", [far_cell, macro, outside_links], ids=lambda make: make.__name__)
def test_the_engine_is_not_held_up(make: Callable[[Path], None], tmp_path: Path) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    make(folder / "a.xlsx")
    view = View.of_folder(folder, keep=tmp_path / "evidence", engine=find_engine())
    started = time.monotonic()
    assert view.recalculated("a.xlsx").status == "ok"
    assert view.pages("a.xlsx").status == ("failed" if make is far_cell else "ok")
    assert time.monotonic() - started < 30


def status_of(data: bytes) -> str:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.xlsx"
        path.write_bytes(data)
        try:
            kept = msgspec.json.encode(xlsx.read(path))
            return "ok" if msgspec.json.decode(kept, type=Workbook) else "?"
        except Unreadable as error:
            return error.status


@given(st.floats(0, 1))
def test_a_truncated_book_ends_in_a_status(share: float) -> None:
    assert status_of(good()[: int(len(good()) * share)]) in ("ok", "corrupt")


@given(st.lists(st.tuples(st.floats(0, 0.999), st.integers(0, 255)), min_size=1, max_size=9))
@settings(deadline=None)
def test_changed_bytes_end_in_a_status(changes: list[tuple[float, int]]) -> None:
    data = bytearray(good())
    for share, value in changes:
        data[int(share * len(data))] = value
    assert status_of(bytes(data)) in ("ok", "corrupt", "too_big")


@given(st.data())
@settings(deadline=None)
def test_changed_bytes_inside_a_part_end_in_a_status(data: st.DataObject) -> None:
    with zipfile.ZipFile(io.BytesIO(good())) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    name = data.draw(st.sampled_from(sorted(parts)))
    text = bytearray(parts[name])
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place] = data.draw(st.sampled_from(b"<>/\"'=&0A9!-:#\0 "))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as package:
        for part, value in parts.items():
            package.writestr(part, bytes(text) if part == name else value)
    assert status_of(made.getvalue()) in ("ok", "corrupt")


def test_any_part_may_be_missing(tmp_path: Path) -> None:
    path = cached(tmp_path / "a.xlsx")
    parts = parts_of(path)
    for name in parts:
        zipped(path, {part: text for part, text in parts.items() if part != name})
        assert status_of(path.read_bytes()) in ("ok", "corrupt")
