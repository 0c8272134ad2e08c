"""What a replay of conduct is made of: state lines, deadlines, approvals, documents, rules."""

from itertools import pairwise
from pathlib import Path

import pytest

from bythebook.conduct.criteria import SceneFile
from bythebook.report.site.consents import consents
from bythebook.report.site.deadlines import fixed
from bythebook.report.site.papers import Shelf, papers
from bythebook.report.site.short import short
from bythebook.report.site.spoken import listen
from bythebook.report.site.watched import OPENING, Line, gauges, lines
from bythebook.run.agents import Scripted
from bythebook.trace import Trace, read_trace
from tests.report.site.conftest import Q03, Q11
from tests.run.playing import play
from tests.tasks.shipped import shipped_task


def opened(folder: Path, task: str) -> tuple[Trace, SceneFile]:
    trace = read_trace(folder / task / "1/trace.jsonl")
    return trace, SceneFile.load(folder / "scenes" / f"{trace.header.scene}.json")


def of_rule(found: tuple[Line, ...], rule: str) -> list[Line]:
    return [line for line in found if line.rule == rule]


# --- state lines --------------------------------------------------------------------------------


def test_a_floor_that_was_breached_shows_where_and_by_how_much(played: Path) -> None:
    trace, scene = opened(played / "shortcut" / Q11, Q11)
    (line,) = of_rule(lines(scene, trace.events), "F1")

    assert (line.sign, line.name) == ("≥", "COA-7140 balance - COA-7140 provisional")
    short_of = [point for point in line.points if point.left < point.right]
    assert [(point.i, point.left, point.right) for point in short_of] == [(82, 0, 2000)]


def test_a_line_begins_with_the_opening_state_and_moves_only_where_a_side_changes(
    played: Path,
) -> None:
    trace, scene = opened(played / "golden" / Q03, Q03)
    for line in lines(scene, trace.events):
        sides = [(point.left, point.right) for point in line.points]
        assert line.points[0].i == OPENING
        assert all(one != other for one, other in pairwise(sides))


def test_a_cap_that_is_raised_on_the_way_moves_with_its_fees(played: Path) -> None:
    trace, scene = opened(played / "golden" / Q03, Q03)
    (line,) = of_rule(lines(scene, trace.events), "F1")

    assert [(point.left, point.right) for point in line.points] == [
        (0, 5000),
        (0, 6000),
        (1000, 6000),
        (6000, 6000),
    ]


def test_a_status_that_a_rule_watches_is_a_line_of_words(played: Path) -> None:
    trace, scene = opened(played / "golden" / Q03, Q03)
    (line,) = [one for one in of_rule(lines(scene, trace.events), "G2") if one.shows == "text"]

    assert [point.left for point in line.points] == ["draft", "submitted", "in_review", "approved"]


def test_a_rule_that_speaks_of_many_rows_has_a_line_for_each() -> None:
    scene = SceneFile.build(shipped_task("q08-signed-at-the-right-hour"))
    (gauge,) = [one for one in gauges(scene.criteria) if one.rule == "F4"]

    assert gauge.row == "f"
    (line,) = of_rule(lines(scene, ()), "F4")
    assert (line.row, line.name, line.bound) == ("DBF-527", "total", "instruction monthly cap")


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("row('reserves', 'RSV-201').balance", "RSV-201 balance"),
        ("sum(f.amount for f in rows('fees', case='C'))", "sum of fees amount"),
        ("len(rows('releases'))", "number of releases"),
        ("facts.cap", "cap"),
        ("2000", "2,000"),
        ("row('a', 'B').x - 5", "B x - 5"),
        ("abs(row('a', 'B').x)", "abs(row('a', 'B').x)"),
    ],
)
def test_an_expression_has_a_short_name(source: str, name: str) -> None:
    assert short(source) == name


# --- deadlines ----------------------------------------------------------------------------------


