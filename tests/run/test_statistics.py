"""Statistics count what a trace holds, each thing once, and are measured against the plan."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bythebook.agents.protocol import Call, Move, Note
from bythebook.conduct.counter import BASE
from bythebook.conduct.customer.tools import CUSTOMER
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.task import ConductTask
from bythebook.run.agents import Scripted
from bythebook.run.folder import EvaluationFolder
from bythebook.run.score import rescore, scores
from bythebook.run.statistics import KINDS, Kinds, Statistics, Tokens, spreads, statistics
from bythebook.trace import read_trace
from tests.model_server import ModelServer
from tests.own import TASK, bythebook
from tests.run.playing import Moves, play
from tests.run.wired import Wired

POLICY, OLD = "visitor-pass-policy-v2", "visitor-pass-policy-v1"
DRAFT = {"visitor": "Ines Moreau", "host": "PTY-9001", "day": "2025-10-14", "hours": 6}


def use(tool: str, /, **args: Any) -> Call:
    return Call(tool, args, tool)


def business(tool: str, /, **args: Any) -> Call:
    return Call("call_tool", {"name": tool, "arguments": args}, tool)


USAGE = Note("usage", {"input": 100, "output": 10, "cached": 60, "reasoning": 4, "sent": {}})
STORY = [
    Move((use("search_documents", query="pass"), use("read_document", id=POLICY)), notes=(USAGE,)),
    Move((use("read_document", id=POLICY), use("read_document", id=OLD)), notes=(USAGE,)),
    Move((use("read_document", id="gone"), use("search_tools", query="pass"))),
    Move((use("describe_tool", name="draft_pass"), use("now"))),
    Move((use("query_records", table="visitor_passes", where={"day": "2025-10-14", "hours": 2}),)),
    Move((use("query_records", table="visitor_passes", where={"hours": 2, "day": "2025-10-14"}),)),
    Move((use("query_records", table="visitor_passes"),)),
    Move((business("draft_pass", **DRAFT), business("draft_pass"), business("gone"))),
    Move((use("query_records", table="visitor_passes"),)),
    Move((use("query_records", table="visitor_passes"), use("call_tool"))),
    Move((use("wait", minutes=1),), notes=(Note("stubbed", {"answers": 3, "left": 9}),)),
    Move(text="How long will Ms Moreau stay?", notes=(Note("length_stop"),)),
    Move((use("finish"),)),
]


def told(task: ConductTask, folder: Path) -> Statistics:
    """The statistics of `STORY`."""

    class Teller(Scripted):
        def agent(self, task: ConductTask) -> Moves:
            left = iter(STORY)
            return Moves("idle", [lambda: next(left)] * len(STORY))

    play(task, Teller("idle"), folder)
    (found,) = rescore(EvaluationFolder(folder)).statistics
    return found


def test_a_told_story_is_counted(task: ConductTask, tmp_path: Path) -> None:
    found = told(task, tmp_path)

    assert found.by_kind == Kinds(
        document_searches=1,
        document_reads=4,
        tool_searches=1,
        tool_descriptions=1,
        record_queries=5,
        business_writes=1,
        business_refused=3,
        messages=1,
        waits=1,
        nows=1,
        finishes=1,
    )
    assert (found.turns, found.calls, found.errors, found.requests) == (13, 20, 4, 1)
    assert (found.documents, found.required_recall, found.required_precision) == (2, 0.5, 0.5)
    # The whole table is asked for three times; the draft of a pass came after the first.
    assert found.repeated_reads == 2
    assert found.tokens == Tokens(input=200, output=20, cached=120, reasoning=8)
    assert (found.stubbed, found.length_stops) == (3, 1)
    assert (found.customer_messages, found.customer_calls) == (2, 1)
    assert {name: n for name, n in found.customer_by_tool.items() if n} == {"recall": 1}
    assert found.customer_tokens == Tokens()


def test_every_base_tool_has_its_kind_and_all_kinds_make_up_the_calls(
    task: ConductTask, tmp_path: Path
) -> None:
    play(task, Scripted("dump"), tmp_path)

    (found,) = rescore(EvaluationFolder(tmp_path)).statistics
    kinds = [getattr(found.by_kind, name) for name in Kinds.__struct_fields__]
    assert set(KINDS) == set(BASE) - {"call_tool"}
    assert sum(kinds) == found.calls
    assert set(found.customer_by_tool) == set(CUSTOMER)


def test_a_golden_makes_its_own_calls_and_reads_what_it_needs(
    task: ConductTask, tmp_path: Path
) -> None:
    play(task, Scripted("golden"), tmp_path)

    (found,) = rescore(EvaluationFolder(tmp_path)).statistics
    golden = Scripts(task).goldens[""]
    assert (found.calls, found.calls_per_golden) == (len(golden.steps), 1.0)
    assert (found.required_recall, found.required_precision) == (1.0, 1.0)
    assert (found.errors, found.repeated_reads) == (0, 0)


def test_without_a_plan_nothing_is_measured_against_it(task: ConductTask, tmp_path: Path) -> None:
    play(task, Scripted("golden"), tmp_path)

    found = statistics(read_trace(EvaluationFolder(tmp_path).run(TASK, 1).trace))
    assert found.documents == 2
    assert found.calls_per_golden is None
    assert found.required_recall is None
    (tmp_path / "plan.json").unlink()
    assert rescore(EvaluationFolder(tmp_path)).statistics == (found,)


def test_tokens_and_turns_of_a_model_stand_in_score_json(
    task: ConductTask, own: Path, tmp_path: Path
) -> None:
    with ModelServer(Wired(task)) as server:
        line = ["run", "conduct", "--task", TASK, "--content", str(own), "--agent", "loop"]
        line += ["--model", "local:scripted", "--base-url", f"{server.url}/v1", "--to", "runs"]
        done = bythebook(*line, "--runs", "2", "--json", cwd=tmp_path)
    again = bythebook("score", "runs", "--json", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    result = json.loads(again.stdout)
    one, two = (run["statistics"] for run in result["runs"])
    assert one == two
    assert one["turns"] == one["calls"] == server.count // 2
    assert one["tokens"]["input"] == 100 * one["turns"]
    spread = result["summary"]["statistics"]["tokens.output"]
    assert spread == {
        "runs": 2,
        "mean": 10.0 * one["turns"],
        "median": 10.0 * one["turns"],
        "p90": 10.0 * one["turns"],
    }
    assert json.loads((tmp_path / "runs" / "summary.json").read_bytes()) == result


@pytest.mark.parametrize(
    ("calls", "mean", "median", "p90"),
    [([7], 7, 7, 7), ([1, 2], 1.5, 1.5, 1.9), ([*range(1, 12)], 6, 6, 10), ([4, 1], 2.5, 2.5, 3.7)],
)
def test_mean_median_and_90th_percentile(
    task: ConductTask, tmp_path: Path, calls: list[int], mean: float, median: float, p90: float
) -> None:
    found = told(task, tmp_path)
    spread = spreads([replace(found, calls=n) for n in calls])["calls"]

    assert spread.runs == len(calls)
    assert [spread.mean, spread.median, spread.p90] == pytest.approx([mean, median, p90])


def test_a_figure_that_some_runs_lack_says_how_many_have_it(
    task: ConductTask, tmp_path: Path
) -> None:
    play(task, Scripted("idle"), tmp_path, runs=2)
    play(task, Scripted("golden"), tmp_path / "golden")
    idle = rescore(EvaluationFolder(tmp_path)).statistics
    golden = rescore(EvaluationFolder(tmp_path / "golden")).statistics

    found = spreads([*idle, *golden])
    assert (found["required_recall"].runs, found["required_precision"].runs) == (3, 1)
    assert found["required_recall"].mean == pytest.approx(1 / 3)


def test_a_summary_holds_the_spread_of_every_figure(task: ConductTask, tmp_path: Path) -> None:
    play(task, Scripted("golden"), tmp_path, runs=2)
    folder = EvaluationFolder(tmp_path)

    found = scores(folder, rescore(folder)).summary.statistics
    for name in ("turns", "calls", "by_kind.messages", "tokens.input", "customer_by_tool.recall"):
        assert found[name].runs == 2
