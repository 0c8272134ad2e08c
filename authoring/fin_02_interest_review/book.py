"""The reference workbook: seven sheets in the order of the prompt, the data behind them."""

from pathlib import Path

from authoring.fin_02_interest_review.book_amounts import accrual, claim, recalculation, summary
from authoring.fin_02_interest_review.book_data import compounding, days, raw, rcf
from authoring.fin_02_interest_review.book_terms import certificates, grid, inputs, kpi, margin
from authoring.fin_02_interest_review.story import Story
from authoring.parts.pack import pack
from authoring.parts.tables import open_workbook

NAME = "interest-review.xlsx"
SHEETS = (*("Inputs", "Certificates", "Margin", "Recalculation", "Claim", "Accrual", "Summary"),)


def write_reference(told: Story, folder: Path) -> None:
    path = folder / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    book = open_workbook(path, "Interest review", "Treasury")
    for write in (inputs, certificates, margin, recalculation, claim, accrual, summary):
        write(told, book)
    for write in (days, compounding, rcf, grid, kpi, raw):
        write(told, book)
    book.close()
    pack(path)
