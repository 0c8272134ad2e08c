"""`bythebook play` at a real terminal: typed, completed, left and gone on with."""

import fcntl
import json
import os
import pty
import re
import select
import subprocess
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bythebook.cli.typed import typed
from bythebook.errors import UsageError
from tests.own import BYTHEBOOK, TASK, bythebook
from tests.serve.hands import served

CODES = re.compile(r"\x1b(?:\[[0-9;?]*[a-zA-Z]|\][^\x07]*\x07)|\r|\x07")
PROMPT = " calls > "


class Terminal:
    """A person at a terminal of 100 columns."""

    def __init__(self, command: list[str], cwd: Path) -> None:
        self._master, slave = pty.openpty()
        env = {**os.environ, "COLUMNS": "100", "LINES": "40", "TERM": "xterm"}
        self._process = subprocess.Popen(
            command, cwd=cwd, env=env, stdin=slave, stdout=slave, stderr=slave,
            preexec_fn=lambda: fcntl.ioctl(slave, termios.TIOCSCTTY, 0), start_new_session=True,
        )  # fmt: skip
        os.close(slave)
        self._read = ""

    def until(self, wanted: str) -> str:
        """What is on the screen since the last time, up to `wanted`, without colours."""
        end = time.monotonic() + 30
        while wanted not in (text := CODES.sub("", self._read)):
            assert time.monotonic() < end, f"no {wanted!r} in:\n{text}"
            if not self._look():
                break
        assert wanted in text, text
        before, _, self._read = text.partition(wanted)
        return before

    def insist(self, line: str, wanted: str) -> str:
        """Type a line each second until it is answered: in the moment of a Ctrl-C the kernel throws
        away what is typed and what is printed, a new prompt too."""
        for _ in range(30):
            self.type(line + "\n")
            end = time.monotonic() + 1
            while time.monotonic() < end and self._look():
                if wanted in CODES.sub("", self._read):
                    return self.until(wanted)
        return self.until(wanted)

    def _look(self) -> bool:
        """Read what is new on the screen; False when the program has closed it."""
        if select.select([self._master], [], [], 0.1)[0]:
            try:
                self._read += os.read(self._master, 65536).decode("utf-8", "replace")
            except OSError:
                return False
        return True

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def line(self, text: str, wanted: str = PROMPT) -> str:
        """Type a line; what it led to."""
        self.type(text + "\n")
        return self.until(wanted)

    def ended(self) -> int:
        code = self._process.wait(timeout=30)
        os.close(self._master)
        return code

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


@contextmanager
def terminal(own: Path, cwd: Path, *words: str) -> Iterator[Terminal]:
    words = words or ("conduct", TASK)
    made = Terminal([str(BYTHEBOOK), "play", *words, "--content", str(own)], cwd)
    try:
        yield made
    finally:
        made.kill()


def test_a_task_is_played_from_the_first_word_to_the_verdict(own: Path, tmp_path: Path) -> None:
    with terminal(own, tmp_path) as person:
        opening = person.until(PROMPT)
        helped = person.line("help")
        found = person.line("docs visitor pass policy")
        read = person.line("read 1")
        person.line("tools draft a visitor pass")
        card = person.line("describe draft_pass")
        records = person.line("records visitor_passes day=2025-10-14")
        said = person.line("say How long will Ms Moreau stay? It's for the pass")
        person.line("draft_pass", "visitor (string): ")
        person.line("Ines Moreau", "host (string): ")
        person.line("PTY-9001", "day (string): ")
        person.line("2025-10-14", "hours (integer): ")
        drafted = person.line("6")
        refused = person.line("draft_pass visitor='Ines Moreau' hours=six")
        waited = person.line("wait 2")
        unknown = person.line("drafft_pass hours=6")
        person.line("finish All done", "(yes) ")
        kept = person.line("no")
        person.line("finish All done", "(yes) ")
        over = person.line("yes", "trace and verdict are in")
        code = person.ended()

    assert "auditor Ines Moreau" in opening
    assert "help` lists what you can type" in opening
    assert "say TEXT" in helped
    assert re.search(r"1\s+visitor-pass-policy-v", found)
    assert "Visitor pass policy" in read
    assert "changes records" in card
    assert re.search(r"hours\s+integer", card)
    assert re.search(r"VP-1", records)
    assert "Six hours." in said
    assert re.search(r"id\s+VP-3", drafted)
    assert "refused: " in refused
    assert "15:53" in waited
    assert "did you mean 'draft_pass'?" in unknown
    assert "(t=3), 9" in kept
    assert re.search(r"goal\s+broken", over)
    assert code == 0
    place = tmp_path / "runs" / "conduct-hand" / TASK / "1"
    assert json.loads((place / "verdict.json").read_bytes())["agent"] == "hand"


