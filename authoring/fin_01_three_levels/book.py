"""The reference workbook: ten sheets in the order of the prompt, the data behind them."""

from pathlib import Path

from authoring.fin_01_three_levels.book_data import data_sheets
from authoring.fin_01_three_levels.book_returns import (
    covenant,
    decision,
    returns,
    smaller_loan,
)
from authoring.fin_01_three_levels.book_value import (
    adjustments,
    assumptions,
    cross_check,
    ltm,
    net_debt,
    price,
    working,
)
from authoring.fin_01_three_levels.sheet import Book
from authoring.fin_01_three_levels.story import Story
from authoring.parts.pack import pack
from authoring.parts.tables import open_workbook

NAME = "addon-model.xlsx"
SHEETS = (
    "Assumptions",
    "LTM",
    "Adjustments",
    "Working capital",
    "Net debt",
    "Price",
    "Cross-check",
    "Returns",
    "Covenant",
    "Decision",
)


def write_reference(told: Story, folder: Path) -> None:
    path = folder / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = open_workbook(path, "Add-on model", "Deal team")
    book = Book(raw)
    writers = (
        *(assumptions, ltm, adjustments, working, net_debt, price, cross_check),
        *(returns, covenant, decision),
    )
    for write in writers:
        write(told, book)
    smaller_loan(told, book)
    data_sheets(told, book)
    raw.close()
    pack(path)
