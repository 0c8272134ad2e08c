"""What stands behind reference-2: stretches of the fees, the running index, raw data."""

from datetime import date
from decimal import Decimal
from itertools import pairwise

from openpyxl.worksheet.worksheet import Worksheet

from authoring.fin_02_interest_review import notices as n
from authoring.fin_02_interest_review import rules as r
from authoring.fin_02_interest_review.book_data import sterling
from authoring.fin_02_interest_review.book_terms import FIXED
from authoring.fin_02_interest_review.days import BUSINESS, LONDON, TARGET
from authoring.fin_02_interest_review.inputs import payments
from authoring.fin_02_interest_review.second_terms import DAY, MONEY, PERCENT, put
from authoring.fin_02_interest_review.story import Story
from authoring.fin_02_interest_review.world import END, ENDS, START


def bounds(told: Story) -> list[tuple[date, date, str, str]]:
    """Stretches between days on which anything of the fees changes, with their two notices."""
    days = {START, END, *ENDS, r.AMENDED_1, *(m.first for m in told.margins)}
    days |= {day for one in told.world.loans for day in (one.first, one.last) if day < END}
    fees = [line.notice for line in told.lines if line.notice.currency == "EUR"]
    found = []
    for first, last in pairwise(sorted(days)):
        names = []
        for kind in (n.COMMITMENT, n.UTILISATION):
            ours = (o.no for o in fees if o.kind == kind and o.first <= first < o.last)
            names.append(next(ours, "open" if first >= ENDS[-1] else "-"))
        found.append((first, last, names[0], names[1]))
    return found


def stretches(told: Story, sheet: Worksheet) -> None:
    heads: tuple[str, ...] = (
        "Begins",
        "Ends before",
        "Commitment",
        "Utilisation",
        "Days",
        "Used",
        "Available",
    )
    heads += ("Margin", "Share", "Fee", "Rate on use", "Fee on use")
    for column, head in enumerate(heads, 1):
        sheet.cell(1, column, head)
    for row, (first, last, commitment, utilisation) in enumerate(bounds(told), 2):
        put(sheet, f"A{row}", first, DAY)
        put(sheet, f"B{row}", last, DAY)
        put(sheet, f"C{row}", commitment)
        put(sheet, f"D{row}", utilisation)
        put(sheet, f"E{row}", f"=B{row}-A{row}", "0")
        used = f"(Data!$P$2:$P$7<=A{row})*(Data!$Q$2:$Q$7>A{row})*Data!$T$2:$T$7"
        put(sheet, f"F{row}", f"=SUMPRODUCT({used})", MONEY)
        first_, then = (int(value) for value in told.world.rcf)
        put(sheet, f"G{row}", f"=MAX(0,MIN(B{row},Inputs!$B$7)-A{row})", "0")
        put(sheet, f"H{row}", f"=VLOOKUP(A{row},Margin!$A$2:$G$12,7)", PERCENT)
        idle = f"35%*G{row}*({first_}-F{row})+32.5%*(E{row}-G{row})*({then}-F{row})"
        put(sheet, f"I{row}", f"=H{row}*({idle})/360", MONEY)
        tiers = [
            f"IF(F{row}/{limit}>2/3,0.3%,IF(F{row}/{limit}>1/3,0.15%,0))"
            for limit in (first_, then)
        ]
        days_ = f"G{row}*{tiers[0]}+(E{row}-G{row})*{tiers[1]}"
        put(sheet, f"J{row}", f"=IF(A{row}<Inputs!$B$8,0,F{row}*({days_})/360)", MONEY)


def compound(told: Story, sheet: Worksheet) -> None:
    """The index begins anew at each period; the line of the last day has its rate."""
    for column, head in enumerate(("Day", "Looks at", "Fixing", "Weight", "Index", "Loan"), 1):
        sheet.cell(1, column, head)
    row = 2
    for name, _, fixed in sterling(told):
        for number, one in enumerate(fixed):
            put(sheet, f"A{row}", one.day, DAY)
            put(sheet, f"B{row}", f"=WORKDAY(A{row},-5,ClosedLondon)", DAY)
            put(sheet, f"C{row}", f"=VLOOKUP(B{row},Data!$F$2:$G$600,2,FALSE)/100", PERCENT)
            put(sheet, f"D{row}", one.days, "0")
            before = f"E{row - 1}*" if number else ""
            put(sheet, f"E{row}", f"={before}(1+MAX(C{row},0)*D{row}/365)", "0.00000000")
            put(sheet, f"F{row}", name)
            row += 1


def data(told: Story, sheet: Worksheet) -> None:
    drawn = told.world
    for column, head in zip("ABCD", ("EURIBOR day", "1M", "3M", "6M"), strict=True):
        put(sheet, f"{column}1", head)
    for row, (day, values) in enumerate(drawn.euribor.items(), 2):
        put(sheet, f"A{row}", day, DAY)
        for letter, value in zip("BCD", values, strict=True):
            fixed = (day, letter) == (FIXED, "C")
            put(sheet, f"{letter}{row}", "=Inputs!B4*100" if fixed else float(value), "0.000")
    for letters, head, table in (("FG", "SONIA", drawn.sonia), ("IJ", "Spot", drawn.spot)):
        put(sheet, f"{letters[0]}1", f"{head} day")
        put(sheet, f"{letters[1]}1", head)
        for row, (day, value) in enumerate(table.items(), 2):
            put(sheet, f"{letters[0]}{row}", day, DAY)
            put(sheet, f"{letters[1]}{row}", float(value), "0.0000")
    _statement(told, sheet)
    for column, head in zip("OPQRST", ("Loan", "In", "Out", "Amount", "Spot", "EUR"), strict=True):
        put(sheet, f"{column}1", head)
    for row, one in enumerate(drawn.loans, 2):
        put(sheet, f"O{row}", one.name)
        put(sheet, f"P{row}", one.first, DAY)
        put(sheet, f"Q{row}", one.last, DAY)
        put(sheet, f"R{row}", float(one.amount), MONEY)
        spot = f"VLOOKUP(WORKDAY(P{row},-2,Closed3),$I$2:$J$600,2,FALSE)"
        put(sheet, f"S{row}", f"={spot}" if one.currency == "GBP" else 1, "0.0000")
        put(sheet, f"T{row}", f"=ROUND(R{row}*S{row},2)", MONEY)


def _statement(told: Story, sheet: Worksheet) -> None:
    put(sheet, "L1", "Reference")
    put(sheet, "M1", "Moved")
    for row, line in enumerate(payments(told).rows, 2):
        amount = line[3]
        assert isinstance(amount, Decimal)
        put(sheet, f"L{row}", line[1])
        put(sheet, f"M{row}", float(amount), MONEY)


def holidays(sheet: Worksheet) -> dict[str, str]:
    """Names of the three lists, and where they stand."""
    found = {}
    lists = {"Closed3": BUSINESS, "ClosedTarget": TARGET, "ClosedLondon": LONDON}
    for letter, (name, days) in zip("ABC", lists.items(), strict=True):
        put(sheet, f"{letter}1", name)
        for row, day in enumerate(sorted(days), 2):
            put(sheet, f"{letter}{row}", day, DAY)
        found[name] = f"Closed!${letter}$2:${letter}${len(days) + 1}"
    return found
