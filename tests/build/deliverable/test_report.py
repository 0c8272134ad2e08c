"""The report: five headings, the funnel, the experts, and what was skipped."""

from pathlib import Path

import pytest

from bythebook.build.deliverable.funnel import Experts, experts, signed
from bythebook.build.deliverable.gates import decide
from bythebook.build.deliverable.report import NOTHING, Report, report
from bythebook.build.ledger import Decision
from tests.build.deliverable.story import change, opened, passes, walk

pytestmark = pytest.mark.timeout(400)
"""Whoever comes first waits for the runs and the proof that all share."""

HEADINGS = ["User-centricity", "Validity", "Reliability", "Diversity", "Transparency"]


def said(found: Report) -> dict[str, str]:
    return {entry.what: entry.found for entries in found.criteria.values() for entry in entries}


def test_a_report_has_the_five_criteria_and_each_is_filled_from_records(through: Path) -> None:
    found = report(opened(through / "place"))
    assert list(found.criteria) == HEADINGS
    told = said(found)
    assert told["products surveyed"] == "1, 1 of them with paid use"
    assert told["users interviewed"] == "1, 0 of them answered by a model"
    assert told["demo cases"] == "1, for 1 products"
    assert told["the reference gets the full score"] == "mileage: yes"
    assert told["judge and raters, item by item"] == (
        "mileage: raw 0.89, kappa 0.73, AC1 0.81 over 9 items"
    )
    assert told["scores of the pilots"] == "mileage: desk-agent 67.7, careful-agent 100.0"
    assert told["items that pilots failed, by cause"] == "intrinsic difficulty 2"
    assert told["domains"] == "1 of 6: business 1"
    assert NOTHING not in {
        text for what, text in told.items() if what not in ("sent back", "discarded")
    }
    assert (found.tasks, found.paper, found.lines) == (1, 97, 10)


def test_marks_that_a_model_gave_are_not_told_as_those_of_people(finished: Path) -> None:
    assert said(report(opened(finished)))["raters"] == "mileage: 1"
    change(finished / "tasks" / "mileage" / "scoring.yaml", "kind: person", "kind: model")
    told = said(report(opened(finished)))
    assert told["raters"] == "mileage: 1, 1 of them a model"
    assert told["judge and raters, item by item"].endswith(", with no person among the raters")


def test_where_nothing_is_recorded_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    found = report(opened(tmp_path / "place"))
    told = said(found)
    standing = ("decisions that have lapsed", "thresholds of this place")
    assert {text for what, text in told.items() if what not in standing} == {NOTHING}
    assert found.experts.number == 0
    assert found.experts.median_years is None


def test_a_gate_that_was_made_easier_is_told(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    assert said(report(opened(tmp_path / "place")))["thresholds of this place"] == "as usual"
    (tmp_path / "place").mkdir()
    (tmp_path / "place" / "rules.yaml").write_text("pilots: 0\ntoo_easy_percent: 101\n")
    assert said(report(opened(tmp_path / "place")))["thresholds of this place"] == (
        "pilots 0 instead of 2; too_easy_percent 101 instead of 90"
    )


def test_the_funnel_counts_what_came_back_and_what_is_out(place: Path) -> None:
    here = walk(place, "pilots")
    decide(here, "task/mileage", passes("pilots", decided="return", why="two readings of a cell"))
    by_gate = {one.gate: one for one in report(here).funnel}
    assert (by_gate["cross-validation"].entered, by_gate["cross-validation"].passed) == (1, 1)
    pilots = by_gate["pilots"]
    assert (pilots.entered, pilots.passed, pilots.returned, pilots.waiting) == (1, 0, 1, 1)
    assert by_gate["scoring"].entered == 0

    decide(here, "task/mileage", passes("pilots", decided="discard", why="not worth mending"))
    pilots = {one.gate: one for one in report(here).funnel}["pilots"]
    assert (pilots.discarded, pilots.returned, pilots.waiting) == (1, 1, 0)


def test_a_lapsed_decision_is_counted_as_such(finished: Path) -> None:
    change(finished / "pool" / "travel-desk.yaml", "seed round", "first round")
    found = report(opened(finished))
    admission = found.funnel[0]
    assert (admission.passed, admission.lapsed, admission.waiting) == (0, 1, 1)
    assert said(found)["decisions that have lapsed"] == "product-admission of product/travel-desk"


def test_a_waived_gate_is_printed_with_who_and_why(place: Path) -> None:
    here = walk(place, "scoring")
    waive = passes("scoring", decided="waive", why="nobody had the time")
    decide(here, "task/mileage", waive, day="2026-05-06")
    assert report(here).waived == (
        "scoring of task/mileage, by Dora Elm (person), 2026-05-06: nobody had the time",
    )


def test_what_a_model_passed_for_a_person_is_printed_and_makes_no_expert(place: Path) -> None:
    rules = "stand_ins: [product-admission]\nbecause: no person is at hand\n"
    (place / "rules.yaml").write_text(rules)
    model = passes("product-admission", who="reader 2", kind="model")
    decide(opened(place), "product/travel-desk", model)
    found = report(opened(place))
    assert len(found.stand_ins) == 1
    assert "by reader 2 (model)" in found.stand_ins[0]
    assert found.experts.number == 0
    assert found.signed["model"].decisions == 1


# --- experts, as in the paper's Table 8 ---------------------------------------------------------


def line(who: str, years: int | None, domain: str, kind: str = "expert") -> Decision:
    return Decision(
        n=1, day="2026-05-04", gate="g", subject="task/a", decided="pass", who=who,
        kind=kind,  # type: ignore[arg-type] # told by the test
        years=years, domain=domain, why="seen", files={}, before="",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "table"),
    [
        ([], (0, None, [None] * 3, ())),
        ([line("A", 2, "legal")], (1, 2.0, [0.0] * 3, ("legal",))),
        (
            [line("A", 3, "legal"), line("B", 6, "medical"), line("C", 10, "legal")],
            (3, 6.0, [1.0, 2 / 3, 1 / 3], ("medical", "legal")),
        ),
        ([line("A", 3, "legal"), line("a ", 4, "finance")], (1, 4.0, [1, 0, 0], None)),
        ([line("A", None, "", "person"), line("M", None, "", "model")], (0, None, [None] * 3, ())),
    ],
)
def test_experts_are_counted_once_and_nobody_else_is(
    lines: list[Decision], table: tuple[int, float | None, list[float | None], tuple[str, ...]]
) -> None:
    found: Experts = experts(lines)
    number, years, shares, domains = table
    assert (found.number, found.median_years) == (number, years)
    assert list(found.shares.values()) == shares
    assert domains is None or found.domains == domains


def test_whoever_signs_in_other_letters_is_one_signer() -> None:
    """Blanks, case, and letters of full width, as an input method for Chinese writes them."""
    lines = [line(who, None, "", "person") for who in ("Ada Bell", "ada  bell", "\uff21da Bell")]
    assert signed(lines)["person"].signers == 1
