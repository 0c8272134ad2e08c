"""Places looked up in real files: true ones are accepted, invented ones refused with the reason."""

from pathlib import Path

import pytest
from xlsxwriter import Workbook

from bythebook.deliverables.evidence.locate import describe, resolve, text_of, verify
from bythebook.deliverables.evidence.view import View
from bythebook.deliverables.judge.judgement import Cited
from bythebook.errors import ContentError
from tests.deliverables.evidence.documents import deck, memo, para, picture, report, word


def book(path: Path) -> Path:
    """Stored values: one right, one missing, one forged."""
    file = Workbook(str(path))
    money = file.add_format({"num_format": "#,##0.00"})
    pay = file.add_worksheet("Dept Pay")
    pay.write_row(0, 0, ["Employee", "Base", "Gross"])
    pay.write_row(1, 0, ["EMP001", 26345.5])
    pay.write_formula("C2", "=B2*2", money, 52691)
    pay.write_formula("C3", "=SUM(C2:C2)", None, "")
    pay.write_string("A4", "1234")
    pay.write_comment("B2", "CHECK_THIS", {"author": "Ann"})
    pay.conditional_format("B2:B9", {"type": "cell", "criteria": ">", "value": 5})
    pay.set_row(1, None, None, {"hidden": True})
    chart = file.add_chart({"type": "column"})
    chart.add_series({"values": "='Dept Pay'!$B$2:$B$3", "name": "Pay"})
    pay.insert_chart("E2", chart)
    file.add_worksheet("Back").hide()
    file.define_name("Total", "='Dept Pay'!$C$2")
    file.close()
    return path


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> tuple[View, View]:
    """What was handed over, and the inputs."""
    root = tmp_path_factory.mktemp("places")
    results, inputs = root / "results", root / "inputs"
    results.mkdir()
    inputs.mkdir()
    book(results / "pay 100%.xlsx")
    memo(results / "memo.docx")
    deck(results / "deck.pptx")
    report(results / "report.pdf")
    (results / "notes.md").write_text("# Notes\n\nBudget is 1,204.50 EUR\n")
    (results / "table.csv").write_text("id;amount\n7;1.204,50\n")
    (results / "chart.png").write_bytes(picture())
    (results / "broken.docx").write_bytes(b"PK\x03\x04 no zip")
    word(inputs / "policy.docx", para("The cap is 9 days."))
    made = [
        View.of_folder(folder, keep=root / f"{folder.name}.kept") for folder in (results, inputs)
    ]
    return made[0], made[1]


TRUE = [
    ("pay 100%25.xlsx#Dept Pay!B2", "26,345.50"),
    ("pay 100%25.xlsx#'Dept Pay'!C2", "52,691.00"),
    ("pay 100%25.xlsx#Dept Pay!C2", "=B2*2"),
    ("pay 100%25.xlsx#Dept Pay!A1:C2", "EMP001 | 52691"),
    ("pay 100%25.xlsx#Dept Pay!D9", "(empty)"),
    ("pay 100%25.xlsx#sheet=Back", "hidden"),
    ("pay 100%25.xlsx#name=Total", "52,691.00"),
    ("pay 100%25.xlsx#comment=Dept Pay!B2", "check this"),
    ("pay 100%25.xlsx#cf=Dept Pay/1", "B2:B9"),
    ("pay 100%25.xlsx#chart=Dept Pay/1", "column chart | 26345.5"),
    ("results/memo.docx#para=3", "the strategy is bold"),
    ("memo.docx#para=3", "is bold. INSERTED"),
    ("memo.docx#para=2-3", "Summary ... strategy"),
    ("memo.docx#table=1/r2c3", "r1c2"),
    ("memo.docx#table=1", "r0c0"),
    ("memo.docx#header=1", "HEADER_TEXT"),
    ("memo.docx#comment=1", "COMMENT_BODY"),
    ("memo.docx#change=2", "DELETED"),
    ("memo.docx#para=5", "a chart with three bars"),
    ("deck.pptx#slide=1/notes", "SPEAKER_NOTES"),
    ("deck.pptx#slide=3", "WIDE"),
    ("deck.pptx#slide=3/shape=2", "V12"),
    ("deck.pptx#slide=2/chart=1", "1.5, 2.5, 3.75"),
    ("deck.pptx#slide=3/shape=3", "a bar chart"),
    ("report.pdf#page=1", "PDF_TEXT 1,234.5"),
    ("report.pdf#page=1/table=1/r2c1", "cell10"),
    ("report.pdf#page=2", "an invoice"),
    ("notes.md#line=3", "1204.50"),
    ("table.csv#row=2", "1,204.50"),
    ("chart.png#image", "a line that rises"),
    ("chart.png", "a line that rises"),
    ("memo.docx", ""),
    ("broken.docx", "corrupt"),
    ("input:policy.docx#para=1", "cap is 9 days"),
]


@pytest.mark.parametrize(("at", "reads"), TRUE)
def test_a_true_place_is_accepted(at: str, reads: str, views: tuple[View, View]) -> None:
    assert verify(Cited(at, reads), *views) == ""


