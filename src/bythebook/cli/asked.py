"""What `bythebook run` was asked for, and the model that plays."""

import re

from bythebook.cli.keys import reached
from bythebook.cli.terms import AskTerms
from bythebook.errors import UsageError
from bythebook.models.types import Settings
from bythebook.run.agents import LOOP, Modelled
from bythebook.run.plan import PICTURES
from bythebook.run.reach import Reach
from bythebook.run.traffic import Traffic
from bythebook.task import Suite


class Ask(AskTerms, frozen=True, kw_only=True):
    """Option by option."""

    suite: Suite
    tasks: tuple[str, ...]
    agent: str
    base_url: str
    key_variable: str | None
    runs: int
    condition: str
    cap: str
    attempts: int
    steps: int | None
    agent_time: int
    context_tokens: int | None
    pictures: int
    max_tokens: int
    temperature: float | None
    seed: int | None
    judge_base_url: str
    judge_key_variable: str | None
    unsafe_no_sandbox: bool

    @property
    def name(self) -> str:
        """Name of the run folder, the same for the same question."""
        parts = [self.suite, self.agent, self.model or ""]
        parts += [
            self.condition if self.condition != "default" else "",
            f"cap{self.cap}" if self.cap else "",
            *self.parts,
        ]
        return "-".join(re.sub(r"[^\w.+-]+", "-", part) for part in parts if part)


def reach(ask: Ask, traffic: Traffic) -> Reach:
    """The model that was asked for. Raises `UsageError` where none is named."""
    if not ask.model:
        hint = "such as --model openai:NAME, or --model local:NAME --base-url URL"
        raise UsageError(f"the agent {ask.agent!r} needs a model", hint=hint)
    where, key = reached(ask.model, ask.base_url, ask.key_variable, dry=ask.dry_run)
    settings = Settings(max_tokens=ask.max_tokens, temperature=ask.temperature, seed=ask.seed)
    return Reach(where, key, settings, traffic=traffic)


def modelled(ask: Ask, traffic: Traffic) -> Modelled:
    """The agent `loop`."""
    return Modelled(reach(ask, traffic), ask.context_tokens, ask.pictures)


def check_pictures(ask: Ask) -> None:
    """Nobody shall believe that a model which cannot see is spared by an option that does nothing.
    Raises `UsageError`."""
    if ask.pictures != PICTURES and (ask.suite, ask.agent) != ("deliverables", LOOP):
        what = "--pictures is for the agent `loop` in the suite `deliverables`"
        raise UsageError(what, hint="leave it out: here it would bound nothing")


def check_no_model(ask: Ask) -> None:
    """An agent without a model takes none."""
    if ask.model:
        hint = f"did you mean --agent {LOOP} --model {ask.model}?"
        raise UsageError(f"the agent {ask.agent!r} takes no model", hint=hint)
