"""LibreOffice as an engine: what it computes and draws, and what it cannot do."""

import shutil
import stat
import time
from pathlib import Path

import msgspec
import pytest
import xlsxwriter
from PIL import Image

from bythebook.deliverables.evidence import pages, pptx, xlsx
from bythebook.deliverables.evidence.model import PageImages
from bythebook.deliverables.evidence.office import XLSX, Engine, Failure, Power, find_engine
from bythebook.deliverables.evidence.preflight import kind_of
from tests.deliverables.evidence.books import cached, needs_engine, payroll, raw, row
from tests.deliverables.evidence.documents import deck, memo, report


def engine() -> Engine:
    found = find_engine()
    assert found
    return found


def drawn(path: Path, into: Path) -> PageImages:
    kind = kind_of(path.name)
    content = xlsx.read(path) if kind == "xlsx" else None
    return pages.drawn(path, kind, content, engine(), into)


@needs_engine
def test_the_engine_says_what_it_is_and_how_it_is_kept() -> None:
    assert engine().version.startswith("LibreOffice ")
    assert engine().name.startswith(engine().version)
    assert ("sandboxed" in engine().name) == engine().sandboxed


@needs_engine
def test_a_forged_value_does_not_survive(tmp_path: Path) -> None:
    told = engine().recalculate(cached(tmp_path / "a.xlsx", wrong=True))
    assert told.status == "ok"
    assert told.values == {"Data": {"C2": 101, "C3": 202, "C4": 303, "E1": 606}}
    assert told.engine == engine().version


@needs_engine
def test_what_was_never_computed_is_and_what_is_unknown_is_left_out(tmp_path: Path) -> None:
    told = engine().recalculate(payroll(tmp_path / "a.xlsx"))
    values = told.values["Payroll"]
    assert (values["I3"], values["I4"], values["I6"]) == (520950, 11032.5, "n/a")
    assert (values["I8"], values["I9"]) == (42, "#DIV/0!")
    assert told.values["Tbl"] == {"D1": 10}
    assert values["K1"] == 20
    if engine().version.startswith("LibreOffice 7."):
        assert not {"I10", "I11", "I12", "I13"} & set(values)
        assert "TODAY, XLOOKUP" in told.says


@needs_engine
def test_another_input_gives_another_result(tmp_path: Path) -> None:
    path = cached(tmp_path / "a.xlsx")
    before = path.read_bytes()
    told = engine().what_if(path, {"Data!A2": 1000, "Data!B9": 5, "Data!A12": "text"})
    assert told.values["Data"]["C2"] == 1001
    assert told.values["Data"]["E1"] == 1001 + 202 + 303
    assert path.read_bytes() == before


@needs_engine
def test_a_formula_may_be_put_aside_and_those_shared_with_it_stay(tmp_path: Path) -> None:
    rows = row(1, "A1|<v>1</v>", 'B1|<f t="shared" ref="B1:B2" si="0">A1*2</f><v>2</v>')
    rows += row(2, "A2|<v>5</v>", 'B2|<f t="shared" si="0"/><v>10</v>', "C2|<f>B1+B2</f>")
    told = engine().what_if(raw(tmp_path / "a.xlsx", rows), {"Data!B1": 100})
    assert told.values == {"Data": {"B2": 10, "C2": 110}}


@needs_engine
@pytest.mark.parametrize("place", ["Nowhere!A1", "Data!Total", "A1", "Data!A0"])
def test_a_place_that_is_not_there_cannot_be_changed(place: str, tmp_path: Path) -> None:
    told = engine().what_if(cached(tmp_path / "a.xlsx"), {place: 1})
    assert (told.status, told.says) == ("failed", f"It has no cell {place}.")


@needs_engine
def test_several_books_are_computed_in_one_call_and_a_bad_one_fails_alone(tmp_path: Path) -> None:
    good = [cached(tmp_path / f"{n}.xlsx", n) for n in (1, 2)]
    bad = tmp_path / "bad.xlsx"
    bad.write_bytes(good[0].read_bytes()[:2000])
    first, broken, second = engine().recalculate_many((good[0], bad, good[1]))
    assert (first.status, broken.status, second.status) == ("ok", "failed", "ok")
    assert second.values["Data"]["E1"] == 303


def test_a_call_that_takes_too_long_ends(tmp_path: Path) -> None:
    slow = Engine(
        _script(tmp_path / "slow", "sleep 60"), "Slow 1", sandboxed=False, power=Power(seconds=1)
    )
    started = time.monotonic()
    assert slow.recalculate(cached(tmp_path / "a.xlsx")).status == "timeout"
    assert time.monotonic() - started < 5


def _script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_an_engine_that_ends_well_without_a_result_has_failed(tmp_path: Path) -> None:
    silent = Engine(_script(tmp_path / "silent", "exit 0"), "Silent 1", sandboxed=False)
    told = silent.recalculate(cached(tmp_path / "a.xlsx"))
    assert (told.status, told.says) == ("failed", "Silent 1 could not load it.")


