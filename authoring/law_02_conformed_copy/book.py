"""The reference: amendments.xlsx, where everything follows from readings and the time."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import xlsxwriter

from authoring.law_02_conformed_copy import rules as r
from authoring.law_02_conformed_copy.inputs import value
from authoring.law_02_conformed_copy.sheet import Cell, Clock, Live, Page
from authoring.law_02_conformed_copy.world import Change, World, Written
from authoring.parts.pack import pack
from authoring.parts.tables import open_workbook

NAME = "amendments.xlsx"
SHEETS = ("Settings", "Amendments", "Cure", "Terms", "Rent", "Key dates", "Summary")
HEADS: tuple[str, ...] = (
    *("Clause", "Page", "Printed words", "Landlord's copy", "Tenant's copy"),
    *("Initials on landlord's copy", "Initials on tenant's copy"),
    *("Time on landlord's copy", "Time on tenant's copy", "Stet", "Effective", "Reason"),
    "As it stands",
)
MORE = ("Written in", "All on landlord's", "All on tenant's", "Stet counts", "Agreed words")
TERM_HEADS = (
    *("Clause", "Term", "As printed", "As amended", "Agreed List", "As conformed", "Basis"),
    *("Unit", "Code"),
)
RENT_HEADS = ("Rent Year", "From", "To", "Rent", "Payable", "Cap")
LAST = 80
"""Formulas reach down to it, so that a change may be added."""


def agreed_words(told: World) -> dict[str, str]:
    facts = told.facts
    words = {"P8": "five (5)", "P10": "five (5)", "5.2": "31 October", "14.2": "fourteen (14)"}
    money = {"8.2": facts["works_to"], "R2": facts["rent2_to"], "R4": facts["rent4_listed"]}
    return words | {"16.1": "six (6)"} | money


def stands(change: Change, code: str, listed: str) -> str:
    """The words that now stand there."""
    if code == "E":
        return r.copy_text(change.landlord).replace("deleted", "nothing")
    return (listed if code in ("S", "D") else "") or change.printed.strip() or "nothing"


def _all(cell: str, row: int) -> str:
    def there(who: str) -> str:
        return f'ISNUMBER(SEARCH("{who}",{cell}{row}))'

    attorney = f'AND(LEFT($A{row},2)="S4",{there("PK")})'
    return f"AND({there('HB')},{there('AK')},OR({there('RK')},{attorney}))"


def reason_formula(row: int) -> str:
    late = f"OR(N(H{row})>Settings!$B$2,N(I{row})>Settings!$B$2)"
    tests = (
        (f'AND(J{row}<>"",Q{row})', "X"),
        (f'N{row}="pencil"', "P"),
        (f'OR(D{row}="none",E{row}="none")', "S"),
        (f"D{row}<>E{row}", "D"),
        (f"NOT(AND(O{row},P{row}))", "I"),
        (late, "L"),
    )
    return "".join(f'IF({test},"{code}",' for test, code in tests) + '"E"' + ")" * len(tests)


def write_book(told: World, folder: Path) -> None:
    path = folder / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    book = open_workbook(path, "Manuscript amendments", "Ashdown Perrin LLP")
    _settings(book)
    _amendments(told, book)
    _cure(told, book)
    _terms(told, book)
    _rent(told, book)
    _dates(told, book)
    _summary(told, book)
    book.close()
    pack(path)


def _settings(book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Settings", ("Setting", "Value"), (34, 14))
    page.add(("Time of Completion", Clock("17.20")))
    page.add(("Working Days for a cure", r.CURE_DAYS))
    page.add(("Date of the lease", r.DATED), ("", "day"))
    page.add(())
    for number, day in enumerate(r.HOLIDAYS):
        page.add(("" if number else "Public holidays", day), ("", "day"))
    book.define_name("Holidays", f"=Settings!$B$6:$B${5 + len(r.HOLIDAYS)}")


def _clock(written: Written | None) -> Cell:
    return Clock(written.time) if written and written.time else None


def _amendments(told: World, book: xlsxwriter.Workbook) -> None:
    widths = (9, 7, 34, 24, 24, 16, 16, 11, 11, 12, 10, 9, 30, 10, 10, 10, 10, 14)
    page = Page(book, "Amendments", (*HEADS, *MORE), widths)
    page.sheet.freeze_panes(1, 1)
    page.sheet.autofilter(0, 0, len(told.changes), len(HEADS) + len(MORE) - 1)
    codes, words = r.outcome(told).codes, agreed_words(told)
    for change in told.changes:
        page.add(tuple(_row(change, codes[change.ref], words.get(change.ref, ""), page.next + 1)))


def _row(change: Change, code: str, listed: str, n: int) -> Iterator[Cell]:
    yield from (change.ref, change.page, change.printed.strip())
    yield from (r.copy_text(one) for one in change.written)
    yield from (r.initials_text(one) for one in change.written)
    yield from (_clock(one) for one in change.written)
    yield " ".join(r.hands(change.stet)) if change.stet else None
    yield Live(f'IF(L{n}="E","yes","no")', "yes" if code == "E" else "no")
    yield Live(reason_formula(n), code)
    fallen = f'IF(AND(OR(L{n}="S",L{n}="D"),R{n}<>""),R{n},IF(C{n}="","nothing",C{n}))'
    here = f'IF(K{n}="yes",IF(D{n}="deleted","nothing",D{n}),{fallen})'
    yield Live(here, stands(change, code, listed))
    yield "pencil" if change.pencil else "ink"
    yield from (
        Live(_all(letter, n), not r.missing(change.ref, one.marks if one else (), r.Rules()))
        for letter, one in zip("FG", change.written, strict=True)
    )
    yield Live(
        _all("J", n), bool(change.stet) and not r.missing(change.ref, change.stet or (), r.Rules())
    )
    yield listed


def _cure(told: World, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Cure", ("Clause", "Counterpart", "Party", "By"), (9, 14, 14, 12))
    by = r.key_dates(r.outcome(told))["Cure by"]
    for row in r.cures(told):
        page.add((*row, Live("'Key dates'!$B$12", by)), ("", "", "", "day"))


def _terms(told: World, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Terms", TERM_HEADS, (9, 46, 14, 14, 14, 14, 14, 16, 7))
    page.sheet.freeze_panes(1, 2)
    of = r.outcome(told)
    for one in r.terms(told):
        n = page.next + 1
        found = f"INDEX(Amendments!$L$2:$L${LAST},MATCH($A{n},Amendments!$A$2:$A${LAST},0))"
        listed = f'AND(OR(I{n}="S",I{n}="D"),E{n}<>"")'
        value_ = value(of.conformed[one.ref], one.unit)
        source = f'IF(I{n}="E","Amendment",IF({listed},"Agreed List","Printed"))'
        typed = (value(text, one.unit) for text in (one.printed, one.amended, one.listed))
        look = "day" if one.unit == "date" else "whole" if one.unit == "GBP" else "any"
        cells = (one.ref, one.label, *typed)
        live = (
            Live(f'IF(I{n}="E",D{n},IF({listed},E{n},C{n}))', value_),
            Live(source, of.basis[one.ref]),
            one.unit,
            Live(f'IFERROR({found},"-")', of.codes.get(one.ref, "-")),
        )
        page.add((*cells, *live), ("", "", *(look,) * 4))


def term_cells(told: World) -> dict[str, str]:
    """Clause to the cell of its conformed figure."""
    return {one.ref: f"Terms!$F${row}" for row, one in enumerate(r.terms(told), 2)}


def _rent(told: World, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Rent", RENT_HEADS, (10, 12, 12, 14, 14, 14))
    at = term_cells(told)
    looks = ("", "day", "day", "whole", "money", "whole")
    for year in r.rents(r.outcome(told)):
        n = page.next + 1
        rent = at[f"R{year.number}"] if year.number <= 5 else _rise("D", n, at["S3.3"])
        cap = at["P14"] if year.number == 1 else _rise("F", n, at["S3.5"])
        free = f"ROUND(D{n}*(12-{at['P8']})/12,2)" if year.number == 1 else f"D{n}"
        page.add(
            (
                year.number,
                Live(f"EDATE({at['P7']},12*(A{n}-1))", year.first),
                Live(f"EDATE({at['P7']},12*A{n})-1", year.last),
                Live(rent, year.rent),
                Live(free, year.payable),
                Live(cap, year.cap),
            ),
            looks,
        )


def _rise(column: str, row: int, per_cent: str) -> str:
    return f"ROUND({column}{row - 1}*(1+{per_cent}/100),0)"


def date_formulas(told: World) -> dict[str, str]:
    at = term_cells(told)
    end = f"EDATE({at['P7']},12*{at['P6']})-1"
    return {
        "Term begins": at["P7"],
        "Rent begins": f"EDATE({at['P7']},{at['P8']})",
        "Works complete by": at["5.2"],
        "Break Date": f"EDATE({at['P7']},12*{at['P12']})",
        "Last day to serve the Break Notice": f"EDATE(B5,-{at['P13']})",
        "Last day to post it": f"WORKDAY(B6,-{at['17.1']},Holidays)",
        "Guarantee ends": f"EDATE({at['P7']},12*{at['S4.5']})",
        "Last day to ask for renewal": f"EDATE(B10,-{at['16.1']})",
        "Term ends": end,
        "Deposit back by": f"B10+{at['14.2']}",
        "Cure by": "WORKDAY(Settings!$B$4,Settings!$B$3,Holidays)",
    }


def _dates(told: World, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Key dates", ("Event", "Date"), (38, 14))
    days: dict[str, date] = r.key_dates(r.outcome(told))
    for event, formula in date_formulas(told).items():
        page.add((event, Live(formula, days[event])), ("", "day"))


def sum_formulas(told: World) -> dict[str, str]:
    at = term_cells(told)
    return {
        "Changes": f"COUNTA(Amendments!$A$2:$A${LAST})",
        "Effective changes": f'COUNTIF(Amendments!$K$2:$K${LAST},"yes")',
        "Changes without effect": f'COUNTIF(Amendments!$K$2:$K${LAST},"no")',
        "Rent payable over the Term": "SUM(Rent!$E$2:$E$11)",
        "Deposit": f"ROUND(Rent!$D$2/12*{at['P10']},2)",
        "Break payment": f"ROUND(INDEX(Rent!$D$2:$D$11,{at['P12']})/12*{at['15.3']},2)",
        "Limit of the guarantee": f"ROUND(Rent!$D$2/12*{at['S4.3']},2)",
    }


def _summary(told: World, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Summary", ("Figure", "Value"), (34, 18))
    values: dict[str, Decimal] = r.sums(told, r.outcome(told))
    for label, formula in sum_formulas(told).items():
        look = "whole" if "hanges" in label else "money"
        page.add((label, Live(formula, values[label])), ("", look))
