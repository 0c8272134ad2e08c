"""The watch desk of the financial-crime team: reports of matches, holds, questions and answers."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from bythebook.alder.desks import limits
from bythebook.alder.desks.payouts import Payout, worth
from bythebook.alder.desks.screening import (
    CounterpartyPaper,
    Hit,
    Identifier,
    open_hit,
    payee_of,
)
from bythebook.conduct.world import Row, World
from bythebook.tool import Desk, Refused

Amount = Annotated[int, Meta(ge=0, description="integer minor units")]
ReportReason = Literal[
    "identity_match", "ownership_match", "address_match", "goods_match", "pattern"
]


class WatchReport(Row, frozen=True):
    """A match, handed to the financial-crime team."""

    table: ClassVar[str] = "watch_reports"
    prefix: ClassVar[str] = "WRP"

    owner: str
    hit: str
    subject: str
    reason: ReportReason
    clause: str
    """The clause that makes it a match: family#clause."""
    agrees: tuple[Identifier, ...]
    status: Literal["open", "withdrawn"]
    t: int


class ReportPaper(Row, frozen=True):
    table: ClassVar[str] = "report_papers"
    prefix: ClassVar[str] = "RPP"

    owner: str
    report: str
    paper: str


class WatchHold(Row, frozen=True):
    """A payout that the team keeps where it is."""

    table: ClassVar[str] = "watch_holds"
    prefix: ClassVar[str] = "WHD"

    owner: str
    report: str
    payout: str
    counts: Amount
    """What it keeps of the day's limit, in US cents."""
    status: Literal["active", "lifted"]


class WatchQuestion(Row, frozen=True):
    """What the team wants to know about a report: payouts to the same payee before."""

    table: ClassVar[str] = "watch_questions"
    prefix: ClassVar[str] = "WQN"

    owner: str
    report: str
    payee_name: str
    asked: int
    status: Literal["open", "answered", "dropped"]


class WatchAnswer(Row, frozen=True):
    table: ClassVar[str] = "watch_answers"
    prefix: ClassVar[str] = "WAN"

    owner: str
    question: str
    payouts: tuple[str, ...]
    t: int


watch = Desk(
    "watch",
    "The financial-crime team: reports of matches, holds, its questions.",
    rows=(WatchReport, ReportPaper, WatchHold, WatchQuestion, WatchAnswer),
)


def open_report(world: World, report: str) -> WatchReport:
    """The report, unless it was withdrawn."""
    row = world[WatchReport][report]
    if row.status != "open":
        raise Refused(f"{report} is {row.status}")
    return row


def lift(world: World, hold: WatchHold) -> WatchHold:
    """End a hold and give back what it kept of the limit of its day."""
    day = world.day_at(world[WatchReport][hold.report].t)
    limits.give_back(world, hold.owner, hold.counts, day)
    return world[WatchHold].change(hold.id, status="lifted")


# --- tools ----------------------------------------------------------------------------------------


@watch.tool(writes=True)
def report_match(
    world: World, hit: str, reason: ReportReason, clause: str, agrees: tuple[Identifier, ...]
) -> WatchReport:
    """Hand a match to the financial-crime team, with the clause that makes it one.

    `clause` is written family#clause; `agrees` are the identifiers in which list and papers are
    alike. A reported payout comes under a hold at once, and the team may ask back.
    """
    row = open_hit(world, hit)
    if "#" not in clause:
        raise Refused("clause: name the document family and the clause, as in family#3.1")
    if len(set(agrees)) != len(agrees):
        raise Refused("agrees: name each identifier once")
    report = world[WatchReport].add(
        owner=row.owner,
        hit=hit,
        subject=row.subject,
        reason=reason,
        clause=clause,
        agrees=agrees,
        status="open",
        t=world.t,
    )
    world[Hit].change(hit, status="reported")
    payout = world[Payout].get(row.subject)
    if payout is not None and payout.status in ("draft", "scheduled"):
        counts = worth(world, payout)
        world[WatchHold].add(
            owner=row.owner, report=report.id, payout=payout.id, counts=counts, status="active"
        )
        limits.use(world, row.owner, counts)
    minutes = world.policy.number("watch.question.minutes", world.day)
    world.schedule("watch_asked", due=world.t + minutes, report=report.id)
    return report


@watch.tool(writes=True)
def attach_to_report(world: World, report: str, paper: str) -> ReportPaper:
    """Put a paper on the payee with an open report.

    Refused for a paper on somebody else, and for one that is with the report already.
    """
    row, sheet = open_report(world, report), world[CounterpartyPaper][paper]
    payee = payee_of(world, row.subject)
    if (sheet.owner, sheet.payee_name) != (payee.owner, payee.name):
        raise Refused(f"{paper} is no paper on {payee.name}")
    if world[ReportPaper].where(report=report, paper=paper):
        raise Refused(f"{paper} is with {report} already")
    return world[ReportPaper].add(owner=row.owner, report=report, paper=paper)


@watch.tool(writes=True)
def withdraw_report(world: World, report: str) -> WatchReport:
    """Take a report back that was made by mistake; its hold ends and the hit is open again.

    Only until the team has asked its question.
    """
    row = open_report(world, report)
    if world[WatchQuestion].where(report=report):
        raise Refused(f"{report} is being worked on by the team")
    withdrawn = world[WatchReport].change(report, status="withdrawn")
    for hold in world[WatchHold].where(report=report, status="active"):
        lift(world, hold)
    world[Hit].change(row.hit, status="open")
    return withdrawn


@watch.tool(writes=True)
def answer_watch_question(world: World, question: str, payouts: tuple[str, ...]) -> WatchAnswer:
    """Answer the team's question: the earlier payouts to the same payee, by their ids.

    An empty list says that there were none. An answer cannot be changed.
    """
    row = world[WatchQuestion][question]
    if row.status != "open":
        raise Refused(f"{question} is {row.status}")
    if len(set(payouts)) != len(payouts):
        raise Refused("payouts: name each once")
    for one in payouts:
        if world[Payout][one].party != row.owner:
            raise Refused(f"{one} is another customer's")
    world[WatchQuestion].change(question, status="answered")
    return world[WatchAnswer].add(owner=row.owner, question=question, payouts=payouts, t=world.t)


@watch.tool(writes=True)
def lift_watch_hold(world: World, hold: str) -> WatchHold:
    """End a hold: the payout is free and its share of the day's limit comes back."""
    row = world[WatchHold][hold]
    if row.status != "active":
        raise Refused(f"{hold} is {row.status}")
    return lift(world, row)


@watch.tool()
def watch_questions_of(world: World, party: str) -> tuple[WatchQuestion, ...]:
    """List the team's questions on a customer's reports, answered ones included."""
    return tuple(world[WatchQuestion].where(owner=party))


@watch.tool()
def holds_on_limit(world: World, party: str) -> tuple[WatchHold, ...]:
    """List the holds on a customer's payouts and what each keeps of the day's limit."""
    return tuple(world[WatchHold].where(owner=party))


# --- events ---------------------------------------------------------------------------------------


@watch.event
def watch_asked(world: World, report: str) -> None:
    """The team has read a report and asks who was paid before."""
    row = world[WatchReport][report]
    if row.status != "open":
        return
    world[WatchQuestion].add(
        owner=row.owner,
        report=report,
        payee_name=payee_of(world, row.subject).name,
        asked=world.t,
        status="open",
    )
