"""The guard between a client that speaks MCP and a server, on standard streams and by HTTP."""

import json
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp.client.stdio import StdioServerParameters

from bythebook.serve.seat import Response
from tests.guard.desk import RULES
from tests.own import BYTHEBOOK, bythebook
from tests.serve.hands import GoldenHand, Program, program, served
from tests.tasks.shipped import shipped_task

SHIPPED = "q24-net-delivery"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "shop.yaml"
    path.write_text(RULES)
    return path


def guarded(rules: Path, *words: str, more: int = 0) -> StdioServerParameters:
    """The guard in place of the shop's own command."""
    shop = [sys.executable, "-m", "tests.guard.shop_program", str(more)]
    kept = ["--journal", str(rules.with_name("journal.jsonl"))]
    line = ["guard", "--criteria", str(rules), *kept, *words, "--", *shop]
    return StdioServerParameters(
        command=str(BYTHEBOOK), args=line, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}
    )


def journal(rules: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in rules.with_name("journal.jsonl").read_bytes().splitlines()]


@pytest.mark.parametrize("era", ["auto", "legacy"])
def test_calls_pass_or_are_refused_with_the_rules_sentence(era: str, rules: Path) -> None:
    with program(guarded(rules), era) as there:
        early = there.call("refund", {"id": "7"})
        shown = there.call("get_order", {"id": "7"})
        refund = there.call("refund", {"id": "7"})

    assert not early.ok
    assert "An order is looked up before it is refunded (Refunds#1)" in early.text
    assert (shown.ok, refund.ok) == (True, True)
    verdicts = [line["verdict"] for line in journal(rules) if "ask" in line]
    assert verdicts == ["refuse", "pass", "pass"]
    results = [json.loads(line["result"])["status"] for line in journal(rules) if "did" in line]
    assert results == ["delivered", "delivered"]


def test_a_rule_reads_what_the_server_answered(rules: Path) -> None:
    with program(guarded(rules)) as there:
        there.call("get_order", {"id": "8"})
        refund = there.call("refund", {"id": "8"})

    assert "Only a delivered order is refunded" in refund.text


def test_in_mode_log_every_call_reaches_the_server(rules: Path) -> None:
    with program(guarded(rules, "--mode", "log")) as there:
        refund = there.call("refund", {"id": "7"})

    assert refund.ok
    assert [line["verdict"] for line in journal(rules) if "ask" in line] == ["log"]


def test_six_hundred_tools_are_listed_as_they_are(rules: Path) -> None:
    with program(guarded(rules, more=600)) as there:
        tools = there.asked("list_tools").tools
        last = there.call("tool_599", {"text": "\U0001f600 and ünïcode"})

    assert len(tools) == 604
    assert tools[-1].name == "tool_599"
    assert tools[-1].description == "To tool_599. " * 20
    assert last.result == "tool_599 was done"


def test_a_journal_is_replayed_from_the_command_line(rules: Path) -> None:
    with program(guarded(rules)) as there:
        there.call("refund", {"id": "7"})
        there.call("get_order", {"id": "7"})
    path = rules.with_name("journal.jsonl")
    same = bythebook("guard", "--criteria", rules, "--replay", path, cwd=ROOT)
    path.write_text(
        path.read_text().replace('"refuse"', '"pass"').replace('"mode":"pass"', '"mode":"refuse"')
    )
    other = bythebook("guard", "--criteria", rules, "--replay", path, cwd=ROOT)

    assert (same.returncode, other.returncode) == (0, 1)
    assert "1 call passed, 1 refused" in same.stderr
    assert "call 0: was pass" in other.stderr


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"not json", -32700),
        (b"[]", -32600),
        (b'[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wipe"}}]', -32600),
    ],
)
def test_what_the_guard_does_not_understand_goes_no_further(
    sent: bytes, code: int, rules: Path
) -> None:
    (answer,) = through_cat(rules, sent)
    assert answer["error"]["code"] == code


def test_a_message_has_one_meaning_on_both_sides(rules: Path) -> None:
    """Of a name that is given twice the guard and the server read the same one."""
    sent = b'{"id":1,"method":"tools/call","params":{"name":"wipe","name":"get_order"}}'
    (heard,) = through_cat(rules, sent)
    assert heard == {"id": 1, "method": "tools/call", "params": {"name": "get_order"}}


def through_cat(rules: Path, sent: bytes) -> list[dict[str, Any]]:
    """What comes back when the server is an echo."""
    done = subprocess.run(
        [BYTHEBOOK, "guard", "--criteria", rules, "--", "cat"],
        input=sent + b"\n", capture_output=True, check=True, timeout=60,
    )  # fmt: skip
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_refused_call_never_reaches_the_server(rules: Path) -> None:
    call = {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "wipe"}}
    (answer,) = through_cat(rules, json.dumps(call).encode())

    assert answer["id"] == 5
    assert "Nothing is wiped" in answer["result"]["content"][0]["text"]


def test_a_server_that_dies_is_our_failure_and_its_call_is_lost(rules: Path) -> None:
    with pytest.raises(BaseException), program(guarded(rules)) as there:  # noqa: B017, PT011 - whatever a client makes of a server that is gone
        there.call("break", {})

    assert [line["lost"] for line in journal(rules) if "lost" in line] == [0]


