"""`run --preset paper`: the settings of the two papers by one word, and each of them said."""

from typing import Any

import click
from click.core import ParameterSource
from msgspec import Struct
from rich.markup import escape

from bythebook.cli.speak import tell


class Setting(Struct, frozen=True):
    """One option as a paper has it."""

    option: str
    value: Any
    source: str
    unless: tuple[str, str] = ("", "")
    """An option and its value with which this one has no meaning."""


_OPEN = "the paper names none; ours"
PAPER: dict[str, tuple[Setting, ...]] = {
    "conduct": (
        Setting("runs", 3, "BizAgentBench, Table 1: three runs a task (two models have one)"),
        Setting("condition", "default", "Evaluation setup: no golden trace, no unrevealed events"),
        Setting("cap", "", "Evaluation setup: no limit on tool calls, tokens or steps"),
        Setting(
            "simulator",
            "deepseek:deepseek-flash",
            "Evaluation setup: DeepSeek-V4.1-Flash; its provider may serve a newer by this name",
        ),
        Setting(
            "simulator_prompt",
            "revised",
            "Appendix D.2: adopted for evaluation",
            unless=("simulator", "scripted"),
        ),
        Setting("max_tokens", 32_768, "'high enough to avoid truncation'; the number is ours"),
        Setting("agent_time", 3600, f"a wall-clock limit; {_OPEN}"),
        Setting("temperature", None, f"not sent: {_OPEN}"),
    ),
    "deliverables": (
        Setting("runs", 3, "StartupBench, Section 4.1: three independent runs"),
        Setting("steps", 200, "Section 4.1: at most 200 steps a run"),
        Setting("agent", "nanobot", "Section 4.1: the same nanobot harness for every model"),
        Setting(
            "judge",
            "harness:nanobot/openai:gpt-5.5",
            "Section 4.1: GPT-5.5 under nanobot, a session for each item",
        ),
        Setting("max_tokens", 32_768, _OPEN),
        Setting("agent_time", 3600, _OPEN),
        Setting("temperature", None, f"not sent: {_OPEN}"),
    ),
}
"""50 tool errors end a run of `conduct` (a threshold; the paper gives no number): no option."""


def applied(given: dict[str, Any], name: str | None) -> dict[str, Any]:
    """The options with a preset's in the place of what was not typed. What was typed stays, and is
    told as a difference."""
    if name is None:
        return given
    ctx, found = click.get_current_context(), dict(given)
    for setting in PAPER[given["suite"]]:
        other, value = setting.unless
        if other and found[other] == value:
            continue
        typed = ctx.get_parameter_source(setting.option) is ParameterSource.COMMANDLINE
        if not typed:
            found[setting.option] = setting.value
        option = "--" + setting.option.replace("_", "-")
        shown = "not set" if found[setting.option] in (None, "") else found[setting.option]
        differs = typed and found[setting.option] != setting.value
        mark = f" [yellow](the paper's is {setting.value or 'not set'})[/]" if differs else ""
        tell(f"  {option} {escape(str(shown))}{mark}: {escape(setting.source)}")
    return found
