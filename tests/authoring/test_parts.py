"""What recipes are made of: the same from a seed, and the same to the byte."""

import os
import subprocess
import sys
import zipfile
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from openpyxl import load_workbook
from PIL import Image

from authoring.parts.caches import fill_caches, office, stale
from authoring.parts.dice import Dice
from authoring.parts.dirt import Dirt
from authoring.parts.expected import Value, write_expected
from authoring.parts.invariants import Broken, alive, invariant
from authoring.parts.items import RubricSheet
from authoring.parts.markdown import Grid, Heading, Item, Note, PageBreak, Paragraph, parse, plain
from authoring.parts.numbers import cents, money, percent, rounded, roundup
from authoring.parts.pack import differences, parts
from authoring.parts.people import people, working_days
from authoring.parts.scan import scan_page
from authoring.parts.tables import Table, write_workbook
from bythebook.deliverables.evidence.xlsx import read
from bythebook.errors import ContentError

ROOT = Path(__file__).resolve().parents[2]
with_office = pytest.mark.skipif(office() is None, reason="LibreOffice is not installed")

MADE = """
from datetime import date
from pathlib import Path
from authoring.parts.dice import Dice
from authoring.parts.dirt import Dirt
from authoring.parts.pdf import Sheetwork, write_pdf
from authoring.parts.people import people
from authoring.parts.scan import scan_page, write_image
from authoring.parts.slides import Cover, write_pptx
from authoring.parts.tables import Table, write_workbook
from bythebook.deliverables.evidence.xlsx import read
from bythebook.errors import ContentError
from authoring.parts.word import Letter, write_docx

to = Path({folder!r})
text = "# Title\\n\\nSome {{+new+}} and {{-old-}} words.\\n\\n| a | b |\\n|---|---|\\n| 1 | 2 |\\n"
write_docx(to / "a.docx", text, Letter(title="T", author="A", header="H"))
deck = "# Cover\\n\\n## Points\\n\\n- one\\n- two\\n\\n> say so\\n"
write_pptx(to / "a.pptx", deck, Cover("T", "A"))
page = scan_page(["# Annex", "1. A rule"], Dice("scan", 0), stamp="RECEIVED")
write_pdf(to / "a.pdf", [text, page], Sheetwork(title="T", footer="F"))
write_image(to / "a.png", page)
dirt, rows = Dirt("x", 0), []
for one in people(Dice("p", 0), 5):
    rows.append((one.name, dirt.id("EMP007"), dirt.month(2024, 7), date(2024, 7, 1)))
write_workbook(to / "a.xlsx", [Table("Raw", ("Name", "Emp", "Month", "Day"), tuple(rows))])
"""


def made(folder: Path, **environment: str) -> dict[str, bytes]:
    """Every kind of file, made by another process in another place."""
    folder.mkdir()
    subprocess.run(
        [sys.executable, "-c", MADE.format(folder=str(folder))],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        check=True,
    )
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_files_are_the_same_to_the_byte_in_another_zone_language_and_folder(
    tmp_path: Path,
) -> None:
    here = made(tmp_path / "here", TZ="UTC", PYTHONHASHSEED="1", LC_ALL="C.UTF-8")
    there = made(tmp_path / "there", TZ="Asia/Tokyo", PYTHONHASHSEED="77", LC_ALL="de_DE.UTF-8")
    assert sorted(here) == ["a.docx", "a.pdf", "a.png", "a.pptx", "a.xlsx"]
    assert [name for name in here if here[name] != there[name]] == []


def test_a_changed_cell_is_a_difference_and_another_compression_is_none(tmp_path: Path) -> None:
    ours, theirs, packed = (tmp_path / f"{name}.xlsx" for name in ("a", "b", "c"))
    for path, value in ((ours, 1), (theirs, 2)):
        write_workbook(path, [Table("S", ("n",), ((value,),))])
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as stored:
        for name, data in parts(ours).items():
            stored.writestr(name, data)
    assert differences(ours, theirs) == ["xl/worksheets/sheet1.xml"]
    assert ours.read_bytes() != packed.read_bytes()
    assert differences(ours, packed) == []


def test_a_scan_may_differ_by_a_hair_and_not_by_a_line(tmp_path: Path) -> None:
    line = "1. A rule that is as long as lines of rules usually are."
    pages = [["# Annex", line], ["# Annex", line], ["# Annex", "", line]]
    for name, lines in zip("abc", pages, strict=True):
        scan_page(lines, Dice("s", 0)).save(tmp_path / f"{name}.png")
    with Image.open(tmp_path / "b.png") as page:
        grey = page.copy()
    grey.putpixel((5, 5), 0)
    grey.save(tmp_path / "b.png")
    assert differences(tmp_path / "a.png", tmp_path / "b.png") == []
    assert differences(tmp_path / "a.png", tmp_path / "c.png") == ["a.png"]


