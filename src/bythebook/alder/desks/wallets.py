"""Mobile wallets of workers: numbers, name checks by the schemes, forms and papers for changes."""

import re
from typing import ClassVar, Literal

from bythebook.conduct.world import Row, World
from bythebook.tool import Day, Desk, Refused

Result = Literal["pending", "exact", "close", "no_match"]


class WalletScheme(Row, frozen=True):
    """A mobile wallet system in one country."""

    table: ClassVar[str] = "wallet_schemes"
    prefix: ClassVar[str] = "SCH"

    name: str
    country: str
    operator: str


class Worker(Row, frozen=True):
    """Somebody on an employer's roster."""

    table: ClassVar[str] = "workers"
    prefix: ClassVar[str] = "WRK"

    employer: str
    place: int
    """Place on the roster; wages are listed in this order."""
    name: str
    country: str
    shift: Literal["day", "night"]


class Wallet(Row, frozen=True):
    table: ClassVar[str] = "wallets"
    prefix: ClassVar[str] = "WAL"

    worker: str
    scheme: str
    number: str
    added: Day
    form: str | None
    """The form on which it was entered; None for wallets taken over with the roster."""
    status: Literal["in_use", "left"]


class Subscriber(Row, frozen=True):
    """A scheme's own register: who holds a number. Only the scheme sees it."""

    table: ClassVar[str] = "subscribers"
    prefix: ClassVar[str] = "SUB"
    private: ClassVar[bool] = True

    scheme: str
    number: str
    name: str


class NameCheck(Row, frozen=True):
    """A scheme's answer to the question whether a number is held under a name."""

    table: ClassVar[str] = "name_checks"
    prefix: ClassVar[str] = "CHK"
    terms: ClassVar[tuple[str, ...]] = ("wallet", "name", "result", "remark")

    wallet: str
    name: str
    """The name that was asked: the worker's as it stood on the roster."""
    day: Day
    result: Result
    remark: str = ""
    accepted: bool = False
    """A close answer that was accepted as good enough."""


class WalletForm(Row, frozen=True):
    """A form that says which number a worker wants the wages on."""

    table: ClassVar[str] = "wallet_forms"
    prefix: ClassVar[str] = "WFM"

    worker: str
    scheme: str
    number: str
    dated: Day
    sent_by: Literal["worker", "employer"]
    countersigned: bool
    """Signed by the employer's payroll office as well."""
    status: Literal["received", "entered"]


class NamePaper(Row, frozen=True):
    """A paper of the employer that shows a worker's full name."""

    table: ClassVar[str] = "name_papers"
    prefix: ClassVar[str] = "NMP"

    worker: str
    kind: Literal["passport", "identity_card", "contract"]
    name: str
    received: Day


wallets = Desk(
    "wallets",
    "Workers' mobile wallets: numbers, name checks by the schemes, forms and papers.",
    rows=(WalletScheme, Worker, Wallet, Subscriber, NameCheck, WalletForm, NamePaper),
)


def current_wallet(world: World, worker: str) -> Wallet:
    """The wallet that a worker's wages go to."""
    found = world[Wallet].where(worker=worker, status="in_use")
    if not found:
        raise Refused(f"{worker} has no wallet in use")
    return found[-1]


def latest_answer(world: World, wallet: str) -> NameCheck | None:
    """The newest check of a wallet that has been answered."""
    answered = [c for c in world[NameCheck].where(wallet=wallet) if c.result != "pending"]
    return sorted(answered, key=lambda check: check.day)[-1] if answered else None


def likeness(asked: str, held: str) -> Result:
    """How a scheme compares two names: letters alone, then whether one has all of the other."""
    if asked.casefold() == held.casefold():
        return "exact"
    ours, theirs = _parts(asked), _parts(held)
    if "".join(ours) == "".join(theirs) or set(ours) < set(theirs) or set(theirs) < set(ours):
        return "close"
    return "no_match"


