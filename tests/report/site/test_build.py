"""The site as files: what is kept, what is refused, what is said."""

import re
import shutil
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from bythebook.deliverables.evidence.view import View
from bythebook.errors import UsageError
from bythebook.report.data import Evaluations, read_evaluations
from bythebook.report.site.build import Asked, Built, build_site
from bythebook.report.site.chosen import Replay, chosen
from bythebook.report.site.overview import RunTold, Site
from bythebook.report.table import Column, Row, Table
from bythebook.run.deliver import Reader
from bythebook.run.folder import RunFolder
from bythebook.trace import Trace
from tests.report.site.conftest import Q03

CHUNK = re.compile(r"String\.raw`(.*)`\);\n", re.S)
ASSETS = files("bythebook.report.site") / "assets"


def told(site: Path) -> Site:
    """The chunk `site`, read back."""
    found = CHUNK.search((site / "data/site.js").read_text("utf-8"))
    assert found is not None
    return msgspec.json.decode(found[1], type=Site)


def contents(site: Path) -> dict[str, bytes]:
    found = (path for path in sorted(site.rglob("*")) if path.is_file())
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in found}


def built(evaluations: Evaluations, to: Path, replay: Replay = "some") -> Built:
    return build_site(evaluations, to, Asked(replay=replay))


# --- what is kept -------------------------------------------------------------------------------


def test_every_run_is_a_line_and_leads_to_its_replay(site: Path, evaluations: Evaluations) -> None:
    found = told(site)

    assert len(found.runs) == sum(len(one.runs) for one in evaluations.every)
    for run in found.runs:
        assert (site / f"data/run/{run.replay}.js").is_file()
        assert (site / f"data/task/{found.tasks[run.task].chunk}.js").is_file()


def test_a_line_names_the_event_at_which_each_rule_broke(site: Path) -> None:
    found = told(site)
    labels = [one.label for one in found.evaluations]

    (run,) = [one for one in found.runs if labels[one.of] == "shortcut q03"]
    assert run.broken == (("P3", 97),)
    assert found.tasks[run.task].rules["P3"].says.startswith("The proof of address")


@pytest.mark.parametrize(("replay", "count"), [("all", 6), ("some", 2), ("none", 0)])
def test_of_each_outcome_one_run_is_kept_unless_asked_otherwise(
    conducted: Path, replay: Replay, count: int
) -> None:
    (one, *_) = read_evaluations([conducted]).every
    twice = [*one.runs[:3], *one.runs[:3]]
    kinds = {(run.task, run.outcome, run.goal, run.strict) for run in twice}

    kept = list(chosen(twice, replay))
    assert len(kept) == (len(kinds) if replay == "some" else count)


def test_the_same_runs_give_the_same_bytes(evaluations: Evaluations, tmp_path: Path) -> None:
    for name in ("one", "two"):
        built(evaluations, tmp_path / name)

    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_building_a_site_changes_no_run_folder(played: Path, tmp_path: Path) -> None:
    before = contents(played)
    built(read_evaluations([played / "golden" / Q03, played / "reference"]), tmp_path / "site")

    assert contents(played) == before


def test_a_long_table_stands_in_a_chunk_of_its_own(
    evaluations: Evaluations, tmp_path: Path
) -> None:
    rows = tuple(Row(str(n), {}) for n in range(1000))
    table = Table("cases", "Cases", "", "conduct", "", (Column("a", "a"),), rows)
    build_site(evaluations, tmp_path / "site", Asked(replay="none", tables=(table,)))
    found = told(tmp_path / "site")

    assert (found.tables[0].rows, found.long_tables) == ((), {"cases": (0, 1000)})
    assert (tmp_path / "site/data/table/0.js").is_file()


# --- where it is written ------------------------------------------------------------------------


def test_an_old_site_is_written_over_whole(evaluations: Evaluations, tmp_path: Path) -> None:
    built(evaluations, tmp_path / "site", "all")
    (tmp_path / "site/data/run/99.js").write_text("stale")
    built(evaluations, tmp_path / "site", "none")

    assert not (tmp_path / "site/data/run").exists()


