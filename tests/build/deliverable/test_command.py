"""`bythebook build deliverable-task`, as it is typed."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from bythebook.build.deliverable.forms import OF_A_TASK
from bythebook.cli import answer
from tests.build.deliverable.story import change
from tests.model_server import ModelServer, Say

pytestmark = pytest.mark.timeout(400)
"""Whoever comes first waits for the runs and the proof that all share."""

Said = tuple[int, str, str]
Tell = Callable[..., Said]


@pytest.fixture
def build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tell:
    """Give a command for the place in `tmp_path/root`, or an empty one."""

    def said(*words: str | Path) -> Said:
        capsys.readouterr()
        to = tmp_path / "root" / "place"
        code = answer(["build", "deliverable-task", "--to", str(to), *map(str, words)])
        out, err = capsys.readouterr()
        return code, out, " ".join(err.split())

    return said


def test_it_begins_with_the_first_thing_that_is_missing(build: Tell) -> None:
    code, _, err = build()
    assert code == 1
    assert "there is no product yet" in err
    assert "new product ID" in err


@pytest.mark.parametrize("word", ["new", "show", "decide", "draft", "prove", "report"])
def test_help_needs_no_place(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(["build", "deliverable-task", word, "--help"]) == 0
    assert "Usage: bythebook build deliverable-task" in capsys.readouterr().out


def test_work_without_a_place_says_how_to_name_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(["build", "deliverable-task", "show", "task/one"]) == 2
    assert "build deliverable-task --to DIR" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "files"),
    [
        ("product", ["pool/one.yaml"]),
        ("interview", ["interviews/one.yaml"]),
        ("scenario", ["scenarios/one.yaml"]),
        ("task", [f"tasks/one/{form}.yaml" for form in OF_A_TASK]),
    ],
)
def test_an_empty_form_reads_and_passes_nothing(
    build: Tell, tmp_path: Path, kind: str, files: list[str]
) -> None:
    assert build("new", kind, "one")[0] == 0
    for file in files:
        assert (tmp_path / "root" / "place" / file).exists()
    code, _, err = build()
    assert code == 1
    if kind != "interview":
        assert f"{kind}/one" in err
        assert "is missing" in err
    assert "there is one already" in build("new", kind, "one")[2]


def test_where_everything_stands_is_shown_with_the_next_move(place: Path, build: Tell) -> None:
    code, _, err = build()
    assert code == 1
    assert "product/travel-desk product-admission open" in err
    assert "decide product-admission product/travel-desk --pass" in err

    code, out, _ = build("--json")
    (product, scenario, task) = json.loads(out)["stands"]
    assert (product["gate"], product["lacks"]) == ("product-admission", [])
    assert scenario["subject"] == "scenario/mileage"
    assert task["gate"] == "construction"


def test_a_decision_is_typed_and_stands(place: Path, build: Tell) -> None:
    words = ("decide", "product-admission", "product/travel-desk", "--who", "Dora Elm")
    signed = (*words, "--kind", "person", "--why", "read all of it")
    assert "what is decided?" in build(*signed)[2]
    code, _, err = build(*signed, "--pass")
    assert (code, "line 1 of the ledger" in err) == (0, True)
    assert "product/travel-desk interview open" in build()[2]


@pytest.mark.parametrize(("day", "says"), [("2999-01-01", "still to come"), ("soon", "is no day")])
def test_a_decision_has_a_day_that_has_been(place: Path, build: Tell, day: str, says: str) -> None:
    words = ("decide", "product-admission", "product/travel-desk", "--who", "Dora Elm")
    code, _, err = build(*words, "--kind", "person", "--why", "read it", "--pass", "--day", day)
    assert (code, says in err) == (2, True)
    assert not (place / "ledger.jsonl").exists()


def test_a_record_that_lacks_something_is_refused_line_by_line(place: Path, build: Tell) -> None:
    change(place / "pool" / "travel-desk.yaml", "usd: 4000000", "usd: 4000")
    words = ("decide", "product-admission", "product/travel-desk", "--pass", "--who", "Dora Elm")
    code, _, err = build(*words, "--kind", "person", "--why", "read all of it")
    assert code == 1
    assert "pool/travel-desk.yaml:5: funding.usd: USD 4,000 is not above USD 1,000,000" in err
    assert not (place / "ledger.jsonl").exists()


def test_what_keeps_each_gate_shut_is_shown(place: Path, build: Tell) -> None:
    shutil.rmtree(place.parent / "runs" / "desk")
    code, out, _ = build("show", "task/mileage", "--json")
    gates = {one["gate"]: one for one in json.loads(out)["gates"]}
    assert code == 1
    assert gates["task-admission"]["lacks"] == []
    assert "there is no run folder here" in str(gates["pilots"]["lacks"])
    assert "no task 'milage'" in build("show", "task/milage")[2]


def test_a_finished_place_is_done_and_its_report_is_printed(finished: Path, build: Tell) -> None:
    assert build()[0] == 0
    code, out, _ = build("report", "--json")
    found = json.loads(out)
    assert (code, found["tasks"], found["experts"]["number"]) == (0, 1, 2)
    _, _, err = build("report")
    assert "User-centricity" in err
    assert "tasks through all gates: 1; StartupBench has 97" in err
    assert found["head"] in err


def test_a_ledger_that_was_changed_stops_every_word(finished: Path, build: Tell) -> None:
    change(finished / "ledger.jsonl", "Dora Elm", "Dora Oak")
    for words in ((), ("report",), ("show", "task/mileage")):
        code, _, err = build(*words)
        assert code == 2
        assert "put the ledger back" in err


# --- drafts -------------------------------------------------------------------------------------

SCENARIO: dict[str, Any] = {
    "interviews": ["desk-user"],
    "title": "Mileage of March",
    "user": "head of a travel desk",
    "says": "The month is paid, and somebody asks why.",
    "steps": ["read", "work out", "explain"],
    "deliverables": [{"name": "mileage.xlsx", "format": "xlsx", "says": "one row a trip"}],
    "materials": [{"name": "trips.xlsx", "says": "what people entered", "here": False}],
}
QUERY = {"prompt": "Please make mileage.xlsx of trips.xlsx.", "open": ["Which day counts?"]}
ITEM = {"dimension": "structure", "level": "core", "why": ""}
RUBRIC = {
    "items": [
        {"id": "R01", "says": "One row a trip.", "asked": "one row a trip", **ITEM},
        {"id": "R02", "says": "The new rate is used.", "asked": "", **ITEM | {"why": "the note"}},
    ]
}


def put(asked: Path, stage: str, name: str, value: object) -> Path:
    folder = asked / stage / name
    (folder / "answer.json").write_text(json.dumps(value))
    return folder


def test_a_scenario_is_drafted_by_hand_from_interviews(
    place: Path, build: Tell, tmp_path: Path
) -> None:
    asked = tmp_path / "asked"
    words = ("draft", "scenario", "travel-desk", "march", "--model", f"hand:{asked}")
    code, _, err = build(*words)
    assert (code, "an answer is wanted" in err) == (1, True)
    prompt = (asked / "drafts-scenario" / "march" / "prompt.md").read_text()
    assert "pay what is due and explain it" in prompt
    assert "@" not in prompt

    put(asked, "drafts-scenario", "march", SCENARIO | {"interviews": ["nobody"]})
    code, _, err = build(*words)
    assert (code, "there is no interview 'nobody'" in err) == (1, True)

    put(asked, "drafts-scenario", "march", SCENARIO)
    assert build(*words)[0] == 0
    written = yaml.safe_load((place / "scenarios" / "march.yaml").read_text())
    assert written["product"] == "travel-desk"
    assert "there is one already" in build(*words)[2]
    _, out, _ = build("show", "scenario/march", "--json")
    (gate,) = json.loads(out)["gates"]
    assert {one["field"] for one in gate["lacks"]} == {
        "materials[0].here",
        "validation.clear_scenario",
        "validation.clear_deliverable",
        "validation.reproducible_workflow",
        "validation.complete_materials",
    }


def test_somebody_is_to_be_asked_for_a_draft(place: Path, build: Tell) -> None:
    code, _, err = build("draft", "query", "mileage")
    assert (code, "who is to be asked?" in err) == (2, True)


def test_a_request_is_drafted_by_a_model(place: Path, build: Tell) -> None:
    short = {"prompt": "Please make a file.", "open": []}
    full = QUERY | {"prompt": "Please make mileage.xlsx and note.docx of trips.xlsx."}
    with ModelServer([Say(json.dumps(short)), Say(json.dumps(full))]) as server:
        words = ("draft", "query", "mileage", "--model", "local:scripted")
        code, _, err = build(*words, "--base-url", f"{server.url}/v1")
    assert (code, "Which day counts?" in err) == (0, True)
    assert "note.docx" in (place / "drafts" / "mileage" / "prompt.md").read_text()


def test_scoring_points_are_drafted_with_what_they_watch(
    place: Path, build: Tell, tmp_path: Path
) -> None:
    asked = tmp_path / "asked"
    words = ("draft", "rubric", "mileage", "--model", f"hand:{asked}")
    build(*words)
    wrong = {"items": [RUBRIC["items"][0] | {"asked": "a row for every trip"}, RUBRIC["items"][0]]}
    put(asked, "drafts-rubric", "mileage", wrong)
    _, _, err = build(*words)
    assert "R01 stands here twice" in err
    assert "quote word for word" in err

    put(asked, "drafts-rubric", "mileage", RUBRIC)
    assert build(*words)[0] == 0
    folder = place / "tasks" / "mileage"
    items = yaml.safe_load((folder / "rubric.draft.yaml").read_text())["items"]
    assert [one["id"] for one in items] == ["R01", "R02"]
    mapped = yaml.safe_load((folder / "requirements.draft.yaml").read_text())
    assert mapped["requirements"] == [{"says": "one row a trip", "items": ["R01"]}]
    assert mapped["beyond"] == [{"item": "R02", "why": "the note"}]
