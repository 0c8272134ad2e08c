"""faults.yaml: wrong answers, as edits of the reference. Slips are rules of the manual not read."""

from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from authoring.biz_02_complaints_return.book import NAME
from authoring.biz_02_complaints_return.note import said
from authoring.biz_02_complaints_return.story import hidden
from authoring.biz_02_complaints_return.world import TEXTS, World
from authoring.parts.faults import save_faults, worded_faults

Edit = dict[str, Any]
COLUMNS = {"product": "B", "cause": "C", "received": "D", "closed": "E", "outcome": "F"}
COLUMNS |= {"redress": "G"}
KEYWORDS = {
    "K10": ("deaf", "oxygen", "password", "big letters"),
    "K04": ("direct debit", "instalment", "payment", "paid at", "credit", "mandate"),
    "K05": ("bailiff", "collector", "reminder", "debt", "owe"),
    "K07": ("supplier", "moved", "switch", "old company", "new company"),
    "K06": ("contract", "promised", "doorstep", "guaranteed", "signed"),
    "K09": ("engineer", "fitter", "appointment", "visit"),
    "K03": ("meter", "display", "smart", "screen"),
    "K08": ("phone", "queue", "app", "rang", "call"),
    "K02": ("bill", "statement", "paper", "page", "yearly sheet"),
}
"""What somebody searches for, in this order; else it is a charge."""
SLIPS: Mapping[str, Mapping[str, Mapping[str, object]]] = {
    "amendment_ignored": {
        "k09d": {"cause": "K01"},
        "k01g": {"cause": "K08"},
        "k01e": {"redress": 0},
        "k03e": {"redress": 0},
        "k09e": {"redress": 0},
        "k10e": {"redress": 0},
        "k06f": {"redress": 0},
        "k02c": {"closed": date(2025, 3, 24), "redress": 40},
    },
    "amendment_from_the_first_day": {
        "p7": {"redress": 50},
        "k08c": {"redress": 25},
        "k04g": {"cause": "K01"},
        "k08g": {"cause": "K03"},
    },
    "what_followed_is_coded": {
        "k03a": {"cause": "K01"},
        "k03b": {"cause": "K01"},
        "k03d": {"cause": "K04"},
        "k06b": {"cause": "K04"},
        "k06c": {"cause": "K07"},
        "k07c": {"cause": "K01"},
        "k04c": {"cause": "K05"},
        "k01e": {"cause": "K05"},
    },
    "needs_come_second": {
        "k10a": {"cause": "K02"},
        "k10b": {"cause": "K09"},
        "k10c": {"cause": "K09"},
        "k10d": {"cause": "K05"},
        "k10e": {"cause": "K08"},
    },
    "goodwill_is_redress": {
        "k05c": {"redress": 48},
        "k01f": {"redress": 15},
        "k03f": {"redress": 20},
        "k04f": {"redress": 10},
        "k09f": {"redress": 20},
    },
    "paid_means_upheld": {
        key: {"outcome": "upheld"} for key in ("k05c", "k01f", "k03f", "k04f", "k09f")
    },
    "refunds_are_redress": {
        "k01a": {"redress": 600},
        "k01b": {"redress": 402},
        "k03a": {"redress": 461},
        "k04b": {"redress": 293},
        "k07a": {"redress": 141},
        "k02e": {"redress": 18},
        "g1": {"redress": 70},
    },
    "offers_are_redress": {
        "k04e": {"redress": 20},
        "k02f": {"redress": 50},
        "k05f": {"redress": 40},
    },
    "standard_payments_are_redress": {"k09a": {"redress": 100}, "p3": {"redress": 120}},
    "first_closing_stands": {
        "k03b": {"closed": date(2025, 3, 5)},
        "k06b": {"closed": date(2025, 2, 20)},
        "k02c": {"closed": date(2025, 3, 24)},
        "k05c": {"closed": date(2025, 4, 2)},
        "k01f": {"closed": date(2025, 5, 20)},
    },
    "holding_letters_close": {
        "k01d": {"closed": date(2025, 3, 10)},
        "k03g": {"closed": date(2025, 2, 19)},
        "k02f": {"closed": date(2025, 6, 18), "outcome": "upheld"},
    },
    "received_when_it_reached_the_desk": {
        "h1": {"received": date(2025, 5, 2)},
        "h2": {"received": date(2025, 2, 4)},
    },
    "closed_in_july": {
        "k05f": {"closed": date(2025, 7, 8), "outcome": "upheld", "redress": 40},
    },
    "one_of_two_is_all": {
        key: {"outcome": "upheld"} for key in ("k04g", "k08g", "k04d", "k09d", "k06e", "k01g")
    },
    "no_money_means_not_upheld": {
        key: {"outcome": "not upheld"} for key in ("p5", "k08c", "k05b", "k08d", "k04e", "p3")
    },
    "every_account_has_both": {
        key: {"product": "B"} for key in ("k01a", "k03b", "k03d", "k01f", "k09e", "k05f")
    },
}


