"""Results of tau-bench: its first format, a list of trajectories, and that of tau2.

    [{task_id, reward, info, traj: [messages], trial}, ..]
    {info, tasks, simulations: [{id, task_id, trial, messages, reward_info: {reward}, ..}]}

In the first an agent may spell its actions out in words (`Action: {name, arguments}`, answered by
`API output: ..` in the user's name). In the second a user may use tools (`requestor: user`),
results of parallel calls may stand in one message, and a voice run holds `ticks` in place of
messages. A folder holds `results.json` and one file for each simulation. The reward is the number
that the file holds.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bythebook.interop.forms import structured
from bythebook.interop.records import Odd
from bythebook.interop.sources.conversation import MESSAGES, ForeignTrace
from bythebook.interop.sources.openai import conversation
from bythebook.interop.sources.stream import items, lines, listed

ACTION, OUTPUT, RESPOND = "Action:", "API output: ", "respond"
ENDED = {"infrastructure_error", "unexpected_error", "agent_error", "user_error"}
"""Reasons of tau2 for an end that neither side chose."""
WORDLESS = "a voice run without its words and calls"


def read_tau2(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """A result file of tau2."""
    found = False
    for one in items(path, "simulations.item"):
        found = True
        yield from _simulation(path, form, one, "simulations[{}]")
    if not found and not listed(path, "simulations"):
        yield Odd(f"{path}: simulations", "no list of simulations")


def read_simulation(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """One simulation of tau2 by itself."""
    for one in items(path, ""):
        yield from _simulation(path, form, one, "")


def read_simulations(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """A list of simulations."""
    for one in items(path, "item"):
        yield from _simulation(path, form, one, "[{}]")


def read_simulation_lines(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """A simulation a line."""
    for one in lines(path):
        yield from _simulation(path, form, one, "line {}")


def _simulation(
    path: Path, form: str, one: tuple[int, Any] | Odd, part: str
) -> Iterator[ForeignTrace | Odd]:
    if not isinstance(one, Odd) and isinstance(one[1], dict):
        number, record = one
        ticks = record.get("ticks")
        if not isinstance(record.get("messages"), list) and isinstance(ticks, list):
            spoken = list(_spoken(ticks))
            if ticks and not spoken:
                yield Odd(f"{path}: {part.format(number)}".rstrip(": "), WORDLESS)
                return
            one = number, {**record, "messages": spoken}
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
    for one in map(_acted, items(path, "item")):
        yield from _run(conversation(path, form, one, "[{}]"), one)


def read_tau_record(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """One trajectory by itself."""
    for one in map(_acted, items(path, "")):
        yield from _run(conversation(path, form, one, ""), one)


def read_tau_lines(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """The same, a line each."""
    for one in map(_acted, lines(path)):
        yield from _run(conversation(path, form, one, "line {}"), one)


def _acted(one: tuple[int, Any] | Odd) -> tuple[int, Any] | Odd:
    """The same record, actions that were spelled out made into calls."""
    record = None if isinstance(one, Odd) else one[1]
    if isinstance(one, Odd) or not isinstance(record, dict):
        return one
    for name in MESSAGES:
        messages = record.get(name)
        if isinstance(messages, list) and any(map(_is_output, messages)):
            return one[0], {**record, name: list(_calls(messages))}
    return one


def _is_output(message: Any) -> bool:
    """What a tool gave back, in the user's name."""
    if not isinstance(message, Mapping) or message.get("role") != "user":
        return False
    return str(message.get("content")).startswith(OUTPUT)


def _calls(messages: list[Any]) -> Iterator[Any]:
    """One message for each, so that their numbers stay."""
    asked = ""
    for number, message in enumerate(messages):
        spoken = isinstance(message, Mapping) and message.get("role") == "assistant"
        if _is_output(message) and asked:
            said = message["content"].removeprefix(OUTPUT)
            yield {"role": "tool", "tool_call_id": asked, "content": said}
        elif spoken and isinstance(message.get("content"), str):
            said, call = _action(message["content"])
            asked = f"action {number}" if call else ""
            calls = [{**call, "id": asked}] if call else None
            yield {**message, "content": said, "tool_calls": calls}
        else:
            yield message


def _action(text: str) -> tuple[str, dict[str, Any]]:
    """What was said, and the call that was asked for; one of them."""
    rest = text.split(ACTION)[-1].strip()
    found = structured(rest)
    if not isinstance(found, dict) or not isinstance(found.get("name"), str):
        return rest, {}
    args = found.get("arguments")
    if found["name"] == RESPOND:
        return str(args.get("content", "")) if isinstance(args, dict) else rest, {}
    return "", {"name": found["name"], "arguments": args}


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
