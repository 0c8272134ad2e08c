"""Every published figure stands in its paper, at the line and place that the data name.

These facts need the papers' texts, which are not part of the project (see `texts`).
"""

import hashlib
import re
from collections import defaultdict
from decimal import Decimal
from pathlib import Path

import pytest

from bythebook.report.published.papers import (
    Named,
    PaperRow,
    PaperTable,
    Quoted,
    paper_tables,
    papers,
)
from tests.report.published.texts import fold, folder, lines, numbers, quoted

PAPERS = sorted(papers())
PAGE = Path(__file__).resolve().parents[3] / "docs" / "published.md"
REFERENCES = {"startupbench": range(921, 926)}
"""Lines of the list of references."""
SECTION = re.compile(r"^\d(?:\.\d)+ ?|Section \d(?:\.\d)+|\d\.\d\.\d| \d\.\d\.\d$")
FIGURE = re.compile(r"(?<![\w.-])(\d[\d,]*\.\d+|\d[\d,]*(?= ?%))")

NO_RESULT = {
    ("bizagentbench", 41): "3.8 is part of a model's name",
    ("bizagentbench", 49): "3.5 is part of a model's name",
    ("bizagentbench", 161): "25 % is arithmetic of the summary's invented example",
    ("bizagentbench", 179): "1.3 is part of a model's name",
    ("bizagentbench", 195): "1.2 is the cap, and the key of its row",
    ("bizagentbench", 197): "1.2 is the cap, and the key of its row",
    ("startupbench", 21): "the paper's number at arXiv",
    ("startupbench", 343): "2.1 is part of a model's name",
    ("startupbench", 835): "amounts of one example's workbook",
}
"""Lines with a decimal or a percentage that is no figure to keep, and why."""


@pytest.mark.parametrize("paper", PAPERS)
def test_the_text_is_the_one_that_was_read(paper: str) -> None:
    lines(paper)
    place = folder()
    assert place is not None
    found = hashlib.sha256((place / papers()[paper].text).read_bytes()).hexdigest()
    assert found == papers()[paper].sha256, "another text: its lines may be others"


@pytest.mark.parametrize("paper", PAPERS)
def test_every_quote_stands_in_its_line(paper: str) -> None:
    text = lines(paper)
    names = [
        (table, row.named)
        for table in paper_tables().values()
        for row in table.rows
        if row.named is not None
    ]
    told: list[tuple[PaperTable, Quoted | Named]] = [*quoted(), *names]
    asked = [(table, one.quote, one.line) for table, one in told if table.paper == paper]

    assert len(asked) > 30
    missing = [
        f"{table.id}: {quote!r}, line {line}"
        for table, quote, line in asked
        if not (1 <= line <= len(text) and fold(quote) in text[line - 1])
    ]
    assert missing == []


@pytest.mark.parametrize("paper", PAPERS)
def test_a_figure_of_a_list_stands_where_its_row_stands_in_the_list_of_names(paper: str) -> None:
    """In a table that was taken apart column by column, the n-th name has the n-th number."""
    text = lines(paper)
    checked = 0
    for table in paper_tables().values():
        for line, rows in named_together(table).items() if table.paper == paper else ():
            places = [place(text[line - 1], row) for row in rows]
            assert places == sorted(set(places)), f"{table.id}: names of line {line}"
            for rank, row in enumerate(rows, start=1):
                for key, figure in row.cells.items():
                    if fold(figure.quote) == text[figure.line - 1]:
                        assert figure.nth == rank, f"{table.id}: {row.name}, {key}"
                        checked += 1

    assert checked > 150 if paper == "startupbench" else checked == 0


def place(line: str, row: PaperRow) -> int:
    """Where in its line a row's name begins."""
    assert row.named is not None
    quote = fold(row.named.quote)
    return line.index(quote) + quote.index(fold(row.name))


def named_together(table: PaperTable) -> dict[int, list[PaperRow]]:
    """Rows whose names stand in one line, where there are at least three."""
    found = defaultdict(list)
    for row in table.rows:
        if row.named is not None:
            found[row.named.line].append(row)
    return {line: rows for line, rows in found.items() if len(rows) > 2}


@pytest.mark.parametrize("paper", PAPERS)
def test_no_decimal_and_no_percentage_of_the_text_is_left_out(paper: str) -> None:
    kept = {figure.value for table, figure in quoted() if table.paper == paper}
    left_out = [
        f"line {number}: {found}"
        for number, line in enumerate(lines(paper), start=1)
        if number not in REFERENCES.get(paper, ()) and (paper, number) not in NO_RESULT
        for found in FIGURE.findall(SECTION.sub(" ", line))
        if Decimal(found.replace(",", "")) not in kept
    ]
    assert left_out == []


@pytest.mark.parametrize("paper", PAPERS)
def test_every_line_that_is_passed_over_has_a_figure(paper: str) -> None:
    text = lines(paper)
    for name, number in NO_RESULT:
        if name == paper:
            assert FIGURE.search(text[number - 1]) or numbers(text[number - 1])


@pytest.mark.parametrize("paper", PAPERS)
def test_words_that_the_page_quotes_are_the_paper_s(paper: str) -> None:
    """In the second column of its table of contradictions."""
    text = " ".join(lines(paper)).lower()
    _, _, rest = PAGE.read_text("utf-8").partition(f"## {papers()[paper].name}: contradictions")
    said = [row.split("|")[2] for row in rest.partition("\n## ")[0].splitlines() if row[:1] == "|"]
    words = [fold(found).lower() for cell in said for found in re.findall(r'"([^"]+)"', cell)]

    assert len(words) >= 8
    assert [found for found in words if found not in text] == []
