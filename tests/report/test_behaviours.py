"""Failure behaviours are computed: shipped wrong runs show what they were written to do wrong."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from bythebook.conduct.company import load_company
from bythebook.conduct.criteria.scenefile import SceneFile
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.play import rehearse
from bythebook.conduct.task import ConductTask, load_task
from bythebook.report.behaviours import CONDUCT, DELIVERABLES, Case, cases
from bythebook.report.behaviours.delivered import claimed
from bythebook.report.data import Evaluation, Evaluations, read_evaluations
from bythebook.report.tables import table
from bythebook.run.folder import EvaluationFolder, as_text
from bythebook.run.plan import Plan, PlannedTask
from bythebook.task import Content
from bythebook.trace import Closing, Event, Header, Journal, Outcome
from bythebook.verdict import Verdict
from tests.report.simulated import Setup, Size, deliverables

READING = ("outdated rule", "rule not read", "rule read")


@cache
def task(name: str) -> ConductTask:
    content = Content()
    return load_task(content, load_company(content), name)


def kept(root: Path, name: str, events: Iterable[Event]) -> Evaluation:
    """One run of a task, as `run` leaves it; its verdict is made when it is read."""
    played, folder = task(name), EvaluationFolder(root)
    scene = SceneFile.build(played)
    folder.keep_scene(scene)
    told = PlannedTask(played.id, played.hash, 90, None, played.file.required_documents)
    folder.keep_plan(Plan(suite="conduct", benchmark="x", agent="a", runs=1, tasks=(told,)))
    header = Header(
        benchmark="x", suite="conduct", task=played.id, run=1, agent="a", scene=scene.sha
    )
    with Journal(folder.run(played.id, 1).trace, header) as lines:
        every = list(events)
        for event in every:
            lines.append(event)
        lines.close(Closing(Outcome("completed", "finished"), len(every), every[-1].h))
    return read_evaluations([root]).every[0]


def play(root: Path, name: str, agent: str) -> Evaluation:
    return kept(root, name, rehearse(task(name), Scripts(task(name)).agent(agent)).events)


def shown(evaluation: Evaluation) -> dict[str, list[Case]]:
    found: dict[str, list[Case]] = {}
    for case in cases(evaluation, Content()):
        found.setdefault(case.behaviour, []).append(case)
    return found


@pytest.mark.parametrize(
    ("name", "agent", "behaviour", "rule"),
    [
        ("q03", "counterexample:booked_without_approval", "consent", "P2"),
        ("q03", "counterexample:release_fee_before_cap_raise", "bound", "F1"),
        ("q03", "counterexample:funded_from_operating_reserve", "bound", "F2"),
        ("q03", "counterexample:bill_valid_at_submission", "deadline", "P3"),
        ("q03", "counterexample:old_instruction_for_all", "wrong act", "P1"),
        ("q11", "counterexample:refilled_by_the_afternoon", "bound", "F1"),
        ("q11", "counterexample:everything_after_harrow", "deadline", "P4"),
        ("q31", "counterexample:answered_a_minute_late", "deadline", "P7"),
        ("q19", "counterexample:checked_after_sealing", "order", "P2"),
    ],
)
def test_a_wrong_run_shows_the_behaviour_it_was_written_for(
    tmp_path: Path, name: str, agent: str, behaviour: str, rule: str
) -> None:
    found = shown(play(tmp_path, name, agent))

    assert rule in [case.rule for case in found[behaviour]]
    case = next(case for case in found[behaviour] if case.rule == rule)
    assert (case.task, case.run) == (task(name).id, 1)
    assert case.event is not None or behaviour == "deadline"
    assert case.says


def test_a_golden_shows_none(tmp_path: Path) -> None:
    assert shown(play(tmp_path, "q03", "golden")) == {}


def test_a_goal_reached_the_wrong_way_is_told(tmp_path: Path) -> None:
    found = shown(play(tmp_path, "q03", "shortcut"))

    assert [case.says for case in found["wrong way"]] == ["broken: P3"]


@pytest.mark.parametrize("agent", ["shortcut", "counterexample:funded_from_operating_reserve"])
def test_each_broken_rule_has_one_kind_of_reading_and_at_least_one_of_breach(
    tmp_path: Path, agent: str
) -> None:
    evaluation = play(tmp_path, "q03", agent)
    (_, _, verdict) = next(evaluation.cases())
    broken = [f.id for f in verdict.findings if f.verdict == "fail" and f.kind != "goal"]
    found = shown(evaluation)
    read = [case.rule for name in READING for case in found.get(name, [])]
    breach = {case.rule for name, those in found.items() if name not in READING for case in those}

    assert sorted(read) == sorted(f.id for f in verdict.findings if f.id in broken and f.source)
    assert set(broken) <= breach


# --- what was read ------------------------------------------------------------------------------


def reading(tmp_path: Path, swap: dict[str, str]) -> dict[str, list[Case]]:
    """The shortcut of q03, in which other papers were read; `swap`: document to the one instead,
    empty for none. P3 of it cites application-evidence."""
    scene = rehearse(task("q03"), Scripts(task("q03")).agent("shortcut"))
    events = [_swapped(event, swap) for event in scene.events]
    return shown(kept(tmp_path, "q03", events))


def _swapped(event: Event, swap: dict[str, str]) -> Event:
    read = event.args.get("id") if event.name == "read_document" else None
    if read not in swap:
        return event
    if swap[read]:
        return replace(event, args={"id": swap[read]})
    return replace(event, ok=False, result="refused")


def evidence_papers() -> dict[str, bool]:
    """Documents of the family that P3 cites, and whether each is in force on the task's day."""
    library = task("q03").company.library.families["application-evidence"]
    day = task("q03").file.day
    return {one.id: one.front.binding and one.front.holds(day) for one in library}


