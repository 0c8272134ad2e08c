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
    {
        "exec",
        "glob",
        "list_dir",
        "read_document",
        "read_file",
        "search_documents",
        "view_image",
    }
)
"""Tools whose answers may make room: what they said can be had again, from the company or from the
workspace."""

BYTES_A_TOKEN = 4
"""For the local count: English text and JSON have 3.5 to 4.5 bytes a token in today's models."""

IMAGE_TOKENS = 1_600
"""Of a picture, for the local count: Anthropic counts width x height / 750, and scales down what
comes to more than about this."""
MOST_IMAGE_BYTES = 15_000_000
"""Of all pictures of one request: in base64 20 MB, of the 32 MB that Anthropic takes in all."""

_PROMPTS = Path(__file__).parent / "prompts"


def prompt(name: str) -> str:
    """The text of the shipped `prompts/NAME.md`."""
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
        """Append a message, and count its size."""
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

    def put_pictures_away(self, most: int) -> Note | None:
        """Where there are more pictures than a request may hold, the older half become stubs, so
        that a provider's cache is not lost at every turn; more where those left are too many still,
        as after a turn of many calls."""
        places = [
            (turn, place)
            for turn, message in enumerate(self.messages)
            for place, answer in enumerate(message.answers)
            if answer.images
        ]
        if self._fit_one_request(places, most):
            return None
        left = places[max(1, len(places) // 2) :]
        while left and not self._fit_one_request(left, most):
            left = left[1:]
        oldest = places[: len(places) - len(left)]
        for turn, place in oldest:
            self._stub(turn, place)
        self._stubbed.update(oldest)
        return Note("stubbed", {"pictures": len(oldest), "left": len(left)})

    def _fit_one_request(self, places: list[tuple[int, int]], most: int) -> bool:
        """Can one request hold the pictures at these places?"""
        weight = sum(self._weight(*place) for place in places)
        return len(places) <= most and weight <= MOST_IMAGE_BYTES

    def _weight(self, turn: int, place: int) -> int:
        return sum(len(image.data) for image in self.messages[turn].answers[place].images)

    def _stub(self, turn: int, place: int) -> None:
        old = self.messages[turn]
        answers = list(old.answers)
        answers[place] = replace(answers[place], text=prompt("stub"), images=())
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
    """Bytes of a message as JSON: the provider's own words where it goes back as it came. A picture
    counts as the text of as many tokens."""
    if message.wire is not None:
        return len(msgspec.json.encode(message.wire.body))
    pictures = sum(len(answer.images) for answer in message.answers)
    words = replace(message, answers=tuple(replace(a, images=()) for a in message.answers))
    return len(msgspec.json.encode(words)) + pictures * IMAGE_TOKENS * BYTES_A_TOKEN
