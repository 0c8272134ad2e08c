"""What a site of many runs weighs, and how long it takes: at a small scale what the full one must
keep. `make bench` measures the full one."""

import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from bythebook.report.data import Evaluations
from bythebook.report.site.build import Asked, build_site
from bythebook.report.tables import TABLES, table
from tests.report.site.browser import Browser

FULL = {"conduct": (9 * 50 * 3, 50), "deliverables": (9 * 97 * 3, 97)}
"""Runs and tasks."""
MEGABYTES, SECONDS = 60, 60
OPENS = 2.0
"""Seconds."""


@dataclass(frozen=True)
class Sized:
    root: Path
    bytes: float
    """At full size, if a run and a task took what they take here."""
    seconds: float
    """Of processor time, likewise."""


@pytest.fixture(scope="module")
def built(both: Evaluations, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Sized]:
    """A site of 180 runs of each suite."""
    found = {}
    for suite, (runs, tasks) in FULL.items():
        root = tmp_path_factory.mktemp("sized") / suite
        began = time.process_time()
        some = Evaluations(both.of(suite), both.content)
        tables = tuple(one for name in TABLES if (one := table(name, some)).rows)
        site = build_site(some, root, Asked(tables=tables))
        seconds = (time.process_time() - began) * runs / site.runs
        per_task = weight(root / "data/task") / len(list((root / "data/task").iterdir()))
        per_run = (weight(root / "data") - weight(root / "data/task")) / site.runs
        whole = weight(root / "assets") + per_task * tasks + per_run * runs
        found[suite] = Sized(root, whole, seconds)
    return found


def weight(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_at_full_size_it_would_weigh_less_than_60_mb(built: dict[str, Sized]) -> None:
    assert sum(one.bytes for one in built.values()) < MEGABYTES * 1_000_000


def test_at_full_size_it_would_be_built_in_less_than_60_s(built: dict[str, Sized]) -> None:
    assert sum(one.seconds for one in built.values()) < SECONDS


@pytest.mark.parametrize("suite", FULL)
def test_it_opens_at_once(built: dict[str, Sized], browser: Browser, suite: str) -> None:
    page = browser.page()
    page.open((built[suite].root / "index.html").as_uri())

    assert page.run("performance.now()") < 1000 * OPENS
    page.close()
