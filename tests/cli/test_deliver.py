"""The command line of the suite `deliverables`."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bythebook.deliverables.task import DeliverableTask
from bythebook.sandbox.machine import trouble
from tests.deliverables.stall import stall
from tests.model_server import Hang, ModelServer, Use
from tests.model_server import Say as Reply
from tests.own import BYTHEBOOK, bythebook
from tests.sandbox.caged import caged

Say = Callable[..., tuple[int, str, str]]
Ask = Callable[..., tuple[int, Any]]
RUN = ("run", "deliverables", "--task", "bus-90", "--runs", "1")


@pytest.fixture(scope="session")
def task(tmp_path_factory: pytest.TempPathFactory) -> DeliverableTask:
    return stall(tmp_path_factory.mktemp("stall"))


@pytest.fixture(scope="session")
def own(task: DeliverableTask) -> Path:
    """The content folder of the stall."""
    return task.folder.parents[2]


def test_run_plays_judges_and_shows_a_table(say: Say, own: Path, task: DeliverableTask) -> None:
    code, out, err = say(*RUN, "--agent", "reference", "--content", own)

    assert (code, out) == (0, "")
    assert "success all core void weight right format items failed" in err
    assert "weight decided by: checks " in err
    assert "satisfied by level: " in err
    assert "1 run played; traces and verdicts are in runs/deliverables-reference" in err
    assert Path(f"runs/deliverables-reference/{task.id}/1/evidence/evidence.json").is_file()


def test_run_prints_the_contract(say: Say, own: Path, task: DeliverableTask) -> None:
    _, out, _ = say(*RUN, "--agent", "empty", "--content", own, "--to", "r", "--json")

    found = json.loads(out)
    (run,) = found["runs"]
    assert (found["suite"], found["agent"]) == ("deliverables", "empty")
    assert (run["task"], run["run"], run["outcome"]) == (task.id, 1, "completed(finished)")
    assert (run["goal"], run["strict"], run["score"], run["success"]) == (None, None, 0.0, False)
    assert found["summary"]["delivered"]["success"] == 0.0
    assert found == json.loads(Path("r/summary.json").read_bytes())


def test_score_changes_nothing_and_says_why(say: Say, ask: Ask, own: Path) -> None:
    say(*RUN, "--agent", "fault:unfrozen", "--content", own, "--to", "r")
    summary = json.loads(Path("r/summary.json").read_bytes())

    assert ask("score", "r") == (0, summary)
    _, _, err = say("score", "r", "--why")

    assert "broken R07 (item)" in err
    assert "at takings.xlsx#" in err
    assert "verdicts written" not in err


def test_score_under_current_rules(say: Say, ask: Ask, own: Path) -> None:
    say(*RUN, "--agent", "empty", "--content", own, "--to", "r")
    code, found = ask("score", "r", "--criteria", "current", "--content", own)

    assert (code, found["criteria"]) == (0, "current")
    assert found["runs"][0]["rules"] == found["runs"][0]["recorded_rules"]


def test_submit_hands_in_files_and_counts_runs(
    say: Say, ask: Ask, own: Path, task: DeliverableTask
) -> None:
    line = ("submit", "bus-90", "--agent", "a product", "--content", own, "--to", "r")
    files = sorted(task.reference.iterdir())
    code, found = ask(*line, *files)
    assert (code, found["runs"][0]["delivered"]["format"]) == (0, "ok")

    _, found = ask(*line, files[0])
    assert [run["delivered"]["format"] for run in found["runs"]] == ["ok", "omitted"]

    code, _, err = say(*line, "--run", "2", *files)
    assert (code, "there is a run 2 already" in err) == (2, True)

    _, found = ask(*line)
    assert [run["run"] for run in found["runs"]] == [1, 2, 3]
    assert found["runs"][2]["score"] == 0.0


def test_whatever_lies_in_a_submitted_folder_is_handed_over_or_named(
    say: Say, ask: Ask, own: Path, task: DeliverableTask
) -> None:
    given = Path("given")
    shutil.copytree(task.reference, given)
    os.mkfifo(given / "pipe")
    (given / "up").symlink_to("..")
    (given / "passwd").symlink_to("/etc/passwd")
    (given / "new\nline.txt").write_text("x")
    (given / "deep").mkdir()
    (given / "deep/huge").touch()
    os.truncate(given / "deep/huge", 2**40)
    for number in range(30):
        (given / f"z{number}.txt").touch()

    code, _, _ = say("submit", "bus-90", given, "--agent", "me", "--content", own, "--to", "r")
    assert code == 0
    _, found = ask("show", f"r/{task.id}/1")
    named = {one["name"]: one["why"] for one in found["handed"]["refused"]}
    assert named == {
        "deep/huge": "more than 512 MiB in all",
        "passwd": "a link to /etc/passwd",
        "pipe": "neither a file nor a folder",
        "up": "a link to ..",
    }
    _, out, _ = say("show", f"r/{task.id}/1")
    assert "new%0Aline.txt (1 bytes)" in out
    assert "z29.txt" not in out
    kept = len(found["handed"]["files"])
    assert f"and {kept - 20} more" in " ".join(out.split())


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (["submit", "bus-90", "none.xlsx", "--agent", "me"], "no such file"),
        (["submit", "bus-90", "/dev/null", "--agent", "me"], "neither a file nor a folder"),
        (["submit", "bus-90", "--agent", "reference"], "an agent of bythebook's own"),
        (["submit", "bus-90", "--agent", "empty"], "choose another name for --agent"),
        (["submit", "bus-90", "--agent", " "], "an agent has a name"),
        (["submit", "bus-99", "--agent", "me"], "no deliverables task 'bus-99'"),
        ([*RUN, "--agent", "loop"], "needs a model"),
        ([*RUN, "--agent", "empty", "--model", "openai:x"], "takes no model"),
        ([*RUN, "--agent", "fault:unfroze"], "did you mean 'unfrozen'?"),
        ([*RUN, "--agent", "empty", "--condition", "events"], "--condition is for the suite"),
        ([*RUN, "--agent", "empty", "--simulator", "local:x"], "--simulator is for the suite"),
    ],
)
def test_wrong_use_is_said(say: Say, own: Path, line: list[str], says: str) -> None:
    code, _, err = say(*line, "--content", own, "--to", "r")

    assert code == 2
    assert says in err
    assert not Path("r").exists()


def test_show_tells_a_run_item_by_item(
    say: Say, ask: Ask, own: Path, task: DeliverableTask
) -> None:
    say(*RUN, "--agent", "fault:unfrozen", "--content", own, "--to", "r")

    code, out, _ = say("show", f"r/{task.id}/1")
    assert code == 0
    assert f"{task.id}  agent fault:unfrozen" in out
    assert "handed over: note.docx (" in out
    assert "R07 auxiliary fail" in out or "R07" in out

    _, found = ask("show", f"r/{task.id}/1")
    assert {
        "run",
        "task",
        "agent",
        "outcome",
        "score",
        "success",
        "delivered",
        "items",
        "steps",
    } <= (set(found))
    assert [item["id"] for item in found["items"]] == [item.id for item in task.rubric.items]

    _, out, _ = say("show", f"r/{task.id}/1", "--at", "0")
    assert "event 0, customer: task" in out
    code, _, err = say("show", f"r/{task.id}/1", "--at", "99")
    assert (code, "there is no event 99" in err) == (2, True)


def test_tasks_lists_them_beside_the_papers_size(
    say: Say, ask: Ask, own: Path, task: DeliverableTask
) -> None:
    _, found = ask("tasks", "deliverables", "--content", own)
    (mine,) = [one for one in found["tasks"] if one["id"].startswith("bus-90")]
    items = len(task.rubric.items)
    assert (mine["suite"], mine["domain"], mine["items"]) == ("deliverables", "business", items)
    assert mine["wants"] == {"takings.xlsx": "xlsx", "note.docx": "docx"}

    _, _, err = say("tasks", "deliverables", "--content", own)
    assert " of 97 tasks · " in err
    assert " of 2453 items · medical " in err


@caged
def test_a_model_is_let_loose_in_a_sandbox_and_the_plan_says_so(
    say: Say, own: Path, task: DeliverableTask
) -> None:
    exec_ = Use("exec", {"command": "cat /etc/shadow; cp sales.xlsx results/takings.xlsx"})
    with ModelServer([Reply(calls=(exec_,)), Reply("Done.")]) as server:
        code, _, err = say(
            *RUN, "--agent", "loop", "--model", "local:scripted", "--base-url", server.url + "/v1",
            "--content", own, "--to", "r",
        )  # fmt: skip
    assert code == 0, err
    plan = json.loads(Path("r/plan.json").read_bytes())
    assert (plan["sandbox"], plan["model"], plan["limits"]["steps"]) == (
        "bubblewrap", "local:scripted", 200,
    )  # fmt: skip
    _, out, _ = say("show", f"r/{task.id}/1")
    assert "exec command=cat /etc/shadow; cp sales.xlsx" in out
    assert "No such file or directory" in out


@pytest.mark.skipif(bool(trouble("landlock")), reason=trouble("landlock"))
def test_without_bubblewrap_it_is_played_behind_walls_of_our_own_and_the_plan_says_so(
    say: Say, own: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("chmod", "rm"):
        (tools / name).symlink_to(shutil.which(name) or "/bin/false")
    monkeypatch.setenv("PATH", str(tools))
    command = "cp sales.xlsx results/; cp /etc/shadow results/"
    script = [Reply(calls=(Use("exec", {"command": command}),)), Reply("Done.")]
    with ModelServer(script) as server:
        line = ("--agent", "loop", "--model", "local:scripted", "--base-url", server.url + "/v1")
        code, _, err = say(*RUN, *line, "--content", own, "--to", "r")
    assert code == 0, err
    assert json.loads(Path("r/plan.json").read_bytes())["sandbox"] == "landlock"
    assert json.loads(Path("r/summary.json").read_bytes())["runs"][0]["statistics"]["files"] == 1


@pytest.mark.skipif(shutil.which("unshare") is None, reason="there is no unshare here")
def test_without_a_sandbox_nothing_is_played_unless_that_is_wanted(
    own: Path, tmp_path: Path
) -> None:
    """In a user namespace that may have no others below it, no sandbox can be made."""
    lock = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    script = [Reply(calls=(Use("exec", {"command": "cp sales.xlsx results/"}),)), Reply("Done.")]
    with ModelServer(script) as server:
        line = [
            "unshare", "-Ur", "bash", "-c", lock, "bash", str(BYTHEBOOK), *RUN, "--agent", "loop",
            "--model", "local:scripted", "--base-url", server.url + "/v1", "--content", str(own),
            "--to", str(tmp_path / "r"),
        ]  # fmt: skip
        refused = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
        assert (refused.returncode, server.count) == (2, 0), refused.stderr
        assert "an agent's commands need a sandbox" in refused.stderr
        assert "--unsafe-no-sandbox" in refused.stderr

        line.append("--unsafe-no-sandbox")
        played = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert played.returncode == 0, played.stderr
    assert "no sandbox:" in played.stderr
    assert json.loads((tmp_path / "r/plan.json").read_bytes())["sandbox"] == "none: unsafe"
    (run,) = json.loads((tmp_path / "r/summary.json").read_bytes())["runs"]
    assert run["statistics"]["files"] == 1


@pytest.mark.parametrize(
    ("judge", "says"),
    [
        ("jury", "is no judge"),
        ("model:NAME", "a model is named provider:name"),
        ("model:opnai:NAME", "did you mean 'openai'?"),
        ("model:openai:NAME", "OPENAI_API_KEY is empty"),
        ("harness:nanobt/openai:NAME", "did you mean 'nanobot'?"),
        ("harness:nanobot", "names no model"),
    ],
)
def test_a_judge_that_cannot_be_asked_is_told_before_anything_is_played(
    own: Path, tmp_path: Path, judge: str, says: str
) -> None:
    line = (*RUN, "--agent", "empty", "--judge", judge, "--content", own, "--to", "r")
    bare = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    refused = bythebook(*line, cwd=tmp_path, env=bare)
    assert (refused.returncode, says in refused.stderr) == (2, True), refused.stderr
    assert not (tmp_path / "r").exists()


@caged
def test_ctrl_c_keeps_what_is_finished_and_says_how_to_go_on(own: Path, tmp_path: Path) -> None:
    with ModelServer(lambda asked: Hang()) as server:
        line = (
            *RUN, "--agent", "loop", "--model", "local:scripted", "--base-url", server.url + "/v1",
            "--content", str(own), "--to", "r",
        )  # fmt: skip
        process = subprocess.Popen(
            (BYTHEBOOK, *line), cwd=tmp_path, stderr=subprocess.PIPE, text=True
        )
        while not server.count:
            assert process.poll() is None
            os.sched_yield()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)

    assert process.returncode == 130
    assert "interrupted; what is finished is kept. The same command goes on:" in said
    assert f"bythebook {shlex.join(line)}" in said
    assert "Traceback" not in said


def test_a_budget_bounds_the_judge_of_a_run_too(own: Path, tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text(
        "currency: USD\nprices:\n"
        "  - {model: 'local:scripted', input: 500, output: 0, as_of: 2026-11-30, source: ours}\n"
    )
    looks = Reply(calls=(Use("list_files", {}),), input=1_000)
    with ModelServer(lambda asked: looks) as server:
        line = (
            *RUN, "--agent", "reference", "--content", own, "--to", "r", "--concurrency", "1",
            "--judge", "model:local:scripted", "--judge-base-url", server.url + "/v1",
        )  # fmt: skip
        unpriced = bythebook(*line, "--budget", "1", cwd=tmp_path)
        told = bythebook(*line, "--budget", "1", "--prices", prices, cwd=tmp_path)

    assert unpriced.returncode == 2
    assert "no price of local:scripted is known" in unpriced.stderr
    assert told.returncode == 3, told.stderr
    assert "the budget ends here" in told.stderr
    assert server.count == 2


@caged
def test_a_process_killed_in_the_middle_is_gone_on_with(
    own: Path, task: DeliverableTask, tmp_path: Path
) -> None:
    """Killed while the agent's command runs: nothing of it stays, and the run is played again."""
    beats = "while :; do date +%s%N >> results/beat; sleep 0.02; done"
    with ModelServer(lambda asked: Reply(calls=(Use("exec", {"command": beats}),))) as server:
        line = (
            BYTHEBOOK, *RUN, "--agent", "loop", "--model", "local:scripted", "--base-url",
            server.url + "/v1", "--content", own, "--to", "r",
        )  # fmt: skip
        process = subprocess.Popen(line, cwd=tmp_path, stderr=subprocess.DEVNULL)
        beat = tmp_path / f"r/{task.id}/1/workspace/results/beat"
        while not beat.exists() or not beat.stat().st_size:
            assert process.poll() is None
            os.sched_yield()
        process.kill()
        process.wait()
    with ModelServer([Reply("Done.")]) as server:
        done = subprocess.run(
            [*line[:-5], server.url + "/v1", *line[-4:]],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    aside = tmp_path / f"r/{task.id}/1/attempts/1/workspace/results/beat"
    last = aside.stat().st_size
    assert last
    time.sleep(0.2)  # ten beats of one that had outlived its run
    assert aside.stat().st_size == last
    assert not list((tmp_path / f"r/{task.id}/1").glob(".scratch"))
