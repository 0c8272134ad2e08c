"""Whatever an agent does, the company stays whole: no cent appears or vanishes, no row breaks, time
does not run back, nothing happens behind the trace.

A machine presses every button of the shipped company in every shipped task's opening. A long run:
`COMPANY_EXAMPLES=6000 pytest --timeout 0 tests/alder/test_company_stays_whole.py`.
"""

import itertools
import os
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
from hypothesis import HealthCheck, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from bythebook.agents.protocol import Answer, Call, Move
from bythebook.alder.desks.accounts import credit
from bythebook.conduct.company import load_company
from bythebook.conduct.counter import BASE
from bythebook.conduct.criteria import SceneFile, evaluate, score
from bythebook.conduct.customer.scripted import ScriptedVoice
from bythebook.conduct.golden.cast import Scripts, golden_calls
from bythebook.conduct.play import at_once
from bythebook.conduct.scene import Limits, Scene
from bythebook.conduct.task import ConductTask, load_tasks
from bythebook.conduct.world import Row, World, state_hash, valid
from bythebook.task import Content
from bythebook.tool import Tool
from bythebook.trace import Closing, Event, Header, parse_trace
from tests.alder.ledger import PLACES, total
from tests.alder.monkey import Dice, arguments, doing_something_with, one_of_the_story

EXAMPLES = int(os.environ.get("COMPANY_EXAMPLES", "60"))
ENDLESS = Limits(tool_errors=None)
dice: st.SearchStrategy[Dice] = st.randoms(use_true_random=True)


@cache
def tasks() -> tuple[ConductTask, ...]:
    content = Content()
    return tuple(load_tasks(content, load_company(content)))


@cache
def task_of(name: str, *, richer: bool) -> tuple[ConductTask, SceneFile]:
    task = next(one for one in tasks() if one.id == name)
    played = motley(task) if richer else task
    return played, SceneFile.build(played)


def motley(task: ConductTask) -> ConductTask:
    """The same task in a company where everybody has accounts and reserves of every kind and
    currency, and promises, refunds and files went every way: less like life, richer in trouble."""
    kept = task.file.overlay
    more = {name: (*kept.get(name, ()), *rows) for name, rows in _more(task.opening.tables).items()}
    file = msgspec.structs.replace(task.file, overlay=kept | more)
    return msgspec.structs.replace(task, file=file)


def _more(tables: Any) -> dict[str, list[dict[str, Any]]]:
    def like(table: str, **changes: Any) -> list[dict[str, Any]]:
        rows = [msgspec.to_builtins(row) for row in tables[table].values()]
        return [row | {"id": f"{row['id']}-more"} | changes for row in rows]

    owners = sorted({row.owner for row in tables["accounts"].values()})
    kinds = itertools.product(
        owners, ("operating", "fee", "settlement", "suspense"), ("USD", "EUR")
    )
    short = like("promises", status="short", received=100)
    return {
        "accounts": [
            {"id": f"ACC-{owner}-{kind}-{currency}", "owner": owner, "name": "one more",
             "kind": kind, "currency": currency, "balance": 9000}
            for owner, kind, currency in kinds
        ],
        "reserves": like("reserves", currency="EUR", status="free", balance=9000),
        "promises": short,
        "shortfall_claims": [
            {"id": f"CLM-{row['id']}", "promise": row["id"], "amount": 100} for row in short
        ],
        "refunds": like("refunds", amount=1, route="instant", status="returned"),
        "receipt_files": like("receipt_files", month="2025-07", status="open"),
    }  # fmt: skip


@cache
def tools() -> tuple[Tool, ...]:
    """Those that write stand here twice."""
    found = tuple(tasks()[0].company.tools.values())
    return (*found, *(tool for tool in found if tool.writes))


@cache
def scripts(task: str) -> Scripts:
    return Scripts(next(one for one in tasks() if one.id == task))


Tables = dict[str, dict[str, Any]]


def copied(tables: Mapping[str, Mapping[str, Row]]) -> Tables:
    return {name: dict(rows) for name, rows in tables.items()}