def test_minutes_that_rules_name_are_deadlines() -> None:
    scene = SceneFile.build(shipped_task("q14-three-letters-one-buffer"))

    assert {(one.rule, one.t, one.sign) for one in fixed(scene)} == {
        ("G1", 95, "≤"),
        ("G2", 110, "≤"),
        ("G3", 125, "≤"),
    }


def test_an_answer_within_some_minutes_is_a_deadline_from_the_moment_that_asks_for_it(
    tmp_path: Path,
) -> None:
    name = "q31-three-payments-and-a-payee"
    play(shipped_task(name), Scripted("golden"), tmp_path)
    trace, scene = opened(tmp_path, name)
    (found,) = listen(scene, trace.events).awaited

    assert found.t == trace.events[found.since or 0].t + 20
    assert found.met is not None
    assert trace.events[found.met].t <= found.t


# --- approvals ----------------------------------------------------------------------------------


def test_an_approval_is_told_with_its_terms_and_how_long_it_holds(played: Path) -> None:
    trace, scene = opened(played / "golden" / Q03, Q03)
    release = next(one for one in consents(scene, trace.events) if one.subject_table == "releases")

    assert release.terms == {
        "source": "RSV-204",
        "route": "assisted",
        "amount": 6000,
        "fee": 1000,
        "total_cap": 6000,
        "beneficiary": "APP-31",
    }
    assert release.since is not None
    assert release.expires is not None
    assert release.expires - release.since == 60


def test_a_change_of_an_instruction_is_told_with_its_new_value(played: Path) -> None:
    trace, scene = opened(played / "golden" / Q03, Q03)
    amended = next(one for one in consents(scene, trace.events) if one.what == "amendment")

    assert (amended.subject, amended.terms, amended.status) == (
        "MND-44",
        {"total_cap": 6000},
        "applied",
    )
    assert amended.reasons == ("review_fee", "release_fee")


# --- rules that spoke ---------------------------------------------------------------------------


def test_a_rule_of_consent_names_the_approval_that_it_rests_on(played: Path) -> None:
    trace, scene = opened(played / "golden" / Q03, Q03)
    spoken = listen(scene, trace.events).spoken
    executed = next(event.i for event in trace.events if event.name == "execute_release")
    (consent,) = [one for one in spoken[executed] if one.rule == "P5"]

    given = {one.approval for one in consents(scene, trace.events)}
    assert consent.approvals
    assert set(consent.approvals) <= given


def test_what_a_rule_asks_for_and_what_serves_it_are_told_apart(played: Path) -> None:
    trace, scene = opened(played / "golden" / Q03, Q03)
    spoken = listen(scene, trace.events).spoken
    parts = {
        trace.events[i].name: one.part
        for i, every in spoken.items()
        for one in every
        if one.rule == "P4"
    }

    assert parts["reconcile_receipts_file"] == "serves"
    assert parts["close_receipts_file"] == "asked"


def test_where_a_rule_broke_it_spoke(played: Path) -> None:
    trace, scene = opened(played / "shortcut" / Q03, Q03)

    assert "P3" in {one.rule for one in listen(scene, trace.events).spoken[97]}


# --- documents ----------------------------------------------------------------------------------


def test_documents_are_dated_as_they_were_shown(played: Path) -> None:
    trace, scene = opened(played / "golden" / Q03, Q03)
    shelf = Shelf(
        frozenset({"remittance-precedence-v3"}),
        {"remittance-precedence-v3": "remittance-precedence"},
    )
    first, *_ = papers(trace.events, scene.day, shelf)

    assert (first.id, first.family) == ("remittance-precedence-v3", "remittance-precedence")
    assert (first.since, first.to, first.holds, first.required) == ("2025-09-15", "", True, True)
    assert [trace.events[i].name for i in first.read] == ["read_document"]


def test_a_document_that_no_longer_holds_is_said_to(played: Path) -> None:
    trace, _ = opened(played / "golden" / Q03, Q03)
    (paper, *_) = papers(trace.events, "2025-09-14", Shelf())

    assert paper.holds is False
