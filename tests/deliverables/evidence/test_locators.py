"""The grammar of places: what is written parses back, what is wrong says why."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.deliverables.evidence.formulas import COLUMNS, ROWS
from bythebook.deliverables.evidence.locators import (
    SPANS,
    CellComment,
    Cells,
    Grid,
    Locator,
    Named,
    OnPage,
    OnSheet,
    OnSlide,
    Place,
    Span,
    Whole,
    parse,
)
from bythebook.errors import ContentError

NAMES = st.text(min_size=1, max_size=20) | st.sampled_from(
    ["a.xlsx", "Q1 100%.docx", "a#b.md", "sub/a.pdf", " a", "input:x", "line\nend", "%41", "Größe"]
)
SHEETS = NAMES | st.sampled_from(["Payroll", "Dept's", "'q'", "para=4", "a!b", "50%", "x/2", "Q 1"])
WORDS = st.text("abcXYZ_.!0'%#", min_size=1, max_size=12)
N = st.integers(1, 9_999_999)


@st.composite
def cells(draw: st.DrawFn) -> Cells:
    top, left = draw(st.integers(1, ROWS - 19)), draw(st.integers(1, COLUMNS - 9))
    down, right = draw(st.integers(0, 19)), draw(st.integers(0, 9))
    return Cells(draw(SHEETS), top, left, top + down, left + right)


@st.composite
def spans(draw: st.DrawFn) -> Span:
    first = draw(st.integers(1, 9_999_000))
    return Span(draw(st.sampled_from(SPANS)), first, first + draw(st.integers(0, 199)))


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    row = draw(st.integers(0, 99))
    column = draw(st.integers(0, 99)) if row else 0
    return Grid(draw(N), row, column, draw(st.just(0) | N))


PLACES: st.SearchStrategy[Place] = st.one_of(
    cells(),
    spans(),
    grids(),
    st.builds(Named, st.just("sheet"), SHEETS),
    st.builds(Named, st.just("name"), WORDS),
    st.builds(OnSheet, st.just("chart"), SHEETS | st.just(""), N),
    st.builds(OnSheet, st.just("cf"), SHEETS, N),
    st.builds(CellComment, SHEETS, st.integers(1, ROWS), st.integers(1, COLUMNS)),
    st.builds(OnPage, N),
    st.builds(OnSlide, N),
    st.builds(OnSlide, N, st.just("notes")),
    st.builds(OnSlide, N, st.sampled_from(["shape", "chart"]), N),
    st.just(Whole()),
)


@given(NAMES, st.none() | PLACES, st.booleans())
def test_a_locator_that_is_written_parses_back(
    file: str, place: Place | None, of_input: bool
) -> None:
    locator = Locator(file, place, of_input)
    assert parse(str(locator)) == locator


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a.xlsx#Payroll!E2", Cells("Payroll", 2, 5, 2, 5)),
        ("a.xlsx#Dept Cost!$C$9:a1", Cells("Dept Cost", 1, 1, 9, 3)),
        ("a.xlsx#'Dept''s'!A1", Cells("Dept's", 1, 1, 1, 1)),
        ("a.xlsx#sheet='Dept Cost'", Named("sheet", "Dept Cost")),
        ("a.xlsx#chart=Dept Cost/2", OnSheet("chart", "Dept Cost", 2)),
        ("a.xlsx#comment=Pay!E3", CellComment("Pay", 3, 5)),
        ("a.docx#comment=2", Span("comment", 2, 2)),
        ("a.docx#para=4-6", Span("para", 4, 6)),
        ("a.docx#table=2/r3c1", Grid(2, 3, 1)),
        ("a.pdf#page=3/table=1", Grid(1, page=3)),
        ("a.pptx#slide=2/shape=4", OnSlide(2, "shape", 4)),
        (" a.png#image\n", Whole()),
    ],
)
def test_places_are_written_so(text: str, place: Place) -> None:
    assert parse(text).place == place


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "begins with the name of a file"),
        ("#para=4", "begins with the name of a file"),
        ("a.docx#para=0", "para=4 or para=4-6"),
        ("a.docx#para=6-4", "ends before it begins"),
        ("a.docx#para=1-900", "too long"),
        ("a.docx#paragraph=4", "did you mean 'para'?"),
        ("a.xlsx#Payroll", "is no place"),
        ("a.xlsx#Payroll!A1:Z99", "2574 cells are too many: at most 200"),
        ("a.xlsx#Payroll!A:A", "is no place"),
        ("a.xlsx#Payroll!ZZZ1", "is no place"),
        ("a.pptx#slide=2/title", "slide=2/shape=4"),
        ("a" * 3000, "letters long"),
    ],
)
def test_what_is_no_locator_says_why_and_what_is_near(text: str, words: str) -> None:
    with pytest.raises(ContentError) as refused:
        parse(text)
    assert words in str(refused.value)


@given(st.text(max_size=60) | st.text("aA1!:=#/'-%rc", max_size=30).map("a#".__add__))
def test_any_text_is_a_locator_or_refused(text: str) -> None:
    try:
        found = parse(text)
    except ContentError:
        return
    assert parse(str(found)) == found
