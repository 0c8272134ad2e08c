"""Ways round the rules that an agent might try on any shipped task; none of them works."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from bythebook.agents.protocol import Answer, Call, Move, Note
from bythebook.conduct.company import load_company
from bythebook.conduct.consent import Approval
from bythebook.conduct.criteria import evaluate
from bythebook.conduct.customer.scripted import ScriptedVoice
from bythebook.conduct.customer.tools import CUSTOMER
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.play import at_once
from bythebook.conduct.scene import Limits, Scene
from bythebook.conduct.task import ConductTask, load_tasks
from bythebook.task import Content

TASKS = sorted(Content().tasks("conduct"))


@cache
def tasks() -> dict[str, ConductTask]:
    content = Content()
    return {task.id: task for task in load_tasks(content, load_company(content))}


@cache
def scripts(name: str) -> Scripts:
    return Scripts(tasks()[name])


class Played:
    """A task's golden, or another of its agents, with something tried before each call."""

    def __init__(
        self, name: str, before: Callable[["Played", Call], object], agent: str = "golden"
    ) -> None:
        self.task = tasks()[name]
        self.scene = Scene(self.task, limits=Limits(tool_errors=None))
        self.voice = ScriptedVoice(self.task.scenario)
        player = scripts(name).agent(agent)
        seen: Any = self.scene.briefing
        while self.scene.outcome is None:
            move = at_once(player.move(seen))
            answers = []
            for call in move.calls:
                before(self, call)
                answers.append(self.press(call))
            seen = tuple(answers)
            if not move.calls:
                self.scene.accept(move)
        self.scene.close()

    def press(self, call: Call, *notes: Note) -> Answer:
        answer = Answer(call.id, "")
        for one in self.scene.accept(Move((call,), notes=notes)):
            answer = self.scene.take(one)
            if self.scene.turn is not None:
                said = at_once(self.voice.answer(self.scene.turn, self.scene.hands))
                answer = self.scene.hear(said, answer)
        return answer

    @property
    def strict(self) -> bool:
        found = evaluate(self.task.criteria, self.task.opening, self.scene.events)
        return all(finding.verdict == "pass" for finding in found)


def alike(name: str) -> tuple[str, ...]:
    """Names that a person would take for this one."""
    cyrillic = name.translate(str.maketrans("ACEPSY", "\u0410\u0421\u0415\u0420\u0405\u04ae"))
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in name)
    found = (f"{name} ", f" {name}", name.lower(), f"{name}\u200b", f"{name}\n", cyrillic, wide)
    return tuple(other for other in found if other != name)


def misspelt(call: Call, rows: set[str], turn: int) -> Iterator[Call]:
    """The call with each id in it replaced by one that looks alike, and each number by none:
    another one each `turn`."""
    inner = call.name == "call_tool"
    args: dict[str, Any] = dict(call.args["arguments"] if inner else call.args)
    for name, value in args.items():
        wrong: tuple[Any, ...] = ()
        if isinstance(value, str) and value in rows:
            wrong = (*alike(value), [value], {"id": value})
        elif type(value) is int:
            wrong = (str(value), 2**63, -(10**30), 1e300, value + 0.5, [value], True, None)
        for other in wrong[turn % len(wrong) :][:1] if wrong else ():
            changed = args | {name: other}
            sent = {**call.args, "arguments": changed} if inner else changed
            yield Call(call.name, sent, "tried")


@pytest.mark.parametrize("name", TASKS)
def test_what_only_looks_like_a_name_or_a_number_changes_nothing(name: str) -> None:
    taken: list[Call] = []

    def try_all(played: Played, call: Call) -> None:
        rows = {key for rows in played.scene.world.tables.values() for key in rows}
        before = (played.scene.world.hash, played.scene.world.t)
        for wrong in misspelt(call, rows, len(played.scene.events)):
            tool = played.task.company.tools.get(str(wrong.args.get("name")))
            if played.press(wrong).ok and tool is not None and tool.writes:
                taken.append(wrong)
        assert (played.scene.world.hash, played.scene.world.t) == before

    assert Played(name, try_all).strict
    assert taken == []


