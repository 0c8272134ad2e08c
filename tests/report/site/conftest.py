"""Real runs, the site made of them, and a browser to look at it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bythebook.agents.protocol import Agent, Call, Move
from bythebook.conduct.task import ConductTask
from bythebook.deliverables.evidence.view import View
from bythebook.deliverables.judge.journal import append
from bythebook.deliverables.judge.judgement import Cited, Judgement
from bythebook.deliverables.task import DeliverableTask
from bythebook.report.data import Evaluations, read_evaluations
from bythebook.report.figures import figures_of
from bythebook.report.site.build import Asked, build_site
from bythebook.report.table import Cell, Column, Row, Table
from bythebook.report.tables import TABLES, table
from bythebook.run.agents import Scripted
from bythebook.task import Content
from tests.deliverables.stall import stall
from tests.report.site.browser import Browser, Page, find_chromium
from tests.run.delivering import again, deliver
from tests.run.playing import Moves, play
from tests.tasks.shipped import shipped_task

HOSTILE = (
    "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"
    "`${document.title='taken'}` \u2028 \u2029 <!-- ' \" \\"
)
"""What an agent might say to take a page over."""
Q03, Q11 = "q03-acacia-durian", "q11-tiles-and-weavers"
STALL = "bus-90-stall"

Open = Callable[..., Page]
BROKEN_Q03 = f"#/run/{Q03}/1/event/97?of=shortcut-q03"
BROKEN_Q11 = f"#/run/{Q11}/1/event/82?of=shortcut-q11"
WICKED = f"#/run/{Q03}/1/event/1?of=wicked-q03"
HANDED = f"#/run/{STALL}/1?of=skeleton"
JUDGED = f"#/run/{STALL}/1/item/R11?of=reference"
SIDES = f"#/compare/conduct/{Q03}?a=golden-q03.1&b=shortcut-q03.1"
PAGES = (
    "#/",
    "#/conduct",
    "#/deliverables",
    "#/tasks",
    "#/tasks/deliverables",
    f"#/task/conduct/{Q03}",
    f"#/task/deliverables/{STALL}",
    "#/table/conduct",
    BROKEN_Q03,
    BROKEN_Q11,
    WICKED,
    HANDED,
    JUDGED,
    SIDES,
    f"#/compare/deliverables/{STALL}?a=reference.1&b=skeleton.1",
    "#/judge",
    "#/nothing/here",
    "#/run/nothing/1",
)


MADE_UP = Table(
    id="made-up",
    title="Made up",
    says="Marks, intervals and a row of a paper.",
    suite="conduct",
    source="",
    columns=(Column("who", "who"), Column("rate", "rate", "percent", better="high")),
    rows=(
        Row("a", {"who": Cell("a"), "rate": Cell(70.0, 60.0, 80.0, mark="best", note="of 12")}),
        Row("b", {"who": Cell("b"), "rate": Cell(least=20.0, most=40.0, low=10.0, high=50.0)}),
        Row("c", {"who": Cell("c"), "rate": Cell(55.0)}, published=True),
    ),
)


class Wicked:
    """An agent of conduct that tries to take over the page it will be shown on."""

    name = "wicked"
    model = base_url = ""

    @property
    def settings(self) -> dict[str, Any]:
        return {}

    def agent(self, task: ConductTask) -> Agent:
        arguments = {"__proto__": {"polluted": HOSTILE}, HOSTILE: HOSTILE}
        call = {"name": HOSTILE, "arguments": arguments}
        moves = [
            Move(calls=(Call("message_customer", {"text": HOSTILE}, "1"),)),
            Move(calls=(Call("call_tool", call, "2"),)),
            Move(calls=(Call("finish", {"summary": HOSTILE}, "3"),)),
        ]
        return Moves(self.name, [lambda move=move: move for move in moves])  # type: ignore[misc]  # each keeps its own

    async def close(self) -> None:
        """There is nothing to close."""


@pytest.fixture(scope="session")
def stalled(tmp_path_factory: pytest.TempPathFactory) -> DeliverableTask:
    """A small deliverables task, with what one of its faults is known to fail."""
    task = stall(tmp_path_factory.mktemp("stalled"))
    rows = "new_price_ignored: R03 R04 R05 R13\ncaches_stripped: R03 R04 R05 (R10)\n"
    (task.folder / "faults.lock").write_text(rows, "utf-8")
    return task


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory, stalled: DeliverableTask) -> Path:
    """Evaluations by their agents: golden, shortcut and wicked of conduct; reference, which is
    judged by hand, and skeleton of deliverables. Not to be changed."""
    root = tmp_path_factory.mktemp("played")
    for agent in ("golden", "shortcut"):
        for task in (Q03, Q11):
            play(shipped_task(task), Scripted(agent), root / agent / task)
    play(shipped_task(Q03), Wicked(), root / "wicked" / Q03)
    deliver(stalled, "reference", root / "reference")
    deliver(stalled, "skeleton", root / "skeleton")
    judged(root / "reference", stalled)
    return root


def judged(folder: Path, task: DeliverableTask) -> None:
    """Two hands judge what checks left open; on one item they differ."""
    place = folder / task.id / "1"
    view = View.kept(place / "evidence")
    cited = (Cited("note.docx#para=2", HOSTILE), Cited("takings.xlsx#Summary!A1"))
    open_items = [item for item in task.rubric.items if item.decided_by != "check"]
    lines = [
        Judgement(
            item=item.id,
            item_hash=item.hash,
            evidence=view.sha,
            judge=judge,
            verdict="fail" if judge == "hand:first" and item.id == "R11" else "pass",
            because=f"Looked up. {HOSTILE}",
            cited=cited,
            verified=True,
        )
        for judge in ("hand:first", "hand:second")
        for item in open_items
    ]
    append(place / "judgements.jsonl", lines)
    again(folder)


@pytest.fixture(scope="session")
def evaluations(played: Path, stalled: DeliverableTask) -> Evaluations:
    content = Content([stalled.folder.parents[2]])
    folders = [*sorted(played.glob("*/q*")), played / "reference", played / "skeleton"]
    names = [folder.parent.name if folder.name != folder.parent.name else "" for folder in folders]
    labels = [
        f"{agent} {folder.name[:3]}" if folder.name.startswith("q") else ""
        for agent, folder in zip(names, folders, strict=True)
    ]
    return read_evaluations(folders, content, named=labels)


@pytest.fixture(scope="session")
def site(evaluations: Evaluations, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of all of them, with its tables and figures. Not to be changed."""
    root = tmp_path_factory.mktemp("site") / "it is <here> #1"
    tables = tuple(one for name in TABLES if (one := table(name, evaluations)).rows)
    tables = (*tables, MADE_UP)
    asked = Asked(replay="all", tables=tables, figures=tuple(figures_of(tables)))
    build_site(evaluations, root, asked)
    return root


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = find_chromium()
    if program is None:
        pytest.skip("there is no Chromium here; on Debian: apt-get install chromium")
    with Browser(program, tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A new tab. When the test is through, nothing may have been complained of in it."""
    found = browser.page()
    yield found
    complaints = found.complaints()
    found.close()
    assert complaints == []


@pytest.fixture
def opened(page: Page, site: Path) -> Open:
    """Opens a page of the site in the tab."""

    def opens(hash_: str = "#/") -> Page:
        page.open((site / "index.html").as_uri() + hash_)
        return page

    return opens
