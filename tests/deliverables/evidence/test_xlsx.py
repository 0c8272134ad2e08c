"""Workbooks: everything that a reader can see or find out without computing."""

from pathlib import Path

import pytest
import xlsxwriter

from bythebook.deliverables.evidence import xlsx
from bythebook.deliverables.evidence.model import (
    Cell,
    Comment,
    Formatting,
    Sheet,
    TextBox,
    Workbook,
)
from tests.deliverables.evidence.books import STRICT_S, S, payroll, raw, row
from tests.deliverables.evidence.documents import edited, parts_of, relations, zipped


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Workbook:
    return xlsx.read(payroll(tmp_path_factory.mktemp("books") / "payroll.xlsx"))


def cell(sheet: Sheet, row: int, column: int) -> Cell:
    return next(c for c in sheet.cells if (c.row, c.column) == (row, column))


def only(path: Path) -> dict[str, Cell]:
    """The cells of the first sheet by `A1` of the first 26 columns."""
    return {f"{chr(64 + c.column)}{c.row}": c for c in xlsx.read(path).sheets[0].cells}


def test_sheets_stand_in_order_with_their_states(book: Workbook) -> None:
    assert [(sheet.name, sheet.state) for sheet in book.sheets] == [
        ("Payroll", "visible"),
        ("Hidden", "hidden"),
        ("VeryHidden", "veryHidden"),
        ("Tbl", "visible"),
    ]
    assert cell(book.sheets[2], 1, 1).value == "VeryHidden text"


def test_a_formula_without_a_cached_value_has_none(book: Workbook) -> None:
    gross = cell(book.sheets[0], 2, 5)
    assert gross == Cell(2, 5, None, "none", "C2+D2", "¥#,##0.00", "")


def test_a_cell_shows_what_its_format_shows(book: Workbook) -> None:
    payroll, _, _, table = book.sheets
    assert cell(payroll, 2, 3).shown == "10,137.50"
    assert cell(payroll, 2, 6) == Cell(2, 6, 45323, "number", "", "yyyy-mm", "2024-02")
    assert cell(table, 5, 4).shown == "(1,234.57)"
    assert cell(table, 6, 4).shown == "2023年3月15日"
    assert cell(table, 2, 4) == Cell(2, 4, "1234", "text", "", "@", "1234")
    assert cell(table, 3, 4) == Cell(3, 4, True, "bool", "", "General", "TRUE")


def test_an_array_formula_stands_in_every_cell_of_its_range(tmp_path: Path) -> None:
    rows = row(1, 'A1|<f t="array" ref="A1:A2">B1:B2*2</f><v>4</v>') + row(2, "A2|<v>6</v>")
    cells = only(raw(tmp_path / "a.xlsx", rows + row(3, "A3|<v>6</v>")))
    assert [cells[at].formula for at in ("A1", "A2", "A3")] == ["{B1:B2*2}", "{B1:B2*2}", ""]


def test_a_data_table_is_told_by_its_inputs(tmp_path: Path) -> None:
    table = '<f t="dataTable" ref="B2:B3" dt2D="0" r1="A1"/><v>7</v>'
    cells = only(raw(tmp_path / "a.xlsx", row(2, f"B2|{table}") + row(3, "B3|<v>8</v>")))
    assert (cells["B2"].formula, cells["B3"].formula) == ("{TABLE(A1)}", "{TABLE(A1)}")


def test_a_shared_formula_is_spelled_out_in_each_cell(tmp_path: Path) -> None:
    first = '<f t="shared" ref="B1:B3" si="0">A1*$C$1+SUM(A$1:A1)&amp;"A1"</f><v>1</v>'
    other = '<f t="shared" si="0"/><v>2</v>'
    rows = row(1, f"B1|{first}") + row(3, f"B3|{other}", f"C3|{other}")
    cells = only(raw(tmp_path / "a.xlsx", rows))
    assert cells["B3"].formula == 'A3*$C$1+SUM(A$1:A3)&"A1"'
    assert cells["C3"].formula == 'B3*$C$1+SUM(B$1:B3)&"A1"'


