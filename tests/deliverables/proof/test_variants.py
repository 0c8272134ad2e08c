"""What the proof tries on a reference: right variants, look-alikes and mutants."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bythebook.deliverables.checks.places import Spot
from bythebook.deliverables.evidence.model import Recalculation
from bythebook.deliverables.proof.court import Court, Watch
from bythebook.deliverables.proof.draft import Draft, inserted, turned
from bythebook.deliverables.proof.ground import Ground, ground_of
from bythebook.deliverables.proof.lab import Lab
from bythebook.deliverables.proof.lookalikes import lookalikes
from bythebook.deliverables.proof.mutants import KINDS, mutants
from bythebook.deliverables.proof.promised import unwatched
from bythebook.deliverables.proof.sample import Sample
from bythebook.deliverables.proof.variants import variants
from bythebook.deliverables.task import DeliverableTask
from tests.deliverables.stall import stall


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> DeliverableTask:
    return stall(tmp_path_factory.mktemp("stall"))


@pytest.fixture(scope="module")
def court(task: DeliverableTask, tmp_path_factory: pytest.TempPathFactory) -> Court:
    return Court(task, Lab(tmp_path_factory.mktemp("lab"), None).read(task.inputs))


def computed(sample: Sample) -> Sample:
    """As if everything had been computed anew and came to what was cached."""
    values = {
        sheet.name: {
            f"{'ABCDEFGHIJK'[cell.column - 1]}{cell.row}": cell.value
            for cell in sheet.cells
            if cell.formula
        }
        for sheet in sample.books["takings.xlsx"].sheets
    }
    book = sample.books["takings.xlsx"]
    return sample.having("takings.xlsx", book, Recalculation(status="ok", values=values))


@pytest.fixture(scope="module", params=["reference", "reference-2"])
def ground(
    request: pytest.FixtureRequest, court: Court, tmp_path_factory: pytest.TempPathFactory
) -> Ground:
    lab = Lab(tmp_path_factory.mktemp("lab"), None)
    return ground_of(court, computed(lab.read(court.task.folder / request.param)))


@pytest.fixture(scope="module")
def watch(court: Court, ground: Ground) -> Watch:
    return court.watch(ground.sample)


# --- where things stand -------------------------------------------------------------------------


def test_tables_and_labels_are_found_where_the_checks_find_them(ground: Ground) -> None:
    assert {table.sheet for table in ground.tables} == {"Takings", "Summary"}
    (label,) = ground.labels
    assert (label.sheet, label.field) == ("Summary", "total")


def test_the_row_of_a_label_is_no_row_of_the_table(ground: Ground) -> None:
    (summary,) = (table for table in ground.tables if table.sheet == "Summary")
    assert len(summary.rows) == 3


def test_every_value_that_a_check_judges_is_watched(watch: Watch, ground: Ground) -> None:
    (takings,) = (table for table in ground.tables if table.sheet == "Takings")
    judged = {(spot.row, spot.column) for spot in watch.wanted["R03"]}
    assert judged == {(row, takings.columns["takings"]) for row in takings.rows}


def test_a_column_that_the_prompt_names_and_no_check_reads_is_told(
    ground: Ground, watch: Watch
) -> None:
    assert list(unwatched(ground, watch)) == []
    blind = {name: seen for name, seen in watch.seen.items() if name not in ("R14", "R15")}
    assert [heading for heading, _ in unwatched(ground, Watch(blind, {}))] == ["Units"]


# --- right answers ------------------------------------------------------------------------------


def test_no_right_variant_fails(court: Court, ground: Ground) -> None:
    asked = court.items.keys() - court.supposing.keys()
    found = {one.name: court.judge(one.sample, asked) for one in variants(ground)}
    failed = {
        name: {item: answer for item, answer in answers.items() if answer.mark == "fail"}
        for name, answers in found.items()
    }
    assert {name: items for name, items in failed.items() if items} == {}
    assert len(found) >= 24


def test_every_variant_differs_from_the_reference(ground: Ground) -> None:
    for one in variants(ground):
        assert one.sample != ground.sample, one.name


def test_another_file_is_only_tried_where_it_is_allowed(court: Court, ground: Ground) -> None:
    only = {"files": {"want": {"takings.xlsx": "xlsx", "note.docx": "docx"}, "only": True}}
    strict = altered(court, "R01", only)
    names = [[v.name for v in variants(ground_of(c, ground.sample))] for c in (court, strict)]
    assert [("another file" in some) for some in names] == [True, False]


def altered(court: Court, item: str, check: dict[str, Any]) -> Court:
    """The same rubric with another check in one item."""
    other = Court(court.task, court.inputs)
    other.items[item] = msgspec.structs.replace(court.task.rubric.by_id[item], check=check)
    return other


# --- wrong answers ------------------------------------------------------------------------------


def test_no_lookalike_passes(court: Court, ground: Ground, watch: Watch) -> None:
    found = list(lookalikes(ground, watch))
    passed = {
        one.name: [item for item in one.aims if answers[item].mark == "pass"]
        for one in found
        for answers in [court.judge(one.sample, one.aims)]
    }
    assert {name: items for name, items in passed.items() if items} == {}
    assert len({one.name.partition(":")[0] for one in found}) >= 15


def test_every_mutant_is_noticed_by_an_item_of_its_own_level(ground: Ground, watch: Watch) -> None:
    found = list(mutants(ground, watch))
    assert [one.holes for one in found if one.holes] == []
    assert sum(one.unsure for one in found) == 0
    assert sum(one.killed for one in found) > 300
    assert {one.kind for one in found} >= set(KINDS)


def test_a_share_that_forgives_one_row_is_a_hole(court: Court, ground: Ground) -> None:
    loose = altered(court, "R03", {"column": {**TAKINGS, "share": Decimal("0.9")}})
    found = list(mutants(ground_of(loose, ground.sample), loose.watch(ground.sample)))
    assert [one.kind for one in found if one.holes] == ["above, alone"]


def test_a_check_that_looks_at_nothing_is_all_holes(court: Court, ground: Ground) -> None:
    blind = altered(court, "R03", {"column": {**TAKINGS, "share": Decimal(0)}})
    found = list(mutants(ground_of(blind, ground.sample), blind.watch(ground.sample)))
    takings = [one for one in found if one.column.sheet == "Takings" and one.holes]
    assert len(takings) >= len(KINDS) - 2
    assert "(above what is allowed)" in takings[0].holes[0]


TAKINGS = {
    "sheet": "Takings",
    "key": ["day", "item"],
    "column": "takings",
    "table": "expected/sales.csv#takings",
}


# --- drafts -------------------------------------------------------------------------------------


def test_names_charts_filters_and_computed_values_move_along(ground: Ground) -> None:
    draft = Draft(ground.sample, "takings.xlsx")
    before = ground.sample.recalculated("takings.xlsx").values["Summary"]
    draft.move("Summary", rows=inserted(1, 4), columns=inserted(1, 1))
    sample = draft.done()
    book = sample.books["takings.xlsx"]
    assert book.names["TotalTakings"].startswith("Summary!C")
    summary = next(sheet for sheet in book.sheets if sheet.name == "Summary")
    (chart,) = summary.charts
    assert chart.series[0].values_ref.startswith("Summary!")
    after = sample.recalculated("takings.xlsx").values["Summary"]
    assert sorted(map(str, after.values())) == sorted(map(str, before.values()))
    assert after != before


def test_rows_in_another_order_keep_the_ranges_that_cover_them(ground: Ground) -> None:
    draft = Draft(ground.sample, "takings.xlsx")
    (table,) = (table for table in ground.tables if table.sheet == "Takings")
    filters = draft.sheets["Takings"].filters
    draft.move("Takings", rows=turned(table.rows))
    assert draft.done().books["takings.xlsx"].sheets[1].filters == filters


def test_a_changed_cell_computes_to_what_it_says(ground: Ground) -> None:
    (table,) = (table for table in ground.tables if table.sheet == "Takings")
    spot = Spot("takings.xlsx", "Takings", table.rows[0], table.columns["takings"])
    draft = Draft(ground.sample, "takings.xlsx")
    draft.change("Takings", (spot.row, spot.column), 1.0)
    sample = draft.done()
    at = f"{'ABCDE'[spot.column - 1]}{spot.row}"
    assert sample.recalculated("takings.xlsx").values["Takings"][at] == 1.0
    assert ground.sample.recalculated("takings.xlsx").values["Takings"][at] != 1.0


def test_a_sample_without_files_is_asked_all_the_same(court: Court, tmp_path: Path) -> None:
    answers = court.judge(Sample(), court.items.keys() - court.supposing.keys())
    assert {answer.mark for answer in answers.values()} == {"fail"}
    assert court.score(answers) == 0.0


def test_keys_that_were_never_calculated_fail_what_hangs_on_them(
    court: Court, ground: Ground
) -> None:
    draft = Draft(ground.sample, "takings.xlsx")
    (table,) = (table for table in ground.tables if table.sheet == "Takings")
    for row in table.rows:
        place = row, table.columns["day"]
        draft.put("Takings", place, None, formula=f"Sales!A{row}", shown="")
    answers = court.judge(draft.done(), ("R03", "R12"))
    assert {answer.mark for answer in answers.values()} == {"fail"}
    assert "no cached value" in answers["R03"].why
