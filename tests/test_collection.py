"""Every file of tests is run: pytest passes over folders by name, and says nothing of it."""

from fnmatch import fnmatch
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


def test_no_folder_of_tests_is_passed_over(pytestconfig: pytest.Config) -> None:
    passed_over: list[str] = pytestconfig.getini("norecursedirs")
    names = {
        part for path in TESTS.rglob("test_*.py") for part in path.relative_to(TESTS).parent.parts
    }
    assert "build" in names
    assert [n for n in sorted(names) if any(fnmatch(n, one) for one in passed_over)] == []