def test_every_type_of_cell_is_read(tmp_path: Path) -> None:
    rows = row(
        1,
        'A1 t="s"|<v>0</v>',
        'B1 t="inlineStr"|<is><r><t>rich </t></r><r><t>text</t></r><rPh><t>kana</t></rPh></is>',
        'C1 t="e"|<f>1/0</f><v>#DIV/0!</v>',
        'D1 t="str"|<f>""</f><v></v>',
        'E1 t="d"|<v>2024-01-31T12:00:00</v>',
        "F1|<v>1.5E3</v>",
        "G1|<v>12345678901234567890</v>",
        "H1|<v>nonsense</v>",
        'I1 t="str"|<v>a_x000D_b_xD800_</v>',
    )
    texts = f'<sst xmlns="{S}"><si><t>shared</t></si></sst>'
    cells = only(raw(tmp_path / "a.xlsx", rows, xl__sharedStrings=texts))
    assert {at: (c.value, c.type) for at, c in cells.items()} == {
        "A1": ("shared", "text"),
        "B1": ("rich text", "text"),
        "C1": ("#DIV/0!", "error"),
        "D1": ("", "text"),
        "E1": (45322.5, "number"),
        "F1": (1500.0, "number"),
        "G1": (12345678901234567890.0, "number"),
        "H1": ("nonsense", "text"),
        "I1": ("a\rb_xD800_", "text"),
    }


def test_cells_without_addresses_follow_each_other(tmp_path: Path) -> None:
    cells = only(raw(tmp_path / "a.xlsx", "<row><c><v>1</v></c><c><v>2</v></c></row>"))
    assert (cells["A1"].value, cells["B1"].value) == (1, 2)


def test_a_book_of_the_strict_flavour_reads_alike(tmp_path: Path) -> None:
    rows = row(1, "A1|<f>1+1</f><v>2</v>")
    assert only(raw(tmp_path / "a.xlsx", rows, space=STRICT_S)) == only(
        raw(tmp_path / "b.xlsx", rows)
    )


def test_views_filters_tables_names_and_rules_are_told(book: Workbook) -> None:
    payroll, table = book.sheets[0], book.sheets[3]
    assert (payroll.freeze, payroll.filters, payroll.merges) == ("B2", ("A1:F41",), ("H1:J2",))
    assert (payroll.hidden_rows, payroll.hidden_columns) == ((10,), (4,))
    assert payroll.widths == {2: 22.0}
    assert payroll.print_area == "'Payroll'!$A$1:$F$41"
    assert payroll.validations == ('G2: list "A,B,C"',)
    assert payroll.formats == (
        Formatting("E2:E41", "cellIs greaterThan", ("15000",)),
        Formatting("C2:C41", "colorScale"),
    )
    assert (table.tables, table.filters) == ({"Figures": "A1:B6"}, ("A1:B6",))
    assert table.links == {"D7": "https://example.com"}
    assert book.names == {"GrossRange": "Payroll!$E$2:$E$41", "TaxRate": "0.2"}
    assert payroll.comments == (
        Comment("E3", "Check with payroll: raise effective 2024-04", "Reviewer A"),
    )


def test_a_column_of_no_width_is_hidden(tmp_path: Path) -> None:
    path = raw(tmp_path / "a.xlsx", row(1, "A1|<v>1</v>"))
    columns = b'<cols><col min="2" max="3" width="0" customWidth="1"/></cols><sheetData>'
    edited(path, "xl/worksheets/sheet1.xml", b"<sheetData>", columns)
    assert xlsx.read(path).sheets[0].hidden_columns == (2, 3)