def test_a_folder_that_holds_something_else_is_left_alone(
    evaluations: Evaluations, tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text("<h1>my own</h1>")
    with pytest.raises(UsageError, match="holds something else"):
        built(evaluations, tmp_path)

    assert contents(tmp_path) == {"index.html": b"<h1>my own</h1>"}


class Stopped(Reader):
    """Ctrl-C while pages are drawn."""

    def results(self, place: RunFolder, trace: Trace) -> View:
        raise KeyboardInterrupt


def test_a_site_that_was_stopped_says_so_and_is_written_anew(
    evaluations: Evaluations, tmp_path: Path
) -> None:
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            build_site(evaluations, tmp_path / "site", Asked(images=True), Stopped())
        assert "stopped before it was whole" in (tmp_path / "site/index.html").read_text("utf-8")
    built(evaluations, tmp_path / "site")
    built(evaluations, tmp_path / "fresh")

    assert contents(tmp_path / "site") == contents(tmp_path / "fresh")


def test_a_file_is_no_folder(evaluations: Evaluations, tmp_path: Path) -> None:
    (tmp_path / "site").write_text("")
    with pytest.raises(UsageError, match="is a file"):
        built(evaluations, tmp_path / "site")


# --- what does not read -------------------------------------------------------------------------


@pytest.fixture
def copy(played: Path, tmp_path: Path) -> Path:
    shutil.copytree(played / "golden" / Q03, tmp_path / "copy")
    return tmp_path / "copy"


def test_a_run_without_its_scene_is_named_and_the_others_are_there(
    copy: Path, played: Path, tmp_path: Path
) -> None:
    for scene in (copy / "scenes").iterdir():
        scene.unlink()
    both = read_evaluations([copy, played / "shortcut" / Q03])
    found = built(both, tmp_path / "site")

    assert (found.runs, found.replays) == (2, 1)
    assert "is not replayed" in found.notes[0]


def test_a_task_that_is_not_here_any_more_goes_by_its_id(played: Path, tmp_path: Path) -> None:
    built(read_evaluations([played / "reference"]), tmp_path / "site")

    (task,) = told(tmp_path / "site").tasks
    assert (task.id, task.title) == ("bus-90-stall", "bus 90 stall")


# --- the page's own files -----------------------------------------------------------------------

SCRIPTS = {
    one.name: one.read_text("utf-8")
    for one in ASSETS.iterdir()
    if one.name.endswith((".js", ".css", ".html"))
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_nothing_is_loaded_from_elsewhere_and_no_text_becomes_markup(name: str) -> None:
    text = SCRIPTS[name].replace("http://www.w3.org/2000/svg", "")

    for never in (
        "http:",
        "https:",
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
        "new Function",
        "fetch(",
        "XMLHttp",
    ):
        assert never not in text


def test_the_page_allows_nothing_but_its_own_files() -> None:
    page = SCRIPTS["index.html"]
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)

    assert policy is not None
    assert policy[1].startswith(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"
    )
    assert "unsafe" not in page
    assert not re.search(r"\son\w+=|style=|<style", page)


def test_every_file_that_the_page_names_is_there(site: Path) -> None:
    named = re.findall(r'(?:src|href)="([^"#]+)"', SCRIPTS["index.html"])

    assert len(named) > 20
    assert [name for name in named if not (site / name).is_file()] == []


def test_every_script_that_ships_is_named_by_the_page() -> None:
    page = SCRIPTS["index.html"]

    assert [n for n in SCRIPTS if n != "index.html" and f'"assets/{n}"' not in page] == []


def test_runs_are_told_in_the_order_that_the_page_reads_them_in() -> None:
    named = re.search(r"const NAMES = \[(.*?)\];", SCRIPTS["route.js"], re.S)

    assert named is not None
    assert tuple(re.findall(r'"(\w+)"', named[1])) == RunTold.__struct_fields__