def _parts(name: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", name.casefold())


@wallets.tool()
def wallets_of_worker(world: World, worker: str) -> tuple[Wallet, ...]:
    """List every wallet that a worker has on our roster, those left behind included."""
    world[Worker][worker]
    return tuple(world[Wallet].where(worker=worker))


@wallets.tool(writes=True)
def run_name_checks(world: World, wallets: tuple[str, ...]) -> tuple[NameCheck, ...]:
    """Ask the schemes whether wallets are held under their workers' names.

    The name asked is the one on the roster now. All wallets of one call go out together; answers
    come some minutes later: exact, close or no_match. Refused as a whole for a wallet that is no
    longer in use, one that is named twice, and one whose last question has not been answered.
    """
    if not wallets or len(set(wallets)) < len(wallets):
        raise Refused("wallets: at least one, and none twice")
    for key in wallets:
        if world[Wallet][key].status != "in_use":
            raise Refused(f"{key} is no longer in use")
        if world[NameCheck].where(wallet=key, result="pending"):
            raise Refused(f"{key} has a check that is not answered yet")
    asked = tuple(
        world[NameCheck].add(
            wallet=key,
            name=world[Worker][world[Wallet][key].worker].name,
            day=world.day,
            result="pending",
        )
        for key in wallets
    )
    lag = world.policy.number("wallet.check.minutes", world.day)
    checks = [check.id for check in asked]
    world.schedule("name_checks_answered", due=world.t + lag, priority=1, checks=checks)
    return asked


@wallets.event
def name_checks_answered(world: World, checks: list[str]) -> None:
    """The schemes answer all questions of one call."""
    for key in checks:
        check = world[NameCheck].get(key)
        if check is None or check.result != "pending":
            continue
        wallet = world[Wallet][check.wallet]
        held = world[Subscriber].where(scheme=wallet.scheme, number=wallet.number)
        result: Result = likeness(check.name, held[0].name) if held else "no_match"
        world[NameCheck].change(key, result=result, remark=_remark(check, held, result))


def _remark(check: NameCheck, held: list[Subscriber], result: Result) -> str:
    if result == "exact":
        return ""
    if not held:
        return "number not assigned"
    if result == "no_match":
        return "held by another subscriber; the scheme gives no name"
    ours, theirs = _parts(check.name), _parts(held[0].name)
    more = len(theirs) - len(ours)
    if more > 0 and "".join(ours) != "".join(theirs):
        return f"the scheme's register has {more} more name{'s' if more > 1 else ''}"
    return "spelled or divided differently"


@wallets.tool(writes=True)
def accept_close_match(world: World, check: str) -> NameCheck:
    """Mark a close answer of a scheme as accepted.

    Refused for any other answer, and for one that was accepted before.
    """
    row = world[NameCheck][check]
    if row.result != "close":
        raise Refused(f"{check} is {row.result}, not close")
    if row.accepted:
        raise Refused(f"{check} was accepted before")
    return world[NameCheck].change(check, accepted=True)


@wallets.tool(writes=True)
def register_wallet(world: World, form: str) -> Wallet:
    """Enter the number of a wallet form as the worker's wallet; the one used so far is left.

    Worker, scheme and number come from the form. A batch that was drawn up before keeps the old
    wallet. Refused when the form was entered before, and when the worker uses that number already.
    """
    paper = world[WalletForm][form]
    if paper.status == "entered":
        raise Refused(f"{form} was entered before")
    used = world[Wallet].where(worker=paper.worker, status="in_use")
    if any((one.scheme, one.number) == (paper.scheme, paper.number) for one in used):
        raise Refused(f"{paper.worker} uses {paper.number} already")
    for one in used:
        world[Wallet].change(one.id, status="left")
    world[WalletForm].change(form, status="entered")
    return world[Wallet].add(
        worker=paper.worker,
        scheme=paper.scheme,
        number=paper.number,
        added=world.day,
        form=form,
        status="in_use",
    )


@wallets.tool(writes=True, retired="correct_roster_name")
def rename_worker(world: World, worker: str, name: str) -> Worker:
    """Type another name for somebody on the roster.

    Out of use since March 2025.
    """
    raise Refused("rename_worker is retired")


@wallets.tool(writes=True)
def correct_roster_name(world: World, worker: str, paper: str) -> Worker:
    """Put a worker's name on the roster as a name paper shows it.

    Checks already made keep the name that was asked. Refused when the paper is somebody else's,
    and when the roster has that name already.
    """
    row, shown = world[Worker][worker], world[NamePaper][paper]
    if shown.worker != worker:
        raise Refused(f"{paper} is the paper of {shown.worker}")
    if shown.name == row.name:
        raise Refused(f"the roster has {shown.name} already")
    return world[Worker].change(worker, name=shown.name)
