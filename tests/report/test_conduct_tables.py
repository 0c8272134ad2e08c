"""Tables of conduct, recomputed run by run from the verdicts."""

from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from statistics import fmean, median

import msgspec
import pytest
from msgspec.structs import replace

from bythebook.report.data import Evaluation, Evaluations, read_evaluations
from bythebook.report.table import Table
from bythebook.report.tables import table
from bythebook.run.folder import as_text
from bythebook.run.statistics import Statistics
from bythebook.run.summary import RunLine
from bythebook.verdict import Verdict
from tests.report.simulated import Setup, Size, conduct


def verdicts(evaluation: Evaluation) -> list[Verdict]:
    """As they lie on disk."""
    return [
        msgspec.json.decode(place.verdict.read_bytes(), type=Verdict)
        for place in evaluation.folder.runs()
    ]


def over_tasks(values: Iterable[tuple[str, float]]) -> float:
    by_task: dict[str, list[float]] = {}
    for task, value in values:
        by_task.setdefault(task, []).append(value)
    return fmean(fmean(found) for found in by_task.values())


def value(found: Table, row: str, column: str) -> object:
    return next(one for one in found.rows if one.key == row).cell(column).value


@pytest.mark.parametrize("column", ["goal", "process", "protection", "strict"])
def test_table_1_is_the_mean_over_tasks_of_the_share_of_runs(
    both: Evaluations, column: str
) -> None:
    found = table("conduct", both)

    for one in both.of("conduct"):
        told = [(v.task, float(bool(getattr(v, column)))) for v in verdicts(one)]
        assert value(found, one.label, column) == pytest.approx(100 * over_tasks(told))


def test_intermediate_failure_is_a_broken_process_or_protection(both: Evaluations) -> None:
    found = table("conduct", both)

    for one in both.of("conduct"):
        told = [(v.task, float(not (v.process and v.protection))) for v in verdicts(one)]
        fails = value(found, one.label, "intermediate_failure")
        assert fails == pytest.approx(100 * over_tasks(told))


def test_the_best_row_stands_first(both: Evaluations) -> None:
    cells = [row.cell("strict") for row in table("conduct", both).rows]
    values = [float(cell.value) for cell in cells if isinstance(cell.value, float)]

    assert values == sorted(values, reverse=True)
    assert cells[0].mark == "best"
    assert cells[0].low is not None
    assert cells[0].high is not None
    assert cells[0].low < values[0] < cells[0].high


def test_every_figure_says_over_how_many_runs(both: Evaluations) -> None:
    for row in table("conduct", both).rows:
        assert [cell.n for key, cell in row.cells.items() if key in ("goal", "strict")] == [60, 60]


def test_attempts_that_were_set_aside_stand_below_the_line_of_the_second_denominator(
    both: Evaluations,
) -> None:
    found = table("conduct", both)

    assert any(one.aside for one in both.of("conduct"))
    for one in both.of("conduct"):
        told = [(v.task, float(bool(v.strict))) for v in verdicts(one)]
        told += [(attempt.task, 0.0) for attempt in one.aside]
        of_attempts = value(found, one.label, "strict_of_attempts")
        assert of_attempts == pytest.approx(100 * over_tasks(told))


def test_pass_k_is_over_all_subsets_of_runs(both: Evaluations) -> None:
    found = table("pass-k", both)

    assert [column.key for column in found.columns[3:]] == ["pass_1", "pass_2", "pass_3"]
    for one in both.of("conduct"):
        by_task: dict[str, list[bool]] = {}
        for verdict in verdicts(one):
            by_task.setdefault(verdict.task, []).append(bool(verdict.strict))
        for k in (1, 2, 3):
            told = fmean(fmean(map(all, combinations(runs, k))) for runs in by_task.values())
            assert value(found, one.label, f"pass_{k}") == pytest.approx(100 * told)


def test_k_is_never_above_the_runs_of_any_task(tmp_path: Path) -> None:
    (folder,) = conduct(tmp_path, Size(tasks=4), shipped=1, setups=[Setup("a", 1.0)])
    whole = read_evaluations([folder])
    more = read_evaluations(
        conduct(tmp_path / "more", Size(tasks=4), shipped=1, setups=[Setup("b", 1.0)])
    )
    (whole.every[0].folder.runs()[0].root / "trace.jsonl").unlink()
    found = table("pass-k", Evaluations((*whole.every, *more.every)))

    short = next(row for row in found.rows if row.key == whole.every[0].label)
    assert short.cell("pass_2").value is not None
    assert short.cell("pass_3").value is None
    assert short.cell("pass_3").note == "some task has only 2 runs"


