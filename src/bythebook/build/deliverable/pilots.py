"""Pilot runs: what they score, whether they tell strong from weak, and why they fail.

StartupBench, Section 3.1.4, Difficulty Control: a task that is "consistently completed with high
quality" is excluded; where a failure is due to the task and not to its difficulty, the task is
revised and validated anew. "High quality" is a rule here: every pilot scores `too_easy_percent`
or more.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from bythebook.build.deliverable.construction import tried
from bythebook.build.deliverable.place import Lack, Page, Place
from bythebook.build.deliverable.records import SENDS_BACK, Failure, Pilots
from bythebook.deliverables.placed import FAULT, PLACED
from bythebook.deliverables.scenefile import SceneFile
from bythebook.deliverables.task import DeliverableTask
from bythebook.errors import BythebookError, suggestion
from bythebook.run.deliver import DeliverBench
from bythebook.run.folder import EvaluationFolder, RunFolder, as_text
from bythebook.run.score import Subset, judge_again
from bythebook.verdict import Verdict

AGAIN = "run the pilots anew on the task as it stands, and name their folders in pilots.yaml"


class Pilot(msgspec.Struct, frozen=True, kw_only=True):
    """One run that counts, under the rubric as it stands now."""

    name: str
    """agent#run"""
    agent: str
    model: str
    folder: Path
    run: int
    score: float | None
    """0 to 1; None while an item is void."""
    failed: tuple[str, ...]
    void: tuple[str, ...]
    prompt: str
    """What it was asked."""
    marks: dict[str, str]
    """Item to pass, fail or void."""
    verdict: Verdict


class Read(msgspec.Struct, frozen=True):
    """The runs of some folders, and what is wrong with them."""

    pilots: tuple[Pilot, ...]
    lacks: tuple[Lack, ...]


def pilots_page(place: Place, name: str) -> Page[Pilots]:
    return place.beside(name, "pilots.yaml", Pilots)


def read_pilots(place: Place, task: DeliverableTask, page: Page[Pilots]) -> Read:
    """The pilots of a task, from their run folders."""
    found: dict[str, Pilot] = {}
    lacks: list[Lack] = []
    for number, told in enumerate(page.value.runs):
        at = f"runs[{number}]"
        for one in read_runs(place, task, page.beside(told)):
            if isinstance(one, Lack):
                lacks.append(one)
            elif one.name in found:
                what = f"{one.name} is here twice"
                lacks.append(page.lack(at, what, "give each agent a name of its own"))
            else:
                found[one.name] = one
    return Read(tuple(found.values()), tuple(lacks))


def read_runs(place: Place, task: DeliverableTask, root: Path) -> Iterator[Pilot | Lack]:
    """The runs of one folder that count, judged again by what is on disk under today's rubric."""
    folder = EvaluationFolder(root)
    if not root.is_dir():
        yield Lack(str(root), "", "there is no run folder here", "name one of `run` or `submit`")
        return
    try:
        plan = folder.plan
        today = DeliverBench(folder, place.reader, {task.id: task})
        judged = judge_again(folder, today, keep=False, only=Subset(tasks=(task.id,)))
    except BythebookError as error:
        yield Lack(error.where, "", error.what, error.hint)
        return
    for problem in judged.problems:
        yield Lack(problem.where, "", problem.what, problem.hint or AGAIN)
    if not judged.verdicts and not judged.problems:
        yield Lack(str(root), "", f"holds no finished run of {task.id}", AGAIN)
    model = plan.model if plan is not None else ""
    for verdict in judged.verdicts:
        run = folder.run(verdict.task, verdict.run)
        yield from _altered(folder, run, place)
        yield _pilot(folder, verdict, model)


def _altered(folder: EvaluationFolder, run: RunFolder, place: Place) -> Iterator[Lack]:
    """The verdict that lies there is the one that its trace, evidence and judgements give."""
    only = Subset(tasks=(run.task,), numbers=(run.number,))
    recorded = judge_again(folder, DeliverBench(folder, place.reader), keep=False, only=only)
    kept = run.verdict.read_bytes() if run.verdict.exists() else b""
    for verdict in recorded.verdicts:
        if kept != as_text(verdict):
            what = "the verdict is not what its run gives"
            yield Lack(str(run.verdict), "", what, f"bythebook score {folder.root}")


