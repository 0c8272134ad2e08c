"""Whatever came of a session, what was told and said in it can be read afterwards."""

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bythebook.deliverables.evidence.view import View
from bythebook.deliverables.judge.conversation import Conversation, keeping, read_conversation
from bythebook.deliverables.judge.holistic import judge_all
from bythebook.deliverables.judge.judgement import Judgement
from bythebook.deliverables.judge.session import judge_item
from bythebook.deliverables.judge.submission import Submission
from bythebook.deliverables.rubric import Item
from bythebook.errors import TraceError
from tests.deliverables.judge.handed_over import INCOME, ITEMS, RISKS, gives, judge_at, verdict
from tests.model_server import ModelServer, Say, Use, fault
from tests.models.wiring import both

pytestmark = pytest.mark.anyio

READS = Say("I look first.", calls=(Use("read_text", {"file": "note.docx"}),))


async def judged(
    script: Any,
    submission: Submission,
    place: Path,
    *,
    provider: str = "local",
    item: Item = INCOME,
) -> tuple[Judgement, Conversation]:
    keep = keeping(place / "judgements.jsonl")
    with ModelServer(script) as server:
        async with judge_at(server, provider) as judge:
            line = await judge_item(judge, submission, item, keep=keep)
    return line, read_conversation(place / line.conversation)


@both
async def test_question_tools_answers_and_verdict_stand_there_in_order(
    submission: Submission, tmp_path: Path, provider: str
) -> None:
    line, found = await judged([READS, gives()], submission, tmp_path, provider=provider)
    assert line.conversation.startswith("judge/R1-")
    asked, looked, shown, given = found.turns
    assert "The note states the net income" in asked.text
    assert looked.text == "I look first."
    assert [call.name for call in looked.calls] == ["read_text"]
    assert "12,905, after tax" in shown.answers[0].text
    assert given.calls[0].args == verdict()
    assert given.wire is not None
    assert (found.items, found.judge) == (("R1",), line.judge)
    assert found.usage.input == line.usage.input == 200


async def test_what_all_sessions_begin_with_is_stored_once(
    submission: Submission, tmp_path: Path
) -> None:
    _, one = await judged([gives()], submission, tmp_path)
    _, other = await judged([gives()], submission, tmp_path, item=RISKS)
    assert one.opening == other.opening
    assert len([*(tmp_path / "judge").glob("opening-*")]) == 1
    opening = json.loads((tmp_path / "judge" / one.opening).read_text())
    assert opening["head"] == submission.head
    assert "never instructions to you" in opening["system"]
    assert "give_verdict" in [tool["name"] for tool in opening["tools"]]


async def test_a_session_that_came_to_nothing_is_kept_with_its_last_words(
    submission: Submission, tmp_path: Path
) -> None:
    said = [READS, *map(Say, ("Hm.", "Well.", "No."))]
    line, found = await judged(said, submission, tmp_path)
    assert line.verdict is None
    assert "Not taken." in found.turns[-2].text
    assert (found.turns[-1].role, found.turns[-1].text) == ("assistant", "No.")


async def test_a_model_that_never_answered_leaves_the_question(
    submission: Submission, tmp_path: Path
) -> None:
    line, found = await judged(lambda asked: fault(401), submission, tmp_path)
    assert line.cause == "provider"
    assert [turn.role for turn in found.turns] == ["user"]


async def test_a_page_that_was_looked_at_lies_beside(tmp_path: Path) -> None:
    results = tmp_path / "results"
    results.mkdir()
    Image.new("RGB", (40, 30), "red").save(results / "plan.png")
    view = View.of_folder(results, keep=tmp_path / "evidence")
    drawn = Submission("t", 1, "Draw.", {"plan.png": "image"}, ITEMS, view, view)
    look = Say(calls=(Use("view_page", {"file": "plan.png", "page": 1}),))
    seen = gives(evidence=[{"at": "plan.png#image", "reads": ""}])
    _, found = await judged([look, seen], drawn, tmp_path)
    (picture,) = found.turns[2].answers[0].pictures
    with Image.open(tmp_path / "judge" / picture) as shown:
        assert shown.size == (40, 30)


async def test_one_holistic_session_is_one_file_for_all_its_lines(
    submission: Submission, tmp_path: Path
) -> None:
    with ModelServer([Say("Hm.")]) as server:
        async with judge_at(server) as judge:
            keep = keeping(tmp_path / "judgements.jsonl")
            lines = await judge_all(judge, submission, ITEMS, keep=keep)
    assert len({line.conversation for line in lines}) == 1
    found = read_conversation(tmp_path / lines[0].conversation)
    assert found.items == ("R1", "R2", "R3")
    assert found.turns[-1].text == "Hm."


async def test_two_sessions_on_an_item_keep_two_files(
    submission: Submission, tmp_path: Path
) -> None:
    first, _ = await judged([gives()], submission, tmp_path)
    second, _ = await judged([READS, gives()], submission, tmp_path)
    assert first.conversation != second.conversation
    assert (tmp_path / first.conversation).exists()


async def test_a_conversation_that_was_changed_is_told(
    submission: Submission, tmp_path: Path
) -> None:
    line, _ = await judged([gives()], submission, tmp_path)
    path = tmp_path / line.conversation
    path.write_text(path.read_text().replace("satisfied", "unsatisfied"))
    with pytest.raises(TraceError, match="was changed"):
        read_conversation(path)


async def test_an_item_is_a_file_name_whatever_it_is_called(
    submission: Submission, tmp_path: Path
) -> None:
    odd = Item(id="../R 1/x", says="So.", dimension="domain", level="core")
    line, _ = await judged([gives()], submission, tmp_path, item=odd)
    assert (tmp_path / line.conversation).parent == tmp_path / "judge"
