"""JUnit XML of a check: one test suite a trace, one test case a rule.

What a rule that is no heuristic found broken is a failure. A heuristic one, and what cannot be
decided, is skipped, with its words; what is void is an error.
"""

import re
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree as tree

from bythebook.interop.check import Checked
from bythebook.interop.observer import Judged

ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold."""


def junit(traces: Iterable[Checked], problems: Iterable[str] = ()) -> Iterator[str]:
    """The document, piece by piece. `problems`: what could not be read."""
    yield "<?xml version='1.0' encoding='utf-8'?>\n<testsuites name=\"bythebook check\">\n"
    yield from map(_written, map(_suite, traces))
    cases = [_problem(number, said) for number, said in enumerate(problems, start=1)]
    if cases:
        yield _written(_counted("not read", cases))
    yield "</testsuites>\n"


def _written(suite: tree.Element) -> str:
    tree.indent(suite)
    return tree.tostring(suite, encoding="unicode") + "\n"


def _suite(trace: Checked) -> tree.Element:
    cases = [_case(trace, one) for one in trace.criteria]
    cases += [_problem(number, said) for number, said in enumerate(trace.odd, start=1)]
    return _counted(f"{trace.file} {trace.id}", cases)


def _counted(name: str, cases: list[tree.Element]) -> tree.Element:
    suite = tree.Element("testsuite", name=_text(name), tests=str(len(cases)))
    for kind, counter in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        suite.set(counter, str(sum(case.find(kind) is not None for case in cases)))
    suite.extend(cases)
    return suite


def _case(trace: Checked, one: Judged) -> tree.Element:
    case = tree.Element("testcase", classname=_text(trace.id), name=_text(one.id))
    if one.verdict == "pass":
        return case
    kind = {"fail": "failure", "void": "error"}.get(one.verdict, "skipped")
    says = one.says
    if one.heuristic and one.verdict == "fail":
        kind, says = "skipped", f"heuristic: {says}"
    elif one.verdict == "uncheckable":
        says = f"uncheckable: {one.why}"
    element = tree.SubElement(case, kind, message=_text(says))
    where = f"{one.event.place}: {one.event}" if one.event is not None else ""
    element.text = _text("\n".join(filter(None, (one.why, where, one.source))))
    return case


def _problem(number: int, said: str) -> tree.Element:
    case = tree.Element("testcase", classname="not read", name=f"problem {number}")
    tree.SubElement(case, "error", message=_text(said))
    return case


def _text(text: str) -> str:
    return ILLEGAL.sub("?", text)
