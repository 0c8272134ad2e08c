"""reference-2: other columns, other formulas, events in another order; openpyxl and LibreOffice."""

from collections.abc import Iterator
from pathlib import Path

import openpyxl
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from authoring.law_02_conformed_copy import rules as r
from authoring.law_02_conformed_copy.book import NAME, SHEETS, agreed_words, stands
from authoring.law_02_conformed_copy.inputs import value
from authoring.law_02_conformed_copy.sheet import Clock
from authoring.law_02_conformed_copy.world import Change, World, Written
from authoring.parts.caches import fill_caches
from authoring.parts.pack import WHEN

HEADS: tuple[str, ...] = (
    *("Clause", "Page", "Landlord's copy", "Tenant's copy", "Printed words"),
    *("Initials on landlord's copy", "Time on landlord's copy"),
    *("Initials on tenant's copy", "Time on tenant's copy", "Stet"),
    *("Reason", "Effective", "As it stands"),
    *("Pencil", "Parties, landlord's", "Parties, tenant's", "Parties, stet", "Latest time"),
)


def _parties(cell: str, n: int) -> str:
    """How many of the three parties have initialled."""

    def there(who: str) -> str:
        return f'(SUBSTITUTE({cell}{n},"{who}","")<>{cell}{n}&"")'

    attorney = f'(LEFT(A{n},3)="S4.")*{there("PK")}'
    return f"{there('HB')}+{there('AK')}+(({there('RK')}+{attorney})>0)"


def _reason(n: int) -> str:
    tests = (
        (f"Q{n}=3", "X"),
        (f'N{n}="yes"', "P"),
        (f'COUNTIF(C{n}:D{n},"none")>0', "S"),
        (f"NOT(EXACT(C{n},D{n}))", "D"),
        (f"MIN(O{n},P{n})<3", "I"),
        (f"R{n}>Settings!$B$2", "L"),
    )
    return "=" + "".join(f'IF({test},"{code}",' for test, code in tests) + '"E"' + ")" * 6


def _time(written: Written | None) -> float | None:
    return Clock(written.time).share if written and written.time else None


def _row(change: Change, now: str, n: int) -> Iterator[object]:
    yield from (change.ref, change.page)
    yield from (r.copy_text(one) for one in change.written)
    yield change.printed.strip() or None
    for one in change.written:
        yield from (r.initials_text(one), _time(one))
    yield " ".join(r.hands(change.stet)) if change.stet else None
    yield from (_reason(n), f'=IF(K{n}="E","yes","no")', now)
    yield "yes" if change.pencil else "no"
    yield from (f"={_parties(letter, n)}" for letter in "FHJ")
    yield f"=MAX(G{n},I{n})"


def _settings(sheet: Worksheet) -> None:
    sheet.append(("What", "Now", None, None, "Public holidays"))
    sheet.append(("Completion at", Clock("17.20").share))
    sheet.append(("Cure within Working Days", r.CURE_DAYS))
    sheet.append(("Lease dated", r.DATED))
    sheet["B2"].number_format, sheet["B4"].number_format = "hh:mm", "d mmmm yyyy"
    for row, day in enumerate(r.HOLIDAYS, 2):
        sheet.cell(row, 5, day).number_format = "d mmmm yyyy"


def _amendments(told: World, sheet: Worksheet) -> None:
    sheet.append(HEADS)
    codes, words = r.outcome(told).codes, agreed_words(told)
    for n, change in enumerate(told.changes, 2):
        now = stands(change, codes[change.ref], words.get(change.ref, ""))
        sheet.append(list(_row(change, now, n)))
        for letter in "GIR":
            sheet[f"{letter}{n}"].number_format = "hh:mm"


def _cure(told: World, sheet: Worksheet) -> None:
    sheet.append(("Party", "Counterpart", "Clause"))
    for ref, copy, party in sorted(r.cures(told), key=lambda one: (one[2], one[1])):
        sheet.append((party, copy, ref))


def _terms(told: World, sheet: Worksheet) -> None:
    sheet.append(
        ("Clause", "Term", "As printed", "As amended", "Agreed List", "As conformed", "Basis")
    )
    last = len(told.changes) + 1
    for n, one in enumerate(r.terms(told), 2):

        def coded(code: str, n: int = n) -> str:
            mine = f"(Amendments!$A$2:$A${last}=$A{n})"
            return f'SUMPRODUCT({mine}*(Amendments!$K$2:$K${last}="{code}"))'

        typed = [value(text, one.unit) for text in (one.printed, one.amended, one.listed)]
        listed = f'IF(AND({coded("S")}+{coded("D")}=1,E{n}<>""),"Agreed List","Printed")'
        basis = f'=IF({coded("E")}=1,"Amendment",{listed})'
        conformed = f'=CHOOSE(MATCH(LEFT(G{n},2),{{"Am","Ag","Pr"}},0),D{n},E{n},C{n})'
        sheet.append([one.ref, one.label, *typed, conformed, basis])
        if one.unit == "date":
            for letter in "CDEF":
                sheet[f"{letter}{n}"].number_format = "d mmmm yyyy"


