"""Small conversations, written as records, and what rules find in them."""

import json
from collections.abc import Iterable
from typing import Any

from bythebook.interop.check import check_trace
from bythebook.interop.observer import Judged
from bythebook.interop.records import Called, Odd, Record, Returned, Turn
from bythebook.interop.rulebook import Rulebook, read_rulebook
from bythebook.interop.sources.conversation import About, ForeignTrace

HEAD = """
tables:
  bookings: {cabin: "basic | economy | business", price: cents, paid: bool, owner: str?}
  said: {text: str}
tools:
  get: {args: {id: str}, result: &booking {cabin: str, price: cents, paid: bool, owner: str?}}
  change: {args: {id: str, cabin: str?}, result: *booking}
  cancel: {args: {id: str}}
  list: {args: {}, result: {bookings: [{id: str, cabin: str}]}}
track:
  - {on: [call('get') as c, call('change') as c], table: bookings, key: c.args.id, set: c.result}
"""


SOURCE = {"family": "f", "clause": "c"}


def booking(cabin: str = "basic", **more: Any) -> dict[str, Any]:
    return {"cabin": cabin, "price": 12.5, "paid": False, "owner": None} | more


def book(rules: str, head: str = HEAD) -> Rulebook:
    """A rulebook of these rules, which are written as in a file under `criteria:`."""
    return read_rulebook(f"{head}criteria:\n{rules}", where="rules.yaml")


def rule(**fields: Any) -> str:
    """One rule with these fields. `whenever`, `before` and the others are written as they are."""
    head = {"id": "r", "kind": "process", "says": "It holds.", "source": SOURCE}
    return f"  - {json.dumps(head | fields)}\n"


def says(text: str, by: str = "customer", at: float | None = None) -> Turn:
    return Turn(by, text, place=f"{by} says {text}", at=at)  # type: ignore[arg-type]  # an actor


def does(name: str, result: Any = "ok", at: float | None = None, **args: Any) -> list[Record]:
    """A call and what it gave back; `result` is left out by None."""
    called = Called("k", name, args, f"{name} {args}")
    turn = Turn("agent", "", (called,), f"{name} {args}", at)
    return [turn] if result is None else [turn, Returned("k", result, at=at)]


def story(*parts: Record | list[Record]) -> list[Record]:
    return [one for part in parts for one in (part if isinstance(part, list) else [part])]


def judged(rules: Rulebook, records: Iterable[Record], *, cut: str = "") -> Judged:
    """What the one rule finds."""
    trace = ForeignTrace("file", "told", About("1"), records, cut)
    (found,) = check_trace(rules, trace).criteria
    return found


ODD = Odd("record 3", "no message")
