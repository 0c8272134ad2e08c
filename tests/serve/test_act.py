"""`bythebook act` and `serve` in processes of their own, as programs and players use them."""

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bythebook.conduct.task import ConductTask
from bythebook.errors import BythebookError
from bythebook.serve.remote import Remote
from tests.own import BYTHEBOOK, TASK, bythebook
from tests.serve.hands import GoldenHand, new_run, seated, served

SRC = Path(__file__).resolve().parents[2] / "src" / "bythebook"
NOBODY = 65534
PLAYER = "import sys; from bythebook.cli import main; main(sys.argv[1:])"
HTTP = """
import sys, urllib.request
body = sys.argv[2].encode() if len(sys.argv) > 2 else None
print(urllib.request.urlopen(sys.argv[1], body).read().decode())
"""


def begun(own: Path, cwd: Path) -> str:
    done = bythebook("act", "--new", "conduct", "q90", "--to", "runs", "--content", own, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def calls(journal: Path) -> int:
    return journal.read_bytes().count(b'"kind":"call"')


def test_a_whole_run_by_commands_gets_its_verdict(own: Path, tmp_path: Path) -> None:
    content = ("--content", own)
    run = begun(own, tmp_path)
    looked = bythebook("act", run, *content, cwd=tmp_path)
    first = bythebook("act", run, "now", *content, cwd=tmp_path)
    refused = bythebook("act", run, "draft_pass", '{"hours": "6"}', *content, cwd=tmp_path)
    question = '{"text": "How long will she stay?"}'
    asked = bythebook("act", run, "message_customer", question, "--json", *content, cwd=tmp_path)
    again = bythebook("act", run, *content, cwd=tmp_path)
    ended = bythebook("act", run, "finish", *content, cwd=tmp_path)
    late = bythebook("act", run, "now", *content, cwd=tmp_path)

    assert run == f"runs/{TASK}/1"
    for part in ("# Your procedure", "# Your tools", "Ines Moreau", "0 calls were made"):
        assert part in looked.stdout
    assert first.stdout == '{"day":"2025-10-14","clock":"15:50","t":0}\n'
    assert (refused.returncode, refused.stdout[:21]) == (0, "refused: draft_pass: ")
    assert "Six hours" in json.loads(asked.stdout)["customer"]
    assert "(t=0) You: How long will she stay?" in again.stdout
    assert "(t=0) The customer: She arrives at half past four" in again.stdout
    assert (ended.returncode, ended.stdout) == (0, "finished\n")
    assert "the run is over: completed(finished)" in ended.stderr
    assert (late.returncode, late.stdout) == (2, "")
    verdict = json.loads((tmp_path / run / "verdict.json").read_bytes())
    assert (verdict["goal"], verdict["calls"]) == (False, 4)
    assert bythebook("score", "runs", cwd=tmp_path).returncode == 0


def test_arguments_come_from_standard_input_too(own: Path, tmp_path: Path) -> None:
    run = begun(own, tmp_path)
    done = subprocess.run(
        [BYTHEBOOK, "act", run, "message_customer", "-", "--content", own],
        cwd=tmp_path,
        input='{"text": "It\'s \\"here\\". Thanks."}',
        capture_output=True,
        text=True,
        check=True,
    )

    assert 'It\'s \\"here\\".' in done.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("now", "{"), "the arguments are no JSON"),
        (("now", "[1]"), "the arguments are no JSON object"),
        (("now", "{}", "{}"), "which run?"),
    ],
)
def test_a_command_that_does_not_read_is_no_call(
    own: Path, tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    run = begun(own, tmp_path)
    done = bythebook("act", run, *words, "--content", own, cwd=tmp_path)

    assert done.returncode == 2
    assert says in done.stderr
    assert calls(tmp_path / run / "trace.jsonl") == 0


def test_commands_given_at_once_are_all_carried_out(own: Path, tmp_path: Path) -> None:
    run = begun(own, tmp_path)
    line = [str(BYTHEBOOK), "act", run, "now", "--content", str(own)]
    at_once = [subprocess.Popen(line, cwd=tmp_path, stdout=subprocess.DEVNULL) for _ in range(4)]

    assert [process.wait(timeout=60) for process in at_once] == [0] * 4
    assert calls(tmp_path / run / "trace.jsonl") == 4


def test_a_full_disk_is_said_and_the_run_goes_on_when_there_is_room(
    own: Path, tmp_path: Path
) -> None:
    run = begun(own, tmp_path)
    journal = tmp_path / run / "trace.jsonl"
    size = journal.stat().st_size + 20
    full = subprocess.run(
        [BYTHEBOOK, "act", run, "now", "--content", own],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )
    again = bythebook("act", run, "now", "--content", own, cwd=tmp_path)

    assert full.returncode == 3
    assert "cannot be written" in full.stderr
    assert again.returncode == 0
    assert calls(journal) == 1


# --- the server ---------------------------------------------------------------------------------


def test_a_golden_played_against_a_server_leaves_the_same_bytes(
    task: ConductTask, own: Path, tmp_path: Path
) -> None:
    here = new_run(task, tmp_path / "here")
    with seated(task, here) as session:
        GoldenHand(task).play(session)
    with served(own, tmp_path) as (_process, url):
        last = GoldenHand(task).play(Remote(url))

    there = tmp_path / "runs" / TASK / "1"
    assert last is not None
    assert last.outcome == "completed(finished)"
    assert (there / "trace.jsonl").read_bytes() == here.trace.read_bytes()
    assert (there / "verdict.json").read_bytes() == here.verdict.read_bytes()


def test_a_server_that_was_killed_goes_on_with_the_run(
    task: ConductTask, own: Path, tmp_path: Path
) -> None:
    player = GoldenHand(task)
    for made in (5, 5, 1000):
        with served(own, tmp_path) as (process, url):
            player.play(Remote(url), calls=made)
            process.kill()

    place = tmp_path / "runs" / TASK / "1"
    assert json.loads((place / "verdict.json").read_bytes())["strict"] is True
    assert len(list(place.parent.iterdir())) == 1


def test_a_call_that_the_servers_disk_did_not_take_was_not_made(own: Path, tmp_path: Path) -> None:
    with served(own, tmp_path) as (process, url):
        remote, journal = Remote(url), tmp_path / "runs" / TASK / "1" / "trace.jsonl"
        remote.call("now", {})
        before = journal.read_bytes()
        made, room = None, 10
        while made is None:
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (len(before) + room, -1))
            try:
                made = remote.call("message_customer", {"text": "Thanks."})
            except BythebookError:
                assert journal.read_bytes() == before
                assert remote.view().calls == 1
            room += 60

    assert made.ok
    assert room > 500
    assert journal.read_bytes().startswith(before)
    assert calls(journal) == 2


