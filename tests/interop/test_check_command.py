"""`bythebook check`, as it is typed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as tree

import pytest

from bythebook.cli import answer
from tests.interop import story

Said = tuple[int, str, str]


@pytest.fixture
def say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Said]:
    """Give a command in a folder that holds rules.yaml; code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.yaml").write_text(story.RULES)

    def said(*words: str | Path) -> Said:
        capsys.readouterr()
        code = answer(["check", *(str(word) for word in words)])
        out, err = capsys.readouterr()
        return code, out, " ".join(err.split())

    return said


def written(folder: Path, name: str, data: Any) -> Path:
    path = folder / name
    path.write_bytes(story.document(data))
    return path


def fine() -> dict[str, Any]:
    """A run in which nothing is broken: the last turn with tools never was."""
    found = story.tau2()
    del found["simulations"][0]["messages"][7:9]
    return found


def test_the_exit_code_tells_whether_a_rule_was_broken(
    say: Callable[..., Said], tmp_path: Path
) -> None:
    assert say("rules.yaml", written(tmp_path, "bad.json", story.tau2()))[0] == 1
    assert say("rules.yaml", written(tmp_path, "good.json", fine()))[0] == 0


def test_rules_that_meet_nothing_are_told_and_those_that_do_are_not(
    say: Callable[..., Said], tmp_path: Path
) -> None:
    """The rules of another company's tools pass over any trace."""
    trace = written(tmp_path, "fine.json", fine())
    says = "no rule met anything that it judges"

    assert says in say("tau1-retail", trace)[2]
    assert says not in say("rules.yaml", trace)[2]


def test_a_heuristic_rule_alone_does_not_fail_a_check(
    say: Callable[..., Said], tmp_path: Path
) -> None:
    run = fine()
    run["simulations"][0]["messages"][4]["content"] = "Hm, I cannot tell."
    code, _, err = say("rules.yaml", written(tmp_path, "unsure.json", run))
    assert code == 0
    assert "heuristic yes-first" in err
    assert "heuristic rules are broken 1 times" in err


def test_people_are_shown_the_event_that_broke_a_rule(
    say: Callable[..., Said], tmp_path: Path
) -> None:
    _, out, err = say("rules.yaml", written(tmp_path, "bad.json", story.tau2()))
    assert out == ""
    assert (
        "fail read-first: An order is read before anything is tried with it. (desk#Cancel)" in err
    )
    assert "simulations[0].messages[7].tool_calls[1]: cancel_order(order_id='W3'" in err
    assert "-> Error: order not found" in err
    assert "1 trace, 1 break a rule" in err


def test_json_holds_every_trace_and_rule(say: Callable[..., Said], tmp_path: Path) -> None:
    first = written(tmp_path, "bad.json", story.tau2(2))
    second = written(tmp_path, "good.json", fine())
    code, out, _ = say("rules.yaml", first, second, "--json")
    found = json.loads(out)
    assert code == 1
    assert [(t["file"], t["id"], t["reward"]) for t in found["traces"]] == [
        (str(first), "sim-0", 1.0), (str(first), "sim-1", 1.0), (str(second), "sim-0", 1.0),
    ]  # fmt: skip
    broken = {c["id"]: c for c in found["traces"][0]["criteria"]}["read-first"]
    assert (broken["verdict"], broken["heuristic"]) == ("fail", False)
    assert broken["says"] == "An order is read before anything is tried with it."
    assert broken["event"]["i"] == broken["at"]
    assert broken["event"]["args"] == {"order_id": "W3", "reason": "none"}
    assert found["summary"]["broken"] == 2
    assert found["summary"]["groups"] == {"": 2, "turns": 2}
    assert found["summary"]["heuristic"] == {"pass": 3}


def test_what_is_heuristic_or_undecided_is_no_failure_in_junit(
    say: Callable[..., Said], tmp_path: Path
) -> None:
    run = story.tau2()
    messages = run["simulations"][0]["messages"]
    messages[4]["content"] = "Perhaps."
    del messages[1:3]
    say("rules.yaml", written(tmp_path, "run.json", run), "--junit", "found.xml")
    (suite,) = tree.parse(tmp_path / "found.xml").getroot()
    cases = {case.get("name"): [(e.tag, e.get("message")) for e in case] for case in suite}
    assert suite.get("tests") == "4"
    assert cases["pending-only"][0][0] == "skipped"
    assert cases["pending-only"][0][1].startswith("uncheckable: ")  # type: ignore[union-attr]  # it has a message
    assert cases["yes-first"] == [("skipped", "heuristic: The customer has said yes.")]
    assert cases["read-first"][0][0] == "failure"
    assert cases["one-call"][0][0] == "failure"


