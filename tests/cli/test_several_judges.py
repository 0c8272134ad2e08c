"""Several judges in one folder: whose judgements count is said, and nothing is lost."""

import json
from pathlib import Path
from typing import Any

from tests.cli.judging import Ask, Tell, found, gives, lines, verdict
from tests.deliverables.own_task import TASK
from tests.model_server import ModelServer, Say, Use


def counting(runs: Path) -> str:
    """Whose judgements count, as the plan says and as the verdict has it."""
    plan = json.loads((runs / "plan.json").read_text())
    written = json.loads((runs / TASK / "1" / "verdict.json").read_text())
    assert written["delivered"]["judge"] == plan["judge"]
    return f"{plan['judge']} {plan['judge_mode']}"


def second(content: Path, tmp_path: Path, mark: str, *items: str) -> tuple[str | Path, ...]:
    """A second judge, by hand, has answered on these items; the words that read its answers."""
    place = tmp_path / "second" / TASK / "1"
    for item in items:
        (place / item / "answer.json").write_text(json.dumps(verdict(mark)))
    return ("judge", "runs", "--judge", "hand:second", "--content", content)


def test_a_second_judge_on_one_item_changes_no_verdict_and_is_kept(
    runs: Path, say: Tell, ask: Ask, by: Any, content: Path, tmp_path: Path
) -> None:
    with ModelServer(lambda asked: gives()) as server:
        ask(*by(server))
    before = (runs / TASK / "1" / "verdict.json").read_bytes()
    say(*second(content, tmp_path, "fail"), "--item", "R4")
    code, _, says = say(*second(content, tmp_path, "fail", "R4"), "--item", "R4")
    assert code == 0
    assert "not counted: the scores above go by model:local:scripted" in says
    assert (runs / TASK / "1" / "verdict.json").read_bytes() == before
    assert counting(runs) == "model:local:scripted item"
    assert [line["judge"] for line in lines(runs)][-1] == "hand:second"
    _, theirs = ask("score", "runs", "--judge", "hand:second")
    (run,) = theirs["runs"]
    # R3 was never put to that judge: void for it alone.
    assert (run["broken"], run["void"], run["delivered"]["judge"]) == (["R4"], 1, "hand:second")
    assert (runs / TASK / "1" / "verdict.json").read_bytes() == before


def test_a_judge_that_is_chosen_counts_until_another_is(
    runs: Path, say: Tell, ask: Ask, by: Any, content: Path, tmp_path: Path
) -> None:
    with ModelServer(lambda asked: gives()) as server:
        ask(*by(server))
        say(*second(content, tmp_path, "fail"))
        say(*second(content, tmp_path, "fail", "R3", "R4"), "--counts")
        assert counting(runs) == "hand:second item"
        assert found(runs)["R4"] == "fail"
        _, _, says = say(*by(server))
        assert (server.count, "not counted" in says, found(runs)["R4"]) == (2, True, "fail")
        say(*by(server, "--counts"))
        assert (server.count, counting(runs)) == (2, "model:local:scripted item")
        assert found(runs)["R4"] == "pass"


def test_a_run_with_another_judge_does_not_change_who_counts(
    runs: Path, say: Tell, ask: Ask, by: Any, content: Path, tmp_path: Path
) -> None:
    with ModelServer(lambda asked: gives()) as server:
        ask(*by(server))
    say(*second(content, tmp_path, "fail"))
    say(*second(content, tmp_path, "fail", "R3", "R4"))
    words = ["run", "deliverables", "--task", TASK, "--agent", "reference", "--runs", "1"]
    code, _, says = say(*words, "--judge", "hand:second", "--to", "runs", "--content", content)
    assert (code, "not counted" in says) == (0, True)
    assert counting(runs) == "model:local:scripted item"


def test_all_items_at_once_is_another_judge(runs: Path, say: Tell, ask: Ask, by: Any) -> None:
    entries = [{"item": name} | verdict("fail") for name in ("R3", "R4")]
    both = Say(calls=(Use("give_verdicts", {"verdicts": entries}),))
    with ModelServer([gives(), gives(), both]) as server:
        ask(*by(server))
        _, _, says = say(*by(server, "--mode", "holistic"))
    assert "not counted" in says
    assert found(runs)["R4"] == "pass"
    _, theirs = ask("score", "runs", "--judge", "model:local:scripted", "--mode", "holistic")
    assert theirs["runs"][0]["broken"] == ["R3", "R4"]


def test_labels_are_set_against_the_judge_that_is_named(
    runs: Path, say: Tell, ask: Ask, by: Any, content: Path, tmp_path: Path
) -> None:
    (tmp_path / "labels.csv").write_text(f"task,run,item,label\n{TASK},1,R4,0\n")
    with ModelServer(lambda asked: gives()) as server:
        ask(*by(server))
    say(*second(content, tmp_path, "fail"), "--item", "R4")
    _, _, says = say(
        *second(content, tmp_path, "fail", "R4"), "--item", "R4", "--labels", "labels.csv"
    )
    assert "items 1 1 100.0" in says
    _, told = ask("judge", "runs", "--labels", "labels.csv")
    assert told["items"]["raw"]["value"] == 0.0


def test_scores_of_a_judge_that_never_judged_are_refused(runs: Path, say: Tell, by: Any) -> None:
    code, _, says = say("score", "runs", "--judge", "hand:nobody")
    assert (code, "no judgement by hand:nobody" in says) == (2, True)
    assert "nobody has judged here" in says


def test_judge_and_run_show_the_scores_once(content: Path, say: Tell) -> None:
    words = ["run", "deliverables", "--task", TASK, "--agent", "reference", "--runs", "1"]
    _, _, says = say(*words, "--judge", "hand:answers", "--to", "both", "--content", content)
    assert says.count("weight decided by") == 1
