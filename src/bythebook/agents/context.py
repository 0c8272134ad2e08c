"""What a model is shown: its conversation, and how room is made in it when it is full.

Room is made as in the paper: the oldest quarter (rounded up) of the answers of searches and
readings that still stand becomes stubs, 12 -> 9. Nothing else is ever taken out, and the trace
keeps everything.
"""

from collections.abc import Iterable
from math import ceil
from pathlib import Path

import msgspec
from msgspec.structs import replace

from bythebook.agents.protocol import ContextExhausted, Note, ToolSpec
from bythebook.models.types import Message

DROPPABLE = frozenset(
    {"search_documents", "read_document", "read_file", "list_dir", "glob", "exec"}
)
"""Tools whose answers may make room: what they said can be had again, from the company or from the
workspace."""

BYTES_A_TOKEN = 4
"""For the local count: English text and JSON have 3.5 to 4.5 bytes a token in today's models."""

_PROMPTS = Path(__file__).parent / "prompts"


def prompt(name: str) -> str:
    return (_PROMPTS / f"{name}.md").read_text("utf-8").strip()


class Context:
    """One model's conversation."""

    def __init__(self, system: str = "", tools: tuple[ToolSpec, ...] = ()) -> None:
        self.system, self.tools = system, tools
        self.messages: list[Message] = []
        self._stubbed: set[tuple[int, int]] = set()
        self._bytes = len(system.encode()) + len(msgspec.json.encode(tools))

    @property
    def tokens(self) -> int:
        """Roughly how many tokens a request holds, its reply aside: its bytes over four."""
        return ceil(self._bytes / BYTES_A_TOKEN)

    def add(self, message: Message) -> None:
        self.messages.append(message)
        self._bytes += _size(message)

    def make_room(self, why: str) -> Note:
        """Stub the oldest quarter of what may be dropped. Raises `ContextExhausted`."""
        places = [place for place in self._droppable() if place not in self._stubbed]
        if not places:
            raise ContextExhausted(why)
        oldest = places[: ceil(len(places) / 4)]
        for turn, place in oldest:
            self._stub(turn, place)
        self._stubbed.update(oldest)
        return Note("stubbed", {"answers": len(oldest), "left": len(places) - len(oldest)})

    def _stub(self, turn: int, place: int) -> None:
        old = self.messages[turn]
        answers = list(old.answers)
        answers[place] = replace(answers[place], text=prompt("stub"))
        self.messages[turn] = new = replace(old, answers=tuple(answers))
        self._bytes += _size(new) - _size(old)

    def _droppable(self) -> Iterable[tuple[int, int]]:
        """Turn and place of each answer that may make room, oldest first."""
        return (
            (turn, place)
            for turn in range(1, len(self.messages))
            for place, answer in enumerate(self.messages[turn].answers)
            for call in self.messages[turn - 1].calls
            if call.id == answer.id and call.name in DROPPABLE
        )


def _size(message: Message) -> int:
    """Bytes of a message as JSON: the provider's own words where it goes back as it came."""
    return len(msgspec.json.encode(message.wire.body if message.wire is not None else message))
