"""Every edit of documents, decks, texts and whole files."""

from pathlib import Path

import docx
import pptx
import pytest

from bythebook.deliverables.faults import edits as e
from tests.deliverables.faults.editing import edited
from tests.deliverables.stall import write_book, write_note


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "takings.xlsx"
    write_book(path)
    return path


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.docx"
    write_note(path, total="Costs of 84,210.50 in 2024 for 12 items")
    made = docx.Document(str(path))
    made.paragraphs[1].add_run(", or 1,000 ea").bold = True
    made.paragraphs[1].add_run("ch.")
    table = made.add_table(2, 2)
    for cell, text in zip(table._cells, ("Sales", "Over", "Support", "Under"), strict=True):
        cell.text = text
    made.save(str(path))
    return path


def said(path: Path) -> list[str]:
    return [paragraph.text for paragraph in docx.Document(str(path)).paragraphs]


def test_figures_are_scaled_and_years_and_counts_are_not(note: Path) -> None:
    edited(note, e.ScaleFigure(para=2, by=2))
    assert said(note)[1] == "Costs of 168,421.00 in 2024 for 12 items, or 2,000 each."


def test_text_is_replaced_across_runs_and_looks_stay(note: Path) -> None:
    edited(note, e.ReplaceText(find="000 each", put="500 apiece"))
    paragraph = docx.Document(str(note)).paragraphs[1]
    assert paragraph.text.endswith("or 1,500 apiece.")
    assert [bool(run.bold) for run in paragraph.runs] == [False, True, False]


def test_text_is_replaced_in_tables(note: Path) -> None:
    edited(note, e.ReplaceText(find="Over", put="Under"))
    cells = docx.Document(str(note)).tables[0]._cells
    assert [cell.text for cell in cells] == ["Sales", "Under", "Support", "Under"]


def test_a_paragraph_and_a_table_row_are_dropped(note: Path) -> None:
    edited(note, e.DropParagraph(para=2))
    edited(note, e.DropParagraph(has="Support"))
    assert said(note)[:2] == ["Result", "Reason"]
    assert len(docx.Document(str(note)).tables[0].rows) == 1


def test_a_section_goes_with_its_table(note: Path) -> None:
    edited(note, e.DropSection(heading="Reason"))
    assert said(note) == ["Result", "Costs of 84,210.50 in 2024 for 12 items, or 1,000 each."]


def test_text_is_added_before_the_page_setup(note: Path) -> None:
    edited(note, e.AddText(text="1 2 3"))
    assert said(note)[-1] == "1 2 3"


def test_each_heading_of_a_document_begins_a_page(note: Path) -> None:
    edited(note, e.BreakPages())
    breaks = {
        one.text: one.paragraph_format.page_break_before
        for one in docx.Document(str(note)).paragraphs
    }
    assert (breaks["Result"], breaks["Reason"]) == (True, True)
    assert sum(map(bool, breaks.values())) == 2


def test_a_markdown_file_is_edited_by_lines(tmp_path: Path) -> None:
    path = tmp_path / "note.md"
    path.write_text("# A\n\nTotal 1,234.50\n\n## B\n\ntext\n\n# C\n", "utf-8")
    edited(path, e.ScaleFigure(has="Total", by=2))
    edited(path, e.DropSection(heading="b"))
    edited(path, e.AddText(text="end"))
    assert path.read_text("utf-8") == "# A\n\nTotal 2,469.00\n\n# C\nend\n"


def test_slides_are_dropped_and_hidden_and_their_text_replaced(tmp_path: Path) -> None:
    path = tmp_path / "deck.pptx"
    made = pptx.Presentation()
    for title in ("One", "Two", "Three"):
        made.slides.add_slide(made.slide_layouts[0]).shapes.title.text = title
    made.save(str(path))
    edited(path, e.ReplaceText(find="Three", put="Last"))
    edited(path, e.DropSlide(slide=2))
    edited(path, e.HideSlide(slide=1))
    edited(path, e.AddText(text="more"))
    slides = pptx.Presentation(str(path)).slides
    assert [slide.shapes.title.text for slide in slides] == ["One", "Last"]
    assert slides[0]._element.get("show") == "0"
    assert "more" in [shape.text_frame.text.strip() for shape in slides[1].placeholders]


# --- whole files --------------------------------------------------------------------------------


def test_files_are_cut_faked_renamed_dropped_and_added(book: Path, note: Path) -> None:
    size = book.stat().st_size
    edited(book, e.Truncate())
    assert book.stat().st_size == size // 2
    edited(note, e.WrongType(text="no document"))
    assert note.read_bytes() == b"no document"
    edited(note, e.RenameFile(to="memo.docx"))
    edited(book, e.DropFile())
    edited(note.with_name("draft.md"), e.AddFile(file="draft.md"))
    edited(note.with_name("copy.docx"), e.AddFile(file="copy.docx", copy_of="memo.docx"))
    names = sorted(path.name for path in note.parent.iterdir())
    assert names == ["copy.docx", "draft.md", "memo.docx"]
