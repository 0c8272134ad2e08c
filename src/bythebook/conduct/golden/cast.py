"""The agents that need no model: goldens, their edits, and those that must never pass.

    golden, golden:NAME        a valid execution
    counterexample:NAME        a golden gone wrong in a named way; or a twin, that is right too
    shortcut                   the counterexample marked so
    stop-at-yes                the golden up to the customer's first consent
    frugal, wasteful:RATIO     the golden without what can be left out; with RATIO times its calls
    idle refuse agree dump     nothing, a no, promises, only looking

None of them waits for anything outside, so `at_once` can play them.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction

from bythebook.agents.baselines import agree, idle, refuse
from bythebook.agents.dump import DumpAgent
from bythebook.agents.protocol import Agent
from bythebook.conduct.golden.agent import StepAgent
from bythebook.conduct.golden.edits import Cases, load_cases
from bythebook.conduct.golden.plan import FINISH, Golden, Step, load_goldens
from bythebook.conduct.golden.rehearsal import Rehearsal, rehearse_golden
from bythebook.conduct.golden.thrift import frugal, wasteful
from bythebook.conduct.task import ConductTask
from bythebook.errors import UsageError, suggestion

BASELINES: Mapping[str, Callable[[], Agent]] = {
    "idle": idle,
    "refuse": refuse,
    "agree": agree,
    "dump": DumpAgent,
}
SCRIPTED = (*BASELINES, "golden", "shortcut", "stop-at-yes", "frugal", "wasteful")
WASTE = "1.6"
"""The ratio of `wasteful` without one: over a cap of 1.5, under one of 2.0."""


class Scripts:
    """A task's goldens and cases, read once, from which its agents are made."""

    def __init__(self, task: ConductTask) -> None:
        self.task = task
        self.goldens = load_goldens(task.folder, task.company)
        self._rehearsals: dict[str, Rehearsal] = {}
        self._cases: Cases | None = None

    @property
    def cases(self) -> Cases:
        """Counterexamples and twins."""
        if self._cases is None:
            path = self.task.folder / "counterexamples.yaml"
            self._cases = load_cases(path, self.goldens, self.task.company)
        return self._cases

    def rehearsal(self, golden: str = "") -> Rehearsal:
        """The golden as it went when played."""
        if golden not in self._rehearsals:
            self._rehearsals[golden] = rehearse_golden(self.task, self.goldens[golden])
        return self._rehearsals[golden]

    def playing(self, name: str, steps: tuple[Step, ...], golden: str = "") -> StepAgent:
        """An agent for steps that come from editing a golden."""
        return StepAgent(name, steps, self.rehearsal(golden).results)

    def agent(self, name: str) -> Agent:
        """A fresh agent by name. Raises `UsageError`."""
        kind, colon, rest = name.partition(":")
        if name in BASELINES:
            return BASELINES[name]()
        if name == "stop-at-yes":
            return self.stopping_at_yes()
        if name == "shortcut":
            case = self.cases.shortcut
            return self.playing(name, case.steps, case.golden)
        if name == "frugal":
            return self.playing(name, frugal(self.goldens[""].script(), self.task.company))
        if kind == "wasteful":
            return self._wasteful(name, rest if colon else WASTE)
        if kind == "golden":
            return self._golden(name, rest if colon else "")
        if kind == "counterexample" and rest:
            return self._case(name, rest)
        hint = suggestion(name, (*SCRIPTED, "golden:NAME", "counterexample:NAME"))
        raise UsageError(f"no scripted agent {name!r}", hint=hint)

    def stopping_at_yes(self) -> StepAgent:
        """The golden up to the customer's first consent, then the end."""
        rehearsal, steps = self.rehearsal(), self.goldens[""].script()
        upto = [step.id for step in steps].index(rehearsal.consent or steps[-1].id)
        end = Step("stop", FINISH, {})
        return self.playing("stop-at-yes", (*steps[: upto + 1], end))

    def _wasteful(self, name: str, ratio: str) -> StepAgent:
        try:
            times = Fraction(ratio)
        except (ValueError, ZeroDivisionError):
            hint = "such as wasteful:1.6"
            raise UsageError(f"{ratio!r} is not a ratio", where=name, hint=hint) from None
        steps = wasteful(self.goldens[""].script(), self.task.company, times)
        return self.playing(name, steps)

    def _golden(self, name: str, wanted: str) -> StepAgent:
        if wanted not in self.goldens:
            known = [golden for golden in self.goldens if golden]
            raise UsageError(f"no golden {wanted!r}", hint=suggestion(wanted, known))
        return self.playing(name, self.goldens[wanted].script(), wanted)

    def _case(self, name: str, wanted: str) -> StepAgent:
        cases = self.cases.counterexamples | self.cases.twins
        if wanted not in cases:
            raise UsageError(f"no counterexample {wanted!r}", hint=suggestion(wanted, cases))
        return self.playing(name, cases[wanted].steps, cases[wanted].golden)


def scripted_agent(name: str, task: ConductTask) -> Agent:
    """A fresh agent by name, for one attempt. Raises `UsageError` with the nearest name."""
    if name in BASELINES:
        return BASELINES[name]()
    return Scripts(task).agent(name)


def golden_calls(golden: Golden) -> int:
    """R_i: all tool calls of a golden, searches, reads and descriptions included."""
    return len(golden.steps)
