"""A small deliverables task with everything a task has: a market stall's week, its takings, a note.

The trap: tea costs more from 4 July, which only the notice says.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import docx
import xlsxwriter

from bythebook.deliverables.task import DeliverableTask, load_task
from bythebook.task import Content

ITEMS = ("Tea", "Coffee", "Cake")
PRICES = {"Tea": Decimal("2.50"), "Coffee": Decimal("3.20"), "Cake": Decimal("4.10")}
NEW_TEA, NEW_TEA_FROM = Decimal("2.80"), date(2024, 7, 4)
SALES = tuple(
    (date(2024, 7, 1) + timedelta(days=n // 3), ITEMS[n % 3], 11 + 7 * n % 13) for n in range(15)
)


def price(day: date, item: str) -> Decimal:
    return NEW_TEA if item == "Tea" and day >= NEW_TEA_FROM else PRICES[item]


def takings(item: str) -> Decimal:
    return sum((units * price(day, one) for day, one, units in SALES if one == item), Decimal(0))


TOTAL = sum((takings(item) for item in ITEMS), Decimal(0))

PROMPT = """Please do the week's takings of the stall from sales.xlsx; read notice.md as well.

I want takings.xlsx: the sheet Sales as it is, first; then a sheet Takings with one row for each
sale, under the headings Day, Item, Units, Price and Takings (EUR), Takings as a live formula; then
a sheet Summary with the headings Item, Units sold and Takings of the week, the label Total takings
with the sum, the name TotalTakings for that cell, and a column chart of the takings by item. Freeze
the heading of Takings and put a filter on it; mark sales over 60 EUR by a conditional format. The
file must show its values when it is opened again.

And note.docx: under the headings Result and Reason, say the total and why it rose.
"""

RUBRIC = """fields:
  day: {names: [Day, Date], as: date}
  item: {names: [Item, Product]}
  units: {names: [Units], as: number}
  price: {names: [Price], as: number}
  takings: {names: [Takings (EUR), Takings], as: number, unit: EUR}
  units_sold: {names: [Units sold], as: number}
  week: {names: [Takings of the week], as: number, unit: EUR}
  total: {names: [Total takings], as: number, unit: EUR}
items:
- id: R01
  says: takings.xlsx and note.docx were handed over and open.
  dimension: structure
  level: core
  check: {files: {want: {takings.xlsx: xlsx, note.docx: docx}}}
- id: R02
  says: Sales is unchanged and stands first.
  dimension: integration
  level: important
  check: {unchanged: {input: sales.xlsx, first: true}}
