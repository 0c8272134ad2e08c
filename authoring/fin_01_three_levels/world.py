"""What dice draw for one seed: two companies' books of two years, the deal's terms, three cases."""

from collections.abc import Sequence
from decimal import Decimal

import msgspec

from authoring.parts.dice import Dice
from authoring.parts.people import Person, company, people

D = Decimal
LTM = (*(f"2023-{m:02d}" for m in (10, 11, 12)), *(f"2024-{m:02d}" for m in range(1, 10)))
"""The twelve months to the Reference Date, 30 September 2024."""
BEFORE = (*(f"2022-{m:02d}" for m in (10, 11, 12)), *(f"2023-{m:02d}" for m in range(1, 10)))
AFTER = ("2024-10",)
PACK = (*(f"2023-{m:02d}" for m in range(1, 13)), *(f"2024-{m:02d}" for m in range(1, 10)))
"""Months of the subsidiary's pack."""
TRADES = ("Calibration", "Metrology", "Measurement")


class Posting(msgspec.Struct, frozen=True):
    """A line of the ledger; costs are positive."""

    posted: str
    document: str
    line: int
    account: int
    text: str
    centre: str
    amount: Decimal

    @property
    def month(self) -> str:
        return self.posted[:7]


class Matter(msgspec.Struct, frozen=True):
    """A line of the vendor's schedule."""

    no: str
    subject: str
    claimed: Decimal
    basis: str
    """What the vendor says of it."""


class Deal(msgspec.Struct, frozen=True):
    no: int
    signed: str
    target: str
    activity: str
    value: Decimal
    """EUR m."""
    ebitda: Decimal
    basis: str
    remark: str


class Scenario(msgspec.Struct, frozen=True):
    name: str
    growth: Decimal
    step: Decimal
    """Change of the margin in each year."""
    exit: Decimal


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    multiple: Decimal
    old_multiple: Decimal
    loan: Decimal
    """Times Covenant EBITDA."""
    indicative: Decimal
    interest: Decimal
    """As the lender confirmed it."""
    costs: Decimal
    cash: Decimal
    """Left in the group at closing."""
    director: Decimal
    """What the new managing director costs a month."""
    bonuses: Decimal
    covenants: tuple[Decimal, ...] = ()
    old_covenants: tuple[Decimal, ...] = ()


class World(msgspec.Struct, frozen=True, kw_only=True):
    seed: int
    fund: str
    platform: str
    target: str
    subsidiary: str
    city: str
    depot: str
    partner: Person
    controller: Person
    lender: Person
    adviser: Person
    ledger: tuple[Posting, ...]
    """As exported, repeated lines and all."""
    pack: dict[str, dict[str, Decimal]]
    """Line to month, in thousands of PLN."""
    pack_balances: dict[str, dict[str, Decimal]]
    balances: dict[str, dict[str, Decimal]]
    """Item to month end, EUR."""
    leases: dict[str, Decimal]
    """Payments of the parent, EUR."""
    average: dict[str, Decimal]
    closing: dict[str, Decimal]
    printed: Decimal
    """The closing rate of the Reference Date as the file wrongly has it."""
    bench: Decimal
    """An invoice for a fixed asset that stands among trade payables from July 2024."""
    severance: Decimal
    """Thousands of PLN, April 2024."""
    matters: tuple[Matter, ...]
    documents: dict[str, tuple[str, ...]]
    """Adjustment to the ledger documents that it rests on."""
    terms: Terms
    cases: tuple[Scenario, ...]
    deals: tuple[Deal, ...]


ACCOUNTS = {
    4000: "Calibration services",
    4100: "Field service",
    4200: "Sale of instruments",
    4900: "Other operating income",
    5000: "Materials",
    5100: "Subcontractors",
    6000: "Wages and salaries",
    6010: "Social charges",
    6020: "Managing director",
    6100: "Depot",
    6200: "Service charges and short-term rent",
    6300: "Vehicles and travel",
    6400: "Legal and advisory",
    6500: "Marketing",
    6600: "Information technology",
    6700: "Other operating expenses",
    7000: "Depreciation of own assets",
    7010: "Depreciation of rights of use",
    7500: "Interest on loans",
    7510: "Interest on leases",
    7600: "Exchange differences",
    8000: "Income tax",
}
WORKING = (
    "Trade receivables",
    "Inventories",
    "Prepaid expenses",
    "Trade payables",
    "Accrued wages",
    "Customer prepayments",
    "VAT and wage taxes payable",
)
ASSETS = WORKING[:3]
DEBT = (
    "Bank loans",
    "Accrued interest",
    "Shareholder loan",
    "Lease liabilities",
    "Income tax payable",
    "Payables for fixed assets",
)
CASH = "Cash at bank"
NEITHER = ("Rent deposit, pledged", "Deferred tax liability")
ITEMS = (*WORKING, CASH, NEITHER[0], *DEBT, NEITHER[1])
"""The lines of the month-end balances, in their order."""
BONUSES = "Retention bonuses"
LINES = ("Revenue", "Materials", "Personnel", "Other operating costs", "Depreciation", "Interest")
"""The lines of the subsidiary's profit and loss account."""
PAYMENTS = "Lease payments (memo)"


def at_end(month: str) -> str:
    """The month's last day."""
    days = {"02": "29" if month[:4] == "2024" else "28", "04": "30", "06": "30"}
    days |= {"09": "30", "11": "30"}
    return f"{month}-{days.get(month[5:], '31')}"


def thousands(value: Decimal) -> Decimal:
    return value.quantize(D("0.1"))


def group(dice: Dice) -> tuple[str, str, str, str]:
    """Fund, platform, target, subsidiary; no two share a first word."""
    names: list[str] = []
    for trades in (("Capital Partners",), ("Instruments",), TRADES, ("Pomiary",)):
        name = company(dice, trades)
        while name.split()[0] in {other.split()[0] for other in names}:
            name = company(dice, trades)
        names.append(name)
    fund, platform, target, subsidiary = names
    return fund, f"{platform} Holding", f"{target} GmbH", f"{subsidiary} sp. z o.o."


def rates(dice: Dice) -> tuple[dict[str, Decimal], dict[str, Decimal], Decimal]:
    """Average and closing of each month, PLN for one EUR, falling; and the misprinted last one."""
    average, closing = {}, {}
    level = dice.decimal("4.7000", "4.7600")
    for month in PACK:
        level -= dice.decimal("0.0120", "0.0260")
        average[month] = level
        closing[month] = level - dice.decimal("0.0050", "0.0210")
    wrong = closing[PACK[-1]] + dice.decimal("0.0610", "0.0890")
    return average, closing, wrong


def team(dice: Dice) -> Sequence[Person]:
    return people(dice, 4)
