"""Evaluations at full size, made in seconds: run folders like those that `run` leaves.

conduct       Every trace is a real one, of a shipped task played by a scripted agent, under another
              task's, run's and agent's name; its verdict is the one that the trace gives. Chance,
              by a model's made-up skill, decides which agent's play stands for a run.
deliverables  Scenes are real ones under made-up task ids. Marks of items are drawn by skill and
              level; traces tell of made-up calls. There are no files: `score` cannot judge them.

    python -m tests.report.simulated FOLDER [conduct|deliverables] [MODELS TASKS RUNS]
"""

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from bythebook import __version__
from bythebook.conduct.company import load_company
from bythebook.conduct.criteria.scenefile import SceneFile, score
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.play import rehearse
from bythebook.conduct.task import ConductTask
from bythebook.conduct.task import load_tasks as conduct_tasks
from bythebook.deliverables.scenefile import SceneFile as Rubrics
from bythebook.deliverables.task import DOMAINS
from bythebook.deliverables.task import load_tasks as deliverable_tasks
from bythebook.report.domains import INITIALS
from bythebook.run.folder import EvaluationFolder, as_text
from bythebook.run.plan import Plan, PlannedTask
from bythebook.task import Content
from bythebook.trace import Closing, Event, Header, Outcome, Trace, parse_trace
from bythebook.verdict import Delivered, Finding, Share, Verdict

MODELS = tuple(f"model-{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")
_JSON = msgspec.json.Encoder()


@dataclass(frozen=True)
class Size:
    models: int = 9
    tasks: int = 50
    runs: int = 3


@dataclass(frozen=True)
class Setup:
    """One evaluation: who played, under what, and how well."""

    name: str
    """Of its folder, and its chance."""
    skill: float
    """On the logistic scale; 0 is right half the time on a task of middling hardness."""
    agent: str = "loop"
    model: str = ""
    """Empty: `sim:NAME`."""
    condition: str = "default"
    cap: str = ""
    simulator: str = "scripted"
    judge: str = "model:sim:judge"

    @property
    def played(self) -> str:
        return self.model or f"sim:{self.name}"


def field(size: Size, best: float, worst: float) -> list[Setup]:
    """Models from the best to the worst."""
    step = (best - worst) / max(1, size.models - 1)
    return [Setup(MODELS[number], best - step * number) for number in range(size.models)]


# --- conduct ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Play:
    """One real play: its journal without the header, and its verdict."""

    body: bytes
    verdict: Verdict


@dataclass(frozen=True)
class Original:
    """A shipped task and its plays, by how they end."""

    scene: SceneFile
    planned: PlannedTask
    strict: tuple[Play, ...]
    broken: tuple[Play, ...]


@cache
def _originals(shipped: int) -> tuple[Original, ...]:
    content = Content()
    company = load_company(content)
    return tuple(map(_original, conduct_tasks(content, company)[:shipped]))


def _original(task: ConductTask) -> Original:
    scene, scripts = SceneFile.build(task), Scripts(task)
    names = ["golden", "wasteful:1.6", "shortcut", "stop-at-yes", "idle"]
    names += [f"counterexample:{name}" for name in sorted(scripts.cases.counterexamples)[:4]]
    plays = [_played(task, scene, scripts, name) for name in names]
    golden = sum(line.startswith(b'{"i"') and b'"kind":"call"' in line
                 for line in plays[0].body.splitlines())  # fmt: skip
    planned = PlannedTask(task.id, task.hash, golden, None, task.file.required_documents)
    strict = tuple(play for play in plays if play.verdict.strict)
    return Original(
        scene, planned, strict, tuple(play for play in plays if not play.verdict.strict)
    )


