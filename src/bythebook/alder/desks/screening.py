"""Screening of payouts and payees against lists: runs, hits, and what became of them."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from bythebook.alder.desks.payouts import Payee, Payout, TradeDocument
from bythebook.alder.likeness import likeness
from bythebook.conduct.world import Row, World, days_between
from bythebook.tool import Day, Desk, Refused

Identifier = Literal["country", "incorporated", "register_number"]
IDENTIFIERS: tuple[Identifier, ...] = ("country", "incorporated", "register_number")
Score = Annotated[int, Meta(ge=0, le=100)]


class ListEntry(Row, frozen=True):
    """One line of a screening list: a listed party, or a kind of goods."""

    table: ClassVar[str] = "list_entries"
    prefix: ClassVar[str] = "LST"

    kind: Literal["name", "goods"]
    name: str
    also: tuple[str, ...]
    """Other names; for goods, the words by which they are found."""
    country: str | None
    incorporated: Day | None
    register_number: str | None
    status: Literal["listed", "delisted"]


class CounterpartyPaper(Row, frozen=True):
    """A paper on a payee that a customer has handed in, with what it states."""

    table: ClassVar[str] = "counterparty_papers"
    prefix: ClassVar[str] = "CPP"

    owner: str
    payee_name: str
    kind: Literal["register_extract", "bank_letter", "invoice"]
    issued: Day
    country: str | None = None
    incorporated: Day | None = None
    register_number: str | None = None
    bank: str | None = None
    ending: str | None = None


class Screening(Row, frozen=True):
    """One run of one payout or payee against all lists."""

    table: ClassVar[str] = "screenings"
    prefix: ClassVar[str] = "SCR"

    owner: str
    subject: str
    day: Day
    t: int
    hits: int


class Hit(Row, frozen=True):
    table: ClassVar[str] = "screening_hits"
    prefix: ClassVar[str] = "HIT"

    screening: str
    owner: str
    subject: str
    entry: str
    kind: Literal["name", "goods"]
    matched: str
    """The list's wording that came nearest."""
    score: Score
    status: Literal["open", "referred", "discounted", "reported", "refused"]


class Difference(Struct, frozen=True):
    """An identifier that is another one, and the paper that shows it."""

    identifier: Identifier
    paper: str


class Disposition(Row, frozen=True):
    """Why a hit was taken to be somebody else."""

    table: ClassVar[str] = "dispositions"
    prefix: ClassVar[str] = "DPN"

    hit: str
    owner: str
    subject: str
    by: Literal["analyst", "second_line"]
    differences: tuple[Difference, ...]
    status: Literal["standing", "withdrawn"]
    t: int


class PayeeCheck(Row, frozen=True):
    """A payee's bank account compared with the bank's letter."""

    table: ClassVar[str] = "payee_checks"
    prefix: ClassVar[str] = "PCK"

    owner: str
    payee: str
    paper: str
    t: int


class HitSheet(Struct, frozen=True):
    hit: Hit
    entry: ListEntry
    papers: tuple[CounterpartyPaper, ...]
    """What is on file about the payee, oldest first."""


screening = Desk(
    "screening",
    "Screening payouts and payees against lists, deciding hits, verifying payees.",
    rows=(
        ListEntry,
        CounterpartyPaper,
        Screening,
        Hit,
        Disposition,
        PayeeCheck,
    ),
)


# --- comparing ------------------------------------------------------------------------------------


def payee_of(world: World, subject: str) -> Payee:
    """The payee that a payout or payee id leads to."""
    payout = world[Payout].get(subject)
    return world[Payee][payout.payee if payout else subject]


def papers_on(world: World, payee: Payee) -> tuple[CounterpartyPaper, ...]:
    """A payee's papers, oldest first."""
    found = world[CounterpartyPaper].where(owner=payee.owner, payee_name=payee.name)
    return tuple(sorted(found, key=lambda paper: (paper.issued, paper.id)))


