"""stem-02-furnace-charts: what is true is what was drawn; a line read wrongly is seen."""

from datetime import date
from decimal import Decimal

import pytest
from msgspec.structs import replace
from PIL import Image

from authoring.parts.dice import Dice
from authoring.stem_02_furnace_charts.misread import SLIPS, printed_lines
from authoring.stem_02_furnace_charts.nouns import Class, Load, Run
from authoring.stem_02_furnace_charts.rules import IN_FORCE, MOVED, at, drawn, resets
from authoring.stem_02_furnace_charts.story import DEGREES, SOAK, Story, story
from authoring.stem_02_furnace_charts.strip import INKS, TOP, draw
from authoring.stem_02_furnace_charts.taken import half, taken
from authoring.stem_02_furnace_charts.traces import places, readings, trace
from authoring.stem_02_furnace_charts.world import AMENDED, RECALIBRATED

PLAIN = Class("A", 845, 10, 180, 150)
DAY = date(2025, 6, 3)


@pytest.fixture(scope="module", params=(0, 3))
def told(request: pytest.FixtureRequest) -> Story:
    return story(request.param)


def load_of(run: Run) -> Load:
    return Load(
        "HT-1", DAY, 360, "REC-1", "A", 45, 30, 30, "L-21", "Wheel", "1", 4, run, lead=5.0
    )  # fmt: skip


def test_a_curve_does_what_its_run_says() -> None:
    load = load_of(Run(rate=140, soak=70, delay=62, bump=28))
    read = readings(load, trace(load, PLAIN, 5, 1, stops=True), 830)
    assert 150 / (read.passed_750 - read.passed_600) * 60 == pytest.approx(140, abs=3)
    assert read.door - read.first_band == pytest.approx(70, abs=0.8)
    assert read.highest + 5 - 845 == pytest.approx(28, abs=1.5)
    assert read.delay == pytest.approx(62)
    assert read.dip == 0


def test_corrections_lie_between_certified_points() -> None:
    points = {800: Decimal("3.0"), 900: Decimal("5.0")}
    assert at(points, 845) == Decimal("3.90")
    assert at(points, 900) == Decimal("5.0")


def test_the_amendment_holds_from_the_day_of_charge() -> None:
    assert not resets(5, 19, date(2025, 6, 16))
    assert resets(5, 19, AMENDED)
    assert resets(15, 5, DAY)


def test_a_load_charged_the_evening_before_keeps_the_old_rules(told: Story) -> None:
    night = told.of(12)
    assert night.load.day == date(2025, 6, 16)
    assert night.load.clock + night.read.door > 24 * 60
    assert (night.required, night.decision) == (90, "release")


def test_a_recorder_is_read_by_the_certificate_of_the_day(told: Story) -> None:
    before, after = told.of(8), told.of(11)
    assert before.load.recorder == after.load.recorder
    assert told.world.recorder(before.load).low == 400
    assert told.world.recorder(after.load).low == 500
    assert before.load.day < RECALIBRATED <= after.load.day


def test_decisions_follow_the_table(told: Story) -> None:
    made = {n: told.of(n).decision for n in (3, 7, 9, 14, 16, 17, 18)}
    assert made == {
        3: "reprocess", 7: "hold", 9: "scrap", 14: "hold", 16: "hold", 17: "hold", 18: "hold",
    }  # fmt: skip
    assert told.of(14).findings == ("Q",)


@pytest.mark.parametrize("kept", ["over", "far_over", "dip_minutes", 0, 1])
def test_each_limit_of_the_what_if_changes_a_decision(told: Story, kept: str | int) -> None:
    if isinstance(kept, str):
        some = replace(MOVED, **{kept: getattr(IN_FORCE, kept)})
    else:
        delays = list(MOVED.delays)
        delays[kept] = IN_FORCE.delays[kept]
        some = replace(MOVED, delays=(delays[0], delays[1]))
    made = [replace(one, limits=some).decision for one in told.results]
    assert made != [one.decision for one in told.moved]


def test_who_reads_with_care_is_within_tolerance_and_who_reads_to_the_line_is_not(
    told: Story,
) -> None:
    careful = [taken(one, 0.5) for one in told.results]
    assert all(abs(got.soak - got.result.soak) < SOAK[got.result.load.speed] for got in careful)
    assert all(abs(got.peak - got.result.peak) < DEGREES for got in careful)
    rough = 0
    for one in told.results:
        cells = printed_lines(told, one)
        soak = float(cells["H"] or 0) - float(cells["F"] or 0)
        plain = one.read.door - one.read.first_band
        rough += abs(soak - plain) > SOAK[one.load.speed]
    assert rough >= len(told.results) // 3


def test_each_misreading_changes_what_is_written(told: Story) -> None:
    for name, slip in SLIPS.items():
        changed = 0
        for one in told.results:
            got = taken(one)
            known = {"F": got.first_band, "H": got.door, "L": got.delay, "E": got.passed_750}
            cells = slip.read(told, one)
            changed += any(key in cells and cells[key] != value for key, value in known.items())
            changed += "I" in cells and cells["I"] != got.dip
        assert changed, name


def test_paper_runs_fast_from_the_door(told: Story) -> None:
    one = told.of(7)
    pen = told.world.recorder(one.load)
    run = drawn(told.world, one.load)
    across = places(one.load, pen, run)
    door = int(run.door * 10)
    assert across[door] == pytest.approx(door / 10 * one.load.speed / 60)
    assert across[door + 11] - across[door + 1] == pytest.approx(pen.fast)


def test_a_strip_is_a_picture_of_many_colours_without_words(told: Story) -> None:
    one = told.of(7)
    pen = told.world.recorder(one.load)
    picture = draw(one.load, pen, drawn(told.world, one.load), Dice("test", 1))
    assert isinstance(picture, Image.Image)
    assert 600 < picture.width < 2400
    assert (picture.height - 1) * 25.4 / 150 >= TOP + pen.span
    assert not picture.info
    colours = picture.convert("RGB").getcolors(1 << 20) or []
    assert len(colours) >= 100
    assert INKS[pen.load_pen] not in {colour for _, colour in colours}


def test_times_are_written_to_half_a_minute() -> None:
    assert (half(97.26), half(97.2)) == (97.5, 97.0)
