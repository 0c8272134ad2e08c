"""Packs over files of other domains, other agents and other hands."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.packs import airline, shop
from tests.packs.dialogue import (
    Talk,
    agent,
    broken,
    checked,
    customer,
    document,
    judge,
    pack,
    talk,
    undecided,
    use,
)
from tests.packs.test_packs import PACKS

DESK = talk(
    agent("Hi! How can I help you today?"),
    customer("My phone has no signal."),
    use("get_customer_by_phone", {"customer_id": "C1", "lines": ["L1"]}, phone_number="555"),
    use("get_details_by_id", "Error: no such line", id="L9"),
    use("get_user_details", {"name": "Ada", "plan": None}, user_id=7),
    agent("Please switch it off and on."),
    customer("It works. ###STOP###"),
)
"""Another desk, with a tool that goes by the name of one of ours."""
SILENT = talk(customer("Hello"), agent("Hello"), customer("###STOP###"))


@pytest.mark.parametrize("name", PACKS)
def test_a_pack_finds_nothing_in_other_domains(name: str, tmp_path: Path) -> None:
    other = airline.GOOD_NOW if "retail" in name else shop.GOOD
    talks = [DESK, SILENT, Talk(()), *other.values()]
    for one in judge(pack(name), talks, tmp_path, modern="tau2" in name):
        # Reading a profile without having been told who asks is a shop's rule.
        assert broken(one) <= {"authenticated-before-profile-lookup"}
        assert not undecided(one)


def literal_arguments(messages: list[dict[str, Any]]) -> None:
    """Arguments as Python prints them, as some agents store them."""
    for message in messages:
        for call in message.get("tool_calls", ()):
            said = call["function"]
            said["arguments"] = repr(json.loads(said["arguments"]))


def no_ids(messages: list[dict[str, Any]]) -> None:
    for message in messages:
        message.pop("tool_call_id", None)
        for call in message.get("tool_calls", ()):
            del call["id"]


def plain_calls(messages: list[dict[str, Any]]) -> None:
    """Calls without a `function` around them."""
    for message in messages:
        for call in message.get("tool_calls", ()):
            call |= call.pop("function")


def objects(messages: list[dict[str, Any]]) -> None:
    """Results that are not packed into a text."""
    for message in messages:
        if message["role"] == "tool" and message["content"][:1] in "[{":
            message["content"] = json.loads(message["content"])


def wrapped_words(messages: list[dict[str, Any]]) -> None:
    """An agent that answers in JSON."""
    for message in messages:
        if message["role"] == "assistant" and message["content"] and "tool_calls" not in message:
            message["content"] = json.dumps({"message": message["content"], "sources": []})


def parts(messages: list[dict[str, Any]]) -> None:
    """Words as a list of parts."""
    for message in messages:
        if message["role"] != "tool" and message["content"]:
            message["content"] = [{"type": "text", "text": message["content"]}]


def greeted(messages: list[dict[str, Any]]) -> None:
    """A system message and a greeting before all."""
    greeting = {"role": "assistant", "content": "Hi! How can I help you today?"}
    messages[:0] = [{"role": "system", "content": "You must list the action details."}, greeting]


HANDS: dict[str, Callable[[list[dict[str, Any]]], None]] = {
    "python literals": literal_arguments,
    "no ids": no_ids,
    "plain calls": plain_calls,
    "results as objects": objects,
    "words in JSON": wrapped_words,
    "words in parts": parts,
    "greeted": greeted,
}


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("name", ["tau1-retail", "tau1-airline"])
def test_other_hands_change_no_verdict(name: str, hand: str, tmp_path: Path) -> None:
    good, bad = PACKS[name]
    talks = [*good.values(), *(one for one, _ in bad.values())]
    found = document(talks, modern=False)
    for run in found:
        HANDS[hand](run["traj"])
        run["messages"] = run.pop("traj")
        del run["info"], run["trial"]
    file = tmp_path / "runs.json"
    file.write_text(json.dumps(found))
    expected = [set[str]() for _ in good] + [rules for _, rules in bad.values()]
    assert [broken(one) for one in checked(pack(name), file)] == expected
