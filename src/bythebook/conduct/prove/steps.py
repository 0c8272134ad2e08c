"""Variants made by editing a golden's steps, each with the verdict it must get.

operator     must fail                                    must pass
drop         a step that writes                           an optional step, or one that reads
duplicate    a tool that is not repeatable *              a repeatable one, within the slack
order        each `after` reversed                        200 random orders, seeded
delay        slack + 1 minutes lost                       the slack lost
argument     each place one step away
value        the same datum changed in every step
spelling                                                  lists turned round, 25 as 25.0
reading                                                   more reads, in odd places

* a second call that is refused writes nothing: either verdict is right
"""

from collections.abc import Iterator
from random import Random  # noqa: TID251 - seeded: the same orders in every proof
from typing import Any

import msgspec

from bythebook.conduct.golden.plan import UNJUDGED, Golden, Step, expanded, tool_of
from bythebook.conduct.golden.reference import Ref, follow
from bythebook.conduct.golden.rehearsal import Rehearsal
from bythebook.conduct.prove.orders import arranged, demanded, random_orders, reversed_edge
from bythebook.conduct.prove.values import Neighbours, floated, permuted
from bythebook.conduct.prove.variant import Expect, Variant
from bythebook.conduct.schema import Spec
from bythebook.conduct.task import ConductTask

ORDERS = 200
SEED = 29
DELAY = "delay"


