"""A run played over MCP by the official client, from servers that the command line starts."""

import json
import os
import resource
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

from bythebook.agents.protocol import Call
from bythebook.conduct.task import ConductTask
from bythebook.serve.hand import business_tools
from bythebook.serve.remote import Remote
from bythebook.serve.seat import Response, Seat, View
from tests.own import BYTHEBOOK, TASK, bythebook, own_content, own_task
from tests.serve.hands import TOKEN, GoldenHand, Program, new_run, program, seated, served
from tests.tasks.shipped import shipped_task

SHIPPED = "q03-acacia-durian"
ENDED = "completed(finished)"

eras = pytest.mark.parametrize("era", ["auto", "legacy"])
"""The protocol without and with its handshake."""


def stdio(cwd: Path, name: str, *words: str) -> StdioServerParameters:
    line = ["serve", "conduct", name, "--to", "runs", *words]
    return StdioServerParameters(command=str(BYTHEBOOK), args=line, cwd=cwd)


def verdict(cwd: Path, task: str = TASK) -> Any:
    return json.loads((cwd / "runs" / task / "1" / "verdict.json").read_bytes())


def journal(cwd: Path, task: str = TASK) -> bytes:
    return (cwd / "runs" / task / "1" / "trace.jsonl").read_bytes()


