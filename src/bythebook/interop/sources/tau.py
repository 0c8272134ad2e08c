"""Results of tau-bench: its first format, a list of trajectories, and that of tau2.

    [{task_id, reward, info, traj: [messages], trial}, ..]
    {info, tasks, simulations: [{id, task_id, trial, messages, reward_info: {reward}, ..}]}

In the second, a user may use tools (`requestor: user`), and results of parallel calls may stand in
one message. The reward is the number that the file holds.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bythebook.interop.records import Odd
from bythebook.interop.sources.conversation import (
    About,
    ForeignTrace,
    number_of,
    records_of,
)
from bythebook.interop.sources.stream import items, lines

MESSAGES = ("traj", "trajectory", "messages", "conversation", "history")
"""Fields of a record that may hold its messages."""
IDS = ("id", "run_id", "sample_id", "conversation_id")
TASKS = ("task_id", "task", "task_index", "problem_id")
TRIALS = ("trial", "epoch", "attempt", "run")
CUT = ("infrastructure_error", "unexpected_error", "agent_error")


def read_tau2(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """A result file of tau2: an object that holds simulations, or one simulation."""
    found = False
    for one in items(path, "simulations.item"):
        found = True
        yield from _trace(path, form, one, "simulations")
    if not found:
        for one in items(path, ""):
            yield from _trace(path, form, one, "")


def read_tau(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """A result file of tau-bench: a list of trajectories."""
    for one in items(path, "item"):
        yield from _trace(path, form, one, "")


def read_tau_lines(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """The same, a line each."""
    for one in lines(path):
        yield from _trace(path, form, one, "line")


def _trace(
    path: Path, form: str, one: tuple[int, Any] | Odd, part: str
) -> Iterator[ForeignTrace | Odd]:
    if isinstance(one, Odd):
        yield one
        return
    number, record = one
    place = f"{part}[{number}]"
    name = next((n for n in MESSAGES if _holds_messages(record, n)), "")
    if not name:
        has = ", ".join(list(record)[:8]) if isinstance(record, Mapping) else type(record).__name__
        yield Odd(f"{path}: {place}", f"no record with messages (it is: {has})")
        return
    about = about_of(record, number)
    trace = ForeignTrace(str(path), form, about, records_of(record[name], f"{place}.{name}"))
    reason = record.get("termination_reason")
    if reason in CUT:
        trace.cut = f"the run ended by {reason}"
    yield trace


def _holds_messages(record: Any, name: str) -> bool:
    return isinstance(record, Mapping) and isinstance(record.get(name), list)


def about_of(record: Mapping[str, Any], number: int) -> About:
    """Id, task, trial and reward of a record, as far as it tells them."""
    task = _first(record, TASKS)
    trial = _first(record, TRIALS)
    trial = trial if isinstance(trial, int) and not isinstance(trial, bool) else None
    own = _first(record, IDS)
    if own is None:
        own = number if task is None else f"{task}/{trial}" if trial is not None else task
    return About(str(own), "" if task is None else str(task), trial, _reward(record))


def _first(record: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    found = (record.get(name) for name in names)
    return next((one for one in found if isinstance(one, str | int)), None)


def _reward(record: Mapping[str, Any]) -> float | None:
    """The reward that stands in the record, itself or in what it says of it."""
    for name in ("reward", "reward_info", "score"):
        found = record.get(name)
        if isinstance(found, Mapping):
            found = found.get("reward")
        number = number_of(found)
        if number is not None:
            return number
    return None
