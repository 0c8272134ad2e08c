"""biz-03-tender-takeoff: no symbol hides another, a ruler finds the lengths, nothing gives away."""

from decimal import Decimal
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from authoring.biz_03_tender_takeoff.faults import MARKS
from authoring.biz_03_tender_takeoff.health_centre import MATCH
from authoring.biz_03_tender_takeoff.ink import DPI, HEIGHT, WIDTH, Sheet, scanned
from authoring.biz_03_tender_takeoff.laying import Ground
from authoring.biz_03_tender_takeoff.pile import SMALLER, sheet_of
from authoring.biz_03_tender_takeoff.plans import clipped
from authoring.biz_03_tender_takeoff.symbols import KINDS, NEW, REMOVED, SIZE
from authoring.biz_03_tender_takeoff.takeoff import (
    CABLES,
    RULES,
    TOLERANCE,
    Told,
    counts,
    differs,
    installed,
    measured,
    story,
    times,
)
from authoring.biz_03_tender_takeoff.world import DRAWINGS
from authoring.build import TASKS
from authoring.parts.dice import Dice
from bythebook.build.deliverable.build import built
from bythebook.build.deliverable.place import Place
from bythebook.build.ledger import Ledger
from bythebook.deliverables.evidence.cache import Cache
from bythebook.deliverables.evidence.office import find_engine
from bythebook.run.deliver import Reader
from bythebook.task import Content

SCANS = sorted((TASKS / "biz-03-tender-takeoff" / "inputs").glob("*.png"))


@pytest.fixture(scope="module", params=(0, 3))
def told(request: pytest.FixtureRequest) -> Told:
    return story(request.param)


def test_no_symbol_lies_on_another(told: Told) -> None:
    for name, laid in told.world.laid.items():
        ground = Ground(laid.plan, (), Dice("none"))
        boxes = [ground.box(one.kind, one.at, one.turn, one.status) for one in laid.symbols]
        for a, b in combinations(boxes, 2):
            apart = a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]
            assert apart, name


def test_each_symbol_stands_in_the_room_that_counts_it(told: Told) -> None:
    for laid in told.world.laid.values():
        rooms = {room.no: room for room in laid.plan.rooms}
        assert all(rooms[one.room].holds(one.at) for one in laid.symbols)
        assert all(rooms[one.room].drawn for one in laid.symbols)


def test_a_cut_room_is_counted_once_on_each_side(told: Told) -> None:
    whole = [one for one in told.world.laid["power-0"].symbols if one.room == "G16"]
    west, east = (told.counts[no, "G16"] for no in ("E-101", "E-102"))
    new = sum(one.status == NEW for one in whole)
    assert sum(west[kind] + east[kind] for kind in KINDS) == new
    assert sum(west.values()) == sum(
        one.at[0] < MATCH and one.status in (NEW, "out") for one in whole
    )


def test_a_type_is_counted_by_service(told: Told) -> None:
    many = [("E-101", "G04", 3), ("E-201", "G04", 4), ("E-103", "F02", 6), ("E-203", "F02", 6)]
    assert all(times(told.world, drawing, room) == n for drawing, room, n in many)
    assert times(told.world, "E-301", "F02") == times(told.world, "E-102", "G08") == 1


def test_the_exit_sign_of_the_answer_is_one_more(told: Told) -> None:
    without = counts(told.world, added=False)["E-202", "G11"]["EX"]
    assert told.counts["E-202", "G11"]["EX"] == without + 1


def test_a_run_is_the_sum_of_its_parts_on_two_sheets(told: Told) -> None:
    for run in told.world.runs:
        parts = clipped(run.path, 0, MATCH) + clipped(run.path, MATCH, 50)
        whole = sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for p in parts for a, b in pairwise(p))
        assert abs(Decimal(str(round(whole, 4))) - measured(run)) <= Decimal("0.01")


def test_no_reading_lies_where_its_tolerance_decides(told: Told) -> None:
    for run in told.world.runs:
        for limit in (RULES.small, RULES.middle):
            assert abs(installed(run) - limit) > 2 * TOLERANCE * limit
    for item in CABLES:
        for off in (1 - 2 * TOLERANCE, 1 + 2 * TOLERANCE):
            moved = abs(told.quantities[item] * off - told.client[item]) > (
                RULES.qualify * told.client[item]
            )
            assert moved == differs(told, item)


def test_each_small_mark_is_on_paper_where_it_can_be_missed(told: Told) -> None:
    for kind in MARKS:
        assert told.quantities[kind] >= 3
    assert told.quantities[REMOVED] >= 20


def test_small_marks_are_as_fine_as_on_a_reduced_print_and_no_finer() -> None:
    """The two ticks of a double socket lie a millimetre apart before sizes: in pixels of a scan."""
    pitch = 1.0 * SIZE * SMALLER * DPI / 25.4
    assert 3 < pitch < 4


def test_the_bar_of_the_smaller_sheet_is_smaller(told: Told) -> None:
    drawing = next(one for one in DRAWINGS if one.no == "E-103")
    sheet = sheet_of(told.world, drawing)
    dark = np.asarray(sheet.image)[round(242.5 * sheet.image.height / HEIGHT)] < 100
    at = np.flatnonzero(dark[: round(200 * sheet.image.width / WIDTH)])
    inside = at[at > 100]
    assert abs((inside[-1] - inside[0]) * WIDTH / sheet.image.width - 100) < 1


def test_nothing_of_a_scan_gives_it_away() -> None:
    assert len(SCANS) == 9
    for path in SCANS:
        with Image.open(path) as page:
            assert set(page.info) <= {"dpi"}
            assert page.size == (2480, 1754)
            assert len(np.unique(np.asarray(page))) <= 16
        assert path.stat().st_size < 1_000_000


def test_a_scan_is_the_same_twice() -> None:
    def made() -> bytes:
        sheet = Sheet()
        sheet.text((40, 40), "E-101", 3)
        return scanned(sheet.image, Dice("scan", 1), 0.4).tobytes()

    assert made() == made()


def test_its_ledger_is_about_the_shipped_files_and_models_alone_passed_its_gates(
    tmp_path: Path,
) -> None:
    """One that fails here was changed: have the gates of its task decided anew."""
    root = Path(__file__).resolve().parents[2]
    place = root / "authoring" / "biz_03_tender_takeoff" / "building"
    found = built(Place(place, Content(), Reader(find_engine(), Cache(tmp_path))))
    assert [one.next for one in found.stands if one.state != "passed"] == []
    assert found.done
    assert {line.kind for line in Ledger(place).lines()} == {"model"}
