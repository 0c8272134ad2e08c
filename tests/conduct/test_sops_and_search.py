"""Procedures whose links land, and a search that is deterministic to the order of ties."""

from pathlib import Path

import pytest

from bythebook.conduct.documents import Library
from bythebook.conduct.search import Index
from bythebook.conduct.sops import load_sops
from bythebook.errors import ContentError

SOP = """
id: close
title: Close a file
scope: {product: receipts}
effective: [2025-06-01, null]
steps:
  - {id: scope, do: Ask which file., next: work}
  - {id: work, do: Allocate., next: end, returns_to: scope}
"""


def load(folder: Path, text: str) -> None:
    (folder / "close.yaml").write_text(text)
    load_sops([folder], Library([]))


def test_a_procedure_reads_as_steps_with_ways_on_and_back(tmp_path: Path) -> None:
    (tmp_path / "close.yaml").write_text(SOP)

    text = load_sops([tmp_path], Library([]))["close"].text

    assert "1. [scope] Ask which file." in text
    assert "May send you back to: scope" in text


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("next: work", "next: wrk", "did you mean 'work'"),
        ("next: work", "next: end", "step 'work' cannot be reached"),
        ("next: end", "next: scope", "no step leads to `end`"),
        ("id: work", "id: scope", "stands here twice"),
        ("id: close", "id: other", "its id is 'other'"),
        ("do: Allocate.", "do: Allocate., knowledge: [fees#1]", "no document family 'fees'"),
        ("do: Allocate.", "do: Allocate., source: [handbook]", "not a source span"),
        ("title: Close a file", "titel: Close a file", "did you mean 'title'"),
    ],
)
def test_a_broken_procedure_is_a_load_error(tmp_path: Path, old: str, new: str, says: str) -> None:
    with pytest.raises(ContentError, match=says):
        load(tmp_path, SOP.replace(old, new))


TEXTS = {
    "b": "reserve release fee",
    "a": "reserve release fee",
    "c": "chargeback evidence of delivery",
    "d": "remittance instruction precedence for receipts",
}


def test_the_best_text_comes_first_and_ties_go_by_name() -> None:
    assert Index(TEXTS).find("fees for releasing a reserve") == ("a", "b")
    assert Index(TEXTS).find("Which instructions take precedence?")[0] == "d"


def test_words_nobody_uses_find_nothing() -> None:
    assert Index(TEXTS).find("xylophone") == ()
    assert Index(TEXTS).find("") == ()


def test_the_order_does_not_hang_on_how_texts_were_listed() -> None:
    turned = dict(reversed(TEXTS.items()))

    assert Index(turned).find("reserve fee evidence") == Index(TEXTS).find("reserve fee evidence")
