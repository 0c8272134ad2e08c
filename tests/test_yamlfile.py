"""Content files are read strictly, and every refusal names its place."""

from pathlib import Path
from typing import Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook import yamlfile
from bythebook.errors import ContentError


class Leg(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    amount: int
    currency: str = "USD"


class Route(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    legs: tuple[Leg, ...] = ()


def refusal(text: str) -> str:
    with pytest.raises(ContentError) as caught:
        yamlfile.convert(text, Route, where="route.yaml")
    return str(caught.value)


def test_a_float_is_refused_with_its_line() -> None:
    said = refusal("name: x\nlegs:\n- amount: 10.5\n")

    assert "route.yaml:3" in said
    assert "10.5 is a float" in said


def test_a_day_that_the_calendar_lacks_is_refused_with_its_line() -> None:
    for written in ("2025-02-30", '"2025-02-30"'):
        assert "route.yaml:2: the calendar has no 2025-02-30" in refusal(
            f"legs: []\nname: {written}"
        )
    assert yamlfile.parse("2024-02-29", "x") == "2024-02-29"


def test_a_repeated_key_is_refused_with_its_line() -> None:
    assert "route.yaml:2: 'name' stands here twice" in refusal("name: x\nname: y\n")


def test_an_unknown_field_is_answered_with_the_nearest_one() -> None:
    said = refusal("name: x\nlegs:\n- amount: 1\n  curency: EUR\n")

    assert "route.yaml:4" in said
    assert "did you mean 'currency'?" in said


def test_a_nested_wrong_type_names_the_path_and_the_line() -> None:
    said = refusal("name: x\nlegs:\n- amount: 1\n- amount: two\n")

    assert "route.yaml:4" in said
    assert "legs[1].amount" in said


def test_a_missing_field_is_named() -> None:
    assert "missing required field `name`" in refusal("legs: []\n")


def test_broken_yaml_names_the_line() -> None:
    assert "route.yaml:2" in refusal("name: [x\nlegs: }\n")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name: x\nlegs:\n\t- amount: 1\n", "route.yaml:3: a tab stands here"),
        ("name: x\n\tlegs: []\n", "route.yaml:2: a tab stands here"),
        ("name: |\n  x\n\ty\n", "route.yaml:3: a tab stands here"),
        ("name: @x\n", "route.yaml:1: no value begins with @"),
        ("name: x: y\n", "route.yaml:1: a colon stands where no name can be"),
        ("name: 'x\n", "route.yaml:2: the text ends within quotation marks"),
        ("legs: [\nname: x\n", "route.yaml:3: a list in [] is not closed before this"),
        ("name: *x\n", "route.yaml:1: a * stands for another value"),
        ("legs:\n- amount: 1\nname x\n", "route.yaml:4: a name has no colon"),
        ("name: x\n--- y\n", "route.yaml:2: a second document begins"),
        ("name: x\nlegs: \x07\n", "route.yaml:2: a control character stands here (U+0007)"),
    ],
)
def test_what_is_no_yaml_is_told_in_words_with_line_and_next_move(text: str, says: str) -> None:
    said = refusal(text)
    assert said.startswith(says)
    assert "\n  " in said


TENFOLD = "a0: &a0 [x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
)
CHAIN = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 3000))
MERGED = "a0: &a0 {x: 1}\n" + "".join(
    f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 10)}]}}\n" for n in range(1, 12)
)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (TENFOLD, "mine.yaml:7: this unfolds to more than 1,000,000 values"),
        (MERGED, "this unfolds to more than 1,000,000 values"),
        (CHAIN, "mine.yaml:100: this unfolds to more than 100 levels"),
        ("a: &a [*a]", "this unfolds to more than 1,000,000 values"),
        ("a: " + "[" * 900 + "]" * 900, "mine.yaml: lists and mappings are nested too deeply"),
        ("a: &a 1\nb: " + "[" * 900 + "*a" + "]" * 900, "nested too deeply"),
        ("n: " + "9" * 5000, "mine.yaml:1: a number of more than 40 digits"),
    ],
)
def test_a_small_text_that_stands_for_too_much_is_refused(text: str, says: str) -> None:
    with pytest.raises(ContentError, match=says):
        yamlfile.parse(text, "mine.yaml")


@pytest.mark.parametrize("number", ["1e999999999", "1e-999999999", "0." + "3" * 50, "9" * 99])
def test_a_decimal_of_too_many_digits_is_refused(number: str) -> None:
    with pytest.raises(ContentError, match="a number of more than 40 digits"):
        yamlfile.parse(f"n: {number}", "mine.yaml", decimals=True)


def test_what_stands_for_another_value_may_stand_often() -> None:
    text = "a: &a {x: 1}\nb: [" + ", ".join(["*a"] * 1000) + "]"
    assert yamlfile.parse(text, "mine.yaml")["b"] == [{"x": 1}] * 1000


def test_a_bare_date_stays_the_text_that_was_written() -> None:
    assert yamlfile.parse("day: 2025-09-25\n", "x") == {"day": "2025-09-25"}


def test_a_missing_file_suggests_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "criteria.yaml").write_text("a: 1\n")

    with pytest.raises(ContentError, match=r"did you mean 'criteria.yaml'"):
        yamlfile.load(tmp_path / "criterias.yaml", Route)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_bytes(b"\xff\xfe\x00")

    with pytest.raises(ContentError, match="cannot be read"):
        yamlfile.load(tmp_path / "x.yaml", Route)


@given(st.text())
def test_no_text_breaks_the_reader_in_another_way(text: str) -> None:
    said = "any route"
    try:
        yamlfile.convert(text, Route, where="any")
    except ContentError as error:
        said = str(error)
    assert said.startswith("any")


def test_words_and_times_stay_what_was_written() -> None:
    text = "on: yes\noff: no\nat: 16:00\nday: 2025-09-25\nlive: true\nnone: ~\nempty:\ncount: -12\n"

    assert yamlfile.parse(text, "x") == {
        "on": "yes",
        "off": "no",
        "at": "16:00",
        "day": "2025-09-25",
        "live": True,
        "none": None,
        "empty": None,
        "count": -12,
    }


@pytest.mark.parametrize("number", ["1.5", "1e5", ".5", "1.", "-1.5e-3", ".inf", ".nan"])
def test_no_spelling_of_a_float_gets_in(number: str) -> None:
    with pytest.raises(ContentError, match="is a float"):
        yamlfile.parse(f"a: {number}\n", "x")


class Sign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    colour: Literal["red", "green"]
    others: dict[str, tuple[Literal["left", "right"], ...]] = {}
    size: Literal["small", "large"] | None = None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("colour: gren\n", "did you mean 'green'?"),
        ("colour: blue\n", "known: green, red"),
        ("colour: red\nothers: {a: [left, rihgt]}\n", "did you mean 'right'?"),
        ("colour: red\nsize: lage\n", "did you mean 'large'?"),
    ],
)
def test_a_word_that_is_none_of_the_choices_is_answered_with_them(text: str, says: str) -> None:
    with pytest.raises(ContentError) as caught:
        yamlfile.convert(text, Sign, where="sign.yaml")
    assert says in str(caught.value)
