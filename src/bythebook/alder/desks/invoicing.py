"""Fee statements: what a customer was charged for deliveries, on one sheet."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from bythebook.alder.desks.accounts import Fee, FeeCredit, credit
from bythebook.alder.desks.cases import Case
from bythebook.alder.desks.delivery import Delivery
from bythebook.conduct.world import Row, World
from bythebook.tool import Cents, Day, Desk, Refused


class FeeStatement(Row, frozen=True):
    table: ClassVar[str] = "fee_statements"
    prefix: ClassVar[str] = "FST"

    case: str
    deliveries: tuple[str, ...]
    total: Cents
    day: Day
    status: Literal["issued", "void"] = "issued"


invoicing = Desk("invoicing", "Fee statements and credits for deliveries.", rows=(FeeStatement,))

Above = Annotated[int, Meta(gt=0, description="integer minor units, above zero")]


@invoicing.tool()
def fees_of_delivery(world: World, delivery: str) -> tuple[Fee, ...]:
    """List the fees taken for one delivery."""
    world[Delivery][delivery]
    return tuple(world[Fee].where(ref=delivery))


@invoicing.tool(writes=True)
def issue_fee_statement(world: World, case: str, deliveries: tuple[str, ...]) -> FeeStatement:
    """Put the fees of several deliveries of one case on a statement and send it to the customer.

    Refused when a delivery has not gone out, is of another case, is named twice or stands on an
    earlier statement that is still valid.
    """
    world[Case][case]
    if not deliveries or len(set(deliveries)) < len(deliveries):
        raise Refused("deliveries: name at least one, and each once")
    stated = {d for s in world[FeeStatement].where(status="issued") for d in s.deliveries}
    for key in deliveries:
        row = world[Delivery][key]
        if row.case != case:
            raise Refused(f"{key} belongs to {row.case}")
        if row.status not in ("dispatched", "settled"):
            raise Refused(f"{key} is {row.status}; it has not gone out")
        if key in stated:
            raise Refused(f"{key} stands on an earlier statement")
    total = sum(f.amount for f in world[Fee].where(case=case) if f.ref in deliveries)
    return world[FeeStatement].add(case=case, deliveries=deliveries, total=total, day=world.day)


@invoicing.tool(writes=True)
def void_fee_statement(
    world: World, statement: str, reason: Literal["wrong_delivery", "superseded", "customer_query"]
) -> FeeStatement:
    """Declare a fee statement void, so that its deliveries can be stated anew.

    Refused when it is void already.
    """
    if world[FeeStatement][statement].status == "void":
        raise Refused(f"{statement} is void already")
    return world[FeeStatement].change(statement, status="void")


@invoicing.tool(writes=True)
def credit_delivery_fee(
    world: World, fee: str, amount: Above, reason: Literal["goodwill", "desk_error", "late"]
) -> FeeCredit:
    """Give back a part of a fee to the account it was taken from.

    Refused for a reversed fee, for more than was taken, and when the fee was credited before.
    """
    row = world[Fee][fee]
    if row.status == "reversed":
        raise Refused(f"{fee} was reversed")
    if world[FeeCredit].where(fee=fee):
        raise Refused(f"{fee} was credited before")
    if amount > row.amount:
        raise Refused(f"{fee} took {row.amount} cents, not {amount}")
    credit(world, row.account, amount)
    return world[FeeCredit].add(fee=fee, amount=amount, reason=reason)
