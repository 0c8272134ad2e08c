"""Earnings, working capital, net debt as term sheet and policy have them; `Rules` are the settings,
so that a slip is the same computation with one of them wrong."""

from decimal import Decimal
from statistics import median

import msgspec

from authoring.fin_01_three_levels import world as w
from authoring.fin_01_three_levels.world import LTM, PACK, Deal, Posting, World

D = Decimal
SOCIAL = D("0.21")
TAX, CAPEX, WORKING, INDEXED = D("0.25"), D("0.065"), D("0.14"), D("0.02")
FEE, LATER, EXIT_COST, MANAGERS = D("0.02"), D("0.10"), D("0.02"), D("0.08")
HURDLE, LEAST, ROOM, PREMIUM = D("0.18"), D(1), D("0.20"), D("0.10")
STEP = D(10000)
YEARS = (1, 2, 3, 4, 5)
FIELD = "Testing and calibration"
DECISIONS = ("accept", "part", "reject", "own")


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """Right as it stands."""

    repeats: bool = False
    """Lines exported twice count twice."""
    profit_rate: str = "average"
    """Or `closing`."""
    year: tuple[str, ...] = LTM
    """The subsidiary's months."""
    released: bool = True
    """The release of the accrual is seen."""
    refund: bool = True
    window: bool = True
    """Only what was posted in the LTM counts."""
    recurring: bool = False
    """What comes back every year is accepted."""
    annual: bool = False
    """Savings of a whole year are accepted."""
    own: bool = True
    market: bool = False
    """The vendor's view of the director's pay."""
    multiple: bool = True
    """The signed term sheet's, not the superseded one's."""
    leases_priced: bool = True
    tax_is_debt: bool = True
    leases_deducted: bool = True
    """From Covenant EBITDA."""
    bench: bool = True
    corrected_rate: bool = True
    social: bool = True
    pledged: bool = False
    confirmed: bool = True
    covenants: bool = True
    later: bool = True
    """The deferred payment counts as invested."""
    before_ifrs: bool = False
    """Deals before IFRS 16 count."""
    doubled_deal: bool = False


class Month(msgspec.Struct, frozen=True):
    """One month of the group, EUR."""

    month: str
    parent: tuple[Decimal, Decimal, Decimal]
    """Revenue, reported EBITDA, lease payments."""
    pack: tuple[Decimal, Decimal, Decimal]
    """The same of the subsidiary, PLN."""
    rate: Decimal

    @property
    def group(self) -> tuple[Decimal, ...]:
        return tuple(a + b / self.rate for a, b in zip(self.parent, self.pack, strict=True))


def counted(drawn: World, rules: Rules) -> tuple[Posting, ...]:
    """The postings that count; document and line tell them apart."""
    if rules.repeats:
        return drawn.ledger
    return tuple({(one.document, one.line): one for one in drawn.ledger}.values())


def months(drawn: World, rules: Rules) -> tuple[Month, ...]:
    found = []
    lines = counted(drawn, rules)
    for month, own in zip(LTM, rules.year, strict=True):
        here = [one for one in lines if one.month == month]
        revenue = -sum((o.amount for o in here if 4000 <= o.account <= 4299), D(0))
        ebitda = -sum((o.amount for o in here if 4000 <= o.account <= 6999), D(0))
        pack = {name: 1000 * line[own] for name, line in drawn.pack.items()}
        earned = pack["Revenue"] - sum((pack[n] for n in w.LINES[1:4]), D(0))
        table = drawn.average if rules.profit_rate == "average" else drawn.closing
        rate = table[own] if rules.profit_rate == "average" else table[PACK[-1]]
        parent = (revenue, ebitda, drawn.leases[month])
        found.append(Month(month, parent, (pack["Revenue"], earned, pack[w.PAYMENTS]), rate))
    return tuple(found)


class Adjustment(msgspec.Struct, frozen=True):
    no: str
    subject: str
    claimed: Decimal
    decision: str
    amount: Decimal
    documents: tuple[str, ...]


def adjustments(drawn: World, rules: Rules) -> tuple[Adjustment, ...]:
    """The vendor's lines, then the buyer's own by the day of posting."""
    paid = 12 * _posted(drawn, 6020)
    right: dict[str, Decimal] = {
        "V1": paid - 12 * drawn.terms.director,
        "V2": drawn.matters[1].claimed,
        "V3": D(0),
        "V4": D(0),
        "V5": _sum(drawn, "V5"),
        "V6": _sum(drawn, "V6"),
        "V7": _sum(drawn, "V7"),
        "V8": D(0),
        "V9": D(0),
        "V10": drawn.severance * 1000 / drawn.average["2024-04"],
        "V11": _sum(drawn, "V11"),
        "B1": _sum(drawn, "B1"),
        "B2": _sum(drawn, "B2"),
    }
    right |= _slipped(drawn, rules)
    decided = {"V2": "accept", "V11": "accept", "B1": "own", "B2": "own"}
    decided |= dict.fromkeys(("V3", "V4", "V8", "V9"), "reject")
    told = {one.no: (one.subject, one.claimed) for one in drawn.matters}
    own = {"B1": "Training grant, one payment", "B2": "Gain on the sale of a measuring vehicle"}
    told |= {no: (subject, D(0)) for no, subject in own.items()}
    return tuple(
        Adjustment(no, *told[no], decided.get(no, "part"), amount, drawn.documents.get(no, ()))
        for no, amount in right.items()
    )


