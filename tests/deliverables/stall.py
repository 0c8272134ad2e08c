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
from tests.deliverables.stall_words import FAULTS, HAND, PROMPT, REVIEW, RUBRIC, TASK

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
