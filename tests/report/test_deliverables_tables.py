"""Tables of deliverables, recomputed from the verdicts."""

from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from bythebook.deliverables.judge.journal import append
from bythebook.deliverables.judge.judgement import Judgement
from bythebook.deliverables.judge.labels import Label
from bythebook.report.data import Evaluation, Evaluations, read_evaluations
from bythebook.report.domains import domains
from bythebook.report.statistics.passk import best_of, pass_any
from bythebook.report.table import Row, Table
from bythebook.report.tables import table
from bythebook.run.folder import EvaluationFolder, as_text
from bythebook.task import Content
from bythebook.verdict import Delivered, Share, Verdict
from tests.report.simulated import Setup, Size, deliverables


def verdicts(evaluation: Evaluation) -> list[Verdict]:
    return [
        msgspec.json.decode(place.verdict.read_bytes(), type=Verdict)
        for place in evaluation.folder.runs()
    ]


def told(verdict: Verdict) -> Delivered:
    assert isinstance(verdict.delivered, Delivered)
    return verdict.delivered


def over_tasks(values: Iterable[tuple[str, float]]) -> float:
    by_task: dict[str, list[float]] = {}
    for task, value in values:
        by_task.setdefault(task, []).append(value)
    return fmean(fmean(found) for found in by_task.values())


def row(found: Table, key: str) -> Row:
    return next(one for one in found.rows if one.key == key)


def test_the_leaderboard_is_the_mean_over_tasks(both: Evaluations) -> None:
    found = table("deliverables", both)

    for one in both.of("deliverables"):
        cells, all_of_them = row(found, one.label).cells, verdicts(one)
        score = over_tasks((v.task, v.score or 0.0) for v in all_of_them)
        success = over_tasks((v.task, float(bool(v.success))) for v in all_of_them)
        core = over_tasks((v.task, float(bool(told(v).all_core))) for v in all_of_them)
        assert cells["score"].value == pytest.approx(100 * score)
        assert cells["success"].value == pytest.approx(100 * success)
        assert cells["all_core"].value == pytest.approx(100 * core)
        assert cells["gap"].value == pytest.approx(100 * (score - success))
        assert cells["score"].n == 60


def test_attempts_that_were_set_aside_stand_below_the_line_too(tmp_path: Path) -> None:
    deliverables(tmp_path, Size(models=1, tasks=3))
    first = read_evaluations([tmp_path]).every[0].folder.runs()[0]
    header = first.trace.read_bytes().partition(b"\n")[0]
    (first.root / "attempts" / "1").mkdir(parents=True)
    (first.root / "attempts" / "1" / "trace.jsonl").write_bytes(header + b"\n")
    cells = table("deliverables", read_evaluations([tmp_path])).rows[0].cells
    (one,) = read_evaluations([tmp_path]).every
    told = [(v.task, float(bool(v.success))) for v in verdicts(one)]

    assert cells["success"].value == pytest.approx(100 * over_tasks(told))
    of_attempts = cells["success_of_attempts"]
    assert of_attempts.value == pytest.approx(100 * over_tasks([*told, (first.task, 0.0)]))
    assert of_attempts.n == 10


def test_with_as_many_runs_of_each_task_success_is_the_papers_pooled_one(
    both: Evaluations,
) -> None:
    """StartupBench pools runs: with three runs of every task that is the mean over tasks."""
    for one in both.of("deliverables"):
        pooled = fmean(bool(v.success) for v in verdicts(one))
        success = row(table("deliverables", both), one.label).cell("success").value
        assert success == pytest.approx(100 * pooled)


def test_domains_hold_their_own_tasks_and_no_others(both: Evaluations) -> None:
    found, one = table("domains", both), both.of("deliverables")[0]
    parts = domains(both.content, frozenset(run.task for run in one.runs))

    assert sum(map(len, parts.values())) == 20
    for name, tasks in parts.items():
        score = over_tasks((v.task, v.score or 0.0) for v in verdicts(one) if v.task in tasks)
        cell = row(found, one.label).cell(name)
        assert cell.value == pytest.approx(100 * score)
        assert cell.n == 3 * len(tasks)
        assert cell.mark == "", "under 15 tasks nobody is ranked"


def test_a_tasks_domain_is_looked_up_and_else_told_by_its_id() -> None:
    names = {"med-01-bleed-after-stent", "stem-44-made-up", "q90-visitor"}
    found = domains(Content(), frozenset(names))

    assert found["medical"] == ("med-01-bleed-after-stent",)
    assert found["stem"] == ("stem-44-made-up",)
    assert found["unknown"] == ("q90-visitor",)
    assert list(found) == [
        "medical", "finance", "legal", "business", "stem", "education", "unknown",
    ]  # fmt: skip


def test_figure_4_is_satisfied_weight_over_all_weight(both: Evaluations) -> None:
    found = table("dimensions", both)

    for one in both.of("deliverables"):
        for name in ("structure", "calculation", "presentation"):
            shares = [told(v).dimensions.get(name, Share()) for v in verdicts(one)]
            rate = sum(s.satisfied for s in shares) / sum(s.total for s in shares)
            assert row(found, one.label).cell(name).value == pytest.approx(100 * rate)


