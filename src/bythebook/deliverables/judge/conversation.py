"""What a model judge was told and said, one file a session: so that a verdict can be looked into.

    judge/<item>-<sha>.json      `Conversation`; `all-<sha>.json` of a holistic session
    judge/opening-<sha>.json     `Opening`: what many sessions begin with, stored once
    judge/picture-<sha>.png      a page that a judge was shown

A name holds the first digits of the SHA-256 of the file's bytes: nothing is ever written over, and
what was changed afterwards does not fit its name any more. Lines of the journal name their file.
"""

import hashlib
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec

from bythebook.deliverables.evidence.cache import write_whole
from bythebook.errors import TraceError
from bythebook.models.types import Answer, Call, Message, Role, Settings, ToolSpec, Usage

FOLDER = "judge"
"""Beside the journal."""
DIGITS = 12


class Opening(msgspec.Struct, frozen=True):
    """What a session begins with; the same for every item of a run."""

    system: str
    tools: tuple[ToolSpec, ...]
    head: str
    """The task, its inputs, and the outline of what was handed over."""


class Shown(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a tool answered."""

    id: str
    text: str
    ok: bool = True
    pictures: tuple[str, ...] = ()
    """Files beside this one."""


class Turn(msgspec.Struct, frozen=True, omit_defaults=True):
    """One message, without the opening's words."""

    role: Role
    text: str = ""
    calls: tuple[Call, ...] = ()
    answers: tuple[Shown, ...] = ()
    wire: dict[str, Any] | None = None
    """A model's reply in its provider's own words, reasoning included."""


class Conversation(msgspec.Struct, frozen=True, kw_only=True):
    """One session, whatever came of it."""

    bythebook: Literal["conversation"] = "conversation"
    version: int = 1
    judge: str
    items: tuple[str, ...]
    opening: str
    """The file beside this one that holds it."""
    turns: tuple[Turn, ...]
    settings: Settings
    usage: Usage


class Spoken(msgspec.Struct, frozen=True, kw_only=True):
    """A session as it went, before it is kept."""

    judge: str
    items: tuple[str, ...]
    opening: Opening
    messages: tuple[Message, ...]
    settings: Settings
    usage: Usage


Keep = Callable[[Spoken], str]
"""Keeps a session and says where: the file, as the journal's folder sees it."""


def unkept(spoken: Spoken) -> str:
    """For whoever keeps none."""
    return ""


def keeping(journal: Path) -> Keep:
    """Keeps sessions in `judge/` beside a journal."""
    folder = journal.parent / FOLDER

    def keep(spoken: Spoken) -> str:
        opening = _put(folder, "opening", ".json", _as_text(spoken.opening))
        told = Conversation(
            judge=spoken.judge,
            items=spoken.items,
            opening=opening,
            turns=tuple(_turn(message, folder) for message in spoken.messages),
            settings=spoken.settings,
            usage=spoken.usage,
        )
        return f"{FOLDER}/{_put(folder, _called(spoken.items), '.json', _as_text(told))}"

    return keep


def read_conversation(path: Path) -> Conversation:
    """Raises `TraceError` for a file that is not there, does not read, or was changed."""
    try:
        data = path.read_bytes()
        found = msgspec.json.decode(data, type=Conversation)
    except OSError as error:
        raise TraceError(f"cannot be read: {error.strerror}", where=path) from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise TraceError(f"this conversation does not read: {error}", where=path) from None
    if not path.stem.endswith(_digits(data)):
        hint = "its name holds the hash of what was written; take the file from a copy"
        raise TraceError("this conversation was changed", where=path, hint=hint)
    return found


def _turn(message: Message, folder: Path) -> Turn:
    return Turn(
        role=message.role,
        text=message.text,
        calls=message.calls,
        answers=tuple(_shown(message.answers, folder)),
        wire=message.wire.body if message.wire is not None else None,
    )


def _shown(answers: Iterable[Answer], folder: Path) -> Iterable[Shown]:
    for answer in answers:
        pictures = tuple(
            _put(folder, "picture", f".{one.media.rpartition('/')[2]}", one.data)
            for one in answer.images
        )
        yield Shown(answer.id, answer.text, answer.ok, pictures)


def _called(items: tuple[str, ...]) -> str:
    return re.sub(r"[^\w.-]+", "-", items[0])[:60] if len(items) == 1 else "all"


def _put(folder: Path, what: str, suffix: str, data: bytes) -> str:
    """Store bytes under a name made from them, once; the name."""
    name = f"{what}-{_digits(data)}{suffix}"
    path = folder / name
    if not path.exists():
        write_whole(path, data)
        # The journal's line, which names it, must not outlive it.
        with path.open("rb") as file:
            os.fsync(file.fileno())
    return name


def _digits(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:DIGITS]


def _as_text(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