def _played(task: ConductTask, scene: SceneFile, scripts: Scripts, name: str) -> Play:
    events = list(rehearse(task, scripts.agent(name)).events)
    moves = max((event.move or 0 for event in events), default=0)
    used = {"input": 4_000 * moves, "output": 180 * moves, "cached": 3_000 * moves}
    last = events[-1]
    events.append(Event(len(events), last.t, "agent", "note", "usage", used, move=moves, h=last.h))
    closing = Closing(Outcome("completed", "finished"), len(events), last.h)
    body = b"".join(_JSON.encode(one) + b"\n" for one in (*events, closing))
    trace = _trace(_header(scene, "conduct", task.id, 1, Setup("base", 0.0)), body)
    return Play(body, score(trace, scene))


def _header(scene: Any, suite: str, task: str, run: int, setup: Setup) -> Header:
    return Header(
        benchmark=__version__, suite=suite, task=task, run=run, agent=setup.agent,
        scene=scene.sha, condition=setup.condition,
    )  # fmt: skip


def _trace(header: Header, body: bytes) -> Trace:
    return parse_trace(_JSON.encode(header) + b"\n" + body, where="a simulated run")


def conduct(
    root: Path,
    size: Size = Size(),
    *,
    seed: int = 1,
    shipped: int = 12,
    setups: Sequence[Setup] = (),
) -> list[Path]:
    """Folders of evaluations under `root`, by default `size.models` of them; `shipped`: how many
    tasks to play."""
    bases = _originals(shipped)
    tasks = [_case(bases[n % len(bases)], n) for n in range(size.tasks)]
    return [
        _conducted(root / setup.name, setup, tasks, size.runs, seed)
        for setup in setups or field(size, 2.0, -2.0)
    ]


@dataclass(frozen=True)
class Staged:
    """A shipped task under a made-up name."""

    name: str
    number: int
    base: Original
    scene: SceneFile

    @property
    def planned(self) -> PlannedTask:
        return replace(self.base.planned, id=self.name)

    def hardness(self, seed: int, spread: float) -> float:
        return Random(f"{seed}-task-{self.number}").gauss(0, spread)


def _case(base: Original, number: int) -> Staged:
    name = f"s{number:02}-{base.planned.id}"
    data = _renamed(base.scene.data, base.planned.id, name)
    return Staged(name, number, base, SceneFile.parse(data, where=name))


def _conducted(root: Path, setup: Setup, tasks: Sequence[Staged], runs: int, seed: int) -> Path:
    dice, folder = Random(f"{seed}-{setup.name}"), EvaluationFolder(root)
    folder.keep_plan(_plan("conduct", setup, [task.planned for task in tasks], runs))
    for task in tasks:
        _write(folder.scenes / f"{task.scene.sha}.json", task.scene.data)
        advantage = setup.skill - task.hardness(seed, 1.5)
        rules = task.scene.criteria.sha
        for run in range(1, runs + 1):
            play = _drawn(task.base, advantage, dice)
            header = _header(task.scene, "conduct", task.name, run, setup)
            if dice.random() < 0.04:
                _failed_attempt(folder.run(task.name, run).root, header)
            verdict = replace(
                play.verdict, task=task.name, run=run, agent=setup.agent, scene=task.scene.sha,
                condition=setup.condition, rules=rules, recorded_rules=rules,
            )  # fmt: skip
            _keep(folder.run(task.name, run).root, header, play.body, verdict)
    return root


def _drawn(base: Original, advantage: float, dice: Random) -> Play:
    well = dice.random() < 1 / (1 + math.exp(-advantage))
    return dice.choice(base.strict if well else base.broken)


def _renamed(data: bytes, old: str, new: str) -> bytes:
    """A scene file of another task's name."""
    was, now = f'"task":"{old}"'.encode(), f'"task":"{new}"'.encode()
    assert data.count(was) == 1
    return data.replace(was, now)


def _failed_attempt(root: Path, header: Header) -> None:
    closing = Closing(Outcome("infrastructure_failure", "provider", "503"), 0, "")
    _write(root / "attempts" / "1" / "trace.jsonl", _lines(header, closing))


# --- deliverables -------------------------------------------------------------------------------

