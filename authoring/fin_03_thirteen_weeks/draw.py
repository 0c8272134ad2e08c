"""Draws a world: parties, items with what was read of them, ledgers."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from authoring.fin_03_thirteen_weeks.accounts import figures, monthly
from authoring.fin_03_thirteen_weeks.bank import at_quarter
from authoring.fin_03_thirteen_weeks.cash import lowest, quarter, year_end
from authoring.fin_03_thirteen_weeks.world import (
    Customer,
    Item,
    Matter,
    Payable,
    Supplier,
    World,
    load,
    sized,
)
from authoring.parts.dice import Dice
from authoring.parts.numbers import cents, money, rounded
from authoring.parts.people import COMPANY, people

D = Decimal
TRADES = ("Windows", "Facades", "Interiors", "Joinery", "Builders", "Shopfitting", "Glazing")
LOAN_RATE, SEPTEMBER, DECEMBER = D("0.0460"), D("2.465"), D("2.6577")
"""Of the Term Loan; Leverage that is aimed at."""
BANKS = ("Bank of Carrowmore", "Harbour & Mercantile Bank", "Northmoor Bank")


def world(seed: int) -> World:
    dice = Dice("fin-03", seed)
    words = dice.shuffled(COMPANY)
    names = _names(dice, words)
    customers = _customers(dice, words[2:])
    crowd = people(Dice("fin-03 people", seed), 52, plain=True)
    suppliers = _suppliers(customers, [one.surname for one in crowd[36:]])
    own = _items(Dice("fin-03 items", seed), customers)
    items, payables = _set_off(own, _payables(Dice("fin-03 bills", seed), suppliers, own))
    drawn = World(
        seed=seed,
        names=names,
        people=crowd[:36],
        customers=customers,
        items=items,
        suppliers=suppliers,
        payables=payables,
        matters=_matters(Dice("fin-03 matters", seed), names),
        figures=figures(Dice("fin-03 figures", seed)),
        monthly=monthly(Dice("fin-03 monthly", seed)),
    )
    return _aimed(drawn)


def _aimed(drawn: World) -> World:
    """The Term Loan and the plan are such that Leverage lies where the story has it."""
    known = {**drawn.figures, **at_quarter(drawn), "term": D(0)}
    before = quarter(replace(drawn, figures=known))
    lots = (before["Adjusted EBITDA"] * SEPTEMBER - before["Net Debt"]) / 50_000
    known["term"] = rounded(lots, 0) * 50_000
    known["loan interest"] = cents(known["term"] * LOAN_RATE * 92 / 360)
    drawn = replace(drawn, figures=known)
    end = year_end(drawn)
    more = rounded((end["Net Debt"] / DECEMBER - end["Adjusted EBITDA"]) / 3, -2)
    plan = drawn.monthly["ebitda P"]
    changed = {"ebitda P": (*plan[:12], *(value + more for value in plan[12:]))}
    drawn = replace(drawn, monthly={**drawn.monthly, **changed})
    low, lower = (lowest(drawn, scenario) for scenario in ("Base", "Downside"))
    floor = rounded((low + lower) / 2 / 50_000, 0) * 50_000
    return replace(drawn, figures={**known, "floor": floor})


def _names(dice: Dice, words: Sequence[str]) -> dict[str, str]:
    return {
        "P": f"{words[0]} Flat Glass",
        "T": f"{words[0]} Glass Trade",
        "S": f"{words[1]} Glass Service",
        "parent": f"{words[0]} Holding",
        "bank": dice.pick(BANKS),
    }


def _customers(dice: Dice, words: Sequence[str]) -> dict[str, Customer]:
    found = {}
    told = load("customers.yaml").items()
    numbers = sorted(dice.sample(range(10100, 10999), len(told)))
    for (key, one), word, number in zip(told, words, dice.shuffled(numbers), strict=False):
        name = f"{word} {dice.pick(TRADES)}"
        late, debit = tuple(one["late"]), one.get("debit", False)
        found[key] = Customer(key, f"D{number}", name, one["company"], one["terms"], late, debit)
    return found


def _suppliers(customers: Mapping[str, Customer], words: Sequence[str]) -> dict[str, Supplier]:
    found = {}
    told = load("payables.yaml")["suppliers"].items()
    for place, ((key, one), word) in enumerate(zip(told, words, strict=False)):
        trade = one.get("trade")
        name = f"{word} {trade}" if trade else customers[one["customer"]].name
        rate, days = D(str(one.get("rate", 0))), one.get("days", 0)
        no = f"K{20117 + 31 * place}"
        found[key] = Supplier(key, no, name, one["company"], one["net"], rate, days, one["how"])
    return found


def _numbered(told: Mapping[str, Any], company: Mapping[str, str]) -> dict[str, str]:
    """Document numbers of each company's own books, in the order of days."""
    after = {"P": 41180, "T": 22730, "S": 6040}
    found: dict[str, str] = {}
    for key in sorted(told, key=lambda name: (told[name]["day"], name)):
        letter = company[key]
        after[letter] += 3 + len(found) * 7 % 5
        found[key] = f"{letter}{after[letter]}"
    return found


