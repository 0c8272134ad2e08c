"""What a harness says of how tools are to be chosen, from one dialect into another."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from bythebook.models.types import Dialect

_WORDS = {"auto": "auto", "none": "none", "required": "any", "any": "any"}


class Choice(Struct, frozen=True):
    """Which tools a model may, must or must not use."""

    how: str = ""
    """auto, none, any (at least one) or tool (that of the name); empty: nothing was said."""
    name: str = ""
    parallel: bool | None = None
    """Whether a reply may hold several calls; None: nothing was said."""


def carried(body: Mapping[str, Any], theirs: Dialect, ours: Dialect) -> dict[str, Any]:
    """The fields of the provider's request that say what the harness's did.

    Of all that a dialect has beside messages, tools and sampling only this has a counterpart in
    each of the others; the rest stays behind.
    """
    if not body.get("tools"):
        return {}
    choice = _from_anthropic(body) if theirs == "anthropic" else _from_openai(body)
    return _to_anthropic(choice) if ours == "anthropic" else _to_openai(choice, ours)


def _from_openai(body: Mapping[str, Any]) -> Choice:
    sent, parallel = body.get("tool_choice"), body.get("parallel_tool_calls")
    if isinstance(sent, str):
        return Choice(_WORDS.get(sent, ""), parallel=parallel)
    named = sent.get("function", sent) if isinstance(sent, dict) else {}
    name = named.get("name") or ""
    return Choice("tool" if name else "", name, parallel)


def _from_anthropic(body: Mapping[str, Any]) -> Choice:
    sent = body.get("tool_choice") or {}
    alone = sent.get("disable_parallel_tool_use")
    name = sent.get("name") or ""
    how = "tool" if name else _WORDS.get(sent.get("type", ""), "")
    return Choice(how, name, parallel=None if alone is None else not alone)


def _to_openai(choice: Choice, ours: Dialect) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if choice.how == "tool":
        named = {"name": choice.name}
        inner = {"function": named} if ours == "chat" else named
        fields["tool_choice"] = {"type": "function"} | inner
    elif choice.how:
        fields["tool_choice"] = "required" if choice.how == "any" else choice.how
    if choice.parallel is not None:
        fields["parallel_tool_calls"] = choice.parallel
    return fields


def _to_anthropic(choice: Choice) -> dict[str, Any]:
    if not choice.how and choice.parallel is not False:
        return {}
    sent: dict[str, Any] = {"type": choice.how or "auto"}
    if choice.how == "tool":
        sent["name"] = choice.name
    if choice.parallel is False and choice.how != "none":
        sent["disable_parallel_tool_use"] = True
    return {"tool_choice": sent}