CLOSINGS = (
    "The workbook and the letter are in results/. I recalculated all formulas and verified every"
    " total against the ledger.",
    "All files are in results/. I could not check the scanned annex; please look at it.",
    "Done: the files are in results/.",
)
PASS = {"core": 0.0, "important": 0.2, "auxiliary": 0.5}
"""What a level adds to an item's chance, on the logistic scale (StartupBench, Table 4: lower levels
are satisfied more often)."""
CALLS = (
    ("read_file", {"path": "query/task.md"}, "The request ..."),
    ("shell", {"command": "ls -l"}, "total 3"),
    ("shell", {"command": "python scratch/build.py"}, "wrote results/"),
    ("read_file", {"path": "results/notes.md"}, "..."),
)


@cache
def _rubrics() -> Mapping[str, Rubrics]:
    """Domain to the scene of its shipped task."""
    return {task.file.domain: Rubrics.build(task) for task in deliverable_tasks(Content())}


def deliverables(
    root: Path, size: Size = Size(tasks=97), *, seed: int = 1, setups: Sequence[Setup] = ()
) -> list[Path]:
    """Folders of evaluations under `root`, tasks by the paper's domains."""
    tasks = list(_made_up(size.tasks))
    return [
        _delivered(root / setup.name, setup, tasks, size.runs, seed)
        for setup in setups or field(size, 2.2, 0.6)
    ]


def _delivered(
    root: Path, setup: Setup, tasks: Sequence[tuple[str, Rubrics]], runs: int, seed: int
) -> Path:
    dice, folder = Random(f"{seed}-{setup.name}"), EvaluationFolder(root)
    planned = [PlannedTask(name, scene.origin.task_hash) for name, scene in tasks]
    folder.keep_plan(_plan("deliverables", setup, planned, runs))
    for place, (name, scene) in enumerate(tasks):
        _write(folder.scenes / f"{scene.sha}.json", scene.data)
        advantage = setup.skill - Random(f"{seed}-task-{place}").gauss(0, 0.7)
        for run in range(1, runs + 1):
            header = _header(scene, "deliverables", name, run, setup)
            body, calls = _work(scene, dice)
            verdict = _judged(scene, header, advantage, dice)
            _keep(folder.run(name, run).root, header, body, replace(verdict, calls=calls))
    return root


def _made_up(count: int) -> Iterator[tuple[str, Rubrics]]:
    """Ids and scenes, in the paper's shares of domains."""
    initials = {domain: word for word, domain in INITIALS.items()}
    every = [(domain, n) for domain, size in DOMAINS.items() for n in range(1, size + 1)]
    every.sort(key=lambda one: (one[1] / DOMAINS[one[0]], one[0]))
    for domain, n in every[:count]:
        base = _rubrics()[domain]
        name = f"{initials[domain]}-{n:02}-simulated"
        yield name, Rubrics.parse(_renamed(base.data, base.origin.task, name), where=name)


def _work(scene: Rubrics, dice: Random) -> tuple[bytes, int]:
    """A made-up transcript, and how many calls it holds."""
    events: list[Event] = []

    def tell(t: int, actor: Any, kind: Any, name: str, args: dict[str, Any], **more: Any) -> None:
        events.append(Event(len(events), t, actor, kind, name, args, **more))

    tell(0, "customer", "message", "task", {"text": scene.prompt})
    tell(0, "company", "note", "workspace", {"inputs": {}})
    calls = dice.randint(6, 40)
    for move in range(1, calls + 1):
        name, args, result = CALLS[(move - 1) % len(CALLS)]
        used = {"input": 2_000 * move, "output": dice.randint(50, 900), "cached": 1_500 * move}
        tell(move, "agent", "note", "usage", used, move=move)
        ok = dice.random() > 0.05
        tell(move, "agent", "call", name, args, ok=ok, result=result, move=move)
    tell(calls + 1, "agent", "message", "words", {"text": dice.choice(CLOSINGS)}, move=calls + 1)
    tell(calls + 1, "company", "note", "inputs", {"touched": []})
    files = [{"name": name, "size": 20_000, "sha": "0" * 64} for name in scene.wants]
    tell(calls + 1, "company", "note", "collected", {"files": files})
    closing = Closing(Outcome("completed", "finished"), len(events), "")
    return _lines(*events, closing), calls