def nearest(entry: ListEntry, name: str) -> tuple[int, str]:
    """The best score of a name against an entry, and the wording that gave it."""
    return max((likeness(name, one), one) for one in (entry.name, *entry.also))


def goods_named(world: World, payee: Payee, entry: ListEntry) -> str:
    """The first of an entry's words that a trade document of the payee covers; else empty."""
    papers = world[TradeDocument].where(owner=payee.owner, payee_name=payee.name)
    covered = " ".join(paper.covers.lower() for paper in papers)
    return next((word for word in entry.also if word in covered), "")


def agreeing(world: World, hit: Hit) -> tuple[Identifier, ...]:
    """Identifiers in which some paper on file is like the list."""
    entry, papers = world[ListEntry][hit.entry], papers_on(world, payee_of(world, hit.subject))
    return tuple(
        name
        for name in IDENTIFIERS
        if (listed := getattr(entry, name)) and any(getattr(p, name) == listed for p in papers)
    )


def open_hit(world: World, hit: str) -> Hit:
    """The hit, if nothing has been decided on it."""
    row = world[Hit][hit]
    if row.status != "open":
        raise Refused(f"{hit} is {row.status}, not open")
    return row


# --- runs and what they found ---------------------------------------------------------------------


@screening.tool(writes=True, repeatable=True)
def run_screening(world: World, subject: str) -> Screening:
    """Screen a drafted or scheduled payout, or a payee, against the lists of today.

    `subject` is the id of the payout or payee. A payout is screened by its payee's name and by what
    its papers say is bought. Refused while an earlier run of today has hits that are not decided.
    """
    payout, payee = world[Payout].get(subject), payee_of(world, subject)
    if payout is not None and payout.status not in ("draft", "scheduled"):
        raise Refused(f"{subject} is {payout.status}")
    if any(h.status in ("open", "referred") for h in world[Hit].where(subject=subject)):
        raise Refused(f"{subject} has hits that are not decided")
    least = world.policy.number("screening.hit.score", world.day)
    found: list[tuple[ListEntry, int, str]] = []
    for entry in world[ListEntry].where(status="listed"):
        score, wording = nearest(entry, payee.name) if entry.kind == "name" else (0, "")
        if entry.kind == "goods" and payout is not None:
            wording = goods_named(world, payee, entry)
            score = 100 if wording else 0
        if score >= least:
            found.append((entry, score, wording))
    run = world[Screening].add(
        owner=payee.owner, subject=subject, day=world.day, t=world.t, hits=len(found)
    )
    for entry, score, wording in found:
        world[Hit].add(
            screening=run.id,
            owner=payee.owner,
            subject=subject,
            entry=entry.id,
            kind=entry.kind,
            matched=wording,
            score=score,
            status="open",
        )
    return run


@screening.tool()
def hits_of(world: World, subject: str) -> tuple[Hit, ...]:
    """List the hits of a payout or payee from all its screenings, with what became of them."""
    payee_of(world, subject)
    return tuple(world[Hit].where(subject=subject))


@screening.tool()
def hit_sheet(world: World, hit: str) -> HitSheet:
    """Lay a hit, its list entry and the payee's papers side by side.

    Shows what the list and each paper state; it draws no conclusion.
    """
    row = world[Hit][hit]
    papers = papers_on(world, payee_of(world, row.subject))
    return HitSheet(row, world[ListEntry][row.entry], papers)


@screening.tool()
def find_list_entry(world: World, name: str) -> tuple[ListEntry, ...]:
    """Look up list entries by a part of one of their names or words, delisted ones included."""
    wanted = name.strip().lower()
    if len(wanted) < 3:
        raise Refused("name: give at least three letters")
    return tuple(
        row
        for row in world[ListEntry]
        if any(wanted in one.lower() for one in (row.name, *row.also))
    )


# --- deciding hits --------------------------------------------------------------------------------