def test_half_a_result_is_none(tmp_path: Path) -> None:
    half = Engine(
        _script(tmp_path / "half", "printf 'PK\\003\\004half' > out/0001.xlsx"),
        "Half 1",
        sandboxed=False,
    )
    with half.converted((cached(tmp_path / "a.xlsx"),), XLSX) as (made,):
        assert isinstance(made, Failure)


def test_without_a_sandbox_it_is_said() -> None:
    assert Engine(Path("/x"), "Office 1", sandboxed=False).name == (
        "Office 1, without a sandbox, under limits"
    )


@needs_engine
def test_no_sandbox_computes_the_same(tmp_path: Path) -> None:
    program = shutil.which("soffice") or shutil.which("libreoffice") or ""
    bare = Engine(Path(program).resolve(), engine().version, sandboxed=False)
    path = cached(tmp_path / "a.xlsx")
    assert bare.recalculate(path) == engine().recalculate(path)


@needs_engine
def test_a_sandboxed_engine_sees_no_file_but_its_own(tmp_path: Path) -> None:
    if not engine().sandboxed:
        pytest.skip("bubblewrap does not work here")
    (tmp_path / "secret.csv").write_text("42\n", "utf-8")
    with xlsxwriter.Workbook(tmp_path / "a.xlsx") as book:
        sheet = book.add_worksheet("Data")
        sheet.write_formula("A1", f"='file://{tmp_path}/secret.csv'#$secret.A1")
        sheet.write_formula("A2", f'=WEBSERVICE("file://{tmp_path}/secret.csv")')
    told = engine().recalculate(tmp_path / "a.xlsx")
    assert "42" not in msgspec.json.encode(told.values).decode()


@needs_engine
def test_sheets_are_drawn_whole_and_hidden_ones_are_not(tmp_path: Path) -> None:
    told = drawn(payroll(tmp_path / "a.xlsx"), tmp_path / "pages")
    assert told.status == "ok"
    labels = [image.label for image in told.images]
    assert {label.partition(",")[0] for label in labels} == {"sheet Payroll", "sheet Tbl"}
    assert told.says.startswith("2 hidden sheets are left out.")
    for image in told.images:
        with Image.open(tmp_path / "pages" / image.path) as picture:
            assert picture.size == (image.width, image.height)


@needs_engine
def test_a_sheet_shows_what_was_handed_in_and_not_what_it_should_be(tmp_path: Path) -> None:
    right = drawn(cached(tmp_path / "a.xlsx"), tmp_path / "right")
    wrong = drawn(cached(tmp_path / "b.xlsx", wrong=True), tmp_path / "wrong")
    first, other = (
        (tmp_path / folder / told.images[0].path).read_bytes()
        for folder, told in (("right", right), ("wrong", wrong))
    )
    assert first != other


@needs_engine
def test_a_long_sheet_is_cut_into_parts(tmp_path: Path) -> None:
    told = drawn(cached(tmp_path / "a.xlsx", 200), tmp_path / "pages")
    assert [image.label for image in told.images] == [
        f"sheet Data, part {n} of {len(told.images)}" for n in range(1, len(told.images) + 1)
    ]
    assert len(told.images) > 1


@needs_engine
def test_documents_decks_and_pdf_are_drawn_page_by_page(tmp_path: Path) -> None:
    path = deck(tmp_path / "a.pptx")
    content = pptx.read(path)
    shown = pages.drawn(path, "pptx", content, engine(), tmp_path / "deck")
    visible = [slide.number for slide in content.slides if not slide.hidden]
    assert [image.label for image in shown.images] == [f"slide {n}" for n in visible]
    assert "hidden" in shown.says
    assert drawn(memo(tmp_path / "a.docx"), tmp_path / "memo").images[0].label == "page 1"


def test_a_pdf_needs_no_engine(tmp_path: Path) -> None:
    told = pages.drawn(report(tmp_path / "a.pdf"), "pdf", None, None, tmp_path / "pages")
    assert (told.status, [image.label for image in told.images]) == ("ok", ["page 1", "page 2"])


def test_a_workbook_without_an_engine_has_no_pages(tmp_path: Path) -> None:
    told = pages.drawn(cached(tmp_path / "a.xlsx"), "xlsx", None, None, tmp_path / "pages")
    assert told.status == "unavailable"


def test_a_large_image_is_made_smaller(tmp_path: Path) -> None:
    Image.new("L", (9000, 1000), 200).save(tmp_path / "a.png")
    told = pages.drawn(tmp_path / "a.png", "image", None, None, tmp_path / "pages")
    assert told.status == "ok"
    assert told.images[0].width * told.images[0].height <= 6_000_000
