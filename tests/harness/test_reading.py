"""What a harness says of its end is read from its output, never from its exit code alone.

The outputs are what the harnesses wrote here, at these ends, cut to the fields that tell.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from bythebook.harness.adapter import Ending, Said, Setup, as_words
from bythebook.harness.harnesses import HARNESSES, named
from bythebook.sandbox.process import Kept, Ran

BAD_KEY = "Failed to authenticate. API Error: 401 bad key"


def setup(home: Path) -> Setup:
    return Setup(
        home=home,
        home_inside="/home/agent",
        workspace_inside="/workspace",
        model="scripted",
        model_url="http://127.0.0.1:8900",
        tools_url="http://127.0.0.1:8901/mcp",
        context_tokens=150_000,
        max_tokens=9_999,
    )


def said(name: str, out: str, code: int | None = 0, *, err: str = "", ended: str = "") -> Said:
    ran = Ran(Kept(out.encode()), Kept(err.encode()), code, ended)
    return named(name).read(setup(Path("/nowhere")), ran)


def nanobot(text: str, stop: str, error: str | None = None) -> str:
    return "\n" + json.dumps({"text": text, "stop": stop, "error": error}) + "\n"


def hermes(text: str | None, why: str, *, failed: bool = False, completed: bool = True) -> str:
    told = {"final_response": text, "failed": failed, "partial": False, "completed": completed}
    return "\n" + json.dumps({**told, "error": None, "turn_exit_reason": why}) + "\n"


def claude(text: str, subtype: str = "success", *, is_error: bool = False) -> str:
    told = {"type": "result", "subtype": subtype, "is_error": is_error, "result": text}
    return json.dumps({**told, "session_id": "5e55", "num_turns": 2}) + "\n"


def codex(*events: dict[str, Any]) -> str:
    first = {"type": "thread.started", "thread_id": "5e55"}
    return "".join(json.dumps(event) + "\n" for event in (first, *events))


def mini(stop: str, text: str = "", error: str = "") -> str:
    return "\n" + json.dumps({"stop": stop, "text": text, "error": error}) + "\n"


WORDS = {"type": "item.completed", "item": {"type": "agent_message", "text": "Done."}}
WARNING = {"type": "item.completed", "item": {"type": "error", "message": "an unknown model"}}
OVER = {"type": "turn.completed", "usage": {}}
FAILED = {"type": "turn.failed", "error": {"message": "unexpected status 401"}}
FINISHED = "text_response(finish_reason=stop)"

ENDS: list[tuple[str, str, Ending, str]] = [
    ("nanobot", nanobot("Done.", "completed"), "finished", ""),
    ("nanobot", "log line\n" + nanobot("Done.", "completed"), "finished", ""),
    ("nanobot", nanobot("", "completed"), "empty", ""),
    ("nanobot", nanobot("I have nothing to say.", "empty_final_response", "none"), "empty", "none"),
    ("nanobot", nanobot("I reached the maximum.", "max_iterations"), "cap", ""),
    ("nanobot", nanobot("Sorry.", "error", "Error: bad key"), "error", "Error: bad key"),
    ("nanobot", nanobot("?", "some new word"), "error", ""),
    ("hermes", hermes("Done.", FINISHED), "finished", ""),
    ("hermes", hermes("", FINISHED), "empty", FINISHED),
    ("hermes", hermes("(empty)", "empty_response_exhausted"), "empty", "exhausted"),
    ("hermes", hermes("Summary", "max_iterations_reached(4/4)", completed=False), "cap", "(4/4)"),
    ("hermes", hermes("HTTP 401", "unknown", failed=True, completed=False), "error", "unknown"),
    ("claude-code", claude("Done."), "finished", ""),
    ("claude-code", claude(""), "empty", "success"),
    ("claude-code", claude(BAD_KEY, is_error=True), "error", "401"),
    ("claude-code", claude("", "error_max_turns", is_error=True), "cap", "error_max_turns"),
    ("claude-code", claude("", "error_during_execution", is_error=True), "error", "error_during"),
    ("codex", codex(WARNING, WORDS, OVER), "finished", ""),
    ("codex", codex(WARNING, OVER), "empty", ""),
    ("codex", codex(WARNING, FAILED), "error", "401"),
    ("codex", codex(WARNING, WORDS), "crash", ""),
    ("mini", mini("Submitted", "Done."), "finished", ""),
    ("mini", mini("RepeatedFormatError", "Done."), "finished", ""),
    ("mini", mini("Submitted"), "empty", ""),
    ("mini", mini("LimitsExceeded"), "cap", "LimitsExceeded"),
    ("mini", mini("AuthenticationError", error="bad key"), "error", "AuthenticationError: bad key"),
]


@pytest.mark.parametrize(("name", "out", "ending", "says"), ENDS)
def test_each_end_is_read_for_what_it_is(name: str, out: str, ending: Ending, says: str) -> None:
    for code in (0, 1):
        found = said(name, out, code)
        assert (found.ending, says in found.says) == (ending, True), found
        assert found.text == ("Done." if ending == "finished" else "")


@pytest.mark.parametrize("name", HARNESSES)
def test_one_that_said_nothing_of_its_end_crashed(name: str) -> None:
    assert said(name, "", 1, err="Traceback: boom").ending == "crash"
    assert "boom" in said(name, "", 1, err="Traceback: boom").says
    assert said(name, "{half an obj", -11).says.startswith("exit code -11")
    assert said(name, "", None, ended="killed after 9 s").says == "killed after 9 s"
    assert said(name, '"text"\n[1]\n{"other": 1}', 0).ending == "crash"


@pytest.mark.parametrize("name", ["nanobot", "hermes", "claude-code", "codex"])
def test_the_conversation_goes_on_by_what_it_said(name: str) -> None:
    out = {
        "nanobot": nanobot("Done.", "completed"),
        "hermes": hermes("Done.", FINISHED),
        "claude-code": claude("Done."),
        "codex": codex(WORDS, OVER),
    }
    assert said(name, out[name]).session != ""


@pytest.mark.parametrize("name", HARNESSES)
def test_what_is_written_into_its_home_is_written_the_same_again(name: str, tmp_path: Path) -> None:
    given = setup(tmp_path)

    named(name).prepare(given)
    first = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    named(name).prepare(given)

    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == first
    assert all(str(tmp_path).encode() not in data for data in first.values())


@pytest.mark.parametrize("name", HARNESSES)
def test_how_it_differs_is_said_in_sentences(name: str) -> None:
    harness = named(name)

    assert harness.differences
    assert all(line[0].isupper() and line.endswith(".") for line in harness.differences)


def test_words_are_never_a_command_of_the_harness() -> None:
    assert as_words("/help me") == b"Message:\n/help me"
    assert as_words("\n /clear") == b"Message:\n\n /clear"
    assert as_words("Yes/no?") == b"Yes/no?"


def test_half_a_character_breaks_neither_what_is_told_nor_what_is_read() -> None:
    assert as_words("half \ud83d of one") == b"half ? of one"
    found = said("nanobot", nanobot("half \ud83d of one", "completed"))
    assert (found.ending, found.text) == ("finished", "half ? of one")
