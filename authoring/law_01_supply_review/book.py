"""The first reference workbook: the playbook's and the statute's numbers stand in named cells."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from math import ceil
from pathlib import Path
from string import Template
from typing import Any

import xlsxwriter
import yaml

from authoring.law_01_supply_review.calendar import Calendar
from authoring.law_01_supply_review.law import AUTHORITIES, CITED, REFERENCES
from authoring.law_01_supply_review.playbook import APPROVERS, CLASSES, GRADES, MATRIX
from authoring.law_01_supply_review.rules import Advice, Entry
from authoring.law_01_supply_review.sheet import Sheet, Value
from authoring.law_01_supply_review.words import TEXTS, facts
from authoring.law_01_supply_review.world import ANSWER, INSPECTION, WARRANTY
from authoring.parts.pack import pack
from authoring.parts.tables import open_workbook

NAME = "clause-table.xlsx"
SHEETS = ("Basis", "Clauses", "Cross-references", "Charges", "Cap", "Dates", "Authorities")
HEADS = (
    *("Position", "Subject", "Clause", "Change", "Draft term", "Counted in", "Class", "Grade"),
    *("Approver", "Agreed", "Authority", "Required redline"),
)
TOP = 4
"""Row of the first position on Workings."""
ROOM = 80
"""Last row that the sums of Charges look at."""
EVENTS = {
    "D1": ("Answer to draft 4", "ITA s 8, s 4, s 5"),
    "D2": ("Notice against renewal, 2.2", "ITA s 7(2), (3)"),
    "D3": ("End of the duties of the Confidentiality Agreement", "ITA s 6, s 7(4)"),
    "D4": ("Notice under the Interim Letter", "ITA s 7(2), (3)"),
    "D5": ("Objection to the first price list, 8.2", "ITA s 4, s 7(1)"),
    "D6": ("Apparent defects of the first delivery, 5.2", "ITA s 4, s 5"),
    "D7": ("Defects under the warranty, 9.2", "ITA s 6, s 7(1)"),
}
DATES = {
    "D1": "WORKDAY(WORKDAY(Basis!$B$3,Late,Holidays),Answer_days,Holidays)",
    "D2": "WORKDAY(EDATE(EDATE(Basis!$B$4,36)-1,-Notice_months)+1,-1,Holidays)",
    "D3": "EDATE(Signed,12*8)",
    "D4": "WORKDAY(Interim_end-Interim_days-Clear_days+1,-1,Holidays)",
    "D5": "WORKDAY(List_day+Objection_days-1,1,Holidays)",
    "D6": "WORKDAY(Basis!$B$5,Inspection_days,Holidays)",
    "D7": "WORKDAY(EDATE(Basis!$B$5,Warranty_months)-1,1,Holidays)",
}


def redlines(told: Advice, which: int) -> dict[str, str]:
    """Position to the words of the first (0) or second (1) reference; `none` for the others."""
    texts = yaml.safe_load((TEXTS / "redlines.yaml").read_text("utf-8"))
    known = facts(told)
    return {
        one.position.code: "none"
        if one.accepted
        else Template(texts[one.position.code][which]).substitute(known)
        for one in told.entries
    }


def write_book(told: Advice, folder: Path) -> None:
    path = folder / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    book = open_workbook(path, "Clause table", told.world.parties.associate.name)
    _basis(told, book)
    _clauses(told, book)
    _references(book)
    _charges(told, book)
    _cap(told, book)
    _dates(told, book)
    _authorities(book)
    _workings(told, book)
    book.close()
    pack(path)


def basis(told: Advice) -> tuple[tuple[str, Value, str], ...]:
    """Label, value and look of B3 to B7."""
    days, terms = told.world.days, told.world.terms
    return (
        ("Draft sent", days.sent, "input date"),
        ("Effective Date", days.effective, "input date"),
        ("First delivery", days.delivery, "input date"),
        ("Cap percentage", Decimal(terms.cap_percent) / 100, "input percent"),
        ("Fixed cap (ACR)", terms.fixed_cap, "input"),
    )


def _basis(told: Advice, book: xlsxwriter.Workbook) -> None:
    sheet = Sheet(book, SHEETS[0], (24, 16, 60))
    sheet.cell("A1", f"{told.world.parties.supplier}, draft 4: basis of the review", "title")
    notes = (
        f"Message of counsel, {told.world.time}: received on the next Business Day (ITA s 8)",
        "1.2 of the draft",
        "As agreed on 9 March; draft 4 still prints the earlier day",
        "15.2(b) of the draft",
        "15.2(a) of the draft",
    )
    for row, ((label, value, look), note) in enumerate(zip(basis(told), notes, strict=True), 3):
        sheet.cell(f"A{row}", label)
        sheet.cell(f"B{row}", value, look)
        sheet.cell(f"C{row}", note)


# --- clauses ------------------------------------------------------------------------------------


def _clauses(told: Advice, book: xlsxwriter.Workbook) -> None:
    sheet = Sheet(book, SHEETS[1], (9, 31, 8, 10, 11, 23, 11, 10, 19, 8, 15, 70))
    sheet.row(1, HEADS)
    words = redlines(told, 0)
    for row, one in enumerate(told.entries, 2):
        at = row + TOP - 2
        code = one.position.code
        for column, text in zip(
            "CDFJKL",
            (
                *(one.position.clause or "15.4", one.change, one.position.unit or "words"),
                *(one.agreed, CITED.get(code, ("-",))[0], words[code]),
            ),
            strict=True,
        ):
            sheet.cell(f"{column}{row}", text, "wrap" if column == "L" else "plain")
        sheet.high(row, ceil(max(len(words[code]) / 74, len(one.position.subject) / 29)))
        sheet.cell(f"A{row}", code, "plain", f"Workings!A{at}")
        sheet.cell(f"B{row}", one.position.subject, "wrap", f"Workings!K{at}")
        _term(sheet, row, one)
        sheet.cell(f"G{row}", one.found, "plain", _class(row, at))
        sheet.cell(f"H{row}", one.grade, "plain", _grade(row, at))
        look = f"INDEX(Workings!$U$4:$U$8,MATCH(H{row},Workings!$T$4:$T$8,0))"
        sheet.cell(f"I{row}", one.approver, "plain", look)
    sheet.sheet.freeze_panes(1, 1)
    sheet.sheet.autofilter(0, 0, len(told.entries), len(HEADS) - 1)


def _term(sheet: Sheet, row: int, one: Entry) -> None:
    raw = f"Workings!C{row + TOP - 2}"
    formulas = {
        "P04": f"{raw}*Days_per_five/5",
        "P07": f"{raw}*Per_month-Base_rate",
        "P14": "ROUND(Cap!B9*100,1)",
    }
    if one.term is None:
        sheet.cell(f"E{row}", "-")
    else:
        sheet.cell(f"E{row}", one.term, "plain", formulas.get(one.position.code, raw))


def _class(row: int, at: int) -> str:
    term = f"$E{row}"
    parts = [f"Workings!{column}{at}" for column in "EFG"]

    def tiers(sign: str, strict: str) -> str:
        first, second, line = parts
        return (
            f'IF({term}{sign}{first},"met",IF({term}{sign}{second},"fallback",'
            f'IF({term}{strict}{line},"outside","walk-away")))'
        )

    numbers = f'IF(Workings!D{at}="more",{tiers(">=", ">")},{tiers("<=", "<")})'
    return f'IF(Workings!H{at}<>"",Workings!H{at},{numbers})'


def _grade(row: int, at: int) -> str:
    base = (
        f"MATCH(INDEX(Workings!$O$4:$R$6,MATCH(Workings!B{at},Workings!$N$4:$N$6,0),"
        f"MATCH(G{row},Workings!$O$3:$R$3,0)),Workings!$T$4:$T$8,0)"
    )
    moved = f"MIN(5,MAX(2,{base}+Workings!I{at}-Workings!J{at}))"
    return f"INDEX(Workings!$T$4:$T$8,IF({base}=1,1,{moved}))"


def _references(book: xlsxwriter.Workbook) -> None:
    sheet = Sheet(book, SHEETS[2], (12, 12, 12, 50))
    sheet.row(1, ("In clause", "Printed", "Should be", "Why"))
    for row, one in enumerate(REFERENCES, 2):
        for column, text in zip("ABC", (one.clause, one.printed, one.right), strict=True):
            sheet.cell(f"{column}{row}", text, "text")
        sheet.cell(f"D{row}", "Shifted by the new clause 8; right in draft 3")
    sheet.sheet.freeze_panes(1, 0)


# --- money and days -----------------------------------------------------------------------------


def _charges(told: Advice, book: xlsxwriter.Workbook) -> None:
    sheet = Sheet(book, SHEETS[3], (8, 10, 26, 12, 10, 12, 9, 16))
    sheet.row(1, ("Line", "Kind", "Article", "Due", "Pieces", "Price each", "Pack", "Amount (ACR)"))
    for row, line in enumerate(told.lines, 2):
        one = line.row
        for column, text in zip("ABC", (one.line, one.kind, one.what), strict=True):
            sheet.cell(f"{column}{row}", text)
        sheet.cell(f"D{row}", one.month, "date")
        sheet.cell(f"E{row}", one.quantity, "count")
        sheet.cell(f"F{row}", line.price, "money", "Agreed_price" if one.per > 1 else "")
        sheet.cell(f"G{row}", one.per, "count", "Pack_of_kits" if one.per > 1 else "")
        sheet.cell(f"H{row}", line.amount, "money", f"ROUND(E{row}*F{row}/G{row},2)")
    sheet.sheet.freeze_panes(1, 0)


def _cap(told: Advice, book: xlsxwriter.Workbook) -> None:
    sheet = Sheet(book, SHEETS[4], (28, 18, 60))
    cap = told.cap
    sheet.cell("A1", "Limit of liability in the first Contract Year (ACR)", "title")

    def kind(name: str) -> str:
        return f'SUMIFS(Charges!$H$2:$H${ROOM},Charges!$B$2:$B${ROOM},"{name}")'

    rows: tuple[tuple[str, Decimal, str, str], ...] = (
        ("Goods charges", cap.goods, kind("goods"), "money"),
        ("Services charges", cap.services, kind("services"), "money"),
        ("All charges", cap.all, "B3+B4", "money"),
        ("Cap as drafted", cap.drafted, "MIN(Basis!B7,ROUND(Basis!B6*B3,2))", "money"),
        ("Cap by draft 3 wording", cap.draft_3, "MAX(Basis!B7,ROUND(Basis!B6*B5,2))", "money"),
        ("Cap lost", cap.lost, "B7-B6", "money"),
        ("Share of all charges", cap.drafted / cap.all, "B6/B5", "percent"),
        ("Fallback cap", cap.fallback, f"ROUND(Workings!F{TOP + 13}/100*B5,2)", "money"),
        ("Shortfall", cap.shortfall, "B10-B6", "money"),
    )
    for row, (label, value, formula, look) in enumerate(rows, 3):
        sheet.cell(f"A{row}", label)
        sheet.cell(f"B{row}", value, look, formula)
    sheet.cell("C6", "lower of the fixed sum and the percentage of the Goods alone", "note")
    sheet.cell("C7", "greater of the fixed sum and the percentage of Goods and Services", "note")


def _dates(told: Advice, book: xlsxwriter.Workbook) -> None:
    sheet = Sheet(book, SHEETS[5], (8, 52, 20, 14))
    sheet.row(1, ("Code", "What for", "Reckoned by", "Date"))
    for row, (code, day) in enumerate(told.dates.items(), 2):
        event, rule = EVENTS[code]
        for column, text in zip("ABC", (code, event, rule), strict=True):
            sheet.cell(f"{column}{row}", text)
        sheet.cell(f"D{row}", day, "date", DATES[code])


def _authorities(book: xlsxwriter.Workbook) -> None:
    sheet = Sheet(book, SHEETS[6], (20, 12, 12, 12, 60))
    sheet.row(1, ("Short form", "Status", "Applies to", "Mandatory", "What it does here"))
    for row, one in enumerate(AUTHORITIES, 2):
        texts = (one.short, one.status, one.applies or "-", one.mandatory or "-", one.helps)
        for column, text in zip("ABCDE", texts, strict=True):
            sheet.cell(f"{column}{row}", text)


# --- workings -----------------------------------------------------------------------------------


def _workings(told: Advice, book: xlsxwriter.Workbook) -> None:
    sheet = Sheet(book, "Workings", (8, 11, 9, 8, 10, 10, 10, 11, 6, 6, 34, 12))
    sheet.cell("A1", "Playbook edition 6 as changed on 20 February; days; matrix", "title")
    sheet.row(3, ("Code", "Weight", "Raw", "Better", "Best", "Second", "Line", "In words"))
    sheet.row(3, ("Up", "Down", "Subject"), column=8)
    for at, one in enumerate(told.entries, TOP):
        _limits(sheet, at, one, told)
    sheet.cell("L3", "Holidays", "head")
    calendar = Calendar()
    for at, day in enumerate((*calendar.named, *calendar.moved), TOP):
        sheet.cell(f"L{at}", day, "date")
    count = len(calendar.named) + len(calendar.moved)
    names: dict[str, tuple[str, Value]] = {"Holidays": (f"$L$4:$L${TOP + count - 1}", None)}
    sheet.row(3, CLASSES, column=14)
    for at, (weight, grades) in enumerate(MATRIX.items(), TOP):
        sheet.row(at, (weight, *grades), "plain", 13)
    for at, pair in enumerate(zip(GRADES, APPROVERS, strict=True), TOP):
        sheet.row(at, pair, "plain", 19)
    for at, (name, value) in enumerate(_numbers(told).items(), TOP):
        sheet.cell(f"W{at}", name)
        sheet.cell(f"X{at}", value, "date" if isinstance(value, date) else "plain")
        names[name] = (f"$X${at}", value)
    sheet.sheet.set_column("W:W", 18)
    sheet.sheet.set_column("X:X", 12)
    for name, (place, _) in names.items():
        book.define_name(name, f"=Workings!{place}")


def _limits(sheet: Sheet, at: int, one: Entry, told: Advice) -> None:
    position = one.position
    raw: Any = {"P04": Decimal(INSPECTION), "P07": told.world.terms.interest, "P14": None}
    sheet.cell(f"A{at}", position.code)
    sheet.cell(f"B{at}", position.weight)
    sheet.cell(f"C{at}", raw.get(position.code, one.term))
    if position.better:
        sheet.cell(f"D{at}", position.better)
        limits: Sequence[Decimal] = position.numbers
        for column, limit in zip("EFG", limits, strict=True):
            sheet.cell(f"{column}{at}", limit)
    else:
        sheet.cell(f"H{at}", one.found)
    sheet.cell(f"K{at}", position.subject)
    sheet.cell(f"I{at}", one.up)
    sheet.cell(f"J{at}", one.down)


def _numbers(told: Advice) -> dict[str, Value]:
    days, terms = told.world.days, told.world.terms
    return {
        "Late": 1,
        "Answer_days": ANSWER,
        "Notice_months": days.renewal,
        "Signed": days.nda,
        "Interim_end": days.interim_end,
        "Interim_days": days.interim_days,
        "Clear_days": 1,
        "List_day": days.list_day,
        "Objection_days": days.objection,
        "Inspection_days": INSPECTION,
        "Warranty_months": WARRANTY,
        "Days_per_five": 7,
        "Per_month": 12,
        "Base_rate": terms.base,
        "Agreed_price": terms.price_new,
        "Pack_of_kits": 100,
    }
