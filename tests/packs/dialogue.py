"""Conversations at a desk, as files of tau2 and of tau-bench, and what a pack finds in them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bythebook.interop.check import Checked, check_files
from bythebook.interop.rulebook import Rulebook, load_rulebook
from bythebook.task import Content

ERROR = "Error: "


@dataclass(frozen=True)
class Step:
    """Words, tool calls with their results, or both in one turn."""

    by: str
    text: str = ""
    calls: tuple[tuple[str, Mapping[str, Any], Any], ...] = ()


def customer(text: str) -> Step:
    return Step("user", text)


def agent(text: str) -> Step:
    return Step("assistant", text)


def use(tool: str, result: Any, **args: Any) -> Step:
    return Step("assistant", "", ((tool, args, result),))


@dataclass(frozen=True)
class Talk:
    """One conversation, and edits of it."""

    steps: tuple[Step, ...]

    def at(self, mark: str) -> int:
        """The number of the first step that uses the tool `mark`, or says it."""
        for number, step in enumerate(self.steps):
            if mark in step.text or any(name == mark for name, _, _ in step.calls):
                return number
        raise AssertionError(f"no step with {mark!r}")

    def without(self, *marks: str) -> "Talk":
        found = self
        for mark in marks:
            number = found.at(mark)
            found = Talk(found.steps[:number] + found.steps[number + 1 :])
        return found

    def saying(self, mark: str, text: str) -> "Talk":
        """The step that says `mark` says `text` instead."""
        number = self.at(mark)
        step = Step(self.steps[number].by, text, self.steps[number].calls)
        return Talk((*self.steps[:number], step, *self.steps[number + 1 :]))

    def using(self, tool: str, result: Any = None, **args: Any) -> "Talk":
        """The first call of `tool` is made with these arguments, and gives this result."""
        number = self.at(tool)
        ((name, old, gave),) = self.steps[number].calls
        step = use(name, gave if result is None else result, **{**old, **args})
        return Talk((*self.steps[:number], step, *self.steps[number + 1 :]))

    def before(self, mark: str, *steps: Step) -> "Talk":
        number = self.at(mark)
        return Talk(self.steps[:number] + steps + self.steps[number:])

    def after(self, mark: str, *steps: Step) -> "Talk":
        number = self.at(mark) + 1
        return Talk(self.steps[:number] + steps + self.steps[number:])

    def and_then(self, *steps: Step) -> "Talk":
        return Talk(self.steps + steps)


def talk(*steps: Step) -> Talk:
    return Talk(steps)


def sent(result: Any) -> str:
    return result if isinstance(result, str) else json.dumps(result)


@dataclass
class Writer:
    """Messages of one conversation in the form of one benchmark."""

    modern: bool
    messages: list[dict[str, Any]] = field(default_factory=list)

    def take(self, step: Step) -> None:
        ids = [f"c{len(self.messages)}_{n}" for n in range(len(step.calls))]
        message: dict[str, Any] = {"role": step.by, "content": step.text or None}
        if step.calls:
            named = zip(ids, step.calls, strict=True)
            message["tool_calls"] = [self.call(i, name, args) for i, (name, args, _) in named]
        self.messages.append(message)
        for i, (name, _, result) in zip(ids, step.calls, strict=True):
            self.messages.append(self.result(i, name, sent(result)))

    def call(self, i: str, name: str, args: Mapping[str, Any]) -> dict[str, Any]:
        if self.modern:
            return {"id": i, "name": name, "arguments": dict(args), "requestor": "assistant"}
        said = {"name": name, "arguments": json.dumps(dict(args))}
        return {"id": i, "type": "function", "function": said}

    def result(self, i: str, name: str, text: str) -> dict[str, Any]:
        if self.modern:
            failed = text.startswith(ERROR)
            return {"id": i, "role": "tool", "content": text, "requestor": "assistant"} | (
                {"error": True} if failed else {"error": False}
            )
        return {"role": "tool", "tool_call_id": i, "name": name, "content": text}


def document(talks: Sequence[Talk], *, modern: bool) -> Any:
    """A result file that holds these conversations."""
    found = []
    for one in talks:
        writer = Writer(modern)
        for step in one.steps:
            writer.take(step)
        found.append(writer.messages)
    if modern:
        runs = [
            {"id": f"s{n}", "task_id": str(n), "trial": 0, "messages": m, "reward_info": None}
            for n, m in enumerate(found)
        ]
        return {"info": {"environment_info": {}}, "tasks": [], "simulations": runs}
    return [
        {"task_id": n, "reward": 1.0, "info": {}, "traj": m, "trial": 0}
        for n, m in enumerate(found)
    ]


def pack(name: str) -> Rulebook:
    """A shipped pack."""
    return load_rulebook(Content([]).pack(name))


def checked(book: Rulebook, file: Path) -> list[Checked]:
    """Every conversation of a file, judged."""
    found = []
    for one in check_files(book, [file]):
        assert isinstance(one, Checked), one
        assert not one.odd, one.odd
        found.append(one)
    return found


def judge(book: Rulebook, talks: Sequence[Talk], folder: Path, *, modern: bool) -> list[Checked]:
    """What the rules find in these conversations."""
    file = folder / "runs.json"
    file.write_text(json.dumps(document(talks, modern=modern)))
    return checked(book, file)


def broken(one: Checked) -> set[str]:
    return {found.id for found in one.criteria if found.verdict == "fail"}


def undecided(one: Checked) -> set[str]:
    return {found.id for found in one.criteria if found.verdict in ("uncheckable", "void")}
