"""Model calls of a harness read as moves: what the model said, wanted done, and was answered.

The gateway sees a call of a tool in one reply, and its answer in the request after that.
"""

from collections.abc import Iterator

from msgspec import Struct

from bythebook.agents.notes import notes_of
from bythebook.agents.protocol import Answer, Call, Move, Note
from bythebook.gateway.exchange import Exchange
from bythebook.models.types import Message

UNSEEN = Answer("", "(its answer was never sent to the model)", ok=False)


class Step(Struct, frozen=True):
    """One model call."""

    answered: tuple[tuple[Call, Answer], ...]
    """Calls of earlier replies, and the answers that the model was sent with this request."""
    move: Move


class Steps:
    """Those of one attempt, in order."""

    def __init__(self) -> None:
        self._open: list[Call] = []

    def heard(self, exchange: Exchange) -> Step:
        """What one exchange tells. Without a reply the move holds a note alone."""
        answered = tuple(self._answers(last_answers(exchange.request.messages)))
        reply = exchange.reply
        if reply is None:
            return Step(answered, Move(notes=(no_reply(exchange),)))
        self._open += reply.message.calls
        text = reply.message.text.strip()
        return Step(answered, Move(reply.message.calls, text, tuple(notes_of(reply))))

    def rest(self) -> tuple[tuple[Call, Answer], ...]:
        """Calls whose answers the model was never sent: it ended with them, or was ended."""
        waiting, self._open = self._open, []
        return tuple((call, UNSEEN) for call in waiting)

    def _answers(self, answers: list[Answer]) -> Iterator[tuple[Call, Answer]]:
        """The open calls that were answered now; by place, where a harness has ids of its own."""
        known = {call.id for call in self._open}
        if len(answers) == len(self._open) and not any(one.id in known for one in answers):
            yield from zip(self._open, answers, strict=True)
            self._open = []
            return
        for answer in answers:
            call = next((one for one in self._open if one.id == answer.id), None)
            if call is not None:
                self._open.remove(call)
                yield call, answer


def no_reply(exchange: Exchange) -> Note:
    return Note("no_reply", {"status": exchange.status, "says": exchange.error})


def last_answers(messages: tuple[Message, ...]) -> list[Answer]:
    """Those that were given since the model's last turn."""
    found: list[Answer] = []
    for message in reversed(messages):
        if message.role == "assistant":
            break
        found[:0] = message.answers
    return found
