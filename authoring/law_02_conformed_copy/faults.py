"""faults.yaml: wrong answers as edits of the reference; slips are what was misread or misused."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from authoring.law_02_conformed_copy import rules as r
from authoring.law_02_conformed_copy.book import NAME
from authoring.law_02_conformed_copy.papers import said
from authoring.law_02_conformed_copy.sheet import Clock
from authoring.law_02_conformed_copy.story import ALIKE
from authoring.law_02_conformed_copy.world import TEXTS, World

Edit = dict[str, Any]
AGAIN: Edit = {"recalculate": {"file": NAME}}
EARLY = "AK HB RK"
AS_BEFORE = ("times_read_to_the_quarter",)
"""Slips by which no formula comes to another value."""


class Places:
    """Where things stand in the reference."""

    def __init__(self, told: World) -> None:
        self.told = told
        self.rows = {change.ref: row for row, change in enumerate(told.changes, 2)}
        self.terms = {one.ref: row for row, one in enumerate(r.terms(told), 2)}
        self.cures = {key: row for row, key in enumerate(r.cures(told), 2)}

    def set(self, ref: str, column: str, to: object) -> Edit:
        return {"set_cell": {"file": NAME, "at": f"Amendments!{column}{self.rows[ref]}", "to": to}}

    def term(self, ref: str, column: str, to: object) -> Edit:
        return {"set_cell": {"file": NAME, "at": f"Terms!{column}{self.terms[ref]}", "to": to}}

    def rule(self, column: str, find: str, with_: str, sheet: str = "Amendments") -> Edit:
        how = {"file": NAME, "sheet": sheet, "column": column, "regex": True}
        return {"formula_replace": how | {"find": find, "with": with_}}

    def uncured(self, *refs: str) -> Edit:
        """Without the lines of Cure for these changes."""
        rows = [row for (ref, _, _), row in self.cures.items() if ref in refs]
        return {"drop_rows": {"file": NAME, "sheet": "Cure", "rows": rows}}


def write_faults(told: World, path: Path) -> None:
    at = Places(told)
    made = {name: list(edits) for name, edits in _slips(told, at)}
    facts = said(told) | {f"row_{ref}": str(row) for ref, row in at.rows.items()}
    text = (TEXTS / "faults.yaml").read_text("utf-8")
    for name, value in facts.items():
        text = text.replace(f"<<{name}>>", value)
    listed: dict[str, Any] = yaml.safe_load(text)
    for name, about in listed.items():
        if name in made:
            about["edits"] = [*made[name], *([] if name in AS_BEFORE else [AGAIN])]
    body = yaml.dump(listed, sort_keys=False, allow_unicode=True, width=98)
    path.write_text(body, "utf-8", newline="\n")


def _slips(told: World, at: Places) -> Iterator[tuple[str, Iterable[Edit]]]:
    yield "hands_read_at_a_glance", _glance(told, at)
    yield "three_sets_are_three_parties", _three(told, at)
    yield "pencil_taken_for_ink", [*(at.set(ref, "N", "ink") for ref in ("3.5", "16.1"))]
    pencilled = [at.set("7.2", "F", EARLY), at.uncured("7.2")]
    yield "pencil_initials_taken_for_ink", pencilled
    yield "minutes_not_corrected", [_settings("B2", Clock("17.40").share)]
    yield "times_read_to_the_quarter", _quarters(told, at)
    yield "times_passed_over", _times(told, at, None)
    yield "only_the_landlords_counterpart_read", _one_counterpart(told, at)
    yield "attorney_passed_over", [at.rule("OPQ"[n], r'="S4"', '="none"') for n in range(3)]
    yield "attorney_for_everything", _attorney(at)
    yield "strangers_spoil_a_change", _strangers(told, at)
    yield "stet_counts_with_one_party", [at.set("12.2", "J", EARLY)]
    yield "stet_not_seen", [at.set("10.3", "J", None)]
    foot = [*(at.set("8.4", column, EARLY) for column in "FG"), at.uncured("8.4")]
    yield "initials_at_the_foot_count", foot
    yield "list_not_used", [at.rule(column, r"E(\d+)<>\"\"", "FALSE", "Terms") for column in "FG"]
    every = r"OR\(I(\d+)=\"S\",I\d+=\"D\"\)"
    yield "list_used_for_all", [at.rule(column, every, r'I\1<>"E"', "Terms") for column in "FG"]
    yield "list_of_the_ninth", [at.term("15.3", "E", 3)]
    yield "decoration_put_on_the_list", [at.term("6.3", "E", 4)]
    yield "words_not_compared", [at.set(ref, "E", to) for ref, to in _like_landlords(told)]


def _settings(cell: str, to: object) -> Edit:
    return {"set_cell": {"file": NAME, "at": f"Settings!{cell}", "to": to}}


def _glance(told: World, at: Places) -> Iterator[Edit]:
    """Hands that are alike are taken for those of the parties."""
    for change in told.changes:
        for column, one in zip("FG", change.written, strict=True):
            if one and set(one.marks) & set(ALIKE):
                yield at.set(change.ref, column, " ".join(r.hands(one.marks, ALIKE)))
    yield at.uncured("P12", "3.2", "S2.3")


def _three(told: World, at: Places) -> Iterator[Edit]:
    """Where three sets stand nobody looks whose they are."""
    for change in told.changes:
        for column, one in zip("FG", change.written, strict=True):
            if one and len(one.marks) == 3 and " ".join(sorted(one.marks)) != EARLY:
                yield at.set(change.ref, column, EARLY)
    yield at.uncured("P12", "3.2", "7.2", "14.2", "S2.3", "S3.3")


def _times(told: World, at: Places, to: object) -> Iterator[Edit]:
    for change in told.changes:
        for column, one in zip("HI", change.written, strict=True):
            if one and one.time:
                yield at.set(change.ref, column, to)


def _quarters(told: World, at: Places) -> Iterator[Edit]:
    for change in told.changes:
        for column, one in zip("HI", change.written, strict=True):
            share = Clock(one.time).share if one and one.time else 0
            near = round(share * 96) / 96
            if share and abs(near - share) > 1e-9:
                yield at.set(change.ref, column, near)


def _one_counterpart(told: World, at: Places) -> Iterator[Edit]:
    for change in told.changes:
        here, there = change.landlord, change.tenant
        if here and r.copy_text(here) != r.copy_text(there):
            yield at.set(change.ref, "E", r.copy_text(here))
        if here and r.initials_text(here) != r.initials_text(there):
            yield at.set(change.ref, "G", r.initials_text(here))
        if here and here.time and there and here.time != there.time:
            yield at.set(change.ref, "I", Clock(here.time).share)
    rows = [at.rows[change.ref] for change in told.changes if change.landlord is None]
    yield {"drop_rows": {"file": NAME, "sheet": "Amendments", "rows": rows}}
    yield at.uncured("3.2", "S3.3")


def _like_landlords(told: World) -> Iterator[tuple[str, str]]:
    for change in told.changes:
        if change.landlord and change.tenant and change.landlord.to != change.tenant.to:
            yield change.ref, r.copy_text(change.landlord)


def _attorney(at: Places) -> Iterator[Edit]:
    for column in "OP":
        yield at.rule(column, r"LEFT\(\$A\d+,2\)=\"S4\"", "TRUE")
    yield at.uncured("3.2")


def _strangers(told: World, at: Places) -> Iterator[Edit]:
    codes: Mapping[str, str] = r.outcome(told).codes
    for change in told.changes:
        marks = {who for one in change.written if one for who in one.marks}
        if codes[change.ref] == "E" and marks & set(ALIKE) and change.ref not in ("S4.3", "S4.5"):
            where = f"Amendments!L{at.rows[change.ref]}"
            yield {"set_formula": {"file": NAME, "at": where, "to": 'IF($A$2="","","I")'}}
