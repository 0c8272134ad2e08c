"""`report` and `compare` as commands: what is written where, and with which exit code."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as tree

import pytest

from bythebook.report.data import read_evaluations
from bythebook.report.tables import FIRST, OF_CONTENT, TABLES
from tests.cli.conftest import Said
from tests.report.simulated import Setup, Size, conduct, deliverables

Say = Callable[..., Said]
Ask = Callable[..., tuple[int, Any]]


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two evaluations of each suite. Not to be changed."""
    root = tmp_path_factory.mktemp("reported")
    pair = [Setup("good", 2.5), Setup("bad", -2.5)]
    conduct(root / "conduct", Size(tasks=16), shipped=2, setups=pair)
    deliverables(root / "deliverables", Size(tasks=6), setups=pair)
    return root


def test_without_a_word_it_shows_the_first_tables(say: Say, runs: Path) -> None:
    code, out, err = say("report", runs / "conduct", runs / "deliverables")

    assert (code, err) == (0, "")
    for title in ("Conduct: was the work done", "Reliability:", "Deliverables:", "Score by domain"):
        assert out.count(title) == 1
    assert out.count("10,000 resamples") == 1, "what all tables say is said once"


def test_of_one_suite_the_other_is_not_shown(say: Say, runs: Path) -> None:
    out = say("report", runs / "conduct")[1]

    assert "Deliverables" not in out


def test_every_table_has_a_name_and_can_be_had_by_it(ask: Ask, say: Say, runs: Path) -> None:
    assert say("report", "--list")[1].split() == list(TABLES)
    names = [word for name in TABLES for word in ("--table", name)]
    code, found = ask("report", runs / "conduct", runs / "deliverables", *names)

    assert code == 0
    assert [one["id"] for one in found["tables"]] == list(TABLES)
    assert [one["label"] for one in found["evaluations"]] == [
        "loop · sim:bad · conduct",
        "loop · sim:good · conduct",
        "loop · sim:bad · deliverables",
        "loop · sim:good · deliverables",
    ]


def test_json_without_a_table_holds_all_that_are_no_lists(ask: Ask, runs: Path) -> None:
    _, found = ask("report", runs / "conduct")

    names = [one["id"] for one in found["tables"]]
    assert set(FIRST) <= set(names)
    assert "conduct-cases" not in names


@pytest.mark.parametrize(
    ("form", "start"),
    [
        ("markdown", "### Conduct"),
        ("latex", r"\begin{table}"),
        ("html", '<figure id="conduct">'),
        ("csv", "evaluation,tasks,runs,goal"),
        ("json", "{"),
    ],
)
def test_a_table_goes_to_standard_output_in_any_form(
    say: Say, runs: Path, form: str, start: str
) -> None:
    code, out, err = say("report", runs / "conduct", "--table", "conduct", "--format", form)

    assert (code, err) == (0, "")
    assert out.startswith(start)


def test_a_name_stands_in_the_table(say: Say, runs: Path) -> None:
    folder = f"before={runs / 'conduct' / 'good'}"
    out = say("report", folder, "--table", "conduct", "--format", "csv")[1]

    assert next(csv.DictReader(io.StringIO(out)))["evaluation"] == "before"


def test_a_folder_with_a_sign_in_its_own_name_is_a_folder(say: Say, tmp_path: Path) -> None:
    conduct(tmp_path, Size(tasks=1, runs=1), shipped=1, setups=[Setup("a=b", 0.0)])

    assert say("report", "a=b", "--table", "conduct", "--format", "csv")[0] == 0


def test_the_papers_figures_stand_there_on_demand_and_labelled(ask: Ask, runs: Path) -> None:
    _, plain = ask("report", runs / "conduct", "--table", "conduct")
    _, beside = ask("report", runs / "conduct", "--table", "conduct", "--published")
    published = [row for row in beside["tables"][0]["rows"] if row.get("published")]

    assert not any(row.get("published") for row in plain["tables"][0]["rows"])
    assert published
    assert all("BizAgentBench" in row["key"] for row in published)


@pytest.mark.parametrize("name", OF_CONTENT)
def test_tables_of_the_content_need_no_evaluation(ask: Ask, name: str) -> None:
    code, found = ask("report", "--table", name)

    assert code == 0
    assert found["tables"][0]["rows"]


def test_junit_and_the_summary_are_of_all_evaluations(say: Say, runs: Path) -> None:
    suites = tree.fromstring(say("report", runs / "conduct", "--format", "junit")[1])
    told = say("report", runs / "conduct", "--format", "summary")[1]

    assert [suite.get("tests") for suite in suites] == ["48", "48"]
    assert "broke most often" in told


