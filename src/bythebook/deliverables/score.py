"""The verdict on one submission: f(scene, evidence, judgements), the same bytes on any machine.

    score    = sum(weight of satisfied items) / sum(weights), when no item is void
    success  = score >= 0.90, when both bounds agree (StartupBench, Table 3)

An item is decided by its check; where that is unsure, or there is none, by the last judgement of
the judge that counts, as the plan says or else the first one, on this wording of the item and on
these very files. A screen only fails.
Whoever handed over nothing fails every item: nothing of that is void.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Literal, Protocol

import msgspec

from bythebook.deliverables.checks.answer import Answer, Evidence
from bythebook.deliverables.checks.case import Case
from bythebook.deliverables.checks.run import run_check
from bythebook.deliverables.evidence.model import FileEvidence, Kind
from bythebook.deliverables.judge.docket import Mode, standing
from bythebook.deliverables.judge.judgement import Judgement
from bythebook.deliverables.rubric import Item
from bythebook.deliverables.scenefile import SceneFile
from bythebook.errors import TraceError
from bythebook.trace import Trace
from bythebook.verdict import Delivered, Finding, Share, Verdict

SUCCESS = (9, 10)
"""Nine tenths of the weight."""
LONGEST_WHY = 600
UNANSWERED = "no judge has answered"
"""How the reason of an item begins that waits for a judge: no fault of ours, unlike other voids."""

Said = Literal["pass", "fail", "void"]


class Handed(Evidence, Protocol):
    """What was handed over; `evidence.view.View` is one."""

    @property
    def sha(self) -> str:
        """SHA-256 over names and bytes of all files."""
        ...


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What a verdict repeats of the run it is on, and whose judgements count."""

    benchmark: str
    task: str
    run: int
    agent: str
    outcome: str
    suite: str = "deliverables"
    condition: str = "default"
    scene: str = ""
    """The scene that the trace names; empty: the one that judges."""
    calls: int = 0
    judge: str = ""
    """Empty: whoever judged these files first."""
    mode: Mode = "item"

    @classmethod
    def of(cls, trace: Trace, *, judge: str = "", mode: Mode = "item") -> "Facts":
        """Raises `TraceError` for a trace without an outcome."""
        header, closing = trace.header, trace.closing
        if closing is None:
            raise TraceError("the run was still in flight; it has no outcome", where=header.task)
        return cls(
            benchmark=header.benchmark,
            suite=header.suite,
            task=header.task,
            run=header.run,
            agent=header.agent,
            condition=header.condition,
            outcome=str(closing.outcome),
            scene=header.scene,
            calls=sum(event.kind == "call" for event in trace.events),
            judge=judge,
            mode=mode,
        )


def verdict(
    scene: SceneFile,
    evidence: Handed,
    judgements: Sequence[Judgement],
    facts: Facts,
    *,
    today: SceneFile | None = None,
) -> Verdict:
    """The verdict under the rules of the run's scene, or under those of `today`."""
    if facts.scene and facts.scene != scene.sha:
        what = f"the trace names scene {facts.scene[:12]}.., this is {scene.sha[:12]}.."
        raise TraceError(what, where=f"{facts.task}/{facts.run}")
    rules = today or scene
    judge, mode = _judge(facts, evidence, judgements)
    bench = _Bench(rules.case(evidence), evidence.sha, judgements, judge, mode)
    items = rules.rubric.items
    findings = tuple(bench.finding(item) for item in items)
    weights = {item.id: item.weight for item in items}
    total = sum(weights.values())
    satisfied = _weight(findings, weights, "pass")
    void = _weight(findings, weights, "void")
    return Verdict(
        benchmark=facts.benchmark,
        suite=facts.suite,
        task=facts.task,
        run=facts.run,
        agent=facts.agent,
        condition=facts.condition,
        outcome=facts.outcome,
        scene=scene.sha,
        rules=rules.rules,
        recorded_rules=scene.rules,
        score=None if void else satisfied / total,
        success=_success(satisfied, void, total),
        delivered=_delivered(findings, items, rules.wants, evidence.files, judge),
        calls=facts.calls,
        findings=findings,
    )


# --- one item -----------------------------------------------------------------------------------


class _Bench:
    """Decides items, one after another."""

    def __init__(
        self, case: Case, evidence: str, judgements: Sequence[Judgement], judge: str, mode: Mode
    ) -> None:
        self._case, self._evidence = case, evidence
        self._judgements, self._judge, self._mode = judgements, judge, mode

    def finding(self, item: Item) -> Finding:
        if not self._case.results.files:
            return _finding(
                item, "fail", "check", Answer(mark="fail", why="nothing was handed over")
            )
        answer = run_check(item, self._case) if item.decided_by != "judge" else None
        if answer is not None and _decides(item, answer):
            mark: Said = "void" if answer.mark == "void" else "pass"
            if answer.mark == "fail":
                mark = "fail"
            return _finding(item, mark, "" if mark == "void" else item.decided_by, answer)
        said = standing(
            self._judgements, item, judge=self._judge, evidence=self._evidence, mode=self._mode
        )
        return _judged(item, said, answer)


