"""Every edit of a workbook, read back by a library that did not write it."""

import zipfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from bythebook.deliverables.evidence.model import Recalculation, Scalar
from bythebook.deliverables.faults import edits as e
from bythebook.deliverables.faults.book import Book
from bythebook.deliverables.faults.carry import TABLES, known
from bythebook.deliverables.faults.cells import fill
from bythebook.deliverables.faults.done import done
from bythebook.deliverables.faults.edits import EDITS
from bythebook.deliverables.faults.references import renamed
from bythebook.errors import ContentError
from tests.deliverables.faults.editing import edited, formulas, rewrite, values
from tests.deliverables.stall import write_book


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "takings.xlsx"
    write_book(path)
    return path


def test_every_edit_of_the_closed_set_can_be_carried_out() -> None:
    assert set(known()) == set(EDITS.values())


# --- cells --------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [7, Decimal("2.50"), "seven <7>", True, None])
def test_a_cell_holds_the_constant_that_was_set(book: Path, value: Any) -> None:
    edited(book, e.SetCell(at="Takings!E2", to=value))
    found = formulas(book)["Takings"]["E2"].value
    assert found == (float(value) if isinstance(value, Decimal) else value)


def test_a_cell_can_be_set_where_there_was_none(book: Path) -> None:
    edited(book, e.SetCell(at="Takings!C40", to=5))
    edited(book, e.SetCell(at="Takings!B40", to=4))
    row = values(book)["Takings"][40]
    assert [cell.value for cell in row[:4]] == [None, 4, 5, None]


def test_a_set_cell_keeps_its_look(book: Path) -> None:
    edited(book, e.SetCell(at="Takings!E2", to=5))
    assert values(book)["Takings"]["E2"].number_format == "#,##0.00"


def test_two_cells_change_places(book: Path) -> None:
    before = values(book)["Takings"]
    first, second = before["E2"].value, before["E3"].value
    edited(book, e.SwapCells(a="Takings!E2", b="Takings!E3"))
    after = values(book)["Takings"]
    assert (after["E2"].value, after["E3"].value) == (second, first)


def test_swapped_columns_stand_under_each_others_heading(book: Path) -> None:
    edited(book, e.SwapColumns(sheet="Takings", a="C", b="D"))
    row = values(book)["Takings"][1]
    assert [cell.value for cell in row] == ["Day", "Item", "Price", "Units", "Takings (EUR)"]


def test_a_formula_can_carry_the_cached_value_inside(book: Path) -> None:
    cached = values(book)["Takings"]["E2"].value
    edited(book, e.SetFormula(at="Takings!E2", to="{v}+0*A1"))
    assert formulas(book)["Takings"]["E2"].value == f"={cached:g}+0*A1"
    assert values(book)["Takings"]["E2"].value == cached


def test_a_constant_can_become_a_formula_of_the_same_value(book: Path) -> None:
    edited(book, e.SetFormula(at="Summary!A2", to='"{v}"'))
    assert formulas(book)["Summary"]["A2"].value == '="Tea"'
    assert values(book)["Summary"]["A2"].value == "Tea"


def test_a_text_in_formulas_is_replaced_in_one_column_only(book: Path) -> None:
    edited(book, e.FormulaReplace(sheet="Takings", column="D", find="DATE(2024,7,4)", put="A1"))
    sheet = formulas(book)["Takings"]
    assert "A2>=A1" in sheet["D2"].value
    assert sheet["E2"].value == "=C2*D2"


def test_a_replacement_reports_how_many_cells_and_two_samples(book: Path) -> None:
    edit = e.FormulaReplace(sheet="Takings", find=r"C(\d+)\*", put=r"C\1+", regex=True)
    file = Book(book)
    _, table = TABLES[0]
    found = done(edit, book, table[type(edit)](file, edit))
    assert found.changed == 15
    assert [sample.after for sample in found.samples] == ["C2+D2", "C3+D3"]


