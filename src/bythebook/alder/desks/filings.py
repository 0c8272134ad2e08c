"""What goes to the territories' registers and to the sellers: certificates and statements."""

from typing import ClassVar, Literal

import msgspec

from bythebook.alder.desks.payouts import Payout
from bythebook.alder.desks.sellers import (
    Amount,
    OrderLine,
    SellerOrder,
    Territory,
    awaiting,
)
from bythebook.alder.desks.taxes import (
    Above,
    Month,
    SellerForm,
    TaxLiability,
    TaxPeriod,
    Withholding,
    float_of,
    open_month,
    sent_out,
    share,
    standing,
)
from bythebook.conduct.world import Row, World
from bythebook.tool import Cents, Day, Desk, Refused

WithdrawalReason = Literal["wrong_territory", "wrong_amount", "form_void", "duplicate"]


class TaxCertificate(Row, frozen=True):
    """A paper on a territory's register about one payment on one order."""

    table: ClassVar[str] = "tax_certificates"
    prefix: ClassVar[str] = "TCT"

    order: str
    territory: Territory
    kind: Literal["withholding", "gross"]
    amount: Amount
    """What the seller gets by the payment that it is about."""
    tax: Amount
    form: str | None
    withholding: str | None
    payout: str | None
    liability: str | None
    month: Month
    filed: Day
    t: int
    status: Literal["lodged", "accepted", "filed", "withdrawn"]
    reason: WithdrawalReason | None = None


class SellerStatement(Row, frozen=True):
    table: ClassVar[str] = "seller_statements"
    prefix: ClassVar[str] = "SST"

    order: str
    payout: str
    certificate: str
    total: Amount
    advance: Amount
    tax: Amount
    paid: Amount
    day: Day


class ClosingTime(msgspec.Struct, frozen=True):
    """A month of a territory that can still change, and the minutes left for it."""

    territory: Territory
    month: Month
    closes: str
    closed: bool


filings = Desk(
    "filings",
    "Certificates on territories' registers, closing times, statements to sellers.",
    rows=(TaxCertificate, SellerStatement),
)


@filings.tool()
def closing_times(world: World, territory: Territory) -> tuple[ClosingTime, ...]:
    """List a territory's months with the day and clock at which each closes.

    From its closing minute on nothing of a month can be posted, filed, reversed or withdrawn.
    """
    now = f"{world.day} {world.clock_at(world.t)}"
    rows = sorted(world[TaxPeriod].where(territory=territory), key=lambda row: row.month)
    return tuple(ClosingTime(territory, r.month, r.closes, now >= r.closes) for r in rows)


@filings.tool(writes=True)
def file_withholding_certificate(world: World, withholding: str, payout: str) -> TaxCertificate:
    """File the certificate of tax kept back from a seller, about one payment.

    It states the payment's amount and the tax as posted, and stands on the register at once.
    Refused for a reversed posting, for a payment to somebody else or one that was cancelled, when
    a certificate stands for the posting, and when its period has closed.
    """
    row = standing(world, withholding)
    order, paid = world[SellerOrder][row.order], world[Payout][payout]
    if paid.payee != order.payee or paid.status == "cancelled":
        raise Refused(f"{payout} is {paid.status}, to {paid.payee}; {order.id} is paid elsewhere")
    earlier = world[TaxCertificate].where(withholding=withholding, status="filed")
    if earlier:
        raise Refused(f"{earlier[0].id} stands for {withholding}")
    owed = world[TaxLiability][row.liability]
    return world[TaxCertificate].add(
        order=order.id,
        territory=row.territory,
        kind="withholding",
        amount=paid.amount,
        tax=row.tax,
        form=row.form,
        withholding=withholding,
        payout=payout,
        liability=None,
        month=open_month(world, row.territory, owed.month),
        filed=world.day,
        t=world.t,
        status="filed",
    )


@filings.tool(writes=True)
def lodge_gross_certificate(world: World, order: str, amount: Above, form: str) -> TaxCertificate:
    """Lodge with Merrow's register that a seller is to be paid an amount without deduction.

    Names the seller's exemption form. The register accepts it some minutes later. The platform's
    levy on the amount, at today's rate, is owed out of its float from this minute. Refused for an
    order that is not recorded under Merrow, for a form of another seller or kind, and while a gross
    certificate for a payment to come stands for the order.
    """
    row = awaiting(world, order)
    if row.territory != "MRW":
        raise Refused(f"{order} is recorded under {row.territory}; this register knows Merrow only")
    paper = world[SellerForm][form]
    if (paper.seller, paper.kind) != (row.seller, "exemption"):
        raise Refused(f"{form} is no exemption form of {row.seller}")
    earlier = world[TaxCertificate].where(order=order, kind="gross", payout=None)
    if any(one.status != "withdrawn" for one in earlier):
        raise Refused(f"{order} has a gross certificate for a payment that is still to come")
    month = open_month(world, "MRW", world.day[:7])
    levy = share(amount, world.policy.number("tax.levy.mrw", world.day))
    owed = world[TaxLiability].add(
        tax_float=float_of(world, row.platform).id,
        territory="MRW",
        order=order,
        what="levy",
        amount=levy,
        month=month,
        status="open",
    )
    found = world[TaxCertificate].add(
        order=order,
        territory="MRW",
        kind="gross",
        amount=amount,
        tax=levy,
        form=form,
        withholding=None,
        payout=None,
        liability=owed.id,
        month=month,
        filed=world.day,
        t=world.t,
        status="lodged",
    )
    minutes = world.policy.number("tax.register.mrw", world.day)
    world.schedule("certificate_accepted", due=world.t + minutes, certificate=found.id)
    return found


@filings.event
def certificate_accepted(world: World, certificate: str) -> None:
    """The register takes up what was lodged, unless it was withdrawn meanwhile."""
    if world[TaxCertificate][certificate].status == "lodged":
        world[TaxCertificate].change(certificate, status="accepted")


@filings.tool(writes=True)
def withdraw_certificate(
    world: World, certificate: str, reason: WithdrawalReason
) -> TaxCertificate:
    """Take a certificate off a territory's register; a levy that hung on it is owed no more.

    Refused when it was withdrawn before, and when the period it was filed for has closed.
    """
    row = world[TaxCertificate][certificate]
    if row.status == "withdrawn":
        raise Refused(f"{certificate} was withdrawn before")
    open_month(world, row.territory, row.month)
    if row.liability is not None:
        world[TaxLiability].change(row.liability, status="released")
    return world[TaxCertificate].change(certificate, status="withdrawn", reason=reason)


@filings.tool(writes=True)
def issue_seller_statement(
    world: World, order: str, payout: str, certificate: str
) -> SellerStatement:
    """Send a seller the statement of an order that was paid; the order is settled with it.

    It shows total, advance, tax kept back and amount paid, and the certificate's number. Refused
    before the payout has gone out, for a payout to another payee or one from before the work was
    done, and for a certificate that is of another order or does not stand.
    """
    row = awaiting(world, order)
    paid = sent_out(world, payout, row.payee, row.last_day)
    paper = world[TaxCertificate][certificate]
    if paper.order != order or paper.status not in ("accepted", "filed"):
        raise Refused(f"{certificate} is of {paper.order} and {paper.status}")
    kept: Cents = sum(w.tax for w in world[Withholding].where(order=order, status="posted"))
    world[SellerOrder].change(order, status="settled")
    return world[SellerStatement].add(
        order=order,
        payout=payout,
        certificate=certificate,
        total=sum(line.amount for line in world[OrderLine].where(order=order)),
        advance=row.advance,
        tax=kept,
        paid=paid.amount,
        day=world.day,
    )
