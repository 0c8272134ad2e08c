"""The papers' texts, where somebody has them, and how figures are read in them."""

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from bythebook.report.published.papers import PaperTable, Quoted, paper_tables, papers

VARIABLE = "BYTHEBOOK_PAPERS"
ROOT = Path(__file__).resolve().parents[3]
WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
# A digit that is part of a name is none: Qwen3.5-9B, GPT-5.5.
NUMBER = re.compile(rf"(?<![\w.-])\d[\d,]*(?:\.\d+)?|\b(?:{'|'.join(WORDS)})\b")


def folder() -> Path | None:
    """The folder that the variable names, or one called `papers` in a folder beside this tree."""
    if VARIABLE in os.environ:
        return Path(os.environ[VARIABLE])
    names = [paper.text for paper in papers().values()]
    beside = (one for one in sorted(ROOT.parent.glob("*/papers")))
    return next((one for one in beside if all((one / name).is_file() for name in names)), None)


def lines(paper: str) -> list[str]:
    """The text's lines, folded; the test is skipped where there is no such text."""
    place = folder()
    if place is None:
        pytest.skip(f"the papers' texts are not here; {VARIABLE} names the folder that holds them")
    return [fold(line) for line in (place / papers()[paper].text).read_text("utf-8").split("\n")]


def fold(text: str) -> str:
    """One kind of hyphen, of space and of fi."""
    return " ".join(unicodedata.normalize("NFKC", text).replace("\u2010", "-").split())


def numbers(text: str) -> list[Decimal]:
    """Every number of a text in order, those spelled out too."""
    return [
        Decimal(WORDS.index(found))
        if found in WORDS
        else Decimal(found.strip(",").replace(",", ""))
        for found in NUMBER.findall(fold(text))
    ]


def quoted(tables: Iterable[PaperTable] | None = None) -> Iterator[tuple[PaperTable, Quoted]]:
    """Every figure of the data, with the table that holds it."""
    for table in paper_tables().values() if tables is None else tables:
        of_columns = [column.tasks for column in table.columns]
        of_rows = [figure for row in table.rows for figure in (row.runs, *row.cells.values())]
        for figure in (table.tasks, table.runs, *of_columns, *of_rows):
            if figure is not None:
                yield table, figure
