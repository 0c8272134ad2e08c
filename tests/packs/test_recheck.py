"""The page on published runs says what the packs find, where the published files are at hand."""

import os
import re
from pathlib import Path

import pytest

from bythebook.interop.check import Checked
from tests.packs.dialogue import checked, pack

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tau2-recheck.md"
ROW = re.compile(r"^\| (airline|retail) \| (\d+) \| (\d+) \| ([\w-]+) \|", re.M)
COUNT = re.compile(r"^\| [^|]+ \| \**(\d+)\** \| \**(\d+)\** \|$", re.M)
PACK = re.compile(r"^\| `(tau\d-\w+)` \| (\d+) \| (\d+) \| (\d+) \|", re.M)
DATA = os.environ.get("BYTHEBOOK_TAU_DATA", "")
HEADINGS = {
    (1.0, False): "### Reward 1, and the policy broken",
    (1.0, True): "### Reward 1, heuristic rules",
}


def test_the_page_counts_the_rules_of_each_pack() -> None:
    told = {name: tuple(map(int, rest)) for name, *rest in PACK.findall(PAGE.read_text("utf-8"))}
    there = {}
    for name in told:
        rules = pack(name).criteria.rules
        guesses = sum(rule.heuristic for rule in rules)
        there[name] = (len(rules), guesses, sum(bool(rule.group) for rule in rules))
    assert told == there
    assert len(told) == 4


@pytest.fixture(scope="module")
def runs() -> dict[str, list[Checked]]:
    files = {kind: Path(DATA, f"toolorchestra_{kind}.json") for kind in ("airline", "retail")}
    if not DATA or not all(path.is_file() for path in files.values()):
        pytest.skip("BYTHEBOOK_TAU_DATA names no folder with the published files")
    return {kind: checked(pack(f"tau2-{kind}"), path) for kind, path in files.items()}


def hits(runs: dict[str, list[Checked]], reward: float, heuristic: bool) -> set[tuple[str, ...]]:
    return {
        (kind, run.task, str(found.at), found.id)
        for kind, many in runs.items()
        for run in many
        for found in run.criteria
        if run.reward == reward and found.verdict == "fail"
        if not found.group and found.heuristic == heuristic
    }


def test_the_tables_of_the_page_hold_what_the_packs_find(runs: dict[str, list[Checked]]) -> None:
    page = PAGE.read_text("utf-8")
    rest = page
    for (reward, heuristic), heading in HEADINGS.items():
        part = page.split(heading)[1].split("\n### ")[0]
        assert set(ROW.findall(part)) == hits(runs, reward, heuristic), heading
        rest = rest.replace(part, "")
    assert set(ROW.findall(rest)) == hits(runs, 0.0, False) | hits(runs, 0.0, True)


def kinds(run: Checked) -> set[str]:
    """Which kinds of rule a run breaks."""
    broken = [found for found in run.criteria if found.verdict == "fail"]
    return {"turns" if c.group else "words" if c.heuristic else "done" for c in broken}


def test_the_counts_of_the_page_are_right(runs: dict[str, list[Checked]]) -> None:
    told = [(int(a), int(r)) for a, r in COUNT.findall(PAGE.read_text("utf-8"))]
    there = []
    for many in (runs["airline"], runs["retail"]):
        paid, unpaid = ([kinds(run) for run in many if run.reward == n] for n in (1.0, 0.0))
        there.append(
            (
                len(many),
                len(paid),
                sum("done" in one for one in paid),
                sum("words" in one and "done" not in one for one in paid),
                sum("done" in one for one in unpaid),
                sum("words" in one and "done" not in one for one in unpaid),
                sum("turns" in one for one in paid + unpaid),
                sum("turns" in one for one in paid),
            )
        )
    assert told == list(zip(*there, strict=True))
