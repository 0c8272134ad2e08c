"""One deliverables run told in order: what the agent did, what it handed over, and what the rubric
says of it, item by item."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from bythebook.deliverables.judge.journal import read_judgements
from bythebook.deliverables.workspace import Collection, InputChange
from bythebook.run.effort import collected, touched
from bythebook.run.folder import RunFolder
from bythebook.trace import Actor, Kind, StoredEvent, Trace
from bythebook.verdict import Delivered, Finding, Verdict


class Deed(msgspec.Struct, frozen=True, kw_only=True):
    """One event."""

    i: int
    turn: int | None
    """Of the agent, counted from 1; None for what is not the agent's."""
    who: Actor
    kind: Kind
    name: str
    args: dict[str, Any]
    ok: bool
    result: Any


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """One run as far as it went."""

    run: str
    """The place of its trace."""
    suite: str = "deliverables"
    task: str
    agent: str
    outcome: str | None
    """None while it is in flight."""
    says: str
    judged: bool
    """False for what is in flight or does not count; then there are no score and no items."""
    score: float | None
    success: bool | None
    delivered: Delivered | None
    handed: Collection
    inputs_touched: tuple[InputChange, ...]
    items: tuple[Finding, ...]
    conversations: dict[str, str]
    """Item to the file that holds what its judge was told and said; those of model judges."""
    steps: tuple[Deed, ...]


def delivery(place: RunFolder, trace: Trace, verdict: Verdict | None) -> Delivery:
    """The run of a trace; `verdict`: as made anew, None where it does not count."""
    outcome = trace.closing.outcome if trace.closing is not None else None
    delivered = verdict.delivered if verdict is not None else UNSET
    return Delivery(
        run=str(place.root),
        task=trace.header.task,
        agent=trace.header.agent,
        outcome=str(outcome) if outcome is not None else None,
        says=outcome.says if outcome is not None else "",
        judged=verdict is not None,
        score=verdict.score if verdict is not None else None,
        success=verdict.success if verdict is not None else None,
        delivered=None if delivered is UNSET else delivered,
        handed=collected(trace),
        inputs_touched=touched(trace),
        items=verdict.findings if verdict is not None else (),
        conversations=_conversations(place, verdict),
        steps=tuple(map(_deed, trace.events)),
    )


def _conversations(place: RunFolder, verdict: Verdict | None) -> dict[str, str]:
    """Of each item the last session that came to what the verdict says."""
    if verdict is None or verdict.delivered is UNSET:
        return {}
    marks = {one.id: None if one.verdict == "void" else one.verdict for one in verdict.findings}
    return {
        line.item: str(place.root / line.conversation)
        for line in read_judgements(place.judgements)
        if line.judge == verdict.delivered.judge and line.conversation
        if line.verdict == marks.get(line.item)
    }


def _deed(event: StoredEvent) -> Deed:
    return Deed(
        i=event.i,
        turn=event.move,
        who=event.actor,
        kind=event.kind,
        name=event.name,
        args=msgspec.json.decode(event.args),
        ok=event.ok,
        result=msgspec.json.decode(event.result),
    )


def told(item: Finding) -> Iterator[str]:
    """What is said of an item beside its mark: who decided, where, what stands there."""
    if item.by:
        yield f"by {item.by}"
    if item.place:
        yield f"at {item.place}"
    if item.seen:
        yield f"reads {item.seen}"
    if item.wanted:
        yield f"wanted {item.wanted}"


def brief(args: Mapping[str, Any]) -> str:
    """A call's arguments in a line."""
    return " ".join(f"{name}={' '.join(str(value).split())}" for name, value in args.items())