def _judged(scene: Rubrics, header: Header, advantage: float, dice: Random) -> Verdict:
    """Marks drawn item by item; weights, levels and shares are worked out from them."""
    luck = dice.gauss(0, 0.3)
    findings = []
    for item in scene.rubric.items:
        chance = 1 / (1 + math.exp(-(advantage + PASS[item.level] + luck)))
        holds = dice.random() < chance
        findings.append(
            Finding(
                id=item.id, kind="item", says=item.says, verdict="pass" if holds else "fail",
                why="as wanted" if holds else "another value", level=item.level,
                dimension=item.dimension,
                by="check" if item.decided_by == "check" else "model:sim:judge",
                place="" if holds else f"{next(iter(scene.wants))}",
            )
        )  # fmt: skip
    weights = {item.id: item.weight for item in scene.rubric.items}
    won = sum(weights[f.id] for f in findings if f.verdict == "pass")
    total = sum(weights.values())
    kind: Any = dice.choices(("ok", "wrong_type", "omitted"), (94, 4, 2))[0]
    first = (next(iter(scene.wants)),)
    return Verdict(
        benchmark=__version__, suite="deliverables", task=header.task, run=header.run,
        agent=header.agent, condition="default", outcome="completed(finished)", scene=scene.sha,
        rules=scene.rules, recorded_rules=scene.rules, score=won / total,
        success=won * 10 >= total * 9, findings=tuple(findings),
        delivered=Delivered(
            low=won / total, high=won / total,
            all_core=all(f.verdict == "pass" for f in findings if f.level == "core"),
            checks=sum(weights[f.id] for f in findings if f.by == "check"),
            judges=sum(weights[f.id] for f in findings if f.by != "check"),
            void=0, total=total, judge="model:sim:judge", format=kind,
            wrong_type=first if kind == "wrong_type" else (),
            omitted=first if kind == "omitted" else (),
            levels=_shares(findings, weights, lambda f: f.level),
            dimensions=_shares(findings, weights, lambda f: f.dimension),
        ),
    )  # fmt: skip


def _shares(
    findings: Sequence[Finding], weights: Mapping[str, int], group: Callable[[Finding], str]
) -> dict[str, Share]:
    found: dict[str, Share] = {}
    for one in findings:
        old, weight = found.get(group(one), Share()), weights[one.id]
        won = old.satisfied + weight * (one.verdict == "pass")
        found[group(one)] = Share(won, old.void, old.total + weight)
    return dict(sorted(found.items()))


# --- on disk ------------------------------------------------------------------------------------


def _plan(suite: str, setup: Setup, tasks: Sequence[PlannedTask], runs: int) -> Plan:
    conduct = suite == "conduct"
    return Plan(
        suite=suite, benchmark=__version__, agent=setup.agent, model=setup.played,
        simulator=setup.simulator if conduct else "", condition=setup.condition, cap=setup.cap,
        judge="" if conduct else setup.judge, runs=runs, tasks=tuple(tasks),
    )  # fmt: skip


def _keep(root: Path, header: Header, body: bytes, verdict: Verdict) -> None:
    _write(root / "trace.jsonl", _JSON.encode(header) + b"\n" + body)
    _write(root / "verdict.json", as_text(verdict))


def _lines(*values: object) -> bytes:
    return b"".join(_JSON.encode(value) + b"\n" for value in values)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def main(args: Sequence[str]) -> None:
    root, suite = Path(args[0]), args[1] if len(args) > 1 else "conduct"
    numbers = tuple(map(int, args[2:5]))
    size = Size(*numbers) if numbers else Size(tasks=97 if suite == "deliverables" else 50)
    (deliverables if suite == "deliverables" else conduct)(root, size)


if __name__ == "__main__":
    main(sys.argv[1:])
