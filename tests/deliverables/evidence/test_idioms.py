"""Formulas that LibreOffice computes otherwise than Excel: what it says of them is not believed."""

from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.formula import ArrayFormula

from bythebook.deliverables.evidence.idioms import COMPUTED_INDEX, other_than_excel
from bythebook.deliverables.evidence.office import find_engine

OTHERWISE = (
    'SUM(INDEX((B2:B6="x")*C2:C6,0))',
    "MAX(INDEX((B2:B6=B2)*C2:C6,))",
    'IFERROR(INDEX((B2:B6="x")*C2:C6,1),0)',
    "SUM(INDEX(-C2:C6,0))",
    "SUM(INDEX(1/COUNTIF(B2:B6,B2:B6),0))",
    "MAX(INDEX(LEN(B2:B6),0))",
    'MATCH(1,INDEX((A2:A6=9)*(B2:B6="x"),0,1),0)',
    "SUMPRODUCT(INDEX(C2:C6*1,,1))",
    "INDEX(A2:C6*1,2,3)",
)
"""Whose value is another, or an error."""
ALIKE = {
    'INDEX(C2:C6,MATCH(1,INDEX((A2:A6=9)*(B2:B6="x"),0),0))': 30,
    'LOOKUP(2,INDEX(1/(B2:B6="x"),0),C2:C6)': 40,
    "SUMPRODUCT(INDEX((B2:B6=B2)*C2:C6,0))": 80,
    "SUM(INDEX(A2:C6,0,3))": 150,
    "SUM(INDEX((A2:C6),0,3))": 150,
    "SUM(C2:INDEX(C2:C6,1+2))": 60,
    "SUM(INDEX(CHOOSE(3-2,C2:C6),0))": 150,
    "INDEX({1,2;3,4},2,2)": 4,
    "INDEX(FREQUENCY(A2:A6,{4,8}),2)": 2,
    "SUM(INDEX('a-b'!A1:A2,0))": 3,
    '_xlfn.AGGREGATE(14,6,C2:C6/(B2:B6="x"),1)': 40,
    "INDEX(C1:C6,_xlfn.AGGREGATE(15,6,ROW(C2:C6)/(B2:B6=B2),2))": 30,
}
IN_ARRAYS = {'SUM(INDEX((B2:B6="x")*C2:C6,0))': 80, "MAX(INDEX(LEN(B2:B6),0))": 1}


@pytest.mark.parametrize("formula", OTHERWISE)
def test_what_is_computed_otherwise_is_seen(formula: str) -> None:
    assert other_than_excel(formula) == COMPUTED_INDEX


@pytest.mark.parametrize("formula", ALIKE)
def test_what_is_computed_alike_is_believed(formula: str) -> None:
    assert other_than_excel(formula) == ""
    assert other_than_excel("{" + formula + "}") == ""


def test_what_is_not_balanced_ends_nothing() -> None:
    for broken in ("INDEX(", "INDEX)", "INDEX((A1*2,0)", ")INDEX(A1*2,0)", "INDEX()"):
        other_than_excel(broken)


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "formula",
    [
        "INDEX(" * 700 + "A1" + ",1)" * 700,
        "INDEX((" * 5000 + "A1" + "),1)" * 5000,
        "INDEX(A1,1)+" + "a" * 200_000,
        "INDEX(A1,1)" + "[a" * 100_000,
    ],
    ids=["deep", "deeper", "a long word", "open brackets"],
)
def test_no_formula_takes_longer_than_a_reader_may(formula: str) -> None:
    """A reader that is out of time finds nothing stale: nobody may bring that about."""
    assert other_than_excel(formula) == ""


def test_functions_are_followed_as_deep_as_excel_takes_them() -> None:
    inner = "SUM(INDEX(-C2:C6,0))"
    assert other_than_excel("ABS(" * 62 + inner + ")" * 62) == COMPUTED_INDEX
    assert other_than_excel("ABS(" * 63 + inner + ")" * 63) == ""


def test_the_engine_of_this_machine_is_believed_where_it_is_right(tmp_path: Path) -> None:
    """Each formula with the value that it has in Excel, through the real engine."""
    engine = find_engine()
    if engine is None:
        pytest.skip("LibreOffice is not installed; `bythebook doctor` says how")
    path = _book(tmp_path / "idioms.xlsx")

    told = engine.recalculate(path)

    values = told.values["D"]
    wanted = [*OTHERWISE, *ALIKE.values(), *IN_ARRAYS.values()]
    seen = [values.get(f"L{row}", "left out") for row in range(1, len(wanted) + 1)]
    assert seen == ["left out"] * len(OTHERWISE) + wanted[len(OTHERWISE) :]
    assert COMPUTED_INDEX in told.says


def _book(path: Path) -> Path:
    book = Workbook()
    sheet: Any = book.active
    sheet.title = "D"
    rows = ((5, "x", 10), (3, "y", 20), (9, "x", 30), (1, "x", 40), (7, "y", 50))
    for row in (("a", "b", "c"), *rows):
        sheet.append(row)
    for at, formula in enumerate((*OTHERWISE, *ALIKE), start=1):
        sheet.cell(at, 12, f"={formula}")
    for at, formula in enumerate(IN_ARRAYS, start=len(OTHERWISE) + len(ALIKE) + 1):
        sheet.cell(at, 12).value = ArrayFormula(f"L{at}", f"={formula}")
    other = book.create_sheet("a-b")
    for number in (1, 2):
        other.append([number])
    book.save(path)
    return path
