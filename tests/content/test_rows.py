"""Rows name rows that are there; what is past may name what has gone to the archive."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from bythebook.conduct.company import load_company
from bythebook.conduct.counter import query_records
from bythebook.conduct.scene import Scene
from bythebook.conduct.task import ConductTask, load_tasks
from bythebook.task import Content

CONTENT = Content()
COMPANY = load_company(CONTENT)
TASKS = load_tasks(CONTENT, COMPANY)
PREFIXES = {kind.prefix for kind in COMPANY.kinds.values()}

ARCHIVED = {
    "CSG-540": "STL-244",
    "DLV-81": "QTE-50",
    "DLV-82": "QTE-52",
    "DLV-84": "QTE-55",
    "DLV-86": "QTE-57",
    "FEE-8801": "PQT-171",
    "FEE-8803": "FLT-44",
    "FEE-8804": "PQT-186",
    "FEE-8820": "PQT-188",
    "PCH-14": "CHS-9",
    "PRE-2210": "PAY-2206",
    "PRM-13": "LTR-18",
    "PRM-21": "LTR-36",
    "PRM-22": "LTR-37",
    "PRM-24": "LTR-40",
    "PRM-26": "LTR-43",
    "RFD-3268": "CASE-2251",
    "RFD-3297": "CASE-2279",
    "SHU-3": "PAC-9",
}
"""Rows of other days or of other customers, and the record that is in no table any more."""


def ids(value: Any) -> Iterator[str]:
    """Everything in plain data that looks like the id of a row."""
    if isinstance(value, str):
        found = re.fullmatch(r"([A-Z]+)-[0-9A-Za-z-]+", value)
        if found and found[1] in PREFIXES:
            yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from ids(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from ids(inner)


def gone(task: ConductTask) -> set[tuple[str, str]]:
    """Row and id for each id in the opening state that is no row's."""
    tables = task.opening.tables
    there = {key for rows in tables.values() for key in rows}
    return {
        (key, one)
        for rows in tables.values()
        for key, row in rows.items()
        for one in ids(msgspec.to_builtins(row))
        if one not in there
    }


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_a_row_names_rows_that_are_there_or_in_the_archive(task: ConductTask) -> None:
    assert gone(task) - set(ARCHIVED.items()) == set()


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_nothing_that_a_task_is_judged_by_is_in_the_archive(task: ConductTask) -> None:
    words = set(re.findall(r"[A-Z]+-[0-9]+", str(task.criteria.data)))

    assert words
    assert words & {one for pair in gone(task) for one in pair} == set()


def test_every_record_that_an_agent_may_see_is_read_by_its_key() -> None:
    """So no tool of its own is needed for any table."""
    scene = Scene(TASKS[0])
    for name, rows in scene.world.tables.items():
        if rows and not COMPANY.kinds[name].private:
            key, row = next(reversed(rows.items()))
            found = query_records(scene, name, {"id": key})
            assert (found.rows, found.total) == ((row,), 1)