def stocks(world: World) -> Iterator[tuple[str, int]]:
    """What can never be below zero, beyond what row classes say of single columns."""
    rows: Any
    for rows in world.tables["rights"].values():
        yield f"free units of {rows.id}", rows.free
    for rows in world.tables["collateral_accounts"].values():
        holds: Any = world.tables["holds"].values()
        held = sum(h.amount for h in holds if h.collateral == rows.id and h.status == "active")
        yield f"unheld part of {rows.id}", rows.balance - rows.held
        yield f"holds of {rows.id} beyond its holds", held - rows.held
        yield f"held on {rows.id} beyond its holds", rows.held - held
    for rows in world.tables["slot_books"].values():
        yield f"instant refunds left in {rows.id}", rows.granted - rows.used
    for rows in (*world.tables["invoices"].values(), *world.tables["credit_memos"].values()):
        yield f"used part of {rows.id}", rows.amount - rows.open
    for rows in world.tables["purchase_orders"].values():
        yield f"missing on {rows.id}", rows.amount - rows.funded
    for rows in world.tables["window_lots"].values():
        yield f"units left in {rows.id}", rows.units - rows.used
    yield from _spent(world, "statement_lines", "slips", "line", ("queued", "posted"))
    yield from _spent(world, "escrow_buffers", "escrow_covers", "buffer", ("active",))
    yield from _spent(world, "receipts", "allocations", "source", ("booked",))
    yield from _spent(world, "sales", "refunds", "sale", ("draft", "released", "returned"))


def _spent(
    world: World, source: str, use: str, column: str, counts: tuple[str, ...]
) -> Iterator[tuple[str, int]]:
    uses: Any = world.tables[use].values()
    row: Any
    for row in world.tables[source].values():
        used = sum(u.amount for u in uses if getattr(u, column) == row.id and u.status in counts)
        yield f"left of {row.id}", (row.balance if hasattr(row, "balance") else row.amount) - used


