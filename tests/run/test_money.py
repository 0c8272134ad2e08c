"""What an evaluation costs: told beforehand, counted as it happens, ended at a budget, added up."""

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from bythebook.cli.preset import PAPER
from bythebook.conduct.task import ConductTask
from bythebook.errors import ContentError
from bythebook.models.price import PriceTable, shipped
from bythebook.models.types import Usage
from bythebook.run.accounts import accounts
from bythebook.run.folder import EvaluationFolder
from tests.model_server import Asked, ModelServer, Spoken, fault
from tests.own import TASK, bythebook
from tests.run.wired import Wired

PRICES = """\
currency: USD
prices:
  - model: local:scripted
    input: 100
    cached: 10
    output: 1000
    as_of: 2026-01-02
    source: https://example.test/prices
"""
A_CALL = Decimal("0.02")
"""100 tokens in and 10 out, as the scripted server says of every reply."""


@pytest.fixture
def server(task: ConductTask) -> Iterator[ModelServer]:
    with ModelServer(Wired(task)) as server:
        yield server


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    path = tmp_path / "prices.yaml"
    path.write_text(PRICES, "utf-8")
    return path


def words(own: Path, server: ModelServer, *more: str) -> list[str]:
    return [
        "run", "conduct", "--task", TASK, "--content", str(own), "--agent", "loop",
        "--model", "local:scripted", "--base-url", f"{server.url}/v1", "--to", "runs", *more,
    ]  # fmt: skip


def test_every_shipped_price_has_a_day_and_a_source() -> None:
    for line in shipped().lines.values():
        assert line.as_of.startswith("2026-")
        assert line.source.startswith("https://")
        assert 0 < line.input < line.output
        assert line.cached is None or line.cached < line.input


def test_cached_and_stored_tokens_have_prices_of_their_own_and_long_requests_too() -> None:
    table = shipped()
    haiku = table.price("anthropic:claude-haiku-5-5")
    assert haiku is not None
    usage = Usage(input=60_000, output=1_000, cached=40_000, stored=10_000)
    assert haiku.of(usage) == Decimal("0.00315")
    assert haiku.of(Usage(input=200_000)) == Decimal("0.1")


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ("openai-responses:gpt-5", "openai:gpt-5"),
        ("openai:gpt-5-2025-08-07", "openai:gpt-5"),
        ("anthropic:claude-opus-4-5-20251101", "anthropic:claude-opus-4-5"),
        ("openai:gpt-5-unheard-of", None),
        ("local:gpt-5", None),
    ],
)
def test_a_model_by_another_name_has_its_price_and_an_unknown_one_none(
    asked: str, line: str | None
) -> None:
    found = shipped().price(asked)
    assert (found.model if found else None) == line


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("input: 100", "input: -1", "below nothing"),
        ("output:", "outptu:", "did you mean 'output'"),
        ("USD", "EUR", "EUR"),
    ],
)
def test_a_price_file_that_is_wrong_is_named(prices: Path, old: str, new: str, says: str) -> None:
    prices.write_text(PRICES.replace(old, new, 1), "utf-8")
    with pytest.raises(ContentError, match=says):
        PriceTable.read(prices)


def test_the_budget_ends_an_evaluation_and_a_larger_one_goes_on(
    own: Path, server: ModelServer, prices: Path, tmp_path: Path
) -> None:
    line = words(own, server, "--prices", str(prices), "--runs", "6", "--concurrency", "2")
    first = bythebook(*line, "--budget", "1.2", cwd=tmp_path)
    spent = server.count * A_CALL
    folder = EvaluationFolder(tmp_path / "runs")
    kept = {p: p.stat().st_mtime_ns for p in folder.root.glob(f"{TASK}/*/verdict.json")}
    same = bythebook(*line, "--budget", "1.2", cwd=tmp_path)
    after = server.count * A_CALL
    more = bythebook(*line, "--budget", "100", "--json", cwd=tmp_path)

    assert first.returncode == 3
    assert "the budget ends here" in first.stderr
    assert "with a larger --budget goes on" in first.stderr
    assert 0 < len(kept) < 6
    assert spent <= Decimal("1.2") + 2 * A_CALL
    assert same.returncode == 3
    assert after <= Decimal("1.2") + 2 * A_CALL
    assert more.returncode == 0, more.stderr
    assert json.loads(more.stdout)["summary"]["strict"] == 1
    assert all(path.stat().st_mtime_ns == when for path, when in kept.items())
    assert accounts(folder).cost == server.count * A_CALL


