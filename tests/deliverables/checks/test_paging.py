"""`pages` of PDFs, and of documents, which have none of their own."""

import pytest

from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.evidence.model import Change, Layout, Page, Pdf
from bythebook.errors import ContentError
from tests.deliverables.checks.papers import Computed, ask, paper

A4, LETTER = (595, 842), (612, 792)
LETTER_OF = "pages: {file: note.docx, at_most: 3}"


def laid(count: int, last: float = 0.5, *, size: tuple[int, int] = A4, fonts: str = "") -> Layout:
    return Layout(
        status="ok",
        engine="LibreOffice 7.4",
        sizes=(size,) * count,
        last=last,
        stand_ins=(fonts,) if fonts else (),
    )


def of_document(check: str, layout: Layout | None, *, tracked: bool = False) -> Answer:
    changes = (Change("insertion", "so"),) if tracked else ()
    return ask(check, Computed({"note.docx": paper("Dear all,", changes=changes)}, laid=layout))


@pytest.mark.parametrize(
    ("check", "mark"),
    [
        ("pages: {at_least: 2, at_most: 2}", "pass"),
        ("pages: {at_most: 1}", "fail"),
        ("pages: {at_least: 3}", "fail"),
        ("pages: {size: A4}", "pass"),
        ("pages: {size: Letter}", "fail"),
    ],
)
def test_pages_of_a_pdf_are_counted(check: str, mark: str) -> None:
    pages = (Page(number=1, size=A4), Page(number=2, size=(842, 595)))
    assert ask(check, Pdf(pages=pages)).mark == mark


@pytest.mark.parametrize(
    ("layout", "mark"),
    [
        (laid(1, 0.01), "pass"),
        (laid(3, 1.0), "pass"),
        (laid(3, 1.0, fonts="dejavusans"), "pass"),
        (laid(4, 0.1), "unsure"),
        (laid(4, 0.29), "unsure"),
        (laid(4, 0.31), "fail"),
        (laid(4, 0.9, fonts="dejavusans"), "unsure"),
        (laid(5, 0.49, fonts="dejavusans"), "unsure"),
        (laid(5, 0.51, fonts="dejavusans"), "fail"),
        (laid(9), "fail"),
    ],
)
def test_a_document_fails_only_clearly_beyond_its_limit(layout: Layout, mark: str) -> None:
    assert of_document(LETTER_OF, layout).mark == mark


def test_what_is_near_the_limit_is_told_to_the_judge() -> None:
    answer = of_document(LETTER_OF, laid(4, 0.1, fonts="dejavusans"))
    assert answer.why == (
        "as LibreOffice 7.4 lays it out in fonts that stand in for its own it has 4 pages; other"
        " programs may differ"
    )
    assert (answer.seen, answer.wanted) == ("4 pages, the last filled to 10%", "1 to 3")


def test_tracked_changes_are_drawn_and_lengthen_a_document() -> None:
    assert of_document(LETTER_OF, laid(4, 0.9)).mark == "fail"
    assert of_document(LETTER_OF, laid(4, 0.9), tracked=True).mark == "unsure"


@pytest.mark.parametrize(
    ("layout", "mark"),
    [(laid(3, 0.01), "pass"), (laid(2, 0.95), "unsure"), (laid(2, 0.7), "fail")],
)
def test_a_document_may_also_be_too_short(layout: Layout, mark: str) -> None:
    assert of_document("pages: {file: note.docx, at_least: 3}", layout).mark == mark


def test_the_size_of_a_document_s_pages_is_certain() -> None:
    check = "pages: {file: note.docx, size: A4}"
    assert of_document(check, laid(2)).mark == "pass"
    answer = of_document(check, laid(2, size=LETTER))
    assert (answer.mark, answer.seen) == ("fail", "612 x 792 points")


def test_without_an_engine_nobody_can_say() -> None:
    assert of_document(LETTER_OF, None).mark == "void"


@pytest.mark.parametrize("status", ["failed", "timeout"])
def test_a_document_that_cannot_be_laid_out_is_for_the_judge(status: str) -> None:
    layout = Layout(status=status, says="It hangs.")  # type: ignore[arg-type]  # drawn from a list
    assert of_document(LETTER_OF, layout).mark == "unsure"


BOTH = "pages: {all: [{file: note.docx, at_most: 3}, {file: report.pdf, at_most: 1}]}"


@pytest.mark.parametrize(
    ("layout", "pages", "mark"),
    [
        (laid(2), 1, "pass"),
        (laid(2), 2, "fail"),
        (laid(9), 1, "fail"),
        (laid(4, 0.1), 1, "unsure"),
        (laid(4, 0.1), 2, "fail"),
        (None, 1, "void"),
    ],
)
def test_several_files_are_asked_together(layout: Layout, pages: int, mark: str) -> None:
    report = Pdf(pages=tuple(Page(number=n, size=A4) for n in range(1, pages + 1)))
    results = Computed({"note.docx": paper("Dear all,"), "report.pdf": report}, laid=layout)
    assert ask(BOTH, results).mark == mark


@pytest.mark.parametrize(
    ("check", "says"),
    [
        ("pages: {at_most: 3}", "0 files of kind pdf"),
        ("pages: {file: note.docx}", "asks for something"),
        ("pages: {file: note.docx, at_least: 4, at_most: 3}", "no file has 4 to 3 pages"),
        ("pages: {at_most: 1, all: [{file: note.docx, at_most: 3}]}", "each file says itself"),
    ],
)
def test_what_cannot_be_asked_does_not_load(check: str, says: str) -> None:
    with pytest.raises(ContentError, match=says):
        of_document(check, laid(1))