def _items(dice: Dice, customers: Mapping[str, Customer]) -> tuple[Item, ...]:
    told = load("receivables.yaml")
    company = {key: one.get("company") or customers[one["c"]].company for key, one in told.items()}
    numbers = _numbered(told, company)
    found = []
    for key, one in told.items():
        amount = sized(dice, one["size"])
        item = Item(
            key=key,
            no=numbers[key],
            company=company[key],
            customer=one["c"],
            day=one["day"],
            amount=amount,
            paid=cents(amount * D(str(one.get("paid", 0)))),
            setoff=amount if one.get("setoff") == "all" else D(0),
            off=cents(amount * D(str(one.get("held", 0)))),
        )
        read = ("promise", "made", "broken", "insolvent", "returned")
        found.append(replace(item, **{name: one[name] for name in read if name in one}))
    return tuple(sorted(found, key=lambda item: (item.company, item.no)))


def _payables(
    dice: Dice, suppliers: Mapping[str, Supplier], items: Sequence[Item]
) -> tuple[Payable, ...]:
    told = load("payables.yaml")
    found = [_payable(dice, key, one, suppliers) for key, one in told["items"].items()]
    mirrors = {item.key: item for item in items}
    for place, (key, one) in enumerate(told["group"].items()):
        item = mirrors[one["mirror"]]
        found.append(
            Payable(
                key=key,
                no=f"V{8831 + 4 * place}",
                ref=item.no,
                company=item.customer,
                supplier=item.company,
                day=item.day,
                amount=item.amount - sized(dice, one["held"]) * (one["held"] > 0),
            )
        )
    return tuple(sorted(found, key=lambda one: one.no))


def _payable(
    dice: Dice, key: str, one: Mapping[str, Any], suppliers: Mapping[str, Supplier]
) -> Payable:
    supplier = suppliers[one["w"]]
    amount = sized(dice, one["size"])
    off = cents(amount * D(str(one.get("held", 0))))
    freed = cents(off / 2) if "{" + key + "_freed}" in one.get("text", "") else D(0)
    words = {f"{key}_part": f"EUR {money(off)}", f"{key}_freed": f"EUR {money(freed)}"}
    return Payable(
        key=key,
        no=f"V{8204 + 7 * int(key[1:]) + int(key[1:]) % 3}",
        ref=f"{supplier.name[0]}{dice.whole(1000, 9999)}/{one['day']:%y}",
        company=supplier.company,
        supplier=one["w"],
        day=one["day"],
        amount=amount,
        paid=cents(amount * D(str(one.get("paid", 0)))),
        setoff=amount if one.get("setoff") == 1 else D(0),
        off=off - freed,
        flag=one.get("flag", False),
        text=one.get("text", "").format(**words),
    )


def _set_off(
    items: Sequence[Item], payables: Sequence[Payable]
) -> tuple[tuple[Item, ...], tuple[Payable, ...]]:
    """What is set off here is set off there."""
    ours = {one.key: one.amount for one in items}
    theirs = {one.key: one.amount for one in payables}
    told = load("receivables.yaml")
    bills = load("payables.yaml")["items"]
    here = tuple(
        replace(one, setoff=theirs[told[one.key]["setoff"]])
        if told[one.key].get("setoff") in theirs
        else one
        for one in items
    )
    there = tuple(
        replace(one, setoff=ours[bills[one.key]["setoff"]])
        if bills.get(one.key, {}).get("setoff") in ours
        else one
        for one in payables
    )
    return here, there


def _matters(dice: Dice, names: Mapping[str, str]) -> tuple[Matter, ...]:
    found = []
    for place, (key, one) in enumerate(load("exceptional.yaml").items(), 1):
        sign = -1 if one.get("income") else 1
        size = D(10) * int(sized(dice, one["size"], 0) / 10)
        less = D(10) * int(size * one.get("less", 0) / one["size"] / 10)
        text = one["text"].format(**names, less=f"EUR {money(less, 0)}")
        counted = D(0) if one["letter"] == "none" else sign * (size - less)
        no = f"X{place:02d}"
        month, about = str(one["month"]), one["reported"]
        found.append(
            Matter(key, no, month, one["co"], sign * size, counted, one["letter"], about, text)
        )
    return tuple(found)
