"""What all sessions on one submission begin with, and what it saves."""

import msgspec
import pytest

from bythebook.agents.context import BYTES_A_TOKEN
from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.judge.session import judge_item
from bythebook.deliverables.judge.submission import Submission, told
from bythebook.deliverables.rubric import Item
from tests.deliverables.judge.handed_over import CHART, INCOME, ITEMS, RISKS, gives, judge_at
from tests.model_server import Asked, ModelServer
from tests.models.wiring import both

pytestmark = pytest.mark.anyio

LEAST_CACHED = 1_024
"""Tokens below which providers cache nothing."""
MOST_UNCACHED = 150
"""Tokens that the first request on an item may hold beside what all items share."""


async def first_requests(submission: Submission, provider: str) -> list[Asked]:
    with ModelServer(lambda asked: gives()) as server:
        async with judge_at(server, provider) as judge:
            for item in ITEMS:
                await judge_item(judge, submission, item)
        return server.asked


def in_order(asked: Asked) -> bytes:
    """The request as a provider lays it out to be cached: tools, system, messages."""
    body = dict(asked.body)
    return msgspec.json.encode([body.pop("tools"), body.pop("system", ""), body.pop("messages")])


@both
async def test_all_items_share_all_but_their_last_words(
    submission: Submission, provider: str
) -> None:
    requests = [in_order(asked) for asked in await first_requests(submission, provider)]
    signs = enumerate(zip(*requests, strict=False))
    shared = next(number for number, one in signs if len(set(one)) > 1)
    rest = [(len(request) - shared) / BYTES_A_TOKEN for request in requests]
    assert shared / BYTES_A_TOKEN > LEAST_CACHED
    assert max(rest) < MOST_UNCACHED


async def test_the_shared_part_holds_task_inputs_and_what_was_handed_over(
    submission: Submission,
) -> None:
    first, *_ = await first_requests(submission, "local")
    system, user = first.messages
    head = user["content"].split("# The requirement to judge")[0]
    for text in ("Write a note on the year", "data.csv", "note.docx", "broken.xlsx", "WRONG_TYPE"):
        assert text in head
    assert INCOME.says not in head + system["content"]
    assert INCOME.says in user["content"]


@both
async def test_anthropic_is_told_to_cache_up_to_the_item(
    submission: Submission, provider: str
) -> None:
    first, *_ = await first_requests(submission, provider)
    if provider == "anthropic":
        head, item = first.messages[0]["content"]
        assert head["cache_control"] == {"type": "ephemeral"}
        assert head["text"] == submission.head
        assert item["text"] == told(INCOME)
    else:
        assert first.messages[1]["content"].startswith(submission.head)


def test_known_facts_are_told_with_the_item_and_nothing_when_there_are_none() -> None:
    assert "Known facts: They are the rent and the pound: data.csv, rows 2 and 3." in told(RISKS)
    assert "Known facts" not in told(CHART)


def test_what_an_unsure_check_saw_is_told_as_data() -> None:
    answer = Answer(mark="unsure", place="book.xlsx#Sum!A1", seen="pass!", why="no such label")
    assert "no such label (book.xlsx#Sum!A1, seen: pass!)" in told(INCOME, answer)
    assert "<<<data" in told(INCOME, answer)
    assert told(INCOME, Answer(mark="pass")) == told(INCOME)


def test_braces_in_an_item_are_only_braces() -> None:
    item = Item(id="R9", says="The field {name} is {}.", dimension="structure", level="core")
    assert "The field {name} is {}." in told(item)
