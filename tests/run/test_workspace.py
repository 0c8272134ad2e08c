"""Attempts at deliverables tasks by a scripted model over the wire: each ends as data or a limit,
nothing of the machine is seen, nothing hangs."""

import json
import shutil
from pathlib import Path
from time import monotonic
from typing import Any

import anyio
import pytest

from bythebook.deliverables.task import DeliverableTask
from bythebook.models.names import address
from bythebook.models.types import Settings
from bythebook.run.agents import Modelled
from bythebook.run.effort import Effort, collected, effort
from bythebook.run.folder import RunFolder
from bythebook.run.plan import Limits
from bythebook.run.players import Acting, Placing, Player
from bythebook.run.reach import Reach
from bythebook.run.traffic import Traffic
from bythebook.run.workspace import SCRATCH, Terms, attempt
from bythebook.trace import Header, Outcome, Trace, read_trace
from tests.deliverables.stall import stall
from tests.model_server import ModelServer, Say, Script, Use
from tests.sandbox.caged import caged

USUAL = Limits(agent_time=60, steps=200, pictures=3)


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> DeliverableTask:
    return stall(tmp_path_factory.mktemp("stall"))


@pytest.fixture
def place(tmp_path: Path, task: DeliverableTask) -> RunFolder:
    return RunFolder(tmp_path / task.id / "1", task.id, 1)


def header(task: DeliverableTask) -> Header:
    return Header(
        benchmark="0", suite=task.suite, task=task.id, run=1, agent="loop", scene="0" * 64
    )


def play(task: DeliverableTask, place: RunFolder, player: Player, limits: Limits) -> Outcome:
    terms = Terms(limits, "bubblewrap", secrets=(task.folder.parents[2],))

    async def once() -> Outcome:
        try:
            return await attempt(task, player, terms, place=place, header=header(task))
        finally:
            await player.close()

    return anyio.run(once)


def modelled(url: str) -> Acting:
    reach = Reach(address("local:scripted", f"{url}/v1"), "", Settings(), traffic=Traffic(1))
    return Acting(Modelled(reach, pictures=USUAL.pictures))


def scripted(
    task: DeliverableTask,
    place: RunFolder,
    script: Script,
    limits: Limits = USUAL,
) -> tuple[Trace, list[str]]:
    """The trace of one attempt, and every answer that the model was shown."""
    with ModelServer(script) as server:
        outcome = play(task, place, modelled(server.url), limits)
        answers = [answer for asked in server.asked for answer in asked.answers]
    trace = read_trace(place.trace)
    assert trace.closing is not None
    assert trace.closing.outcome == outcome
    assert not (place.root / SCRATCH).exists()
    return trace, answers


def commands(*lines: str, timeout: int = 20) -> list[Say]:
    """A model that runs these, one a turn, and is done."""
    calls = [Use("exec", {"command": line, "timeout": timeout}) for line in lines]
    return [*(Say(calls=(call,)) for call in calls), Say("Done.")]


def ended(trace: Trace) -> str:
    return str(trace.closing.outcome) if trace.closing is not None else "in flight"


def notes(trace: Trace, name: str) -> dict[str, Any]:
    (found,) = [json.loads(bytes(e.args)) for e in trace.events if e.name == name]
    return dict(found)


BOOK = """python3 - <<'END'
import openpyxl
book = openpyxl.load_workbook('sales.xlsx')
book.save('results/takings.xlsx')
END"""


