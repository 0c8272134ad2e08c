"""What a guard decided stands in its journal, and is decided so again."""

import json
from pathlib import Path
from typing import Any

import pytest

from bythebook.errors import TraceError
from bythebook.guard import Guard, Journal, TraceRules
from bythebook.guard.journal import read_journal
from tests.guard.desk import RULES, Clock, book, guard_of
from tests.own import bythebook

SHOWN = {"status": "delivered", "owner": "Ann"}


def lived(path: Path) -> Guard:
    """A guard that has seen a little of everything."""
    guard = guard_of(journal=path)
    guard.ask("refund", {"id": "7"})
    guard.did(guard.ask("get_order", {"id": "7"}), SHOWN)
    guard.heard("customer", "Yes, do that.")
    guard.did(guard.ask("refund", {"id": "7"}), SHOWN)
    guard.did(guard.ask("refund", {"id": "7"}), "it is broken", ok=False)
    guard.lost(guard.ask("message_customer", {"text": "half a \ud83d"}))
    guard.lost(guard.ask("refund", {"id": "7"}))
    guard.did(guard.ask("refund", {"id": "7"}), SHOWN)
    return guard


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_every_decision_is_on_disk_before_the_call_is_made(tmp_path: Path) -> None:
    path = tmp_path / "kept" / "journal.jsonl"
    guard = guard_of(journal=path)
    guard.ask("refund", {"id": "7"})
    head, asked = lines(path)
    guard.close()

    assert head["guard"] == 1
    assert head["mode"] == "refuse"
    assert (asked["ask"], asked["name"], asked["verdict"]) == (0, "refund", "refuse")
    assert asked["broken"][0]["says"] == "An order is looked up before it is refunded."


def test_a_journal_replays_to_the_same_decisions(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    lived(path).close()
    again = guard_of()

    assert again.replay(tuple(read_journal(path))) == []
    assert (again.refused, again.passed) == (1, 6)


def test_a_decision_that_would_be_another_one_today_is_named(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    lived(path).close()
    told = path.read_text().replace('"verdict":"refuse"', '"verdict":"pass"', 1)
    path.write_text(told)
    (different,) = guard_of().replay(tuple(read_journal(path)))

    assert different.startswith("call 0: was pass")
    assert "is refuse" in different


def test_a_guard_goes_on_with_the_journal_of_one_that_was_killed(tmp_path: Path) -> None:
    """With a call under way and half a line on disk."""
    path = tmp_path / "journal.jsonl"
    guard = lived(path)
    guard.ask("get_order", {"id": "8"})
    with path.open("ab") as file:
        file.write(b'{"did": 7, "resu')
    whole = len(lines_of(path))
    assert guard._journal is not None
    guard._journal.close()
    after = guard_of(journal=path)

    assert after.ask("refund", {"id": "7"}).verdict == "refuse"  # two were made before
    assert len(lines_of(path)) == whole + 2
    after.close()
    assert guard_of().replay(tuple(read_journal(path))) == []


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n")[:-1]


def test_a_journal_is_only_added_to(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    lived(path).close()
    before = path.read_bytes()
    lived_on = guard_of(journal=path)
    lived_on.ask("wipe", {})
    lived_on.close()

    assert path.read_bytes().startswith(before)


def test_a_journal_of_other_rules_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    lived(path).close()
    other = TraceRules(book(RULES.replace("at_most: 2", "at_most: 3")))

    with pytest.raises(TraceError, match="kept under other rules"):
        Guard(other, journal=Journal(path), clock=Clock())


@pytest.mark.parametrize("text", ["{}\n", "hello\n", '{"guard": 2}\n', "[1]\n"])
def test_what_is_no_journal_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_text(text)

    with pytest.raises(TraceError, match=r"journal\.jsonl:1"):
        Journal(path)


@pytest.mark.parametrize("text", ["", '{"guard": 1, "rul'])
def test_a_journal_cut_off_in_its_first_line_replays_to_nothing_and_says_so(
    text: str, tmp_path: Path
) -> None:
    (tmp_path / "rules.yaml").write_text(RULES)
    (tmp_path / "j.jsonl").write_text(text)
    words = ("guard", "--criteria", "rules.yaml", "--replay", "j.jsonl")
    done = bythebook(*words, cwd=tmp_path)

    assert done.returncode == 2
    assert "there is no whole line in this journal" in done.stderr
    assert "--journal FILE" in done.stderr


def test_a_value_that_is_no_json_is_kept_as_its_words(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    guard = guard_of(journal=path)
    guard.did(guard.ask("get_order", {"id": object}), {"status": {1, 2}, "owner": float("nan")})
    guard.close()

    assert guard_of().replay(tuple(read_journal(path))) == []