class Editor:
    """Makes the variants of one golden."""

    def __init__(self, task: ConductTask, golden: Golden, rehearsal: Rehearsal) -> None:
        self.task, self.golden = task, golden
        self.script = golden.script()
        self.recorded = rehearsal.results
        self.neighbours = Neighbours(rehearsal.tables, self._meaning, task.scenario.file.party)
        self.minutes = max(rehearsal.events[i].t for i in rehearsal.calls)

    def variants(self) -> Iterator[Variant]:
        """All of them, in a fixed order."""
        for make in (
            self.drops,
            self.duplicates,
            self.reversals,
            self.orders,
            self.delays,
            self.arguments,
            self.values,
            self.spellings,
            self.readings,
        ):
            yield from make()

    # --- what is judged ---------------------------------------------------------------------

    def writes(self, step: Step) -> bool:
        tool = tool_of(self.task.company, step.call)
        return tool is not None and tool.writes

    def judged(self, step: Step) -> bool:
        """Rules speak of this step: it writes, or its author says that its reading is asked for."""
        if step.call in UNJUDGED:
            return False
        return self.writes(step) or step.optional is False

    def required(self, step: Step) -> bool:
        return self.judged(step) and not step.optional

    def spec(self, step: Step, argument: str) -> Spec:
        return self.task.company.schema.calls[step.call].args[argument]

    def judged_arguments(self) -> Iterator[tuple[int, Step, str, Any]]:
        """Place, step, name and value of every argument that is judged."""
        for place, step in enumerate(self.script):
            if self.required(step):
                for name, value in step.args.items():
                    if not self.golden.is_free(step, name):
                        yield place, step, name, value

    def _meaning(self, ref: Ref) -> Any:
        return follow(self.recorded[ref.name], ref.path)

    def _with(self, changes: dict[int, dict[str, Any]]) -> tuple[Step, ...]:
        """The script with some arguments of some steps replaced."""
        steps = list(self.script)
        for place, args in changes.items():
            steps[place] = msgspec.structs.replace(steps[place], args={**steps[place].args, **args})
        return tuple(steps)

    # --- operators --------------------------------------------------------------------------

    def drops(self) -> Iterator[Variant]:
        for place, step in enumerate(self.script):
            if step.call in UNJUDGED:
                continue
            expect: Expect = "fail" if self.required(step) else "pass"
            rest = (*self.script[:place], *self.script[place + 1 :])
            says = f"without {step.id} ({step.call})"
            yield Variant(operator="drop", says=says, expect=expect, steps=rest)

    def duplicates(self) -> Iterator[Variant]:
        for place, step in enumerate(self.script):
            tool = tool_of(self.task.company, step.call)
            if tool is None or not self.judged(step) or not tool.writes:
                continue
            again = msgspec.structs.replace(step, id=f"{step.id} again")
            steps = (*self.script[: place + 1], again, *self.script[place + 1 :])
            slack = self.golden.slack
            late = slack is not None and tool.minutes > slack
            expect: Expect = "fail" if not tool.repeatable else "either" if late else "pass"
            yield Variant(
                operator="duplicate",
                says=f"{step.id} ({step.call}) twice",
                expect=expect,
                steps=steps,
                unless_refused=again.id,
            )

    def reversals(self) -> Iterator[Variant]:
        known = {step.id: step for step in self.script}
        for step in self.golden.steps:
            for name in step.after:
                if self.required(step) and self.required(known[name]):
                    order = reversed_edge(self.golden, name, step.id)
                    says = f"{name} ({known[name].call}) after {step.id} ({step.call})"
                    steps = arranged(self.script, order)
                    yield Variant(operator="order", says=says, expect="fail", steps=steps)

    def orders(self) -> Iterator[Variant]:
        seen = {tuple(step.id for step in self.script)}
        random = Random(SEED)
        for number, order in enumerate(random_orders(self.golden, ORDERS, random)):
            if order not in seen:
                seen.add(order)
                steps = arranged(self.script, order)
                says = f"allowed order {number}: {self._moved(order)}"
                yield Variant(operator="order", says=says, expect="pass", steps=steps)

    def _moved(self, order: tuple[str, ...]) -> str:
        """The judged steps of an order, for an author to look at."""
        judged = {step.id for step in self.script if self.judged(step)}
        return " ".join(name for name in order if name in judged)

    def delays(self) -> Iterator[Variant]:
        slack = self.golden.slack
        lengths: list[tuple[int, Expect]] = []
        if slack is None:
            lengths.append((max(self.minutes, 1), "pass"))
        else:
            lengths += [(slack, "pass")] if slack else []
            lengths.append((slack + 1, "fail"))
        for place, step in enumerate(self.script):
            if self.judged(step):
                for minutes, expect in lengths:
                    wait = Step(f"{minutes} minutes before {step.id}", "wait", {"minutes": minutes})
                    yield Variant(
                        operator=DELAY,
                        says=f"{minutes} minutes lost before {step.id} ({step.call})",
                        expect=expect,
                        steps=(*self.script[:place], wait, *self.script[place:]),
                    )
            if step.id == self.golden.slack_before:
                break

    def arguments(self) -> Iterator[Variant]:
        for place, step, name, value in self.judged_arguments():
            for new, says in self.neighbours.of(value, self.spec(step, name)):
                yield Variant(
                    operator="argument",
                    says=f"{step.id} ({step.call}).{name}: {says}",
                    expect="fail",
                    steps=self._with({place: {name: new}}),
                )

    def values(self) -> Iterator[Variant]:
        """One datum changed everywhere: what `values:` names, and ids and numbers that several
        steps hold under one name."""
        for name, spec in self._named_values().items():
            for new, says in self.neighbours.of(self.golden.values[name], spec):
                steps = expanded(self.golden.steps, {**self.golden.values, name: new})
                yield Variant(
                    operator="value", says=f"${name} everywhere: {says}", expect="fail", steps=steps
                )
        for (name, literal), places in self._repeated().items():
            step = self.script[places[0]]
            for new, says in self.neighbours.of(literal, self.spec(step, name)):
                yield Variant(
                    operator="value",
                    says=f"{name} in {len(places)} steps: {says}",
                    expect="fail",
                    steps=self._with({place: {name: new} for place in places}),
                )

    def _named_values(self) -> dict[str, Spec]:
        """Named values that stand whole in arguments of two or more judged steps."""
        uses: dict[str, list[Spec]] = {}
        for step in self.golden.steps:
            for name, value in step.args.items() if self.required(step) else ():
                if not isinstance(value, Ref) or self.golden.is_free(step, name):
                    continue
                if value.name in self.golden.values and not value.path:
                    uses.setdefault(value.name, []).append(self.spec(step, name))
        return {name: specs[0] for name, specs in uses.items() if len(specs) > 1}

    def _repeated(self) -> dict[tuple[str, Any], list[int]]:
        """Literal scalars that two or more judged steps hold under one argument name."""
        found: dict[tuple[str, Any], list[int]] = {}
        for place, _, name, value in self.judged_arguments():
            if isinstance(value, str | int) and not isinstance(value, bool):
                found.setdefault((name, value), []).append(place)
        return {key: places for key, places in found.items() if len(places) > 1}

    def spellings(self) -> Iterator[Variant]:
        spelled = {
            place: {name: floated(value) for name, value in step.args.items()}
            for place, step in enumerate(self.script)
        }
        yield Variant(
            operator="spelling",
            says="every number as 25.0",
            expect="pass",
            steps=self._with(spelled),
        )
        for place, step, name, value in self.judged_arguments():
            for new in permuted(value):
                yield Variant(
                    operator="spelling",
                    says=f"{step.id} ({step.call}).{name}: a list turned round",
                    expect="pass",
                    steps=self._with({place: {name: new}}),
                )

    def readings(self) -> Iterator[Variant]:
        """Looking around changes no verdict, whenever and however often."""
        reads = [step for step in self.script if not self.writes(step) and not step.needs()]
        reads = [step for step in reads if step.call not in UNJUDGED]
        looks = [Step("look", "now", {}), *reads]
        more: list[Step] = []
        for place, step in enumerate(self.script):
            look = looks[place % len(looks)]
            more += [msgspec.structs.replace(look, id=f"look {place}"), step]
        yield Variant(operator="reading", says="more reads", expect="pass", steps=tuple(more))
        ready = {step.id for step in reads if not demanded(self.golden)[step.id]}
        first = [step for step in self.script if step.id in ready]
        rest = [step for step in self.script if step.id not in ready]
        steps = (*first, *rest)
        yield Variant(operator="reading", says="reads before all else", expect="pass", steps=steps)
        few = tuple(step for step in self.script if self.judged(step) or step.call in UNJUDGED)
        yield Variant(operator="reading", says="no reads at all", expect="pass", steps=few)
