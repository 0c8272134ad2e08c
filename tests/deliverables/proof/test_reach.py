"""What formulas read, and which of them a change reaches."""

import pytest

from bythebook.deliverables.evidence.formulas import Area
from bythebook.deliverables.evidence.model import Workbook
from bythebook.deliverables.proof.reach import Names, Reach, places_read, read_by, resolved


def book(**names: str) -> Names:
    return Names(Workbook(sheets=(), names=names))


@pytest.mark.parametrize(
    "formula",
    [
        "INDIRECT(A1)",
        "SUM(OFFSET(A1,1,1))",
        "Table1[Pay]",
        "[1]Sheet!A1",
        "SUM(Jan:Dec!B2)",
        "SUM('Jan:Dec'!B2)",
        "A1#",
        "Start:B5",
        "{A1:A3*B1:B3}",
        "SHEETS()",
    ],
)
def test_where_a_formula_does_not_tell_what_it_reads_nothing_is_told(formula: str) -> None:
    assert not read_by(formula).certain
    assert resolved(formula, "s", book()) is None


@pytest.mark.parametrize(
    ("formula", "reads"),
    [
        ('A1&":B2"', [("s", 1, 1, 1, 1)]),
        ("Other!B2*$C3", [("other", 2, 2, 2, 2), ("s", 3, 3, 3, 3)]),
        ('MATCH(A1,{"x","y"},0)', [("s", 1, 1, 1, 1)]),
        ("SUM(B2:INDEX(D1:D9,3))", [("s", 1, 2, 9, 4)]),
        ("SUMIF(A2:A9,1,C2)", [("s", 2, 1, 9, 1), ("s", 2, 3, 9, 3)]),
        ("Rate*2", [("rules", 1, 2, 1, 2)]),
        ("Twice", [("rules", 1, 2, 1, 2)]),
    ],
)
def test_what_a_formula_reads(formula: str, reads: list[tuple[str, int, int, int, int]]) -> None:
    names = book(Rate="Rules!$B$1", Twice="Rate*2")
    assert set(resolved(formula, "S", names) or ()) == {Area(*one) for one in reads}


def test_a_name_that_is_made_of_another_changes_with_it() -> None:
    before = book(Rate="Rules!$B$1", Twice="Rate*2", Other="Rules!$B$2")
    assert before.changed(book(Rate="3", Twice="Rate*2", Other="Rules!$B$2")) == {"rate", "twice"}
    assert before.changed(book(Rate="Rules!$B$1", Twice="Rate*2")) == {"other"}


def test_a_change_reaches_what_hangs_on_it_and_nothing_else() -> None:
    formulas = {
        ("s", 1, 2): "A1*2",
        ("s", 1, 3): "B1+1",
        ("t", 1, 1): "SUM(S!C1:C900)",
        ("t", 2, 1): "A1/2",
        ("t", 3, 1): "S!D1",
    }
    reach = Reach(formulas, book())
    assert reach.certain
    assert reach.of([("s", 1, 1)]) == {("s", 1, 2), ("s", 1, 3), ("t", 1, 1), ("t", 2, 1)}
    assert reach.of([("s", 9, 3)]) == {("t", 1, 1), ("t", 2, 1)}
    assert reach.of([("s", 7, 7)]) == set()


def test_of_a_large_area_the_filled_cells_are_read() -> None:
    filled = {"s": {(1, 1): 1, (500, 1): 1, (5, 2): 1}}
    read = places_read({("t", 1, 1): "SUM(S!A:A)+S!B9"}, book(), filled)
    assert read == {("s", 1, 1), ("s", 500, 1), ("s", 9, 2)}
