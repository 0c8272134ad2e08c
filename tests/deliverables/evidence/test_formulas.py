"""Addresses and formulas, as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.formula.translate import Translator

from bythebook.deliverables.evidence.formulas import (
    COLUMNS,
    Area,
    area_of,
    areas,
    column_letters,
    column_number,
    names_in,
    shared,
)

FORMULA = (
    "SUM(A1:$B$2,Sheet1!C3,'It''s A1'!D4,\"A1 in text\",LOG10(5),Figures[A1],A:C,$2:4,"
    "_xlfn.XLOOKUP(E5,F6,G7))+1E5+Tax_1*ABCD12"
)


@pytest.mark.parametrize(("down", "right"), [(0, 0), (1, 0), (0, 2), (7, 30)])
def test_a_formula_moves_as_when_it_is_copied(down: int, right: int) -> None:
    to = f"{column_letters(1 + right)}{1 + down}"
    moved = Translator(f"={FORMULA}", origin="A1").translate_formula(to)
    assert f"={shared(FORMULA).at(down, right)}" == moved


def test_a_reference_that_leaves_the_sheet_comes_back_on_the_other_side() -> None:
    assert shared("A1+B2").at(-1, -1) == "XFD1048576+A1"


def test_areas_are_found_but_not_in_texts_or_other_books() -> None:
    assert list(areas(FORMULA)) == [
        Area("", 1, 1, 2, 2),
        Area("Sheet1", 3, 3, 3, 3),
        Area("It's A1", 4, 4, 4, 4),
        Area("", 1, 1, 1_048_576, 3),
        Area("", 2, 1, 4, COLUMNS),
        Area("", 5, 5, 5, 5),
        Area("", 6, 6, 6, 6),
        Area("", 7, 7, 7, 7),
    ]
    assert list(areas("[1]Sheet1!A1+x.A1+AB12C")) == []


@pytest.mark.parametrize(
    ("text", "area"),
    [
        ("A1:C9", Area("", 1, 1, 9, 3)),
        ("C9:A1", Area("", 1, 1, 9, 3)),
        ("'My S'!$A$1", Area("My S", 1, 1, 1, 1)),
        ("Figures", None),
        ("", None),
    ],
)
def test_a_range_is_read(text: str, area: Area | None) -> None:
    assert area_of(text) == area


def test_names_are_words_that_are_no_functions_and_no_sheets() -> None:
    assert set(names_in('SUM(TaxRate)*Data!B1+"Word"&Figures[x]')) >= {"TaxRate", "Figures"}
    assert not {"SUM", "Data", "Word"} & set(names_in('SUM(TaxRate)*Data!B1+"Word"'))


@given(st.integers(1, COLUMNS))
def test_letters_and_numbers_of_columns_agree(column: int) -> None:
    assert column_number(column_letters(column)) == column


@given(st.text(max_size=40))
def test_any_text_may_be_taken_for_a_formula(text: str) -> None:
    shared(text).at(3, 3)
    list(areas(text))
    list(names_in(text))


@pytest.mark.timeout(30)
@pytest.mark.parametrize("part", ["a", "a.", "''", "'a", "a''"])
def test_a_formula_is_read_in_the_time_of_its_length(part: str) -> None:
    """A workbook whose reader is out of time is not recalculated: nobody may bring that about."""
    formula = "=A1+" + part * 100_000
    assert list(areas(formula)) == [area_of("A1")]
    assert set(names_in(formula)) >= {"A1"}
