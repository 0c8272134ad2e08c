"""A tool's signature is its schema; what does not fit is refused in words an agent can act on."""

from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.tool import Cents, Day, Desk, Refused, Tool


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    target: str
    amount: Cents


desk = Desk("till", "A desk for these tests.")


@desk.tool(writes=True)
def book(
    world: object,
    lines: tuple[Line, ...],
    on: Day,
    route: Literal["slow", "fast"] = "slow",
    note: str | None = None,
) -> int:
    """Book lines.

    The second paragraph is for the card only.
    """
    return sum(line.amount for line in lines)


BOOK: Tool = desk.tools[0]
GOOD: dict[str, Any] = {"lines": [{"target": "I1", "amount": 4000}], "on": "2025-09-25"}


def refusal(**changes: Any) -> str:
    with pytest.raises(Refused) as caught:
        BOOK.check(GOOD | changes)
    return str(caught.value)


def test_arguments_are_checked_into_the_types_the_function_takes() -> None:
    checked = BOOK.check(GOOD)

    assert checked["lines"] == (Line("I1", 4000),)
    assert checked["route"] == "slow"


def test_a_whole_float_is_the_integer_it_means() -> None:
    assert BOOK.check(GOOD | {"lines": [{"target": "I1", "amount": 4000.0}]}) == BOOK.check(GOOD)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"lines": [{"target": "I1", "amount": 40.5}]}, "lines[0].amount"),
        ({"lines": [{"target": "I1", "amount": "4000"}]}, "lines[0].amount"),
        ({"lines": [["I1", 4000]]}, "lines[0]"),
        ({"lines": [{"target": "I1", "amount": 1, "memo": "x"}]}, "memo"),
        ({"on": "25 September"}, "on"),
        ({"route": "teleport"}, "route"),
        ({"colour": "red"}, "arguments are: lines, on, route, note"),
    ],
)
def test_a_misfit_is_refused_and_named(changes: dict[str, Any], named: str) -> None:
    assert named in refusal(**changes)


def test_a_missing_argument_is_named() -> None:
    with pytest.raises(Refused, match="required field `on`"):
        BOOK.check({"lines": []})


def test_the_schema_holds_no_reference_a_provider_would_have_to_resolve() -> None:
    schema = BOOK.schema

    assert "$ref" not in str(schema)
    assert schema["required"] == ["lines", "on"]
    assert schema["properties"]["route"]["enum"] == ["fast", "slow"]
    assert schema["properties"]["lines"]["items"]["properties"]["amount"]["type"] == "integer"


def test_the_summary_is_the_first_paragraph() -> None:
    assert BOOK.summary == "Book lines."


def test_a_tool_that_only_reads_takes_no_time() -> None:
    with pytest.raises(ValueError, match="takes no time"):
        desk.tool(minutes=3)


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["lines", "on", "route", "note", "x"]), json))
def test_whatever_is_sent_is_taken_or_refused_and_never_breaks(sent: dict[str, Any]) -> None:
    said = "book: taken"
    try:
        BOOK.check(sent)
    except Refused as refused:
        said = str(refused)
    assert said.startswith("book: ")