def _slipped(drawn: World, rules: Rules) -> dict[str, Decimal]:
    """The lines that a slip gets wrong: as claimed, or left out."""
    claimed = {one.no: one.claimed for one in drawn.matters}
    believed = {
        "V1": rules.market,
        "V3": not rules.released,
        "V4": rules.recurring,
        "V5": not rules.window,
        "V6": not rules.refund,
        "V7": rules.annual,
        "V10": rules.profit_rate == "closing",
    }
    found = {no: claimed[no] for no, so in believed.items() if so}
    return found if rules.own else found | {"B1": D(0), "B2": D(0)}


def _posted(drawn: World, account: int) -> Decimal:
    return next(one.amount for one in drawn.ledger if one.account == account)


def _sum(drawn: World, key: str) -> Decimal:
    """What stands net in the ledger under the documents of an adjustment."""
    names = drawn.documents[key]
    found = {(one.document, one.line): one.amount for one in drawn.ledger if one.document in names}
    return sum(found.values(), D(0))


# --- working capital and net debt ---------------------------------------------------------------


def closing(drawn: World, month: str, rules: Rules) -> Decimal:
    """PLN for one EUR at the month's end."""
    wrong = month == PACK[-1] and not rules.corrected_rate
    return drawn.printed if wrong else drawn.closing[month]


def working_items(rules: Rules) -> tuple[str, ...]:
    return w.WORKING if rules.tax_is_debt else (*w.WORKING, "Income tax payable")


def parent_balance(drawn: World, item: str, month: str, rules: Rules) -> Decimal:
    """As in the month ends, with the invoice of the bench where it belongs."""
    moved = drawn.bench if rules.bench and month in LTM[9:] else D(0)
    sign = {"Trade payables": -1, "Payables for fixed assets": 1}.get(item, 0)
    return drawn.balances[item][month] + sign * moved


def working(drawn: World, rules: Rules) -> dict[str, Decimal]:
    """Trade working capital at each month end."""
    found = {}
    for month in LTM:
        rate = closing(drawn, month, rules)
        found[month] = sum(
            (
                (1 if item in w.ASSETS else -1)
                * (
                    parent_balance(drawn, item, month, rules)
                    + 1000 * drawn.pack_balances[item][month] / rate
                )
                for item in working_items(rules)
            ),
            D(0),
        )
    return found


class Owed(msgspec.Struct, frozen=True):
    """One line of net debt."""

    item: str
    treatment: str
    parent: Decimal
    pack: Decimal
    """Thousands of PLN."""
    amount: Decimal
    """Debt positive, cash negative, 0 for the rest."""


def net_debt(drawn: World, rules: Rules) -> tuple[Owed, ...]:
    last = LTM[-1]
    rate = closing(drawn, last, rules)
    found = []
    for item in w.ITEMS:
        treatment = treated(item, rules)
        own, pack = parent_balance(drawn, item, last, rules), drawn.pack_balances[item][last]
        sign = {"debt": 1, "cash": -1}.get(treatment, 0)
        found.append(Owed(item, treatment, own, pack, sign * (own + 1000 * pack / rate)))
    bonuses = drawn.terms.bonuses * (1 + SOCIAL if rules.social else 1)
    return (*found, Owed(w.BONUSES, "debt", bonuses, D(0), bonuses))


def treated(item: str, rules: Rules) -> str:
    if item in working_items(rules):
        return "working capital"
    if item == w.CASH or (rules.pledged and item == w.NEITHER[0]):
        return "cash"
    if item in w.DEBT and (rules.leases_priced or item != "Lease liabilities"):
        return "debt"
    return "neither"


# --- the cross-check ----------------------------------------------------------------------------


def used(deal: Deal, drawn: World, rules: Rules) -> bool:
    earlier = [
        d
        for d in drawn.deals
        if d.no < deal.no and (d.signed, d.value) == (deal.signed, deal.value)
    ]
    return (
        deal.activity == FIELD
        and "2021-10-01" <= deal.signed <= "2024-09-30"
        and 5 <= deal.value <= 40
        and (rules.before_ifrs or deal.basis == "IFRS 16")
        and "administrator" not in deal.remark
        and (rules.doubled_deal or not earlier)
    )


def median_multiple(drawn: World, rules: Rules) -> Decimal:
    return median(d.value / d.ebitda for d in drawn.deals if used(d, drawn, rules))