def test_table_4_takes_the_rate_in_each_run_first(both: Evaluations) -> None:
    found = table("levels", both)

    assert [column.key for column in found.columns[3:]] == ["auxiliary", "important", "core"]
    for one in both.of("deliverables"):
        rates = [
            (v.task, share.satisfied / share.total)
            for v in verdicts(one)
            if (share := told(v).levels.get("core", Share())).total
        ]
        core = row(found, one.label).cell("core").value
        assert core == pytest.approx(100 * over_tasks(rates))


def test_table_5_counts_both_patterns(both: Evaluations) -> None:
    found = table("formats", both)

    for one in both.of("deliverables"):
        cells = row(found, one.label).cells
        for kind in ("ok", "wrong_type", "omitted"):
            share = over_tasks((v.task, float(told(v).format == kind)) for v in verdicts(one))
            assert cells[kind].value == pytest.approx(100 * share)


# --- void items ---------------------------------------------------------------------------------


def spoil(verdict: Verdict) -> Verdict:
    """The first item is void."""
    first, found = verdict.findings[0], told(verdict)
    weight = {"core": 5, "important": 3, "auxiliary": 1}[first.level]
    low = found.low - (weight / found.total if first.verdict == "pass" else 0)
    shares = found.levels[first.level]
    void = Share(shares.satisfied - weight * (first.verdict == "pass"), weight, shares.total)
    return replace(
        verdict,
        score=None,
        success=None,
        findings=(replace(first, verdict="void", by=""), *verdict.findings[1:]),
        delivered=replace(
            found,
            low=low,
            high=low + weight / found.total,
            void=weight,
            all_core=None,
            levels={**found.levels, first.level: void},
        ),
    )


@pytest.fixture
def spoilt(tmp_path: Path) -> Evaluations:
    """One evaluation, the first run of which has a void item."""
    deliverables(tmp_path, Size(models=1, tasks=3))
    found = read_evaluations([tmp_path])
    path = found.every[0].folder.runs()[0].verdict
    path.write_bytes(as_text(spoil(msgspec.json.decode(path.read_bytes(), type=Verdict))))
    return read_evaluations([tmp_path])


def test_a_void_item_leaves_bounds_and_is_never_a_zero(spoilt: Evaluations) -> None:
    cell = table("deliverables", spoilt).rows[0].cell("score")
    found = verdicts(spoilt.every[0])
    low = over_tasks((v.task, told(v).low) for v in found)
    high = over_tasks((v.task, told(v).high) for v in found)

    assert cell.value is None
    assert cell.least == pytest.approx(100 * low)
    assert cell.most == pytest.approx(100 * high)
    assert low < high
    assert cell.n == 9
    assert cell.low is not None
    assert cell.high is not None
    assert cell.least is not None
    assert cell.low <= cell.least


def test_only_the_figures_that_hang_on_it_have_bounds(spoilt: Evaluations) -> None:
    level = verdicts(spoilt.every[0])[0].findings[0].level
    cells = table("levels", spoilt).rows[0].cells

    assert cells[level].value is None
    assert all(cells[name].value is not None for name in ("core", "important") if name != level)


def test_void_weight_has_a_column_of_its_own(spoilt: Evaluations) -> None:
    cells = table("deliverables", spoilt).rows[0].cells
    assert isinstance(cells["void_weight"].value, float)
    assert cells["void_weight"].value > 0
    assert any("1 with void items" in note for note in table("deliverables", spoilt).notes)


# --- agent programs and systems -----------------------------------------------------------------


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Evaluations:
    """Two models under two agent programs, and a third under one."""
    setups = [
        Setup("a1", 2.0, agent="nanobot", model="sim:a"),
        Setup("a2", 1.5, agent="hermes", model="sim:a"),
        Setup("b1", 1.0, agent="nanobot", model="sim:b"),
        Setup("b2", 1.8, agent="hermes", model="sim:b"),
        Setup("c1", 1.0, agent="nanobot", model="sim:c"),
    ]
    root = tmp_path_factory.mktemp("programs")
    return read_evaluations(deliverables(root, Size(tasks=6), setups=setups))


def test_table_6_sets_agent_programs_beside_each_other(programs: Evaluations) -> None:
    found = table("harnesses", programs)

    assert [one.key for one in found.rows] == ["sim:a", "sim:b", "average"]
    for model in ("sim:a", "sim:b"):
        cells = row(found, model).cells
        scores = [float(str(cells[agent].value)) for agent in ("hermes", "nanobot")]
        assert cells["gap"].value == pytest.approx(max(scores) - min(scores))
    averages = row(found, "average").cells
    gaps = [float(str(row(found, model).cell("gap").value)) for model in ("sim:a", "sim:b")]
    assert averages["gap"].value == pytest.approx(fmean(gaps))


