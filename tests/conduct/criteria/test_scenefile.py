"""The scene file: a verdict from two files, the same everywhere."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from bythebook.conduct.criteria import Criteria, SceneFile, evaluate, score
from bythebook.conduct.criteria.vocabulary import Vocabulary
from bythebook.conduct.world import Opening
from bythebook.errors import ContentError, JudgeError, TraceError
from bythebook.trace import Closing, Header, Journal, Outcome, Trace, read_trace
from tests.conduct.criteria.acacia import EDITIONS, SCHEMA, Advice, File, Line, Story, criteria
from tests.conduct.criteria.policy.fees import fee_for

WORDS = Vocabulary(SCHEMA, {"fee_for": fee_for}, EDITIONS)
RULES = (
    "finally: row('receipt_files', 'RF-0917').status == 'closed'",
    "always: row('reserves', 'RSV-OP').balance >= fee_for('assisted')",
    "whenever: call('allocate') as a\n"
    "require: all(line in v.lines for line in a.args.lines for v in rows('advices'))",
    "never: call('read_document') as d where d.args.document != "
    "in_force('remittance-precedence', day=day)",
)
LINES = [{"receipt": "R1", "target": "I1", "amount": 4000}]


@dataclass(frozen=True)
class Company:
    hash: str = "c0"


@dataclass(frozen=True)
class Task:
    criteria: Criteria
    opening: Opening
    id: str = "q03-acacia"
    suite: str = "conduct"
    hash: str = "7a5c"
    company: Company = Company()


def story() -> Story:
    found = Story(Advice("ADV-1", "F", (Line("R1", "I1", 4000),)))
    found.call("read_document", document="RP-3").call("allocate", lines=LINES, file="F", t=4)
    return found.call("close_file", File("RF-0917", "closed", 0), file="F")


def scene(*rules: str) -> SceneFile:
    return SceneFile.build(Task(criteria(*(rules or RULES), words=WORDS), story().opening))


def journal(path: Path, told: Story, sha: str, *, closed: bool = True) -> Trace:
    header = Header(benchmark="0", suite="conduct", task="q03", run=2, agent="golden", scene=sha)
    with Journal(path, header) as file:
        for event in told.events:
            file.append(event)
        if closed:
            file.close(Closing(Outcome("completed", "finished"), len(told.events), ""))
    return read_trace(path)


def stored(folder: Path) -> str:
    (folder / f"{scene().sha}.json").write_bytes(scene().data)
    return scene().sha


def test_a_verdict_comes_from_the_trace_and_the_scene_alone(tmp_path: Path) -> None:
    sha = stored(tmp_path)
    trace = journal(tmp_path / "trace.jsonl", story(), sha)
    verdict = score(trace, SceneFile.load(tmp_path / f"{sha}.json"))
    assert (verdict.goal, verdict.process, verdict.protection, verdict.strict) == (True,) * 4
    assert (verdict.scene, verdict.outcome, verdict.calls) == (sha, "completed(finished)", 3)
    assert verdict.process_exercised is False
    assert [f.id for f in verdict.findings if f.vacuous] == ["R1"]
    again = score(read_trace(tmp_path / "trace.jsonl"), SceneFile.load(tmp_path / f"{sha}.json"))
    assert msgspec.json.encode(again) == msgspec.json.encode(verdict)


def test_the_scenes_verdict_is_the_live_one() -> None:
    live = evaluate(criteria(*RULES, words=WORDS), story().opening, story().events)
    assert evaluate(scene().criteria, scene(), story().stored()) == live


def test_a_scene_is_named_by_its_bytes_and_the_same_task_gives_the_same(tmp_path: Path) -> None:
    sha = stored(tmp_path)
    assert stored(tmp_path) == sha
    path = tmp_path / f"{sha}.json"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == sha
    assert SceneFile.load(path).data == scene().data


def test_a_scene_holds_only_what_its_rules_read() -> None:
    held = msgspec.json.decode(scene().data)
    assert set(held["tables"]) == {"receipt_files", "reserves", "advices"}
    assert set(held["schema"]["calls"]) == {"allocate", "read_document"}
    assert set(held["editions"]) == {"remittance-precedence"}
    assert held["functions"] == {"fee_for": "tests.conduct.criteria.policy.fees:fee_for"}
    assert held["origin"]["task"] == "q03-acacia"


def test_a_scene_that_was_changed_or_is_none_is_refused(tmp_path: Path) -> None:
    sha = stored(tmp_path)
    path = tmp_path / f"{sha}.json"
    path.write_bytes(path.read_bytes().replace(b"6500", b"9500"))
    with pytest.raises(TraceError, match="not the one it is named by"):
        SceneFile.load(path)
    with pytest.raises(TraceError, match="cannot be read"):
        SceneFile.load(tmp_path / "none.json")
    for data in (
        b"{}",
        b"[1]",
        b'{"bythebook": "scene", "version": 9}',
        scene().data[:-9],
        b"\xff",
    ):
        with pytest.raises(TraceError):
            SceneFile.parse(data, where="x.json")


def test_a_function_that_is_missing_is_named() -> None:
    data = scene().data
    gone = data.replace(b"policy.fees:fee_for", b"policy.fees:fee_was")
    with pytest.raises(TraceError, match="which is not here"):
        SceneFile.parse(gone, where="x.json")
    with pytest.raises(TraceError, match="which is not here"):
        SceneFile.parse(data.replace(b"policy.fees:", b"policy.gone:"), where="x.json")


@pytest.mark.parametrize(
    "path", ["os:system", "tests.conduct.criteria.acacia:fee_for", "email.policy:linesep_splitter"]
)
def test_a_scene_file_cannot_name_code_that_is_no_policy(path: str) -> None:
    data = scene().data.replace(b"tests.conduct.criteria.policy.fees:fee_for", path.encode())
    with pytest.raises(TraceError, match=r"is no function of|which is not here"):
        SceneFile.parse(data, where="x.json")


def test_a_function_that_a_policy_module_only_borrows_is_none_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "corner").mkdir()
    (tmp_path / "corner" / "policy.py").write_text("from shutil import rmtree")
    monkeypatch.syspath_prepend(str(tmp_path))
    path = b"tests.conduct.criteria.policy.fees:fee_for"
    with pytest.raises(TraceError, match="no function of that module"):
        SceneFile.parse(scene().data.replace(path, b"corner.policy:rmtree"), where="x.json")


def test_a_function_outside_a_policy_module_cannot_go_into_a_scene() -> None:
    rules = criteria("never: call('pay') as p where fee_for('express') == p.args.amount")
    with pytest.raises(ContentError, match="functions of a `policy` module only"):
        SceneFile.build(Task(rules, story().opening))


def test_other_rules_that_read_a_table_the_scene_lacks_are_refused_and_not_void(
    tmp_path: Path,
) -> None:
    first = scene()
    trace = journal(tmp_path / "trace.jsonl", story(), first.sha)
    other = criteria("always: len(rows('fees')) == 0", words=WORDS)
    with pytest.raises(JudgeError, match="holds no table 'fees'"):
        score(trace, first, other)
    narrower = criteria("always: row('reserves', 'RSV-OP').balance >= 9000", words=WORDS)
    verdict = score(trace, first, narrower)
    assert (verdict.process, verdict.strict) == (None, None)
    assert verdict.void
    assert verdict.rules != first.criteria.sha


def test_a_run_in_flight_or_of_another_scene_has_no_verdict(tmp_path: Path) -> None:
    flying = journal(tmp_path / "a.jsonl", story(), scene().sha, closed=False)
    with pytest.raises(TraceError, match="still in flight"):
        score(flying, scene())
    other = journal(tmp_path / "b.jsonl", story(), "0" * 64)
    with pytest.raises(TraceError, match="the trace names scene 000000000000"):
        score(other, scene())


def test_a_broken_row_in_a_trace_is_an_error_and_no_verdict() -> None:
    told = story()
    line = msgspec.json.encode(told.events[-1]).replace(b'"closed"', b"7")
    broken = msgspec.json.decode(line, type=type(told.stored()[0]))
    with pytest.raises(TraceError, match="a row of 'receipt_files' does not read"):
        evaluate(criteria(*RULES, words=WORDS), told.opening, (*told.stored()[:-1], broken))


def test_a_literal_key_that_is_nowhere_is_refused_when_the_scene_is_made() -> None:
    with pytest.raises(ContentError, match="fees has no row 'FEE-1'"):
        scene("finally: row('fees', 'FEE-1').amount == 5")
