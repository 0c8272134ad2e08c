"""How far everything in a place is, and the next move. People build; this only looks."""

from pathlib import Path

import msgspec

from bythebook.build.deliverable.gates import STEPS, lacks_of, split, stopped_at, subjects
from bythebook.build.deliverable.place import Lack, Place
from bythebook.build.ledger import Ledger, Standing, State
from bythebook.errors import suggestion

COMMAND = "bythebook build deliverable-task"


class Stand(msgspec.Struct, frozen=True, kw_only=True):
    """Where one of them stands."""

    subject: str
    gate: str
    """The first that does not stand; empty: it is through."""
    state: State
    says: str
    lacks: tuple[Lack, ...] = ()
    next: str
    """What to do."""

    @property
    def done(self) -> bool:
        return self.state in ("passed", "discarded")


class Built(msgspec.Struct, frozen=True):
    """Where all products, scenarios and tasks stand."""

    stands: tuple[Stand, ...]
    next: str
    """Where nothing is there yet, or one kind of thing is missing."""

    @property
    def done(self) -> bool:
        return bool(self.stands) and not self.next and all(one.done for one in self.stands)


def built(place: Place) -> Built:
    """What is built so far. Raises `ContentError` where the ledger is not what was written."""
    Ledger(place.root).lines()
    return Built(tuple(_one(place, name) for name in subjects(place)), _missing(place))


def _one(place: Place, subject: str) -> Stand:
    stopped = stopped_at(place, subject)
    if stopped is None:
        return Stand(subject=subject, gate="", state="passed", says="through all gates", next="")
    if stopped.state == "discarded":
        return Stand(
            subject=subject, gate=stopped.gate, state="discarded", says=stopped.says, next=""
        )
    lacks = lacks_of(place, stopped.gate, subject)
    return Stand(
        subject=subject,
        gate=stopped.gate,
        state=stopped.state,
        says=stopped.says,
        lacks=lacks,
        next=_next(subject, stopped, lacks, place.root),
    )


def _next(subject: str, at: Standing, lacks: tuple[Lack, ...], root: Path) -> str:
    gate = at.gate
    if lacks:
        return str(lacks[0])
    kind, _ = split(subject)
    asks = next(step.gate.asks for step in STEPS[kind] if step.gate.name == gate)
    if at.state == "returned":
        return "mend what it was sent back for; any change of its files lets the gate be decided"
    return f"{asks} Then: {COMMAND} --to {root} decide {gate} {subject} --pass --who ..."


def _missing(place: Place) -> str:
    """The first kind of thing of which there is none, or an interview about nothing here."""
    for kind in ("product", "interview", "scenario", "task"):
        if not place.names(kind):
            return f"there is no {kind} yet: {COMMAND} --to {place.root} new {kind} ID"
    products = place.names("product")
    for name in place.names("interview"):
        page = place.interview(name)
        if page.value.product not in products:
            told = page.broken or page.lack(
                "product", "names no product of the pool", suggestion(page.value.product, products)
            )
            return str(told)
    return ""
