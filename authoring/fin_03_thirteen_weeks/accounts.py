"""Ledgers and plan: single figures and monthly series."""

from decimal import Decimal

from authoring.fin_03_thirteen_weeks.world import sized
from authoring.parts.dice import Dice

D = Decimal
SERIES: dict[str, tuple[float, ...]] = {
    # October 2024 to September 2025, then the plan of three months
    "ebitda P": (168, 151, 122, 139, 171, 188, 196, 201, 187, 176, 199, 207, 262, 248, 226),
    "ebitda T": (71, 66, 41, 52, 63, 72, 78, 74, 69, 66, 71, 79, 96, 92, 81),
    "ebitda S": (0, 0, 0, 0, 0, 0, 0, 41, 44, 39, 42, 47, 58, 55, 46),
    "rent P": (*(22.0,) * 9, *(23.5,) * 6),
    "rent T": (*(9.2,) * 15,),
    "rent S": (*(0.0,) * 7, *(5.4,) * 8),
    "own S": (36, 39, 28, 31, 34, 41, 44),
    # October to December 2025
    "sales P": (760, 805, 690),
    "sales T": (415, 430, 375),
    "sales S": (190, 208, 196),
    "purchases P": (332, 348, 296),
    "purchases T": (188, 197, 171),
    "purchases S": (62, 66, 58),
    # September to December 2025
    "wages P": (286, 291, 352, 289),
    "wages T": (112, 113, 139, 112),
    "wages S": (81, 83, 84, 83),
    # January to December 2025
    "interest": (24, 23, 25, 25, 33, 34, 35, 34, 34, 35, 34, 36),
    "commitment fee": (2.1, 2.0, 2.1, 2.0, 1.7, 1.6, 1.6, 1.7, 1.6, 1.6, 1.6, 1.6),
    "guarantee commission": (0.8,) * 12,
    "arrangement fee": (4.6,) * 12,
    "lease interest": (3.9, 3.9, 3.8, 3.8, 4.4, 4.4, 4.3, 4.3, 4.2, 4.2, 4.1, 4.1),
    "finance lease interest": (2.9, 2.9, 2.8, 2.8, 2.7, 2.7, 2.6, 2.6, 2.5, 2.5, 2.4, 2.4),
    "shareholder interest": (7.5,) * 12,
    "interest received": (0.9, 0.7, 0.6, 0.8, 0.4, 0.5, 0.6, 0.4, 0.5, 0.5, 0.5, 0.5),
}
SINGLE: dict[str, float] = {
    "lease September": 624,
    "lease December": 571,
    "shareholder loan": 1500,
    "rent leases": 1310,
    "vendor": 900,
    "cash P": 1180,
    "cash T": 745,
    "cash S": 438,
    "pledged": 350,
    "output P": 168,
    "input P": 71,
    "output T": 92,
    "input T": 47,
    "output S": 41,
    "input S": 88,
    "refund S": 27,
    "refund P": 84,
    "rent": 31,
    "store": 27,
    "robots": 18.5,
    "insurance": 96,
    "vendor interest": 22,
    "vans": 134,
    "quarter fees": 7.2,
}


def monthly(dice: Dice) -> dict[str, tuple[Decimal, ...]]:
    """EUR, whole."""
    found = {}
    for name, values in SERIES.items():
        flat = len(set(values)) == 1
        same = sized(dice, values[0], 0)
        found[name] = tuple(same if flat else _about(dice, value) for value in values)
    for name in ("rent P", "rent S"):
        held = {value: _about(dice, value) for value in sorted(set(SERIES[name]))}
        found[name] = tuple(held[value] for value in SERIES[name])
    return found


def _about(dice: Dice, value: float) -> Decimal:
    """Within two per cent."""
    if not value:
        return D(0)
    return D(round(value * dice.whole(980, 1020))) + dice.whole(0, 9)


def figures(dice: Dice) -> dict[str, Decimal]:
    found = {name: sized(dice, value) for name, value in SINGLE.items()}
    for name in ("lease September", "lease December", "rent leases"):
        found[name] = D(_about(dice, SINGLE[name]))
    found["lease December"] = found["lease September"] - D(dice.whole(480, 560)) * 100
    return found | {
        "vendor": D(dice.whole(17, 19)) * 50_000,
        "pledged": D(dice.whole(6, 8)) * 50_000,
        "shareholder loan": D(1_500_000),
        "commitments": D(8_000_000),
        "guarantees": D(dice.whole(11, 14)) * 50_000,
        "drawn": D(3_000_000),
        "drawn October": D(500_000),
        "furnace": D(dice.whole(50, 54)) * 10_000,
        "instalment": D(dice.whole(9, 11)) * 25_000,
    }
