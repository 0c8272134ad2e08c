"""What can be said of the published figures without the papers' texts."""

from pathlib import Path

import pytest

from bythebook.deliverables.task import DOMAINS
from bythebook.errors import ContentError
from bythebook.report.published.papers import (
    FOLDER,
    PaperTable,
    paper_table,
    paper_tables,
    papers,
    read_table,
)
from bythebook.task import PAPER_SIZE
from tests.report.published.texts import numbers, quoted


def test_a_figure_is_the_number_that_its_quote_holds_there() -> None:
    wrong = [
        f"{table.id}: {figure.value} is not number {figure.nth} of {figure.quote!r}"
        for table, figure in quoted()
        if numbers(figure.quote)[figure.nth - 1 : figure.nth] != [figure.value]
    ]
    assert wrong == []


def test_a_quote_is_short() -> None:
    names = [row.named for table in paper_tables().values() for row in table.rows]
    quotes = [figure.quote for _, figure in quoted()] + [one.quote for one in names if one]

    assert len(quotes) > 400
    assert [quote for quote in quotes if len(quote) >= 100] == []


def test_a_row_is_told_by_its_key_and_by_its_name() -> None:
    for table in paper_tables().values():
        for names in ([row.key for row in table.rows], [row.name for row in table.rows]):
            assert len(set(names)) == len(names), table.id


def test_what_the_text_has_lost_has_no_cell() -> None:
    claude = paper_table("bizagentbench-table-1").row("claude-opus-5")
    assert set(claude.cells) == {"strict"}
    for lost in ("bizagentbench-table-6", "bizagentbench-table-8"):
        table = paper_table(lost)
        assert table.rows
        assert not any(row.cells for row in table.rows)
        assert "lost" in table.notes[0]


def test_the_sizes_shown_everywhere_are_the_published_ones() -> None:
    conduct, deliverables = (paper_table(f"{paper}-facts") for paper in sorted(papers()))
    domains = paper_table("startupbench-table-2")

    def told(table: PaperTable, row: str, column: str = "value") -> int:
        figure = table.cell(row, column)
        assert figure is not None
        return int(figure.value)

    assert {name: told(conduct, name) for name in PAPER_SIZE["conduct"]} == PAPER_SIZE["conduct"]
    assert PAPER_SIZE["deliverables"] == {
        "tasks": told(domains, "total", "count"),
        "items": told(deliverables, "items"),
        "domains": told(domains, "domains", "count"),
    }
    assert {name: told(domains, name, "count") for name in DOMAINS} == DOMAINS


def test_an_unknown_name_is_told_with_the_nearest() -> None:
    table = paper_table("startupbench-table-6")
    with pytest.raises(ContentError, match="did you mean 'startupbench-table-6'"):
        paper_table("startup-bench-table-6")
    with pytest.raises(ContentError, match=r"did you mean 'glm-5\.1'"):
        table.cell("glm-51", "hermes")
    with pytest.raises(ContentError, match="did you mean 'hermes'"):
        table.cell("glm-5.1", "hermess")


@pytest.mark.parametrize(
    ("was", "put", "told"),
    [
        (
            "quote: ",
            "quot: ",
            "startupbench-table-9.yaml:[0-9]+: .*quot(.|\n)*did you mean 'quote'",
        ),
        ("share: {", "shares: {", "no column 'shares'(.|\n)*did you mean 'share'"),
        ("paper: startupbench", "paper: startup", "no paper 'startup'"),
        ("id: startupbench-table-9", "id: table-9", "no file of id 'table-9'"),
        ("value: 27.31", "value: a lot", "value"),
    ],
)
def test_a_file_that_says_what_cannot_be_is_refused(
    tmp_path: Path, was: str, put: str, told: str
) -> None:
    name = "startupbench-table-9.yaml"
    text = (FOLDER / name).read_text("utf-8")
    assert was in text
    (tmp_path / name).write_text(text.replace(was, put, 1), "utf-8")
    with pytest.raises(ContentError, match=told):
        read_table(tmp_path / name)
