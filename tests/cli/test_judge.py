"""`bythebook judge`: by a model, by hand, against people."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.judging import Ask, Tell, about, found, gives, lines, verdict
from tests.deliverables.own_task import TASK
from tests.model_server import Asked, Hang, ModelServer, Say, Use, fault
from tests.own import BYTHEBOOK, bythebook


def test_a_model_judges_what_checks_left_open(runs: Path, ask: Ask, by: Any) -> None:
    assert found(runs) == {"R1": "pass", "R2": "pass", "R3": "void", "R4": "void"}
    with ModelServer(lambda asked: gives("fail" if about(asked, "R4") else "pass")) as server:
        code, told = ask(*by(server, "--price", "2.50,10,0.25"))
        again, _ = ask(*by(server))
        assert server.count == 2
    assert (code, again) == (0, 0)
    assert found(runs) == {"R1": "pass", "R2": "pass", "R3": "pass", "R4": "fail"}
    (run,) = told["judged"]["runs"]
    assert (run["open"], run["judged"], run["void"], run["sessions"]) == (2, 2, [], 2)
    assert (run["usage"]["input"], run["usage"]["cached"]) == (2_000, 1_600)
    # 400 fresh at 2.50, 1,600 cached at 0.25 and 20 out at 10, for a million each.
    assert float(told["cost"]) == pytest.approx(0.0016)
    assert told["scores"]["runs"][0]["success"] is True
    assert told["scores"]["runs"][0]["score"] == pytest.approx(13 / 14)


def test_show_names_the_conversations_with_the_judge(
    runs: Path, say: Tell, ask: Ask, by: Any
) -> None:
    def speak(asked: Asked) -> Say:
        return Say(f"Hm, hard to say {asked.number}.") if about(asked, "R4") else gives()

    with ModelServer(speak) as server:
        ask(*by(server))
    _, told = ask("show", runs / TASK / "1")
    assert set(told["conversations"]) == {"R3", "R4"}
    # The void item was tried twice: the last session is named, the first is kept.
    assert len([*(runs / TASK / "1" / "judge").glob("R4-*.json")]) == 2
    assert "Hm, hard to say" in Path(told["conversations"]["R4"]).read_text()
    _, out, _ = say("show", runs / TASK / "1")
    assert out.count("judged in") == 2
    # Who passed an item stands beside it, and how the judge's sessions were counted.
    assert "by model:local:" in out
    _, _, err = say("score", runs)
    sessions = [*(runs / TASK / "1" / "judge").glob("R*.json")]
    assert f": {len(sessions)} sessions, " in err
    assert "price unknown; `judge --price IN,OUT,CACHED` gives one" in " ".join(err.split())
    assert Path(told["conversations"]["R4"]).name in "".join(out.split())


def test_what_is_void_is_said_and_asked_for_again(runs: Path, say: Tell, ask: Ask, by: Any) -> None:
    with ModelServer(lambda asked: Say("Hm.")) as server:
        code, _, says = say(*by(server, "--attempts", "1"))
        assert code == 0
        assert "2 items are void; `--again void` asks once more" in says
        assert "malformed" in says
        before = server.count
        say(*by(server, "--attempts", "1"))
        assert server.count == before
    assert found(runs)["R4"] == "void"
    with ModelServer(lambda asked: gives()) as server:
        _, told = ask(*by(server, "--again", "void"))
        assert server.count == 2
    assert told["scores"]["runs"][0]["success"] is True
    assert found(runs)["R4"] == "pass"


def test_one_item_is_judged_anew(runs: Path, ask: Ask, by: Any) -> None:
    with ModelServer(lambda asked: gives()) as server:
        ask(*by(server))
    with ModelServer(lambda asked: gives("fail")) as server:
        ask(*by(server, "--again", "R4"))
        assert server.count == 1
    assert (found(runs)["R3"], found(runs)["R4"]) == ("pass", "fail")
    assert [line["item"] for line in lines(runs)].count("R4") == 2


def test_checks_keep_the_word_where_a_judge_says_otherwise(runs: Path, ask: Ask, by: Any) -> None:
    with ModelServer(lambda asked: gives("fail")) as server:
        ask(*by(server, "--all-items"))
        assert server.count == 4
    assert found(runs) == {"R1": "pass", "R2": "pass", "R3": "fail", "R4": "fail"}
    assert {line["item"] for line in lines(runs)} == {"R1", "R2", "R3", "R4"}


def test_all_items_at_once(runs: Path, ask: Ask, by: Any) -> None:
    entries = [{"item": name} | verdict() for name in ("R3", "R4")]
    both = Say(calls=(Use("give_verdicts", {"verdicts": entries}),))
    with ModelServer([Say("Hm."), both]) as server:
        ask(*by(server, "--mode", "holistic"))
    assert found(runs)["R4"] == "pass"
    assert [line.get("attempt", 1) for line in lines(runs)] == [1, 1, 2, 2]


def test_a_provider_that_is_down_voids_and_never_fails(runs: Path, say: Tell, by: Any) -> None:
    with ModelServer(lambda asked: fault(401)) as server:
        code, _, says = say(*by(server))
    assert code == 0
    assert "provider" in says
    assert found(runs) == {"R1": "pass", "R2": "pass", "R3": "void", "R4": "void"}
    with ModelServer(lambda asked: gives()) as server:
        say(*by(server))
    assert found(runs)["R4"] == "pass"


def test_a_killed_judge_goes_on_where_it_was(runs: Path, by: Any, tmp_path: Path) -> None:
    with ModelServer(lambda asked: Hang() if about(asked, "R4") else gives()) as server:
        command = [str(BYTHEBOOK), *map(str, by(server))]
        process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL)
        journal = runs / TASK / "1" / "judgements.jsonl"
        until = time.monotonic() + 60
        while not journal.exists() and time.monotonic() < until:
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert [line["item"] for line in lines(runs)] == ["R3"]
    with ModelServer(lambda asked: gives()) as server:
        done = bythebook(*by(server), cwd=tmp_path)
        assert (done.returncode, server.count) == (0, 1), done.stderr
    assert found(runs)["R4"] == "pass"


def test_an_interrupted_judge_keeps_what_is_judged_and_says_how_to_go_on(
    runs: Path, by: Any, tmp_path: Path
) -> None:
    with ModelServer(lambda asked: Hang() if about(asked, "R4") else gives()) as server:
        command = [str(BYTHEBOOK), *map(str, by(server))]
        process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
        journal = runs / TASK / "1" / "judgements.jsonl"
        until = time.monotonic() + 60
        while not journal.exists() and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, says = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "The same command goes on" in says
    assert (found(runs)["R3"], found(runs)["R4"]) == ("pass", "void")


PRICES = """currency: USD
prices:
  - {model: "local:scripted", input: 500, cached: 500, output: 0, as_of: 2026-11-30, source: ours}
