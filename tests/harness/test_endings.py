"""Whatever ends a harness, its run ends as docs/harness.md says: the table there is what is tested.

Each cell is a run of the harness itself, in the sandbox, behind the gateway.
"""

import os
import re
import signal
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from bythebook.gateway.exchange import Terms
from bythebook.harness.outcome import outcome
from bythebook.models.patience import Patience
from tests.harness.brought import MAIN
from tests.harness.stage import stage
from tests.harness.test_turns import PROVIDERS, SHELLS
from tests.model_server import Asked, Hang, ModelServer, Say, Spoken, Use, fault, full
from tests.models.wiring import QUICK

PAGE = Path(__file__).parents[2] / "docs" / "harness.md"
ROW = re.compile(r"^\| (?P<cause>[^|]+?) \| (?P<ends>`.*`) \|$", re.M)

IMPATIENT = Patience(attempts=2, first=0.01, longest=0.02, longest_after=1, timeout=0.5)

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(900)]


def kill_from_outside(asked: Asked) -> Spoken:
    """While it waits for its first reply: all below this process but what is bubblewrap's."""
    for process in below(os.getpid()):
        if Path(f"/proc/{process}/comm").read_text() != "bwrap\n":
            os.kill(process, signal.SIGKILL)
    return Say("Too late.")


def below(process: int) -> Iterator[int]:
    for tasks in Path(f"/proc/{process}/task").glob("*/children"):
        for child in map(int, tasks.read_text().split()):
            yield child
            yield from below(child)


@dataclass(frozen=True)
class Cause:
    """What a run meets."""

    says: str
    """The model's part: words, a fault, a command for the harness's shell, or nothing ever."""
    reply: Spoken | Callable[[Asked], Spoken] | str
    steps: int = 20
    seconds: float = 90
    patience: Patience = QUICK


KILL = "for p in /proc/[0-9]*; do n=${p#/proc/}; [ $n -gt 1 ] && [ $n != $$ ] && kill -9 $n; done"
"""All of a sandbox but the shell that says so: some refuse to kill their own parent."""

CAUSES = (
    Cause("the model's work is done", Say("All is done.")),
    Cause("the model answers without words", Say("")),
    Cause("the provider answers 401", fault(401, "bad key")),
    Cause("the provider answers 500", fault(500, "boom")),
    Cause("the provider never answers", Hang(), patience=IMPATIENT),
    Cause("the context is full", full),
    Cause("the model never stops", "true", steps=3),
    Cause("a command never stops", "tail -f /dev/null", seconds=4),
    Cause("a command kills the harness", KILL),
    Cause("the harness is killed from outside", kill_from_outside),
)


def table() -> Mapping[tuple[str, str], str]:
    """The page's table: harness and cause to outcome."""
    found = PAGE.read_text("utf-8").partition("| What happens |")[2]
    return {
        (name, row["cause"]): end.strip("` ")
        for row in ROW.finditer(found)
        for name, end in zip(MAIN, row["ends"].split("|"), strict=True)
    }


def test_the_table_tells_each_harness_and_each_cause_once() -> None:
    assert sorted(table()) == sorted((name, cause.says) for name in MAIN for cause in CAUSES)


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.says.replace(" ", "-"))
@pytest.mark.parametrize("name", MAIN)
async def test_it_ends_as_the_page_says(name: str, cause: Cause, tmp_path: Path) -> None:
    shell, argument = SHELLS[name]

    def speak(asked: Asked) -> Spoken:
        if isinstance(cause.reply, str):
            return Say(calls=(Use(shell, {argument: cause.reply}),))
        return cause.reply(asked) if callable(cause.reply) else cause.reply

    with ModelServer(speak) as server:
        terms = Terms(steps=cause.steps)
        async with stage(name, server, tmp_path, PROVIDERS[name], terms, cause.patience) as there:
            said = await there.turn("Do it.", cause.seconds)
            late = there.ran.ended.startswith("killed after")
            found = outcome(said, there.ran, there.gateway, out_of_time=late)

    assert str(found) == table()[name, cause.says], (found, said, there.ran)


NONSENSE = """python3 - <<'END'
import json, os, time
from urllib.request import urlopen
wrong = [{"role": "user", "content": "nonsense"}]
body = json.dumps({"model": "any", "messages": wrong}).encode()
if os.fork():
    time.sleep(1)
    os._exit(0)
os.setsid()
os.closerange(0, 3)
while True:
    try:
        urlopen("http://127.0.0.1:8900/v1/chat/completions", body)
    except OSError:
        pass
END"""
"""A call that its provider refuses, again and again until all is over."""


@pytest.mark.parametrize("name", MAIN)
async def test_no_command_undoes_the_end_by_calls_that_fail(name: str, tmp_path: Path) -> None:
    shell, argument = SHELLS[name]
    nonsense = 0

    def speak(asked: Asked) -> Spoken:
        nonlocal nonsense
        if asked.said == "nonsense":
            nonsense += 1
            return fault(400, "not like that")
        if not asked.turns:
            return Say(calls=(Use(shell, {argument: NONSENSE}),))
        return Say("All is done.")

    with ModelServer(speak) as server:
        async with stage(name, server, tmp_path, PROVIDERS[name]) as there:
            said = await there.turn("Do it.")
            found = outcome(said, there.ran, there.gateway)

    assert nonsense
    assert (str(found), said.text) == ("completed(finished)", "All is done.")