class Company(RuleBasedStateMachine):
    """One run of one task: its golden, or a wrong execution, up to some point; then somebody who
    presses every button."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[bytes] = []
        self.recent: list[str] = []

    @initialize(name=st.sampled_from([t.id for t in tasks()]), richer=st.booleans(), dice=dice)
    def opens(self, name: str, richer: bool, dice: Dice) -> None:
        self.task, self.file = task_of(name, richer=richer)
        self.scene = Scene(self.task, limits=ENDLESS, record=self._record)
        self.voice = ScriptedVoice(self.task.scenario)
        self.shadow = copied(self.scene.world.tables)
        self.money = total(self.shadow)
        self.short = {what for what, left in stocks(self.scene.world) if left < 0}
        told = (row["id"] for rows in self.task.file.overlay.values() for row in rows)
        self.recent = dice.choice((list(told), []))
        self.scripted = dice.random() < 0.7
        if self.scripted:
            self._follow(dice)
        elif dice.random() < 0.1:
            for _ in range(40):
                self.press("wait", {"minutes": 1440})

    def _follow(self, dice: Dice) -> None:
        """Does as a script of the task does, for a while."""
        script = scripts(self.task.id)
        cases = (*script.cases.counterexamples, *script.cases.twins)
        names = [*("golden" for _ in cases), *(f"counterexample:{name}" for name in cases)]
        name = dice.choice(names)
        agent, seen = script.agent(name), self.scene.briefing
        share = dice.random()
        length = int(share * (1 + golden_calls(script.goldens[""])))
        note(f"{length} calls of {name}")
        answers: Any = seen
        for _ in range(length):
            calls = at_once(agent.move(answers)).calls
            answers = tuple(self.press(call.name, dict(call.args), call.id) for call in calls)

    def _record(self, event: Event) -> None:
        self.lines.append(msgspec.json.encode(event))

    # --- what the agent does ----------------------------------------------------------------

    @rule(dice=dice, often=st.booleans())
    def uses_a_tool(self, dice: Dice, often: bool) -> None:
        tool = dice.choice(tools())
        self.try_out(dice, tool, self.recent[-12:] if often else [])

    @rule(dice=dice)
    def goes_on_with_what_it_has(self, dice: Dice) -> None:
        """Releases, executes, books, recalls, cancels ... one of the last things written."""
        last = self.recent[-dice.choice((3, 12, 200)) :]
        key = one_of_the_story(dice, self.scene.world, dice.choice(last or ["nothing"]))
        fitting = doing_something_with(key, tools(), self.scene.world)
        self.try_out(dice, dice.choice(fitting or tools()), [key])

    @rule(minutes=st.sampled_from((1, 3, 10, 20, 45, 240, 1440, 0, -1, 1441)))
    def waits(self, minutes: int) -> None:
        self.press("wait", {"minutes": minutes})

    @rule(dice=dice, name=st.sampled_from(("request_approval", "request_amendment")))
    def asks_the_customer(self, dice: Dice, name: str) -> None:
        self.try_out(dice, self.task.company.tools[name], self.recent[-6:])

    @rule(dice=dice)
    def looks_around(self, dice: Dice) -> None:
        tool = dice.choice([t for t in BASE.values() if t.name != "finish"])
        if tool.name == "query_records":
            table = dice.choice(sorted(self.scene.world.tables))
            self.press(tool.name, {"table": table, "where": {}})
        else:
            self.try_out(dice, tool, [])

    def try_out(self, dice: Dice, tool: Tool, near: list[str]) -> None:
        args = arguments(dice, tool, self.scene.world, near)
        note(f"{tool.name} {args}")
        if tool.name in BASE:
            self.press(tool.name, args)
        else:
            self.press("call_tool", {"name": tool.name, "arguments": args})

    def press(self, name: str, args: dict[str, Any], id: str = "") -> Answer:
        """One call, and everything that must be true of it whatever it is."""
        scene, world = self.scene, self.scene.world
        scene.outcome, scene.hands.left = None, ""
        before = (world.t, world.hash, list(world.heap), len(scene.events))
        answer = Answer(id, "")
        for call in scene.accept(Move((Call(name, args, id),))):
            answer = scene.take(call)
            if scene.turn is not None:
                said = at_once(self.voice.answer(scene.turn, scene.hands))
                answer = scene.hear(said, answer)
            answer.text.encode()
        event = scene.events[before[3]]
        self._cost(event, *before[:3])
        for one in scene.events[before[3] :]:
            self._happened(one)
        return answer

    def _cost(self, event: Event, t: int, digest: int, heap: list[Any]) -> None:
        world, tool = self.scene.world, self.scene.source
        if not event.ok:
            assert (world.t, world.hash, world.heap) == (t, digest, heap), event
            assert event.writes == ()
            return
        found: Tool = tool.tool(event.name)
        minutes = event.args["minutes"] if event.name == "wait" else found.minutes
        assert world.t == t + minutes, event
        if not found.writes:
            assert event.writes == (), event

    def _happened(self, event: Event) -> None:
        """Its writes lead from the state before to the state after, and are lawful."""
        for table, key, old, new in (msgspec.structs.astuple(w) for w in event.writes):
            valid(new)
            assert self.shadow[table].get(key) == old, event
            assert new.id == key
            self.shadow[table][key] = new
            self.recent.append(key)
            assert table != "approvals" or event.kind == "customer", event
            if table in ("approval_requests", "amendments") and old is not None:
                assert old.status == "open", f"{key} is answered twice"
        assert event.cause is None or self.scene.events[event.cause].actor == "agent"
        assert event.kind != "customer" or event.cause is not None

    # --- what must be true at all times -------------------------------------------------------

    @invariant()
    def the_state_is_what_the_trace_says(self) -> None:
        if hasattr(self, "scene"):
            world = self.scene.world
            assert self.shadow == world.tables
            assert state_hash(world.tables) == world.hash
            times = [event.t for event in self.scene.events]
            assert times == sorted(times)
            assert all(due.due >= world.t for due in world.heap)

    @invariant()
    def no_cent_appears_or_vanishes(self) -> None:
        if hasattr(self, "scene"):
            assert total(self.scene.world.tables) == self.money

    @invariant()
    def no_stock_is_below_zero(self) -> None:
        if hasattr(self, "scene"):
            assert {what for what, left in stocks(self.scene.world) if left < 0} <= self.short

    def teardown(self) -> None:
        if not hasattr(self, "scene"):
            return
        done = len(self.scene.events)
        outcome = self.scene.close()
        for event in self.scene.events[done:]:
            self._happened(event)
        self.no_cent_appears_or_vanishes()
        self.no_stock_is_below_zero()
        self._judged_alike(Closing(outcome, len(self.lines), self.scene.events[-1].h))

    def _judged_alike(self, closing: Closing) -> None:
        """Live and from disk; nothing an agent does voids a rule, and no monkey passes."""
        task, scene = self.task, self.file
        header = Header(
            benchmark="0", suite="conduct", task=task.id, run=1, agent="monkey", scene=scene.sha
        )
        lines = [msgspec.json.encode(header), *self.lines, msgspec.json.encode(closing), b""]
        verdict = score(parse_trace(b"\n".join(lines), where="here"), scene)
        live = evaluate(task.criteria, task.opening, self.scene.events)
        assert msgspec.json.encode(verdict.findings) == msgspec.json.encode(live)
        assert not verdict.void
        assert self.scripted or not verdict.goal


TestCompany = Company.TestCase
TestCompany.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def test_every_balance_is_a_place_where_money_lies() -> None:
    kinds = tasks()[0].company.kinds

    assert {name for name, kind in kinds.items() if "balance" in kind.__struct_fields__} <= {
        *PLACES
    }


def test_a_cent_from_nowhere_is_noticed() -> None:
    world = World(tasks()[0].opening)
    before = total(world.tables)
    credit(world, "ACC-310", 1)

    assert total(world.tables)["USD"] == before["USD"] + 1
