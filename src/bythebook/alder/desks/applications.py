"""Applications: accounts for institutions, decided in a daily review batch."""

from typing import ClassVar, Literal

import msgspec

from bythebook.alder.desks.accounts import Account, Balance, Fee, give_back, take_fee
from bythebook.alder.desks.cases import Case
from bythebook.alder.desks.evidence import Evidence, Moment, counts, moment
from bythebook.alder.desks.parties import Party
from bythebook.alder.desks.reserves import Reserve, ReserveMove, draw
from bythebook.conduct.world import Row, World
from bythebook.tool import Desk, Refused

Product = Literal["collection_account", "custody_account"]


class Application(Row, frozen=True):
    """An affiliate's request for an account, sponsored by a customer."""

    table: ClassVar[str] = "applications"
    prefix: ClassVar[str] = "APP"

    case: str
    applicant: str
    sponsor: str
    product: Product
    status: Literal[
        "draft", "submitted", "queued", "in_review", "approved", "returned", "withdrawn"
    ]
    address_evidence: str | None
    register_extract: str | None
    funding_source: str | None
    """The reserve that the opening funds are to come from."""
    funds_needed: Balance
    submitted: Moment | None
    decided: Moment | None
    why: str = ""


class Checklist(msgspec.Struct, frozen=True):
    """What the review batch will look at, as it stands now."""

    application: str
    status: str
    address_evidence: str | None
    register_extract: str | None
    funding_source: str | None
    funds_needed: int
    funds_settled: int
    review_fee_paid: bool


applications = Desk(
    "applications",
    "Account applications of institutions: file, funding, review fee, review batch.",
    rows=(Application,),
)


def editable(world: World, application: str) -> Application:
    """The application, or `Refused` once its review has begun."""
    row = world[Application][application]
    if row.status not in ("draft", "submitted", "queued", "returned"):
        raise Refused(f"{application} is {row.status}; its file cannot be changed")
    return row


def funds_settled(world: World, row: Application) -> int:
    """Cents that have arrived from the named funding source."""
    moves = world[ReserveMove].where(source=row.funding_source, to=row.id, status="settled")
    return sum(move.amount for move in moves)


def review_fee(world: World, application: str) -> Fee | None:
    """The review fee that stands for an application, if any."""
    return next(iter(world[Fee].where(ref=application, what="review_fee", status="taken")), None)


@applications.tool()
def application_checklist(world: World, application: str) -> Checklist:
    """Show what the review batch looks at: documents, funding, fee, as they stand now.

    It says what is there, not whether it will do.
    """
    row = world[Application][application]
    return Checklist(
        application=application,
        status=row.status,
        address_evidence=row.address_evidence,
        register_extract=row.register_extract,
        funding_source=row.funding_source,
        funds_needed=row.funds_needed,
        funds_settled=funds_settled(world, row),
        review_fee_paid=review_fee(world, application) is not None,
    )


@applications.tool(writes=True)
def open_application(
    world: World, case: str, applicant: str, sponsor: str, product: Product
) -> Application:
    """Open an account application for an affiliate of a customer.

    Refused when the applicant is no affiliate of the sponsor or has an application for the same
    product that is still alive.
    """
    world[Case][case]
    if world[Party][applicant].parent != world[Party][sponsor].id:
        raise Refused(f"{applicant} is no affiliate of {sponsor}")
    alive = [
        row
        for row in world[Application].where(applicant=applicant, product=product)
        if row.status not in ("approved", "withdrawn")
    ]
    if alive:
        raise Refused(f"{applicant} has {alive[0].id} for a {product} already")
    return world[Application].add(
        case=case,
        applicant=applicant,
        sponsor=sponsor,
        product=product,
        status="draft",
        address_evidence=None,
        register_extract=None,
        funding_source=None,
        funds_needed=world.policy.number("institution.funds.opening", world.day),
        submitted=None,
        decided=None,
    )


@applications.tool(writes=True, repeatable=True)
def attach_evidence(world: World, application: str, evidence: str) -> Application:
    """Put a verified document of the applicant into the application's file.

    A document of the same kind that was there before is replaced. Refused unless it is verified and
    counts at this minute, and once the review has begun.
    """
    row, document = editable(world, application), world[Evidence][evidence]
    if document.party != row.applicant:
        raise Refused(f"{evidence} belongs to {document.party}, not to {row.applicant}")
    if not counts(document, moment(world, world.t)):
        raise Refused(f"{evidence} is not verified or no longer counts")
    if document.kind == "proof_of_address":
        return world[Application].change(application, address_evidence=evidence)
    if document.kind == "register_extract":
        return world[Application].change(application, register_extract=evidence)
    raise Refused(f"a {document.kind} is kept with the party, not in the application")