@pytest.mark.parametrize(
    "edit",
    [
        e.FormulaReplace(sheet="Takings", find="NOTHING(", put="X("),
        e.FormulaReplace(sheet="Takings", find="C2", put="C2"),
        e.SetCell(at="Summary!A2", to="Tea"),
        e.SortRows(sheet="Summary", by="B", rows=(2, 2)),
        e.DropRows(sheet="Takings", rows=(99,)),
        e.DropFilter(sheet="Summary"),
        e.Unfreeze(sheet="Summary"),
        e.TextNumbers(sheet="Summary", column="A"),
    ],
    ids=lambda edit: type(edit).__name__,
)
def test_an_edit_of_nothing_is_refused(book: Path, edit: e.Edit) -> None:
    with pytest.raises(ContentError, match="changes nothing"):
        edited(book, edit)


def test_an_edit_of_nothing_is_told_as_its_author_wrote_it(book: Path) -> None:
    edit = e.FormulaReplace(file=book.name, sheet="Takings", find="NOTHING(", put="X(")
    with pytest.raises(ContentError) as caught:
        edited(book, edit)
    told = f'{{file: {book.name}, sheet: Takings, find: "NOTHING(", with: "X("}}'
    assert str(caught.value).endswith(f"or is so already: {{formula_replace: {told}}}")


def test_caches_go_and_formulas_stay(book: Path) -> None:
    edited(book, e.StripCaches(sheet="Takings"))
    assert values(book)["Takings"]["E2"].value is None
    assert formulas(book)["Takings"]["E2"].value == "=C2*D2"
    assert values(book)["Summary"]["B6"].value is not None


def test_formulas_go_and_values_stay(book: Path) -> None:
    before = [cell.value for cell in values(book)["Takings"][5]]
    edited(book, e.PasteValues(sheet="Takings", cells=("A5:E5",)))
    assert [cell.value for cell in formulas(book)["Takings"][5]] == before
    assert formulas(book)["Takings"]["E6"].value == "=C6*D6"


def test_numbers_become_text(book: Path) -> None:
    edited(book, e.TextNumbers(sheet="Takings", column="C"))
    cell = formulas(book)["Takings"]["C2"]
    assert (cell.value, cell.data_type) == ("11", "s")


def test_a_number_format_changes_on_a_column_only(book: Path) -> None:
    edited(book, e.NumberFormat(sheet="Takings", column="E", to="0.000"))
    sheet = values(book)["Takings"]
    assert (sheet["E2"].number_format, sheet["D2"].number_format) == ("0.000", "#,##0.00")


def test_shared_formulas_can_be_changed_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as made:
        made.add_worksheet("S").write_formula(0, 1, "=A1*2", None, 0)
    rewrite(
        path, "xl/worksheets/sheet1.xml", "<f>A1*2</f>", '<f t="shared" ref="B1:B2" si="0">A1*2</f>'
    )
    second = '<row r="2"><c r="B2"><f t="shared" si="0"/><v>0</v></c></row></sheetData>'
    rewrite(path, "xl/worksheets/sheet1.xml", "</sheetData>", second)
    edited(path, e.PasteValues(sheet="S", cells=("B1",)))
    assert formulas(path)["S"]["B2"].value == "=A2*2"


def test_computed_values_fill_the_formula_cells_and_nothing_else(book: Path) -> None:
    file = Book(book)
    found: dict[str, dict[str, Scalar]] = {}
    found["Takings"] = {"E2": 1.5, "B2": "Milk", "C2": True, "A1": "no formula", "D2": None}
    list(fill(file, Recalculation(status="ok", values=found)))
    file.save()
    row = [cell.value for cell in values(book)["Takings"][2]]
    assert row[1:] == ["Milk", True, None, 1.5]
    assert values(book)["Takings"]["A1"].value == "Day"


