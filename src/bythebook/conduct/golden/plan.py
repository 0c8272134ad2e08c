"""`golden.yaml`: one valid execution of a task as a partial order of steps.

    slack: 5                                   minutes that may be lost; `unlimited` if none is due
    slack_before: exec                         the last step before which they may be lost
    values: {lines: [...]}                     data that several steps hold: `$lines`
    free: [message_customer.text, bye.text]    arguments that are not judged: tool.arg or step.arg
    steps:
      - {id: adv, call: propose_advice, with: {file: RF-0917, lines: $lines}}
      - {id: ask, call: request_approval, with: {subject: $adv.id}, after: adv}

`after` states the orders that a rule demands; references order steps by themselves. The order of
the file is one of those allowed. Base tools and business tools are called alike by their names.
`optional: true` says that a step can be left out; steps that only read can be anyway, unless
`optional: false` says that a rule asks for the reading.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from bythebook import yamlfile
from bythebook.conduct.company import Company
from bythebook.conduct.counter import BASE
from bythebook.conduct.golden.reference import (
    Astray,
    Ref,
    follow,
    references,
    replaced,
    spec_at,
    symbolic,
)
from bythebook.errors import ContentError, suggestion, unknown
from bythebook.tool import Tool

FINISH = "finish"
UNJUDGED = frozenset({"wait", FINISH})
"""Base tools that no rule speaks of: they only let time pass, or end the work."""


class StepEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"args": "with"}):
    """One step as it stands in a file."""

    id: str
    call: str
    args: dict[str, Any] = {}
    after: str | tuple[str, ...] = ()
    optional: bool | None = None


class GoldenFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`golden.yaml`, `golden-<name>.yaml`."""

    steps: tuple[StepEntry, ...]
    slack: int | Literal["unlimited"]
    slack_before: str = ""
    values: dict[str, Any] = {}
    free: tuple[str, ...] = ()


class Step(msgspec.Struct, frozen=True):
    """One use of a tool. `args` is symbolic: a `Ref` stands for what is not yet known."""

    id: str
    call: str
    args: dict[str, Any]
    after: tuple[str, ...] = ()
    """Steps that a rule wants before this one."""
    optional: bool | None = None
    """true: it can be left out. false: it cannot, though it only reads. None: a step that writes
    cannot be left out, one that only reads can."""

    def needs(self) -> frozenset[str]:
        """Names of the steps and values that the arguments refer to."""
        return frozenset(ref.name for ref in references(self.args))


class Golden(msgspec.Struct, frozen=True):
    """One valid execution; the order of `steps` is one of those that `after` allows."""

    name: str
    path: Path
    steps: tuple[Step, ...]
    values: dict[str, Any]
    slack: int | None
    """Minutes that may be lost; None: as many as one likes."""
    slack_before: str
    free: frozenset[str]

    def is_free(self, step: Step, argument: str) -> bool:
        """The argument is not judged."""
        return not self.free.isdisjoint({f"{step.call}.{argument}", f"{step.id}.{argument}"})

    def script(self) -> tuple[Step, ...]:
        """The steps with the named values filled in."""
        return expanded(self.steps, self.values)


def expanded(steps: Iterable[Step], values: Mapping[str, Any]) -> tuple[Step, ...]:
    """Steps with references to `values` replaced; those to other steps stay."""

    def meaning(ref: Ref) -> Any:
        return follow(values[ref.name], ref.path) if ref.name in values else ref

    return tuple(msgspec.structs.replace(step, args=replaced(step.args, meaning)) for step in steps)


def tool_of(company: Company, call: str) -> Tool | None:
    """The tool that a step calls."""
    return BASE.get(call) or company.tools.get(call)


def argument_names(company: Company, call: str) -> list[str]:
    """The arguments that a tool takes."""
    tool = tool_of(company, call)
    return [name for name in tool.hints if name != "return"] if tool else []


def load_golden(path: Path, company: Company) -> Golden:
    """Read and check one golden. Raises `ContentError` naming file and step."""
    file = yamlfile.load(path, GoldenFile)
    steps = tuple(step_of(entry) for entry in file.steps)
    golden = Golden(
        name=path.stem.removeprefix("golden").removeprefix("-"),
        path=path,
        steps=steps,
        values=file.values,
        slack=None if file.slack == "unlimited" else file.slack,
        slack_before=file.slack_before,
        free=frozenset(file.free),
    )
    check_steps(steps, file.values, company, where=path)
    _check_order(steps, path)
    _check_rest(golden, company)
    return golden


def load_goldens(folder: Path, company: Company) -> dict[str, Golden]:
    """The goldens of a task folder by name; the main one's name is empty and it comes first."""
    paths = [folder / "golden.yaml", *sorted(folder.glob("golden-*.yaml"))]
    return {golden.name: golden for golden in (load_golden(path, company) for path in paths)}


def step_of(entry: StepEntry) -> Step:
    """A step of a file with its references recognised."""
    after = (entry.after,) if isinstance(entry.after, str) else entry.after
    return Step(entry.id, entry.call, symbolic(entry.args), after, entry.optional)


# --- checks -------------------------------------------------------------------------------------


