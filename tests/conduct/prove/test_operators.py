"""Each operator finds a hole that was planted for it, and an unfairness that was planted for it."""

from pathlib import Path

import pytest

from bythebook.conduct.prove import Proof, prove_task
from tests.conduct.shed import Edits, criterion, shed_task

COUNT_DRAFTS = """
  - id: P6
    kind: process
    says: There is one draft.
    source: {family: shed-rules, clause: "1.2"}
    count: "write('handovers') as w where w.old is None"
    at_most: 1
"""
COUNT_LOOKS = """
  - id: P6
    kind: process
    says: One look is enough.
    source: {family: shed-rules, clause: "1.5"}
    count: call('look_into_locker')
    at_most: 1
"""
FIRST_ITEM = " and h.items[0].name == 'bicycle'"
AFTER = "after: [ask, note, bell, look]"


def proof(tmp_path: Path, edits: Edits) -> Proof:
    return prove_task(shed_task(tmp_path, edits))


def criteria(*changes: tuple[str, str]) -> Edits:
    return {"criteria.yaml": changes}


def golden(*changes: tuple[str, str]) -> Edits:
    return {"golden.yaml": changes}


def test_the_shed_is_proved(tmp_path: Path) -> None:
    found = proof(tmp_path, {})
    assert found.problems == found.survivors == ()
    assert found.proved
    assert found.mutants.killed > 100
    assert found.mutants.equivalent > 200


HOLES: dict[str, tuple[Edits, str]] = {
    "a missing rule": (criteria((criterion("P3"), "")), "drop: without note (message_customer)"),
    "a read nobody asks for": (
        criteria((criterion("P5"), "")),
        "drop: without look (look_into_locker)",
    ),
    "no bell is too many": (
        criteria((criterion("P4"), "")),
        "duplicate: bell (ring_shed_bell) twice",
    ),
    "an order no rule demands": (
        golden(("wrapped: false}}", "wrapped: false}, after: bell}")),
        "order: bell (ring_shed_bell) after draft (draft_handover)",
    ),
    "more slack than is said": (
        golden(("slack: 4", "slack: 3")),
        "delay: 4 minutes lost before bell (ring_shed_bell)",
    ),
    "a choice nobody looks at": (
        criteria((" and not h.wrapped", "")),
        "argument: draft (draft_handover).wrapped: False -> True",
    ),
    "a number nobody looks at": (
        criteria(("if h.fee == 600 and", "if")),
        "argument: draft (draft_handover).fee: 600 -> 599",
    ),
    "a line nobody looks at": (
        criteria(("and i.count == c ", "")),
        "argument: draft (draft_handover).items: item 1 count 2 -> 1",
    ),
    "a day nobody looks at": (
        criteria((", day='2025-10-14', status='done')\n", ", status='done')\n")),
        "argument: draft (draft_handover).day: '2025-10-14' -> '2025-10-15'",
    ),
    "the wrong locker throughout": (
        criteria(
            ("rows('handovers', locker='LK-71',", "rows('handovers',"),
            (criterion("P5"), ""),
            ("handovers where r.locker == 'LK-71'", "handovers where r.id != 'HO-1'"),
            ("takeaways where r.locker == 'LK-71'", "takeaways where r.id != 'TA-1'"),
            ("bells where r.locker == 'LK-71'", "bells where r.id != 'BL-1'"),
        ),
        "value: locker in 3 steps: 'LK-71' -> 'LK-72'",
    ),
    "a frame that lets others in": (
        criteria(("bells where r.locker == 'LK-71'", "bells where r.shift == 'day'")),
        "trespass: the agent wrote bells BL-1",
    ),
}


@pytest.mark.parametrize("what", HOLES)
def test_a_hole_is_found(tmp_path: Path, what: str) -> None:
    edits, says = HOLES[what]
    found = proof(tmp_path, edits)
    assert not found.proved
    assert any(line.startswith(f"hole: {says}") for line in found.survivors), found.survivors


