"""Judges that are scripted, and what they leave in a run folder."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.deliverables.own_task import TASK
from tests.model_server import Asked, Say, Use

Ask = Callable[..., tuple[int, Any]]
Tell = Callable[..., tuple[int, str, str]]

PLACE = {"at": "note.docx#para=2", "reads": "The total gross pay is 300.75"}


def verdict(mark: str = "pass", **more: Any) -> dict[str, Any]:
    ending = "satisfied" if mark == "pass" else "not satisfied"
    told = {"because": f"So it says. Therefore: {ending}.", "evidence": [PLACE], "verdict": mark}
    return told | more


def gives(mark: str = "pass", **more: Any) -> Say:
    return Say(calls=(Use("give_verdict", verdict(mark, **more)),), input=1_000, cached=800)


def about(asked: Asked, item: str) -> bool:
    return f"\n{item} (" in str(asked.messages[1]["content"])


def found(runs: Path) -> dict[str, str]:
    """Item to verdict, as verdict.json holds them."""
    written = json.loads((runs / TASK / "1" / "verdict.json").read_text())
    return {one["id"]: one["verdict"] for one in written["findings"]}


def lines(runs: Path) -> list[dict[str, Any]]:
    path = runs / TASK / "1" / "judgements.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()]
