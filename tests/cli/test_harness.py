"""`bythebook harness`: what is installed, and what is said when it cannot be."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bythebook.harness.harnesses import HARNESSES
from tests.cli.conftest import Said

Say = Callable[..., Said]
Ask = Callable[..., tuple[int, Any]]


@pytest.fixture(autouse=True)
def nothing_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty cache, and no package index."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))


def test_all_are_listed_with_what_they_take(say: Say, ask: Ask) -> None:
    code, found = ask("harness")

    assert code == 0
    assert [row["name"] for row in found["harnesses"]] == list(HARNESSES)
    assert not any(row["installed"] for row in found["harnesses"])
    _, out, err = say("harness")
    assert out == ""
    assert "nanobot 0.3.5 no 391 nanobot-ai==0.3.5" in err
    assert "bythebook harness install NAME" in err


def test_one_that_cannot_be_had_is_our_failure_and_shows_the_command(
    say: Say, ask: Ask, tmp_path: Path
) -> None:
    code, out, err = say("harness", "install", "nanobot")

    assert (code, out) == (3, "")
    assert "error: this command failed with 1:" in err
    assert "pip install" in err
    assert "No matching distribution found for nanobot-ai==0.3.5" in err
    assert not any((tmp_path / "cache").rglob("bin"))
    assert not any(row["installed"] for row in ask("harness")[1]["harnesses"])


def test_one_that_is_not_there_can_be_removed_all_the_same(say: Say) -> None:
    assert say("harness", "remove", "hermes")[::2] == (0, "hermes 0.19.0 was not there")


def test_a_wrong_name_is_wrong_use(say: Say) -> None:
    code, out, err = say("harness", "install", "claude")

    assert (code, out) == (2, "")
    assert "did you mean 'claude-code'?" in err
