"""Documents that were read in a run, dated as they were shown."""

import re
from collections.abc import Iterable

import msgspec

from bythebook.tool import Day
from bythebook.trace import StoredEvent

HEAD = re.compile(
    r"# (?P<title>[^\n]*)\n(?P<id>\S+) · (?P<kind>[^\n·]+) · (?P<status>[^\n·]+) · "
    r"effective (?P<since>\d{4}-\d{2}-\d{2}) to (?P<to>\d{4}-\d{2}-\d{2}|further notice)"
)
"""The first two lines of a document as an agent reads it (`documents.Document.text`)."""


class Paper(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One document."""

    id: str
    family: str = ""
    title: str = ""
    kind: str = ""
    status: str = ""
    since: Day = ""
    to: Day = ""
    """First day on which it no longer holds; empty: until further notice."""
    holds: bool | None = None
    """On the story's first day. None: it does not say."""
    required: bool = False
    read: tuple[int, ...]
    """Events."""


class Shelf(msgspec.Struct, frozen=True):
    """What is known of documents besides what a run shows."""

    required: frozenset[str] = frozenset()
    families: dict[str, str] = {}
    """By id."""


def papers(events: Iterable[StoredEvent], day: Day, shelf: Shelf) -> tuple[Paper, ...]:
    """In the order in which they were first read."""
    found: dict[str, Paper] = {}
    for event in events:
        if event.kind != "call" or event.name != "read_document" or not event.ok:
            continue
        key = str(_open(event.args, "id"))
        known = found.get(key)
        if known is not None:
            found[key] = msgspec.structs.replace(known, read=(*known.read, event.i))
            continue
        found[key] = _paper(key, event, day, shelf)
    return tuple(found.values())


def _open(args: msgspec.Raw, name: str) -> object:
    sent = msgspec.json.decode(args)
    return sent.get(name) if isinstance(sent, dict) else None


def _paper(key: str, event: StoredEvent, day: Day, shelf: Shelf) -> Paper:
    text = msgspec.json.decode(event.result)
    head = HEAD.match(text) if isinstance(text, str) else None
    family, required = shelf.families.get(key, ""), key in shelf.required
    if head is None:
        return Paper(id=key, family=family, required=required, read=(event.i,))
    since, to = head["since"], head["to"] if head["to"][0].isdigit() else ""
    return Paper(
        id=key,
        family=family,
        title=head["title"],
        kind=head["kind"].strip(),
        status=head["status"].strip(),
        since=since,
        to=to,
        holds=head["status"].strip() != "draft" and since <= day and (not to or day < to),
        required=required,
        read=(event.i,),
    )
