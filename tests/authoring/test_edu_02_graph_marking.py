"""edu-02-graph-marking: marks worked out by hand, and crosses found where the recipe drew them."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy
import pytest

from authoring.edu_02_graph_marking.expected import figures, near
from authoring.edu_02_graph_marking.graph import at, sheet
from authoring.edu_02_graph_marking.pupils import significant
from authoring.edu_02_graph_marking.rules import (
    Rules,
    below,
    grade,
    gradient_right,
    marks,
    multiple,
    total,
)
from authoring.edu_02_graph_marking.rules import figures as written_figures
from authoring.edu_02_graph_marking.story import story
from authoring.edu_02_graph_marking.world import Reading, Script, World, least_squares
from authoring.parts.picture import Picture, Scanned
from bythebook.build.ledger import Ledger


@pytest.fixture(scope="module", params=(0, 3))
def told(request: pytest.FixtureRequest) -> World:
    return story(request.param)


def of(told: World, place: int) -> Script:
    return next(one for one in told.scripts if one.place == place)


def test_every_seed_has_the_same_marks(told: World) -> None:
    points = sorted(total(one) for one in told.scripts)
    assert points[:5] == [3, 6, 7, 8, 9]
    assert points[-3:] == [12, 13, 14]
    assert figures(told)["Mean total"] == Fraction(243, 24)
    assert len(near(told)) == 7


def test_a_sheet_without_a_slip_has_fourteen(told: World) -> None:
    assert marks(of(told, 0)) == {
        "Axes": 1,
        "Scales": 1,
        "Plotting": 2,
        "Anomaly": 1,
        "Line": 2,
        "Triangle": 1,
        "Read-offs": 2,
        "Gradient": 1,
        "Figures": 1,
        "Unit": 1,
        "Intercept": 1,
    }


def test_two_points_out_cost_both_marks_and_nothing_else(told: World) -> None:
    given = marks(of(told, 3))
    assert given["Plotting"] == 0
    assert (given["Anomaly"], given["Line"], given["Read-offs"]) == (1, 2, 2)


def test_a_ring_round_a_misplotted_point_earns_nothing(told: World) -> None:
    one = of(told, 7)
    assert one.ring in one.out
    assert marks(one)["Anomaly"] == 0
    assert marks(one, Rules(misplot_ringed=True))["Anomaly"] == 1


def test_an_intercept_at_an_edge_that_is_not_nought_earns_nothing(told: World) -> None:
    one = of(told, 13)
    assert one.x.corner == Decimal("0.1")
    assert marks(one)["Intercept"] == 0
    assert marks(one, Rules(edge=True))["Intercept"] == 1


def test_a_wrong_read_off_is_not_punished_in_the_gradient(told: World) -> None:
    one = of(told, 4)
    assert marks(one)["Read-offs"] == 1
    assert gradient_right(one)


def test_the_line_through_three_readings() -> None:
    values = (("0.1", "1.4"), ("0.2", "1.3"), ("0.4", "1.1"))
    readings = [Reading(n, Decimal(i), Decimal(v)) for n, (i, v) in enumerate(values, 1)]
    assert least_squares(readings) == (Fraction(-1), Fraction(3, 2))


@pytest.mark.parametrize(
    ("written", "number"), [("-0.70", 2), ("-1", 1), ("0.58", 2), ("-0.3226", 4), ("-1.20", 3)]
)
def test_significant_figures_as_written(written: str, number: int) -> None:
    assert written_figures(written) == number


def test_rounding_up_to_a_power_of_ten_keeps_the_figures() -> None:
    assert f"{significant(Fraction(-9996, 10000), 3)}" == "-1.00"
    assert f"{significant(Fraction(-7346, 10000), 2)}" == "-0.73"


def test_a_large_square_of_four_hundredths_is_four_times_a_power_of_ten() -> None:
    assert [multiple(Decimal(one)) for one in ("0.04", "0.025", "0.1", "0.15")] == [
        4,
        Decimal("2.5"),
        1,
        Decimal("1.5"),
    ]


def test_grades_begin_at_their_boundaries() -> None:
    assert [grade(n) for n in (14, 12, 11, 9, 8, 3, 2)] == ["A", "A", "B", "B", "C", "E", "U"]
    assert [n for n in range(15) if below(n)] == [2, 4, 6, 8, 11]


def test_a_cross_is_dark_where_it_is_said_to_be_plotted(told: World) -> None:
    """On a sheet that was not bowed, and read without any of our own geometry but millimetres."""
    one = of(told, 0)
    flat = Scanned(bow=0, spine=0, wave=0, grain=0, quality=95)
    page = numpy.asarray(sheet(one, 0).scanned(flat).convert("L"))
    for x, y in one.plotted:
        column, row = (round(side * 200 / 25.4) for side in at(x, y))
        assert page[row - 2 : row + 3, column - 2 : column + 3].min() < 130


def test_a_bowed_scan_moves_what_is_drawn_by_more_than_a_square() -> None:
    def dot(how: Scanned) -> tuple[int, int]:
        page = Picture(60, 60, "dot")
        page.line([(58, 30), (59, 30)], 1, 0)
        grey = numpy.asarray(page.scanned(how).convert("L"))
        row, column = numpy.unravel_index(grey.argmin(), grey.shape)
        return int(row), int(column)

    flat = dot(Scanned(bow=0, spine=0, wave=0, grain=0))
    bowed = dot(Scanned(bow=2.2, spine=1, wave=0, grain=0))
    assert flat[0] - bowed[0] > 200 / 25.4


def test_the_same_seed_draws_the_same_sheet() -> None:
    def drawn(*seed: object) -> bytes:
        page = Picture(30, 20, *seed)
        page.stroke((2, 2), (28, 18), 0.3, 90)
        return page.scanned(Scanned()).tobytes()

    assert drawn(1) == drawn(1) != drawn(2)


def test_the_ledger_of_its_building_is_whole_and_returned_it_for_being_too_easy() -> None:
    root = Path(__file__).resolve().parents[2]
    ledger = Ledger(root / "authoring" / "edu_02_graph_marking" / "building")
    lines = ledger.lines()
    assert {line.kind for line in lines} == {"model"}
    assert (lines[-1].gate, lines[-1].decided) == ("pilots", "return")
