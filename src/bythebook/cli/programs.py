"""Programs that an agent is or starts: the harness that was asked for, and what holds them."""

from pathlib import Path
from typing import TypeVar

from bythebook.cli.asked import Ask, reach
from bythebook.cli.speak import tell
from bythebook.harness.harnesses import HARNESSES, named
from bythebook.harness.workplace import WINDOW
from bythebook.run.engaged import Engaged
from bythebook.run.folder import EvaluationFolder
from bythebook.run.traffic import Traffic
from bythebook.sandbox.layout import Kind
from bythebook.sandbox.machine import demand
from bythebook.task import Content

Player = TypeVar("Player", bound=Engaged)

UNSAFE = (
    "[bold red]no sandbox:[/] the agent's programs can read and write whatever you can, rubrics and"
    " keys too; plan.json says so"
)


def is_harness(agent: str) -> bool:
    """Is it a harness that `--agent` names, in whatever version?"""
    return agent.partition("==")[0] in HARNESSES


def window(ask: Ask) -> int | None:
    """Tokens that a conversation may have; a harness is told some number in any case."""
    return ask.context_tokens or (WINDOW if is_harness(ask.agent) else None)


def held(ask: Ask) -> Kind:
    """The sandbox that the agent's programs are to have. Raises `UsageError` where none can be had,
    unless that is wanted."""
    if ask.unsafe_no_sandbox:
        tell(UNSAFE)
    return demand(unsafe=ask.unsafe_no_sandbox)


def engaged(
    ask: Ask, kind: Kind, secrets: tuple[Path, ...], traffic: Traffic, player: type[Player]
) -> Player:
    """The harness that was asked for, at a suite. `secrets`: folders that are hidden from it."""
    return player(
        named(ask.agent),
        reach(ask, traffic),
        kind,
        context_tokens=window(ask),
        secrets=secrets,
    )


def hidden(folder: EvaluationFolder, found: Content) -> tuple[Path, ...]:
    """Folders that no agent's program may see."""
    return (folder.root.resolve(), *(root.resolve() for root in found.roots))