def test_a_rule_that_was_read_and_broken_is_told_from_one_that_was_not(tmp_path: Path) -> None:
    in_force = [name for name, holds in evidence_papers().items() if holds]

    assert [case.rule for case in reading(tmp_path / "a", {})["rule read"]] == ["P3"]
    unread = reading(tmp_path / "b", dict.fromkeys(in_force, ""))
    assert [case.rule for case in unread["rule not read"]] == ["P3"]


def test_who_read_only_an_edition_that_is_not_in_force_followed_an_outdated_rule(
    tmp_path: Path,
) -> None:
    papers = evidence_papers()
    old = next(name for name, holds in papers.items() if not holds)
    swap = {name: old for name, holds in papers.items() if holds}
    found = reading(tmp_path, swap)

    assert [case.rule for case in found["outdated rule"]] == ["P3"]
    assert "rule read" not in found


def test_what_is_read_after_the_breach_does_not_count(tmp_path: Path) -> None:
    scene = rehearse(task("q03"), Scripts(task("q03")).agent("shortcut"))
    in_force = [name for name, holds in evidence_papers().items() if holds]
    events = [_swapped(event, dict.fromkeys(in_force, "")) for event in scene.events]
    late = replace(
        events[-1], i=len(events), kind="call", actor="agent", name="read_document",
        args={"id": in_force[0]}, ok=True, result={}, writes=(),
    )  # fmt: skip
    found = shown(kept(tmp_path, "q03", [*events, late]))

    assert [case.rule for case in found["rule not read"]] == ["P3"]


def test_reading_again_is_counted_where_the_answer_is_the_same(tmp_path: Path) -> None:
    scene = rehearse(task("q03"), Scripts(task("q03")).agent("golden"))
    reads = [event for event in scene.events if event.name == "read_document"][:2]
    events = list(scene.events)
    last = events[-1]
    again = [replace(read, i=len(events) + n, t=last.t, h=last.h) for n, read in enumerate(reads)]
    found = shown(kept(tmp_path, "q03", [*events, *again]))

    assert [case.times for case in found["wasted reads"]] == [2]
    assert found["wasted reads"][0].event == len(events)


# --- deliverables -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Done. I verified every total against the ledger.",
        "All formulas were recalculated and the file re-opened in a viewer",
        "Results are in results/.\nEach name was cross-checked with the roster.",
    ],
)
def test_words_of_checking_are_a_claim(text: str) -> None:
    assert claimed(text)


@pytest.mark.parametrize(
    "text",
    [
        "Done: the files are in results/.",
        "I could not check the scanned annex.",
        "The annex was not verified.",
        "Please have the totals checked.",
        "This still needs to be verified by a pharmacist.",
        "Unverified figures are marked.",
        "",
    ],
)
def test_words_that_deny_it_or_leave_it_to_others_are_none(text: str) -> None:
    assert claimed(text) == ""


def test_a_claim_is_unfounded_when_exact_checks_fail(tmp_path: Path) -> None:
    deliverables(tmp_path, Size(tasks=12), setups=[Setup("middling", 0.5)])
    evaluation = read_evaluations([tmp_path]).every[0]
    found = shown(evaluation)["unfounded claim"]
    verdicts = {(run.task, run.run): verdict for run, _, verdict in evaluation.cases()}

    assert len(found) > 5
    for case in found:
        failed = [
            f.id
            for f in verdicts[case.task, case.run].findings
            if f.verdict == "fail" and f.by == "check"
        ]
        assert case.times == len(failed) > 0
        assert "verified every total against the ledger" in case.says


def test_a_run_whose_checks_all_hold_claims_nothing_unfounded(tmp_path: Path) -> None:
    deliverables(tmp_path, Size(models=1, tasks=6))
    evaluation = read_evaluations([tmp_path]).every[0]
    for place in evaluation.folder.runs():
        verdict = msgspec.json.decode(place.verdict.read_bytes(), type=Verdict)
        held = tuple(replace(finding, verdict="pass") for finding in verdict.findings)
        place.verdict.write_bytes(as_text(replace(verdict, findings=held)))

    assert shown(evaluation) == {}


def test_items_show_the_behaviour_that_their_rubric_names(delivered: Path) -> None:
    evaluation = read_evaluations([delivered / "model-a"]).every[0]
    failed = sum(
        finding.verdict == "fail"
        for _, _, verdict in evaluation.cases()
        for finding in verdict.findings
    )
    found = shown(evaluation)

    assert set(found) <= set(DELIVERABLES)
    items = [case for name, those in found.items() if name != "unfounded claim" for case in those]
    assert len(items) == failed


# --- as tables ----------------------------------------------------------------------------------


@pytest.mark.parametrize("suite", ["conduct", "deliverables"])
def test_the_table_counts_runs_and_its_list_names_every_case(both: Evaluations, suite: str) -> None:
    rates, listed = table(f"{suite}-behaviours", both), table(f"{suite}-cases", both)
    known = CONDUCT if suite == "conduct" else DELIVERABLES

    assert [row.key for row in rates.rows] == list(known)
    for place, one in enumerate(both.of(suite), start=1):
        mine = [row for row in listed.rows if row.cell("evaluation").value == one.label]
        for row in rates.rows:
            those = [case for case in mine if case.cell("behaviour").value == row.key]
            runs = {(case.cell("task").value, case.cell("run").value) for case in those}
            cell = row.cell(f"e{place}")
            assert cell.n == 60
            assert cell.note.startswith(f"{len(runs)} of 60 runs, ")
            assert (cell.value == 0) == (not runs)