def test_a_chart_has_the_values_of_its_cells(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with xlsxwriter.Workbook(path) as made:
        data = made.add_worksheet("My 'own' data")
        data.write_column("A1", ["Head", "Jan", "Feb", "Mar"])
        data.write_column("B1", ["Sales", 1, 2.5, 4])
        chart = made.add_chart({"type": "bar"})
        assert chart
        series = {"name": "='My ''own'' data'!$B$1", "categories": "='My ''own'' data'!$A$2:$A$4"}
        chart.add_series({**series, "values": "='My ''own'' data'!$B$2:$B$4"})
        chart.set_title({"name": "='My ''own'' data'!$A$1"})
        data.insert_chart("D3", chart)
    (chart_read,) = xlsx.read(path).sheets[0].charts
    assert (chart_read.type, chart_read.title, chart_read.at) == ("bar", "Head", "D3")
    (one,) = chart_read.series
    assert (one.name, one.values, one.categories) == ("Sales", (1, 2.5, 4), ("Jan", "Feb", "Mar"))


def test_a_chart_leaves_out_what_is_hidden(book: Workbook) -> None:
    gross, bonus = book.sheets[0].charts
    assert (gross.type, bonus.type) == ("column", "line")
    # Row 10 is hidden, and so is the whole column D.
    assert "EMP009" not in gross.series[0].categories
    assert len(gross.series[0].categories) == 11
    assert bonus.series[0].values == ()


def test_a_chart_by_a_defined_name_finds_its_cells(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with xlsxwriter.Workbook(path) as made:
        data = made.add_worksheet("Data")
        data.write_column("A1", [3, 1, 2])
        made.define_name("Figures", "=Data!$A$1:$A$3")
        chart = made.add_chart({"type": "pie"})
        assert chart
        chart.add_series({"values": "=Data!Figures"})
        data.insert_chart("C1", chart)
    assert xlsx.read(path).sheets[0].charts[0].series[0].values == (3, 1, 2)


def test_a_chart_on_a_sheet_of_its_own_is_found(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with xlsxwriter.Workbook(path) as made:
        made.add_worksheet("Data").write_column("A1", [3, 1, 2])
        page = made.add_chartsheet("Picture")
        chart = made.add_chart({"type": "line"})
        assert chart
        chart.add_series({"values": "=Data!$A$1:$A$3"})
        page.set_chart(chart)
    sheet = xlsx.read(path).sheets[1]
    assert (sheet.name, sheet.cells, sheet.charts[0].series[0].values) == ("Picture", (), (3, 1, 2))


def test_cards_over_the_cells_are_read_with_the_cell_they_show(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with xlsxwriter.Workbook(path) as made:
        sheet = made.add_worksheet("Board")
        sheet.insert_textbox("B2", "Gross pay\n1,234")
        sheet.insert_textbox("D2", "", {"textlink": "=$A$1"})
    assert xlsx.read(path).sheets[0].boxes == (
        TextBox("B2", "Gross pay\n1,234"),
        TextBox("D2", "", "$A$1"),
    )


def test_new_comments_and_their_answers_are_read_once(tmp_path: Path) -> None:
    threads = (
        '<ThreadedComments><threadedComment ref="A1" personId="{1}"><text>Why?</text>'
        '</threadedComment><threadedComment ref="A1" personId="{2}"><text>Because.</text>'
        "</threadedComment></ThreadedComments>"
    )
    old = (
        "<comments><authors><author>tc</author></authors><commentList>"
        '<comment ref="A1" authorId="0"><text><t>[Threaded comment] Why?</t></text></comment>'
        '<comment ref="B1" authorId="9"><text><t>plain</t></text></comment>'
        "</commentList></comments>"
    )
    people = '<personList><person id="{1}" displayName="Ann"/></personList>'
    path = raw(
        tmp_path / "a.xlsx",
        row(1, "A1|<v>1</v>"),
        xl__threads=threads,
        xl__old=old,
        xl__people=people,
    )
    parts = parts_of(path)
    parts["xl/worksheets/_rels/sheet1.xml.rels"] = relations(
        a="threadedComment ../threads.xml", b="comments ../old.xml"
    )
    parts["xl/_rels/workbook.xml.rels"] = relations(
        rId1="worksheet worksheets/sheet1.xml", p="person people.xml"
    )
    assert xlsx.read(zipped(path, parts)).sheets[0].comments == (
        Comment("B1", "plain"),
        Comment("A1", "Why?", "Ann"),
        Comment("A1", "Because."),
    )


def test_a_pivot_table_tells_its_place_and_its_source(tmp_path: Path) -> None:
    path = raw(
        tmp_path / "a.xlsx",
        row(1, "A1|<v>1</v>"),
        xl__pivots__one='<pivotTable name="P1"><location ref="A3:D9"/></pivotTable>',
        xl__cache=(
            "<pivotCacheDefinition><cacheSource><worksheetSource sheet='Data' ref='A1:F99'/>"
            "</cacheSource></pivotCacheDefinition>"
        ),
    )
    parts = parts_of(path)
    parts["xl/worksheets/_rels/sheet1.xml.rels"] = relations(a="pivotTable ../pivots/one.xml")
    parts["xl/pivots/_rels/one.xml.rels"] = relations(a="pivotCacheDefinition ../cache.xml")
    assert xlsx.read(zipped(path, parts)).sheets[0].pivots == ("P1 at A3:D9 from Data!A1:F99",)


def test_macros_and_links_to_the_outside_are_said(tmp_path: Path) -> None:
    path = raw(tmp_path / "a.xlsm", row(1, "A1|<f>[1]Data!A1</f><v>1</v>"))
    parts = parts_of(path)
    parts["xl/vbaProject.bin"] = b"\xd0\xcf"
    parts["xl/externalLinks/_rels/externalLink1.xml.rels"] = relations(
        a="externalLinkPath file:///C://books/other.xlsx"
    )
    parts["xl/worksheets/_rels/sheet1.xml.rels"] = relations(a="hyperlink https://example.com")
    book = xlsx.read(zipped(path, parts))
    assert (book.macros, book.external_links) == (True, ("file:///C://books/other.xlsx",))


def test_what_newer_programs_add_is_read_from_their_extension(tmp_path: Path) -> None:
    extension = (
        '<extLst><ext><x:conditionalFormattings xmlns:x="u:x" xmlns:xm="u:m">'
        '<x:conditionalFormatting><x:cfRule type="expression"><xm:f>Other!A1&gt;1</xm:f></x:cfRule>'
        "<xm:sqref>A1:A9</xm:sqref></x:conditionalFormatting></x:conditionalFormattings>"
        '<x:dataValidations xmlns:x="u:x" xmlns:xm="u:m"><x:dataValidation type="list">'
        "<x:formula1><xm:f>Other!$A$1:$A$5</xm:f></x:formula1><xm:sqref>B2</xm:sqref>"
        "</x:dataValidation></x:dataValidations>"
        '<x:sparklineGroups xmlns:x="u:x"><x:sparkline/><x:sparkline/></x:sparklineGroups>'
        "</ext></extLst>"
    )
    book = xlsx.read(raw(tmp_path / "a.xlsx", row(1, "A1|<v>1</v>"), after=extension))
    (sheet,) = book.sheets
    assert sheet.formats == (Formatting("A1:A9", "expression", ("Other!A1>1",)),)
    assert sheet.validations == ("B2: list Other!$A$1:$A$5",)
    assert "2 sparklines on 'Data' are not read." in book.warnings


def test_days_count_from_1904_where_the_book_says_so(tmp_path: Path) -> None:
    path = raw(
        tmp_path / "a.xlsx",
        row(1, 'A1 s="0"|<v>43860</v>'),
        xl__styles=f'<styleSheet xmlns="{S}"><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>',
    )
    edited(path, "xl/workbook.xml", b"<sheets>", b'<workbookPr date1904="1"/><sheets>')
    assert only(path)["A1"].shown == "1/31/2024"