def test_a_file_that_does_not_read_keeps_no_other_from_being_judged(
    say: Callable[..., Said], tmp_path: Path
) -> None:
    (tmp_path / "what.txt").write_text("nothing")
    good = written(tmp_path, "good.json", fine())
    code, out, err = say("rules.yaml", "what.txt", good, "--json")
    assert code == 2
    assert len(json.loads(out)["traces"]) == 1
    assert "what.txt: no known format: it is no JSON" in json.loads(out)["problems"][0]
    assert "error: what.txt" in err


def test_a_record_that_does_not_read_fails_the_command_and_is_an_error_in_junit(
    say: Callable[..., Said], tmp_path: Path
) -> None:
    run = fine()
    run["simulations"][0]["messages"].append({"role": "alien"})
    code, _, err = say("rules.yaml", written(tmp_path, "odd.json", run), "--junit", "found.xml")
    assert code == 2
    assert "not read simulations[0].messages[8]: no known message: role 'alien'" in err
    (suite,) = tree.parse(tmp_path / "found.xml").getroot()
    assert suite.get("errors") == "1"
    assert [one.get("name") for one in suite if one.find("error") is not None] == ["problem 1"]


def test_a_file_without_a_trace_says_what_it_was_read_as(
    say: Callable[..., Said], tmp_path: Path
) -> None:
    code, _, err = say("rules.yaml", written(tmp_path, "spans.json", {"resourceSpans": []}))
    assert code == 2
    assert "there is no trace in it it was read as otel: spans of OpenTelemetry" in err


def test_a_folder_is_all_that_is_in_it(say: Callable[..., Said], tmp_path: Path) -> None:
    """tau2 writes a folder: an index, and a file for each run."""
    runs = tmp_path / "runs"
    (runs / "simulations").mkdir(parents=True)
    index = story.tau2() | {"simulations": [], "simulation_index": [{"id": "sim-0"}]}
    written(runs, "results.json", index)
    for one in story.tau2(2)["simulations"]:
        written(runs / "simulations", f"{one['id']}.json", one)
    code, out, _ = say("rules.yaml", runs, "--json")
    assert code == 1
    assert [t["id"] for t in json.loads(out)["traces"]] == ["sim-0", "sim-1"]


def test_of_a_run_folder_the_traces_are_judged(say: Callable[..., Said], tmp_path: Path) -> None:
    run = tmp_path / "runs" / "q1" / "1"
    run.mkdir(parents=True)
    (tmp_path / "runs" / "plan.json").write_text("{}")
    (run / "trace.jsonl").write_bytes(story.each_line(story.own()))
    code, out, _ = say("rules.yaml", "runs", "--json")
    assert code == 1
    assert [t["id"] for t in json.loads(out)["traces"]] == ["5/1"]


def test_of_very_many_records_that_do_not_read_the_first_are_named(
    say: Callable[..., Said], tmp_path: Path
) -> None:
    (tmp_path / "runs.jsonl").write_bytes(story.each_line(story.tau(2)) + b"?\n" * 300)
    code, out, _ = say("rules.yaml", "runs.jsonl", "--json")
    problems = json.loads(out)["problems"]
    assert (code, len(problems)) == (2, 101)
    assert problems[-1] == "runs.jsonl: 200 more records could not be read"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["rules.yaml"], "no trace is named"),
        (["rules.yaml", "nowhere.json"], "nowhere.json: no such file"),
        (["nowhere.yaml", "rules.yaml"], "nowhere.yaml: no such file"),
        (["tau2-airlin", "rules.yaml"], "did you mean 'tau2-airline'?"),
        (["rules.yaml", "empty"], "there is no trace in it"),
        (["rules.yaml", "rules.yaml", "--format", "tau3"], "'tau3' is not one of"),
    ],
)
def test_wrong_use_is_told(
    words: list[str], says: str, say: Callable[..., Said], tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    code, _, err = say(*words)
    assert code == 2
    assert says in err


def test_a_pack_is_named_by_its_name_and_an_own_one_comes_first(
    say: Callable[..., Said], tmp_path: Path
) -> None:
    (tmp_path / "mine" / "packs").mkdir(parents=True)
    (tmp_path / "mine" / "packs" / "tau2-airline.yaml").write_text(story.RULES)
    run = written(tmp_path, "good.json", fine())
    code, out, _ = say("tau2-airline", run, "--json", "--content", "mine")
    assert (code, json.loads(out)["policy"]) == (0, "desk")