UNFAIR: dict[str, tuple[Edits, str, str]] = {
    "a step called optional that is not": (
        golden(('collects?"}}', 'collects?"}, optional: true}')),
        "drop: without note (message_customer)",
        "P3",
    ),
    "a reading that is asked for, called a mere read": (
        golden((", optional: false", "")),
        "drop: without look (look_into_locker)",
        "P5",
    ),
    "a tool called repeatable that is not": (
        criteria(("  - id: F1\n", COUNT_DRAFTS.lstrip("\n") + "  - id: F1\n")),
        "duplicate: draft (draft_handover) twice",
        "P6",
    ),
    "an order a rule demands and the golden does not": (
        golden((AFTER, "after: [ask, note, look]")),
        "order: allowed order",
        "P1",
    ),
    "less slack than is said": (
        golden(("slack: 4", "slack: 5")),
        "delay: 5 minutes lost before bell (ring_shed_bell)",
        "G1",
    ),
    "a rule that hangs on the order of a list": (
        criteria((" and not h.wrapped", " and not h.wrapped" + FIRST_ITEM)),
        "spelling: draft (draft_handover).items: a list turned round",
        "G1",
    ),
    "a rule that forbids looking": (
        criteria(("  - id: F1\n", COUNT_LOOKS.lstrip("\n") + "  - id: F1\n")),
        "reading: more reads",
        "P6",
    ),
}


@pytest.mark.parametrize("what", UNFAIR)
def test_an_unfairness_is_found(tmp_path: Path, what: str) -> None:
    edits, says, rule = UNFAIR[what]
    found = proof(tmp_path, edits)
    assert not found.proved
    lines = [line for line in found.survivors if line.startswith(f"unfair: {says}")]
    assert any(rule in line.rpartition("breaks ")[2] for line in lines), found.survivors


def test_facets_of_consent_are_tried_on_the_trace(tmp_path: Path) -> None:
    counts = proof(tmp_path, {}).kills.operators["consent"]
    assert counts == {"killed": 6, "equivalent": 2}


def test_a_bound_is_tried_from_both_sides(tmp_path: Path) -> None:
    counts = proof(tmp_path, {}).kills.operators["bound"]
    assert counts == {"killed": 1, "equivalent": 1}


def test_a_second_call_that_is_refused_may_pass_or_fail(tmp_path: Path) -> None:
    assert proof(tmp_path, {}).kills.operators["duplicate"]["either"] == 1


def test_a_rule_that_alone_kills_too_much_is_a_warning(tmp_path: Path) -> None:
    assert any(line.startswith("G1 alone kills") for line in proof(tmp_path, {}).warnings)


def test_a_rule_that_nothing_breaks_is_a_warning(tmp_path: Path) -> None:
    never = """  - id: P6
    kind: process
    says: Approval requests are not taken back.
    source: {family: shed-rules, clause: "1.2"}
    never: call('withdraw_approval_request')
  - id: F1
"""
    found = proof(tmp_path, criteria(("  - id: F1\n", never)))
    assert "P6 is broken by no counterexample and no variant" in found.warnings


def test_a_table_without_rows_of_others_is_a_warning(tmp_path: Path) -> None:
    found = proof(
        tmp_path,
        criteria(
            (
                "        - messages",
                "        - messages\n        - \"proxies where r.owner == 'PTY-9101'\"",
            )
        ),
    )
    assert any("no row of proxies is somebody else's" in line for line in found.warnings)
    assert found.proved


def test_a_table_left_open_with_rows_of_others_is_a_warning(tmp_path: Path) -> None:
    found = proof(
        tmp_path, criteria(("        - messages", "        - messages\n        - parties"))
    )
    assert "the frame leaves parties open, rows of others too" in found.warnings
    assert not any("messages open" in line for line in found.warnings)