@caged
def test_a_model_that_writes_a_workbook_with_python_hands_it_over(
    task: DeliverableTask, place: RunFolder
) -> None:
    read = Say("I look first.", calls=(Use("list_dir"), Use("read_file", {"path": "notice.md"})))
    trace, answers = scripted(task, place, [read, *commands(BOOK, "ls results")])
    assert ended(trace) == "completed(finished)"
    assert answers[0].startswith("_parsed/\nnotice.md  41\nquery/\nresults/\nsales.xlsx  ")
    assert "Tea costs 2.80" in answers[1]
    assert answers[-1] == "exit code 0\nstdout:\ntakings.xlsx"
    assert [file.name for file in collected(trace).files] == ["takings.xlsx"]
    assert (place.workspace / "results/takings.xlsx").read_bytes().startswith(b"PK")
    found = effort(trace)
    assert (found.turns, found.calls, found.errors, found.files) == (4, 4, 0, 1)
    assert found.by_tool == {"exec": 2, "list_dir": 1, "read_file": 1}
    assert found.tokens.input == 400


@caged
def test_the_model_is_told_the_layout_the_programs_and_the_task(
    task: DeliverableTask, place: RunFolder
) -> None:
    with ModelServer([Say("Done.")]) as server:
        play(task, place, modelled(server.url), Limits(steps=200))
    (asked,) = server.asked
    system, request = (message["content"] for message in asked.messages[:2])
    assert "/workspace" in system
    assert "openpyxl" in system
    assert "You have 200 turns." in system
    assert request == task.prompt
    assert asked.tools == ["read_file", "write_file", "edit_file", "list_dir", "glob", "exec"]


DRAW = """python3 - <<'END'
from PIL import Image
for number in range(5):
    Image.new("RGB", (40, 30), (number, 0, 0)).save(f"{number}.png")
END"""


@caged
def test_a_model_is_shown_pictures_the_older_of_which_give_room(
    task: DeliverableTask, place: RunFolder
) -> None:
    looks = [Say(calls=(Use("view_image", {"path": f"{number}.png"}),)) for number in range(5)]
    script = [*commands(DRAW)[:-1], *looks, Say("Done.")]
    with ModelServer(script) as server:
        play(task, place, modelled(server.url), USUAL)
    assert "view_image" in server.asked[0].tools
    seen = [str(asked.body).count("data:image/png;base64,") for asked in server.asked]
    assert seen == [0, 0, 1, 2, 3, 2, 3]
    trace = read_trace(place.trace)
    (answer,) = [e for e in trace.events if b"3.png" in bytes(e.args)]
    assert b"3.png is shown: 40 x 30 pixels" in bytes(answer.result)
    assert notes(trace, "stubbed") == {"pictures": 2, "left": 2}


@caged
def test_the_trace_holds_what_was_asked_found_said_done_and_left(
    task: DeliverableTask, place: RunFolder
) -> None:
    trace, _ = scripted(task, place, commands("rm notice.md; echo x > a; ln -s /etc results/e"))
    kinds = [(event.actor, event.kind, event.name) for event in trace.events]
    assert kinds == [
        ("customer", "message", "task"),
        ("company", "note", "workspace"),
        ("agent", "note", "usage"),
        ("agent", "call", "exec"),
        ("agent", "note", "usage"),
        ("agent", "message", "words"),
        ("company", "note", "inputs"),
        ("company", "note", "collected"),
    ]
    about = notes(trace, "workspace")
    assert sorted(about["inputs"]) == ["notice.md", "sales.xlsx"]
    assert (about["sandbox"], "openpyxl" in about["python"]) == ("bubblewrap", True)
    assert notes(trace, "inputs") == {"touched": [{"name": "notice.md", "what": "deleted"}]}
    assert collected(trace).refused[0].why == "a link to /etc"


PRYING = (
    "cat /etc/shadow",
    "cat ../../rubric.yaml ../../../*/rubric.yaml",
    "find / -name 'rubric*' -not -path '/proc/*' 2>/dev/null",
    "python3 -c \"import urllib.request; urllib.request.urlopen('http://127.0.0.1:{port}')\"",
    "cat /proc/1/environ /proc/self/mountinfo | tr '\\0' ' ' | grep -i -e key -e {folder}/rubric",
)


