"""Files in which anything may stand anywhere, and what is said of them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from bythebook.errors import TraceError
from bythebook.interop.check import Checked, check_files
from bythebook.interop.records import Odd
from bythebook.interop.rulebook import read_rulebook
from tests.interop import story

BOOK = read_rulebook(story.RULES, where="rules.yaml")
FAST = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


NAMES = [
    "role", "content", "type", "tool_calls", "function", "name", "arguments", "id", "text",
    "tool_call_id", "output", "call_id", "timestamp", "error", "message", "payload", "item",
    "parts", "kind", "args",
]  # fmt: skip
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**400, -(10**400)])
    | st.floats()
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=8,
)


def checked(path: Path, form: str = "") -> tuple[list[Checked], list[Odd]]:
    found = list(check_files(BOOK, [path], form=form))
    traces = [one for one in found if isinstance(one, Checked)]
    return traces, [one for one in found if isinstance(one, Odd)]


def outcome(path: Path) -> list[str]:
    """What is said of a file that is not whole."""
    try:
        traces, problems = checked(path)
    except TraceError as error:
        return [str(error)]
    return [*(p.what for p in problems), *(t.cut for t in traces if t.cut), *sum(
        (t.odd for t in traces), ()
    )]  # fmt: skip


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a document."""
    if not isinstance(value, dict | list):
        return
    for name, one in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*at, name)
        yield from places(one, (*at, name))


def change(data: st.DataObject, document: Any) -> None:
    """Put anything in one place of a document."""
    place = data.draw(st.sampled_from(list(places(document))))
    for step in place[:-1]:
        document = document[step]
    document[place[-1]] = data.draw(ANYTHING)