def test_an_error_value_is_refused_unless_the_fault_says_so(book: Path) -> None:
    found = Recalculation(status="ok", values={"Takings": {"E2": "#VALUE!"}})
    with pytest.raises(ContentError, match="E2 computes to #VALUE!"):
        list(fill(Book(book), found))
    file = Book(book)
    list(fill(file, found, errors=True))
    file.save()
    assert values(book)["Takings"]["E2"].data_type == "e"


# --- rows, columns, sheets, names ---------------------------------------------------------------


def test_sorted_rows_take_their_formulas_along(book: Path) -> None:
    edited(book, e.SortRows(sheet="Takings", by="E", descending=True))
    sheet = values(book)["Takings"]
    found = [sheet.cell(row, 5).value for row in range(2, 17)]
    assert found == sorted(found, reverse=True)
    after = formulas(book)["Takings"]
    assert [after.cell(row, 5).value for row in (2, 9)] == ["=C2*D2", "=C9*D9"]


def test_dropped_rows_leave_a_gap(book: Path) -> None:
    edited(book, e.DropRows(sheet="Takings", rows=(3, 4)))
    sheet = values(book)["Takings"]
    assert (sheet["A3"].value, sheet["A5"].value is None) == (None, False)


def test_a_sheet_a_row_and_a_column_are_hidden(book: Path) -> None:
    edited(book, e.Hide(sheet="Rules"))
    edited(book, e.Hide(sheet="Takings", rows=(3,), columns=("D",)))
    found = values(book)
    assert found["Rules"].sheet_state == "hidden"
    assert found["Takings"].row_dimensions[3].hidden
    assert [found["Takings"].column_dimensions[c].hidden for c in "CDE"] == [False, True, False]


def test_a_hidden_column_leaves_its_neighbours_of_one_range_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as made:
        sheet = made.add_worksheet("S")
        sheet.set_column("A:F", 20)
        sheet.write(0, 0, 1)
    edited(path, e.Hide(sheet="S", columns=("C",)))
    with zipfile.ZipFile(path) as pack:
        xml = pack.read("xl/worksheets/sheet1.xml").decode()
    assert [xml.count(f'min="{n}"') for n in (1, 2, 3, 4)] == [1, 0, 1, 1]
    assert xml.count('hidden="1"') == 1


def test_references_follow_a_renamed_sheet(book: Path) -> None:
    edited(book, e.RenameSheet(sheet="Takings", to="All takings"))
    found = formulas(book)
    assert found["Summary"]["B2"].value.startswith("=SUMIF('All takings'!$B$2:")
    edited(book, e.RenameSheet(sheet="Summary", to="Total"))
    found = formulas(book)
    assert found.defined_names["TotalTakings"].value == "Total!$B$6"
    with zipfile.ZipFile(book) as pack:
        assert b"Total!$C$2:$C$4" in pack.read("xl/charts/chart1.xml")


@pytest.mark.parametrize(
    ("formula", "after"),
    [
        ("Old!A1+old!B2", "New!A1+New!B2"),
        ("'Old'!A1", "New!A1"),
        ('"Old!A1"&Old!A1', '"Old!A1"&New!A1'),
        ("Older!A1+TheOld!A1", "Older!A1+TheOld!A1"),
        ("SUM(Old!A1:A9)-[1]Old!A1", "SUM(New!A1:A9)-[1]Old!A1"),
    ],
)
def test_only_the_sheet_itself_is_renamed(formula: str, after: str) -> None:
    assert renamed(formula, "Old", "New") == after


def test_a_quoted_name_with_an_apostrophe_is_found() -> None:
    assert renamed("'Bob''s week'!A1", "Bob's week", "A1") == "'A1'!A1"


def test_a_moved_sheet_keeps_its_own_names(book: Path) -> None:
    edited(book, e.MoveSheet(sheet="Takings", to=1))
    found = formulas(book)
    assert found.sheetnames == ["Takings", "Sales", "Summary", "Rules"]
    assert found["Takings"].auto_filter.ref == "A1:E16"
    with zipfile.ZipFile(book) as pack:
        assert b'localSheetId="0"' in pack.read("xl/workbook.xml")