def _decides(item: Item, answer: Answer) -> bool:
    """A check unless it is unsure; a screen only when it fails."""
    return answer.mark == "fail" if item.decided_by == "screen" else answer.mark != "unsure"


def _finding(item: Item, mark: Said, by: str, answer: Answer) -> Finding:
    return Finding(
        id=item.id,
        kind="item",
        says=item.says,
        verdict=mark,
        why=answer.why,
        level=item.level,
        dimension=item.dimension,
        by=by,
        place=answer.place,
        seen=answer.seen,
        wanted=answer.wanted,
        count=answer.count,
        notes=answer.notes,
    )


def _judged(item: Item, said: Judgement | None, answer: Answer | None) -> Finding:
    """What the judge said; void where it said nothing that counts."""
    if said is None or said.verdict is None:
        cause = f"the judge gave no verdict: {said.cause}" if said else UNANSWERED
        doubt = answer if answer is not None and answer.mark == "unsure" else Answer(mark="void")
        why = f"{cause}; the check was unsure: {doubt.why}" if doubt.why else cause
        return _finding(item, "void", "", msgspec.structs.replace(doubt, why=why))
    first = said.cited[0] if said.cited else None
    because = (
        said.because if len(said.because) <= LONGEST_WHY else said.because[:LONGEST_WHY] + ".."
    )
    told = Answer(
        mark=said.verdict,
        why=because,
        place=first.at if first else "",
        seen=first.reads if first else "",
    )
    return _finding(item, said.verdict, said.judge, told)


def _judge(facts: Facts, evidence: Handed, judgements: Sequence[Judgement]) -> tuple[str, Mode]:
    """Whose judgements count."""
    if facts.judge:
        return facts.judge, facts.mode
    on_these = [one for one in judgements if one.evidence == evidence.sha]
    return (on_these[0].judge, on_these[0].mode) if on_these else ("", facts.mode)


# --- all items ----------------------------------------------------------------------------------


def _weight(findings: Iterable[Finding], weights: Mapping[str, int], mark: Said) -> int:
    return sum(weights[finding.id] for finding in findings if finding.verdict == mark)


def _success(satisfied: int, void: int, total: int) -> bool | None:
    """None while it hangs on void items."""
    low, high = (
        weight * SUCCESS[1] >= total * SUCCESS[0] for weight in (satisfied, satisfied + void)
    )
    return low if low == high else None


def _delivered(
    findings: tuple[Finding, ...],
    items: tuple[Item, ...],
    wants: Mapping[str, Kind],
    files: Mapping[str, FileEvidence],
    judge: str,
) -> Delivered:
    weights = {item.id: item.weight for item in items}
    total = sum(weights.values())
    satisfied, void = (_weight(findings, weights, mark) for mark in ("pass", "void"))
    by_checks = sum(weights[f.id] for f in findings if f.by in ("check", "screen"))
    wrong_type, omitted = compliance(wants, files)
    core = {f.verdict for f in findings if f.level == "core"}
    return Delivered(
        low=satisfied / total,
        high=(satisfied + void) / total,
        all_core=False if "fail" in core else None if "void" in core else True,
        checks=by_checks,
        judges=total - by_checks - void,
        void=void,
        total=total,
        judge=judge,
        format="omitted" if omitted else "wrong_type" if wrong_type else "ok",
        wrong_type=wrong_type,
        omitted=omitted,
        levels=_shares(findings, weights, [(f.id, f.level) for f in findings]),
        dimensions=_shares(findings, weights, [(f.id, f.dimension) for f in findings]),
    )


def _shares(
    findings: tuple[Finding, ...], weights: Mapping[str, int], groups: list[tuple[str, str]]
) -> dict[str, Share]:
    """Group to the weights of its items."""
    found: dict[str, Share] = {}
    for finding, (name, group) in zip(findings, groups, strict=True):
        old, weight = found.get(group, Share()), weights[name]
        found[group] = Share(
            old.satisfied + weight * (finding.verdict == "pass"),
            old.void + weight * (finding.verdict == "void"),
            old.total + weight,
        )
    return dict(sorted(found.items()))


def compliance(
    wants: Mapping[str, Kind], files: Mapping[str, FileEvidence]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Wanted files of a wrong type, and omitted ones: StartupBench, Table 5.

    Types are told by suffix and by what the bytes are. A file of the right type under another name
    is compliant; a stray file of another type stands for one that is missing.
    """
    spare = sorted(name for name in files if name not in wants)
    wrong, omitted = [], []
    for name, kind in wants.items():
        there = files.get(name)
        if there is not None and there.status != "empty":
            if there.status == "wrong_type":
                wrong.append(name)
            continue
        own = [one for one in spare if _suffix(one) == _suffix(name) and _sound(files[one])]
        other = sorted(spare, key=lambda one: _stem(one) != _stem(name))
        if own:
            spare.remove(own[0])
        elif there is None and other and files[other[0]].kind != kind:
            spare.remove(other[0])
            wrong.append(name)
        else:
            omitted.append(name)
    return tuple(wrong), tuple(omitted)


def _suffix(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


def _stem(name: str) -> str:
    return PurePosixPath(name).stem.casefold()


def _sound(file: FileEvidence) -> bool:
    return file.status not in ("wrong_type", "empty")