@caged
def test_what_an_agent_pries_for_is_not_there(task: DeliverableTask, place: RunFolder) -> None:
    with ModelServer([]) as bait:
        port = bait.url.rpartition(":")[2]
        lines = [line.format(port=port, folder=task.folder.name) for line in PRYING]
        reads = [Use("read_file", {"path": path}) for path in ("/etc/passwd", "../../rubric.yaml")]
        trace, answers = scripted(task, place, [Say(calls=tuple(reads)), *commands(*lines)])
        assert bait.count == 0
    assert all("can be reached" in answer for answer in answers[:2])
    assert "No such file" in answers[2]
    assert "stdout" not in "".join(answers[2:])
    assert ended(trace) == "completed(finished)"
    assert effort(trace).errors == 2


@caged
def test_a_fork_bomb_a_huge_file_and_a_flood_are_answers_like_any_other(
    task: DeliverableTask, place: RunFolder
) -> None:
    bomb = "b() { b | b & }; b 2>/dev/null; sleep 1"
    huge = "head -c 10G /dev/zero > big; ls -s --block-size=G big | cut -d' ' -f1; rm big"
    trace, answers = scripted(task, place, commands(bomb, huge, "yes", "echo still here"))
    assert answers[1].startswith("exit code 0\nstdout:\n1G\n")
    assert answers[2].startswith("killed: it wrote more than")
    assert len(answers[2]) < 20_000
    assert answers[3] == "exit code 0\nstdout:\nstill here"
    assert ended(trace) == "completed(finished)"


@caged
def test_a_link_to_a_file_of_the_machine_is_not_handed_over(
    task: DeliverableTask, place: RunFolder
) -> None:
    made = "ln -s /etc/passwd results/takings.xlsx; mkfifo results/pipe; ln -s / results/all"
    trace, _ = scripted(task, place, commands(made))
    assert collected(trace).files == ()
    assert [one.name for one in collected(trace).refused] == ["all", "pipe", "takings.xlsx"]
    assert list((place.workspace / "results").iterdir()) == []


LEFT = """
ln -s / results/all; ln -s ../../../../etc results/up; ln -s results/none gone
mkfifo results/pipe pipe; mknod results/disk b 259 0; mknod results/null c 1 3
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("results/socket")'
truncate -s 10G results/ten; truncate -s 1000M results/sparse; truncate -s 1000M sparse
mkdir results/shut; echo 1 > results/shut/a.txt; chmod 0 results/shut; chmod 0 query
touch "results/new
line" results/fine.txt
(setsid bash -c 'b() { b | b & }; sleep 1; b' &) >/dev/null 2>&1
python3 -c '
import os
for top in ("results", "."):
    os.chdir(top)
    for number in range(40):
        os.mkdir("d" * 200); os.chdir("d" * 200)
    os.chdir("/workspace")
'
echo done
"""


@caged
def test_whatever_is_left_is_contained_and_the_run_is_recorded(
    task: DeliverableTask, place: RunFolder
) -> None:
    trace, (answer,) = scripted(task, place, commands(LEFT))
    assert "done" in answer or answer.startswith("killed: its files take more"), answer
    assert ended(trace) == "completed(finished)"
    found = collected(trace)
    sizes = {file.name: file.size for file in found.files}
    assert sizes == {"fine.txt": 0, "new\nline": 0, "shut/a.txt": 2, "ten": 0}  # it never grew
    why = {one.name: one.why for one in found.refused}
    assert {"all", "up", "pipe", "socket", "sparse"} <= why.keys()
    assert "folders nested too deep" in why.values()
    for path in place.workspace.rglob("*"):
        assert path.is_dir() or path.is_file(), path
        assert not path.is_symlink(), path


@caged
def test_a_command_that_kills_its_parents_kills_nobody(
    task: DeliverableTask, place: RunFolder
) -> None:
    trace, answers = scripted(task, place, commands("kill -9 $PPID 1 -1; echo alive"))
    assert "alive" in answers[0]
    assert ended(trace) == "completed(finished)"


