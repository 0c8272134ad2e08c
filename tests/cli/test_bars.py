"""Bars on a terminal show what providers and tasks are called, letter for letter."""

import io

import pytest
from rich.console import Console

from bythebook.build.mind import Question
from bythebook.cli.asking import AskingBar
from bythebook.cli.watch import Bar
from bythebook.models.ledger import Ledger

FAULT = "local:m: [bold] is no model"
"""Rich would take `:m:` for a picture, and the brackets for a colour."""


@pytest.fixture
def said() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def terminal(said: io.StringIO) -> Console:
    return Console(file=said, width=200, force_terminal=True, color_system=None)


def test_of_an_evaluation(said: io.StringIO, terminal: Console) -> None:
    with Bar(terminal, ledger=Ledger(fault=FAULT)) as bar:
        bar.looks()
    assert FAULT in said.getvalue()


def test_of_a_model_that_is_asked(said: io.StringIO, terminal: Console) -> None:
    bar = AskingBar(terminal, Ledger(fault=FAULT))
    bar.begins("plans", 2)
    bar.looks()
    bar.ends(Question("plans", "plans", ""), "taken")
    bar.over()
    assert FAULT in said.getvalue()
    assert "1/2" in said.getvalue()


def test_off_a_terminal_the_same_fault_is_told_once(said: io.StringIO) -> None:
    ledger = Ledger(fault=FAULT)
    bar = AskingBar(Console(file=said, width=200, emoji=False), ledger)
    bar.begins("plans", 2)
    bar.looks()
    bar.looks()
    assert said.getvalue().count(FAULT) == 1
    ledger.fault = "local:m: gone"
    bar.looks()
    assert "plans: 0/2, asking again: local:m: gone" in said.getvalue()
