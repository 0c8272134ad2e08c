"""What whoever writes a task or a tool is told when it does not work."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bythebook.conduct.company import load_company
from bythebook.task import Content
from tests.cli.conftest import Said
from tests.own import TASK, own_content

Say = Callable[..., Said]
Ask = Callable[..., tuple[int, Any]]

DESK = "company/desks/passes.py"
DOCUMENTS = "company/documents"


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_a_tool_that_breaks_is_a_problem_of_the_task_and_names_its_line(
    say: Say, ask: Ask, tmp_path: Path
) -> None:
    own = own_content(tmp_path / "own")
    change(own / DESK, "    row = world[VisitorPass][pass_id]\n", "    1 // 0\n")
    line = (own / DESK).read_text().splitlines().index("    1 // 0") + 1
    says = f"tool 'issue_pass' broke at passes.py:{line}: ZeroDivisionError"

    code, found = ask("prove", "--task", TASK, "--content", own)
    ran, _, err = say("run", "conduct", "--agent", "golden", "--task", TASK, "--content", own)

    assert code == 1
    assert any(says in problem for problem in found["tasks"][0]["problems"])
    assert ran == 3
    assert says in err
    assert "fault of bythebook" not in err


def test_something_scheduled_that_breaks_names_its_line(say: Say, tmp_path: Path) -> None:
    own = own_content(tmp_path / "own")
    loop = """    for row in world[VisitorPass].where(day=day, status="issued"):\n"""
    change(own / DESK, loop, "    1 // 0\n    for row in ():\n")

    code, _, err = say("run", "conduct", "--agent", "idle", "--task", TASK, "--content", own)

    assert code == 3
    assert "event 'passes_printed' broke at passes.py:" in err


def test_a_desk_that_does_not_import_names_its_line(say: Say, tmp_path: Path) -> None:
    own = own_content(tmp_path / "own")
    change(own / DESK, "from msgspec import Meta\n", "\n")

    lines = (own / DESK).read_text().splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "Meta(" in text)

    code, _, err = say("tasks", "--content", own)

    assert code == 2
    assert f"passes.py:{line}: NameError: name 'Meta' is not defined" in err


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("hours: int) -> VisitorPass", "hours: float) -> VisitorPass", "float has no shape"),
        ("def cancel_pass", "def query_records", "'query_records' is taken by every agent"),
    ],
)
def test_a_tool_that_cannot_be_offered_is_refused(
    say: Say, tmp_path: Path, old: str, new: str, says: str
) -> None:
    own = own_content(tmp_path / "own")
    change(own / DESK, old, new)

    code, _, err = say("tasks", "--content", own)

    assert code == 2
    assert says in err


def test_a_name_that_stands_twice_is_told_with_both_files(say: Say, tmp_path: Path) -> None:
    one, two = own_content(tmp_path / "one"), own_content(tmp_path / "two")

    code, _, err = say("tasks", "--content", one, "--content", two)

    assert code == 2
    assert "tool 'draft_pass' is taken by desk 'passes' in" in err
    assert f"{one / DESK}" in err
    assert f"{two / DESK}" in err


def test_a_tool_that_every_agent_holds_is_not_begun_anew(say: Say, tmp_path: Path) -> None:
    code, _, err = say("new", "tool", "query_records", "--desk", "x", "--to", tmp_path / "own")

    assert code == 2
    assert "there is a tool 'query_records' on desk 'base' already" in err
    assert not (tmp_path / "own").exists()


def test_a_new_tool_takes_an_id_prefix_that_is_free(say: Say, tmp_path: Path) -> None:
    for name in ("book_courier", "buy_cheese"):
        assert say("new", "tool", name, "--desk", "hall", "--to", tmp_path / "own")[0] == 0

    kinds = load_company(Content([tmp_path / "own"])).kinds
    assert kinds["book_courier_records"].prefix == "BC"
    assert kinds["buy_cheese_records"].prefix == "BCA"


def test_a_further_edition_begins_as_a_draft(say: Say, tmp_path: Path) -> None:
    own = own_content(tmp_path / "own")

    code, _, err = say("new", "document", "visitor-pass-policy-v3", "--to", own)

    library = load_company(Content([own])).library
    assert code == 0
    assert "it is a draft" in err
    assert library.in_force("visitor-pass-policy", "2025-10-14").id == "visitor-pass-policy-v2"


def test_two_editions_at_once_are_told_apart(say: Say, tmp_path: Path) -> None:
    own = own_content(tmp_path / "own")
    change(own / DOCUMENTS / "visitor-pass-policy-v1.md", "2025-07-01]", "2025-08-01]")
    change(own / "company" / "parameters" / "passes.yaml", "to: 2025-07-01", "to: 2025-08-01")
    change(own / "company" / "parameters" / "passes.yaml", "from: 2025-07-01", "from: 2025-08-01")
    change(own / DOCUMENTS / "visitor-pass-policy-v2.md", "{{pass.hours.unapproved}}", "4")

    code, _, err = say("tasks", "--content", own)

    assert code == 2
    assert "are both in force on some day end the older one's `effective` on the day" in err


def test_why_says_how_each_run_ended(say: Say, own: Path) -> None:
    line = ("--agent", "golden", "--cap", "0.5", "--task", TASK, "--content", own, "--to", "r")
    say("run", "conduct", "--runs", "1", *line)

    assert f"{TASK} run 1, limit(tool_calls)" in say("score", "r", "--why")[2]


def test_arguments_that_do_not_read_are_shown_some_that_do(say: Say, own: Path) -> None:
    _, run, _ = say("act", "--new", "conduct", TASK, "--to", "r", "--content", own)

    code, _, err = say("act", run.strip(), "search_documents", "passes", "--content", own)

    assert code == 2
    assert """as in {"query": "refund"}""" in err


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("[visitor-pass-policy-v1, ", "[visitor-pass-policy-v0, ", "did you mean 'visitor-pass-p"),
        ("  visitor-pass-policy: [", "  visitor-pas-policy: [", "mean 'visitor-pass-policy'?"),
        ("  visitor-pass-policy: [", "  fee-mandates: [", "no family of a required document"),
        ("[visitor-pass-policy-v1, ", "[visitor-pass-policy-v2, ", "is a required document"),
    ],
)
def test_a_lookalike_is_a_document_and_stands_under_a_required_family(
    say: Say, tmp_path: Path, old: str, new: str, says: str
) -> None:
    own = own_content(tmp_path / "own")
    change(own / "tasks" / "conduct" / TASK / "task.yaml", old, new)

    code, _, err = say("prove", "--task", TASK, "--content", own)

    assert code == 1
    assert "task.yaml" in err
    assert says in err
