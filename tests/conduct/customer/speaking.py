"""Customers that a scripted model server plays, worked out of each request's conversation alone."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bythebook.conduct.customer.scenario import Scenario
from bythebook.conduct.search import words
from tests.model_server import Asked, Say, Spoken, Use

FILED = re.compile(r"filed the request (\S+) for you")
JSON = dict[str, Any]


@dataclass(frozen=True)
class Done:
    """One call of this turn and what it was answered."""

    name: str
    args: JSON
    text: str

    @property
    def ok(self) -> bool:
        return not self.text.startswith("Not done")


@dataclass(frozen=True)
class Heard:
    """A turn as the model sees it: what it is asked, and what it did since."""

    text: str
    done: tuple[Done, ...]
    before: tuple[Done, ...]
    """Calls of earlier turns."""
    rebuked: bool

    @property
    def request(self) -> str:
        """The filed request, if that is what the turn is about."""
        found = FILED.search(self.text)
        return found[1] if found else ""

    def did(self, name: str) -> Done | None:
        return next((call for call in self.done if call.name == name and call.ok), None)


def heard(asked: Asked) -> Heard:
    """Read the conversation of a request, in either dialect."""
    text, rebuked = "", False
    turns: list[list[Done]] = [[]]
    calls: dict[str, tuple[str, JSON]] = {}
    for message in asked.messages:
        if message["role"] == "assistant":
            calls |= _calls(message)
            continue
        for id, said in _answers(message):
            turns[-1].append(Done(*calls[id], said))
        words = _words(message)
        if message["role"] == "user" and words:
            if "(Not sent." in words:
                rebuked = True
            else:
                text, rebuked = words, False
                turns.append([])
    *before, now = turns
    earlier = tuple(call for turn in before for call in turn)
    return Heard(text, tuple(now), earlier, rebuked or any(not call.ok for call in now))


def _calls(message: JSON) -> dict[str, tuple[str, JSON]]:
    if isinstance(message["content"], list):
        uses = [block for block in message["content"] if block["type"] == "tool_use"]
        return {use["id"]: (use["name"], use["input"]) for use in uses}
    return {
        call["id"]: (call["function"]["name"], json.loads(call["function"]["arguments"]))
        for call in message.get("tool_calls") or ()
    }


def _answers(message: JSON) -> list[tuple[str, str]]:
    if message["role"] == "tool":
        return [(message["tool_call_id"], message["content"])]
    if isinstance(message["content"], str):
        return []
    results = [block for block in message["content"] if block["type"] == "tool_result"]
    return [(result["tool_use_id"], result.get("content", "")) for result in results]


def _words(message: JSON) -> str:
    if message["role"] != "user":
        return ""
    if isinstance(message["content"], str):
        return message["content"]
    return "\n\n".join(b["text"] for b in message["content"] if b["type"] == "text")


class Good:
    """Keeps the protocol: views and does as instructed, tells what is asked and no more."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario

    def __call__(self, asked: Asked) -> Spoken:
        return self.say(heard(asked))

    def say(self, turn: Heard) -> Say:
        return self._decides(turn) if turn.request else self._answers(turn)

    def _decides(self, turn: Heard) -> Say:
        request = turn.request
        view = turn.did("view_request")
        if view is None:
            return use("view_request", request=request)
        terms, _, advice = view.text.rpartition("\nYour instructions: ")
        decided = next((d for d in turn.done if d.ok and d.name != "view_request"), None)
        if decided is not None:
            return Say("That is fine by me." if "approve" in advice else advice[-60:])
        if advice.startswith("decline"):
            return use("decline_request", request=request, reason=advice)
        return use(consenting(terms), request=request)

    def _answers(self, turn: Heard) -> Say:
        stems = words(turn.text)
        facts = [fact for fact in self.scenario.facts.values() if fact.elicited(stems)]
        if not facts:
            return Say("All right, thank you.")
        if turn.did("recall"):
            return Say(" ".join(fact.says for fact in facts))
        given = {call.args.get("document") for call in (*turn.before, *turn.done) if call.ok}
        papers = [d for fact in facts for d in fact.does.values() if d not in given]
        recalls = tuple(Use("recall", {"fact": fact.id}) for fact in facts)
        return Say(calls=(*recalls, *(Use("provide_document", {"document": d}) for d in papers)))


def consenting(terms: str) -> str:
    """The tool for what `view_request` showed."""
    return "amend_instruction" if '"field"' in terms else "approve_request"


def use(name: str, **args: Any) -> Say:
    return Say(calls=(Use(name, args),))


Bad = Callable[[Heard], Say | None]
"""What a bad customer says to a turn; None where it waits for a better moment."""


class Planted:
    """Good, but for the first draft of some turns, named by their text or their request."""

    def __init__(self, good: Good, planted: Mapping[str, Bad], *, stubborn: bool = False) -> None:
        """`stubborn`: bad again whenever it is asked again."""
        self._good, self._planted, self._stubborn = good, planted, stubborn

    def __call__(self, asked: Asked) -> Spoken:
        turn = heard(asked)
        bad = self._planted.get(turn.request or turn.text)
        if bad is not None and (self._stubborn or not turn.rebuked):
            said = bad(turn)
            if said is not None:
                return said
        return self._good.say(turn)


def _viewed(then: Callable[[Heard], Say]) -> Bad:
    """Bad only after the request was viewed."""
    return lambda turn: then(turn) if turn.did("view_request") else None


def _decided_before(turn: Heard) -> str:
    decided = (call for call in turn.before if call.ok and call.name == "approve_request")
    return str(next(decided).args["request"])


TOLD_TO_NOBODY = "Bo Amsel comes for it, and the number of the lock is 4471."

BAD: Mapping[str, Bad] = {
    "speaks_as_agent": lambda _: Say("Hello! How can I help you today?"),
    "volunteers": lambda _: Say(f"One more thing: {TOLD_TO_NOBODY}"),
    "speech_and_tool": lambda _: Say("Let me see.", (Use("my_records"),)),
    "empty": lambda _: Say(""),
    "ends_early": lambda _: use("end_conversation", reason="done"),
    "acts_twice": lambda turn: use("approve_request", request=_decided_before(turn)),
    "invents_fact": lambda _: Say("You will find it in locker LK-99, behind 77 boxes."),
    "says_undone": lambda turn: Say(
        f"Page {turn.text.split()[-1].rstrip('?')} of the lease says so, here it is."
    ),
    "approves_unseen": lambda turn: use("approve_request", request=turn.request),
    "forbidden": _viewed(lambda turn: use("approve_request", request=turn.request)),
    "turns_down": _viewed(
        lambda turn: use("decline_request", request=turn.request, reason="I do not like it.")
    ),
    "undecided": lambda _: Say("Yes, go ahead."),
}
"""One way to break the protocol in each kind, with the task of `table.py`."""
