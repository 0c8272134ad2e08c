"""`outline`, `figures`, `text`, `agree`, `slides`, `image`."""

from typing import Any

import pytest

from bythebook.deliverables.evidence.model import (
    Content,
    Deck,
    Page,
    Pdf,
    Picture,
    Shape,
    Slide,
    Text,
)
from tests.deliverables.checks.papers import ask, book, paper, sheet, text

OUTLINE = "outline: {has: [[Summary, Executive summary], Findings, Next steps], in_order: true}"


@pytest.mark.parametrize(
    ("note", "mark"),
    [
        (paper("# Summary", "x", "# Findings", "## 2.1 Detail", "# Next steps"), "pass"),
        (paper("# 1. Summary", "# 2. Findings and evidence", "# IV) NEXT STEPS"), "pass"),
        (text("# Executive summary\n\nx\n\n## Findings\n\n## Next steps ##"), "pass"),
        (paper("# Findings", "# Summary", "# Next steps"), "fail"),
        (paper("# Summary", "# Findings"), "fail"),
        (paper("# Summary", "# Findings", "The next steps are these."), "fail"),
        (paper("# Summary", "# Findings", "Next steps"), "unsure"),
        (Text(format="txt", lines=("Summary", "", "Findings", "", "Next steps")), "unsure"),
    ],
)
def test_headings_are_real_ones(note: Content, mark: str) -> None:
    assert ask(OUTLINE, note).mark == mark


def test_headings_are_looked_for_in_the_one_file_that_has_any() -> None:
    """A PDF beside the document has none, so the check need not say which it means."""
    note = paper("# Summary", "# Findings", "# Next steps")
    both = {"note.docx": note, "report.pdf": Pdf(pages=(Page(number=1),))}
    assert ask(OUTLINE, both).mark == "pass"


def test_the_titles_of_slides_are_headings_of_a_deck() -> None:
    slides = [
        Slide(number=n, title=t) for n, t in enumerate(("Summary", "Findings", "Next steps"), 1)
    ]
    assert ask(OUTLINE, Deck(slides=tuple(slides))).mark == "pass"


# --- figures ------------------------------------------------------------------------------------

OVER = (
    "figures: {all: [{is: 84210, digits: 3, near: [Sales, Vertrieb],"
    " word: [over|exceed|above, under|below]}]}"
)


@pytest.mark.parametrize(
    ("said", "mark"),
    [
        ("Sales went over its budget by 84,210 CNY.", "pass"),
        ("Sales exceeded its budget by CNY 84.2k.", "pass"),
        ("Sales: over by about 84,200", "pass"),
        ("Sales is 84 210 over.", "pass"),
        ("Sales (approx. CNY 84,210) is over budget.", "pass"),
        ("Sales did not end under budget but 84,210 higher.", "pass"),
        ("Sales went over by 84,000.", "fail"),
        ("Sales went over its budget by 84,211 CNY.", "fail"),
        ("Sales is 84,210 under its budget.", "fail"),
        ("Sales went over its budget.", "fail"),
        ("Support went over its budget by 84,210.", "fail"),
        ("Sales went over. Support is at 84,210 over.", "unsure"),
        ("Sales went over its budget. The overrun of 84,210 came from overtime.", "unsure"),
        ("Sales 84,210; over 1, 2, 3, 4, 5, 6, 7", "pass"),
        ("Sales over 1, 2, 3, 4, 5, 6, 84,210", "unsure"),
        ("Sales went over by 84.210,00 CNY.", "unsure"),
        ("Sales went over by {-84,210-}{+85,000+}.", "fail"),
        ("Sales went over by {-85,000-}{+84,210+}[^1].", "pass"),
    ],
)
def test_a_figure_is_said_of_what_it_belongs_to(said: str, mark: str) -> None:
    assert ask(OVER, paper("# Costs", said)).mark == mark


def test_a_figure_may_stand_in_a_table_row_under_its_heading_or_in_a_lead() -> None:
    rows = [["Department", "Over"], ["Support", "12,905"], ["Sales", "84,210"]]
    answer = ask(OVER, paper("x", rows))
    assert (answer.mark, answer.place) == ("pass", "note.docx#table=1/r3c1")
    assert ask(OVER, paper("# Sales", "The overrun is 84,210.")).mark == "unsure"
    assert ask(OVER, paper("Sales:", "- 84,210 over")).mark == "unsure"
    assert (
        ask(OVER, paper("# Support", "The overrun is 84,210.", "# Sales", "None.")).mark == "fail"
    )


