"""How well a model kept the customer's protocol, counted from traces (paper: D.2)."""

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from bythebook.conduct.customer.violation import KINDS, NOTE, Violation
from bythebook.errors import TraceError
from bythebook.run.folder import EvaluationFolder
from bythebook.run.plan import SCRIPTED, Plan
from bythebook.trace import StoredEvent, Trace, read_trace


class CustomerScores(msgspec.Struct, frozen=True, kw_only=True):
    """The customer's side of an evaluation, attempts that do not count included.

    A turn is one answer asked of the customer. Every draft that broke the protocol counts once for
    each kind, also when the next draft was right; so a turn may hold several violations.
    """

    simulator: str
    """The model, as `provider:name`."""
    prompt: str
    """`original` or `revised`."""
    traces: int
    turns: int
    turns_in_breach: int
    """Turns with at least one violation."""
    rate: float | None
    """turns_in_breach / turns; None without turns."""
    failed: int
    """Attempts that ended as `simulator_failure`."""
    violations: dict[str, int]
    rates: dict[str, float]
    """Violations of a kind / turns."""


class _Kept(msgspec.Struct, frozen=True):
    """What one trace, or many, hold of it."""

    turns: int = 0
    in_breach: int = 0
    failed: int = 0
    violations: tuple[str, ...] = ()


def customer_scores(folder: EvaluationFolder, plan: Plan | None) -> CustomerScores | None:
    """Turns and violations in every trace of a folder; None for a script, which breaks nothing."""
    if plan is None or plan.simulator in ("", SCRIPTED.name):  # nobody, or a script
        return None
    kept = [count(trace) for trace in _traces(folder)]
    turns = sum(one.turns for one in kept)
    in_breach = sum(one.in_breach for one in kept)
    found = Counter(kind for one in kept for kind in one.violations)
    violations: dict[str, int] = {kind: found[kind] for kind in KINDS}
    return CustomerScores(
        simulator=plan.simulator,
        prompt=plan.simulator_prompt,
        traces=len(kept),
        turns=turns,
        turns_in_breach=in_breach,
        rate=in_breach / turns if turns else None,
        failed=sum(one.failed for one in kept),
        violations=violations,
        rates={kind: number / turns for kind, number in violations.items()} if turns else {},
    )


def count(trace: Trace) -> _Kept:
    """The turns and violations of one trace. The opening request is no turn."""
    turns = in_breach = 0
    broken: list[str] = []
    pending = False
    for event in _of_customer(trace.events[1:]):
        if event.kind == "message":
            turns, in_breach, pending = turns + 1, in_breach + pending, False
        elif event.kind == "note" and event.name == NOTE:
            broken.append(msgspec.json.decode(event.args, type=Violation).kind)
            pending = True
    failed = trace.closing is not None and trace.closing.outcome.kind == "simulator_failure"
    return _Kept(turns + pending, in_breach + pending, int(failed), tuple(broken))


def _of_customer(events: Iterable[StoredEvent]) -> Iterator[StoredEvent]:
    return (event for event in events if event.actor == "customer")


def _traces(folder: EvaluationFolder) -> Iterator[Trace]:
    """Those of all runs and of all attempts set aside; what does not read is passed over."""
    for place in folder.places():
        for path in (place.trace, *(kept / "trace.jsonl" for kept in place.attempts)):
            try:
                if path.exists():
                    yield read_trace(path)
            except TraceError:
                continue