@screening.tool(writes=True)
def discount_hit(world: World, hit: str, differences: tuple[Difference, ...]) -> Disposition:
    """Record that an open name hit is somebody else, and what shows it.

    Each difference names an identifier and the paper on this payee that shows another one than the
    list does. Whether they are enough, and whether you may decide it, is not checked here.
    """
    row = open_hit(world, hit)
    if row.kind != "name":
        raise Refused(f"{hit} is on goods; only a name can be somebody else's")
    if not differences:
        raise Refused("differences: give at least one")
    payee = payee_of(world, row.subject)
    for one in differences:
        paper = world[CounterpartyPaper][one.paper]
        if (paper.owner, paper.payee_name) != (payee.owner, payee.name):
            raise Refused(f"{one.paper} is no paper on {payee.name}")
    world[Hit].change(hit, status="discounted")
    return world[Disposition].add(
        hit=hit,
        owner=row.owner,
        subject=row.subject,
        by="analyst",
        differences=differences,
        status="standing",
        t=world.t,
    )


@screening.tool(writes=True)
def refer_hit(world: World, hit: str) -> Hit:
    """Pass an open hit to the second line, who decide it in their own time.

    The answer takes hours. Until it has come the hit cannot be decided by anybody else.
    """
    open_hit(world, hit)
    minutes = world.policy.number("screening.referral.minutes", world.day)
    world.schedule("referral_answered", due=world.t + minutes, hit=hit)
    return world[Hit].change(hit, status="referred")


@screening.tool(writes=True)
def reopen_hit(world: World, hit: str) -> Hit:
    """Open a discounted hit again, for instance because a wrong paper was named.

    Refused once the payout has left.
    """
    row = world[Hit][hit]
    if row.status != "discounted":
        raise Refused(f"{hit} is {row.status}, not discounted")
    payout = world[Payout].get(row.subject)
    if payout is not None and payout.status not in ("draft", "scheduled"):
        raise Refused(f"{payout.id} is {payout.status}")
    for one in world[Disposition].where(hit=hit, status="standing"):
        world[Disposition].change(one.id, status="withdrawn")
    return world[Hit].change(hit, status="open")


# --- payees ---------------------------------------------------------------------------------------


@screening.tool(writes=True)
def verify_payee(world: World, payee: str, paper: str) -> PayeeCheck:
    """Compare a payee's bank account with a letter of the payee's bank, and record that they agree.

    Name, bank and ending have to be the same to the letter. Refused for a letter that is too old.
    """
    row, letter = world[Payee][payee], world[CounterpartyPaper][paper]
    if row.status != "live":
        raise Refused(f"{payee} is closed")
    if letter.kind != "bank_letter" or letter.owner != row.owner:
        raise Refused(f"{paper} is no bank letter that this customer handed in")
    if (letter.payee_name, letter.bank, letter.ending) != (row.name, row.bank, row.ending):
        raise Refused(f"{paper} speaks of {letter.payee_name}, {letter.bank}, {letter.ending}")
    if days_between(letter.issued, world.day) > world.policy.number("payee.letter.days", world.day):
        raise Refused(f"{paper} was issued on {letter.issued}; that is too long ago")
    if world[PayeeCheck].where(payee=payee):
        raise Refused(f"{payee} was verified before")
    return world[PayeeCheck].add(owner=row.owner, payee=payee, paper=paper, t=world.t)


# --- events ---------------------------------------------------------------------------------------


@screening.event
def referral_answered(world: World, hit: str) -> None:
    """The second line discounts a name when nothing on file agrees with the list; what agrees, and
    goods, it keeps for another day."""
    row = world[Hit][hit]
    if row.status != "referred" or row.kind == "goods" or agreeing(world, row):
        return
    world[Hit].change(hit, status="discounted")
    world[Disposition].add(
        hit=hit,
        owner=row.owner,
        subject=row.subject,
        by="second_line",
        differences=(),
        status="standing",
        t=world.t,
    )
