"""docs/checks.md is true: its rubric loads, passes a right submission and fails an empty one."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bythebook import yamlfile
from bythebook.deliverables.checks import Case, run_check
from bythebook.deliverables.checks.held import Held
from bythebook.deliverables.checks.spec import SPECS
from bythebook.deliverables.evidence.locate import resolve
from bythebook.deliverables.evidence.model import (
    Chart,
    Content,
    Deck,
    Kind,
    Layout,
    Page,
    Pdf,
    Picture,
    Recalculation,
    Series,
    Sheet,
    Slide,
    Workbook,
)
from bythebook.deliverables.expected import Expected, parse_table
from bythebook.deliverables.rubric import RubricFile, load_rubric
from bythebook.errors import ContentError
from tests.deliverables.checks.papers import Computed, F, book, paper, sheet
from tests.deliverables.checks.test_right_variants import LOOK_ALIKES, RIGHT

PAGE = Path(__file__).parents[3] / "docs" / "checks.md"
BLOCK = re.compile(r"^```(?P<kind>yaml|csv)(?: (?P<name>\w+))?\n(?P<body>.*?)^```$", re.M | re.S)
WANTS: dict[str, Kind] = {
    "pay.xlsx": "xlsx",
    "note.docx": "docx",
    "report.pdf": "pdf",
    "talk.pptx": "pptx",
    "plan.png": "image",
}


def blocks(kind: str, *names: str | None) -> Iterator[str]:
    for found in BLOCK.finditer(PAGE.read_text("utf-8")):
        if found["kind"] == kind and found["name"] in names:
            yield found["body"]


def tables() -> Expected:
    found = {name: next(blocks("csv", name)) for name in ("pay", "cost")}
    return Expected(
        {f"expected/{name}.csv": parse_table(text, where=name) for name, text in found.items()}
    )


def loaded(folder: Path, items: str) -> RubricFile:
    (folder / "inputs").mkdir(exist_ok=True)
    (folder / "inputs" / "raw.xlsx").write_bytes(b"")
    (folder / "rubric.yaml").write_text(f"{next(blocks('yaml', 'fields'))}items:\n{items}", "utf-8")
    return load_rubric(folder, WANTS, tables())


ROSTER = sheet("Roster", [["Employee ID", "Base"], ["EMP001", 17563.67], ["EMP002", 12167.17]])


def workbook() -> Workbook:
    money = "#,##0.00"
    head = ["Employee ID", "Month", "Gross pay (CNY)", "Rating"]
    lines = [
        ["EMP001", "2024-01", F(26345.50, "Roster!B2*1.5"), "A-"],
        ["EMP001", "2024-02", F(26000.00, "Roster!B2*1.48"), "A-"],
        ["EMP002", "2024-01", F(18250.75, "Roster!B3*1.5"), "B"],
    ]
    pay = sheet("Payroll", [head, *lines], freeze="A2", filters=("A1:D4",))
    cells = tuple(
        msgspec.structs.replace(cell, shown=f"{cell.value:,.2f}", format=money)
        if isinstance(cell.value, float) else cell
        for cell in pay.cells
    )  # fmt: skip
    cost = sheet("Cost", [["Department", "Total cost"], ["Sales", 52345.5], ["Support", 18250.75]])
    total = F(70596.25, "SUM(Payroll!C2:C4)")
    chart = Chart(type="column", series=(Series(values=(18250.75, 52345.5)),))
    board = sheet("Dashboard", [["Total gross pay (CNY)"], [total]], charts=(chart,))
    return book(
        ROSTER,
        msgspec.structs.replace(pay, cells=cells),
        cost,
        board,
        names={"TotalGross": "Dashboard!$A$2"},
    )


def right() -> Computed:
    note = paper(
        "# In short",
        "Sales is 84.2k over its budget. The old policy is superseded.",
        [["Department", "Over"], ["Sales", "84,210"]],
        "Total gross pay is 70,596.",
        "# 2. Next steps",
    )
    contents: dict[str, Content] = {
        "pay.xlsx": workbook(),
        "note.docx": note,
        "report.pdf": Pdf(pages=(Page(number=1, text="x", size=(595, 842)),)),
        "talk.pptx": Deck(slides=(Slide(number=1, notes="a"), Slide(number=2, notes="b"))),
        "plan.png": Picture(format="png", width=1200, height=900),
    }
    changed = Recalculation(status="ok", values={"Payroll": {"C2": 30000.0}})
    laid = Layout(status="ok", sizes=((595, 842), (595, 842)), last=0.5)
    return Computed(contents, changed=changed, laid=laid)


def case(results: Held, rubric: RubricFile) -> Case:
    inputs = Held({"raw.xlsx": book(ROSTER)})
    return Case(results, inputs, tables(), rubric.fields, WANTS)


@pytest.fixture
def rubric(tmp_path: Path) -> RubricFile:
    return loaded(tmp_path, "".join(blocks("yaml", None)))


def test_the_page_has_every_kind_of_check(rubric: RubricFile) -> None:
    shown = {kind for item in rubric.items for kind in (item.check or item.screen or {})}
    assert shown == set(SPECS)


def test_a_right_submission_passes_every_example(rubric: RubricFile) -> None:
    asked = case(right(), rubric)
    found = {item.id: run_check(item, asked) for item in rubric.items}
    assert {name: (a.mark, a.why) for name, a in found.items() if a.mark != "pass"} == {}


def test_an_empty_submission_fails_every_example(rubric: RubricFile) -> None:
    asked = case(Held({}), rubric)
    assert {run_check(item, asked).mark for item in rubric.items} == {"fail"}


def test_a_submission_of_empty_files_passes_nothing_but_that_they_open(rubric: RubricFile) -> None:
    bare: dict[str, Content] = {
        "pay.xlsx": book(Sheet(name="Payroll"), Sheet(name="Dashboard")),
        "note.docx": paper(),
        "report.pdf": Pdf(pages=()),
        "talk.pptx": Deck(slides=()),
        "plan.png": Picture(format="png", width=1, height=1),
    }
    asked = case(Held(bare), rubric)
    found = {item.id: run_check(item, asked).mark for item in rubric.items}
    # That nothing was recalculated is our fault; that nothing stands there is theirs.
    assert {name for name, mark in found.items() if mark == "pass"} <= {"files", "clean"}


def test_every_place_that_a_check_names_can_be_looked_up(rubric: RubricFile) -> None:
    results = right()
    asked = case(results, rubric)
    places = [run_check(item, asked).place for item in rubric.items]
    found = {place: resolve(place, results, Held({})).exists for place in places}
    assert {place for place, exists in found.items() if not exists} == set()


REFUSED = yamlfile.parse(next(blocks("yaml", "refused")), PAGE, decimals=True)


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_the_page_says_does_not_load_does_not(number: int, tmp_path: Path) -> None:
    lines = next(blocks("yaml", "refused")).splitlines()
    item = f"- id: X\n  says: x\n  dimension: domain\n  level: core\n  {lines[number][2:]}\n"
    with pytest.raises(ContentError):
        loaded(tmp_path, item)


def test_numbers_of_the_page_are_those_of_the_tests() -> None:
    page = PAGE.read_text("utf-8")
    assert f"holds {len(RIGHT)} right ones" in page
    assert len(LOOK_ALIKES) == 11
    assert "eleven that only look right" in page
