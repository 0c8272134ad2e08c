"""Runs of a harness by the command line, in a process of its own, and what they left."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bythebook.harness.harnesses import named
from bythebook.trace import StoredEvent, read_trace
from tests.harness.brought import brought, kind
from tests.model_server import ModelServer
from tests.own import bythebook

FOLDER = "runs"


def words(suite: str, harness: str, server: ModelServer, provider: str = "chat") -> list[str]:
    """The command that lets a harness loose; the test is skipped where it, or a sandbox, cannot be
    had. Runs go to `FOLDER`."""
    brought(harness)
    kind()
    model = "anthropic:scripted" if provider == "anthropic" else "local:scripted"
    url = server.url if provider == "anthropic" else f"{server.url}/v1"
    who = ["--agent", harness, "--model", model, "--base-url", url]
    return ["run", suite, *who, "--to", FOLDER]


@dataclass(frozen=True)
class Played:
    """A run folder."""

    root: Path

    def __post_init__(self) -> None:
        assert not list(self.root.glob("**/.scratch")), "something is left of an attempt"

    @property
    def plan(self) -> dict[str, Any]:
        return dict(json.loads((self.root / "plan.json").read_bytes()))

    @property
    def summary(self) -> dict[str, Any]:
        return dict(json.loads((self.root / "summary.json").read_bytes()))

    def place(self, number: int = 1) -> Path:
        """The folder of a run of its only task."""
        (found,) = self.root.glob(f"*/{number}")
        return found

    def verdict(self, number: int = 1) -> dict[str, Any]:
        return dict(json.loads((self.place(number) / "verdict.json").read_bytes()))

    def events(self, number: int = 1) -> tuple[StoredEvent, ...]:
        return read_trace(self.place(number) / "trace.jsonl").events

    def notes(self, name: str, number: int = 1) -> list[Any]:
        """What the notes of a name say, in order."""
        found = [one for one in self.events(number) if (one.kind, one.name) == ("note", name)]
        return [json.loads(bytes(one.args)) for one in found]

    def outcome(self, number: int = 1) -> str:
        closing = read_trace(self.place(number) / "trace.jsonl").closing
        assert closing is not None
        return str(closing.outcome)


def played(folder: Path, *line: str | Path) -> Played:
    """What came of a command that had to end well."""
    done = bythebook(*line, cwd=folder)
    assert done.returncode == 0, done.stderr
    return Played(folder / FOLDER)


def check_plan(plan: dict[str, Any], harness: str) -> None:
    """The plan says which harness it was, and in what it was held."""
    recipe = named(harness).recipe
    assert plan["agent"] == harness
    assert plan["harness"] == f"{harness} {recipe.version}"
    assert plan["harness_packages"][recipe.package] == recipe.version
    assert plan["differences"] == list(named(harness).differences)
    assert plan["sandbox"] == kind()
