"""JUnit XML: what failed, what is our own fault, what never ran."""

from pathlib import Path
from xml.etree import ElementTree as tree

import msgspec
from msgspec.structs import replace

from bythebook.report.data import Evaluations, read_evaluations
from bythebook.report.render.junit import junit
from bythebook.report.render.summary import summary
from bythebook.run.folder import as_text
from bythebook.verdict import Verdict
from tests.report.simulated import Setup, Size, conduct


def test_a_case_a_run(both: Evaluations) -> None:
    root = tree.fromstring(junit(both.every))

    assert [suite.get("name") for suite in root] == [one.label for one in both.every]
    for suite, one in zip(root, both.every, strict=True):
        conducted = one.suite == "conduct"
        failed = sum(not (run.strict if conducted else run.success) for run in one.runs)
        assert suite.get("tests") == "60"
        assert suite.get("failures") == str(failed)
        assert len(suite.findall("testcase/failure")) == failed
        assert (suite.get("errors"), suite.get("skipped")) == ("0", "0")


def test_a_failure_names_the_rules_that_were_broken(both: Evaluations) -> None:
    one = both.of("conduct")[2]
    run = next(run for run in one.runs if not run.strict)
    suite = tree.fromstring(junit([one]))[0]
    case = next(
        c for c in suite if (c.get("classname"), c.get("name")) == (run.task, f"run {run.run}")
    )
    failure = case.find("failure")

    assert failure is not None
    assert failure.get("message") == f"broken: {', '.join(run.broken)}"


def test_void_is_an_error_and_missing_is_skipped(tmp_path: Path) -> None:
    (folder,) = conduct(tmp_path, Size(tasks=2), shipped=1, setups=[Setup("a", 9.0)])
    first, second, *_ = read_evaluations([folder]).every[0].folder.runs()
    verdict = msgspec.json.decode(first.verdict.read_bytes(), type=Verdict)
    findings = (replace(verdict.findings[0], verdict="void"), *verdict.findings[1:])
    first.verdict.write_bytes(as_text(replace(verdict, strict=None, findings=findings)))
    second.trace.unlink()
    (suite,) = tree.fromstring(junit(read_evaluations([folder]).every))

    assert (suite.get("tests"), suite.get("errors"), suite.get("skipped")) == ("6", "1", "1")
    assert suite.get("failures") == "0"


def test_letters_that_xml_cannot_hold_are_left_out(tmp_path: Path) -> None:
    (folder,) = conduct(tmp_path, Size(tasks=1, runs=1), shipped=1, setups=[Setup("a", 0.0)])
    found = read_evaluations([folder], named=["a\x00\x1b<b>&"])

    assert tree.fromstring(junit(found.every))[0].get("name") == "a??<b>&"


def test_the_summary_for_a_build_names_what_broke_most(both: Evaluations) -> None:
    text = summary(both)

    assert text.index("Conduct:") < text.index("Deliverables:")
    worst = both.of("conduct")[2]
    assert f"- {worst.label} broke most often:" in text
