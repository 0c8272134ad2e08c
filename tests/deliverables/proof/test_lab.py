"""What workbooks compute to: asked of LibreOffice once, told where it follows, kept."""

from pathlib import Path

import pytest

from bythebook.deliverables.evidence.cache import Cache
from bythebook.deliverables.evidence.model import Recalculation, Scalar, Workbook
from bythebook.deliverables.evidence.office import Engine
from bythebook.deliverables.faults import edits as e
from bythebook.deliverables.proof.fingerprint import fingerprint
from bythebook.deliverables.proof.lab import Lab
from bythebook.deliverables.proof.nearby import Nearby
from bythebook.deliverables.task import DeliverableTask
from tests.deliverables.faults.editing import edited
from tests.deliverables.stall import write_book


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "results").mkdir()
    write_book(tmp_path / "results/takings.xlsx")
    return tmp_path / "results"


def book_of(folder: Path, work: Path) -> Workbook:
    return Lab(work, None).read(folder).books["takings.xlsx"]


@pytest.mark.parametrize(
    "edit",
    [
        e.Hide(sheet="Takings"),
        e.DropChart(sheet="Summary"),
        e.Unfreeze(sheet="Takings"),
        e.StripCaches(),
        e.NumberFormat(sheet="Takings", column="E", to="0.0"),
    ],
    ids=lambda edit: type(edit).__name__,
)
def test_what_does_not_count_leaves_the_fingerprint(
    folder: Path, tmp_path: Path, edit: e.Edit
) -> None:
    before = book_of(folder, tmp_path / "a")
    edited(folder / "takings.xlsx", edit)
    after = book_of(folder, tmp_path / "b")
    assert before != after
    assert fingerprint(before) == fingerprint(after)


@pytest.mark.parametrize(
    "edit",
    [
        e.SetCell(at="Sales!C2", to=1),
        e.SetName(name="NewTea", to=3),
        e.SetFormula(at="Takings!E2", to="1+A1"),
        e.RenameSheet(sheet="Takings", to="T"),
    ],
    ids=lambda edit: type(edit).__name__,
)
def test_what_counts_changes_the_fingerprint(folder: Path, tmp_path: Path, edit: e.Edit) -> None:
    before = book_of(folder, tmp_path / "a")
    edited(folder / "takings.xlsx", edit)
    assert fingerprint(before) != fingerprint(book_of(folder, tmp_path / "b"))


# --- nearby -------------------------------------------------------------------------------------

CACHED: dict[str, dict[str, Scalar]] = {
    "Takings": {"E2": 27.5, "E3": 57.6},
    "Summary": {"B6": 832.8},
}


def told(folder: Path, work: Path, edit: e.Edit) -> Recalculation | None:
    """What is said of the edited workbook from knowing the other."""
    near = Nearby(book_of(folder, work / "a"), Recalculation(status="ok", values=dict(CACHED)))
    edited(folder / "takings.xlsx", edit)
    return near.tell(book_of(folder, work / "b"))


def test_pasted_values_change_nothing_else(folder: Path, tmp_path: Path) -> None:
    found = told(folder, tmp_path, e.PasteValues(sheet="Takings", cells=("E2",)))
    assert found is not None
    assert found.values == {**CACHED, "Takings": {"E3": 57.6}}


def test_a_cell_that_no_formula_reads_changes_nothing_else(folder: Path, tmp_path: Path) -> None:
    found = told(folder, tmp_path, e.SetCell(at="Rules!A1", to="old"))
    assert found is not None
    assert found.values == CACHED


def test_a_total_typed_over_that_only_a_name_refers_to_changes_nothing_else(
    folder: Path, tmp_path: Path
) -> None:
    found = told(folder, tmp_path, e.SetCell(at="Summary!B6", to=1))
    assert found is not None
    assert found.values == {**CACHED, "Summary": {}}


@pytest.mark.parametrize(
    "edit",
    [
        e.SetCell(at="Takings!E2", to=1),
        e.SetCell(at="Rules!B1", to=1),
        e.SetFormula(at="Takings!E2", to="C2+D2"),
        e.SetName(name="OldTea", to=1),
        e.DropRows(sheet="Takings", rows=(3,)),
        e.RenameSheet(sheet="Rules", to="Prices"),
    ],
    ids=str,
)
def test_where_something_may_follow_only_an_engine_knows(
    folder: Path, tmp_path: Path, edit: e.Edit
) -> None:
    assert told(folder, tmp_path, edit) is None


def test_what_is_told_is_what_the_engine_computes(
    folder: Path, tmp_path: Path, engine: Engine
) -> None:
    lab = Lab(tmp_path / "lab", engine)
    lab.learn(lab.computed({folder: lab.read(folder)})[folder])
    other = lab.folder("other")
    (other / "takings.xlsx").write_bytes((folder / "takings.xlsx").read_bytes())
    edited(other / "takings.xlsx", e.PasteValues(sheet="Takings", column="D"))
    (said,) = lab.computed({other: lab.read(other)})[other].computed.values()
    fresh = Lab(tmp_path / "fresh", engine)
    (computed,) = fresh.computed({other: fresh.read(other)})[other].computed.values()
    assert said == computed


CHANGES: tuple[e.Edit, ...] = (
    e.SetName(name="NewTea", to=3),
    e.SetName(name="OldTea", to=None),
    e.SetCell(at="Sales!C2", to=40),
    e.SetCell(at="Sales!B2", to="Juice & <tea>"),
    e.SetCell(at="Takings!E3", to=1),
    e.SetFormula(at="Takings!E2", to='IF(A2=0,"",C2*D2+1)'),
    e.SetFormula(at="Takings!E2", to="1/0"),
    e.FormulaReplace(sheet="Takings", column="E", find="*", put="+"),
    e.DropRows(sheet="Sales", rows=(4,)),
    e.SortRows(sheet="Takings", by="C"),
    e.RenameSheet(sheet="Rules", to="Prices"),
)


def test_what_a_change_reaches_is_computed_as_if_all_were(
    folder: Path, tmp_path: Path, engine: Engine
) -> None:
    lab = Lab(tmp_path / "lab", engine)
    lab.learn(lab.computed({folder: lab.read(folder)})[folder])
    others = [lab.folder("other") for _ in CHANGES]
    for other, edit in zip(others, CHANGES, strict=True):
        (other / "takings.xlsx").write_bytes((folder / "takings.xlsx").read_bytes())
        edited(other / "takings.xlsx", edit)
    fresh = Lab(tmp_path / "fresh", engine)
    told = lab.computed({other: lab.read(other) for other in others})
    computed = fresh.computed({other: fresh.read(other) for other in others})
    for other, edit in zip(others, CHANGES, strict=True):
        assert told[other].computed == computed[other].computed, edit


def test_what_was_computed_is_kept_for_the_next_proof(
    folder: Path, tmp_path: Path, engine: Engine
) -> None:
    cache = Cache(tmp_path / "cache")
    first = Lab(tmp_path / "a", engine, cache)
    found = first.computed({folder: first.read(folder)})[folder].computed
    broken = Engine(Path("/nowhere"), engine.version, sandboxed=False)
    second = Lab(tmp_path / "b", broken, cache)
    assert second.computed({folder: second.read(folder)})[folder].computed == found


def test_without_an_engine_nothing_is_computed(task: DeliverableTask, tmp_path: Path) -> None:
    lab = Lab(tmp_path / "lab", None)
    sample = lab.computed({task.reference: lab.read(task.reference)})[task.reference]
    assert sample.computed == {}
    assert sample.recalculated("takings.xlsx").status == "unavailable"