def test_a_dropped_sheet_leaves_values_where_formulas_looked_into_it(book: Path) -> None:
    edited(book, e.DropSheet(sheet="Takings"))
    found = formulas(book)
    assert found.sheetnames == ["Sales", "Summary", "Rules"]
    assert isinstance(found["Summary"]["B2"].value, int)
    assert found["Summary"]["B6"].value == "=SUM(C2:C4)"
    with zipfile.ZipFile(book) as pack:
        assert b"_FilterDatabase" not in pack.read("xl/workbook.xml")


def test_a_name_refers_to_something_else_or_is_gone(book: Path) -> None:
    edited(book, e.SetName(name="NewTea", to=Decimal("2.50")))
    edited(book, e.SetName(name="TotalTakings", to=None))
    names = formulas(book).defined_names
    assert names["NewTea"].value == "2.50"
    assert "TotalTakings" not in names
    with pytest.raises(ContentError, match="did you mean 'NewTea'"):
        edited(book, e.SetName(name="NewTee", to=1))


def test_a_view_loses_its_freeze_filter_and_formats(book: Path) -> None:
    for kind in (e.Unfreeze, e.DropFilter, e.DropFormat):
        edited(book, kind(sheet="Takings"))
    sheet = formulas(book)["Takings"]
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == (None, None)
    assert not list(sheet.conditional_formatting)


def test_validation_and_print_area_go(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as made:
        sheet = made.add_worksheet("S")
        sheet.data_validation("A1", {"validate": "list", "source": ["a"]})
        sheet.print_area("A1:B2")
    edited(path, e.DropValidation(sheet="S"))
    edited(path, e.DropPrintArea(sheet="S"))
    found = formulas(path)["S"]
    assert not found.data_validations.dataValidation
    assert not found.print_area


# --- charts -------------------------------------------------------------------------------------


def test_a_chart_becomes_a_picture(book: Path) -> None:
    edited(book, e.ChartToPicture(sheet="Summary"))
    sheet = formulas(book)["Summary"]
    assert sheet._charts == []
    assert len(sheet._images) == 1
    with zipfile.ZipFile(book) as pack:
        assert "xl/charts/chart1.xml" not in pack.namelist()
        assert b"chart1.xml" not in pack.read("[Content_Types].xml")


def test_a_chart_is_dropped(book: Path) -> None:
    edited(book, e.DropChart(sheet="Summary"))
    assert formulas(book)["Summary"]._charts == []
    with pytest.raises(ContentError, match="Summary has 0 charts, no chart 1"):
        edited(book, e.DropChart(sheet="Summary"))


def test_a_chart_shows_other_cells_under_another_title(book: Path) -> None:
    edited(book, e.ChartRange(sheet="Summary", values="Summary!$B$2:$B$4"))
    edited(book, e.ChartTitle(sheet="Summary", to="Units"))
    (chart,) = formulas(book)["Summary"]._charts
    assert chart.series[0].val.numRef.f == "Summary!$B$2:$B$4"
    assert chart.title.tx.rich.p[0].r[0].t == "Units"


def test_the_same_edit_gives_the_same_bytes(book: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / book.name
    other.parent.mkdir()
    other.write_bytes(book.read_bytes())
    for path in (book, other):
        edited(path, e.ChartToPicture(sheet="Summary"))
    assert book.read_bytes() == other.read_bytes()


def test_what_an_edit_does_not_name_keeps_its_bytes(book: Path) -> None:
    before = zipfile.ZipFile(book)
    parts = {name: before.read(name) for name in before.namelist()}
    edited(book, e.SetCell(at="Rules!B2", to=3))
    after = zipfile.ZipFile(book)
    changed = {name for name in parts if after.read(name) != parts[name]}
    assert after.namelist() == before.namelist()
    assert changed == {"xl/worksheets/sheet4.xml"}
