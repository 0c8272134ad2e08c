"""The harnesses there are, by the name that `--agent` takes."""

import re
from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from bythebook.errors import UsageError, suggestion
from bythebook.harness.adapter import Harness
from bythebook.harness.claude_code import ClaudeCode
from bythebook.harness.codex import Codex
from bythebook.harness.hermes import Hermes
from bythebook.harness.mini import Mini
from bythebook.harness.nanobot import Nanobot

Known = Nanobot | Hermes | ClaudeCode | Codex | Mini

HARNESSES: Mapping[str, Known] = MappingProxyType(
    {
        harness.recipe.name: harness
        for harness in (Nanobot(), Hermes(), ClaudeCode(), Codex(), Mini())
    }
)
VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+!_-]*")


def named(name: str) -> Harness:
    """The harness of a name, in the version it was tried in or, as in `nanobot==0.3.0`, another.

    Raises `UsageError` for a name that is none. It may not be installed.
    """
    first, other, version = name.partition("==")
    harness = HARNESSES.get(first)
    if harness is None:
        raise UsageError(f"no harness {first!r}", hint=suggestion(first, HARNESSES))
    if not other:
        return harness
    if not VERSION.fullmatch(version):
        raise UsageError(f"{version!r} is no version", hint=f"as in {first}=={_tried(harness)}")
    recipe = msgspec.structs.replace(harness.recipe, version=version)
    return msgspec.structs.replace(harness, recipe=recipe)


def _tried(harness: Harness) -> str:
    return harness.recipe.version
