"""What is believed of a recalculation, and what is not."""

from collections.abc import Mapping

import pytest

from bythebook.deliverables.evidence.model import Cell, Scalar, Sheet, Workbook
from bythebook.deliverables.evidence.recalculation import told_by


def book(formulas: dict[tuple[int, int], str], **names: str) -> Workbook:
    cells = tuple(Cell(r, c, 0, "number", text) for (r, c), text in sorted(formulas.items()))
    return Workbook(sheets=(Sheet(name="Data", cells=cells),), names=names)


def computed(values: Mapping[tuple[int, int], tuple[Scalar, str]]) -> Workbook:
    """The engine's copy: values and formulas as it writes them."""
    cells = tuple(
        Cell(r, c, value, "number", text) for (r, c), (value, text) in sorted(values.items())
    )
    return Workbook(sheets=(Sheet(name="Data", cells=cells),))


def test_a_function_that_the_engine_does_not_know_says_nothing_about_the_cell() -> None:
    newer = {(1, 1): "_xlfn.XLOOKUP(3,B1:B5,C1:C5)", (2, 1): "1/0", (3, 1): "XLOOKUP(1,B1,C1)"}
    copy = {
        (1, 1): ("#NAME?", "_xlfn.xlookup(3,B1:B5,C1:C5)"),
        (2, 1): ("#DIV/0!", "1/0"),
        (3, 1): ("#NAME?", "xlookup(1,B1,C1)"),
    }
    told = told_by(computed(copy), book(newer))
    # Without its prefix it is an unknown name to Excel too: an error of whoever wrote it.
    assert told.values == {"Data": {"A2": "#DIV/0!", "A3": "#NAME?"}}
    assert "XLOOKUP" in told.says


def test_what_hangs_on_an_unknown_cell_is_unknown_too_even_where_it_is_caught() -> None:
    formulas = {
        (1, 1): "_xlfn.XLOOKUP(3,B1:B5,C1:C5)",
        (2, 1): 'IFERROR(A1,"caught")',
        (3, 1): "SUM(A1:A2)",
        (4, 1): "Rate*2",
        (5, 1): "SUM(Data!C1:C9)",
        (6, 1): "A5+1",
        (7, 1): 'INDIRECT("A"&1)',
        (8, 1): "SUM(Figures[v])",
    }
    copy = {place: (1, text.lower()) for place, text in formulas.items()}
    told = told_by(computed(copy), book(formulas, Rate="Data!$A$3"))
    assert set(told.values["Data"]) == {"A5", "A6", "A8"}


def test_the_day_and_chance_are_not_computed() -> None:
    formulas = {(1, 1): "TODAY()-B1", (2, 1): "RAND()", (3, 1): '"TODAY()"', (4, 1): "B1+Now"}
    copy = {place: (1, text) for place, text in formulas.items()}
    told = told_by(computed(copy), book(formulas, Now="NOW()"))
    assert set(told.values["Data"]) == {"A3"}


def test_other_books_are_not_asked() -> None:
    formulas = {(1, 1): "[1]Data!A1", (2, 1): "'[2]My data'!A1*2"}
    copy = {place: ("#REF!", text) for place, text in formulas.items()}
    told = told_by(computed(copy), book(formulas))
    assert told.values == {"Data": {}}
    assert "another workbook" in told.says


@pytest.mark.timeout(30)
def test_a_word_of_many_letters_keeps_nobody() -> None:
    formulas = {(row, 1): f"B{row}+{'a' * 100_000}+TODAY()" for row in (1, 2)}
    copy = {place: ("#NAME?", text) for place, text in formulas.items()}
    assert "TODAY" in told_by(computed(copy), book(formulas)).says


def test_a_long_chain_is_followed_to_its_end() -> None:
    formulas = {(row, 1): f"A{row - 1}+1" for row in range(2, 3000)} | {(1, 1): "TODAY()"}
    copy = {place: (1, text) for place, text in formulas.items()}
    told = told_by(computed(copy), book(formulas))
    assert told.values == {"Data": {}}


def test_a_chain_against_the_order_of_cells_is_followed_too() -> None:
    formulas = {(row, 1): f"A{row + 1}+1" for row in range(1, 200)} | {(200, 1): "TODAY()"}
    copy = {place: (1, text) for place, text in formulas.items()}
    told = told_by(computed(copy), book(formulas))
    assert told.values == {"Data": {}}


def test_sheets_are_matched_by_name_then_by_place() -> None:
    mine = Workbook(sheets=(Sheet(name="Ä?", cells=(Cell(1, 1, None, "none", "1+1"),)),))
    theirs = Workbook(sheets=(Sheet(name="A_", cells=(Cell(1, 1, 2, "number", "1+1"),)),))
    assert told_by(theirs, mine).values == {"Ä?": {"A1": 2}}
