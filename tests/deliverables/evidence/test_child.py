"""Readers run under limits, and none of them takes this process with it."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bythebook.deliverables.evidence import child
from bythebook.deliverables.evidence.child import Allowance
from bythebook.deliverables.evidence.model import Text, Workbook
from bythebook.deliverables.evidence.reading import Unreadable
from bythebook.errors import JudgeError
from tests.deliverables.evidence.books import payroll

ROOT = Path(__file__).resolve().parents[3]
FALLING = "tests.deliverables.evidence.falling"
SMALL = Allowance(seconds=2, memory=2**30, file=2**20)


@pytest.fixture(autouse=True)
def servers_know_the_tests(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    child.close()
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    yield
    child.close()


def call(name: str, *words: str, returns: Any = int) -> Any:
    where = Path("/tmp/a.xlsx")
    return child.run(f"{FALLING}:{name}", where, *words, returns=returns, allowance=SMALL)


def test_a_reader_returns_what_it_read(tmp_path: Path) -> None:
    book = child.run("xlsx:read", payroll(tmp_path / "a.xlsx"), returns=Workbook)
    assert book.sheets[0].name == "Payroll"
    assert call("echo", "word", returns=str) == "a.xlsx word"


def test_each_file_has_a_process_of_its_own_under_its_limits() -> None:
    assert call("number") != call("number")
    limits = call("limits", returns=dict[str, int])
    assert limits == {"cpu": 2, "memory": 2**30, "file": 2**20}


def test_no_key_reaches_a_reader() -> None:
    assert "OPENAI_API_KEY" not in call("environment", returns=dict[str, str])


@pytest.mark.parametrize(
    ("name", "status", "says"),
    [
        ("refuses", "encrypted", "It wants a password."),
        ("raises", "corrupt", "KeyError"),
        ("sleeps", "timeout", "within 2 seconds"),
        ("spins", "timeout", "within 2 seconds"),
        ("swells", "too_big", "1024 MiB"),
        ("recurses", "corrupt", "too deep"),
        ("crashes", "corrupt", "crashed"),
    ],
)
def test_a_reader_that_falls_is_a_status(name: str, status: str, says: str) -> None:
    started = time.monotonic()
    with pytest.raises(Unreadable) as caught:
        call(name)
    assert (caught.value.status, says in caught.value.says) == (status, True)
    assert time.monotonic() - started < 8
    assert call("echo", "alive", returns=str) == "a.xlsx alive"


def test_a_reader_cannot_write_much(tmp_path: Path) -> None:
    with pytest.raises(Unreadable) as caught:
        child.run(f"{FALLING}:writes", tmp_path / "a", returns=int, allowance=SMALL)
    assert caught.value.status == "too_big"


def test_a_reader_that_is_not_there_is_our_own_fault() -> None:
    with pytest.raises(JudgeError, match="cannot be started"):
        child.run("nowhere:read", Path("a.xlsx"), returns=int)


def test_a_server_that_was_killed_is_replaced() -> None:
    parent = call("parent")
    os.kill(parent, signal.SIGKILL)
    time.sleep(0.1)
    assert call("parent") != parent


def test_threads_read_at_the_same_time() -> None:
    said: list[str] = []
    threads = [
        threading.Thread(target=lambda n=n: said.append(call("echo", str(n), returns=str)))
        for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(said) == [f"a.xlsx {n}" for n in range(4)]


def test_a_path_from_here_is_read_wherever_the_server_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "note.txt").write_text(name, "utf-8")
        monkeypatch.chdir(folder)
        assert child.run("text:read", Path("note.txt"), returns=Text).lines == (name,)
