"""A task on the tool shed with a talkative agent: two hundred turns of its customer."""

from pathlib import Path

from bythebook.agents.protocol import Answer, Briefing, Call, Move
from bythebook.conduct.company import load_company
from bythebook.conduct.task import ConductTask, load_task
from bythebook.task import Content
from tests.conduct.shed import SHED

PAGES = range(41, 46)
TASK = """
title: Lockers
request: |
  Oda Lund here. Please look after my locker LK-71 today.
sop: [hand-over]
day: 2025-10-14
clock: "09:00"
required_documents: [shed-rules]
dependencies: [limited resources, deadlines and order]
tags: [fixture]
canary: bythebook-canary-00000000000000000000000000000007
"""
CUSTOMER = """
who: Oda Lund, brief
party: PTY-9101
public:
  - {id: size, asks: [[how large, size]], says: "It is one of the larger ones."}
private:
  - id: cousin
    tell_when: the agent asks who collects
    asks: [[cousin, collects, collector]]
    says: "Bo Amsel comes for it."
  - id: lock
    tell_when: the agent asks for the number of the lock
    asks: [[number, code], [lock]]
    says: "The number of the lock is 4471."
"""
FACT = """
  - id: page-{page}
    tell_when: the agent asks for page {page} of the lease
    asks: [[page {page}]]
    says: "Page {page} of the lease says so, here it is."
    does: {{provide_document: P{page}}}
"""
DOCUMENT = (
    "  P{page}: {{table: proxies, row: {{id: PX-{page}, owner: PTY-9101, collector: PTY-9102}}}}\n"
)
REST = """
records: {lockers: [LK-71, LK-72]}
decisions:
  - {on: request_approval, table: handovers, approve_when: "request.fee <= 600",
     otherwise: "Too dear."}
patience: 3
"""


def table_task(folder: Path) -> ConductTask:
    """The task, written into a content folder."""
    place = folder / "tasks" / "conduct" / "s02-lockers"
    place.mkdir(parents=True)
    (place / "task.yaml").write_text(TASK)
    facts = "".join(FACT.format(page=page) for page in PAGES)
    documents = "documents:\n" + "".join(DOCUMENT.format(page=page) for page in PAGES)
    (place / "customer.yaml").write_text(CUSTOMER + facts + documents + REST)
    content = Content([folder, SHED])
    return load_task(content, load_company(content), "s02")


def note(number: int) -> str:
    """A message that asks for nothing."""
    return f"I am still at it; this is note {number}."


class Talker:
    """Says the given lines, and files a request for each fee among them, one a move."""

    name = "talker"

    def __init__(self, lines: list[str | int]) -> None:
        self._left = list(lines)
        self._drafted = ""

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        """A text is said; a number is the fee of a handover that is drafted and filed."""
        if self._drafted:
            draft = _id(seen)
            self._drafted = ""
            return _business("request_approval", {"subject": draft})
        if not self._left:
            return Move((Call("finish", {}, "end"),))
        line = self._left.pop(0)
        if isinstance(line, str):
            return Move((Call("message_customer", {"text": line}, "say"),))
        self._drafted = "soon"
        things = [{"name": "lamp", "count": 1}]
        about = {"locker": "LK-71", "to": "PTY-9102", "fee": line, "items": things}
        return _business("draft_handover", about | {"day": "2025-10-14", "wrapped": False})


def _business(name: str, arguments: dict[str, object]) -> Move:
    return Move((Call("call_tool", {"name": name, "arguments": arguments}, "do"),))


def _id(seen: Briefing | tuple[Answer, ...]) -> str:
    assert not isinstance(seen, Briefing)
    return seen[0].text.partition('"id":"')[2].partition('"')[0]
