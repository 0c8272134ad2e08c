"""What must be true of a task before its variants mean anything: each gate can be seen to close."""

from pathlib import Path

import pytest

from bythebook.conduct.prove import gate_problems, prove_task, write_kill_table
from tests.conduct.shed import SHED, TASK, Edits, criterion, shed_task

SHOP = "{id: t3d, call: describe_tool, with: {name: do_handover}, after: d1r}"
WHO = "{id: who, call: query_records, with: {table: parties, where: {parent: PTY-9101}}}"
READ = "  - {id: d1r, call: read_document, with: {id: shed-rules}, after: d1}\n"
AT_ONCE = (criterion("G1").partition("finally:")[2], " row('lockers', 'LK-71').size == 4\n")
AT_THE_YES = (AT_ONCE[0], " any(a.subject_table == 'handovers' for a in rows('approvals'))\n")
USELESS = {"idle": "idling", "refuse": "refusing", "agree": "agreeing", "dump": "looking"}
HARM = """  - id: F3
    kind: protection
    says: By the time the gate is shut something was collected.
    source: {family: shed-rules, clause: "1.5"}
    whenever: "event('gate_shut') as e"
    require: "len(rows('takeaways', locker='LK-71')) == 1"
  - id: F2
"""
NEVER_HAPPENS = """  - id: P6
    kind: process
    says: Withdrawn requests were open for long.
    source: {family: shed-rules, clause: "1.2"}
    whenever: "call('withdraw_approval_request') as w"
    require: w.t > 1
  - id: F1
"""

PARAPHRASES = (SHED / "tasks" / "conduct" / TASK / "paraphrases.yaml").read_text("utf-8")
ELICITS = PARAPHRASES.partition("elicits:\n")[2].partition("  silent:")[0]

