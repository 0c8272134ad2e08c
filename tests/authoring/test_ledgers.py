"""The ledgers of shipped deliverables tasks: whole, and those that the docs tell of."""

from pathlib import Path

import pytest

from bythebook.build.ledger import Ledger

ROOT = Path(__file__).resolve().parents[2]
PLACES = [
    "biz_03_tender_takeoff",
    "edu_02_graph_marking",
    "fin_02_interest_review",
    "med_02_chemotherapy_release",
]


@pytest.mark.parametrize("task", PLACES)
def test_a_ledger_is_whole_and_is_the_one_that_was_told(task: str) -> None:
    ledger = Ledger(ROOT / "authoring" / task / "building")
    lines = ledger.lines()
    told = (ROOT / "docs" / "build-a-deliverable-task.md").read_text("utf-8")
    assert f"the ledger has {len(lines)} lines, the last with the hash {ledger.head}" in told
    assert {line.kind for line in lines} == {"model"}