FALSE = [
    ("memo.docx#para=44", "bold", "no paragraph 44: there are 8"),
    ("memo.docx#para=3", "the strategy is timid", "it reads 'The strategy is bold."),
    ("memo.docx#para=3", "the strategy is bold. DELETED INSERTED", "it reads"),
    ("memo.docx", "the strategy is bold", "it reads 'memo.docx (docx, ok)'"),
    ("memos.docx#para=3", "bold", "did you mean 'memo.docx'?"),
    ("input:memo.docx#para=3", "bold", "no file 'input:memo.docx'"),
    ("policy.docx#para=1", "cap", "no file 'policy.docx'"),
    ("pay 100%25.xlsx#dept pay!B2", "26345.5", "did you mean 'Dept Pay'?"),
    ("pay 100%25.xlsx#Dept Pay!B2", "26345.51", "it reads '26345.5'"),
    ("pay 100%25.xlsx#Dept Pay!C2", "=B2*3", "it reads"),
    ("pay 100%25.xlsx#Dept Pay!D9", "7", "it is empty"),
    ("pay 100%25.xlsx#chart=Dept Pay/2", "", "no chart 2: there are 1"),
    ("pay 100%25.xlsx#name=total", "", "no defined name 'total' (did you mean 'Total'?)"),
    ("pay 100%25.xlsx#para=3", "x", "para=3 is no place in a workbook"),
    ("memo.docx#table=1/r9c1", "x", "no row 9: there are 3"),
    ("memo.docx#page=1", "", "no page=1 of memo.docx"),
    ("deck.pptx#slide=9", "", "no slide 9"),
    ("deck.pptx#slide=2/chart=1", "1.5, 2.5, 3.85", "it reads"),
    ("report.pdf#page=1", "1,234.51", "it reads"),
    ("chart.png#para=1", "", "no place in a picture"),
    ("broken.docx#para=1", "x", "nothing in broken.docx can be read"),
    ("no locator at all", "x", "no file"),
    ("memo.docx#para=", "x", "para=4 or para=4-6"),
]


@pytest.mark.parametrize(("at", "reads", "why"), FALSE)
def test_an_invented_place_is_refused_with_the_reason(
    at: str, reads: str, why: str, views: tuple[View, View]
) -> None:
    assert why in verify(Cited(at, reads), *views)


def test_what_only_a_picture_tells_is_flagged(views: tuple[View, View]) -> None:
    for at in (
        "report.pdf#page=2",
        "chart.png#image",
        "memo.docx#para=5",
        "deck.pptx#slide=3/shape=3",
    ):
        assert resolve(at, *views).drawn, at
    assert not resolve("report.pdf#page=1", *views).drawn


def test_a_folder_is_told_in_outline(views: tuple[View, View]) -> None:
    told = describe(views[0])
    for line in (
        "pay 100%25.xlsx (xlsx, ok,",
        "  sheet=Dept Pay | visible | A1:C4 | 8 cells, 2 formulas, 1 of them without a stored",
        "hidden rows 2",
        "  sheet=Back | hidden | empty",
        "  name=Total | 'Dept Pay'!$C$2",
        "  chart=Dept Pay/1 | column chart",
        "broken.docx (docx, CORRUPT,",
        "  para=2 [heading 1] 1. Summary",
        "  slide=4 | hidden | HIDDEN_SLIDE",
        "  Without text, only a picture: page 2",
    ):
        assert line in told, f"{line}\n{told}"


def test_cells_are_read_out_with_formula_stored_value_format_and_what_is_shown(
    views: tuple[View, View],
) -> None:
    assert text_of(views[0], "pay 100%.xlsx", "Dept Pay!C2:C3").split("\n") == [
        "Dept Pay!C2 | =B2*2 | stored 52691 | format #,##0.00 | shown 52,691.00 | hidden",
        "Dept Pay!C3 | =SUM(C2:C2) | stored: none",
    ]
    assert "Dept Pay!A4 | 1234 | a number stored as text" in text_of(views[0], "pay 100%.xlsx")


def test_documents_are_read_out_in_order_with_the_places_of_what_is_in_them(
    views: tuple[View, View],
) -> None:
    lines = text_of(views[0], "memo.docx").split("\n")
    assert lines[1] == "para=2 [heading 1] 1. Summary"
    assert "table=1/r2 | r1c0 | r1c1 | r1c2" in lines
    assert "change=1 | insertion by Rev in para=3 |  INSERTED" in lines
    assert text_of(views[0], "memo.docx", "para=6-7").split("\n") == [
        "para=6 [bullet 1] bullet one",
        "para=7 [number 1] 1. numbered",
    ]


def test_every_line_that_is_read_out_names_a_place_that_is_there(
    views: tuple[View, View],
) -> None:
    for name in ("pay 100%.xlsx", "memo.docx", "deck.pptx", "report.pdf", "notes.md", "table.csv"):
        for line in text_of(views[0], name).split("\n"):
            place, _, text = line.partition(" | ")
            if text and "=" in place.split(" ")[0]:
                at = f"{name.replace('%', '%25')}#{place.split(' (')[0]}"
                assert resolve(at, *views).exists, at


def test_a_text_is_cut_where_asked_and_an_unknown_part_is_an_error(
    views: tuple[View, View],
) -> None:
    assert len(text_of(views[0], "memo.docx", limit=30)) == 30
    with pytest.raises(ContentError, match="no paragraph 99"):
        text_of(views[0], "memo.docx", "para=99")
    with pytest.raises(ContentError, match=r"no file 'gone.docx'"):
        text_of(views[0], "gone.docx")
