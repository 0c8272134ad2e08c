"""A guard under each pack: it stops what the pack calls wrong, and nothing of what is right."""

import json
from pathlib import Path

import pytest

from bythebook.guard import Guard, TraceRules
from bythebook.interop.records import ForeignEvent, Weaver
from bythebook.interop.sources import ForeignTrace, traces_of
from tests.guard.desk import Clock
from tests.packs.dialogue import Talk, document, pack
from tests.packs.test_before_calls import AFTER, WORDS
from tests.packs.test_packs import PACKS


def stopped(name: str, one: Talk, folder: Path) -> set[str]:
    """Rules that the guard says a call of the conversation would break."""
    file = folder / "runs.json"
    file.write_text(json.dumps(document([one], modern="tau2" in name)))
    (trace,) = traces_of(file)
    assert isinstance(trace, ForeignTrace)
    guard, found = Guard(TraceRules(pack(name)), mode="log", clock=Clock()), set[str]()
    for event in Weaver().weave(trace.records):
        assert isinstance(event, ForeignEvent)
        if event.kind == "call":
            decision = guard.ask(event.name, dict(event.args))
            found |= {rule.id for rule in decision.broken}
            guard.did(decision, event.result, ok=event.ok)
        elif event.kind == "message" and event.actor != "company":
            guard.heard(event.actor, event.args["text"])
    return found


@pytest.mark.parametrize("name", PACKS)
def test_what_a_pack_calls_wrong_is_stopped_and_nothing_else(name: str, tmp_path: Path) -> None:
    good, bad = PACKS[name]
    unseen = TraceRules(pack(name)).set_aside
    for title, one in good.items():
        assert stopped(name, one, tmp_path) == set(), title
    for title, (one, expected) in bad.items():
        assert expected - AFTER - WORDS - unseen <= stopped(name, one, tmp_path), title


def test_rules_about_turns_are_set_aside_and_named() -> None:
    rules = TraceRules(pack("tau2-retail"))

    assert {"one-call-a-turn", "call-or-speak"} <= rules.set_aside
    assert "authenticated-before-action" not in rules.set_aside
