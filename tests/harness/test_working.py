"""Harnesses, as they are, at deliverables tasks: by the command line, to a score."""

import json
from pathlib import Path

import anyio
import pytest

from bythebook.deliverables.task import DeliverableTask
from bythebook.harness.harnesses import named
from bythebook.models.names import address
from bythebook.models.types import Settings
from bythebook.run.effort import collected, effort
from bythebook.run.engaged import Working
from bythebook.run.folder import RunFolder
from bythebook.run.plan import Limits
from bythebook.run.reach import Reach
from bythebook.run.traffic import Traffic
from bythebook.run.worked import take_out
from bythebook.run.workspace import SCRATCH, Terms, attempt
from bythebook.trace import Header, Outcome, read_trace
from tests.harness.brought import MAIN, brought, kind
from tests.harness.played import check_plan, played, words
from tests.harness.scripts import Commands, handing_over
from tests.harness.test_turns import PROVIDERS, SHELLS
from tests.model_server import Asked, ModelServer, Say, Spoken, Use
from tests.own import bythebook

pytestmark = pytest.mark.timeout(900)

LOOK = "ls -A; head -c 20 query/task.md; python3 -c 'import openpyxl; print(openpyxl.__name__)'"
BAD = (
    "ln -s /etc/passwd results/link; mkfifo results/pipe; truncate -s 600M results/big.xlsx; "
    "mkdir -p results/__pycache__ results/deep$(printf '/d%.0s' $(seq 40)); "
    "echo changed >notice.md; rm sales.xlsx; echo mine >own.txt"
)


@pytest.mark.parametrize("name", MAIN)
def test_the_reference_handed_over_by_a_harness_gets_its_score(
    name: str, own: Path, task: DeliverableTask, tmp_path: Path
) -> None:
    files = sorted(task.reference.iterdir())
    lines = [LOOK, *handing_over(files)]
    with ModelServer(Commands(name, lines)) as server:
        line = words("deliverables", name, server, PROVIDERS[name])
        found = played(tmp_path, *line, "--task", task.id, "--runs", "1", "--content", own)

    findings = {one["id"]: one["verdict"] for one in found.verdict()["findings"]}
    assert set(findings.values()) == {"pass", "void"}
    assert {name for name, mark in findings.items() if mark == "void"} == judged(task)
    check_plan(found.plan, name)
    assert found.plan["limits"]["steps"] == 200

    (handed,) = found.notes("collected")
    assert [one["name"] for one in handed["files"]] == [file.name for file in files]
    assert found.notes("inputs") == [{"touched": []}]
    left = {path.name for path in (found.place() / "workspace").iterdir()}
    inputs = {path.name for path in task.inputs.iterdir()}
    assert left == {"query", "_parsed", "results", *inputs}
    assert set(found.notes("litter")[0]["names"]) <= set(named(name).litter)

    (run,) = found.summary["runs"]
    did = run["statistics"]
    assert (did["turns"], did["calls"], did["errors"]) == (len(lines) + 1, len(lines), 0)
    assert did["by_tool"] == {SHELLS[name][0]: len(lines)}
    assert (did["tokens"]["input"], did["files"]) == (100 * server.count, len(files))

    first = next(one for one in found.events() if one.kind == "call")
    answer = json.loads(bytes(first.result))
    assert "sales.xlsx" in answer
    assert "Please do the week's" in answer
    assert "openpyxl" in answer
    said = [json.loads(bytes(one.args)) for one in found.events() if one.name == "words"]
    assert said == [{"text": "I look first."}, {"text": "All is done."}]
    assert found.outcome() == "completed(finished)"

    shown = bythebook("show", found.place(), cwd=tmp_path)
    assert f"agent {name}" in shown.stdout
    assert "I look first." in shown.stdout


def judged(task: DeliverableTask) -> set[str]:
    """Items of a rubric that no check decides."""
    return {item.id for item in task.rubric.items if item.decided_by != "check"}