@pytest.fixture
def bare(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """A bythebook that comes without any content, given commands in an empty folder."""
    home = tmp_path / "bare"
    shutil.copytree(SRC, home / "bythebook", ignore=shutil.ignore_patterns("__pycache__"))
    (home / "empty").mkdir()
    paths = [str(home), *(path for path in sys.path if path.endswith("site-packages"))]
    env = {"PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}

    def given(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", PLAYER, *words],
            cwd=home / "empty", env=env, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip

    return given


def test_a_player_needs_no_content_and_sees_none(
    own: Path, tmp_path: Path, bare: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    with served(own, tmp_path) as (_process, url):
        tasks = bare("tasks")
        looked = bare("act", url)
        read = bare("act", url, "read_document", '{"id": "visitor-pass-policy-v2"}')
        named = bare("act", url, "no_such_tool")
        ended = bare("act", url, "finish", "--json")
        late = bare("act", url, "now")

    assert "the shipped content is missing" in tasks.stderr
    assert "# Your procedure" in looked.stdout, looked.stderr
    assert "# Visitor pass policy" in read.stdout
    assert named.stdout.startswith("refused: there is no tool 'no_such_tool'")
    assert json.loads(ended.stdout)["outcome"] == "completed(finished)"
    assert (late.returncode, "the run is over" in late.stderr) == (2, True)
    said = "".join(done.stdout + done.stderr for done in (looked, read, named, ended, late))
    for hidden in (TASK, str(tmp_path), "verdict", "Six hours", "passes_printed", "A visitor pass"):
        assert hidden not in said
    assert list((tmp_path / "bare" / "empty").iterdir()) == []
    assert (tmp_path / "runs" / TASK / "1" / "verdict.json").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can play as somebody else")
def test_another_user_plays_with_nothing_but_http_and_cannot_read_the_run(
    own: Path, tmp_path: Path
) -> None:
    def stranger(code: str, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["/usr/bin/env", "python3", "-I", "-c", code, *words],
            cwd="/", env={"PATH": os.defpath}, user=NOBODY, group=NOBODY, extra_groups=[],
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip

    with served(own, tmp_path) as (_process, url):
        looked = stranger(HTTP, url)
        called = stranger(HTTP, f"{url}/now", "{}")
        trace = tmp_path / "runs" / TASK / "1" / "trace.jsonl"
        peeked = stranger("import sys; open(sys.argv[1])", str(trace))

    assert "# Your procedure" in json.loads(looked.stdout)["instructions"], looked.stderr
    assert json.loads(called.stdout)["result"]["clock"] == "15:50"
    assert "PermissionError" in peeked.stderr
    assert calls(trace) == 1


def test_no_server_at_an_address_is_wrong_use(tmp_path: Path) -> None:
    done = bythebook("act", "http://127.0.0.1:9/secret", "now", cwd=tmp_path)

    assert done.returncode == 2
    assert "there is no server of bythebook at this address" in done.stderr
    assert "secret" not in done.stderr
