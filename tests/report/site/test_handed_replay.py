"""What a replay of deliverables is made of: items, judgements, evidence, known faults."""

import shutil
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bythebook.deliverables.evidence.view import View
from bythebook.deliverables.judge.journal import read_judgements
from bythebook.deliverables.task import DeliverableTask
from bythebook.report.site.excerpt import LONGEST, MOST_COLUMNS, MOST_ROWS, excerpt
from bythebook.report.site.faultview import known_faults
from bythebook.report.site.handed import HandedRun, Portfolio, Replay
from bythebook.report.site.pictures import draw
from bythebook.trace import read_trace
from bythebook.verdict import Verdict
from tests.report.site.conftest import STALL


def replay(folder: Path) -> Replay:
    place = folder / STALL / "1"
    trace = read_trace(place / "trace.jsonl")
    book = Portfolio()
    book.meet(trace)
    return book.replay(
        HandedRun(
            trace=trace,
            scene=folder / "scenes" / f"{trace.header.scene}.json",
            verdict=msgspec.json.decode((place / "verdict.json").read_bytes(), type=Verdict),
            view=View.kept(place / "evidence"),
            judgements=read_judgements(place / "judgements.jsonl"),
        )
    )


@pytest.fixture(scope="session")
def view(played: Path) -> View:
    return View.kept(played / "reference" / STALL / "1/evidence")


# --- evidence -----------------------------------------------------------------------------------


def test_a_cell_opens_with_its_neighbours_and_its_headings(view: View) -> None:
    found = excerpt("takings.xlsx#Takings!E12", view)

    assert found.table is not None
    assert [row for row, _ in found.table.rows] == [1, 10, 11, 12, 13, 14]
    assert found.table.columns[found.table.marked[1]] == "E"
    assert found.table.formulas["E12"].startswith("=")
    heading = dict(found.table.rows)[1][found.table.marked[1]]
    assert heading


def test_a_paragraph_opens_between_its_neighbours(view: View) -> None:
    found = excerpt("note.docx#para=2", view)

    assert [marked for _, marked in found.lines] == [False, True, False]
    assert found.lines[1][0].startswith("para=2")


def test_a_file_opens_with_how_it_begins(view: View) -> None:
    assert excerpt("takings.xlsx", view).lines


@pytest.mark.parametrize(
    ("at", "says"),
    [
        ("gone.docx#para=1", "no such file"),
        ("takings.xlsx#Nowhere!A1", "no sheet"),
        ("note.docx#para=999", "no paragraph"),
        ("input:sales.xlsx#Sales!A1", "inputs"),
        ("note.docx#nonsense=1", ""),
        ("\u0000", ""),
    ],
)
def test_a_place_that_leads_nowhere_says_why(view: View, at: str, says: str) -> None:
    found = excerpt(at, view)

    assert (found.table, found.lines) == (None, ())
    assert found.says
    assert says in found.says


@settings(max_examples=200)
@given(
    at=st.text()
    | st.builds(
        "{}#{}{}".format,
        st.sampled_from(["takings.xlsx", "note.docx"]),
        st.sampled_from(["Takings!", "para=", "table=", "page=", "sheet=", "name=", ""]),
        st.text("A1:-/cr9", max_size=8),
    )
)
def test_nothing_that_stands_in_a_locator_breaks_it(view: View, at: str) -> None:
    found = excerpt(at, view)

    assert found.table or found.lines or found.says


def test_without_what_was_read_a_place_says_so() -> None:
    assert excerpt("takings.xlsx#Summary!A1", None).says


def test_a_large_range_and_long_cells_stay_small(view: View) -> None:
    table = excerpt("takings.xlsx#Takings!A1:H20", view).table

    assert table is not None
    assert len(table.rows) <= MOST_ROWS
    assert len(table.columns) <= MOST_COLUMNS
    assert all(len(cell) <= LONGEST + 4 for _, cells in table.rows for cell in cells)


# --- items and judgements -----------------------------------------------------------------------


def test_every_place_that_is_named_can_be_opened(played: Path) -> None:
    found = replay(played / "reference")
    opened = {one.at for one in found.excerpts}

    places = {item.place for item in found.findings if item.place}
    cited = {at for one in found.said for at, _ in one.cited}
    assert cited
    assert opened == places | cited


def test_the_judgement_that_a_verdict_stands_on_is_marked(played: Path) -> None:
    found = replay(played / "reference")
    said = [one for one in found.said if one.item == "R11"]
    (item,) = [one for one in found.findings if one.id == "R11"]

    assert {one.judge: one.verdict for one in said} == {"hand:first": "fail", "hand:second": "pass"}
    assert [one.judge for one in said if one.counted] == [item.by]


def test_files_are_told_with_their_words(played: Path) -> None:
    files = {file.name: file for file in replay(played / "reference").files}

    assert "Total takings" in files["note.docx"].text
    assert files["takings.xlsx"].text == "", "a workbook has an outline instead"


# --- known faults -------------------------------------------------------------------------------


def test_a_known_fault_is_told_with_the_items_that_it_fails(stalled: DeliverableTask) -> None:
    found = {fault.name: fault for fault in known_faults(stalled.folder)}

    assert found["new_price_ignored"].fails == ("R03", "R04", "R05", "R13")
    assert found["caches_stripped"].fails == ("R03", "R04", "R05"), "R10 was not asked"
    assert found["new_price_ignored"].says == "The price from 4 July is ignored."


def test_without_a_matrix_there_are_no_known_faults(
    stalled: DeliverableTask, tmp_path: Path
) -> None:
    shutil.copy(stalled.folder / "faults.yaml", tmp_path)

    assert known_faults(tmp_path) == ()


# --- pictures -----------------------------------------------------------------------------------


def test_pages_become_pictures_beside_the_site(played: Path, tmp_path: Path) -> None:
    from PIL import Image

    from bythebook.deliverables.evidence.office import find_engine

    engine = find_engine()
    if engine is None:
        pytest.skip("LibreOffice draws pages, and is not here")
    place = played / "reference" / STALL / "1"
    shutil.copytree(place, tmp_path / "run")
    kept = View.kept(
        tmp_path / "run/evidence", folder=tmp_path / "run/workspace/results", engine=engine
    )
    pictures, says = draw(kept, tmp_path / "images/0", "images/0")["note.docx"]

    assert says == ""
    assert [one.label for one in pictures] == ["page 1"]
    with Image.open(tmp_path / pictures[0].file) as image:
        assert (image.width, image.height) == (pictures[0].width, pictures[0].height)
