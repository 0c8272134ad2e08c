"""Harnesses that are really there: installed at need, into the cache of whoever runs the tests."""

from functools import cache

import pytest

from bythebook.errors import BythebookError, UsageError
from bythebook.harness.adapter import Harness
from bythebook.harness.harnesses import named
from bythebook.harness.install import install
from bythebook.sandbox.layout import Kind
from bythebook.sandbox.machine import demand

MAIN = ("nanobot", "hermes", "claude-code")
"""Those that the paper compares are brought; the others are tried where they are."""
OUT_OF_REACH = "(from versions: none)"
"""What pip says where no package index answers."""


def brought(name: str) -> Harness:
    """The harness, installed; the test is skipped where it cannot be had."""
    harness = named(name)
    why = _brought(name) if name in MAIN else _absent(harness)
    if why:
        pytest.skip(why)
    return harness


@cache
def _brought(name: str) -> str:
    try:
        install(named(name).recipe, lambda _: None)
    except BythebookError as error:
        if OUT_OF_REACH not in error.hint:
            raise
        return f"{name} cannot be installed: no package index within reach"
    return ""


def _absent(harness: Harness) -> str:
    try:
        harness.furniture()
    except UsageError as error:
        return str(error)
    return ""


def kind() -> Kind:
    """The sandbox of this machine; the test is skipped where there is none."""
    try:
        return demand(unsafe=False)
    except UsageError as error:
        pytest.skip(str(error))
