"""The office files of the scaffold that `bythebook new task --suite deliverables` lays out.

    python -m authoring.scaffold      # written anew into the package

Its texts are written by hand beside them. Whoever uses the scaffold needs none of this: the files
are shipped, and changed in a spreadsheet.
"""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from authoring.parts.caches import fill_caches
from authoring.parts.pack import pack
from authoring.parts.tables import open_workbook
from authoring.parts.word import write_docx

PLACE = (
    Path(__file__).resolve().parents[1]
    / "src/bythebook/cli/scaffolds/deliverable/tasks/deliverables/TASK"
)
FILES = (
    "inputs/trips.xlsx",
    "reference/mileage.xlsx",
    "reference/note.docx",
    "reference-2/mileage.xlsx",
    "reference-2/note.docx",
)
OLD, NEW, FROM = Decimal("0.38"), Decimal("0.42"), date(2025, 3, 16)
TRIPS = (
    ("T-01", date(2025, 3, 3), "Ada Brandt", 120),
    ("T-02", date(2025, 3, 5), "Jun Osei", 85),
    ("T-03", date(2025, 3, 10), "Ada Brandt", 240),
    ("T-04", date(2025, 3, 17), "Lia Moreno", 60),
    ("T-05", date(2025, 3, 18), "Jun Osei", 310),
    ("T-06", date(2025, 3, 24), "Lia Moreno", 145),
    ("T-07", date(2025, 3, 27), "Ada Brandt", 95),
    ("T-08", date(2025, 3, 31), "Jun Osei", 180),
)
DAY, MONEY = "yyyy-mm-dd", "#,##0.00"
LAST = len(TRIPS) + 1


def rate(day: date) -> Decimal:
    return NEW if day >= FROM else OLD


def amounts() -> Iterator[Decimal]:
    for _, day, _, kilometres in TRIPS:
        yield kilometres * rate(day)


TOTAL = sum(amounts(), Decimal(0))


def build(to: Path) -> None:
    """Write all of `FILES` below a folder."""
    for name in FILES:
        (to / name).parent.mkdir(parents=True, exist_ok=True)
    with open_workbook(to / FILES[0], "Trips of March") as book:
        _trips(book)
    _reference(to / FILES[1])
    _second(to / FILES[3])
    for name in (FILES[0], FILES[1]):
        pack(to / name)
    fill_caches(to / FILES[3])
    write_docx(to / FILES[2], NOTE.format(total=TOTAL))
    write_docx(to / FILES[4], SECOND.format(total=TOTAL))


def _trips(book: Any) -> None:
    sheet = book.add_worksheet("Trips")
    sheet.write_row(0, 0, ["Trip", "Day", "Traveller", "Kilometres"])
    sheet.set_column(1, 2, 12)
    day_format = book.add_format({"num_format": DAY})
    for row, (trip, day, traveller, kilometres) in enumerate(TRIPS, 1):
        sheet.write(row, 0, trip)
        sheet.write_datetime(row, 1, day, day_format)
        sheet.write_row(row, 2, [traveller, kilometres])


def _reference(path: Path) -> None:
    """The numbers of the rules stand in named cells, so that a slip is one `set_cell`."""
    with open_workbook(path, "Mileage of March") as book:
        _trips(book)
        money = book.add_format({"num_format": MONEY})
        sheet = book.add_worksheet("Mileage")
        sheet.write_row(0, 0, ["Trip", "Day", "Driven (km)", "Per km", "Amount (EUR)"])
        sheet.set_column(1, 4, 13)
        sheet.freeze_panes(1, 0)
        day_format = book.add_format({"num_format": DAY})
        for row, ((trip, day, _, driven), due) in enumerate(zip(TRIPS, amounts(), strict=True), 1):
            at = row + 1
            serial = (day - date(1899, 12, 30)).days
            sheet.write_formula(row, 0, f"=Trips!A{at}", None, trip)
            sheet.write_formula(row, 1, f"=Trips!B{at}", day_format, serial)
            sheet.write_formula(row, 2, f"=Trips!D{at}", None, driven)
            rule = f"=IF(B{at}>=NewRateFrom,NewRate,OldRate)"
            sheet.write_formula(row, 3, rule, money, rate(day))
            sheet.write_formula(row, 4, f"=ROUND(C{at}*D{at},2)", money, due)
        summary = book.add_worksheet("Summary")
        summary.set_column(0, 0, 16)
        summary.write(0, 0, "Total to pay")
        summary.write_formula(0, 1, f"=SUM(Mileage!E2:E{LAST})", money, TOTAL)
        rules = book.add_worksheet("Rules")
        rules.set_column(0, 1, 16)
        rules.write_row(0, 0, ["Old rate", OLD])
        rules.write_row(1, 0, ["New rate", NEW])
        rules.write(2, 0, "New rate from")
        rules.write_datetime(2, 1, FROM, day_format)
        for row, name in enumerate(("OldRate", "NewRate", "NewRateFrom"), 1):
            book.define_name(name, f"=Rules!$B${row}")


def _second(path: Path) -> None:
    """The same numbers by another road: no column of rates, a title, the columns turned round."""
    with open_workbook(path, "Mileage") as book:
        _trips(book)
        sheet = book.add_worksheet("Mileage")
        sheet.write(0, 0, "Mileage of March, trip by trip")
        money = book.add_format({"num_format": MONEY})
        sheet.write_row(2, 0, ["Amount", "Trip", "Traveller"])
        sheet.freeze_panes(3, 0)
        for row, (trip, _, _, _) in enumerate(TRIPS, 3):
            at = f"MATCH(B{row + 1},Trips!$A$2:$A${LAST},0)"
            driven = f"INDEX(Trips!$D$2:$D${LAST},{at})"
            late = f"(INDEX(Trips!$B$2:$B${LAST},{at})>DATE(2025,3,15))"
            sheet.write_formula(row, 0, f"=ROUND({driven}*(0.38+0.04*{late}),2)", money)
            sheet.write(row, 1, trip)
            sheet.write_formula(row, 2, f"=INDEX(Trips!$C$2:$C${LAST},{at})")
        summary = book.add_worksheet("Summary")
        summary.write(1, 1, "Total to pay")
        days, driven = f"Trips!B2:B{LAST}", f"Trips!D2:D{LAST}"
        total = f"=0.38*SUM({driven})+0.04*SUMIF({days},DATE(2025,3,15),{driven})"
        total = total.replace("DATE(2025,3,15)", '">"&DATE(2025,3,15)')
        summary.write_formula(2, 1, total, money)


NOTE = """# Result

Total to pay for March: EUR {total}.

# Reason

From 16 March on a kilometre is paid at EUR 0.42, as finance corrected; before that at EUR 0.38.
"""
SECOND = """# Result

For March the total to pay comes to {total} euros.

# Reason

Finance moved the start of the new rate: 0.42 instead of 0.38 for every kilometre since 16 March.
"""


if __name__ == "__main__":
    build(PLACE)
