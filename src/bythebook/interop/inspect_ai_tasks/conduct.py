"""`bythebook/conduct`: every task of the suite is a sample, every epoch a run."""

import hashlib
from fractions import Fraction
from functools import lru_cache

from inspect_ai import Epochs, Task, task
from inspect_ai.dataset import Sample
from inspect_ai.log import HeadlineMetric
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from bythebook import __version__
from bythebook.conduct.company import Company, load_company
from bythebook.conduct.customer.hands import Voice
from bythebook.conduct.customer.voiced import ModelVoice, PromptName, prompt_text
from bythebook.conduct.task import ConductTask, load_tasks
from bythebook.errors import UsageError, suggestion
from bythebook.interop.inspect_ai_tasks.model import Conversation, Conversing
from bythebook.interop.inspect_ai_tasks.place import Staged, named, own_content, play
from bythebook.interop.inspect_ai_tasks.scoring import conduct_verdict
from bythebook.models.types import Settings
from bythebook.run.condition import Condition
from bythebook.run.condition import condition as known_condition
from bythebook.run.conduct import ConductStage
from bythebook.run.folder import EvaluationFolder
from bythebook.run.plan import Customer, Limits, Plan, Under, plan_of
from bythebook.run.simulators import ScriptedCustomers, Simulator

LONGEST = Settings().max_tokens
SCRIPTED = "scripted"
ROLE = "customer"
"""The role of the model that speaks for the customer: `--model-role customer=MODEL`."""


@lru_cache(maxsize=4)
def company_of(content: tuple[str, ...]) -> Company:
    """The company of some content, loaded once."""
    return load_company(own_content(content))


@lru_cache(maxsize=256)
def tasks_of(content: tuple[str, ...], names: tuple[str, ...]) -> tuple[ConductTask, ...]:
    """The tasks of some content by id or prefix, all of them without a name; loaded once."""
    return tuple(load_tasks(own_content(content), company_of(content), names))


@task
def conduct(
    task: str | list[str] | None = None,
    condition: str = "default",
    cap: float | str = "",
    simulator: str = SCRIPTED,
    content: str | list[str] | None = None,
    to: str = "",
) -> Task:
    """Business tasks at a payments company, judged over the whole of what was done.

    `task`: ids or prefixes; `condition` and `cap` as for `bythebook run`; `simulator`: scripted, or
    original or revised: the prompt of the model in the role `customer`; `content`: folders of your
    own; `to`: a folder that keeps the runs as `bythebook run` does.
    """
    chosen = tasks_of(named(content), named(task))
    under = known_condition(condition)
    ratio_of(cap)
    prompt_of(simulator)
    return Task(
        dataset=[sample(one) for one in chosen],
        solver=play_conduct(condition, cap, simulator, content, to),
        scorer=conduct_verdict(),
        config=GenerateConfig(max_tokens=LONGEST),
        epochs=Epochs(3),
        headline_metric=HeadlineMetric(scorer="verdict", score="strict", metric="mean"),
        fail_on_error=False,
        version=__version__,
        metadata={"condition": under.name, "company": chosen[0].company.hash},
    )


def sample(one: ConductTask) -> Sample:
    about = {"title": one.title, "hash": one.hash, "tags": list(one.tags)}
    return Sample(id=one.id, input=one.file.request, metadata=about)


@solver
def play_conduct(
    condition: str = "default",
    cap: float | str = "",
    simulator: str = SCRIPTED,
    content: str | list[str] | None = None,
    to: str = "",
) -> Solver:
    """Plays a sample in the company, with the customer and under the limits of `bythebook run`."""
    under, ratio, prompt = known_condition(condition), ratio_of(cap), prompt_of(simulator)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        (one,) = tasks_of(named(content), (str(state.sample_id),))
        await play(state, _staged(one, under, ratio, prompt), to)
        return state

    return solve


def _staged(
    one: ConductTask, under: Condition, ratio: Fraction | None, prompt: PromptName | None
) -> Staged:
    customers: Simulator = ScriptedCustomers() if prompt is None else RoleCustomers(prompt)

    def staged(cast: Conversing, folder: EvaluationFolder, runs: int) -> tuple[Plan, ConductStage]:
        terms = Under(under, ratio, Limits(), customer=customers.customer)
        plan = plan_of([one], cast, runs=runs, under=terms)
        return plan, ConductStage(folder, [one], cast, plan, customers)

    return staged


class RoleCustomers:
    """A model in Inspect's role `customer`, under one of the shipped prompts."""

    def __init__(self, prompt: PromptName) -> None:
        self._prompt = prompt

    @property
    def customer(self) -> Customer:
        model = _of_role()
        return Customer(
            name=model.name,
            prompt=self._prompt,
            prompt_hash=hashlib.sha256(prompt_text(self._prompt).encode()).hexdigest(),
            settings=model.sent(Settings()),
        )

    def voice(self, task: ConductTask) -> Voice:
        return ModelVoice(task.scenario, task.file.request, _of_role(), prompt=self._prompt)

    async def close(self) -> None:
        """There is nothing to close."""


def _of_role() -> Conversation:
    """A conversation with the model of the role; a task's settings do not go over to roles."""
    model = get_model(role=ROLE)
    return Conversation(model, GenerateConfig(max_tokens=model.config.max_tokens or LONGEST))


def ratio_of(cap: float | str) -> Fraction | None:
    """The ratio as it was written: 1.2 is 6/5."""
    if cap == "":
        return None
    try:
        found = Fraction(str(cap))
    except (ValueError, ZeroDivisionError):
        found = Fraction(0)
    if found <= 0:
        raise UsageError(f"cap={cap!r} is not a ratio such as 1.2")
    return found


def prompt_of(simulator: str) -> PromptName | None:
    """The prompt of a model that speaks for the customer; None: a script does."""
    match simulator:
        case "scripted":
            return None
        case "original" | "revised":
            return simulator
    hint = suggestion(simulator, (SCRIPTED, "original", "revised"))
    raise UsageError(f"no simulator {simulator!r}", hint=hint)