def check_steps(
    steps: tuple[Step, ...], values: Mapping[str, Any], company: Company, *, where: Path | str
) -> None:
    """Each step names a tool, arguments that fit it, and references that lead somewhere."""
    known: dict[str, Step] = {}
    for step in steps:
        if step.id in known:
            raise ContentError(f"step {step.id!r} stands here twice", where=where)
        if step.id in values:
            raise ContentError(f"{step.id!r} names a step and a value", where=where)
        known[step.id] = step
    for step in steps:
        place = f"{where}, step {step.id!r}"
        for name in step.after:
            if name not in known:
                raise unknown("step", name, known, where=place)
        _check_call(step, known, values, company, place)


def _check_call(
    step: Step, known: Mapping[str, Step], values: Mapping[str, Any], company: Company, where: str
) -> None:
    tool = tool_of(company, step.call)
    if tool is None:
        raise unknown("tool", step.call, (*BASE, *company.tools), where=where)
    if step.call == "call_tool":
        hint = "a business tool is called like a base tool: `call: its_name`"
        raise ContentError("a step names the tool itself, not call_tool", where=where, hint=hint)
    names = argument_names(company, step.call)
    for name, value in step.args.items():
        if name not in names:
            raise unknown(f"argument of {step.call}", name, names, where=where)
        for ref in references(value):
            _check_reference(ref, known, values, company, f"{where}, {name}")
    required = [f.name for f in msgspec.structs.fields(tool.arguments) if f.required]
    for name in required:
        if name not in step.args:
            raise ContentError(f"{step.call} needs the argument {name!r}", where=where)
    _check_literals(step, values, tool, where)


def _check_literals(step: Step, values: Mapping[str, Any], tool: Tool, where: str) -> None:
    """Arguments that are known already fit the tool's types."""
    (filled,) = expanded([step], values)
    for name, value in filled.args.items():
        if not list(references(value)):
            yamlfile.fit(value, tool.hints[name], where=f"{where}, {name}")


def _check_reference(
    ref: Ref, known: Mapping[str, Step], values: Mapping[str, Any], company: Company, where: str
) -> None:
    if ref.name in values:
        try:
            follow(values[ref.name], ref.path)
        except Astray as error:
            what = f"{ref} leads nowhere: {error.args[0]!r} is not in the value"
            raise ContentError(what, where=where) from None
        return
    if ref.name not in known:
        raise unknown("step or value", ref.name, (*known, *values), where=where)
    result = company.schema.calls[known[ref.name].call].result
    try:
        spec_at(result, ref.path)
    except Astray as error:
        part, fields = error.args
        what = f"{ref} leads nowhere: the answer of {known[ref.name].call} has no {part!r} there"
        raise ContentError(what, where=where, hint=suggestion(part, fields)) from None


def _check_order(steps: tuple[Step, ...], path: Path) -> None:
    places = {step.id: place for place, step in enumerate(steps)}
    before = {step.id: {*step.after, *(step.needs() & places.keys())} for step in steps}
    for step in steps:
        for name in sorted(before[step.id]):
            if places[name] < places[step.id]:
                continue
            where = f"{path}, step {step.id!r}"
            if step.id in _ancestors(name, before):
                raise ContentError(f"it and {name!r} each come after the other", where=where)
            raise ContentError(
                f"it comes after {name!r} but stands before it",
                where=where,
                hint="the order of the file is one of the orders that are allowed",
            )


def _ancestors(step: str, before: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    todo = [step]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += before[name]
    return found


def _check_rest(golden: Golden, company: Company) -> None:
    path, steps = golden.path, {step.id: step for step in golden.steps}
    if not steps or golden.steps[-1].call != FINISH:
        raise ContentError("the last step calls finish", where=path)
    if sum(step.call == FINISH for step in golden.steps) != 1:
        raise ContentError("no step but the last calls finish", where=path)
    _check_slack(golden, steps)
    _check_values(golden)
    for entry in sorted(golden.free):
        _check_free(entry, steps, company, path)


def _check_slack(golden: Golden, steps: Mapping[str, Step]) -> None:
    path = golden.path
    if golden.slack is not None and golden.slack < 0:
        raise ContentError("slack is a number of minutes", where=path)
    if golden.slack is not None and not golden.slack_before:
        hint = "name the last step before which the slack may be lost"
        raise ContentError("slack_before is missing", where=path, hint=hint)
    if golden.slack_before and golden.slack_before not in steps:
        raise unknown("step", golden.slack_before, steps, where=f"{path}, slack_before")


def _check_values(golden: Golden) -> None:
    used = {name for step in golden.steps for name in step.needs()}
    for name, value in golden.values.items():
        if name not in used:
            raise ContentError(f"no step uses the value {name!r}", where=golden.path)
        if list(references(symbolic(value))):
            raise ContentError(f"value {name!r} refers to a step", where=golden.path)


def _check_free(entry: str, steps: Mapping[str, Step], company: Company, path: Path) -> None:
    owner, _, argument = entry.partition(".")
    called = {step.call for step in steps.values()}
    name = steps[owner].call if owner in steps else owner
    if name not in called:
        raise unknown("step or called tool", owner, (*steps, *called), where=f"{path}, free")
    names = argument_names(company, name)
    if argument not in names:
        raise unknown(f"argument of {name}", argument, names, where=f"{path}, free")
