"""The verdict on a run of deliverables as the reward that Harbor reads.

    /logs/verifier/reward.json := {"reward": 0..1, ...}      numbers only

With a judge the reward is the run's score. Without one it is the share of the weight of the items
with a check whose check passed. An item that its check is unsure of has not passed, so nobody gains
by being hard to read; items that only a judge can decide are left out. What is void through a fault
of our own gives no reward at all.
"""

import msgspec

from bythebook.deliverables.rubric import Item
from bythebook.deliverables.scenefile import SceneFile
from bythebook.deliverables.score import UNANSWERED
from bythebook.errors import JudgeError, TraceError, UsageError
from bythebook.run.folder import EvaluationFolder
from bythebook.verdict import Delivered, Finding, Verdict

Reward = dict[str, float]
MOST_NAMED = 5


def reward(folder: EvaluationFolder, *, judged: bool) -> Reward:
    """The reward of the one run in a folder; `judged`: a judge was to decide what checks do not.

    Raises `UsageError` for a folder that does not hold one run of deliverables, and `JudgeError`
    where an item is void that must not be.
    """
    verdict = _verdict(folder)
    if not isinstance(verdict.delivered, Delivered):
        raise UsageError("its run is not one of deliverables", where=folder.root)
    scene = SceneFile.load(folder.scenes / f"{verdict.scene}.json")
    items = {item.id: item for item in scene.rubric.items}
    _check_void(verdict, judged=judged)
    found = _by_judge(verdict) if judged else _by_checks(verdict, items)
    bounds = {"score_low": verdict.delivered.low, "score_high": verdict.delivered.high}
    return {"reward": found, "checks": _by_checks(verdict, items), **bounds}


def _verdict(folder: EvaluationFolder) -> Verdict:
    places = [place for place in folder.runs() if place.verdict.exists()]
    if len(places) != 1:
        what = f"{len(places)} judged runs are here; a reward is that of one"
        raise UsageError(what, where=folder.root, hint="name the folder that `submit` wrote to")
    path = places[0].verdict
    try:
        return msgspec.json.decode(path.read_bytes(), type=Verdict)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        hint = f"make it anew: bythebook score {folder.root}"
        raise TraceError(f"this verdict does not read: {error}", where=path, hint=hint) from None


def _check_void(verdict: Verdict, *, judged: bool) -> None:
    """Raises `JudgeError` for what is void and does not merely wait for a judge nobody wanted."""
    void = [one for one in verdict.findings if one.verdict == "void"]
    wrong = [one for one in void if judged or not one.why.startswith(UNANSWERED)]
    if wrong:
        named = "; ".join(f"{one.id}: {one.why}" for one in wrong[:MOST_NAMED])
        what = f"{len(wrong)} items are void, so there is no reward: {named}"
        raise JudgeError(what, hint="see that LibreOffice is there and that the judge can be asked")


def _by_judge(verdict: Verdict) -> float:
    """Nothing is void, so there is a score."""
    return float(verdict.score or 0.0)


def _by_checks(verdict: Verdict, items: dict[str, Item]) -> float:
    checked = [one for one in verdict.findings if items[one.id].decided_by == "check"]
    total = sum(items[one.id].weight for one in checked)
    return sum(_gained(one, items) for one in checked) / total if total else 0.0


def _gained(finding: Finding, items: dict[str, Item]) -> int:
    return items[finding.id].weight if finding.verdict == "pass" else 0
