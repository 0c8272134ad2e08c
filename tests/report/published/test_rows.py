"""Published figures beside measured ones, and as tables of their own."""

import re
from pathlib import Path

import pytest

from bythebook.report.data import Evaluations, read_evaluations
from bythebook.report.published.beside import BESIDE
from bythebook.report.published.papers import paper_table, paper_tables, papers
from bythebook.report.published.rows import published, published_tables, with_published
from bythebook.report.table import Cell, Column, Row, Table
from bythebook.report.tables import TABLES
from tests.report.simulated import Size, conduct, deliverables

PAGE = Path(__file__).resolve().parents[3] / "docs" / "published.md"


@pytest.fixture(scope="module")
def evaluations(tmp_path_factory: pytest.TempPathFactory) -> Evaluations:
    """As few runs as give every table all of its columns."""
    root = tmp_path_factory.mktemp("runs")
    folders = conduct(root / "conduct", Size(1, 1, 3), shipped=1)
    return read_evaluations([*folders, *deliverables(root / "deliverables", Size(1, 12, 1))])


def measured(table_id: str = "deliverables", *columns: str) -> Table:
    """A table of the report with one measured row."""
    shown = (Column("evaluation", "evaluation"), *(Column(key, key, "points") for key in columns))
    row = Row("loop", {"evaluation": Cell("loop"), **{key: Cell(50.0) for key in columns}})
    return Table(table_id, "title", "says", "deliverables", "", shown, (row,), ("a note",))


def test_every_published_row_is_marked_and_says_its_paper_and_table() -> None:
    for table_id, shown in BESIDE.items():
        rows = published(table_id)
        assert rows, table_id
        for row in rows:
            assert row.published
            name = str(row.cell(shown.named).value)
            assert re.search(
                r" · (BizAgentBench|StartupBench), (Table|Figure|Section|Appendix)", name
            ), name


def test_rows_of_one_table_have_keys_of_their_own() -> None:
    for table_id in BESIDE:
        keys = [row.key for row in published(table_id)]
        assert len(set(keys)) == len(keys), table_id


def test_figures_of_one_model_from_two_tables_stand_in_one_row() -> None:
    rows = {row.key: row for row in published("deliverables")}
    assert len(rows) == 9
    kimi = rows["Kimi-K3 · StartupBench, Table 3"]
    assert kimi.cell("score") == Cell(73.67, n=291)
    assert kimi.cell("success") == Cell(29.55, n=291)
    assert kimi.cell("runs") == Cell(291)


def test_n_is_of_the_runs_that_a_figure_is_over() -> None:
    claude, sol = published("conduct")[:2]
    assert claude.cell("strict") == Cell(64.0, n=50)
    assert sol.cell("strict") == Cell(61.3, n=150)
    kimi = published("domains")[0]
    assert kimi.cell("education").n == 3 * 7
    assert kimi.cell("overall").n == 3 * 97
    assert published("resources")[0].cell("calls") == Cell(191.3, n=150)
    assert published("traces")[0].cell("goal_not_strict") == Cell(5, n=150)
    assert published("levels")[0].cell("core").n is None


def test_a_lost_figure_is_an_empty_cell() -> None:
    claude = published("conduct")[0]
    assert claude.cell("goal") == Cell()
    assert "goal" not in claude.cells
    assert "Muse Spark 1.3" not in " ".join(row.key for row in published("conduct"))


def test_an_ablation_names_the_agent_and_what_was_changed() -> None:
    default, _, disclosed = published("conditions")
    assert default.cell("agent").value == "DeepSeek-V4.1-Flash · BizAgentBench, Table 2"
    assert default.cell("condition").value == "default"
    assert disclosed.cell("condition").value == "+Full disclosure"
    assert disclosed.cell("strict") == Cell(70.0)


def test_published_rows_come_after_the_measured_ones_with_a_note() -> None:
    table = with_published(measured("deliverables", "score", "success"))
    assert [row.published for row in table.rows] == [False] + [True] * 9
    assert table.notes[0] == "a note"
    assert "StartupBench, Table 3 are published figures, not measured here" in table.notes[1]


