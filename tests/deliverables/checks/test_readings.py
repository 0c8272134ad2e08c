"""Texts, months, dates and numbers, as people write them."""

import time
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.deliverables.checks.amounts import amounts, counted, plain_number
from bythebook.deliverables.checks.dates import date_of, is_date_format, month_of, of_serial
from bythebook.deliverables.checks.prose import sentences, shown
from bythebook.deliverables.checks.wording import fold, heading, holds_phrase, unnumbered


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Gross pay (CNY)", "gross_pay"),
        ("Gross pay [in thousands of CNY]", "Gross pay"),
        ("Gross\npay, TVC", "gross pay"),
        ("Gross pay:", "GROSS  PAY"),
    ],
)
def test_headings_are_compared_without_units_and_punctuation(text: str, same: str) -> None:
    assert heading(text, "TVC") == heading(same, "TVC")


def test_other_brackets_count() -> None:
    assert heading("Contributions (employer)") != heading("Contributions (employee)")
    assert heading("Contributions (employer)") != heading("Contributions")


@pytest.mark.parametrize("text", ["1. Summary", "1.2 Summary", "IV) Summary", "summary"])
def test_a_heading_is_compared_without_its_number(text: str) -> None:
    assert unnumbered(text) == "summary"


def test_values_keep_their_signs() -> None:
    assert fold("A\u2212") == fold("a-") != fold("A")


def test_phrases_are_whole_words_save_where_words_have_no_ends() -> None:
    assert holds_phrase("The July-rate: used", "July rate")
    assert not holds_phrase("overtime", "over")
    assert holds_phrase("2023年政策已废止", "政策")


@pytest.mark.parametrize(
    "text",
    ["2024-01", "2024/1", "January 2024", "Jan-24", "Januar 2024", "janv. 2024", "01/2024",
     "2024年1月", "202401", "2024-01-31", "31.01.2024", "2024-01-31 00:00:00"],
)  # fmt: skip
def test_months_are_read_in_many_spellings(text: str) -> None:
    assert month_of(text) == (2024, 1)


@pytest.mark.parametrize("text", ["1", "January", "2024", "2024-13", "", "jan " + "9" * 5000])
def test_what_names_no_month_of_a_year_is_none(text: str) -> None:
    assert month_of(text) is None


def test_day_and_month_are_told_apart_or_not_at_all() -> None:
    assert date_of("31/01/2024") == (2024, 1, 31)
    assert date_of("01/31/2024") == (2024, 1, 31)
    assert date_of("02/01/2024") is None
    assert date_of("02/01/2024", "de") == (2024, 1, 2)
    assert date_of("January 2nd, 2024") == (2024, 1, 2)
    assert date_of("30 February 2024") is None


def test_serials_of_days_end_where_the_calendar_does() -> None:
    assert of_serial(45322.75) == (2024, 1, 31)
    assert of_serial(0, date1904=True) is None
    assert of_serial(2_958_465, date1904=True) is None
    assert of_serial(float("nan")) is None


@pytest.mark.parametrize(
    ("code", "is_date"),
    [("yyyy-mm", True), ("mmm-yy", True), ("[$-409]d mmmm yyyy;@", True), ("General", False),
     ('"EMP"000', False), ("#,##0.00", False), ("[Red]0", False), ("[h]:mm", False)],
)  # fmt: skip
def test_date_formats(code: str, is_date: bool) -> None:
    assert is_date_format(code) is is_date


@pytest.mark.parametrize(
    ("text", "locale", "value", "digits"),
    [
        ("9,430,451.42", "en", "9430451.42", 9),
        ("9.430.451,42", "de", "9430451.42", 9),
        ("9\u202f430\u202f451,42", "fr", "9430451.42", 9),
        ("CHF 9'430'451", "en", "9430451", 7),
        ("84.2k", "en", "84210", 3),
        ("84,000", "en", "84210", 2),
        ("1.27 million", "en", "1265432.10", 3),
        ("1,27 Mio.", "de", "1265432.10", 3),
        ("3.5 per cent", "en", "0.0351", 2),
        ("12 m", "en", "12", 2),
        ("2.85x", "en", "2.851", 3),
        ("EUR7.67m", "en", "7670000", 3),
        ("(1,234)", "en", "-1234", 4),
    ],
)
def test_a_number_says_what_it_may_be_rounded_from(
    text: str, locale: Any, value: str, digits: int
) -> None:
    assert any(amount.says(Decimal(value), digits) for amount in amounts(text, locale))
    assert not any(amount.says(Decimal(value) * 2, digits) for amount in amounts(text, locale))


@pytest.mark.parametrize("text", ["EMP001", "800x600", "2024-01-31", "10:30", "clause 4.2.1", "Q4"])
def test_what_only_has_digits_in_it_is_no_number(text: str) -> None:
    assert amounts(text) == ()


def test_years_are_not_counted_among_numbers() -> None:
    assert counted("In 2023 and 2024 it was 5 and 6.", "en") == 2


def test_plain_numbers_are_whole_texts() -> None:
    assert plain_number("(1,234.50)") == Decimal("-1234.50")
    assert plain_number("CNY 5") == 5
    assert plain_number("about 5") is None
    assert plain_number("2.85x") is None


def test_sentences_do_not_end_at_abbreviations() -> None:
    text = "Acme Ltd. paid approx. 5.5 m. The rest follows; it is small."
    assert sentences(text) == ("Acme Ltd. paid approx. 5.5 m. The rest follows;", "it is small.")


def test_deleted_and_hidden_text_is_gone_and_inserted_text_stays() -> None:
    assert shown("a{-b-}{+c+}{~d~}[^1] **e** [c12]{-f") == "ac e {-f"


@given(st.text(max_size=60))
def test_whatever_is_written_is_read_without_breaking(text: str) -> None:
    for locale in ("en", "de", "fr"):
        for amount in amounts(text, locale):
            amount.says(Decimal("1.5"), 2)
        plain_number(text, locale)
        date_of(text, locale)
    month_of(text)
    sentences(shown(text))
    unnumbered(text)


@pytest.mark.parametrize(
    "text",
    ["{-" * 50_000, "1" * 100_000, "1." * 50_000, "a. " * 40_000, "(" * 100_000, "9,999" * 20_000],
)
def test_long_texts_are_read_in_time(text: str) -> None:
    begun = time.process_time()
    amounts(text)
    sentences(shown(text))
    heading(text)
    assert time.process_time() - begun < 2
