"""Many items at once: every line is kept, what is finished is not asked again."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import pytest

from bythebook.deliverables.judge.court import GIVE_UP, Court, Hearing, Tally
from bythebook.deliverables.judge.docket import Asked as AskedFor
from bythebook.deliverables.judge.docket import Mode, Question
from bythebook.deliverables.judge.holistic import judge_all
from bythebook.deliverables.judge.journal import append, read_judgements
from bythebook.deliverables.judge.judgement import Judgement
from bythebook.deliverables.judge.session import LIMITS, Limits
from bythebook.deliverables.judge.submission import Submission
from tests.deliverables.judge.handed_over import (
    CHART,
    INCOME,
    ITEMS,
    PLACE,
    RISKS,
    gives,
    judge_at,
    verdict,
)
from tests.model_server import Asked, Hang, ModelServer, Say, Use, fault

pytestmark = pytest.mark.anyio

QUESTIONS = tuple(map(Question, ITEMS))


@dataclass
class Seen:
    """Looks on."""

    items: int = 0
    lines: list[tuple[str, bool]] = field(default_factory=list)

    def begins(self, items: int) -> None:
        self.items = items

    def judged(self, hearing: Hearing, line: Judgement, *, final: bool) -> None:
        self.lines.append((line.item, final))


async def heard(
    script: Any,
    submission: Submission,
    journal: Path,
    *,
    mode: Mode = "item",
    limits: Limits = LIMITS,
    questions: tuple[Question, ...] = QUESTIONS,
) -> tuple[Tally, Seen, int]:
    seen = Seen()
    with ModelServer(script) as server:
        async with judge_at(server, limits=limits) as judge:
            court = Court(judge, seen, mode)
            tally = await court.hear([Hearing(submission, journal, questions)], concurrency=3)
        return tally, seen, server.count


async def test_every_item_gets_its_line(submission: Submission, tmp_path: Path) -> None:
    journal = tmp_path / "judgements.jsonl"
    tally, seen, _ = await heard(lambda asked: gives(), submission, journal)
    assert {one.item: one.verdict for one in read_judgements(journal)} == {
        "R1": "pass",
        "R2": "pass",
        "R3": "pass",
    }
    assert (seen.items, len(seen.lines), tally.void) == (3, 3, [])


def about(asked: Asked, name: str) -> bool:
    return f"\n{name} (" in str(asked.messages[1]["content"])


async def test_a_void_session_is_followed_by_a_fresh_one(
    submission: Submission, tmp_path: Path
) -> None:
    def speak(asked: Asked) -> Say:
        # The second session on R2 begins with the same request as the first.
        first_session = sum(about(one, "R2") and one.turns == 0 for one in server.asked) < 2
        return Say("Hm.") if about(asked, "R2") and first_session else gives()

    journal = tmp_path / "judgements.jsonl"
    with ModelServer(speak) as server:
        async with judge_at(server) as judge:
            court = Court(judge, Seen())
            await court.hear([Hearing(submission, journal, QUESTIONS)], concurrency=1)
    lines = [one for one in read_judgements(journal) if one.item == "R2"]
    assert [(one.attempt, one.verdict, one.cause) for one in lines] == [
        (1, None, "malformed"),
        (2, "pass", ""),
    ]


async def test_after_the_last_attempt_the_item_is_void(
    submission: Submission, tmp_path: Path
) -> None:
    journal = tmp_path / "judgements.jsonl"
    tally, seen, _ = await heard(lambda asked: Say("Hm."), submission, journal)
    assert len(read_judgements(journal)) == 3 * LIMITS.attempts
    assert sorted(line.item for _, line in tally.void) == ["R1", "R2", "R3"]
    assert sorted(seen.lines) == [
        (name, final) for name in ("R1", "R2", "R3") for final in (False, True)
    ]


async def test_a_provider_that_is_down_is_not_asked_for_every_item(
    submission: Submission, tmp_path: Path
) -> None:
    questions = tuple(Question(INCOME) for _ in range(40))
    tally, _, _ = await heard(
        lambda asked: fault(401), submission, tmp_path / "j.jsonl", questions=questions
    )
    assert tally.given_up
    assert GIVE_UP <= len(tally.heard) < 20
    assert {line.cause for _, line in tally.heard} == {"provider"}


async def test_a_call_broken_off_from_outside_leaves_what_was_finished(
    submission: Submission, tmp_path: Path
) -> None:
    journal = tmp_path / "judgements.jsonl"
    with anyio.move_on_after(1.5) as scope:
        await heard(lambda asked: Hang() if about(asked, "R2") else gives(), submission, journal)
    assert scope.cancelled_caught
    assert sorted(one.item for one in read_judgements(journal)) == ["R1", "R3"]
    asked = AskedFor(judge="model:local:scripted", evidence=submission.results.sha)
    left = asked.remaining(QUESTIONS, read_judgements(journal))
    assert [question.item for question in left] == [RISKS]


async def test_a_session_that_was_cut_off_goes_on_with_its_number(
    submission: Submission, tmp_path: Path
) -> None:
    journal = tmp_path / "judgements.jsonl"
    questions = (Question(INCOME, attempt=2),)
    await heard(lambda asked: Say("Hm."), submission, journal, questions=questions)
    assert [one.attempt for one in read_judgements(journal)] == [2]


# --- all items at once --------------------------------------------------------------------------


def all_at_once(*entries: dict[str, Any]) -> Say:
    return Say(calls=(Use("give_verdicts", {"verdicts": list(entries)}),))


def entry(name: str, mark: str = "pass", **more: Any) -> dict[str, Any]:
    return {"item": name} | verdict(mark, **more)


COMPLETE = all_at_once(entry("R1"), entry("R2", "fail"), entry("R3"))


async def test_one_session_judges_all_items(submission: Submission, tmp_path: Path) -> None:
    journal = tmp_path / "judgements.jsonl"
    _, _, count = await heard([COMPLETE], submission, journal, mode="holistic")
    lines = read_judgements(journal)
    assert count == 1
    assert [(one.item, one.verdict, one.mode) for one in lines] == [
        ("R1", "pass", "holistic"),
        ("R2", "fail", "holistic"),
        ("R3", "pass", "holistic"),
    ]
    assert [one.usage.input for one in lines] == [100, 0, 0]


INVALID: dict[str, Say] = {
    "an item is missing": all_at_once(entry("R1"), entry("R2")),
    "an item stands twice": all_at_once(entry("R1"), entry("R1"), entry("R2"), entry("R3")),
    "an item of nobody's": all_at_once(entry("R1"), entry("R2"), entry("R3"), entry("R9")),
    "one contradicts itself": all_at_once(
        entry("R1"), entry("R2"), entry("R3", because="Therefore: not satisfied.")
    ),
    "it is cut off": Say("{", stop="length"),
    "it is no list": Say(calls=(Use("give_verdicts", {"verdicts": {}}),)),
    "it is a list of words": Say(calls=(Use("give_verdicts", {"verdicts": ["pass"]}),)),
}


@pytest.mark.parametrize("what", INVALID)
async def test_an_answer_that_is_not_wholly_valid_counts_as_a_run(
    submission: Submission, tmp_path: Path, what: str
) -> None:
    journal = tmp_path / "judgements.jsonl"
    script = [INVALID[what], COMPLETE]
    _, _, count = await heard(script, submission, journal, mode="holistic")
    lines = read_judgements(journal)
    assert count == 2
    assert [one.verdict for one in lines[:3]] == [None, None, None]
    assert [(one.verdict, one.attempt) for one in lines[3:]] == [
        ("pass", 2),
        ("fail", 2),
        ("pass", 2),
    ]


async def test_a_place_that_reads_otherwise_makes_only_its_own_item_void(
    submission: Submission,
) -> None:
    invented = entry("R3", evidence=[{"at": "note.docx#para=9", "reads": "x"}])
    text = json.dumps({"verdicts": [entry("R1"), entry("R2"), invented]})
    with ModelServer([Say(text)]) as server:
        async with judge_at(server) as judge:
            lines = await judge_all(judge, submission, ITEMS)
    assert [(one.verdict, one.cause) for one in lines] == [
        ("pass", ""),
        ("pass", ""),
        (None, "places"),
    ]


def test_a_line_of_one_mode_says_nothing_in_the_other(tmp_path: Path) -> None:
    journal = tmp_path / "judgements.jsonl"
    line = Judgement(
        item=CHART.id, item_hash=CHART.hash, evidence="e", judge="j", mode="holistic",
        verdict="pass",
    )  # fmt: skip
    append(journal, [line])
    asked = AskedFor(judge="j", evidence="e")
    assert asked.remaining((Question(CHART),), read_judgements(journal))
    assert PLACE