"""
A_SESSION = 0.5
"""US dollars: a thousand tokens in."""


def test_the_budget_ends_the_judging_and_a_larger_one_goes_on(
    runs: Path, say: Tell, by: Any, tmp_path: Path
) -> None:
    (tmp_path / "prices.yaml").write_text(PRICES, "utf-8")
    with ModelServer(lambda asked: gives()) as server:
        line = by(server, "--concurrency", "1", "--prices", "prices.yaml")
        code, _, says = say(*line, "--budget", str(A_SESSION))
        first, asked = found(runs), server.count
        same, _, _ = say(*line, "--budget", str(A_SESSION))
        again = server.count
        more, _, _ = say(*line, "--budget", "100")

    assert (code, same, more) == (3, 3, 0)
    assert "the budget ends here" in says
    assert "larger --budget goes on" in says
    assert (asked, again, server.count) == (1, 1, 2)
    assert sorted(first.values()) == ["pass", "pass", "pass", "void"]
    assert set(found(runs).values()) == {"pass"}


def test_a_session_that_the_budget_cuts_off_is_begun_again_and_what_it_took_counts(
    runs: Path, say: Tell, by: Any, tmp_path: Path
) -> None:
    (tmp_path / "prices.yaml").write_text(PRICES, "utf-8")
    looks = Say(calls=(Use("list_files", {}),), input=1_000)
    with ModelServer(lambda asked: gives() if asked.turns else looks) as server:
        line = by(server, "--concurrency", "1", "--prices", "prices.yaml")
        code, _, _ = say(*line, "--budget", str(A_SESSION))
        cut, asked = lines(runs), server.count
        say(*line, "--budget", "100")

    assert (code, asked) == (3, 1)
    assert [(one["cause"], one["usage"]["input"]) for one in cut] == [("budget", 1_000)]
    assert set(found(runs).values()) == {"pass"}
    assert [one.get("attempt", 1) for one in lines(runs)] == [1, 1, 1]


def test_a_budget_for_a_judge_without_a_price_is_refused(runs: Path, say: Tell, by: Any) -> None:
    with ModelServer(lambda asked: gives()) as server:
        code, _, says = say(*by(server, "--budget", "1"))
        assert (code, server.count) == (2, 0)
    assert "no price of local:scripted is known" in says


# --- by hand ------------------------------------------------------------------------------------


def test_by_hand_questions_are_laid_out_and_answers_taken(
    runs: Path, say: Tell, content: Path, tmp_path: Path
) -> None:
    words = ("judge", "runs", "--judge", "hand:answers", "--content", content)
    code, _, says = say(*words)
    assert code == 0
    assert "2 items wait for an answer in answers" in says
    place = tmp_path / "answers" / TASK / "1"
    hints = place / "R4" / "workspace" / "eval_hints"
    assert (place / "R4" / "prompt.md").exists()
    assert (place / "R4" / "workspace" / "results" / "note.docx").exists()
    assert (hints / "multi_artifacts_manifest.json").exists()
    (place / "R3" / "answer.json").write_text(json.dumps(verdict()))
    (place / "R4" / "answer.json").write_text(json.dumps(verdict(evidence=[])))
    code, _, says = say(*words)
    assert code == 1
    assert "R4/answer.wrong.txt says why" in says
    assert (found(runs)["R3"], found(runs)["R4"]) == ("pass", "void")
    (place / "R4" / "answer.json").write_text(json.dumps(verdict("fail")))
    code, _, _ = say(*words)
    assert code == 0
    assert found(runs)["R4"] == "fail"
    assert {line["judge"] for line in lines(runs)} == {"hand:answers"}


def test_the_verdict_is_written_in_startupbench_s_form(
    runs: Path, say: Tell, content: Path
) -> None:
    words = ("judge", "runs", "--judge", "hand:answers", "--rubric-judges", "--content", content)
    code, _, says = say(*words)
    assert code == 0, says
    path = runs / TASK / "1" / "rubric_judges.json"
    assert [one["pass"] for one in json.loads(path.read_text())] == [True, True, None, None]


# --- against people -----------------------------------------------------------------------------


def test_verdicts_are_set_against_labels_without_a_judge(
    runs: Path, ask: Ask, say: Tell, tmp_path: Path
) -> None:
    rows = [f"{TASK},1,{item},{label}" for item, label in (("R1", 1), ("R2", 0), ("R3", 1))]
    (tmp_path / "labels.csv").write_text("\n".join(["task,run,item,label", *rows]) + "\n")
    code, told = ask("judge", runs, "--labels", "labels.csv")
    assert code == 0
    assert told["items"]["table"] == {
        "both_pass": 1,
        "false_pass": 1,
        "false_fail": 0,
        "both_fail": 0,
    }
    assert (told["without_verdict"], told["without_label"]) == (1, 1)
    _, _, says = say("judge", runs, "--labels", "labels.csv")
    assert "50.0" in says
    assert "one task has none" in says


# --- wrong use ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "which judge?"),
        (("--judge", "gpt"), "'gpt' is no judge"),
        (("--judge", "harness:nanobot"), "names no model"),
        (("--judge", "harness:nanbot/local:M"), "did you mean 'nanobot'?"),
        (("--judge", "harness:nanobot/nobody:M"), "no provider 'nobody'"),
        (("--judge", "model:nobody:M"), "no provider 'nobody'"),
        (("--judge", "hand:answers", "--item", "R44"), "did you mean 'R4'?"),
        (("--judge", "hand:answers", "--again", "vid"), "no item 'vid'"),
        (("--judge", "hand:answers", "--task", "fin-99"), "no run of task 'fin-99'"),
        (("--judge", "hand:answers", "--price", "much"), "'much' is no price"),
        (("--labels", "none.csv"), "no such file"),
    ],
)
def test_wrong_use_is_said(
    runs: Path, say: Tell, content: Path, words: tuple[str, ...], says: str
) -> None:
    code, _, told = say("judge", runs, *words, "--content", content)
    assert code == 2
    assert says in told


def test_an_evaluation_of_the_other_suite_has_no_judge(say: Tell, own: Path) -> None:
    line = ("run", "conduct", "--task", "q90", "--agent", "idle", "--runs", "1", "--to", "mine")
    assert say(*line, "--content", own)[0] == 0

    code, _, told = say("judge", "mine", "--judge", "hand:answers")

    assert code == 2
    assert "the suite `conduct` has no judge: its rules decide" in told


def test_a_folder_without_runs_is_said(say: Tell, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for folder, says in (("empty", "no finished run"), ("nowhere", "no such folder")):
        code, _, told = say("judge", folder, "--judge", "hand:answers")
        assert (code, says in told) == (2, True), told
