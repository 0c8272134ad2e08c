"""`files`, `sheets`, `unchanged`, `no_errors`, `view`."""

from typing import Any

import pytest

from bythebook.deliverables.evidence.model import (
    FileEvidence,
    Formatting,
    Recalculation,
    Refusal,
    Sheet,
    Workbook,
)
from tests.deliverables.checks.papers import Computed, F, ask, book, paper, sheet

FILES = "files: {want: {book.xlsx: xlsx, note.docx: docx}, only: true}"
RAW = book(sheet("Raw", [["a", "b"], [1.0, F(2.0, "A2*2")]]))


def test_the_wanted_files_and_nothing_else() -> None:
    both = {"book.xlsx": RAW, "note.docx": paper("x")}
    assert ask(FILES.replace(", only: true", ""), both).mark == "pass"
    assert ask(FILES, both).mark == "pass"


@pytest.mark.parametrize("why", ["a link to /etc/passwd", "more than 512 MiB in all"])
def test_what_was_not_taken_was_handed_over_all_the_same(why: str) -> None:
    held = Computed({"book.xlsx": RAW, "note.docx": paper("x")})
    held.refused = (Refusal("more.bin", why),)
    answer = ask(FILES, held)
    assert (answer.mark, answer.place) == ("fail", "more.bin")
    assert (answer.why, answer.seen) == ("1 file is too many", f"more.bin ({why})")
    assert ask(FILES.replace(", only: true", ""), held).mark == "pass"


@pytest.mark.parametrize(
    "status", ["empty", "wrong_type", "encrypted", "corrupt", "too_big", "timeout"]
)
def test_a_file_that_does_not_read_fails_and_its_status_is_named(status: Any) -> None:
    broken = FileEvidence(name="note.docx", kind="docx", status=status, says="it is so.")
    held = Computed({"book.xlsx": RAW}, broken={"note.docx": broken})
    answer = ask(FILES, held)
    assert (answer.mark, answer.place) == ("fail", "note.docx")
    assert answer.why == f"the file is {status.replace('_', ' ')}: it is so."


def test_a_content_of_another_type_fails() -> None:
    held = Computed({"book.xlsx": paper("x")}, broken={})
    held.contents["book.xlsx"] = paper("x")  # type: ignore[index]  # a dict all the same
    answer = ask("no_errors: {file: book.xlsx}", _posing(held))
    assert answer.mark == "fail"


def _posing(held: Computed) -> Computed:
    """A document under a workbook's name."""
    known = FileEvidence(name="book.xlsx", kind="xlsx", status="ok")
    return Computed(held.contents, broken={"book.xlsx": known})


ORDER = "sheets: {order: [Payroll, Annual, Dashboard]}"


def sheets(*names: str, **states: Any) -> Workbook:
    made = [sheet(name, [["x"]], state=states.get(name, "visible")) for name in names]
    return book(*made)


@pytest.mark.parametrize(
    ("there", "mark", "why"),
    [
        (sheets("Raw", "Payroll", "Annual", "Dashboard"), "pass", ""),
        (sheets("payroll", "ANNUAL", "Dashboard", "Notes"), "pass", ""),
        (sheets("Payroll", "Dashboard", "Annual"), "fail", "another order"),
        (sheets("Payroll", "Annual", "Raw", "Dashboard"), "fail", "another order"),
        (sheets("Payroll", "Annual"), "fail", "no such sheet"),
        (sheets("Payroll", "Annual", "Dashboard", Annual="veryHidden"), "fail", "hidden"),
        (
            book(sheet("Payroll", [["x"]]), sheet("Annual", []), sheet("Dashboard", [["x"]])),
            "fail",
            "empty",
        ),
    ],
)
def test_sheets_stand_in_order_visible_and_filled(there: Workbook, mark: str, why: str) -> None:
    answer = ask(ORDER, there)
    assert answer.mark == mark
    assert why in answer.why


UNCHANGED = "unchanged: {input: raw.xlsx, first: true}"


def changed(*rows: list[Any], name: str = "Raw", **more: Any) -> Workbook:
    return book(sheet(name, [["a", "b"], *rows], **more), sheet("New", [["x"]]))


