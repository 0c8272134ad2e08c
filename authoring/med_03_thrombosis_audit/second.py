"""reference-2: by ward, other columns first, a title above, SUMPRODUCT; no census sheet."""

from pathlib import Path

import openpyxl
from openpyxl.chart import LineChart, Reference
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from authoring.med_03_thrombosis_audit.book import NAME, SETTINGS, SHEETS
from authoring.med_03_thrombosis_audit.census import How, export, true_days
from authoring.med_03_thrombosis_audit.inputs import SENT
from authoring.med_03_thrombosis_audit.reasons import reason
from authoring.med_03_thrombosis_audit.rules import Coded, coded
from authoring.med_03_thrombosis_audit.story import FAILURES, HALF, LABELS, Found, due, found, state
from authoring.med_03_thrombosis_audit.world import COUNTED, World
from authoring.parts.caches import fill_caches
from authoring.parts.pack import WHEN

OCTOBER = HALF[3]


class Hand:
    """The workbook in the making."""

    def __init__(self, told: World) -> None:
        self.told = told
        self.code: Coded = coded(told)
        self.what: Found = found(told)
        self.n = len(self.code.cases)

    def area(self, column: str) -> str:
        return f"Cases!${column}$2:${column}${self.n + 1}"

    def having(self, **columns: str) -> str:
        """A SUMPRODUCT of conditions over Cases that count."""
        tests = [f'({self.area("C")}="yes")']
        tests += [f"({self.area(column)}={value})" for column, value in columns.items()]
        return f"SUMPRODUCT({'*'.join(tests)})" if columns else f"SUMPRODUCT(--{tests[0]})"


def _settings(hand: Hand, sheet: Worksheet) -> None:
    sheet.append(("What may change", "Now", "Where it is used"))
    for (label, value), where in zip(SETTINGS, ("3.2", "3.2", "data note", "9.2"), strict=True):
        sheet.append((label, value, where))


def _reports(hand: Hand, sheet: Worksheet) -> None:
    number = {one.key: one.no for one in hand.told.reports}
    sheet.append(("Report", "Left out", "Case", "Text"))
    for one in hand.told.reports:
        belongs = hand.code.belongs.get(one.key)
        case = number[belongs] if belongs else None
        sheet.append((one.no, hand.code.left.get(one.key), case, one.text[:60]))


HEADS = (
    *("Case", "Month", "Counts", "Ward", "Failure", "Severity", "Basis", "Preventable", "Event"),
    *("Arrived", "Left", "Stay", "Hours", "Days", "Reason"),
)


def _cases(hand: Hand, sheet: Worksheet) -> None:
    sheet.append(HEADS)
    ordered = sorted(hand.code.cases, key=lambda one: (one.ward, one.no))
    for row, one in enumerate(ordered, 2):
        hours = f"=(I{row}-J{row})/TIME(1,0,0)" if one.basis == "a" else None
        days = f"=ROUNDDOWN(I{row},0)-ROUNDDOWN(K{row},0)" if one.basis == "b" else None
        test = f"M{row}>Settings!$B$2" if one.basis == "a" else f"N{row}<=Settings!$B$3"
        count, month = f'=IF({test},"yes","no")', f"=EOMONTH(I{row},-1)+1"
        able = f'=IF(ISNUMBER(MATCH(E{row},{{"F1","F2","F3","F4"}},0)),"yes","no")'
        graded = (count, one.ward, one.failure, one.severity, one.basis, able)
        times = (one.event, one.stay.arrived, one.stay.left)
        sheet.append((one.no, month, *graded, *times, one.stay.no, hours, days, reason(one.key)))
        sheet.cell(row, 2).number_format = "yyyy-mm"
        for column in (9, 10, 11):
            sheet.cell(row, column).number_format = "d mmm yyyy hh:mm"
        sheet.cell(row, 13).number_format = "0.00"


def _rates(hand: Hand, sheet: Worksheet) -> None:
    sheet.append(("Month", "Ward", "Cases", "Bed days", "Rate", "As exported"))
    row = 1
    for month in HALF:
        for ward in COUNTED:
            row += 1
            raw = next(
                r.days
                for r in export(hand.told.seed)
                if (r.ward, r.month, r.status) == (ward, month, "F")
            )
            right = sum(
                true_days(r, How())
                for r in export(hand.told.seed)
                if (r.ward, r.month) == (ward, month)
            )
            october = month == OCTOBER
            days = f"=ROUND(F{row}/Settings!$B$4*31,0)" if october else right
            count = hand.having(D=f"$B{row}", B=f"$A{row}")
            sheet.append((month, ward, f"={count}", days, f"=ROUND(C{row}/(D{row}/1000),2)", raw))
            sheet.cell(row, 1).number_format = "yyyy-mm"
            sheet.cell(row, 5).number_format = "0.00"


