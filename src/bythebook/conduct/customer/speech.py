"""Checks on what the customer is about to say. All of them are exact; `docs/customer.md` says what
they cannot see."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bythebook.conduct.consent import Amendment, ApprovalRequest
from bythebook.conduct.counter import BASE
from bythebook.conduct.customer.hands import CustomerHands, Filed, Turn
from bythebook.conduct.customer.history import History
from bythebook.conduct.customer.marks import Marks
from bythebook.conduct.customer.scenario import Fact, Scenario
from bythebook.conduct.customer.tools import CUSTOMER
from bythebook.conduct.customer.violation import Violation
from bythebook.conduct.world import World

_AGENT = (
    r"^\W*(?:agent|assistant|support|representative|alder(?: payments)?(?:'s agent)?)\W*:",
    r"\bhow (?:can|may) i (?:help|assist)\b",
    r"\b(?:glad|happy|pleased) to (?:help|assist) you\b",
    r"\banything else (?:that )?i can (?:do|help|assist)\b",
    r"\bthank you for (?:contacting|reaching out|choosing)\b",
    r"\b(?:i am|i'm|this is|as) (?:an? )?(?:ai|language model|virtual assistant)\b",
    r"\b(?:i am|i'm|this is) (?:(?:your|the|an?) agent|alder's agent)\b",
    r"\b(?:on behalf of|here at|we at) alder\b",
    r"\bi(?:'ve| have|'ll| will) (?:now )?(?:processed?|executed?|book(?:ed)?|submit(?:ted)?"
    r"|file[d]?|reconciled?|close[d]?|release[d]?) (?:\w+ ){0,3}(?:for you|on your behalf)\b",
    r"\b(?:do|may) i have your (?:approval|consent)\b",
    r"\bi(?:'ll)? need your (?:approval|consent)\b",
)
AS_AGENT = re.compile("|".join(_AGENT), re.IGNORECASE | re.MULTILINE)
"""Words that only Alder's side writes."""

_GREETING = r"(?:hello|hi|hey|dear|thanks|thank you|sorry|good (?:morning|afternoon|evening|day))"
_NAME = re.compile(r"[A-Z]\w+(?: [A-Z]\w+)*")


def _calls(names: Iterator[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(name for name in names if '_' in name)})\b")


AGENT_CALL = _calls(iter(BASE))
OWN_CALL = _calls(iter(CUSTOMER))


@dataclass(frozen=True)
class Footing:
    """What the customer stands on when it is their turn."""

    scenario: Scenario
    history: History
    hands: CustomerHands
    turn: Turn


def wrong_words(text: str, on: Footing) -> tuple[Violation, ...]:
    """What is wrong with saying this now."""
    said = Marks.of(text)
    return (
        *_written_calls(text),
        *_as_agent(text, on.scenario.file.who),
        *_invented(said, on.history),
        *_volunteered(said, on.history),
        *_undecided(on),
        *_undone(said, on),
    )


def _written_calls(text: str) -> Iterator[Violation]:
    if found := OWN_CALL.search(text):
        yield Violation("speech_and_tool", f"{found.group()!r} was written as words.")


def _as_agent(text: str, who: str) -> Iterator[Violation]:
    found = AS_AGENT.search(straight(text)) or AGENT_CALL.search(text) or _greets_oneself(text, who)
    if found:
        yield Violation("speaks_as_agent", f"{found.group().strip()!r} is for Alder to write.")


def _greets_oneself(text: str, who: str) -> re.Match[str] | None:
    """ "Hello Noor, ..." from Noor, with more to come; "Noor here" and a signature are fine."""
    name = _NAME.match(who)
    if name is None:
        return None
    names = "|".join(map(re.escape, (name.group(), *name.group().split())))
    title = r"(?:(?:mr|ms|mrs|miss)\.? )?"
    greeting = rf"\W*{_GREETING},? {title}(?:{names})\s*[,.!:\n]\s*(?=\w+\W+\w+)"
    return re.match(greeting, text, re.IGNORECASE)


def _invented(said: Marks, history: History) -> Iterator[Violation]:
    numbers = said.numbers - history.known.figures - {"100"}
    if found := sorted(numbers | (said.ids - history.known.ids)):
        yield Violation("invents_fact", f"{', '.join(found)} was never given to you.")


def _volunteered(said: Marks, history: History) -> Iterator[Violation]:
    if found := history.gives_away(said):
        yield Violation("volunteers", f"That tells of {', '.join(found)}.")


def _undecided(on: Footing) -> Iterator[Violation]:
    if isinstance(on.turn, Filed):
        request = find_request(on.hands.world, on.turn.request.id)
        if request is not None and request.status == "open":
            yield Violation("undecided", f"{request.id} is still open.")


def _undone(said: Marks, on: Footing) -> Iterator[Violation]:
    for fact in on.history.tells(said):
        if papers := missing_papers(fact, on):
            yield Violation("says_undone", f"{', '.join(papers)} has not been handed over.")
            return


def missing_papers(fact: Fact, on: Footing) -> list[str]:
    """Documents that go with a fact and are not yet with Alder."""
    tables = on.hands.world.tables
    rows = {document: on.scenario.bring(document) for document in fact.does.values()}
    return [
        document for document, row in rows.items() if row.id not in tables.get(type(row).table, {})
    ]


def straight(text: str) -> str:
    """The text with its apostrophes as typewriters write them."""
    return text.replace("\u2019", "'")


def find_request(world: World, key: str) -> ApprovalRequest | Amendment | None:
    return world[ApprovalRequest].get(key) or world[Amendment].get(key)