def test_labels_of_people_reach_the_table_of_agreement(
    ask: Ask, runs: Path, tmp_path: Path
) -> None:
    good = runs / "deliverables" / "good"
    evaluation = read_evaluations([good]).every[0]
    lines = [
        f"{run.task},{run.run},{finding.id},pass"
        for run, _, verdict in evaluation.cases()
        for finding in verdict.findings
    ]
    labels = tmp_path / "labels.csv"
    labels.write_text("\n".join(["task,run,item,label", *lines]))
    code, found = ask("report", good, "--labels", labels, "--table", "judge-agreement")

    assert code == 0
    assert "no judge" not in found["tables"][0]["notes"][0]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (["report"], "of which evaluations?"),
        (["report", "gone"], "gone: no such folder"),
        (["report", "RUNS", "--table", "conduc"], "no table 'conduc' did you mean 'conduct'?"),
        (["report", "RUNS", "--specialised", "x"], "no evaluation 'x'"),
        (["report", "RUNS", "--labels", "x.csv"], "whose labels are these?"),
        (["report", "RUNS", "--labels", "z=x.csv"], "no evaluation 'z'"),
        (["report", "RUNS", "--table", "conduct", "--format", "junit"], "not of a table"),
        (["compare", "RUNS", "RUNS"], "4 evaluations in"),
        (["compare", "GOOD", "GOOD", "--by", "scor"], "conduct has no figure 'scor'"),
    ],
)
def test_a_mistake_is_told_with_the_next_move(
    say: Say, runs: Path, line: list[str], says: str
) -> None:
    places = {"RUNS": runs / "conduct", "GOOD": runs / "conduct" / "good"}
    code, out, err = say(*(places.get(word, word) for word in line))

    assert (code, out) == (2, "")
    assert says in err


def test_a_run_that_does_not_read_is_named_and_the_rest_is_shown(say: Say, tmp_path: Path) -> None:
    (folder,) = conduct(tmp_path, Size(tasks=2, runs=1), shipped=1, setups=[Setup("a", 0.0)])
    trace = next(folder.glob("*/1/trace.jsonl"))
    trace.write_text("not a trace\n")
    code, out, err = say("report", folder)

    assert code == 2
    assert "Conduct: was the work done" in out
    assert f"error: {trace}" in err


def test_pages_that_take_long_to_draw_are_announced(say: Say, runs: Path) -> None:
    words = ("report", runs / "conduct", "--to", "site", "--replay", "none")

    assert "drawing pages" in say(*words, "--images")[2]
    assert "drawing pages" not in say(*words)[2]


def test_a_site_is_written_and_its_page_named(say: Say, runs: Path, tmp_path: Path) -> None:
    code, out, err = say("report", runs / "conduct", "--to", "site", "--replay", "none")

    assert (code, out) == (0, "")
    assert "2 evaluations, 96 runs" in err
    assert "open site/index.html" in err
    assert (tmp_path / "site" / "index.html").is_file()


# --- compare ------------------------------------------------------------------------------------


def test_a_regression_ends_with_one(say: Say, runs: Path) -> None:
    good, bad = runs / "conduct" / "good", runs / "conduct" / "bad"
    code, out, err = say("compare", f"main={good}", f"mine={bad}")

    assert code == 1
    assert "mine beside main" in out
    assert "error: mine is worse than main" in err
    assert say("compare", bad, good)[0] == 0
    assert say("compare", good, good)[0] == 0


def test_a_floor_and_single_tasks_can_be_asked_for(say: Say, runs: Path) -> None:
    good, bad = runs / "conduct" / "good", runs / "conduct" / "bad"

    assert say("compare", bad, good, "--fail-under", "99")[0] == 1
    assert say("compare", bad, good, "--fail-under", "20")[0] == 0
    code, _, err = say("compare", good, bad, "--any-fall")
    assert code == 1
    assert "tasks fell: s" in err


def test_the_comparison_for_programs(ask: Ask, runs: Path) -> None:
    code, found = ask("compare", runs / "deliverables" / "good", runs / "deliverables" / "bad")

    assert found["comparison"]["by"] == "score"
    assert found["comparison"]["tasks"] == 6
    assert found["regressed"] is (code == 1)
    assert len(found["comparison"]["changes"]) == 6
    assert json.dumps(found)


def test_a_build_takes_the_comparison_as_markdown_or_junit(say: Say, runs: Path) -> None:
    good, bad = runs / "conduct" / "good", runs / "conduct" / "bad"

    assert say("compare", good, bad, "--format", "markdown")[1].startswith("### loop")
    suites = tree.fromstring(say("compare", good, bad, "--format", "junit")[1])
    assert [suite.get("tests") for suite in suites] == ["48"]
