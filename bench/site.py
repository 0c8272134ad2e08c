"""What the site of a report takes at the papers' size: 9 models, all tasks of both, 3 runs."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from bythebook.report.data import read_evaluations
from bythebook.report.figures import figures_of
from bythebook.report.site.build import Asked, build_site
from bythebook.report.tables import TABLES, table
from tests.report.simulated import Size, conduct, deliverables
from tests.report.site.browser import Browser, find_chromium

MODELS, RUNS = 9, 3
TASKS = {"conduct": 50, "deliverables": 97}


@dataclass(frozen=True)
class Measured:
    runs: int
    cpu: float
    """Seconds, tables, figures and all."""
    wall: float
    bytes: int
    opens: float | None
    """Seconds until Chromium has drawn the first page; None where there is none."""


def measured() -> Measured:
    with TemporaryDirectory() as aside:
        root = Path(aside)
        conduct(root / "conduct", Size(MODELS, TASKS["conduct"], RUNS))
        deliverables(root / "deliverables", Size(MODELS, TASKS["deliverables"], RUNS))
        cpu, wall = process_time(), perf_counter()
        found = read_evaluations([root / name for name in TASKS])
        tables = tuple(one for name in TABLES if (one := table(name, found)).rows)
        asked = Asked(tables=tables, figures=tuple(figures_of(tables)))
        built = build_site(found, root / "site", asked)
        cpu, wall = process_time() - cpu, perf_counter() - wall
        opens = min(_opened(root / "site", root / "profile"), default=None)
        return Measured(built.runs, cpu, wall, built.bytes, opens)


def _opened(site: Path, profile: Path) -> Iterator[float]:
    """Three times."""
    program = find_chromium()
    if program is None:
        return
    with Browser(program, profile) as browser:
        for _ in range(3):
            page = browser.page()
            page.open((site / "index.html").as_uri())
            yield page.run("performance.now()") / 1000
            page.close()
