"""The scripted voice: deterministic, and the default.

It decides nothing: a filed request is viewed and put to the customer's own tools, which enforce the
approval policy. From words it only finds out which fact is being asked for.
"""

import re
from copy import copy

from bythebook.conduct.consent import Amendment, ApprovalRequest
from bythebook.conduct.customer.hands import CustomerHands, Filed, Said, Turn
from bythebook.conduct.customer.scenario import Fact, Scenario, holds
from bythebook.conduct.search import words

MOST_FACTS_AT_ONCE = 2
ASKING = (
    "please", "kindly", "could you", "can you", "would you", "will you", "tell me", "send me",
    "let me know", "need to know", "i need you", "we need you", "i need your", "we need your",
    "need from you", "do you", "is there", "are there",
)  # fmt: skip
COURTEOUS = (
    "let me know if", "please note", "please be aware", "please find", "anything else you need",
    "anything else i can", "any questions", "any other questions", "any further questions",
    "nothing more is needed", "nothing else is needed",
)  # fmt: skip
"""A sentence with one of these asks for nothing."""
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
CONSENT = ("approve", "approval", "agree", "consent", "authorise", "authorize", "go ahead", "ok to")


class ScriptedVoice:
    """Speaks for one customer in one run; keeps what was told and how often it was lost."""

    name = "scripted"

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._told: set[str] = set()
        self._done: set[str] = set()
        self.misunderstood = 0
        self._in_a_row = 0

    def fork(self) -> "ScriptedVoice":
        """An independent copy of this moment."""
        twin = copy(self)
        twin._told, twin._done = set(self._told), set(self._done)
        return twin

    async def answer(self, turn: Turn, hands: CustomerHands) -> str:
        """What the customer says now; what they do, they do through `hands`."""
        if isinstance(turn, Filed):
            return self._decide(turn.request, hands)
        return self._hear(turn, hands)

    def tell_all(self, hands: CustomerHands) -> None:
        """Tell everything before the first move, papers included (condition full-disclosure)."""
        for fact in self._scenario.facts.values():
            self._do(fact, hands)

    def _decide(self, request: ApprovalRequest | Amendment, hands: CustomerHands) -> str:
        lines = self._scenario.lines
        hands.act("view_request", request=request.id)
        asked = "approve_request" if isinstance(request, ApprovalRequest) else "amend_instruction"
        done, said = hands.act(asked, request=request.id)
        if not done:
            hands.act("decline_request", request=request.id, reason=str(said))
            return str(said)
        if isinstance(request, ApprovalRequest):
            return lines["approved"].format(subject=request.subject)
        return lines["amended"].format(field=request.field, value=request.value)

    def _hear(self, turn: Said, hands: CustomerHands) -> str:
        questions = asked_in(turn.text)
        touched = self._asked(turn.text)
        # A report that touches what was told before asks for nothing.
        again = self._elicited(questions)
        asked = [fact for fact in touched if fact.id not in self._told or fact in again]
        if 0 < len(asked) <= MOST_FACTS_AT_ONCE:
            self._in_a_row = 0
            return " ".join(self._tell(fact, hands) for fact in asked)
        if not questions or (touched and not asked):
            return self._scenario.lines["thanks"]
        if asked:
            return self._lost("one_thing", hands)
        if any(holds(words(turn.text), word) for word in CONSENT):
            return self._scenario.lines["in_writing"]
        return self._lost("unclear", hands)

    def _asked(self, text: str) -> list[Fact]:
        """The facts that a message asks for. When it touches too many, its questions decide: a
        reason may stand before a question, and so may the name that the question goes without."""
        found = self._elicited(text)
        if len(found) <= MOST_FACTS_AT_ONCE:
            return found
        if asked := self._elicited(asked_in(text)):
            return asked
        led_to = self._elicited(asked_in(text, lead=1))
        if 0 < len(led_to) <= MOST_FACTS_AT_ONCE:
            return led_to
        return nearest(found, asked_in(text))

    def _elicited(self, text: str) -> list[Fact]:
        stems = words(text)
        return [fact for fact in self._scenario.facts.values() if fact.elicited(stems)]

    def _tell(self, fact: Fact, hands: CustomerHands) -> str:
        again = fact.id in self._told
        self._told.add(fact.id)
        self._do(fact, hands)
        return self._scenario.lines["again"].format(says=fact.says) if again else fact.says

    def _do(self, fact: Fact, hands: CustomerHands) -> None:
        """Call a fact to mind and, the first time, hand over what belongs to it."""
        hands.act("recall", fact=fact.id)
        if fact.id not in self._done:
            self._done.add(fact.id)
            for tool, document in fact.does.items():
                hands.act(tool, document=document)

    def _lost(self, line: str, hands: CustomerHands) -> str:
        self.misunderstood += 1
        self._in_a_row += 1
        if self._in_a_row >= self._scenario.file.patience:
            hands.act("end_conversation", reason="out_of_patience")
            return self._scenario.lines["leaving"]
        return self._scenario.lines[line]


def asked_in(text: str, lead: int = 0) -> str:
    """The questions of a text, each with the `lead` sentences before it."""
    sentences = SENTENCE.split(text)
    asking = [n for n, sentence in enumerate(sentences) if _asks(sentence)]
    kept = {n - k for n in asking for k in range(lead + 1)}
    return " ".join(sentence for n, sentence in enumerate(sentences) if n in kept)


def nearest(facts: list[Fact], questions: str) -> list[Fact]:
    """Those of which the questions name most: who it is about may have been said before."""
    stems = words(questions)
    touched = {fact.id: fact.touches(stems) for fact in facts}
    return [fact for fact in facts if touched[fact.id] == max(touched.values())]


def is_question(text: str) -> bool:
    """Does any sentence of the text ask for something?"""
    return any(_asks(sentence) for sentence in SENTENCE.split(text))


def _asks(sentence: str) -> bool:
    stems = words(sentence)
    if any(holds(stems, phrase) for phrase in COURTEOUS):
        return False
    return "?" in sentence or any(holds(stems, phrase) for phrase in ASKING)