def _run_chart(hand: Hand, sheet: Worksheet) -> None:
    sheet.append(("Month", "Signal", "Cases", "Bed days", "Rate", "Median"))
    for row, point in enumerate(hand.what.points, 2):
        own = f"(Rates!$A$2:$A$37=$A{row})"
        now = point.month in HALF
        cases = f"=SUMPRODUCT({own}*Rates!$C$2:$C$37)" if now else point.cases
        days = f"=SUMPRODUCT({own}*Rates!$D$2:$D$37)" if now else point.days
        middle = "=ROUND((SMALL($E$2:$E$13,6)+SMALL($E$2:$E$13,7))/2,2)"
        line = (cases, days, f"=ROUND(C{row}/(D{row}/1000),2)", middle)
        sheet.append((point.month, point.signal, *line))
        sheet.cell(row, 1).number_format = "mmm-yy"
    chart = LineChart()
    chart.title = "Hospital-acquired thrombosis, rate and median"
    chart.add_data(
        Reference(sheet, min_col=5, max_col=6, min_row=1, max_row=25), titles_from_data=True
    )
    chart.set_categories(Reference(sheet, min_col=1, min_row=2, max_row=25))
    sheet.add_chart(chart, "H3")


def _hidden(at: str, rank: str, few: str, least: str) -> str:
    return f'=IF(AND({at}>0,{at}<{least}),"<"&{least},IF(AND({few}=1,{rank}=1),"-",{at}))'


def _committee(hand: Hand, sheet: Worksheet) -> None:
    """Counts stand on the sheet Hidden; the second table stands below the first."""
    least = "Settings!$B$5"
    sheet.append(("Ward", "Rate", "Cases"))
    few = f'(COUNTIF(Hidden!$B$2:$B$7,"<"&{least})-COUNTIF(Hidden!$B$2:$B$7,0))'
    for row, ward in enumerate(COUNTED, 2):
        days = f"SUMPRODUCT((Rates!$B$2:$B$37=A{row})*Rates!$D$2:$D$37)"
        rate = f'=IF(ISTEXT(C{row}),"-",ROUND(C{row}/({days}/1000),2))'
        sheet.append((ward, rate, _hidden(f"Hidden!B{row}", f"Hidden!C{row}", few, least)))
    whole = "=ROUND(C8/(SUM(Rates!$D$2:$D$37)/1000),2)"
    sheet.append(("Hospital", whole, f"={hand.having()}"))
    sheet.append(())
    sheet.append(("Code", "Number"))
    for row, code in enumerate(FAILURES, 9):
        sheet.append((code, _hidden(f"Hidden!B{row}", "0", "0", least)))


def _counts(hand: Hand, sheet: Worksheet) -> None:
    """Numbers as they are, and of each the place among those that are not small."""
    sheet.append(("Of", "Number", "Place"))
    for row, ward in enumerate(COUNTED, 2):
        big = "($B$2:$B$7>=Settings!$B$5)"
        less = f"SUMPRODUCT({big}*($B$2:$B$7<B{row}))"
        tied = f"SUMPRODUCT({big}*($B$2:$B$7=B{row})*(ROW($B$2:$B$7)<ROW()))"
        sheet.append((ward, "=" + hand.having(D=f"$A{row}"), f"=1+{less}+{tied}"))
    sheet.append(())
    for row, code in enumerate(FAILURES, 9):
        sheet.append((code, "=" + hand.having(E=f"$A{row}")))


def _escalation(hand: Hand, sheet: Worksheet) -> None:
    sheet.append(("Case", "State", "Due", "Sent"))
    for one in hand.code.cases:
        if one.escalated:
            sheet.append((one.no, state(one), due(one.event.date()), SENT.get(one.key)))


def _summary(hand: Hand, sheet: Worksheet) -> None:
    sheet.append(("Hospital-acquired thrombosis, July to December 2025",))
    sheet.append(())
    n, yes = len(hand.told.reports), '"yes"'
    formulas = (
        f'=SUMPRODUCT(--(Reports!$A$2:$A${n + 1}<>""))',
        f'=SUMPRODUCT(--(Reports!$B$2:$B${n + 1}<>""))',
        f"={hand.having()}",
        *("=" + hand.having(G=basis) for basis in ('"a"', '"b"')),
        "=" + "+".join(hand.having(F=grade) for grade in ('"S3"', '"S4"')),
        f"={hand.having(H=yes)}",
        "=SUMPRODUCT(Rates!$D$2:$D$37)",
        "=ROUND(B5/(B10/1000),2)",
        "='Run chart'!$F$25",
    )
    for pair in zip(LABELS, formulas, strict=True):
        sheet.append(pair)


WRITE = (_settings, _reports, _cases, _rates, _run_chart, _committee, _escalation, _summary)


def write_second(told: World, folder: Path) -> None:
    """Needs LibreOffice."""
    hand = Hand(told)
    book: Workbook = openpyxl.Workbook()
    first = book.active
    assert isinstance(first, Worksheet)
    first.title = SHEETS[0]
    for name, write in zip((*SHEETS, "Hidden"), (*WRITE, _counts), strict=True):
        write(hand, first if name == SHEETS[0] else book.create_sheet(name))
    for sheet in book.worksheets:
        for letter in "ABCDEFGHIJKLMN":
            sheet.column_dimensions[letter].width = 17
    book.properties.creator, book.properties.title = "B. Registrar", "Thrombosis review"
    book.properties.created = book.properties.modified = WHEN
    folder.mkdir(parents=True, exist_ok=True)
    book.save(folder / NAME)
    fill_caches(folder / NAME)
