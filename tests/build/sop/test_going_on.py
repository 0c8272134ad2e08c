"""The same command goes on: what changed is made again, what people did is kept."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from bythebook.build.mind import read_answer
from bythebook.build.sop.forms import (
    Attachments,
    Candidates,
    Decisions,
    Form,
    Names,
    Plans,
    Review,
)
from bythebook.build.sop.work import PROMPTS
from bythebook.cli import answer
from bythebook.conduct.sops import Sop
from tests.build.sop.firm import Desk
from tests.model_server import Asked, ModelServer, Say

DRAFT = "04-sops/take-a-return.yaml"
OUT = "11-out/sops/take-a-return.yaml"


def test_a_finished_place_asks_nothing_and_changes_nothing(done: Desk) -> None:
    assert done.build() == 0
    before = {path: path.read_bytes() for path in done.place.rglob("*.*")}

    assert done.build("--model", "hand:nobody") == 0
    assert {path: path.read_bytes() for path in done.place.rglob("*.*")} == before


def test_a_draft_edited_by_hand_is_kept_and_reviewed_anew(
    done: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    path = done.place / DRAFT
    path.write_text(path.read_text().replace("Count the days.", "Count every day."))

    assert done.build() == 1
    said = " ".join(capsys.readouterr().err.split())
    assert "take-a-return (asked anew; the earlier answer is answer.json.old-1 beside it)" in said
    prompt = (done.hand / "review/take-a-return/prompt.md").read_text()
    assert "Count every day." in prompt
    assert (done.hand / "review/take-a-return/answer.json.old-1").exists()
    assert done.go_on() == 0
    assert "Count every day." in (done.place / OUT).read_text()


def test_an_edit_that_would_be_lost_stops_the_command(
    done: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    path = done.place / DRAFT
    path.write_text(path.read_text().replace("Count the days.", "Count every day."))
    plan = done.place / "03-plans/take-a-return.yaml"
    plan.write_text(plan.read_text().replace("has the money", "has all the money"))

    assert done.build() == 2
    said = " ".join(capsys.readouterr().err.split())
    assert str(path) in said
    assert "--keep 04-sops" in said
    assert "Count every day." in path.read_text()

    assert done.build("--keep", "sops") == 1
    assert "Count every day." in (done.hand / "review/take-a-return/prompt.md").read_text()


def test_with_remake_the_edit_is_put_aside(done: Desk) -> None:
    path = done.place / DRAFT
    path.write_text(path.read_text().replace("Count the days.", "Count every day."))

    assert done.build("--remake", "sops") == 0
    assert "Count the days." in path.read_text()
    assert "Count every day." in path.with_name("take-a-return.yaml.old-1").read_text()


PLANS_ANSWER = "plans/plans/answer.json"


def test_an_answer_that_is_mended_after_it_was_taken_is_taken_anew(done: Desk) -> None:
    path = done.hand / PLANS_ANSWER
    path.write_text(path.read_text().replace("has the money", "has all the money"))

    assert done.build("--until", "plans") == 0
    assert "has all the money" in (done.place / "03-plans/take-a-return.yaml").read_text()


def test_answers_that_are_put_aside_are_asked_for_anew(
    done: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    assert done.build("--ask-again", "plans") == 1
    assert "the earlier answer is answer.json.old-1 beside it" in capsys.readouterr().err
    assert done.build() == 1
    answer = done.hand / PLANS_ANSWER
    old = answer.with_name("answer.json.old-1").read_text()
    answer.write_text(old.replace("has the money", "has all the money"))

    assert done.build("--until", "plans") == 0
    assert "has all the money" in (done.place / "03-plans/take-a-return.yaml").read_text()


def test_of_a_stage_that_asks_nothing_no_answer_is_put_aside(
    done: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    assert done.build("--ask-again", "cleared") == 2
    assert "--remake cleared makes it anew" in capsys.readouterr().err


def test_a_reviewers_answers_are_put_aside_with_the_reviewer(done: Desk) -> None:
    (done.root / "second").mkdir()
    (done.hand / "review").rename(done.root / "second/review")
    second = ("--reviewer", f"hand:{done.root / 'second'}")

    assert done.build(*second) == 0
    assert done.build(*second, "--ask-again", "review") == 1
    assert (done.root / "second/review/take-a-return/answer.json.old-1").exists()


def test_a_mended_answer_does_not_write_over_an_edit(
    done: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = done.place / "03-plans/take-a-return.yaml"
    plan.write_text(plan.read_text().replace("has the money", "has every penny"))
    path = done.hand / PLANS_ANSWER
    path.write_text(path.read_text().replace("has the money", "has all the money"))

    assert done.build("--until", "plans") == 2
    assert "take-a-return.yaml" in capsys.readouterr().err
    assert done.build("--until", "plans", "--keep", "plans") == 0
    assert done.build("--until", "plans") == 0
    assert "has every penny" in plan.read_text()


def test_a_further_document_changes_no_question_that_was_asked(done: Desk) -> None:
    (done.sources / "lost.md").write_text("# Lost\n\nA lost parcel is looked for at the carrier.\n")
    before = (done.hand / "candidates/b01/asked.json").read_text()

    assert done.build() == 1
    assert (done.hand / "candidates/b01/asked.json").read_text() == before
    assert (done.hand / "candidates/b01/answer.json").exists()
    assert "lost parcel" in (done.hand / "candidates/b02/prompt.md").read_text()


def test_a_clause_that_changes_in_its_source_is_asked_about_again(done: Desk) -> None:
    path = done.sources / "returns-v2.md"
    path.write_text(path.read_text().replace("before anything else", "before all else"))

    assert done.build() == 1
    assert "before all else" in (done.hand / "candidates/b01/prompt.md").read_text()


def test_the_counts_of_every_stage_are_one_document(
    built: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    assert built.build("--json") == 0
    told = json.loads(capsys.readouterr().out)

    assert told["done"] is True
    assert told["mind"] == "hand:hand"
    counts = {stage["stage"]: stage["counts"] for stage in told["stages"]}
    assert counts["candidates"] == {
        "batches": 1, "candidates": 2, "claims": 8, "conflicts found": 1,
    }  # fmt: skip
    assert counts["conflicts"] == {"conflicts": 2, "excluded": 2}


def test_until_stops_after_a_stage(desk: Desk) -> None:
    assert desk.build("--until", "sources") == 0
    assert not desk.hand.exists()


def test_who_is_asked_has_to_be_said(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["build", "sop", str(desk.sources), "--to", str(desk.place)]

    assert answer(words) == 2
    assert "whom?" in capsys.readouterr().err


def test_a_long_document_is_asked_about_in_parts(desk: Desk) -> None:
    paragraphs = "\n\n".join(f"Paragraph {n} has some words in it." for n in range(100))
    (desk.sources / "long.md").write_text(paragraphs)

    desk.build("--chars", "2000", "--only", "long.md")
    prompts = [path.read_text() for path in sorted(desk.hand.glob("candidates/*/prompt.md"))]

    assert len(prompts) > 1
    assert all(len(prompt) < 7500 for prompt in prompts)
    assert sum(prompt.count("has some words") for prompt in prompts) == 100


def test_editions_of_one_document_are_asked_about_together(desk: Desk) -> None:
    (desk.sources / "a-first.md").write_text("Some words of a desk nearby.\n\n" * 30)

    desk.build("--chars", "2500", "--only", "a-first.md", "--only", "returns-v*")
    batches = yaml.safe_load((desk.place / "batches.yaml").read_text())["batches"]

    assert ["returns-v1", "returns-v2", "returns-v3"] in batches.values()
    assert len(batches) == 2


def test_a_reviewer_may_be_another(desk: Desk) -> None:
    desk.go_on(until="sops")
    desk.say("sops", "take-a-return", desk.sop())

    desk.build("--reviewer", f"hand:{desk.root / 'second'}")

    assert (desk.root / "second/review/take-a-return/prompt.md").exists()


FORMS: dict[str, type[Form] | type[Sop]] = {
    "candidates": Candidates, "plans": Plans, "sop": Sop, "review": Review,
    "conflicts": Decisions, "knowledge": Attachments, "names": Names,
}  # fmt: skip


def test_every_prompt_is_tried() -> None:
    assert set(FORMS) == {path.stem for path in PROMPTS.glob("*.md")}


@pytest.mark.parametrize("name", FORMS)
def test_the_example_in_a_prompt_has_the_form_that_is_asked_for(name: str) -> None:
    text = (PROMPTS / f"{name}.md").read_text("utf-8")

    assert read_answer(text, FORMS[name])


def test_a_model_builds_the_same_as_a_hand(built: Desk, desk: Desk, tmp_path: Path) -> None:
    """The scripted model knows each question by its first line."""
    by_hand: dict[str, Any] = {}
    for path in built.hand.glob("*/*/answer.json"):
        title = (path.parent / "prompt.md").read_text("utf-8").partition("\n")[0]
        by_hand[title] = path.read_text()

    def reply(asked: Asked) -> Say:
        text = json.dumps(asked.body)
        (found,) = [told for title, told in by_hand.items() if title in text]
        return Say(f"```json\n{found}\n```")

    with ModelServer(reply) as server:
        words = ["build", "sop", str(desk.sources), "--to", str(desk.place)]
        words += ["--model", "local:m", "--base-url", f"{server.url}/v1"]
        assert answer(words) == 0
        asked = server.count
        assert answer(words) == 0
        assert server.count == asked == 6

    for path in built.place.glob("11-out/**/*.*"):
        there = desk.place / path.relative_to(built.place)
        assert re.sub(r"\s+", "", there.read_text()) == re.sub(r"\s+", "", path.read_text())


def test_a_record_of_what_was_asked_for_that_does_not_read_is_named(
    done: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    (done.place / "ways.json").write_text("{")

    assert answer(["build", "check", str(done.place)]) == 2
    assert "ways.json: does not read" in " ".join(capsys.readouterr().err.split())
    assert done.build() == 0
    assert answer(["build", "check", str(done.place)]) == 0
