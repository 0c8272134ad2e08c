"""Most rules of the packs can be asked before a call is made, so that a guard can stop it."""

import json
from pathlib import Path

import msgspec
import pytest

from bythebook.interop.observer import Observer
from bythebook.interop.records import ForeignEvent, Weaver
from bythebook.interop.rulebook import Rulebook
from bythebook.interop.sources import ForeignTrace, traces_of
from tests.packs.dialogue import Talk, document, pack
from tests.packs.test_packs import PACKS

AFTER = {"route-kept", "one-call-a-turn", "call-or-speak"}
"""Rules that need the result of a call, or are about words and whole turns."""
WORDS = {"transfer-said-and-done", "transfer-sentence"}


def stopped(book: Rulebook, one: Talk, folder: Path, *, modern: bool) -> set[str]:
    """The rules that a call of the conversation would break, asked before it is made."""
    file = folder / "runs.json"
    file.write_text(json.dumps(document([one], modern=modern)))
    (trace,) = traces_of(file)
    assert isinstance(trace, ForeignTrace)
    observer, found = Observer(book), set[str]()
    for event in Weaver().weave(trace.records):
        assert isinstance(event, ForeignEvent)
        if event.kind == "call":
            coming = msgspec.structs.replace(event, result=None, ok=True)
            found |= {finding.id for finding in observer.breaches(coming)}
        observer.feed(event)
    return found


@pytest.mark.parametrize("name", PACKS)
def test_a_call_that_breaks_a_rule_is_known_before_it_is_made(name: str, tmp_path: Path) -> None:
    book, modern = pack(name), "tau2" in name
    good, bad = PACKS[name]
    for title, one in good.items():
        assert stopped(book, one, tmp_path, modern=modern) == set(), title
    for title, (one, expected) in bad.items():
        found = stopped(book, one, tmp_path, modern=modern)
        assert expected - AFTER - WORDS <= found, title
