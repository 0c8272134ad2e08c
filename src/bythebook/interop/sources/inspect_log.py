"""Logs of Inspect: `.eval` (a zip, a file for each sample) and JSON.

A sample is a trace: its messages, in the state they had at the end. Texts that the log keeps aside
(`attachment://`) are put back. Times are those of the sample's events. The reward is the value of
the first score: a number, or C 1, P 0.5, I and N 0; of several marks, strict success.
"""

import io
import re
import struct
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from bythebook.errors import TraceError
from bythebook.interop.records import Odd, Record
from bythebook.interop.sources.conversation import About, ForeignTrace, number_of
from bythebook.interop.sources.messages import records_of
from bythebook.interop.sources.stream import LARGEST, decoded, items

SAMPLE = re.compile(r"samples/.*\.json")
ATTACHED = "attachment://"
GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
ZSTANDARD = 93
"""Number of the method by which recent versions of Inspect pack a log."""
LOCAL_HEADER = struct.Struct("<4s5H3I2H")


def read_inspect(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """A JSON log; or one sample by itself."""
    found = False
    for one in items(path, "samples.item"):
        found = True
        yield from _sample(path, form, one, "samples")
    if not found:
        yield Odd(str(path), "the log holds no samples")


def read_eval(path: Path, form: str) -> Iterator[ForeignTrace | Odd]:
    """An `.eval` log."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = sorted(name for name in archive.namelist() if SAMPLE.fullmatch(name))
            if not names:
                yield Odd(str(path), "the log holds no samples")
            for number, name in enumerate(names):
                yield from _member(path, form, archive, (number, name))
    except (zipfile.BadZipFile, OSError) as error:
        raise TraceError(f"the log does not read: {error}", where=path) from None


def _member(
    path: Path, form: str, archive: zipfile.ZipFile, named: tuple[int, str]
) -> Iterator[ForeignTrace | Odd]:
    number, name = named
    info = archive.getinfo(name)
    if info.file_size > LARGEST:
        yield Odd(f"{path}: {name}", f"the sample has more than {LARGEST >> 20} MiB")
        return
    try:
        data = unpacked(archive, info)
        sample = decoded(data)
    except (ValueError, zipfile.BadZipFile, EOFError, RecursionError) as error:
        yield Odd(f"{path}: {name}", f"the sample does not read: {error}")
        return
    yield from _sample(path, form, (number, sample), "samples")


def unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The bytes of a member, by whatever method it is packed. Raises `ValueError`."""
    if info.compress_type != ZSTANDARD:
        with archive.open(info) as member:
            return member.read()
    import zstandard

    file: IO[bytes] | None = archive.fp
    assert file is not None
    file.seek(info.header_offset)
    head = LOCAL_HEADER.unpack(file.read(LOCAL_HEADER.size))
    file.seek(head[-2] + head[-1], io.SEEK_CUR)
    data = file.read(info.compress_size)
    try:
        with zstandard.ZstdDecompressor().stream_reader(data) as reader:
            found = reader.read(LARGEST)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from None
    if len(found) != info.file_size:
        raise ValueError(f"{len(found)} of {info.file_size} bytes are there")
    return found


def _sample(
    path: Path, form: str, one: tuple[int, Any] | Odd, part: str
) -> Iterator[ForeignTrace | Odd]:
    if isinstance(one, Odd):
        yield one
        return
    number, sample = one
    place = f"{part}[{number}]"
    messages = sample.get("messages") if isinstance(sample, Mapping) else None
    if not isinstance(messages, list):
        yield Odd(f"{path}: {place}", "a sample without messages")
        return
    task, epoch = str(sample.get("id", number)), sample.get("epoch")
    trial = epoch if isinstance(epoch, int) else None
    own = task if trial is None else f"{task}/{trial}"
    about = About(own, task, trial, _reward(sample.get("scores")))
    trace = ForeignTrace(str(path), form, about, _records(sample, messages, f"{place}.messages"))
    error = sample.get("error")
    if isinstance(error, Mapping):
        trace.cut = f"the sample ended by an error: {str(error.get('message', ''))[:200]}"
    yield trace


def _records(sample: Mapping[str, Any], messages: list[Any], place: str) -> Iterator[Record]:
    aside = sample.get("attachments")
    if isinstance(aside, Mapping) and aside:
        messages = _attached(messages, aside)
    times = _times(sample.get("events"))
    for message in messages:
        if isinstance(message, dict) and str(message.get("id")) in times:
            message["timestamp"] = times[str(message["id"])]
    return records_of(messages, place)


def _attached(value: Any, aside: Mapping[str, Any]) -> Any:
    """The same, with texts that were kept aside in their places."""
    if isinstance(value, str) and value.startswith(ATTACHED):
        return aside.get(value.removeprefix(ATTACHED), value)
    if isinstance(value, list):
        return [_attached(one, aside) for one in value]
    if isinstance(value, dict):
        return {name: _attached(one, aside) for name, one in value.items()}
    return value


def _times(events: Any) -> dict[str, str]:
    """Messages by id to the time of the event that brought them."""
    found: dict[str, str] = {}
    for event in events if isinstance(events, list) else ():
        if not isinstance(event, Mapping):
            continue
        at = event.get("completed") or event.get("timestamp")
        if event.get("event") == "tool" and isinstance(at, str):
            found[str(event.get("message_id"))] = at
        elif event.get("event") == "model" and isinstance(at, str):
            for message in _answers(event.get("output")):
                found[str(message.get("id"))] = at
    return found


def _answers(output: Any) -> Iterator[Mapping[str, Any]]:
    choices = output.get("choices") if isinstance(output, Mapping) else None
    for choice in choices if isinstance(choices, list) else ():
        message = choice.get("message") if isinstance(choice, Mapping) else None
        if isinstance(message, Mapping):
            yield message


def _reward(scores: Any) -> float | None:
    for score in scores.values() if isinstance(scores, Mapping) else ():
        value = score.get("value") if isinstance(score, Mapping) else score
        if isinstance(value, Mapping):
            value = value.get("strict")
        if isinstance(value, str):
            return GRADES.get(value)
        return number_of(value)
    return None
