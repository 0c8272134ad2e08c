"""Results of tau-bench: its first format, a list of trajectories, and that of tau2.

    [{task_id, reward, info, traj: [messages], trial}, ..]
    {info, tasks, simulations: [{id, task_id, trial, messages, reward_info: {reward}, ..}]}

In the second a user may use tools (`requestor: user`), results of parallel calls may stand in one
message, and a voice run holds `ticks` in place of messages. A folder holds `results.json` and one
file for each simulation. The reward is the number that the file holds.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bythebook.interop.records import Odd
from bythebook.interop.sources.conversation import ForeignTrace
from bythebook.interop.sources.openai import conversation
from bythebook.interop.sources.stream import items, lines

ENDED = {"infrastructure_error", "unexpected_error", "agent_error", "user_error"}
"""Reasons of tau2 for an end that neither side chose."""


def read_tau2(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """A result file of tau2."""
    for one in items(path, "simulations.item"):
        yield from _simulation(path, form, one, "simulations[{}]")


def read_simulation(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """One simulation of tau2 by itself."""
    for one in items(path, ""):
        yield from _simulation(path, form, one, "")


def _simulation(
    path: Path, form: str, one: tuple[int, Any] | Odd, part: str
) -> Iterator[ForeignTrace | Odd]:
    if not isinstance(one, Odd) and isinstance(one[1], dict):
        number, record = one
        if not isinstance(record.get("messages"), list) and isinstance(record.get("ticks"), list):
            one = number, {**record, "messages": list(_spoken(record["ticks"]))}
    for found in conversation(path, form, one, part):
        record = None if isinstance(one, Odd) else one[1]
        if isinstance(found, ForeignTrace) and isinstance(record, Mapping):
            reason = str(record.get("termination_reason"))
            if reason in ENDED:
                found.cut = f"the run ended by {reason}"
        yield found


def _spoken(ticks: list[Any]) -> Iterator[dict[str, Any]]:
    """The messages of a voice run: what one side says over several ticks is one message."""
    held: dict[str, Any] | None = None
    for tick in ticks:
        for message in _in_tick(tick) if isinstance(tick, Mapping) else ():
            plain = not message.get("tool_calls") and message["role"] in ("assistant", "user")
            if plain and held is not None and held["role"] == message["role"]:
                held = {**held, "content": held["content"] + message["content"]}
                continue
            if held is not None:
                yield held
                held = None
            if plain:
                held = message
            else:
                yield message
    if held is not None:
        yield held


def _in_tick(tick: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for role, side in (("assistant", "agent"), ("user", "user")):
        chunk = tick.get(f"{side}_chunk")
        text = chunk.get("content") if isinstance(chunk, Mapping) else None
        calls = tick.get(f"{side}_tool_calls") or None
        if text or calls:
            at = tick.get("timestamp")
            yield {"role": role, "content": text or "", "tool_calls": calls, "timestamp": at}
        yield from tick.get(f"{side}_tool_results") or ()


def read_tau(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """A result file of tau-bench: a list of trajectories."""
    for one in items(path, "item"):
        yield from _run(conversation(path, form, one, "[{}]"), one)


def read_tau_lines(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """The same, a line each."""
    for one in lines(path):
        yield from _run(conversation(path, form, one, "line {}"), one)


def _run(
    found: Iterator[ForeignTrace | Odd], one: tuple[int, Any] | Odd
) -> Iterator[ForeignTrace | Odd]:
    """A run that broke holds its error in `info`."""
    for trace in found:
        if isinstance(trace, ForeignTrace) and not isinstance(one, Odd):
            info = one[1].get("info") if isinstance(one[1], Mapping) else None
            error = info.get("error") if isinstance(info, Mapping) else None
            if error:
                trace.cut = f"the run ended by an error: {str(error)[:200]}"
        yield trace
