"""What the runs of one folder took: tokens and money by role, attempts that do not count included.

Counted from what is on disk: notes of usage in traces, and the judgements' own.
"""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from bythebook.errors import ContentError
from bythebook.models.price import PriceLine, PriceTable, shipped
from bythebook.models.types import Usage
from bythebook.run.durable import write_whole
from bythebook.run.folder import EvaluationFolder, RunFolder, as_text
from bythebook.run.plan import Plan

PRICES = "prices.json"
"""In the run folder: the lines of the price table that its last command went by."""


class Spending(msgspec.Struct, frozen=True, kw_only=True):
    """Of one role: agent, customer or judge."""

    model: str
    calls: int = 0
    """Replies of the model; of a judge, its sessions."""
    again: int = 0
    """Requests sent once more before a reply came."""
    input: int = 0
    output: int = 0
    cached: int = 0
    """Part of `input`."""
    stored: int = 0
    """Part of `input`."""
    reasoning: int = 0
    """Part of `output`."""
    cost: Decimal | None = None
    """US dollars; None where the model has no price."""
    set_aside: Decimal | None = None
    """The part of `cost` that went into attempts that do not count."""
    price: PriceLine | None = None


class Accounts(msgspec.Struct, frozen=True, kw_only=True):
    """Of one evaluation."""

    cost: Decimal | None
    """US dollars, all roles; None where a model has no price."""
    roles: dict[str, Spending]

    @property
    def calls(self) -> int:
        """Replies of models and sessions of judges, over all roles."""
        return sum(role.calls for role in self.roles.values())


class _Note(msgspec.Struct, frozen=True):
    kind: str
    actor: str
    name: str
    args: msgspec.Raw


class _Times(msgspec.Struct, frozen=True):
    times: int


class _Heard(msgspec.Struct, frozen=True):
    judge: str
    usage: Usage = Usage()


_NOTE = msgspec.json.Decoder(_Note)
_USAGE = msgspec.json.Decoder(Usage)
_TIMES = msgspec.json.Decoder(_Times)
_HEARD = msgspec.json.Decoder(_Heard)


class _Account:
    """One role while it is added up."""

    def __init__(self, model: str, price: PriceLine | None) -> None:
        self.model, self.price = model, price
        self.found = dict.fromkeys(
            ("calls", "again", "input", "output", "cached", "stored", "reasoning"), 0
        )
        self.cost = self.aside = Decimal(0)

    def add(self, usage: Usage, *, aside: bool) -> None:
        self.found["calls"] += 1
        for name in ("input", "output", "cached", "stored", "reasoning"):
            self.found[name] += getattr(usage, name)
        if self.price is not None:
            cost = self.price.of(usage)
            self.cost += cost
            self.aside += cost if aside else 0

    def closed(self) -> Spending:
        known = self.price is not None
        return Spending(
            model=self.model,
            **self.found,
            cost=self.cost if known else None,
            set_aside=self.aside if known else None,
            price=self.price,
        )


def accounts(folder: EvaluationFolder, prices: PriceTable | None = None) -> Accounts:
    """What is on disk added up; without `prices` those that the folder's last command went by."""
    table = prices or kept_prices(folder) or shipped()
    plan = folder.plan
    books: dict[str, _Account] = {}

    def book(role: str, model: str) -> _Account:
        if (key := f"{role} {model}") not in books:
            books[key] = _Account(model, table.price(model))
        return books[key]

    for place in folder.places():
        for path, aside in _journals(place):
            for note in _notes(path):
                account = book(*_whose(note.actor, plan))
                if note.name == "usage":
                    account.add(_USAGE.decode(note.args), aside=aside)
                else:
                    account.found["again"] += _TIMES.decode(note.args).times
        for heard in _judgements(place):
            book("judge", judging_model(heard.judge)).add(heard.usage, aside=False)
    spent = {name: book.closed() for name, book in books.items() if book.found["calls"]}
    costs = [one.cost for one in spent.values()]
    known = [cost for cost in costs if cost is not None]
    return Accounts(
        cost=sum(known, Decimal(0)) if len(known) == len(costs) else None,
        roles={name: one for name, one in sorted(spent.items())},
    )


def judging_model(judge: str) -> str:
    """The model behind a judge's name, such as `model:PROVIDER:NAME`; empty: a hand."""
    kind, _, name = judge.partition(":")
    return {"model": name, "harness": name.partition("/")[2]}.get(kind, "")


def told(folder: EvaluationFolder) -> Accounts | None:
    """As `accounts`; None where no model was asked."""
    found = accounts(folder)
    return found if found.roles else None


def keep_prices(folder: EvaluationFolder, table: PriceTable, models: Iterator[str]) -> None:
    """Store the lines that these models are priced by, so that every later reader uses them."""
    lines = {line.model: line for name in models if (line := table.price(name)) is not None}
    found = kept_prices(folder)
    if lines:
        before = {} if found is None else found.lines
        if lines != {name: before.get(name) for name in lines}:
            write_whole(folder.root / PRICES, as_text(list((before | lines).values())))


def kept_prices(folder: EvaluationFolder) -> PriceTable | None:
    """The prices that this folder went by, over the shipped ones; None where none were kept. Raises
    `ContentError`."""
    path = folder.root / PRICES
    if not path.exists():
        return None
    try:
        lines = msgspec.json.decode(path.read_bytes(), type=list[PriceLine])
    except msgspec.MsgspecError as error:
        raise ContentError(f"does not read: {error}", where=path) from None
    return shipped().with_own(PriceTable.of(lines))


def _whose(actor: str, plan: Plan | None) -> tuple[str, str]:
    customer = actor == "customer"
    if plan is None:
        return ("customer" if customer else "agent"), ""
    return ("customer", plan.simulator) if customer else ("agent", plan.model)


def _journals(place: RunFolder) -> Iterator[tuple[Path, bool]]:
    """Every journal of a run, and whether it was set aside."""
    if place.trace.exists():
        yield place.trace, False
    for attempt in place.attempts:
        if (path := attempt / "trace.jsonl").exists():
            yield path, True


def _notes(path: Path) -> Iterator[_Note]:
    """Notes of what was asked; a line that was torn by a crash is left out."""
    for line in path.read_bytes().split(b"\n"):
        if b'"usage"' in line or b'"asked_again"' in line:
            note = _read(_NOTE, line)
            if note is not None and note.kind == "note" and note.name in ("usage", "asked_again"):
                yield note


def _judgements(place: RunFolder) -> Iterator[_Heard]:
    if place.judgements.exists():
        for line in place.judgements.read_bytes().split(b"\n"):
            heard = _read(_HEARD, line) if line.strip() else None
            if heard is not None and not heard.judge.startswith("hand"):
                yield heard


def _read(decoder: msgspec.json.Decoder[Any], line: bytes) -> Any:
    try:
        return decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeError):
        return None