@pytest.fixture(scope="session")
def undisturbed(task: ConductTask, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The journal that the golden of one's own task leaves."""
    place = new_run(task, tmp_path_factory.mktemp("undisturbed"))
    with seated(task, place) as session:
        GoldenHand(task).play(session)
    return place.trace.read_bytes()


# --- a whole run --------------------------------------------------------------------------------


class Direct:
    """A seat at which business tools are called by their own names."""

    def __init__(self, there: Program) -> None:
        self.there = there

    def view(self) -> View:
        return self.there.view()

    def call(self, name: str, args: Mapping[str, Any]) -> Response:
        if name == "call_tool":
            return self.there.call(args["name"], args["arguments"])
        return self.there.call(name, args)


def test_a_shipped_golden_over_http_passes_strictly(tmp_path: Path) -> None:
    with served(None, tmp_path, name=SHIPPED) as (_, url), program(f"{url}/mcp") as there:
        last = GoldenHand(shipped_task(SHIPPED)).play(there)

    assert last is not None
    assert last.outcome == ENDED
    assert verdict(tmp_path, SHIPPED)["strict"] is True


@eras
def test_a_shipped_golden_on_standard_streams_passes_strictly(era: str, tmp_path: Path) -> None:
    """With all tools, each by its own name."""
    with program(stdio(tmp_path, SHIPPED, "--tools", "all"), era) as there:
        last = GoldenHand(shipped_task(SHIPPED)).play(Direct(there))

    assert last is not None
    assert last.outcome == ENDED
    assert verdict(tmp_path, SHIPPED)["strict"] is True
    assert b'"name":"call_tool"' not in journal(tmp_path, SHIPPED)


def test_a_run_over_mcp_leaves_the_same_bytes(
    task: ConductTask, own: Path, tmp_path: Path, undisturbed: bytes
) -> None:
    with served(own, tmp_path) as (_, url), program(f"{url}/mcp") as there:
        GoldenHand(task).play(there)

    assert journal(tmp_path) == undisturbed


# --- what a program is told ---------------------------------------------------------------------


@eras
def test_a_program_is_told_the_procedure_and_the_customers_words(
    era: str, own: Path, tmp_path: Path
) -> None:
    with served(own, tmp_path) as (_, url), program(f"{url}/mcp", era) as there:
        view = Remote(url).view()
        instructions = there.client.instructions or ""
        (message,) = there.asked("get_prompt", "begin").messages
        (briefing,) = there.asked("read_resource", "desk://briefing").contents
        there.call("message_customer", {"text": "How long will she stay?"})
        (standing,) = there.asked("read_resource", "desk://standing").contents
        offered = there.asked("list_tools").tools

    assert view.instructions in briefing.text
    assert briefing.text.endswith(view.request.strip())
    assert "# Your procedure" in briefing.text
    assert briefing.text == message.content.text
    assert instructions.startswith("All of this is in the prompt `begin`")
    assert instructions.endswith(briefing.text)
    assert "(t=0) You: How long will she stay?" in standing.text
    assert "The customer: She arrives at half past four" in standing.text
    assert "1 calls were made" in standing.text
    assert [tool.name for tool in offered] == [tool.name for tool in view.tools]
    said = instructions + standing.text + "".join(tool.description for tool in offered)
    for hidden in (TASK, str(tmp_path), "verdict", "bythebook"):
        assert hidden not in said


def test_all_tools_are_offered_beside_the_base_tools(tmp_path: Path) -> None:
    business = business_tools(shipped_task(SHIPPED))
    with program(stdio(tmp_path, SHIPPED, "--tools", "all")) as there:
        offered = {tool.name: tool for tool in there.asked("list_tools").tools}
        instructions = there.client.instructions or ""
        one = there.call("list_reserves", {"owner": 5})

    assert len(offered) == len(business) + 10
    for tool in business:
        there_too = offered[tool.name]
        assert there_too.description == tool.doc
        assert there_too.input_schema == json.loads(json.dumps(tool.schema))
    assert "Business tools are offered by their own names" in instructions
    assert not one.ok
    plan = json.loads((tmp_path / "runs" / "plan.json").read_bytes())
    assert plan["settings"] == {"tools": "all"}


def test_a_folder_is_of_one_set_of_tools(own: Path, tmp_path: Path) -> None:
    line = ("serve", "conduct", TASK, "--content", own, "--to", "runs")
    first = bythebook(*line, "--tools", "all", cwd=tmp_path)
    other = bythebook(*line, cwd=tmp_path)

    assert first.returncode == 0, first.stderr
    assert other.returncode == 2
    assert 'settings was {"tools":"all"}, is now {}' in other.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--token", TOKEN), "--json and --token go with --http"),
        (("--json",), "--json and --token go with --http"),
        (("--http", "--token", "short"), "a token has 8 letters and digits at least"),
        (("--tools", "all", "--condition", "without:tool-search"), "keeps from being found"),
        (("--tools", "some"), "'some' is not one of 'base', 'all'"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    own: Path, tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    done = bythebook("serve", "conduct", TASK, "--content", own, *words, cwd=tmp_path)

    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert not (tmp_path / "runs").exists()


# --- calls that are wrong -----------------------------------------------------------------------


@pytest.fixture
def there(own: Path, tmp_path: Path) -> Iterator[Program]:
    with program(stdio(tmp_path, TASK, "--content", str(own))) as there:
        yield there


def test_what_a_program_gets_wrong_is_answered_and_counted(there: Program, tmp_path: Path) -> None:
    wrong = {
        "there is no tool 'search_document'": Call("search_document", {"query": "x"}),
        "draft_pass: Expected `int`": Call("draft_pass", {"hours": "6"}),
        "now: Object contains unknown field": Call("now", {"day": 1}),
        "name: which tool?": Call("call_tool", {}),
        "a pass": Call(
            "draft_pass", {"visitor": "I", "host": "X", "day": "2025-10-14", "hours": 99}
        ),
        "read_document: Object missing required field": Call("read_document", {}),
    }
    for says, call in wrong.items():
        response = there.call(call.name, call.args)
        assert not response.ok, call
        assert says in response.text

    events = [json.loads(line) for line in journal(tmp_path).splitlines()[1:]]
    calls = [event for event in events if event.get("kind") == "call"]
    assert [event["ok"] for event in calls] == [False] * len(wrong)


def test_fifty_errors_end_a_run_and_the_program_is_told(there: Program) -> None:
    answers = [there.call("no_such_tool", {}) for _ in range(51)]

    assert {answer.outcome for answer in answers[:49]} == {None}
    assert answers[49].outcome == "limit(tool_errors)"
    assert answers[50].text.startswith("the run is over: limit(tool_errors)")


def test_a_run_that_is_over_says_so_and_takes_no_more_calls(there: Program, tmp_path: Path) -> None:
    ended = there.call("finish", {"summary": "Only looked."})
    before = journal(tmp_path)
    late = there.call("now", {})
    (standing,) = there.asked("read_resource", "desk://standing").contents

    assert (ended.text, ended.outcome) == ("finished", ENDED)
    assert (late.ok, late.text) == (False, f"the run is over: {ENDED}")
    assert f"The run is over: {ENDED}, after 1 calls." in standing.text
    assert journal(tmp_path) == before
    assert verdict(tmp_path)["goal"] is False


# --- several at once, and ends in the middle ----------------------------------------------------


def ten_minutes(seat: Seat) -> None:
    for _ in range(10):
        seat.call("wait", {"minutes": 1})


def test_two_programs_and_a_plain_client_share_one_run(own: Path, tmp_path: Path) -> None:
    with (
        served(own, tmp_path) as (_, url),
        program(f"{url}/mcp") as one,
        program(f"{url}/mcp", "legacy") as two,
    ):
        seats: list[Seat] = [one, two, Remote(url)]
        threads = [threading.Thread(target=ten_minutes, args=(seat,)) for seat in seats]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        view = Remote(url).view()

    assert (view.t, view.calls) == (30, 30)
    lines = [json.loads(line) for line in journal(tmp_path).splitlines()[1:]]
    assert [line["i"] for line in lines] == list(range(len(lines)))


def test_a_program_that_hangs_up_in_the_middle_leaves_a_whole_run(
    task: ConductTask, own: Path, tmp_path: Path
) -> None:
    """Its call was made or was not; the next program goes on from there."""
    body = json.dumps(
        {
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "wait", "arguments": {"minutes": 1}},
        }
    )  # fmt: skip
    head = (
        f"POST /{TOKEN}/mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        f"Accept: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with served(own, tmp_path) as (process, url):
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", urlsplit(url).port or 0)) as wire:
                wire.sendall((head + body).encode())
        view = Remote(url).view()
        with program(f"{url}/mcp") as there:
            after = there.call("wait", {"minutes": 1})
        assert process.poll() is None

    assert after.result.endswith(f'"t":{view.t + 1}}}')
    assert 0 <= view.calls <= 20
    assert journal(tmp_path).count(b'"name":"wait"') == view.calls + 1


@pytest.fixture(scope="session")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Content with a tool that says who carries it out, and does not end while it is held."""
    folder = own_content(tmp_path_factory.mktemp("slow"))
    desk = folder / "company" / "desks" / "passes.py"
    wait = """\
    import os, pathlib, time
    if os.path.exists("hold"):
        pathlib.Path("begun.new").write_text(str(os.getpid()))
        os.rename("begun.new", "begun")
    while os.path.exists("hold"):
        time.sleep(0.005)
"""
    first = "    if not 1 <= hours"
    desk.write_text(desk.read_text().replace(first, wait + first, 1))
    return folder


class Killed:
    """A seat whose server is killed in the middle of one call, which is then made again."""

    def __init__(self, cwd: Path, way: Callable[[], AbstractContextManager[Program]]) -> None:
        """`way` leads a client to a server, which it starts."""
        self._cwd, self._way = cwd, way
        self._stack = ExitStack()
        self._there = self._stack.enter_context(way())
        self.lost = ""
        """What the client was told of the call."""

    def view(self) -> View:
        return self._there.view()

    def call(self, name: str, args: Mapping[str, Any]) -> Response:
        if (name, args.get("name")) == ("call_tool", "draft_pass") and not self.lost:
            self._be_killed(name, args)
            self._there = self._stack.enter_context(self._way())
        return self._there.call(name, args)

    def _be_killed(self, name: str, args: Mapping[str, Any]) -> None:
        begun, hold = self._cwd / "begun", self._cwd / "hold"
        hold.touch()
        made = threading.Thread(target=self._lose, args=(name, args))
        made.start()
        while not begun.exists():
            made.join(0.01)
            assert made.is_alive(), self.lost
        os.kill(int(begun.read_text()), signal.SIGKILL)
        made.join()
        hold.unlink()
        # By HTTP the client breaks with the connection.
        with suppress(ExceptionGroup):
            self._stack.close()

    def _lose(self, name: str, args: Mapping[str, Any]) -> None:
        try:
            self._there.call(name, args)
        except BaseException as error:  # noqa: BLE001 - whatever a client makes of it
            self.lost = repr(error)

    def leave(self) -> None:
        self._stack.close()


@pytest.mark.parametrize("way", ["http", "streams"])
@eras
def test_a_server_killed_in_the_middle_of_a_call_goes_on_with_the_run(
    way: str, era: str, slow: Path, tmp_path: Path
) -> None:
    @contextmanager
    def by_http() -> Iterator[Program]:
        with served(slow, tmp_path) as (_, url), program(f"{url}/mcp", era) as there:
            yield there

    def by_streams() -> AbstractContextManager[Program]:
        return program(stdio(tmp_path, TASK, "--content", str(slow)), era)

    killed = Killed(tmp_path, by_http if way == "http" else by_streams)
    last = GoldenHand(own_task(slow)).play(killed)
    killed.leave()

    assert killed.lost
    assert last is not None
    assert last.outcome == ENDED
    check_undisturbed(slow, tmp_path)


def check_undisturbed(content: Path, cwd: Path) -> None:
    """One run, as if nothing had happened."""
    task = own_task(content)
    place = new_run(task, cwd / "undisturbed")
    with seated(task, place) as session:
        GoldenHand(task).play(session)
    assert journal(cwd) == place.trace.read_bytes()
    assert verdict(cwd)["strict"] is True
    assert len(list((cwd / "runs" / TASK).iterdir())) == 1


def test_our_own_failure_is_no_answer_of_a_tool(own: Path, tmp_path: Path) -> None:
    """The disk is full: the call was not made, and the program does not take it for a refusal."""
    with served(own, tmp_path) as (process, url), program(f"{url}/mcp") as there:
        there.call("now", {})
        before = journal(tmp_path)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (len(before) + 10, -1))
        with pytest.raises(MCPError, match="the server failed"):
            there.call("now", {})
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (-1, -1))
        assert journal(tmp_path) == before
        assert there.call("now", {}).ok