@pytest.mark.parametrize(
    ("there", "mark", "place"),
    [
        (changed([1.0, F(2.0, "A2*2")]), "pass", "book.xlsx"),
        (changed([1, F(2.0, "A2*2")]), "pass", "book.xlsx"),
        (changed([1.5, F(2.0, "A2*2")]), "fail", "book.xlsx#Raw!A2"),
        (changed(["1", F(2.0, "A2*2")]), "fail", "book.xlsx#Raw!A2"),
        (changed([True, F(2.0, "A2*2")]), "fail", "book.xlsx#Raw!A2"),
        (changed([1.0, 2.0]), "fail", "book.xlsx#Raw!B2"),
        (changed([1.0, F(2.0, "A2*3")]), "fail", "book.xlsx#Raw!B2"),
        (changed([1.0, F(None, "A2*2")]), "fail", "book.xlsx#Raw!B2"),
        (changed([1.0, F(2.0, "A2*2")], ["more"]), "fail", "book.xlsx#Raw!A3"),
        (changed([1.0, F(2.0, "A2*2")], state="hidden"), "fail", "book.xlsx#sheet=Raw"),
        (changed([1.0, F(2.0, "A2*2")], name="Raw data"), "fail", "book.xlsx"),
        (book(sheet("New", [["x"]]), *RAW.sheets), "fail", "book.xlsx"),
    ],
)
def test_inputs_are_carried_over_unchanged(there: Workbook, mark: str, place: str) -> None:
    answer = ask(UNCHANGED, there, inputs={"raw.xlsx": RAW})
    assert (answer.mark, answer.place) == (mark, place)


def test_formats_may_change() -> None:
    styled = book(
        Sheet(
            name="Raw",
            cells=tuple(
                type(c)(c.row, c.column, c.value, c.type, c.formula, "0.00", "other")
                for c in RAW.sheets[0].cells
            ),
        )
    )
    assert ask(UNCHANGED, styled, inputs={"raw.xlsx": RAW}).mark == "pass"


def test_an_input_that_is_not_kept_is_our_own_fault() -> None:
    assert ask(UNCHANGED, RAW).mark == "void"


def test_an_error_value_is_seen_where_a_reader_sees_it() -> None:
    rows: list[list[Any]] = [["x", F("#REF!", "Gone!A1")], ["y", F("#N/A", "NA()")]]
    answer = ask("no_errors: {}", book(sheet("S", rows)))
    assert (answer.mark, answer.place, answer.count) == ("fail", "book.xlsx#S!B1", (2, 4))
    assert ask("no_errors: {}", book(sheet("S", rows, hidden_columns=(2,)))).mark == "pass"
    assert ask("no_errors: {}", book(sheet("S", rows, state="hidden"))).mark == "pass"


def test_an_error_that_only_calculating_shows_is_one() -> None:
    anew = Recalculation(status="ok", values={"S": {"A1": "#DIV/0!"}})
    held = Computed({"book.xlsx": book(sheet("S", [[F(None, "1/0")]]))}, anew=anew)
    assert ask("no_errors: {}", held).seen == "#DIV/0!"


DATA: list[list[Any]] = [["h", "h"], [1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize(
    ("has", "more", "mark"),
    [
        ("freeze", {"freeze": "A2"}, "pass"),
        ("freeze", {"freeze": "B2"}, "pass"),
        ("freeze", {"freeze": "B1"}, "fail"),
        ("freeze", {"freeze": "A200"}, "fail"),
        ("freeze", {}, "fail"),
        ("filter", {"filters": ("A1:B3",)}, "pass"),
        ("filter", {"filters": ("Z1:Z2",)}, "fail"),
        ("filter", {"filters": ("A1:B1",)}, "fail"),
        ("cf", {"formats": (Formatting("A2:B3", "cellIs"),)}, "pass"),
        ("cf", {"formats": (Formatting("Z99", "cellIs"), Formatting("Y1 B2", "x"))}, "pass"),
        ("cf", {"formats": (Formatting("Z99", "cellIs"),)}, "fail"),
        ("validation", {"validations": ('C2:C9: list "a,b"',)}, "pass"),
        ("validation", {}, "fail"),
        ("print_area", {"print_area": "'My sheet'!$A$1:$B$3"}, "pass"),
        ("print_area", {"print_area": "nonsense"}, "fail"),
    ],
)
def test_the_view_touches_data(has: str, more: dict[str, Any], mark: str) -> None:
    answer = ask(f"view: {{sheets: [S], has: [{has}]}}", book(sheet("S", DATA, **more)))
    assert answer.mark == mark
