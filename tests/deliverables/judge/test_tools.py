"""What a judge's tools show."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Picture
from reportlab.pdfgen.canvas import Canvas

from bythebook.deliverables.evidence.view import View
from bythebook.deliverables.judge.submission import Submission
from bythebook.deliverables.judge.tools import MOST_SHOWN, SPECS, JudgeHands
from bythebook.models.types import Answer, Call
from tests.deliverables.judge.handed_over import ITEMS, submitted, workbook


def use(submission: Submission, name: str, **args: Any) -> Answer:
    return JudgeHands(submission).use(Call(name, args, "c1"))


def test_every_tool_is_offered_with_its_arguments_and_what_it_is_for() -> None:
    assert [spec.name for spec in SPECS] == [
        "list_files",
        "read_text",
        "sheet_range",
        "find",
        "diff_input",
        "view_page",
    ]
    by_name = {spec.name: spec for spec in SPECS}
    assert by_name["sheet_range"].schema["required"] == ["file", "sheet", "range"]
    assert by_name["read_text"].schema["required"] == ["file"]
    assert all(len(spec.doc) > 40 for spec in SPECS)


def test_a_document_is_read_with_the_names_of_its_places(submission: Submission) -> None:
    shown = use(submission, "read_text", file="note.docx").text
    assert "para=2" in shown
    assert "Net income of the year is 12,905" in shown


def test_a_part_of_a_file_is_read_alone(submission: Submission) -> None:
    shown = use(submission, "read_text", file="note.docx", part="para=3").text
    assert "the rent" in shown
    assert "12,905" not in shown


def test_an_input_is_read_under_its_name(submission: Submission) -> None:
    assert "rent" in use(submission, "read_text", file="input:data.csv").text
    assert not use(submission, "read_text", file="data.csv").ok


def test_cells_are_shown_one_a_line(submission: Submission) -> None:
    shown = use(submission, "sheet_range", file="book.xlsx", sheet="Raw", range="A1:B2").text
    assert "Raw!B2" in shown
    assert "Raw!B3" not in shown


def test_words_are_found_with_a_place_that_can_be_cited(submission: Submission) -> None:
    assert "note.docx#para=2" in use(submission, "find", text="net INCOME").text
    assert "note.docx#para=2" in use(submission, "find", text="12905").text
    assert "book.xlsx#Raw!B3" in use(submission, "find", text="8", file="book.xlsx").text


def test_inputs_are_searched_only_when_named(submission: Submission) -> None:
    assert (
        "input:data.csv#row=2" in use(submission, "find", text="rent", file="input:data.csv").text
    )
    assert "data.csv" not in use(submission, "find", text="rent").text


def test_words_that_stand_nowhere_are_said_to(submission: Submission) -> None:
    assert "found nowhere" in use(submission, "find", text="dividend").text


def test_a_sheet_is_set_beside_the_input_sheet_of_its_name(submission: Submission) -> None:
    shown = use(submission, "diff_input", sheet="Raw").text
    assert "1 of 6 cells differ" in shown
    assert "B3: 9" in shown
    assert "-> 8" in shown


def test_a_sheet_that_no_input_has_is_said_so(submission: Submission) -> None:
    assert "no sheet 'Sum' in the inputs" in use(submission, "diff_input", sheet="Sum").text


def test_a_csv_is_set_beside_the_input_of_its_name(tmp_path: Path) -> None:
    changed = with_files(tmp_path, {"data.csv": "risk,size\nrent,501\npound,300\n"})
    assert "B2: '500' -> '501'" in use(changed, "diff_input", sheet="data.csv").text


def with_files(root: Path, texts: dict[str, str]) -> Submission:
    """The usual submission with these files beside the others."""
    submission = submitted(root)
    for name, text in texts.items():
        (root / "results" / name).write_text(text)
    results = View.of_folder(root / "results", keep=root / "evidence")
    return Submission(submission.task, 1, submission.prompt, {}, ITEMS, results, submission.inputs)


def test_a_long_text_is_cut_and_gone_on_with(tmp_path: Path) -> None:
    lines = "".join(f"This is the line number {n} of many.\n" for n in range(2_000))
    submission = with_files(tmp_path, {"long.txt": lines})
    first = use(submission, "read_text", file="long.txt").text
    second = use(submission, "read_text", file="long.txt", start=MOST_SHOWN).text
    assert len(first) < MOST_SHOWN + 200
    assert f"(cut at character {MOST_SHOWN})" in first
    assert f"(cut at character {2 * MOST_SHOWN})" in second
    assert "the line number 0 of many" in first
    assert "the line number 0 of many" not in second


def test_a_page_of_a_pdf_is_shown_as_a_picture(tmp_path: Path) -> None:
    submission = submitted(tmp_path)
    canvas = Canvas(str(tmp_path / "results" / "report.pdf"))
    canvas.drawString(72, 700, "Page one")
    canvas.save()
    results = View.of_folder(tmp_path / "results", keep=tmp_path / "evidence")
    again = Submission("t", 1, "q", {}, ITEMS, results, submission.inputs)
    hands = JudgeHands(again)
    answer = hands.use(Call("view_page", {"file": "report.pdf", "page": 1}, "c1"))
    (image,) = answer.images
    assert image.data.startswith(b"\x89PNG")
    assert hands.viewed == {"report.pdf"}
    beyond = hands.use(Call("view_page", {"file": "report.pdf", "page": 2}, "c1"))
    assert "has pages 1 to 1" in beyond.text
    blind = JudgeHands(again, pictures=False)
    assert "No picture" in blind.use(Call("view_page", {"file": "report.pdf", "page": 1})).text
    assert not blind.viewed


def test_a_picture_is_shown_as_it_is(tmp_path: Path) -> None:
    submission = submitted(tmp_path)
    Picture.new("RGB", (40, 30), "red").save(tmp_path / "results" / "chart.png")
    results = View.of_folder(tmp_path / "results", keep=tmp_path / "evidence")
    again = Submission("t", 1, "q", {}, ITEMS, results, submission.inputs)
    assert use(again, "view_page", file="chart.png", page=1).images


@pytest.mark.parametrize("cells", [1, 3_000])
def test_an_answer_is_never_longer_than_its_limit(tmp_path: Path, cells: int) -> None:
    submission = submitted(tmp_path)
    rows = [[f"value {n}" * 3] for n in range(cells)]
    workbook(tmp_path / "results" / "wide.xlsx", {"Raw": rows})
    results = View.of_folder(tmp_path / "results", keep=tmp_path / "evidence")
    again = Submission("t", 1, "q", {}, ITEMS, results, submission.inputs)
    for call in (
        Call("read_text", {"file": "wide.xlsx"}),
        Call("sheet_range", {"file": "wide.xlsx", "sheet": "Raw", "range": "A1:A3000"}),
        Call("find", {"text": "value"}),
        Call("diff_input", {"sheet": "Raw", "file": "wide.xlsx"}),
    ):
        answer = JudgeHands(again).use(call)
        assert answer.ok, answer.text
        assert len(answer.text) < MOST_SHOWN + 200
