"""reference-2: another hand, another road to the same numbers.

Months down the page and not people; a raise is a step from its month on; tax by the slices of the
table; what was withheld is the highest tax due so far; ratings counted with SUMPRODUCT. openpyxl
writes it into a copy of the input, LibreOffice's values are put in afterwards.
"""

from pathlib import Path

from openpyxl import Workbook, load_workbook
from openpyxl.workbook.defined_name import DefinedName

from authoring.biz_01_payroll_talent.book import NAME
from authoring.biz_01_payroll_talent.second_pay import attendance, payroll
from authoring.biz_01_payroll_talent.second_talent import costs, dashboard, grid, performance
from authoring.biz_01_payroll_talent.story import Story
from authoring.parts.caches import fill_caches
from authoring.parts.pack import WHEN

NAMES = (("TotalGross", "F"), ("TotalCost", "C"), ("TotalBudget", "B"))


def write_second(told: Story, source: Path, folder: Path) -> None:
    """Needs LibreOffice. `source`: the raw workbook."""
    book: Workbook = load_workbook(source)
    book.properties.creator, book.properties.title = "J. Planner", "Payroll 2024"
    book.properties.created = book.properties.modified = WHEN
    for write in (attendance, payroll, performance, grid, costs, dashboard):
        write(told, book)
    for name, column in NAMES:
        reference = f"'Department Cost'!${column}$9"
        book.defined_names[name] = DefinedName(name, attr_text=reference)
    folder.mkdir(parents=True, exist_ok=True)
    book.save(folder / NAME)
    fill_caches(folder / NAME)
