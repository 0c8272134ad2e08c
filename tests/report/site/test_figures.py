"""Figures: what is drawn is what the table says, and it can be read."""

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as tree

import pytest

from bythebook.errors import UsageError
from bythebook.report.data import Evaluations
from bythebook.report.figure import Figure
from bythebook.report.figures import FIGURES, figures_of
from bythebook.report.figures.drawing import steps, style
from bythebook.report.figures.picture import find_chromium, write_png
from bythebook.report.table import Cell, Column, Row, Table
from bythebook.report.tables import TABLES, table
from tests.report.site.conftest import HOSTILE

SVG = "{http://www.w3.org/2000/svg}"
BOARD = Table(
    id="conduct",
    title="Board",
    says="",
    suite="conduct",
    source="BizAgentBench, Table 1",
    columns=(
        Column("evaluation", "evaluation"),
        Column("goal", "goal", "percent"),
        Column("strict", "strict", "percent"),
    ),
    rows=(
        Row(
            "a",
            {"evaluation": Cell("steady"), "goal": Cell(80.0), "strict": Cell(60.0, 50.0, 70.0)},
        ),
        Row(
            "b",
            {
                "evaluation": Cell(HOSTILE),
                "goal": Cell(90.0),
                "strict": Cell(least=10.0, most=30.0),
            },
        ),
        Row(
            "c",
            {
                "evaluation": Cell("told · BizAgentBench, Table 1"),
                "goal": Cell(70.0),
                "strict": Cell(20.0),
            },
            published=True,
        ),
    ),
)


def drawn(figure: Figure) -> tree.Element:
    return tree.fromstring(figure.svg)


def of(figure: Figure, kind: str) -> list[tree.Element]:
    """Its elements that wear a class."""
    return [one for one in drawn(figure).iter() if kind in one.get("class", "").split()]


@pytest.fixture(scope="module")
def board() -> Figure:
    (found,) = figures_of([BOARD])
    return found


def test_dots_and_whiskers_stand_where_the_numbers_are(board: Figure) -> None:
    whisker = of(board, "f-whisker")[0]
    dots = [float(dot.get("cx", "")) for dot in of(board, "f-full")]
    rings = [float(ring.get("cx", "")) for ring in of(board, "f-open")]
    low, high = float(whisker.get("x1", "")), float(whisker.get("x2", ""))
    per_point = (high - low) / 20
    nothing = low - 50 * per_point

    places = [round((x - nothing) / per_point) for x in (*dots, *rings)]
    assert places == [60, 20, 20, 80, 90, 70], "the second stands between what it may be"
    assert round(float(of(board, "f-between")[0].get("width", "")) / per_point) == 20


def test_a_row_of_a_paper_says_so(board: Figure) -> None:
    assert [text.text for text in of(board, "f-published") if text.tag == f"{SVG}text"] == [
        "told (paper)"
    ]


def test_a_hostile_name_is_a_name(board: Figure) -> None:
    assert [one.tag.removeprefix(SVG) for one in drawn(board).iter()].count("script") == 0
    assert any((one.text or "").startswith("</script>") for one in drawn(board).iter())


def test_a_figure_tells_in_words_what_it_shows(board: Figure) -> None:
    root = drawn(board)

    assert root.findtext(f"{SVG}title") == board.title
    assert root.findtext(f"{SVG}desc") == board.says
    assert board.table is BOARD


def test_every_figure_of_full_tables_is_drawn_and_within_its_frame(both: Evaluations) -> None:
    found = {one.table.id: one for one in figures_of(table(name, both) for name in TABLES)}

    assert {
        "conduct",
        "pass-k",
        "resources",
        "deliverables",
        "domains",
        "dimensions",
        "levels",
    } <= set(found)
    for figure in found.values():
        root = drawn(figure)
        width, height = (float(root.get(name, "")) for name in ("width", "height"))
        for one in root.iter(f"{SVG}text"):
            assert 0 <= float(one.get("x", "")) <= width, (figure.id, one.text)
            assert 0 < float(one.get("y", "")) <= height, (figure.id, one.text)


def test_every_table_that_is_to_be_drawn_is_a_table_there_is() -> None:
    assert set(FIGURES) <= set(TABLES)


def test_lines_that_end_together_have_labels_apart(both: Evaluations) -> None:
    (figure,) = figures_of([table("pass-k", both)])
    labels = [
        one
        for one in drawn(figure).iter(f"{SVG}text")
        if "f-s" in one.get("class", "") and "soft" not in one.get("class", "")
    ]
    heights = sorted(float(one.get("y", "")) for one in labels)

    assert len(heights) == 3
    assert all(b - a >= 13 for a, b in pairwise(heights))


def test_no_letter_is_smaller_than_11_pixels() -> None:
    assert min(map(int, re.findall(r"(\d+)px", style()))) >= 11


@pytest.mark.parametrize(
    ("least", "most", "count"),
    [(0, 100, 4), (0, 7, 2), (0, 0.3, 2), (-5, 5, 4), (0, 0, 2), (0, 123456, 3)],
)
def test_steps_of_a_scale_are_even_and_reach_its_end(least: float, most: float, count: int) -> None:
    found = steps(least, most, count)

    assert found[0] == least
    assert found[-1] >= most
    assert len(found) <= count + 2
    assert len({round(b - a, 9) for a, b in pairwise(found)}) <= 1


def test_a_figure_becomes_a_picture(board: Figure, tmp_path: Path) -> None:
    if find_chromium() is None:
        with pytest.raises(UsageError, match="no Chromium"):
            write_png(board, tmp_path / "board.png")
        pytest.skip("there is no Chromium here to draw it")
    write_png(board, tmp_path / "board.png")

    from PIL import Image

    with Image.open(tmp_path / "board.png") as image:
        assert image.width == 2 * 761
        assert len(set(image.convert("RGB").crop((400, 20, 1400, 120)).tobytes())) > 10, (
            "something is drawn"
        )
