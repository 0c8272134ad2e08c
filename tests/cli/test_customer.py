"""`--simulator`: who plays the customer."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conduct.customer.speaking import Good
from tests.model_server import ModelServer, Say
from tests.own import TASK, own_task

RUN = ("run", "conduct", "--task", TASK, "--agent", "golden", "--runs", "1")


def test_a_model_plays_the_customer_and_score_says_how_well(
    own: Path, say: Callable[..., tuple[int, str, str]], ask: Callable[..., tuple[int, Any]]
) -> None:
    with ModelServer(Good(own_task(own).scenario)) as server:
        simulator = ("--simulator", "local:scripted", "--simulator-base-url", f"{server.url}/v1")
        code, _, err = say(*RUN, "--content", own, *simulator)

    folder = Path("runs") / "conduct-golden-local-scripted-revised"
    kept = json.loads((folder / "summary.json").read_bytes())
    again, scores = ask("score", folder)
    assert (code, again) == (0, 0)
    assert "customer local:scripted, prompt revised: 0 of 3 turns broke the protocol (0 %)" in err
    assert scores["customer"] == kept["customer"]
    assert (scores["customer"]["turns"], scores["customer"]["rate"]) == (3, 0.0)
    assert kept["summary"]["strict"] == 1.0


def test_a_customer_that_spoilt_every_attempt_still_has_its_scores(
    own: Path, say: Callable[..., tuple[int, str, str]], ask: Callable[..., tuple[int, Any]]
) -> None:
    with ModelServer(lambda asked: Say("")) as server:
        simulator = ("--simulator", "local:scripted", "--simulator-base-url", f"{server.url}/v1")
        ran, _, _ = say(*RUN, "--content", own, *simulator, "--attempts", "2", "--to", "spoilt")

    code, scores = ask("score", "spoilt")
    assert (ran, code) == (3, 0)
    assert scores["runs"] == []
    assert scores["summary"]["attempts_set_aside"] == 2
    assert scores["customer"]["failed"] == 2
    assert scores["customer"]["rates"]["empty"] > 0
    code, _, err = say("score", "spoilt")
    assert code == 0
    assert "customer local:scripted, prompt revised: 2 of 2 turns broke the protocol" in err


def test_a_scripted_customer_has_no_scores(own: Path, ask: Callable[..., tuple[int, Any]]) -> None:
    code, scores = ask(*RUN, "--content", own)

    assert code == 0
    assert scores["customer"] is None


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--simulator", "gpt"], "a model is named provider:name"),
        (["--simulator", "opnai:x"], "did you mean 'openai'?"),
        (["--simulator", "local:x"], "where is local?"),
        (["--simulator", "openai:x"], "the environment variable OPENAI_API_KEY is empty"),
        (["--simulator-prompt", "original"], "a scripted customer takes no prompt"),
        (["--simulator", "local:x", "--simulator-prompt", "best"], "'original', 'revised'"),
    ],
)
def test_a_wrong_customer_is_explained(
    own: Path,
    say: Callable[..., tuple[int, str, str]],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    says: str,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    code, _, err = say(*RUN, "--content", own, *words)

    assert code == 2
    assert says in err