def test_what_was_shown_can_be_completed_and_nothing_else(own: Path, tmp_path: Path) -> None:
    with terminal(own, tmp_path) as person:
        person.until(PROMPT)
        person.type("describe draft_p\t")
        nothing = person.line("")
        person.line("tools issue a drafted pass")
        person.type("describe issue_p\t")
        card = person.line("")

    assert "there is no tool 'draft_p'" in nothing
    assert "changes records" in card


def test_a_person_leaves_and_goes_on_where_they_were(own: Path, tmp_path: Path) -> None:
    with terminal(own, tmp_path) as person:
        person.until(PROMPT)
        person.line("say How long will Ms Moreau stay?")
        person.line("wait 3")
        person.type("half a li\x03")
        helped = person.insist("help", "say TEXT")
        person.until(PROMPT)
        left = person.line("quit", "the same command goes on")
        assert person.ended() == 0
    with terminal(own, tmp_path) as person:
        back = person.until(PROMPT)
        person.type("\x04")
        person.until("the same command goes on")

    assert "is no word here" not in helped
    assert "the run is kept in" in left
    assert "How long will Ms Moreau stay?" in back
    assert "(t=3), 2" in back


def test_lines_from_a_pipe_play_too(own: Path, tmp_path: Path) -> None:
    line = [str(BYTHEBOOK), "play", "conduct", TASK, "--content", str(own), "--agent", "ada"]
    done = subprocess.run(
        line, cwd=tmp_path, input="now\nfinish\nyes\n", capture_output=True, text=True, check=True
    )

    assert "the run is over: completed(finished)" in done.stderr
    trace = tmp_path / "runs" / "conduct-ada" / TASK / "1" / "trace.jsonl"
    assert b'"agent":"ada"' in trace.read_bytes()


def test_a_person_plays_against_a_server_too(own: Path, tmp_path: Path) -> None:
    with served(own, tmp_path) as (_process, url):
        done = subprocess.run(
            [str(BYTHEBOOK), "play", url],
            input="docs visitor pass policy\nfinish\nyes\n",
            capture_output=True, text=True, check=True,
        )  # fmt: skip

    assert "visitor-pass-policy-v2" in done.stderr
    assert "the run is over: completed(finished)" in done.stderr
    assert "broken" not in done.stderr


@pytest.mark.parametrize(
    ("text", "schema", "args"),
    [
        ("", {}, {}),
        ("a=1 b=true c=null d=[1,2]", {}, {"a": 1, "b": True, "c": None, "d": [1, 2]}),
        ("a=0917 b=PTY-1 c='two words' d=", {}, dict(a="0917", b="PTY-1", c="two words", d="")),
        ("a=6", {"properties": {"a": {"type": "string"}}}, {"a": "6"}),
        ("""a='"6"'""", {}, {"a": "6"}),
        ('{"a": {"b": 1}}', {}, {"a": {"b": 1}}),
    ],
)  # fmt: skip
def test_what_is_typed_becomes_arguments(
    text: str, schema: dict[str, object], args: dict[str, object]
) -> None:
    assert typed(text, schema) == args


@pytest.mark.parametrize("text", ["a", "a='b", "{", "[1]", "{1: 2}"])
def test_what_does_not_read_is_said(text: str) -> None:
    with pytest.raises(UsageError):
        typed(text)


@pytest.mark.parametrize("words", [(), ("conduct",), ("conduct", "q9", "q8"), ("condcut", TASK)])
def test_play_says_which_task_it_wants(own: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    done = bythebook("play", *words, "--content", own, cwd=tmp_path)

    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