def test_a_table_without_measured_rows_no_longer_says_that_nothing_is_shown() -> None:
    empty = TABLES["conditions"](Evaluations(()))
    assert empty.rows == ()
    assert empty.notes[0].startswith("Nothing to show:")
    assert with_published(empty).notes[0].startswith("Nothing measured to show:")


def test_agent_programs_that_only_the_paper_has_get_a_column() -> None:
    model, nanobot = Column("model", "model"), Column("nanobot", "nanobot", "points")
    table = with_published(Table("harnesses", "t", "s", "deliverables", "", (model, nanobot), ()))
    assert [column.key for column in table.columns] == [
        "model", "nanobot", "hermes", "claude-code", "gap",
    ]  # fmt: skip
    assert table.rows[0].cell("claude-code") == Cell(70.11)


def test_published_columns_are_those_of_our_tables(evaluations: Evaluations) -> None:
    for table_id, shown in BESIDE.items():
        table = TABLES[table_id](evaluations)
        there = {column.key for column in table.columns}
        assert table.columns[0].key == shown.named, table_id
        for part in shown.parts:
            asked = {*part.columns, *part.fixed, *filter(None, [part.facet])}
            assert shown.more or asked <= there, table_id
            for ours, theirs in part.columns.items():
                paper = paper_table(part.of).column(theirs)
                units = [column.unit for column in table.columns if column.key == ours]
                assert shown.more or units == [paper.unit], f"{table_id}, {ours}"
        assert any(row.published for row in with_published(table).rows), table_id


def test_only_columns_that_the_table_has_are_filled() -> None:
    table = with_published(measured("deliverables", "success"))
    assert all(row.cells.keys() <= {"evaluation", "success"} for row in table.rows)


@pytest.mark.parametrize("table_id", ["deliverables", "deliverables-tasks", "no such table"])
def test_a_table_that_the_papers_tell_nothing_of_stays_as_it_is(table_id: str) -> None:
    table = measured(table_id, "calls")
    assert with_published(table) == table


def test_what_stands_beside_a_table_exists() -> None:
    for table_id, shown in BESIDE.items():
        for part in shown.parts:
            table = paper_table(part.of)
            for theirs in part.columns.values():
                assert table.column(theirs), table_id
            assert part.rows <= {row.key for row in table.rows}, table_id


def test_a_paper_s_tables_are_shown_as_they_are() -> None:
    conduct, deliverables = published_tables("conduct"), published_tables("deliverables")
    assert len(conduct) + len(deliverables) == len(published_tables()) == len(paper_tables())
    assert {table.suite for table in conduct} == {"conduct"}
    harnesses = next(table for table in deliverables if table.id == "startupbench-table-6")
    assert harnesses.source == "StartupBench, Table 6"
    assert harnesses.rows[1].cells == {
        "name": Cell("GLM-5.1 · StartupBench, Table 6"),
        "hermes": Cell(60.2),
        "claude_code": Cell(60.18),
        "nanobot": Cell(60.79),
        "spread": Cell(0.61),
    }
    assert "not measured here" in harnesses.notes[0]
    for table in published_tables():
        assert all(row.published for row in table.rows)
        assert papers()[paper_table(table.id).paper].name in table.source


def test_the_page_s_example_runs() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    told = {"table": measured("deliverables", "score")}
    exec(code, told)
    (said,) = re.findall(r"^(paper_table.*?) +# (Decimal.*)$", code, re.M)
    assert repr(eval(said[0], told)) == said[1].replace('"', "'")


def test_the_page_s_piece_of_data_is_what_the_file_holds() -> None:
    (piece,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    row = paper_table("startupbench-table-6").row("gpt-5.5")
    figure = row.cells["nanobot"]
    assert (
        f'nanobot: {{value: {figure.value}, quote: "{figure.quote}", line: {figure.line}}}' in piece
    )