def test_a_void_run_is_left_out_and_said(tmp_path: Path) -> None:
    (folder,) = conduct(tmp_path, Size(tasks=3), shipped=1, setups=[Setup("a", 9.0)])
    evaluation = read_evaluations([folder]).every[0]
    path = evaluation.folder.runs()[0].verdict
    verdict = msgspec.json.decode(path.read_bytes(), type=Verdict)
    findings = (replace(verdict.findings[0], verdict="void"), *verdict.findings[1:])
    path.write_bytes(as_text(replace(verdict, goal=None, strict=None, findings=findings)))
    found = table("conduct", read_evaluations([folder]))

    assert found.rows[0].cell("strict").n == 8
    assert found.rows[0].cell("runs").value == 9
    assert any("1 void and left out of rates" in note for note in found.notes)


def test_a_run_with_a_void_rule_is_in_no_rate_at_all(tmp_path: Path) -> None:
    """A process rule is void: that the goal was reached is known, and still no rate counts it."""
    (folder,) = conduct(tmp_path, Size(tasks=3), shipped=1, setups=[Setup("a", 9.0)])
    path = read_evaluations([folder]).every[0].folder.runs()[0].verdict
    verdict = msgspec.json.decode(path.read_bytes(), type=Verdict)
    findings = tuple(
        replace(finding, verdict="void") if finding.id == "P1" else finding
        for finding in verdict.findings
    )
    path.write_bytes(as_text(replace(verdict, process=None, strict=None, findings=findings)))
    cells = table("conduct", read_evaluations([folder])).rows[0].cells

    assert [cells[name].n for name in ("goal", "process", "protection", "strict")] == [8] * 4


def test_nobody_is_marked_on_fewer_than_fifteen_tasks(tmp_path: Path) -> None:
    setups = [Setup("good", 9.0), Setup("bad", -9.0)]
    found = table(
        "conduct",
        read_evaluations(conduct(tmp_path, Size(tasks=14), shipped=1, setups=setups)),
    )

    assert {cell.mark for row in found.rows for cell in row.cells.values()} == {""}
    assert any("14 tasks in common, 15 are needed" in note for note in found.notes)


def test_rows_on_other_tasks_are_said_to_be(tmp_path: Path) -> None:
    few = conduct(tmp_path / "few", Size(tasks=16), shipped=1, setups=[Setup("few", 0.0)])
    many = conduct(tmp_path / "many", Size(tasks=18), shipped=1, setups=[Setup("many", 0.0)])
    found = table("conduct", read_evaluations([*few, *many]))

    assert any("16 of 18 are common to all" in note for note in found.notes)


def test_how_much_of_the_papers_benchmark_is_here_always_stands_there(both: Evaluations) -> None:
    for name in ("conduct", "pass-k", "traces", "conduct-runs", "conduct-power"):
        assert any("of the 50 tasks" in note for note in table(name, both).notes), name
    for name in ("deliverables", "domains", "levels", "deliverables-runs"):
        assert any("of the 97 tasks" in note for note in table(name, both).notes), name


# --- what was done ------------------------------------------------------------------------------


def statistics(run: RunLine) -> Statistics:
    assert isinstance(run.statistics, Statistics)
    return run.statistics


def test_resources_are_means_of_what_traces_hold(both: Evaluations) -> None:
    found = table("resources", both)

    for one in both.of("conduct"):
        for column in ("turns", "documents", "calls"):
            told = [(run.task, float(getattr(statistics(run), column))) for run in one.runs]
            assert value(found, one.label, column) == pytest.approx(over_tasks(told))
        tokens = [(run.task, float(statistics(run).tokens.input)) for run in one.runs]
        assert value(found, one.label, "tokens_in") == pytest.approx(over_tasks(tokens))


def test_table_4_parts_runs_that_are_strict_from_those_that_are_not(both: Evaluations) -> None:
    found = table("traces", both)

    for one in both.of("conduct"):
        rows = {
            str(row.cell("split").value): row for row in found.rows if row.key.startswith(one.label)
        }
        runs = {name: row.cell("runs").value for name, row in rows.items()}
        assert runs["all"] == 60
        assert runs["strict"] == sum(bool(run.strict) for run in one.runs)
        assert runs["not strict"] == 60 - sum(bool(run.strict) for run in one.runs)
        wrong_way = sum(bool(run.goal and not run.strict) for run in one.runs)
        assert rows["all"].cell("goal_not_strict").value == wrong_way
        strict = [(run.task, float(run.calls)) for run in one.runs if run.strict]
        assert rows["strict"].cell("calls").value == pytest.approx(over_tasks(strict))