def test_a_guard_whose_server_ends_first_ends_with_it_and_says_so(rules: Path) -> None:
    """The client is still there, and says nothing."""
    line = [str(BYTHEBOOK), "guard", "--criteria", str(rules), "--", "true"]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as guard:
        assert guard.stderr is not None
        said = guard.stderr.read().decode()
        assert guard.wait(60) == 3

    assert "error: true: the server ended while its client was there" in said
    assert "Fatal" not in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--criteria", "shop.yaml"), "name one server to guard"),
        (("--criteria", "shop.yaml", "--http", "http://x", "--", "cat"), "name one server"),
        (("--criteria", "tau2-airlin", "--", "cat"), "did you mean 'tau2-airline'?"),
        (("--criteria", "q24-net-delivry", "--", "cat"), "did you mean 'q24-net-delivery'?"),
        (("--criteria", "q", "--", "cat"), "task 'q' is not one task"),
        (("--criteria", "nothing", "--", "cat"), "no conduct task 'nothing'"),
        (("--criteria", "nothing", "--", "cat"), "packs: tau1-airline"),
        (("--criteria", "nowhere.yaml", "--", "cat"), "nowhere.yaml: no such file"),
        (
            ("--criteria", "shop.yaml", "--", "no-such-program"),
            "no-such-program: cannot be started",
        ),
        (("--criteria", "shop.yaml", "--replay", "nowhere"), "nowhere: no such file"),
        *(
            (("--criteria", "shop.yaml", "--http", address), "is no address of a server")
            for address in ("localhost:8000", "http://", "http://[", "http://h:99999/mcp")
        ),
    ],
)
def test_wrong_use_is_told(words: tuple[str, ...], says: str, rules: Path) -> None:
    done = bythebook("guard", *words, cwd=rules.parent)

    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr


def test_a_pack_says_which_rules_are_set_aside(tmp_path: Path) -> None:
    done = bythebook("guard", "--criteria", "tau2-retail", "--", "true", cwd=tmp_path)

    assert "set aside, because words are not heard over MCP: " in done.stderr
    assert "the server ended while its client was there" in done.stderr or not done.returncode


# --- by HTTP, and a whole task ------------------------------------------------------------------


@contextmanager
def by_http(criteria: str, url: str, cwd: Path, *words: str) -> Iterator[str]:
    line = ["guard", "--criteria", criteria, "--http", url, "--journal", "j.jsonl"]
    with subprocess.Popen(
        [str(BYTHEBOOK), *line, *words],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


@pytest.mark.parametrize("era", ["auto", "legacy"])
def test_a_golden_plays_through_the_guard_to_its_verdict(era: str, tmp_path: Path) -> None:
    with (
        served(None, tmp_path, name=SHIPPED) as (_, url),
        by_http(SHIPPED, f"{url}/mcp", tmp_path) as guard,
        program(guard, era) as there,
    ):
        last = GoldenHand(shipped_task(SHIPPED)).play(there)

    assert last is not None
    assert last.outcome == "completed(finished)"
    verdict = json.loads((tmp_path / "runs" / SHIPPED / "1" / "verdict.json").read_bytes())
    assert verdict["strict"] is True
    asked = [json.loads(line) for line in (tmp_path / "j.jsonl").read_bytes().splitlines()]
    assert {line["verdict"] for line in asked if "ask" in line} == {"pass"}
    assert not [line for line in asked if "astray" in line]
    replay = bythebook("guard", "--criteria", SHIPPED, "--replay", "j.jsonl", cwd=tmp_path)
    assert replay.returncode == 0, replay.stderr


def test_a_shortcut_is_stopped_by_http_and_the_company_never_hears_of_it(tmp_path: Path) -> None:
    task = shipped_task(SHIPPED)
    with (
        served(None, tmp_path, name=SHIPPED) as (_, url),
        by_http(SHIPPED, f"{url}/mcp", tmp_path) as guard,
        program(guard) as there,
    ):
        refusal = refused(GoldenHand(task, "shortcut"), there)

    assert "was not called, because it would break a rule: " in refusal.text
    trace = (tmp_path / "runs" / SHIPPED / "1" / "trace.jsonl").read_text()
    asked = [json.loads(line) for line in (tmp_path / "j.jsonl").read_bytes().splitlines()]
    passed = [line for line in asked if line.get("verdict") == "pass"]
    assert trace.count('"kind":"call"') == len(passed)


def refused(hand: GoldenHand, there: Program) -> Response:
    """Play until a call is refused by the guard."""
    for _ in range(200):
        response = hand.play(there, 1)
        assert response is not None
        if "it would break a rule" in response.text:
            return response
    raise AssertionError("nothing was refused")


def test_a_server_that_is_not_there_is_told_and_the_call_is_lost(
    rules: Path, tmp_path: Path
) -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_order"}}'
    with by_http(str(rules), "http://127.0.0.1:9/mcp", tmp_path) as guard:
        with pytest.raises(urllib.error.HTTPError) as told:
            urllib.request.urlopen(urllib.request.Request(guard, body), timeout=30)
        assert told.value.code == 502
        assert b"the server cannot be reached" in told.value.read()
        told.value.close()

    lines = [json.loads(line) for line in (tmp_path / "j.jsonl").read_bytes().splitlines()]
    assert [line["lost"] for line in lines if "lost" in line] == [0]
