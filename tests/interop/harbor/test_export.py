"""Deliverables tasks as task folders of Harbor, judged by their own test script."""

import json
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import msgspec
import openpyxl
import pytest
from msgspec.structs import replace

from bythebook.deliverables.task import DeliverableTask
from bythebook.errors import UsageError
from bythebook.interop.harbor.export import Terms, export, requirement
from bythebook.verdict import Verdict
from tests.cli.judging import about, gives
from tests.deliverables.own_task import TASK, hand_over
from tests.interop.harbor.boxed import Trial, needs_box
from tests.interop.harbor.theirs import Said
from tests.model_server import ModelServer, Say

Tell = Callable[..., Said]
CHECKS = 10
"""The weight of its two checked items; of all it is 14."""


# --- its tests ----------------------------------------------------------------------------------


@needs_box
def test_the_solution_of_an_exported_task_has_the_full_reward(trial: Trial) -> None:
    trial.solve()
    found = trial.reward()
    assert (found["reward"], found["checks"]) == (1.0, 1.0)
    assert (found["score_low"], found["score_high"]) == (pytest.approx(CHECKS / 14), 1.0)


@needs_box
def test_whoever_hands_over_nothing_has_no_reward(trial: Trial) -> None:
    assert trial.reward()["reward"] == 0


@needs_box
def test_one_wrong_figure_costs_what_its_item_weighs(trial: Trial) -> None:
    hand_over(trial.results, gross=90)
    assert trial.reward()["reward"] == 0.5


@needs_box
def test_a_link_to_the_right_answer_is_nobodys_work(trial: Trial) -> None:
    answer = f"/tests/content/tasks/deliverables/{TASK}/reference"
    trial.results.rmdir()
    trial.results.symlink_to(answer)
    assert trial.reward()["reward"] == 0
    trial.results.unlink()
    trial.results.mkdir()
    for name in ("pay.xlsx", "note.docx"):
        (trial.results / name).symlink_to(f"{answer}/{name}")
    assert trial.reward()["reward"] == 0


@needs_box
def test_without_a_verdict_there_is_no_reward_file(trial: Trial, tmp_path: Path) -> None:
    """Harbor then counts an error of the trial."""
    spoiled = tmp_path / "spoiled"
    shutil.copytree(trial.task, spoiled)
    (spoiled / "tests/content/tasks/deliverables" / TASK / "rubric.yaml").write_text("items: [")
    trial.solve()
    (trial.logs / "reward.json").write_text('{"reward": 1.0}')

    assert Trial(spoiled, trial.app, trial.logs).judge().returncode != 0
    assert not (trial.logs / "reward.json").exists()


# --- with a judge -------------------------------------------------------------------------------


@pytest.fixture
def judged(own: DeliverableTask, tmp_path: Path) -> Callable[[ModelServer], Trial]:
    """A trial whose tests ask a model on this machine."""

    def made(server: ModelServer) -> Trial:
        words = ("--judge=model:local:scripted", f"--base-url={server.url}/v1")
        terms = Terms(judge=(*words, "--attempts=1"), variables=("JUDGE_KEY",))
        return Trial.of(Path(export(own, tmp_path / "judged", terms).folder), tmp_path)

    return made


@needs_box
def test_with_a_judge_the_reward_is_the_score(judged: Callable[[ModelServer], Trial]) -> None:
    with ModelServer(lambda asked: gives("fail" if about(asked, "R4") else "pass")) as server:
        trial = judged(server)
        trial.solve()
        found = trial.reward()
    assert found["reward"] == found["score_low"] == found["score_high"] == pytest.approx(13 / 14)


@needs_box
def test_a_judge_that_says_nothing_gives_no_reward(judged: Callable[[ModelServer], Trial]) -> None:
    with ModelServer(lambda asked: Say("Hm.")) as server:
        trial = judged(server)
        trial.solve()
        done = trial.judge()
    assert done.returncode != 0
    assert "2 items are void, so there is no reward: R3" in " ".join(done.stderr.split())
    assert not (trial.logs / "reward.json").exists()


# --- its folder ---------------------------------------------------------------------------------


def test_nothing_that_judges_is_in_what_an_agent_is_given(
    exported: Path, own: DeliverableTask
) -> None:
    """Whatever Harbor shows it: the instruction, and what the image is built of."""
    shown = [path for path in (exported / "environment").rglob("*") if path.is_file()]
    data = b"\n".join(path.read_bytes() for path in (*shown, exported / "instruction.md"))
    for item in own.rubric.items:
        assert item.says.encode() not in data
    for part in ("reference", "expected"):
        for path in (own.folder / part).iterdir():
            assert path.read_bytes() not in data
    names = {path.relative_to(exported / "environment").as_posix() for path in shown}
    workspace = {"raw.xlsx", "query/task.md", "_parsed/raw.xlsx.md"}
    assert names == {"Dockerfile", *(f"workspace/{name}" for name in workspace)}


def test_task_toml_tells_harbor_what_it_needs(exported: Path, own: DeliverableTask) -> None:
    told = tomllib.loads((exported / "task.toml").read_text())
    assert told["task"]["name"] == f"bythebook/{TASK}"
    assert told["artifacts"] == ["/app/results"]
    assert told["verifier"]["environment_mode"] == "separate"
    assert told["verifier"]["environment"]["network_mode"] == "no-network"
    assert told["metadata"]["task_hash"] == own.hash
    assert told["metadata"]["weight_of_checks"] == CHECKS
    first, *rest = (exported / "instruction.md").read_text().splitlines()
    assert first == f"<!-- {own.canary} -->"
    assert own.prompt.strip() in "\n".join(rest)


