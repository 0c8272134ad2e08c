"""What somebody types for a tool's arguments, made into arguments.

    name=value name='two words' n=3      or a JSON object: {"name": "value"}

A value is text where the tool's card says so. Otherwise it is JSON if it reads as JSON, and text if
it does not: 6 is a number, "6" in double quotes is text.
"""

import shlex
from collections.abc import Mapping
from typing import Any

import msgspec

from bythebook.errors import UsageError
from bythebook.serve.seat import arguments

Schema = Mapping[str, Any]
NO_SCHEMA: Schema = {}


def typed(text: str, schema: Schema = NO_SCHEMA) -> dict[str, Any]:
    """The arguments in a line. Raises `UsageError`."""
    if text.lstrip().startswith("{"):
        return arguments(text)
    try:
        parts = shlex.split(text)
    except ValueError as error:
        raise UsageError(f"{error}; put quotes around the whole of {text!r}") from None
    found: dict[str, Any] = {}
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals:
            raise UsageError(f"{part!r} is not name=value")
        found[name] = valued(value, spec_of(schema, name))
    return found


def valued(text: str, spec: Schema = NO_SCHEMA) -> Any:
    """One value."""
    if spec.get("type") == "string":
        return text
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError):
        return text


def spec_of(schema: Schema, name: str) -> Schema:
    found: Schema = schema.get("properties", {}).get(name, NO_SCHEMA)
    return found