def _pilot(folder: EvaluationFolder, verdict: Verdict, model: str) -> Pilot:
    scene = SceneFile.load(folder.scenes / f"{verdict.scene}.json")
    marks = {finding.id: finding.verdict for finding in verdict.findings}
    return Pilot(
        name=f"{verdict.agent}#{verdict.run}",
        agent=verdict.agent,
        model=model,
        folder=folder.root,
        run=verdict.run,
        score=verdict.score,
        failed=tuple(name for name, mark in marks.items() if mark == "fail"),
        void=tuple(name for name, mark in marks.items() if mark == "void"),
        prompt=scene.prompt,
        marks=dict(marks),
        verdict=verdict,
    )


# --- the gate -----------------------------------------------------------------------------------


def pilots_lacks(place: Place, name: str) -> Iterator[Lack]:
    page = pilots_page(place, name).sound()
    task = tried(place, name)
    read = read_pilots(place, task, page)
    yield from read.lacks
    yield from _enough(page, read.pilots, place.rules.pilots)
    for pilot in read.pilots:
        yield from _counts(page, pilot, task)
    yield from _discriminates(page, read.pilots, place.rules.too_easy_percent)
    yield from _attributed(page, read.pilots)


def _enough(page: Page[Pilots], pilots: tuple[Pilot, ...], least: int) -> Iterator[Lack]:
    if len(pilots) < least:
        what = f"{len(pilots)} pilot runs, and at least {least} are wanted"
        do = "bythebook run deliverables, or submit what a product made; then name the folders here"
        yield page.lack("runs", what, do)


def _counts(page: Page[Pilots], pilot: Pilot, task: DeliverableTask) -> Iterator[Lack]:
    if pilot.agent.partition(":")[0] in (*PLACED, FAULT):
        what = f"{pilot.agent} is no agent that works, and no pilot"
        yield page.lack("runs", what, "name runs of agents, products or people")
    if pilot.prompt != task.prompt:
        yield page.lack("runs", f"{pilot.name} was asked another prompt", AGAIN)
    if pilot.void:
        items = ", ".join(pilot.void)
        do = f"bythebook judge {pilot.folder} --judge ..."
        yield page.lack("runs", f"{pilot.name} is not judged on {items}", do)


def _discriminates(page: Page[Pilots], pilots: tuple[Pilot, ...], percent: int) -> Iterator[Lack]:
    """The rule: what every pilot completes at the threshold is dropped."""
    if too_easy(pilots, percent):
        scores = ", ".join(f"{one.name} {100 * (one.score or 0):.1f}" for one in pilots)
        what = f"every pilot scores {percent} or more ({scores}): it tells nobody apart"
        do = "decide pilots --discard; or make it harder, decide --return, and run pilots anew"
        yield page.lack("runs", what, do)


def too_easy(pilots: tuple[Pilot, ...], percent: int) -> bool:
    """Every pilot completes the task."""
    known = [one.score for one in pilots if one.score is not None]
    return bool(known) and len(known) == len(pilots) and min(known) * 100 >= percent - 1e-9


def _attributed(page: Page[Pilots], pilots: tuple[Pilot, ...]) -> Iterator[Lack]:
    """Every failed item has a cause, and none of the causes lies in the task."""
    known = {one.name: one for one in pilots}
    for number, one in enumerate(page.value.failures):
        yield from _cause(page, f"failures[{number}]", one, known)
    told = {(one.pilot, item) for one in page.value.failures for item in one.items}
    for pilot in pilots:
        left = [item for item in pilot.failed if (pilot.name, item) not in told]
        if left:
            what = f"nobody said why {pilot.name} failed {', '.join(left)}"
            yield page.lack("failures", what, "add {pilot, items, cause, why}")


def _cause(page: Page[Pilots], at: str, one: Failure, known: dict[str, Pilot]) -> Iterator[Lack]:
    if one.pilot not in known:
        do = suggestion(one.pilot, known)
        yield page.lack(f"{at}.pilot", f"there is no pilot {one.pilot!r}", do)
        return
    failed = known[one.pilot].failed
    for item in one.items:
        if item not in failed:
            do = f"it failed: {', '.join(failed) or 'nothing'}"
            yield page.lack(f"{at}.items", f"{one.pilot} did not fail {item}", do)
    if one.cause is None or not one.why.strip():
        do = f"intrinsic difficulty, {', '.join(SENDS_BACK)}; and why"
        yield page.lack(at, "no cause is given, or no reason for it", do)
    if one.cause in SENDS_BACK:
        what = f"{', '.join(one.items)} failed for {one.cause}: the task goes back"
        yield page.lack(f"{at}.cause", what, "decide pilots --return; revise, validate anew")
