"""Statistics of a run: what its agent and its customer did, and how much of it (paper: Table 4,
Table 8, Figure 2).

A pure function of the trace and of what the plan says of the task. No verdict hangs on it.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil, floor
from statistics import fmean

import msgspec

from bythebook.agents.protocol import Usage
from bythebook.conduct.customer.tools import CUSTOMER
from bythebook.run.plan import PlannedTask
from bythebook.trace import StoredEvent, Trace

KINDS = {
    "search_documents": "document_searches",
    "read_document": "document_reads",
    "search_tools": "tool_searches",
    "describe_tool": "tool_descriptions",
    "query_records": "record_queries",
    "message_customer": "messages",
    "wait": "waits",
    "now": "nows",
    "finish": "finishes",
}
"""Base tool to the kind of its calls; a call of any other name is a business call."""


class Kinds(msgspec.Struct, frozen=True, kw_only=True):
    """Calls by kind; together they are all calls. Refused calls of a base tool count as its own."""

    document_searches: int = 0
    document_reads: int = 0
    tool_searches: int = 0
    tool_descriptions: int = 0
    record_queries: int = 0
    business_reads: int = 0
    """Business calls that were answered and changed nothing."""
    business_writes: int = 0
    """Business calls that changed a record: business requests executed."""
    business_refused: int = 0
    """Business calls that were refused, those of tools that do not exist too."""
    messages: int = 0
    waits: int = 0
    nows: int = 0
    finishes: int = 0


class Tokens(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of a model over one run, as in `Usage`."""

    input: int = 0
    output: int = 0
    cached: int = 0
    reasoning: int = 0


class Statistics(msgspec.Struct, frozen=True, kw_only=True):
    """Of one run. None where there is nothing to measure by."""

    turns: int
    """The agent's moves, up to its last call: assistant turns."""
    calls: int
    calls_per_golden: float | None
    """calls / R_i."""
    by_kind: Kinds
    errors: int
    """Calls that were refused."""
    documents: int
    """Distinct documents read."""
    required_recall: float | None
    """Share of the task's required documents that were read."""
    required_precision: float | None
    """Share of the documents read that are required."""
    repeated_reads: int
    """Database reads (`query_records`, business reads) that were answered, with the name, arguments
    and response of an earlier one."""
    requests: int
    """Business requests executed."""
    tokens: Tokens
    stubbed: int
    """Answers taken out of the model's context to make room."""
    length_stops: int
    """Turns cut off by the longest reply."""
    customer_messages: int
    """The opening request included."""
    customer_calls: int
    customer_by_tool: dict[str, int]
    """The customer's use of their tools, refused ones too."""
    customer_tokens: Tokens


class Spread(msgspec.Struct, frozen=True):
    """One figure over all valid runs that have it."""

    runs: int
    mean: float
    median: float
    p90: float
    """90th percentile, interpolated between the two runs around it."""


def statistics(trace: Trace, task: PlannedTask | None = None) -> Statistics:
    """The statistics of one trace; without the plan's `task` nothing is measured against it."""
    calls = [event for event in trace.events if event.kind == "call"]
    customer = [event for event in trace.events if event.actor == "customer"]
    by_kind, documents = _by_kind(calls), _documents(calls)
    required = set(task.documents) if task is not None else set()
    tools = [event.name for event in customer if event.kind == "customer"]
    notes = [event for event in trace.events if event.kind == "note" and event.actor == "agent"]
    return Statistics(
        turns=max((event.move or 0 for event in trace.events), default=0),
        calls=len(calls),
        calls_per_golden=len(calls) / task.golden if task is not None else None,
        by_kind=by_kind,
        errors=sum(not event.ok for event in calls),
        documents=len(documents),
        required_recall=len(required & documents) / len(required) if required else None,
        required_precision=len(required & documents) / len(documents)
        if required and documents
        else None,
        repeated_reads=_repeated(calls),
        requests=by_kind.business_writes,
        tokens=tokens(notes),
        stubbed=sum(_stubbed(note) for note in notes),
        length_stops=sum(note.name == "length_stop" for note in notes),
        customer_messages=sum(event.kind == "message" for event in customer),
        customer_calls=len(tools),
        customer_by_tool={name: tools.count(name) for name in CUSTOMER},
        customer_tokens=tokens(event for event in customer if event.kind == "note"),
    )


def spreads(runs: Sequence[msgspec.Struct]) -> dict[str, Spread]:
    """Every figure of some runs, by its name; those inside others as `by_kind.messages`."""
    rows = [dict(_figures(msgspec.to_builtins(run))) for run in runs]
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: spread_of([row[name] for row in rows if name in row]) for name in names}


# --- one trace ----------------------------------------------------------------------------------


def _kind(call: StoredEvent) -> str:
    if call.name in KINDS:
        return KINDS[call.name]
    if not call.ok:
        return "business_refused"
    return "business_writes" if call.writes else "business_reads"


def _by_kind(calls: Iterable[StoredEvent]) -> Kinds:
    counts: dict[str, int] = {}
    for call in calls:
        kind = _kind(call)
        counts[kind] = counts.get(kind, 0) + 1
    return Kinds(**counts)


class _Named(msgspec.Struct, frozen=True):
    id: str


_NAMED = msgspec.json.Decoder(_Named)
_USAGE = msgspec.json.Decoder(Usage)


def _documents(calls: Iterable[StoredEvent]) -> set[str]:
    """Those that were read; a refused reading reads nothing."""
    reads = (call for call in calls if call.name == "read_document" and call.ok)
    return {_NAMED.decode(call.args).id for call in reads}


def _repeated(calls: Iterable[StoredEvent]) -> int:
    """Arguments are the same in whatever order they stand."""
    seen: set[tuple[str, bytes, bytes]] = set()
    repeated = 0
    for call in calls:
        if _kind(call) in ("record_queries", "business_reads") and call.ok:
            args = msgspec.json.decode(call.args)
            sorted_args = msgspec.json.encode(args, order="deterministic")
            mark = (call.name, sorted_args, bytes(call.result))
            repeated += mark in seen
            seen.add(mark)
    return repeated


def tokens(notes: Iterable[StoredEvent]) -> Tokens:
    """What the notes about a model's replies add up to."""
    used = [_USAGE.decode(note.args) for note in notes if note.name == "usage"]
    return Tokens(
        input=sum(usage.input for usage in used),
        output=sum(usage.output for usage in used),
        cached=sum(usage.cached for usage in used),
        reasoning=sum(usage.reasoning for usage in used),
    )


def _stubbed(note: StoredEvent) -> int:
    if note.name != "stubbed":
        return 0
    answers: int = msgspec.json.decode(note.args)["answers"]
    return answers


# --- many ---------------------------------------------------------------------------------------


def _figures(found: dict[str, object], prefix: str = "") -> Iterator[tuple[str, float]]:
    for name, value in found.items():
        if isinstance(value, dict):
            yield from _figures(value, f"{prefix}{name}.")
        elif isinstance(value, int | float):
            yield prefix + name, float(value)


def spread_of(values: list[float]) -> Spread:
    """Count, mean, median and 90th percentile of one value at least."""
    ordered = sorted(values)
    return Spread(len(ordered), fmean(ordered), _at(ordered, 0.5), _at(ordered, 0.9))


def _at(ordered: Sequence[float], share: float) -> float:
    """The value that this share of the others does not exceed, interpolated linearly."""
    place = share * (len(ordered) - 1)
    low, high = ordered[floor(place)], ordered[ceil(place)]
    return low + (high - low) * (place - floor(place))
