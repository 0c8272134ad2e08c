"""Two hundred turns of a customer by a model: what it breaks is counted, exactly."""

from collections import Counter
from pathlib import Path

import anyio
import pytest

from bythebook.conduct.customer.violation import KINDS
from bythebook.conduct.customer.voiced import ModelVoice
from bythebook.conduct.task import ConductTask
from bythebook.run.attempt import Terms, attempt
from bythebook.run.condition import condition
from bythebook.run.plan import Limits
from bythebook.run.violations import count
from bythebook.trace import Header, Outcome, Trace, read_trace
from tests.conduct.customer.speaking import BAD, Good, Planted
from tests.conduct.customer.table import PAGES, Talker, note, table_task
from tests.model_server import ModelServer, Speaker
from tests.models.wiring import at, both

TURNS = 200
FILED = ("approves_unseen", "forbidden", "turns_down", "undecided")
DEAR, CHEAP = 900, 600


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> ConductTask:
    return table_task(tmp_path_factory.mktemp("table"))


def conversation(task: ConductTask, k: int) -> tuple[list[str | int], dict[str, str]]:
    """What the agent says and files in 200 turns, and which turns break which rule: k a kind."""
    lines: list[str | int] = []
    planted: dict[str, str] = {}
    kinds = [kind for kind in KINDS for _ in range(k)]
    pages = iter(PAGES)
    asks = len(task.opening.tables["approval_requests"])
    for turn in range(TURNS):
        kind = kinds[turn // 3] if turn % 3 == 2 and turn // 3 < len(kinds) else ""
        if kind in FILED or (not kind and turn % 3 == 0):
            asks += 1
            lines.append(DEAR if kind == "forbidden" or (not kind and turn % 2) else CHEAP)
            if kind:
                planted[f"ASK-{asks}"] = kind
        else:
            says = f"May I see page {next(pages)}?" if kind == "says_undone" else note(turn)
            lines.append(says)
            if kind:
                planted[says] = kind
    return lines, planted


def played(
    task: ConductTask, folder: Path, lines: list[str | int], speaker: Speaker, provider: str
) -> tuple[Outcome, Trace]:
    path = folder / "trace.jsonl"
    header = Header(
        benchmark="0", suite="conduct", task=task.id, run=1, agent="talker", scene="none"
    )
    terms = Terms(Limits(), condition("default"))

    async def play(server: ModelServer) -> Outcome:
        async with at(server, provider) as model:
            voice = ModelVoice(task.scenario, task.file.request, model)
            agent = Talker(lines)
            return await attempt(task, agent, terms, journal=path, header=header, voice=voice)

    with ModelServer(speaker) as server:
        outcome = anyio.run(play, server)
    return outcome, read_trace(path)


def test_k_planted_violations_of_each_kind_in_200_turns_are_counted_as_k(
    task: ConductTask, tmp_path: Path
) -> None:
    k = len(PAGES)
    lines, planted = conversation(task, k)
    speaker = Planted(Good(task.scenario), {turn: BAD[kind] for turn, kind in planted.items()})
    outcome, trace = played(task, tmp_path, lines, speaker, "local")

    found = count(trace)
    assert str(outcome) == "completed(finished)"
    assert found.turns == TURNS
    assert Counter(found.violations) == dict.fromkeys(KINDS, k)
    assert found.in_breach == k * len(KINDS)


@both
def test_200_good_turns_hold_no_violation(task: ConductTask, tmp_path: Path, provider: str) -> None:
    lines, _ = conversation(task, 0)
    lines[7], lines[11] = "Who collects?", "And the number of the lock, please?"
    outcome, trace = played(task, tmp_path, lines, Good(task.scenario), provider)

    found = count(trace)
    assert str(outcome) == "completed(finished)"
    assert (found.turns, found.in_breach, found.violations) == (TURNS, 0, ())
