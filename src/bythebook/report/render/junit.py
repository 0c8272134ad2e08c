"""JUnit XML, for build servers: one test suite an evaluation, one test case a run.

A run that is no strict success (conduct) or no success (deliverables) is a failure, with the
rules it broke. What is void, or does not read, is an error: our own fault, never the agent's.
Planned runs without a valid attempt are skipped.
"""

import re
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree as tree

from bythebook.report.data import Evaluation
from bythebook.run.summary import RunLine

ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold."""


def junit(evaluations: Iterable[Evaluation]) -> str:
    """A suite for each evaluation, a case for each run; those that are missing are cases, too."""
    root = tree.Element("testsuites", name="bythebook")
    for one in evaluations:
        suite = _suite(one)
        root.append(suite)
    tree.indent(root)
    return tree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _suite(one: Evaluation) -> tree.Element:
    cases = [*map(_case, one.runs), *_missing(one), *_problems(one)]
    suite = tree.Element("testsuite", name=_text(one.label), tests=str(len(cases)))
    for kind, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        suite.set(name, str(sum(case.find(kind) is not None for case in cases)))
    suite.extend(cases)
    return suite


def _case(run: RunLine) -> tree.Element:
    case = _named(run.task, f"run {run.run}")
    held = run.strict if run.delivered is None else run.success
    if held is None or (run.void and run.delivered is None):
        _add(case, "error", f"{run.void} rules or items are void", run)
    elif not held:
        score = "" if run.score is None else f"score {100 * run.score:.1f}; "
        _add(case, "failure", f"{score}broken: {', '.join(run.broken)}", run)
    return case


def _missing(one: Evaluation) -> Iterator[tree.Element]:
    if one.plan is None:
        return
    there = {(run.task, run.run) for run in one.runs}
    for task in one.plan.tasks:
        for number in range(1, one.plan.runs + 1):
            if (task.id, number) not in there:
                case = _named(task.id, f"run {number}")
                tree.SubElement(case, "skipped", message="no valid attempt")
                yield case


def _problems(one: Evaluation) -> Iterator[tree.Element]:
    for number, problem in enumerate(one.problems, start=1):
        case = _named("not read", f"problem {number}")
        tree.SubElement(case, "error", message=_text(problem))
        yield case


def _named(task: str, name: str) -> tree.Element:
    return tree.Element("testcase", classname=_text(task), name=name)


def _add(case: tree.Element, kind: str, says: str, run: RunLine) -> None:
    element = tree.SubElement(case, kind, message=_text(says))
    element.text = _text(f"{run.outcome}, {run.calls} calls")


def _text(text: str) -> str:
    return ILLEGAL.sub("?", text)