def _at(told: World) -> dict[str, str]:
    return {one.ref: f"Terms!$F${row}" for row, one in enumerate(r.terms(told), 2)}


def _rent(told: World, sheet: Worksheet) -> None:
    sheet.append(("Rent Year", "Rent", "Payable", "Cap", "From", "To"))
    at = _at(told)
    begin = at["P7"]
    for n in range(2, 12):
        year = n - 1
        rent = at[f"R{year}"] if year <= 5 else f"ROUND(B{n - 1}+B{n - 1}*{at['S3.3']}%,0)"
        cap = at["P14"] if year == 1 else f"ROUND(D{n - 1}+D{n - 1}*{at['S3.5']}%,0)"
        free = f"ROUND(B{n}-B{n}*{at['P8']}/12,2)" if year == 1 else f"B{n}*1"
        first = f"=DATE(YEAR({begin})+A{n}-1,MONTH({begin}),DAY({begin}))"
        last = f"=DATE(YEAR({begin})+A{n},MONTH({begin}),DAY({begin})-1)"
        sheet.append((year, f"={rent}", f"={free}", f"={cap}", first, last))
        for letter in "EF":
            sheet[f"{letter}{n}"].number_format = "dd mmm yyyy"


def _dates(told: World, sheet: Worksheet) -> None:
    sheet.append(("Event", "Date"))
    at = _at(told)
    begin = at["P7"]

    def plus(years: str, months: str = "0", days: str = "0") -> str:
        parts = (f"YEAR({begin})+{years}", f"MONTH({begin})+{months}", f"DAY({begin})+{days}")
        return f"=DATE({','.join(parts)})"

    rows = (
        ("Term begins", f"={begin}"),
        ("Term ends", plus(at["P6"], days="-1")),
        ("Rent begins", plus("0", at["P8"])),
        ("Works complete by", f"={at['5.2']}"),
        ("Guarantee ends", plus(at["S4.5"])),
        ("Break Date", plus(at["P12"])),
        ("Last day to serve the Break Notice", plus(at["P12"], f"-{at['P13']}")),
        ("Last day to post it", f"=WORKDAY(B8,0-{at['17.1']},Settings!$E$2:$E$5)"),
        ("Last day to ask for renewal", plus(at["P6"], f"-{at['16.1']}", "-1")),
        ("Deposit back by", f"=SUM(B3,{at['14.2']})"),
        ("Cure by", "=WORKDAY(Settings!B4,Settings!B3,Settings!E2:E5)"),
    )
    for n, row in enumerate(rows, 2):
        sheet.append(row)
        sheet[f"B{n}"].number_format = "dddd, d mmmm yyyy"


def _summary(told: World, sheet: Worksheet) -> None:
    at, last = _at(told), len(told.changes) + 1
    decided = f"Amendments!$L$2:$L${last}"
    rows = (
        ("Effective changes", f'=SUMPRODUCT(--({decided}="yes"))'),
        ("Changes without effect", "=B4-B2"),
        ("Changes", f"=ROWS({decided})"),
        ("Deposit", f"=ROUND({at['R1']}*{at['P10']}/12,2)"),
        ("Limit of the guarantee", f"=ROUND({at['R1']}*{at['S4.3']}/12,2)"),
        ("Break payment", f"=ROUND(VLOOKUP({at['P12']},Rent!A2:B11,2)*{at['15.3']}/12,2)"),
        ("Rent payable over the Term", "=SUMPRODUCT(Rent!C2:C11)"),
    )
    sheet.append(("What", "Figure"))
    for row in rows:
        sheet.append(row)


def write_second(told: World, folder: Path) -> None:
    """Needs LibreOffice."""
    book: Workbook = openpyxl.Workbook()
    first = book.active
    assert isinstance(first, Worksheet)
    first.title = SHEETS[0]
    _settings(first)
    writers = (_amendments, _cure, _terms, _rent, _dates, _summary)
    for name, write in zip(SHEETS[1:], writers, strict=True):
        write(told, book.create_sheet(name))
    for sheet in book.worksheets:
        for column in range(1, sheet.max_column + 1):
            sheet.cell(1, column).font = Font(bold=True)
            sheet.column_dimensions[get_column_letter(column)].width = 20
    book.properties.creator, book.properties.title = "Associate", "Amendments"
    book.properties.created = book.properties.modified = WHEN
    path = folder / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    book.save(path)
    fill_caches(path)