@caged
def test_an_agent_that_sleeps_for_ever_ends_at_the_limit_of_its_own_time(
    task: DeliverableTask, place: RunFolder
) -> None:
    began = monotonic()
    script = commands(*["echo 1 > results/a.txt; sleep 1000"] * 9, timeout=600)
    trace, _ = scripted(task, place, script, Limits(agent_time=2, steps=200))
    assert ended(trace) == "limit(agent_time)"
    assert monotonic() - began < 20
    last = [event for event in trace.events if event.kind == "call"][-1]
    assert bytes(last.result) == b'"(broken off)"'
    assert [file.name for file in collected(trace).files] == ["a.txt"]


@caged
def test_the_turns_of_an_agent_are_counted_and_limited(
    task: DeliverableTask, place: RunFolder
) -> None:
    script = commands(*["true"] * 9)
    trace, _ = scripted(task, place, script, Limits(steps=3))
    assert ended(trace) == "limit(steps)"
    assert effort(trace).turns == 3


@caged
def test_too_many_refused_calls_end_it(task: DeliverableTask, place: RunFolder) -> None:
    calls = tuple(Use("read_file", {"path": "none"}) for _ in range(5))
    trace, _ = scripted(task, place, [Say(calls=calls)] * 20, Limits(tool_errors=7))
    assert ended(trace) == "limit(tool_errors)"
    assert effort(trace).calls == 7


@caged
def test_two_empty_turns_end_it_and_words_cut_off_do_not(
    task: DeliverableTask, place: RunFolder
) -> None:
    cut = Say("I begin wi", stop="length")
    trace, _ = scripted(task, place, [cut, Say(calls=(Use("list_dir"),)), Say(), Say()])
    assert ended(trace) == "completed(finished)"
    assert effort(trace).turns == 4
    assert effort(trace).length_stops == 1


@caged
def test_a_provider_that_fails_is_nobodys_failure(task: DeliverableTask, place: RunFolder) -> None:
    trace, _ = scripted(task, place, [])
    assert ended(trace) == "infrastructure_failure(provider)"


@caged
def test_a_sandbox_that_breaks_is_nobodys_failure(task: DeliverableTask, place: RunFolder) -> None:
    def saboteur(asked: Any) -> Say:
        shutil.rmtree(place.root / SCRATCH)
        return Say(calls=(Use("exec", {"command": "true"}),))

    trace, _ = scripted(task, place, [saboteur])
    assert ended(trace) == "infrastructure_failure(sandbox)"


def placed(task: DeliverableTask, place: RunFolder, agent: str) -> list[str]:
    """The files that an agent without a model leaves."""
    assert str(play(task, place, Placing(agent), Limits())) == "completed(finished)"
    return [file.name for file in collected(read_trace(place.trace)).files]


def test_agents_without_a_model_put_their_files_there(
    task: DeliverableTask, place: RunFolder
) -> None:
    wanted = {
        "reference": ["note.docx", "takings.xlsx"],
        "reference-2": ["note.docx", "takings.xlsx"],
        "untouched": ["notice.md", "sales.xlsx"],
        "renamed": ["note.docx", "takings.xlsx"],
        "empty": [],
        "skeleton": ["note.docx", "takings.xlsx"],
    }
    for number, (agent, files) in enumerate(wanted.items()):
        assert placed(task, RunFolder(place.root / str(number), task.id, 1), agent) == files


def test_a_reference_is_handed_over_to_the_byte(task: DeliverableTask, place: RunFolder) -> None:
    placed(task, place, "reference")
    for path in task.reference.iterdir():
        assert (place.workspace / "results" / path.name).read_bytes() == path.read_bytes()


def test_figures_of_a_run_without_anything_are_zero(
    task: DeliverableTask, place: RunFolder
) -> None:
    placed(task, place, "empty")
    found = effort(read_trace(place.trace))
    assert isinstance(found, Effort)
    assert (found.turns, found.calls, found.files, found.bytes) == (1, 0, 0, 0)
