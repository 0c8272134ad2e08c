"""Two weeks of the banks' statements."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

import msgspec

from authoring.fin_03_thirteen_weeks.world import STATUS, World
from authoring.parts.dice import Dice
from authoring.parts.numbers import cents

D = Decimal
ACCOUNTS = {"P": "4410 07", "T": "4410 15", "S": "7782 31", "pledged": "4410 90"}
QUARTER = date(2025, 9, 30)


class Entry(msgspec.Struct, frozen=True):
    account: str
    day: date
    text: str
    amount: Decimal
    booked: bool = True


def _item(told: World, key: str, day: str, text: str, amount: Decimal | None = None) -> Entry:
    one = told.by_key[key]
    name = told.customers[one.customer].name.upper()
    value = one.amount if amount is None else amount
    words = text.format(name=name, no=one.no, digits=one.no[1:])
    return Entry(one.company, date.fromisoformat(day), words, value)


def _receipts(told: World) -> tuple[Entry, ...]:
    at = told.by_key
    three = at["m02"].amount + at["m03"].amount + at["k01"].amount
    joined = f"{{name}} {{no}} AND {at['m03'].no} LESS {at['k01'].no}"
    q04, q06, m06 = (at[key].amount for key in ("q04", "q06", "m06"))
    wrong = at["m08"].no[1:]
    wrong = wrong[:-2] + wrong[-1] + wrong[-2] if wrong[-1] != wrong[-2] else wrong[:-1] + "?"
    return (
        _item(told, "q06", "2025-09-25", "DIRECT DEBIT {name} {no}"),
        _item(told, "q04", "2025-09-26", "DIRECT DEBIT {name} {no}"),
        _item(told, "m04", "2025-09-29", "{name} PART OF {no}", at["m04"].paid),
        _item(told, "m06", "2025-09-30", "CHEQUE {name} INV {digits}"),
        _item(told, "q04", "2025-09-30", "RETURNED DEBIT {name} {no} NO FUNDS", -q04),
        _item(told, "q06", "2025-10-01", "RETURNED DEBIT {name} {no} ACCOUNT CLOSED", -q06),
        _item(told, "m02", "2025-10-01", joined, three),
        _item(told, "m01", "2025-10-02", "{name} RE {digits}"),
        _item(told, "m05", "2025-10-02", "{name} {no} 1ST HALF", at["m05"].paid),
        _item(told, "m06", "2025-10-02", "CHEQUE RETURNED {name} INV {digits}", -m06),
        _item(told, "m08", "2025-10-03", f"{{name}} YOUR INVOICE {wrong}"),
    )


def _payments(told: World) -> tuple[Entry, ...]:
    at, known = told.vouchers, told.figures
    found = []
    for key, day, share in (("v33", "2025-10-02", "1"), ("v34", "2025-10-02", "1")):
        one = at[key]
        name = told.suppliers[one.supplier].name.upper()
        words = f"RUN 02.10. {name} {one.ref}"
        found.append(Entry(one.company, date.fromisoformat(day), words, -one.amount * D(share)))
    back, half = at["v34"], at["v39"]
    names = {key: told.suppliers[at[key].supplier].name.upper() for key in ("v34", "v39")}
    returned = f"RETURNED {names['v34']} {back.ref} BENEFICIARY UNKNOWN"
    found.append(Entry(back.company, STATUS, returned, back.amount))
    words = f"RUN 25.09. {names['v39']} {half.ref} HALF"
    found.append(Entry(half.company, date(2025, 9, 25), words, -half.paid))
    fixed = (("P", "2025-10-01", "RENT OCTOBER", "rent"), ("T", "2025-10-01", "RENT Q4", "store"))
    for company, day, text, name in fixed:
        found.append(Entry(company, date.fromisoformat(day), text, -known[name]))
    for company, day in (("P", "2025-09-25"), ("T", "2025-09-25"), ("S", "2025-09-30")):
        wages = told.monthly[f"wages {company}"][0]
        found.append(Entry(company, date.fromisoformat(day), "WAGES 09/2025", -wages))
    found.append(Entry("S", date(2025, 10, 2), "TWO VANS PER CONTRACT", -known["vans"]))
    words = "LOAN DRAWN UNDER RCF"
    found.append(Entry("P", date(2025, 10, 2), words, known["drawn October"]))
    return tuple(found)


def _noise(told: World) -> tuple[Entry, ...]:
    """Receipts of invoices that are no longer open, fees."""
    dice = Dice("fin-03 bank", told.seed)
    found = []
    for company in ("P", "T", "S"):
        own = [one for one in told.customers.values() if one.company == company and not one.debit]
        for day in (22, 23, 24, 26, 29, 30):
            who = dice.pick(own[:6])
            words = f"{who.name.upper()} {company}{dice.whole(2000, 5000)}"
            amount = cents(D(dice.whole(400, 3900)) * 10 + D(dice.whole(0, 99)) / 100)
            found.append(Entry(company, date(2025, 9, day), words, amount))
        fee = D(dice.whole(900, 4900)) / 100
        found.append(Entry(company, QUARTER, "FEES Q3", -fee))
    return tuple(found)


def entries(told: World) -> tuple[Entry, ...]:
    """By account and day, what is only announced at the end."""
    one = told.by_key["n15"]
    name = told.customers[one.customer].name.upper()
    ahead = Entry(one.company, date(2025, 10, 6), f"ANNOUNCED {name} {one.no}", one.amount, False)
    every = (*_receipts(told), *_payments(told), *_noise(told), ahead)
    order = list(ACCOUNTS)
    return tuple(sorted(every, key=lambda e: (order.index(e.account), e.day, -e.amount)))


def at_quarter(told: World) -> Mapping[str, Decimal]:
    """Balances of 30 September: those of the status date without what came since."""
    found = {}
    for company in ("P", "T", "S"):
        since = (
            one.amount
            for one in entries(told)
            if one.account == company and one.booked and one.day > QUARTER
        )
        found[f"bank {company}"] = told.figures[f"cash {company}"] - sum(since, D(0))
    return found