- id: R03
  says: Each sale's takings are right, as a live formula.
  dimension: calculation
  level: core
  check: {column: {sheet: Takings, key: [day, item], column: takings,
                   table: expected/sales.csv#takings, tol: 0.01, formula: true}}
- id: R04
  says: The summary has units and takings of each item.
  dimension: calculation
  level: core
  check: {cell: {sheet: Summary, all: [
    {find: {item: Tea}, column: week, equals: TEA},
    {find: {item: Coffee}, column: week, equals: COFFEE},
    {find: {item: Cake}, column: week, equals: CAKE},
    {find: {item: Tea}, column: units_sold, equals: TEAS},
    {find: {item: Coffee}, column: units_sold, equals: COFFEES},
    {find: {item: Cake}, column: units_sold, equals: CAKES}]}}
- id: R05
  says: Total takings are SUM.
  dimension: calculation
  level: core
  check: {label: {sheet: Summary, all: [{label: total, equals: SUM, tol: 0.01}], formula: true}}
- id: R06
  says: A column chart shows the takings by item.
  dimension: presentation
  level: important
  check: {charts: {sheet: Summary, all: [{values: expected/items.csv#week, type: column}]}}
- id: R07
  says: Takings has a frozen heading, a filter and a conditional format.
  dimension: engineering
  level: auxiliary
  check: {view: {sheets: [Takings], has: [freeze, filter, cf]}}
- id: R08
  says: TotalTakings names the total.
  dimension: engineering
  level: auxiliary
  check: {names: {are: {TotalTakings: SUM}}}
- id: R09
  says: The note has the headings Result and Reason.
  dimension: presentation
  level: important
  check: {outline: {file: note.docx, has: [Result, Reason]}}
- id: R10
  says: The note says the total.
  dimension: domain
  level: important
  screen: {figures: {file: note.docx, all: [{is: SUM, digits: 4}]}}
  truth: Total takings are SUM.
- id: R11
  says: The note says that the price of tea rose on 4 July.
  dimension: domain
  level: important
  truth: Tea costs 2.80 from 4 July (notice.md).
- id: R12
  says: Every sale has its row, and no other.
  dimension: structure
  level: important
  check: {rows: {sheet: Takings, key: [day, item], are: expected/sales.csv}}
- id: R13
  says: Units and prices stand beside each sale.
  dimension: calculation
  level: important
  check: {column: {sheet: Takings, key: [day, item], column: price,
                   table: expected/sales.csv#price}}
- id: R14
  says: The units of each sale stand beside it.
  dimension: integration
  level: auxiliary
  check: {column: {sheet: Takings, key: [day, item], column: units,
                   table: expected/sales.csv#units}}
- id: R15
  says: Prices follow the raw sheet.
  dimension: engineering
  level: important
  check: {whatif: {set: {"Sales!C2": 111}, then: [
    {sheet: Takings, find: {day: 2024-07-01, item: Tea}, column: takings, equals: 277.50}]}}
"""

FAULTS = """new_price_ignored:
  kind: slip
  says: The price from 4 July is ignored.
  edits: [{set_cell: {at: "Rules!B2", to: 2.50}}, {recalculate: {}}]
  fails: [R03, R04, R05, R13]
  spares: [R01, R02, R12]
caches_stripped:
  kind: damage
  says: No formula has a value.
  edits: [{strip_caches: {}}]
  fails: [R03, R04, R05, R12]
sales_sorted:
  kind: damage
  says: The raw sheet is sorted by units.
  edits: [{sort_rows: {sheet: Sales, by: C}}]
  fails: [R02]
chart_picture:
  kind: damage
  says: The chart is a picture.
  edits: [{chart_to_picture: {sheet: Summary}}]
  fails: [R06]
  spares: rest
unfrozen:
  kind: damage
  says: The heading scrolls away.
  edits: [{unfreeze: {sheet: Takings}}]
  fails: [R07]
name_missing:
  kind: damage
  says: TotalTakings is gone.
  edits: [{set_name: {name: TotalTakings, to: null}}]
  fails: [R08]
heading_missing:
  kind: damage
  says: The note has no Reason.
  edits: [{drop_section: {file: note.docx, heading: Reason}}]
  fails: [R09]
note_wrong:
  kind: damage
  says: The note's total is three per cent too high.
  edits: [{scale_figure: {file: note.docx, has: Total takings, by: 1.03}}]
  fails: [R10]
note_missing:
  kind: damage
  says: There is no note.
  edits: [{drop_file: {file: note.docx}}]
  fails: [R01, R09, R10]
units_pasted:
  kind: damage
  says: The units are values.
  edits: [{paste_values: {sheet: Takings, column: C}}]
  fails: [R15]
  spares: rest
sale_missing:
  kind: damage
  says: A sale has no row.
  edits: [{drop_rows: {sheet: Takings, rows: [9]}}]
  fails: [R12, R14]
nothing_on_tea:
  kind: damage
  says: The note does not say why.
  edits: [{drop_paragraph: {file: note.docx, has: Tea costs}}]
  judged: [R11]
"""

HAND = """R10:
  by: a stallholder
  hash: HASH-R10
  reference: &total
    verdict: pass
    because: It says the total.
    cited: [{at: "note.docx#para=2", reads: "SUM"}]
  reference-2: *total
  faults:
    note_wrong:
      verdict: fail
      because: It says another total.
      cited: [{at: "note.docx#para=2", reads: Total takings}]
R11:
  by: a stallholder
  hash: HASH-R11
  reference: &tea
    verdict: pass
    because: It names the price and the day.
    cited: [{at: "note.docx#para=4", reads: 4 July}]
  reference-2: *tea
  faults:
    nothing_on_tea:
      verdict: fail
      because: Nothing is said of tea.
      cited: [{at: note.docx}]
      searched: [note.docx]
"""

REVIEW = """readers: [{who: a reader, kind: model, profession: stallholder, day: 2024-07-08}]
one_reading: {holds: true, note: The notice is dated.}
items: {holds: true, note: Each was counted again.}
fairness: {holds: true, note: The prompt names the notice.}
references: {holds: true, note: Both add up.}
mended: []
"""


def stall(root: Path) -> DeliverableTask:
    """The task, its folder written below `root`."""
    folder = root / "tasks/deliverables/bus-90-stall"
    folder.mkdir(parents=True)
    write_stall(folder)
    task = load_task(Content([root]), folder.name)
    hand = figured(HAND)
    for item in task.rubric.items:
        hand = hand.replace(f"HASH-{item.id}", item.hash[:16])
    (folder / "hand.yaml").write_text(hand, "utf-8")
    return load_task(Content([root]), folder.name)


def write_stall(folder: Path) -> None:
    for name in ("inputs", "expected", "reference", "reference-2"):
        (folder / name).mkdir()
    texts = {"prompt.md": PROMPT, "rubric.yaml": figured(RUBRIC), "faults.yaml": FAULTS}
    texts |= {"inputs/notice.md": "# Notice\n\nTea costs 2.80 from 4 July on.\n"}
    texts |= {"task.yaml": TASK, "review.yaml": REVIEW}
    texts |= {f"expected/{name}": text for name, text in tables()}
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    with xlsxwriter.Workbook(folder / "inputs/sales.xlsx") as book:
        write_sales(book)
    write_book(folder / "reference/takings.xlsx")
    write_second_book(folder / "reference-2/takings.xlsx")
    write_note(folder / "reference/note.docx")
    write_note(folder / "reference-2/note.docx", total=f"Total takings of the week: EUR {TOTAL}.")


TASK = """title: A stall's week
domain: business
wants: {takings.xlsx: xlsx, note.docx: docx}
workflow: {product: a spreadsheet, user: a stallholder, why: the week is over}
canary: stall-canary
"""


def figured(text: str) -> str:
    """The rubric with its figures."""
    for item in ITEMS:
        units = sum(one[2] for one in SALES if one[1] == item)
        text = text.replace(f"{item.upper()}S", str(units))
        text = text.replace(item.upper(), str(takings(item)))
    return text.replace("SUM", str(TOTAL))


def tables() -> Iterator[tuple[str, str]]:
    """The expected tables."""
    lines = ["day,item,units,price,takings"]
    lines += [f"{d},{i},{u},{price(d, i)},{u * price(d, i)}" for d, i, u in SALES]
    yield "sales.csv", "\n".join(lines) + "\n"
    lines = ["item,week", *(f"{item},{takings(item)}" for item in ITEMS)]
    yield "items.csv", "\n".join(lines) + "\n"


def write_sales(book: Any) -> None:
    sheet = book.add_worksheet("Sales")
    sheet.write_row(0, 0, ["Day", "Item", "Units"])
    day_format = book.add_format({"num_format": "yyyy-mm-dd"})
    for row, (day, item, units) in enumerate(SALES, 1):
        sheet.write_datetime(row, 0, day, day_format)
        sheet.write_row(row, 1, [item, units])


def write_book(path: Path) -> None:
    with xlsxwriter.Workbook(path) as book:
        write_sales(book)
        _write_takings(book)
        _write_summary(book)
        rules = book.add_worksheet("Rules")
        values = (PRICES["Tea"], NEW_TEA, PRICES["Coffee"], PRICES["Cake"])
        names = ("OldTea", "NewTea", "Coffee", "Cake")
        for row, (name, value) in enumerate(zip(names, values, strict=True)):
            rules.write_row(row, 0, [name, value])
            book.define_name(name, f"=Rules!$B${row + 1}")
        book.define_name("TotalTakings", "=Summary!$B$6")


def _write_takings(book: Any) -> None:
    sheet = book.add_worksheet("Takings")
    day_format = book.add_format({"num_format": "yyyy-mm-dd"})
    money = book.add_format({"num_format": "#,##0.00"})
    sheet.write_row(0, 0, ["Day", "Item", "Units", "Price", "Takings (EUR)"])
    for row, (day, item, units) in enumerate(SALES, 1):
        at = row + 1
        serial = (day - date(1899, 12, 30)).days
        sheet.write_formula(row, 0, f"=Sales!A{at}", day_format, serial)
        sheet.write_formula(row, 1, f"=Sales!B{at}", None, item)
        sheet.write_formula(row, 2, f"=Sales!C{at}", None, units)
        tea = f"IF(A{at}>=DATE(2024,7,4),NewTea,OldTea)"
        rule = f'=IF(B{at}="Tea",{tea},IF(B{at}="Coffee",Coffee,Cake))'
        sheet.write_formula(row, 3, rule, money, price(day, item))
        sheet.write_formula(row, 4, f"=C{at}*D{at}", money, units * price(day, item))
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, len(SALES), 4)
    over = {"type": "cell", "criteria": ">", "value": 60}
    sheet.conditional_format(1, 4, len(SALES), 4, over | {"format": book.add_format({"bold": 1})})


def _write_summary(book: Any) -> None:
    sheet = book.add_worksheet("Summary")
    sheet.write_row(0, 0, ["Item", "Units sold", "Takings of the week"])
    for row, item in enumerate(ITEMS, 1):
        units = sum(one[2] for one in SALES if one[1] == item)
        sheet.write(row, 0, item)
        for column, of, value in ((1, "C", units), (2, "E", takings(item))):
            text = f"=SUMIF(Takings!$B$2:$B$16,A{row + 1},Takings!${of}$2:${of}$16)"
            sheet.write_formula(row, column, text, None, value)
    sheet.write(5, 0, "Total takings")
    sheet.write_formula(5, 1, "=SUM(C2:C4)", None, TOTAL)
    chart = book.add_chart({"type": "column"})
    chart.add_series({"categories": "=Summary!$A$2:$A$4", "values": "=Summary!$C$2:$C$4"})
    chart.set_title({"name": "Takings by item"})
    sheet.insert_chart("E2", chart)


def write_second_book(path: Path) -> None:
    """The same numbers by another road: prices looked up, columns in another order, a title."""
    with xlsxwriter.Workbook(path) as book:
        write_sales(book)
        sheet = book.add_worksheet("Takings")
        day_format = book.add_format({"num_format": "dd.mm.yyyy"})
        sheet.write(0, 0, "Takings of the stall, sale by sale")
        sheet.write_row(2, 0, ["Takings (EUR)", "Day", "Item", "Units", "Price"])
        for row, (day, item, units) in enumerate(SALES, 3):
            at = row + 1
            sheet.write_formula(row, 0, f"=D{at}*E{at}", None, units * price(day, item))
            sheet.write_datetime(row, 1, day, day_format)
            sheet.write(row, 2, item)
            sheet.write_formula(row, 3, "=INDEX(Sales!$C$2:$C$16,ROW()-3)", None, units)
            rule = f"=VLOOKUP(C{at},$H$4:$I$6,2,FALSE)+(C{at}=$H$4)*(B{at}>=$J$4)*($K$4-$I$4)"
            sheet.write_formula(row, 4, rule, None, price(day, item))
        for row, item in enumerate(ITEMS, 3):
            sheet.write_row(row, 7, [item, PRICES[item]])
        sheet.write_datetime(3, 9, NEW_TEA_FROM, day_format)
        sheet.write(3, 10, NEW_TEA)
        sheet.freeze_panes(3, 0)
        sheet.autofilter(2, 0, 2 + len(SALES), 4)
        bold = book.add_format({"bold": 1})
        over = {"type": "cell", "criteria": ">", "value": 60, "format": bold}
        sheet.conditional_format(3, 0, 2 + len(SALES), 0, over)
        _write_second_summary(book)


def _write_second_summary(book: Any) -> None:
    sheet = book.add_worksheet("Summary")
    sheet.write(0, 0, "Total takings")
    sheet.write_formula(0, 1, "=SUM(Takings!A4:A18)", None, TOTAL)
    book.define_name("TotalTakings", "=Summary!$B$1")
    sheet.write_row(2, 0, ["Item", "Takings of the week", "Units sold"])
    for row, item in enumerate(ITEMS, 3):
        units = sum(one[2] for one in SALES if one[1] == item)
        sheet.write(row, 0, item)
        for column, of, value in ((1, "A", takings(item)), (2, "D", units)):
            text = f"=SUMPRODUCT((Takings!$C$4:$C$18=A{row + 1})*Takings!${of}$4:${of}$18)"
            sheet.write_formula(row, column, text, None, value)
    chart = book.add_chart({"type": "column"})
    chart.add_series({"categories": "=Summary!$A$4:$A$6", "values": "=Summary!$B$4:$B$6"})
    sheet.insert_chart("E2", chart)


def write_note(path: Path, total: str = f"Total takings are {TOTAL} EUR.") -> None:
    note = docx.Document()
    note.add_heading("Result", 1)
    note.add_paragraph(total)
    note.add_heading("Reason", 1)
    note.add_paragraph("Tea costs 2.80 from 4 July on, so the same cups brought in more.")
    note.save(str(path))