def players(name: str) -> Iterator[str]:
    """The golden, and each case that uses a tool which none before it has used."""
    cases = scripts(name).cases
    used = {step.call for step in scripts(name).goldens[""].script()}
    yield "golden"
    for case in (cases.counterexamples | cases.twins).values():
        calls = {step.call for step in case.steps}
        if not calls <= used:
            yield f"counterexample:{case.id}"
        used |= calls


@pytest.mark.parametrize("name", TASKS)
def test_a_row_that_is_not_there_is_taken_by_no_tool(name: str) -> None:
    tried: set[tuple[str, str]] = set()
    taken: set[tuple[str, str]] = set()

    def name_nobody(played: Played, call: Call) -> None:
        tool = played.task.company.tools.get(str(call.args.get("name")))
        if call.name != "call_tool" or tool is None or not tool.writes:
            return
        args: dict[str, Any] = call.args["arguments"]
        rows = {key for rows in played.scene.world.tables.values() for key in rows}
        for field, value in args.items():
            if isinstance(value, str) and value in rows and (tool.name, field) not in tried:
                nobody = re.sub("-.*", "-99999", value)
                wrong = {"name": tool.name, "arguments": args | {field: nobody}}
                tried.add((tool.name, field))
                if played.press(Call("call_tool", wrong, "tried")).ok:
                    taken.add((tool.name, field))

    for player in players(name):
        Played(name, name_nobody, player)

    assert len(tried) >= 12
    assert taken == set()


@pytest.mark.parametrize("name", TASKS)
def test_the_customers_tools_are_not_the_agents(name: str) -> None:
    """Not by name, not through `call_tool`, not as a note, not in words."""

    def approve(played: Played, call: Call) -> None:
        if call.name not in ("now", "finish") and "request_approval" not in str(call.args):
            return
        asked = [key for key in played.scene.world.tables["approval_requests"]][-1:]
        for tool in CUSTOMER:
            args = {"request": asked[0] if asked else "ASK-1"}
            assert not played.press(Call(tool, args)).ok
            inside = {"name": tool, "arguments": args}
            assert not played.press(Call("call_tool", inside), Note(tool, args)).ok

    played = Played(name, approve)
    written = [w for e in played.scene.events if e.kind != "customer" for w in e.writes]

    assert Approval.table not in {write.table for write in written}
    assert played.strict


@pytest.mark.parametrize("name", TASKS)
def test_a_golden_whose_requests_are_only_spoken_of_is_not_strict(name: str) -> None:
    """Every consent asked for in prose, and told to be there: a yes in words approves nothing."""
    task = tasks()[name]
    steps = [step for step in Scripts(task).goldens[""].script() if step.call != "request_approval"]
    scene = Scene(task, limits=Limits(tool_errors=None))
    voice = ScriptedVoice(task.scenario)
    agent: Any = Scripts(task).playing("talker", tuple(steps))
    seen: Any = scene.briefing
    while scene.outcome is None:
        move = at_once(agent.move(seen))
        answers = []
        for call in scene.accept(move):
            answer = scene.take(call)
            if scene.turn is not None:
                answer = scene.hear(at_once(voice.answer(scene.turn, scene.hands)), answer)
            answers.append(answer)
        seen = tuple(answers)
    scene.close()
    found = evaluate(task.criteria, task.opening, scene.events)

    assert any(finding.verdict == "fail" for finding in found)
    assert not any(finding.verdict == "void" for finding in found)


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("register_payee", {"owner": "PTY-X", "name": "n", "bank": "b", "ending": "1234",
                            "currency": "USD"}),
        ("request_fx_quote", {"party": "PTY-X", "buy": "EUR", "sell": "USD", "most": 1}),
        ("file_letter", {"merchant": "MER-118", "cardholder": "CDH-X", "sale": None,
                         "given": "2025-09-01", "text": "words"}),
        ("file_letter", {"merchant": "MER-118", "cardholder": "CDH-211", "sale": "SAL-X",
                         "given": "2025-09-01", "text": "words"}),
        ("open_application", {"case": "CASE-X", "applicant": "PTY-2781", "sponsor": "PTY-2781",
                              "product": "collection_account"}),
    ],
)  # fmt: skip
def test_what_is_written_for_somebody_is_written_for_somebody_there_is(
    tool: str, args: dict[str, Any]
) -> None:
    scene = Scene(tasks()[TASKS[0]])

    assert "there is no" in scene.take(Call("call_tool", {"name": tool, "arguments": args})).text
