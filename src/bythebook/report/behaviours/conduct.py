"""Failure behaviours of conduct.

A broken rule shows a behaviour by what kind of rule it is, which its scene file says:

    consent       `authorised`, or a predicate that calls `approved`
    bound         `always` over numbers that are no times
    deadline      `after .. within`, or a comparison of times that did not hold
    order         `before`, or `after`
    trespass      `frame`
    wrong act     none of these

Times are `t`, `day`, `at`, `expires`, and columns that hold a day. A verdict names the two sides of
the comparison of numbers that broke a rule. Where there is none (days are text, and what stands in
`any` or `all` is not measured) the rule counts as one of times when all its ordered comparisons
(<, <=, >, >=) are of times, and as one of numbers when none is.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal

import msgspec

from bythebook import yamlfile
from bythebook.conduct.company import load_company
from bythebook.conduct.criteria.rawrule import RawRule
from bythebook.conduct.documents import Library
from bythebook.conduct.schema import Spec
from bythebook.errors import BythebookError
from bythebook.report.behaviours.case import Case
from bythebook.report.data import Evaluation
from bythebook.run.condition import condition
from bythebook.run.statistics import KINDS
from bythebook.run.summary import RunLine
from bythebook.task import Content
from bythebook.tool import Day
from bythebook.trace import StoredEvent, Trace
from bythebook.verdict import Finding, Verdict

TIMES = frozenset(("t", "day", "at", "expires"))
ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def cases(evaluation: Evaluation, content: Content) -> Iterator[Case]:
    """Run by run."""
    reader = _Reader(evaluation, content)
    for run, trace, verdict in evaluation.cases():
        yield from reader.of_run(run, trace, verdict)


class _Rules(msgspec.Struct, frozen=True):
    """The criteria of a scene file."""

    criteria: tuple[RawRule, ...]


class _Schema(msgspec.Struct, frozen=True):
    tables: dict[str, dict[str, Spec]]


class _Scene(msgspec.Struct, frozen=True, dict=True):
    """What a scene file says that behaviours are told by."""

    day: Day
    criteria: _Rules
    schema: _Schema

    @cached_property
    def rules(self) -> Mapping[str, RawRule]:
        return {rule.id: rule for rule in self.criteria.criteria}

    @cached_property
    def times(self) -> frozenset[str]:
        days = {
            name
            for columns in self.schema.tables.values()
            for name, spec in columns.items()
            if spec.kind == "day"
        }
        return TIMES | days


class _Reader:
    """Scenes and documents, read once."""

    def __init__(self, evaluation: Evaluation, content: Content) -> None:
        self._evaluation, self._content = evaluation, content
        self._scenes: dict[str, _Scene] = {}
        self._lookalikes: dict[str, dict[str, tuple[str, ...]]] = {}

    @cached_property
    def _library(self) -> Library:
        return load_company(self._content).library

    def of_run(self, run: RunLine, trace: Trace, verdict: Verdict) -> Iterator[Case]:
        if run.goal and run.strict is False:
            yield Case(behaviour="wrong way", task=run.task, run=run.run, says=_broken(verdict))
        scene = self._scene(trace.header.scene)
        reads = self._reads(run, trace)
        for finding in verdict.findings:
            if finding.verdict == "fail":
                for behaviour in self._shown(finding, scene, run.task, reads):
                    yield _case(behaviour, run, finding)
        wasted = list(_wasted(trace))
        if wasted:
            says = f"{len(wasted)} reads, first event {wasted[0].i}: {wasted[0].name}"
            yield Case(
                behaviour="wasted reads",
                task=run.task,
                run=run.run,
                event=wasted[0].i,
                says=says,
                times=len(wasted),
            )

    def _scene(self, sha: str) -> _Scene:
        if sha not in self._scenes:
            data = (self._evaluation.folder.scenes / f"{sha}.json").read_bytes()
            self._scenes[sha] = msgspec.json.decode(data, type=_Scene)
        return self._scenes[sha]

    def _reads(self, run: RunLine, trace: Trace) -> dict[str, int]:
        """Document to the event at which it was first read; -1 where it was handed over."""
        found: dict[str, int] = {}
        planned = self._evaluation.planned.get(run.task)
        if planned is not None and condition(trace.header.condition).documents:
            found = dict.fromkeys(planned.documents, -1)
        for event in trace.events:
            if event.kind == "call" and event.name == "read_document" and event.ok:
                found.setdefault(msgspec.json.decode(event.args)["id"], event.i)
        return found

    # --- one broken rule --------------------------------------------------------------------

    def _shown(
        self, finding: Finding, scene: _Scene, task: str, reads: Mapping[str, int]
    ) -> Iterator[str]:
        rule = scene.rules.get(finding.id)
        if rule is None:  # judged under other rules than the scene's
            return
        yield from _by_kind(rule, finding, scene.times)
        if finding.source and rule.kind != "goal":
            yield self._by_reading(finding, scene.day, task, reads)

    def _by_reading(self, finding: Finding, day: Day, task: str, reads: Mapping[str, int]) -> str:
        family = finding.source.partition("#")[0]
        before = {name for name, i in reads.items() if finding.at is None or i < finding.at}
        editions = self._library.families.get(family, [])
        in_force = {d.id for d in editions if d.front.binding and d.front.holds(day)}
        if before & in_force:
            return "rule read"
        others = {d.id for d in editions} | set(self._taken_for(task).get(family, ()))
        return "outdated rule" if before & others else "rule not read"

    def _taken_for(self, task: str) -> dict[str, tuple[str, ...]]:
        """Family to the papers that the task names as lookalikes."""
        if task not in self._lookalikes:
            self._lookalikes[task] = _lookalikes(self._content, task)
        return self._lookalikes[task]


def _by_kind(rule: RawRule, finding: Finding, times: frozenset[str]) -> Iterator[str]:
    """What the pattern of a broken rule says of how it was broken."""
    found = list(_kinds(rule, finding, times))
    yield from found or ["wrong act"]


def _kinds(rule: RawRule, finding: Finding, times: frozenset[str]) -> Iterator[str]:
    patterns, trees = rule.patterns(), list(_expressions(rule))
    if "authorised" in patterns or any(_calls(tree, "approved") for tree in trees):
        yield "consent"
    about = _about(finding, trees, times)
    if "always" in patterns and about == "numbers":
        yield "bound"
    if rule.within is not None or about == "times":
        yield "deadline"
    if "before" in patterns or "after" in patterns:
        yield "order"
    if "frame" in patterns:
        yield "trespass"


def _about(
    finding: Finding, trees: Sequence[ast.AST], times: frozenset[str]
) -> Literal["numbers", "times", ""]:
    """What the comparison that broke a rule is of; empty where that cannot be told."""
    measured = list(_measured(finding))
    compared = measured or [node for tree in trees for node in _ordered(tree)]
    of_time = [_names_time(tree, times) for tree in compared]
    if not of_time:
        return ""
    if measured:
        return "times" if any(of_time) else "numbers"
    return "times" if all(of_time) else "" if any(of_time) else "numbers"


def _case(behaviour: str, run: RunLine, finding: Finding) -> Case:
    says = f"{finding.says} {finding.why}".strip()
    return Case(
        behaviour=behaviour,
        task=run.task,
        run=run.run,
        event=finding.at,
        rule=finding.id,
        says=says,
    )


def _broken(verdict: Verdict) -> str:
    names = [f.id for f in verdict.findings if f.verdict == "fail" and f.kind != "goal"]
    return f"broken: {', '.join(names)}"


def _lookalikes(content: Content, task: str) -> dict[str, tuple[str, ...]]:
    folder = content.tasks("conduct").get(task)
    if folder is None:
        return {}
    try:
        data = yamlfile.parse(yamlfile.read_text(folder / "task.yaml"), folder)
    except BythebookError:
        return {}
    found = data.get("lookalikes", {})
    return {str(family): tuple(map(str, ids)) for family, ids in found.items()}


# --- expressions --------------------------------------------------------------------------------


def _expressions(rule: RawRule) -> Iterator[ast.AST]:
    """The predicates of a rule; of one that forbids, the condition of what it forbids."""
    forbidden = (rule.never or "").partition(" where ")[2]
    for text in (rule.finally_, rule.always, rule.require, rule.match, forbidden):
        tree = _parsed(text or "")
        if tree is not None:
            yield tree


def _measured(finding: Finding) -> Iterator[ast.AST]:
    """The sides of the comparison of numbers that broke the rule, as expressions."""
    for name, value in finding.values.items():
        if isinstance(value, int) and not isinstance(value, bool):
            tree = _parsed(name)
            if tree is not None:
                yield tree


def _parsed(text: str) -> ast.AST | None:
    try:
        return ast.parse(f"({text.strip()}\n)", mode="eval") if text.strip() else None
    except SyntaxError:
        return None


def _calls(tree: ast.AST, name: str) -> bool:
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
        for node in ast.walk(tree)
    )


def _ordered(tree: ast.AST) -> Iterator[ast.AST]:
    """Its comparisons by order."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and any(isinstance(op, ORDERED) for op in node.ops):
            yield node


def _names_time(tree: ast.AST, times: frozenset[str]) -> bool:
    for node in ast.walk(tree):
        name = node.attr if isinstance(node, ast.Attribute) else ""
        name = node.id if isinstance(node, ast.Name) else name
        if name in times:
            return True
    return False


# --- reading again ------------------------------------------------------------------------------


def _wasted(trace: Trace) -> Iterator[StoredEvent]:
    """Reads of records and documents with the name, arguments and answer of an earlier one."""
    seen: set[tuple[str, bytes, bytes]] = set()
    for event in trace.events:
        if event.kind == "call" and event.ok and _reads(event):
            args = msgspec.json.encode(msgspec.json.decode(event.args), order="deterministic")
            mark = (event.name, args, bytes(event.result))
            if mark in seen:
                yield event
            seen.add(mark)


def _reads(call: StoredEvent) -> bool:
    if call.name in ("read_document", "query_records"):
        return True
    return call.name not in KINDS and not call.writes
