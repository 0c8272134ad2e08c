"""What stands in a data chunk is data, whatever it says."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.report.site.chunk import script
from tests.report.site.conftest import HOSTILE

CALL = re.compile(r'bythebook\.put\("run/1", String\.raw`(?P<text>[^`]*)`\);\n', re.S)


def read_back(value: object) -> object:
    """What the page's `JSON.parse` is given, parsed here."""
    found = CALL.fullmatch(script("run/1", value).decode())
    assert found is not None
    return json.loads(found["text"])


@given(
    st.recursive(
        st.none() | st.integers(-9, 9) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
)
def test_any_value_comes_back_as_it_was(value: object) -> None:
    assert read_back(value) == value


@pytest.mark.parametrize("sign", ["<", "`", "$", "\u2028", "\u2029"])
def test_no_sign_that_could_end_the_script_or_its_text_stands_in_a_chunk(sign: str) -> None:
    text = script("run/1", [HOSTILE, {HOSTILE: HOSTILE}]).decode()
    inner = text.removeprefix('bythebook.put("run/1", String.raw`').removesuffix("`);\n")

    assert sign in HOSTILE
    assert sign not in inner


def test_a_key_that_means_something_to_javascript_is_a_key() -> None:
    assert read_back({"__proto__": {"polluted": True}}) == {"__proto__": {"polluted": True}}