def test_what_a_harness_leaves_is_collected_like_anybodys(
    own: Path, task: DeliverableTask, tmp_path: Path
) -> None:
    lines = [BAD, *handing_over([task.reference / "note.docx"])]
    with ModelServer(Commands("claude-code", lines)) as server:
        line = words("deliverables", "claude-code", server)
        found = played(tmp_path, *line, "--task", task.id, "--runs", "1", "--content", own)

    (handed,) = found.notes("collected")
    assert [one["name"] for one in handed["files"]] == ["note.docx"]
    refused = {one["name"].partition("/d/")[0] for one in handed["refused"]}
    assert {"link", "pipe", "big.xlsx", "deep"} == refused
    assert handed["litter"] == ["__pycache__"]
    touched = {one["name"]: one["what"] for one in found.notes("inputs")[0]["touched"]}
    assert touched == {"notice.md": "changed", "sales.xlsx": "deleted"}
    for path in (found.place() / "workspace").rglob("*"):
        assert path.is_file() or path.is_dir()
        assert not path.is_symlink()
    assert (found.place() / "workspace/own.txt").read_text() == "mine\n"


def test_what_the_task_had_brought_is_no_litter(tmp_path: Path) -> None:
    for name in ("memory/plan.md", ".nanobot/x", "results/memory/kept.md", "memory-of-june.md"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")

    brought = {"memory/plan.md": "sha"}
    assert take_out(tmp_path, (".nanobot", "memory"), brought) == (".nanobot",)
    assert take_out(tmp_path, (".nanobot", "memory"), {}) == ("memory",)
    assert (tmp_path / "results/memory/kept.md").exists()
    assert (tmp_path / "memory-of-june.md").exists()


@pytest.mark.parametrize(
    ("limits", "command", "ends", "calls"),
    [
        (Limits(agent_time=60, steps=2), "echo here", "limit(steps)", 2),
        (Limits(agent_time=3, steps=20), "tail -f /dev/null", "limit(agent_time)", 1),
    ],
)
def test_one_that_is_cut_off_is_collected_and_counts(
    task: DeliverableTask, tmp_path: Path, limits: Limits, command: str, ends: str, calls: int
) -> None:
    lines = [f"echo begun >results/note.txt; {command}"] * 30
    place = RunFolder(tmp_path / task.id / "1", task.id, 1)
    header = Header(
        benchmark="0", suite=task.suite, task=task.id, run=1, agent="claude-code", scene="0" * 64
    )

    async def play() -> Outcome:
        where = address("local:scripted", f"{server.url}/v1")
        reach = Reach(where, "", Settings(), traffic=Traffic(1))
        player = Working(brought("claude-code"), reach, kind())
        try:
            terms = Terms(limits, kind())
            return await attempt(task, player, terms, place=place, header=header)
        finally:
            await player.close()

    with ModelServer(Commands("claude-code", lines)) as server:
        assert str(anyio.run(play)) == ends
    trace = read_trace(place.trace)
    assert [file.name for file in collected(trace).files] == ["note.txt"]
    assert (effort(trace).calls, effort(trace).tokens.input) == (calls, 100 * calls)
    assert not (place.root / SCRATCH).exists()


DRAW = "python3 -c \"from PIL import Image; Image.new('RGB', (40, 30), 'red').save('scan.png')\""


@pytest.mark.parametrize(("name", "sees"), [("nanobot", True), ("hermes", False)])
def test_a_model_is_shown_a_picture_where_its_harness_can(
    name: str, sees: bool, own: Path, task: DeliverableTask, tmp_path: Path
) -> None:
    def speak(asked: Asked) -> Spoken:
        if asked.turns == 1:
            return Say(calls=(Use("read_file", {"path": "/workspace/scan.png"}),))
        return Commands(name, [DRAW])(asked)

    with ModelServer(speak) as server:
        line = words("deliverables", name, server, PROVIDERS[name])
        played(tmp_path, *line, "--task", task.id, "--runs", "1", "--content", own)
    assert [asked.turns for asked in server.asked] == [0, 1, 2]
    assert ("image/png" in str(server.asked[2].body)) is sees
