"""One table in every form: figures rounded alike, and foreign text harmless."""

import csv as reading
import io
import re
from html.parser import HTMLParser
from importlib.util import find_spec

import pytest
from rich.console import Console

from bythebook.errors import UsageError
from bythebook.report.data import Evaluations
from bythebook.report.render.csv import csv
from bythebook.report.render.dataframe import frame
from bythebook.report.render.html import html
from bythebook.report.render.latex import latex
from bythebook.report.render.markdown import markdown
from bythebook.report.render.terminal import show
from bythebook.report.render.words import figure, heading, number, words
from bythebook.report.table import Cell, Column, Row, Table, Unit
from bythebook.report.tables import FIRST, table

HOSTILE = '=cmd|"x"!A1 <script>alert(1)</script> **b** `c` [l](u) $\\input{/etc}$ {a}_%#&~^\nnext'


def sample(label: str = "loop · a") -> Table:
    columns = (
        Column("evaluation", "evaluation"),
        Column("runs", "runs", "count"),
        Column("score", "score", "points", "how much", "high"),
        Column("success", "success", "percent", "", "high"),
    )
    rows = (
        Row(
            label,
            {
                "evaluation": Cell(label),
                "runs": Cell(291),
                "score": Cell(73.666, 69.94, 77.27, n=291, mark="best"),
                "success": Cell(29.553, 24.1, 35.06, n=290, mark="tied"),
            },
        ),
        Row(
            "loop · b",
            {
                "evaluation": Cell("loop · b"),
                "runs": Cell(291),
                "score": Cell(least=70.12, most=74.21, n=291, note="3 open"),
            },
        ),
        Row("paper", {"evaluation": Cell("paper"), "score": Cell(73.61, mark="second")}, True),
    )
    return Table(
        id="sample", title="A sample", says="What it is.", suite="deliverables",
        source="StartupBench, Figure 3", columns=columns, rows=rows, notes=("Valid runs.",),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (29.553, "percent", "29.6"),
        (73.666, "points", "73.67"),
        (191.34, "count", "191.3"),
        (12, "count", "12"),
        (12_345, "count", "12,345"),
        (1_234_567.8, "tokens", "1,234,568"),
        (1.6921, "ratio", "1.69"),
        (0.00713, "ratio", "0.00713"),
        (0.1, "usd", "0.10"),
        (100, "percent", "100.0"),
    ],
)
def test_numbers_are_rounded_by_their_unit(value: float, unit: Unit, shown: str) -> None:
    assert number(value, unit) == shown


def test_a_cell_says_its_interval_and_another_n_than_its_rows() -> None:
    table = sample()
    first, second, _ = table.rows

    assert words(first.cell("score"), table.column("score"), first) == "73.67 [69.9, 77.3]"
    told = words(first.cell("success"), table.column("success"), first)
    assert told == "29.6 [24.1, 35.1] (n = 290)"
    assert words(second.cell("score"), table.column("score"), second) == "70.1 - 74.2 (3 open)"
    assert figure(second.cell("success"), "percent") == "-"


def test_markdown_is_a_table_with_its_notes() -> None:
    lines = markdown(sample()).splitlines()

    assert lines[0] == "### A sample"
    assert "As StartupBench, Figure 3." in lines[2]
    assert lines[4] == "| evaluation | runs | score | success, % |"
    assert lines[5] == "| --- | ---: | ---: | ---: |"
    assert lines[6] == (
        r"| loop · a | 291 | **73.67 \[69.9, 77.3\]** | 29.6 \[24.1, 35.1\] (n = 290) = |"
    )
    assert lines[-1] == "- Valid runs."


def test_markdown_takes_foreign_text_as_text() -> None:
    lines = markdown(sample(HOSTILE)).splitlines()
    row = next(line for line in lines if "alert" in line)

    assert len(re.findall(r"(?<!\\)\|", row)) == 5, "no cell more than there are"
    assert not re.search(r"(?<!\\)[<>`\[]", row)
    assert "next" in row


