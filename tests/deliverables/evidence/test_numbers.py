"""Number formats: what a reader sees of a value."""

import csv
from pathlib import Path

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from bythebook.deliverables.evidence import dates
from bythebook.deliverables.evidence.numbers import is_date, parsed, shown
from bythebook.deliverables.evidence.office import find_engine

CODES = (
    *("0", "0.00", "#,##0", "#,##0.00", "0%", "0.0%", "0.00E+00", "##0.0E+0", "# ?/?", "# ??/??"),
    *("# ?/8", "#,##0;(#,##0)", "#,##0.00;[Red](#,##0.00)", "¥#,##0.00", "[$¥-804]#,##0.00"),
    *('"EUR" #,##0.00', "#,##0.00 [$€-407]", "0.0,", '0.0,,"M"', '#,##0,"k"', "000000"),
    *('"EMP"000', "000-00-0000", "(###) ###-####", "0.0#", "?0.0?", "+0;-0;0", '0;-0;"zero"'),
    *('[>=1000]#,##0.0,"k";0', '[<0]"neg "0;0', "[Red][<100]0;[Blue]0.00", "0.0;;", ";;;"),
    *("yyyy-mm-dd", 'yyyy"年"m"月"d"日"', "d.m.yyyy", "dd/mm/yy", "mmm-yy", "mmmm d, yyyy"),
    *("ddd, dddd", "h:mm", "hh:mm:ss", "h:mm AM/PM", "[h]:mm", "[mm]:ss", "mm:ss.0", "mmmmm"),
    *("yyyy-mm-dd hh:mm", "m/d/yyyy h:mm", "[$-409]d-mmm-yy", "s.00", '0" kg"', '0.00" %"'),
    *('_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-;_-@_-', "\\x0", "@", 'General" kg"'),
    *("0.000000", "#", "#,###", "0,000.0", "0.00%;-0.00%", '"Q"0', "0_)", "_(0_)", "0.0E-0"),
    *("00.00E+00", "# ???/???", "?/?", '#" "?/?', "General"),
)
VALUES: tuple[float | str, ...] = (
    0,
    1,
    -1,
    0.5,
    1234.567,
    -1234.567,
    45000.75,
    0.1234,
    5.25,
    99.995,
    61,
    32_767,
    "text",
)


def differs_on_purpose(code: str, value: float | str) -> bool:
    """Where LibreOffice is not what an English Excel shows."""
    # Days before March 1900 and negative times; what rounds to nothing keeps its sign in Excel.
    early = is_date(code) and isinstance(value, int | float) and value < 61
    nothing = code in ("0.0,", '0.0,,"M"', '#,##0,"k"') and value in (-1, -1234.567)
    # Excel rounds the last second that is shown.
    return early or nothing or (code, value) == ("hh:mm:ss", 1234.567)


@pytest.mark.skipif(find_engine() is None, reason="no LibreOffice here")
def test_formats_show_what_libreoffice_shows(tmp_path: Path) -> None:
    with xlsxwriter.Workbook(tmp_path / "a.xlsx") as book:
        sheet = book.add_worksheet()
        for row, code in enumerate(CODES):
            for column, value in enumerate(VALUES):
                sheet.write(row, column, value, book.add_format({"num_format": code}))
    engine = find_engine()
    assert engine
    with engine.converted((tmp_path / "a.xlsx",), "csv:Text - txt - csv (StarCalc):44,34,76") as (
        made,
    ):
        assert isinstance(made, Path)
        rows = list(csv.reader(made.read_text("utf-8").splitlines()))
    wrong = [
        (code, value, shown(value, code), seen)
        for code, line in zip(CODES, rows, strict=True)
        for value, seen in zip(VALUES, line, strict=True)
        if not differs_on_purpose(code, value) and shown(value, code).strip() != seen.strip()
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("value", "code", "seen"),
    [
        (0.1 + 0.2, "General", "0.3"),
        (1 / 3, "General", "0.333333333"),
        (1234567.891234, "General", "1234567.891"),
        (12345678901, "General", "12345678901"),
        (123456789012, "General", "1.23457E+11"),
        (0.00001, "General", "0.00001"),
        (0.0000123456, "General", "1.23456E-05"),
        (-0.004, "0.00", "-0.00"),
        (1.005, "0.00", "1.01"),
        (5, "#.##", "5."),
        (True, "0.00", "TRUE"),
        ("#DIV/0!", "0.00", "#DIV/0!"),
        ("x", '0;0;0;"("@")"', "(x)"),
        ("x", '"a "@', "a x"),
        (12, "@", "12"),
        (None, "0", ""),
        (1e300, "0", "1" + "0" * 300),
        (7, "0" * 300, "7"),
    ],
)
def test_a_value_is_shown_as_in_excel(value: float | str | None, code: str, seen: str) -> None:
    assert shown(value, code) == seen


@pytest.mark.parametrize(
    ("serial", "code", "seen"),
    [
        (0, "yyyy-mm-dd", "1900-01-00"),
        (1, "yyyy-mm-dd", "1900-01-01"),
        (60, "yyyy-mm-dd", "1900-02-29"),
        (61, "ddd yyyy-mm-dd", "Thu 1900-03-01"),
        (2_958_465, "yyyy-mm-dd", "9999-12-31"),
        (2_958_466, "yyyy-mm-dd", "########"),
        (-1, "yyyy-mm-dd", "########"),
        (45322.999999, "yyyy-mm-dd hh:mm:ss", "2024-02-01 00:00:00"),
        (45322.52, "[$-407]dddd, d. mmmm", "Mittwoch, 31. Januar"),
        (45322, "[$-40C]mmmm yyyy", "janvier 2024"),
        (-0.5, "[h]:mm", "-12:00"),
        (1.75, "[h]:mm:ss", "42:00:00"),
        (0.5, "h:mm 上午/下午", "12:00 下午"),
    ],
)
def test_a_serial_number_is_shown_as_a_date(serial: float, code: str, seen: str) -> None:
    assert shown(serial, code) == seen


def test_the_same_number_is_another_day_from_1904() -> None:
    assert shown(43860, "yyyy-mm-dd", date1904=True) == "2024-01-31"


@pytest.mark.parametrize(
    ("text", "serial"),
    [
        ("2024-01-31", 45322),
        ("2024-01-31T06:00:00Z", 45322.25),
        ("soon", None),
        ("2024-13-01", None),
    ],
)
def test_dates_written_out_become_numbers(text: str, serial: float | None) -> None:
    assert dates.serial_of(text) == serial


def test_dates_are_written_out() -> None:
    assert (dates.iso(45322), dates.iso(45322.25)) == ("2024-01-31", "2024-01-31 06:00:00")
    assert dates.iso(-3) == ""


MARKS = '0#?.,%;[]"\\_*@/E+-()ymdhsAMPmGeneral$€-<>=1 年a'


@given(
    value=st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    code=st.text(st.sampled_from(MARKS), max_size=24) | st.text(max_size=12),
    early=st.booleans(),
)
def test_whatever_the_code_it_is_shown(value: float | str | None, code: str, early: bool) -> None:
    assert isinstance(shown(value, code, date1904=early), str)
    assert 1 <= len(parsed(code)) <= 4


@given(st.floats(-1e9, 1e9), st.integers(0, 6))
def test_a_plain_format_shows_the_number_to_its_last_digit(value: float, places: int) -> None:
    seen = shown(value, "0." + "0" * places if places else "0")
    assert abs(float(seen) - value) <= 0.5 * 10**-places + 1e-6 * abs(value) * 1e-3
