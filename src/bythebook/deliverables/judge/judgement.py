"""A judgement: what one judge said of one rubric item, and what it cost. A line on disk."""

from typing import Literal

import msgspec

from bythebook.models.types import Usage


class Cited(msgspec.Struct, frozen=True):
    """A place that a judge names, and what stands there in the judge's own reading."""

    at: str
    """A locator; see `evidence.locate`."""
    reads: str = ""


class Judgement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of `judgements.jsonl`. The last line of a judge on an item stands."""

    item: str
    item_hash: str
    """SHA-256 over the item as judged; a judgement of another wording does not count."""
    evidence: str
    """SHA-256 over names and bytes of what was handed over."""
    judge: str
    """`model:provider:name`, `harness:nanobot/M`, `hand:NAME`."""
    mode: Literal["item", "holistic"] = "item"
    attempt: int = 1
    verdict: Literal["pass", "fail"] | None = None
    """None: void; `cause` says why."""
    because: str = ""
    cited: tuple[Cited, ...] = ()
    verified: bool = False
    """Every cited place exists and reads so."""
    searched: tuple[str, ...] = ()
    """Where something absent was looked for."""
    cause: str = ""
    """Of a void: malformed, contradiction, places, timeout, provider, steps, ..."""
    says: str = ""
    calls: int = 0
    """Tool calls of the session."""
    usage: Usage = Usage()
    seconds: float = 0.0
    settings: dict[str, object] = {}
    """The sampling fields of every request, as sent."""
    conversation: str = ""
    """Where the session is kept, beside the journal; empty: it is not."""
