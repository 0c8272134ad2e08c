"""What a judge reads anew for each item: all that stands behind what every item's session shares.

Providers bill that at full price; the shared part they cache. The judge is scripted: it reads one
document and fails the item. Bytes of the request as a provider lays it out, by four.
"""

import asyncio
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec

from bythebook.agents.context import BYTES_A_TOKEN
from bythebook.deliverables.evidence.office import find_engine
from bythebook.deliverables.evidence.view import View
from bythebook.deliverables.judge.session import ModelJudge, judge_item
from bythebook.deliverables.judge.submission import Submission
from bythebook.deliverables.task import DeliverableTask
from bythebook.models.dialects import DIALECTS
from bythebook.models.types import Call, Message, Reply, Request, Settings


class Reader:
    """A model that reads a document and then fails the item for lack of it."""

    name, id = "bench:reader", "reader"

    def __init__(self, document: str) -> None:
        self.document = document
        self.asked: list[bytes] = []

    async def ask(self, request: Request) -> Reply:
        body = DIALECTS["chat"].encode_request(request)
        laid = [body["tools"], *body["messages"]]
        self.asked.append(msgspec.json.encode(laid))
        looked = len(request.messages) > 1
        call = self._verdict() if looked else Call("read_text", {"file": self.document}, "c1")
        return Reply(Message("assistant", calls=(call,)), "calls")

    def _verdict(self) -> Call:
        told = {
            "because": "It is not there. Therefore: not satisfied.",
            "evidence": [{"at": self.document}],
            "searched": ["all of it"],
            "verdict": "fail",
        }
        return Call("give_verdict", told, "c2")

    def sent(self, settings: Settings) -> dict[str, Any]:
        return {}

    async def close(self) -> None:
        pass


def uncached(task: DeliverableTask, keep: Path) -> tuple[list[float], list[float]]:
    """Tokens behind the shared part, item by item: of the first request, and of the last."""
    document = next(name for name, kind in task.wants.items() if kind == "docx")
    submission = Submission(
        task=task.id,
        run=1,
        prompt=task.prompt,
        wants=task.wants,
        items=task.rubric.items,
        results=View.of_folder(task.reference, keep=keep / "results", engine=find_engine()),
        inputs=View.of_folder(task.inputs, keep=keep / "inputs"),
    )
    sessions = [*_sessions(submission, document)]
    shared = _shared([session[0] for session in sessions])
    first = [(len(session[0]) - shared) / BYTES_A_TOKEN for session in sessions]
    return first, [(len(session[-1]) - shared) / BYTES_A_TOKEN for session in sessions]


def _sessions(submission: Submission, document: str) -> Iterator[list[bytes]]:
    """The requests of each session on an item that no check decides."""
    for item in submission.items:
        if item.decided_by != "check":
            model = Reader(document)
            line = asyncio.run(judge_item(ModelJudge(model), submission, item))
            assert line.verdict == "fail", line
            yield model.asked


def _shared(requests: list[bytes]) -> int:
    """Bytes that all begin with."""
    signs = zip(*requests, strict=False)
    return sum(1 for _ in takewhile(lambda ones: len(set(ones)) == 1, signs))