class Places:
    """Where a complaint and a contact stand in the reference."""

    def __init__(self, told: World) -> None:
        self.told = told
        self.rows = {one.key: row for row, one in enumerate(told.complaints, 2)}
        self.contacts = {one.key: row for row, one in enumerate(told.contacts, 2)}
        self.free = len(told.complaints) + 2

    def set(self, at: str, to: object) -> Edit:
        value = (to - date(1899, 12, 30)).days if isinstance(to, date) else to
        return {"set_cell": {"file": NAME, "at": at, "to": value}}

    def slip(self, changes: Mapping[str, Mapping[str, object]]) -> list[Edit]:
        edits = [
            self.set(f"Register!{COLUMNS[column]}{self.rows[key]}", value)
            for key, some in changes.items()
            for column, value in some.items()
        ]
        return [*edits, _recalculate()]

    def leave(self, keys: Iterable[str], code: str) -> list[Edit]:
        """Complaints struck from Register and left out with a code."""
        chosen = list(keys)
        drop = {"file": NAME, "sheet": "Register", "rows": [self.rows[key] for key in chosen]}
        edits: list[Edit] = [{"drop_rows": drop}]
        for key in chosen:
            edits += self.left_out(key, code)
        return [*edits, _recalculate()]

    def left_out(self, key: str, code: str) -> list[Edit]:
        row = self.contacts[key]
        return [self.set(f"Contacts!B{row}", ""), self.set(f"Contacts!C{row}", code)]

    def count(self, keys: Iterable[str], cause: str) -> list[Edit]:
        """Contacts made complaints of their own, upheld the day they came."""
        edits: list[Edit] = []
        for row, key in enumerate(keys, self.free):
            one = self.told.by_key[key]
            values = (one.no, "B", cause, one.day, one.day, "upheld", 0)
            edits += [
                self.set(f"Register!{c}{row}", v) for c, v in zip("ABCDEFG", values, strict=True)
            ]
            at = self.contacts[key]
            edits += [self.set(f"Contacts!B{at}", one.no), self.set(f"Contacts!C{at}", "")]
        return [*edits, _recalculate()]


def _recalculate() -> Edit:
    return {"recalculate": {"file": NAME}}


def guess(text: str) -> str:
    """The cause by words alone."""
    low = text.lower()
    return next((code for code, some in KEYWORDS.items() if any(w in low for w in some)), "K01")


def written(told: World) -> dict[str, list[Edit]]:
    """The edits of each slip."""
    at = Places(told)
    found = {name: at.slip(changes) for name, changes in SLIPS.items()}
    guesses = {one.key: {"cause": guess(one.first.text)} for one in told.complaints}
    wrong = {key: new for key, new in guesses.items() if new["cause"] != told.of(key).cause}
    found["sorted_by_words"] = at.slip(wrong)
    joined = [one.key for one in told.contacts if one.verdict[0] == "="]
    found["each_contact_a_complaint"] = at.count(joined, "K08")
    late = [one.key for one in told.contacts if one.key in ("j5", "j7")]
    found["twenty_eight_days_for_all"] = at.count(late, "K02")
    loud = [one.key for one in told.contacts if one.left in ("N1", "N2") and one.tag == "Complaint"]
    found["loud_means_complaint"] = at.count(loud, "K08")
    others = [one.key for one in told.contacts if one.left in ("N3", "N4")]
    found["others_count"] = at.count(others, "K09")
    mistaken = [one.key for one in told.contacts if one.left in ("N5", "N6", "N7")]
    found["mistaken_large_and_old_count"] = at.count(mistaken, "K01")
    polite = [one.key for one in hidden(told) if one.key[0] == "p"]
    found["thanks_are_praise"] = at.leave(polite, "N2")
    found["given_up_is_withdrawn"] = at.leave(("g1", "g2"), "N5")
    found["second_complaints_joined"] = at.leave(("n1", "n3", "n4", "n5"), "N7")
    return found


def write_faults(told: World, path: Path) -> None:
    faults = worded_faults(TEXTS / "faults.yaml", said(told))
    for name, edits in written(told).items():
        faults[name]["edits"] = edits
    save_faults(faults, path)
