"""What every command has in common: words, exit codes, errors, where output goes."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bythebook import __version__
from bythebook.cli import COMMANDS
from tests.cli.conftest import Said
from tests.own import TASK, bythebook

Say = Callable[..., Said]
WITHIN = {"new": ("task",), "build": ("sop",), "export": ("harbor",), "import": ("harbor",)}
"""Groups of words, each with a word of its own."""


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_and_takes_content(say: Say, name: str) -> None:
    line = (name, *WITHIN.get(name, ()))
    code, out, err = say(*line, "--help")

    assert (code, err) == (0, "")
    assert "--content DIR" in out
    assert "--debug" in out


def test_the_program_says_its_version(say: Say) -> None:
    assert say("--version")[1] == f"bythebook {__version__}\n"


def test_without_a_command_it_says_what_there_is(say: Say) -> None:
    code, _, err = say()

    assert code == 2
    assert all(name in err for name in COMMANDS)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (["tsks"], "no command 'tsks' did you mean 'tasks'?"),
        (["xyzzy"], "no command 'xyzzy' known: act, "),
        (["tasks", "--jsn"], "No such option '--jsn'. Did you mean '--json'?"),
        (["tasks", "conduc"], "'conduc' is not one of 'conduct', 'deliverables'"),
        (["run", "conduct"], "who plays?"),
        (["run", "conduct", "--agent", "goldn"], "no agent 'goldn' did you mean 'golden'?"),
        (["run", "conduct", "--agent", "golden:x"], "no golden 'x'"),
        (["run", "conduct", "--agent", "loop"], "the agent 'loop' needs a model"),
        (["run", "conduct", "--agent", "idle", "--model", "openai:x"], "did you mean --agent loop"),
        (["run", "conduct", "--agent", "loop", "--model", "opnai:x"], "did you mean 'openai'?"),
        (
            ["run", "conduct", "--agent", "loop", "--model", "local:x"],
            "where is local? give its base URL, as in --base-url http",
        ),
        (["run", "conduct", "--agent", "loop", "--model", "local:x:"], "local:x:: where is local?"),
        (["run", "conduct", "--agent", "idle", "--task", "q9"], "no conduct task 'q9'"),
        (["run", "conduct", "--agent", "idle", "--cap", "lots"], "'lots' is not a ratio"),
        (["run", "conduct", "--agent", "idle", "--condition", "gold"], "did you mean 'gold-docs'?"),
        (["run", "deliverables", "--agent", "idle"], "no agent 'idle'"),
        (["run", "deliverables", "--agent", "empty", "--cap", "2"], "--cap is for the suite"),
        (["run", "conduct", "--agent", "idle", "--judge", "hand:x"], "its rules decide"),
        (["run", "conduct", "--agent", "idle", "--unsafe-no-sandbox"], "nothing needs a sandbox"),
        (["prove", "--task", "qqq"], "no conduct task 'qqq'"),
        (["score", "nowhere"], "nowhere: no such folder"),
        (["score", "."], "there is no run in this folder"),
        (["tasks", "--content", "nowhere"], "nowhere: no such folder"),
        (["tasks", "--content", "."], ".: holds neither company/ nor tasks/"),
        (["new", "tsk", "x"], "No such command 'tsk'"),
        (["new", "check", "colum", "--to", "x"], "did you mean 'column'?"),
        (["build", "spo"], "nothing is built by 'spo' did you mean 'sop'?"),
    ],
)
def test_wrong_use_is_code_2_and_says_what_would_be_right(
    say: Say, line: list[str], says: str
) -> None:
    code, out, err = say(*line)

    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert says in err
    assert "Traceback" not in err


def test_a_key_that_is_needed_and_missing_is_named(
    say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    code, _, err = say("run", "conduct", "--agent", "loop", "--model", "openai:x")

    assert code == 2
    assert "the environment variable OPENAI_API_KEY is empty" in err


def test_debug_shows_where_an_error_came_from(say: Say) -> None:
    assert "Traceback" in say("--debug", "score", "nowhere")[2]
    assert "Traceback" in say("score", "nowhere", "--debug")[2]


def test_content_may_stand_before_or_after_the_command(say: Say, own: Path) -> None:
    assert TASK in say("--content", own, "tasks")[2]
    assert TASK in say("tasks", "--content", own)[2]
    assert TASK not in say("tasks")[2]


def test_json_is_all_there_is_on_stdout_and_nothing_else_without_it(say: Say, own: Path) -> None:
    for line in (["tasks"], ["doctor"], ["run", "conduct", "--agent", "idle", "--task", TASK]):
        code, out, _ = say(*line, "--content", own, "--json")
        assert code == 0
        assert isinstance(json.loads(out), dict)
        assert say(*line, "--content", own)[1] == ""


def test_the_installed_program_works_from_any_folder_with_an_empty_environment(
    tmp_path: Path,
) -> None:
    done = bythebook("tasks", "--json", cwd=tmp_path, env={"PATH": os.defpath})

    assert done.returncode == 0
    assert json.loads(done.stdout)["version"] == __version__


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_machine_of_few_letters_is_told_what_was_said_all_the_same(
    say: Say, own: Path, tmp_path: Path, form: tuple[str, ...]
) -> None:
    """As a pipe on a machine whose locale is not UTF-8: ASCII stands for all of them."""
    _, run, _ = say("act", "--new", "conduct", TASK, "--to", "runs", "--content", own)
    spoken = "Grüße, 三份收据 🙂"
    say("act", run.strip(), "message_customer", json.dumps({"text": spoken}), "--content", own)

    env = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = bythebook("show", run.strip(), *form, cwd=tmp_path, env=env)

    assert done.returncode == 0, done.stderr
    assert spoken in done.stdout