def test_dice_throw_the_same_numbers_everywhere() -> None:
    dice = Dice("payroll", 3)
    assert [dice.whole(1, 100) for _ in range(6)] == [56, 28, 70, 96, 60, 31]
    assert dice.shuffled("abcdef") == ("e", "d", "b", "f", "a", "c")
    assert str(dice.decimal("0.05", "0.09"))[:3] == "0.0"


def test_dirt_of_one_seed_is_the_same_dirt() -> None:
    def thrown(seed: int) -> list[object]:
        dirt = Dirt("attendance", seed)
        return [dirt.id("EMP007") for _ in range(30)] + [dirt.month(2024, 7) for _ in range(30)]

    assert thrown(1) == thrown(1)
    assert thrown(1) != thrown(2)


def test_every_spelling_of_an_id_can_be_read_back() -> None:
    dirt = Dirt("ids")
    seen = {dirt.id("EMP007", clean=0) for _ in range(200)}
    digits = {"".join(c for c in str(text) if c.isdigit()).lstrip("0") for text in seen}
    assert digits == {"7"}
    assert len(seen) == 7


def test_no_two_people_share_a_name() -> None:
    staff = people(Dice("staff", 0), 60)
    assert len({one.given for one in staff}) == len({one.surname for one in staff}) == 60


def test_numbers_round_as_spreadsheets_do() -> None:
    assert cents(Decimal("2.345")) == Decimal("2.35")
    assert cents(Decimal("-2.345")) == Decimal("-2.35")
    assert rounded(Decimal("0.0845"), 3) == Decimal("0.085")
    assert [roundup(Decimal(text)) for text in ("1.2", "2", "0.1")] == [2, 2, 1]
    assert (money(Decimal("-12905.4"), 0), percent(Decimal("0.085"))) == ("-12,905", "8.5 %")
    assert len(working_days(date(2024, 3, 1), date(2024, 3, 31), (date(2024, 3, 29),))) == 20


def test_markdown_keeps_the_order_of_its_blocks() -> None:
    text = "# T\n\nsome\nwords\n- one\n  - deeper\n3. third\n\n| a |\n|---|\n| 1 |\n\n> n\n\n---"
    kinds = [type(block) for block in parse(text)]
    assert kinds == [Heading, Paragraph, Item, Item, Item, Grid, Note, PageBreak]
    blocks = parse(text)
    assert isinstance(blocks[1], Paragraph)
    assert plain(blocks[1].spans) == "some words"
    assert [(b.depth, b.number) for b in blocks if isinstance(b, Item)] == [(1, 0), (2, 0), (1, 3)]


def test_expected_values_keep_their_digits(tmp_path: Path) -> None:
    rows: list[dict[str, Value]] = [
        {"gross": Decimal("1.50"), "id": "EMP001", "day": date(2024, 7, 1)}
    ]
    write_expected(tmp_path / "pay.csv", rows, ("id",))
    assert (tmp_path / "pay.csv").read_text() == "id,gross,day\nEMP001,1.50,2024-07-01\n"


def test_a_rubric_is_written_with_its_decimals_bare() -> None:
    sheet = RubricSheet()
    sheet.field("gross", "Gross pay", read_as="number")
    sheet.item("calculation", "core", "Right.", check={"cell": {"equals": Decimal("1.50")}})
    sheet.item("presentation", "auxiliary", "Readable.", truth="It is.")
    assert "equals: 1.50\n" in sheet.text()
    assert sheet.checked == 83


def test_a_trap_that_changes_nothing_is_refused() -> None:
    alive({1: "a"}, {1: "b"}, "the July rate")
    with pytest.raises(Broken, match="the July rate"):
        alive({1: "a"}, {1: "a"}, "the July rate")
    with pytest.raises(Broken, match="broken: a sum"):
        invariant(False, "a sum")


def book_with(path: Path, **formulas: str) -> Path:
    write_workbook(path, [Table("S", ("n", "t"), ((2, "x"), (Decimal("3.5"), "y")))])
    book = load_workbook(path)
    for at, formula in formulas.items():
        book["S"][at] = formula
    book["S"].freeze_panes = "A2"
    book.save(path)
    return path


@with_office
def test_caches_are_filled_with_what_is_computed_and_nothing_else_changes(tmp_path: Path) -> None:
    path = book_with(tmp_path / "a.xlsx", D1="=SUM(A2:A3)", D2='=B2&"!"', D3="=A2>1", D4='=""')
    assert len(stale(path)) == 4
    fill_caches(path)
    assert stale(path) == []
    cells = read(path).sheets[0].cells
    assert [cell.value for cell in cells if cell.formula] == [5.5, "x!", True, ""]
    assert load_workbook(path)["S"].freeze_panes == "A2"


@with_office
def test_a_formula_that_computes_to_an_error_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="D1 computes to #DIV/0!"):
        fill_caches(book_with(tmp_path / "a.xlsx", D1="=A2/0"))
