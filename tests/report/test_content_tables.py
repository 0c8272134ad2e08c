"""What the benchmark is made of, counted from its folders."""

from statistics import fmean

import pytest

from bythebook.conduct.company import load_company
from bythebook.conduct.golden.cast import golden_calls
from bythebook.conduct.golden.plan import load_golden
from bythebook.conduct.task import load_tasks
from bythebook.deliverables.rubric import WEIGHT
from bythebook.deliverables.task import DOMAINS
from bythebook.deliverables.task import load_tasks as deliverable_tasks
from bythebook.report.data import Evaluations
from bythebook.report.tables import OF_CONTENT, table
from bythebook.task import Content

NOBODY = Evaluations(())


@pytest.mark.parametrize("name", OF_CONTENT)
def test_no_evaluation_is_needed(name: str) -> None:
    assert table(name, NOBODY).rows


def test_table_6_measures_every_document() -> None:
    found = table("documents", NOBODY)
    lengths = [
        len(document.body.split())
        for document in load_company(Content()).library.documents.values()
    ]
    every = found.rows[0]

    assert every.cell("n").value == len(lengths)
    assert every.cell("mean").value == pytest.approx(fmean(lengths))
    assert every.cell("most").value == max(lengths)
    assert sum(int(str(row.cell("n").value)) for row in found.rows[1:]) == len(lengths)


def test_table_7_counts_the_calls_of_the_goldens() -> None:
    content = Content()
    company = load_company(content)
    tasks = load_tasks(content, company)
    calls = [golden_calls(load_golden(task.folder / "golden.yaml", company)) for task in tasks]
    rows = {row.key: row for row in table("goldens", NOBODY).rows}

    assert rows["tool calls"].cell("n").value == len(tasks)
    assert rows["tool calls"].cell("mean").value == pytest.approx(fmean(calls))
    assert list(rows) == [
        "tool calls", "documents read", "business records read", "executed business requests",
    ]  # fmt: skip


def test_domains_stand_beside_the_papers() -> None:
    rows = table("domain-sizes", NOBODY).rows

    assert [row.cell("paper").value for row in rows] == list(DOMAINS.values())
    assert sum(float(str(row.cell("share").value)) for row in rows) == pytest.approx(100)


def test_levels_have_their_share_of_each_tasks_weight() -> None:
    tasks = deliverable_tasks(Content())
    for row in table("level-weights", NOBODY).rows:
        shares = [
            sum(item.weight for item in task.rubric.items if item.level == row.key)
            / task.rubric.weight
            for task in tasks
        ]
        assert row.cell("share").value == pytest.approx(100 * fmean(shares))
    assert [row.key for row in table("level-weights", NOBODY).rows] == list(WEIGHT)
