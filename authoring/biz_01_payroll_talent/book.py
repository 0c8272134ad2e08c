"""The reference workbook: each formula with the value that the rules compute.

The numbers of the rules stand in named cells beside Monthly Payroll, so that a slip is one cell.
"""

from pathlib import Path

from authoring.biz_01_payroll_talent.book_costs import dashboard, departments
from authoring.biz_01_payroll_talent.book_pay import cleaning, payroll
from authoring.biz_01_payroll_talent.book_talent import grid, performance
from authoring.biz_01_payroll_talent.inputs import raw_tables
from authoring.biz_01_payroll_talent.paper import NEW, Paper
from authoring.biz_01_payroll_talent.story import Story
from authoring.parts.pack import pack
from authoring.parts.tables import open_workbook, put_tables

NAME = "payroll-2024.xlsx"
NAMES = (("TotalGross", "D"), ("TotalCost", "F"), ("TotalBudget", "G"))
"""Named cells to their column in the total row of Department Cost."""


def write_reference(told: Story, folder: Path) -> None:
    path = folder / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    book = open_workbook(path, "Payroll and talent 2024", "People department")
    put_tables(book, raw_tables(told))
    writers = (cleaning, payroll, performance, grid, departments, dashboard)
    for name, write in zip(NEW, writers, strict=True):
        write(told, Paper(book, name))
    for name, column in NAMES:
        book.define_name(name, f"='{NEW[4]}'!${column}$8")
    book.close()
    pack(path)
