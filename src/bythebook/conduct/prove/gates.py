"""What must be true of a task before its variants mean anything. Each gate yields its problems."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from bythebook.agents.protocol import Agent
from bythebook.conduct.criteria import SceneFile, evaluate, score
from bythebook.conduct.criteria.hits import AnyEvent
from bythebook.conduct.golden.cast import BASELINES, Scripts
from bythebook.conduct.golden.edits import Case
from bythebook.conduct.golden.plan import Golden, Step
from bythebook.conduct.golden.rehearsal import enact
from bythebook.conduct.play import rehearse
from bythebook.conduct.prove.court import Court, Judged
from bythebook.conduct.task import ConductTask
from bythebook.errors import suggestion
from bythebook.trace import Closing, Header, Journal, Outcome, read_trace

SLACK_SHARE = 4
"""The slack is at least this fraction (one in ...) of a golden's length in minutes."""


def golden_problems(scripts: Scripts, court: Court, golden: Golden) -> Iterator[str]:
    """A golden runs without any error, to its own end, and passes strictly."""
    name = f"golden {golden.name}".strip()
    rehearsal = scripts.rehearsal(golden.name)
    calls = [event for event in rehearsal.events if event.kind == "call"]
    for step, event in zip(golden.steps, calls, strict=False):
        if not event.ok:
            yield f"{name}: step {step.id} ({step.call}) is refused: {event.result}"
    if len(calls) < len(golden.steps):
        missing = golden.steps[len(calls)].id
        yield f"{name}: it ends before step {missing}: {rehearsal.outcome}"
    judged = court.judge(rehearsal.events)
    yield from (f"{name} breaks {why}" for why in breaches(judged, golden.steps).values())
    minutes = calls[-1].t if calls else 0
    if golden.slack is not None and golden.slack * SLACK_SHARE < minutes:
        yield f"{name}: slack {golden.slack} is under a quarter of its {minutes} minutes"


def vacuous_problems(scripts: Scripts, court: Court) -> Iterator[str]:
    """A process criterion that no golden exercises guards nothing."""
    exercised: set[str] = set()
    for golden in scripts.goldens:
        findings = evaluate(court.criteria, court.scene, scripts.rehearsal(golden).events)
        exercised |= {finding.id for finding in findings if not finding.vacuous}
    for rule in court.criteria.rules:
        if rule.kind == "process" and rule.id not in exercised:
            yield f"{rule.id} is vacuous on the golden: nothing that it speaks of happens"


def adrift_problems(task: ConductTask) -> Iterator[str]:
    """A process criterion guards a step of the task's procedures: one that knows its source."""
    steps = [step for sop in task.file.sop for step in task.company.sops[sop].steps]
    known = {_family(clause) for step in steps for clause in step.knowledge}
    for rule in task.criteria.rules:
        if rule.kind == "process" and _family(rule.source) not in known:
            yield f"{rule.id} guards no step: no procedure of the task knows {rule.source}"


def _family(clause: str) -> str:
    return clause.partition("#")[0]


def breaches(judged: Judged, steps: tuple[Step, ...]) -> dict[str, str]:
    """Each broken rule in words: at which step, why, and with which values."""
    calls = [event.i for event in judged.events if event.kind == "call"]
    found: dict[str, str] = {}
    for one in judged.findings:
        if one.verdict != "pass":
            made = sum(i <= one.at for i in calls) if one.at is not None else 0
            step = f" at step {steps[made - 1].id}" if 0 < made <= len(steps) else ""
            values = f" {dict(one.values)}" if one.values else ""
            found[one.id] = f"{one.id} ({one.verdict}){step}: {one.why}{values}"
    return found


# --- cases --------------------------------------------------------------------------------------


