"""Harnesses, as they are, at conduct tasks: by the command line, to a verdict."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.harness.brought import MAIN
from tests.harness.played import check_plan, played, words
from tests.harness.scripts import Golden
from tests.harness.test_turns import PROVIDERS
from tests.model_server import ModelServer
from tests.own import bythebook
from tests.tasks.shipped import shipped_task

SHIPPED = "q24-net-delivery"

pytestmark = pytest.mark.timeout(900)


@pytest.mark.parametrize("name", MAIN)
def test_a_shipped_golden_through_a_harness_gets_the_goldens_verdict(
    name: str, tmp_path: Path
) -> None:
    golden = Golden(shipped_task(SHIPPED))
    with ModelServer(golden) as server:
        line = words("conduct", name, server, PROVIDERS[name])
        found = played(tmp_path, *line, "--task", SHIPPED, "--runs", "1")

    verdict = found.verdict()
    assert verdict.pop("agent") == name
    assert verdict["strict"] is True
    assert verdict == the_goldens(tmp_path)
    check_plan(found.plan, name)

    (run,) = found.summary["runs"]
    did = run["statistics"]
    assert did["calls"] == len(golden.calls)
    assert (did["tokens"]["input"], did["errors"]) == (100 * server.count, 0)
    assert did["by_kind"]["messages"] == sum(c.name == "message_customer" for c in golden.calls)
    assert not found.notes("own_call")

    shown = bythebook("show", found.place(), cwd=tmp_path)
    assert f"agent {name}" in shown.stdout
    assert golden.calls[golden.spoken].args["text"][:40] in shown.stdout


def the_goldens(folder: Path) -> dict[str, Any]:
    line = ("run", "conduct", "--task", SHIPPED, "--runs", "1", "--agent", "golden", "--to", "own")
    assert bythebook(*line, cwd=folder).returncode == 0
    verdict = json.loads((folder / "own" / SHIPPED / "1" / "verdict.json").read_bytes())
    assert verdict.pop("agent") == "golden"
    return dict(verdict)
