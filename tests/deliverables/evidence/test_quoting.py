"""Quotations: what may differ from the text, and what may not."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.deliverables.evidence.quoting import found_in, reads_so, ways_to_read


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("base PAY above", "“Base  pay” — above plan"),
        ("Base … plan", "Base pay above plan"),
        ("26,345", "26345.004"),
        ("26345.00", "26,345"),
        ("9.450.431,42", "9450431.42"),
        ("9,450,431.42", "9.450.431,42 EUR"),
        ("9 450 431,42", "9,450,431.42"),
        ("CNY 26,345", "¥26345"),
        ("12.5 %", "0.125"),
        ("0.125", "12.5%"),
        ("(1,234)", "-1234"),
        ("\u221217,158", "accounts for \u201317,158 CNY"),
        ("EMP001 26345", "EMP001 | 26,345.00"),
        ("部门", "公司部门成本"),
        ("100", "100 200"),
        ("1.5e3", "1500"),
        ("ﬁve", "five"),
        ("=sum(e2:e41)", "=SUM($E$2:$E$41) | 520"),
        ("2024-01-31", "on 2024-01-31."),
    ],
)
def test_a_quotation_may_differ_so_far(said: str, text: str) -> None:
    assert found_in(said, text)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("plan … Base", "Base pay above plan"),
        ("Base plan", "Base pay above plan"),
        ("12", "4127"),
        ("1", "EMP001"),
        ("26345.12", "26,345"),
        ("26,346", "26,345"),
        ("17,158", "-17,158"),
        ("not found", "found"),
        ("=C2-D2", "=C2+D2"),
        ("12.5", "0.125"),
    ],
)
def test_and_no_farther(said: str, text: str) -> None:
    assert not found_in(said, text)


def test_changes_may_be_quoted_with_their_marks_or_as_taken_over() -> None:
    text = "The {-old -}{+new +}plan[^1] holds{~ secretly~}"
    ways = ways_to_read(text)
    for said in ("The new plan holds", "The old new plan holds secretly", "{-old -}", text):
        assert reads_so(said, ways), said
    assert not reads_so("The old plan holds", ways)


def test_pieces_of_a_row_may_be_taken_one_by_one() -> None:
    row = ["EMP001 | January | 26,345.00", "=B2*2"]
    assert reads_so("EMP001 | 26,345", row, pieces=True)
    assert not reads_so("EMP001 | 26,345", row)
    assert not reads_so("EMP001 | 26,346", row, pieces=True)


@given(st.text(max_size=200))
def test_a_text_reads_as_itself(text: str) -> None:
    assert reads_so(text, ways_to_read(text))


@given(st.floats(-1e12, 1e12, allow_subnormal=False), st.integers(0, 6))
def test_a_number_may_be_rounded_to_any_digits(value: float, digits: int) -> None:
    exact = Decimal(repr(value))
    assert found_in(f"{round(exact, digits):,f}", f"it is {exact:f} in all")


@given(st.text(max_size=50), st.text(max_size=200))
def test_comparing_never_falls_over(said: str, text: str) -> None:
    assert reads_so(said, [text], pieces=True) in (True, False)