def test_harbors_own_loader_takes_an_exported_task(exported: Path) -> None:
    why = "Harbor is not installed (it needs Python 3.12)"
    loader = pytest.importorskip("harbor.models.task.task", reason=why)
    assert loader.Task.is_valid_dir(exported)
    task = loader.Task(exported)
    assert (task.name, "canary" in task.instruction) == (f"bythebook/{TASK}", False)


def test_a_wheel_goes_along_with_the_tests(own: DeliverableTask, tmp_path: Path) -> None:
    wheel = tmp_path / "bythebook-9-py3-none-any.whl"
    wheel.write_bytes(b"a wheel")
    folder = Path(
        export(own, tmp_path / "to", Terms(install=requirement(str(wheel), tmp_path))).folder
    )
    assert (folder / "tests" / "wheel" / wheel.name).read_bytes() == b"a wheel"
    assert f"wanted=wheel/{wheel.name}\n" in (folder / "tests" / "setup.sh").read_text()


@pytest.mark.parametrize(
    ("what", "says"), [("notes.txt", "pip cannot install"), ("empty", "no wheel")]
)
def test_what_pip_cannot_install_is_refused(tmp_path: Path, what: str, says: str) -> None:
    (tmp_path / "notes.txt").write_text("not a wheel")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=says):
        requirement(str(tmp_path / what), tmp_path / "wheels")


# --- the command --------------------------------------------------------------------------------


def test_the_command_says_what_the_reward_stands_for(own: DeliverableTask, say: Tell) -> None:
    words = ("export", "harbor", "--task", TASK, "--content", own.folder.parents[2], "--to", "out")
    code, out, err = say(*words, "--judge", "model:openai:gpt", "--json")

    assert (code, f"{CHECKS} of 14 points are decided by checks" in err) == (0, True)
    (one,) = json.loads(out)["tasks"]
    assert (one["task"], one["weight"], one["checked"]) == (TASK, 14, CHECKS)
    told = tomllib.loads(Path(one["folder"], "task.toml").read_text())
    assert told["verifier"]["env"] == {"OPENAI_API_KEY": "${OPENAI_API_KEY}"}
    script = Path(one["folder"], "tests", "test.sh").read_text()
    assert "judge=(--judge=model:openai:gpt --key-variable=OPENAI_API_KEY)" in script

    code, _, err = say(*words)
    assert (code, "there is something already" in err) == (2, True)
    assert [path.name for path in Path("out").iterdir()] == [TASK]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--judge", "hand:somewhere"], "inside an image only a model can be asked"),
        (["--judge", "model:opnai:x"], "did you mean 'openai'?"),
        (["--judge", "model:local:x"], "where is local?"),
        (["--judge-base-url", "http://x/v1"], "whose are they?"),
        (["--judge", "model:openai:x", "--judge-key-variable", "A B"], "no name of an environment"),
        (["--image", "a b"], "no name of an image"),
        (["--install", "no/such.whl"], "pip cannot install this"),
        (["--task", "nothing"], "no deliverables task 'nothing'"),
    ],
)
def test_wrong_use_is_said_and_writes_nothing(say: Tell, more: list[str], says: str) -> None:
    code, _, err = say("export", "harbor", "--to", "out", *more)

    assert (code, says in err, Path("out").exists()) == (2, True, False), err


def test_a_reward_is_that_of_one_judged_run(say: Tell) -> None:
    Path("runs").mkdir()
    code, _, err = say("export", "harbor-reward", "runs", "--to", "logs")

    assert (code, "0 judged runs are here" in err, Path("logs").exists()) == (2, True, False)


def test_what_a_check_is_unsure_of_earns_nothing(
    own: DeliverableTask, say: Tell, tmp_path: Path
) -> None:
    book = openpyxl.load_workbook(hand_over(tmp_path / "made") / "pay.xlsx")
    book["Pay"]["B1"] = "Brutto"
    book.save(tmp_path / "made" / "pay.xlsx")
    say("submit", TASK, "made", "--agent", "x", "--to", "runs", "--content", own.folder.parents[2])

    code, out, _ = say("export", "harbor-reward", "runs", "--to", "logs", "--json")
    assert (code, json.loads(out)["reward"]) == (0, 0.5)
    assert json.loads(Path("logs/reward.json").read_text()) == json.loads(out)


def test_what_is_void_by_our_own_fault_gives_no_reward(own: DeliverableTask, say: Tell) -> None:
    say("submit", TASK, "--agent", "x", "--to", "runs", "--content", own.folder.parents[2])
    path = Path("runs", TASK, "1", "verdict.json")
    verdict = msgspec.json.decode(path.read_bytes(), type=Verdict)
    broken = replace(verdict.findings[0], verdict="void", why="nothing recalculates here")
    path.write_bytes(msgspec.json.encode(replace(verdict, findings=(broken,))))

    code, _, err = say("export", "harbor-reward", "runs", "--to", "logs")
    assert (code, "R1: nothing recalculates here" in err, Path("logs").exists()) == (3, True, False)


def test_an_unknown_form_is_named_with_its_neighbour(say: Tell) -> None:
    code, _, err = say("export", "habor")
    assert (code, "no export 'habor' did you mean 'harbor'?" in err) == (2, True)
