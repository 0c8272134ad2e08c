"""Importers: files of other programs as traces of records.

`FORMATS` are tried in turn on a first look at the file, the most telling first. A format is named
by `--format` where that is not enough.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bythebook.errors import TraceError, UsageError
from bythebook.interop.records import Odd
from bythebook.interop.sources.claude_code import (
    SESSION,
    read_claude_code,
    read_claude_code_list,
)
from bythebook.interop.sources.codex import read_codex
from bythebook.interop.sources.conversation import MESSAGES, ForeignTrace
from bythebook.interop.sources.inspect_log import read_eval, read_inspect
from bythebook.interop.sources.look import Look, look_at
from bythebook.interop.sources.openai import (
    is_message,
    messages_of,
    read_conversation,
    read_conversation_lines,
    read_conversations,
    read_message_lines,
    read_record,
)
from bythebook.interop.sources.otel import read_otel, read_otel_lines, read_otel_list
from bythebook.interop.sources.own import read_own
from bythebook.interop.sources.tau import (
    read_simulation,
    read_simulation_lines,
    read_simulations,
    read_tau,
    read_tau2,
    read_tau_lines,
    read_tau_record,
)

__all__ = ["FORMATS", "ForeignTrace", "recognised", "traces_of"]

Read = Callable[[Path, str], Iterator[ForeignTrace | Odd]]


@dataclass(frozen=True)
class Format:
    """One format: what it is, and how a file of each make is read."""

    about: str
    reads: Mapping[str, Read]
    """Make of a file (`Look.kind`) to its reader."""
    fits: Callable[[Look], Read | None]
    """The reader for a file that looks so; None when it is no file of this format."""


def _tau2(look: Look) -> Read | None:
    if look.kind == "object":
        names = look.names
    elif look.kind in ("list", "lines"):
        names = frozenset(map(str, look.first))
    else:
        return None
    whole = names & {"simulations", "simulation_index", "info.environment_info"}
    if whole and look.kind != "list":
        return read_tau2
    if names & {"messages", "ticks"} and names & {"termination_reason", "reward_info"}:
        return SIMULATIONS[look.kind]
    return None


SIMULATIONS: Mapping[str, Read] = {
    "object": read_simulation,
    "list": read_simulations,
    "lines": read_simulation_lines,
}
TRAJECTORIES: Mapping[str, Read] = {
    "object": read_tau_record,
    "list": read_tau,
    "lines": read_tau_lines,
}


def _tau(look: Look) -> Read | None:
    names = look.names if look.kind == "object" else frozenset(map(str, look.first))
    if look.kind not in TRAJECTORIES or is_message(look.first):
        return None
    fits = names & {"traj", "trajectory"} or {"reward", "task_id"} <= names
    return TRAJECTORIES[look.kind] if fits else None


def _inspect(look: Look) -> Read | None:
    if look.kind == "zip":
        inside = any(n.startswith(("samples/", "_journal/")) for n in look.names)
        return read_eval if inside or "header.json" in look.names else None
    if look.kind == "object" and {"eval", "status"} <= look.names:
        return read_inspect
    return None


def _otel(look: Look) -> Read | None:
    marks = {"resourceSpans", "resourceLogs"}
    one = {"spanId", "context", "span_id"}
    if look.kind == "object":
        alone = "attributes" in look.names and look.names & one
        return read_otel if look.names & marks or alone else None
    if look.kind in ("list", "lines"):
        names = set(look.first)
        if names & marks or ("attributes" in names and names & one):
            return read_otel_list if look.kind == "list" else read_otel_lines
    return None


def _claude_code(look: Look) -> Read | None:
    if look.kind not in SESSIONS:
        return None
    lines = [one for one in look.samples if isinstance(one, Mapping) and "type" in one]
    inside = any(one.keys() & {"sessionId", "session_id", "uuid"} for one in lines)
    return SESSIONS[look.kind] if inside or any(one["type"] in SESSION for one in lines) else None


SESSIONS: Mapping[str, Read] = {"lines": read_claude_code, "list": read_claude_code_list}


def _codex(look: Look) -> Read | None:
    if look.kind != "lines":
        return None
    lines = [one for one in look.samples if isinstance(one, Mapping)]
    rollout = any("payload" in one and "type" in one for one in lines)
    printed = any(str(one.get("type", "")).startswith(("thread.", "item.")) for one in lines)
    older = bool(lines) and {"id", "timestamp"} <= set(lines[0]) and "instructions" in lines[0]
    return read_codex if rollout or printed or older else None


def _openai(look: Look) -> Read | None:
    if look.kind == "object":
        fields = {*MESSAGES, "input", "output", "choices"}
        logged = {"request.messages", "body.messages", "request.input", "response.choices"}
        return read_record if look.names & fields or look.names & logged else None
    found = next((one for one in look.samples if isinstance(one, Mapping | list)), None)
    if found is None:
        return None
    if look.kind in ("list", "lines") and is_message(found):
        return read_conversation if look.kind == "list" else read_message_lines
    if look.kind in ("list", "lines") and messages_of(found) is not None:
        return read_conversations if look.kind == "list" else read_conversation_lines
    return None


def _own(look: Look) -> Read | None:
    return read_own if look.kind == "lines" and look.first.get("bythebook") == "trace" else None


FORMATS: Mapping[str, Format] = {
    "bythebook": Format("a trace of bythebook: trace.jsonl", {"lines": read_own}, _own),
    "tau2": Format(
        "a result file of tau2: {simulations: [..]}",
        {"object": read_tau2, "list": read_simulations, "lines": read_simulation_lines},
        _tau2,
    ),
    "inspect": Format(
        "a log of Inspect: .eval, or {eval, samples}",
        {"zip": read_eval, "object": read_inspect},
        _inspect,
    ),
    "otel": Format(
        "spans of OpenTelemetry for generative AI: {resourceSpans: [{scopeSpans: [..]}]}",
        {"object": read_otel, "list": read_otel_list, "lines": read_otel_lines},
        _otel,
    ),
    "codex": Format("a transcript of codex", {"lines": read_codex}, _codex),
    "claude-code": Format("a transcript of Claude Code", SESSIONS, _claude_code),
    "tau": Format(
        "results of tau-bench: [{task_id, reward, traj}, ..]",
        TRAJECTORIES,
        _tau,
    ),
    "openai": Format(
        "messages: [{role, content}, ..], {messages: [..]} or lines of them",
        {"object": read_record, "list": read_conversations, "lines": read_conversation_lines},
        _openai,
    ),
}


def recognised(path: Path) -> tuple[str, Read]:
    """The format of a file, and its reader. Raises `TraceError` saying what it looks like."""
    look = look_at(path)
    for name, one in FORMATS.items():
        read = one.fits(look)
        if read is not None:
            return name, read
    raise TraceError(f"no known format: it is {look}", where=path, hint=_known(look))


def _known(look: Look) -> str:
    if look.broken:
        return f"it does not read to its end: {look.broken}"
    return "known are " + "; ".join(one.about for one in FORMATS.values())


def traces_of(path: Path, *, form: str = "") -> Iterator[ForeignTrace | Odd]:
    """The traces of one file, one after the other; each is read before the next is asked for."""
    name, read = _named(path, form) if form else recognised(path)
    yield from read(path, name)


def _named(path: Path, name: str) -> tuple[str, Read]:
    if name not in FORMATS:
        raise UsageError(f"no format {name!r}", hint=f"formats: {', '.join(FORMATS)}")
    look = look_at(path)
    one = FORMATS[name]
    read = one.fits(look) or one.reads.get(look.kind)
    if read is None:
        made = " or ".join(one.reads)
        raise TraceError(f"no {name}: it is {look}", where=path, hint=f"{one.about} ({made})")
    return name, read