@applications.tool(writes=True, repeatable=True)
def name_funding_source(world: World, application: str, reserve: str) -> Application:
    """Name the sponsor's reserve that the opening funds will come from.

    The reserve may still be locked. The review counts only funds from the reserve named here.
    """
    row = editable(world, application)
    if world[Reserve][reserve].owner != row.sponsor:
        raise Refused(f"{reserve} does not belong to {row.sponsor}")
    if world[Reserve][reserve].status == "retired":
        raise Refused(f"{reserve} is retired")
    return world[Application].change(application, funding_source=reserve)


@applications.tool(writes=True)
def submit_application(world: World, application: str) -> Application:
    """Hand an application to the review batch of the day.

    Both documents and the funding source must be in the file. An application handed in after the
    batch has been drawn is queued for another day.
    """
    row = world[Application][application]
    if row.status not in ("draft", "returned"):
        raise Refused(f"{application} is {row.status}")
    missing = [
        name
        for name in ("address_evidence", "register_extract", "funding_source")
        if getattr(row, name) is None
    ]
    if missing:
        raise Refused(f"{application} lacks {', '.join(missing)}")
    start = world.minute(world.policy.clock("review.batch.start", world.day))
    decision = world.minute(world.policy.clock("review.batch.decision", world.day))
    now = moment(world, world.t)
    if world.t >= start:
        return world[Application].change(application, status="queued", submitted=now)
    at = moment(world, start)
    world.schedule("review_started", due=start, application=application, at=at)
    world.schedule("review_decided", due=decision, application=application)
    return world[Application].change(application, status="submitted", submitted=now)


@applications.tool(writes=True)
def withdraw_application(world: World, application: str) -> Application:
    """Take an application back before its review begins; it cannot be revived.

    A review fee that was paid stays paid.
    """
    editable(world, application)
    return world[Application].change(application, status="withdrawn")


@applications.tool(writes=True)
def pay_review_fee(world: World, application: str, source: str) -> Fee:
    """Pay the review fee of an application from the sponsor's fee account or a free reserve.

    The amount is in the review fee schedule, in US dollars. Refused when it is paid already, or the
    source is short or in another currency.
    """
    row = editable(world, application)
    if review_fee(world, application) is not None:
        raise Refused(f"the review fee of {application} is paid already")
    amount = world.policy.number("review.fee.institution", world.day)
    reserve = world[Reserve].get(source)
    payer = reserve or world[Account][source]
    if payer.owner != row.sponsor:
        raise Refused(f"{source} does not belong to {row.sponsor}")
    if isinstance(payer, Account) and payer.kind != "fee":
        raise Refused(f"{source} is an {payer.kind} account, not a fee account")
    if payer.currency != "USD":
        raise Refused(f"{source} is in {payer.currency}; the review fee is in USD")
    if reserve is None:
        return take_fee(world, source, amount, what="review_fee", ref=application, case=row.case)
    draw(world, source, amount)
    return world[Fee].add(
        case=row.case, account=source, amount=amount, what="review_fee", ref=application
    )


@applications.tool(writes=True)
def refund_review_fee(world: World, application: str) -> Fee:
    """Give back the review fee of an application that was withdrawn before its review.

    It goes back to the account that it came from; a fee paid from a reserve is given back by
    treasury, not here.
    """
    row, fee = world[Application][application], review_fee(world, application)
    if row.status != "withdrawn":
        raise Refused(f"{application} is {row.status}; only withdrawn applications are refunded")
    if fee is None:
        raise Refused(f"no review fee stands for {application}")
    return give_back(world, fee)


@applications.event
def review_started(world: World, application: str, at: Moment) -> None:
    """The batch takes the file as it is; from now on nothing in it changes."""
    if world[Application][application].status == "submitted":
        world[Application].change(application, status="in_review")


@applications.event
def review_decided(world: World, application: str) -> None:
    """The batch approves a complete, funded, paid application and returns any other."""
    row = world[Application][application]
    if row.status != "in_review":
        return
    why = ""
    if review_fee(world, application) is None:
        why = "review fee not paid"
    elif funds_settled(world, row) < row.funds_needed:
        why = "opening funds not settled"
    status = "returned" if why else "approved"
    now = moment(world, world.t)
    world[Application].change(application, status=status, decided=now, why=why)
