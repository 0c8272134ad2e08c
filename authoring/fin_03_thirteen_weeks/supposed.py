"""What comes out when Settings are overwritten: the rubric's what-ifs."""

from decimal import Decimal
from typing import Any

import msgspec

from authoring.fin_03_thirteen_weeks.letters import day
from authoring.fin_03_thirteen_weeks.rules import Rules
from authoring.fin_03_thirteen_weeks.story import Told, tell
from authoring.parts.numbers import money

D = Decimal
TOL = D("0.015")
"""A cent of rounding in interest."""
DOWN = Rules(scenario="Downside", later=10, lost=D("0.20"))
PROMISES = Rules(good=60, each=2, weekday=2, least=D("0.015"))
LIMITS = Rules(unknown=25, overdue=3, minimum=D(2_250_000), cap=D("0.04"))


class Supposed(msgspec.Struct, frozen=True):
    what_ifs: dict[str, dict[str, Any]]
    facts: dict[str, str]


def _item(told: Told, key: str, *columns: str) -> list[dict[str, Any]]:
    one = told.line(key)
    values = {"code": one.code, "expected_on": one.day, "expected": one.amount}
    found = []
    for column in columns:
        about = {"sheet": "Receivables", "find": {"item": one.item.no}, "column": column}
        found.append({**about, "equals": values[column]})
    return found


def _bill(told: Told, key: str, *columns: str) -> list[dict[str, Any]]:
    one = told.bill(key)
    values = {"code": one.code, "paid_on": one.day, "paid": one.amount}
    where = {"sheet": "Payables", "find": {"item": one.payable.no}}
    return [{**where, "column": column, "equals": values[column]} for column in columns]


def _week(told: Told, number: int, *columns: str) -> list[dict[str, Any]]:
    one = told.weeks[number - 1]
    where = {"sheet": "Weeks", "find": {"week": number}}
    return [
        {**where, "column": column, "equals": getattr(one, column), "tol": TOL}
        for column in columns
    ]


def _line(told: Told, column: str, name: str) -> dict[str, Any]:
    values = told.quarter if column == "september" else told.year_end
    where = {"sheet": "Covenants", "find": {"line": name}, "column": column}
    return {**where, "equals": values[name], "tol": TOL if values[name] > 100 else D("0.001")}


def _flow(told: Told, flow: str, place: int, *columns: str) -> list[dict[str, Any]]:
    one = [known for known in told.flows if known.flow == flow][place]
    values = {"made_on": one.day, "amount": one.amount}
    where = {"sheet": "Flows", "find": {"flow_no": flow, "due": one.due}}
    return [{**where, "column": column, "equals": values[column]} for column in columns]


def _down(told: Told) -> list[dict[str, Any]]:
    return [
        *_item(told, "n05", "expected_on"),
        *_item(told, "k02", "expected_on"),
        *_item(told, "p12", "expected_on"),
        *_flow(told, "F08", 0, "amount"),
        *_week(told, 12, "drawn", "liquidity", "outside"),
        _line(told, "december", "Leverage"),
        _line(told, "december", "Adjusted EBITDA"),
    ]


def _promises(told: Told) -> list[dict[str, Any]]:
    return [
        *_item(told, "p06", "code", "expected_on"),
        *_item(told, "p16", "expected_on"),
        *_item(told, "p22", "code", "expected_on"),
        *_item(told, "p03", "expected_on"),
        *_bill(told, "v36", "code", "paid_on"),
        *_bill(told, "v25", "code", "paid"),
        *_flow(told, "F24", 0, "made_on"),
        *_week(told, 2, "closing"),
        *_week(told, 7, "drawn"),
    ]


def _limits(told: Told) -> list[dict[str, Any]]:
    return [
        *_item(told, "n16", "expected_on"),
        *_item(told, "p11", "expected_on"),
        _line(told, "september", "Leverage"),
        _line(told, "september", "Exceptional Items"),
        *_week(told, 4, "move"),
        *_week(told, 8, "interest"),
        *_week(told, 12, "drawn"),
        _line(told, "december", "Leverage"),
    ]


def supposed(told: Told) -> Supposed:
    down, promises, limits = (tell(told.world, rules) for rules in (DOWN, PROMISES, LIMITS))
    what_ifs = {
        "live_down": {
            "set": {"Settings!B2": "Downside", "Settings!B10": 10, "Settings!B11": D("0.2")},
            "then": _down(down),
        },
        "live_promises": {
            "set": {
                "Settings!B3": 60,
                "Settings!B4": 2,
                "Settings!B7": 2,
                "Settings!B8": D("0.015"),
            },
            "then": _promises(promises),
        },
        "live_limits": {
            "set": {
                "Settings!B5": 25,
                "Settings!B6": 3,
                "Settings!B9": 2250000,
                "Settings!B12": D("0.04"),
            },
            "then": _limits(limits),
        },
    }
    facts = {
        "w1_item": down.line("n05").item.no,
        "w1_day": day(down.line("n05").day),
        "w1_credit": down.line("k02").item.no,
        "w1_credit_day": day(down.line("k02").day),
        "w1_drawn": money(down.weeks[11].drawn, 0),
        "w1_leverage": f"{down.year_end['Leverage']:.2f}",
        "w2_item": promises.line("p06").item.no,
        "w2_day": day(promises.line("p06").day),
        "w2_broken": promises.line("p03").item.no,
        "w2_broken_day": day(promises.line("p03").day),
        "w2_bill": promises.bill("v36").payable.no,
        "w2_closing": money(promises.weeks[1].closing),
        "w3_leverage": f"{limits.quarter['Leverage']:.2f}",
        "w3_interest": money(limits.weeks[7].interest),
        "w3_drawn": money(limits.weeks[11].drawn, 0),
    }
    return Supposed(what_ifs, facts)
