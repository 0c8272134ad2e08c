"""What importers share: a trace of a file, times, numbers, and the words of a content."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import isfinite
from typing import Any

from bythebook.interop.records import Record

MESSAGES = ("messages", "traj", "trajectory", "conversation", "history", "transcript")
"""Fields of a record that may hold its messages."""
IDS = ("id", "run_id", "sample_id", "conversation_id", "session_id", "custom_id")
TASKS = ("task_id", "task", "task_index", "problem_id")
TRIALS = ("trial", "epoch", "attempt", "run")
REWARDS = ("reward", "reward_info", "score")
DIGITS = 20
"""Most digits of a time: nanoseconds have 19."""
ASIDE = ("reasoning", "thinking", "redacted_thinking", "image", "image_url", "input_image", "audio")
"""Parts of a content that hold no words said."""


@dataclass(frozen=True)
class About:
    """What a file says of one of its traces."""

    id: str
    task: str = ""
    trial: int | None = None
    reward: float | None = None


@dataclass
class ForeignTrace:
    """One trace of a file. Its records are read while they are asked for, once."""

    file: str
    format: str
    about: About
    records: Iterable[Record]
    cut: str = field(default="")
    """Why it ends before its end; known when the records have been read."""


def about_of(record: Mapping[str, Any], number: int) -> About:
    """Id, task, trial and reward of a record, as far as it tells them."""
    task = _first(record, TASKS)
    trial = _first(record, TRIALS)
    trial = trial if isinstance(trial, int) and not isinstance(trial, bool) else None
    own = _first(record, IDS)
    if own is None:
        own = number if task is None else f"{task}/{trial}" if trial is not None else task
    return About(str(own), "" if task is None else str(task), trial, reward_of(record))


def _first(record: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    found = (record.get(name) for name in names)
    return next((one for one in found if isinstance(one, str | int)), None)


def reward_of(record: Mapping[str, Any]) -> float | None:
    """The reward that stands in a record, itself or in what it says of it."""
    for name in REWARDS:
        found = record.get(name)
        if isinstance(found, Mapping):
            found = found.get("reward")
        number = number_of(found)
        if number is not None:
            return number
    return None


def text_of(content: Any) -> str:
    """The words of a content: a text, a part, or a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    return "\n".join(filter(None, map(_text_of_part, parts)))


def _text_of_part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping) or part.get("type") in ASIDE:
        return ""
    said = (part.get(name) for name in ("text", "content", "refusal"))
    return next((one for one in said if isinstance(one, str)), "")


def value_of(content: Any) -> Any:
    """What a result holds: parts of text joined, anything else as it is."""
    parts = content if isinstance(content, list) else None
    if parts and all(isinstance(p, Mapping) and isinstance(p.get("text"), str) for p in parts):
        return text_of(parts)
    return content


def moment(value: Any) -> float | None:
    """Seconds since 1970 of a time in any usual form; None for what is no time. A time without a
    zone is taken as UTC: only differences count."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        found = number_of(value)
        return None if found is None else _seconds(found)
    if not isinstance(value, str):
        return None
    if value.isdecimal() and len(value) <= DIGITS:
        return _seconds(int(value))
    try:
        then = datetime.fromisoformat(value)
        return (then if then.tzinfo else then.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _seconds(value: float) -> float:
    """Seconds, from a number of seconds, milli-, micro- or nanoseconds since 1970."""
    while value > 1e11:
        value /= 1000
    return float(value)


def number_of(value: Any) -> float | None:
    """A reward: a number, or None; an integer that no float holds is none."""
    try:
        return float(value) if isinstance(value, int | float) and isfinite(value) else None
    except OverflowError:
        return None
