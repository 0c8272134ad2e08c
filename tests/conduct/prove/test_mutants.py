"""Mutants of the criteria: what a rule does not read is no part of it."""

from pathlib import Path

import pytest

from bythebook.conduct.prove.mutants import mutants
from tests.conduct.shed import shed_task

WIDER = ("[[bicycle, 1], [lamp, 2]]", "[[bicycle, 1, 40], [lamp, 2, 60]]")
UNPACKED = ("for n, c in facts.things", "for n, c, minutes in facts.things")
COUNTED = ("len(facts.things)", "2")
WEIGHED = ("i.count == c", "i.count == c and minutes > 0")


@pytest.mark.parametrize(
    ("changes", "places"),
    [
        ((COUNTED,), {"0.1", "1.1"}),
        ((WIDER, UNPACKED, COUNTED), {"0.1", "1.1"}),
        ((WIDER, UNPACKED, COUNTED, WEIGHED), {"0.1", "0.2", "1.1", "1.2"}),
        ((WIDER, UNPACKED), {"0.1", "0.2", "1.1", "1.2"}),
    ],
    ids=["read", "unpacked, not read", "read as well", "the constant is also taken whole"],
)
def test_a_number_is_bent_where_the_rule_reads_it(
    tmp_path: Path, changes: tuple[tuple[str, str], ...], places: set[str]
) -> None:
    task = shed_task(tmp_path, {"criteria.yaml": changes})
    bent = [m.says.split()[0] for m in mutants(task.criteria) if m.says.startswith("facts.")]

    assert bent == [f"facts.things.{place}:" for place in sorted(places) for _ in range(2)]