def test_a_budget_without_a_price_is_refused(
    own: Path, server: ModelServer, tmp_path: Path
) -> None:
    done = bythebook(*words(own, server, "--budget", "1"), cwd=tmp_path)
    odd = bythebook(*words(own, server, "--budget", "much"), cwd=tmp_path)

    assert (done.returncode, odd.returncode) == (2, 2)
    assert "no price of local:scripted is known" in done.stderr
    assert "'much' is no sum of US dollars" in odd.stderr
    assert server.count == 0


def test_what_was_asked_again_is_counted_and_so_is_what_does_not_count(
    task: ConductTask, own: Path, prices: Path, tmp_path: Path
) -> None:
    wired = Wired(task)

    def busy_once(asked: Asked) -> Spoken:
        return fault(500) if asked.number == 1 else wired(asked)

    with ModelServer(busy_once) as server:
        line = words(own, server, "--prices", str(prices), "--runs", "1")
        done = bythebook(*line, cwd=tmp_path)

    found = accounts(EvaluationFolder(tmp_path / "runs"))
    agent = found.roles["agent local:scripted"]
    assert done.returncode == 0, done.stderr
    assert (agent.again, agent.calls) == (1, server.count - 1)
    assert agent.cost == agent.calls * A_CALL
    assert agent.set_aside == Decimal(0)
    assert agent.price is not None
    assert agent.price.as_of == "2026-01-02"


def test_a_dry_run_asks_nobody_needs_no_key_and_writes_nothing(own: Path, tmp_path: Path) -> None:
    line = [
        "run", "conduct", "--content", str(own), "--task", TASK, "--agent", "loop",
        "--model", "openai:gpt-5", "--simulator", "deepseek:deepseek-flash", "--dry-run",
    ]  # fmt: skip
    done = bythebook(*line, "--runs", "4", "--json", cwd=tmp_path, env={"PATH": ""})
    shown = bythebook(*line, cwd=tmp_path, env={"PATH": ""})

    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["runs"] == 4
    assert [part["role"] for part in found["parts"]] == ["agent", "customer"]
    assert all(Decimal(part["low"]) < Decimal(part["high"]) for part in found["parts"])
    assert list(tmp_path.iterdir()) == []
    for words in ("It assumes:", "1.5 model calls for each call of the golden", "left out:"):
        assert words in shown.stderr


def test_a_dry_run_goes_by_the_runs_that_are_there(
    own: Path, server: ModelServer, prices: Path, tmp_path: Path
) -> None:
    line = words(own, server, "--prices", str(prices))
    bythebook(*line, "--runs", "3", cwd=tmp_path)
    calls = server.count

    done = bythebook(*line, "--runs", "9", "--dry-run", "--json", cwd=tmp_path)

    found = json.loads(done.stdout)
    assert (found["runs"], found["kept"], server.count) == (6, 3, calls)
    assert found["parts"][0]["calls"] == 2 * calls
    assert Decimal(found["parts"][0]["high"]) == 2 * calls * A_CALL
    assert "runs like the 3 finished here" in found["parts"][0]["assumes"]


def test_the_papers_settings_are_said_one_by_one_and_what_was_typed_stays(
    own: Path, tmp_path: Path
) -> None:
    line = ["run", "conduct", "--content", str(own), "--task", TASK, "--model", "openai:gpt-5"]
    done = bythebook(
        *line, "--agent", "loop", "--preset", "paper", "--runs", "2", "--dry-run", "--json",
        cwd=tmp_path,
    )  # fmt: skip
    nobody = bythebook(*line, "--preset", "paper", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    for setting in PAPER["conduct"]:
        assert f"--{setting.option.replace('_', '-')} " in done.stderr
    assert "--runs 2 (the paper's is 3)" in done.stderr
    assert json.loads(done.stdout)["parts"][1]["model"] == "deepseek:deepseek-flash"
    assert (nobody.returncode, "who plays?" in nobody.stderr) == (2, True)


def test_summary_and_table_tell_tokens_cost_and_what_was_sent(
    own: Path, server: ModelServer, prices: Path, tmp_path: Path
) -> None:
    line = words(own, server, "--prices", str(prices), "--runs", "2", "--seed", "7")
    done = bythebook(*line, cwd=tmp_path)
    again = bythebook("score", "runs", cwd=tmp_path)

    summary = json.loads((tmp_path / "runs" / "summary.json").read_bytes())
    cost = server.count * A_CALL
    assert Decimal(summary["accounts"]["cost"]) == cost
    assert summary["accounts"]["roles"]["agent local:scripted"]["input"] == 100 * server.count
    assert summary["settings"]["seed"] == 7
    for said in (done.stderr, again.stderr):
        assert f"{server.count} replies" in said
        assert f"{cost:.2f} USD (prices of 2026-01-02)" in said
        assert "settings as sent: model scripted" in said
        assert "seed 7" in said