def test_csv_reads_back_unrounded() -> None:
    rows = list(reading.DictReader(io.StringIO(csv(sample()))))

    assert float(rows[0]["score"]) == 73.666
    assert float(rows[0]["score.low"]) == 69.94
    assert rows[0]["score.mark"] == "best"
    assert rows[1]["score"] == ""
    assert float(rows[1]["score.most"]) == 74.21
    assert [row["published"] for row in rows] == ["False", "False", "True"]
    assert "runs.low" not in rows[0], "parts that no row has have no column"


@pytest.mark.parametrize("start", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1"])
def test_csv_gives_a_spreadsheet_no_formula(start: str) -> None:
    rows = list(reading.DictReader(io.StringIO(csv(sample(start)), newline="")))

    assert rows[0]["evaluation"] == "'" + start.replace("\r", " ")


def test_latex_escapes_every_letter_that_means_something() -> None:
    text = latex(sample(HOSTILE))
    row = next(line for line in text.splitlines() if "alert" in line)
    bare = re.sub(r"\\(?:text\w+\{\}|textbf|underline|scriptsize|[%&#_$\{\}])", "", row)

    assert "\\input" not in row
    assert "\\" not in bare.removesuffix("\\\\")
    assert text.count(r"\begin{") == text.count(r"\end{") == 2
    assert row.count(" & ") == 3
    assert r"\textbf{73.67} {\scriptsize {[}69.9, 77.3{]}}" in latex(sample())
    assert r"\underline{73.61}" in latex(sample())


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_html_is_a_table_that_screen_readers_read() -> None:
    page = html(sample(HOSTILE))
    tags = Tags()
    tags.feed(page)

    assert tags.open == []
    assert "script" not in tags.seen
    assert "<script>alert(1)</script>" in tags.text
    assert page.count('scope="col"') == 4
    assert page.count('scope="row"') == 3
    assert '<tr class="published">' in page
    assert "<caption>" in page


def test_a_terminal_is_never_narrower_than_a_table_needs() -> None:
    narrow = Console(width=20, file=io.StringIO(), highlight=False)
    show(narrow, [sample()])
    file = narrow.file
    assert isinstance(file, io.StringIO)
    told = file.getvalue()

    for word in ("73.67*", "[70, 77]", "29.6=", "[24, 35]", "(n = 290)", "73.61+"):
        assert word in told


def test_no_word_of_a_heading_is_broken(both: Evaluations) -> None:
    for ident in FIRST:
        made = table(ident, both)
        narrow = Console(width=60, file=io.StringIO(), highlight=False)
        show(narrow, [made])
        file = narrow.file
        assert isinstance(file, io.StringIO)
        told = file.getvalue().split()
        missing = {word for column in made.columns for word in heading(column).split()} - {*told}
        assert missing == set(), ident


def test_no_outcome_is_broken_however_narrow_its_column() -> None:
    outcome = "infrastructure_failure(provider)"
    columns: tuple[Column, ...] = (Column("evaluation", "evaluation"), Column("causes", "causes"))
    columns += tuple(Column(f"c{n}", f"heading {n}", "count") for n in range(12))
    row = Row("a", {"evaluation": Cell("a"), "causes": Cell(f"{outcome} 12; completed 3")})
    out = io.StringIO()
    show(Console(file=out, width=80), [Table("t", "Runs", "", "conduct", "", columns, (row,))])

    assert outcome in out.getvalue()


def test_what_several_tables_say_is_said_once() -> None:
    wide = Console(width=100, file=io.StringIO(), highlight=False)
    show(wide, [sample(), sample("other")])
    file = wide.file
    assert isinstance(file, io.StringIO)

    assert file.getvalue().count("Valid runs.") == 1


@pytest.mark.skipif(find_spec("pandas") is not None, reason="pandas is installed")
def test_a_data_frame_without_pandas_says_what_to_do() -> None:
    with pytest.raises(UsageError, match="pip install pandas"):
        frame(sample())


def test_a_data_frame_holds_the_columns_of_the_csv() -> None:
    pytest.importorskip("pandas")
    found = frame(sample())

    assert list(found["score.n"].dropna()) == [291, 291]
    assert found.attrs["title"] == "A sample"
