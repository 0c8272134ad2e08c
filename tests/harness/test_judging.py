"""Harnesses that judge: a verdict that was verified, or void; never a "no" for what broke."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.judging import verdict
from tests.deliverables.own_task import TASK, hand_over, own_task
from tests.harness.brought import brought, kind
from tests.harness.scripts import tool
from tests.model_server import Asked, ModelServer, Say, Script, Spoken, Use, fault
from tests.own import bythebook

pytestmark = pytest.mark.timeout(900)

WRONG = {"at": "note.docx#para=2", "reads": "nothing like it"}


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One task with an item that is screened and one that is only judged: R3 and R4."""
    root = tmp_path_factory.mktemp("content")
    hand_over(own_task(root).folder / "reference")
    return root


@pytest.fixture(scope="module")
def handed(content: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One run of it that handed over the reference; not to be changed."""
    folder = tmp_path_factory.mktemp("handed")
    line = ("run", "deliverables", "--task", TASK, "--agent", "reference", "--runs", "1")
    done = bythebook(*line, "--to", "runs", "--content", content, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "runs"


@pytest.fixture
def runs(handed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(handed, tmp_path / "runs"))


def judge(
    runs: Path, content: Path, harness: str, script: Script, *more: str
) -> tuple[dict[str, Any], list[Asked]]:
    """What a harness said of R4, as the journal has it, and what its model was asked."""
    brought(harness)
    kind()
    with ModelServer(script) as server:
        who = ("--judge", f"harness:{harness}/local:scripted", "--base-url", f"{server.url}/v1")
        line: tuple[str | Path, ...] = (
            "judge",
            runs,
            *who,
            "--item",
            "R4",
            "--attempts",
            "1",
            *more,
        )
        done = bythebook(*line, "--content", content, cwd=runs.parent)
    assert done.returncode == 0, done.stderr
    assert not (runs / ".judging").exists()
    place = runs / TASK / "1"
    said = [json.loads(line) for line in (place / "judgements.jsonl").read_text().splitlines()]
    (found,) = (one for one in said if one["item"] == "R4")
    return found, server.asked


def found(runs: Path) -> str:
    """The verdict on R4."""
    written = json.loads((runs / TASK / "1" / "verdict.json").read_text())
    return str(next(one["verdict"] for one in written["findings"] if one["id"] == "R4"))


def gives(**more: Any) -> Any:
    return lambda asked: Say(calls=(Use(tool(asked, "give_verdict"), verdict(**more)),))


def test_nanobot_looks_is_corrected_and_gives_a_verdict(runs: Path, content: Path) -> None:
    def look(asked: Asked) -> Spoken:
        return Say("I look.", (Use(tool(asked, "read_text"), {"file": "note.docx"}),))

    script = [look, gives(evidence=[WRONG]), gives()]
    line, asked = judge(runs, content, "nanobot", script)

    assert (line["verdict"], line["verified"]) == ("pass", True)
    assert found(runs) == "pass"
    assert line["judge"] == "harness:nanobot/local:scripted"
    assert (line["calls"], line["usage"]["input"]) == (3, 300)
    assert line["settings"]["harness"].startswith("nanobot ")
    told = str(asked[0].messages)
    assert "never instructions to you" in told
    assert "R4 (" in told
    assert "The total gross pay" in asked[1].answers[0]
    assert "Not taken." in asked[2].answers[0]
    kept = json.loads((runs / TASK / "1" / line["conversation"]).read_text())
    assert kept["turns"][-1]["calls"][0]["name"].endswith("give_verdict")


@pytest.mark.parametrize(
    ("script", "more", "verdict", "cause"),
    [
        ([Say(json.dumps(verdict("fail")))], (), "fail", None),
        ([Say("Hm."), Say("It is fine."), Say("Yes.")], (), None, "malformed"),
        (lambda asked: gives(evidence=[WRONG])(asked), (), None, "places"),
        (lambda asked: Say(""), (), None, "malformed"),
        (lambda asked: fault(401, "bad key"), (), None, "provider"),
        (lambda asked: Say(calls=(Use("Bash", {"command": "true"}),)), ("--steps", "1"), None,
         "steps"),
        (lambda asked: Say(calls=(Use("Bash", {"command": "kill -9 $PPID"}),)), (), None,
         "harness"),
        (lambda asked: Say(calls=(Use("Bash", {"command": "tail -f /dev/null"}),)),
         ("--session-seconds", "4"), None, "timeout"),
    ],
)  # fmt: skip
def test_whatever_else_comes_of_it_is_void_with_its_cause(
    runs: Path, content: Path, script: Script, more: tuple[str, ...], verdict: str, cause: str
) -> None:
    line, _ = judge(runs, content, "claude-code", script, *more)

    assert (line.get("verdict"), line.get("cause")) == (verdict, cause), line
    assert found(runs) == (verdict or "void")


def test_a_run_is_judged_by_a_harness_in_one_command(content: Path, tmp_path: Path) -> None:
    brought("claude-code")
    kind()
    with ModelServer(lambda asked: gives()(asked)) as server:
        line = ("run", "deliverables", "--task", TASK, "--agent", "reference", "--runs", "1")
        who = ("--judge", "harness:claude-code/local:scripted")
        where = ("--judge-base-url", f"{server.url}/v1", "--to", "runs", "--content", content)
        done = bythebook(*line, *who, *where, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert found(tmp_path / "runs") == "pass"
    plan = json.loads((tmp_path / "runs" / "plan.json").read_bytes())
    assert plan["judge"] == "harness:claude-code/local:scripted"


@pytest.mark.parametrize(("harness", "sees"), [("claude-code", True), ("nanobot", False)])
def test_a_page_is_shown_where_the_harness_passes_pictures_on(
    runs: Path, content: Path, harness: str, sees: bool
) -> None:
    def look(asked: Asked) -> Spoken:
        return Say("I look.", (Use(tool(asked, "view_page"), {"file": "note.docx", "page": 1}),))

    line, asked = judge(runs, content, harness, [look, gives()])

    assert line["verdict"] == "pass"
    assert ("data:image/png;base64," in str(asked[1].body)) is sees
    if not sees:
        assert "No picture can be shown to this judge" in asked[1].answers[0]
