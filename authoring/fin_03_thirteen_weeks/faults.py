"""faults.yaml: its text, and slips as edits of the cells that hold what was read."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from authoring.fin_03_thirteen_weeks.book import NAME, serial
from authoring.fin_03_thirteen_weeks.letters import said
from authoring.fin_03_thirteen_weeks.story import SLIPS, Told
from authoring.fin_03_thirteen_weeks.world import TEXTS
from authoring.parts.faults import save_faults, worded_faults
from authoring.parts.numbers import money, rounded

D = Decimal
Edit = dict[str, Any]
COLUMNS = {"paid": "I", "setoff": "J", "off": "K", "insolvent": "M", "promise": "N"}
COLUMNS |= {"made": "O", "broken": "P", "returned": "Q"}
ALL = "all"
BILLS: Mapping[str, Mapping[str, tuple[str, object]]] = {
    "anybody_releases": {"v23": ("K", 0), "v35": ("K", 0), "v09": ("K", 0)},
    "flags_decide": {"v15": ("K", ALL), "v28": ("K", ALL)},
    "all_of_it_is_blocked": {"v16": ("K", ALL), "v29": ("K", ALL)},
    "booked_without_reading": {"v34": ("I", ALL), "v39": ("I", ALL)},
    "set_off_on_one_side": {"v10": ("J", 0), "v12": ("J", 0), "v27": ("J", 0)},
}
"""What is read wrongly of supplier items: column and value."""
MATTERS: Mapping[str, Mapping[str, Mapping[str, object]]] = {
    "whole_amounts_count": {"e05": {"G": 0}, "e03": {"G": 0}},
    "small_ones_alone": {key: {"B": "none"} for key in ("e06", "e24", "e25")},
    "resolved_afterwards": {"e09": {"B": "a"}},
    "definition_of_2022": {key: {"B": "b"} for key in ("e07", "e08", "e14", "e18", "e21")},
    "thresholds_unread": {"e17": {"B": "d"}, "e04": {"B": "d"}, "e02": {"B": "c", "G": "insured"}},
    "insurer_on_the_phone": {"e19": {"G": "two thirds"}},
    "income_left_out": {key: {"B": "none"} for key in ("e12", "e22", "e23")},
}


class Places:
    """Where things stand in the reference."""

    def __init__(self, told: Told) -> None:
        self.told = told
        self.items = {one.item.key: row for row, one in enumerate(told.lines, 2)}
        self.bills = {one.payable.key: row for row, one in enumerate(told.bills, 2)}
        self.matters = {one.key: row for row, one in enumerate(told.world.matters, 2)}

    def read(self, facts: Mapping[str, Mapping[str, object]]) -> list[Edit]:
        edits = []
        for key, some in facts.items():
            amount = self.told.world.by_key[key].amount
            for name, value in some.items():
                at = f"Receivables!{COLUMNS[name]}{self.items[key]}"
                edits.append(_set(at, amount if value == ALL else value))
        return [*edits, _recalculate()]

    def billed(self, facts: Mapping[str, tuple[str, object]]) -> list[Edit]:
        edits = []
        for key, (column, value) in facts.items():
            one = self.told.world.vouchers[key]
            at = f"Payables!{column}{self.bills[key]}"
            edits.append(_set(at, one.amount if value == ALL else value))
        return [*edits, _recalculate()]

    def counted(self, facts: Mapping[str, Mapping[str, object]]) -> list[Edit]:
        edits = []
        known = {one.key: one for one in self.told.world.matters}
        for key, some in facts.items():
            two_thirds = rounded(known[key].amount * 2 / 3, 0)
            words = {"two thirds": two_thirds, "insured": rounded(known[key].amount * D("0.7"), 0)}
            for column, value in some.items():
                at = f"Exceptionals!{column}{self.matters[key]}"
                edits.append(_set(at, words.get(str(value), value)))
        return [*edits, _recalculate()]

    def hoped(self) -> list[Edit]:
        """A line for a repayment that nobody has assessed."""
        row = len(self.told.flows) + 2
        day = date(2025, 11, 14)
        values = ("F11", day.isoformat(), day, self.told.world.figures["refund P"], "P", 6)
        edits = [_set(f"Flows!{c}{row}", v) for c, v in zip("ABCDEF", values, strict=True)]
        return [*edits, _recalculate()]

    def rent(self) -> list[Edit]:
        rows = [
            row
            for row, one in enumerate(self.told.flows, 2)
            if one.flow == "F12" and one.due.year == 2026
        ]
        return [{"drop_rows": {"file": NAME, "sheet": "Flows", "rows": rows}}, _recalculate()]


def _set(at: str, value: object) -> Edit:
    match value:
        case bool():
            value = "yes" if value else "no"
        case date():
            value = serial(value)
        case Decimal():
            value = float(value)
    return {"set_cell": {"file": NAME, "at": at, "to": value}}


def _recalculate() -> Edit:
    return {"recalculate": {"file": NAME}}


def written(told: Told) -> dict[str, list[Edit]]:
    """The edits of each fault that hang on where something stands."""
    at = Places(told)
    found = {name: at.read(facts) for name, facts in SLIPS.items()}
    found |= {name: at.billed(facts) for name, facts in BILLS.items()}
    found |= {name: at.counted(facts) for name, facts in MATTERS.items()}
    none: dict[str, object] = {"promise": 0, "made": 0}
    found["given_on_forgotten"] = at.read(dict.fromkeys(("p06", "p16", "p22"), none))
    moved = ("p02", "p03", "p18", "p19", "p20")
    found["broken_ones_typed_into_days"] = at.read(
        {key: {"promise": told.line(key).day, "broken": 0} for key in moved}
    )
    found["repayment_hoped_for"] = at.hoped()
    found["january_rent_left_out"] = at.rent()
    return found


def write_faults(told: Told, path: Path) -> None:
    """Places in the text are `<<name>>`, for formulas are full of signs that templates use."""
    known = told.world.figures
    one = next(one for one in told.world.matters if one.key == "e05")
    more = {
        "pool_pledged": f"{known['cash P'] + known['cash T'] + known['pledged']}",
        "x10": money(one.counted, 0),
        "x10_whole": money(one.amount, 0),
    }
    faults = worded_faults(TEXTS / "faults.yaml", said(told) | more)
    for name, edits in written(told).items():
        faults[name]["edits"] = edits
    save_faults(faults, path)
