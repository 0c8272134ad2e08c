"""One run as a sample of a log: what was said and done, and what it came to."""

from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from inspect_ai.log import EvalError, EvalRetryError, EvalSample, EvalSampleLimit
from inspect_ai.model import ModelOutput

from bythebook.errors import TraceError
from bythebook.interop.inspect_ai_export.conversation import Told
from bythebook.interop.inspect_ai_export.scores import VERDICT, score_of, void_of
from bythebook.run.folder import RunFolder
from bythebook.trace import Outcome, Trace, read_trace
from bythebook.verdict import Verdict

FLIGHT = Outcome("infrastructure_failure", "in flight", "the attempt was not finished")


def sample_of(place: RunFolder, model: str, began: datetime) -> EvalSample | None:
    """The run in a place; None where nothing was begun.

    A run without a valid attempt is an error, told from its last attempt; so is a verdict with a
    void rule. Neither has a score.
    """
    tries = [trace for path in place.attempts if (trace := _read(path / place.trace.name))]
    trace = _read(place.trace)
    if trace is None:
        if not tries:
            return None
        trace = tries.pop()
    told = Told(model, began)
    told.tell(trace.events)
    outcome = trace.closing.outcome if trace.closing is not None else FLIGHT
    verdict = _verdict(place) if outcome.counts else None
    error = _error(outcome, verdict)
    first = told.messages[0].content if told.messages else ""
    return EvalSample(
        id=place.task,
        epoch=place.number,
        input=first,
        target="",
        messages=told.messages,
        output=_last(told, model),
        scores=None if error or verdict is None else {VERDICT: score_of(verdict)},
        metadata=_metadata(trace, outcome),
        store={"bythebook_trace": _journal(place, trace)},
        events=told.events,
        model_usage={model: told.usage["agent"]} if "agent" in told.usage else {},
        role_usage={"customer": told.usage["customer"]} if "customer" in told.usage else {},
        uuid=f"{place.task}-{place.number}",
        error=error,
        error_retries=[_retry(one) for one in tries] or None,
        limit=_limit(outcome),
    )


def _read(path: Path) -> Trace | None:
    return read_trace(path) if path.exists() else None


def _verdict(place: RunFolder) -> Verdict | None:
    if not place.verdict.exists():
        return None
    try:
        return msgspec.json.decode(place.verdict.read_bytes(), type=Verdict)
    except msgspec.MsgspecError as error:
        hint = "`bythebook score` writes it again"
        raise TraceError(f"does not read: {error}", where=place.verdict, hint=hint) from None


def _error(outcome: Outcome, verdict: Verdict | None) -> EvalError | None:
    if not outcome.counts:
        return _told(f"{outcome}: {outcome.says}")
    if verdict is None:
        return _told("the run has no verdict; `bythebook score` makes it")
    void = void_of(verdict)
    return _told(void) if void else None


def _told(message: str) -> EvalError:
    return EvalError(message=message, traceback=message, traceback_ansi=message)


def _retry(trace: Trace) -> EvalRetryError:
    outcome = trace.closing.outcome if trace.closing is not None else FLIGHT
    says = f"{outcome}: {outcome.says}"
    return EvalRetryError(message=says, traceback=says, traceback_ansi=says)


def _limit(outcome: Outcome) -> EvalSampleLimit | None:
    """Inspect has no word for most of our limits; the reason says which."""
    if outcome.kind != "limit":
        return None
    return EvalSampleLimit(type="custom", limit=0, reason=f"{outcome}: {outcome.says}")


def _last(told: Told, model: str) -> ModelOutput:
    said = [one for one in told.messages if one.role == "assistant"]
    return ModelOutput.from_message(said[-1]) if said else ModelOutput(model=model)


def _metadata(trace: Trace, outcome: Outcome) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(trace.header)
    return told | {"outcome": str(outcome), "says": outcome.says}


def _journal(place: RunFolder, trace: Trace) -> str:
    """The journal as it stands, so that the log loses nothing of it."""
    path = place.trace if place.trace.exists() else place.attempts[-1] / place.trace.name
    return path.read_text("utf-8")