def test_figures_in_another_locale_are_read_as_the_task_writes_them() -> None:
    said = paper("Der Vertrieb liegt 84.210,00 EUR above.")
    assert ask(OVER, said, locale="de").mark == "pass"
    assert ask(OVER, paper("Vertrieb: 84,2 Tsd. über"), locale="de").mark == "pass"


def test_only_tables_is_exact_enough_for_a_check() -> None:
    check = "figures: {only: tables, all: [{is: 84210, near: Sales}]}"
    rows = [["Sales", "84,210"], ["Support", "12,905"]]
    assert ask(check, paper(rows)).mark == "pass"
    assert ask(check, paper([["Sales", "84,310"]])).mark == "fail"
    assert ask(check, paper("Sales is over by 84,210.")).mark == "unsure"


def test_a_table_whose_heading_gives_the_unit_is_for_the_judge() -> None:
    check = "figures: {only: tables, all: [{is: 84210, near: Sales}, {is: 3.5%, near: Rate}]}"
    rows = [["In thousands and per cent", ""], ["Sales", "84.2"], ["Rate", "3.50"]]
    assert ask(check, paper(rows)).mark == "unsure"
    assert ask(check, paper([["Sales", "84.3"], ["Rate", "3.50"]])).mark == "fail"


@pytest.mark.parametrize(
    "unit",
    [
        "All figures in thousands.",
        "in EUR million",
        "Figures in kEUR",
        "EUR k",
        "EUR '000",
        "(in 1,000 EUR)",
        "T€",
        "单位 万元",
    ],
)
def test_a_wrong_unit_fails_unless_words_may_give_it(unit: str) -> None:
    """84.2 for 84,210 is wrong by a thousand, wherever nobody reads of thousands."""
    check = "figures: {all: [{is: 84210, near: Sales}]}"
    said = ("Sales is over budget by EUR 84.2, and 1.2 million is left.", "12 k and 3,000 in May.")
    answer = ask(check, paper(*said))
    assert (answer.mark, answer.why) == (
        "fail",
        "the figure stands in another unit, and no words say in which",
    )
    assert ask(check, paper("Sales is over by EUR 84.2 million.")).mark == "fail"
    assert ask(check, paper(f"# Costs, {unit}", *said)).mark == "unsure"


@pytest.mark.parametrize(
    ("said", "mark"), [("3.5 %", "pass"), ("3.46%", "fail"), ("0.035", "pass")]
)
def test_a_percent_is_a_percent(said: str, mark: str) -> None:
    assert (
        ask("figures: {all: [{is: 3.5%, digits: 2}]}", paper(f"The rate is {said} now.")).mark
        == mark
    )


def test_a_pdf_is_read_across_the_ends_of_its_lines() -> None:
    page = Page(number=2, text="Sales went over\nits budget by\n84,210 CNY.\n\nSupport: 1")
    answer = ask(OVER, Pdf(pages=(Page(number=1), page)))
    assert (answer.mark, answer.place) == ("pass", "report.pdf#page=2")


def test_csv_rows_and_markdown_tables_are_rows() -> None:
    csv = Text(format="csv", lines=("a",), rows=(("Department", "Over"), ("Sales", "84,210")))
    assert ask(OVER, {"x.csv": csv}).place == "x.csv#row=2"
    assert (
        ask(OVER, text("| Department | Over |\n|---|---|\n| Sales | **84,210** |")).mark == "pass"
    )


# --- text ---------------------------------------------------------------------------------------


def test_phrases_are_words_in_order_whatever_stands_between() -> None:
    check = "text: {all: [[superseded, replaced], July rate], none: [TODO, lorem ipsum]}"
    assert (
        ask(check, paper("The 2023 policy is superseded.", "The July-rate was used.")).mark
        == "pass"
    )
    answer = ask(check, paper("The 2023 policy is superseded."))
    assert (answer.mark, answer.wanted) == ("fail", "July rate")
    answer = ask(check, paper("superseded July rate", "todo: add numbers"))
    assert (answer.mark, answer.place) == ("fail", "note.docx#para=2")
    assert ask(check, paper("superseded July rate", "{-todo-}")).mark == "pass"