def test_a_model_order_that_the_agent_program_changes_is_said(programs: Evaluations) -> None:
    notes = " ".join(table("harnesses", programs).notes)

    assert "By scores under nanobot the order is another: sim:b before sim:a" in notes


def test_the_ways_of_each_agent_program_are_told(tmp_path: Path) -> None:
    setups = [Setup(name, 1.0, agent=name, model="sim:a") for name in ("nanobot", "hermes")]
    places = deliverables(tmp_path, Size(tasks=1, runs=1), setups=setups)
    for folder in map(EvaluationFolder, places):
        plan = folder.plan
        assert plan is not None
        more: dict[str, Any] = {"harness": f"{plan.agent} 1.2", "sandbox": "landlock"}
        more |= {"differences": ("It has a shell.",), "unbounded": ("the number of processes",)}
        folder.keep_plan(replace(plan, **more))
    notes = table("harnesses", read_evaluations(places)).notes

    for name in ("hermes", "nanobot"):
        says = f"{name} 1.2 (landlock): It has a shell. Not bounded: the number of processes."
        assert says in notes


def test_table_7_takes_the_best_of_the_runs(programs: Evaluations) -> None:
    special = programs.every[0].label
    found = table("systems", replace_special(programs, special))
    cells = row(found, programs.every[1].label).cells
    by_task: dict[str, list[Verdict]] = {}
    for verdict in verdicts(programs.every[1]):
        by_task.setdefault(verdict.task, []).append(verdict)
    best = fmean(best_of([v.score or 0.0 for v in runs], 3) for runs in by_task.values())
    some = fmean(pass_any(3, sum(bool(v.success) for v in runs), 3) for runs in by_task.values())

    assert cells["best"].value == pytest.approx(100 * best)
    assert cells["any"].value == pytest.approx(100 * some)
    assert row(found, special).cell("kind").value == "specialised"
    general = [one.label for one in programs.every[1:]]
    singles = [float(str(row(found, label).cell("score").value)) for label in general]
    assert row(found, "general, average").cell("score").value == pytest.approx(fmean(singles))


def replace_special(found: Evaluations, label: str) -> Evaluations:
    return Evaluations(found.every, found.content, frozenset([label]))


# --- judges -------------------------------------------------------------------------------------

Says = Callable[[str], bool]


def judged(evaluation: Evaluation, mode: str, says: Says, *, void_first: bool = False) -> None:
    """Lines of a judge on every item of every run that a judge decided."""
    for run, _, verdict in evaluation.cases():
        lines = []
        for finding in verdict.findings:
            if finding.by != "check":
                line = Judgement(
                    item=finding.id, item_hash="", evidence="e", judge="sim:judge",
                    mode="item" if mode == "item" else "holistic", verified=True,
                    verdict="pass" if says(finding.id) else "fail", seconds=2.0,
                )  # fmt: skip
                if void_first:
                    lines.append(replace(line, verdict=None, cause="malformed"))
                    line = replace(line, attempt=2)
                lines.append(line)
        append(evaluation.place(run).judgements, lines)


@pytest.fixture
def court(tmp_path: Path) -> Evaluations:
    """One judge in both modes; all at once it needs two sessions each, and passes everything."""
    deliverables(tmp_path, Size(models=1, tasks=2, runs=1))
    found = read_evaluations([tmp_path])
    judged(found.every[0], "item", lambda item: int(item[1:]) % 2 == 0)
    judged(found.every[0], "holistic", lambda item: True, void_first=True)
    return found


def test_judges_stand_by_mode_with_the_sessions_it_took(court: Evaluations) -> None:
    found = table("judges", court)
    item, holistic = (
        next(one for one in found.rows if one.cell("mode").value == mode)
        for mode in ("item", "holistic")
    )

    assert item.cell("sessions").value == 1
    assert holistic.cell("sessions").value == 2
    assert item.cell("items").value == holistic.cell("items").value
    same = item.cell("same").value
    assert same == holistic.cell("same").value
    assert isinstance(same, float)
    assert 0 < same < 100


def test_agreement_with_people_is_taken_for_each_judge_and_mode(court: Evaluations) -> None:
    one = court.every[0]
    labels = tuple(
        Label(run.task, run.run, finding.id, "pass" if finding.verdict == "pass" else "fail")
        for run, _, verdict in one.cases()
        for finding in verdict.findings
        if finding.by == "check"
    )
    found = table("judge-agreement", Evaluations(court.every, people={one.label: labels}))
    items = [row for row in found.rows if row.cell("on").value == "items"]

    assert [row.cell("mode").value for row in items] == ["holistic", "item"]
    assert [row.cell("raw").value for row in items] == [100.0, 100.0], "checks decide in both"
    assert items[0].cell("n").value == len(labels)


def test_without_labels_the_table_says_how_to_bring_them(both: Evaluations) -> None:
    assert "`--labels CSV`" in table("judge-agreement", both).notes[0]