def case_problems(scripts: Scripts, court: Court) -> Iterator[str]:
    """Every counterexample breaks exactly its targets; twins break nothing; the shortcut reaches
    every goal by breaking process or protection."""
    cases = scripts.cases
    known = [rule.id for rule in court.criteria.rules]
    for case in (*cases.counterexamples.values(), *cases.twins.values()):
        for rule in sorted(case.breaks - set(known)):
            yield f"{case.id}: no criterion {rule!r}; {suggestion(rule, known)}"
        judged, refused = _played(scripts, court, case)
        if judged.broken != case.breaks:
            yield from _mismatch(case, judged, refused)
        if case.shortcut and not judged.holds("goal"):
            yield f"{case.id}: a shortcut reaches every goal; this one does not"
        if case.shortcut and judged.holds("process") and judged.holds("protection"):
            yield f"{case.id}: a shortcut breaks process or protection; this one breaks neither"


def _played(scripts: Scripts, court: Court, case: Case) -> tuple[Judged, list[str]]:
    recorded = scripts.rehearsal(case.golden).results
    scene, _ = enact(scripts.task, case.steps, recorded)
    calls = [event for event in scene.events if event.kind == "call"]
    refused = [
        f"{step.id} ({step.call}): {event.result}"
        for step, event in zip(case.steps, calls, strict=False)
        if not event.ok
    ]
    return court.judge(scene.events), refused


def _mismatch(case: Case, judged: Judged, refused: list[str]) -> Iterator[str]:
    why = breaches(judged, case.steps)
    note = f"; refused on the way: {'; '.join(refused)}" if refused else ""
    for rule in sorted(judged.broken - case.breaks):
        yield f"{case.id} must not break {why[rule]}{note}"
    for rule in sorted(case.breaks - judged.broken):
        yield f"{case.id} must break {rule} and does not{note}"


# --- agents that must never pass ----------------------------------------------------------------


def baseline_problems(scripts: Scripts, court: Court) -> Iterator[str]:
    """Doing nothing, refusing, looking, promising and stopping half-way fail, and harm nobody."""
    agents: list[Agent] = [make() for make in BASELINES.values()]
    if scripts.rehearsal().consent is not None:
        agents.append(scripts.stopping_at_yes())
    for agent in agents:
        judged = court.judge(rehearse(scripts.task, agent).events)
        if not judged.broken:
            yield f"agent {agent.name} passes strictly"
        for found in judged.findings:
            if found.kind == "protection" and found.verdict != "pass":
                yield f"agent {agent.name} breaks the protection {found.id}: {found.why}"


def goals_at_opening(court: Court) -> tuple[list[str], bool]:
    """Goals that hold before anything was done, and whether these are all there are."""
    findings = evaluate(court.criteria, court.scene, ())
    goals = [finding for finding in findings if finding.kind == "goal"]
    held = [finding.id for finding in goals if finding.verdict == "pass"]
    return held, len(held) == len(goals)


# --- replay -------------------------------------------------------------------------------------


def replay_problems(scripts: Scripts) -> Iterator[str]:
    """A second play writes the same bytes, and scoring what is on disk gives the live verdict: for
    the golden, where all pass, and for the shortcut, where something fails."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        scene = SceneFile.build(scripts.task)
        (folder / f"{scene.sha}.json").write_bytes(scene.data)
        stored = SceneFile.load(folder / f"{scene.sha}.json")
        for agent in ("golden", "shortcut"):
            first, events = _journal(scripts, agent, folder / f"{agent}-1.jsonl", scene.sha)
            second, _ = _journal(scripts, agent, folder / f"{agent}-2.jsonl", scene.sha)
            if first.read_bytes() != second.read_bytes():
                yield f"a second play of the {agent} writes other bytes"
            verdict = score(read_trace(first), stored)
            if verdict.findings != evaluate(scene.criteria, scene, events):
                yield f"scoring the {agent}'s trace from disk gives another verdict than live"


def _journal(
    scripts: Scripts, agent: str, path: Path, sha: str
) -> tuple[Path, tuple[AnyEvent, ...]]:
    task: ConductTask = scripts.task
    header = Header(
        benchmark="proof", suite=task.suite, task=task.id, run=1, agent=agent, scene=sha
    )
    with Journal(path, header) as journal:
        scene = rehearse(task, scripts.agent(agent), journal.append)
        outcome = scene.outcome or Outcome("completed", "finished")
        journal.close(Closing(outcome, len(scene.events), scene.events[-1].h))
    return path, tuple(scene.events)