GATES: dict[str, tuple[Edits, str]] = {
    "a golden that is refused": (
        {"golden.yaml": (("where: {parent:", "where: {parents:"),)},
        "golden: step who (query_records) is refused: parties has no column 'parents'",
    ),
    "a golden that breaks a rule": (
        {"criteria.yaml": (("h.fee == 600", "h.fee == 601"),)},
        "golden breaks G1 (fail)",
    ),
    "too little slack": (
        {"golden.yaml": (("slack: 4", "slack: 0"),)},
        "golden: slack 0 is under a quarter of its 3 minutes",
    ),
    "a counterexample that breaks something else": (
        {"counterexamples.yaml": (("breaks: [P1]", "breaks: [P3]"),)},
        "night_keeper must not break P1 (fail) at step take",
    ),
    "a counterexample that does not break its target": (
        {"counterexamples.yaml": (("breaks: [P1]", "breaks: [P3]"),)},
        "night_keeper must break P3 and does not",
    ),
    "a counterexample of an unknown criterion": (
        {"counterexamples.yaml": (("breaks: [P1]", "breaks: [P11]"),)},
        "night_keeper: no criterion 'P11'; did you mean 'P1'?",
    ),
    "a twin that breaks something": (
        {"counterexamples.yaml": (("{move: bell, after: draft}", "{move: bell, after: take}"),)},
        "drafts_first must not break P1",
    ),
    "a shortcut that does not get there": (
        {"counterexamples.yaml": (("[{drop: ask}]", "[{drop: [ask, take]}]"), ("[P2]", "[G1]"))},
        "never_asked: a shortcut reaches every goal; this one does not",
    ),
    "goals that hold from the start": (
        {"criteria.yaml": (AT_ONCE,)},
        "every goal holds in the opening state",
    ),
    **{
        f"an agent that passes by {what}": (
            {"criteria.yaml": (AT_ONCE,)},
            f"agent {agent} passes strictly",
        )
        for agent, what in USELESS.items()
    },
    "an agent that passes by stopping at the yes": (
        {"criteria.yaml": (AT_THE_YES,)},
        "agent stop-at-yes passes strictly",
    ),
    "a protection that idling breaks": (
        {"criteria.yaml": (("  - id: F2\n", HARM),)},
        "agent idle breaks the protection F3",
    ),
    "a process rule whose clause no step of a procedure knows": (
        {"criteria.yaml": (('shed-rules, clause: "1.5"', 'fee-mandates, clause: "1.2"'),)},
        "P5 guards no step: no procedure of the task knows fee-mandates#1.2",
    ),
    "a process rule that nothing exercises": (
        {"criteria.yaml": (("  - id: F1\n", NEVER_HAPPENS),)},
        "P6 is vacuous on the golden",
    ),
    "a tool used before it was described": (
        {"golden.yaml": ((f"  - {SHOP}\n", ""),)},
        "golden: step take: do_handover is used before it was described",
    ),
    "a tool nobody told it about": (
        {
            "golden.yaml": (
                (READ, ""),
                *[(", after: d1r", "")] * 3,
                ("ring the bell of the shed", "countersign"),
            )
        },
        "golden: step t4d: nothing before it shows that there is a tool look_into_locker",
    ),
    "an id nobody showed it": (
        {"golden.yaml": ((f"  - {WHO}\n", ""), ("$who.rows.0.id", "PTY-9102"))},
        "golden: step draft: nothing before it shows the id PTY-9102",
    ),
    "a required document that is not read": (
        {"golden.yaml": ((READ, ""), *[(", after: d1r", "")] * 3)},
        "golden: required document shed-rules is not read",
    ),
    "a required document that no search finds": (
        {"golden.yaml": (("query: rules of the tool shed", "query: reserve"),)},
        "golden: required document shed-rules is read, but no search before it shows it",
    ),
    "a paraphrase that is not understood": (
        {"paraphrases.yaml": (("Who is the cousin?", "Who is it?"),)},
        "paraphrases of cousin: 'Who is it?' should elicit it",
    ),
    "a fact that nothing brings out": (
        {"paraphrases.yaml": ((ELICITS, "    - Who?\n    - Which one?\n"),)},
        "paraphrases of cousin: no message elicits it; see its `asks` in customer.yaml",
    ),
    "a paraphrase that gives it away": (
        {"paraphrases.yaml": (("Is it wrapped?", "Does the cousin wrap it?"),)},
        "paraphrases of cousin: 'Does the cousin wrap it?' should not elicit it",
    ),
    "too few paraphrases": (
        {"paraphrases.yaml": (("    - Thank you.\n", ""),)},
        "paraphrases of cousin: 9 that do not elicit it, 10 are needed",
    ),
    "a review that is open": (
        {"review.yaml": (("fairness: {holds: true", "fairness: {holds: false"),)},
        "review: fairness is open",
    ),
    "blind cases that are not there": (
        {"review.yaml": (("valid: [drafts_first]", "valid: [draft_first]"),)},
        "review: blind valid: no case 'draft_first'",
    ),
}


@pytest.mark.parametrize("what", GATES)
def test_a_gate_closes(tmp_path: Path, what: str) -> None:
    edits, says = GATES[what]
    problems = gate_problems(shed_task(tmp_path, edits))
    assert any(says in problem for problem in problems), problems


def test_content_that_does_not_load_is_a_problem_of_the_task(tmp_path: Path) -> None:
    edits = {"criteria.yaml": (("rows('proxies'", "rows('proxys'"),)}
    proof = prove_task(shed_task(tmp_path, edits))
    assert not proof.proved
    assert any("did you mean 'proxies'?" in problem for problem in proof.problems)


def test_nothing_else_is_tried_until_the_golden_passes(tmp_path: Path) -> None:
    proof = prove_task(shed_task(tmp_path, {"criteria.yaml": (("== 600", "== 601"),)}))
    assert not proof.proved
    assert proof.warnings == ("nothing else is tried until the golden passes",)


def test_a_missing_review_is_a_problem(tmp_path: Path) -> None:
    task = shed_task(tmp_path)
    (task.folder / "review.yaml").unlink()
    assert any("review.yaml: no such file" in problem for problem in gate_problems(task))


def test_the_same_task_gives_the_same_kill_table_to_the_byte(tmp_path: Path) -> None:
    task = shed_task(tmp_path)
    first = write_kill_table(prove_task(task), task.folder).read_bytes()
    assert write_kill_table(prove_task(task), task.folder).read_bytes() == first
