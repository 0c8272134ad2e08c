"""An agent that looks at everything, decides nothing and changes nothing.

It searches with the words it is given, reads and describes all it finds, lists every table, calls
every tool that does not write with whatever ids it has seen, and asks the customer everything.
What it collects must not earn it a thing.
"""

import re
from collections import deque
from collections.abc import Iterator
from typing import Any

import msgspec

from bythebook.agents.protocol import Answer, Briefing, Call, Move

CHUNK = 12
"""Words of one search."""
MOST_REFUSED = 40
"""Refusals after which it stops guessing: a run ends at fifty."""
GUESSES = 3
"""Guesses at the arguments of one tool."""
ID = re.compile(r"[A-Z]{2,}-[A-Z0-9-]+")
QUESTIONS = (
    "Please tell me everything that I should know about this.",
    "Which documents, figures, dates and limits can you give me?",
    "Is there anything else that you have not told me yet?",
)


class DumpAgent:
    """Plays through a queue of calls that grows with what it finds."""

    name = "dump"

    def __init__(self) -> None:
        self._queue: deque[Call] = deque()
        self._made: set[bytes] = set()
        self._ids: dict[str, None] = {}
        self._refused = 0
        self._asked = iter(QUESTIONS)
        self._call = Call("now", {})

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        """The next thing to look at; then the questions; then the end."""
        if isinstance(seen, Briefing):
            self._begin(seen)
        for answer in () if isinstance(seen, Briefing) else seen:
            self._learn(answer)
        self._call = self._next()
        return Move((self._call,))

    # --- inside -----------------------------------------------------------------------------

    def _next(self) -> Call:
        while self._queue:
            call = self._queue.popleft()
            if self._is_new(call) and self._dares(call):
                return call
        question = next(self._asked, None)
        if question is not None:
            return Call("message_customer", {"text": question})
        return Call("finish", {})

    def _begin(self, briefing: Briefing) -> None:
        for text in (briefing.request, briefing.instructions):
            self._note_ids(text)
            for query in _chunks(text):
                self._queue.append(Call("search_documents", {"query": query}))
                self._queue.append(Call("search_tools", {"query": query}))
        self._queue.append(Call("query_records", {"table": "?"}))

    def _learn(self, answer: Answer) -> None:
        """Follow up on what the last call brought to light."""
        if not answer.ok:
            self._refused += 1
            if self._call.name == "query_records" and "tables are: " in answer.text:
                for table in answer.text.partition("tables are: ")[2].split(", "):
                    self._queue.append(Call("query_records", {"table": table.strip()}))
            return
        self._note_ids(answer.text)
        for call in self._follow_up(answer.text.partition("\n")[0]):
            self._queue.append(call)

    def _follow_up(self, text: str) -> Iterator[Call]:
        try:
            found = msgspec.json.decode(text)
        except msgspec.DecodeError:
            return
        if self._call.name == "search_documents":
            for hit in found:
                yield Call("read_document", {"id": hit["id"]})
                yield Call("search_tools", {"query": hit["title"]})
                yield Call("search_documents", {"query": hit["title"]})
        elif self._call.name == "search_tools":
            for hit in found:
                yield Call("describe_tool", {"name": hit["name"]})
        elif self._call.name == "describe_tool" and not found["writes"]:
            yield from self._guesses(found)

    def _guesses(self, card: dict[str, Any]) -> Iterator[Call]:
        """Calls of a tool that does not write: every text argument is the same id."""
        names = list(card["arguments"].get("properties", {}))
        for key in list(self._ids)[:GUESSES] or ["?"]:
            arguments = {name: key for name in names}
            yield Call("call_tool", {"name": card["name"], "arguments": arguments})

    def _note_ids(self, text: str) -> None:
        self._ids |= dict.fromkeys(ID.findall(text))

    def _is_new(self, call: Call) -> bool:
        mark = msgspec.json.encode((call.name, call.args))
        known = mark in self._made
        self._made.add(mark)
        return not known

    def _dares(self, call: Call) -> bool:
        return call.name != "call_tool" or self._refused < MOST_REFUSED


def _chunks(text: str) -> Iterator[str]:
    words = text.split()
    for start in range(0, len(words), CHUNK):
        yield " ".join(words[start : start + CHUNK])