def test_table_8_weighs_each_run_alike(both: Evaluations) -> None:
    one = both.of("conduct")[0]
    row = next(
        row for row in table("calls", both).rows if row.key == f"{one.label} / agent: tool calls"
    )

    assert row.cell("mean").value == pytest.approx(fmean(run.calls for run in one.runs))
    assert row.cell("median").value == median(run.calls for run in one.runs)


# --- ablations ----------------------------------------------------------------------------------

MANY = Size(tasks=20)


def test_conditions_are_compared_with_the_usual_one_of_the_same_agent(tmp_path: Path) -> None:
    setups = [
        Setup("told", 3.0, model="sim:m", condition="full-disclosure"),
        Setup("usual", -1.0, model="sim:m"),
        Setup("other", 0.0, model="sim:other"),
    ]
    found = table("conditions", read_evaluations(conduct(tmp_path, MANY, shipped=1, setups=setups)))

    assert [row.cell("condition").value for row in found.rows] == ["default", "full-disclosure"]
    usual, told = found.rows
    change = told.cell("difference")
    assert usual.cell("difference").value is None
    assert change.value == pytest.approx(
        float(str(told.cell("strict").value)) - float(str(usual.cell("strict").value))
    )
    assert change.low is not None
    assert change.low > 0
    assert change.n == 20


def test_caps_stand_from_none_to_the_tightest(tmp_path: Path) -> None:
    setups = [Setup(name, 0.0, model="sim:m", cap=cap) for name, cap in CAPS.items()]
    found = table("caps", read_evaluations(conduct(tmp_path, MANY, shipped=1, setups=setups)))

    assert [row.cell("cap").value for row in found.rows] == ["none", "2x R", "1.5x R", "1.2x R"]


CAPS = {"c12": "6/5", "none": "", "c20": "2", "c15": "3/2"}


def test_customers_stand_beside_how_well_they_kept_their_protocol(tmp_path: Path) -> None:
    setups = [
        Setup("script", 0.0, model="sim:m"),
        Setup("model", 0.0, model="sim:m", simulator="sim:customer"),
    ]
    found = table("simulators", read_evaluations(conduct(tmp_path, MANY, shipped=1, setups=setups)))

    assert [row.cell("customer").value for row in found.rows] == ["scripted", "sim:customer"]
    assert found.rows[0].cell("turns").note == "a script breaks nothing"
    assert isinstance(found.rows[1].cell("turns").value, int)


def test_one_condition_alone_is_no_ablation(both: Evaluations) -> None:
    found = table("conditions", both)

    assert found.rows == ()
    assert found.notes == ("Nothing to show: no agent was played with more than one condition.",)


# --- differences, power, coverage ---------------------------------------------------------------


def test_every_pair_is_compared_once(both: Evaluations) -> None:
    found = table("conduct-differences", both)

    assert len(found.rows) == 3
    for row in found.rows:
        first, second = (both[str(row.cell(name).value)] for name in ("first", "second"))
        values = [
            over_tasks((run.task, float(bool(run.strict))) for run in one.runs)
            for one in (first, second)
        ]
        assert row.cell("difference").value == pytest.approx(100 * (values[1] - values[0]))


def test_power_says_how_many_tasks_five_points_take(both: Evaluations) -> None:
    found = table("conduct-power", both)
    tasks = [row.cell("tasks").value for row in found.rows]

    assert [row.key for row in found.rows] == ["1", "3", "5", "10", "without end"]
    assert tasks == sorted(tasks, key=lambda one: -float(str(one)))
    assert all(isinstance(one, int) and one > 20 for one in tasks)


def test_both_denominators_and_all_between_them_are_shown(both: Evaluations) -> None:
    found = table("conduct-runs", both)

    for one in both.of("conduct"):
        row = next(row for row in found.rows if row.key == one.label)
        told = {key: cell.value for key, cell in row.cells.items()}
        assert (told["planned"], told["valid"], told["missing"]) == (60, 60, 0)
        assert told["infrastructure"] == len(one.aside)
        cause = f"infrastructure_failure(provider) {len(one.aside)}" if one.aside else ""
        assert told["causes"] == cause