# --- agree --------------------------------------------------------------------------------------

AGREE = (
    "agree: {cell: {file: book.xlsx, sheet: D, label: k_gross},"
    " figure: {file: note.docx, near: total gross pay, digits: 3}}"
)


@pytest.mark.parametrize(
    ("said", "mark"),
    [
        ("Total gross pay is 9.43 million.", "pass"),
        ("Total gross pay is 9,430,451.42.", "pass"),
        ("Total gross pay is 9.44 million.", "fail"),
        ("We paid 9.43 million.", "unsure"),
        ("Total gross pay follows. It is 9.43 million.", "unsure"),
        ("Total gross pay is 9.43 million (1, 2, 3, 4, 5 and 6 of the list).", "unsure"),
        ("Total gross pay is 9.44 million (1, 2, 3, 4, 5 and 6 of the list).", "fail"),
    ],
)
def test_document_and_workbook_carry_one_value(said: str, mark: str) -> None:
    both = {
        "book.xlsx": book(sheet("D", [["Total gross pay", 9430451.42]])),
        "note.docx": paper(said),
    }
    assert ask(AGREE, both).mark == mark


def test_an_error_is_carried_forward_and_not_punished_twice() -> None:
    wrong = {
        "book.xlsx": book(sheet("D", [["Total gross pay", 1234567.0]])),
        "note.docx": paper("Total gross pay is 1.23 million."),
    }
    assert ask(AGREE, wrong).mark == "pass"


def test_two_cells_agree_within_a_tolerance() -> None:
    check = (
        "agree: {cell: {sheet: D, label: k_gross}, tol: 0.5,"
        " with: {sheet: P, find: {employee: Total}, column: gross}}"
    )
    for total, mark in ((100.4, "pass"), (100.6, "fail"), ("100", "fail")):
        pay = sheet("P", [["Employee ID", "Gross pay"], ["EMP001", 1.0], ["Total", total]])
        answer = ask(check, book(sheet("D", [["Total gross pay", 100.0]]), pay))
        assert (answer.mark, answer.place) == (mark, "book.xlsx#P!B3")


# --- slides, images -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "mark", "place"),
    [
        ("slides: {count: 2, hidden: 1}", "pass", "deck.pptx"),
        ("slides: {count: [1, 3], hidden: 1}", "pass", "deck.pptx"),
        ("slides: {count: 3, hidden: 1}", "fail", "deck.pptx"),
        ("slides: {count: 2}", "fail", "deck.pptx#slide=3"),
        ("slides: {count: 2, hidden: 1, notes: true}", "fail", "deck.pptx#slide=2"),
    ],
)
def test_slides(check: str, mark: str, place: str) -> None:
    slides = (
        Slide(number=1, notes="say hello"),
        Slide(number=2, notes=" "),
        Slide(number=3, hidden=True),
    )
    answer = ask(check, Deck(slides=slides))
    assert (answer.mark, answer.place) == (mark, place)


@pytest.mark.parametrize(
    ("check", "more", "mark"),
    [
        ("image: {min_px: 600}", {}, "pass"),
        ("image: {min_px: 700}", {}, "fail"),
        ("image: {min_px: [800, 600]}", {}, "pass"),
        ("image: {min_px: [600, 800]}", {}, "fail"),
        ("image: {min_px: 10}", {"blank": True}, "fail"),
        ("image: {min_px: 10, not_blank: false}", {"blank": True}, "pass"),
    ],
)
def test_images(check: str, more: dict[str, Any], mark: str) -> None:
    assert ask(check, Picture(format="png", width=800, height=600, **more)).mark == mark


def test_what_stands_on_a_hidden_slide_is_not_said() -> None:
    shape = Shape(number=1, kind="text", text="Sales is over by 84,210")
    assert ask(OVER, Deck(slides=(Slide(number=1, shapes=(shape,)),))).mark == "pass"
    assert ask(OVER, Deck(slides=(Slide(number=1, hidden=True, shapes=(shape,)),))).mark == "fail"
