"""A small shop and its rules, for guards over what passes by."""

from pathlib import Path

from bythebook.guard import Guard, Journal, TraceRules
from bythebook.interop.rulebook import Rulebook, read_rulebook

RULES = """
policy: {name: The shop's rules}
tables:
  orders: {status: "pending | delivered | refunded", owner: str}
tools:
  get_order: {args: {id: str}, result: &order {status: str, owner: str}}
  refund: {args: {id: str}, result: *order, also: [shop_refund]}
  message_customer: {args: {text: str}}
  wipe: {args: {}}
track:
  - on: [call('get_order') as c, call('refund') as c]
    table: orders
    key: c.args.id
    set: c.result
criteria:
  - id: looked
    kind: process
    says: An order is looked up before it is refunded.
    source: {family: Refunds, clause: "1"}
    before: call('refund') as b
    needs: call('get_order') as a
    match: a.args.id == b.args.id
  - id: delivered
    kind: protection
    says: Only a delivered order is refunded.
    source: {family: Refunds, clause: "2"}
    whenever: call('refund') as c
    require: row('orders', c.args.id).status == 'delivered'
  - id: once
    kind: protection
    says: No more than two refunds in a conversation.
    source: {family: Refunds, clause: "3"}
    count: call('refund')
    at_most: 2
  - id: wiped
    kind: protection
    says: Nothing is wiped.
    source: {family: Refunds, clause: "4"}
    never: attempt('wipe')
  - id: agreed
    kind: process
    says: A refund needs a yes.
    source: {family: Refunds, clause: "5"}
    heuristic: true
    before: call('refund') as b
    needs: message('customer') as m where agrees(m.args.text)
"""


def book(text: str = RULES) -> Rulebook:
    return read_rulebook(text, where="shop.yaml")


class Clock:
    """Time that moves when it is told to."""

    def __init__(self, at: float = 1_760_000_000.0) -> None:
        self.at = at

    def __call__(self) -> float:
        return self.at


def guard_of(text: str = RULES, journal: Path | None = None, **more: object) -> Guard:
    kept = Journal(journal) if journal else None
    rules = TraceRules(book(text), hears=bool(more.pop("hears", True)))
    return Guard(rules, journal=kept, clock=Clock(), **more)  # type: ignore[arg-type]  # options of Guard by name
